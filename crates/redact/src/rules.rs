//! The table of secrets. Every row has its own test values: texts that must
//! match, and similar ones that must not.
//!
//! To add a kind, add a row; nothing else knows the kinds. Where two rows match
//! the same bytes, the earlier one names them.

mod access;
mod agents;
mod arguments;
mod clouds;
mod contexts;
mod forges;
mod forms;
mod messaging;
mod models;
mod monitoring;
mod names;
mod payments;
mod platforms;
mod services;
mod vendors;

use crate::Level;
use crate::addresses::address_password;
use crate::contexts::email;
use crate::rule::{Rule, matched};
pub(crate) use forms::KEY_ARRAY;

/// Their keyword is too short for the scanner, so they have their own pass. The
/// first is for every level.
pub(crate) const ADDRESSES: &[Rule] = &[
    matched("address-password", &["@"], address_password).with(
        &[
            "ann:«hV8|nq2Lx!a»@host",
            "run CORP/ann:'«hV8|nq2Lx!a»'@10.0.0.1",
            "ann@host.org:«hV8|nq2Lx!a»",
            "sql.Open(\"mysql\", \"ann:«S3a-po|ol!x9»@/tides\")",
            "sql.Open(\"mysql\", \"ann:«sommer|regen»@/tides\")",
            "MYSQL_DSN=ann:«S3a-po|ol!x9»@(db:3306)/tides?parseTime=true",
            "\"ann:«sommer|regen»@(db:3306)/tides\"",
        ],
        &[
            "registry:tides@/x",
            "dsn ann:$PASS@/tides",
            "name:value@(see below)",
            "git@host.org:Ann2/b!x",
            "image:v1.2@sha256:9f8e7d6c5b4a3928",
            "pkg:left-pad@1.2.3",
            "ann:$PASS@host",
            "ann@host.org:8080",
            "ann@host.org: see Chapter2!",
        ],
    ),
    matched("email", &["@"], email).strict().with(
        &["ann@host.org", "Ann <«ann.b+x@mail.host.org»>.", r"\n«ann@host.org»"],
        &["@types/node", "a@b", "git@host.org:a/b", "icon@2x.png", "user@localhost", "@host.org"],
    ),
];

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
        platforms::ROWS,
        vendors::ROWS,
        contexts::ROWS,
        forms::ROWS,
        names::ROWS,
        arguments::ROWS,
        ADDRESSES,
    ];
    TABLE.iter().flat_map(|rows| rows.iter())
}

/// The kinds that are masked at a level.
pub(crate) fn rules_of(level: Level) -> Vec<&'static Rule> {
    rules().filter(|rule| rule.level <= level).collect()
}
