//! Lines that are too large to be read: every answer without them names them.

use crate::cli::support::run::{annals, session};
use serde_json::Value;
use std::fs::File;
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
    let answer = annals(&sandbox, &["search", "nowhere"]);
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("line 2 is too large: 65 MiB"), "{}", answer.err);
}
