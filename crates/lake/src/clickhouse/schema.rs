//! The tables and views of a server, made from the columns and keys of the lake's tables.

use super::address::EngineUrl;
use crate::catalog::{Dialect, by_owner_query, collapsed_query};
use crate::columns::{Column, ColumnKind};
use crate::names::{Level, Table};

pub(super) const DIALECT: Dialect = Dialect::ClickHouse;

/// The columns that come from the name of an object, before those of the table.
pub(super) const PATH_COLUMNS: [(&str, &str); 5] = [
    ("audience", "String"),
    ("owner", "String"),
    ("installation", "String"),
    ("object", "String"),
    ("month", "UInt32"),
];

/// The account that reads rows for every reader. Row policies hold for it, and nobody can log in
/// as it.
pub(super) const VIEWS_ACCOUNT: &str = "annals_views";

/// Whether the reader is the one who logged in at this server, or at the one that passes the
/// question on and has proven that it is of the cluster. A program that speaks the protocol of nodes
/// can claim any name, and `currentUser()` is what it claims.
pub(super) const READER_IS_KNOWN: &str = "authenticatedUser() IN (currentUser(), '')";

/// The object of rows that only show whether policies hold.
pub(super) const CANARY: &str = "canary";

/// Their month, which no row of the lake can have: a query for it reads no other part.
pub(super) const CANARY_MONTH: u32 = 197_000;

/// The audience of those that no reader may see. No team has such a name.
pub(super) const TEAM_OF_NOBODY: &str = "team:of nobody";

/// What the rows of a part on disk have in common: a query opens no part that its reader may not
/// see.
pub(super) const PARTITION_KEY: &str = "(month, audience)";

/// How blocks of words are found.
pub(super) fn has_words(table: Table) -> bool {
    table.columns().iter().any(|column| column.name == "words")
}

/// Whether rows of a table belong to sessions.
pub(super) fn has_session(table: Table) -> bool {
    table.columns().iter().any(|column| column.name == "session_id")
}

/// What a release of ClickHouse can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerVersion {
    pub(super) major: u32,
    pub(super) minor: u32,
}

impl ServerVersion {
    /// Whether it packs the rows of a word. Annals was tried with this release; which one had it
    /// first is not known.
    fn packs_postings(self) -> bool {
        (self.major, self.minor) >= (26, 7)
    }
}

/// A column of calls: the digest of owner and key. Rows with different digests cannot be copies of
/// each other, which is known without comparing texts.
///
/// Older releases, whose views or tables show more to readers than they may see, have other names
/// for it. Because of the new name their loaders fail before they create their views again.
const KEY_DIGEST: &str = "owner_and_key_digest";

fn has_key_digest(table: Table) -> bool {
    table == Table::Calls
}

/// The statements that create everything that is missing on a server.
pub(super) fn statements(url: &EngineUrl, version: ServerVersion) -> Vec<String> {
    let database = url.database();
    let mut statements = vec![format!("CREATE DATABASE IF NOT EXISTS {database}")];
    let small = |name: &str, columns: &str, order: &str, version: &str| {
        format!(
            "CREATE TABLE IF NOT EXISTS {database}.{name} ({columns}) ENGINE = \
             ReplacingMergeTree({version}) ORDER BY ({order})"
        )
    };
    statements.push(small(
        "loads",
        "object String, attempt String, is_done UInt8",
        "object, attempt",
        "is_done",
    ));
    statements.push(small("gone", "object String", "object", ""));
    statements.push(small("forgotten", "owner String, session_id String", "owner, session_id", ""));
    statements.push(small("loaders", "name String", "name", ""));
    // Who can write all rows may read them through views too.
    statements.push(format!(
        "INSERT INTO {database}.loaders SELECT currentUser() WHERE currentUser() NOT IN (SELECT \
         name FROM {database}.loaders)"
    ));
    for table in Table::ALL {
        statements.push(rows_table(database, table, version));
        statements.extend(views(url, table));
    }
    statements
}

