//! What annals does not read of a database of OpenCode, because it does not know the schema.
//!
//! A later version may keep sessions, messages or parts elsewhere. Three signs tell it:
//! - rows of tables that are not known: newer ones that name a session, or any beside a known table
//!   without rows;
//! - rows that a known table lacks: the session of a message, the messages of a session, the parts
//!   of a message. A new session has no messages either, so these are missed only where the
//!   session's own row, its parts or the log of changes say that there were some;
//! - columns, JSON and types of parts that are not as they were.
//!
//! Deliberately not here: reading the content of tables that are not known.

use std::collections::{HashMap, HashSet};

use crate::opencode::{parse_api_call, unknown_part};
use crate::row_store::opencode::{Database, KEYS};
use crate::row_store::{RowStoreError, ShortValue, Value};
use crate::{JsonText, UnknownKinds};

/// How much later than the messages of a session a row elsewhere has to be, in milliseconds, to
/// count as something that those do not have.
const LATER: i64 = 1000;

/// The longest part that is looked at for its type. Types are not looked for in longer ones, which
/// would have to be read whole.
const SHORT: u32 = 4096;

/// How many types of parts, or tables, are named.
const MOST_NAMED: usize = 5;

/// How many characters of a table's name are shown.
const NAME_CHARACTERS: usize = 100;

/// Columns of a session with what its messages used, which is subtracted when they are deleted.
const USAGE: [&str; 5] = [
    "tokens_input",
    "tokens_output",
    "tokens_reasoning",
    "tokens_cache_read",
    "tokens_cache_write",
];

/// Columns of a session with what it changed, which stay when its messages are deleted.
const CHANGES: [&str; 3] = ["summary_additions", "summary_deletions", "summary_files"];

/// Something that annals does not read, because it does not know the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it is, in a few words.
    pub text: String,
    /// Whether whole sessions may be missing, and not only parts of those that are listed.
    pub hides_sessions: bool,
}

impl Gap {
    fn of_sessions(text: String) -> Gap {
        Gap { text, hides_sessions: true }
    }

    fn of_parts(text: String) -> Gap {
        Gap { text, hides_sessions: false }
    }
}

/// What the log of changes says of a session.
#[derive(Clone, Copy, Debug, Default)]
struct Logged {
    has_messages: bool,
    has_parts: bool,
    /// Something was deleted, and so may all of it.
    has_removals: bool,
}

/// What a session's own row says.
struct SessionRow {
    id: String,
    has_usage: bool,
    has_changes: bool,
}

impl Database {
    /// What this version of annals does not read, because it does not know the schema.
    pub fn gaps(&self) -> Result<Vec<Gap>, RowStoreError> {
        let missing = self.snapshot.missing_columns().into_iter();
        let missing = missing.map(|column| format!("there is no column `{column}`"));
        let mut gaps: Vec<Gap> = missing.map(Gap::of_parts).collect();
        let messages = self.snapshot.owners("message", KEYS)?;
        let newer = self.tables_with_newer_rows(&messages)?;
        let beside = self.rows_beside_empty_tables(&newer)?;
        gaps.extend(newer.into_iter().map(|(table, count)| {
            Gap::of_sessions(format!(
                "{} newer rows in the table {}, which this version of annals does not read",
                count_of(count, "session"),
                named(table)
            ))
        }));
        gaps.extend(beside);
        let (damaged, answers) = self.damaged_rows()?;
        gaps.extend(self.missing_rows(&messages, answers)?);
        gaps.extend(damaged);
        Ok(gaps)
    }

    /// Tables that are not known and have later rows of sessions than `message`, with the number
    /// of those sessions.
    fn tables_with_newer_rows(
        &self,
        messages: &HashMap<String, i64>,
    ) -> Result<Vec<(&str, usize)>, RowStoreError> {
        let mut tables = Vec::new();
        for (table, _) in self.snapshot.strange_tables().filter(|(_, has_owner)| *has_owner) {
            let elsewhere = self.snapshot.owners(table, KEYS)?;
            let is_missed = |(session, time): &(&String, &i64)| {
                messages.get(*session).is_none_or(|known| **time > known.saturating_add(LATER))
            };
            let count = elsewhere.iter().filter(is_missed).count();
            if count > 0 {
                tables.push((table, count));
            }
        }
        Ok(tables)
    }

    /// Tables that are not known and have rows, beside known ones that have none. Those with newer
    /// rows are reported as such.
    fn rows_beside_empty_tables(
        &self,
        newer: &[(&str, usize)],
    ) -> Result<Option<Gap>, RowStoreError> {
        let mut empty = Vec::new();
        for table in ["session", "message", "part"] {
            if !self.snapshot.has_rows(table)? {
                empty.push(table);
            }
        }
        if empty.is_empty() {
            return Ok(None);
        }
        let mut filled = Vec::new();
        for (table, _) in self.snapshot.strange_tables() {
            let is_newer = newer.iter().any(|(name, _)| *name == table);
            if !is_newer && self.snapshot.has_rows(table)? {
                filled.push(table);
            }
        }
        Ok((!filled.is_empty()).then(|| {
            let is_one = empty.len() == 1;
            Gap::of_sessions(format!(
                "the {} {} {} empty, and this version of annals does not read {}, which {} rows",
                if is_one { "table" } else { "tables" },
                list_of(empty.iter().copied().map(named)),
                if is_one { "is" } else { "are" },
                list_of(filled.iter().copied().map(named)),
                if filled.len() == 1 { "has" } else { "have" },
            ))
        }))
    }

