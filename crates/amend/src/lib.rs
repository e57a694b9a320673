//! The only code that writes below a root, or into Claude Code's settings.
//!
//! It does three things: restore archived files, append the lines that give a
//! session a title or a tag, and set annals up. It never overwrites session
//! files and never writes to them through a link. Settings are the person's own
//! arrangement and are edited wherever they really are.

#![expect(clippy::disallowed_methods, reason = "this is where stores are written")]

mod append;
mod json_text;
pub mod naming;
mod replace_file;
mod restore;
pub mod settings;

pub use append::{AppendError, append_line};
pub use json_text::JsonError;
pub use replace_file::{ObservedFile, ReplaceError, make_folders, remove_empty};
pub use restore::{Conflict, FileToRestore, RestoreError, RestoreReport, restore_files};