/// The type and the codec of a column. No column has a dictionary (`LowCardinality`), however few its
/// values are: ClickHouse evaluates functions over the whole dictionary of a part, in which are the
/// values of hidden rows too, and errors quote them.
fn column_type(table: Table, column: &Column) -> String {
    let name = DIALECT.type_name(column.kind);
    let name = if column.is_optional { format!("Nullable({name})") } else { name.to_owned() };
    let codec = match (column.kind, column.name) {
        // Lines are most of what is loaded, and a higher level gains little of them.
        (_, "text") if table == Table::Lines => "ZSTD(1)",
        (_, "text" | "words") => "ZSTD(3)",
        (ColumnKind::Moment, _) => "Delta, ZSTD(1)",
        _ => "ZSTD(1)",
    };
    format!("{name} CODEC({codec})")
}

/// The order of rows on disk: what questions ask for first, then the rest of the key.
///
/// The audience comes first, and in private rows the owner second, although each part on disk is
/// for one audience: a row policy then excludes ranges of the index too. Otherwise the number of
/// rows that a query reads would say which ids and words hidden rows have.
fn sort_key(table: Table) -> Vec<String> {
    let first: &[&str] = match table.level() {
        // Everybody reads their own.
        Level::Usage if has_session(table) => &["audience", "owner", "session_id"],
        Level::Usage => &["audience", "owner"],
        _ if table.key().contains(&"file") => &["audience", "file", "session_id"],
        _ => &["audience", "session_id"],
    };
    let mut columns: Vec<&str> = first.to_vec();
    let last = ["owner", "installation", "object"];
    for name in table.key().iter().copied().chain(last) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns.into_iter().map(|name| key_term(table, name)).collect()
}

/// A column of a key, where what is missing has a value too.
fn key_term(table: Table, name: &str) -> String {
    let optional = table.columns().iter().find(|column| column.name == name && column.is_optional);
    match optional.map(|column| column.kind) {
        Some(ColumnKind::Text) => format!("ifNull({}, '')", DIALECT.name(name)),
        Some(_) => format!("ifNull({}, 0)", DIALECT.name(name)),
        None => DIALECT.name(name),
    }
}

fn rows_table(database: &str, table: Table, version: ServerVersion) -> String {
    let path =
        PATH_COLUMNS.map(|(name, kind)| format!("{} {kind} CODEC(ZSTD(1))", DIALECT.name(name)));
    let own = table
        .columns()
        .iter()
        .map(|column| format!("{} {}", DIALECT.name(column.name), column_type(table, column)));
    let mut parts: Vec<String> = path.into_iter().chain(own).collect();
    if has_key_digest(table) {
        let key = table.key().iter().map(|name| key_term(table, name));
        let key: Vec<String> = std::iter::once(DIALECT.name("owner")).chain(key).collect();
        parts.push(format!("{KEY_DIGEST} UInt64 MATERIALIZED cityHash64({})", key.join(", ")));
    }
    if has_words(table) {
        let codec =
            if version.packs_postings() { ", posting_list_codec = 'bitpacking'" } else { "" };
        parts.push(format!(
            "INDEX words_index words TYPE text(tokenizer = splitByString([' ']){codec})"
        ));
    }
    // Text packs better in large pieces; of other columns a query should read little.
    let pieces = match table.level() {
        Level::Text => "min_compress_block_size = 1048576, max_compress_block_size = 4194304, ",
        Level::Usage | Level::Metadata => "",
    };
    // Rows that were taken back must not stay in old parts.
    format!(
        "CREATE TABLE IF NOT EXISTS {database}.{}_rows ({}) ENGINE = ReplacingMergeTree(rules) \
         PARTITION BY {PARTITION_KEY} ORDER BY ({}) SETTINGS index_granularity = 1024, \
         {pieces}non_replicated_deduplication_window = 10000, old_parts_lifetime = 1",
        table.as_str(),
        parts.join(", "),
        sort_key(table).join(", "),
    )
}

