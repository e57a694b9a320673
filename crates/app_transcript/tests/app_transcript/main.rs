//! The tests of this crate from outside, one module a subject.

#![expect(clippy::print_stdout, reason = "counts are printed, and a skipped test says so")]

mod corpus;
mod properties;
mod sessions;
mod support;
