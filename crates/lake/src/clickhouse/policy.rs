//! The accounts of readers on a server, with grants on views and limits, and the account that
//! reads rows for them, with the row policies.
//!
//! As `users.xml`, which the tests of annals use with a real server, and as SQL, which they
//! do not run.

use super::schema::{
    READER_IS_KNOWN, VIEWS_ACCOUNT, VIEWS_OF_FINANCE, has_session, over_nodes, views_of_all_nodes,
    views_of_readers,
};
use crate::names::{NameError, Owner, Table, TeamName};
use std::collections::BTreeMap;
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

/// The digest of no known password.
const NO_PASSWORD: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What readers may do, for the memory and time of everybody.
const LIMITS: [(&str, &str); 5] = [
    ("readonly", "1"),
    ("max_execution_time", "120"),
    ("max_memory_usage", "8000000000"),
    ("max_result_bytes", "4000000000"),
    ("max_concurrent_queries_for_user", "8"),
];

/// Names as a list of texts. Names of the lake have no quotes.
fn listed<'n>(names: impl IntoIterator<Item = &'n Owner>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// The rows of a table that views show to a reader. The server knows who that is before it looks
/// at the table, and an audience is the same in a whole part: what is left of the condition says
/// which parts are opened.
fn filter(database: &str, table: Table, readers: &[EngineReader]) -> String {
    let mut teams: BTreeMap<&TeamName, Vec<&Owner>> = BTreeMap::new();
    for reader in readers {
        for team in &reader.teams {
            teams.entry(team).or_default().push(&reader.owner);
        }
    }
    let mut seen = vec![
        format!("(SELECT count() FROM {database}.loaders WHERE name = currentUser()) > 0"),
        "audience = 'org'".to_owned(),
        "(audience = 'private' AND owner = currentUser())".to_owned(),
    ];
    for (team, members) in teams {
        seen.push(format!("(audience = 'team:{team}' AND currentUser() IN ({}))", listed(members)));
    }
    let finance: Vec<&Owner> =
        readers.iter().filter(|reader| reader.is_finance).map(|reader| &reader.owner).collect();
    if table == Table::Calls && !finance.is_empty() {
        seen.push(format!("currentUser() IN ({})", listed(finance)));
    }
    let mut filter = format!(
        "{READER_IS_KNOWN} AND ({}) AND object NOT IN (SELECT object FROM {database}.gone)",
        seen.join(" OR ")
    );
    if has_session(table) {
        let _ = write!(
            filter,
            " AND (owner, session_id) NOT IN (SELECT owner, session_id FROM {database}.forgotten)"
        );
    }
    filter
}

/// The views of a reader.
fn views(reader: &EngineReader) -> Vec<String> {
    let mut views: Vec<String> = Table::ALL.into_iter().flat_map(views_of_readers).collect();
    if reader.is_finance {
        views.extend(VIEWS_OF_FINANCE.map(str::to_owned));
    }
    views
}

/// What views read.
fn tables_of_views() -> impl Iterator<Item = String> {
    let rows = Table::ALL.into_iter().map(|table| format!("{}_rows", table.as_str()));
    let of_nodes = Table::ALL.into_iter().flat_map(views_of_all_nodes);
    let of_nodes = of_nodes.flat_map(|(all, node)| [over_nodes(&all), node]);
    rows.chain(of_nodes).chain(["loaders", "gone", "forgotten"].map(str::to_owned))
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
    let _ = writeln!(
        text,
        "    <{VIEWS_ACCOUNT}>\n      <!-- Nobody can log in: there is no such password, and no \
         network. -->\n      <password_sha256_hex>{NO_PASSWORD}</password_sha256_hex>\n      \
         <networks></networks>\n      <profile>annals_reader</profile>\n      \
         <quota>default</quota>\n      <grants>"
    );
    for table in tables_of_views() {
        let _ = writeln!(text, "        <query>GRANT SELECT ON {database}.{table}</query>");
    }
    let _ = writeln!(text, "      </grants>\n      <databases><{database}>");
    for table in Table::ALL {
        let filter = filter(database, table, readers).replace('>', "&gt;");
        let name = format!("{}_rows", table.as_str());
        let _ = writeln!(text, "        <{name}><filter>{filter}</filter></{name}>");
    }
    let _ = writeln!(text, "      </{database}></databases>\n    </{VIEWS_ACCOUNT}>");
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
        for view in views(reader) {
            let _ = writeln!(text, "        <query>GRANT SELECT ON {database}.{view}</query>");
        }
        let _ = writeln!(text, "      </grants>\n    </{name}>");
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
    let _ = writeln!(
        text,
        "CREATE USER IF NOT EXISTS {VIEWS_ACCOUNT} IDENTIFIED WITH sha256_hash BY '{NO_PASSWORD}' \
         HOST NONE;\n-- The loader needs: GRANT SET DEFINER ON {VIEWS_ACCOUNT} TO LOADER; \
         GRANT SHOW ROW POLICIES ON {database}.* TO LOADER; GRANT SELECT ON system.row_policies TO \
         LOADER;"
    );
    for table in tables_of_views() {
        let _ = writeln!(text, "GRANT SELECT ON {database}.{table} TO {VIEWS_ACCOUNT};");
    }
    for table in Table::ALL {
        let _ = writeln!(
            text,
            "CREATE ROW POLICY OR REPLACE `annals` ON {database}.{}_rows USING {} TO \
             {VIEWS_ACCOUNT};",
            table.as_str(),
            filter(database, table, readers)
        );
    }
    for reader in readers {
        let name = format!("`{}`", reader.owner);
        let _ = writeln!(
            text,
            "CREATE USER IF NOT EXISTS {name} IDENTIFIED BY 'PASSWORD OF {}' SETTINGS PROFILE \
             annals_reader;",
            reader.owner
        );
        for view in views(reader) {
            let _ = writeln!(text, "GRANT SELECT ON {database}.{view} TO {name};");
        }
    }
    text
}
