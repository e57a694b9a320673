//! Lines that are too large to be read: every answer without them names them.

use crate::cli::support::run::{annals, session};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write as _;
use testkit::{Sandbox, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// A session whose second line is larger than any that is read, and another one.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let own = |text: &str| user(text).with("sessionId", session_id(1)).cwd(CWD);
    let path = sandbox.session(CWD, &session_id(1), [own("Look at the tides")]);
    let mut file = File::options().append(true).open(&path).unwrap();
    let size = file.metadata().unwrap().len();
    // A hole of NULs, which takes no space.
    file.set_len(size + (65 << 20)).unwrap();
    write!(file, "\n{}\n", own("And the anemones?")).unwrap();
    session(&sandbox, 2, CWD, "What is a wreck?");
    sandbox
}

fn is_named(warnings: &Value) -> bool {
    let warnings = warnings.as_array().map(Vec::as_slice).unwrap_or_default();
    warnings.iter().any(|warning| {
        warning["kind"] == "line_too_large"
            && warning["path"].as_str().unwrap().contains(&session_id(1))
            && warning["message"].as_str().unwrap().contains("line 2 is too large: 65 MiB")
    })
}

#[test]
fn every_answer_without_a_large_line_names_it() {
    let sandbox = store();
    let calls: [&[&str]; 8] = [
        &["show", "00000001"],
        &["info", "00000001"],
        &["prompts"],
        &["usage"],
        &["tools"],
        &["search", "anemones"],
        &["grep", "anemones"],
        &["doctor"],
    ];
    for index in ["--no-index", "with"] {
        for call in calls {
            if index == "--no-index" && call[0] == "search" {
                continue;
            }
            let options = if index == "with" { &["--json"][..] } else { &["--no-index", "--json"] };
            let answer = annals(&sandbox, &[call, options].concat());
            let document: Value = serde_json::from_str(&answer.out).unwrap();
            assert!(is_named(&document["warnings"]), "{call:?} {index}: {}", answer.out);
            assert!(answer.err.contains("line 2 is too large"), "{call:?}: {}", answer.err);
        }
    }
}

#[test]
fn nothing_found_beside_a_large_line_is_a_failure_with_its_reason() {
    let sandbox = store();
    assert_eq!(annals(&sandbox, &["search", "anemones"]).code, 0);
    for call in [["search", "nowhere"], ["grep", "nowhere"], ["tools", "00000001"]] {
        let answer = annals(&sandbox, &call);
        assert_eq!(answer.code, 2, "{call:?}: {}", answer.err);
        assert!(answer.err.contains("line 2 is too large: 65 MiB"), "{}", answer.err);
    }
}

