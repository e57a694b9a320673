//! The database of OpenCode: which sessions it has, and the rows of one.
//!
//! Read are [`TABLES`] and nothing else; accounts, credentials and shares have tables of their
//! own. What rows mean is in the crate `opencode`.

use std::path::Path;

use crate::opencode::{Row, document_of_rows, unknown_part};
use crate::{JsonText, UnknownKinds};
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

/// The other tables of 1.18.33 with ids of sessions: nothing that was said is in them alone.
/// `session_message` is not among them: it is empty there, and made to replace `message` and
/// `part`.
const OTHERS: [&str; 4] = ["session_context_epoch", "session_input", "session_share", "todo"];

/// The columns that name the session and the time of a row.
const KEYS: [&str; 2] = ["session_id", "time_created"];

/// How much later than the messages of a session a row elsewhere has to be, in milliseconds, to
/// count as something that those do not have.
const LATER: i64 = 1000;

/// The longest part that is looked at for its type. Types are not looked for in longer ones, which
/// would have to be read whole.
const SHORT: u32 = 4096;

/// How many types of parts are named.
const MOST_NAMED: usize = 5;

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

/// Something that annals does not read, because it does not know the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it is, in a few words.
    pub text: String,
    /// Whether whole sessions may be missing, and not only parts of those that are listed.
    pub hides_sessions: bool,
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
        let schema = Schema { tables: &TABLES, others: &OTHERS, keys: KEYS };
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

    /// What this version of annals does not read, because it does not know the schema.
    pub fn gaps(&self) -> Result<Vec<Gap>, RowStoreError> {
        let of_part = |text| Gap { text, hides_sessions: false };
        let missing = self.snapshot.missing_columns().into_iter();
        let missing = missing.map(|column| of_part(format!("there is no column `{column}`")));
        let mut gaps: Vec<Gap> = missing.collect();
        let known = self.snapshot.owners("message", KEYS)?;
        for table in self.snapshot.strange_tables() {
            let elsewhere = self.snapshot.owners(table, KEYS)?;
            let is_missed = |(session, time): &(&String, &i64)| {
                known.get(*session).is_none_or(|known| **time > known.saturating_add(LATER))
            };
            let count = elsewhere.iter().filter(is_missed).count();
            if count > 0 {
                let sessions = if count == 1 { "session has" } else { "sessions have" };
                let table: String = table.chars().take(100).collect();
                let text = format!(
                    "{count} {sessions} newer rows in the table `{table}`, which this version of \
                     annals does not read"
                );
                gaps.push(Gap { text, hides_sessions: true });
            }
        }
        gaps.extend(self.damaged_rows()?.into_iter().map(of_part));
        Ok(gaps)
    }

    /// Messages and parts that this version of annals does not understand.
    fn damaged_rows(&self) -> Result<Vec<String>, RowStoreError> {
        let mut gaps = Vec::new();
        let mut unknown = UnknownKinds::default();
        for table in ["message", "part"] {
            let mut damaged = 0_usize;
            self.snapshot.short_values(table, "data", SHORT, |data| {
                let data = data.and_then(JsonText::parse).filter(|data| data.is_object());
                match data {
                    None => damaged += 1,
                    Some(data) if table == "part" => {
                        if let Some(kind) = unknown_part(data) {
                            unknown.add(&kind);
                        }
                    }
                    Some(_) => {}
                }
            })?;
            if damaged > 0 {
                gaps.push(format!("rows of the table `{table}` that are not JSON: {damaged}"));
            }
        }
        let kinds: Vec<String> =
            unknown.iter().map(|(kind, count)| format!("`{kind}` ({count})")).collect();
        if !kinds.is_empty() {
            let more = if kinds.len() > MOST_NAMED { " and others" } else { "" };
            let named = kinds.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>();
            gaps.push(format!("unknown types of parts: {}{more}", named.join(", ")));
        }
        Ok(gaps)
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
