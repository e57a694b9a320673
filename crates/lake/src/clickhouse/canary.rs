//! Whether policies hold, before anything is loaded.
//!
//! Each of two readers owns a row in every table that nobody else may see. If one sees the
//! other's, directly, through all nodes or through the index of words, or learns from an error what
//! is in it ([`super::traps`]), nothing is loaded. The rows stay: they belong to no object of the
//! lake, and no view for people shows them.

use super::account::EngineAccount;
use super::client::{ACCESS_DENIED, EngineClient, EngineError, Parameter};
use super::schema::{self, CANARY};
use super::traps::{MIN_TRAPS, TARGET, Trap, traps};
use crate::columns::ColumnKind;
use crate::names::Table;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use std::time::Duration;

/// How many questions are asked at once.
const AT_ONCE: usize = 4;
/// ClickHouse's numbers for a missing right, for what it does not have (functions and logs of some
/// releases), for a setting or table that may not be changed, and for `merge` over no table that
/// the reader may read.
const REFUSED: [u32; 5] = [ACCESS_DENIED, 46, 60, 164, 636];
/// Those for another node that did not answer: a timeout, an error of the network, and that all
/// attempts to connect failed. They say nothing about rows.
const NOT_ASKED: [u32; 3] = [209, 210, 279];
/// How often a question is asked if another node does not answer.
const ATTEMPTS: u32 = 3;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(500);

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
    /// A node did not answer another one.
    #[error(
        "{url}: could not ask as {reader}, so nothing was loaded: {reason}\nhint: this says nothing about rights; run annals lake load again when all nodes of the cluster answer"
    )]
    NotAsked {
        /// The server.
        url: String,
        /// Who asks.
        reader: String,
        /// What the server says.
        reason: String,
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
        if let Some(trap) = failing(&client, &traps, Over::Its, &other.user).await?.first() {
            let (url, reader) = (client.url().to_string(), client.user().to_owned());
            let query = trap.query.clone();
            return Err(CanaryError::Leaking { url, reader, owner: other.user.clone(), query });
        }
    }
    Ok(())
}

/// The traps that succeed about nobody and fail about the reader.
pub(super) async fn working_traps(
    client: &EngineClient,
    reader: &EngineAccount,
) -> Result<Vec<Trap>, CanaryError> {
    let mut traps = traps(client.url().database());
    let all = traps.len();
    // No owner has this name.
    let not_understood = failing(client, &traps, Over::Its, "").await?;
    traps.retain(|trap| !not_understood.contains(trap));
    let working = failing(client, &traps, Over::OneNode, &reader.user).await?;
    if working.len() < MIN_TRAPS {
        let (url, working) = (client.url().to_string(), working.len());
        return Err(CanaryError::Untested { url, working, all });
    }
    Ok(working)
}

/// Over what a trap is asked.
#[derive(Clone, Copy)]
enum Over {
    OneNode,
    /// One node or all, as the trap has it.
    Its,
}

/// The traps that fail if they are asked about an owner. Those that ask all nodes are asked one
/// after another: each takes connections between the nodes.
async fn failing(
    client: &EngineClient,
    traps: &[Trap],
    over: Over,
    owner: &str,
) -> Result<Vec<Trap>, CanaryError> {
    let asks_all = |trap: &&Trap| matches!(over, Over::Its) && trap.asks_all_nodes();
    let (of_all, of_one): (Vec<&Trap>, Vec<&Trap>) = traps.iter().partition(asks_all);
    let ask = |trap: &Trap| {
        let query = match over {
            Over::OneNode => trap.of_node.clone(),
            Over::Its => trap.query.clone(),
        };
        let trap = trap.clone();
        async move {
            let answer = ask(client, &query, &[Parameter::text(TARGET, owner)]).await?;
            Ok::<_, CanaryError>(answer.is_err().then_some(trap))
        }
    };
    let of_one = stream::iter(of_one).map(ask).buffered(AT_ONCE);
    let of_all = stream::iter(of_all).then(ask);
    let failing: Vec<Option<Trap>> = of_one.chain(of_all).try_collect().await?;
    Ok(failing.into_iter().flatten().collect())
}

