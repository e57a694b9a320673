//! `annals grep` finds every message, and its hits name the right place.

use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{annals, command, filtered, run, session, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use testkit::{
    Sandbox, assistant, attachment, chained, metadata, session_id, tool_result, tool_use, user,
};

/// A session in which each kind of text says `kelp` once, and one that does not.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let thinking = json!([{"type": "thinking", "thinking": "kelp?", "signature": "kelp"}]);
    let lines = chained([
        user("Where is the kelp?\nSecond line\nThird line").at("2026-01-02T03:00:00.000Z"),
        assistant("").message("content", thinking),
        tool_use("t1", "Grep", &json!({"pattern": "kelp", "path": "src/a.rs"})),
        tool_result("t1", "src/a.rs:1: \"kelp\" = 日本").with("toolUseResult", json!("kelp")),
        assistant("The kelp is\n\tthere.").at("2026-02-02T03:00:00.000Z"),
        user("This is about kelp.").with("isCompactSummary", true),
        attachment(&json!({"type": "queued_command", "prompt": "and kelp"})),
        metadata("custom-title", &[("customTitle", "Kelp, no kelp".into())]),
    ]);
    let lines = lines.into_iter().map(|line| line.with("sessionId", session_id(1)).cwd("/p"));
    sandbox.session("/p", &session_id(1), lines);
    sandbox.agent("/p", &session_id(1), "agent-a1", [user("Count the kelp").cwd("/p")]);
    session(&sandbox, 2, "/q", "Nothing here");
    sandbox
}

fn hits(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let answer = annals(sandbox, &[&["grep", "--json"], arguments].concat());
    assert!(matches!(answer.code, 0 | 1) && answer.err.is_empty(), "{arguments:?}: {answer:?}");
    let document = answer.json();
    assert_eq!(document["schema"], "annals/grep/1");
    let hits = document["hits"].as_array().unwrap().clone();
    assert_eq!(
        (document["total"] == 0, answer.code),
        (hits.is_empty(), i32::from(hits.is_empty()))
    );
    hits
}

