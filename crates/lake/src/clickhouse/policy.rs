//! The accounts of readers on a server: grants, limits and row policies.
//!
//! As `users.xml`, which the tests of annals use with a real server, and as SQL, which they
//! do not run.

use super::schema::{VIEWS_OF_FINANCE, views_of_readers};
use crate::names::{NameError, Owner, Table, TeamName};
use std::fmt::Write as _;
use std::str::FromStr;

/// A person who reads.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EngineReader {
    /// The name, in the lake and as a user of the server.
    pub owner: Owner,
    /// The teams.
    pub teams: Vec<TeamName>,
    /// Whether the person sees what everybody's calls cost.
    pub is_finance: bool,
}

/// A reader that cannot be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ReaderError {
    /// A name is wrong.
    #[error(transparent)]
    Name(#[from] NameError),
    /// XML has no element with this name.
    #[error("{0:?} cannot be a user in users.xml: use letters, digits, _ and -, or print SQL")]
    NotXml(String),
}

impl FromStr for EngineReader {
    type Err = ReaderError;

    /// `ada`, or `ada:tides,moon` with teams.
    fn from_str(text: &str) -> Result<Self, ReaderError> {
        let (owner, teams) = text.split_once(':').unwrap_or((text, ""));
        let teams = teams.split(',').filter(|team| !team.is_empty()).map(str::parse);
        Ok(EngineReader {
            owner: owner.parse()?,
            teams: teams.collect::<Result<_, _>>()?,
            is_finance: false,
        })
    }
}

/// The form of policies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EnginePolicy {
    /// `users.xml`.
    UsersXml,
    /// Statements.
    Sql,
}

/// What readers may do, for the memory and time of everybody.
const LIMITS: [(&str, &str); 5] = [
    ("readonly", "1"),
    ("max_execution_time", "120"),
    ("max_memory_usage", "8000000000"),
    ("max_result_bytes", "4000000000"),
    ("max_concurrent_queries_for_user", "8"),
];

/// The rows of a view that a reader sees.
fn filter(reader: &EngineReader) -> String {
    let audiences = reader.teams.iter().map(|team| format!("'team:{team}'"));
    let audiences: Vec<String> = std::iter::once("'org'".to_owned()).chain(audiences).collect();
    format!("owner = currentUser() OR audience IN ({})", audiences.join(", "))
}

/// The views of a reader, each with its policy. Sums by day have none: they are for everyone
/// and do not say whose they are.
fn views(reader: &EngineReader) -> Vec<(String, Option<String>)> {
    let mut views = Vec::new();
    for table in Table::ALL {
        for view in views_of_readers(table) {
            let is_of_node = view.ends_with("_visible") && table != Table::Days;
            let sees_all = reader.is_finance && table == Table::Calls;
            let policy = if sees_all { "1".to_owned() } else { filter(reader) };
            views.push((view, is_of_node.then_some(policy)));
        }
    }
    if reader.is_finance {
        views.extend(VIEWS_OF_FINANCE.map(|view| (view.to_owned(), None)));
    }
    views
}

/// The policies for some readers in a database.
pub fn engine_policies(
    form: EnginePolicy,
    database: &str,
    readers: &[EngineReader],
) -> Result<String, ReaderError> {
    match form {
        EnginePolicy::UsersXml => users_xml(database, readers),
        EnginePolicy::Sql => Ok(sql(database, readers)),
    }
}

fn users_xml(database: &str, readers: &[EngineReader]) -> Result<String, ReaderError> {
    let mut text = String::from("<clickhouse>\n  <profiles>\n    <annals_reader>\n");
    for (name, value) in LIMITS {
        let _ = writeln!(text, "      <{name}>{value}</{name}>");
    }
    text += "    </annals_reader>\n  </profiles>\n  <users>\n";
    for reader in readers {
        let name = reader.owner.as_str();
        let begins_well = name.bytes().next().is_some_and(|it| it.is_ascii_alphabetic());
        let is_plain = name.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-".contains(&it));
        if !begins_well || !is_plain {
            return Err(ReaderError::NotXml(name.to_owned()));
        }
        let _ = writeln!(
            text,
            "    <{name}>\n      <password_sha256_hex>SHA-256 OF THE PASSWORD OF {name}</password_sha256_hex>\n      \
             <networks><ip>::/0</ip></networks>\n      <profile>annals_reader</profile>\n      \
             <quota>default</quota>\n      <grants>"
        );
        let views = views(reader);
        for (view, _) in &views {
            let _ = writeln!(text, "        <query>GRANT SELECT ON {database}.{view}</query>");
        }
        let _ = writeln!(text, "      </grants>\n      <databases><{database}>");
        for (view, policy) in &views {
            if let Some(policy) = policy {
                let _ = writeln!(text, "        <{view}><filter>{policy}</filter></{view}>");
            }
        }
        let _ = writeln!(text, "      </{database}></databases>\n    </{name}>");
    }
    text += "  </users>\n</clickhouse>\n";
    Ok(text)
}

fn sql(database: &str, readers: &[EngineReader]) -> String {
    let mut text = String::from("-- annals' tests run these policies as users.xml, not as SQL.\n");
    let limits: Vec<String> =
        LIMITS.iter().map(|(name, value)| format!("{name} = {value} CONST")).collect();
    let _ = writeln!(
        text,
        "CREATE SETTINGS PROFILE IF NOT EXISTS annals_reader SETTINGS {};",
        limits.join(", ")
    );
    for reader in readers {
        let name = format!("`{}`", reader.owner);
        let _ = writeln!(
            text,
            "CREATE USER IF NOT EXISTS {name} IDENTIFIED BY 'PASSWORD OF {}' SETTINGS PROFILE \
             annals_reader;",
            reader.owner
        );
        for (view, policy) in views(reader) {
            let _ = writeln!(text, "GRANT SELECT ON {database}.{view} TO {name};");
            if let Some(policy) = policy {
                let _ = writeln!(
                    text,
                    "CREATE ROW POLICY OR REPLACE `annals {}` ON {database}.{view} USING {policy} TO \
                     {name};",
                    reader.owner
                );
            }
        }
    }
    text
}
