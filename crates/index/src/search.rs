//! Search: finds the blocks that match a query, newest first, and ranks them.
//!
//! A search reads a bounded number of texts, the newest; the result records whether
//! there may be more. Deliberately not here: whether a block is still part of the
//! conversation.

use crate::block_filter::BlockFilter;
use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::file_selection::{FileSelection, SelectedFiles};
use crate::files::{Files, FilesById, IndexedFile};
use crate::listing::{self, FileSnapshot};
use crate::page_check::{PageCheck, Trees};
use crate::path_bytes::path_of_row;
use crate::query::Query;
use crate::rows::{BlockClass, BlockKind};
use crate::score;
use crate::source::SourceKind;
use crate::text::{OWN_BYTES, masked_hash, text_hash};
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::cell::RefCell;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use store::LargeLine;

/// The most texts read for one result, unless the caller asks for all.
pub const MOST_TEXTS: usize = 2_000;

/// The hash that identifies a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextHash(pub(crate) [u8; 16]);

impl TextHash {
    /// Whether this is the hash of a text.
    pub fn is_of(self, text: &str) -> bool {
        let hash = text_hash(text);
        self.0 == hash || self.0[..OWN_BYTES] == masked_hash(hash)[..OWN_BYTES]
    }
}

/// A block that matches a query.
#[derive(Clone, Debug)]
pub struct Match {
    /// Its file, among those of the [`Searcher`].
    pub file: i64,
    /// The offset of its line.
    pub offset: u64,
    /// Its position among the texts of the line.
    pub number: usize,
    /// The line, from 1.
    pub line: u64,
    /// When it was written, in milliseconds.
    pub time: Option<i64>,
    /// Its role, kind and flags.
    pub class: BlockClass,
    /// The tool.
    pub tool: Option<String>,
    /// Its text.
    pub text: i64,
    /// The number of other blocks with the same text.
    pub copies: usize,
    /// The other files that have the text, each once.
    pub copy_files: Vec<i64>,
    /// Its score, by kind and age.
    pub score: f64,
}

impl Match {
    /// Leaves each file once among those that have the text too, and its own out.
    fn settle_copy_files(&mut self) {
        self.copy_files.sort_unstable();
        self.copy_files.dedup();
        self.copy_files.retain(|file| *file != self.file);
    }
}

/// A query with its limits.
pub struct SearchRequest<'q> {
    /// The query.
    pub query: &'q Query,
    /// The earliest time, in milliseconds.
    pub since: Option<i64>,
    /// The end of the time range (exclusive), in milliseconds.
    pub until: Option<i64>,
    /// The files visible to the caller.
    pub admits: FileSelection<'q>,
    /// Sessions that are marked.
    pub marked: &'q HashSet<String>,
    /// The present time, in milliseconds.
    pub now: i64,
    /// The most texts to read.
    pub most: usize,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The matches, one per text, best first.
    pub matches: Vec<Match>,
    /// The number of matching blocks.
    pub total: usize,
    /// Whether there may be more.
    pub is_cut: bool,
}

/// The index, opened for searching.
pub struct Searcher {
    pub(crate) connection: Connection,
    /// Compares what is read with the digests of its pages.
    pub(crate) pages: Option<PageCheck>,
    pub(crate) files: Files,
    snapshots: RefCell<HashMap<String, Option<Arc<FileSnapshot>>>>,
}

/// The primary key of a block, with its time.
pub(crate) struct BlockKey {
    pub(crate) file: i64,
    pub(crate) offset: i64,
    pub(crate) number: i64,
    pub(crate) time: Option<i64>,
}

pub(crate) struct FoundBlock {
    pub(crate) file: i64,
    pub(crate) offset: i64,
    pub(crate) number: i64,
    pub(crate) line: i64,
    pub(crate) time: Option<i64>,
    pub(crate) class: BlockClass,
    pub(crate) tool: Option<i64>,
    pub(crate) model: Option<i64>,
    pub(crate) branch: Option<i64>,
}

