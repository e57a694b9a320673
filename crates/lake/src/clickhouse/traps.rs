//! Queries that fail if they look at the canary's rows of some owners, in every clause that a query has.
//!
//! A condition that fails is an answer: ClickHouse quotes the value that it could not convert, and
//! `throwIf` says yes or no. So a reader asks the same query about three owners. About
//! nobody it must succeed, which shows that the server understands it; about themself it must
//! fail, which shows that it is a trap; and about others it must succeed.
//!
//! Some look at whole rows. The others look at the values of one column, for each column of text
//! that a view shows: a server that evaluates functions over more values than those of visible rows,
//! such as a dictionary, fails at them.

use super::schema::{CANARY, CANARY_MONTH, DIALECT};
use crate::columns::ColumnKind;
use crate::names::Table;

/// With fewer traps that work, a server is not taken to be tested.
pub(super) const MIN_TRAPS: usize = 100;
/// The parameter with the owners.
pub(super) const OWNERS: &str = "owners";
/// The parameter with the expression that the texts of their rows match.
pub(super) const TEXTS: &str = "texts";
/// The parameter with the expression that the names of the owners match.
pub(super) const NAMES: &str = "names";

/// Expressions that fail for a row of the owner. `TEXT` is a column, `MINE` says whose the row is.
const EXPRESSIONS: [&str; 14] = [
    "throwIf(MINE)",
    "intDiv(1, NOT MINE) = 2",
    "modulo(1, NOT MINE) = 2",
    "toUInt64(if(MINE, TEXT, '0')) = 1",
    "toDate(if(MINE, TEXT, '2000-01-01')) = '2001-01-01'",
    "toUUID(if(MINE, TEXT, '00000000-0000-0000-0000-000000000000')) = toUUID('00000000-0000-0000-0000-000000000001')",
    "toIPv4(if(MINE, TEXT, '127.0.0.1')) = toIPv4('127.0.0.2')",
    "toDecimal64(if(MINE, TEXT, '0'), 2) = 1",
    "toFixedString(if(MINE, TEXT, 'a'), 1) = 'b'",
    "accurateCast(if(MINE, TEXT, '0'), 'UInt8') = 1",
    "CAST(if(MINE, TEXT, 'a') AS Enum8('a' = 1, 'b' = 2)) = 'b'",
    "CAST(if(MINE, TEXT, '[]') AS Array(UInt8)) = [1]",
    "parseDateTime(if(MINE, TEXT, '2000'), '%Y') = '2001-01-01 00:00:00'",
    "match('x', if(MINE, concat('(', TEXT), 'y'))",
];

/// Expressions that fail for a value of the owners. `VALUE` is the beginning of one, and empty for
/// all other values of the column.
const VALUE_EXPRESSIONS: [&str; 14] = [
    "base64Decode(VALUE) = 'x'",
    "toUInt64(concat('1', VALUE)) = 7",
    "base64Decode(replaceRegexpAll(VALUE, '[*]', '!')) = 'x'",
    "throwIf(VALUE != '')",
    "base32Decode(VALUE) = 'x'",
    "toDate(concat('2000-01-01', VALUE)) = '2001-01-01'",
    "toFixedString(concat('a', VALUE), 1) = 'b'",
    "accurateCast(concat('1', VALUE), 'UInt8') = 7",
    "parseDateTime(concat('2000', VALUE), '%Y') = '2001-01-01 00:00:00'",
    "intDiv(1, empty(VALUE)) = 7",
    "base64Decode(replaceRegexpOne(VALUE, '^.', '?')) = 'x'",
    "toIPv4(concat('127.0.0.1', VALUE)) = toIPv4('127.0.0.2')",
    "toFixedString(replaceOne(concat('a', VALUE), 'a', ''), 1) = 'b'",
    "throwIf(length(VALUE) > 0)",
];

