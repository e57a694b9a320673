//! Titles and tags: copies of a store, named by both tools.
//!
//! Both must add the same bytes and refuse the same names, and the official list must be the
//! same for both copies. Names that annals refuses on purpose (`docs/listing.md`) are left
//! out: links, and ids in several folders. After a torn last line annals starts a new one;
//! then the lines are compared, not the lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use xtask::empty_home::EmptyHome;

use super::compare::Comparison;
use super::reader::Readers;

/// The titles, used in turn.
const TITLES: [&str; 12] = [
    "The clock",
    "  spaces around \t\n",
    "\u{feff}\u{a0}\u{3000}JavaScript's white space\u{2029}",
    "\u{85}not JavaScript's\u{200b}",
    "\"quoted\" \\ and / back",
    "two\nlines\tand\u{1}\u{8}\u{c}\r\u{1b}[31m\u{7f}",
    "\u{2028} caf\u{e9} 😀 \u{202e}",
    "--force",
    r#"{"type":"custom-title","customTitle":"inner"}"#,
    "x",
    "",
    " \n\u{feff}",
];

/// The tags, used in turn; `None` removes the tag.
const TAGS: [Option<&str>; 16] = [
    Some("ci"),
    Some(" two words "),
    None,
    Some("bell\u{7}del\u{7f}"),
    Some("ｆｕｌｌ"),
    Some("ﬁn ①"),
    Some("e\u{200b}\u{301}"),
    Some("a\u{202e}b\u{e0041}c\u{e000}d\u{ffff}e\u{ad}"),
    Some("\u{85}\u{e9}"),
    Some("\u{200b}\u{feff}"),
    Some("\u{a0}"),
    Some(""),
    Some("👩\u{200d}👧 \u{fe0f}"),
    Some("\u{600}\u{6dd}\u{110bd}\u{13430}\u{1d173}\u{fffb}é"),
    Some("\u{115f}\u{3164}\u{2800}\u{34f}"),
    Some("-x"),
];

/// A session id, the command (rename or tag), and its argument.
type Operation = (String, &'static str, Option<String>);

/// Names the sessions of two copies of a store, created in the folder, and compares the
/// results.
pub(super) fn compare(readers: &Readers, store: &Path, folder: &Path) -> Result<Comparison> {
    let (ours, official) = (folder.join("annals"), folder.join("official"));
    for copy in [&ours, &official] {
        if copy.exists() {
            fs::remove_dir_all(copy)
                .with_context(|| format!("cannot remove {}", copy.display()))?;
        }
        copy_folder(&store.join("projects"), &copy.join("projects"))
            .with_context(|| format!("cannot copy {} to {}", store.display(), copy.display()))?;
    }
    let transcripts = transcripts(&ours, &readers.official(&ours)?.sessions)?;
    let operations = operations(transcripts.keys());
    let outcomes = readers.name_officially(&official, &operations)?;
    ensure!(outcomes.len() == operations.len(), "the official tool left operations out");
    let home = EmptyHome::new()?;
    let mut differences = Vec::new();
    for ((id, command, text), refused) in operations.iter().zip(outcomes) {
        let our_refusal = readers.name(&home, &ours, id, command, text.as_deref())?;
        if our_refusal.is_some() != refused.is_some() {
            let errors = (our_refusal.unwrap_or_default(), refused.unwrap_or_default());
            let (annals, official) = (errors.0.trim(), errors.1);
            differences.push(format!(
                "{id} {command} {text:?}: annals printed {annals:?}, the official tool {official:?}"
            ));
        }
    }
    let mut torn = BTreeSet::new();
    for (id, place) in &transcripts {
        let read = |root: &Path| {
            let path = root.join("projects").join(place);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let before = read(store)?;
        if before.last() != Some(&b'\n') {
            torn.insert(id.as_str());
        }
        differences.extend(difference(id, &before, &read(&ours)?, &read(&official)?));
    }
    let (ours, official) =
        (readers.official(&ours)?.sessions, readers.official(&official)?.sessions);
    differences.extend(list_differences(&ours, &official, &torn));
    Ok(Comparison { count: transcripts.len(), differences })
}

/// Copies regular files and folders with their times, and no links.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
            if kind.is_dir() {
                folders.push((entry.path(), target));
            } else if kind.is_file() {
                // Created with default permissions, because the store may be read-only.
                fs::write(&target, fs::read(entry.path())?)?;
                let modified = entry.metadata()?.modified()?;
                fs::File::options().write(true).open(&target)?.set_modified(modified)?;
            }
        }
    }
    Ok(())
}

/// The paths of the listed sessions below `projects`, except those in several folders.
fn transcripts(store: &Path, listed: &[Value]) -> Result<BTreeMap<String, PathBuf>> {
    let listed: BTreeSet<&str> =
        listed.iter().filter_map(|session| session["sessionId"].as_str()).collect();
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in fs::read_dir(store.join("projects"))? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let name = file?.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            if let Some(id) = id.filter(|id| listed.contains(id)) {
                let place = Path::new(&folder.file_name()).join(&name);
                places.entry(id.to_owned()).or_default().push(place);
            }
        }
    }
    let only = places.into_iter().filter_map(|(id, mut places)| {
        let place = places.pop()?;
        places.is_empty().then_some((id, place))
    });
    Ok(only.collect())
}

