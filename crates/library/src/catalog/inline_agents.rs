//! The agents in a main transcript, remembered between questions.

use crate::catalog::Catalog;
use crate::session::inline_agents::InlineAgents;
use std::path::Path;
use store::{Files, HeadAndTail, SessionFolder};

impl Catalog {
    /// The agents in a transcript with these ends, as they were read before if no file of the
    /// session has changed.
    pub(crate) fn inline_agents(
        &self,
        files: &Files,
        path: &Path,
        folder: Option<&SessionFolder>,
        ends: &HeadAndTail,
    ) -> InlineAgents {
        let read = || InlineAgents::read(files, path, ends);
        match self.memory.metadata_origin(path, folder).filter(|_| InlineAgents::are_possible(ends))
        {
            Some(origin) => self.recent_inline_agents.find_or_read(origin, read),
            None => read(),
        }
    }
}
