//! The worker: runs the jobs of the spool, in a separate process.
//!
//! One worker runs at a time; a second one exits at once. The first checks the spool
//! once more after it releases the lock, so that a job that arrives while it exits is
//! not left waiting.

use super::job::{Event, Job};
use super::{log, spool};
use jiff::{SignedDuration, Timestamp};
use library::Library;
use library::archive::{ArchiveError, SyncOptions, SyncReport};
use library::catalog::HookTranscript;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// When a session starts, sessions that Claude Code deletes within this span are
/// archived.
const SOON: SignedDuration = SignedDuration::from_hours(3 * 24);

/// How much memory the update of the index may take.
const INDEX_MEMORY: usize = 64 << 20;

/// The context of the worker.
#[derive(Clone, Debug)]
pub struct WorkerContext<'i> {
    /// The stores; their text is not masked.
    pub library: &'i Library,
    /// The data folder of annals, outside of every store.
    pub data_home: &'i Path,
    /// The time of the run.
    pub now: Timestamp,
    /// The age beyond which sessions are not archived, or why it is unusable.
    pub max_age: Result<Option<SignedDuration>, String>,
}

/// Runs the jobs in the spool, and those that arrive meanwhile. Returns whether a session
/// has ended.
pub fn work(input: &WorkerContext<'_>) -> bool {
    let home = input.data_home;
    // A job that failed is tried again by the next worker, not by this one.
    let mut tried = HashSet::new();
    let mut has_ended = false;
    loop {
        let Some(lock) = spool::lock(home) else { return has_ended };
        spool::clean(home);
        while let Some(waiting) = untried(home, &tried) {
            let later = do_jobs(input, &waiting, &mut has_ended);
            tried.extend(waiting.into_iter().chain(later));
        }
        drop(lock);
        if untried(home, &tried).is_none() {
            break;
        }
    }
    // The status line shows today's cost from the index. Without a first search
    // there is no index to update. No other process waits for this one.
    let options = IndexOptions { memory: INDEX_MEMORY, wait: IndexWait::UntilWhole };
    let _ = input.library.search().refresh_index_if_any(options);
    has_ended
}

fn untried(home: &Path, tried: &HashSet<PathBuf>) -> Option<Vec<PathBuf>> {
    let waiting = spool::jobs(home).into_iter().filter(|path| !tried.contains(path));
    Some(waiting.collect::<Vec<_>>()).filter(|waiting| !waiting.is_empty())
}

/// A job, with the sessions it is about.
struct Task<'p> {
    path: &'p Path,
    job: Job,
    /// The transcript of the session, if it exists.
    own: Option<HookTranscript>,
    /// How many other sessions are about to be deleted.
    expiring: usize,
}

/// Runs several jobs at once, because they often name the same session. Returns the
/// jobs to try again.
fn do_jobs(input: &WorkerContext<'_>, waiting: &[PathBuf], has_ended: &mut bool) -> Vec<PathBuf> {
    let began = Instant::now();
    let WorkerContext { library, data_home: home, now, .. } = *input;
    let mut tasks = Vec::new();
    let mut sessions: Vec<HookTranscript> = Vec::new();
    let soon = OnceCell::new();
    for path in waiting {
        let Some(job) = spool::read(path).and_then(|bytes| Job::from_json(&bytes, library)) else {
            log::append(home, now, "-", "-", "refused: not a valid job", began.elapsed());
            spool::remove(path);
            continue;
        };
        *has_ended |= job.event == Event::SessionEnd;
        let own = job.transcript.clone().filter(|transcript| transcript.exists);
        let elsewhere =
            || job.id.as_deref().and_then(|id| library.catalog().hook_transcript_of(id));
        let own = own.or_else(|| job.transcript.is_none().then(elsewhere).flatten());
        sessions.extend(own.clone());
        let mut expiring = 0;
        if job.event == Event::SessionStart {
            // Once for all jobs.
            let soon = soon.get_or_init(|| library.catalog().expiring_transcripts(now, SOON));
            expiring = soon.len();
            sessions.extend(soon.iter().cloned());
        }
        tasks.push(Task { path, job, own, expiring });
    }
    let mut seen = HashSet::new();
    sessions.retain(|session| seen.insert(session.transcript.clone()));
    let report = archive_files(input, &library.catalog().files_to_archive(&sessions));
    let mut later = Vec::new();
    for task in tasks {
        let mut outcome = match &report {
            Ok(report) => task.outcome(report),
            Err(reason) => format!("failed: {reason}"),
        };
        if let Ok(report) = &report {
            if task.is_unread(report) {
                let again = spool::put_off(task.path);
                outcome.push_str(if again.is_some() { "; will retry" } else { "; gave up" });
                later.extend(again);
            } else {
                spool::remove(task.path);
            }
        }
        let Job { event, .. } = task.job;
        let session = task.job.session_name();
        log::append(home, task.job.at, event.name(), session, &outcome, began.elapsed());
    }
    later
}

