//! Past sessions for agents: a server of the Model Context Protocol on standard input
//! and output.
//!
//! An agent that recalls reads what web pages, files and other programs once said, so
//! this is built as a channel for injections: what may be read is fixed when the server
//! starts ([`Scope`]), every piece of a transcript is quoted inside a frame that its
//! words cannot close (`answer`), what tools answered comes only where it is asked for,
//! and secrets are masked.
//!
//! Deliberately not here: finding, reading and searching sessions, which is the
//! library's, and making text inert, which is `render`'s. Nothing here reads the
//! environment.

mod answer;
mod arguments;
mod cursor;
mod desk;
mod prompts;
mod resources;
mod server;
#[cfg(test)]
mod tests;
mod tools;
mod transport;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::{Library, ProjectScope};
use redact::Redactor;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Which sessions exist for whoever asks. Arguments can only narrow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of a project.
    Project(ProjectScope),
    /// All of the library's own roots.
    All,
}

/// What a server is started with. The binary resolves it from arguments, environment
/// and configuration.
pub struct Settings {
    /// The sessions; masking secrets, and without what was kept of other stores.
    pub library: Library,
    /// Masks what no transcript holds, such as names of folders.
    pub redactor: Arc<Redactor>,
    /// Which of them exist.
    pub scope: Scope,
    /// The folder that paths are relative to.
    pub here: PathBuf,
    /// The zone of times and days.
    pub zone: TimeZone,
    /// The process that started the server: the session that asks is the one it writes,
    /// if it says so. Nobody's where the session was named.
    pub parent: Option<u32>,
    /// The time at which the server was started; it goes on from there.
    pub now: Timestamp,
    /// The version of the program.
    pub version: &'static str,
}

/// Answers on standard output what is asked on standard input, until that ends.
pub fn serve(settings: Settings) -> io::Result<()> {
    server::serve(settings)
}
