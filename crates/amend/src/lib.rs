//! The only code that writes below a root.
//!
//! That is two things: putting back what the archive kept, and adding the lines
//! by which a session gets a title or a tag. Nothing that is there is ever
//! overwritten, and nothing is written through a link.

#![expect(clippy::disallowed_methods, reason = "this is where stores are written")]

mod append;
pub mod naming;
mod place;

pub use append::{AppendError, append};
pub use place::{Conflict, PlaceError, Placed, Wanted, place};
