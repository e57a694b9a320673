//! Writes parts in batches, each in one short transaction.
//!
//! The full-text table is fastest with rows in ascending order of row ids, in few large
//! writes, so a batch is sorted before it is written. A text's id is derived from its
//! time: descending ids are newest first.

use crate::facts;
use crate::hashed_key::HashedKeys;
use crate::linear_history::LinearHistory;
use crate::listing;
use crate::path_bytes;
use crate::rows::{Part, Text};
use crate::sent_texts::SentTexts;
use crate::source::Source;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Milliseconds per step of text ids: fine enough to keep their order, coarse enough to
/// keep the ids close together, which keeps the posting lists small.
const STEP: i64 = 4_000;

/// 2020-01-01: no transcript is older.
const EPOCH: i64 = 1_577_836_800_000;

/// The largest text id derived from a time, however wrong the time in a transcript.
const LAST_NUMBER: i64 = 1 << 31;

pub(crate) struct Writer<'s> {
    sources: &'s [Source],
    /// Texts that parts may refer to without their words.
    sent: &'s SentTexts,
    /// Ids of files by their position among the sources.
    files: HashMap<usize, i64>,
    names: HashMap<String, i64>,
}

/// A text of a batch that is not in the index yet.
struct NewText<'p> {
    number: i64,
    part: &'p Part,
    text: &'p Text,
}

impl<'s> Writer<'s> {
    pub(crate) fn new(sources: &'s [Source], sent: &'s SentTexts) -> Self {
        Writer { sources, sent, files: HashMap::new(), names: HashMap::new() }
    }

    /// Writes parts; those of one file must be in order.
    pub(crate) fn write(
        &mut self,
        connection: &mut Connection,
        parts: &[Part],
    ) -> rusqlite::Result<()> {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let written = self.write_in(&transaction, parts);
        if let Err(error) = written {
            // The cached ids may be of rows that were rolled back.
            self.files.clear();
            self.names.clear();
            return Err(error);
        }
        transaction.commit()
    }

    fn write_in(&mut self, connection: &Transaction<'_>, parts: &[Part]) -> rusqlite::Result<()> {
        for part in parts {
            let file = self.file(connection, part.source)?;
            if let Some(from) = part.retract {
                retract(connection, file, from, self.sent)?;
                if from == 0 {
                    // They may quote what is masked now.
                    facts::remove(connection, file)?;
                }
                // Facts from deleted lines no longer hold.
                connection
                    .prepare_cached(
                        "UPDATE file SET slug = NULL,
                         first = (SELECT min(time) FROM block WHERE file = ?1),
                         last = (SELECT max(time) FROM block WHERE file = ?1) WHERE id = ?1",
                    )?
                    .execute([file])?;
            }
        }
        let numbers = write_texts(connection, parts)?;
        for (part, texts) in parts.iter().zip(numbers) {
            self.write_part(connection, part, &texts)?;
        }
        Ok(())
    }

    fn file(&mut self, connection: &Connection, number: usize) -> rusqlite::Result<i64> {
        if let Some(file) = self.files.get(&number) {
            return Ok(*file);
        }
        let source = &self.sources[number];
        let path = path_bytes::of(&source.path);
        let known = connection
            .prepare_cached("SELECT id FROM file WHERE path = ?")?
            .query_row([&path], |row| row.get(0))
            .optional()?;
        let file = match known {
            Some(file) => file,
            None => connection
                .prepare_cached(
                    "INSERT INTO file (path, kind, session, agent, is_kept)
                     VALUES (?, ?, ?, ?, ?)",
                )?
                .insert(params![
                    path,
                    source.kind.name(),
                    source.session,
                    source.agent,
                    source.is_archive_only
                ])?,
        };
        self.files.insert(number, file);
        Ok(file)
    }

    fn name(&mut self, connection: &Connection, text: &str) -> rusqlite::Result<i64> {
        if let Some(name) = self.names.get(text) {
            return Ok(*name);
        }
        connection
            .prepare_cached("INSERT OR IGNORE INTO name (text) VALUES (?)")?
            .execute([text])?;
        let name = connection
            .prepare_cached("SELECT id FROM name WHERE text = ?")?
            .query_row([text], |row| row.get(0))?;
        self.names.insert(text.to_owned(), name);
        Ok(name)
    }

