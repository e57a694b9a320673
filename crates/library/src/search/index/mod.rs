//! The index behind the search: updated on the way, then queried.
//!
//! One process at a time writes it; the others wait for it. A first build takes
//! long: a caller that cannot wait so long gets an answer from what is ready, which
//! says so ([`Freshness::gap`]), and the build goes on. Which of these happens is a
//! state (`driver`).
//!
//! Deliberately not here: which files there are
//! ([`text_files`](crate::stores::text_files)), and how a search knows that
//! none changed ([`snapshot`](crate::memory::snapshot)).

pub(crate) mod driver;
pub(crate) mod excerpt;
pub(crate) mod facets;
pub(crate) mod freshness;
pub(crate) mod patience;
pub(crate) mod search;
pub(crate) mod sources;
pub(crate) mod sql;
pub(crate) mod state;

use crate::search::Search;
use crate::search::index::driver::{Ask, PAUSE};
use crate::search::index::freshness::Freshness;
use crate::search::index::patience::{IndexWait, Patience};
use crate::search::index::search::{SearchAnswer, SearchOptions};

use crate::progress::{NoProgress, Progress};
use index::{IndexError, Searcher};
use std::time::Instant;

/// How to update the index.
#[derive(Clone, Copy, Debug)]
pub struct IndexOptions {
    /// How much memory the update may use.
    pub memory: usize,
    /// What a question does until the index is whole.
    pub wait: IndexWait,
}

/// How often to retry with an unusable index.
const MOST_TRIES: usize = 50;

impl Search {
    /// Updates the index, however long it takes.
    pub fn refresh_index(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        let options = IndexOptions { wait: IndexWait::UntilWhole, ..options };
        self.refresh_index_within(options, progress)
    }

    /// Updates the index, for as long as the options say.
    pub fn refresh_index_within(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        self.with_sound_index(options, progress, &mut |_, freshness| Ok(freshness.clone()))
    }

    /// Updates the index, or builds a new one if any page of it is damaged: a query of a
    /// person can read all of them.
    pub fn refresh_whole_index(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        let options = IndexOptions { wait: IndexWait::UntilWhole, ..options };
        let index = self.memory.index()?;
        self.with_sound_index(options, progress, &mut |_, freshness| {
            index.examine()?;
            Ok(freshness.clone())
        })
    }

    /// Updates the index if there is one, unless another process does.
    pub fn refresh_index_if_any(&self, options: IndexOptions) -> Result<(), IndexError> {
        if self.stores.options.no_index || self.memory.index()?.searcher()?.is_none() {
            return Ok(());
        }
        let options = IndexOptions { wait: IndexWait::Until(Instant::now()), ..options };
        self.refresh_index_within(options, &NoProgress).map(drop)
    }

    /// Searches for words. `answer` is called as soon as there is an answer; the index may
    /// still be built afterwards. If that answer is preliminary, `answer` is called again
    /// when the index is whole, and only its last result is returned.
    pub fn query<T>(
        &self,
        index: IndexOptions,
        options: &SearchOptions<'_>,
        progress: &dyn Progress,
        mut answer: impl FnMut(SearchAnswer, &Freshness) -> T,
    ) -> Result<T, IndexError> {
        self.with_sound_index(index, progress, &mut |searcher, freshness| {
            let found = match searcher {
                Some(searcher) => self.ask_index(searcher, options)?,
                None => SearchAnswer::default(),
            };
            Ok(answer(found, freshness))
        })
    }
}

impl Search {
    /// Updates the index and queries it. An unusable index is moved away and
    /// replaced by a new one.
    fn with_sound_index<T>(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        let index = self.memory.index()?;
        let mut notes = Vec::new();
        let mut patience = Patience::new(options.wait);
        let mut tries = 0;
        loop {
            let identity = index.identity();
            let mut ask = |searcher: Option<&Searcher>, freshness: &Freshness| {
                let large_lines = searcher.map_or(Ok(0), |it| self.memory.note_large_lines(it))?;
                ask(searcher, &Freshness { large_lines, ..freshness.clone() })
            };
            let answered =
                self.with_index(&index, &notes, options, &mut patience, progress, &mut ask);
            let error = match answered {
                Err(error) if error.needs_rebuild() && tries < MOST_TRIES => error,
                answered => return answered,
            };
            tries += 1;
            match index.set_aside(identity) {
                Ok(Some(aside)) => notes
                    .push(format!("{error}: moved it to {}, building a new one", aside.display())),
                Ok(None) => {}
                // The process that holds the lock will do so, or did.
                Err(IndexError::Busy) => std::thread::sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
    }
}
