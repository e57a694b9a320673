//! Compares the two lists of one store, session by session and field by field.
//!
//! Both are the JSON documents that the programs print. Deliberately not here: running the
//! programs.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use serde_json::Value;

/// The most characters of a value that a difference shows.
const SHOWN: usize = 150;
/// The most of these that may be equal in both values if they are long.
const LEAD: usize = 20;

/// The name of a field on both sides, and its form.
const FIELDS: [(&str, &str, Kind); 10] = [
    ("summary", "summary", Kind::Same),
    ("title", "customTitle", Kind::Same),
    ("first_prompt", "firstPrompt", Kind::Same),
    ("branch", "gitBranch", Kind::Same),
    ("cwd", "cwd", Kind::Same),
    ("tag", "tag", Kind::Same),
    ("bytes", "fileSize", Kind::Same),
    ("created_at", "createdAt", Kind::Time),
    ("modified_at", "lastModified", Kind::Time),
    ("archived_in_claude_code", "archived", Kind::Flag),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The same JSON value; a missing value is null.
    Same,
    /// Ours is an RFC 3339 string, theirs milliseconds since 1970.
    Time,
    /// A missing value is false.
    Flag,
}

/// The result of comparing one store.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The number of sessions listed or conversations read.
    pub(super) count: usize,
    /// One line for each difference.
    pub(super) differences: Vec<String>,
}

/// Compares the output of annals with that of the official reader. `names` are the names
/// of made-up sessions.
pub(super) fn compare(
    ours: &Value,
    official: &[Value],
    names: &BTreeMap<String, String>,
) -> Result<Comparison> {
    let ours = ours["sessions"].as_array().context("annals printed no array \"sessions\"")?;
    let mut ours = sessions(ours, "id").context("cannot parse the list of annals")?;
    // Copies that replace a deleted session are listed on purpose.
    ours.retain(|(_, session)| session["kind"] != "pre_compact_copy");
    let official = sessions(official, "sessionId").context("cannot parse the official list")?;
    let mut differences = Vec::new();
    let mut report = |id: &str, what: &str| {
        let name = names.get(id).map(|name| format!(" ({name})")).unwrap_or_default();
        differences.push(format!("{id}{name} {what}"));
    };

    for (id, session) in missing(&official, &ours) {
        report(id, &format!("is only in the official list: {}", shown(&session["summary"])));
    }
    for (id, session) in missing(&ours, &official) {
        report(id, &format!("is only in the list of annals: {}", shown(&session["summary"])));
    }
    let (in_both_ours, in_both_official) = (common(&ours, &official), common(&official, &ours));
    if in_both_ours.len() != in_both_official.len() {
        let (ours, official) = (in_both_ours.len(), in_both_official.len());
        report("some session", &format!("is listed twice: annals {ours}, official {official}"));
    }
    let places = in_both_ours.iter().zip(&in_both_official).enumerate();
    for (place, (ours, official)) in places.filter(|(_, (ours, official))| ours != official) {
        report(ours, &format!("order: annals has it at {place}, official has {official} there"));
    }
    for (id, session) in &ours {
        let Some((_, counterpart)) = official.iter().find(|(other, _)| other == id) else {
            continue;
        };
        for (our_name, official_name, kind) in FIELDS {
            let theirs = &counterpart[official_name];
            let Some(our_value) = session.get(our_name) else {
                bail!("annals lists no {our_name} for {id}; has its JSON changed?");
            };
            if comparable(our_value, kind) != comparable(theirs, kind) {
                let (annals, official) = shown_apart(our_value, theirs);
                report(id, &format!("{our_name}: annals {annals}, official {official}"));
            }
        }
    }
    Ok(Comparison { count: ours.len(), differences })
}

/// Sessions with their ids, in the order of the list.
type Listed<'a> = Vec<(&'a str, &'a Value)>;

fn sessions<'a>(list: &'a [Value], key: &str) -> Result<Listed<'a>> {
    list.iter()
        .map(|session| {
            let id = session[key].as_str();
            Ok((id.with_context(|| format!("a session has no text \"{key}\""))?, session))
        })
        .collect()
}

fn missing<'a>(from: &Listed<'a>, other: &Listed<'_>) -> Listed<'a> {
    from.iter().filter(|(id, _)| !contains(other, id)).copied().collect()
}

fn common<'a>(from: &Listed<'a>, other: &Listed<'_>) -> Vec<&'a str> {
    from.iter().map(|(id, _)| *id).filter(|id| contains(other, id)).collect()
}

