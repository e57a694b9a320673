//! Archives a store, restores it elsewhere, and checks that the official reader reads both
//! alike.
//!
//! Deliberately not here: what annals reads in the restored store, which is compared like
//! any other store.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;
use xtask::empty_home::EmptyHome;

use super::compare::Comparison;
use super::reader::{Official, Readers};

/// Archives a store, restores every session into a folder, and compares what the official
/// reader reads in both.
pub(super) fn compare(readers: &Readers, store: &Path, folder: &Path) -> Result<Comparison> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let home = EmptyHome::new()?;
    let archive = |arguments: &[&str]| readers.archive(&home, store, arguments);
    archive(&["sync", "--json"])?;
    let archived = archive(&["ls", "--json", "--limit", "0"])?;
    let sessions =
        archived["sessions"].as_array().context("annals printed no array \"sessions\"")?;
    let to = folder.to_str().context("the target folder is not UTF-8")?;
    for session in sessions {
        let id = session["id"].as_str().context("a session without an id")?;
        archive(&["restore", id, "--to", to, "--json"])?;
    }
    Ok(differences(&readers.official(store)?, &readers.official(folder)?))
}

fn differences(original: &Official, restored: &Official) -> Comparison {
    let mut differences = Vec::new();
    let id = |session: &Value| session["sessionId"].as_str().unwrap_or_default().to_owned();
    let ids = |official: &Official| official.sessions.iter().map(id).collect::<Vec<_>>();
    if ids(original) != ids(restored) {
        let lists = (ids(original), ids(restored));
        differences.push(format!("restored: {:?} is listed as {:?}", lists.0, lists.1));
    }
    for session in &original.sessions {
        let again = restored.sessions.iter().find(|again| id(again) == id(session));
        if let Some(again) = again.filter(|again| *again != session) {
            differences.push(format!("restored: {session} is listed as {again}"));
        }
    }
    for (id, detail) in &original.details {
        if restored.details.get(id) != Some(detail) {
            differences.push(format!("restored: {id} has other messages"));
        }
    }
    Comparison { count: original.details.len(), differences }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn official(text: &str) -> Official {
        serde_json::from_str(text).expect("JSON of the official reader")
    }

    #[test]
    fn missing_and_changed_messages_are_differences() {
        let whole = r#"{"sessions":[{"sessionId":"a","summary":"x"}],
            "details":{"a":{"messages":[{"uuid":"1"}],"subagents":{}}}}"#;
        let changes = [
            ("\"summary\":\"x\"", "\"summary\":\"y\"", 1),
            ("\"uuid\":\"1\"", "\"uuid\":\"2\"", 1),
            ("\"sessionId\":\"a\"", "\"sessionId\":\"b\"", 1),
            ("\"x\"", "\"x\"", 0),
        ];
        for (text, with, count) in changes {
            let comparison = differences(&official(whole), &official(&whole.replace(text, with)));
            assert_eq!(comparison.differences.len(), count, "{with}");
        }
    }
}
