//! Names that lead nowhere, and commands used wrongly.

use crate::cli::support::exercises::{Formats, calls_about_session, calls_with_formats};
use crate::cli::support::run::{annals, session};
use testkit::{Sandbox, session_id};

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    session(&sandbox, 0xa1, "/home/ada/tidepool", "Fix the pump");
    session(&sandbox, 0xa2, "/home/ada/tidepool", "Paint the hull");
    session(&sandbox, 0xb3, "/home/ada/tidepool", "Mend the net");
    sandbox
}

/// The same, where commands about the archive find one.
fn archived_store() -> Sandbox {
    let sandbox = store();
    annals(&sandbox, &["archive", "sync"]).done();
    sandbox
}

#[test]
fn unknown_id_error_names_the_nearest() {
    let sandbox = archived_store();
    for call in calls_about_session("000000a7") {
        let answer = annals(&sandbox, &call);
        let complaint = answer.complaint(1);
        assert!(complaint.contains("no session matches \"000000a7\""), "{complaint}");
        assert!(
            complaint.contains(&session_id(0xa1)) && complaint.contains(&session_id(0xa2)),
            "{complaint}"
        );
    }
    let answer = annals(&sandbox, &["info", "000000b9-0000-4000-8000-0000000000b9"]);
    let nearest = answer.complaint(1).lines().nth(2).unwrap().to_owned();
    assert!(nearest.contains(&session_id(0xb3)), "{nearest}");
}

#[test]
fn ambiguous_prefix_error_lists_the_candidates() {
    let sandbox = archived_store();
    for call in calls_about_session("000000a") {
        let answer = annals(&sandbox, &call);
        let complaint = answer.complaint(2);
        assert!(
            complaint.contains(&session_id(0xa1)) && complaint.contains(&session_id(0xa2)),
            "{complaint}"
        );
        assert!(!complaint.contains(&session_id(0xb3)), "{complaint}");
    }
    insta::assert_snapshot!(annals(&sandbox, &["info", "000000a"]).err, @r#"
    annals: "000000a" is ambiguous (2 sessions), use a longer prefix:
      000000a2-0000-4000-8000-0000000000a2  Paint the hull
      000000a1-0000-4000-8000-0000000000a1  Fix the pump
    "#);
}

#[test]
fn paths_are_refused_as_session_names_before_any_file_is_opened() {
    let sandbox = archived_store();
    sandbox.write("secret", "{}");
    for name in ["../../x", "a/b", r"a\b", "/etc/passwd", "./", ""] {
        for call in calls_about_session(name) {
            let answer = annals(&sandbox, &call);
            let complaint = answer.complaint(2);
            assert!(complaint.contains("invalid session name"), "{complaint}");
        }
    }
    insta::assert_snapshot!(annals(&sandbox, &["info", "../../x"]).err, @r#"annals: invalid session name "../../x": a name with `/` must be the path of a .jsonl file"#);
    insta::assert_snapshot!(annals(&sandbox, &["info", ""]).err, @r#"annals: invalid session name "": it is empty"#);
}

#[test]
fn wrong_use_is_exit_2_with_a_reason() {
    let sandbox = store();
    let cases: [(&[&str], &str); 16] = [
        (&["fly"], "unrecognized subcommand 'fly'"),
        (&["ls", "--fly"], "unexpected argument '--fly'"),
        (&["ls", "--limit", "many"], "'many'"),
        (&["ls", "--limit", "-1"], "-1"),
        (&["ls", "--timezone", "Mars/Olympus"], "unknown time zone \"Mars/Olympus\""),
        (&["ls", "--since", "soon"], "invalid date \"soon\": use YYYY-MM-DD"),
        (&["ls", "--until", "2026-02-30"], "invalid date \"2026-02-30\": use YYYY-MM-DD"),
        (&["prompts", "--since", "3y"], "invalid date \"3y\": use YYYY-MM-DD"),
        (&["show", "000000b3", "--since", "never"], "invalid date \"never\": use YYYY-MM-DD"),
        (&["ls", "--alias", "old"], "invalid --alias \"old\": use OLD=NEW"),
        (&["ls", "--exclude", "[a"], "invalid exclude pattern \"[a\""),
        (&["ls", "--json", "--csv"], "cannot be used with"),
        (&["ls", "--here", "--project", "/x"], "cannot be used with"),
        (&["ls", "--hidden", "--deleted"], "cannot be used with"),
        (&["show", "000000b3", "--raw", "--json"], "cannot be used with"),
        (&["show", "000000b3", "--view", "sideways"], "sideways"),
    ];
    for (arguments, expected) in cases {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}

#[test]
fn commands_without_rows_refuse_csv() {
    let sandbox = store();
    for formats in [Formats::Lines, Formats::Document] {
        for call in calls_with_formats(formats, "000000b3") {
            let answer = annals(&sandbox, &[&call[..], &["--csv"]].concat());
            let complaint = answer.complaint(2);
            assert!(
                complaint.contains("does not use --csv") && complaint.contains("--json"),
                "{complaint}"
            );
        }
    }
    for call in calls_with_formats(Formats::Document, "000000b3") {
        annals(&sandbox, &[&call[..], &["--jsonl"]].concat()).complaint(2);
    }
}

#[test]
fn empty_store_is_not_an_error() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["ls"][..],
        &["ls", "--hidden"],
        &["ls", "--deleted"],
        &["projects"],
        &["prompts"],
        &["doctor"],
        &[],
    ] {
        annals(&sandbox, arguments).done();
        if arguments != ["doctor"] {
            continue;
        }
        annals(&sandbox, &["doctor", "--json"]).done();
    }
    insta::assert_snapshot!(annals(&sandbox, &["ls"]).done().out, @"No sessions.");
    annals(&sandbox, &["info"]).complaint(1);
    annals(&sandbox, &["info", "x"]).complaint(1);
}

#[test]
fn search_for_an_option_like_word_gets_a_hint() {
    let sandbox = store();
    for (arguments, call) in [
        (&["search", "--flag"][..], "annals search -- --flag"),
        (&["search", "pump", "--flag=a b"], "annals search -- '--flag=a b'"),
        // There is one of nearly that name.
        (&["search", "--json-schema"], "annals search -- --json-schema"),
        (&["grep", "--flag"], "annals grep -- --flag"),
        (&["grep", "-x-y"], "annals grep -- -x-y"),
        // There is one of that name.
        (&["grep", "--role"], "annals grep -- --role"),
        (&["--root", "x", "grep", "--json"], "annals grep -- --json"),
    ] {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.lines().any(|line| line.ends_with(call)), "{call} in {complaint}");
        assert_eq!(complaint.matches(" -- ").count(), 1, "{complaint}");
    }
    // It does.
    session(&sandbox, 0xc4, "/home/ada/tidepool", "What does --flag do?");
    for command in ["search", "grep"] {
        assert!(annals(&sandbox, &[command, "--", "--flag"]).done().out.contains("What does"));
    }
    for arguments in [&["ls", "--flag"][..], &["grep"], &["grep", "x", "--", "--flag"]] {
        let complaint = annals(&sandbox, arguments).complaint(2).to_owned();
        assert!(!complaint.contains("to look for"), "{complaint}");
    }
}

#[test]
fn demo_and_root_exclude_each_other() {
    let sandbox = store();
    for call in [["--demo", "--root", "/tmp", "ls"], ["--demo", "ls", "--root", "/tmp"]] {
        let answer = annals(&sandbox, &call);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("--demo and --root cannot be combined"), "{complaint}");
    }
}

