//! Real sessions as compact XML: read back by an XML parser, much smaller, and
//! nothing that matters is lost.

use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{command, run, text};
use roxmltree::{Document, Node};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::path::Path;
use testkit::Sandbox;

/// Words of lines that speak of errors.
const TROUBLES: [&str; 7] =
    ["error", "warning", "failed", "fatal", "panic", "exception", "traceback"];

/// Content that every rule must leave in the export.
#[derive(Debug, Default)]
struct RequiredContent {
    prompts: HashSet<String>,
    answers: HashSet<String>,
    failures: HashSet<String>,
    changed: HashSet<String>,
    /// Lines that speak of errors in results that failed, by the call's id.
    errors: HashMap<String, Vec<String>>,
    results: HashMap<String, String>,
    usages: usize,
}

fn all_text(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|node| if node.is_text() { node.text() } else { None }).collect()
}

/// Whether a node stands in an agent that a rule leaves out whole.
fn is_idle(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|node| {
        node.has_tag_name("agent") && (node.has_attribute("warmup") || node.has_attribute("empty"))
    })
}

impl RequiredContent {
    fn of(document: &Document<'_>) -> Self {
        let mut required = RequiredContent::default();
        for node in document.descendants().filter(|node| node.is_element() && !is_idle(*node)) {
            let text = all_text(node);
            match node.tag_name().name() {
                "user" => _ = required.prompts.insert(text),
                "assistant" => _ = required.answers.insert(text),
                "failure" => _ = required.failures.insert(text),
                "usage" => required.usages += 1,
                "tool_use" => {
                    let tool = node.attribute("name").unwrap_or_default();
                    let is_path = |node: &Node<'_, '_>| {
                        matches!(node.attribute("name"), Some("file_path" | "notebook_path"))
                    };
                    if matches!(tool, "Edit" | "MultiEdit" | "Write" | "NotebookEdit") {
                        required.changed.extend(node.children().filter(is_path).map(all_text));
                    }
                }
                "tool_result" => {
                    let id = node.attribute("id").unwrap_or_default().to_owned();
                    if matches!(node.attribute("status"), Some("error" | "interrupted")) {
                        let is_error = |line: &&str| {
                            let line = line.to_lowercase();
                            TROUBLES.iter().any(|word| line.contains(word))
                        };
                        let lines = text.lines().filter(is_error).map(str::to_owned);
                        required.errors.entry(id.clone()).or_default().extend(lines);
                    }
                    required.results.entry(id).or_default().push_str(&(text + "\n"));
                }
                _ => {}
            }
        }
        required
    }
}

/// Exports every session: the documents by session, and what JSON says of them.
fn exported(
    corpus: &Path,
    sandbox: &Sandbox,
    options: &[&str],
) -> BTreeMap<String, (String, Value)> {
    let folder = sandbox.path().join(format!("out{}", options.len()));
    let folder = folder.to_str().unwrap();
    let arguments = ["export", "--every", "--format", "xml", "-o", folder, "--json"];
    let arguments = [&arguments, options].concat();
    let answer = run(command(sandbox, &arguments).env("CLAUDE_CONFIG_DIR", corpus)).done().json();
    let files = answer["files"].as_array().unwrap().iter();
    let sessions = files.filter(|file| file["session_id"].is_string()).map(|file| {
        let content = std::fs::read_to_string(text(&file["path"])).unwrap();
        (text(&file["session_id"]), (content, file.clone()))
    });
    sessions.collect()
}

#[test]
fn real_sessions_are_well_formed_and_lose_nothing_that_matters() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let short = exported(&corpus, &sandbox, &[]);
    let whole = exported(&corpus, &sandbox, &["--keep", "all"]);
    assert!(!short.is_empty());
    assert_eq!(short.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    let (mut before, mut after, mut errors, mut changed) = (0, 0, 0, 0);
    for (id, (full, _)) in &whole {
        let (less, report) = &short[id];
        let reduction = &report["reduction"];
        assert_eq!(reduction["before_bytes"], full.len(), "{id}");
        assert_eq!(reduction["after_bytes"], less.len(), "{id}");
        before += full.len();
        after += less.len();
        let parse = |text| Document::parse(text).unwrap_or_else(|error| panic!("{id}: {error}"));
        let full = RequiredContent::of(&parse(full));
        let less = RequiredContent::of(&parse(less));
        for (kind, full, less) in [
            ("prompt", &full.prompts, &less.prompts),
            ("answer", &full.answers, &less.answers),
            ("failure", &full.failures, &less.failures),
            ("changed file", &full.changed, &less.changed),
        ] {
            let lost = full.difference(less).next();
            assert_eq!(lost, None, "{id} has lost a {kind}");
        }
        for (call, lines) in &full.errors {
            for line in lines {
                let result = less.results.get(call).is_some_and(|text| text.contains(line));
                assert!(result, "{id} has lost an error of {call}: {line}");
            }
            errors += lines.len();
        }
        changed += full.changed.len();
        assert_eq!(full.usages, less.usages, "{id}");
    }
    assert!(
        errors > 100 && changed > 100,
        "{errors} errors, {changed} changed files were compared"
    );
    // Not through `println!`, which a passing test hides.
    let _ = writeln!(std::io::stderr(), "compact XML: {after} of {before} bytes");
    assert!(after * 10 <= before * 7, "{after} of {before} bytes are kept");
}

/// The ids of API responses to the session itself in a transcript, read as
/// plain JSON.
fn responses(path: &Path, ids: &mut HashSet<String>) {
    let bytes = std::fs::read(path).unwrap();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
        let message = &line["message"];
        if line["type"] == "assistant"
            && line["isSidechain"] != true
            && line["isApiErrorMessage"] != true
            && message["model"] != "<synthetic>"
            && message["usage"].is_object()
            && let Some(id) = message["id"].as_str()
        {
            ids.insert(id.to_owned());
        }
    }
}

#[test]
fn usage_is_exported_once_per_response_of_real_sessions() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let list = run(command(&sandbox, &["ls", "--json"]).env("CLAUDE_CONFIG_DIR", &corpus)).done();
    let list = list.json();
    let documents = exported(&corpus, &sandbox, &["--agents", "none"]);
    for session in list["sessions"].as_array().unwrap() {
        let mut ids = HashSet::new();
        responses(Path::new(&text(&session["path"])), &mut ids);
        let (document, _) = &documents[&text(&session["id"])];
        let usages = document.matches("\n<usage ").count();
        assert_eq!(usages, ids.len(), "{}", session["id"]);
    }
}
