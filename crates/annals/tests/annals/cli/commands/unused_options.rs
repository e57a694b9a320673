//! An option that does nothing is an error: every command with every option that many
//! commands have, and every filter with everything that a command can be asked for.
//!
//! Which commands and options there are is asked of the program, so that neither a new command
//! nor a new option can be forgotten here.

use crate::cli::support::exercise_table::EXERCISES;
use crate::cli::support::exercises::{Exercise, with_folder, with_session};
use crate::cli::support::full_store;
use crate::cli::support::run::{Answer, annals, exchange, session};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testkit::{Sandbox, session_id, tool_use};

/// The options of all commands, with values for each.
const GLOBAL: [(&str, &[&str]); 14] = [
    ("--root", &["/nowhere"]),
    ("--app", &["codex"]),
    ("--demo", &[]),
    ("--exclude", &["/x"]),
    ("--alias", &["/x=/y"]),
    ("--current-session", &["00000001"]),
    ("--no-index", &[]),
    ("--json", &[]),
    ("--jsonl", &[]),
    ("--csv", &[]),
    ("--timezone", &["Asia/Tokyo"]),
    ("--color", &["never"]),
    ("--redact", &[]),
    ("--no-pager", &[]),
];

/// Filters that admit nothing of the store.
const FILTERS: [(&str, &[&str]); 9] = [
    ("--project", &["/nowhere"]),
    ("--here", &[]),
    ("--since", &["2999-01-01"]),
    ("--until", &["1999-01-01"]),
    ("--git-branch", &["none"]),
    ("--model", &["none"]),
    ("--agent", &["none"]),
    ("--tool", &["none"]),
    ("--session", &["00000002"]),
];

/// What every command with filters can be asked for, on a store where each answer has
/// something in it.
const ASKED: [&[&str]; 27] = [
    &["ls"],
    &["ls", "--hidden"],
    &["ls", "--deleted"],
    &["ls", "--live"],
    &["projects"],
    &["search", "--wait", "sea"],
    &["grep", "sea"],
    &["grep", "-c", "sea"],
    &["grep", "-l", "sea"],
    &["files"],
    &["files", "README.md"],
    &["files", "--blame", "README.md"],
    &["prompts"],
    &["prompts", "00000001"],
    &["tools"],
    &["tools", "--stats"],
    &["tools", "00000001"],
    &["usage"],
    &["usage", "turn"],
    &["usage", "00000001"],
    &["usage", "limits"],
    &["usage", "--heatmap"],
    &["usage", "--check", "--budget", "month=1000"],
    &["usage", "--explain"],
    &["usage", "--explain", "msg_01"],
    &["export", "--all", "-o"],
    &["export", "00000001", "-o", "-"],
];

/// Commands with filters that serve until they are stopped. `tests/annals/cli/commands/web.rs` shows
/// that their filters narrow what is served.
const SERVERS: [&str; 2] = ["web", "serve"];

/// Every pair of a command and an option, and why the command does not use it.
fn pairs() -> Vec<(String, String, String)> {
    let listed = annals(&Sandbox::new(), &["reference", "--options"]).done().out;
    let pair = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        Some((fields.next()?, fields.next()?, fields.next()?))
    };
    // A reason can have a hint on a separate line.
    listed.lines().filter_map(pair).collect()
}

/// Calls of a command, without options for formats.
fn calls(command: &str) -> Vec<Vec<&'static str>> {
    let row = EXERCISES.iter().find(|row| row.command == command);
    let calls: Vec<_> = row.into_iter().flat_map(Exercise::calls).collect();
    let plain = calls.into_iter().map(|call| {
        let words = with_folder(call, "/nowhere");
        let mut words = with_session(&words, "00000001");
        words.retain(|word| !["--json", "--jsonl", "--csv"].contains(word));
        words
    });
    // Hidden commands have no exercises.
    if row.is_none() {
        vec![command.split_whitespace().map(leak).collect()]
    } else {
        plain.collect()
    }
}

fn leak(word: &str) -> &'static str {
    String::from(word).leak()
}

#[test]
fn options_that_a_command_does_not_use_are_refused_with_a_reason() {
    let sandbox = Sandbox::new();
    let mut refused = 0;
    for (command, option, reason) in pairs() {
        if reason.is_empty() {
            continue;
        }
        let (_, values) = GLOBAL.iter().find(|(name, _)| **name == option).expect("values");
        let name = ["annals", &command].join(" ");
        let expected = format!("{} does not use {option}: {reason}", name.trim_end());
        let is_refused = |call: Vec<&'static str>| {
            let answer = annals(&sandbox, &[&call[..], &[&option], values].concat());
            let stays = ["hook", "statusline"].contains(&command.as_str());
            // Claude Code acts on the exit codes of these, which do their work in any case.
            let is_right =
                if stays { answer.code == 0 } else { answer.code == 2 && answer.out.is_empty() };
            is_right && answer.err.contains(&expected)
        };
        assert!(calls(&command).into_iter().any(is_refused), "{expected}");
        refused += 1;
    }
    assert!(refused > 200, "{refused} pairs");
}

