//! Whether the row policies that are installed on a server know who reads.
//!
//! Policies of older releases ask for `currentUser()` alone, which a program that speaks the
//! protocol of nodes can choose. They are installed by administrators, so after an update of annals
//! they can still be the old ones. Whether they hold is tested afterwards
//! ([`super::canary`]); over HTTP, that test cannot claim another name.

use super::client::{EngineClient, EngineError, Parameter};
use super::load::LoadError;
use super::schema::{READER_IS_KNOWN, VIEWS_ACCOUNT};
use crate::names::Table;

/// Fails if a policy shows rows without asking who logged in.
pub(super) async fn check(shard: &EngineClient) -> Result<(), LoadError> {
    let names = Table::ALL.map(|table| format!("{}_rows", table.as_str()));
    let parameters = [
        Parameter::text("database", shard.url().database()),
        Parameter::texts("names", names.iter().map(String::as_str)),
        Parameter::text("account", VIEWS_ACCOUNT),
        Parameter::text("beginning", &format!("{READER_IS_KNOWN} AND ")),
    ];
    // Of several policies each shows what it allows, unless it restricts the others.
    let statement = "SELECT DISTINCT table FROM system.row_policies WHERE database = \
                     {database:String} AND table IN {names:Array(String)} AND NOT is_restrictive \
                     AND (apply_to_all OR has(apply_to_list, {account:String})) AND NOT \
                     startsWith(ifNull(select_filter, ''), {beginning:String}) ORDER BY table";
    let url = || shard.url().to_string();
    let tables = match shard.lines(statement, &parameters).await {
        Ok(rows) => rows,
        Err(EngineError::Refused { reason, .. }) => {
            return Err(LoadError::HiddenPolicies { url: url(), reason });
        }
        Err(error) => return Err(error.into()),
    };
    match tables.into_iter().flatten().next() {
        Some(table) => Err(LoadError::OldPolicies { url: url(), table }),
        None => Ok(()),
    }
}
