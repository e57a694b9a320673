//! annals in a terminal: browse, search and resume sessions.
//!
//! One thread draws and waits for keys; it never reads a file. Screens are pure state
//! ([`Screen`]): events go in, effects come out. A worker with two threads does everything
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
mod run;
mod screen;
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
pub use screen::{Effect, Input, Outcome, Screen, View};
pub use theme::{Background, Theme, ThemeName};
pub use work::{
    Data, Deed, DeedAnswer, ListAnswer, ListRequest, PreviewAnswer, PreviewRequest, Row,
    RowPresence, SessionAnswer, SessionHit, SessionRequest, State, WordsAnswer, WordsRequest,
};
pub use worker::{Answer, Reply, Request, Topic};