/// Where a query can have an expression `TRAP` over the columns of `SOURCE`.
const CLAUSES: [&str; 20] = [
    "SELECT count() FROM SOURCE WHERE TRAP",
    "SELECT count() FROM SOURCE WHERE rules >= 0 AND (TRAP)",
    "SELECT sum(TRAP) FROM SOURCE",
    "SELECT countIf(TRAP) FROM SOURCE",
    "SELECT count() FROM (SELECT TRAP AS trap FROM SOURCE) WHERE trap",
    "SELECT count() FROM SOURCE GROUP BY TRAP",
    "SELECT count() FROM SOURCE GROUP BY TRAP WITH TOTALS",
    "SELECT owner FROM SOURCE ORDER BY TRAP, owner LIMIT 1",
    "SELECT max(TRAP) AS trap FROM SOURCE HAVING trap >= 0",
    "SELECT owner FROM SOURCE LIMIT 1 BY TRAP",
    "SELECT row_number() OVER (PARTITION BY TRAP ORDER BY owner) FROM SOURCE",
    "SELECT owner FROM SOURCE QUALIFY row_number() OVER (ORDER BY TRAP) = 1",
    "SELECT count() FROM numbers(2) AS n JOIN SOURCE AS s ON n.number = toUInt64(TRAP)",
    "SELECT count() FROM numbers(2) AS n LEFT JOIN (SELECT TRAP AS trap FROM SOURCE) AS s ON n.number = toUInt64(s.trap)",
    "SELECT count() FROM numbers(2) WHERE number IN (SELECT toUInt64(TRAP) FROM SOURCE)",
    "SELECT (SELECT max(TRAP) FROM SOURCE)",
    "WITH c AS (SELECT owner FROM SOURCE WHERE TRAP) SELECT count() FROM c",
    "SELECT count() FROM SOURCE ARRAY JOIN [TRAP] AS trap WHERE trap",
    "SELECT owner FROM SOURCE WHERE TRAP UNION ALL SELECT 'x'",
    "SELECT arrayMap(x -> x + toUInt8(TRAP), [1]) FROM SOURCE",
];

/// A query that fails if it looks at a row of some owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trap {
    pub(super) query: String,
    /// Whether it asks all nodes.
    pub(super) asks_all_nodes: bool,
}

/// The traps that look at rows, and then those that look at values.
pub(super) fn traps(database: &str) -> Vec<Trap> {
    let mut traps = of_rows(database);
    traps.extend(of_values(database));
    traps
}

/// The tables whose rows belong to one person.
fn tables() -> Vec<Table> {
    Table::ALL.into_iter().filter(|table| *table != Table::Days).collect()
}

/// The canary's rows of a view of one node.
fn canary_rows(view: &str) -> String {
    format!("(SELECT * FROM {view} WHERE month = {CANARY_MONTH} AND object = '{CANARY}')")
}

/// The same of all nodes. A query that fails here while another node still sends rows resets the
/// connection between them, and there are nodes that end when that happens often. So a condition
/// goes to the other nodes and fails there, and everything else looks at sorted rows: nothing is
/// evaluated before all of them are here.
fn canary_rows_of_all(view: &str, clause: &str) -> String {
    let rows = canary_rows(view);
    if clause.contains("SOURCE WHERE") || clause.contains("SOURCE) WHERE") {
        return rows;
    }
    format!("(SELECT * FROM {rows} ORDER BY owner LIMIT 1000)")
}

/// Every second combination of a clause and an expression, each over another view of one node or of
/// all.
fn of_rows(database: &str) -> Vec<Trap> {
    let tables = tables();
    let mut traps = Vec::new();
    for (row, clause) in CLAUSES.iter().enumerate() {
        for (column, expression) in EXPRESSIONS.iter().enumerate() {
            if (row + column) % 2 == 1 {
                continue;
            }
            let Some(table) = tables.get(traps.len() % tables.len()) else { continue };
            // Other rows of the owners can be for a team that the reader is in.
            let mine = format!(
                "owner IN {{{OWNERS}:Array(String)}} AND object = '{CANARY}' AND \
                 match(installation, {{{TEXTS}:String}})"
            );
            let trap =
                expression.replace("MINE", &format!("({mine})")).replace("TEXT", text(*table));
            let asks_all_nodes = traps.len() % 4 >= 2;
            let end = if asks_all_nodes { "all" } else { "visible" };
            let view = format!("{database}.{}_{end}", table.as_str());
            let source = if asks_all_nodes { canary_rows_of_all(&view, clause) } else { view };
            let query = clause.replace("TRAP", &trap).replace("SOURCE", &source);
            traps.push(Trap { query, asks_all_nodes });
        }
    }
    traps
}

