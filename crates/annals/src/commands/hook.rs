//! `annals hook`: arguments, standard input, the time limit, and the answer on
//! standard output. What an event leads to is `integration::hook`'s.
//!
//! The process ends with exit 0 and in time, whatever happens: Claude Code waits
//! for it, and exit 2 would stop it from compacting.

use crate::cli::{GlobalArgs, Redact};
use crate::context::Context;
use crate::environment::Environment;
use crate::settings::Settings;
use crate::{data_home, standard_input};
use integration::hook::{self, HookContext, ReceivedEvent, WorkerCommand, WorkerContext};
use redact::Level;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Archive sessions from Claude Code's hooks
///
/// Reads hook input from standard input and exits at once with code 0 and no
/// output, even on failure; the work is done in the background. `SessionEnd`,
/// `PreCompact` and `SubagentStop` archive the session; `SessionStart` also archives
/// every session that Claude Code will delete within 3 days. The results are logged
/// in `log/hook.log` below `ANNALS_HOME`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// At `SessionStart`, give the agent the titles, prompts and plan names of the
    /// latest sessions of this project
    #[arg(long)]
    recall: bool,
    /// Exit after MS milliseconds, or as soon as the input is recorded
    #[arg(long, value_name = "MS", default_value_t = 45)]
    within: u64,
    /// Run the jobs in the spool
    #[arg(long, hide = true)]
    work: bool,
}

/// The time limit while the job is not yet in the spool.
const LONGEST: Duration = Duration::from_secs(2);

/// Runs the hook. It cannot fail.
pub(crate) fn run(args: &Args, global: &GlobalArgs, environment: Environment) {
    let began = Instant::now();
    // Claude Code must not see a failure, not even a panic.
    std::panic::set_hook(Box::new(|_| end()));
    let level = match global.redact {
        Some(Redact::Strict) => Level::Strict,
        Some(Redact::On | Redact::Off) | None => Level::Standard,
    };
    let global = GlobalArgs { redact: Some(Redact::Off), ..global.clone() };
    if args.work {
        work(&global, environment);
        return;
    }
    let within = Duration::from_millis(args.within.min(60_000));
    let is_pending = Arc::new(AtomicBool::new(false));
    let pending = Arc::clone(&is_pending);
    std::thread::spawn(move || {
        std::thread::sleep(within.saturating_sub(began.elapsed()));
        // On a machine so busy that the job is not in the spool yet, ending now would
        // lose a session.
        while pending.load(Ordering::Acquire) && began.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(5));
        }
        end();
    });
    // Some of the time is for what comes after reading.
    let bytes = standard_input::read(began + within * 2 / 3).bytes;
    is_pending.store(!bytes.is_empty(), Ordering::Release);
    let received = receive(&global, environment, &bytes, began);
    is_pending.store(false, Ordering::Release);
    let Some((context, event)) = received else { return };
    if !event.is_session_start() || !(args.recall || context.settings.configuration.hook.recall) {
        return;
    }
    let answer = hook_input(&context, began).and_then(|input| event.recall(&input, level));
    if let Some(answer) = answer {
        let mut out = std::io::stdout().lock();
        // So short a text goes into a pipe whole or not at all. The reader may be gone.
        let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    }
}

#[expect(clippy::disallowed_methods, reason = "a hook that does not end stops Claude Code")]
fn end() {
    std::process::exit(0);
}

/// Puts the job of an event into the spool.
fn receive(
    global: &GlobalArgs,
    environment: Environment,
    bytes: &[u8],
    began: Instant,
) -> Option<(Context, ReceivedEvent)> {
    // Nothing is written below a store, not even a line of the log.
    let store = environment.claude_config_dir.clone();
    let store = store.or_else(|| environment.home.as_ref().map(|home| home.join(".claude")));
    let is_outside = |home: &PathBuf| !store.is_some_and(|store| home.starts_with(store));
    let log_home = environment.data_home().filter(is_outside);
    // Nor into a folder of another user.
    let log_home = log_home.filter(|home| data_home::check_owner(home).is_ok());
    let now = environment.now.unwrap_or_else(jiff::Timestamp::now);
    let context = match Context::resolve(global, None, environment) {
        Ok(context) => context,
        Err(error) => {
            if let Some(home) = &log_home {
                hook::log_unusable_settings(home, now, began, &format!("{error:#}"));
            }
            return None;
        }
    };
    // A job below the demo store would be removed with it.
    if bytes.is_empty() || context.is_demo() || context.check_data_home().is_err() {
        return None;
    }
    let worker = WorkerCommand {
        program: context.settings.environment.executable.as_deref(),
        roots: &global.root,
        exclude: &global.exclude,
        claude_folder: context.settings.claude_folder.as_deref(),
    };
    let event = hook::receive(&hook_input(&context, began)?, bytes, &worker)?;
    Some((context, event))
}

fn hook_input(context: &Context, began: Instant) -> Option<HookContext<'_>> {
    let Settings { now, zone, .. } = &context.settings;
    let data_home = context.data_home().ok()?;
    Some(HookContext { library: &context.library, data_home, now: *now, zone, began })
}

/// Does the jobs of the spool, in the process that a hook started.
fn work(global: &GlobalArgs, environment: Environment) {
    let Ok(context) = Context::resolve(global, None, environment) else { return };
    let Ok(data_home) = context.data_home() else { return };
    if context.check_data_home().is_err() {
        return;
    }
    let has_ended = hook::work(&WorkerContext {
        library: &context.library,
        data_home,
        now: context.settings.now,
        max_age: context.settings.max_age(None).map_err(|error| format!("{error:#}")),
    });
    // Last, and without the lock of the spool: a push can take long or get no answer.
    super::lake::push_if_due(&context, has_ended);
}