#[test]
fn every_option_of_all_commands_is_in_these_tests() {
    let pairs = pairs();
    let of_ls = pairs.iter().filter(|(command, ..)| command == "ls");
    let of_ls: BTreeSet<&str> = of_ls.map(|(_, option, _)| option.as_str()).collect();
    let known = GLOBAL.iter().chain(&FILTERS).map(|(name, _)| *name);
    let known: BTreeSet<&str> = known.chain(["--exact", "--limit"]).collect();
    assert_eq!(of_ls, known);
    // `--git-branch` stands for all filters, which commands have together.
    let filtered = pairs.iter().filter(|(_, option, _)| option == "--git-branch");
    let filtered: BTreeSet<&str> = filtered.map(|(command, ..)| command.as_str()).collect();
    let asked: BTreeSet<&str> = ASKED.iter().map(|call| call[0]).chain(SERVERS).collect();
    assert_eq!(filtered, asked);
}

/// A message of a model that counts as a separate call.
fn message(number: u32) -> Value {
    json!({
        "id": format!("msg_of_{number}"),
        "model": "claude-sonnet-4-5",
        "role": "assistant",
        "content": [{"type": "text", "text": "Certainly."}],
        "usage": {"input_tokens": 10, "output_tokens": 20},
    })
}

/// A store in which everything that is asked for has an answer.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    session(&sandbox, 2, "/home/ada/notes", "The sea again");
    let readme = sandbox.home().join("README.md");
    std::fs::write(&readme, "sea\n").unwrap();
    let written = json!({"file_path": readme.display().to_string(), "content": "sea\n"});
    let own = |line: testkit::Line| line.with("sessionId", session_id(1)).cwd("/home/ada/tidepool");
    let mut notice = message(9);
    notice["model"] = "<synthetic>".into();
    notice["content"][0]["text"] = "Claude AI usage limit reached|1769950800".into();
    let lines = [
        own(tool_use("t8", "Write", &written)),
        own(testkit::tool_result("t8", "Written")),
        own(testkit::assistant("").with("message", message(1))),
        own(testkit::assistant("").with("message", notice)),
    ];
    let path = sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", session_id(1)));
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    sandbox.append(&path, format!("\n{}\n", lines.join("\n")).as_bytes());
    sandbox
}

/// A call, also in a separate folder where it writes files.
fn ask(sandbox: &Sandbox, call: &[&str], option: &[&str], number: usize) -> Answer {
    let folder = sandbox.path().join(format!("exported-{number}/"));
    let folder = folder.display().to_string() + "/";
    let target: &[&str] = if call.last() == Some(&"-o") { &[&folder] } else { &[] };
    let mut answer = annals(sandbox, &[call, target, option].concat());
    answer.out = answer.out.replace(&folder, "");
    answer
}

#[test]
fn filters_change_the_answer_or_are_refused() {
    let sandbox = store();
    let mut useless = Vec::new();
    for (place, call) in ASKED.iter().enumerate() {
        let whole = ask(&sandbox, call, &[], place * 100);
        assert_eq!(whole.code, 0, "{call:?}: {}", whole.err);
        for (number, (option, values)) in FILTERS.iter().enumerate() {
            let given = [&[*option], *values].concat();
            let answer = ask(&sandbox, call, &given, place * 100 + number + 1);
            let is_refused = answer.code == 2
                && answer.out.is_empty()
                && answer.err.contains(option)
                && (answer.err.contains("does not use") || answer.err.contains("cannot be used"));
            if !is_refused && (answer.code, &answer.out) == (whole.code, &whole.out) {
                useless.push(given.iter().chain(*call).copied().collect::<Vec<_>>().join(" "));
            }
        }
    }
    assert!(useless.is_empty(), "{useless:#?}");
}

#[test]
fn stores_change_the_answer_or_are_refused() {
    let sandbox = store();
    annals(&sandbox, &["mark", "00000001"]).done();
    let empty = Sandbox::new();
    let root = empty.config().display().to_string();
    let stores: [(&str, &[&str]); 3] =
        [("--root", &["--root", &root]), ("--app", &["--app", "codex"]), ("--demo", &["--demo"])];
    let pairs = pairs();
    let mut useless = Vec::new();
    for row in EXERCISES {
        // These say nothing of sessions unless one is named, or are about this machine.
        let is_silent = ["hook", "sql", "setup", "statusline"].contains(&row.command);
        if is_silent || row.command.starts_with("lake") {
            continue;
        }
        let Some(call) = row.reading.first().map(|call| with_session(call, "00000001")) else {
            continue;
        };
        let whole = annals(&sandbox, &call);
        for (option, given) in stores {
            let pair = |(command, name, _): &&(String, String, String)| {
                command == row.command && name == option
            };
            let reason = pairs.iter().find(pair).map(|(_, _, reason)| reason.as_str());
            let answer = annals(&sandbox, &[&call[..], given].concat());
            let is_same = (answer.code, &answer.out) == (whole.code, &whole.out);
            if reason == Some("") && is_same {
                useless.push([&call[..], given].concat().join(" "));
            }
        }
    }
    assert!(useless.is_empty(), "{useless:#?}");
}

