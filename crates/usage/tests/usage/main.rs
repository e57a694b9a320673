//! The tests of this crate from outside, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its lines should stop")]

mod properties;
mod rules;
