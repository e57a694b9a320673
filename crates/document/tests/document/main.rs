//! The tests of this crate from outside, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its store should stop")]

mod answers;
mod placing;
