//! Past sessions for agents: a Model Context Protocol server on standard input and
//! output.
//!
//! Past sessions contain text from web pages, files and other programs, so this crate
//! treats every answer as a possible prompt injection: the sessions that may be read are
//! fixed when the server starts ([`Scope`]), every piece of a transcript is quoted inside
//! a frame that its text cannot close (`answer`), tool results are included only on
//! request, and secrets are masked.
//!
//! Deliberately not here: finding, reading and searching sessions (`library`) and making
//! text inert (`render`). Nothing here reads the environment.

mod answer;
mod arguments;
mod cursor;
mod long_lines;
mod prompts;
mod resources;
mod server;
#[cfg(test)]
mod tests;
mod tool_context;
mod tools;
mod transport;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::ProjectScope;
use redact::Redactor;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The sessions that clients can see. Arguments can only narrow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The sessions of one project.
    Project(ProjectScope),
    /// The sessions of all the library's roots.
    All,
}

/// The settings of a server. The binary resolves them from arguments, environment and
/// configuration.
pub struct Settings {
    /// The sessions, with secrets masked and without sessions imported from other stores.
    pub library: Library,
    /// Masks text that does not come from a transcript, such as folder names.
    pub redactor: Arc<Redactor>,
    /// Which sessions clients can see.
    pub scope: Scope,
    /// The folder that paths are relative to.
    pub here: PathBuf,
    /// The time zone of times and days.
    pub zone: TimeZone,
    /// The process that started the server. The calling session is the one that this
    /// process reports to be writing. `None` if the session was named explicitly.
    pub parent: Option<u32>,
    /// The time at which the server started; its clock advances from there.
    pub now: Timestamp,
    /// The version of annals.
    pub version: &'static str,
}

/// Answers requests from standard input on standard output until the input ends.
pub fn serve(settings: Settings) -> io::Result<()> {
    server::serve(settings)
}
