//! The parts of annals that run inside Claude Code: hooks, the status line command,
//! and the setup that adds both to Claude Code's settings.
//!
//! [`setup`] changes settings and files through `amend`, [`hook`] archives
//! sessions at Claude Code's events, [`statusline`] builds one line of text.
//! Claude Code starts all three, and what it writes to their standard input is
//! untrusted: no text of it reaches a shell, an argument list or an unchecked
//! path.
//!
//! Deliberately not here: arguments, the environment, standard input and output,
//! and exit codes. The binary reads and resolves them, passes plain values, and
//! prints the results.

pub mod hook;
mod platform;
mod search_path;
pub mod setup;
pub mod statusline;

pub use search_path::SearchPath;

use serde_json::{Map, Value};

/// The members of a JSON object; `None` for any other text.
fn parse_object(bytes: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    }
}
