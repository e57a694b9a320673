//! The database of OpenCode: which sessions it has, and the rows of one.
//!
//! Read are [`TABLES`], and of the log of changes which sessions it is about; accounts,
//! credentials and shares have other tables. What rows mean is in the crate `opencode`.

mod gaps;

pub use self::gaps::Gap;

use std::path::Path;

use crate::opencode::{Row, document_of_rows};
use jiff::Timestamp;

use crate::row_store::{Limits, RowStoreError, Schema, Snapshot, Stamp, Table, Value};

/// The tables and columns that are read: those of 1.18.33, without `session.share_url`, which
/// lets others read the session.
pub const TABLES: [Table; 3] = [
    Table {
        name: "session",
        columns: &[
            "id",
            "project_id",
            "workspace_id",
            "parent_id",
            "slug",
            "directory",
            "path",
            "title",
            "version",
            "summary_additions",
            "summary_deletions",
            "summary_files",
            "summary_diffs",
            "metadata",
            "cost",
            "tokens_input",
            "tokens_output",
            "tokens_reasoning",
            "tokens_cache_read",
            "tokens_cache_write",
            "revert",
            "permission",
            "agent",
            "model",
            "time_created",
            "time_updated",
            "time_compacting",
            "time_archived",
        ],
        required: &["id"],
        usual: &["parent_id", "directory", "title", "time_created", "time_updated"],
    },
    Table {
        name: "message",
        columns: &["id", "session_id", "time_created", "time_updated", "data"],
        required: &["id", "session_id", "data"],
        usual: &["time_created"],
    },
    Table {
        name: "part",
        columns: &["id", "message_id", "session_id", "time_created", "time_updated", "data"],
        required: &["id", "message_id", "session_id", "data"],
        usual: &[],
    },
];

/// The log of changes, which newer versions keep. It tells which sessions should have messages.
/// What was said is in its column `data`, which is not read.
const LOGS: [Table; 1] = [Table {
    name: "event",
    columns: &["aggregate_id", "type"],
    required: &["aggregate_id", "type"],
    usual: &[],
}];

/// The other tables of 1.2 to 1.18.33: nothing that was said is in them alone. `session_message`
/// is not among them: it is empty there, and made to replace `message` and `part`.
const OTHERS: [&str; 16] = [
    "__drizzle_migrations",
    "account",
    "account_state",
    "control_account",
    "credential",
    "data_migration",
    "event_sequence",
    "migration",
    "permission",
    "project",
    "project_directory",
    "session_context_epoch",
    "session_input",
    "session_share",
    "todo",
    "workspace",
];

/// The columns that name the session and the time of a row.
const KEYS: [&str; 2] = ["session_id", "time_created"];

/// A column that is known and left out on purpose.
const LEFT_OUT: &str = "session.share_url";

/// A session, as a list shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedSession {
    /// Its id.
    pub id: String,
    /// The session that started it as a sub-agent.
    pub parent: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// The folder it works in.
    pub directory: Option<String>,
    /// The version of OpenCode that created it.
    pub version: Option<String>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
    /// When it was archived in OpenCode.
    pub archived: Option<Timestamp>,
    /// The length of its messages and their parts, as JSON.
    pub bytes: u64,
}

/// One state of a database of OpenCode.
#[derive(Debug)]
pub struct Database {
    snapshot: Snapshot,
}

impl Database {
    /// Copies a database and opens the copy; see [`Snapshot::take`].
    pub fn take(
        database: &Path,
        private: &Path,
        limits: Limits,
    ) -> Result<Database, RowStoreError> {
        let schema = Schema { tables: &TABLES, logs: &LOGS, others: &OTHERS, keys: KEYS };
        let snapshot = Snapshot::take(database, private, schema, limits)?;
        Ok(Database { snapshot })
    }

    /// The stamp of the database; see [`Snapshot::stamp`].
    pub fn stamp(&self) -> Stamp {
        self.snapshot.stamp()
    }

    /// Columns that annals does not know.
    pub fn unknown_columns(&self) -> Vec<String> {
        let mut names = self.snapshot.unread_columns();
        names.retain(|name| name != LEFT_OUT);
        names
    }

    /// All sessions, the last changed first.
    pub fn sessions(&self) -> Result<Vec<ListedSession>, RowStoreError> {
        let columns = [
            "id",
            "parent_id",
            "title",
            "directory",
            "version",
            "time_created",
            "time_updated",
            "time_archived",
        ];
        let mut sessions = Vec::new();
        self.snapshot.rows("session", &columns, None, |row| {
            let mut session = ListedSession::default();
            for (name, value) in row {
                session.set(name, *value);
            }
            // Without an id, a session cannot be opened.
            if !session.id.is_empty() {
                sessions.push(session);
            }
        })?;
        for table in ["message", "part"] {
            let lengths = self.snapshot.lengths(table, "data", "session_id")?;
            for session in &mut sessions {
                let own = lengths.get(&session.id).copied().unwrap_or_default();
                session.bytes = session.bytes.saturating_add(own);
            }
        }
        sessions.sort_by(|a, b| (b.updated, &a.id).cmp(&(a.updated, &b.id)));
        Ok(sessions)
    }

    /// The rows of a session; none if it is unknown.
    pub fn rows(&self, session: &str) -> Result<Vec<Row>, RowStoreError> {
        use crate::opencode::Table::{Message, Part, Session};
        let mut rows = Vec::new();
        for (kind, table) in [Session, Message, Part].into_iter().zip(TABLES) {
            let key = if kind == Session { "id" } else { "session_id" };
            self.snapshot.rows(table.name, table.columns, Some((key, session)), |row| {
                let columns: Vec<_> =
                    row.iter().map(|(name, value)| (*name, value.into())).collect();
                rows.push(Row::from_columns(kind, &columns));
            })?;
        }
        Ok(rows)
    }

    /// The document of a session; `None` if it is unknown.
    pub fn document(&self, session: &str) -> Result<Option<Vec<u8>>, RowStoreError> {
        let rows = self.rows(session)?;
        Ok((!rows.is_empty()).then(|| document_of_rows(rows)))
    }
}

impl ListedSession {
    fn set(&mut self, column: &str, value: Value<'_>) {
        let text = match value {
            Value::Text(text) if !text.is_empty() => Some(text.to_owned()),
            _ => None,
        };
        let time = match value {
            Value::Integer(time) => Timestamp::from_millisecond(time).ok(),
            _ => None,
        };
        match column {
            "id" => self.id = text.unwrap_or_default(),
            "parent_id" => self.parent = text,
            "title" => self.title = text,
            "directory" => self.directory = text,
            "version" => self.version = text,
            "time_created" => self.created = time,
            "time_updated" => self.updated = time,
            "time_archived" => self.archived = time,
            _ => {}
        }
    }
}

impl<'a> From<&Value<'a>> for crate::opencode::Value<'a> {
    fn from(value: &Value<'a>) -> Self {
        match *value {
            Value::Null => crate::opencode::Value::Null,
            Value::Integer(number) => crate::opencode::Value::Integer(number),
            Value::Real(number) => crate::opencode::Value::Real(number),
            Value::Text(text) => crate::opencode::Value::Text(text),
        }
    }
}
