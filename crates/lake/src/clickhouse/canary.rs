//! Whether policies hold, before anything is loaded.
//!
//! Each of two readers owns a row in every table that nobody else may see. If one sees the
//! other's, directly, through all nodes or through the index of words, or learns from an error what
//! is in it ([`super::traps`]), nothing is loaded. The rows stay: they belong to no object of the
//! lake, and no view for people shows them.

use super::account::EngineAccount;
use super::client::{ACCESS_DENIED, EngineClient, EngineError, Parameter};
use super::schema::{self, CANARY};
use super::traps::{MIN_TRAPS, TARGET, traps};
use crate::columns::ColumnKind;
use crate::names::Table;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

/// How many questions are asked at once.
const AT_ONCE: usize = 4;
/// ClickHouse's numbers for a missing right, for what it does not have (functions and logs of some
/// releases), and for a setting or table that may not be changed.
const REFUSED: [u32; 4] = [ACCESS_DENIED, 46, 60, 164];

/// The word of canary rows.
const WORD: &str = "annalscanary";

/// Policies that do not hold.
#[derive(Debug, thiserror::Error)]
pub enum CanaryError {
    /// The server does not answer as it should.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Both readers are the same.
    #[error(
        "both reader accounts are {0:?}\nhint: name two different readers, so that it can be seen whether one sees rows of the other"
    )]
    SameReader(String),
    /// A reader sees a row of another.
    #[error(
        "{url}: {reader} sees a private row of {owner} in {view}, so nothing was loaded\nhint: annals lake load --print-policy shows the row policies that are needed"
    )]
    Visible {
        /// The server.
        url: String,
        /// Who sees it.
        reader: String,
        /// Whose row it is.
        owner: String,
        /// Where.
        view: String,
    },
    /// A reader does not see their own row.
    #[error(
        "{url}: {reader} does not see their own row in {view}, so nothing was loaded\nhint: annals lake load --print-policy shows the grants and row policies that are needed"
    )]
    Hidden {
        /// The server.
        url: String,
        /// The reader.
        reader: String,
        /// Where.
        view: String,
    },
    /// An error tells a reader about a row of another.
    #[error(
        "{url}: this query tells {reader} what is in a private row of {owner}, so nothing was loaded: {query}\nhint: annals lake load --print-policy shows the row policies that are needed: on tables, not on views"
    )]
    Leaking {
        /// The server.
        url: String,
        /// Who asks.
        reader: String,
        /// Whose row it is.
        owner: String,
        /// What tells.
        query: String,
    },
    /// The queries that would show a leak do not work.
    #[error(
        "{url}: only {working} of {all} queries that look for leaks work on this server, so nothing was loaded"
    )]
    Untested {
        /// The server.
        url: String,
        /// How many work.
        working: usize,
        /// How many there are.
        all: usize,
    },
    /// A reader can do more than read views.
    #[error(
        "{url}: {reader} {can}, so nothing was loaded\nhint: annals lake load --print-policy shows which rights a reader needs"
    )]
    TooPowerful {
        /// The server.
        url: String,
        /// The reader.
        reader: String,
        /// What the reader can do.
        can: String,
    },
}

/// The tables whose rows belong to one person.
fn tables() -> impl Iterator<Item = Table> {
    Table::ALL.into_iter().filter(|table| *table != Table::Days)
}

