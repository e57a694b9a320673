//! Making the document of a session from rows or from files.

use crate::JsonText;

use crate::opencode::names::StorageFile;

/// A table whose rows a session consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Sessions.
    Session,
    /// Messages.
    Message,
    /// Parts of messages.
    Part,
}

impl Table {
    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Table::Session => "session",
            Table::Message => "message",
            Table::Part => "part",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Table> {
        [Table::Session, Table::Message, Table::Part].into_iter().find(|t| t.name() == name)
    }
}

/// The value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// Text.
    Text(&'a str),
}

/// Columns that hold JSON.
const JSON_COLUMNS: [&str; 6] =
    ["data", "metadata", "model", "permission", "revert", "summary_diffs"];

/// One row, as its line in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    table: Table,
    id: String,
    message: String,
    created: i64,
    line: String,
}

impl Row {
    /// A row of the database, from all its columns.
    pub fn from_columns(table: Table, columns: &[(&str, Value<'_>)]) -> Row {
        let mut row = Row::new(table);
        for (name, value) in columns {
            match (*name, value) {
                ("id", Value::Text(text)) => (*text).clone_into(&mut row.id),
                ("message_id", Value::Text(text)) => (*text).clone_into(&mut row.message),
                ("time_created", Value::Integer(time)) => row.created = *time,
                _ => {}
            }
            let json = match value {
                Value::Integer(number) => number.to_string(),
                // JSON has no infinity.
                Value::Real(number) if number.is_finite() => format!("{number:?}"),
                Value::Null | Value::Real(_) => "null".to_owned(),
                Value::Text(text) => match JsonText::parse(text) {
                    Some(json) if JSON_COLUMNS.contains(name) => compact(json.text()),
                    _ => quote(text),
                },
            };
            row.push(name, &json);
        }
        row.line.push('}');
        row
    }

    /// A file of the older tree as the row that the database would have. `None` if the file is
    /// not a JSON object.
    pub fn from_file(file: StorageFile<'_>, bytes: &[u8]) -> Option<Row> {
        let text = String::from_utf8_lossy(bytes);
        let object = JsonText::parse(&text).filter(|value| value.is_object())?;
        let time = |key| object.find(&["time", key]).map(|time| time.text().to_owned());
        let created = time("created").and_then(|time| time.parse().ok()).unwrap_or_default();
        let mut row = Row::new(file.table);
        file.id.clone_into(&mut row.id);
        row.created = created;
        row.push("id", &quote(file.id));
        let ids = match file.table {
            Table::Session => {
                row.push("project_id", &quote(file.parent));
                &["id", "projectID", "time", "parentID", "summary", "share"][..]
            }
            Table::Message => {
                row.push("session_id", &quote(file.parent));
                &["id", "sessionID"]
            }
            Table::Part => {
                file.parent.clone_into(&mut row.message);
                row.push("message_id", &quote(file.parent));
                let session = object.get("sessionID").map_or("null", JsonText::text);
                row.push("session_id", session);
                &["id", "sessionID", "messageID"]
            }
        };
        let others = object.members().filter(|(key, _)| !ids.contains(&key.as_ref()));
        let mut data = String::new();
        for (key, value) in others {
            if file.table == Table::Session {
                row.push(&key, &compact(value.text()));
            } else {
                let comma = if data.is_empty() { "" } else { "," };
                data.push_str(&format!("{comma}{}:{}", quote(&key), compact(value.text())));
            }
        }
        if file.table == Table::Session {
            let parent = object.get("parentID").map_or("null", JsonText::text);
            row.push("parent_id", parent);
            for key in ["additions", "deletions", "files"] {
                if let Some(count) = object.find(&["summary", key]) {
                    row.push(&format!("summary_{key}"), &compact(count.text()));
                }
            }
            for key in ["created", "updated", "compacting", "archived"] {
                if let Some(time) = time(key) {
                    row.push(&format!("time_{key}"), &compact(&time));
                }
            }
        } else {
            if file.table == Table::Message {
                row.push("time_created", &created.to_string());
            }
            row.push("data", &format!("{{{data}}}"));
        }
        row.line.push('}');
        Some(row)
    }

    /// The place of a file of the older tree that is not a JSON object, so that its reader reports
    /// it. `None` for a session, without which there is nothing to read.
    fn of_damaged_file(file: StorageFile<'_>) -> Option<Row> {
        let mut row = Row::new(file.table);
        file.id.clone_into(&mut row.id);
        row.push("id", &quote(file.id));
        match file.table {
            Table::Session => return None,
            Table::Message => row.push("session_id", &quote(file.parent)),
            Table::Part => {
                file.parent.clone_into(&mut row.message);
                row.push("message_id", &quote(file.parent));
            }
        }
        row.push("data", "null");
        row.line.push('}');
        Some(row)
    }

    fn new(table: Table) -> Row {
        let line = format!("{{\"table\":{}", quote(table.name()));
        Row { table, id: String::new(), message: String::new(), created: 0, line }
    }

    fn push(&mut self, name: &str, json: &str) {
        self.line.push(',');
        self.line.push_str(&quote(name));
        self.line.push(':');
        self.line.push_str(json);
    }
}

/// Makes the document of a session from its rows, in any order.
pub fn document_of_rows(rows: Vec<Row>) -> Vec<u8> {
    let mut parts = Vec::new();
    let mut others = Vec::new();
    for row in rows {
        if row.table == Table::Part { parts.push(row) } else { others.push(row) }
    }
    others.sort_by(|a, b| (a.table, a.created, &a.id).cmp(&(b.table, b.created, &b.id)));
    parts.sort_by(|a, b| (&a.message, &a.id).cmp(&(&b.message, &b.id)));
    let mut document = Vec::new();
    let mut write = |row: &Row| {
        document.extend_from_slice(row.line.as_bytes());
        document.push(b'\n');
    };
    let mut is_written = vec![false; parts.len()];
    for row in &others {
        write(row);
        if row.table == Table::Message {
            let first = parts.partition_point(|part| part.message < row.id);
            let of_message = parts[first..].iter().take_while(|part| part.message == row.id);
            for (number, part) in of_message.enumerate() {
                if !std::mem::replace(&mut is_written[first + number], true) {
                    write(part);
                }
            }
        }
    }
    for (part, _) in parts.iter().zip(is_written).filter(|(_, is_written)| !is_written) {
        write(part);
    }
    document
}

/// Makes the document of a session from the files of the older tree: the session's own, its
/// messages', and their parts'. A message or part that is not JSON has a row without data, which
/// is a problem for the reader.
pub fn document_of_files<'a>(
    files: impl IntoIterator<Item = (StorageFile<'a>, &'a [u8])>,
) -> Vec<u8> {
    let rows = files.into_iter().filter_map(|(file, bytes)| {
        Row::from_file(file, bytes).or_else(|| Row::of_damaged_file(file))
    });
    document_of_rows(rows.collect())
}

/// A JSON string.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// JSON without white space between its tokens.
fn compact(json: &str) -> String {
    let mut compacted = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(quote) = rest.find('"') {
        compacted.extend(rest[..quote].chars().filter(|c| !c.is_ascii_whitespace()));
        let end = transcript::json::string_end(rest.as_bytes(), quote).unwrap_or(rest.len());
        compacted.push_str(&rest[quote..end]);
        rest = &rest[end..];
    }
    compacted.extend(rest.chars().filter(|c| !c.is_ascii_whitespace()));
    compacted
}
