//! The tests of this crate from outside, one module a subject.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod corpus;
mod damage;
mod properties;
mod sessions;
