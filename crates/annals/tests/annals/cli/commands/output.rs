//! Colour, and where notices and errors are printed.

use crate::cli::support::exercises::{Formats, demo_calls, demo_calls_with_formats};
use crate::cli::support::run::{annals, command, demo, run};
use testkit::{Sandbox, session_id};

#[test]
fn pipe_gets_no_colour() {
    for arguments in demo_calls() {
        let answer = demo(&arguments).done();
        assert!(!answer.out.contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn color_always_colours_every_text() {
    for arguments in demo_calls() {
        let plain = demo(&arguments).done().out;
        let coloured = demo(&[&arguments[..], &["--color", "always"]].concat()).done().out;
        assert!(coloured.contains("\u{1b}["), "{arguments:?}");
        // Without colour Markdown keeps the marks that colour stands for.
        let unmarked = |text: &str| text.replace(['*', '`'], "");
        let coloured = unmarked(&without_colour(&coloured));
        let coloured: Vec<_> = coloured.lines().map(str::trim_end).collect();
        let plain = unmarked(&plain);
        assert_eq!(coloured, plain.lines().collect::<Vec<_>>(), "{arguments:?}");
    }
}

#[test]
fn json_and_rows_are_never_coloured() {
    let formats: [(Formats, &[&str]); 3] = [
        (Formats::Rows, &["--json", "--jsonl", "--csv"]),
        (Formats::Lines, &["--json", "--jsonl"]),
        (Formats::Document, &["--json"]),
    ];
    for (formats, options) in formats {
        for call in demo_calls_with_formats(formats) {
            for option in options {
                let arguments = [&call[..], &[option]].concat();
                let answer = demo(&[&arguments[..], &["--color", "always"]].concat()).done();
                assert_eq!(answer.out, demo(&arguments).done().out, "{arguments:?}");
            }
        }
    }
}

#[test]
fn no_color_is_respected_and_a_flag_overrides_it() {
    let sandbox = Sandbox::new();
    crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let ask =
        |arguments: &[&str]| run(command(&sandbox, arguments).env("NO_COLOR", "1")).done().out;
    assert!(!ask(&["ls"]).contains('\u{1b}'));
    assert!(!ask(&["ls", "--color", "auto"]).contains('\u{1b}'));
    assert!(ask(&["ls", "--color", "always"]).contains('\u{1b}'));
    assert!(!annals(&sandbox, &["ls", "--color", "never"]).done().out.contains('\u{1b}'));
}

#[test]
fn tables_in_a_pipe_are_not_truncated() {
    let sandbox = Sandbox::new();
    let long = "word ".repeat(30);
    crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", &long);
    let answer = run(command(&sandbox, &["ls"]).env("COLUMNS", "40")).done();
    assert!(answer.out.contains(long.trim()), "{}", answer.out);
}

#[test]
fn dumb_terminal_gets_no_pager() {
    let sandbox = Sandbox::new();
    crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let shown = |terminal: &str| {
        let mut script = sandbox.command("script");
        let call = format!("'{}' ls", testkit::program!("annals"));
        script.args(["-qec", &call, "/dev/null"]).stdin(std::process::Stdio::null());
        script.env("TERM", terminal).env("SHELL", "/bin/sh");
        // A pager that says that it ran.
        script.env("ANNALS_PAGER", "sed s/Hello/paged/");
        script.output().ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (Some(dumb), Some(usual)) = (shown("dumb"), shown("xterm")) else { return };
    assert!(dumb.contains("Hello") && usual.contains("paged"), "{dumb}{usual}");
}

#[test]
fn ids_in_a_table_are_long_enough_to_be_unique() {
    let sandbox = Sandbox::new();
    let ids = ["aaaaaaaa-bbbb-4000-8000-000000000001", "aaaaaaaa-bbbb-4111-8000-000000000002"];
    for id in ids {
        sandbox.session("/p", id, crate::cli::support::run::exchange(1, "/p", "Hello"));
    }
    let answer = annals(&sandbox, &["ls"]).done();
    for id in ids {
        let shown = answer
            .out
            .lines()
            .filter_map(|line| line.split(' ').next())
            .find(|shown| id.starts_with(shown));
        annals(&sandbox, &["info", shown.unwrap()]).done();
    }
    assert_eq!(annals(&sandbox, &["ls", "--json"]).done().ids(), ids);
    assert_ne!(ids[0], session_id(1));
}

fn without_colour(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain += before;
        rest = after.split_once('m').unwrap().1;
    }
    plain + rest
}
