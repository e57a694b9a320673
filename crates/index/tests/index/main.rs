//! The tests of this crate from outside, one module a subject.

#![expect(clippy::disallowed_methods, reason = "tests damage the files they made")]
#![expect(clippy::unwrap_used, reason = "a test that cannot make its files should stop")]

mod damaged_pages;
mod names;
mod repeated_texts;
mod resume;
mod sql;
mod sql_memory;