/// The views of a table. Rows that were taken back are hidden by the row policies: a condition in a
/// view is evaluated after those of the reader, whose errors can quote what they look at.
fn views(url: &EngineUrl, table: Table) -> Vec<String> {
    let (database, name) = (url.database(), table.as_str());
    let of_node = |view: &str, columns: &str| {
        format!(
            "CREATE OR REPLACE VIEW {database}.{view} DEFINER = {VIEWS_ACCOUNT} SQL SECURITY \
             DEFINER AS SELECT {columns} FROM {database}.{name}_rows"
        )
    };
    let invoker = "SQL SECURITY INVOKER";
    let everywhere = |view: &str, node: &str| {
        let (nodes, source) = match url.cluster() {
            // Made again each time, like the views: the columns may be new.
            Some(cluster) => {
                let nodes = over_nodes(view);
                let table = format!(
                    "CREATE OR REPLACE TABLE {database}.{nodes} AS {database}.{node} ENGINE = \
                     Distributed({cluster}, {database}, {node})"
                );
                (Some(table), nodes)
            }
            None => (None, node.to_owned()),
        };
        let view = format!(
            "CREATE OR REPLACE VIEW {database}.{view} DEFINER = {VIEWS_ACCOUNT} SQL SECURITY \
             DEFINER AS SELECT * FROM {database}.{source} WHERE {}",
            reader_is_compared()
        );
        nodes.into_iter().chain([view])
    };
    let own: Vec<String> = table.columns().iter().map(|column| DIALECT.name(column.name)).collect();
    let own = own.join(", ");
    let path: Vec<String> = PATH_COLUMNS.iter().map(|(name, _)| DIALECT.name(name)).collect();
    let mut with_path = format!("{}, {own}", path.join(", "));
    if has_key_digest(table) {
        with_path = format!("{with_path}, {KEY_DIGEST}");
    }
    let create = |view: &str, query: &str| {
        format!("CREATE OR REPLACE VIEW {database}.{view} {invoker} AS {query}")
    };
    if table == Table::Days {
        // Sums are for everyone, but whose they are is not.
        let mut views = vec![of_node(
            "days_visible",
            &format!("month, CAST(owner = currentUser() AS Bool) AS is_mine, {own}"),
        )];
        views.extend(everywhere("days_all", "days_visible"));
        views.push(create("days", &format!("SELECT {own} FROM {database}.days_all")));
        views.push(of_node("days_of_owners", &with_path));
        views.extend(everywhere("days_of_owners_all", "days_of_owners"));
        views.push(create(
            "days_by_owner",
            &format!("SELECT owner, {own} FROM {database}.days_of_owners_all"),
        ));
        return views;
    }
    // Over what `TABLE_all` reads: other nodes do not know the scalars of a query around a view.
    let (all, node) = (format!("{name}_all"), format!("{name}_visible"));
    let source = if url.cluster().is_some() { over_nodes(&all) } else { node };
    let counted = format!(
        "(SELECT * FROM {database}.{source} WHERE {} AND object != '{CANARY}')",
        reader_is_compared()
    );
    let by_owner = format!("{database}.{name}_by_owner");
    let mut views = vec![of_node(&format!("{name}_visible"), &with_path)];
    views.extend(everywhere(&format!("{name}_all"), &format!("{name}_visible")));
    views.push(format!(
        "CREATE OR REPLACE VIEW {by_owner} DEFINER = {VIEWS_ACCOUNT} SQL SECURITY DEFINER AS {}",
        one_row_per_key(table, &counted)
    ));
    views.push(create(name, &collapsed_query(DIALECT, table, &by_owner)));
    views
}

/// A condition that fails if the reader claims another name. A node that passes a question on vouches
/// for the name, so it is compared before anything of the question is evaluated: as a scalar,
/// because a mere condition goes to the other nodes beside those of the reader, whose errors can
/// quote what they look at.
fn reader_is_compared() -> String {
    format!(
        "(SELECT throwIf(NOT ({READER_IS_KNOWN}), 'the reader is not the one who logged in')) = 0"
    )
}

