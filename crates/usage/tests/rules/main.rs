//! Every rule about what counts as an API call and what it costs, each with example
//! lines, the tokens and the exact price.
//!
//! Deliberately not here: the session of a file, and the grouping of calls; the library
//! tests those.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its lines should stop")]

mod calls;
mod copies;
mod costs;
mod fixture;
mod odd;
mod terms;
