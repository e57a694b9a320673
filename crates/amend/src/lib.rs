//! The only code that writes below a root, or into Claude Code's settings.
//!
//! That is three things: putting back what the archive kept, adding the lines by
//! which a session gets a title or a tag, and setting annals up. Nothing of a
//! session is ever overwritten, and nothing of it is written through a link;
//! settings are the person's own arrangement, and are changed where they lie.

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
