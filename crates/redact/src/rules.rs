//! The table of what is masked. Every row has its own test values: what must
//! be found, and what looks like it and must not be.
//!
//! To add a kind, add a row; nothing else knows the kinds. Where two rows find
//! the same bytes, the earlier one names them.

mod clouds;
mod contexts;
mod forges;
mod models;
mod services;

use crate::Level;
use crate::contexts::email;
use crate::rule::{Rule, matched};

/// Its keyword is too short for the gate; it has a pass of its own.
pub(crate) const EMAIL: Rule = matched("email", &["@"], email).strict().with(
    &["ann@host.org", "Ann <«ann.b+x@mail.host.org»>.", r"\n«ann@host.org»"],
    &["@types/node", "a@b", "git@host.org:a/b", "icon@2x.png", "user@localhost", "@host.org"],
);

/// Every kind of secret, in the order in which they name what several find.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    const TABLE: &[&[Rule]] =
        &[forges::ROWS, models::ROWS, clouds::ROWS, services::ROWS, contexts::ROWS, &[EMAIL]];
    TABLE.iter().flat_map(|rows| rows.iter())
}

/// The kinds that are masked at a level.
pub(crate) fn rules_of(level: Level) -> Vec<&'static Rule> {
    rules().filter(|rule| rule.level <= level).collect()
}
