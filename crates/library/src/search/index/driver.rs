//! Updating the index and querying it: five states and one driver.
//!
//! `index_state` compares the index with the files and finds which state holds;
//! `with_index` does what that state asks for, and nothing else decides whether the
//! index is whole. A question is answered once; if it is asked with
//! [`crate::search::index::patience::IndexWait::AnswerTwice`], it is answered again when the index is whole.
//!
//! | state | meaning | what the driver does |
//! |---|---|---|
//! | `Fresh` | the index has every file as it is | answers; if folders were listed, remembers them for the next search |
//! | `Stale` | little changed, or the caller waits for everything | reads the changes, then answers |
//! | `Building` | much changed, or there is no index yet | reads the changes in another thread; answers when that is done or the wait is over, whichever is first |
//! | `Locked` | another process writes the index | waits for the other process and compares again; if the wait is over first, answers from what is there |
//! | `Unwritable` | the disk refuses | answers from what is there |

use crate::memory::snapshot::{Changed, changed};
use crate::parallel::par_map;
use crate::progress::Progress;
use crate::search::Search;
use crate::search::index::IndexOptions;
use crate::search::index::freshness::Freshness;
use crate::search::index::patience::Patience;
use crate::search::index::sources::TextSources;
use index::{
    Index, IndexError, IndexedFile, Ingest, IngestOptions, IngestProgress, IngestReport, Listing,
    Searcher, Source, Stamp,
};
use redact::{Level, Redactor};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::ListedFolders;

/// Queries the index; a second time when the first answer was preliminary.
pub(super) type Ask<'a, T> = dyn FnMut(Option<&Searcher>, &Freshness) -> Result<T, IndexError> + 'a;

/// How often to check whether another process has written something.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// After how many pauses the caller learns what it waits for.
const PAUSES_BEFORE_TELLING: u64 = 10;

/// The index compared with the files.
enum IndexState {
    /// It has every file as it is.
    Fresh {
        searcher: Searcher,
        /// The folders and files that were listed to find that out, if any.
        listed: Option<(Listing, Vec<Source>)>,
    },
    /// Little changed, or the caller waits for everything.
    Stale { ingest: Ingest, changes: Changes },
    /// Much changed, or there is no index yet.
    Building { ingest: Ingest, changes: Changes },
    /// Another process writes it. These files exist, or these have changed.
    Locked { sources: Vec<Source> },
    /// It cannot be written.
    Unwritable { searcher: Searcher },
}

/// What is built while a question is answered.
struct Build<'b> {
    index: &'b Index,
    ingest: Ingest,
    changes: Changes,
    memory: usize,
}

/// What there is to read.
struct Changes {
    /// All files, or those that changed.
    sources: Vec<Source>,
    /// Whether these are only the changed files, and none was deleted.
    is_part: bool,
    /// The folders they were found in, if a snapshot can be made of them.
    listing: Option<Listing>,
    /// Folders that could not be listed: their files may still exist.
    unlisted: Vec<PathBuf>,
}

impl Search {
    /// Updates the index and queries it: the driver of all states.
    pub(super) fn with_index<T>(
        &self,
        index: &Index,
        notes: &[String],
        options: IndexOptions,
        patience: &mut Patience,
        progress: &dyn Progress,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        loop {
            let mut freshness = Freshness::noting(notes);
            match self.index_state(index, options, &mut freshness)? {
                IndexState::Fresh { searcher, listed } => {
                    let answered = ask(Some(&searcher), &freshness)?;
                    drop(searcher);
                    self.remember_listing(index, options, listed);
                    return Ok(answered);
                }
                IndexState::Stale { ingest, changes } => {
                    let watch = ForwardedProgress { progress, is_over: Mutex::new(None) };
                    let refreshed = self.ingest(ingest, changes, options.memory, &watch);
                    progress.finish();
                    freshness.end(refreshed)?;
                    return ask(index.searcher()?.as_ref(), &freshness);
                }
                IndexState::Building { ingest, changes } => {
                    let build = Build { index, ingest, changes, memory: options.memory };
                    return self.ask_while_building(build, patience, progress, freshness, ask);
                }
                IndexState::Unwritable { searcher } => return ask(Some(&searcher), &freshness),
                IndexState::Locked { sources } => {
                    if wait_for_others(index, patience, progress)? {
                        continue;
                    }
                    // The other process may have written more meanwhile.
                    let searcher = index.searcher()?;
                    freshness.judge_all(&sources, searcher.as_ref())?;
                    freshness.is_preliminary = patience.answers_again() && !progress.is_late();
                    let answered = ask(searcher.as_ref(), &freshness)?;
                    if !freshness.is_preliminary {
                        return Ok(answered);
                    }
                    patience.is_answered = true;
                }
            }
        }
    }

