//! annals in a terminal: browse, search and resume sessions.
//!
//! One thread draws and waits for keys; it never reads a file. Screens are pure state
//! ([`Screen`]): events go in, effects come out. A worker with three threads does everything
//! that takes time, and answers that nobody waits for any more are dropped. Text from
//! transcripts reaches the screen only through [`text`].
//!
//! Deliberately not here: reading arguments, the environment and configuration, starting
//! Claude Code, exporting and the web app, which are the binary's ([`Host`]).

mod action;
mod app;
mod backend;
mod event;
mod host;
mod input;
mod keymap;
mod line_input;
mod list;
mod operation;
mod overlay;
mod prompt;
mod run;
mod screen;
mod session;
mod signals;
mod terminal;
#[cfg(test)]
mod testing;
pub mod text;
mod theme;
mod work;
mod worker;

pub use action::{Action, Mode};
pub use event::{Event, InvalidKey, Key, KeyCode, Mouse, MouseKind};
pub use host::{Host, ResumeProblem};
pub use keymap::{Keymap, KeymapError};
pub use list::{ListOptions, ListPurpose};
pub use operation::{Target, begin};
pub use overlay::{Goto, WindowKind};
pub use screen::{Effect, Input, Opening, Outcome, Screen, View};
pub use theme::{Background, Theme, ThemeName};
pub use work::{
    Data, ListAnswer, ListRequest, Operation, OperationAnswer, PreviewAnswer, PreviewRequest, Row,
    RowPresence, SessionAnswer, SessionHit, SessionRequest, State, WordsAnswer, WordsRequest,
};
pub use worker::{Answer, Reply, Request, Topic};

use app::Settings;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use std::io;
use std::path::PathBuf;

/// How annals is shown in a terminal.
#[derive(Debug)]
pub struct Options {
    /// The keys.
    pub keymap: Keymap,
    /// The colours; without any for `NO_COLOR`.
    pub theme: ThemeName,
    /// Whether the mouse is used.
    pub has_mouse: bool,
    /// The time zone.
    pub zone: TimeZone,
    /// The home folder, which paths show as `~`.
    pub home: Option<String>,
    /// The folder that the person is in.
    pub here: PathBuf,
    /// The time, if it is not the real one.
    pub now: Option<Timestamp>,
    /// How the list begins.
    pub list: ListOptions,
}

/// Shows sessions until the person is done. The terminal is restored when this returns.
pub fn run(library: &Library, host: &dyn Host, options: Options) -> io::Result<Outcome> {
    let Options { keymap, theme, has_mouse, zone, home, here, now, list } = options;
    let data = Data { library, host, zone: &zone, here: &here, now };
    let settings = Settings {
        theme: Theme::new(theme, Background::default()),
        keymap,
        zone: zone.clone(),
        home,
    };
    let first = Box::new(list::ListScreen::new(&list));
    run::run(run::RunOptions { settings, theme, has_mouse, now }, first, &data)
}
