//! Every rule of what an API call is and what it costs, each with the lines it
//! is about, the tokens and the exact price.
//!
//! Which session a file belongs to and how calls are grouped is not here: the
//! library knows files.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its lines should stop")]

mod calls;
mod copies;
mod costs;
mod fixture;
mod odd;
mod terms;
