//! Which sessions can have a hit at all, decided from bytes before anything
//! else is known of them.
//!
//! Listing a session means reading its ends, which is wasted for a rare
//! pattern. If a pattern requires certain bytes, every text file is searched
//! for them first (`numbered`), up to the first possible hit, and only sessions
//! with one are listed. The result is the same as if the others had been
//! dropped from the list afterwards: a session may be kept without a hit, but
//! never dropped with one. An unreadable file counts as a possible hit, so that
//! the error is reported when it is listed or read.
//!
//! The hits found here are not remembered: they are searched for again, in
//! order.

use crate::catalog::filter::Filter;
use crate::lines::ReadError;
use crate::pattern::Prefilter;
use crate::progress::{Progress, StoppableReader};
use crate::search::Search;
use crate::search::grep::GrepOptions;
use crate::search::grep::file_search::candidates;
use crate::search::grep::numbered::{NumberedFile, NumberedFiles};
use crate::session::Session;
use crate::stores::Tier;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use store::{LineReader, Position};
use transcript::{Line, Role, parse_line};

/// The number of files, spread over all, that are searched first. If most of
/// them may hold hits, searching the rest is not worth it.
const SAMPLE: usize = 32;

/// The sessions that can have a hit.
struct Possible {
    ids: HashSet<String>,
    /// What could not be listed.
    read_errors: Vec<ReadError>,
}

impl Search {
    /// The sessions to search, newest first, those of which only agents are
    /// left last; and what could not be listed. Some that cannot have a hit are
    /// left out.
    pub fn sessions_to_grep(
        &self,
        search: &GrepOptions<'_>,
        progress: &dyn Progress,
    ) -> (Vec<Session>, Vec<ReadError>) {
        let list = match self.possible(search, progress) {
            Some(Possible { ids, read_errors }) if ids.is_empty() => {
                return (Vec::new(), read_errors);
            }
            Some(Possible { ids, .. }) => self.catalog.list_only(Tier::DiskAndArchive, ids),
            None => self.catalog.all_sessions(),
        };
        let left = self.catalog.sessions_without_transcript(&list);
        // A session may continue after the text was written.
        let timeless = Filter { since: None, until: None, ..search.filter.clone() };
        let sessions = list.sessions.into_iter().chain(left);
        (sessions.filter(|session| timeless.admits(session)).collect(), list.read_errors)
    }
}

impl Search {
    /// The sessions that can have a hit; `None` if this was not computed, or
    /// most can.
    fn possible(&self, search: &GrepOptions<'_>, progress: &dyn Progress) -> Option<Possible> {
        let prefilter = search.pattern.prefilter(self.stores.redactor.is_some())?;
        if !self.is_decided_by_bytes(search) {
            return None;
        }
        let NumberedFiles { files, sessions, read_errors } = self.numbered_files(search);
        progress.start(files.iter().map(|file| file.bytes).sum());
        let order = order(&files);
        let is_possible: Vec<AtomicBool> =
            sessions.iter().map(|_| AtomicBool::new(false)).collect();
        let (begun, met) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let is_common = || met.load(Ordering::Relaxed) > SAMPLE / 2;
        let look = || {
            let mut reader = LineReader::default();
            loop {
                let turn = begun.fetch_add(1, Ordering::Relaxed);
                let Some(number) = order.get(turn).filter(|_| !is_common()) else { break };
                let file = &files[*number];
                if progress.is_late() {
                    progress.leave_out();
                    continue;
                }
                let is_known = &is_possible[file.session];
                if !is_known.load(Ordering::Relaxed)
                    && self.may_hold(file, search, prefilter, &mut reader, progress).unwrap_or(true)
                {
                    is_known.store(true, Ordering::Relaxed);
                }
                if turn < SAMPLE && is_known.load(Ordering::Relaxed) {
                    met.fetch_add(1, Ordering::Relaxed);
                }
                progress.advance(file.bytes);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..rayon::current_num_threads().min(order.len()) {
                scope.spawn(look);
            }
            look();
        });
        progress.finish();
        let found = sessions.into_iter().zip(is_possible);
        let ids = found.filter_map(|(id, is_possible)| is_possible.into_inner().then_some(id));
        let ids = ids.collect();
        (!is_common()).then_some(Possible { ids, read_errors })
    }

