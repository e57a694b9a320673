//! Whether policies hold, before anything is loaded.
//!
//! Each of two readers owns a row in every table that nobody else may see. If one sees the
//! other's, directly, through all nodes or through the index of words, nothing is loaded. The
//! rows stay: they belong to no object of the lake, and no view for people shows them.

use super::account::EngineAccount;
use super::client::{ACCESS_DENIED, EngineClient, EngineError, Parameter};
use super::schema::{self, CANARY};
use crate::columns::ColumnKind;
use crate::names::Table;

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
            if shard.text(&there, &own).await?.trim() == "0" {
                shard.bytes(&statement, &own).await?;
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
    Ok(())
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
    if client.text("SELECT getSetting('readonly')", &[]).await?.trim() == "0" {
        return Err(too_powerful("may change settings and data (readonly is 0)"));
    }
    let refused = [
        (format!("SELECT count() FROM {database}.calls_rows"), "reads rows without their policies"),
        (
            "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x String')".to_owned(),
            "may use table functions",
        ),
    ];
    for (statement, can) in refused {
        match client.bytes(&statement, &[]).await {
            Err(EngineError::Refused { code: ACCESS_DENIED, .. }) => {}
            Err(EngineError::Connection { url, reason }) => {
                return Err(EngineError::Connection { url, reason }.into());
            }
            _ => return Err(too_powerful(can)),
        }
    }
    Ok(())
}
