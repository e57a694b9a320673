//! Answering: which blocks a query finds, newest first, the best of them ranked.
//!
//! A query is answered from a bounded number of texts, the newest: how far that
//! went is said. Whether a block is still part of the conversation is not known
//! here.

use crate::admitted::{Admits, Admitted};
use crate::block_filter::BlockFilter;
use crate::database::Place;
use crate::failure::IndexError;
use crate::files::{ById, Files, IndexedFile};
use crate::listing::{self, FileSnapshot};
use crate::query::Query;
use crate::rows::{Kind, What};
use crate::source::SourceKind;
use crate::text::{call_hash, hidden_hash, text_hash};
use rusqlite::{Connection, OptionalExtension as _};
use std::cell::RefCell;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::Arc;

/// Texts that are looked at for one answer, unless all are asked for.
pub const MOST_TEXTS: usize = 2_000;

/// What a text is told from others by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextHash([u8; 16]);

impl TextHash {
    /// Whether a text is that one.
    pub fn is_of(self, text: &str) -> bool {
        let hash = text_hash(text);
        self.0 == hash || self.0 == hidden_hash(hash)
    }
}

/// A block that was found.
#[derive(Clone, Debug)]
pub struct Match {
    /// Its file, among those of the [`Searcher`].
    pub file: i64,
    /// Where its line begins.
    pub offset: u64,
    /// Its place among the texts of the line.
    pub number: usize,
    /// The line, from 1.
    pub line: u64,
    /// When it was written, in milliseconds.
    pub time: Option<i64>,
    /// What it is.
    pub what: What,
    /// The tool.
    pub tool: Option<String>,
    /// Its text.
    pub text: i64,
    /// How many other blocks say the same.
    pub copies: usize,
    /// How good it is, by what is known here.
    pub score: f64,
}

/// What is asked.
pub struct Question<'q> {
    /// The query.
    pub query: &'q Query,
    /// Not before, in milliseconds.
    pub since: Option<i64>,
    /// Before, in milliseconds.
    pub until: Option<i64>,
    /// Which files may answer.
    pub admits: Admits<'q>,
    /// Sessions that are marked.
    pub marked: &'q HashSet<String>,
    /// The present time, in milliseconds.
    pub now: i64,
    /// How many texts are looked at.
    pub most: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The blocks, one of each text, the best first.
    pub matches: Vec<Match>,
    /// How many blocks there are.
    pub total: usize,
    /// Whether there may be more.
    pub is_cut: bool,
}

/// The index, opened for questions.
pub struct Searcher {
    pub(crate) connection: Connection,
    files: Files,
    snapshots: RefCell<HashMap<String, Option<Arc<FileSnapshot>>>>,
}

/// A block, as far as the index of texts tells.
struct Met {
    file: i64,
    offset: i64,
    number: i64,
    time: Option<i64>,
}

pub(crate) struct FoundBlock {
    pub(crate) file: i64,
    pub(crate) offset: i64,
    pub(crate) number: i64,
    pub(crate) line: i64,
    pub(crate) time: Option<i64>,
    pub(crate) what: What,
    pub(crate) tool: Option<i64>,
    pub(crate) model: Option<i64>,
    pub(crate) branch: Option<i64>,
}

impl Searcher {
    pub(crate) fn open(place: &Place) -> Result<Option<Searcher>, IndexError> {
        let Some(connection) = place.open_to_read()? else { return Ok(None) };
        // One state of the index, from here to the end.
        connection.execute_batch("BEGIN")?;
        Ok(Some(Searcher { connection, files: Files::default(), snapshots: RefCell::default() }))
    }

    /// All files, by their numbers.
    pub fn files(&self) -> Result<&ById, IndexError> {
        self.files.all(&self.connection)
    }

    /// What is remembered of the folders they were found in, if the same key decided
    /// which.
    pub fn file_snapshot(&self, key: &str) -> Result<Option<Arc<FileSnapshot>>, IndexError> {
        if let Some(known) = self.snapshots.borrow().get(key) {
            return Ok(known.clone());
        }
        let snapshot = listing::read(&self.connection, key)?.map(Arc::new);
        self.snapshots.borrow_mut().insert(key.to_owned(), snapshot.clone());
        Ok(snapshot)
    }

