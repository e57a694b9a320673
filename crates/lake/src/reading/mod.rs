//! Reading the lake on this machine.
//!
//! What may be read is brought into a folder and laid out as stores, one for each owner,
//! with one transcript per session: its masked lines, or, where only usage is shared, a
//! line per call without text. The ordinary code answers from there, so an answer about
//! the lake has the options, the output and the rules of one about this machine.
//!
//! Segments never change, so each is fetched once; only the sessions of segments that are
//! new or gone are laid out again.

mod call_line;
mod chains;
mod copies;
mod embedded;
mod engine;
mod known_heads;
mod layout;
mod owner_store;
mod roll_up;
mod scope;
mod segments;
mod skeleton;
mod view_folder;

pub use embedded::{ReadLakeError, Reader, kept_view};
pub use engine::{Engine, OwnerView, UnusableObject, View, own_id};
#[cfg(test)]
pub(crate) use layout::{OwnerLayout, SessionRows};
pub use scope::Scope;
pub use segments::refuse_segment_being_read;
pub(crate) use view_folder::ViewFolder;