/// Writes the rows that show whether policies hold.
pub(super) async fn plant(
    shard: &EngineClient,
    readers: &[EngineAccount; 2],
) -> Result<(), CanaryError> {
    let [first, second] = readers;
    if first.user == second.user {
        return Err(CanaryError::SameReader(first.user.clone()));
    }
    let database = shard.url().database();
    for table in tables() {
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        let values = table.columns().iter().map(|column| match column.kind {
            _ if column.is_optional => "NULL".to_owned(),
            ColumnKind::Text => format!("'{WORD}'"),
            ColumnKind::Count | ColumnKind::Moment | ColumnKind::Money => "0".to_owned(),
            ColumnKind::Flag => "false".to_owned(),
        });
        let values: Vec<String> = values.collect();
        let statement = format!(
            "INSERT INTO {database}.{}_rows (audience, owner, installation, object, month, {}) \
             SELECT 'private', {{owner:String}}, '', '{CANARY}', 197001, {}",
            table.as_str(),
            names.join(", "),
            values.join(", "),
        );
        for reader in readers {
            let own = [Parameter::text("owner", &reader.user)];
            let there = format!(
                "SELECT count() FROM {database}.{}_rows WHERE month = 197001 AND object = \
                 '{CANARY}' AND owner = {{owner:String}}",
                table.as_str()
            );
            if shard.text(&there, &own).await?.trim() != "0" {
                continue;
            }
            shard.bytes(&statement, &own).await?;
            // Some servers show nothing to accounts without a policy.
            if shard.text(&there, &own).await?.trim() == "0" {
                return Err(CanaryError::Hidden {
                    url: shard.url().to_string(),
                    reader: shard.user().to_owned(),
                    view: format!("{}_rows", table.as_str()),
                });
            }
        }
    }
    Ok(())
}

/// Fails if a reader sees more than it may, or less.
pub(super) async fn check(
    shard: &EngineClient,
    readers: &[EngineAccount; 2],
) -> Result<(), CanaryError> {
    let [first, second] = readers;
    for (reader, other) in [(first, second), (second, first)] {
        let client = shard.as_user(reader);
        for table in tables() {
            let mut conditions = vec![format!("object = '{CANARY}'")];
            if schema::has_words(table) {
                conditions.push(format!("hasAllTokens(words, ['{WORD}']) AND object = '{CANARY}'"));
            }
            for view in ["_visible", "_all"] {
                let view = format!("{}{view}", table.as_str());
                for condition in &conditions {
                    check_view(&client, &view, condition, other).await?;
                }
            }
        }
        check_rights(&client).await?;
    }
    let traps = working_traps(&shard.as_user(first), first).await?;
    for (reader, other) in [(first, second), (second, first)] {
        let client = shard.as_user(reader);
        let answers = leaks_to(&client, &traps, &other.user).await?;
        if let Some((query, _)) = answers.into_iter().find(|(_, fails)| *fails) {
            let (url, reader) = (client.url().to_string(), client.user().to_owned());
            let query = query.clone();
            return Err(CanaryError::Leaking { url, reader, owner: other.user.clone(), query });
        }
    }
    Ok(())
}

/// The queries that succeed about nobody and fail about the reader.
async fn working_traps(
    client: &EngineClient,
    reader: &EngineAccount,
) -> Result<Vec<String>, CanaryError> {
    let all = traps(client.url().database());
    // No owner has this name.
    let about_nobody = leaks_to(client, &all, "").await?;
    let understood = about_nobody.into_iter().filter(|(_, fails)| !fails);
    let understood: Vec<String> = understood.map(|(query, _)| query.clone()).collect();
    let about_reader = leaks_to(client, &understood, &reader.user).await?;
    let working = about_reader.into_iter().filter(|(_, fails)| *fails);
    let working: Vec<String> = working.map(|(query, _)| query.clone()).collect();
    if working.len() < MIN_TRAPS {
        let (url, working, all) = (client.url().to_string(), working.len(), all.len());
        return Err(CanaryError::Untested { url, working, all });
    }
    Ok(working)
}

/// The queries about an owner, each with whether it fails.
async fn leaks_to<'q>(
    client: &EngineClient,
    queries: &'q [String],
    owner: &str,
) -> Result<Vec<(&'q String, bool)>, EngineError> {
    let asked = stream::iter(queries).map(|query| async move {
        match client.bytes(query, &[Parameter::text(TARGET, owner)]).await {
            Ok(_) => Ok((query, false)),
            Err(EngineError::Refused { .. }) => Ok((query, true)),
            Err(error) => Err(error),
        }
    });
    asked.buffered(AT_ONCE).try_collect().await
}

