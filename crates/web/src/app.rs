//! What all requests of a server share.

use crate::answer::Answer;
use crate::answer_cache::AnswerCache;
use crate::assets::Assets;
use crate::base::BasePath;
use crate::connections::Connections;
use crate::entry::{Browser, Entry};
use crate::events::Hub;
use crate::events::index_keeper::IndexKeeper;
use crate::limits::TimeLimits;
use crate::opened::Opened;
use crate::peer::Judge;
use crate::secret::{Secret, hexadecimal};
use crate::work::Work;
use crate::{Notice, Settings, cookie};
use axum::http::HeaderMap;
use document::WebIndexDocument;
use jiff::{SignedDuration, Timestamp};
use library::Library;
use library::watch::FolderWaker;
use serde::Serialize;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Who sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    Browser(Browser),
    /// Any program: all have the same token.
    Program,
}

/// A running server.
pub(crate) struct App {
    pub(crate) settings: Settings,
    pub(crate) port: u16,
    pub(crate) entry: Entry,
    /// Opens the server for scripts.
    pub(crate) bearer: Secret,
    /// The header value that actions need. Pages get it; forms and images of other sites
    /// cannot send it.
    pub(crate) action_token: Secret,
    /// Names this process: a page that sees another one reloads itself.
    pub(crate) process: String,
    pub(crate) cookie_name: String,
    pub(crate) assets: Assets,
    pub(crate) connections: Connections,
    pub(crate) judge: Judge,
    pub(crate) work: Work,
    pub(crate) times: TimeLimits,
    pub(crate) hub: Hub,
    pub(crate) index_keeper: IndexKeeper,
    pub(crate) opened: Opened,
    pub(crate) answers: AnswerCache,
    started: Instant,
    is_stopping: AtomicBool,
    /// Wakes the watcher.
    waker: Mutex<Option<FolderWaker>>,
    is_watching: AtomicBool,
    is_other_user_reported: AtomicBool,
    is_unknown_reported: AtomicBool,
}

impl App {
    pub(crate) fn new(mut settings: Settings, port: u16, times: TimeLimits) -> io::Result<App> {
        let process: [u8; 8] = library::random_bytes()?;
        let assets = Assets::new(settings.assets.take());
        Ok(App {
            port,
            entry: Entry::default(),
            bearer: Secret::random()?,
            action_token: Secret::random()?,
            process: hexadecimal(&process),
            cookie_name: cookie::name(port),
            assets,
            connections: Connections::default(),
            judge: Judge::default(),
            work: Work::new(times.work),
            times,
            hub: Hub::default(),
            index_keeper: IndexKeeper::default(),
            opened: Opened::default(),
            answers: AnswerCache::default(),
            started: Instant::now(),
            is_stopping: AtomicBool::new(false),
            waker: Mutex::new(None),
            is_watching: AtomicBool::new(false),
            is_other_user_reported: AtomicBool::new(false),
            is_unknown_reported: AtomicBool::new(false),
            settings,
        })
    }

    pub(crate) fn base(&self) -> &BasePath {
        &self.settings.base
    }

    /// The current time: the configured start time plus the time that has passed since.
    pub(crate) fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from(self.started.elapsed()).unwrap_or_default();
        self.settings.now.saturating_add(passed).unwrap_or(self.settings.now)
    }

    /// The library as it is now.
    pub(crate) fn library(&self) -> Library {
        self.settings.library.reopened()
    }

    /// Who sends a request: a browser with its cookie or a program with the bearer token.
    pub(crate) fn client(&self, headers: &HeaderMap) -> Option<Client> {
        let cookies = cookie::values(headers, &self.cookie_name);
        let browser = self.entry.browser(&cookies).map(Client::Browser);
        let program = self.has_bearer(headers).then_some(Client::Program);
        browser.or(program)
    }

    /// Whether a request has the bearer token.
    pub(crate) fn has_bearer(&self, headers: &HeaderMap) -> bool {
        crate::guard::bearer(headers).is_some_and(|token| self.bearer.matches(token))
    }

    /// How far the search index is.
    pub(crate) fn index_state(&self) -> WebIndexDocument {
        self.index_keeper.document()
    }

    /// Whether the watcher must be started, which is so once.
    pub(crate) fn must_start_watcher(&self) -> bool {
        !self.is_watching.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Wakes the watcher when the server stops. `false` if it has stopped already.
    pub(crate) fn wake_on_stop(&self, waker: FolderWaker) -> bool {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
        !self.is_stopping()
    }

    /// Ends streams, cancels what runs, and stops the threads.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.hub.close();
        self.work.cancel_all();
        self.index_keeper.stop();
        if let Some(waker) = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take() {
            waker.wake();
        }
    }

    /// JSON on one line, with secrets masked and control characters escaped.
    pub(crate) fn safe_json(&self, value: &impl Serialize) -> Option<String> {
        let answer = Answer::document(value, self.settings.redactor.as_ref()).ok()?;
        String::from_utf8(answer.body).ok()
    }

    /// Tells the person at the terminal; some things only once.
    pub(crate) fn notify(&self, notice: Notice) {
        let reported = match notice {
            Notice::CodeUsedTwice => None,
            Notice::OtherUser => Some(&self.is_other_user_reported),
            Notice::PeersUnknown => Some(&self.is_unknown_reported),
        };
        if reported.is_none_or(|reported| !reported.swap(true, Ordering::Relaxed)) {
            (self.settings.notify)(notice);
        }
    }
}
