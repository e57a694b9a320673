//! Answers that several surfaces give, on small stores.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its store should stop")]

mod lists;
mod support;
