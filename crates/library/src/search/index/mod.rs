//! The index behind the library: updated on the way, then queried.
//!
//! One process at a time writes it; the others wait for it. A first build takes
//! long: a caller that cannot wait so long gets an answer from what is ready, which
//! says so ([`Freshness::gap`]), and the build goes on. Which of these happens is a
//! state (`driver`).
//!
//! Deliberately not here: which files there are
//! ([`text_files`](crate::catalog::text_files)), and how a search knows that
//! none changed ([`snapshot`](crate::search::snapshot)).

mod driver;
mod excerpt;
mod facets;
mod freshness;
mod patience;
mod search;
mod sources;
mod sql;
mod state;

pub(crate) use sources::TextSources;

pub use excerpt::Excerpt;
pub use facets::{SearchFacets, SessionsWithHits};
pub use freshness::{Freshness, Gap, Indexed};
pub use patience::IndexWait;
use patience::Patience;
pub use search::{FoundHit, NearbyMessage, Order, SearchAnswer, SearchOptions};
pub use sql::{SqlAnswer, SqlQuery};

use crate::apps::is_view;
use crate::catalog::tier::Tier;
use crate::progress::{NoProgress, Progress};
use crate::{Library, Search};
use driver::{Ask, PAUSE};
use index::{Index, IndexError, Searcher};
use std::path::Path;
use std::time::Instant;
use store::Root;

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

/// Whether a file belongs to a root.
fn holds(root: &Root, path: &Path, session: Option<&str>) -> bool {
    let Some(transcript) = root.transcript() else { return path.starts_with(&root.path) };
    // One transcript: only files of its session, beside it or below.
    let id = transcript.file_stem().and_then(|stem| stem.to_str());
    let is_near = transcript.parent().is_some_and(|folder| path.starts_with(folder));
    path == transcript || (is_near && id.is_some() && session == id)
}

impl Search<'_> {
    /// Updates the index, however long it takes.
    pub fn refresh_index(
        self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        let options = IndexOptions { wait: IndexWait::UntilWhole, ..options };
        self.refresh_index_within(options, progress)
    }

    /// Updates the index, for as long as the options say.
    pub fn refresh_index_within(
        self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        self.library.with_sound_index(options, progress, &mut |_, freshness| Ok(freshness.clone()))
    }

    /// Updates the index, or builds a new one if any page of it is damaged: a query of a
    /// person can read all of them.
    pub fn refresh_whole_index(
        self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        let options = IndexOptions { wait: IndexWait::UntilWhole, ..options };
        let index = self.library.index()?;
        self.library.with_sound_index(options, progress, &mut |_, freshness| {
            index.examine()?;
            Ok(freshness.clone())
        })
    }

    /// Updates the index if there is one, unless another process does.
    pub fn refresh_index_if_any(self, options: IndexOptions) -> Result<(), IndexError> {
        if self.library.options.no_index || self.library.index()?.searcher()?.is_none() {
            return Ok(());
        }
        let options = IndexOptions { wait: IndexWait::Until(Instant::now()), ..options };
        self.refresh_index_within(options, &NoProgress).map(drop)
    }

    /// Searches for words. `answer` is called as soon as there is an answer; the index may
    /// still be built afterwards. If that answer is preliminary, `answer` is called again
    /// when the index is whole, and only its last result is returned.
    pub fn query<T>(
        self,
        index: IndexOptions,
        options: &SearchOptions<'_>,
        progress: &dyn Progress,
        mut answer: impl FnMut(SearchAnswer, &Freshness) -> T,
    ) -> Result<T, IndexError> {
        self.library.with_sound_index(index, progress, &mut |searcher, freshness| {
            let found = match searcher {
                Some(searcher) => self.library.ask_index(searcher, options)?,
                None => SearchAnswer::default(),
            };
            Ok(answer(found, freshness))
        })
    }
}

impl Library {
    /// The index, if there is a folder for it.
    pub(crate) fn index(&self) -> Result<Index, IndexError> {
        let home = self.options.home.clone().map(Index::new);
        home.ok_or_else(|| {
            let text = "cannot find a folder for the index\nhint: set HOME or ANNALS_HOME";
            IndexError::Other(text.to_owned())
        })
    }

    /// Updates the index and queries it. An unusable index is moved away and
    /// replaced by a new one.
    fn with_sound_index<T>(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        let index = self.index()?;
        let mut notes = Vec::new();
        let mut patience = Patience::new(options.wait);
        let mut tries = 0;
        loop {
            let identity = index.identity();
            let mut ask = |searcher: Option<&Searcher>, freshness: &Freshness| {
                let large_lines = searcher.map_or(Ok(0), |it| self.note_large_lines(it))?;
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

    /// Which files of the index belong to these roots, by path, session and
    /// whether they are only in the archive.
    pub(crate) fn shows_indexed(&self) -> impl Fn(&Path, Option<&str>, bool) -> bool {
        let places: Vec<(&Root, bool)> = self
            .tier_roots(Tier::DiskAndArchive)
            .into_iter()
            .map(|(root, _)| (root, self.is_known_root(root)))
            .collect();
        move |path, session, is_archive_only| {
            !self.is_excluded(path, None)
                && places.iter().any(|(root, is_known)| {
                    // Files on disk were listed under the other path.
                    holds(root, path, session) && (!is_known || is_archive_only)
                })
        }
    }

    /// Whether a file of the index that no longer exists is deleted, rather
    /// than outside these roots.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        let own = self.roots.iter().chain(&self.app_roots).chain(self.archived_app_roots());
        let own = own.filter(|root| root.transcript().is_none());
        let is_own = own.map(|root| root.path.as_path()).any(|place| path.starts_with(place));
        let home = self.options.home.as_deref();
        // Those of apps are below their own roots.
        let has_archive =
            !self.has_explicit_roots() && !self.options.without_claude && !is_view(path);
        is_own || (has_archive && home.is_some_and(|home| path.starts_with(home)))
    }
}
