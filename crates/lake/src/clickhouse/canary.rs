//! Whether policies hold, before anything is loaded.
//!
//! Each of two readers owns a row in every table that nobody else may see, and there is one of a team
//! that neither is in. If one sees a row of the other or of the team, directly, through all nodes or
//! through the index of words, or learns from an error what is in it ([`super::traps`]), nothing is
//! loaded. The rows stay: they belong to no object of the lake, and no view for people shows them.
//!
//! The rows of both readers come in one insert and so are in one granule of one part: a condition on
//! owners cannot keep the server from reading the other's row.

use super::account::EngineAccount;
use super::client::{ACCESS_DENIED, EngineClient, EngineError, Parameter};
use super::schema::{self, CANARY, CANARY_MONTH, TEAM_OF_NOBODY};
use super::traps::{MIN_TRAPS, NAMES, OWNERS, TEXTS, Trap, traps};
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

/// The word of canary rows. Each text in them begins with it; then come the owner and the server.
const WORD: &str = "annalscanary";
/// The owner of the rows of the team. No person has such a name.
const OUTSIDER: &str = "somebody else";
/// Nobody's name.
const NOBODY: &str = "nobody at all";

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
        "{url}: {reader} sees {row} in {view}, so nothing was loaded\nhint: annals lake load --print-policy shows the row policies that are needed"
    )]
    Visible {
        /// The server.
        url: String,
        /// Who sees it.
        reader: String,
        /// Whose row it is.
        row: String,
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
        "{url}: this query tells {reader} what is in {row}, so nothing was loaded: {query}\nhint: annals lake load --print-policy shows the row policies that are needed: on tables, not on views"
    )]
    Leaking {
        /// The server.
        url: String,
        /// Who asks.
        reader: String,
        /// Whose row it is.
        row: String,
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
    let (database, server) = (shard.url().database(), shard.url().to_string());
    let owners = [first.user.as_str(), second.user.as_str(), OUTSIDER];
    let parameters = [Parameter::texts(OWNERS, owners), Parameter::text("server", &server)];
    for table in tables() {
        let columns: Vec<String> =
            table.columns().iter().map(|column| schema::DIALECT.name(column.name)).collect();
        let values = table.columns().iter().map(|column| match column.kind {
            ColumnKind::Text => "value",
            _ if column.is_optional => "NULL",
            ColumnKind::Count | ColumnKind::Moment | ColumnKind::Money => "0",
            ColumnKind::Flag => "false",
        });
        let values: Vec<&str> = values.collect();
        let rows = format!("{database}.{}_rows", table.as_str());
        let value = format!("concat('{WORD} ', owner, ' ', {{server:String}})");
        // The same rows may have been there and gone.
        let statement = format!(
            "INSERT INTO {rows} (audience, owner, installation, object, month, {}) SETTINGS \
             insert_deduplicate = 0 SELECT if(owner = '{OUTSIDER}', '{TEAM_OF_NOBODY}', 'private'), \
             owner, value, '{CANARY}', {CANARY_MONTH}, {} FROM (SELECT owner, {value} AS value FROM (SELECT \
             arrayJoin({{{OWNERS}:Array(String)}}) AS owner))",
            columns.join(", "),
            values.join(", "),
        );
        let are_there = format!(
            "SELECT maxIf(owners, audience = 'private') = 2 AND maxIf(owners, audience = \
             '{TEAM_OF_NOBODY}') = 1 FROM (SELECT audience, uniqExact(owner) AS owners FROM {rows} \
             WHERE month = {CANARY_MONTH} AND object = '{CANARY}' AND owner IN {{{OWNERS}:Array(String)}} \
             AND installation = {value} GROUP BY audience, _part)"
        );
        if shard.text(&are_there, &parameters).await?.trim() == "1" {
            continue;
        }
        shard.bytes(&statement, &parameters).await?;
        // Some servers show nothing to accounts without a policy.
        if shard.text(&are_there, &parameters).await?.trim() != "1" {
            return Err(CanaryError::Hidden {
                url: server,
                reader: shard.user().to_owned(),
                view: format!("{}_rows", table.as_str()),
            });
        }
    }
    Ok(())
}

/// Fails if a reader of one of the servers sees more than it may, or less.
pub(super) async fn check(
    shard: &EngineClient,
    all: &[EngineClient],
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
    let is_other = |it: &&EngineClient| it.url().cluster().is_some() && it.url() != shard.url();
    let elsewhere = all.iter().find(is_other).map(|it| it.url().to_string());
    let traps = working_traps(&shard.as_user(first), elsewhere.as_deref()).await?;
    for (reader, other) in [(first, second), (second, first)] {
        let client = shard.as_user(reader);
        check_traps(&client, &traps, &other.user).await?;
    }
    Ok(())
}

