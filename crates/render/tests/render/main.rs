//! The tests of this crate from outside, one module a subject.

#![expect(clippy::disallowed_methods, reason = "tests make the folders that commands name")]

mod shells;
