//! The only code that writes below a root.
//!
//! Today that is one thing: putting back what the archive kept. Nothing that is
//! there is ever overwritten, and nothing is written through a link.

#![expect(clippy::disallowed_methods, reason = "this is where stores are written")]

mod place;

pub use place::{Conflict, PlaceError, Placed, Wanted, place};