/// Fails if a trap tells a reader about the row of another, or of the team.
pub(super) async fn check_traps(
    client: &EngineClient,
    traps: &[Trap],
    other: &str,
) -> Result<(), CanaryError> {
    let failing = failing(client, traps, &[other, OUTSIDER], None).await?;
    let Some(trap) = failing.into_iter().next() else { return Ok(()) };
    let of_other = self::failing(client, std::slice::from_ref(&trap), &[other], None).await?;
    Err(CanaryError::Leaking {
        url: client.url().to_string(),
        reader: client.user().to_owned(),
        row: if of_other.is_empty() { row_of_team() } else { row_of(other) },
        query: trap.query,
    })
}

fn row_of(owner: &str) -> String {
    format!("a private row of {owner}")
}

fn row_of_team() -> String {
    "a row of a team that the account is not in".to_owned()
}

/// The traps that succeed about nobody and fail about the reader.
///
/// Those over all nodes are sprung by a row that only the server `elsewhere` has, if there is
/// one: that shows that they reach it.
pub(super) async fn working_traps(
    client: &EngineClient,
    elsewhere: Option<&str>,
) -> Result<Vec<Trap>, CanaryError> {
    let mut traps = traps(client.url().database());
    let all = traps.len();
    let not_understood = failing(client, &traps, &[NOBODY], None).await?;
    traps.retain(|trap| !not_understood.contains(trap));
    let (of_all, of_one): (Vec<Trap>, Vec<Trap>) =
        traps.into_iter().partition(|trap| trap.asks_all_nodes);
    let own = [client.user()];
    let mut working = failing(client, &of_one, &own, None).await?;
    working.extend(failing(client, &of_all, &own, elsewhere).await?);
    if working.len() < MIN_TRAPS {
        let (url, working) = (client.url().to_string(), working.len());
        return Err(CanaryError::Untested { url, working, all });
    }
    Ok(working)
}

/// The traps that fail if they are asked about the rows of some owners, on one server or on any.
/// Those that ask all nodes are asked one after another: each takes connections between the nodes.
async fn failing(
    client: &EngineClient,
    traps: &[Trap],
    owners: &[&str],
    server: Option<&str>,
) -> Result<Vec<Trap>, CanaryError> {
    let names: Vec<String> = owners.iter().map(|owner| quoted(owner)).collect();
    let names = names.join("|");
    let parameters = [
        Parameter::texts(OWNERS, owners.iter().copied()),
        Parameter::text(NAMES, &format!("^(?:{names})$")),
        Parameter::text(
            TEXTS,
            &match server {
                Some(server) => format!("^{WORD} (?:{names}) {}$", quoted(server)),
                None => format!("^{WORD} (?:{names}) "),
            },
        ),
    ];
    let ask = |trap: &Trap| {
        let trap = trap.clone();
        let parameters = parameters.clone();
        async move {
            let answer = ask(client, &trap.query, &parameters).await?;
            Ok::<_, CanaryError>(answer.is_err().then_some(trap))
        }
    };
    let (of_all, of_one): (Vec<&Trap>, Vec<&Trap>) =
        traps.iter().partition(|trap| trap.asks_all_nodes);
    let of_one = stream::iter(of_one).map(ask).buffered(AT_ONCE);
    let of_all = stream::iter(of_all).then(ask);
    let failing: Vec<Option<Trap>> = of_one.chain(of_all).try_collect().await?;
    Ok(failing.into_iter().flatten().collect())
}

/// A regular expression that matches this text.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() && character != '_' {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
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
        "SELECT countIf(owner = {{reader:String}}), countIf(owner = {{other:String}}), countIf(owner \
         = '{OUTSIDER}') FROM {}.{view} WHERE {condition}",
        client.url().database()
    );
    let parameters =
        [Parameter::text("reader", client.user()), Parameter::text("other", &other.user)];
    let rows = client.lines(&statement, &parameters).await?;
    let [own, of_other, of_team] = rows.first().map_or(&[][..], Vec::as_slice) else {
        return Err(client.unexpected("three numbers are missing").into());
    };
    let (url, reader, view) = (client.url().to_string(), client.user().to_owned(), view.to_owned());
    if of_other != "0" {
        return Err(CanaryError::Visible { url, reader, row: row_of(&other.user), view });
    }
    if of_team != "0" {
        return Err(CanaryError::Visible { url, reader, row: row_of_team(), view });
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