/// What the server answers to a query, or with which number it refuses. Fails if it was not asked.
async fn ask(
    client: &EngineClient,
    query: &str,
    parameters: &[Parameter],
) -> Result<Result<Vec<u8>, u32>, CanaryError> {
    let mut attempt = 1;
    loop {
        match client.bytes(query, parameters).await {
            Ok(answer) => return Ok(Ok(answer)),
            Err(EngineError::Refused { code, .. })
                if NOT_ASKED.contains(&code) && attempt < ATTEMPTS =>
            {
                attempt += 1;
                tokio::time::sleep(BETWEEN_ATTEMPTS).await;
            }
            Err(EngineError::Refused { url, code, reason }) if NOT_ASKED.contains(&code) => {
                return Err(CanaryError::NotAsked {
                    url,
                    reader: client.user().to_owned(),
                    reason,
                });
            }
            Err(EngineError::Refused { code, .. }) => return Ok(Err(code)),
            Err(error) => return Err(error.into()),
        }
    }
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
pub(super) async fn check_rights(client: &EngineClient) -> Result<(), CanaryError> {
    let database = client.url().database();
    let too_powerful = |can: &str| CanaryError::TooPowerful {
        url: client.url().to_string(),
        reader: client.user().to_owned(),
        can: can.to_owned(),
    };
    if client.text("SELECT getSetting('readonly')", &[]).await?.trim() != "1" {
        return Err(too_powerful("may change settings (readonly is not 1)"));
    }
    let rows = Table::ALL.into_iter().flat_map(|table| rows_statements(database, table));
    for (statement, can) in rows.chain(other_statements(database)) {
        match ask(client, &statement, &[]).await? {
            Err(code) if REFUSED.contains(&code) => {}
            _ => return Err(too_powerful(can)),
        }
    }
    for statement in outside_statements(database) {
        // A reader with the right fails to connect, because nothing listens there.
        match client.bytes(&statement, &[]).await {
            Err(EngineError::Refused { code, .. }) if REFUSED.contains(&code) => {}
            Ok(_) | Err(EngineError::Refused { .. }) => {
                return Err(too_powerful("may use table functions"));
            }
            Err(error) => return Err(error.into()),
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
fn rows_statements(database: &str, table: Table) -> Vec<(String, &'static str)> {
    let name = table.as_str();
    let mut statements = vec![
        format!("SELECT count() FROM {database}.{name}_rows"),
        format!("SELECT throwIf(1) FROM {database}.{name}_rows FINAL PREWHERE throwIf(1)"),
        format!("SELECT * FROM mergeTreeIndex('{database}', '{name}_rows')"),
        format!("SELECT count() FROM merge('{database}', '^{name}_rows$')"),
    ];
    // Without an index there is nothing to refuse.
    if schema::has_words(table) {
        statements.push(format!(
            "SELECT * FROM mergeTreeTextIndex('{database}', '{name}_rows', 'words_index')"
        ));
    }
    let mut statements: Vec<(String, &str)> = statements
        .into_iter()
        .map(|statement| (statement, "reads rows without their policies"))
        .collect();
    for (view, _) in schema::views_of_all_nodes(table) {
        let nodes = schema::over_nodes(&view);
        statements.push((
            format!("SELECT count() FROM {database}.{nodes}"),
            "asks other nodes under a name that is not compared",
        ));
    }
    statements
}

/// What else a reader must not do: read what loaders know, what other people ask and what the server
/// says about it, or create something.
fn other_statements(database: &str) -> Vec<(String, &'static str)> {
    let tables = ["loads", "gone", "forgotten", "loaders"];
    let tables = tables.map(|table| {
        (format!("SELECT count() FROM {database}.{table}"), "reads what loaders know")
    });
    let system = ["query_log", "text_log", "processes", "errors", "parts", "row_policies"];
    let system = system.map(|table| {
        (format!("SELECT * FROM system.{table} LIMIT 1"), "reads what the server says of others")
    });
    let changes = [("CREATE TEMPORARY TABLE x (x Int8)".to_owned(), "may create tables")];
    tables.into_iter().chain(system).chain(changes).collect()
}

/// What reaches something outside the database: a reader without the right is refused first.
fn outside_statements(database: &str) -> [String; 5] {
    [
        "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x String')".to_owned(),
        format!("SELECT count() FROM remote('127.0.0.1', {database}, calls_rows)"),
        "SELECT * FROM file('x', 'TSV', 'x String')".to_owned(),
        // Shorter names of buckets are refused before rights are looked at.
        "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'TSV', 'x String')".to_owned(),
        "SELECT * FROM executable('x', 'TSV', 'x String')".to_owned(),
    ]
}