/// One trap for each column of text that a view shows, over one node or all, each with another
/// expression and another clause. Not for the audience and the object: canary rows of all readers
/// have the same ones.
fn of_values(database: &str) -> Vec<Trap> {
    let mut traps = Vec::new();
    for table in tables() {
        for (column, is_optional) in columns_of_text(table) {
            let number = traps.len();
            let (Some(clause), Some(expression)) = (
                CLAUSES.get(number % CLAUSES.len()),
                VALUE_EXPRESSIONS.get(number % VALUE_EXPRESSIONS.len()),
            ) else {
                continue;
            };
            let is_owner = column == "owner";
            let pattern = if is_owner { NAMES } else { TEXTS };
            let name = DIALECT.name(column);
            let text = if is_optional { format!("ifNull({name}, '')") } else { name };
            // The first character becomes one that nothing can be parsed with.
            let value =
                format!("replaceRegexpOne(extract({text}, {{{pattern}:String}}), '^.', '*')");
            // The name of an owner is the same on all nodes, so it would spring on all.
            let asks_all_nodes = !is_owner && number % 4 >= 2;
            let end = if asks_all_nodes { "all" } else { "visible" };
            // Rows of the lake can have any text.
            let view = format!("{database}.{}_{end}", table.as_str());
            let source =
                if asks_all_nodes { canary_rows_of_all(&view, clause) } else { canary_rows(&view) };
            let query = clause
                .replace("TRAP", &expression.replace("VALUE", &value))
                .replace("SOURCE", &source);
            traps.push(Trap { query, asks_all_nodes });
        }
    }
    traps
}

/// The columns with text that differ between the canary rows of two owners, and whether they can be
/// empty.
fn columns_of_text(table: Table) -> impl Iterator<Item = (&'static str, bool)> {
    let own = table.columns().iter().filter(|column| column.kind == ColumnKind::Text);
    let path = [("owner", false), ("installation", false)];
    path.into_iter().chain(own.map(|column| (column.name, column.is_optional)))
}

/// A column with text: what people wrote, or an id.
fn text(table: Table) -> &'static str {
    let columns = table.columns();
    let is_text = |name: &str| {
        columns.iter().any(|it| it.name == name && it.kind == ColumnKind::Text && !it.is_optional)
    };
    let found = ["text", "file", "session_id"].into_iter().find(|name| is_text(name));
    found.unwrap_or("installation")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_clause_expression_and_view_has_traps() {
        let traps = traps("annals");
        assert!(traps.len() >= 2 * MIN_TRAPS, "{}", traps.len());
        let queries: Vec<&str> = traps.iter().map(|trap| trap.query.as_str()).collect();
        assert_eq!(queries.iter().collect::<BTreeSet<_>>().len(), traps.len());
        for expression in EXPRESSIONS.iter().chain(&VALUE_EXPRESSIONS) {
            let beginning = expression.split('(').next().unwrap_or_default();
            assert!(queries.iter().any(|query| query.contains(beginning)), "{beginning}");
        }
        for table in tables() {
            for end in ["visible", "all"] {
                let view = format!("annals.{}_{end}", table.as_str());
                assert!(queries.iter().any(|query| query.contains(&view)), "{view}");
            }
        }
        for trap in &traps {
            assert_eq!(trap.query.contains("_all"), trap.asks_all_nodes, "{trap:?}");
        }
        let of_all = traps.iter().filter(|trap| trap.asks_all_nodes).count();
        assert!(of_all >= MIN_TRAPS, "{of_all}");
        let only_canary_rows = |query: &&str| query.contains("object = 'canary'");
        assert!(queries.iter().all(only_canary_rows), "only rows that nobody shares");
        assert!(queries.iter().any(|it| it.contains("(`text`") || it.contains(", text, ")));
    }

    #[test]
    fn every_column_of_text_that_a_view_shows_has_a_trap_over_its_values() {
        let queries: Vec<String> = of_values("annals").into_iter().map(|trap| trap.query).collect();
        for table in tables() {
            for (column, is_optional) in columns_of_text(table) {
                let name = DIALECT.name(column);
                let text = if is_optional { format!("ifNull({name}, '')") } else { name };
                let over = |query: &&String| {
                    query.contains(&format!("extract({text}, "))
                        && query.contains(&format!("annals.{}_", table.as_str()))
                };
                assert_eq!(queries.iter().filter(over).count(), 1, "{column} of {table:?}");
            }
        }
    }
}
