//! The paths under which an app's sessions are shown.
//!
//! They lie in a folder of the app that does not exist, so that no real file can hide them.

use ::apps::App;
use memchr::memmem;
use std::path::{Path, PathBuf};

/// The folder below the app's own.
const FOLDER: &str = "annals-sessions";

/// The folder in which the sessions of an app are shown.
pub(super) fn root_of(home: &Path) -> PathBuf {
    home.join(FOLDER)
}

/// Whether a path may show something of an app. Most paths do not, and nothing is looked up for
/// those.
pub(crate) fn is_view(path: &Path) -> bool {
    memmem::find(path.as_os_str().as_encoded_bytes(), FOLDER.as_bytes()).is_some()
}

/// What a path shows. Ids are the app's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewPath<'p> {
    /// The folder of all sessions.
    Root,
    /// The transcript of a session.
    Session(&'p str),
    /// The folder of a session.
    SessionFolder(&'p str),
    /// The folder of its sub-agents.
    AgentFolder(&'p str),
    /// The transcript of a sub-agent: (session, agent).
    Agent(&'p str, &'p str),
    /// The metadata of a sub-agent: (session, agent).
    AgentMeta(&'p str, &'p str),
}

impl<'p> ViewPath<'p> {
    /// Takes a path apart; `None` if nothing is shown there.
    pub(super) fn parse(root: &Path, app: App, path: &'p Path) -> Option<Self> {
        let mut names = path.strip_prefix(root).ok()?.iter().map(|name| name.to_str());
        let Some(first) = names.next() else { return Some(ViewPath::Root) };
        let own = first?.strip_prefix(app.name())?.strip_prefix(':')?;
        let Some(second) = names.next() else {
            return Some(match own.strip_suffix(".jsonl") {
                Some(id) => ViewPath::Session(id),
                None => ViewPath::SessionFolder(own),
            });
        };
        if second? != "subagents" {
            return None;
        }
        let Some(third) = names.next() else { return Some(ViewPath::AgentFolder(own)) };
        let name = third?.strip_prefix("agent-")?;
        let found = match (name.strip_suffix(".jsonl"), name.strip_suffix(".meta.json")) {
            (Some(agent), _) => ViewPath::Agent(own, agent),
            (_, Some(agent)) => ViewPath::AgentMeta(own, agent),
            _ => return None,
        };
        names.next().is_none().then_some(found)
    }
}

/// The id that annals shows for a session of an app.
pub(super) fn shown_id(app: App, id: &str) -> String {
    format!("{}:{id}", app.name())
}

/// Whether an id can be part of a path. Ids come from files that anybody may have written.
pub(super) fn is_plain(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 128
        && !id.starts_with('.')
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_sessions_and_agents_are_taken_apart() {
        let root = root_of(Path::new("/home/kim/.codex"));
        let table = [
            ("", Some(ViewPath::Root)),
            ("codex:a.jsonl", Some(ViewPath::Session("a"))),
            ("codex:a", Some(ViewPath::SessionFolder("a"))),
            ("codex:a/subagents", Some(ViewPath::AgentFolder("a"))),
            ("codex:a/subagents/agent-b.jsonl", Some(ViewPath::Agent("a", "b"))),
            ("codex:a/subagents/agent-b.meta.json", Some(ViewPath::AgentMeta("a", "b"))),
            ("codex:a/tool-results", None),
            ("codex:a/subagents/agent-b.jsonl/x", None),
            ("pi:a.jsonl", None),
            ("a.jsonl", None),
        ];
        for (below, expected) in table {
            let path = root.join(below);
            assert_eq!(ViewPath::parse(&root, App::Codex, &path), expected, "{below}");
        }
        assert_eq!(ViewPath::parse(&root, App::Codex, Path::new("/home/kim/.codex/x")), None);
    }

    #[test]
    fn ids_that_could_lead_elsewhere_are_not_plain() {
        for id in ["", ".", "..", "../x", "a/b", "a\0", "a b", "\u{e9}", &"a".repeat(129)] {
            assert!(!is_plain(id), "{id:?}");
        }
        assert!(is_plain("ses_22ac7351effeqtHDYVbWXt31su"));
    }
}
