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
use archive::{NewlyKept, Observer};
use jiff::SignedDuration;
use library::{Admitted, KeepWish, Kept};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is deleted within this span is kept when a session starts.
const SOON: SignedDuration = SignedDuration::from_hours(3 * 24);

struct Silent;

impl Observer for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn kept(&self, _: &[NewlyKept]) {}
}

/// Does what waits in the spool, and what is put there meanwhile.
pub(super) fn run(global: &GlobalArgs, environment: Environment) {
    // Away from the terminal and the process that started it: neither ends this.
    let _ = rustix::process::setsid();
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
            tried.extend(waiting.iter().cloned());
            work(&context, home, &waiting);
        }
        drop(lock);
        if untried(home, &tried).is_none() {
            return;
        }
    }
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

/// Does some jobs, all at once: what they are about is often the same.
fn work(context: &Context, home: &Path, waiting: &[PathBuf]) {
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
    for task in tasks {
        let outcome = match &kept {
            Ok(kept) => task.told(kept),
            Err(error) => format!("not done: {error:#}"),
        };
        let Job { event, .. } = task.job;
        let session = task.job.session_name();
        log::note(home, task.job.at, event.name(), session, &outcome, began.elapsed());
        if kept.is_ok() {
            spool::remove(task.path);
        }
    }
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
    /// What came of it.
    fn told(&self, kept: &Kept) -> String {
        let synced = &kept.synced;
        let own = match self.own {
            None => "no transcript",
            // Excluded, forgotten on purpose, or too old.
            Some(_) if synced.files == 0 && synced.unwanted > 0 => "not wanted",
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
