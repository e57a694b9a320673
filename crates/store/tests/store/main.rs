//! The tests of this crate from outside, one module a subject.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod cursor;
mod eras;
mod files;
mod folders;
mod hints;
mod large_lines;
mod line_reader;
mod lookup;
mod matching_lines;
mod regressions;
mod session_metadata;
mod settings;
mod worktrees;