    /// Remembers the folders that were listed, which makes the next search faster;
    /// failing to write them does no harm.
    fn remember_listing(
        &self,
        index: &Index,
        options: IndexOptions,
        listed: Option<(Listing, Vec<Source>)>,
    ) {
        if let Some((listing, sources)) = listed
            && let Ok(Some(ingest)) = index.ingest(options.memory)
        {
            let shows = self.memory.shows_indexed();
            let shows = |path: &Path, is_archive_only: bool| shows(path, None, is_archive_only);
            let _ = ingest.remember(&listing, &sources, &shows);
        }
    }

    /// Compares the index with the files, and takes the write lock if anything
    /// changed.
    fn index_state(
        &self,
        index: &Index,
        options: IndexOptions,
        freshness: &mut Freshness,
    ) -> Result<IndexState, IndexError> {
        let searcher = index.searcher()?;
        let snapshot = match &searcher {
            Some(searcher) => self.memory.file_snapshot(searcher)?,
            None => None,
        };
        let changed = snapshot.as_deref().and_then(changed);
        let searcher = match searcher {
            Some(searcher) if changed.as_ref().is_some_and(Vec::is_empty) => {
                (freshness.is_fresh, freshness.is_complete) = (true, true);
                return Ok(IndexState::Fresh { searcher, listed: None });
            }
            searcher => searcher,
        };
        let (files, changed) = match &searcher {
            Some(searcher) => known_files(searcher, changed)?,
            None => (Vec::new(), None),
        };
        let is_part = changed.is_some();
        let known = by_path(&files);
        let (found, listing) = match changed {
            Some(changed) => {
                let sources =
                    files.iter().zip(changed).map(|(file, (_, stamp))| file.as_source(stamp));
                let mut sources: Vec<Source> = sources.collect();
                if let Some(searcher) = &searcher {
                    self.add_newly_masked(searcher, &mut sources)?;
                }
                (TextSources { sources, unlisted: Vec::new() }, None)
            }
            None => self.listed_sources(&known),
        };
        let TextSources { sources, unlisted } = found;
        let stale = freshness.judge(&sources, &known);
        freshness.read_errors.extend(unlisted.iter().cloned());
        let unlisted = unlisted.into_iter().map(|read_error| read_error.path).collect();
        let pending = Changes { sources, is_part, listing, unlisted };
        let is_unchanged = stale.is_none() && !self.has_gone(&pending, &known);
        let searcher = match searcher {
            Some(searcher) if is_unchanged => {
                let listed = pending.listing.map(|listing| (listing, pending.sources));
                return Ok(IndexState::Fresh { searcher, listed });
            }
            searcher => searcher,
        };
        match index.ingest(options.memory) {
            Ok(Some(ingest)) => {
                Ok(if options.wait.reads_before_answering(stale.unwrap_or_default()) {
                    IndexState::Stale { ingest, changes: pending }
                } else {
                    IndexState::Building { ingest, changes: pending }
                })
            }
            Ok(None) => {
                freshness.note("another process is updating the index".to_owned());
                Ok(IndexState::Locked { sources: pending.sources })
            }
            Err(error) => {
                // Without any index there is nothing to answer from.
                let Some(searcher) = searcher else { return Err(error) };
                freshness.excuse(error)?;
                Ok(IndexState::Unwritable { searcher })
            }
        }
    }