#[test]
fn index_without_a_large_line_is_not_complete() {
    let sandbox = store();
    for call in [&["search", "anemones"][..], &["sql", "SELECT count(*) AS n FROM sessions"]] {
        let answer = annals(&sandbox, &[call, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{call:?}: {}", answer.err);
        let document = answer.json();
        assert_eq!(
            (&document["fresh"], &document["index_complete"]),
            (&true.into(), &false.into())
        );
        assert_eq!(document["covered_since"], Value::Null);
        assert!(answer.err.contains("annals: 1 line is too large to be read"), "{}", answer.err);
        assert!(!answer.err.contains("file or folder"), "{}", answer.err);
    }
    let none = annals(&sandbox, &["search", "nowhere", "--json"]);
    assert_eq!((none.code, &none.json()["index_complete"]), (2, &false.into()));
    assert!(none.err.contains("searched: 1 line is too large to be read"), "{}", none.err);
}

#[test]
fn large_line_is_not_damage() {
    let sandbox = store();
    let info = annals(&sandbox, &["info", "00000001", "--json"]).json();
    assert_eq!((&info["problems"], &info["large_lines"]), (&0.into(), &1.into()));
    let text = annals(&sandbox, &["info", "00000001"]).out;
    assert!(text.contains("1 line left out") && !text.contains("damage"), "{text}");
    let doctor = annals(&sandbox, &["doctor", "--json"]).json();
    assert_eq!(doctor["problems"].as_array().unwrap().len(), 1, "{doctor}");
    assert_eq!(doctor["problems"][0]["kind"], "not_read");
}

/// The text that stands for a line of 65 MiB where lines are written.
const STAND_IN: &str = "annals: line too large: 68157440 bytes";

#[test]
fn raw_bytes_are_those_of_the_file_also_of_large_lines() {
    let sandbox = store();
    let folder = sandbox.projects().join("-home-ada-tidepool");
    let path = folder.join(format!("{}.jsonl", session_id(1)));
    let mut file = File::options().append(true).open(&path).unwrap();
    writeln!(file, "{STAND_IN}").unwrap();
    drop(file);
    let bytes = fs::read(&path).unwrap();
    let is_the_file = |how: &str| {
        let answer = annals(&sandbox, &["show", "00000001", "--raw"]);
        assert_eq!(answer.code, 0, "{how}: {}", answer.err);
        assert!(answer.bytes == bytes, "{how}: {} bytes of {}", answer.bytes.len(), bytes.len());
    };
    is_the_file("on disk");
    annals(&sandbox, &["archive", "sync"]);
    fs::remove_file(&path).unwrap();
    is_the_file("archived");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    // Line 2 is counted, and has no type.
    let first = annals(&sandbox, &["show", "00000001", "--raw", "--limit", "2"]);
    assert!(first.bytes == lines[..2].concat(), "{} bytes", first.bytes.len());
    let typed = annals(&sandbox, &["show", "00000001", "--raw", "--type", "user"]);
    assert!(typed.bytes == [lines[0], lines[2]].concat(), "{} bytes", typed.bytes.len());
    let masked = annals(&sandbox, &["show", "00000001", "--raw", "--redact"]);
    assert!(masked.bytes == [lines[0], lines[2], lines[3]].concat());
    assert!(masked.err.contains("line 2 is too large"), "{}", masked.err);
}

#[test]
fn raw_bytes_of_another_app_are_those_that_it_wrote() {
    let sandbox = Sandbox::new();
    let id = "0199b000-0000-7000-8000-000000000001";
    let folder = sandbox.path().join("home/.codex/sessions/2026/11/18");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("rollout-2026-11-18T10-00-00-{id}.jsonl"));
    let meta = format!(
        r#"{{"timestamp":"2026-11-18T10:00:00.000Z","type":"session_meta","payload":{{"id":"{id}","timestamp":"2026-11-18T10:00:00.000Z","cwd":"{CWD}"}}}}"#
    );
    let large = "x".repeat(65 << 20);
    let bytes = format!("{meta}\n{large}\n{STAND_IN}\n");
    fs::write(&path, &bytes).unwrap();
    let name = format!("codex:{id}");
    let answer = annals(&sandbox, &["show", &name, "--raw"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out == bytes, "{} bytes of {}", answer.out.len(), bytes.len());
    let typed = annals(&sandbox, &["show", &name, "--raw", "--type", "user"]);
    assert!(typed.complaint(2).contains("bytes of another app"), "{}", typed.err);
}

#[test]
fn line_with_the_text_of_a_stand_in_is_not_too_large() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "What is a wreck?");
    let mut file = File::options().append(true).open(path).unwrap();
    writeln!(file, "{STAND_IN}").unwrap();
    for call in [&["show", "00000001", "--view", "all"][..], &["info", "00000001"], &["doctor"]] {
        let answer = annals(&sandbox, &[call, &["--json"]].concat());
        assert!(!answer.err.contains("too large"), "{call:?}: {}", answer.err);
        assert_eq!(answer.json()["warnings"], Value::Null, "{call:?}");
    }
    let records = annals(&sandbox, &["show", "00000001", "--view", "all", "--json"]).json();
    let last = records["records"].as_array().unwrap().last().unwrap();
    assert_eq!(last["raw"], STAND_IN);
}
