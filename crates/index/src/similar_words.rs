//! Suggestions for a word that finds nothing.

use crate::failure::IndexError;
use crate::file_selection::FileSelection;
use crate::rows::{BlockClass, BlockKind};
use crate::search::Searcher;
use std::collections::HashSet;

impl Searcher {
    /// Words similar to one that finds nothing; the most similar come first, then the most
    /// frequent. They occur in prompts or answers of at least two sessions. If there are no
    /// such words, as in a small store, words of letters that one session repeats are enough:
    /// what was written once may be a typing error, and what has digits may be a secret.
    pub fn near_words(
        &self,
        word: &str,
        most: usize,
        admits: FileSelection<'_>,
    ) -> Result<Vec<String>, IndexError> {
        let mut near: Vec<(usize, i64, String)> = Vec::new();
        let is_there = self
            .connection
            .prepare_cached("SELECT 1 FROM word WHERE word MATCH ? LIMIT 1")?
            .exists([format!("\"{word}\"")])?;
        if is_there {
            // The word exists; another part of the query finds nothing.
            return Ok(Vec::new());
        }
        self.connection.execute_batch(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, word, row)",
        )?;
        let Some(first) = word.chars().next() else { return Ok(Vec::new()) };
        let begin = first.to_string();
        let end = char::from_u32(u32::from(first) + 1).map(String::from).unwrap_or_default();
        let farthest = if word.chars().count() < 5 { 1 } else { 2 };
        let mut statement = self
            .connection
            .prepare_cached("SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ?")?;
        let mut rows = statement.query([&begin, &end])?;
        while let Some(row) = rows.next()? {
            let term: String = row.get(0)?;
            if let Some(distance) = distance(word, &term, farthest) {
                near.push((distance, -row.get::<_, i64>(1)?, term));
            }
        }
        near.sort();
        let (mut words, mut repeated) = (Vec::new(), Vec::new());
        let files = self.ids(admits)?;
        for (.., term) in near.into_iter().take(20) {
            match self.spread(&term, &files)? {
                Spread::Sessions => words.push(term),
                Spread::Messages if term.chars().all(char::is_alphabetic) => repeated.push(term),
                Spread::Messages | Spread::Once => {}
            }
            if words.len() == most {
                break;
            }
        }
        if words.is_empty() {
            words = repeated;
            words.truncate(most);
        }
        Ok(words)
    }

    /// How widely a word is used in prompts and answers.
    fn spread(&self, word: &str, files: &[i64]) -> Result<Spread, IndexError> {
        let mut sessions: HashSet<String> = HashSet::new();
        let mut messages = 0;
        let mut statement = self.connection.prepare_cached(
            "SELECT block.file, block.what FROM word JOIN block ON block.text = word.rowid
             WHERE word MATCH ? ORDER BY word.rowid DESC LIMIT 2000",
        )?;
        let mut rows = statement.query([format!("\"{word}\"")])?;
        while let Some(row) = rows.next()? {
            let (id, class): (i64, BlockClass) = (row.get(0)?, BlockClass::of(row.get(1)?));
            if !matches!(class.kind, BlockKind::Prompt | BlockKind::Answer)
                || files.binary_search(&id).is_err()
            {
                continue;
            }
            sessions.extend(self.file(id)?.and_then(|file| file.session.clone()));
            messages += 1;
            if sessions.len() > 1 {
                return Ok(Spread::Sessions);
            }
        }
        Ok(if messages > 1 { Spread::Messages } else { Spread::Once })
    }
}

/// How widely a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// In at least two sessions.
    Sessions,
    /// In at least two messages of one session.
    Messages,
    /// In at most one message.
    Once,
}

/// The edit distance of two different words, if it is at most `most`.
fn distance(one: &str, two: &str, most: usize) -> Option<usize> {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    if one.len().abs_diff(two.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = (0..=two.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, right) in two.iter().enumerate() {
            let changed = before[column] + usize::from(left != right);
            line.push(changed.min(before[column + 1] + 1).min(line[column] + 1));
        }
        before = line;
    }
    before.last().copied().filter(|distance| (1..=most).contains(distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edited_letters() {
        assert_eq!(distance("serach", "search", 2), Some(2));
        assert_eq!(distance("search", "search", 2), None);
        assert_eq!(distance("cat", "cart", 1), Some(1));
        assert_eq!(distance("cat", "dog", 2), None);
    }
}