    /// Reads the changes in another thread, and answers when that is done or the wait is
    /// over; in the second case again at the end, if the caller wants that. Returns when
    /// everything is read.
    fn ask_while_building<T>(
        &self,
        build: Build<'_>,
        patience: &mut Patience,
        progress: &dyn Progress,
        mut freshness: Freshness,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        let Build { index, ingest, changes, memory } = build;
        let sources = changes.sources.clone();
        let watch = ForwardedProgress { progress, is_over: Mutex::new(None) };
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            watch.set(Some(send));
            let building = scope.spawn(|| {
                let refreshed = self.ingest(ingest, changes, memory, &watch);
                // Dropping the sender signals the end.
                watch.set(None);
                refreshed
            });
            let waited = receive.recv_timeout(patience.left());
            if waited == Err(RecvTimeoutError::Disconnected) {
                progress.finish();
                freshness.end(joined(building)?)?;
                return ask(index.searcher()?.as_ref(), &freshness);
            }
            let searcher = index.searcher()?;
            freshness.judge_all(&sources, searcher.as_ref())?;
            freshness.is_preliminary = patience.answers_again();
            let answered = ask(searcher.as_ref(), &freshness);
            patience.is_answered = true;
            drop(searcher);
            let end = joined(building)?;
            progress.finish();
            if !std::mem::take(&mut freshness.is_preliminary) {
                // A later error will come up again.
                return answered;
            }
            answered?;
            freshness.end(end)?;
            ask(index.searcher()?.as_ref(), &freshness)
        })
    }

    fn ingest(
        &self,
        ingest: Ingest,
        changes: Changes,
        memory: usize,
        watch: &ForwardedProgress<'_>,
    ) -> Result<IngestReport, IndexError> {
        let Changes { sources, is_part, listing, unlisted } = changes;
        let owns = |path: &Path| self.owns_listed(path, &unlisted);
        let shows = self.memory.shows_indexed();
        let shows = |path: &Path, is_archive_only: bool| shows(path, None, is_archive_only);
        let redactor = Arc::new(Redactor::new(Level::Standard, [0; 32]));
        let redactor_of =
            |source: &Source| self.redaction.session_redactor(&redactor, &source.path);
        let options = IngestOptions {
            sources,
            is_part,
            files: self.stores.all.clone(),
            owns: &owns,
            redactor_of: &redactor_of,
            masked_with: &|sources| self.masked_with(sources),
            values: &|| self.redaction.pack_unstored_values(),
            memory,
            listing,
            shows: &shows,
        };
        ingest.run(&options, watch)
    }

    /// Adds the unchanged files of sessions of which other files changed and have values that
    /// were not masked before, and their plans: their words are to be read again.
    fn add_newly_masked(
        &self,
        searcher: &Searcher,
        sources: &mut Vec<Source>,
    ) -> Result<(), IndexError> {
        let mut known: HashSet<PathBuf> =
            sources.iter().map(|source| source.path.clone()).collect();
        let sessions: HashSet<String> =
            sources.iter().filter_map(|source| source.session.clone()).collect();
        let mut files = Vec::new();
        for session in sessions {
            files.extend(searcher.files_of(&session)?);
        }
        let linked = self.masked_with(&sources.iter().collect::<Vec<_>>());
        if !linked.is_empty() {
            let all = searcher.files()?;
            let linked = all.values().filter(|file| linked.contains(&file.path));
            files.extend(linked.map(|file| IndexedFile::clone(file)));
        }
        let redactor = Arc::new(Redactor::new(Level::Standard, [0; 32]));
        for file in files {
            let Some(stamp) = file.stamp.filter(|_| !known.contains(&file.path)) else {
                continue;
            };
            let source = file.as_source(stamp);
            let masked =
                self.redaction.session_redactor(&redactor, &source.path).values_fingerprint();
            if masked != file.masked {
                known.insert(file.path.clone());
                sources.push(source);
            }
        }
        Ok(())
    }

    /// The files outside of their sessions that are masked with the values in these files.
    fn masked_with(&self, sources: &[&Source]) -> HashSet<PathBuf> {
        let of_each =
            par_map(sources.to_vec(), |source| self.redaction.files_masked_with(&source.path));
        of_each.into_iter().flatten().collect()
    }

    /// Whether a file of the index that was not found is deleted: it would have
    /// been listed.
    fn owns_listed(&self, path: &Path, unlisted: &[PathBuf]) -> bool {
        self.memory.owns(path) && !unlisted.iter().any(|folder| path.starts_with(folder))
    }

    /// Whether the index has files that are deleted for good.
    fn has_gone(&self, changes: &Changes, known: &ByPath<'_>) -> bool {
        let there: HashSet<&Path> =
            changes.sources.iter().map(|source| source.path.as_path()).collect();
        known.keys().any(|path| !there.contains(path) && self.owns_listed(path, &changes.unlisted))
    }

    /// All files, by listing folders, and what a snapshot needs to know of
    /// those.
    fn listed_sources(&self, known: &ByPath<'_>) -> (TextSources, Option<Listing>) {
        let key = self.memory.listing_key();
        let listed = ListedFolders::default();
        let known_session = |path: &Path, stamp: &Stamp| {
            let file = known.get(path).filter(|file| file.stamp.as_ref() == Some(stamp))?;
            Some(file.session.clone())
        };
        let found = self.text_sources(&known_session, &listed);
        // The archive may have changed meanwhile.
        let key = key.filter(|key| self.memory.listing_key().as_ref() == Some(key));
        let listing = self.memory.listing_of(key, found.unlisted.is_empty(), listed.take());
        (found, listing)
    }
}

