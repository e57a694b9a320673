//! Searches and queries while another process builds the index, or when it cannot be written.

use crate::cli::support::run::{Answer, annals, command, run, session};
use index::{Index, Ingest};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use testkit::Sandbox;

/// An index of one session, beside one that it does not have yet.
fn partly_indexed() -> Sandbox {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    annals(&sandbox, &["search", "kelp"]).done();
    session(&sandbox, 2, "/home/ada/pool", "kelp and barnacles");
    sandbox
}

/// Holds the index as another process does that builds it.
fn held(sandbox: &Sandbox) -> Ingest {
    Index::new(sandbox.annals_home()).ingest(16 << 20).unwrap().unwrap()
}

/// What a command answers that waits for another process; that ends when the command says so.
fn awaited(sandbox: &Sandbox, arguments: &[&str]) -> (i32, String, String) {
    let other = held(sandbox);
    let mut command = command(sandbox, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut notice = String::new();
    errors.read_line(&mut notice).unwrap();
    assert_eq!(notice, "annals: waiting for another process that updates the index\n");
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    drop(other);
    let output = child.wait_with_output().unwrap();
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text, rest)
}

/// A command whose process cannot write into files.
fn without_writing(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    let annals = command(sandbox, arguments);
    let mut shell = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    shell.args(["-c", script]).arg(annals.get_program()).args(annals.get_args()).env_clear();
    for (name, value) in annals.get_envs() {
        shell.env(name, value.unwrap());
    }
    run(&mut shell)
}

#[test]
fn without_a_terminal_search_and_sql_wait_for_the_whole_index() {
    let count = "SELECT count(*) AS n FROM sessions";
    for (arguments, expected) in [
        (["search", "--json", "kelp"], r#""total": 2"#),
        (["sql", "--json", count], r#""n": 2"#),
        (["sql", "--csv", count], "n\n2\n"),
    ] {
        let (code, text, rest) = awaited(&partly_indexed(), &arguments);
        assert_eq!((code, rest.as_str()), (0, ""), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{text}");
        if arguments[1] == "--json" {
            assert!(text.contains(r#""index_complete": true"#), "{text}");
        }
    }
    // A word of the session that the index did not have.
    let (code, text, _) = awaited(&partly_indexed(), &["search", "barnacles"]);
    assert_eq!(code, 0, "{text}");
    let (code, text, _) = awaited(&partly_indexed(), &["search", "volcano"]);
    assert_eq!((code, text.as_str()), (1, "No hits.\n"));
}

#[test]
fn nothing_found_in_an_incomplete_index_is_a_failure_with_its_reason() {
    let sandbox = partly_indexed();
    let reason =
        "annals: found nothing, but not everything could be searched: the index is incomplete\n";
    let nothing = without_writing(&sandbox, &["search", "barnacles"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, "No hits in what the index has.\n"));
    assert!(nothing.err.contains("annals: cannot update the index: "), "{}", nothing.err);
    assert!(nothing.err.ends_with(reason), "{}", nothing.err);
    let json = without_writing(&sandbox, &["search", "barnacles", "--json"]);
    assert_eq!((json.code, &json.json()["index_complete"]), (2, &false.into()));
    let rows = "SELECT path FROM sessions WHERE first_prompt LIKE '%barnacles%'";
    for format in ["--json", "--jsonl", "--csv"] {
        let nothing = without_writing(&sandbox, &["sql", rows, format]);
        assert_eq!(nothing.code, 2, "{}", nothing.out);
        assert!(nothing.err.ends_with(reason), "{}", nothing.err);
    }
    // What is found is an answer, which says what it lacks.
    let some = without_writing(&sandbox, &["sql", "--json", "SELECT count(*) AS n FROM sessions"]);
    assert_eq!((some.code, &some.json()["index_complete"]), (0, &false.into()));
    assert!(some.err.contains("annals: the index is incomplete: it covers "), "{}", some.err);
    let found = without_writing(&sandbox, &["search", "kelp", "--json"]);
    assert_eq!((found.code, &found.json()["index_complete"]), (0, &false.into()));
    assert_eq!(annals(&sandbox, &["search", "barnacles", "--json"]).done().json()["total"], 1);
}
