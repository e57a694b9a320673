//! Views for engines that read the objects themselves: DuckDB, Spark, ClickHouse.
//!
//! A view names exactly the objects that count. A pattern over folders would also match the
//! remains of interrupted pushes. Owner, installation and audience come from the name of the
//! object, never from a row.
//!
//! For each table there are two views. `TABLE_by_owner` has one row for each owner and key:
//! the one with the highest rules. `TABLE` has no owner: copies by several owners are one row
//! if they say the same. Copies that differ stay apart, because every rule that chose one of
//! them would let a member replace what others have pushed. Spark has further views,
//! `TABLE_objects_NUMBER`, over the objects of one chain.

mod dialect;
mod location;

pub use dialect::{Dialect, DialectError};
pub use location::{LocationError, ObjectLocation};

use crate::chains::ListedChain;
use crate::names::Table;
use std::fmt::Write as _;

/// A view of Spark reads at most this many objects.
const OBJECTS_PER_VIEW: usize = 500;

/// Columns from the name of an object.
const PATH_COLUMNS: [&str; 3] = ["audience", "owner", "installation"];

/// A view over the objects of a lake.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CatalogView {
    /// Its name.
    pub name: String,
    /// The statement that creates it.
    pub sql: String,
}

/// The views over these chains, each after those it uses.
pub fn catalog_views(
    dialect: Dialect,
    location: &ObjectLocation,
    chains: &[ListedChain],
) -> Vec<CatalogView> {
    let views = Table::ALL.into_iter().flat_map(|table| {
        let name = table.as_str();
        let (all, owned) = (format!("{name}_rows"), format!("{name}_by_owner"));
        let by_owner = by_owner_query(dialect, table, &dialect.name(&all));
        let collapsed = collapsed_query(dialect, table, &dialect.name(&owned));
        let (mut views, rows) = rows(dialect, location, chains, table);
        views.push(view(dialect, all, &rows));
        views.push(view(dialect, owned, &by_owner));
        views.push(view(dialect, name.to_owned(), &collapsed));
        views
    });
    views.collect()
}

fn view(dialect: Dialect, name: String, query: &str) -> CatalogView {
    let sql = format!("{} {} AS\n{query};\n", dialect.create_view(), dialect.name(&name));
    CatalogView { name, sql }
}

fn names(dialect: Dialect, names: impl IntoIterator<Item = &'static str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| dialect.name(name)).collect();
    quoted.join(", ")
}

fn column_names(table: Table) -> impl Iterator<Item = &'static str> {
    table.columns().iter().map(|column| column.name)
}

/// All rows of the objects, copies included, and the views that this query needs.
fn rows(
    dialect: Dialect,
    location: &ObjectLocation,
    chains: &[ListedChain],
    table: Table,
) -> (Vec<CatalogView>, String) {
    let columns = names(dialect, column_names(table));
    let (mut views, mut query) = (Vec::new(), String::new());
    for chain in chains {
        let name = &chain.name;
        let segments = chain.head.manifest.segments.iter();
        let segments = segments.filter(|segment| segment.name.table == table);
        let segments: Vec<String> = segments.map(|segment| segment.name.to_string()).collect();
        let folder = location.of(&name.segments());
        let sources = if dialect == Dialect::Spark {
            let mut sources = Vec::new();
            for some in segments.chunks(OBJECTS_PER_VIEW) {
                let name = format!("{}_objects_{}", table.as_str(), views.len() + 1);
                let sql = dialect::spark_view(&name, table, &folder, some);
                sources.push(dialect.name(&name));
                views.push(CatalogView { name, sql });
            }
            sources
        } else {
            let objects: Vec<String> =
                segments.iter().map(|segment| format!("{folder}{segment}")).collect();
            dialect.sources(location, table, &objects)
        };
        let path =
            [name.audience.to_string(), name.owner.to_string(), name.installation.to_string()];
        let path = path.iter().zip(PATH_COLUMNS);
        let path: Vec<String> = path
            .map(|(value, column)| format!("{} AS {}", dialect.text(value), dialect.name(column)))
            .collect();
        for source in sources {
            let joint = if query.is_empty() { "" } else { "UNION ALL\n" };
            let _ =
                writeln!(query, "{joint}SELECT {}, {columns}\n  FROM {source}", path.join(", "));
        }
    }
    if query.is_empty() {
        return (views, no_rows(dialect, table));
    }
    (views, query.trim_end().to_owned())
}

/// A query that yields no row, with the columns of a table.
fn no_rows(dialect: Dialect, table: Table) -> String {
    let path = PATH_COLUMNS.map(|name| format!("{} AS {}", dialect.text(""), dialect.name(name)));
    let own = table.columns().iter().map(|column| {
        format!(
            "CAST(NULL AS {}) AS {}",
            dialect.nullable_type(column.kind),
            dialect.name(column.name)
        )
    });
    let columns: Vec<String> = path.into_iter().chain(own).collect();
    format!("SELECT {} WHERE 1 = 0", columns.join(", "))
}

/// One row for each owner and key of a source. Sums are per installation, and nothing
/// replaces a row of them.
pub(crate) fn by_owner_query(dialect: Dialect, table: Table, source: &str) -> String {
    let path: &[&str] = if table == Table::Days { &["owner", "installation"] } else { &["owner"] };
    let key = names(dialect, path.iter().copied().chain(table.key().iter().copied()));
    // The rest of the order only makes the answer the same every time.
    let newest = table.order().iter().map(|name| format!("{} DESC", dialect.name(name)));
    let last = ["installation", "audience"].map(|name| dialect.name(name));
    let newest: Vec<String> = newest.chain(last).collect();
    let columns = names(dialect, PATH_COLUMNS.into_iter().chain(column_names(table)));
    format!(
        "SELECT {columns} FROM (\n  SELECT *, row_number() OVER (PARTITION BY {key} ORDER BY {}) AS {}\n  FROM {source}\n) AS {} WHERE {} = 1",
        newest.join(", "),
        dialect.name("copy"),
        dialect.name("numbered"),
        dialect.name("copy"),
    )
}

/// Rows without an owner, from a source with owners. What several owners have is one row, if
/// they say the same.
pub(crate) fn collapsed_query(dialect: Dialect, table: Table, source: &str) -> String {
    // Sums of two people can be the same numbers and are still two sums.
    if table == Table::Days {
        return format!("SELECT {} FROM {source}", names(dialect, column_names(table)));
    }
    let columns = names(dialect, column_names(table).filter(|name| *name != "rules"));
    let rules = dialect.name("rules");
    format!("SELECT {columns}, max({rules}) AS {rules}\n  FROM {source}\n  GROUP BY {columns}")
}

/// The number of objects and rows in these chains.
pub fn count_objects(chains: &[ListedChain]) -> (u64, u64) {
    let segments = chains.iter().flat_map(|chain| &chain.head.manifest.segments);
    segments.fold((0, 0), |(objects, rows), segment| (objects + 1, rows + segment.rows))
}

#[cfg(test)]
mod tests;
