//! Names of files below the folder of OpenCode.

use crate::opencode::document::Table;

/// The parts of a path in the older tree of JSON files.
///
/// ```
/// let file = apps::opencode::StorageFile::parse("storage/message/ses_1/msg_2.json").unwrap();
/// assert_eq!((file.table, file.parent, file.id), (apps::opencode::Table::Message, "ses_1", "msg_2"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageFile<'a> {
    /// The table that has such rows since 1.2.0.
    pub table: Table,
    /// The project of a session, the session of a message, or the message of a part.
    pub parent: &'a str,
    /// The row's id.
    pub id: &'a str,
}

impl<'a> StorageFile<'a> {
    /// Parses a path below the program's folder, with `/` between its parts. `None` for every
    /// file that is not read.
    pub fn parse(path: &'a str) -> Option<Self> {
        let mut names = path.strip_prefix("storage/")?.split('/');
        let table = match names.next()? {
            "session" => Table::Session,
            "message" => Table::Message,
            "part" => Table::Part,
            _ => return None,
        };
        let parent = names.next().filter(|parent| !parent.is_empty())?;
        let id = names.next()?.strip_suffix(".json").filter(|id| !id.is_empty())?;
        names.next().is_none().then_some(StorageFile { table, parent, id })
    }
}

/// Whether a file name is that of a database with sessions: `opencode.db`, or
/// `opencode-<channel>.db`.
pub fn is_database(name: &str) -> bool {
    let channel = name.strip_prefix("opencode").and_then(|rest| rest.strip_suffix(".db"));
    channel.is_some_and(|channel| {
        channel.is_empty() || channel.strip_prefix('-').is_some_and(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::{StorageFile, is_database};
    use crate::opencode::document::Table;

    #[test]
    fn only_sessions_messages_and_parts_are_read() {
        let table = [
            ("storage/session/p/ses_1.json", Some((Table::Session, "p", "ses_1"))),
            ("storage/message/ses_1/msg_1.json", Some((Table::Message, "ses_1", "msg_1"))),
            ("storage/part/msg_1/prt_1.json", Some((Table::Part, "msg_1", "prt_1"))),
            ("storage/session_diff/ses_1.json", None),
            ("storage/part/msg_1/x/prt_1.json", None),
            ("storage/part//prt_1.json", None),
            ("storage/part/msg_1/.json", None),
            ("auth.json", None),
        ];
        for (path, expected) in table {
            let found = StorageFile::parse(path).map(|file| (file.table, file.parent, file.id));
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn databases_are_known_by_name() {
        for name in ["opencode.db", "opencode-beta.db"] {
            assert!(is_database(name), "{name}");
        }
        for name in ["opencode.db-wal", "opencode-.db", "opencoder.db", "auth.json", "x.db"] {
            assert!(!is_database(name), "{name}");
        }
    }
}
