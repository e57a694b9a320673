//! Everything an index says, as lines: two that were made from the same files say
//! the same, however they came to be.
//!
//! Numbers of rows are left out, since they tell of the order of readings, and so
//! is how files looked. For tests, and for whoever mistrusts an index; nothing is
//! decided by it.

use crate::failure::IndexError;
use crate::{Index, What};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;

/// What each kind of row says, in words of the files it comes from.
const ROWS: [(&str, &str); 4] = [
    (
        "file",
        "SELECT path, kind, session, agent, agent_type, is_kept, bytes, provisional, prompts,
         first, last, title, first_prompt, cwd, project, branch, tag, created, slug FROM file",
    ),
    (
        "block",
        "SELECT path, offset, number, line, time, what, tool.text, model.text, spoken.text,
         prompt, call, hash FROM block
         LEFT JOIN file ON file.id = block.file LEFT JOIN text ON text.id = block.text
         LEFT JOIN name tool ON tool.id = tool LEFT JOIN name model ON model.id = model
         LEFT JOIN name spoken ON spoken.id = block.branch",
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
    /// Everything it says, sorted; nothing if there is none.
    pub fn told(&self) -> Result<Vec<String>, IndexError> {
        let Some(connection) = self.place.open_to_read()? else { return Ok(Vec::new()) };
        let mut told = Vec::new();
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
                told.push(line);
            }
        }
        told.extend(used(&connection)?);
        told.extend(texts(&connection)?);
        told.sort();
        Ok(told)
    }
}

fn cell(row: &Row<'_>, column: usize, is_what: bool) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => "-".to_owned(),
        ValueRef::Integer(number) if is_what => format!("{:?}", What::of(number)),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => {
            let text = str::from_utf8(bytes).ok().filter(|text| text.starts_with('/'));
            text.map_or_else(|| format!("{bytes:02x?}"), str::to_owned)
        }
    })
}

/// What each file used, as the calls that its fold gives.
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

/// Calls with their names spelled out: how names are numbered is chance.
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

/// The words of each text, and rows of words that belong to no text.
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
    let mut told = Vec::new();
    let mut statement = connection.prepare(
        "SELECT id, hash, EXISTS (SELECT 1 FROM block WHERE block.text = text.id) FROM text",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut own = words.remove(&row.get(0)?).unwrap_or_default();
        own.sort();
        let own: Vec<&str> = own.iter().map(|(.., word)| word.as_str()).collect();
        let is_said: bool = row.get(2)?;
        let said = if is_said { "" } else { " | said nowhere" };
        told.push(format!("text | {} | {}{said}", cell(row, 1, false)?, own.join(" ")));
    }
    told.extend(words.keys().map(|id| format!("words of no text | {id}")));
    Ok(told)
}
