//! Work for the screen of a session: opening it, following it, and filling its windows.

use super::{Answer, Data, State, windows};
use crate::overlay::{Content, WindowKind};
use crate::session::details::Details;
use crate::session::model::SessionModel;
use crate::worker::{Reply, Topic};
use library::sessions::{OpenSession, Part};
use library::watch::{FolderDebounce, FolderWatch, WatchedChange};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Something of the screen of a session.
#[derive(Clone, Debug)]
pub enum SessionRequest {
    /// Open a part of a session or sub-agent.
    Open {
        /// The session or sub-agent.
        id: String,
        /// The part.
        part: Part,
    },
    /// Open it, and again whenever it was written.
    Follow {
        /// The session or sub-agent.
        id: String,
        /// The part.
        part: Part,
    },
    /// Stop following.
    Unfollow,
    /// Read the outputs that were saved in separate files.
    Outputs {
        /// The session.
        model: Arc<SessionModel>,
    },
    /// Fill a window over it.
    Window {
        /// What it is about.
        kind: WindowKind,
        /// The session.
        model: Arc<SessionModel>,
    },
}

impl SessionRequest {
    /// What it is about.
    pub fn topic(&self) -> Topic {
        match self {
            SessionRequest::Open { .. } => Topic::Session,
            SessionRequest::Follow { .. } | SessionRequest::Unfollow => Topic::Follow,
            SessionRequest::Window { .. } | SessionRequest::Outputs { .. } => Topic::Overlay,
        }
    }
}

/// The result of it.
#[derive(Clone, Debug)]
pub enum SessionAnswer {
    /// The session was read.
    Opened {
        /// The session or sub-agent.
        id: String,
        /// The part.
        part: Part,
        /// The conversation, or why there is none.
        model: Result<Arc<SessionModel>, String>,
    },
    /// What takes longer was found out.
    Detailed {
        /// What it is about.
        model: Arc<SessionModel>,
        /// What was found.
        details: Arc<Details>,
    },
    /// Outputs in separate files were read.
    Outputs {
        /// What they belong to.
        model: Arc<SessionModel>,
        /// The outputs, by name.
        outputs: Arc<HashMap<String, String>>,
    },
    /// A window was filled.
    Window {
        /// What it is about.
        kind: WindowKind,
        /// Its content, or why there is none.
        content: Result<Arc<Content>, String>,
    },
}

pub(super) fn run(request: SessionRequest, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    match request {
        SessionRequest::Open { id, part } => {
            open(&id, &part, state, data, reply);
        }
        SessionRequest::Follow { id, part } => follow(&id, &part, state, data, reply),
        SessionRequest::Unfollow => {}
        SessionRequest::Outputs { model } => {
            let outputs = Arc::new(outputs(&model));
            reply.send(Answer::Session(SessionAnswer::Outputs { model, outputs }));
        }
        SessionRequest::Window { kind, model } => {
            let content = windows::content(&kind, &model, data).map(Arc::new);
            reply.send(Answer::Session(SessionAnswer::Window { kind, content }));
        }
    }
}

/// Opens a session and answers twice: the conversation, and then what takes longer.
fn open(id: &str, part: &Part, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    let model = state.open(data, id).and_then(|session| model(session, part));
    send_opened(id, part, model.clone(), reply);
    if let Ok(model) = model
        && !reply.is_stale()
    {
        send_details(&model, data, reply);
    }
}

fn model(session: impl Into<Arc<OpenSession>>, part: &Part) -> Result<Arc<SessionModel>, String> {
    let model = SessionModel::new(session.into(), part.clone());
    model.map(Arc::new).map_err(|error| error.to_string())
}

fn send_opened(id: &str, part: &Part, model: Result<Arc<SessionModel>, String>, reply: &Reply<'_>) {
    let (id, part) = (id.to_owned(), part.clone());
    reply.send(Answer::Session(SessionAnswer::Opened { id, part, model }));
}

fn send_details(model: &Arc<SessionModel>, data: &Data<'_>, reply: &Reply<'_>) {
    let details = Arc::new(Details::of(data.library, model));
    let model = Arc::clone(model);
    reply.send(Answer::Session(SessionAnswer::Detailed { model, details }));
}