#[test]
fn statements_that_write_are_refused_in_plain_words() {
    let sandbox = store();
    insta::assert_snapshot!(annals(&sandbox, &["sql", " delete FROM sessions"]).complaint(2), @"
    annals: cannot run DELETE: annals sql only reads
    hint: write a SELECT; annals sql --schema lists views and columns
    ");
    for statement in ["PRAGMA user_version", "drop table x", "Insert into x values (1)"] {
        let answer = annals(&sandbox, &["sql", statement]);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("annals sql only reads"), "{statement}: {complaint}");
    }
    annals(&sandbox, &["sql", "SELECT count(*) AS deleted FROM sessions"]).done();
}

#[test]
fn names_that_are_not_fields_are_reported() {
    let sandbox = store();
    let reports = |query: &str| annals(&sandbox, &["search", query]).err;
    insta::assert_snapshot!(reports("foo:pump"), @r#"
    annals: foo: is not a field; foo:… is searched as words
    hint: annals search --help lists the fields; quotes search the text as it is: '"foo:…"'
    "#);
    for query in ["is:prompt pump", "https://pump.org", "std::pump", "\"foo:pump\"", "12:30", "a:b"]
    {
        assert!(!reports(query).contains("is not a field"), "{query}");
    }
}

#[test]
fn missing_folder_of_an_export_is_named() {
    let sandbox = store();
    let answer = annals(&sandbox, &["export", "000000a1", "-o", "none/here/a.md"]);
    insta::assert_snapshot!(answer.complaint(2), @"
    annals: cannot write none/here/a.md: the folder none/here does not exist
    hint: create it with: mkdir -p none/here
    ");
}

#[test]
fn invalid_limit_error_says_what_a_limit_is() {
    let sandbox = store();
    for call in [&["ls", "-n", "many"][..], &["search", "pump", "--limit=-1"]] {
        let complaint = annals(&sandbox, call).complaint(2).to_owned();
        assert!(complaint.contains("use a whole number, 0 for all"), "{complaint}");
    }
}