    /// The transcripts of sessions, by their ids.
    pub fn mains(&self) -> Result<HashMap<&str, &IndexedFile>, IndexError> {
        let mut mains: HashMap<&str, &IndexedFile> = HashMap::new();
        let files = self.files()?.values().map(Arc::as_ref);
        let files = files.filter(|file| file.kind == SourceKind::Main);
        for (id, file) in files.filter_map(|file| Some((file.session.as_deref()?, file))) {
            let known = mains.entry(id).or_insert(file);
            if file.standing() > known.standing() {
                *known = file;
            }
        }
        Ok(mains)
    }

    /// The transcript of a session.
    pub fn main_of(&self, session: &str) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        Files::main_of(&self.connection, session)
    }

    /// A file of a match.
    pub fn file(&self, file: i64) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        self.files.find(&self.connection, file)
    }

    /// What a text is told from others by; `None` if it is gone meanwhile.
    pub fn hash(&self, text: i64) -> Result<Option<TextHash>, IndexError> {
        let hash = self
            .connection
            .prepare_cached("SELECT hash FROM text WHERE id = ?")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        Ok(hash.map(TextHash))
    }

    /// Answers a question.
    pub fn ask(&self, question: &Question<'_>) -> Result<Answer, IndexError> {
        let admitted = self.admitted(question)?;
        if admitted.ids.is_empty() {
            return Ok(Answer::default());
        }
        let filter = BlockFilter::new(&self.connection, question)?;
        let mut answer = Answer::default();
        if question.query.has_words() {
            self.ask_words(question, &admitted, &filter, &mut answer)?;
        } else {
            self.ask_fields(question, &admitted, &filter, &mut answer)?;
        }
        for found in &mut answer.matches {
            found.score = score(found, question.now);
        }
        let mut files = HashMap::new();
        for found in &answer.matches {
            if let Entry::Vacant(vacant) = files.entry(found.file) {
                vacant.insert(self.file(found.file)?);
            }
        }
        // Numbers of rows tell of the order of readings: they decide nothing.
        let place = |found: &Match| {
            let file = files.get(&found.file).and_then(Option::as_deref);
            (file.map(|file| &file.path), found.offset, found.number)
        };
        answer.matches.sort_by(|one, two| {
            let by_score = two.score.total_cmp(&one.score);
            by_score.then(two.time.cmp(&one.time)).then_with(|| place(one).cmp(&place(two)))
        });
        Ok(answer)
    }

    /// The texts of files that are few among all: looking through those is quicker
    /// than finding their texts among all that match.
    fn texts_of(&self, admitted: &Admitted) -> Result<Option<HashSet<i64>>, IndexError> {
        if admitted.is_most {
            return Ok(None);
        }
        let files = self.files()?;
        let bytes = |file: &Arc<IndexedFile>| file.stamp.map_or(0, |stamp| stamp.bytes);
        let all = files.values().map(bytes).sum();
        let own = admitted.ids.iter().filter_map(|id| files.get(id)).map(bytes).sum();
        if !listing::is_small(own, all) {
            return Ok(None);
        }
        let mut texts = HashSet::new();
        let mut statement = self
            .connection
            .prepare_cached("SELECT text FROM block WHERE file = ? AND text IS NOT NULL")?;
        for file in &admitted.ids {
            for text in statement.query_map([file], |row| row.get(0))? {
                texts.insert(text?);
            }
        }
        Ok(Some(texts))
    }

    fn ask_words(
        &self,
        question: &Question<'_>,
        admitted: &Admitted,
        filter: &BlockFilter<'_>,
        answer: &mut Answer,
    ) -> Result<(), IndexError> {
        let small = self.texts_of(admitted)?;
        let range = match &small {
            Some(texts) => (
                texts.iter().min().copied().unwrap_or_default(),
                texts.iter().max().copied().unwrap_or_default(),
            ),
            None => (i64::MIN, i64::MAX),
        };
        let mut found = self.connection.prepare_cached(
            "SELECT rowid FROM word WHERE word MATCH ? AND rowid BETWEEN ? AND ?
             ORDER BY rowid DESC",
        )?;
        // What the index of texts has decides first; the rest is looked up only of
        // what is left.
        let mut blocks = self.connection.prepare_cached(
            "SELECT file, offset, number, what, tool, time FROM block WHERE text = ?",
        )?;
        let expression = question.query.expression();
        let mut rows = found.query((&expression, range.0, range.1))?;
        while let Some(row) = rows.next()? {
            let text: i64 = row.get(0)?;
            if small.as_ref().is_some_and(|texts| !texts.contains(&text)) {
                continue;
            }
            let mut best: Option<Met> = None;
            let mut count = 0;
            let mut same = blocks.query([text])?;
            while let Some(row) = same.next()? {
                let file: i64 = row.get(0)?;
                let (what, tool, time) = (What::of(row.get(3)?), row.get(4)?, row.get(5)?);
                if !admitted.has(file)
                    || !filter.admits_what(what, tool)
                    || !filter.admits_time(time)
                {
                    continue;
                }
                let met = Met { file, offset: row.get(1)?, number: row.get(2)?, time };
                if filter.needs_more() && !filter.admits(&self.block(&met)?) {
                    continue;
                }
                if what.kind == Kind::Output && !filter.has_recall() && self.is_recalled(&met)? {
                    continue;
                }
                count += 1;
                let is_better = match &best {
                    Some(best) => self.is_better(&met, best)?,
                    None => true,
                };
                if is_better {
                    best = Some(met);
                }
            }
            if let Some(met) = best {
                let block = self.block(&met)?;
                answer.total += count;
                let copies = count - 1;
                answer.matches.push(self.matched(&block, text, copies)?);
                if answer.matches.len() >= question.most {
                    answer.is_cut = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// A block by its place.
    fn block(&self, met: &Met) -> rusqlite::Result<FoundBlock> {
        self.connection
            .prepare_cached(
                "SELECT file, offset, number, line, time, what, tool, model, branch FROM block
                 WHERE file = ? AND offset = ? AND number = ?",
            )?
            .query_row((met.file, met.offset, met.number), found_block)
    }

    /// Whether an output in a file of its own, which is named by its call, is what
    /// annals answered.
    fn is_recalled(&self, met: &Met) -> Result<bool, IndexError> {
        let file = self.file(met.file)?;
        let stem = file.as_deref().and_then(|file| file.path.file_stem());
        let Some(call) = stem.and_then(|stem| stem.to_str()) else { return Ok(false) };
        let mut calls = self.connection.prepare_cached("SELECT what FROM block WHERE call = ?")?;
        let mut rows = calls.query([call_hash(call)])?;
        while let Some(row) = rows.next()? {
            if What::of(row.get(0)?).kind == Kind::Recall {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Every block that a question finds by its words, in the order of their places;
    /// how many say the same is not counted.
    pub fn blocks(&self, question: &Question<'_>) -> Result<Vec<Match>, IndexError> {
        let admitted = self.admitted(question)?;
        let filter = BlockFilter::new(&self.connection, question)?;
        let mut statement = self.connection.prepare_cached(
            "SELECT file, offset, number, line, time, what, tool, model, branch, text
             FROM word JOIN block ON block.text = word.rowid WHERE word MATCH ?
             ORDER BY file, offset, number",
        )?;
        let mut rows = statement.query([question.query.expression()])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let block = found_block(row)?;
            if admitted.has(block.file) && filter.admits(&block) {
                found.push(self.matched(&block, row.get(9)?, 0)?);
            }
        }
        Ok(found)
    }

    /// Of two blocks that say the same, the one to show: of a session's own
    /// transcript, then one on disk, then the newer, then by place.
    fn is_better(&self, one: &Met, two: &Met) -> Result<bool, IndexError> {
        let (files, blocks) = ([self.file(one.file)?, self.file(two.file)?], [one, two]);
        let rank = |which: usize| {
            let (file, block) = (files[which].as_deref(), blocks[which]);
            let precedence = file.map(IndexedFile::precedence);
            (precedence, std::cmp::Reverse(block.time), file.map(|file| &file.path), block.offset)
        };
        Ok(rank(0) < rank(1))
    }

    /// Blocks by their fields alone, newest files first.
    fn ask_fields(
        &self,
        question: &Question<'_>,
        admitted: &Admitted,
        filter: &BlockFilter<'_>,
        answer: &mut Answer,
    ) -> Result<(), IndexError> {
        let known = self.files()?;
        let mut files = admitted.ids.clone();
        files.sort_by_cached_key(|id| {
            let file = known.get(id).map(Arc::as_ref);
            let last = std::cmp::Reverse(file.and_then(|file| file.last));
            (last, file.map(IndexedFile::precedence), file.map(|file| file.path.clone()))
        });
        let mut blocks = self.connection.prepare_cached(
            "SELECT file, offset, number, line, time, what, tool, model, branch, text
             FROM block WHERE file = ? AND text IS NOT NULL ORDER BY offset DESC",
        )?;
        let mut seen: HashMap<i64, usize> = HashMap::new();
        let unwanted = self.unwanted_texts(question.query)?;
        'files: for file in files {
            let mut rows = blocks.query([file])?;
            while let Some(row) = rows.next()? {
                let block = found_block(row)?;
                let text: i64 = row.get(9)?;
                if !filter.admits(&block) || unwanted.contains(&text) {
                    continue;
                }
                answer.total += 1;
                if let Some(place) = seen.get(&text) {
                    answer.matches[*place].copies += 1;
                    continue;
                }
                seen.insert(text, answer.matches.len());
                answer.matches.push(self.matched(&block, text, 0)?);
                if answer.matches.len() >= question.most {
                    answer.is_cut = true;
                    break 'files;
                }
            }
        }
        Ok(())
    }

    /// The texts with words that must not be there.
    fn unwanted_texts(&self, query: &Query) -> Result<HashSet<i64>, IndexError> {
        let Some(expression) = query.unwanted_expression() else { return Ok(HashSet::new()) };
        let mut statement =
            self.connection.prepare_cached("SELECT rowid FROM word WHERE word MATCH ?")?;
        let rows = statement.query_map([expression], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn matched(&self, block: &FoundBlock, text: i64, copies: usize) -> Result<Match, IndexError> {
        let tool = match block.tool {
            Some(tool) => self
                .connection
                .prepare_cached("SELECT text FROM name WHERE id = ?")?
                .query_row([tool], |row| row.get(0))
                .optional()?,
            None => None,
        };
        Ok(Match {
            file: block.file,
            offset: block.offset.cast_unsigned(),
            number: usize::try_from(block.number).unwrap_or_default(),
            line: block.line.cast_unsigned(),
            time: block.time,
            what: block.what,
            tool,
            text,
            copies,
            score: 0.0,
        })
    }
}

fn found_block(row: &rusqlite::Row<'_>) -> rusqlite::Result<FoundBlock> {
    Ok(FoundBlock {
        file: row.get(0)?,
        offset: row.get(1)?,
        number: row.get(2)?,
        line: row.get(3)?,
        time: row.get(4)?,
        what: What::of(row.get(5)?),
        tool: row.get(6)?,
        model: row.get(7)?,
        branch: row.get(8)?,
    })
}

/// How good a match is: what a person said counts more than what a tool did, what
/// is new more than what is old.
fn score(found: &Match, now: i64) -> f64 {
    let weight = match found.what.kind {
        Kind::Title => 3.5,
        Kind::Prompt => 3.0,
        Kind::Plan => 2.5,
        Kind::Answer => 2.0,
        Kind::Summary => 1.8,
        Kind::Thinking => 1.2,
        Kind::Call => 1.0,
        Kind::Output | Kind::Result => 0.7,
        Kind::Note => 0.5,
        Kind::Recall => 0.3,
    };
    let agent = if found.what.is_agent { 0.8 } else { 1.0 };
    let days = found.time.map_or(3650, |time| ((now - time) / 86_400_000).clamp(0, 3650));
    let days = f64::from(i32::try_from(days).unwrap_or(3650));
    weight * agent * (0.35 + 0.65 / (1.0 + days / 45.0))
}