    /// Whether bytes alone show that a session has no hit, and it is worth
    /// searching them.
    fn is_decided_by_bytes(&self, search: &GrepOptions<'_>) -> bool {
        // If few sessions are selected, the others need not be read at all.
        let filter = search.filter;
        let is_narrow =
            filter.project.is_some() || filter.branch.is_some() || filter.session.is_some();
        let is_single = self.stores.roots.iter().any(|root| root.transcript().is_some());
        // Excluded files must not be opened for this, and only metadata shows
        // what is excluded.
        let is_free = self.stores.options.exclude.is_empty();
        // Any session may be the owner of a plan.
        let is_without_plans = || !search.wants(Role::Plan) || !self.may_be_in_plans(search);
        !is_narrow && !is_single && is_free && search.wants_transcripts() && is_without_plans()
    }

    /// Whether any plan may hold a hit.
    fn may_be_in_plans(&self, search: &GrepOptions<'_>) -> bool {
        let plans = self.catalog.plan_sources(Tier::DiskAndArchive).into_iter();
        let mut wanted = plans.filter(|plan| search.filter.admits_time(Some(plan.modified)));
        wanted.any(|plan| self.may_be_text(&plan.path, search).unwrap_or(true))
    }

    /// Whether a plain text file holds a hit.
    fn may_be_text(&self, path: &Path, search: &GrepOptions<'_>) -> io::Result<bool> {
        let (text, _) = self.stores.all.open(path)?.read_beginning()?;
        Ok(search.pattern.is_match(&self.redaction.masking_of(path).text(text)))
    }

    /// Whether a file may hold a hit.
    fn may_hold(
        &self,
        file: &NumberedFile,
        search: &GrepOptions<'_>,
        prefilter: &Prefilter,
        reader: &mut LineReader,
        progress: &dyn Progress,
    ) -> io::Result<bool> {
        if file.is_plain {
            return self.may_be_text(&file.path, search);
        }
        let opened = self.stores.all.open(&file.path)?;
        let (bytes, mut read) = (opened.stat().bytes, 0);
        // If reading is stopped, the search leaves the file out and counts it.
        let mut opened = StoppableReader::new(opened, progress);
        let is_found = reader.any_batch(&mut opened, |batch| {
            read += batch.len() as u64;
            // Most escapes are of other characters: their few lines are decoded
            // at once.
            prefilter.finds_plainly(batch)
                || (prefilter.finds_escaped(batch)
                    && self.is_in_lines(&file.path, batch, search, prefilter))
        })?;
        // A file that shrinks meanwhile is reported when it is read again.
        Ok(is_found || read < bytes)
    }

    /// Whether the text of any line matches.
    fn is_in_lines(
        &self,
        path: &Path,
        batch: &[u8],
        search: &GrepOptions<'_>,
        prefilter: &Prefilter,
    ) -> bool {
        let masking = OnceCell::new();
        let mut is_found = false;
        candidates(batch, Position::START, prefilter, &mut |line| {
            let bytes = &*masking.get_or_init(|| self.redaction.masking_of(path)).line(line.bytes);
            is_found |= parse_line(Line { bytes, ..line }).any(|entry| {
                let pieces = transcript::text::of_record(&entry.record);
                pieces.iter().any(|piece| search.pattern.is_match(&piece.text))
            });
        });
        is_found
    }
}

/// A sample of files first, then the largest, so that no thread is left with
/// one at the end.
fn order(files: &[NumberedFile]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    let is_sampled = |number: usize| {
        let step = files.len().div_ceil(SAMPLE).max(1);
        number.is_multiple_of(step)
    };
    order.sort_by_key(|number| (!is_sampled(*number), Reverse(files[*number].bytes)));
    order
}
