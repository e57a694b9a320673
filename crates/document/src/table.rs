//! The table of a document: the columns that its rows have in CSV, on every surface.
//!
//! A cell is read off the JSON of its row, so that a table says nothing else than the
//! document. Deliberately not here: quoting, masking and the tables for people.

use serde_json::Value;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    cell: Cell,
    /// The cell of a row whose JSON leaves the member out.
    absent: &'static str,
}

/// Where the cell of a row comes from.
#[derive(Clone, Copy, Debug)]
enum Cell {
    /// A member, or a member of a member: `tokens.output`. The elements of a list are words.
    Member(&'static str),
    /// The number of elements of a list.
    Count(&'static str),
    /// A member of each element of a list, one a line.
    Lines(&'static str, &'static str),
    /// The members of an object in the order of a list of the document.
    Ordered(&'static str, &'static str),
}

impl Column {
    /// The member of this name.
    pub const fn of(name: &'static str) -> Column {
        Column::from(name, name)
    }

    /// A member of another name.
    pub const fn from(name: &'static str, member: &'static str) -> Column {
        Column { name, cell: Cell::Member(member), absent: "" }
    }

    /// The number of elements of the list of this name.
    pub const fn count(name: &'static str) -> Column {
        Column { name, cell: Cell::Count(name), absent: "" }
    }

    /// A member of each element of the list of this name, one a line.
    pub const fn lines(name: &'static str, member: &'static str) -> Column {
        Column { name, cell: Cell::Lines(name, member), absent: "" }
    }

    /// The members of the object of this name, in the order that a list of the document has.
    pub const fn ordered(name: &'static str, by: &'static str) -> Column {
        Column { name, cell: Cell::Ordered(name, by), absent: "" }
    }

    /// The same with this cell where the row's JSON leaves the member out.
    #[must_use]
    pub const fn or(self, absent: &'static str) -> Column {
        Column { absent, ..self }
    }

    /// The member of a row that it needs.
    #[cfg(test)]
    pub(crate) fn member(&self) -> &'static str {
        match self.cell {
            Cell::Member(path) => path.split('.').next().unwrap_or_default(),
            Cell::Count(name) | Cell::Lines(name, _) | Cell::Ordered(name, _) => name,
        }
    }

    /// Its cell in a row; `document` is what the row stands in.
    pub fn cell(&self, row: &Value, document: &Value) -> String {
        match self.cell {
            Cell::Member(path) => {
                match path.split('.').try_fold(row, |value, name| value.get(name)) {
                    Some(value) => word(value),
                    None => self.absent.to_owned(),
                }
            }
            Cell::Count(list) => elements(row, list).len().to_string(),
            Cell::Lines(list, member) => {
                let members = elements(row, list).iter().filter_map(|element| element.get(member));
                members.map(word).collect::<Vec<_>>().join("\n")
            }
            Cell::Ordered(object, by) => {
                let names = elements(document, by).iter().filter_map(Value::as_str);
                let values = names.map(|name| row.get(object).and_then(|object| object.get(name)));
                let words = values.map(|value| value.map(word).unwrap_or_default());
                words.collect::<Vec<_>>().join(" | ")
            }
        }
    }
}

/// Columns of members with these names.
pub(crate) const fn columns<const N: usize>(names: [&'static str; N]) -> [Column; N] {
    let mut columns = [Column::of(""); N];
    let mut place = 0;
    while place < N {
        columns[place] = Column::of(names[place]);
        place += 1;
    }
    columns
}

fn elements<'v>(value: &'v Value, list: &str) -> &'v [Value] {
    value.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A value as a cell.
pub fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) if !values.iter().any(is_nested) => {
            values.iter().map(word).collect::<Vec<_>>().join(" ")
        }
        value => value.to_string(),
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DOCUMENTS;
    use serde_json::json;

    #[test]
    fn cells_come_from_members_lists_and_the_document() {
        let document = json!({"by": ["model", "day"]});
        let row = json!({
            "a": 1, "none": null, "list": ["x", "y"], "tokens": {"output": 2.5},
            "files": [{"path": "p"}, {"path": "q"}], "key": {"day": "d", "model": null},
        });
        let table = [
            (Column::of("a"), "1"),
            (Column::of("none"), ""),
            (Column::of("missing"), ""),
            (Column::of("missing").or("0"), "0"),
            (Column::of("list"), "x y"),
            (Column::from("output", "tokens.output"), "2.5"),
            (Column::count("files"), "2"),
            (Column::lines("files", "path"), "p\nq"),
            (Column::ordered("key", "by"), " | d"),
        ];
        for (column, expected) in table {
            assert_eq!(column.cell(&row, &document), expected, "{}", column.name);
        }
    }

    /// The members of the rows in a schema, of which some are references.
    fn members(schema: &Value, list: &str) -> Option<Vec<String>> {
        let items = &schema["properties"][list]["items"];
        let name = items["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        let row = name.map_or(items, |name| &schema["$defs"][name]);
        Some(row["properties"].as_object()?.keys().cloned().collect())
    }

    #[test]
    fn every_column_is_a_member_of_its_rows() {
        let mut tables = 0;
        for document in DOCUMENTS.iter().filter(|document| !document.columns.is_empty()) {
            let schema = (document.json_schema)().to_value();
            // The rows of one document are made from elements of lists in a list.
            let Some(list) = document.rows else { continue };
            let Some(members) = members(&schema, list) else { panic!("{}", document.schema) };
            for column in document.columns {
                let member = column.member().to_owned();
                assert!(members.contains(&member), "{}: {member} of {members:?}", document.schema);
            }
            tables += 1;
        }
        assert!(tables > 20, "{tables}");
    }
}
