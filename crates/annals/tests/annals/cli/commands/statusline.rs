//! `annals statusline` prints one line, whatever input it gets.

use crate::cli::support::run::{annals, command, exchange, fed, run};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use testkit::{Line, Sandbox, call, session_id};

const CWD: &str = "/home/ada/tidepool";

fn line(sandbox: &Sandbox, arguments: &[&str], input_json: &Value) -> String {
    let mut command = command(sandbox, &["statusline", "--color", "never"]);
    fed(command.args(arguments), input_json.to_string().as_bytes()).done().out
}

/// What Claude Code tells in full.
fn sample(sandbox: &Sandbox) -> Value {
    let folder = sandbox.home().join("tidepool");
    json!({
        "session_id": session_id(1),
        "transcript_path": sandbox.config().join(format!("projects/-home-ada-tidepool/{}.jsonl", session_id(1))),
        "cwd": folder,
        "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
        "workspace": {"current_dir": folder, "project_dir": folder},
        "version": "2.1.325",
        "output_style": {"name": "default"},
        "cost": {"total_cost_usd": 1.2345, "total_duration_ms": 45000, "total_lines_added": 156},
        "context_window": {
            "context_window_size": 200_000, "used_percentage": 42, "remaining_percentage": 58,
            "current_usage": {"input_tokens": 10, "output_tokens": 900, "cache_read_input_tokens": 83_990},
        },
        "rate_limits": {
            "five_hour": {"used_percentage": 42.4, "resets_at": 1_769_951_520},
            "seven_day": {"used_percentage": 12.0, "resets_at": 1_770_120_000},
        },
    })
}

fn repository(sandbox: &Sandbox) {
    let folder = sandbox.home().join("tidepool/.git");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("HEAD"), "ref: refs/heads/tide/low\n").unwrap();
}

/// A session of calls, the last of them at noon, when it is now.
fn store(calls: &[Line]) -> Sandbox {
    let sandbox = Sandbox::new();
    let lines = exchange(1, CWD, "Measure the tide").into_iter().chain(calls.iter().cloned());
    sandbox.session(CWD, &session_id(1), lines);
    sandbox
}

fn spent(id: &str, output: u64, time: &str) -> Line {
    call(id, [0, output, 0, 0]).at(&format!("2026-{time}:00Z")).session(&session_id(1))
}

#[test]
fn sample_inputs_give_their_lines() {
    let sandbox = Sandbox::new();
    repository(&sandbox);
    let whole = sample(&sandbox);
    let without = |key: &str| {
        let mut input_json = whole.clone();
        input_json.as_object_mut().unwrap().remove(key);
        input_json
    };
    let with = |key: &str, value: Value| {
        let mut input_json = whole.clone();
        input_json[key] = value;
        input_json
    };
    let table = [
        whole.clone(),
        without("model"),
        with("model", json!({"id": "claude-haiku-5-5"})),
        without("context_window"),
        with(
            "context_window",
            json!({"context_window_size": 1_000_000, "current_usage": null, "used_percentage": null}),
        ),
        with(
            "context_window",
            json!({"context_window_size": 1_000_000, "current_usage": {"input_tokens": 900_000}}),
        ),
        with("context_window", json!({"used_percentage": 0})),
        with("context_window", json!({"used_percentage": 250})),
        without("cost"),
        without("rate_limits"),
        with("rate_limits", json!({"five_hour": {"used_percentage": 99.6}})),
        with("rate_limits", json!({"five_hour": {"used_percentage": 5, "resets_at": 1}})),
        with("workspace", json!({"current_dir": "/nowhere"})),
        json!({}),
        json!({"model": {"display_name": "Evil \u{1b}]0;x\u{7} \u{202e}name\nof two lines"}}),
    ];
    // A separate home for each, because limits are stored.
    let lines: String = table
        .iter()
        .map(|input_json| {
            let mut command = command(&sandbox, &["statusline", "--color", "never"]);
            let home = tempfile::tempdir().unwrap();
            let command = command.env("ANNALS_HOME", home.path());
            fed(command, input_json.to_string().as_bytes()).done().out
        })
        .collect();
    insta::assert_snapshot!(lines, @r"
    Opus 5.5 · ████▎░░░░░ 42% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    ████▎░░░░░ 42% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    claude-haiku-5-5 · ████▎░░░░░ 42% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · █████████░ 90% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · ░░░░░░░░░░ 0% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · ██████████ 100% · $1.23 · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · ████▎░░░░░ 42% · 5h 42% ↻ 1h12m · tide/low
    Opus 5.5 · ████▎░░░░░ 42% · $1.23 · tide/low
    Opus 5.5 · ████▎░░░░░ 42% · $1.23 · 5h 100% · tide/low
    Opus 5.5 · ████▎░░░░░ 42% · $1.23 · tide/low
    Opus 5.5 · ████▎░░░░░ 42% · $1.23 · 5h 42% ↻ 1h12m
    annals: no data yet
    Evil \u{1b}]0;x\u{7} \u{202e}name of two lines
    ");
}

