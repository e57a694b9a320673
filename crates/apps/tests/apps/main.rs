//! The readers of other apps from outside, a folder for each app.

#![expect(clippy::disallowed_methods, reason = "tests make the databases they read")]
#![expect(clippy::unwrap_used, reason = "the functions of a test may fail it")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod codex;
mod copilot;
mod gemini;
mod opencode;
mod pi;
mod reader_testkit;
mod row_store;
mod transcript_writer;
