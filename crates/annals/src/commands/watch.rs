//! `annals watch`: looking on.
//!
//! What happens is worked out by the library; here is waited, and told.

mod lanes;
mod screen;
mod shown;
mod signals;

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use document::WatchEventDocument;
use library::{Event, EventKind, Follower, Library, Presence, Session, WatchScope};
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
/// one event per line.
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
    if context.output.format == Format::Csv {
        let message = "annals watch does not support --csv\nhint: use --jsonl";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    if args.session.is_some() {
        // What is not there goes by no name.
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
    // Before anything is read: what changes meanwhile is told.
    let (mut watch, mut missing) = watching(&follower);
    signals.wake(watch.waker())?;
    let mut teller = Teller::new(context, args);
    teller.begin(follower.begin())?;
    if !follower.is_following() && !signals.are_to_stop() {
        notice(
            "annals: no session is active in this project; waiting for one (^C to stop, --all to follow every project)",
        );
    }
    while !signals.are_to_stop() {
        if signals.is_resized() {
            teller.resized()?;
        }
        let changed = watch.wait(follower.patience());
        let mut events = match changed {
            WatchedChange::Nothing => {
                let mut gone = gone(&follower);
                gone.retain(|folder| !missing.contains(folder));
                missing.append(&mut gone);
                follower.look_again()
            }
            changed => follower.changed(&changed),
        };
        let appeared = missing.extract_if(.., |folder| watch.add(folder)).count();
        if appeared > 0 {
            events.extend(follower.changed(&WatchedChange::Anything));
        }
        teller.tell(&events)?;
    }
    teller.end()
}

/// Whether there is a store to look on in.
enum Awaited {
    There,
    Appeared(Box<Library>),
    Stopped,
}

/// Waits for a store, if there is none: somebody who has just installed Claude
/// Code looks on at nothing, and soon at something.
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
        return Ok(if args.all {
            WatchScope::All
        } else {
            WatchScope::Project(library.catalog().project_scope(&context.here, false))
        });
    };
    let session = context.find(name)?.session;
    if session.presence != Presence::Disk {
        let message = format!(
            "the transcript of {} has been deleted: there is nothing to follow",
            session.id
        );
        return Err(CliError::NotFound(message).into());
    }
    Ok(WatchScope::Session(Box::new(session)))
}

/// A watch over the folders that matter, and those of them that are not there.
fn watching(follower: &Follower<'_>) -> (Watch, Vec<PathBuf>) {
    let (mut whole, names) = follower.folders();
    let mut watch = Watch::new(&[]).with_debounce(Debounce::PROMPT);
    whole.retain(|folder| !watch.add(folder));
    if !whole.is_empty() {
        for folder in &names {
            watch.add_names(folder);
        }
    }
    if let Some(problem) = &watch.problem {
        notice(&format!(
            "annals: cannot watch for file changes ({problem}); checking twice a second instead"
        ));
    }
    (watch, whole)
}

/// The folders that matter and are not there.
fn gone(follower: &Follower<'_>) -> Vec<PathBuf> {
    let (whole, _) = follower.folders();
    whole.into_iter().filter(|folder| !folder.is_dir()).collect()
}

/// Tells what happens, in the form that was asked for.
struct Teller<'c> {
    context: &'c Context,
    screen: Screen<'c>,
    /// How it looks to people; nothing for programs.
    shown: Option<Shown<'c>>,
    /// How many past turns are told; nothing for all.
    last: Option<usize>,
}

impl<'c> Teller<'c> {
    fn new(context: &'c Context, args: &Args) -> Self {
        let is_text = context.output.format == Format::Text;
        let last = args.last.unwrap_or(if is_text { 2 } else { 0 });
        Teller {
            context,
            screen: Screen::new(&context.output),
            shown: is_text.then(|| Shown::new(context, args.full)),
            last: (!args.from_start).then_some(last),
        }
    }

    /// Tells what is past, or the end of it.
    fn begin(&mut self, mut events: Vec<Event>) -> anyhow::Result<()> {
        if let Some(last) = self.last {
            leave_out_past(&mut events, last);
        }
        self.tell(&events)
    }

    fn tell(&mut self, events: &[Event]) -> anyhow::Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        if let Some(shown) = &mut self.shown {
            let text = shown.tell(events);
            return self.screen.lines(&self.context.output.masked_text(&text), &shown.status());
        }
        let mut text = String::new();
        for event in events {
            let marks = |session: &Session| self.context.marks().documents(&session.id);
            let row = render::json::row(&WatchEventDocument::new(event, marks))?;
            text += &self.context.output.safe_json(&row);
        }
        self.screen.lines(&text, "")
    }

    fn resized(&mut self) -> anyhow::Result<()> {
        let status = self.shown.as_ref().map(Shown::status).unwrap_or_default();
        self.screen.resized(&status)
    }

    /// Leaves the figures behind.
    fn end(self) -> anyhow::Result<()> {
        let status = self.shown.as_ref().map(Shown::status).unwrap_or_default();
        self.screen.end(&status)
    }
}

/// Leaves out of what is past all but the last turns of each session, and all
/// that sub-agents said and did.
fn leave_out_past(events: &mut Vec<Event>, turns: usize) {
    let is_told = |event: &Event| {
        event.is_past
            && matches!(
                event.what,
                EventKind::Message(_) | EventKind::CallStarted(_) | EventKind::CallEnded(_)
            )
    };
    // Where the turns that are shown begin, by session.
    let mut prompts: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, event) in events.iter().enumerate() {
        if let EventKind::Message(said) = &event.what
            && event.agent_id.is_none()
            && is_told(event)
            && said.record().is_some_and(|record| {
                said.is_queued || transcript::prompt::typed_prompt(&record).is_some()
            })
        {
            prompts.entry(event.session_id.clone()).or_default().push(place);
        }
    }
    let mut place = 0;
    events.retain(|event| {
        let own = place;
        place += 1;
        if !is_told(event) {
            return true;
        }
        let prompts = prompts.get(&event.session_id).map(Vec::as_slice).unwrap_or_default();
        let first = prompts.len().checked_sub(turns).map_or(Some(&0), |from| prompts.get(from));
        event.agent_id.is_none() && first.is_some_and(|first| own >= *first)
    });
}
