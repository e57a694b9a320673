//! docs/lake.md lists the tables as they are.

use crate::columns::ColumnKind;
use crate::names::{Level, Table};
use std::fmt::Write as _;

const BEGIN: &str = "<!-- tables -->\n";
const END: &str = "<!-- end of tables -->\n";

fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "text",
        ColumnKind::Count => "count",
        ColumnKind::Moment => "time",
        ColumnKind::Money => "money",
        ColumnKind::Flag => "flag",
    }
}

/// The tables with their columns, in Markdown.
fn tables() -> String {
    let mut text = String::new();
    for table in Table::ALL {
        let level = match table.level() {
            Level::Usage => "usage",
            Level::Metadata => "metadata",
            Level::Text => "text",
        };
        let _ = write!(
            text,
            "\n### `{}` (level `{level}`)\nA row is {}. Its key: {}. Of several rows with one key, \
             the one with the highest {} counts.\n\n| column | type | meaning |\n|---|---|---|\n",
            table.as_str(),
            table.meaning(),
            table.key().join(", "),
            table.order().join(", then "),
        );
        for column in table.columns() {
            let optional = if column.is_optional { ", optional" } else { "" };
            let meaning = column.meaning.trim();
            let kind = kind(column.kind);
            let _ = writeln!(text, "| `{}` | {kind}{optional} | {meaning} |", column.name);
        }
    }
    text.push('\n');
    text
}

#[test]
fn the_documentation_lists_every_column_of_every_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lake.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(BEGIN).expect("the beginning of the tables");
    let (listed, _) = rest.split_once(END).expect("the end of the tables");
    assert!(listed == tables(), "docs/lake.md has other tables than these:\n{}", tables());
}
