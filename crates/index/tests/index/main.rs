//! The tests of this crate from outside, one module a subject.

#![expect(clippy::disallowed_methods, reason = "tests damage the files they made")]
#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot make its files should stop")]
#![expect(clippy::unwrap_used, reason = "a test that has no index should stop")]

mod damaged_pages;
mod names;
mod repeated_texts;
mod resume;
mod sql;
mod sql_memory;
