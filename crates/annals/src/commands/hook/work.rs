//! Doing what hooks were told, in a process of its own.
//!
//! One process at a time does jobs. Whoever finds another one at it ends: the other
//! looks into the spool once more after it has given up the lock, so that no job is
//! left waiting that was put there while it ended.

use super::job::{Event, Job};
use super::{log, spool};
use crate::cli::GlobalArgs;
use crate::context::Context;
use crate::environment::Environment;
use archive::{NewlyArchived, Observer};
use jiff::SignedDuration;
use library::{Admitted, IndexWish, KeepWish, Kept};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is deleted within this span is kept when a session starts.
const SOON: SignedDuration = SignedDuration::from_hours(3 * 24);

/// How much memory bringing the index up to date may take.
const INDEX_MEMORY: usize = 64 << 20;

struct Silent;

impl Observer for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn kept(&self, _: &[NewlyArchived]) {}
}

/// Does what waits in the spool, and what is put there meanwhile.
pub(super) fn run(global: &GlobalArgs, environment: Environment) {
    let Ok(context) = Context::resolve(global, None, environment) else { return };
    let Ok(home) = context.data_home() else { return };
    if context.check_data_home().is_err() {
        return;
    }
    // What could not be done is tried again by the next process, not by this one.
    let mut tried = HashSet::new();
    loop {
        let Some(lock) = spool::lock(home) else { return };
        spool::clean(home);
        while let Some(waiting) = untried(home, &tried) {
            let later = work(&context, home, &waiting);
            tried.extend(waiting.into_iter().chain(later));
        }
        drop(lock);
        if untried(home, &tried).is_none() {
            break;
        }
    }
    // So that what was spent today is known to the status line. Whoever never
    // searched has none, and nobody waits for this one.
    let wish = IndexWish { memory: INDEX_MEMORY, patience: Duration::MAX, is_strict: false };
    let _ = context.library.refresh_index_if_any(wish);
}

fn untried(home: &Path, tried: &HashSet<PathBuf>) -> Option<Vec<PathBuf>> {
    let waiting = spool::jobs(home).into_iter().filter(|path| !tried.contains(path));
    Some(waiting.collect::<Vec<_>>()).filter(|waiting| !waiting.is_empty())
}

/// A job, with the sessions it is about.
struct Task<'p> {
    path: &'p Path,
    job: Job,
    /// The session itself, if it is there.
    own: Option<Admitted>,
    /// How many others are about to be deleted.
    expiring: usize,
}

/// Does some jobs, all at once: what they are about is often the same. Answers
/// which are to be tried again.
fn work(context: &Context, home: &Path, waiting: &[PathBuf]) -> Vec<PathBuf> {
    let began = Instant::now();
    let library = &context.library;
    let mut tasks = Vec::new();
    let mut sessions: Vec<Admitted> = Vec::new();
    let soon = OnceCell::new();
    for path in waiting {
        let Some(job) = spool::read(path).and_then(|bytes| Job::of_json(&bytes, library)) else {
            log::note(home, context.now, "-", "-", "refused: no job of ours", began.elapsed());
            spool::remove(path);
            continue;
        };
        let own = job.place.clone().filter(|place| place.exists);
        let elsewhere = || job.id.as_deref().and_then(|id| library.admit_session(id));
        let own = own.or_else(|| job.place.is_none().then(elsewhere).flatten());
        sessions.extend(own.clone());
        let mut expiring = 0;
        if job.event == Event::SessionStart {
            // Once for all jobs.
            let soon = soon.get_or_init(|| library.expiring_transcripts(context.now, SOON));
            expiring = soon.len();
            sessions.extend(soon.iter().cloned());
        }
        tasks.push(Task { path, job, own, expiring });
    }
    let mut seen = HashSet::new();
    sessions.retain(|session| seen.insert(session.transcript.clone()));
    let kept = keep(context, &library.files_to_keep(&sessions));
    let mut later = Vec::new();
    for task in tasks {
        let mut outcome = match &kept {
            Ok(kept) => task.told(kept),
            Err(error) => format!("not done: {error:#}"),
        };
        if let Ok(kept) = &kept {
            if task.is_unread(kept) {
                let again = spool::put_off(task.path);
                outcome.push_str(if again.is_some() { "; tried again" } else { "; given up" });
                later.extend(again);
            } else {
                spool::remove(task.path);
            }
        }
        let Job { event, .. } = task.job;
        let session = task.job.session_name();
        log::note(home, task.job.at, event.name(), session, &outcome, began.elapsed());
    }
    later
}

fn keep(context: &Context, files: &[PathBuf]) -> anyhow::Result<Kept> {
    if files.is_empty() {
        return Ok(Kept::default());
    }
    let max_age = context.max_age(None)?;
    let wish = KeepWish { now: context.now, only: Some(files), max_age };
    Ok(context.library.keep(wish, &Silent)?)
}

impl Task<'_> {
    /// Whether the session's own transcript could not be read.
    fn is_unread(&self, kept: &Kept) -> bool {
        // A store that is reached over a link has two names.
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let own = self.own.as_ref().map(|own| real(&own.transcript));
        kept.synced.troubles.iter().any(|(path, _)| own.as_deref() == Some(&*real(path)))
    }

    /// What came of it.
    fn told(&self, kept: &Kept) -> String {
        let synced = &kept.synced;
        let own = match self.own {
            None => "no transcript",
            // Excluded, forgotten on purpose, or too old.
            Some(_) if synced.files == 0 && synced.unwanted > 0 => "not wanted",
            Some(_) if self.is_unread(kept) => "not kept",
            Some(_) => "kept",
        };
        let mut outcome = own.to_owned();
        if self.expiring > 0 {
            let sessions = render::counted(self.expiring, "session");
            outcome.push_str(&format!(", with {sessions} about to be deleted"));
        }
        outcome.push_str(&format!(
            ": {} looked at, {} new",
            render::counted(synced.files, "file"),
            render::bytes(synced.new_bytes)
        ));
        if !synced.troubles.is_empty() {
            let troubles = render::counted(synced.troubles.len(), "file");
            outcome.push_str(&format!(", {troubles} could not be read"));
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_undone_only_if_its_own_transcript_could_not_be_read() {
        let own = |name: &str| Admitted {
            id: name.to_owned(),
            transcript: PathBuf::from("/nowhere").join(name),
            exists: true,
            config: None,
        };
        let mut kept = Kept::default();
        kept.synced.troubles.push((PathBuf::from("/nowhere/one"), "closed".to_owned()));
        let table = [
            (
                Some(own("one")),
                true,
                "not kept: 0 files looked at, 0 B new, 1 file could not be read",
            ),
            (Some(own("two")), false, "kept: 0 files looked at, 0 B new, 1 file could not be read"),
            (None, false, "no transcript: 0 files looked at, 0 B new, 1 file could not be read"),
        ];
        for (own, expected, told) in table {
            let at = jiff::Timestamp::UNIX_EPOCH;
            let job = Job { event: Event::SessionEnd, at, id: None, place: None };
            let task = Task { path: Path::new("/"), job, own, expiring: 0 };
            assert_eq!((task.is_unread(&kept), task.told(&kept).as_str()), (expected, told));
        }
    }
}