/// Forwards the progress of an ingest, and signals its end.
struct ForwardedProgress<'p> {
    progress: &'p dyn Progress,
    /// The sender that is dropped at the end.
    is_over: Mutex<Option<Sender<()>>>,
}

impl ForwardedProgress<'_> {
    fn set(&self, sender: Option<Sender<()>>) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = sender;
    }
}

impl IngestProgress for ForwardedProgress<'_> {
    fn start(&self, bytes: u64) {
        self.progress.start(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.progress.advance(bytes);
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_late()
    }
}

/// Waits until no other process writes the index any more, or the wait is over; whether the
/// index is free.
fn wait_for_others(
    index: &Index,
    patience: &Patience,
    progress: &dyn Progress,
) -> Result<bool, IndexError> {
    for pauses in 0_u64.. {
        if !index.is_being_written()? {
            return Ok(true);
        }
        if progress.is_late() || patience.is_over() {
            break;
        }
        // Most updates are over before anybody wonders.
        if pauses == PAUSES_BEFORE_TELLING {
            progress.wait_for("another process that updates the index");
        }
        std::thread::sleep(PAUSE);
    }
    Ok(false)
}

fn joined(
    building: std::thread::ScopedJoinHandle<'_, Result<IngestReport, IndexError>>,
) -> Result<Result<IngestReport, IndexError>, IndexError> {
    building.join().map_err(|_| IndexError::Other("building it failed".to_owned()))
}

/// The files of an index, by their paths.
pub(super) type ByPath<'s> = HashMap<&'s Path, &'s IndexedFile>;

/// Files of an index, and the new stamps of those that changed.
type KnownFiles = (Vec<Arc<IndexedFile>>, Option<Changed>);

pub(super) fn by_path(files: &[Arc<IndexedFile>]) -> ByPath<'_> {
    files.iter().map(|file| (file.path.as_path(), &**file)).collect()
}

/// The files of an index; if it is known which of them changed, only those.
pub(super) fn known_files(
    searcher: &Searcher,
    changed: Option<Changed>,
) -> Result<KnownFiles, IndexError> {
    if let Some(changed) = changed {
        let files = changed.iter().filter_map(|(id, _)| searcher.file(*id).transpose());
        let files = files.collect::<Result<Vec<_>, _>>()?;
        // A file that is not in the index cannot be known to have changed.
        if files.len() == changed.len() {
            return Ok((files, Some(changed)));
        }
    }
    Ok((searcher.files()?.values().cloned().collect(), None))
}
