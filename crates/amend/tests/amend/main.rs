//! Settings as people write them: installed parts follow their formatting, and
//! removing them restores exactly the original bytes.

mod random;

use amend::settings::{HOOK_EVENTS, InstalledParts, Part, PutOutcome, Settings, named_programs};
use serde_json::{Value, json};

const PROGRAM: &str = "/opt/annals";
const HOOK: &str = "[ ! -x '/opt/annals' ] || '/opt/annals' hook";
const PARTS: [Part; 3] = [Part::Hooks, Part::StatusLine, Part::Cleanup(365)];

fn open(text: Option<&str>, installed: InstalledParts) -> Settings {
    Settings::open(text.map(str::as_bytes), installed, PROGRAM).expect("it can be read")
}

/// The text with every part that can be installed, and the record of it.
fn put_all(text: Option<&str>) -> (Option<String>, InstalledParts) {
    let mut settings = open(text, InstalledParts::default());
    for part in PARTS {
        let before = settings.text().to_owned();
        if settings.put(part).is_err() {
            assert_eq!(settings.text(), before, "a refused part changes nothing");
        }
    }
    settings.close()
}

fn take_all(text: Option<&str>, installed: InstalledParts) -> Option<String> {
    let mut settings = open(text, installed);
    for part in PARTS {
        settings.take(part);
    }
    let (after, installed) = settings.close();
    assert!(installed.is_empty());
    after
}

/// How often our command occurs at an event.
fn count(document: &Value, event: &str) -> usize {
    let entries = document["hooks"][event].as_array().into_iter().flatten();
    let hooks = entries.flat_map(|entry| entry["hooks"].as_array().into_iter().flatten());
    hooks.filter(|hook| hook["command"] == HOOK && hook["timeout"] == 5).count()
}

