//! Servers that an older annals filled.
//!
//! Up to its first layout, row policies stood on views, and ClickHouse evaluates the conditions of a
//! reader before the policies of a view: errors could quote any row. These views go first. Then
//! their tables get another name, under which they stay, empty: a table can get a name only once,
//! so of several loaders that do this at the same time none can take the new tables away.
//!
//! Up to the second, views believed whatever name of a reader a program claimed that speaks the
//! protocol of nodes. These views go too.
//!
//! Up to the third, columns with few values had a dictionary (`LowCardinality`). ClickHouse evaluates
//! functions over the dictionary of a whole part, so errors could quote names in hidden rows of
//! it. These views go, and their tables are replaced like those of the first layout.

use super::client::{EngineClient, EngineError, Parameter};
use super::load::LoadError;
use super::purge::wait_for_parts;
use super::schema::{VIEWS_OF_FINANCE, views_of_all_nodes, views_of_readers};
use crate::names::Table;

/// The partition key of tables with the first layout.
const OLD_PARTITION_KEY: &str = "month";
/// What the definitions of tables up to the third layout have, and no newer one.
const DICTIONARY: &str = "LowCardinality";
/// The end of the names of tables that are replaced.
const REPLACED: &str = "_replaced_again";
/// The same, also of a release that replaced those with the first layout: it may have been
/// interrupted before they were empty.
const ALL_REPLACED: [&str; 2] = ["_replaced", REPLACED];
/// ClickHouse's numbers for a table that exists and one that does not.
const EXISTS: u32 = 57;
const UNKNOWN_TABLE: u32 = 60;

/// Drops all views if readers could see more through them than they may, and returns whether they
/// could.
pub(super) async fn revoke_old_views(shard: &EngineClient) -> Result<bool, EngineError> {
    if old_tables(shard).await?.is_empty() && !believes_any_name(shard).await? {
        return Ok(false);
    }
    let views = Table::ALL.into_iter().flat_map(views_of_readers);
    for view in views.chain(VIEWS_OF_FINANCE.map(str::to_owned)) {
        // Those over all nodes are tables. Both statements drop both.
        let statement = format!("DROP TABLE IF EXISTS {}.{view} SYNC", shard.url().database());
        shard.bytes(&statement, &[]).await?;
    }
    Ok(true)
}

/// Takes tables with an old layout out of use and their rows from disk. Everything is loaded
/// again afterwards.
pub(super) async fn retire_old_tables(shard: &EngineClient) -> Result<(), LoadError> {
    let database = shard.url().database();
    let mut old = old_tables(shard).await?;
    if !old.is_empty() {
        // First what says that they are filled.
        old.insert(0, "loads".to_owned());
    }
    for table in old {
        let statement = format!("RENAME TABLE {database}.{table} TO {database}.{table}{REPLACED}");
        match shard.bytes(&statement, &[]).await {
            // Another loader was faster.
            Ok(_) | Err(EngineError::Refused { code: EXISTS | UNKNOWN_TABLE, .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let replaced = Table::ALL
        .into_iter()
        .flat_map(|table| ALL_REPLACED.map(|end| format!("{}_rows{end}", table.as_str())));
    for name in replaced {
        let condition = "name = {table:String} AND total_rows > 0";
        if tables(shard, condition, &[Parameter::text("table", &name)]).await?.is_empty() {
            continue;
        }
        shard.bytes(&format!("TRUNCATE TABLE {database}.{name} SYNC"), &[]).await?;
        let parameters =
            [Parameter::text("table", &name), Parameter::text("key", OLD_PARTITION_KEY)];
        let condition = "name = {table:String} AND partition_key = {key:String}";
        let has_one_field = !tables(shard, condition, &parameters).await?.is_empty();
        wait_for_parts(shard, &name, if has_one_field { "0" } else { "(0, '')" }).await?;
    }
    Ok(())
}

/// Whether something was loaded and not all views of all nodes ask who logged in. Those that an
/// interrupted upgrade has dropped already count as views that do not.
async fn believes_any_name(shard: &EngineClient) -> Result<bool, EngineError> {
    if tables(shard, "name = 'loads' AND total_rows > 0", &[]).await?.is_empty() {
        return Ok(false);
    }
    let views: Vec<String> = Table::ALL
        .into_iter()
        .flat_map(|table| views_of_all_nodes(table).into_iter().map(|(view, _)| view))
        .collect();
    let names = [Parameter::texts("names", views.iter().map(String::as_str))];
    let condition = "name IN {names:Array(String)} AND position(create_table_query, \
                     'authenticatedUser') > 0";
    Ok(tables(shard, condition, &names).await?.len() < views.len())
}

/// Fails if a loader of an older release has created a table in the meantime: readers could see
/// more of it than they may.
pub(super) async fn check_layout(shard: &EngineClient) -> Result<(), LoadError> {
    match old_tables(shard).await?.into_iter().next() {
        Some(table) => Err(LoadError::OldTable {
            url: shard.url().to_string(),
            table,
            database: shard.url().database().to_owned(),
        }),
        None => Ok(()),
    }
}

/// The tables of rows that have an old layout.
async fn old_tables(shard: &EngineClient) -> Result<Vec<String>, EngineError> {
    let names = Table::ALL.map(|table| format!("{}_rows", table.as_str()));
    let parameters = [
        Parameter::texts("names", names.iter().map(String::as_str)),
        Parameter::text("key", OLD_PARTITION_KEY),
        Parameter::text("dictionary", DICTIONARY),
    ];
    let condition = "name IN {names:Array(String)} AND (partition_key = {key:String} OR \
                     position(create_table_query, {dictionary:String}) > 0)";
    tables(shard, condition, &parameters).await
}

async fn tables(
    shard: &EngineClient,
    condition: &str,
    parameters: &[Parameter],
) -> Result<Vec<String>, EngineError> {
    let statement = format!(
        "SELECT name FROM system.tables WHERE database = {{database:String}} AND {condition} ORDER \
         BY name"
    );
    let database = Parameter::text("database", shard.url().database());
    let parameters = [&[database], parameters].concat();
    let rows = shard.lines(&statement, &parameters).await?;
    Ok(rows.into_iter().flatten().collect())
}
