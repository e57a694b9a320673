//! Secrets are masked in exports and in output for agents, the same everywhere, and never
//! partly.

use crate::cli::commands::export_files::outside;
use crate::cli::support::exercises::{
    home_writing_calls, reading_calls, refused_calls, with_folder,
};
use crate::cli::support::run::{annals, command, run};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use testkit::{Sandbox, assistant, chained, metadata, session_id, tool_result, tool_use, user};

const ID: &str = "00000007";

/// A token that the rule with this name detects.
fn secret(rule: &str) -> String {
    let rule = redact::rules().find(|known| known.name() == rule).expect("a rule of this name");
    rule.hits().next().expect("a value that it knows").1
}

/// A session with a secret in every kind of text.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let token = secret("github-token");
    let long = format!("{} {token} and so on", "word ".repeat(38));
    let lines = chained([
        user(&long).cwd("/home/ada/tidepool"),
        assistant(&format!("I use {token} now")).message("id", "m1"),
        tool_use("t1", "Bash", &json!({"command": format!("curl -H 'X: {token}' x.org")})),
        tool_result("t1", &format!("HTTP 200 {token}")),
        tool_use(
            "t2",
            "Edit",
            &json!({"file_path": "/home/ada/a", "old_string": "x", "new_string": token}),
        ),
        tool_result("t2", "done").with(
            "toolUseResult",
            json!({"filePath": "/home/ada/a",
            "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
            "lines": ["-x", format!("+{token}")]}]}),
        ),
        user("Write to ada@example.org"),
        metadata("custom-title", &[("customTitle", format!("Rotate {token}").into())]),
    ]);
    let lines: Vec<_> =
        lines.into_iter().map(|line| line.with("sessionId", session_id(7))).collect();
    sandbox.session("-home-ada-tidepool", &session_id(7), &lines);
    let history = json!({"display": format!("say {token}"), "timestamp": 1_768_000_000_000_u64,
        "project": "/home/ada/tidepool", "sessionId": session_id(9)});
    sandbox.write("history.jsonl", format!("{history}\n"));
    sandbox
}

/// Every part of the secret that would reveal it.
fn assert_none_of(secret: &str, shown: &str, what: &str) {
    for start in (0..secret.len() - 12).step_by(4) {
        let piece = &secret[start + 4..(start + 12).min(secret.len())];
        assert!(!shown.contains(piece), "{what} shows {piece:?} of the secret:\n{shown}");
    }
}

#[test]
fn no_command_shows_a_secret_to_an_agent() {
    let sandbox = store();
    let token = secret("github-token");
    let folder = sandbox.home().join("folder").display().to_string();
    for call in [reading_calls(ID), refused_calls(ID), home_writing_calls(ID)].concat() {
        let arguments = &with_folder(&call, &folder)[..];
        let answer = run(command(&sandbox, arguments).env("CLAUDECODE", "1"));
        if answer.code != 0 {
            let plain = annals(&sandbox, arguments);
            assert_ne!(plain.code, 0, "{arguments:?} fails only for agents: {}", answer.err);
            continue;
        }
        assert_none_of(&token, &answer.out, &arguments.join(" "));
        let asked = annals(&sandbox, &[arguments, &["--redact"]].concat());
        assert_none_of(&token, &asked.out, &format!("{} --redact", arguments.join(" ")));
    }
    for before in [
        &["--redact", "show", ID][..],
        &["--redact", "strict", "show", ID],
        &["--redact=on", "show", ID],
    ] {
        assert_none_of(&token, &annals(&sandbox, before).done().out, &before.join(" "));
    }
    let open = annals(&sandbox, &["show", ID, "--tools", "full"]).done();
    assert!(open.out.contains(&token), "a person is shown what is there");
    let off = run(command(&sandbox, &["show", ID, "--tools", "full", "--redact", "off"])
        .env("CLAUDECODE", "1"));
    assert!(off.out.contains(&token), "--redact off is taken at its word");
}