#[test]
fn every_template_name_has_a_value() {
    let sandbox = store(&[spent("m1", 100_000, "02-01T11:00"), spent("m2", 50_000, "01-31T23:59")]);
    repository(&sandbox);
    annals(&sandbox, &["search", "tide"]);
    let template = "{model}|{model_id}|{context}|{context_bar}|{context_percent}|{context_tokens} of {context_size}|{cost}|{today}|{block}|{block_percent}|{block_cost}|{block_burn}|{block_reset}|{week}|{week_percent}|{week_reset}|{branch}|{folder}|{session}|{version}";
    let arguments = ["--template", template, "--separator", " | "];
    let lines = line(&sandbox, &arguments, &sample(&sandbox)).replace(" | ", "\n");
    insta::assert_snapshot!(lines, @"
    Opus 5.5
    claude-opus-5-5
    42%
    ████▎░░░░░
    42%
    84k of 200k
    $1.23
    $1.00
    5h 42% $1.00/h ↻ 1h12m
    42%
    $1.00
    $1.00/h
    1h12m
    7d 12% ↻ 2d0h
    12%
    2d0h
    tide/low
    tidepool
    00000001
    2.1.325
    ");
}

#[test]
fn colours_are_on_unless_switched_off() {
    let sandbox = Sandbox::new();
    let input_json = json!({"context_window": {"used_percentage": 90}}).to_string();
    let with = |arguments: &[&str], no_color: &str| {
        let mut command = command(&sandbox, &["statusline"]);
        fed(command.args(arguments).env("NO_COLOR", no_color), input_json.as_bytes()).done().out
    };
    assert_eq!(with(&[], ""), "\u{1b}[31m█████████░\u{1b}[0m \u{1b}[31m90%\u{1b}[0m\n");
    assert_eq!(with(&[], "1"), "█████████░ 90%\n");
    assert_eq!(with(&["--color", "never"], ""), "█████████░ 90%\n");
    assert_eq!(with(&["--color", "always"], "1"), with(&[], ""));
}

#[test]
fn template_comes_from_the_configuration_and_unknown_names_are_reported() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    let text = "[statusline]\ntemplate = \"{session}|{model}\"\nseparator = \" / \"\n";
    fs::write(folder.join("config.toml"), text).unwrap();
    assert_eq!(line(&sandbox, &[], &sample(&sandbox)), "00000001 / Opus 5.5\n");
    let mut command = command(&sandbox, &["statusline", "--color", "never"]);
    let command = command.args(["--template", "{weather}|{model}"]);
    let answer = fed(command, sample(&sandbox).to_string().as_bytes());
    assert_eq!((answer.code, answer.out.as_str()), (0, "Opus 5.5\n"));
    assert!(answer.err.starts_with("annals: unknown field {weather} in the template: use one of"));
}

#[test]
fn line_is_printed_for_any_input_and_environment() {
    let sandbox = Sandbox::new();
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 5] = [b"", b"{", b"[1]", b"\xff", deep.as_bytes()];
    for input in inputs {
        let mut command = command(&sandbox, &["statusline", "--color", "never"]);
        let answer = fed(&mut command, input).done();
        assert_eq!(answer.out, "annals: no data yet\n");
    }
    let input_json = sample(&sandbox).to_string();
    let shows = |command: &mut std::process::Command| {
        let answer = fed(command.arg("statusline"), input_json.as_bytes());
        assert!(answer.code == 0 && answer.out.contains("Opus 5.5"), "{answer:?}");
    };
    let plain = || command(&sandbox, &[]);
    shows(plain().env_clear());
    shows(plain().env("CLAUDE_CONFIG_DIR", "/not/there"));
    shows(plain().env("ANNALS_HOME", "/proc/none"));
    shows(plain().env("ANNALS_HOME", sandbox.config().join("own")));
    assert!(!sandbox.config().join("own").exists(), "nothing is written below a store");
    fs::write(sandbox.annals_home().join("index.db"), "no index at all, but long enough").unwrap();
    shows(&mut plain());
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "what is this").unwrap();
    shows(&mut plain());
    assert_eq!(fed(&mut command(&sandbox, &["statusline", "--fly"]), b"").code, 0);
    let mut closed = sandbox.command("sh");
    closed.args(["-c", "exec \"$0\" statusline <&-", testkit::program!("annals")]);
    assert_eq!(run(&mut closed).code, 0);
}