/// One row for each owner and key of a source. Choosing among copies means sorting, so where
/// rows have digests only those are sorted that share one: the digests are looked at first,
/// once, and as a scalar, because a subquery would be asked of all nodes twice.
fn one_row_per_key(table: Table, source: &str) -> String {
    if !has_key_digest(table) {
        return by_owner_query(DIALECT, table, source);
    }
    let shared = format!(
        "(SELECT arrayJoin((SELECT groupArray({KEY_DIGEST}) FROM (SELECT {KEY_DIGEST} FROM \
         {source} GROUP BY {KEY_DIGEST} HAVING count() > 1))))"
    );
    let of = |condition: &str| {
        format!("(SELECT * FROM {source} WHERE {KEY_DIGEST} {condition} {shared})")
    };
    let chosen = by_owner_query(DIALECT, table, &of("IN"));
    let columns = table.columns().iter().map(|column| column.name);
    let columns = ["audience", "owner", "installation"].into_iter().chain(columns);
    let columns: Vec<String> = columns.map(|name| DIALECT.name(name)).collect();
    format!("SELECT {} FROM {} UNION ALL {chosen}", columns.join(", "), of("NOT IN"))
}

/// The views that a reader needs for a table. The last is for people, the others are used
/// by it.
pub(super) fn views_of_readers(table: Table) -> Vec<String> {
    let name = table.as_str();
    match table {
        Table::Days => vec!["days_visible".into(), "days_all".into(), "days".into()],
        _ => ["_visible", "_all", "_by_owner", ""].map(|end| format!("{name}{end}")).to_vec(),
    }
}

/// The views of a table that ask all nodes, each with the view of one node that it asks for.
pub(super) fn views_of_all_nodes(table: Table) -> Vec<(String, String)> {
    let name = table.as_str();
    let mut views = vec![(format!("{name}_all"), format!("{name}_visible"))];
    if table == Table::Days {
        views.push(("days_of_owners_all".to_owned(), "days_of_owners".to_owned()));
    }
    views
}

/// The table behind a view of all nodes. Readers have no right on it.
pub(super) fn over_nodes(view: &str) -> String {
    format!("{}_nodes", view.strip_suffix("_all").unwrap_or(view))
}

/// The views with which people who see all costs read whose they are.
pub(super) const VIEWS_OF_FINANCE: [&str; 3] =
    ["days_of_owners", "days_of_owners_all", "days_by_owner"];

/// The columns of an object with their types.
pub(super) fn structure(table: Table) -> String {
    DIALECT.structure(table)
}

/// The name of the object with this number in an insert.
pub(super) fn source(number: usize) -> String {
    format!("object_{number}")
}

/// The statement that inserts some objects. What was forgotten stays out.
pub(super) fn insert_statement(database: &str, table: Table, objects: usize) -> String {
    let columns: Vec<String> =
        table.columns().iter().map(|column| DIALECT.name(column.name)).collect();
    let columns = columns.join(", ");
    let path: Vec<&str> = PATH_COLUMNS.iter().map(|(name, _)| *name).collect();
    let object = |number: usize| {
        let values =
            PATH_COLUMNS.map(|(name, kind)| format!("{{{name}_{number}:{kind}}} AS {name}"));
        format!("SELECT {}, {columns} FROM {}", values.join(", "), source(number))
    };
    let all: Vec<String> = (0..objects).map(object).collect();
    let hidden = if has_session(table) {
        format!(
            " WHERE (owner, session_id) NOT IN (SELECT owner, session_id FROM {database}.forgotten)"
        )
    } else {
        String::new()
    };
    let path = path.join(", ");
    format!(
        "INSERT INTO {database}.{}_rows ({path}, {columns}) SELECT {path}, {columns} FROM ({}){hidden}",
        table.as_str(),
        all.join(" UNION ALL "),
    )
}
