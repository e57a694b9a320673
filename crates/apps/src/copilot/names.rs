//! Names of files below the folder of Copilot CLI.

/// What a file of a session holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// The events.
    Events,
    /// The name and the working directory.
    Workspace,
}

/// The parts of a session file's path.
///
/// ```
/// let file = apps::copilot::SessionFile::parse("session-state/0a1b/events.jsonl").unwrap();
/// assert_eq!((file.id, file.role), ("0a1b", apps::copilot::FileRole::Events));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionFile<'a> {
    /// The session's id.
    pub id: &'a str,
    /// What it holds.
    pub role: FileRole,
}

impl<'a> SessionFile<'a> {
    /// Parses a path below the program's folder, with `/` between its parts. `None` for every
    /// file that is not read: checkpoints, snapshots, databases.
    pub fn parse(path: &'a str) -> Option<Self> {
        let rest = path.strip_prefix("session-state/")?;
        let (id, role) = match rest.split_once('/') {
            Some((id, "events.jsonl")) => (id, FileRole::Events),
            Some((id, "workspace.yaml")) => (id, FileRole::Workspace),
            Some(_) => return None,
            // Early versions had no folder per session.
            None => (rest.strip_suffix(".jsonl")?, FileRole::Events),
        };
        (!id.is_empty()).then_some(SessionFile { id, role })
    }
}

#[cfg(test)]
mod tests {
    use super::{FileRole, SessionFile};

    #[test]
    fn only_events_and_workspaces_are_session_files() {
        let table = [
            ("session-state/a/events.jsonl", Some(("a", FileRole::Events))),
            ("session-state/a/workspace.yaml", Some(("a", FileRole::Workspace))),
            ("session-state/a.jsonl", Some(("a", FileRole::Events))),
            ("session-state/a/checkpoints/index.md", None),
            ("session-state/a/rewind-file-snapshots/index.json", None),
            ("session-state//events.jsonl", None),
            ("session-store.db", None),
            ("config.json", None),
        ];
        for (path, expected) in table {
            let found = SessionFile::parse(path).map(|file| (file.id, file.role));
            assert_eq!(found, expected, "{path}");
        }
    }
}