    /// Messages without their session, sessions without the messages that they had, and messages
    /// without the parts that they had. `answers` is how many answers of the model have no parts.
    fn missing_rows(
        &self,
        messages: &HashMap<String, i64>,
        answers: usize,
    ) -> Result<Vec<Gap>, RowStoreError> {
        let mut gaps = Vec::new();
        let sessions = self.session_rows()?;
        let ids: HashSet<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
        let strays = messages.keys().filter(|session| !ids.contains(session.as_str())).count();
        if strays > 0 {
            gaps.push(Gap::of_sessions(format!(
                "{} rows in the table `message` and none in `session`",
                count_of(strays, "session")
            )));
        }
        let parts = self.snapshot.owners("part", KEYS)?;
        let has_messages = |session: &SessionRow| messages.contains_key(&session.id);
        let has_parts = |session: &SessionRow| parts.contains_key(&session.id);
        let is_complete = sessions.iter().all(|one| has_messages(one) && has_parts(one));
        let logged = if is_complete { HashMap::new() } else { self.logged()? };
        let had = |session: &SessionRow, is_logged: fn(Logged) -> bool| {
            let log = logged.get(&session.id).copied().unwrap_or_default();
            session.has_usage || !log.has_removals && (session.has_changes || is_logged(log))
        };
        let without_messages = sessions.iter().filter(|session| {
            !has_messages(session) && (has_parts(session) || had(session, |log| log.has_messages))
        });
        let without_parts = sessions.iter().filter(|session| {
            has_messages(session) && !has_parts(session) && had(session, |log| log.has_parts)
        });
        let rows = [
            ("message", without_messages.count(), "session"),
            match answers {
                0 => ("part", without_parts.count(), "session"),
                _ => ("part", answers, "message"),
            },
        ];
        for (table, count, owner) in rows.into_iter().filter(|(_, count, _)| *count > 0) {
            gaps.push(Gap::of_parts(format!(
                "{} no rows in the table `{table}`, although others say that there were some",
                count_of(count, owner)
            )));
        }
        Ok(gaps)
    }

    fn session_rows(&self) -> Result<Vec<SessionRow>, RowStoreError> {
        let columns: Vec<&str> = ["id"].into_iter().chain(USAGE).chain(CHANGES).collect();
        let mut sessions = Vec::new();
        self.snapshot.rows("session", &columns, None, |row| {
            let value = |column: &str| {
                row.iter().find(|(name, _)| *name == column).map(|(_, value)| *value)
            };
            let is_positive =
                |column: &&str| matches!(value(column), Some(Value::Integer(count)) if count > 0);
            if let Some(Value::Text(id)) = value("id") {
                let has_usage = USAGE.iter().any(is_positive);
                let has_changes = CHANGES.iter().any(is_positive);
                sessions.push(SessionRow { id: id.to_owned(), has_usage, has_changes });
            }
        })?;
        Ok(sessions)
    }

    /// What the log of changes says of each session. Empty if the database has no log.
    fn logged(&self) -> Result<HashMap<String, Logged>, RowStoreError> {
        let mut sessions: HashMap<String, Logged> = HashMap::new();
        self.snapshot.pairs("event", ["aggregate_id", "type"], |session, kind| {
            if !kind.starts_with("message.") {
                return;
            }
            if !sessions.contains_key(session) {
                sessions.insert(session.to_owned(), Logged::default());
            }
            let Some(logged) = sessions.get_mut(session) else { return };
            logged.has_messages |= kind.starts_with("message.updated");
            logged.has_parts |= kind.starts_with("message.part.updated");
            logged.has_removals |= kind.contains(".removed");
        })?;
        Ok(sessions)
    }

    /// Messages and parts that this version of annals does not understand, and how many answers of
    /// the model have no parts.
    fn damaged_rows(&self) -> Result<(Vec<Gap>, usize), RowStoreError> {
        let mut gaps = Vec::new();
        let mut unknown = UnknownKinds::default();
        let mut answers = HashSet::new();
        for (table, message) in [("message", "id"), ("part", "message_id")] {
            let mut damaged = 0_usize;
            self.snapshot.short_values(table, [message, "data"], SHORT, |message, data| {
                if table == "part" {
                    answers.remove(message);
                }
                let data = match data {
                    ShortValue::Text(data) => JsonText::parse(data),
                    ShortValue::Other => None,
                    ShortValue::Long => return,
                };
                match data.filter(|data| data.is_object()) {
                    None => damaged += 1,
                    Some(data) if table == "part" => {
                        if let Some(kind) = unknown_part(data) {
                            unknown.add(&kind);
                        }
                    }
                    Some(data) => {
                        if parse_api_call(data).is_some() {
                            answers.insert(message.to_owned());
                        }
                    }
                }
            })?;
            if damaged > 0 {
                let text = format!("rows of the table `{table}` that are not JSON: {damaged}");
                gaps.push(Gap::of_parts(text));
            }
        }
        let kinds: Vec<String> =
            unknown.iter().map(|(kind, count)| format!("`{kind}` ({count})")).collect();
        if !kinds.is_empty() {
            gaps.push(Gap::of_parts(format!(
                "unknown types of parts: {}",
                list_of(kinds.into_iter())
            )));
        }
        Ok((gaps, answers.len()))
    }
}

/// A number of owners of rows, with the verb.
fn count_of(count: usize, owner: &str) -> String {
    if count == 1 { format!("1 {owner} has") } else { format!("{count} {owner}s have") }
}

/// The name of a table, which may be long.
fn named(table: &str) -> String {
    format!("`{}`", table.chars().take(NAME_CHARACTERS).collect::<String>())
}

/// The first of some names.
fn list_of(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        _ if names.len() > MOST_NAMED => format!("{} and others", names[..MOST_NAMED].join(", ")),
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}