fn archive_files(input: &WorkerContext<'_>, files: &[PathBuf]) -> Result<SyncReport, String> {
    if files.is_empty() {
        return Ok(SyncReport::default());
    }
    let max_age = input.max_age.clone()?;
    let options = SyncOptions { now: input.now, only: Some(files), max_age };
    input.library.actions().sync(options, &NoProgress, &|_| {}).map_err(|error| with_causes(&error))
}

/// An error with its causes, in one line.
fn with_causes(error: &ArchiveError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

impl Task<'_> {
    /// Whether the session's own transcript could not be read.
    fn is_unread(&self, report: &SyncReport) -> bool {
        // A store that is reached through a link has two paths.
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let own = self.own.as_ref().map(|own| real(&own.transcript));
        report.synced.read_errors.iter().any(|(path, _)| own.as_deref() == Some(&*real(path)))
    }

    /// The outcome, for the log.
    fn outcome(&self, report: &SyncReport) -> String {
        let synced = &report.synced;
        let own = match self.own {
            None => "no transcript",
            // Excluded, deleted with `forget`, or too old.
            Some(_) if synced.files == 0 && synced.unwanted > 0 => "skipped",
            Some(_) if self.is_unread(report) => "not archived",
            Some(_) => "archived",
        };
        let mut outcome = own.to_owned();
        if self.expiring > 0 {
            let sessions = render::counted(self.expiring, "session");
            outcome.push_str(&format!(", plus {sessions} about to be deleted"));
        }
        outcome.push_str(&format!(
            ": {} checked, {} new",
            render::counted(synced.files, "file"),
            render::bytes(synced.new_bytes)
        ));
        if !synced.read_errors.is_empty() {
            let read_errors = render::counted(synced.read_errors.len(), "file");
            outcome.push_str(&format!(", {read_errors} could not be read"));
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_fails_only_if_its_own_transcript_is_unreadable() {
        let own = |name: &str| HookTranscript {
            id: name.to_owned(),
            transcript: PathBuf::from("/nowhere").join(name),
            exists: true,
            config: None,
        };
        let mut report = SyncReport::default();
        report.synced.read_errors.push((PathBuf::from("/nowhere/one"), "closed".to_owned()));
        let table = [
            (
                Some(own("one")),
                true,
                "not archived: 0 files checked, 0 B new, 1 file could not be read",
            ),
            (
                Some(own("two")),
                false,
                "archived: 0 files checked, 0 B new, 1 file could not be read",
            ),
            (None, false, "no transcript: 0 files checked, 0 B new, 1 file could not be read"),
        ];
        for (own, expected, outcome) in table {
            let at = jiff::Timestamp::UNIX_EPOCH;
            let job = Job { event: Event::SessionEnd, at, id: None, transcript: None };
            let task = Task { path: Path::new("/"), job, own, expiring: 0 };
            assert_eq!(
                (task.is_unread(&report), task.outcome(&report).as_str()),
                (expected, outcome)
            );
        }
    }
}