#[test]
fn each_kind_of_text_is_found_once() {
    let hits = hits(&store(), &["kelp"]);
    let found: Vec<String> = hits
        .iter()
        .map(|hit| {
            let agent = hit["agent_id"].as_str().unwrap_or("-");
            let tool = hit["tool"].as_str().unwrap_or("-");
            format!("{agent} {} {tool} {} {}", text(&hit["role"]), hit["line"], hit["text"])
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
    - user - 1 "Where is the kelp?"
    - thinking - 2 "kelp?"
    - tool_use Grep 3 "kelp"
    - tool_result Grep 4 "src/a.rs:1: \"kelp\" = 日本"
    - assistant - 5 "The kelp is"
    - summary - 6 "This is about kelp."
    - queued - 7 "and kelp"
    - title - 8 "Kelp, no kelp"
    a1 user - 1 "Count the kelp"
    "#);
}

#[test]
fn patterns_match_as_documented() {
    let sandbox = store();
    let table: [(&[&str], usize); 17] = [
        (&["kelp"], 9),
        (&["-i", "KELP"], 9),
        (&["KELP"], 0),
        (&["-F", "kelp?"], 2),
        (&["kelp?"], 9),
        (&["-w", "kel"], 0),
        (&["-w", "kelp"], 9),
        (&["-F", "is\n\tthere"], 1),
        (&[r"is\n\tthere"], 1),
        (&["-F", r"is\n\tthere"], 0),
        (&["^Second line$"], 1),
        (&["-F", "\"kelp\" = 日本"], 1),
        (&["Grep\nsrc/a.rs\nkelp"], 1),
        (&["--role", "tool_use", "--role", "tool_result", "kelp"], 2),
        (&["--since", "2026-02-01", "--until", "2026-02-28", "kelp"], 1),
        (&["--project", "/q", "kelp"], 0),
        (&["--tool", "Grep", "kelp"], 9),
    ];
    for (arguments, expected) in table {
        assert_eq!(hits(&sandbox, arguments).len(), expected, "{arguments:?}");
    }
    assert_eq!(hits(&sandbox, &["--tool", "Bash", "kelp"]).len(), 0);
    assert_eq!(hits(&sandbox, &["--limit", "2", "kelp"]).len(), 2);
    let around = &hits(&sandbox, &["-C", "1", "Second"])[0];
    assert_eq!(around["text"], "Where is the kelp?\nSecond line\nThird line");
    assert_eq!(around["matches"], json!([[19, 25]]));
    let wide = &hits(&sandbox, &["本$"])[0];
    assert_eq!(wide["matches"], json!([[22, 23]]), "places are counted in characters");
}

#[test]
fn hits_are_grouped_by_session() {
    let sandbox = store();
    let answer = annals(&sandbox, &["grep", "kelp (is|in)|Count", "--timezone", "UTC"]).done();
    insta::assert_snapshot!(filtered(&sandbox, &answer.out), @"
    00000001-0000-4000-8000-000000000001  /p  Kelp, no kelp
      assistant  2026-02-02 03:00:00  annals show 00000001:1
        The kelp is
      user  agent a1  2026-01-02 03:04:05  annals show a1:1
        Count the kelp
    ");
    let painted = annals(&sandbox, &["grep", "Count", "--color", "always"]).done();
    assert!(painted.out.contains("\u{1b}[31mCount\u{1b}[0m the kelp"), "{}", painted.out);
    let counted = annals(&sandbox, &["grep", "-c", "kelp", "--json"]).done().json();
    assert_eq!(
        (&counted["total"], &counted["sessions"][0]["hits"]),
        (&json!(9), &json!(9)),
        "{counted}"
    );
    assert_eq!(annals(&sandbox, &["grep", "-l", "kelp", "--json"]).done().ids(), [session_id(1)]);
    assert!(annals(&sandbox, &["grep", "-l", "kelp"]).done().out.contains("00000001"));
    assert!(annals(&sandbox, &["grep", "-c", "kelp"]).done().out.contains(" 9 "));
    assert_eq!(annals(&sandbox, &["grep", "kelp", "--jsonl"]).done().out.lines().count(), 9);
    assert!(annals(&sandbox, &["grep", "kelp", "--csv"]).done().out.starts_with("timestamp,"));
}

#[test]
fn no_match_is_exit_1_and_bad_pattern_is_exit_2() {
    let sandbox = store();
    let table: [(&[&str], usize); 3] =
        [(&["grep", "kale"], 1), (&["grep", "-c", "kale"], 1), (&["grep", "-l", "kale"], 0)];
    for (arguments, lines) in table {
        let answer = annals(&sandbox, arguments);
        assert_eq!((answer.code, answer.err.as_str()), (1, ""), "{arguments:?}");
        assert_eq!(answer.out.lines().count(), lines, "{arguments:?}");
    }
    for pattern in ["(", "a)(b", "[z-a]", r"\p{Nothing}", "a{99999}{99999}"] {
        for word in [&["grep"][..], &["grep", "-w"]] {
            let answer = annals(&sandbox, &[word, &[pattern]].concat());
            assert!(answer.complaint(2).contains("invalid pattern"), "{pattern}");
        }
    }
}

#[test]
fn json_escapes_do_not_hide_matches() {
    let sandbox = Sandbox::new();
    let line = user("PLACE").with("sessionId", session_id(1)).cwd("/p").to_string();
    for written in ["kelp", r"\u006belp", r"k\u0065\u006C\u0070"] {
        sandbox.session("/p", &session_id(1), [line.replace("PLACE", written)]);
        for arguments in [&["kelp"][..], &["-i", "KELP"], &["k[e]lp|kale"]] {
            assert_eq!(hits(&sandbox, arguments).len(), 1, "{written} {arguments:?}");
        }
    }
}

#[test]
fn agent_cannot_search_for_a_secret() {
    let sandbox = Sandbox::new();
    let rule = redact::rules().find(|rule| rule.name() == "github-token").unwrap();
    let secret = rule.hits().next().unwrap().1;
    session(&sandbox, 1, "/p", &format!("My token is {secret} today"));
    let piece: String = secret.chars().skip(6).take(12).collect();
    assert_eq!(hits(&sandbox, &["-F", &piece]).len(), 1);
    assert_eq!(hits(&sandbox, &["--redact", "-F", &piece]).len(), 0);
    for pattern in ["token is", "redacted:", r"is \S+ today"] {
        let found = hits(&sandbox, &["--redact", pattern]);
        assert_eq!(found.len(), 1, "{pattern}");
        assert!(text(&found[0]["text"]).contains("[redacted:github-token:"), "{found:?}");
    }
}

/// The texts of a message, extracted by a second, simpler implementation.
fn plain_texts(content: &Value) -> Vec<String> {
    fn strings(value: &Value, texts: &mut Vec<String>) {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| strings(value, texts)),
            Value::Object(members) => members.values().for_each(|value| strings(value, texts)),
            _ => {}
        }
    }
    let Some(blocks) = content.as_array() else {
        return content.as_str().map(str::to_owned).into_iter().collect();
    };
    let mut texts = Vec::new();
    for block in blocks {
        match block["type"].as_str().unwrap_or_default() {
            "text" => strings(&block["text"], &mut texts),
            "thinking" => strings(&block["thinking"], &mut texts),
            "tool_use" | "server_tool_use" => {
                strings(&block["name"], &mut texts);
                strings(&block["input"], &mut texts);
            }
            "tool_result" => texts.extend(plain_texts(&block["content"])),
            _ => {}
        }
    }
    texts
}

fn transcripts(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            transcripts(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            paths.push(path);
        }
    }
}

