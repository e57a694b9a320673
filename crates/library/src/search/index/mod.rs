//! The index behind the library: brought up to date on the way, asked where it
//! answers.
//!
//! One process at a time writes it; all others answer from what is there and say
//! so. A first build is long: whoever starts it gets an answer from what is ready
//! after a moment, and the building goes on.

mod excerpt;
mod search;
mod snapshot;
mod sources;
mod sql;
mod state;

use snapshot::Changed;
use sources::TextSources;

pub use excerpt::Excerpt;
pub use search::{Around, FoundHit, Order, SearchAnswer, SearchOptions};
pub use sql::{SqlAnswer, SqlQuery};

use crate::Library;
use crate::catalog::tier::Tier;
use crate::open::scan::Trouble;
use crate::progress::{NoProgress, Progress};
use index::{
    Index, IndexError, IndexedFile, IngestOptions, IngestProgress, Listing, Refreshed, Searcher,
    Source, Stamp,
};
use jiff::Timestamp;
use redact::{Level, Redactor};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{ListedFolders, Root};

/// How the index is brought up to date.
#[derive(Clone, Copy, Debug)]
pub struct IndexOptions {
    /// How much memory that may take.
    pub memory: usize,
    /// How long to wait before answering from what is ready.
    pub patience: Duration,
    /// Whether that holds however little there is to read, so that an answer is
    /// never later.
    pub is_strict: bool,
}

/// How far the index can be believed.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    /// Whether it says what the files say.
    pub is_fresh: bool,
    /// Whether every file was read at least once.
    pub is_complete: bool,
    /// Whether it could not be brought up to date, for a reason among the notes.
    pub is_stuck: bool,
    /// If not complete, since when everything was.
    pub covered_since: Option<Timestamp>,
    /// What there is to say of it: why it is not fresh, what was set aside.
    pub notes: Vec<String>,
    /// What could not be read.
    pub troubles: Vec<Trouble>,
}

/// Who asks the index, once it is as good as it gets.
type Ask<'a, T> = dyn FnMut(Option<&Searcher>, &Freshness) -> Result<T, IndexError> + 'a;

/// More than this is not read before an answer is given.
const QUICK: u64 = 48 << 20;

/// How often an index of no use is tried again, and how long to wait for whoever
/// has it.
const MOST_TRIES: usize = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// How long to wait for the first of what another process makes.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Whether a file belongs to a root.
fn holds(root: &Root, path: &Path, session: Option<&str>) -> bool {
    let Some(transcript) = root.transcript() else { return path.starts_with(&root.path) };
    // One transcript: what is its session's, beside it or below.
    let id = transcript.file_stem().and_then(|stem| stem.to_str());
    let is_near = transcript.parent().is_some_and(|folder| path.starts_with(folder));
    path == transcript || (is_near && id.is_some() && session == id)
}

struct Watch<'p> {
    progress: &'p dyn Progress,
    /// Whoever waits for the end.
    is_over: Mutex<Option<Sender<()>>>,
}

impl Watch<'_> {
    fn tell(&self, waiting: Option<Sender<()>>) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }
}

impl IngestProgress for Watch<'_> {
    fn start(&self, bytes: u64) {
        self.progress.start(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.progress.advance(bytes);
    }
}

impl Library {
    /// The index, where there is a place for one.
    pub(crate) fn index(&self) -> Result<Index, IndexError> {
        let home = self.options.home.clone().map(Index::new);
        home.ok_or_else(|| {
            let text = "no place is known for the index: set HOME or ANNALS_HOME";
            IndexError::Other(text.to_owned())
        })
    }

