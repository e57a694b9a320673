//! `annals hook`: what Claude Code tells at its events, answered at once and done
//! afterwards.
//!
//! The process that Claude Code waits for reads what it is told, checks it, puts a
//! job into the spool, starts another process and ends, well and in time whatever
//! happens: an exit of 2 would stop the app from compacting. The other process does
//! the job ([`work`]).

mod job;
mod log;
mod recall;
mod spool;
mod work;

use crate::cli::{GlobalArgs, Redact};
use crate::context::Context;
use crate::environment::Environment;
use crate::told_input;
use job::Job;
use redact::Level;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Keep sessions as they end, for Claude Code's hooks
///
/// Reads what Claude Code tells a hook on its standard input and ends at once, with
/// exit 0 and without a word, whatever happens; what there is to do is done in the
/// background. At `SessionEnd`, `PreCompact` and `SubagentStop` the session is kept
/// in the archive, at `SessionStart` also every session that Claude Code would
/// delete within three days. What was done stands in `log/hook.log`, below
/// `ANNALS_HOME`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// At `SessionStart`, tell the agent what the latest sessions of this project
    /// were about: titles, typed prompts and names of plans
    #[arg(long)]
    recall: bool,
    /// End after so many milliseconds, or as soon as what was told is noted
    #[arg(long, value_name = "MS", default_value_t = 45)]
    within: u64,
    /// Do what waits in the spool
    #[arg(long, hide = true)]
    work: bool,
}

/// A hook whose job is not in the spool is not given longer than this.
const LONGEST: Duration = Duration::from_secs(2);

/// Runs the hook. There is no way for it to fail.
pub(crate) fn run(args: &Args, global: &GlobalArgs, environment: Environment) {
    let began = Instant::now();
    // Nothing is to be seen of what goes wrong, not even of a mistake in here.
    std::panic::set_hook(Box::new(|_| end()));
    let level = match global.redact {
        Some(Redact::Strict) => Level::Strict,
        Some(Redact::On | Redact::Off) | None => Level::Standard,
    };
    let global = GlobalArgs { redact: Some(Redact::Off), ..global.clone() };
    if args.work {
        work::run(&global, environment);
        return;
    }
    let within = Duration::from_millis(args.within.min(60_000));
    let is_pending = Arc::new(AtomicBool::new(false));
    let pending = Arc::clone(&is_pending);
    std::thread::spawn(move || {
        std::thread::sleep(within.saturating_sub(began.elapsed()));
        // On a machine so busy that what was told is not in the spool yet, ending
        // now would lose a session.
        while pending.load(Ordering::Acquire) && began.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(5));
        }
        end();
    });
    let taking = Taking { level, began, within, is_pending: &is_pending };
    if let Some(answer) = take(args, &global, environment, &taking) {
        let mut out = std::io::stdout().lock();
        // So short a piece goes into a pipe as a whole or not at all. Nobody may be
        // listening any more.
        let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    }
}

#[expect(clippy::disallowed_methods, reason = "a hook that does not end stops Claude Code")]
fn end() {
    std::process::exit(0);
}

/// How a hook is taken.
struct Taking<'t> {
    /// How much is masked in what the agent is told.
    level: Level,
    began: Instant,
    within: Duration,
    /// Whether something was told that is not in the spool yet.
    is_pending: &'t AtomicBool,
}

/// Takes what is told. Answers what the agent is told.
fn take(
    args: &Args,
    global: &GlobalArgs,
    environment: Environment,
    taking: &Taking<'_>,
) -> Option<String> {
    let began = taking.began;
    // Some of the time is for what comes after.
    let bytes = told_input::read(began + taking.within * 2 / 3);
    taking.is_pending.store(!bytes.is_empty(), Ordering::Release);
    // Nothing is written below a store, not even that something went wrong.
    let store = environment.claude_config_dir.clone();
    let store = store.or_else(|| environment.home.as_ref().map(|home| home.join(".claude")));
    let is_outside = |home: &PathBuf| !store.is_some_and(|store| home.starts_with(store));
    let home = environment.data_home().filter(is_outside);
    let now = environment.now.unwrap_or_else(jiff::Timestamp::now);
    let refuse = |event: &str, session: &str, why: &str| {
        if let Some(home) = &home {
            log::note(home, now, event, session, why, began.elapsed());
        }
    };
    let context = match Context::resolve(global, None, environment) {
        Ok(context) => context,
        Err(error) => {
            refuse("-", "-", &format!("not done: {error:#}"));
            return None;
        }
    };
    let home = context.data_home().ok()?;
    // What is put below the made-up store would go with it.
    if bytes.is_empty() || context.is_demo() || context.check_data_home().is_err() {
        return None;
    }
    let Some(told) = told_input::object(&bytes) else {
        refuse("-", "-", "refused: what was told is no JSON object");
        return None;
    };
    let job = match Job::of_told(&told, &context.library, now) {
        Ok(Some(job)) => job,
        // An event that is nothing to us.
        Ok(None) => return None,
        Err(refusal) => {
            refuse(refusal.event, "-", &format!("refused: {}", refusal.why));
            return None;
        }
    };
    let spooled = spool::put(home, &job).map_err(|error| format!("not done: {error}"));
    let started = spooled.and_then(|()| {
        // What waits in the spool is found by the next one.
        start_work(global, &context, home).map_err(|error| format!("put off: {error}"))
    });
    if let Err(why) = started {
        refuse(job.event.name(), job.session_name(), &why);
    }
    taking.is_pending.store(false, Ordering::Release);
    let wants_recall =
        job.event == job::Event::SessionStart && (args.recall || context.hook.recall);
    wants_recall.then(|| recall::answer(&context, &job, &told, taking.level)).flatten()
}

/// Starts the process that does the jobs. It is on its own: nothing it does, and
/// nothing that is done to this one, matters to the other.
fn start_work(global: &GlobalArgs, context: &Context, home: &Path) -> io::Result<()> {
    let mut command = Command::new(program()?);
    command.args(["hook", "--work"]).current_dir("/").env("ANNALS_HOME", home);
    // It is in another folder: what is meant from here is said in full.
    let in_full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for root in &global.root {
        command.arg("--root").arg(in_full(root));
    }
    if let Some(folder) = context.claude_folder.as_deref().filter(|folder| folder.is_relative()) {
        command.env("CLAUDE_CONFIG_DIR", in_full(folder));
    }
    for pattern in &global.exclude {
        command.arg("--exclude").arg(pattern);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // From its beginning in a group of its own: whoever ends a hook ends the group
    // it is in, and a terminal that is closed ends the one in front.
    command.process_group(0).spawn().map(drop)
}

/// The program that runs. One that was replaced while it ran lies where it lay, and
/// Linux says of it that it is deleted.
fn program() -> io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    let before = running.as_os_str().as_bytes().strip_suffix(b" (deleted)");
    let before = before.map(|path| PathBuf::from(OsStr::from_bytes(path)));
    Ok(before.filter(|_| !running.exists()).unwrap_or(running))
}