#[test]
fn hits_in_real_transcripts_equal_a_plain_reading() {
    // With spaces, so that no encoded bytes hold them.
    const WORDS: [&str; 8] = [
        "the test",
        "error: ",
        "import os",
        "I'll ",
        "\"name\": ",
        "é ",
        ".\n\nNow ",
        "Let me check",
    ];
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let ask =
        |arguments: &[&str]| run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus));
    let list = ask(&["ls", "--hidden", "--json"]).done().json();
    let copies: BTreeSet<String> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|session| session["copies"].as_array().unwrap().iter().map(text))
        .collect();
    let mut paths = Vec::new();
    transcripts(&corpus.join("projects"), &mut paths);
    let mut expected = vec![BTreeSet::new(); WORDS.len()];
    let mut unread = BTreeSet::new();
    for path in paths.iter().filter(|path| !copies.contains(&path.display().to_string())) {
        let bytes = std::fs::read(path).unwrap();
        for (number, line) in (1_u64..).zip(bytes.split(|byte| *byte == b'\n')) {
            let place = (path.display().to_string(), number);
            let Ok(value) = serde_json::from_slice::<Value>(line) else {
                unread.insert(place);
                continue;
            };
            if !matches!(value["type"].as_str(), Some("user" | "assistant")) {
                unread.insert(place);
                continue;
            }
            let texts = plain_texts(&value["message"]["content"]);
            for (word, expected) in WORDS.iter().zip(&mut expected) {
                if texts.iter().any(|text| text.contains(word)) {
                    expected.insert(place.clone());
                }
            }
        }
    }
    for (word, expected) in WORDS.iter().zip(expected) {
        for arguments in [&["-F", *word][..], &["-F", "-i", *word]] {
            let found = ask(&[&["grep", "--json"], arguments].concat()).json();
            let found: BTreeSet<(String, u64)> = found["hits"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| (text(&hit["path"]), hit["line"].as_u64().unwrap()))
                .filter(|place| !unread.contains(place) && !copies.contains(&place.0))
                .collect();
            let missing: Vec<_> = expected.difference(&found).collect();
            assert!(missing.is_empty(), "{word:?} is not found in {missing:?}");
            if arguments.len() == 2 {
                let more: Vec<_> = found.difference(&expected).collect();
                assert!(more.is_empty(), "{word:?} is found in {more:?}");
            }
        }
    }
}

#[test]
fn several_patterns_are_searched_at_once() {
    let sandbox = store();
    let texts = |arguments: &[&str]| -> Vec<String> {
        hits(&sandbox, arguments).iter().map(|hit| text(&hit["text"])).collect()
    };
    assert_eq!(texts(&["-e", "Nothing", "-e", "Second"]), ["Nothing here", "Second line"]);
    assert_eq!(texts(&["Nothing", "-e", "Second"]).len(), 2);
    assert_eq!(texts(&["-F", "-e", "-x", "-e", "no kelp"]), ["Kelp, no kelp"]);
    let answer = annals(&sandbox, &["grep", "-i"]);
    assert!(answer.complaint(2).contains("PATTERN"), "{answer:?}");
}

