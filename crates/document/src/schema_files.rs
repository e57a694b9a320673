//! The files of docs/schema: one for each document, and one with the objects that documents share,
//! so that each object is described once.
//!
//! Deliberately not here: the schemas themselves (`registry`).

use crate::registry::DOCUMENTS;
use serde_json::{Map, Value, json};

/// The file with the shared objects.
const SHARED: &str = "definitions.json";

/// How long a line may be that holds a whole value.
const WIDTH: usize = 110;

/// The files of docs/schema: their names and contents.
pub fn schema_files() -> Vec<(String, String)> {
    let mut shared = Map::new();
    let mut files = Vec::new();
    for document in DOCUMENTS {
        let mut schema = (document.json_schema)().to_value();
        let definitions = schema.as_object_mut().and_then(|schema| schema.remove("$defs"));
        if let Some(Value::Object(definitions)) = definitions {
            shared.extend(definitions);
        }
        refer_to_shared(&mut schema);
        files.push((format!("{}.json", (document.file)()), text(&schema)));
    }
    let shared = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The objects that documents share",
        "$defs": shared,
    });
    files.push((SHARED.to_owned(), text(&shared)));
    files
}

/// Makes references to definitions name the file that has them.
fn refer_to_shared(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(target) if name == "$ref" && target.starts_with("#/$defs/") => {
                        target.insert_str(0, SHARED);
                    }
                    _ => refer_to_shared(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refer_to_shared),
        _ => {}
    }
}

/// A schema as people read it: what fits on a line is on one.
fn text(schema: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, schema, 0, 0);
    text.push('\n');
    text
}

/// Writes a value that begins at a column, below lines with this indentation.
fn write_value(text: &mut String, value: &Value, indent: usize, column: usize) {
    let line = value.to_string();
    let (open, close, count) = match value {
        Value::Object(members) => ('{', '}', members.len()),
        Value::Array(items) => ('[', ']', items.len()),
        _ => return text.push_str(&line),
    };
    if indent > 0 && column + line.chars().count() <= WIDTH || count == 0 {
        return text.push_str(&line);
    }
    text.push(open);
    let inner = indent + 1;
    let mut first = true;
    let mut begin = |text: &mut String, name: &str| {
        text.push_str(if std::mem::take(&mut first) { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n(' ', inner));
        text.push_str(name);
        inner + name.chars().count()
    };
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let column = begin(text, &format!("{}: ", Value::from(name.as_str())));
                write_value(text, member, inner, column);
            }
        }
        Value::Array(items) => {
            for item in items {
                let column = begin(text, "");
                write_value(text, item, inner, column);
            }
        }
        _ => {}
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn every_document_has_a_separate_file() {
        let files = schema_files();
        let names: HashSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), files.len());
        assert_eq!(files.len(), DOCUMENTS.len() + 1);
    }

    #[test]
    fn one_name_is_one_object_in_all_documents() {
        let mut known: HashMap<String, Value> = HashMap::new();
        for document in DOCUMENTS {
            let schema = (document.json_schema)().to_value();
            for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
                let first = known.entry(name.clone()).or_insert_with(|| definition.clone());
                assert_eq!(first, definition, "{name} in {}", document.schema);
            }
        }
    }

    #[test]
    fn every_reference_names_an_object_that_exists() {
        let files: HashMap<String, Value> = schema_files()
            .into_iter()
            .map(|(name, text)| (name, serde_json::from_str(&text).expect("a schema is JSON")))
            .collect();
        let mut checked = 0;
        for (file, schema) in &files {
            for target in references(schema) {
                let (name, pointer) = target.split_once('#').expect("a place in a file");
                let holder = &files[if name.is_empty() { file } else { name }];
                assert!(holder.pointer(pointer).is_some(), "{file}: {target}");
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked}");
    }

    fn references(schema: &Value) -> Vec<String> {
        match schema {
            Value::Object(members) => {
                let own = members.get("$ref").and_then(Value::as_str).map(str::to_owned);
                own.into_iter().chain(members.values().flat_map(references)).collect()
            }
            Value::Array(items) => items.iter().flat_map(references).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn text_of_a_schema_reads_back() {
        let long = "word ".repeat(40);
        let schema = json!({ "a": { "b": [1, 2] }, "long": [long, { "c": {} }], "none": [] });
        let text = text(&schema);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), schema);
        assert!(text.starts_with("{\n \"a\": {\"b\":[1,2]},\n \"long\": [\n  \"word"), "{text}");
    }
}