    /// Brings the index up to date, whatever it takes.
    pub fn refresh_index(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Freshness, IndexError> {
        let options = IndexOptions { patience: Duration::MAX, ..options };
        self.with_sound_index(options, progress, &mut |_, freshness| Ok(freshness.clone()))
    }

    /// Brings the index up to date if there is one.
    pub fn refresh_index_if_any(&self, options: IndexOptions) -> Result<(), IndexError> {
        if self.options.no_index || self.index()?.searcher()?.is_none() {
            return Ok(());
        }
        self.refresh_index(options, &NoProgress).map(drop)
    }

    /// Looks for words. `answer` is called once, as soon as there is an answer;
    /// the index may be built on afterwards.
    pub fn search<T>(
        &self,
        index: IndexOptions,
        options: &SearchOptions<'_>,
        progress: &dyn Progress,
        answer: impl FnOnce(SearchAnswer, &Freshness) -> T,
    ) -> Result<T, IndexError> {
        let mut answer = Some(answer);
        self.with_sound_index(index, progress, &mut |searcher, freshness| {
            let found = match searcher {
                Some(searcher) => self.ask_index(searcher, options)?,
                None => SearchAnswer::default(),
            };
            let answer =
                answer.take().ok_or_else(|| IndexError::Other("asked twice".to_owned()))?;
            Ok(answer(found, freshness))
        })
    }

    /// Brings the index up to date and asks it. One that turns out to be of no use
    /// is put out of the way, and a new one asked.
    fn with_sound_index<T>(
        &self,
        options: IndexOptions,
        progress: &dyn Progress,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        let index = self.index()?;
        let mut notes = Vec::new();
        let mut tries = 0;
        loop {
            let identity = index.identity();
            let error = match self.with_index(&index, notes.clone(), options, progress, ask) {
                Err(error) if error.is_useless() && tries < MOST_TRIES => error,
                answered => return answered,
            };
            tries += 1;
            match index.set_aside(identity) {
                Ok(Some(aside)) => notes
                    .push(format!("{error}: it is now {}, and a new one is made", aside.display())),
                Ok(None) => {}
                // Whoever has it will do so, or did.
                Err(IndexError::Busy) => std::thread::sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
    }

    /// Brings the index up to date and asks it: afterwards if that is quick, in
    /// between if not.
    fn with_index<T>(
        &self,
        index: &Index,
        notes: Vec<String>,
        options: IndexOptions,
        progress: &dyn Progress,
        ask: &mut Ask<'_, T>,
    ) -> Result<T, IndexError> {
        let mut freshness = Freshness { notes, ..Freshness::default() };
        let searcher = index.searcher()?;
        let snapshot = match &searcher {
            Some(searcher) => self.file_snapshot(searcher)?,
            None => None,
        };
        let changed = snapshot.as_deref().and_then(snapshot::changed);
        if changed.as_ref().is_some_and(Vec::is_empty) {
            (freshness.is_fresh, freshness.is_complete) = (true, true);
            return ask(searcher.as_ref(), &freshness);
        }
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
                (TextSources { sources: sources.collect(), unlisted: Vec::new() }, None)
            }
            None => self.listed_sources(&known),
        };
        let TextSources { sources, unlisted } = found;
        let stale = freshness.judge(&sources, &known);
        let owns = |path: &Path| {
            self.owns(path) && !unlisted.iter().any(|trouble| path.starts_with(&trouble.path))
        };
        let shows_file = self.shows_indexed();
        let shows = |path: &Path, is_kept: bool| shows_file(path, None, is_kept);
        freshness.troubles.extend(unlisted.iter().cloned());
        let has_gone = has_gone(&sources, &known, owns);
        if stale.is_none() && !has_gone && searcher.is_some() {
            let answered = ask(searcher.as_ref(), &freshness)?;
            drop(searcher);
            // Next time it is quicker; if that cannot be had, it is as it was.
            if let Some(listing) = listing
                && let Ok(Some(ingest)) = index.ingest(options.memory)
            {
                let _ = ingest.remember(&listing, &sources, &shows);
            }
            return Ok(answered);
        }
        let ingest = match index.ingest(options.memory) {
            Ok(Some(ingest)) => ingest,
            Ok(None) => {
                freshness.note("another process is bringing the index up to date".to_owned());
                if known.is_empty() {
                    let searcher = awaited(index, options.patience.min(LONGEST_WAIT))?;
                    freshness.judge_all(&sources, searcher.as_ref())?;
                    return ask(searcher.as_ref(), &freshness);
                }
                return ask(searcher.as_ref(), &freshness);
            }
            // Without any, there is nothing to answer from.
            Err(error) if searcher.is_none() => return Err(error),
            Err(error) => {
                freshness.excuse(error)?;
                return ask(searcher.as_ref(), &freshness);
            }
        };
        drop(searcher);
        let is_quick = stale.unwrap_or_default() <= QUICK;
        let redactor = Arc::new(Redactor::new(Level::Standard, [0; 32]));
        let ingesting = IngestOptions {
            sources,
            is_part,
            files: self.all.clone(),
            owns: &owns,
            redactor,
            memory: options.memory,
            listing,
            shows: &shows,
        };
        let watch = Watch { progress, is_over: Mutex::new(None) };
        if (is_quick && !options.is_strict) || options.patience == Duration::MAX {
            let refreshed = ingest.run(&ingesting, &watch);
            progress.finish();
            freshness.end(refreshed)?;
            return ask(index.searcher()?.as_ref(), &freshness);
        }
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            watch.tell(Some(send));
            let building = scope.spawn(|| {
                let refreshed = ingest.run(&ingesting, &watch);
                // Whoever waits for it learns that it is over.
                watch.tell(None);
                refreshed
            });
            let is_over =
                receive.recv_timeout(options.patience) == Err(RecvTimeoutError::Disconnected);
            if is_over {
                progress.finish();
                freshness.end(joined(building)?)?;
                return ask(index.searcher()?.as_ref(), &freshness);
            }
            let searcher = index.searcher()?;
            freshness.judge_all(&ingesting.sources, searcher.as_ref())?;
            let answered = ask(searcher.as_ref(), &freshness);
            drop(searcher);
            let built = joined(building)?;
            progress.finish();
            let answered = answered?;
            // There is an answer; what went wrong behind it comes up again.
            drop(built);
            Ok(answered)
        })
    }

    /// Every file there is, by listing folders, and what is to be remembered of
    /// those.
    fn listed_sources(&self, known: &ByPath<'_>) -> (TextSources, Option<Listing>) {
        let key = self.listing_key();
        let notes = ListedFolders::default();
        let known_session = |path: &Path, stamp: &Stamp| {
            let file = known.get(path).filter(|file| file.stamp.as_ref() == Some(stamp))?;
            Some(file.session.clone())
        };
        let found = self.text_sources(&known_session, &notes);
        // What was looked for first may not be what it was in the end.
        let key = key.filter(|key| self.listing_key().as_ref() == Some(key));
        let listing = self.listing_of(key, &found, notes.take());
        (found, listing)
    }

    /// Which files of the index belong to what is looked in, by path, session and
    /// whether they are only kept.
    fn shows_indexed(&self) -> impl Fn(&Path, Option<&str>, bool) -> bool {
        let places: Vec<(&Root, bool)> = self
            .places(Tier::DiskAndArchive)
            .into_iter()
            .map(|(root, _)| (root, self.is_known_place(root)))
            .collect();
        move |path, session, is_kept| {
            !self.is_excluded(path, None)
                && places.iter().any(|(root, is_known)| {
                    // What is on disk was met by its other path.
                    holds(root, path, session) && (!is_known || is_kept)
                })
        }
    }

    /// Whether a file of the index that is not there any more is gone, and not
    /// merely not looked for.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        let own = self.roots.iter().filter(|root| root.transcript().is_none());
        let is_own = own.map(|root| root.path.as_path()).any(|place| path.starts_with(place));
        let home = self.options.home.as_deref();
        is_own || (!self.is_told_where() && home.is_some_and(|home| path.starts_with(home)))
    }
}