impl Searcher {
    pub(crate) fn open(folder: &IndexFolder) -> Result<Option<Searcher>, IndexError> {
        let Some(connection) = folder.open_to_read()? else { return Ok(None) };
        // One consistent state of the index until the end.
        connection.execute_batch("BEGIN")?;
        let pages = PageCheck::open(folder, &connection)?;
        if let Some(pages) = &pages {
            pages.trees(&["listing", "folder"].map(Trees::Table))?;
        }
        let (files, snapshots) = (Files::default(), RefCell::default());
        Ok(Some(Searcher { connection, pages, files, snapshots }))
    }

    /// All files, by id.
    pub fn files(&self) -> Result<&FilesById, IndexError> {
        self.files.all(&self.connection, self.pages.as_ref())
    }

    /// The lines that were too large to be read, each with the file of the index that it is missing
    /// from.
    pub fn large_lines(&self) -> Result<Vec<(PathBuf, LargeLine)>, IndexError> {
        self.check_trees(&["large_line"].map(Trees::Table))?;
        let mut select = self.connection.prepare_cached(
            "SELECT file.path, large_line.path, offset, line, large_line.bytes
             FROM large_line JOIN file ON file.id = large_line.file
             ORDER BY large_line.path, offset",
        )?;
        let count = |row: &Row<'_>, column| row.get(column).map(i64::cast_unsigned);
        let lines = select.query_map([], |row| {
            let line = LargeLine {
                path: path_of_row(row, 1)?.into_owned(),
                offset: count(row, 2)?,
                line: count(row, 3)?,
                bytes: count(row, 4)?,
            };
            Ok((path_of_row(row, 0)?.into_owned(), line))
        })?;
        Ok(lines.collect::<rusqlite::Result<_>>()?)
    }

    /// The snapshot of folders and files stored under a key.
    pub fn file_snapshot(&self, key: &str) -> Result<Option<Arc<FileSnapshot>>, IndexError> {
        if let Some(known) = self.snapshots.borrow().get(key) {
            return Ok(known.clone());
        }
        let snapshot = listing::read(&self.connection, key)?.map(Arc::new);
        self.snapshots.borrow_mut().insert(key.to_owned(), snapshot.clone());
        Ok(snapshot)
    }

    /// The main transcripts of sessions, by session id.
    pub fn main_transcripts(&self) -> Result<HashMap<&str, &IndexedFile>, IndexError> {
        let mut mains: HashMap<&str, &IndexedFile> = HashMap::new();
        let files = self.files()?.values().map(Arc::as_ref);
        let files = files.filter(|file| file.kind == SourceKind::Main);
        for (id, file) in files.filter_map(|file| Some((file.session.as_deref()?, file))) {
            let known = mains.entry(id).or_insert(file);
            if file.main_precedence() > known.main_precedence() {
                *known = file;
            }
        }
        Ok(mains)
    }

