//! `annals watch`: follow sessions live.
//!
//! The library derives the events; this module waits for changes and prints them.

mod lanes;
mod screen;
mod shown;
mod signals;

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use document::WatchEventDocument;
use library::Library;
use library::apps::App;
use library::session::{Presence, Session};
use library::watch::{Event, EventKind, Follower, WatchScope};
use screen::Screen;
use shown::Shown;
use signals::Signals;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;
use store::{Debounce, Watch, WatchedChange};

/// Follow sessions live
///
/// Shows prompts, answers and tool calls as they happen, for the session and its
/// sub-agents, each in its own lane, with tokens, cost and context usage below.
/// Without SESSION: the running sessions of this project, or the one written last,
/// and every session that starts. Ctrl-C exits. With `--json` or `--jsonl`, prints
/// one event per line. A session of another app is followed by its name, with the sub-agents
/// that it has by then; one of OpenCode cannot be.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: Option<String>,
    /// Follow all projects
    #[arg(long, conflicts_with = "session")]
    all: bool,
    /// Start with the last N turns [default: 2; with JSON, none]
    #[arg(long, value_name = "N", conflicts_with = "from_start")]
    last: Option<usize>,
    /// Start with everything so far, including sub-agents
    #[arg(long)]
    from_start: bool,
    /// Do not shorten texts
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    if args.session.is_some() {
        // Without a store there is no session to find.
        context.check_roots()?;
    }
    let signals = Signals::new()?;
    let opened = match await_store(context, &signals) {
        Awaited::There => None,
        Awaited::Appeared(library) => Some(library),
        Awaited::Stopped => return Ok(()),
    };
    let library = opened.as_deref().unwrap_or(&context.library);
    let scope = scope(context, library, args)?;
    let mut follower = library.watch().follow(scope);
    // Before anything is read, so that no change in between is missed.
    let (mut watch, mut missing) = watching(&follower);
    signals.wake(watch.waker())?;
    let mut printer = EventPrinter::new(context, args);
    printer.begin(follower.begin())?;
    if !follower.is_following() && !signals.are_to_stop() {
        notice(
            "annals: no session is active in this project; waiting for one (^C to stop, --all to follow every project)",
        );
    }
    while !signals.are_to_stop() {
        if signals.is_resized() {
            printer.resized()?;
        }
        let changed = watch.wait(follower.time_to_next_check());
        let mut events = match changed {
            WatchedChange::Nothing => {
                let mut gone = gone(&follower);
                gone.retain(|folder| !missing.contains(folder));
                missing.append(&mut gone);
                follower.check_missed()
            }
            changed => follower.changed(&changed),
        };
        let appeared = missing.extract_if(.., |folder| watch.add(folder)).count();
        if appeared > 0 {
            events.extend(follower.changed(&WatchedChange::Anything));
        }
        printer.print(&events)?;
    }
    printer.end()
}

/// Whether a store exists.
enum Awaited {
    There,
    Appeared(Box<Library>),
    Stopped,
}

/// Waits for a store if there is none yet: Claude Code may have just been
/// installed.
fn await_store(context: &Context, signals: &Signals) -> Awaited {
    const LOOK: Duration = Duration::from_millis(300);
    if context.check_roots().is_ok() {
        return Awaited::There;
    }
    let unusable = context.library.health().unusable_roots();
    let reasons: Vec<String> = unusable.iter().map(ToString::to_string).collect();
    notice(&format!("annals: no Claude Code data found yet: {}; waiting", reasons.join("; ")));
    while !signals.are_to_stop() {
        if unusable.iter().any(|error| error.path.exists()) {
            return Awaited::Appeared(Box::new(context.library.reopened()));
        }
        std::thread::sleep(LOOK);
    }
    Awaited::Stopped
}