/// The index that another process has begun to make, as soon as there is something
/// in it.
fn awaited(index: &Index, patience: Duration) -> Result<Option<Searcher>, IndexError> {
    let begun = Instant::now();
    loop {
        let searcher = index.searcher()?;
        let is_ready = match &searcher {
            Some(searcher) => !searcher.files()?.is_empty(),
            None => false,
        };
        if is_ready || begun.elapsed() >= patience {
            return Ok(searcher);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether the index has files that are gone for good.
fn has_gone(sources: &[Source], known: &ByPath<'_>, owns: impl Fn(&Path) -> bool) -> bool {
    let there: HashSet<&Path> = sources.iter().map(|source| source.path.as_path()).collect();
    known.keys().any(|path| !there.contains(path) && owns(path))
}

fn joined(
    building: std::thread::ScopedJoinHandle<'_, Result<Refreshed, IndexError>>,
) -> Result<Result<Refreshed, IndexError>, IndexError> {
    building.join().map_err(|_| IndexError::Other("building it failed".to_owned()))
}

/// The files of an index, by their paths.
type ByPath<'s> = HashMap<&'s Path, &'s IndexedFile>;

/// Files of an index, and how those look now that changed.
type KnownFiles = (Vec<Arc<IndexedFile>>, Option<Changed>);

fn by_path(files: &[Arc<IndexedFile>]) -> ByPath<'_> {
    files.iter().map(|file| (file.path.as_path(), &**file)).collect()
}

/// The files of an index; if it is known which of them changed, those.
fn known_files(searcher: &Searcher, changed: Option<Changed>) -> Result<KnownFiles, IndexError> {
    if let Some(changed) = changed {
        let files = changed.iter().filter_map(|(id, _)| searcher.file(*id).transpose());
        let files = files.collect::<Result<Vec<_>, _>>()?;
        // What the index has not cannot be known to have changed.
        if files.len() == changed.len() {
            return Ok((files, Some(changed)));
        }
    }
    Ok((searcher.files()?.values().cloned().collect(), None))
}

impl Freshness {
    /// Judges what an index has of sources as it is.
    fn judge_all(
        &mut self,
        sources: &[Source],
        searcher: Option<&Searcher>,
    ) -> Result<(), IndexError> {
        let files = match searcher {
            Some(searcher) => known_files(searcher, None)?.0,
            None => Vec::new(),
        };
        self.judge(sources, &by_path(&files));
        Ok(())
    }

    /// Judges an index as it is. Returns how many bytes it has not seen, if any
    /// file is not as it was.
    fn judge(&mut self, sources: &[Source], known: &ByPath<'_>) -> Option<u64> {
        let mut stale = None;
        let mut missing = None;
        for source in sources {
            let file = known.get(source.path.as_path());
            if file.is_some_and(|file| file.is_of(source)) {
                continue;
            }
            let seen = file.and_then(|file| file.stamp).map_or(0, |stamp| stamp.bytes);
            *stale.get_or_insert(0) += source.stamp.bytes.saturating_sub(seen);
            if file.is_none_or(|file| file.stamp.is_none()) {
                missing = missing.max(Some(source.stamp.modified));
            }
        }
        self.is_fresh = stale.is_none();
        self.is_complete = missing.is_none();
        self.covered_since =
            missing.and_then(|modified| Timestamp::from_nanosecond(modified.into()).ok());
        stale
    }

    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// What cannot be written is no reason not to answer.
    fn excuse(&mut self, error: IndexError) -> Result<(), IndexError> {
        match error {
            IndexError::Unwritable(_) | IndexError::Full(_) | IndexError::Busy => {
                self.is_stuck = true;
                self.note(format!("the index could not be brought up to date: {error}"));
                Ok(())
            }
            error => Err(error),
        }
    }

    /// Notes how bringing it up to date ended.
    fn end(&mut self, refreshed: Result<Refreshed, IndexError>) -> Result<(), IndexError> {
        let refreshed = match refreshed {
            Ok(refreshed) => refreshed,
            Err(error) => return self.excuse(error),
        };
        self.is_fresh = refreshed.unread.is_empty();
        self.is_complete = true;
        self.covered_since = None;
        let unread = refreshed.unread.into_iter();
        self.troubles
            .extend(unread.map(|unread| Trouble { path: unread.path, reason: unread.reason }));
        Ok(())
    }
}
