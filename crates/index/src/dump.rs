//! Dumps the content of an index as sorted lines: two indexes built from the same
//! files give the same lines, whatever the order in which they were built.
//!
//! Row ids are left out because they depend on the order of reading; so are the stamps
//! of files. For tests and debugging; nothing else uses it.

use crate::failure::IndexError;
use crate::{BlockClass, Index};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;

/// The query for each kind of row, with the paths of files instead of their ids.
const ROWS: [(&str, &str); 5] = [
    (
        "file",
        "SELECT path, kind, session, agent, agent_type, is_kept, bytes, provisional, prompts,
         first, last, title, first_prompt, cwd, project, branch, tag, created, slug FROM file",
    ),
    (
        "block",
        "SELECT path, offset, number, line, time, what, tool.text, model.text, block_branch.text,
         prompt, call, hash FROM block
         LEFT JOIN file ON file.id = block.file LEFT JOIN text ON text.id = block.text
         LEFT JOIN name tool ON tool.id = tool LEFT JOIN name model ON model.id = model
         LEFT JOIN name block_branch ON block_branch.id = block.branch",
    ),
    (
        "line_agent",
        "SELECT path, offset, own.text, own_type.text FROM line_agent
         LEFT JOIN file ON file.id = line_agent.file
         LEFT JOIN name own ON own.id = line_agent.agent
         LEFT JOIN name own_type ON own_type.id = line_agent.agent_type",
    ),
    (
        "touch",
        "SELECT file.path, offset, number, name.text, operation, added, removed, time, prompt
         FROM touch LEFT JOIN file ON file.id = touch.file LEFT JOIN name ON name.id = touch.path",
    ),
    (
        "deed",
        "SELECT path, offset, number, deed.kind, name, url, deed.branch, subject, time, prompt
         FROM deed LEFT JOIN file ON file.id = deed.file",
    ),
];

impl Index {
    /// The content as sorted lines; empty if there is no index.
    pub fn dump(&self) -> Result<Vec<String>, IndexError> {
        let Some(connection) = self.folder.open_to_read()? else { return Ok(Vec::new()) };
        let mut lines = Vec::new();
        for (name, sql) in ROWS {
            let mut statement = connection.prepare(sql)?;
            let count = statement.column_count();
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let mut line = name.to_owned();
                for column in 0..count {
                    line.push_str(" | ");
                    line.push_str(&cell(row, column, name == "block" && column == 5)?);
                }
                lines.push(line);
            }
        }
        lines.extend(used(&connection)?);
        lines.extend(texts(&connection)?);
        lines.sort();
        Ok(lines)
    }
}

fn cell(row: &Row<'_>, column: usize, is_class: bool) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => "-".to_owned(),
        ValueRef::Integer(number) if is_class => format!("{:?}", BlockClass::of(number)),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => {
            let text = str::from_utf8(bytes).ok().filter(|text| text.starts_with('/'));
            text.map_or_else(|| format!("{bytes:02x?}"), str::to_owned)
        }
    })
}

/// The API calls of each file, unpacked from its fold.
fn used(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement =
        connection.prepare("SELECT path, fold FROM used LEFT JOIN file ON file.id = used.file")?;
    let rows = statement.query_map([], |row| {
        let path = cell(row, 0, false)?;
        let fold: Vec<u8> = row.get(1)?;
        let calls = usage::Fold::unpack(&fold, 0).map(usage::Fold::finish);
        let calls = calls.map(|calls| used_in_words(&calls));
        Ok(format!("used | {path} | {}", calls.as_deref().unwrap_or("unreadable")))
    })?;
    rows.collect()
}

/// Calls with their names spelled out, because the numbers of names vary.
fn used_in_words(calls: &usage::Calls) -> String {
    let name = |name| calls.names.get(name).unwrap_or("-");
    let mut text = format!("{:?} {:?} {:?}", calls.tally, calls.duplicates, calls.unread);
    for call in &calls.calls {
        let usage::Attribution { session, cwd, branch, version, .. } = call.attribution;
        let own = [call.model, session, cwd, branch, version].map(name).join(" ");
        let tools = call.tools.iter().map(|(tool, count)| format!("{count}×{}", name(*tool)));
        let tools = tools.collect::<Vec<_>>().join(" ");
        text += &format!(
            " | {} {:?} {:?} {:?} {own} {:?} {} {} {} {tools}",
            call.id,
            call.request,
            call.time,
            call.counters,
            call.chosen_line,
            call.is_sidechain,
            call.is_advisor_call,
            call.lines
        );
    }
    text
}

/// The words of each text, and word rows that belong to no text.
fn texts(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut words: BTreeMap<i64, Vec<(String, i64, String)>> = BTreeMap::new();
    connection.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.instance USING fts5vocab(main, word, instance)",
    )?;
    let mut statement = connection.prepare("SELECT doc, col, offset, term FROM temp.instance")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        words.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?, row.get(3)?));
    }
    let mut lines = Vec::new();
    let mut statement = connection.prepare(
        "SELECT id, hash, EXISTS (SELECT 1 FROM block WHERE block.text = text.id) FROM text",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut own = words.remove(&row.get(0)?).unwrap_or_default();
        own.sort();
        let own: Vec<&str> = own.iter().map(|(.., word)| word.as_str()).collect();
        let is_used: bool = row.get(2)?;
        let note = if is_used { "" } else { " | unused" };
        lines.push(format!("text | {} | {}{note}", cell(row, 1, false)?, own.join(" ")));
    }
    lines.extend(words.keys().map(|id| format!("words of no text | {id}")));
    Ok(lines)
}
