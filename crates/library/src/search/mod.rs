//! Finding text in many sessions.
//!
//! There are three ways in. `index` brings the full-text index up to date and
//! asks it; `grep` reads the files themselves, for patterns that an index of
//! words cannot answer; `message` finds one message or call by its id. `memo`
//! answers from the index what other rooms would otherwise read files for.
//!
//! Deliberately not here: the schema and the queries of the index (the crate
//! `index`), and which files hold text (`catalog`).

pub(crate) mod grep;
pub(crate) mod index;
pub(crate) mod memo;
pub(crate) mod message;