#[test]
fn context_before_and_after_matching_lines_and_matching_parts_alone() {
    let sandbox = store();
    let shown = |arguments: &[&str]| {
        let hits = hits(&sandbox, &[&["Second|[kK]elp", "--role", "user"], arguments].concat());
        text(&hits[0]["text"])
    };
    let one =
        |arguments: &[&str]| text(&hits(&sandbox, &[&["Second"], arguments].concat())[0]["text"]);
    assert_eq!(one(&["-A", "1"]), "Second line\nThird line");
    assert_eq!(one(&["-B", "1"]), "Where is the kelp?\nSecond line");
    assert_eq!(one(&["-C", "1", "-A", "0"]), "Where is the kelp?\nSecond line");
    assert_eq!(shown(&["-o"]), "kelp\nSecond");
    assert_eq!(annals(&sandbox, &["grep", "x", "-o", "-A", "1"]).code, 2);
}

#[test]
fn inverted_pattern_shows_the_lines_that_do_not_match() {
    let sandbox = store();
    let hits = hits(&sandbox, &["-v", "line|there", "--role", "user"]);
    let texts: Vec<String> = hits.iter().map(|hit| text(&hit["text"])).collect();
    assert_eq!(texts, ["Nothing here", "Where is the kelp?", "Count the kelp"]);
}

#[test]
fn each_hit_shows_session_tool_and_time() {
    let shown = annals(&store(), &["grep", "kelp", "--role", "tool_use", "--role", "user"]).done();
    insta::assert_snapshot!(shown.out, @"
    00000001-0000-4000-8000-000000000001  /p  Kelp, no kelp
      user  2026-01-02 03:00:00  annals show 00000001:1
        Where is the kelp?
      tool_use Grep  2026-01-02 03:04:05  annals show 00000001:1
        kelp
      user  agent a1  2026-01-02 03:04:05  annals show a1:1
        Count the kelp
    ");
}

#[test]
fn matching_sessions_in_a_pipe_are_one_id_a_line() {
    let sandbox = store();
    assert_eq!(annals(&sandbox, &["grep", "-l", "kelp"]).done().out, session_id(1) + "\n");
    let all = annals(&sandbox, &["grep", "-l", "e"]).done().out;
    let mut ids: Vec<&str> = all.lines().collect();
    ids.sort_unstable();
    assert_eq!(ids, [session_id(1), session_id(2)]);
    assert_eq!(annals(&sandbox, &["grep", "-l", "nowhere"]).code, 1);
}

#[test]
fn command_tags_and_colour_codes_are_not_shown() {
    let sandbox = Sandbox::new();
    let command = "<command-message>tides</command-message>\n<command-name>/tides</command-name><command-args>of today</command-args>";
    let output =
        "<local-command-stdout>\u{1b}[1mHigh water\u{1b}[22m at six</local-command-stdout>";
    let lines = chained([user(command), user(output)]);
    let lines = lines.into_iter().map(|line| line.with("sessionId", session_id(1)).cwd("/p"));
    sandbox.session("/p", &session_id(1), lines);
    for arguments in [&["grep", "of today"][..], &["search", "--wait", "today"]] {
        let shown = annals(&sandbox, arguments).done().out;
        assert!(shown.contains("/tides of today"), "{shown}");
        assert!(!shown.contains("command-"), "{shown}");
    }
    for arguments in [&["grep", "water"][..], &["search", "--wait", "water"]] {
        let shown = annals(&sandbox, arguments).done().out;
        assert!(shown.contains("High water at six"), "{shown}");
        assert!(!shown.contains("1b") && !shown.contains("command-stdout"), "{shown}");
    }
    let shown = annals(&sandbox, &["show", "00000001"]).done().out;
    assert!(shown.contains("/tides of today") && !shown.contains("u{1b}"), "{shown}");
}