    /// The main transcript of a session.
    pub fn main_transcript(&self, session: &str) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        Files::main_transcript(&self.connection, self.pages.as_ref(), session)
    }

    /// The files of a session, without its plan.
    pub fn files_of(&self, session: &str) -> Result<Vec<IndexedFile>, IndexError> {
        Files::of_session(&self.connection, self.pages.as_ref(), session, None)
    }

    /// The file of a match.
    pub fn file(&self, file: i64) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        self.files.find(&self.connection, self.pages.as_ref(), file)
    }

    /// Runs a search.
    pub fn search(&self, request: &SearchRequest<'_>) -> Result<SearchResult, IndexError> {
        let selected = self.selected_files(request)?;
        if selected.ids.is_empty() {
            return Ok(SearchResult::default());
        }
        self.check_words(request.query)?;
        let filter = self.block_filter(request)?;
        let mut result = SearchResult::default();
        if request.query.has_words() {
            self.search_words(request, &selected, &filter, &mut result)?;
        } else {
            self.search_fields(request, &selected, &filter, &mut result)?;
        }
        for found in &mut result.matches {
            found.score = score::of(found, request.now);
        }
        let mut files = HashMap::new();
        for found in &result.matches {
            if let Entry::Vacant(vacant) = files.entry(found.file) {
                vacant.insert(self.file(found.file)?);
            }
        }
        // Row ids depend on the order of reading, so they must not decide the order.
        let position = |found: &Match| {
            let file = files.get(&found.file).and_then(Option::as_deref);
            (file.map(|file| &file.path), found.offset, found.number)
        };
        result.matches.sort_by(|one, two| {
            let by_score = two.score.total_cmp(&one.score);
            by_score.then(two.time.cmp(&one.time)).then_with(|| position(one).cmp(&position(two)))
        });
        Ok(result)
    }

    /// The texts of the selected files, if these are a small part of the index: checking
    /// against them is quicker than looking up every matching text.
    fn texts_of(&self, selected: &SelectedFiles) -> Result<Option<HashSet<i64>>, IndexError> {
        if selected.is_most {
            return Ok(None);
        }
        let files = self.files()?;
        let bytes = |file: &Arc<IndexedFile>| file.stamp.map_or(0, |stamp| stamp.bytes);
        let all = files.values().map(bytes).sum();
        let own = selected.ids.iter().filter_map(|id| files.get(id)).map(bytes).sum();
        if !listing::is_small(own, all) {
            return Ok(None);
        }
        let mut texts = HashSet::new();
        let mut statement = self
            .connection
            .prepare_cached("SELECT text FROM block WHERE file = ? AND text IS NOT NULL")?;
        for file in &selected.ids {
            self.check_key("block", &[*file])?;
            for text in statement.query_map([file], |row| row.get(0))? {
                texts.insert(text?);
            }
        }
        Ok(Some(texts))
    }

    fn search_words(
        &self,
        request: &SearchRequest<'_>,
        selected: &SelectedFiles,
        filter: &BlockFilter<'_>,
        result: &mut SearchResult,
    ) -> Result<(), IndexError> {
        let small = self.texts_of(selected)?;
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
        // The covering index decides first; other columns are read only for the blocks
        // that remain.
        let mut blocks = self.connection.prepare_cached(
            "SELECT file, offset, number, what, tool, time FROM block WHERE text = ?",
        )?;
        let expression = request.query.expression();
        let mut rows = found.query((&expression, range.0, range.1))?;
        while let Some(row) = rows.next()? {
            let text: i64 = row.get(0)?;
            if small.as_ref().is_some_and(|texts| !texts.contains(&text)) {
                continue;
            }
            let mut best: Option<BlockKey> = None;
            let mut count = 0;
            let mut files = Vec::new();
            self.check_key("block_text", &[text])?;
            let mut same = blocks.query([text])?;
            while let Some(row) = same.next()? {
                let file: i64 = row.get(0)?;
                let (class, tool, time) = (BlockClass::of(row.get(3)?), row.get(4)?, row.get(5)?);
                if !selected.has(file)
                    || !filter.admits_class(class, tool)
                    || !filter.admits_time(time)
                {
                    continue;
                }
                let key = BlockKey { file, offset: row.get(1)?, number: row.get(2)?, time };
                if !filter.admits_agent(file, key.offset, class) {
                    continue;
                }
                if filter.needs_more() && !filter.admits(&self.block(&key)?) {
                    continue;
                }
                if class.is_repeated && self.has_agent_file(selected, file, key.offset)? {
                    continue;
                }
                if class.kind == BlockKind::Output
                    && !filter.has_recall()
                    && self.is_recall_output(&key)?
                {
                    continue;
                }
                count += 1;
                files.push(file);
                let is_better = match &best {
                    Some(best) => self.is_better(&key, best)?,
                    None => true,
                };
                if is_better {
                    best = Some(key);
                }
            }
            if let Some(key) = best {
                let block = self.block(&key)?;
                result.total += count;
                let mut matched = self.matched(&block, text)?;
                matched.copies = count - 1;
                matched.copy_files = files;
                matched.settle_copy_files();
                result.matches.push(matched);
                if result.matches.len() >= request.most {
                    result.is_cut = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads a block by its key.
    fn block(&self, key: &BlockKey) -> Result<FoundBlock, IndexError> {
        self.check_key("block", &[key.file, key.offset, key.number])?;
        let found = self
            .connection
            .prepare_cached(
                "SELECT file, offset, number, line, time, what, tool, model, branch FROM block
                 WHERE file = ? AND offset = ? AND number = ?",
            )?
            .query_row((key.file, key.offset, key.number), found_block)?;
        Ok(found)
    }

    /// Every block that matches the words of a query, in file order; duplicates are not
    /// counted.
    pub fn blocks(&self, request: &SearchRequest<'_>) -> Result<Vec<Match>, IndexError> {
        let selected = self.selected_files(request)?;
        self.check_words(request.query)?;
        let filter = self.block_filter(request)?;
        let mut statement = self.connection.prepare_cached(
            "SELECT file, offset, number, line, time, what, tool, model, branch, text
             FROM word JOIN block ON block.text = word.rowid WHERE word MATCH ?
             ORDER BY file, offset, number",
        )?;
        let mut rows = statement.query([request.query.expression()])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let (block, text) = (found_block(row)?, row.get(9)?);
            self.check_key("block_text", &[text])?;
            self.check_key("block", &[block.file, block.offset, block.number])?;
            let is_shown = selected.has(block.file) && filter.admits(&block);
            let is_repeated = block.class.is_repeated;
            let (file, offset) = (block.file, block.offset);
            if is_shown && !(is_repeated && self.has_agent_file(&selected, file, offset)?) {
                found.push(self.matched(&block, text)?);
            }
        }
        Ok(found)
    }

    /// Finds blocks by fields only, newest files first.
    fn search_fields(
        &self,
        request: &SearchRequest<'_>,
        selected: &SelectedFiles,
        filter: &BlockFilter<'_>,
        result: &mut SearchResult,
    ) -> Result<(), IndexError> {
        let known = self.files()?;
        let mut files = selected.ids.clone();
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
        let excluded = self.excluded_texts(request.query)?;
        'files: for file in files {
            self.check_key("block", &[file])?;
            let mut rows = blocks.query([file])?;
            while let Some(row) = rows.next()? {
                let block = found_block(row)?;
                let text: i64 = row.get(9)?;
                let is_shown = filter.admits(&block) && !excluded.contains(&text);
                if !is_shown
                    || (block.class.is_repeated
                        && self.has_agent_file(selected, file, block.offset)?)
                {
                    continue;
                }
                result.total += 1;
                if let Some(position) = seen.get(&text) {
                    let known = &mut result.matches[*position];
                    known.copies += 1;
                    known.copy_files.push(block.file);
                    continue;
                }
                seen.insert(text, result.matches.len());
                result.matches.push(self.matched(&block, text)?);
                if result.matches.len() >= request.most {
                    result.is_cut = true;
                    break 'files;
                }
            }
        }
        result.matches.iter_mut().for_each(Match::settle_copy_files);
        Ok(())
    }

    /// The texts that contain excluded words.
    fn excluded_texts(&self, query: &Query) -> Result<HashSet<i64>, IndexError> {
        let Some(expression) = query.excluded_expression() else { return Ok(HashSet::new()) };
        let mut statement =
            self.connection.prepare_cached("SELECT rowid FROM word WHERE word MATCH ?")?;
        let rows = statement.query_map([expression], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn matched(&self, block: &FoundBlock, text: i64) -> Result<Match, IndexError> {
        let tool = match block.tool {
            Some(tool) => {
                self.check_key("name", &[tool])?;
                self.connection
                    .prepare_cached("SELECT text FROM name WHERE id = ?")?
                    .query_row([tool], |row| row.get(0))
                    .optional()?
            }
            None => None,
        };
        Ok(Match {
            file: block.file,
            offset: block.offset.cast_unsigned(),
            number: usize::try_from(block.number).unwrap_or_default(),
            line: block.line.cast_unsigned(),
            time: block.time,
            class: block.class,
            tool,
            text,
            copies: 0,
            copy_files: Vec::new(),
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
        class: BlockClass::of(row.get(5)?),
        tool: row.get(6)?,
        model: row.get(7)?,
        branch: row.get(8)?,
    })
}
