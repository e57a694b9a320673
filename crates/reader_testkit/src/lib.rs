//! What the reader of every app has to pass: damaged and hostile lines, and reading on.
//!
//! A reader crate gives a few lines as its app writes them ([`SampleLines`]) and a strategy for
//! arbitrary ones; [`damage_tests!`] and [`property_tests!`] make the tests of them, so that they
//! are the same for every app.
//!
//! Deliberately not here: what the lines of an app mean, which its own tests hold.

#![expect(clippy::missing_panics_doc, reason = "a check that fails should stop its test")]

mod damage;
mod pieces;

pub use damage::SampleLines;
pub use pieces::{check_pieces, check_places, with_byte_at};
