//! The exit codes of every command if there is nothing to answer with.
//!
//! 0: a list, even an empty one. 1: words, a pattern or a name that nothing matches. 2: wrong
//! use or a failure, and never for something that is not there.

use crate::cli::support::exercise_table::EXERCISES;
use crate::cli::support::run::{annals, session};
use std::collections::HashSet;
use testkit::{Sandbox, session_id};

/// Lists, and what else answers about the whole store: 0 on a store without sessions.
const EMPTY_LISTS: &[&[&str]] = &[
    &[],
    &["ls"],
    &["ls", "--deleted"],
    &["ls", "--live"],
    &["ls", "--marked"],
    &["ls", "--since", "2030-01-01"],
    &["projects"],
    &["prompts"],
    &["files"],
    &["files", "--since", "2030-01-01"],
    &["tools"],
    &["tools", "--stats"],
    &["tools", "--tool", "Nope"],
    &["mark"],
    &["usage"],
    &["usage", "models"],
    &["usage", "--heatmap"],
    &["usage", "--since", "2030-01-01"],
    &["sql", "SELECT * FROM sessions"],
    &["archive", "ls"],
    &["archive", "sync"],
    &["lake", "status"],
    &["doctor"],
    &["doctor", "--secrets"],
];

/// Words, patterns and names that nothing matches: 1.
const NOTHING_FOUND: &[&[&str]] = &[
    &["search", "volcano"],
    &["grep", "volcano"],
    &["grep", "-c", "volcano"],
    &["where", "/nowhere"],
    &["ls", "--project", "volcano"],
    &["prompts", "--project", "volcano"],
    &["search", "word", "--project", "volcano"],
    &["grep", "word", "--project", "volcano"],
    &["files", "/nowhere/volcano.rs"],
    &["files", "--commit", "abcdef0"],
    &["show", "volcano"],
    &["info", "volcano"],
    &["tree", "volcano"],
    &["agents", "volcano"],
    &["plan", "volcano"],
    &["context", "volcano"],
    &["tools", "volcano"],
    &["export", "volcano"],
    &["mark", "volcano"],
    &["tag", "volcano"],
    &["rename", "volcano", "A title"],
    &["resume", "volcano"],
    &["watch", "volcano"],
    &["archive", "ls", "volcano"],
    &["archive", "restore", "volcano"],
    &["archive", "forget", "volcano", "--yes"],
    &["lake", "share", "volcano", "--with", "org"],
    &["lake", "unshare", "volcano"],
    &["lake", "forget", "volcano"],
    &["archive", "verify"],
    &["archive", "export", "copy"],
];

/// Wrong use and failures: 2.
const ERRORS: &[&[&str]] = &[
    &["fly"],
    &["help", "fly"],
    &["man", "fly"],
    &["completions", "fly"],
    &["ls", "--fly"],
    &["ls", "--since", "soon"],
    &["grep", "("],
    &["sql", "SELEC"],
    &["usage", "--check"],
    &["tui"],
    &["pick"],
    &["archive"],
    &["archive", "import", "/nowhere"],
    &["lake"],
    &["lake", "init"],
    &["lake", "push"],
    &["lake", "expire", "--before", "2026-01", "--yes"],
    &["lake", "leave", "--yes"],
    &["lake", "verify"],
    &["lake", "load"],
    &["lake", "catalog", "--sql", "duckdb"],
    &["lake", "report", "--month", "2026-11", "-o", "report.html"],
    &["--root", "/nowhere", "ls"],
];

/// Commands that answer about no session, or do not end.
const WITHOUT_ANSWER: &[&str] = &["mcp", "web", "serve", "hook", "statusline", "setup"];

fn check(sandbox: &Sandbox, calls: &[&[&str]], code: i32, what: &str) {
    for call in calls {
        let answer = annals(sandbox, call);
        assert_eq!(answer.code, code, "{what}: {call:?}: {} {}", answer.out, answer.err);
    }
}

#[test]
fn exit_code_tells_an_empty_list_from_a_name_that_nothing_matches_and_from_an_error() {
    let empty = Sandbox::new();
    empty.folder("projects");
    check(&empty, EMPTY_LISTS, 0, "an empty list");
    let empty = Sandbox::new();
    empty.folder("projects");
    check(&empty, NOTHING_FOUND, 1, "no sessions");
    check(&empty, ERRORS, 2, "an error");
    let full = Sandbox::new();
    session(&full, 0xa1, "/home/ada/tidepool", "Fix the pump");
    check(&full, NOTHING_FOUND, 1, "a session with another name");
    let id = session_id(0xa1);
    check(&full, &[&["tag", &id], &["plan", &id], &["show", &format!("{id}:99")]], 1, "no part");
    check(&full, &[&["tools", &id], &["agents", &id], &["mark"]], 0, "a session without any");
}

#[test]
fn json_of_an_empty_list_is_a_document() {
    let empty = Sandbox::new();
    empty.folder("projects");
    for call in EMPTY_LISTS.iter().filter(|call| !call.contains(&"sync")) {
        let answer = annals(&empty, &[call, &["--json"][..]].concat());
        assert_eq!(answer.code, 0, "{call:?}: {}", answer.err);
        answer.json();
    }
}

#[test]
fn every_command_is_in_the_table_of_exit_codes() {
    let calls = [EMPTY_LISTS, NOTHING_FOUND, ERRORS].concat();
    let named: HashSet<String> = calls
        .iter()
        .flat_map(|call| [call.first().copied().unwrap_or_default().to_owned(), call.join(" ")])
        .collect();
    for exercise in EXERCISES {
        let is_named = named.contains(exercise.command)
            || named.iter().any(|call| call.starts_with(&format!("{} ", exercise.command)));
        let is_exempt = WITHOUT_ANSWER.contains(&exercise.command);
        assert!(is_named || is_exempt, "no exit code for {:?}", exercise.command);
    }
}
