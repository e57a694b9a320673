//! Which of several blocks with the same text counts.

use crate::failure::IndexError;
use crate::file_selection::SelectedFiles;
use crate::files::IndexedFile;
use crate::page_check::Trees;
use crate::rows::{BlockClass, BlockKind};
use crate::search::{BlockKey, Searcher};
use crate::source::SourceKind;
use crate::text::call_hash;
use std::sync::Arc;

impl Searcher {
    /// Whether the first of two blocks with the same text is the one to show: in a
    /// transcript and not a copy, then on disk, then the newer, then by path and offset.
    pub(crate) fn is_better(&self, one: &BlockKey, two: &BlockKey) -> Result<bool, IndexError> {
        let rank = |block: &BlockKey| self.files.rank(&self.connection, block.file);
        let (files, blocks) = ([rank(one)?, rank(two)?], [one, two]);
        let order = |which: usize| {
            let (file, block) = (files[which].as_deref(), blocks[which]);
            let precedence = file.map(|file| file.precedence);
            (precedence, std::cmp::Reverse(block.time), file.map(|file| &file.path), block.offset)
        };
        Ok(order(0) < order(1))
    }

    /// Whether the agent of a repeated line has a selected file: then the file has the
    /// line, and the progress record only repeats it.
    pub(crate) fn has_agent_file(
        &self,
        selected: &SelectedFiles,
        file: i64,
        offset: i64,
    ) -> Result<bool, IndexError> {
        let Some(agent) = self.line_agent(file, offset)? else { return Ok(false) };
        let Some(own) = self.file(file)? else { return Ok(false) };
        let Some(session) = &own.session else { return Ok(false) };
        self.check_trees(&[Trees::Tree("file_session")])?;
        let sql = "SELECT id FROM file WHERE session = ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        for other in statement.query_map([session], |row| row.get::<_, i64>(0))? {
            let Some(other) = Some(other?).filter(|other| selected.has(*other)) else { continue };
            let is_it = |other: &Arc<IndexedFile>| {
                other.kind == SourceKind::Agent && other.agent.as_deref() == Some(&*agent)
            };
            if self.file(other)?.as_ref().is_some_and(is_it) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an output in a separate file, which is named after its call, is a result of
    /// annals itself.
    pub(crate) fn is_recall_output(&self, key: &BlockKey) -> Result<bool, IndexError> {
        let file = self.file(key.file)?;
        let stem = file.as_deref().and_then(|file| file.path.file_stem());
        let Some(call) = stem.and_then(|stem| stem.to_str()) else { return Ok(false) };
        let mut calls = self.connection.prepare_cached("SELECT what FROM block WHERE call = ?")?;
        let call = call_hash(call);
        self.check_key("block_call", &[call])?;
        let mut rows = calls.query([call])?;
        while let Some(row) = rows.next()? {
            if BlockClass::of(row.get(0)?).kind == BlockKind::Recall {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