async fn check_view(
    client: &EngineClient,
    view: &str,
    condition: &str,
    other: &EngineAccount,
) -> Result<(), CanaryError> {
    let statement = format!(
        "SELECT countIf(owner = {{reader:String}}), countIf(owner = {{other:String}}) FROM \
         {}.{view} WHERE {condition}",
        client.url().database()
    );
    let parameters =
        [Parameter::text("reader", client.user()), Parameter::text("other", &other.user)];
    let rows = client.lines(&statement, &parameters).await?;
    let [own, others] = rows.first().map_or(&[][..], Vec::as_slice) else {
        return Err(client.unexpected("two numbers are missing").into());
    };
    let (url, reader, view) = (client.url().to_string(), client.user().to_owned(), view.to_owned());
    if others != "0" {
        return Err(CanaryError::Visible { url, reader, owner: other.user.clone(), view });
    }
    if own == "0" {
        return Err(CanaryError::Hidden { url, reader, view });
    }
    Ok(())
}

/// A reader reads views, changes nothing and reaches nothing outside.
async fn check_rights(client: &EngineClient) -> Result<(), CanaryError> {
    let database = client.url().database();
    let too_powerful = |can: &str| CanaryError::TooPowerful {
        url: client.url().to_string(),
        reader: client.user().to_owned(),
        can: can.to_owned(),
    };
    if client.text("SELECT getSetting('readonly')", &[]).await?.trim() != "1" {
        return Err(too_powerful("may change settings (readonly is not 1)"));
    }
    let refused = [
        (format!("SELECT count() FROM {database}.calls_rows"), "reads rows without their policies"),
        (
            "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x String')".to_owned(),
            "may use table functions",
        ),
    ];
    let rows = Table::ALL.into_iter().flat_map(|table| rows_statements(database, table.as_str()));
    for (statement, can) in refused.into_iter().chain(rows).chain(other_statements(database)) {
        match client.bytes(&statement, &[]).await {
            Err(EngineError::Refused { code, .. }) if REFUSED.contains(&code) => {}
            Err(EngineError::Connection { url, reason }) => {
                return Err(EngineError::Connection { url, reason }.into());
            }
            _ => return Err(too_powerful(can)),
        }
    }
    // `clickhouse local`, with which annals is tested, lets everybody read files.
    let file = client.bytes("SELECT file('/etc/passwd')", &[]).await;
    if file.is_ok() && !client.url().is_local() {
        return Err(too_powerful("may read files of the server"));
    }
    Ok(())
}

/// What shows rows, ids or words without the policies of a table.
fn rows_statements(database: &str, table: &str) -> Vec<(String, &'static str)> {
    let can = "reads rows without their policies";
    let statements = [
        format!("SELECT count() FROM {database}.{table}_rows"),
        format!("SELECT throwIf(1) FROM {database}.{table}_rows FINAL PREWHERE throwIf(1)"),
        format!("SELECT * FROM mergeTreeIndex('{database}', '{table}_rows')"),
        format!("SELECT * FROM mergeTreeTextIndex('{database}', '{table}_rows', 'words_index')"),
        format!("SELECT count() FROM merge('{database}', '^{table}_rows$')"),
    ];
    statements.map(|statement| (statement, can)).to_vec()
}

/// What else a reader must not do: read what loaders know, what other people ask and what the server
/// says about it, or reach other servers.
fn other_statements(database: &str) -> Vec<(String, &'static str)> {
    let tables = ["loads", "gone", "forgotten", "loaders"];
    let tables = tables.map(|table| {
        (format!("SELECT count() FROM {database}.{table}"), "reads what loaders know")
    });
    let system = ["query_log", "text_log", "processes", "errors", "parts", "row_policies"];
    let system = system.map(|table| {
        (format!("SELECT * FROM system.{table} LIMIT 1"), "reads what the server says of others")
    });
    let functions = [
        format!("SELECT count() FROM remote('127.0.0.1', {database}, calls_rows)"),
        "SELECT * FROM file('x', 'TSV', 'x String')".to_owned(),
        "SELECT * FROM s3('http://127.0.0.1:1/b/k', 'TSV', 'x String')".to_owned(),
        "SELECT * FROM executable('x', 'TSV', 'x String')".to_owned(),
        "CREATE TEMPORARY TABLE x (x Int8)".to_owned(),
    ];
    let functions = functions.map(|statement| (statement, "may use table functions"));
    tables.into_iter().chain(system).chain(functions).collect()
}
