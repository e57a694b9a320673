//! Names that people type: other names of commands and options, and short flags.

use crate::cli::support::run::{annals, session};
use testkit::Sandbox;

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Count the crabs");
    session(&sandbox, 2, "/home/ada/notes", "Bake the bread");
    sandbox
}

#[test]
fn other_names_are_the_same_command() {
    let sandbox = store();
    let table: [(&[&str], &[&str]); 20] = [
        (&["list"], &["ls"]),
        (&["sessions", "--json"], &["ls", "--json"]),
        (&["view", "00000001"], &["show", "00000001"]),
        (&["cost"], &["usage"]),
        (&["daily"], &["usage", "daily"]),
        (&["weekly", "--json"], &["usage", "weekly", "--json"]),
        (&["--json", "monthly"], &["--json", "usage", "monthly"]),
        (&["--timezone", "UTC", "blocks"], &["--timezone", "UTC", "usage", "block"]),
        (&["today"], &["usage", "--since", "today"]),
        (&["ls", "-n", "1"], &["ls", "--limit", "1"]),
        (&["ls", "-p", "/home/ada/notes"], &["ls", "--project", "/home/ada/notes"]),
        (&["ls", "-s", "3d", "-u", "today"], &["ls", "--since", "3d", "--until", "today"]),
        (&["ls", "--branch", "main"], &["ls", "--git-branch", "main"]),
        (&["usage", "days"], &["usage", "daily"]),
        (&["usage", "sessions"], &["usage", "session"]),
        (&["usage", "branches"], &["usage", "branch"]),
        (&["usage", "--by", "daily"], &["usage", "--by", "day"]),
        (&["usage", "--by", "projects,models"], &["usage", "--by", "project,model"]),
        (&["usage", "turns"], &["usage", "turn"]),
        (&["export", "--all", "-o", "-"], &["export", "--every", "-o", "-"]),
    ];
    for (typed, meant) in table {
        let (typed_answer, answer) = (annals(&sandbox, typed), annals(&sandbox, meant));
        let is_export = typed[0] == "export";
        assert_eq!(answer.code, if is_export { 2 } else { 0 }, "{answer:?}");
        assert_eq!(
            (typed_answer.code, typed_answer.out, typed_answer.err),
            (answer.code, answer.out, answer.err),
            "{typed:?}"
        );
    }
}

#[test]
fn every_report_is_accepted_in_both_places_and_numbers() {
    let sandbox = store();
    let names = "day week month hour session project worktree model branch agent skill plugin tool effort entrypoint version block";
    for name in names.split(' ') {
        let plural = if name == "branch" { "branches".to_owned() } else { format!("{name}s") };
        for word in [name, &plural] {
            annals(&sandbox, &["usage", word]).done();
            annals(&sandbox, &["usage", "--by", word]).done();
        }
    }
}

/// `-word` excludes a word from a search, except where it is a flag.
#[test]
fn short_flags_work_in_a_search() {
    let sandbox = store();
    let found = |arguments: &[&str]| {
        let answer = annals(&sandbox, &[&["search", "the", "--json"], arguments].concat());
        answer.json()["hits"].as_array().unwrap().len()
    };
    assert_eq!(found(&[]), 2);
    assert_eq!(found(&["-n", "1"]), 1);
    assert_eq!(found(&["-n1"]), 1);
    assert_eq!(found(&["-p", "/home/ada/notes"]), 1);
    assert_eq!(found(&["-crabs"]), 1);
}