fn scope(context: &Context, library: &Library, args: &Args) -> anyhow::Result<WatchScope> {
    let Some(name) = &args.session else {
        if library.catalog().roots().is_empty() {
            let message = "annals watch follows a session of another app by its name\nhint: `@` is the one written last";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        return Ok(if args.all {
            WatchScope::All
        } else {
            WatchScope::Project(library.catalog().project_scope(&context.settings.here, false))
        });
    };
    let session = context.find(name)?.session;
    if session.app() == App::OpenCode {
        let message = format!(
            "annals watch cannot follow OpenCode, which does not append to files\nhint: `annals show {}` shows the session as it is now",
            session.id
        );
        return Err(CliError::Misuse(message).into());
    }
    if session.presence == Presence::Unknown {
        let message = format!(
            "it is unknown whether {} is on disk: annals doctor names what cannot be read",
            session.id
        );
        return Err(CliError::NotFound(message).into());
    }
    if session.presence != Presence::Disk {
        let message = format!(
            "the transcript of {} has been deleted: there is nothing to follow",
            session.id
        );
        return Err(CliError::NotFound(message).into());
    }
    Ok(WatchScope::Session(Box::new(session)))
}

/// A watch over the relevant folders, and those of them that do not exist.
fn watching(follower: &Follower<'_>) -> (Watch, Vec<PathBuf>) {
    let (mut whole, names) = follower.folders();
    let mut watch = Watch::new(&[]).with_debounce(Debounce::PROMPT);
    whole.retain(|folder| !watch.add(folder));
    if !whole.is_empty() {
        for folder in &names {
            watch.add_names(folder);
        }
    }
    if let Some(sentence) = watch.polling_notice() {
        notice(&format!("annals: {sentence}"));
    }
    (watch, whole)
}

/// The relevant folders that do not exist.
fn gone(follower: &Follower<'_>) -> Vec<PathBuf> {
    let (whole, _) = follower.folders();
    whole.into_iter().filter(|folder| !folder.is_dir()).collect()
}

/// Prints events in the requested format.
struct EventPrinter<'c> {
    context: &'c Context,
    screen: Screen<'c>,
    /// The rendering for people; `None` for programs.
    shown: Option<Shown<'c>>,
    /// How many past turns are shown; `None` for all.
    last: Option<usize>,
}

impl<'c> EventPrinter<'c> {
    fn new(context: &'c Context, args: &Args) -> Self {
        let is_text = context.output.format == Format::Text;
        let last = args.last.unwrap_or(if is_text { 2 } else { 0 });
        EventPrinter {
            context,
            screen: Screen::new(&context.output),
            shown: is_text.then(|| Shown::new(context, args.full)),
            last: (!args.from_start).then_some(last),
        }
    }

    /// Prints past events, or the last of them.
    fn begin(&mut self, mut events: Vec<Event>) -> anyhow::Result<()> {
        if let Some(last) = self.last {
            leave_out_past(&mut events, last);
        }
        self.print(&events)
    }

    fn print(&mut self, events: &[Event]) -> anyhow::Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        if let Some(shown) = &mut self.shown {
            let text = shown.text_of(events);
            return self.screen.lines(&self.context.output.masked_text(&text), &shown.status());
        }
        let mut text = String::new();
        for event in events {
            let marks = |session: &Session| self.context.mark_documents(&session.id);
            let row = render::json::row(&WatchEventDocument::new(event, marks))?;
            text += &self.context.output.safe_json(&row);
        }
        self.screen.lines(&text, "")
    }

    fn resized(&mut self) -> anyhow::Result<()> {
        let status = self.shown.as_ref().map(Shown::status).unwrap_or_default();
        self.screen.resized(&status)
    }

    /// Leaves the figures as the last line.
    fn end(self) -> anyhow::Result<()> {
        let status = self.shown.as_ref().map(Shown::status).unwrap_or_default();
        self.screen.end(&status)
    }
}

/// Drops past events except the last turns of each session, and all events of
/// sub-agents.
fn leave_out_past(events: &mut Vec<Event>, turns: usize) {
    let is_shown = |event: &Event| {
        event.is_past
            && matches!(
                event.what,
                EventKind::Message(_) | EventKind::CallStarted(_) | EventKind::CallEnded(_)
            )
    };
    // The first event that is shown, by session.
    let mut prompts: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, event) in events.iter().enumerate() {
        if let EventKind::Message(message) = &event.what
            && event.agent_id.is_none()
            && is_shown(event)
            && message.record().is_some_and(|record| {
                message.is_queued || transcript::prompt::typed_prompt(&record).is_some()
            })
        {
            prompts.entry(event.session_id.clone()).or_default().push(place);
        }
    }
    let mut place = 0;
    events.retain(|event| {
        let own = place;
        place += 1;
        if !is_shown(event) {
            return true;
        }
        let prompts = prompts.get(&event.session_id).map(Vec::as_slice).unwrap_or_default();
        let first = prompts.len().checked_sub(turns).map_or(Some(&0), |from| prompts.get(from));
        event.agent_id.is_none() && first.is_some_and(|first| own >= *first)
    });
}