#[test]
fn placeholder_is_stable_within_one_installation_only() {
    let placeholder = |sandbox: &Sandbox, arguments: &[&str]| {
        let out = annals(sandbox, arguments).out;
        let start = out.find("[redacted:github-token:").unwrap_or_else(|| panic!("{out}"));
        let end = start + out[start..].find(']').unwrap();
        out[start..=end].to_owned()
    };
    let (one, two) = (store(), store());
    let first = placeholder(&one, &["ls", "--redact"]);
    for arguments in [
        &["show", ID, "--redact"][..],
        &["show", ID, "--json", "--redact"],
        &["export", ID, "-o", "-"],
        &["export", ID, "-o", "-", "--format", "jsonl"],
    ] {
        assert_eq!(placeholder(&one, arguments), first, "{arguments:?}");
    }
    let key = one.annals_home().join("redaction.key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_ne!(fs::read(&key).unwrap(), [0; 32]);
    let other = placeholder(&two, &["ls", "--redact"]);
    // Four digits can be equal by chance; the keys cannot.
    assert!(other.starts_with("[redacted:github-token:"));
    assert_ne!(fs::read(&key).unwrap(), fs::read(two.annals_home().join("redaction.key")).unwrap());
}

#[test]
fn exports_are_masked_by_default_and_report_it() {
    let sandbox = store();
    let token = secret("github-token");
    for format in ["md", "txt", "html", "xml", "json", "jsonl"] {
        let whole: &[&str] = if format == "jsonl" { &[] } else { &["--tools", "full"] };
        let arguments = [&["export", ID, "-o", "-", "--format", format], whole].concat();
        let masked = annals(&sandbox, &arguments);
        assert_none_of(&token, &masked.out, format);
        assert!(masked.err.contains("× github-token: line 1, line 2"), "{}", masked.err);
        let open = annals(&sandbox, &[&arguments[..], &["--redact", "off"]].concat());
        assert!(open.out.contains(&token), "{format}");
        assert!(masked.out.contains("ada@example.org"), "{format}");
        let strict = annals(&sandbox, &[&arguments[..], &["--redact", "strict"]].concat());
        assert!(!strict.out.contains("ada@example.org"), "{format}");
        assert!(!strict.out.contains("home/ada"), "{format}: {}", strict.out);
    }
    let folder = outside(&sandbox, "out");
    let answer = annals(&sandbox, &["export", ID, "-o", folder.to_str().unwrap(), "--json"]).done();
    let masked = answer.json()["files"][0]["masked"].clone();
    let first: &Value = &masked[0];
    assert_eq!(
        (&first["rule"], &first["line"], &first["count"]),
        (&json!("github-token"), &json!(1), &json!(1))
    );
    assert!(!answer.out.contains(&token));
    let name = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().file_name();
    assert!(name.to_string_lossy().starts_with("2026-"), "{name:?}");
    assert_none_of(&token.to_lowercase(), &name.to_string_lossy(), "the file's name");
}

#[test]
fn unusable_key_is_reported_and_masking_still_works() {
    let sandbox = store();
    let token = secret("github-token");
    let home = sandbox.path().join("other");
    outside(&sandbox, "other/redaction.key");
    let answer = run(command(&sandbox, &["show", ID, "--redact"]).env("ANNALS_HOME", &home));
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(
        answer.err.contains("placeholders of masked secrets will differ between runs"),
        "{}",
        answer.err
    );
    assert_none_of(&token, &answer.out, "show");
    // Never inside a store.
    let inside = sandbox.config().join("annals");
    let answer = run(command(&sandbox, &["show", ID, "--redact"]).env("ANNALS_HOME", &inside));
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(!inside.exists());
}

/// A tool output that was too large for its line.
#[test]
fn outputs_in_separate_files_are_masked_and_searched_completely() {
    let sandbox = Sandbox::new();
    let id = session_id(7);
    let key = secret("private-key");
    assert!(key.contains('\n'), "a key stands on several lines");
    let folder = format!("projects/-home-ada-tidepool/{id}/tool-results");
    sandbox.write(&format!("{folder}/out1.txt"), format!("before\n{key}\nafter\n"));
    let kept = json!({"stdout": "", "stderr": "", "persistedOutputPath": format!("/x/{id}/tool-results/out1.txt")});
    let lines = chained([
        user("Print the key"),
        tool_use("t1", "Bash", &json!({"command": "cat key"})),
        tool_result("t1", "kept").with("toolUseResult", kept),
    ]);
    let lines: Vec<_> = lines.into_iter().map(|line| line.with("sessionId", id.clone())).collect();
    sandbox.session("-home-ada-tidepool", &id, &lines);
    let document = annals(&sandbox, &["doctor", "--secrets", "--json"]).done().json();
    assert_eq!(document["secrets"][0]["rule"], "private-key", "{document}");
    assert_eq!(document["secrets"][0]["lines"], json!([2]));
    for format in ["md", "txt", "html", "xml"] {
        let arguments = ["export", ID, "-o", "-", "--format", format, "--tools", "full"];
        let answer = annals(&sandbox, &arguments);
        assert!(!answer.out.contains("PRIVATE KEY"), "{format}: {}", answer.out);
        if format != "xml" {
            assert!(answer.out.contains("[redacted:private-key:"), "{format}: {}", answer.out);
        }
        assert!(
            answer.err.contains("1 × private-key: line 2 of out1.txt"),
            "{format}: {}",
            answer.err
        );
    }
}

#[test]
fn doctor_does_not_follow_links_when_it_searches_secrets() {
    let sandbox = Sandbox::new();
    let outside = sandbox.folder("outside");
    sandbox.write("outside/out1.txt", secret("github-token"));
    sandbox.session("/p", &session_id(7), [user("Hello").cwd("/p")]);
    sandbox.link(&format!("projects/-p/{}/tool-results", session_id(7)), &outside);
    let document = annals(&sandbox, &["doctor", "--secrets", "--json"]).done().json();
    assert_eq!(document["secrets"], json!([]));
}

#[test]
fn doctor_lists_sessions_with_secrets_without_showing_them() {
    let sandbox = store();
    let token = secret("github-token");
    let document = annals(&sandbox, &["doctor", "--secrets", "--json"]).done();
    assert_none_of(&token, &document.out, "doctor --secrets --json");
    let document = document.json();
    assert_eq!(
        (&document["schema"], &document["searched"]),
        (&json!("annals/secrets/1"), &json!(1))
    );
    assert_eq!(document["secrets"][0]["rule"], "github-token");
    assert_eq!(document["secrets"][0]["session_id"], session_id(7));
    assert_eq!(document["secrets"][0]["lines"][0], 1);
    let shown = annals(&sandbox, &["doctor", "--secrets"]).done().out;
    assert_none_of(&token, &shown, "doctor --secrets");
    assert!(shown.contains("1 of 1 session contains secrets"), "{shown}");
    let rows = annals(&sandbox, &["doctor", "--secrets", "--csv"]).done().out;
    assert!(rows.starts_with("session_id,path,agent_id,rule,count,lines,command\n"), "{rows}");
    let empty = Sandbox::new();
    empty.session("-x", &session_id(1), &[user("Nothing here")]);
    let shown = annals(&empty, &["doctor", "--secrets"]).done().out;
    assert_eq!(shown, "No secrets found in 1 session.\n");
}
