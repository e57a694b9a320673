//! What the reader of every app has to pass: damaged and hostile lines, and reading on.
//!
//! The tests of an app give a few lines as its app writes them ([`SampleLines`]) and a strategy for
//! arbitrary ones; [`damage_tests!`] and [`property_tests!`] make the tests of them, so that they
//! are the same for every app.
//!
//! Deliberately not here: what the lines of an app mean, which its own tests hold.

mod damage;
mod pieces;

pub(crate) use damage::{SampleLines, damage_tests};
pub(crate) use pieces::{check_pieces, check_places, property_tests, with_byte_at};