/// Settings into which all parts can be installed.
const RIGHT: [(&str, &str); 31] = [
    ("an empty object", "{}"),
    ("an empty object and a newline", "{}\n"),
    ("an object of white space", "{ \n\t }\n"),
    ("nothing", ""),
    ("white space", " \r\n\t"),
    ("a byte order mark alone", "\u{feff}"),
    ("one line", r#"{"model":"opus","verbose":true}"#),
    ("one line with spaces", "{ \"model\": \"opus\", \"verbose\": true }\n"),
    ("two spaces", "{\n  \"model\": \"opus\"\n}\n"),
    (
        "four spaces",
        "{\n    \"model\": \"opus\",\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n",
    ),
    ("tabs", "{\n\t\"model\": \"opus\"\n}\n"),
    ("three spaces, then one", "{\n   \"a\": 1,\n \"b\": {\n        \"c\": 2}\n}\n"),
    ("no indentation", "{\n\"a\": 1,\n\"b\": 2\n}"),
    ("CRLF", "{\r\n  \"model\": \"opus\"\r\n}\r\n"),
    ("no newline at the end", "{\n  \"model\": \"opus\"\n}"),
    ("many newlines at the end", "{\n  \"model\": \"opus\"\n}\n\n\n"),
    ("a byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    ("white space before it", "\n\n  {\"a\":1}"),
    (
        "hooks at another event",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say\"}]}\n    ]\n  }\n}\n",
    ),
    (
        "other hooks at the same events",
        "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"bye\"\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        "a hook with a matcher",
        r#"{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"hi"}]}],"PreCompact":[]}}"#,
    ),
    ("empty hooks", "{\n  \"hooks\": {},\n  \"a\": []\n}\n"),
    (
        "hooks of an unknown form",
        r#"{"hooks":{"SessionEnd":[1,"x",{},{"hooks":{}},{"hooks":[7,{"command":9}]}]}}"#,
    ),
    (
        "another status line",
        "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"~/.claude/line.sh 'a' \\\"b\\\" \\u0024x\",\n    \"padding\": 0\n  }\n}\n",
    ),
    ("days", "{\n  \"cleanupPeriodDays\": 30\n}\n"),
    ("days written oddly", "{\"cleanupPeriodDays\":3.0e1}"),
    (
        "members nobody knows",
        "{\n  \"$schema\": \"https://x\",\n  \"zz\": {\"a\": [1, 2,\n 3]},\n  \"\": null\n}\n",
    ),
    ("escapes", r#"{"\u0061\"b": "\ud83d\ude00 \/ \\", "h\u006foks": {}}"#),
    ("a member twice", r#"{"model": "a", "model": "b", "x": {"hooks": 1, "hooks": 2}}"#),
    (
        "numbers too large for any type",
        "{\"a\": 1e400, \"b\": -0.0, \"c\": 123456789012345678901234567890}",
    ),
    ("commas first", "{ \"a\": 1\n, \"b\": 2\n}\n"),
];

#[test]
fn installing_and_removing_restores_the_original_bytes() {
    for (name, before) in RIGHT {
        let (after, installed) = put_all(Some(before));
        let after = after.expect("a file");
        if !before.contains("1e400") {
            let document: Value =
                serde_json::from_str(after.trim_start_matches('\u{feff}')).expect(name);
            for event in HOOK_EVENTS {
                assert_eq!(count(&document, event), 1, "{name}: {after}");
            }
            let line = document["statusLine"]["command"].as_str().expect(name);
            assert!(line.contains("'/opt/annals' statusline"), "{name}: {line}");
            assert_eq!(document["cleanupPeriodDays"], 365, "{name}");
        }
        let (again, _) = {
            let mut settings = open(Some(&after), installed.clone());
            for part in PARTS {
                assert_eq!(settings.put(part), Ok(PutOutcome::Already), "{name}");
            }
            settings.close()
        };
        assert_eq!(again.as_deref(), Some(after.as_str()), "{name}: a second time changes nothing");
        let taken = take_all(Some(&after), installed.clone());
        assert_eq!(taken.as_deref(), Some(before), "{name}: the original bytes");
        // Edited since: the edit stays, our parts are removed.
        let edited = format!("{after} \n");
        let expected = match name {
            "nothing" | "white space" | "a byte order mark alone" => before.to_owned(),
            "an object of white space" => "{}\n \n".to_owned(),
            _ => format!("{before} \n"),
        };
        assert_eq!(take_all(Some(&edited), installed), Some(expected), "{name}: edited since");
    }
}

#[test]
fn without_a_record_our_parts_are_recognized_by_their_command() {
    for (name, before) in RIGHT {
        if before.contains("cleanupPeriodDays")
            || before.trim_start_matches('\u{feff}').trim().len() < 9
        {
            continue;
        }
        let mut settings = open(Some(before), InstalledParts::default());
        settings.put(Part::Hooks).expect(name);
        settings.put(Part::StatusLine).expect(name);
        let (after, _) = settings.close();
        let taken = take_all(after.as_deref(), InstalledParts::default()).expect("a file");
        let hooks_were_empty = ["empty hooks", "a hook with a matcher", "escapes"].contains(&name);
        let restored = before.replace(r#""PreCompact":[]"#, "");
        match name {
            // Only the record shows whether `hooks` existed before, and how the
            // command was escaped.
            _ if hooks_were_empty => assert!(taken.len() < before.len(), "{name}: {taken}"),
            "another status line" => {
                let (left, right): (Value, Value) = (
                    serde_json::from_str(&taken).expect(name),
                    serde_json::from_str(before).expect(name),
                );
                assert_eq!(left, right);
            }
            _ => assert_eq!(taken, restored, "{name}"),
        }
    }
}

#[test]
fn installed_parts_follow_the_formatting_around_them() {
    let table = [
        (
            "{}\n",
            "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"[ ! -x '/opt/annals' ] || '/opt/annals' hook\",\n            \"timeout\": 5\n          }\n        ]\n      }\n    ],\n",
        ),
        (
            r#"{"a":1}"#,
            r#"{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"[ ! -x '/opt/annals' ] || '/opt/annals' hook","timeout":5}]}],"SessionEnd":"#,
        ),
        (
            r#"{ "a": 1 }"#,
            r#"{ "a": 1, "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "[ ! -x '/opt/annals' ] || '/opt/annals' hook", "timeout": 5}]}], "SessionEnd": "#,
        ),
        (
            "{\r\n\t\"a\": 1\r\n}",
            "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n",
        ),
        (
            "{\n    \"hooks\": {\n        \"SessionStart\": [{\"hooks\": []}]\n    }\n}",
            "{\n    \"hooks\": {\n        \"SessionStart\": [{\"hooks\": []}, {\"hooks\": [{\"type\": \"command\", \"command\": \"[ ! -x '/opt/annals' ] || '/opt/annals' hook\", \"timeout\": 5}]}],\n        \"SessionEnd\": [\n            {\n",
        ),
    ];
    for (before, expected) in table {
        let (after, _) = put_all(Some(before));
        let after = after.expect("a file");
        assert!(after.starts_with(expected), "{after}");
    }
    let (after, _) = put_all(Some(
        "{\"statusLine\":{\"padding\":2,\"type\":\"command\",\"command\":\"it's\"},\"cleanupPeriodDays\":9}",
    ));
    let after = after.expect("a file");
    assert!(after.starts_with(r#"{"statusLine":{"padding":2,"type":"command","command":"[ -x '/opt/annals' ] && exec '/opt/annals' statusline --then 'it'\\''s'; it's"},"cleanupPeriodDays":365,"hooks":"#), "{after}");
}

#[test]
fn a_created_file_is_removed_again_unless_something_was_added() {
    let (after, installed) = put_all(None);
    let after = after.expect("a file");
    assert_eq!(take_all(Some(&after), installed.clone()), None);
    // Rewritten by another program, with nothing else in it.
    let document: Value = serde_json::from_str(&after).expect("JSON");
    assert_eq!(take_all(Some(&document.to_string()), installed.clone()), None);
    let mut document = document;
    document["model"] = "opus".into();
    let taken = take_all(Some(&document.to_string()), installed.clone());
    assert_eq!(taken.as_deref(), Some(r#"{"model":"opus"}"#));
    // Somebody deleted it meanwhile.
    assert_eq!(take_all(None, installed.clone()), None);
    assert_eq!(open(None, installed).close().0, None);
}

#[test]
fn invalid_settings_are_refused_with_line_and_column() {
    let deep = "[".repeat(100_000);
    let table = [
        ("// mine\n{}", "line 1, column 1: comments are not allowed"),
        ("{\n  // mine\n  \"a\": 1\n}", "line 2, column 3: comments are not allowed"),
        ("{\"a\": 1, /* x */ \"b\": 2}", "line 1, column 10: comments are not allowed"),
        ("{\n  \"a\": 1,\n}", "line 3, column 1: trailing comma"),
        ("{\"a\": [1,]}", "line 1, column 10: trailing comma"),
        ("{\"é\": x}", "line 1, column 7: not a JSON value"),
        ("{\"a\" 1}", "line 1, column 6: missing colon"),
        ("{\"a\": 1", "line 1, column 8: unexpected end of the text"),
        ("{\"a\": 1}}", "line 1, column 9: unexpected text after the value"),
        ("{\"a\": 1} {}", "line 1, column 10: unexpected text after the value"),
        ("{'a': 1}", "line 1, column 2: expected a key in double quotes"),
        ("{a: 1}", "expected a key in double quotes"),
        ("{\"a\": 1 \"b\": 2}", "line 1, column 9: expected a comma or a closing bracket"),
        ("{\"a\": \"x}", "line 1, column 7: unterminated string"),
        ("{\"a\": \"x\ny\"}", "line 1, column 9: control character in a string"),
        ("{\"a\": \"\\x\"}", "unknown escape"),
        ("{\"a\": \"\\u12g4\"}", "a \\u escape needs four hex digits"),
        ("{\"a\": 01}", "invalid number"),
        ("{\"a\": 1.}", "invalid number"),
        ("{\"a\": 1e}", "invalid number"),
        ("{\"a\": NaN}", "not a JSON value"),
        ("{\"a\": [1}", "line 1, column 9: unmatched closing bracket"),
        ("<<<<<<< HEAD\n{}", "line 1, column 1: not a JSON value"),
        ("{}\0", "unexpected text after the value"),
        ("[]", "it should be an object, but is an array"),
        ("null", "it should be an object, but is null"),
        ("\"{}\"", "it should be an object, but is a string"),
        (deep.as_str(), "line 1, column 100001: unexpected end of the text"),
    ];
    for (text, expected) in table {
        let error = Settings::open(Some(text.as_bytes()), InstalledParts::default(), PROGRAM);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(expected), "{text:.40}: {error}");
    }
    let error = Settings::open(Some(b"{\"a\": \"\xff\"}"), InstalledParts::default(), PROGRAM);
    assert_eq!(error.expect_err("no text").to_string(), "it is not UTF-8");
}

#[test]
fn a_part_that_does_not_fit_is_refused_and_the_others_are_installed() {
    use Part::{Cleanup, Hooks, StatusLine};
    let table = [
        (r#"{"hooks":null}"#, Hooks, "hooks should be an object, but is null"),
        (r#"{"hooks":[]}"#, Hooks, "hooks should be an object, but is an array"),
        (
            r#"{"hooks":{"SessionEnd":{}}}"#,
            Hooks,
            "hooks.SessionEnd should be an array, but is an object",
        ),
        (
            r#"{"hooks":{"PreCompact":"x"}}"#,
            Hooks,
            "hooks.PreCompact should be an array, but is a string",
        ),
        (r#"{"hooks":{},"h\u006foks":{}}"#, Hooks, "it contains hooks twice"),
        (r#"{"hooks":{"SessionEnd":[],"SessionEnd":[]}}"#, Hooks, "it contains SessionEnd twice"),
        (r#"{"statusLine":"x"}"#, StatusLine, "statusLine should be an object, but is a string"),
        (r#"{"statusLine":null}"#, StatusLine, "statusLine should be an object, but is null"),
        (
            r#"{"statusLine":{}}"#,
            StatusLine,
            "statusLine.type should be \"command\", but is missing",
        ),
        (
            r#"{"statusLine":{"type":"static","command":"x"}}"#,
            StatusLine,
            "statusLine.type should be \"command\", but is another string",
        ),
        (
            r#"{"statusLine":{"type":"command"}}"#,
            StatusLine,
            "statusLine.command should be a string, but is missing",
        ),
        (
            r#"{"statusLine":{"type":"command","command":"\ud800"}}"#,
            StatusLine,
            "statusLine.command should be a string, but is invalid text",
        ),
        (
            r#"{"cleanupPeriodDays":"30"}"#,
            Cleanup(365),
            "cleanupPeriodDays should be a number of days, but is a string",
        ),
        (
            r#"{"cleanupPeriodDays":-1}"#,
            Cleanup(365),
            "cleanupPeriodDays should be a number of days, but is a negative number",
        ),
    ];
    for (before, part, expected) in table {
        let mut settings = open(Some(before), InstalledParts::default());
        let error = settings.put(part).expect_err(before).to_string();
        assert_eq!(error, expected, "{before}");
        assert_eq!(settings.text(), before);
        for other in PARTS.into_iter().filter(|other| *other != part) {
            assert_eq!(settings.put(other), Ok(PutOutcome::Changed), "{before}");
        }
        let (after, installed) = settings.close();
        assert_eq!(take_all(after.as_deref(), installed).as_deref(), Some(before));
    }
}

#[test]
fn days_are_raised_and_never_lowered() {
    let table = [
        ("{}", PutOutcome::Changed),
        (r#"{"cleanupPeriodDays":364}"#, PutOutcome::Changed),
        (r#"{"cleanupPeriodDays":365}"#, PutOutcome::Already),
        (r#"{"cleanupPeriodDays":99999}"#, PutOutcome::Already),
        (r#"{"cleanupPeriodDays":1e400}"#, PutOutcome::Already),
    ];
    for (before, expected) in table {
        let mut settings = open(Some(before), InstalledParts::default());
        assert_eq!(settings.put(Part::Cleanup(365)), Ok(expected), "{before}");
        if expected == PutOutcome::Already {
            assert_eq!(settings.text(), before);
            assert!(!settings.take(Part::Cleanup(365)), "their own setting stays");
        }
    }
    let mut settings = open(Some(r#"{"cleanupPeriodDays":0}"#), InstalledParts::default());
    assert!(matches!(settings.put(Part::Cleanup(365)), Ok(PutOutcome::LeftAlone(_))));
    // Changed by the person since: now it is theirs.
    let (_, installed) = put_all(Some("{}"));
    let mut settings = open(Some(r#"{"cleanupPeriodDays":400}"#), installed);
    assert!(!settings.take(Part::Cleanup(365)));
}

#[test]
fn a_moved_program_replaces_the_old_one() {
    let before = "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"theirs\"}\n}\n";
    let mut settings = open(Some(before), InstalledParts::default());
    assert_eq!(settings.put(Part::Hooks), Ok(PutOutcome::Changed));
    assert_eq!(settings.put(Part::StatusLine), Ok(PutOutcome::Changed));
    let (after, installed) = settings.close();
    let after = after.expect("a file");
    // With the record, and without it by the form of the command.
    for installed in [installed, InstalledParts::default()] {
        let moved = "/new place/annals";
        let open = |text: &str, installed| Settings::open(Some(text.as_bytes()), installed, moved);
        let mut settings = open(&after, installed).expect("it can be read");
        assert_eq!(settings.put(Part::Hooks), Ok(PutOutcome::Changed));
        assert_eq!(settings.put(Part::StatusLine), Ok(PutOutcome::Changed));
        let (text, installed) = settings.close();
        let text = text.expect("a file");
        assert_eq!(text, after.replace("/opt/annals", moved));
        let mut settings = open(&text, installed).expect("it can be read");
        for part in PARTS {
            settings.take(part);
        }
        assert_eq!(settings.close().0.as_deref(), Some(before));
    }
}

#[test]
fn parts_are_installed_and_removed_one_by_one() {
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let mut text = Some(before.to_owned());
    let mut installed = InstalledParts::default();
    for part in PARTS {
        let mut settings = open(text.as_deref(), installed);
        assert_eq!(settings.put(part), Ok(PutOutcome::Changed));
        (text, installed) = settings.close();
    }
    assert_eq!(text, put_all(Some(before)).0);
    for part in [PARTS[1], PARTS[0], PARTS[2]] {
        assert_ne!(text.as_deref(), Some(before));
        let mut settings = open(text.as_deref(), installed);
        assert!(settings.take(part));
        (text, installed) = settings.close();
    }
    assert_eq!(text.as_deref(), Some(before));
}

#[test]
fn entries_added_beside_ours_stay() {
    let (after, installed) = put_all(Some("{\n  \"a\": 1\n}\n"));
    let mut document: Value = serde_json::from_str(&after.expect("a file")).expect("JSON");
    let theirs = json!({"type": "command", "command": "theirs"});
    document["hooks"]["SessionEnd"][0]["hooks"]
        .as_array_mut()
        .expect("a list")
        .push(theirs.clone());
    document["hooks"]["Stop"] = json!([{"hooks": [theirs]}]);
    document["statusLine"]["command"] = "theirs now".into();
    let taken = take_all(Some(&document.to_string()), installed).expect("a file");
    let taken: Value = serde_json::from_str(&taken).expect("JSON");
    let expected = json!({
        "a": 1,
        "hooks": {"SessionEnd": [{"hooks": [theirs]}], "Stop": [{"hooks": [theirs]}]},
        "statusLine": {"type": "command", "command": "theirs now"},
    });
    assert_eq!(taken, expected);
}

#[test]
fn deep_settings_do_not_recurse() {
    let before = format!("{{\"a\": {}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let (after, installed) = put_all(Some(&before));
    assert_eq!(take_all(after.as_deref(), installed), Some(before));
}

fn hooks_of(text: &str, event: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(text).expect("JSON");
    let entries = document["hooks"][event].as_array().cloned().unwrap_or_default();
    let hooks = entries.iter().flat_map(|entry| entry["hooks"].as_array().into_iter().flatten());
    hooks.filter_map(|hook| hook["command"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_hook_at_an_event_that_is_not_ours_stays() {
    let theirs = json!([{"hooks": [{"type": "command", "command": "'/opt/annals' hook"}]}]);
    let before = json!({"hooks": {"SubagentStop": theirs}}).to_string();
    assert_eq!(take_all(Some(&before), InstalledParts::default()).as_deref(), Some(&*before));
    let (after, installed) = put_all(Some(&before));
    let edited = after.expect("a file").replacen('{', "{\"model\":\"opus\",", 1);
    for known in [installed, InstalledParts::default()] {
        let left = take_all(Some(&edited), known).expect("a file");
        assert_eq!(hooks_of(&left, "SubagentStop"), ["'/opt/annals' hook"], "{left}");
        assert!(HOOK_EVENTS.iter().all(|event| hooks_of(&left, event).is_empty()), "{left}");
    }
}

#[test]
fn entries_written_by_hand_are_not_duplicated() {
    let ours = HOOK;
    let table = [
        ("annals hook", ours),
        // As versions before the check for the program wrote it.
        ("'/opt/annals' hook", ours),
        ("/usr/local/bin/annals hook", ours),
        ("annals hook --recall", "annals hook --recall"),
        ("'/opt/annals' hook --recall", "'/opt/annals' hook --recall"),
    ];
    for (written, expected) in table {
        let entry = json!([{"hooks": [{"type": "command", "command": written}]}]);
        let hooks = json!({"SessionStart": entry, "SessionEnd": entry, "PreCompact": entry});
        let (after, _) = put_all(Some(&json!({ "hooks": hooks }).to_string()));
        for event in HOOK_EVENTS {
            assert_eq!(hooks_of(after.as_deref().expect("a file"), event), [expected], "{written}");
        }
    }
    let table = [
        ("annals statusline", "[ ! -x '/opt/annals' ] || '/opt/annals' statusline"),
        (
            "annals statusline --then 'x'",
            "[ -x '/opt/annals' ] && exec '/opt/annals' statusline --then 'x'; x",
        ),
        ("annals statusline --template '{cost}'", "annals statusline --template '{cost}'"),
    ];
    for (written, expected) in table {
        let line = json!({"statusLine": {"type": "command", "command": written}}).to_string();
        let (after, _) = put_all(Some(&line));
        let document: Value = serde_json::from_str(&after.expect("a file")).expect("JSON");
        assert_eq!(document["statusLine"]["command"], expected, "{written}");
    }
}

#[test]
fn the_programs_that_settings_run_are_named() {
    let (after, _) = put_all(Some("{}"));
    let programs = named_programs(after.as_deref().expect("a file"));
    assert_eq!(
        programs,
        [(Part::Hooks, PROGRAM.to_owned()), (Part::StatusLine, PROGRAM.to_owned())]
    );
    let by_hand = json!({
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "annals hook --recall"}]}]},
        "statusLine": {"type": "command", "command": "~/line.sh"},
    });
    assert_eq!(named_programs(&by_hand.to_string()), [(Part::Hooks, "annals".to_owned())]);
    assert_eq!(named_programs("{ torn"), []);
}
