//! `session_index.jsonl`: the names that people gave to threads.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::codex::text::Text;

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    thread_name: Option<Text<'a>>,
}

/// The name of each thread in the file; the last line of a thread wins. Lines that are damaged
/// are left out, and an empty name removes an earlier one.
pub fn parse_session_index(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(row) = serde_json::from_slice::<Row<'_>>(line) else { continue };
        match row.thread_name.filter(|name| !name.trim().is_empty()) {
            Some(name) => names.insert(row.id.into_string(), name.into_string()),
            None => names.remove(&*row.id),
        };
    }
    names
}

#[cfg(test)]
mod tests {
    use super::parse_session_index;

    #[test]
    fn the_last_name_of_a_thread_wins() {
        let file = br#"{"id":"a","thread_name":"first","updated_at":"x"}
{"id":"b","thread_name":"other"}
nonsense
{"id":"a","thread_name":"second"}
{"id":"b","thread_name":""}
"#;
        let names = parse_session_index(file);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), [("a".to_owned(), "second".to_owned())]);
    }
}
