//! Work for the screen of a session: opening it, following it, and filling its windows.

use super::windows;
use super::{Answer, Data, State};
use crate::overlay::{Content, WindowKind};
use crate::session::details::Details;
use crate::session::model::SessionModel;
use crate::worker::{Reply, Topic};
use library::{FolderDebounce, FolderWatch, Part, WatchedChange};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

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
fn open(
    id: &str,
    part: &Part,
    state: &mut State,
    data: &Data<'_>,
    reply: &Reply<'_>,
) -> Option<Arc<SessionModel>> {
    let opened = state.open(data, id);
    let model = opened.and_then(|session| {
        SessionModel::new(session, part.clone()).map_err(|error| error.to_string())
    });
    let model = model.map(Arc::new);
    let answer =
        SessionAnswer::Opened { id: id.to_owned(), part: part.clone(), model: model.clone() };
    reply.send(Answer::Session(answer));
    let model = model.ok()?;
    if !reply.is_stale() {
        let details = Arc::new(Details::of(data.library, &model));
        let model = Arc::clone(&model);
        reply.send(Answer::Session(SessionAnswer::Detailed { model, details }));
    }
    Some(model)
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

/// How long a wait for changes takes at most, so that its end is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Without notifications of the system, the file is looked at this often.
const LOOKS: u32 = 5;

/// How long changes are collected: reading a session again takes a while.
const DEBOUNCE: FolderDebounce =
    FolderDebounce { pause: Duration::from_millis(60), longest: Duration::from_millis(300) };

/// Opens a session whenever it was written, until something else is asked. Waiting costs
/// nothing: the system says when the folder changes.
fn follow(id: &str, part: &Part, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    let path = |model: &Arc<SessionModel>| model.session().path().map(std::path::Path::to_owned);
    // Before anything is read, so that no change in between is missed.
    let found = data.library.catalog().find(id, None).ok();
    let folder = found.as_ref().and_then(|found| found.path()?.parent());
    let mut watch = FolderWatch::new(&[]).with_debounce(DEBOUNCE);
    if let Some(folder) = folder {
        watch.add(folder);
    }
    let mut own = open(id, part, state, data, reply).as_ref().and_then(path);
    let mut waits = 0;
    while !reply.is_stale() {
        waits += 1;
        let is_changed = match watch.wait(PATIENCE) {
            WatchedChange::Nothing => false,
            WatchedChange::Anything => waits % LOOKS == 0 || watch.problem.is_none(),
            // Files of its agents are below a folder with its name.
            WatchedChange::Files(paths) => own.as_ref().is_none_or(|own| {
                let folder = own.with_extension("");
                paths.iter().any(|path| path == own || path.starts_with(&folder))
            }),
        };
        if is_changed && !reply.is_stale() {
            let model = open(id, part, state, data, reply);
            own = model.as_ref().and_then(path).or(own);
        }
    }
}
