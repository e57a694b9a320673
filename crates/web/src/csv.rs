//! The rows of a JSON document as CSV, for `format=csv`.
//!
//! The document is masked and escaped before it comes here, so that CSV shows nothing that
//! JSON would not. A table has no place for what the document says of itself, so an incomplete
//! index is a failure, and warnings are headers. Deliberately not here: which list of a document
//! has its rows; the table of routes says that.

use crate::answer::Answer;
use crate::failure::Failure;
use axum::http::{HeaderName, HeaderValue};
use document::Warnings;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The header with what a table may lack.
const WARNING: HeaderName = HeaderName::from_static("x-warning");

/// What a document says of its index, if it was made from one.
#[derive(Debug, Default, Deserialize)]
struct IndexState {
    index_complete: Option<bool>,
    fresh: Option<bool>,
}

/// The rows in a list of a document, with what the document says of itself.
pub(crate) fn table(document: Answer, list: &str) -> Result<Answer, Failure> {
    let Ok(text) = str::from_utf8(&document.body) else { return Ok(document) };
    let Some(rows) = rows(text, list) else { return Ok(document) };
    let index: IndexState = serde_json::from_str(text).unwrap_or_default();
    if index.index_complete == Some(false) {
        return Err(Failure::incomplete_index());
    }
    let Warnings { warnings } = serde_json::from_str(text).unwrap_or_default();
    let stale = "the index is being updated: the newest messages may be missing";
    let stale = (index.fresh == Some(false)).then(|| stale.to_owned());
    let said = warnings.into_iter().map(|warning| warning.message).chain(stale);
    let said: Vec<String> = said.map(|text| header_text(&text)).collect();
    let answer = Answer::csv(rows);
    Ok(match HeaderValue::from_str(&said.join("; ")) {
        Ok(value) if !said.is_empty() => answer.with_header(WARNING, value),
        _ => answer,
    })
}

/// A text as the value of a header: other characters than those of ASCII are escaped.
fn header_text(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' => value.push(character),
            '\n' => value.push(' '),
            other => value.extend(other.escape_unicode()),
        }
    }
    value
}

/// The rows in a list of a document, with a heading; `None` if it has no such list. Members
/// of nested objects get separate columns (`tokens.input`), and lists become words.
pub(crate) fn rows(document: &str, list: &str) -> Option<String> {
    let document: Value = serde_json::from_str(document).ok()?;
    let rows: Vec<Vec<(String, String)>> =
        document.get(list)?.as_array()?.iter().map(cells_of).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut text = render::csv::row(columns.iter().copied());
    for row in &rows {
        let cell = |column: &&str| {
            let own = row.iter().find(|(name, _)| name == column);
            own.map_or("", |(_, value)| value.as_str())
        };
        text += &render::csv::row(columns.iter().map(cell));
    }
    Some(render::untrusted::text(&text).into_owned())
}

/// The cells of a row, by the names of their columns.
fn cells_of(row: &Value) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    match row {
        Value::Object(members) => add_members(&mut cells, "", members),
        value => cells.push(("value".to_owned(), word(value))),
    }
    cells
}

fn add_members(cells: &mut Vec<(String, String)>, prefix: &str, members: &Map<String, Value>) {
    for (name, value) in members {
        let name = format!("{prefix}{name}");
        match value {
            // One level: deeper objects are rare, and become JSON.
            Value::Object(members) if prefix.is_empty() => {
                add_members(cells, &format!("{name}."), members);
            }
            value => cells.push((name, word(value))),
        }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.iter().all(|value| !is_nested(value)) => {
            values.iter().map(word).collect::<Vec<_>>().join(" ")
        }
        value => value.to_string(),
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_a_header_in_ascii() {
        let document = r#"{"rows":[{"a":1}],"fresh":false,"warnings":[
            {"kind":"k","app":"pi","path":"/","message":"k\u00e9lp\nand\u001b tide"}]}"#;
        let answer = table(Answer::json(document.to_owned()), "rows").unwrap();
        let values: Vec<&str> =
            answer.headers.iter().map(|(_, value)| value.to_str().unwrap()).collect();
        let expected = "k\\u{e9}lp and\\u{1b} tide; the index is being updated: the newest messages may be missing";
        assert_eq!(values, [expected]);
        assert_eq!(answer.body, b"a\n1\n");
    }

    #[test]
    fn rows_have_a_column_for_every_member() {
        let document = r#"{"schema":"x","rows":[
            {"a":1,"tokens":{"input":2},"list":["x","y"]},
            {"a":null,"b":"c,d","deep":[{"e":1}]}]}"#;
        assert_eq!(
            rows(document, "rows").unwrap(),
            "a,list,tokens.input,b,deep\n1,x y,2,,\n,,,\"c,d\",\"[{\"\"e\"\":1}]\"\n"
        );
        assert_eq!(rows(document, "other"), None);
    }

    #[test]
    fn cells_cannot_act_in_a_spreadsheet_or_a_terminal() {
        let document = r#"{"rows":[{"a":"=1+1","b":"\u001b[2J","c":-5}]}"#;
        let text = rows(document, "rows").unwrap();
        assert!(text.contains("'=1+1") && text.contains(",-5"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
