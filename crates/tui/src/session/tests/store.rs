//! A store with one session, and an app that shows it. Requests are answered at once.

use crate::app::{App, Command};
use crate::event::Event;
use crate::screen::Opening;
use crate::testing::{self, NoHost};
use crate::work::{Data, SessionRequest};
use crate::worker::{Answer, Request, answers_to};
use jiff::tz::TimeZone;
use library::{Library, Options};
use std::path::PathBuf;
use store::RootOrigin;
use testkit::{Line, Sandbox, session_id};

pub(crate) const CWD: &str = "/home/ada/tidepool";

/// A store.
pub(crate) struct Store {
    pub(crate) sandbox: Sandbox,
    pub(crate) library: Library,
}

impl Store {
    /// A store with these lines as its session.
    pub(crate) fn new(lines: &[Line]) -> Store {
        let sandbox = Sandbox::new();
        sandbox.session(CWD, &session_id(1), lines);
        Store::of(sandbox)
    }

    pub(crate) fn of(sandbox: Sandbox) -> Store {
        let library = library(&sandbox);
        Store { sandbox, library }
    }

    /// What the worker answers to a request. Following is opening once.
    pub(crate) fn answers(&self, request: Request) -> Vec<Answer> {
        let request = match request {
            Request::Session(SessionRequest::Follow { id, part }) => {
                Request::Session(SessionRequest::Open { id, part })
            }
            other => other,
        };
        let here = PathBuf::from(CWD);
        let data = Data {
            library: &self.library,
            host: &NoHost,
            zone: &TimeZone::UTC,
            here: &here,
            now: Some(crate::testing::now()),
        };
        answers_to(request, &data)
    }

    /// An app that shows the session.
    pub(crate) fn app(&self, size: (u16, u16)) -> App {
        self.opened(Opening { id: session_id(1), ..Opening::default() }, size)
    }

    pub(crate) fn opened(&self, opening: Opening, size: (u16, u16)) -> App {
        let mut app = testing::app(super::super::screen(opening), size);
        let commands = app.handle(&Event::Resize);
        self.carry_out(&mut app, commands);
        app
    }

    /// Types keys, and answers everything that they ask for.
    pub(crate) fn keys(&self, app: &mut App, keys: &str) {
        for key in keys.split(' ').filter(|key| !key.is_empty()) {
            let commands = testing::type_keys(app, key);
            self.carry_out(app, commands);
        }
    }

    /// Answers what an app asks for, until it asks for nothing more.
    pub(crate) fn carry_out(&self, app: &mut App, commands: Vec<Command>) {
        let mut waiting = commands;
        while let Some(command) = waiting.pop() {
            let Command::Ask(request) = command else { continue };
            for answer in self.answers(request) {
                waiting.extend(app.handle(&Event::Answer(answer)));
            }
        }
    }
}

pub(crate) fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let home = Some(sandbox.annals_home());
    Library::open(Options { roots, home, no_index: true, ..Options::default() })
}
