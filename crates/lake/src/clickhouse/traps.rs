//! Queries that fail if they look at the canary's row of one owner, in every clause that a query has.
//!
//! A condition that fails is an answer: ClickHouse quotes the value that it could not convert, and
//! `throwIf` says yes or no. So a reader asks the same query about three owners. About
//! nobody it must succeed, which shows that the server understands it; about themself it must
//! fail, which shows that it is a trap; and about another reader it must succeed.

use super::schema::CANARY;
use crate::columns::ColumnKind;
use crate::names::Table;

/// With fewer traps that work, a server is not taken to be tested.
pub(super) const MIN_TRAPS: usize = 100;
/// The parameter with the owner.
pub(super) const TARGET: &str = "target";

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

/// A query that fails if it looks at a row of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trap {
    /// Over one node or over all.
    pub(super) query: String,
    /// The same over one node. Whether a trap works is tried with this one: a question to several
    /// nodes that fails resets the connections between them, and there are nodes that end when
    /// that happens often.
    pub(super) of_node: String,
}

impl Trap {
    /// Whether it asks all nodes.
    pub(super) fn asks_all_nodes(&self) -> bool {
        self.query != self.of_node
    }
}

/// Every second combination of a clause and an expression, each over another view of one node or of
/// all.
pub(super) fn traps(database: &str) -> Vec<Trap> {
    let tables: Vec<Table> = Table::ALL.into_iter().filter(|table| *table != Table::Days).collect();
    let mut traps = Vec::new();
    for (row, clause) in CLAUSES.iter().enumerate() {
        for (column, expression) in EXPRESSIONS.iter().enumerate() {
            if (row + column) % 2 == 1 {
                continue;
            }
            let Some(table) = tables.get(traps.len() % tables.len()) else { continue };
            // Other rows of the owner can be for a team that the reader is in.
            let mine = format!("owner = {{{TARGET}:String}} AND object = '{CANARY}'");
            let trap =
                expression.replace("MINE", &format!("({mine})")).replace("TEXT", text(*table));
            let over = |end: &str| {
                let source = format!("{database}.{}_{end}", table.as_str());
                clause.replace("TRAP", &trap).replace("SOURCE", &source)
            };
            let of_node = over("visible");
            let query = if traps.len() % 4 < 2 { of_node.clone() } else { over("all") };
            traps.push(Trap { query, of_node });
        }
    }
    traps
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
        assert!(traps.len() >= MIN_TRAPS + 20, "{}", traps.len());
        let queries: Vec<&str> = traps.iter().map(|trap| trap.query.as_str()).collect();
        assert_eq!(queries.iter().collect::<BTreeSet<_>>().len(), traps.len());
        for beginning in EXPRESSIONS.map(|it| it.split('(').next().unwrap_or_default()) {
            assert!(queries.iter().any(|query| query.contains(beginning)), "{beginning}");
        }
        for table in Table::ALL.into_iter().filter(|table| *table != Table::Days) {
            for end in ["visible", "all"] {
                let view = format!("annals.{}_{end}", table.as_str());
                assert!(queries.iter().any(|query| query.contains(&view)), "{view}");
            }
        }
        let of_all = traps.iter().filter(|trap| trap.query.contains("_all")).count();
        let asks_all = traps.iter().filter(|trap| trap.asks_all_nodes()).count();
        assert!(of_all == asks_all && of_all >= 60, "{of_all} {asks_all}");
        assert!(traps.iter().all(|trap| trap.of_node.contains("_visible")));
        let rows = "(owner = {target:String} AND object = 'canary')";
        assert!(queries.iter().all(|query| query.contains(rows)), "only rows that nobody shares");
        assert!(queries.iter().any(|it| it.contains("(`text`") || it.contains(", text, ")));
    }
}
