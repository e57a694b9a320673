//! The table of secrets. Every row has its own test values: texts that must
//! match, and similar ones that must not.
//!
//! To add a kind, add a row; nothing else knows the kinds. Where two rows match
//! the same bytes, the earlier one names them.

mod access;
mod agents;
mod clouds;
mod contexts;
mod forges;
mod messaging;
mod models;
mod monitoring;
mod names;
mod payments;
mod services;

use crate::Level;
use crate::contexts::email;
use crate::rule::{Rule, matched};

/// Its keyword is too short for the scanner, so it has its own pass.
pub(crate) const EMAIL: Rule = matched("email", &["@"], email).strict().with(
    &["ann@host.org", "Ann <«ann.b+x@mail.host.org»>.", r"\n«ann@host.org»"],
    &["@types/node", "a@b", "git@host.org:a/b", "icon@2x.png", "user@localhost", "@host.org"],
);

/// Every kind of secret, in order of precedence.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    const TABLE: &[&[Rule]] = &[
        forges::ROWS,
        models::ROWS,
        clouds::ROWS,
        services::ROWS,
        access::ROWS,
        agents::ROWS,
        messaging::ROWS,
        monitoring::ROWS,
        payments::ROWS,
        contexts::ROWS,
        names::ROWS,
        &[EMAIL],
    ];
    TABLE.iter().flat_map(|rows| rows.iter())
}

/// The kinds that are masked at a level.
pub(crate) fn rules_of(level: Level) -> Vec<&'static Rule> {
    rules().filter(|rule| rule.level <= level).collect()
}
