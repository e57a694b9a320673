//! Which pages a search uses, compared with their digests: those of rows, of whole trees, and
//! of the rows of the full-text tables that a search for words reads.
//!
//! The full-text index is a list of segments. A segment has pages, which are rows of
//! `word_data`, and for each page the first word in it, which are rows of `word_idx`. The
//! format is documented at <https://sqlite.org/fts5.html> and in SQLite's `fts5_index.c`.

use crate::failure::IndexError;
use crate::page_check::{PageCheck, Trees};
use crate::query::Query;
use crate::search::Searcher;
use rusqlite::{Connection, OptionalExtension as _};

/// Words from one to another, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordRange {
    first: Vec<u8>,
    last: Vec<u8>,
}

impl WordRange {
    /// One word.
    pub(crate) fn word(word: &str) -> WordRange {
        // Words of the main index begin with this digit.
        let first = format!("0{word}").into_bytes();
        WordRange { last: first.clone(), first }
    }

    /// All words that begin with a text.
    pub(crate) fn prefix(text: &str) -> WordRange {
        let mut range = WordRange::word(text);
        // No word contains this byte, which UTF-8 does not have.
        range.last.push(0xff);
        range
    }
}

impl Searcher {
    /// Compares the pages of a row with their digests.
    pub(crate) fn check_key(&self, tree: &str, key: &[i64]) -> Result<(), IndexError> {
        self.pages.as_ref().map_or(Ok(()), |pages| pages.key(tree, key))
    }

    /// Compares the pages of whole trees with their digests.
    pub(crate) fn check_trees(&self, trees: &[Trees<'_>]) -> Result<(), IndexError> {
        self.pages.as_ref().map_or(Ok(()), |pages| pages.trees(trees))
    }

    /// Compares the pages that a search for the words of a query reads with their digests.
    pub(crate) fn check_words(&self, query: &Query) -> Result<(), IndexError> {
        let words = query.word_ranges();
        match &self.pages {
            Some(pages) if !words.is_empty() => check(pages, &self.connection, &words),
            _ => Ok(()),
        }
    }
}

/// The row of a segment's page. `level` is 0 for words, and one more than the height for the
/// pages that help to skip in long lists.
fn row(segment: i64, level: i64, page: i64) -> i64 {
    let (skips, height) = if level == 0 { (0, 0) } else { (1, level - 1) };
    (segment << 37) + (skips << 36) + (height << 31) + page
}

/// The greatest number of a page.
const LAST_PAGE: i64 = (1 << 31) - 1;

/// The rows of deleted texts have these segments and greater ones.
const DELETED: i64 = 1 << 16;

/// The levels of a segment's pages; lists long enough for more do not exist.
const LEVELS: i64 = 4;

/// Checks the pages that a search for words reads.
fn check(
    pages: &PageCheck,
    connection: &Connection,
    words: &[WordRange],
) -> Result<(), IndexError> {
    pages.trees(&[Trees::Tree("word_idx"), Trees::Tree("word_config")])?;
    // The list of segments and the totals.
    pages.range("word_data", &[0], &[row(1, 0, 0)])?;
    pages.range("word_data", &[row(DELETED, 0, 0)], &[i64::MAX])?;
    let segments: Vec<i64> = connection
        .prepare_cached("SELECT DISTINCT segid FROM word_idx")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut first = connection.prepare_cached(
        "SELECT pgno >> 1 FROM word_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1",
    )?;
    let mut last = connection.prepare_cached(
        "SELECT pgno >> 1 FROM word_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1",
    )?;
    for segment in segments {
        for words in words {
            let from = first.query_row((segment, &words.first), |row| row.get(0)).optional()?;
            let to = last.query_row((segment, &words.last), |row| row.get(0)).optional()?;
            let (from, to) = (from.unwrap_or(0_i64), to.unwrap_or(LAST_PAGE));
            for level in 0..LEVELS {
                pages.range(
                    "word_data",
                    &[row(segment, level, from)],
                    &[row(segment, level, to)],
                )?;
            }
        }
    }
    Ok(())
}
