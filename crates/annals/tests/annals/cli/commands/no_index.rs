//! With an index and without one the answers are the same, on real transcripts.

use crate::cli::support::corpus::corpus;
use crate::cli::support::run::annals;
use serde_json::Value;
use testkit::Sandbox;

/// What only an index tells.
const OF_INDEX: [&str; 4] = ["messages", "turns", "models", "cost_usd"];

#[test]
fn answers_with_and_without_an_index_are_equal() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let root = corpus.display().to_string();
    let ask = |arguments: &[&str], more: &[&str]| {
        let answer = annals(&sandbox, &[&["--root", &root], arguments, more].concat());
        serde_json::from_str::<Value>(&answer.done().out).unwrap()
    };
    annals(&sandbox, &["--root", &root, "search", "--wait", "checkpoint"]).done();
    let queries: [&[&str]; 10] = [
        &["usage", "--json"],
        &["usage", "--by", "session,model", "--explain", "--json"],
        &["usage", "--by", "agent", "--json"],
        &["usage", "--by", "project,branch", "--since", "2026-01-01", "--json"],
        &["ls", "--json", "--hidden", "--model", "opus"],
        &["ls", "--json", "--tool", "Edit"],
        &["ls", "--json", "--tool", "mcp__*", "--model", "sonnet"],
        &["tools", "--tool", "Read", "--json", "--limit", "0"],
        &["tools", "--tool", "NoSuchTool*", "--stats", "--json"],
        &["projects", "--json"],
    ];
    for query in queries {
        let (mut with, mut without) = (ask(query, &[]), ask(query, &["--no-index"]));
        if query[0] == "ls" {
            for document in [&mut with, &mut without] {
                for session in document["sessions"].as_array_mut().unwrap() {
                    let fields = session.as_object_mut().unwrap();
                    for name in OF_INDEX {
                        fields.remove(name).unwrap();
                    }
                }
            }
        }
        assert!(with == without, "{query:?}");
    }
    // The sums of its sessions add up to their usage.
    let sessions = ask(&["ls", "--json", "--hidden"], &[]);
    let sessions = sessions["sessions"].as_array().unwrap();
    let usage = ask(&["usage", "--by", "session", "--json", "--limit", "0"], &["--no-index"]);
    let mut compared = 0;
    for row in usage["rows"].as_array().unwrap() {
        let id = &row["key"]["session"];
        let Some(session) = sessions.iter().find(|session| session["id"] == *id) else { continue };
        assert_eq!(session["cost_usd"], row["cost_usd"], "{id}");
        compared += 1;
    }
    assert!(compared > 20, "{compared} sessions compared");
    let alone = ask(&["ls", "--json", "--hidden"], &["--no-index"]);
    assert!(OF_INDEX.iter().all(|name| alone["sessions"][0][*name].is_null()));
}
