//! The rows of a JSON document as CSV, for `format=csv`.
//!
//! The document is masked and escaped before it comes here, so that CSV shows nothing that
//! JSON would not. A table has no place for what the document says of itself, so an incomplete
//! index is a failure, and warnings are headers. Deliberately not here: which columns a table
//! has; its document says that, for `--csv` too.

use crate::answer::Answer;
use crate::failure::Failure;
use axum::http::{HeaderName, HeaderValue};
use document::{DOCUMENTS, WarningDocument, Warnings, word};
use serde::Deserialize;
use serde_json::Value;

/// The header with what a table may lack.
const WARNING: HeaderName = HeaderName::from_static("x-warning");

/// What a document says of its index, if it was made from one.
#[derive(Debug, Default, Deserialize)]
struct IndexState {
    index_complete: Option<bool>,
    fresh: Option<bool>,
}

/// The table of a document, with what the document says of itself.
pub(crate) fn table(document: Answer) -> Result<Answer, Failure> {
    let Ok(text) = str::from_utf8(&document.body) else { return Ok(document) };
    let Some(rows) = rows(text) else { return Ok(document) };
    let index: IndexState = serde_json::from_str(text).unwrap_or_default();
    let Warnings { warnings } = serde_json::from_str(text).unwrap_or_default();
    let is_incomplete = index.index_complete == Some(false);
    // What the index lacks for good is named; what it lacks until now is not.
    if is_incomplete && !warnings.iter().any(WarningDocument::is_of_unread_file) {
        return Err(Failure::incomplete_index());
    }
    let stale = match index.fresh {
        _ if is_incomplete => Some("the index is not complete"),
        Some(false) => Some("the index is being updated: the newest messages may be missing"),
        _ => None,
    };
    let stale = stale.map(str::to_owned);
    let said = warnings.into_iter().map(|warning| warning.message).chain(stale);
    let said: Vec<String> = said.map(|text| header_text(&text)).collect();
    let answer = Answer::csv(rows);
    Ok(match HeaderValue::from_str(&said.join("; ")) {
        Ok(value) if !said.is_empty() => answer.with_header(WARNING, value),
        _ => answer,
    })
}

/// A text as the value of a header: other characters than those of ASCII are escaped.
fn header_text(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' => value.push(character),
            '\n' => value.push(' '),
            other => value.extend(other.escape_unicode()),
        }
    }
    value
}

/// The rows of a document, with a heading; `None` if it has none.
pub(crate) fn rows(text: &str) -> Option<String> {
    let whole: Value = serde_json::from_str(text).ok()?;
    let schema = whole.get("schema")?.as_str()?;
    let description = DOCUMENTS.iter().find(|known| known.schema == schema)?;
    let rows = whole.get(description.rows?)?.as_array()?;
    let mut table = String::new();
    // Of a query, the document itself names the columns.
    if let Some(names) = whole.get("columns").and_then(Value::as_array) {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        table += &render::csv::row(names.iter().copied());
        for row in rows {
            let cells = names.iter().map(|name| row.get(*name).map(word).unwrap_or_default());
            let cells: Vec<String> = cells.collect();
            table += &render::csv::row(cells.iter().map(String::as_str));
        }
    } else {
        table += &render::csv::row(description.columns.iter().map(|column| column.name));
        for row in rows {
            let cells = description.columns.iter().map(|column| column.cell(row, &whole));
            let cells: Vec<String> = cells.collect();
            table += &render::csv::row(cells.iter().map(String::as_str));
        }
    }
    Some(render::untrusted::text(&table).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_a_header_in_ascii() {
        let document = r#"{"schema":"annals/projects/1","projects":[],"fresh":false,"warnings":[
            {"kind":"k","app":"pi","path":"/","message":"k\u00e9lp\nand\u001b tide"}]}"#;
        let answer = table(Answer::json(document.to_owned())).unwrap();
        let values: Vec<&str> =
            answer.headers.iter().map(|(_, value)| value.to_str().unwrap()).collect();
        let expected = "k\\u{e9}lp and\\u{1b} tide; the index is being updated: the newest messages may be missing";
        assert_eq!(values, [expected]);
        assert!(answer.body.starts_with(b"project,sessions,"));
    }

    #[test]
    fn rows_of_a_query_have_the_columns_of_the_query() {
        let document = r#"{"schema":"annals/sql/1","columns":["b","a"],"rows":[
            {"b":1,"a":"c,d"},{"b":null,"a":2.5}]}"#;
        assert_eq!(rows(document).unwrap(), "b,a\n1,\"c,d\"\n,2.5\n");
        assert_eq!(rows(r#"{"schema":"annals/info/1"}"#), None);
    }

    #[test]
    fn cells_cannot_act_in_a_spreadsheet_or_a_terminal() {
        let document = r#"{"schema":"annals/sql/1","columns":["a","b","c"],"rows":[
            {"a":"=1+1","b":"\u001b[2J","c":-5}]}"#;
        let text = rows(document).unwrap();
        assert!(text.contains("'=1+1") && text.contains(",-5"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
