//! Compares the messages of one store, session by session and sub-agent by sub-agent.
//!
//! Calls the view `sdk` of the library directly, not the binary. A session in
//! several folders is left out: which of its files the official reader takes
//! depends on the file system (`docs/listing.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use conversation::{Conversation, Message, View};

use super::compare::Comparison;
use super::reader::{Detail, OfficialMessage};

/// The most uuids that a difference shows.
const SHOWN: usize = 12;
/// The most of these that may be equal in both lists.
const LEAD: usize = 2;

/// Compares the messages that annals finds in a store with those of the official reader.
/// `names` are the names of made-up sessions.
pub(super) fn compare(
    root: &Path,
    official: &BTreeMap<String, Detail>,
    names: &BTreeMap<String, String>,
) -> Result<Comparison> {
    let transcripts = transcripts(&root.join("projects"))?;
    let mut comparison = Comparison { count: 0, differences: Vec::new() };
    let mut note = |subject: &str, id: &str, ours: &[Message], theirs: &[OfficialMessage]| {
        comparison.count += 1;
        let ours: Vec<&str> = ours.iter().map(|message| &*message.uuid).collect();
        let theirs: Vec<&str> = theirs.iter().map(|message| &*message.uuid).collect();
        if let Some(difference) = difference(&ours, &theirs) {
            let name = names.get(id).map(|name| format!(" ({name})")).unwrap_or_default();
            comparison.differences.push(format!("{subject}{name} {difference}"));
        }
    };
    for (id, detail) in official {
        let Some([path]) = transcripts.get(id).map(Vec::as_slice) else { continue };
        let bytes = read(path)?;
        let conversation = Conversation::read(&bytes, View::Sdk);
        note(id, id, &conversation.messages, &detail.messages);
        let folder = path.with_extension("").join("subagents");
        for (agent, theirs) in &detail.subagents {
            let file = find_file(&folder, &format!("agent-{agent}.jsonl"))?;
            let file = file.with_context(|| format!("{id} has no file of agent {agent}"))?;
            let bytes = read(&file)?;
            let conversation = Conversation::read_agent(&bytes, View::Sdk);
            note(&format!("{id}/{agent}"), id, &conversation.messages, theirs);
        }
    }
    Ok(comparison)
}

/// The transcripts below a store's projects, by the sessions' ids.
fn transcripts(projects: &Path) -> Result<BTreeMap<String, Vec<PathBuf>>> {
    let mut transcripts: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in list(projects)?.into_iter().filter(|path| path.is_dir()) {
        for path in list(&folder)?.into_iter().filter(|path| path.is_file()) {
            let is_transcript = path.extension().is_some_and(|extension| extension == "jsonl");
            if let (true, Some(id)) = (is_transcript, path.file_stem().and_then(|id| id.to_str())) {
                transcripts.entry(id.to_owned()).or_default().push(path);
            }
        }
    }
    Ok(transcripts)
}

/// The file with this name, anywhere below a folder.
fn find_file(folder: &Path, name: &str) -> Result<Option<PathBuf>> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in list(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|other| other == name) {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}

/// The content of a folder, sorted; empty if there is no folder.
fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.with_context(|| format!("cannot list {}", folder.display()))?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The two lists from shortly before their first difference.
fn difference(ours: &[&str], theirs: &[&str]) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let same = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    let shown = |uuids: &[&str]| {
        let rest: Vec<&str> =
            uuids.iter().skip(same.saturating_sub(LEAD)).take(SHOWN).copied().collect();
        format!("{} messages, …{:?}", uuids.len(), rest)
    };
    Some(format!("messages from {same}: annals {}, official {}", shown(ours), shown(theirs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn official(uuids: &[&str]) -> Vec<OfficialMessage> {
        uuids.iter().map(|uuid| OfficialMessage { uuid: (*uuid).to_owned() }).collect()
    }

    #[test]
    fn messages_of_sessions_and_agents_are_compared_and_copies_left_out() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("projects/-p");
        fs::create_dir_all(folder.join("one/subagents/deep")).expect("made");
        fs::create_dir_all(root.path().join("projects/-q")).expect("made");
        let line = r#"{"type":"user","uuid":"a"}"#;
        for path in ["-p/one.jsonl", "-p/two.jsonl", "-q/two.jsonl"] {
            fs::write(root.path().join("projects").join(path), line).expect("written");
        }
        fs::write(folder.join("one/subagents/deep/agent-x.jsonl"), line).expect("written");
        let detail = |session: &[&str], agent: &[&str]| Detail {
            messages: official(session),
            subagents: BTreeMap::from([("x".to_owned(), official(agent))]),
        };
        let names = BTreeMap::from([("one".to_owned(), "the odd one".to_owned())]);
        let same = BTreeMap::from([
            ("one".to_owned(), detail(&["a"], &["a"])),
            ("two".to_owned(), detail(&["of the other copy"], &[])),
        ]);
        let comparison = compare(root.path(), &same, &names).expect("compared");
        assert_eq!((comparison.count, comparison.differences.len()), (2, 0));
        let other = BTreeMap::from([("one".to_owned(), detail(&["a", "b"], &[]))]);
        assert_eq!(
            compare(root.path(), &other, &names).expect("compared").differences,
            [
                r#"one (the odd one) messages from 1: annals 1 messages, …["a"], official 2 messages, …["a", "b"]"#,
                r#"one/x (the odd one) messages from 0: annals 1 messages, …["a"], official 0 messages, …[]"#,
            ]
        );
    }
}
