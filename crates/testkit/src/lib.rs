//! Builds stores and records for tests.
//!
//! A [`Sandbox`] has its own home, configuration folder and `ANNALS_HOME`, all
//! below one temporary folder; commands run in it see nothing else. This makes
//! the safe way the easy one: no test ever touches a real home.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::missing_panics_doc, reason = "a test that cannot make its store should stop")]

mod call;
mod line;
mod plain;
mod program;
mod sandbox;
mod seal;
mod shells;
mod silent_damage;

pub use call::call;
pub use line::{
    Line, answered, assistant, attachment, chained, file, metadata, system, tool_error,
    tool_result, tool_use, user,
};
pub use plain::{PlainCall, PlainCounts, PlainLine, plain_calls, plain_lines};
pub use program::program_under_test;
pub use sandbox::{Sandbox, fingerprint};
pub use seal::{seal, sealed_manifest, sealed_members};
pub use shells::{HOSTILE_WORDS, Shell, printed, printing_program};
pub use silent_damage::damage_index_silently;

/// A session id ending in this number.
pub fn session_id(number: u32) -> String {
    format!("{number:08x}-0000-4000-8000-{number:012x}")
}