/// A title and a tag for each; the tables have different lengths, so that a large store has
/// every combination.
fn operations<'a>(ids: impl Iterator<Item = &'a String>) -> Vec<Operation> {
    let titles = TITLES.iter().cycle();
    let tags = TAGS.iter().cycle();
    ids.zip(titles.zip(tags))
        .flat_map(|(id, (title, tag))| {
            let title = Some((*title).to_owned());
            [(id.clone(), "rename", title), (id.clone(), "tag", tag.map(str::to_owned))]
        })
        .collect()
}

/// The difference in the bytes added to one transcript.
fn difference(id: &str, before: &[u8], ours: &[u8], official: &[u8]) -> Option<String> {
    let (Some(ours), Some(official)) = (ours.strip_prefix(before), official.strip_prefix(before))
    else {
        return Some(format!("{id}: naming changed existing bytes"));
    };
    let is_torn = before.last() != Some(&b'\n');
    let expected: &[u8] = if is_torn && !official.is_empty() { b"\n" } else { b"" };
    if ours.strip_prefix(expected) == Some(official) {
        return None;
    }
    let (ours, official) = (String::from_utf8_lossy(ours), String::from_utf8_lossy(official));
    Some(format!("{id}: annals added {ours:?}, the official tool {official:?}"))
}

/// The differences between the official lists of the two copies, except modification times.
fn list_differences(ours: &[Value], official: &[Value], torn: &BTreeSet<&str>) -> Vec<String> {
    let by_id = |list: &[Value]| -> BTreeMap<String, Value> {
        let sessions = list.iter().cloned().map(|mut session| {
            let id = session["sessionId"].as_str().unwrap_or_default().to_owned();
            session["lastModified"] = Value::Null;
            (id, session)
        });
        sessions.filter(|(id, _)| !torn.contains(id.as_str())).collect()
    };
    let (ours, official) = (by_id(ours), by_id(official));
    let ids: BTreeSet<&String> = ours.keys().chain(official.keys()).collect();
    ids.into_iter()
        .filter(|id| ours.get(*id) != official.get(*id))
        .map(|id| {
            let shown =
                |session: Option<&Value>| session.map_or("nothing".to_owned(), Value::to_string);
            let (ours, official) = (shown(ours.get(id)), shown(official.get(id)));
            format!("{id} is listed as {ours} after annals, {official} after the official tool")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn added_lines_must_be_equal_except_after_a_torn_line() {
        let table: [(&str, &str, &str, bool); 8] = [
            ("{}\n", "{}\n{1}\n", "{}\n{1}\n", true),
            ("{}\n", "{}\n{1}\n", "{}\n{2}\n", false),
            ("{}\n", "{}\n\n{1}\n", "{}\n{1}\n", false),
            ("{}\n", "{1}\n", "{}\n{1}\n", false),
            ("{", "{\n{1}\n", "{{1}\n", true),
            ("{", "{{1}\n", "{{1}\n", false),
            ("{", "{", "{", true),
            ("{", "{\n", "{", false),
        ];
        for (before, ours, official, same) in table {
            let found = difference("a", before.as_bytes(), ours.as_bytes(), official.as_bytes());
            assert_eq!(found.is_none(), same, "{before:?} {ours:?} {official:?} {found:?}");
        }
    }

    #[test]
    fn another_title_or_a_missing_session_is_a_difference_and_another_time_is_not() {
        let one = json!({"sessionId": "a", "customTitle": "x", "lastModified": 1});
        let table = [
            (json!({"sessionId": "a", "customTitle": "x", "lastModified": 2}), 0),
            (json!({"sessionId": "a", "customTitle": "y", "lastModified": 1}), 1),
            (json!({"sessionId": "b"}), 2),
        ];
        for (other, count) in table {
            let lists = ([one.clone()], [other]);
            assert_eq!(list_differences(&lists.0, &lists.1, &BTreeSet::new()).len(), count);
            let torn = BTreeSet::from(["a", "b"]);
            assert!(list_differences(&lists.0, &lists.1, &torn).is_empty());
        }
    }

    #[test]
    fn sessions_in_several_folders_or_in_no_list_are_left_out() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for place in ["p/a.jsonl", "p/b.jsonl", "q/b.jsonl", "q/c.jsonl"] {
            let path = folder.path().join("projects").join(place);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "{}\n").expect("written");
        }
        let listed = [json!({"sessionId": "a"}), json!({"sessionId": "b"})];
        let found = transcripts(folder.path(), &listed).expect("read");
        assert_eq!(found, BTreeMap::from([("a".to_owned(), PathBuf::from("p/a.jsonl"))]));
    }
}