fn contains(list: &Listed<'_>, id: &str) -> bool {
    list.iter().any(|(other, _)| *other == id)
}

/// The value in the form both sides share.
fn comparable(value: &Value, kind: Kind) -> Value {
    match (kind, value) {
        (Kind::Flag, Value::Null) => false.into(),
        // A string that is not a time stays a string, and so differs from any number.
        (Kind::Time, Value::String(text)) => text
            .parse::<Timestamp>()
            .map_or_else(|_| value.clone(), |time| time.as_millisecond().into()),
        _ => value.clone(),
    }
}

/// Both values as short lines, from shortly before the first difference.
fn shown_apart(ours: &Value, theirs: &Value) -> (String, String) {
    let (ours, theirs) = (escaped(ours), escaped(theirs));
    let same = ours.chars().zip(theirs.chars()).take_while(|(one, other)| one == other).count();
    let start = if same < SHOWN - LEAD { 0 } else { same - LEAD };
    (cut(&ours, start), cut(&theirs, start))
}

fn shown(value: &Value) -> String {
    cut(&escaped(value), 0)
}

/// The value on one line, without zero-width characters.
fn escaped(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}

fn cut(text: &str, start: usize) -> String {
    let mut rest = text.chars().skip(start);
    let middle: String = rest.by_ref().take(SHOWN).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if rest.next().is_some() { "…" } else { "" };
    format!("{before}{middle}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ours(id: &str) -> Value {
        json!({
            "id": id, "summary": "s", "title": null, "first_prompt": "p", "branch": "main",
            "cwd": "/p", "tag": null, "bytes": 7, "created_at": "2026-01-02T03:04:05.678Z",
            "modified_at": "2026-01-02T03:04:05Z", "archived_in_claude_code": false,
        })
    }

    fn official(id: &str) -> Value {
        json!({
            "sessionId": id, "summary": "s", "firstPrompt": "p", "gitBranch": "main",
            "cwd": "/p", "fileSize": 7, "createdAt": 1_767_323_045_678_u64,
            "lastModified": 1_767_323_045_000_u64,
        })
    }

    fn differences(ours: &[Value], official: &[Value]) -> Vec<String> {
        let ours = json!({"sessions": ours});
        let names = BTreeMap::from([("a".to_owned(), "the odd one".to_owned())]);
        compare(&ours, official, &names).expect("two lists").differences
    }

    #[test]
    fn absent_is_null_or_false_and_times_are_the_same_in_both_forms() {
        assert!(differences(&[ours("a")], &[official("a")]).is_empty());
    }

    #[test]
    fn each_field_that_differs_is_a_difference_with_both_values() {
        let mut other = official("a");
        other["customTitle"] = "a\nb".into();
        other["archived"] = true.into();
        other["createdAt"] = 1.into();
        assert_eq!(
            differences(&[ours("a")], &[other]),
            [
                r#"a (the odd one) title: annals null, official "a\nb""#,
                r#"a (the odd one) created_at: annals "2026-01-02T03:04:05.678Z", official 1"#,
                "a (the odd one) archived_in_claude_code: annals false, official true",
            ]
        );
    }

    #[test]
    fn missing_sessions_and_another_order_are_differences() {
        assert_eq!(
            differences(
                &[ours("x"), ours("b"), ours("c")],
                &[official("c"), official("b"), official("y")]
            ),
            [
                "y is only in the official list: \"s\"",
                "x is only in the list of annals: \"s\"",
                "b order: annals has it at 0, official has c there",
                "c order: annals has it at 1, official has b there",
            ]
        );
    }

    #[test]
    fn a_copy_listed_as_its_session_does_not_count_as_a_difference() {
        let mut copy = ours("x");
        copy["kind"] = "pre_compact_copy".into();
        assert!(differences(&[copy, ours("a")], &[official("a")]).is_empty());
    }

    #[test]
    fn long_values_are_cut_to_where_they_part() {
        assert_eq!(shown(&"é".repeat(500).into()).chars().count(), SHOWN + 1);
        let (ours, official) = ("x".repeat(200) + "a", "x".repeat(200) + "b");
        let lead = "x".repeat(LEAD);
        assert_eq!(
            shown_apart(&ours.into(), &official.into()),
            (format!("…{lead}a\""), format!("…{lead}b\""))
        );
    }
}