#[test]
fn session_filter_names_a_session_as_every_command_does() {
    let sandbox = Sandbox::new();
    for (number, prompt) in [(1, "Why is the sea salt?"), (2, "What is a tide?")] {
        let lines = exchange(number, "/home/ada/tidepool", prompt);
        let own = [lines[0].clone(), lines[1].clone().with("message", message(number))];
        sandbox.session("/home/ada/tidepool", &session_id(number), own);
    }
    let calls = |arguments: &[&str]| {
        let document = annals(&sandbox, &[arguments, &["--json"]].concat()).done().json();
        document["total"]["calls"].as_u64().unwrap()
    };
    let all = calls(&["usage"]);
    let one = calls(&["usage", "--session", &session_id(1)]);
    assert!(0 < one && one < all, "{one} of {all}");
    for arguments in [
        &["usage", "00000001"][..],
        &["usage", "--session", "00000001"],
        &["usage", "--session", "sea salt"],
        &["usage", "daily", "00000001"],
        &["usage", "session", "--session", "00000001"],
        &["usage", "model", "00000001"],
    ] {
        assert_eq!(calls(arguments), one, "{arguments:?}");
    }
    let ls = annals(&sandbox, &["ls", "--session", "00000001", "--json"]).done();
    assert_eq!(ls.ids(), [session_id(1)]);
    // A name of nothing is an error with a hint, never the answer for everybody.
    for call in ["ls", "projects", "files", "prompts", "tools", "usage"] {
        let answer = annals(&sandbox, &[call, "--session", "nonsense"]);
        let complaint = answer.complaint(1);
        assert!(complaint.contains("no session matches \"nonsense\""), "{complaint}");
        assert!(complaint.contains("\nhint: "), "{complaint}");
    }
    let typed = annals(&sandbox, &["usage", "dialy"]);
    let complaint = typed.complaint(1);
    assert!(complaint.contains("no session matches \"dialy\""), "{complaint}");
    assert!(complaint.contains("hint: reports are daily, weekly"), "{complaint}");
    let two = annals(&sandbox, &["usage", "00000001", "00000002"]);
    assert!(two.complaint(2).contains("usage is of one session"), "{}", two.err);
    // Where a session is an argument, the filter does not exist.
    let shown = annals(&sandbox, &["info", "--session", "00000001"]);
    assert!(shown.complaint(2).contains("unexpected argument '--session'"), "{}", shown.err);
}

#[test]
fn apps_without_sessions_are_never_answered_with_those_of_others() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Why is the sea salt?");
    let table: [(&[&str], &str); 5] = [
        (&["--app", "codex", "--demo"], "--demo has only sessions of Claude Code"),
        (&["--app", "codex", "--app", "claude", "--demo"], "--app codex --app claude finds none"),
        (&["--app", "codex", "--app", "claude", "--root", "/x"], "--root with several apps"),
        (&["--app", "codex"], "No sessions found"),
        (&["--app", "codex", "--lake"], "cannot be used with"),
    ];
    for (arguments, expected) in table {
        let answer = annals(&sandbox, &[&["ls"], arguments].concat());
        assert!(answer.complaint(2).contains(expected), "{arguments:?}: {}", answer.err);
    }
    annals(&sandbox, &["ls", "--app", "claude", "--demo"]).done();
    let served = annals(&sandbox, &["mcp", "--app", "codex"]);
    assert!(served.complaint(2).contains("codex = true stands in [apps]"), "{}", served.err);
}

#[test]
fn exact_folder_needs_a_folder() {
    let sandbox = Sandbox::new();
    let answer = annals(&sandbox, &["ls", "--exact"]);
    assert!(answer.complaint(2).contains("--project"), "{}", answer.err);
}

#[test]
fn options_of_one_command_that_do_nothing_beside_others_are_refused() {
    let sandbox = store();
    let table: [(&[&str], &str); 7] = [
        (&["usage", "daily", "--week-start", "sunday"], "it shows no weeks"),
        (&["usage", "block", "--week-start", "sunday"], "it shows no weeks"),
        (&["usage", "--heatmap", "--budget", "month=3"], "it shows days and no budgets"),
        (&["search", "sea", "--csv", "--hits"], "its rows are hits"),
        (&["search", "sea", "--csv", "--context", "1"], "its rows are hits"),
        (&["grep", "sea", "-l", "--context", "1"], "it lists sessions"),
        (&["sql", "--schema", "--timeout", "3"], "it runs no query"),
    ];
    for (call, reason) in table {
        let answer = annals(&sandbox, call);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("does not use") && complaint.contains(reason), "{complaint}");
    }
    for call in [
        &["usage", "weekly", "--week-start", "sunday"][..],
        &["usage", "--by", "project,week", "--week-start", "sunday"],
        &["usage", "--heatmap", "--week-start", "sunday"],
        &["usage", "--budget", "week=3", "--week-start", "sunday"],
    ] {
        annals(&sandbox, call).done();
    }
}
