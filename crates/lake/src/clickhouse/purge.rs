//! Taking rows away: hidden first, then deleted, then purged from disk.

use super::client::{EngineClient, EngineError, Parameter};
use super::load::{Known, LoadError};
use super::schema;
use crate::names::{Audience, SegmentName, Table};
use std::collections::BTreeSet;
use std::time::Duration;

/// How often old parts are looked for before they are reported.
const MAX_LOOKS: u32 = 240;
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// Takes objects that do not count any more away. Returns how many there were.
pub(super) async fn remove(
    shard: &EngineClient,
    gone: &[(&String, &Known)],
) -> Result<u64, LoadError> {
    if gone.is_empty() {
        return Ok(0);
    }
    let database = shard.url().database();
    let names = |some: &[(&String, &Known)]| {
        Parameter::texts("objects", some.iter().map(|(object, _)| object.as_str()))
    };
    for some in gone.chunks(500) {
        let statement =
            format!("INSERT INTO {database}.gone SELECT arrayJoin({{objects:Array(String)}})");
        shard.bytes(&statement, &[names(some)]).await?;
    }
    let mut places: BTreeSet<(Table, String)> = BTreeSet::new();
    for (object, _) in gone {
        let segment = object.split_once("/d/").and_then(|(_, name)| name.parse().ok());
        let segment: Option<SegmentName> = segment;
        places.extend(segment.map(|name| (name.table, name.month.to_string())));
    }
    let mut tables: BTreeSet<Table> = BTreeSet::new();
    for (table, month) in &places {
        let condition = format!("object IN (SELECT object FROM {database}.gone)");
        if delete(shard, *table, Some(month), &condition).await? {
            tables.insert(*table);
        }
    }
    for table in tables {
        wait_for_old_parts(shard, table).await?;
    }
    // An attempt that was never finished may still be under way at the server: it stays
    // noted, and what it brings stays hidden and is deleted by the next load.
    let finished: Vec<(&String, &Known)> =
        gone.iter().filter(|(_, known)| known.unfinished.is_none()).copied().collect();
    for some in finished.chunks(500) {
        for table in ["loads", "gone"] {
            let statement =
                format!("DELETE FROM {database}.{table} WHERE object IN {{objects:Array(String)}}");
            shard.bytes(&statement, &[names(some)]).await?;
        }
    }
    Ok(gone.len() as u64)
}

/// Deletes the rows of forgotten sessions that are still there.
pub(super) async fn purge_forgotten(shard: &EngineClient) -> Result<(), LoadError> {
    let database = shard.url().database();
    let condition =
        format!("(owner, session_id) IN (SELECT owner, session_id FROM {database}.forgotten)");
    for table in Table::ALL.into_iter().filter(|table| schema::has_session(*table)) {
        if delete(shard, table, None, &condition).await? {
            wait_for_old_parts(shard, table).await?;
        }
    }
    Ok(())
}

/// Deletes rows and writes the parts on disk without them. Returns whether there were any.
async fn delete(
    shard: &EngineClient,
    table: Table,
    month: Option<&String>,
    condition: &str,
) -> Result<bool, EngineError> {
    let name = format!("{}.{}_rows", shard.url().database(), table.as_str());
    let months = match month {
        Some(month) => format!("month = {month} AND "),
        None => String::new(),
    };
    // A statement that deletes nothing would still write every part again.
    let statement = format!(
        "SELECT DISTINCT month, audience FROM {name} WHERE {months}{condition} ORDER BY ALL"
    );
    let found = shard.lines(&statement, &[]).await?;
    for place in &found {
        let [month, audience] = &place[..] else { return Err(shard.unexpected("a partition")) };
        // From the server, and used as a number and as one of our names only.
        let month: u32 = month.parse().map_err(|_| shard.unexpected("a month"))?;
        let audience: Audience = audience.parse().map_err(|_| shard.unexpected("an audience"))?;
        let partition = format!("({month}, '{audience}')");
        let statement = format!(
            "DELETE FROM {name} IN PARTITION {partition} WHERE {condition} SETTINGS \
             lightweight_deletes_sync = 2"
        );
        shard.bytes(&statement, &[]).await?;
        let statement = format!(
            "ALTER TABLE {name} APPLY DELETED MASK IN PARTITION {partition} SETTINGS \
             mutations_sync = 2"
        );
        shard.bytes(&statement, &[]).await?;
    }
    Ok(!found.is_empty())
}

/// Waits until the server has deleted the parts that were replaced.
async fn wait_for_old_parts(shard: &EngineClient, table: Table) -> Result<(), LoadError> {
    wait_for_parts(shard, &format!("{}_rows", table.as_str()), "(0, '')").await
}

/// Waits until the server has deleted the parts of a table that do not count any more. By itself it
/// does so minutes later; after dropping a partition, even one that is not there, it does so at
/// once.
pub(super) async fn wait_for_parts(
    shard: &EngineClient,
    table: &str,
    no_partition: &str,
) -> Result<(), LoadError> {
    let statement = "SELECT count() FROM system.parts WHERE database = {database:String} AND \
                     table = {table:String} AND NOT active";
    let parameters =
        [Parameter::text("database", shard.url().database()), Parameter::text("table", table)];
    let database = shard.url().database();
    let clean = format!("ALTER TABLE {database}.{table} DROP PARTITION {no_partition}");
    for _ in 0..MAX_LOOKS {
        shard.bytes(&clean, &[]).await?;
        if shard.text(statement, &parameters).await?.trim() == "0" {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(LoadError::OldParts { url: shard.url().to_string(), table: table.to_owned() })
}
