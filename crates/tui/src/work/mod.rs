//! What the worker does: one file per subject. Everything here may read files and take its
//! time; answers contain text and facts, never borrowed data.

mod act;
mod list;
mod list_changes;
mod preview;
mod session;
mod windows;
mod words;

use crate::host::Host;
use crate::worker::{Reply, Topic};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::FoundSession;
use library::sessions::OpenSession;
use std::path::PathBuf;
use std::sync::Arc;

pub use act::{Operation, OperationAnswer};
pub use list::{ListAnswer, ListRequest, Row, RowPresence};
pub use preview::{PreviewAnswer, PreviewRequest};
pub use session::{SessionAnswer, SessionRequest};
pub use words::{SessionHit, WordsAnswer, WordsRequest};

/// Something to do away from the screen.
#[derive(Clone, Debug)]
pub enum Request {
    /// The rows of the list.
    List(ListRequest),
    /// Words in contents.
    Words(WordsRequest),
    /// A session beside the list.
    Preview(PreviewRequest),
    /// Something that a person does to a session.
    Act(Operation),
    /// Something of the screen of a session.
    Session(SessionRequest),
}

impl Request {
    /// What it is about.
    pub fn topic(&self) -> Topic {
        match self {
            Request::List(ListRequest::Quick) => Topic::List,
            Request::List(ListRequest::Followed) => Topic::ListChanges,
            Request::Words(_) => Topic::Words,
            Request::Preview(_) => Topic::Preview,
            Request::Act(_) => Topic::Action,
            Request::Session(request) => request.topic(),
        }
    }
}

/// The result of it.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The rows of the list.
    List(ListAnswer),
    /// Words in contents.
    Words(WordsAnswer),
    /// How much of the index is built for a query, in percent.
    Building(String, u8),
    /// A session beside the list.
    Preview(PreviewAnswer),
    /// Something was done to a session.
    Act(OperationAnswer),
    /// Something of the screen of a session.
    Session(SessionAnswer),
}

/// What work is done with.
#[derive(Clone, Copy)]
pub struct Data<'d> {
    /// The sessions.
    pub library: &'d Library,
    /// What only the binary can do.
    pub host: &'d dyn Host,
    /// The time zone.
    pub zone: &'d TimeZone,
    /// The folder that the person is in.
    pub here: &'d PathBuf,
    /// The time, if it is not the real one.
    pub now: Option<Timestamp>,
}

impl Data<'_> {
    /// The time.
    pub fn now(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }
}

/// What a thread keeps between requests.
#[derive(Default)]
pub struct State {
    opened: Option<Arc<OpenSession>>,
}

impl State {
    /// Opens a session or sub-agent, or returns the one that is open if its file is
    /// unchanged.
    pub fn open(&mut self, data: &Data<'_>, id: &str) -> Result<Arc<OpenSession>, String> {
        let found: FoundSession =
            data.library.catalog().find(id, None).map_err(|error| error.to_string())?;
        let is_same = self.opened.as_ref().is_some_and(|open| {
            open.found().id() == found.id()
                && open.path() == found.path()
                && open.found().session.metadata.modified == found.session.metadata.modified
                && open.found().session.metadata.bytes == found.session.metadata.bytes
        });
        if !is_same {
            // The memory of the old one goes first.
            self.opened = None;
            let opened =
                data.library.sessions().open_session(&found).map_err(|error| error.to_string())?;
            self.opened = Some(Arc::new(opened));
        }
        self.opened.clone().ok_or_else(|| "the session is not open".to_owned())
    }
}

/// Does what is asked.
pub(crate) fn run(request: Request, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    match request {
        Request::List(ListRequest::Quick) => reply.send(Answer::List(list::quick(data))),
        Request::List(ListRequest::Followed) => list_changes::run(data, reply),
        Request::Words(request) => words::run(&request, data, reply),
        Request::Preview(request) => preview::run(&request, state, data, reply),
        Request::Act(operation) => act::run(&operation, state, data, reply),
        Request::Session(request) => session::run(request, state, data, reply),
    }
}
