//! What a screen is: pure state, changed by events and drawn on a frame.
//!
//! A screen never reads a file, never waits and never writes to the terminal. It asks for
//! things with effects, and answers arrive as events.

use crate::action::{Action, Mode};
use crate::event::Event;
use crate::keymap::Keymap;
use crate::theme::Theme;
use crate::worker::Request;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::sessions::TurnNumber;
use ratatui::Frame;
use ratatui::layout::Rect;
use std::fmt::Debug;
use std::path::PathBuf;

/// What a screen knows of the program around it, at an event and when it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct View<'v> {
    /// Where the screen is: everything but the line of hints.
    pub area: Rect,
    /// The colours.
    pub theme: &'v Theme,
    /// The keys.
    pub keymap: &'v Keymap,
    /// The time.
    pub now: Timestamp,
    /// The time zone.
    pub zone: &'v TimeZone,
    /// The home folder, which paths show as `~`.
    pub home: Option<&'v str>,
}

/// A screen, or a window over one.
pub trait Screen: Debug {
    /// Changes the state, and says what to do. Keys that have a meaning arrive as
    /// [`Input::Action`], all others as [`Input::Event`].
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect>;

    /// Draws the state on `view.area`.
    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>);

    /// Where keys go: decides which actions there are, and whether letters are letters.
    fn mode(&self) -> Mode;

    /// The actions that matter now, the most important first, for the line of hints.
    fn hints(&self) -> Vec<Action>;

    /// What a hint calls an action here, if not by its usual label.
    fn label(&self, _action: Action) -> Option<&'static str> {
        None
    }

    /// Whether the screen below stays visible around this one.
    fn is_overlay(&self) -> bool {
        false
    }
}

/// A session, or a place in it, to be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The session or sub-agent.
    pub id: String,
    /// Its title, until the session is read.
    pub title: Option<String>,
    /// The turn to show; by default the last one.
    pub turn: Option<TurnNumber>,
    /// What was searched for, in the grammar of `annals search`.
    pub query: String,
    /// Whether to follow the session while it is written.
    pub is_followed: bool,
}

/// What arrives at a screen.
#[derive(Clone, Copy, Debug)]
pub enum Input<'e> {
    /// A key or a click that means an action here.
    Action(Action),
    /// Anything else.
    Event(&'e Event),
}

/// What a screen asks for.
#[derive(Debug)]
pub enum Effect {
    /// Asks the worker; the answer is an event. Answers to an older request of the same
    /// topic are dropped.
    Ask(Request),
    /// Opens a session on top.
    Open(Opening),
    /// Shows another screen on top.
    Push(Box<dyn Screen>),
    /// Closes this screen; the last one quits.
    Close,
    /// Closes this screen and passes an event to the one below.
    CloseWith(Box<Event>),
    /// Shows a message in the line of hints, until the next key.
    Notice(String),
    /// The same for something that failed.
    Problem(String),
    /// Copies text with the terminal. Only for a key press of the person.
    Copy(String),
    /// Ends the program.
    Finish(Outcome),
}

/// How the program ended, which the binary acts on once the terminal is restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The person quit.
    Quit,
    /// These sessions were chosen.
    Chosen(Vec<String>),
    /// Resume this session.
    Resume {
        /// The id.
        session: String,
        /// Whether to resume a copy.
        is_fork: bool,
        /// The folder, if it is not the session's.
        folder: Option<PathBuf>,
    },
}