    fn write_part(
        &mut self,
        connection: &Connection,
        part: &Part,
        texts: &[i64],
    ) -> rusqlite::Result<()> {
        let file = self.file(connection, part.source)?;
        let mut names = Vec::with_capacity(part.names.texts.len());
        for text in &part.names.texts {
            names.push(self.name(connection, text)?);
        }
        let name = |number: Option<u32>| number.map(|number| names[number as usize]);
        let (mut first, mut last) = (None::<i64>, None::<i64>);
        let mut insert = connection.prepare_cached(
            "INSERT OR REPLACE INTO block
             (file, offset, number, line, time, what, tool, model, branch, prompt, call, text)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for block in &part.blocks {
            insert.execute(params![
                file,
                signed(block.offset),
                block.number,
                signed(block.line),
                block.time,
                block.class.number(),
                name(block.tool),
                name(block.model),
                name(block.branch),
                signed(block.prompt),
                block.call,
                block.text.map(|text| texts[text]),
            ])?;
            if let Some(time) = block.time {
                first = Some(first.map_or(time, |first| first.min(time)));
                last = Some(last.map_or(time, |last| last.max(time)));
            }
        }
        let mut insert = connection.prepare_cached(
            "INSERT OR REPLACE INTO line_agent (file, offset, agent, agent_type)
             VALUES (?, ?, ?, ?)",
        )?;
        for line in &part.line_agents {
            let agent = names[line.agent as usize];
            insert.execute(params![file, signed(line.offset), agent, name(line.agent_type)])?;
        }
        let mut insert = connection.prepare_cached(
            "INSERT OR REPLACE INTO touch
             (file, offset, number, path, operation, added, removed, time, prompt)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for touch in &part.touches {
            insert.execute(params![
                file,
                signed(touch.offset),
                touch.number,
                names[touch.path as usize],
                touch.operation,
                signed(touch.added),
                signed(touch.removed),
                touch.time,
                signed(touch.prompt),
            ])?;
        }
        let mut insert = connection.prepare_cached(
            "INSERT INTO deed (file, offset, number, kind, name, url, branch, subject, time, prompt)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for action in &part.git_actions {
            insert.execute(params![
                file,
                signed(action.offset),
                action.number,
                action.kind,
                action.name,
                action.url,
                action.branch,
                action.subject,
                action.time,
                signed(action.prompt),
            ])?;
        }
        self.write_file(connection, file, part, (first, last))
    }

    /// Updates a file's row: how far it is read, and its metadata.
    fn write_file(
        &self,
        connection: &Connection,
        file: i64,
        part: &Part,
        (first, last): (Option<i64>, Option<i64>),
    ) -> rusqlite::Result<()> {
        connection.prepare_cached("DELETE FROM checkpoint WHERE file = ?")?.execute([file])?;
        let mut insert = connection.prepare_cached(
            "INSERT INTO checkpoint (file, offset, line, hash) VALUES (?, ?, ?, ?)",
        )?;
        for checkpoint in &part.checkpoints {
            let position = checkpoint.position;
            insert.execute(params![
                file,
                signed(position.offset),
                signed(position.line),
                checkpoint.hash.as_bytes()
            ])?;
        }
        let source = &self.sources[part.source];
        let stamp = part.stamp;
        let (inode, device, changed) = stamp.map(|stamp| stamp.identity).unwrap_or_default();
        connection
            .prepare_cached(
                "UPDATE file SET kind = ?, session = ?, agent = ?, is_kept = ?,
                 bytes = ?, modified = ?, inode = ?, device = ?, changed = ?, masked = ?,
                 provisional = ?, prompts = ?,
                 shape = ?, seen = ?, compacted = ?,
                 slug = coalesce(?, slug), agent_type = coalesce(?, agent_type),
                 first = min(coalesce(first, ?18), coalesce(?18, first)),
                 last = max(coalesce(last, ?19), coalesce(?19, last))
                 WHERE id = ?20",
            )?
            .execute(params![
                source.kind.name(),
                source.session,
                source.agent,
                source.is_archive_only,
                stamp.map(|stamp| signed(stamp.bytes)),
                stamp.map(|stamp| stamp.modified),
                inode.cast_signed(),
                device.cast_signed(),
                changed,
                part.masked,
                part.provisional,
                signed(part.prompts.count()),
                part.history.as_ref().map(LinearHistory::pack),
                part.history.as_ref().map(LinearHistory::pack_seen),
                part.history.as_ref().and_then(|history| history.compacted).map(signed),
                part.slug,
                part.agent_type,
                first,
                last,
                file,
            ])?;
        connection
            .prepare_cached("UPDATE file SET turns = ?, prompt_records = ? WHERE id = ?")?
            .execute(params![part.turns, part.prompts.pack(), file])?;
        match &part.used {
            Some(fold) => connection
                .prepare_cached("INSERT OR REPLACE INTO used (file, fold) VALUES (?, ?)")?
                .execute(params![file, fold])?,
            None => {
                connection.prepare_cached("DELETE FROM used WHERE file = ?")?.execute([file])?
            }
        };
        match &part.line_states {
            Some(states) => connection
                .prepare_cached("INSERT OR REPLACE INTO line_state (file, packed) VALUES (?, ?)")?
                .execute(params![file, states.as_bytes()])?,
            None => connection
                .prepare_cached("DELETE FROM line_state WHERE file = ?")?
                .execute([file])?,
        };
        if part.stamp.is_some() {
            write_large_lines(connection, file, &source.path, part)?;
        }
        if part.stamp.is_some() && part.metadata.is_none() {
            connection
                .prepare_cached(
                    "UPDATE file SET title = NULL, first_prompt = NULL, cwd = NULL,
                     project = NULL, branch = NULL, tag = NULL, created = NULL WHERE id = ?",
                )?
                .execute([file])?;
        }
        if let Some(metadata) = &part.metadata {
            let project = metadata.original_cwd.as_ref().or(metadata.cwd.as_ref());
            connection
                .prepare_cached(
                    "UPDATE file SET title = ?, first_prompt = ?, cwd = ?, project = ?,
                     branch = ?, tag = ?, created = ? WHERE id = ?",
                )?
                .execute(params![
                    metadata.shown_title,
                    metadata.first_prompt,
                    metadata.cwd,
                    project,
                    metadata.branch,
                    metadata.tag,
                    metadata.created.map(jiff::Timestamp::as_millisecond),
                    file,
                ])?;
        }
        listing::update_file(connection, file)
    }
}

/// SQLite's integers are signed; sizes and offsets are small enough.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Deletes the rows of a file from an offset on, and texts that no other row refers to or is
/// about to refer to.
fn retract(
    connection: &Connection,
    file: i64,
    from: u64,
    sent: &SentTexts,
) -> rusqlite::Result<()> {
    let range = params![file, signed(from)];
    let texts: Vec<i64> = connection
        .prepare_cached(
            "SELECT DISTINCT text FROM block
             WHERE file = ? AND offset >= ? AND text IS NOT NULL ORDER BY text",
        )?
        .query_map(range, |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in ["block", "line_agent", "touch", "deed", "large_line"] {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE file = ? AND offset >= ?"))?
            .execute(range)?;
    }
    let mut is_used =
        connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM block WHERE text = ?)")?;
    let mut hash_of = connection.prepare_cached("SELECT hash FROM text WHERE id = ?")?;
    for text in texts {
        let hash: Option<[u8; 16]> = hash_of.query_row([text], |row| row.get(0)).optional()?;
        let is_sent = hash.is_some_and(|hash| sent.contains(&hash));
        if !is_sent && !is_used.query_row([text], |row| row.get::<_, bool>(0))? {
            connection.prepare_cached("DELETE FROM word WHERE rowid = ?")?.execute([text])?;
            connection.prepare_cached("DELETE FROM text WHERE id = ?")?.execute([text])?;
        }
    }
    Ok(())
}

/// Replaces what is known of lines that are too large, from where a file was read on.
fn write_large_lines(
    connection: &Connection,
    file: i64,
    path: &Path,
    part: &Part,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM large_line WHERE file = ? AND (offset >= ? OR path <> ?)")?
        .execute(params![file, signed(part.read_from), path_bytes::of(path)])?;
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO large_line (file, path, offset, line, bytes)
         VALUES (?, ?, ?, ?, ?)",
    )?;
    for line in &part.large_lines {
        let (offset, number) = (signed(line.offset), signed(line.line));
        let path = path_bytes::of(&line.path);
        insert.execute(params![file, path, offset, number, signed(line.bytes)])?;
    }
    Ok(())
}

/// Deletes a file and all its rows.
pub(crate) fn remove(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    retract(connection, file, 0, &SentTexts::default())?;
    facts::remove(connection, file)?;
    for (table, key) in
        [("checkpoint", "file"), ("used", "file"), ("line_state", "file"), ("file", "id")]
    {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE {key} = ?"))?
            .execute([file])?;
    }
    Ok(())
}

/// The id of a text with this time, if it is free.
fn number_at(time: i64) -> i64 {
    ((time - EPOCH) / STEP).clamp(1, LAST_NUMBER)
}

/// Writes the new texts of a batch, and returns the ids of all texts, part by part.
fn write_texts(connection: &Connection, parts: &[Part]) -> rusqlite::Result<Vec<Vec<i64>>> {
    let mut known: HashMap<[u8; 16], i64, HashedKeys> = HashMap::default();
    let mut fresh: Vec<NewText<'_>> = Vec::new();
    let mut find = connection.prepare_cached("SELECT id FROM text WHERE hash = ?")?;
    for part in parts {
        for text in &part.texts {
            if known.contains_key(&text.hash) {
                continue;
            }
            let found: Option<i64> =
                find.query_row([text.hash.as_slice()], |row| row.get(0)).optional()?;
            known.insert(text.hash, found.unwrap_or_default());
            if found.is_none() {
                fresh.push(NewText { number: number_at(text.time), part, text });
            }
        }
    }
    fresh.sort_by_key(|text| text.number);
    let taken = taken_numbers(connection, &fresh)?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO text (id, hash) VALUES (?, ?)")?;
    let mut index =
        connection.prepare_cached("INSERT INTO word (rowid, words, wholes) VALUES (?, ?, ?)")?;
    let mut next = 0;
    for NewText { number, part, text } in fresh {
        next = number.max(next);
        while taken.contains(&next) {
            next += 1;
        }
        while insert.execute(params![next, text.hash.as_slice()])? == 0 {
            next += 1;
        }
        index.execute(params![
            next,
            &part.arena[text.words.clone()],
            &part.arena[text.wholes.clone()]
        ])?;
        known.insert(text.hash, next);
        next += 1;
    }
    let numbers =
        parts.iter().map(|part| part.texts.iter().map(|text| known[&text.hash]).collect());
    Ok(numbers.collect())
}

/// The ids already in use in the range where new ones are likely to fall.
fn taken_numbers(connection: &Connection, fresh: &[NewText<'_>]) -> rusqlite::Result<HashSet<i64>> {
    let (Some(first), Some(last)) = (fresh.first(), fresh.last()) else {
        return Ok(HashSet::new());
    };
    let until = last.number.saturating_add(signed(fresh.len() as u64));
    connection
        .prepare_cached("SELECT id FROM text WHERE id BETWEEN ? AND ?")?
        .query_map([first.number, until], |row| row.get::<_, i64>(0))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::IndexFolder;
    use crate::rows::{Block, BlockClass, BlockKind};
    use crate::source::{SourceKind, Stamp};
    use crate::text::TextReader;
    use redact::{Level, Redactor};
    use std::sync::Arc;
    use store::Files;
    use transcript::Role;

    fn part(source: usize, texts: &TextReader) -> Part {
        let mut part = Part { source, ..Part::default() };
        let text = part.add_text("kelp forest", 0, texts);
        part.blocks.push(Block {
            offset: 0,
            line: 1,
            number: 0,
            block: 0,
            time: None,
            class: BlockClass {
                role: Role::User,
                kind: BlockKind::Prompt,
                is_error: false,
                is_agent: false,
                is_repeated: false,
            },
            tool: None,
            model: None,
            branch: None,
            call: None,
            prompt: 1,
            text: Some(text),
        });
        part
    }

    #[test]
    fn a_file_that_is_replaced_while_it_is_read_takes_no_text_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let index = IndexFolder { path: folder.path().to_owned() };
        let _lock = index.lock().unwrap().unwrap();
        let mut connection = index.open_to_write(1 << 20).unwrap();
        let source = |name: &str| Source {
            path: name.into(),
            kind: SourceKind::Main,
            session: None,
            agent: None,
            stamp: Stamp::default(),
            is_archive_only: false,
        };
        let sources = [source("a"), source("b")];
        let redactor = Arc::new(Redactor::new(Level::Standard, [0; 32]));
        let texts = TextReader::new(redactor, Files::disk(), Arc::default());
        let mut writer = Writer::new(&sources, &texts.sent);
        let first = part(0, &texts);
        writer.write(&mut connection, std::slice::from_ref(&first)).unwrap();
        texts.sent.add(&[first.texts[0].hash]);
        let other = part(1, &texts);
        assert!(other.arena.is_empty(), "only the hash is needed");
        let replaced = Part { retract: Some(0), ..Part::default() };
        writer.write(&mut connection, &[replaced, other]).unwrap();
        let found: i64 = connection
            .query_row(
                "SELECT count(*) FROM block JOIN word ON word.rowid = block.text
                 WHERE words MATCH 'kelp'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(found, 1);
    }
}
