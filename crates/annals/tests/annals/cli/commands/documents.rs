//! Every JSON answer is a document of the `document` room: it is read into its
//! type and written again to the same bytes.
//!
//! `Answer::json` checks that of every answer that any test looks at. Here every
//! command is asked once, so that none is missed.

use crate::cli::support::run::{Answer, annals, demo, session};
use document::DOCUMENTS;
use serde_json::Value;
use std::collections::BTreeSet;
use testkit::{Sandbox, session_id};

/// Reads a document into its type and compares what it writes again. Text that names none of
/// our schemas is not a document and passes.
pub(crate) fn assert_reads_back(text: &str) {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let Some(schema) = value["schema"].as_str() else { return };
    let mut failures = Vec::new();
    let own = || DOCUMENTS.iter().filter(|document| document.schema == schema);
    for document in own() {
        // Records are written one a line, everything else as serde does it, with harmful
        // characters escaped.
        let is_pretty = text.starts_with("{\n");
        let rewrite = if is_pretty { document.rewritten_pretty } else { document.rewritten };
        let expected = if is_pretty { text.to_owned() } else { text.replace('\n', "") };
        match rewrite(text) {
            Ok(again) if render::untrusted::json(&again) == expected => return,
            Ok(again) => {
                let mut lines = expected.lines().zip(again.lines());
                let differ = lines.find(|(was, is)| was != is);
                failures.push(format!("{differ:?}"));
            }
            Err(error) => failures.push(error.to_string()),
        }
    }
    assert!(own().count() == 0, "{schema} is not read back: {failures:?}");
}

/// The name of the schema of an answer, which can be read back.
fn schema(answer: &Answer) -> String {
    let document = answer.json();
    let schema = document["schema"].as_str().expect("a document names its schema").to_owned();
    assert!(DOCUMENTS.iter().any(|known| known.schema == schema), "{schema} has no type");
    schema
}

/// Asked of the made-up store.
const ON_DEMO: &[&[&str]] = &[
    &[],
    &["ls"],
    &["ls", "--hidden"],
    &["ls", "--deleted"],
    &["ls", "--live"],
    &["projects"],
    &["where", "/home/ada/tidepool"],
    &["info", "3f9c1d7e"],
    &["show", "3f9c1d7e"],
    &["show", "3f9c1d7e", "--agents", "inline"],
    &["show", "3f9c1d7e", "--view", "all"],
    &["prompts"],
    &["prompts", "3f9c1d7e"],
    &["tree", "3f9c1d7e"],
    &["tools"],
    &["tools", "--stats"],
    &["agents", "3f9c1d7e"],
    &["plan", "c52b8f06"],
    &["context", "3f9c1d7e"],
    &["search", "tide", "--context", "1"],
    &["grep", "tide"],
    &["grep", "-c", "tide"],
    &["grep", "-l", "tide"],
    &["files"],
    &["files", "/home/ada/tidepool/tests/login.rs", "--reads"],
    &["files", "--commit", "8c41d02"],
    &["usage"],
    &["usage", "--explain"],
    &["usage", "block"],
    &["usage", "--by", "session,turn"],
    &["usage", "--by", "tool"],
    &["usage", "--explain", "msg_019Mi2L7A8a6kmdrgRZfZ52t"],
    &["usage", "limits"],
    &["usage", "--check", "--budget", "day=1000"],
    &["sql", "SELECT * FROM sessions"],
    &["sql", "SELECT 1 AS n, 0.1 + 0.2 AS n, NULL, x'00ff', 'text'"],
    &["sql", "--schema"],
    &["mark"],
    &["doctor"],
    &["doctor", "--secrets"],
];

/// Asked of a store with two sessions, in this order.
const IN_SANDBOX: &[&[&str]] = &[
    &["mark", "00000001", "a", "note"],
    &["show", "00000001"],
    &["rename", "00000001", "Tides"],
    &["tag", "00000001", "sea"],
    &["tag", "00000001"],
    &["tag", "00000001", "--remove"],
    &["archive", "sync"],
    &["archive", "ls"],
    &["archive", "ls", "00000001"],
    &["archive", "verify", "--deep"],
    &["archive", "restore", "00000001", "--to", "restored"],
    &["archive", "export", "exported"],
    &["archive", "import", "exported"],
    &["export", "00000001", "00000002", "--format", "json", "--output", "pages"],
    &["archive", "forget", "00000002", "--yes"],
    &["setup", "--dry-run", "--timer"],
    &["lake", "status"],
];

/// Held where they are asked for: `files.rs`, `watch.rs`, `lake.rs` and `cargo xtask lake-test`.
const ELSEWHERE: &[&str] = &[
    "annals/blame/1",
    "annals/watch-event/1",
    "annals/lake-catalog/1",
    "annals/lake-init/1",
    "annals/lake-load/1",
    "annals/lake-policy/1",
    "annals/lake-push/1",
    "annals/lake-report/1",
    "annals/lake-take-back/1",
    "annals/lake-verify/1",
];

/// No command answers with them, only the web app; `crates/document/tests/answers` reads
/// them back.
fn is_of_web(document: &document::DocumentDescription) -> bool {
    document.command.contains("api/1/")
}

#[test]
fn every_document_is_read_back_to_the_same_bytes() {
    let mut seen = BTreeSet::new();
    for arguments in ON_DEMO {
        let answer = demo(&[arguments, &["--json"][..]].concat());
        seen.insert(schema(&answer));
    }
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Where do tides come from?");
    session(&sandbox, 2, "/home/ada/tidepool", "And where do they go?");
    for arguments in IN_SANDBOX {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|&argument| match argument {
                "restored" | "exported" | "pages" => {
                    sandbox.path().join(argument).display().to_string()
                }
                "00000001" | "00000002" => session_id(argument.parse().unwrap()),
                other => other.to_owned(),
            })
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let answer = annals(&sandbox, &[&arguments, &["--json"][..]].concat());
        seen.insert(schema(&answer));
    }
    for page in std::fs::read_dir(sandbox.path().join("pages")).unwrap() {
        let text = std::fs::read_to_string(page.unwrap().path()).unwrap();
        assert_reads_back(&text);
        let document: Value = serde_json::from_str(&text).unwrap();
        seen.insert(document["schema"].as_str().unwrap().to_owned());
    }
    seen.extend(ELSEWHERE.iter().map(|&schema| schema.to_owned()));
    let own = DOCUMENTS.iter().filter(|document| !is_of_web(document));
    let known: BTreeSet<String> = own.map(|document| document.schema.to_owned()).collect();
    assert_eq!(seen, known);
}

#[test]
fn rows_are_the_elements_that_the_reference_names() {
    for document in DOCUMENTS {
        let Some(list) = document.rows else { continue };
        let schema = (document.json_schema)().to_value();
        assert_eq!(schema["properties"][list]["type"], "array", "{}", document.schema);
    }
}
