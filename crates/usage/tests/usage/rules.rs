//! Every rule about what counts as an API call and what it costs, each with example
//! lines, the tokens and the exact price.
//!
//! Deliberately not here: the session of a file, and the grouping of calls; the library
//! tests those.

mod calls;
mod copies;
mod costs;
mod fixture;
mod odd;
mod terms;