/// The most bytes of outputs that are kept: the rest is only named.
const MOST_OUTPUT: usize = 8 << 20;

/// The outputs of a session that were saved in separate files, the newest first.
fn outputs(model: &SessionModel) -> HashMap<String, String> {
    let names: Vec<String> = model.with(|_, shown| {
        let answers =
            shown.selected.turns.calls.all().iter().filter_map(|call| call.answer.as_ref());
        answers.filter_map(conversation::Answer::persisted_name).collect()
    });
    let mut outputs = HashMap::new();
    let mut left = MOST_OUTPUT;
    for name in names.into_iter().rev() {
        let Some(text) = model.session().tool_output(&name) else { continue };
        let Some(rest) = left.checked_sub(text.len()) else { break };
        left = rest;
        outputs.insert(name, text);
    }
    outputs
}

/// How long changes are collected.
const DEBOUNCE: FolderDebounce =
    FolderDebounce { pause: Duration::from_millis(30), longest: Duration::from_millis(120) };

/// The shortest time between two readings of what takes longer: agents and costs.
const DETAILS: Duration = Duration::from_secs(2);

/// Reading takes at most this part of the time.
const SHARE: u32 = 10;

/// A wait without an end: requests and changes interrupt it.
const LONG: Duration = Duration::from_hours(24);

/// Shows a session again whenever it was written, until something else is asked. Waiting costs
/// nothing: the system says when the folder changes. Only what was appended is read.
fn follow(id: &str, part: &Part, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    let mut watch = FolderWatch::new(&[]).with_debounce(DEBOUNCE);
    reply.wake_when_stale(watch.waker());
    let find = || data.library.catalog().find(id, None).ok();
    let growing = find().and_then(|found| data.library.watch().growing_session(found));
    let Some(mut growing) = growing else {
        // Nothing is appended to it.
        open(id, part, state, data, reply);
        return;
    };
    // Before anything is read, so that no change in between is missed.
    if let Some(folder) = growing.path().parent() {
        watch.add(folder);
    }
    let own = Own { path: growing.path().to_owned(), folder: growing.path().with_extension("") };
    let mut shown: Option<Arc<SessionModel>> = None;
    let mut has_new_agents = false;
    // When to read the transcript and what takes longer, if they have changed.
    let (mut text_due, mut details_due) = (Some(Instant::now()), None);
    let mut next_text = Instant::now();
    let mut next_details = Instant::now();
    while !reply.is_stale() {
        let now = Instant::now();
        if text_due.is_some_and(|due| due <= now) {
            text_due = None;
            match growing.read_on().map_err(|error| error.to_string()) {
                Ok(None) => {}
                Ok(Some(session)) => {
                    let model = model(session, part);
                    shown = model.clone().ok().or(shown);
                    has_new_agents = false;
                    send_opened(id, part, model, reply);
                    details_due = Some(next_details.max(now));
                }
                Err(problem) => send_opened(id, part, Err(problem), reply),
            }
            next_text = Instant::now() + now.elapsed() * SHARE;
        } else if details_due.is_some_and(|due| due <= now) {
            details_due = None;
            // Its title, and whether it runs.
            if let Some(found) = find() {
                growing.refresh(found);
            }
            if std::mem::take(&mut has_new_agents) {
                let model = model(growing.opened(), part);
                shown = model.clone().ok().or(shown);
                send_opened(id, part, model, reply);
            }
            if let Some(model) = &shown {
                send_details(model, data, reply);
            }
            next_details = Instant::now() + DETAILS.max(now.elapsed() * SHARE);
        } else {
            let due = text_due.into_iter().chain(details_due).min();
            match watch.wait(due.map_or(LONG, |due| due - now)) {
                WatchedChange::Nothing => {}
                WatchedChange::Anything => text_due = Some(next_text.max(now)),
                WatchedChange::Files(paths) => {
                    if paths.contains(&own.path) {
                        text_due = Some(next_text.max(now));
                    }
                    if paths.iter().any(|path| path.starts_with(&own.folder)) {
                        has_new_agents = true;
                        details_due = Some(next_details.max(now));
                    }
                }
            }
        }
    }
}

/// Where the files of a session are.
struct Own {
    path: PathBuf,
    /// Files of its agents are below a folder with its name.
    folder: PathBuf,
}
