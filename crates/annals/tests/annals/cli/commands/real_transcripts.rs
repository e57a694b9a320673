//! Real transcripts, where they are at hand.

use crate::cli::commands::show_records::assert_whole;
use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{command, run, text};
use std::path::Path;
use testkit::Sandbox;

#[test]
fn real_transcripts_are_shown_completely() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let ask = |arguments: &[&str]| {
        run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus)).done()
    };
    let list = ask(&["ls", "--json", "--hidden"]).json();
    let sessions = list["sessions"].as_array().unwrap();
    assert!(!sessions.is_empty());
    for session in sessions {
        let document = ask(&["show", &text(&session["id"]), "--view", "all", "--json"]).json();
        assert_eq!(document["session"]["path"], session["path"]);
        assert_whole(&document, Path::new(&text(&session["path"])));
    }
}

#[test]
fn real_stores_are_listed_and_examined() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let ask = |arguments: &[&str]| {
        run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus)).done()
    };
    let listed = ask(&["ls", "--json"]).json();
    let doctor = ask(&["doctor", "--json"]).json();
    assert_eq!(doctor["counts"]["sessions"].as_u64(), listed["total"].as_u64());
    for arguments in [
        &[][..],
        &["ls"],
        &["ls", "--hidden"],
        &["projects", "--json"],
        &["prompts", "--json"],
        &["doctor"],
    ] {
        let answer = ask(arguments);
        if !arguments.contains(&"--json") {
            assert!(
                !answer.out.contains(crate::cli::support::hostile_text::is_forbidden),
                "{arguments:?}"
            );
        }
    }
}

#[test]
fn every_real_session_has_info_and_tree() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let ask = |arguments: &[&str]| {
        run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus)).done()
    };
    let list = ask(&["ls", "--json"]).json();
    for session in list["sessions"].as_array().unwrap() {
        let id = text(&session["id"]);
        assert_eq!(ask(&["info", &id, "--json"]).json()["session"]["title"], session["title"]);
        let agents = ask(&["agents", &id, "--json"]).json();
        assert!(
            agents["agents"].as_array().unwrap().len()
                >= usize::try_from(session["agents"].as_u64().unwrap()).unwrap()
        );
        for name in ["show", "tree", "tools", "agents", "prompts", "context"] {
            let answer = run(command(&sandbox, &[name, &id]).env("CLAUDE_CONFIG_DIR", &corpus));
            // Nothing found is an answer too.
            assert!(matches!(answer.code, 0 | 1) && answer.err.is_empty(), "{name} {id}");
            assert!(
                !answer.out.contains(crate::cli::support::hostile_text::is_forbidden),
                "{name} {id}"
            );
        }
    }
}
