//! docs/json.md: every document with its fields, from the JSON Schemas.

use crate::registry::{DOCUMENTS, DocumentDescription};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What holds for all documents.
const INTRODUCTION: &str = include_str!("introduction.md");

/// The documents and their fields as Markdown.
pub fn reference() -> String {
    let mut text = INTRODUCTION.to_owned();
    text += "\n## The documents\n";
    let mut objects: BTreeMap<String, Value> = BTreeMap::new();
    for document in DOCUMENTS {
        let schema = (document.json_schema)().to_value();
        section(&mut text, document, &schema);
        let definitions = schema.get("$defs").and_then(Value::as_object);
        for (name, definition) in definitions.into_iter().flatten() {
            objects.entry(words(name)).or_insert_with(|| definition.clone());
        }
    }
    text += "\n## The objects in them\n";
    for (name, object) in &objects {
        let _ = writeln!(text, "\n### {}\n{}", heading(name), description(object));
        fields(&mut text, object);
    }
    text
}

fn section(text: &mut String, document: &DocumentDescription, schema: &Value) {
    let file = (document.file)();
    let name = if document.schema == format!("annals/{file}/1") {
        document.schema.to_owned()
    } else {
        format!("{} ({file})", document.schema)
    };
    let _ = writeln!(text, "\n### {name}\n{}\n", description(schema));
    let _ = write!(text, "From {}.", document.command);
    match (document.rows, schema.get("x-rows")) {
        (Some(rows), _) => {
            let _ = write!(text, " Rows are the elements of `{rows}`.");
        }
        (None, Some(row)) => {
            let _ = write!(text, " Rows are {}.", many(row));
        }
        (None, None) => {}
    }
    let _ = writeln!(text, " Schema: [{file}.json](schema/{file}.json).");
    fields(text, schema);
    for kind in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
        let _ = writeln!(text, "- {}", one(kind));
    }
}

/// The fields of an object as a table. Those that are always there come in the
/// order in which they are written, those that may be left out after them.
fn fields(text: &mut String, object: &Value) {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else {
        return text.push('\n');
    };
    let required = object.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    text.push_str("\n| field | type | meaning |\n|---|---|---|\n");
    // Every document may have warnings, which the introduction describes.
    let optional = optional.filter(|name| *name != "warnings");
    for name in required.iter().copied().chain(optional) {
        let Some(field) = properties.get(name) else { continue };
        let left_out = if required.contains(&name) { "" } else { ", optional" };
        let meaning = description(field).replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {}{left_out} | {meaning} |", one(field));
    }
}

fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The type of a value, in words.
fn one(schema: &Value) -> String {
    let Some(object) = schema.as_object() else { return "any JSON".to_owned() };
    if let Some(named) = reference_of(object) {
        return link(&named, &named);
    }
    if let Some(choices) = object.get("anyOf").and_then(Value::as_array) {
        return choices.iter().map(one).collect::<Vec<_>>().join(" or ");
    }
    let names: Vec<&str> = match object.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return "any JSON".to_owned(),
    };
    let is_time = object.get("format").and_then(Value::as_str) == Some("date-time");
    let names = names.into_iter().map(|name| match name {
        "array" => format!("list of {}", object.get("items").map_or("values".into(), many)),
        "object" => match object.get("additionalProperties") {
            Some(values) => format!("{} by name", many(values)),
            None => "object".to_owned(),
        },
        "string" if is_time => "time".to_owned(),
        name => name.to_owned(),
    });
    names.collect::<Vec<_>>().join(" or ")
}

/// The type of several values, in words.
fn many(schema: &Value) -> String {
    if let Some(named) = schema.as_object().and_then(reference_of) {
        return link(&plural(&named), &named);
    }
    match one(schema).as_str() {
        "any JSON" => "any JSON".to_owned(),
        list if list.starts_with("list of ") => list.replacen("list", "lists", 1),
        other if other.contains(" or ") => other.to_owned(),
        other => plural(other),
    }
}

fn plural(name: &str) -> String {
    match name.strip_suffix('y').filter(|rest| !rest.ends_with(['a', 'e', 'o', 'u'])) {
        Some(rest) => format!("{rest}ies"),
        None if name.ends_with("ss") || name.ends_with(['h', 'x']) => format!("{name}es"),
        None if name.ends_with('s') => name.to_owned(),
        None => format!("{name}s"),
    }
}

/// The object that a schema refers to.
fn reference_of(object: &Map<String, Value>) -> Option<String> {
    let path = object.get("$ref")?.as_str()?;
    path.strip_prefix("#/$defs/").map(words)
}

/// `SqlRowDocument` becomes `sql row`.
fn words(name: &str) -> String {
    let name = name.strip_suffix("Document").unwrap_or(name);
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn heading(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn link(text: &str, words: &str) -> String {
    format!("[{text}](#{})", words.replace(' ', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_become_words_and_links() {
        assert_eq!(words("SqlRowDocument"), "sql row");
        assert_eq!(heading("sql row"), "Sql row");
        assert_eq!(link("sql rows", "sql row"), "[sql rows](#sql-row)");
        assert_eq!(plural("category"), "categories");
        assert_eq!(plural("turn"), "turns");
        assert_eq!(plural("process"), "processes");
        assert_eq!(plural("usage sums"), "usage sums");
    }

    #[test]
    fn every_link_within_the_page_has_its_heading() {
        let text = reference();
        let headings: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("### "))
            .map(|heading| heading.to_lowercase().replace(' ', "-"))
            .collect();
        for link in text.split("](#").skip(1) {
            let (anchor, _) = link.split_once(')').expect("a link that ends");
            assert!(headings.iter().any(|heading| heading == anchor), "{anchor}");
        }
    }
}