#[test]
fn open_input_does_not_block() {
    let sandbox = Sandbox::new();
    let mut command = command(&sandbox, &["statusline", "--color", "never"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"{\"model\":{\"display_name\":\"Opus\"}}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Opus\n");
    drop(stdin);
}

#[test]
fn costs_include_indexed_and_newer_calls() {
    // Sonnet 5: 10 dollars for a million tokens.
    let sandbox =
        store(&[spent("m1", 100_000, "01-31T23:00"), spent("m2", 200_000, "02-01T10:00")]);
    let path =
        sandbox.config().join(format!("projects/-home-ada-tidepool/{}.jsonl", session_id(1)));
    let input_json = json!({ "transcript_path": path });
    let shown = |template: &str| line(&sandbox, &["--template", template], &input_json);
    let nothing = "annals: no data yet\n";
    assert_eq!(shown("{today}"), nothing, "unknown without an index");
    assert_eq!(shown("{cost}"), "$3.00\n", "but of this session");
    annals(&sandbox, &["search", "tide"]).done();
    assert_eq!(shown("{today} {cost}"), "$2.00 $3.00\n");
    // What another session says since then is for the next index.
    let other = spent("m3", 100_000, "02-01T11:00").session(&session_id(2));
    sandbox.session(CWD, &session_id(2), [other]);
    sandbox.append(&path, format!("{}\n", spent("m4", 50_000, "02-01T11:30")));
    assert_eq!(shown("{today} {cost}"), "$2.50 $3.50\n");
    annals(&sandbox, &["search", "tide"]).done();
    assert_eq!(shown("{today} {cost}"), "$3.50 $3.50\n");
    // The same call in a copy is one call, and the one it was copied from has it.
    let copy = spent("m4", 50_000, "02-01T11:30").forked_into(&session_id(3));
    sandbox.session(CWD, &session_id(3), [copy]);
    annals(&sandbox, &["search", "tide"]).done();
    assert_eq!(shown("{today} {cost}"), "$3.50 $3.50\n");
    assert_eq!(line(&sandbox, &["--no-index", "--template", "{today}"], &input_json), nothing);
    let excluded = ["--exclude", "/home/ada/**", "--template", "{today}"];
    assert_eq!(line(&sandbox, &excluded, &input_json), "$0.00\n");
    let elsewhere = Sandbox::new();
    let root = elsewhere.config().display().to_string();
    assert_eq!(line(&sandbox, &["--root", &root, "--template", "{today}"], &input_json), "$0.00\n");
}

#[test]
fn model_without_a_price_makes_the_cost_a_minimum() {
    let strange = spent("m2", 100_000, "02-01T11:00").model("claude-nobody-9");
    let sandbox = store(&[spent("m1", 100_000, "02-01T10:00"), strange]);
    annals(&sandbox, &["search", "tide"]).done();
    let input_json = json!({});
    assert_eq!(line(&sandbox, &["--template", "{today}"], &input_json), "≥$1.00\n");
}

#[test]
fn a_long_session_is_read_from_its_end() {
    let sandbox = store(&[spent("m0", 100_000, "02-01T09:00")]);
    let path =
        sandbox.config().join(format!("projects/-home-ada-tidepool/{}.jsonl", session_id(1)));
    let input_json = json!({ "transcript_path": path });
    let shown = |template: &str| line(&sandbox, &["--template", template], &input_json);
    annals(&sandbox, &["search", "tide"]).done();
    // Nothing in it is worth remembering: it is long, and that is all.
    let long = testkit::metadata("atis-latch", &[("x", "x".repeat(1 << 20).into())]).to_string();
    let long = long + "\n";
    sandbox.append(&path, long.repeat(52));
    let last = call("m1", [1, 100_000, 2, 83_997]).at("2026-02-01T11:00:00Z");
    sandbox.append(&path, format!("{}\n", last.session(&session_id(1))));
    assert_eq!(shown("{context_tokens}|{context}"), "84k · 8%\n");
    // The fifty megabytes in between are not read, so their content is unknown.
    assert_eq!(shown("{today}|{cost}"), "≥$2.02\n");
    annals(&sandbox, &["search", "tide"]).done();
    sandbox.append(&path, format!("{}\n", spent("m2", 100_000, "02-01T11:30")));
    assert_eq!(shown("{today}|{cost}"), "$3.02 · $3.02\n");
}

#[test]
fn context_is_of_the_last_call_of_the_main_conversation() {
    let table: [(&[Line], &str); 4] = [
        (&[call("m1", [10, 5, 0, 19_990])], "2%"),
        (&[call("m1", [10, 5, 0, 19_990]), call("m2", [0, 1, 0, 99_000]).of_agent("a1")], "2%"),
        (&[call("m1", [0, 5, 0, 300_000])], "30%"),
        (
            &[
                call("m1", [10, 5, 0, 19_990]),
                testkit::metadata("system", &[("subtype", json!("compact_boundary"))]),
            ],
            "annals: no data yet",
        ),
    ];
    for (calls, expected) in table {
        let sandbox = store(calls);
        let input_json = json!({"transcript_path": sample(&sandbox)["transcript_path"]});
        assert_eq!(
            line(&sandbox, &["--template", "{context}"], &input_json),
            format!("{expected}\n")
        );
    }
}

#[test]
fn share_of_the_context_is_that_of_the_models_window_and_never_a_guess() {
    let sandbox = Sandbox::new();
    let table = [
        ("claude-opus-5-5", json!({"current_usage": {"input_tokens": 150_000}}), "15% of 1.0M"),
        ("claude-haiku-4-5", json!({"current_usage": {"input_tokens": 150_000}}), "75% of 200k"),
        ("claude-opus-4-6[1m]", json!({"current_usage": {"input_tokens": 150_000}}), "15% of 1.0M"),
        // What Claude Code says wins, unless more tokens than that are in the window.
        (
            "claude-haiku-4-5",
            json!({"context_window_size": 300_000, "current_usage": {"input_tokens": 150_000}}),
            "50% of 300k",
        ),
        (
            "claude-sonnet-4-5",
            json!({"context_window_size": 200_000, "current_usage": {"input_tokens": 250_000}}),
            "25% of 1.0M",
        ),
        ("claude-unheard-of", json!({"used_percentage": 42}), "42%"),
        (
            "claude-unheard-of",
            json!({"current_usage": {"input_tokens": 150_000}}),
            "annals: no data yet",
        ),
    ];
    for (model, window, expected) in table {
        let input_json = json!({"model": {"id": model}, "context_window": window});
        let parts = ["{context} of {context_size}", "{context}"];
        let shown = parts.map(|part| line(&sandbox, &["--template", part], &input_json));
        let expected = format!("{expected}\n");
        assert!(shown.contains(&expected), "{model} {window}: {shown:?}");
    }
}

#[test]
fn limits_are_recorded_once_and_anchor_the_block() {
    let sandbox =
        store(&[spent("m1", 100_000, "02-01T08:30"), spent("m2", 100_000, "02-01T11:00")]);
    let input_json = sample(&sandbox);
    for _ in 0..3 {
        line(&sandbox, &[], &input_json);
    }
    let limits = annals(&sandbox, &["usage", "limits", "--json"]).done().json()["limits"].clone();
    let noted: Vec<_> =
        limits.as_array().unwrap().iter().map(|limit| limit["window"].clone()).collect();
    assert_eq!(noted, ["five_hour", "seven_day"]);
    let ledger = fs::read_to_string(sandbox.annals_home().join("ledger/ledger.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 2);
    // It starts again at 13:12, so it began at 08:12.
    let rows = annals(&sandbox, &["usage", "block", "--json"]).done().json()["rows"].clone();
    let starts: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["key"]["block"].clone()).collect();
    assert!(starts.contains(&json!("2026-02-01T08:12:00Z")), "{starts:?}");
    assert!(!starts.contains(&json!("2026-02-01T08:00:00Z")), "{starts:?}");
    annals(&sandbox, &["search", "tide"]).done();
    // Limits in the ledger count if the input has none.
    let shown = line(&sandbox, &["--template", "{block}|{block_cost}"], &json!({}));
    assert_eq!(shown, "5h 42% $0.5714/h ↻ 1h12m · $2.00\n");
}

#[test]
fn without_limits_the_block_is_guessed() {
    let sandbox =
        store(&[spent("m1", 100_000, "02-01T10:30"), spent("m2", 100_000, "02-01T11:00")]);
    annals(&sandbox, &["search", "tide"]).done();
    let shown = line(&sandbox, &["--template", "{block}"], &json!({}));
    assert_eq!(shown, "5h $1.33/h ↻ ~3h00m\n");
}

const LATE: &str = "annals: the command of --then did not end within 1 s\n";

#[test]
fn input_that_does_not_come_is_said_and_not_taken_for_an_empty_one() {
    let sandbox = Sandbox::new();
    for (written, expected) in [
        ("", "annals: no input for the status line within 0.3 s\n"),
        ("{\"model\": {\"display_name\"", "annals: no input for the status line within 0.3 s\n"),
        // A whole object counts also if nobody closes the pipe.
        ("{\"model\": {\"display_name\": \"Opus\"}}", "Opus\n"),
    ] {
        let mut command = command(&sandbox, &["statusline", "--color", "never"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(written.as_bytes()).unwrap();
        let mut shown = String::new();
        child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
        drop(stdin);
        child.wait().unwrap();
        assert_eq!(shown, expected, "{written}");
    }
}

#[test]
fn chained_status_line_is_shown_first() {
    let sandbox = Sandbox::new();
    let input_json = json!({"model": {"display_name": "Opus"}, "x": "$(touch /tmp/x) `y` 'z'"});
    let table = [
        ("cat", format!("{input_json}\nOpus\n")),
        ("printf '\\033[1mtheirs'", "\u{1b}[1mtheirs\nOpus\n".to_owned()),
        ("echo one; echo two", "one\ntwo\nOpus\n".to_owned()),
        ("exit 3", "Opus\n".to_owned()),
        ("no-such-command-anywhere", "Opus\n".to_owned()),
        ("printf soon; sleep 100", format!("soon\n{LATE}Opus\n")),
        ("sleep 3 & echo soon", "soon\nOpus\n".to_owned()),
        // A background process holds the pipe; the status line does not wait for it.
        ("(sleep 0.7; echo late) & echo soon", "soon\nOpus\n".to_owned()),
        ("exec >&-; sleep 100", format!("{LATE}Opus\n")),
        ("yes | head -c 10000000 | tr -d y | tr -d '\\n'; echo much", "much\nOpus\n".to_owned()),
    ];
    for (then, expected) in table {
        let mut command = command(&sandbox, &["statusline", "--color", "never", "--then", then]);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let answer = fed(command.env("PATH", path), input_json.to_string().as_bytes()).done();
        assert_eq!(answer.out, expected, "{then}");
    }
}

#[test]
fn chained_command_may_continue_after_closing_its_output() {
    let sandbox = Sandbox::new();
    let note = sandbox.home().join("note");
    let then = format!("echo said; exec >&-; sleep 0.3; echo noted > '{}'", note.display());
    let mut command = command(&sandbox, &["statusline", "--color", "never", "--then", &then]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let input_json = json!({"model": {"display_name": "Opus"}}).to_string();
    let answer = fed(command.env("PATH", path), input_json.as_bytes()).done();
    assert_eq!(answer.out, "said\nOpus\n");
    assert_eq!(fs::read_to_string(note).unwrap(), "noted\n");
}

#[test]
fn demo_store_has_an_example_line() {
    let shown = crate::cli::support::run::demo(&["statusline", "--color", "never"]).done().out;
    assert!(
        shown.contains("Opus 5.5") && shown.contains("38%") && shown.contains("$0.42"),
        "{shown}"
    );
}

#[test]
fn help_lists_every_field() {
    let help = annals(&Sandbox::new(), &["statusline", "--help"]).done().out;
    let fields = "model model_id context context_bar context_percent context_tokens context_size \
        cost today block block_percent block_cost block_burn block_reset week week_percent \
        week_reset branch folder session version";
    for field in fields.split_whitespace() {
        assert!(help.contains(&format!("{{{field}}}")), "{field} in {help}");
    }
    assert!(help.contains("cost of this session"), "{help}");
}
