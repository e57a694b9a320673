//! What a caller asks about one match: its text's hash, its turn, its model.

use crate::failure::IndexError;
use crate::line_states::LineStates;
use crate::linear_history::LinearHistory;
use crate::page_check::Trees;
use crate::search::{Match, Searcher, TextHash};
use rusqlite::OptionalExtension as _;

impl Searcher {
    /// The hash of a text; `None` if it no longer exists.
    pub fn hash(&self, text: i64) -> Result<Option<TextHash>, IndexError> {
        self.check_key("text", &[text])?;
        let hash = self
            .connection
            .prepare_cached("SELECT hash FROM text WHERE id = ?")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        Ok(hash.map(TextHash))
    }

    /// The turn at an offset of a file, counted from the first prompt; `None` if only
    /// the conversation tells.
    pub fn turn_at(&self, file: i64, offset: u64) -> Result<Option<u32>, IndexError> {
        self.check_key("file", &[file])?;
        let history: Option<Vec<u8>> = self
            .connection
            .prepare_cached("SELECT shape FROM file WHERE id = ?")?
            .query_row([file], |row| row.get(0))
            .optional()?
            .flatten();
        let history = history.and_then(|history| LinearHistory::unpack(&history, &[]));
        Ok(history.and_then(|history| history.turns.turn_at(offset)))
    }

    /// The states of the lines of a file; `None` if its history is linear, or if only the
    /// conversation tells.
    pub fn line_states(&self, file: i64) -> Result<Option<LineStates>, IndexError> {
        self.check_key("line_state", &[file])?;
        let packed: Option<Vec<u8>> = self
            .connection
            .prepare_cached("SELECT packed FROM line_state WHERE file = ?")?
            .query_row([file], |row| row.get(0))
            .optional()?;
        Ok(packed.map(LineStates::from_bytes))
    }

    /// The model that wrote a match.
    pub fn model(&self, found: &Match) -> Result<Option<String>, IndexError> {
        let number = i64::try_from(found.number).unwrap_or(i64::MAX);
        let key = (found.file, found.offset.cast_signed(), number);
        self.check_key("block", &[key.0, key.1, key.2])?;
        self.check_trees(&[Trees::Tree("name")])?;
        let model = self
            .connection
            .prepare_cached(
                "SELECT name.text FROM block JOIN name ON name.id = block.model
                 WHERE block.file = ? AND block.offset = ? AND block.number = ?",
            )?
            .query_row(key, |row| row.get(0))
            .optional()?;
        Ok(model)
    }
}
