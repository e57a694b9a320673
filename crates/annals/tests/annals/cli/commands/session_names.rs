//! What people call a session.

use crate::cli::support::run::{annals, command, exchange, modified, run, session, text};
use std::fs;
use testkit::{Sandbox, metadata, session_id, user};

fn found(sandbox: &Sandbox, name: &str) -> String {
    text(&annals(sandbox, &["info", name, "--json"]).done().json()["session"]["id"])
}

#[test]
fn session_is_found_by_id_or_unique_prefix() {
    let sandbox = Sandbox::new();
    session(&sandbox, 0xa1, "/home/ada/tidepool", "One");
    session(&sandbox, 0xb2, "/home/ada/tidepool", "Two");
    assert_eq!(found(&sandbox, &session_id(0xa1)), session_id(0xa1));
    assert_eq!(found(&sandbox, "000000a"), session_id(0xa1));
    assert_eq!(found(&sandbox, "000000B2"), session_id(0xb2));
    assert_eq!(found(&sandbox, &session_id(0xb2).to_uppercase()), session_id(0xb2));
}

#[test]
fn at_is_the_latest_session_of_the_current_project() {
    let sandbox = Sandbox::new();
    let here = fs::canonicalize(sandbox.home()).unwrap().join("project");
    fs::create_dir_all(here.join("src")).unwrap();
    let cwd = here.display().to_string();
    let files = [
        (session(&sandbox, 1, &cwd, "Old"), "2026-01-01T00:00:00Z"),
        (session(&sandbox, 2, &format!("{cwd}/src"), "New"), "2026-01-02T00:00:00Z"),
        (session(&sandbox, 3, "/home/ada/elsewhere", "Newest"), "2026-01-03T00:00:00Z"),
        (sandbox.session(&cwd, &session_id(4), [""; 0]), "2026-01-04T00:00:00Z"),
    ];
    for (path, moment) in &files {
        modified(&sandbox, path, moment);
    }
    let named = |name: &str| {
        let answer = run(command(&sandbox, &["info", name, "--json"]).current_dir(&here));
        if answer.code == 0 {
            text(&answer.json()["session"]["id"])
        } else {
            answer.complaint(1).to_owned()
        }
    };
    assert_eq!(named("@"), session_id(2));
    assert_eq!(named("@1"), session_id(2));
    assert_eq!(named("@2"), session_id(1));
    insta::assert_snapshot!(named("@3"), @r#"
    annals: no session matches "@3"
    hint: annals ls lists the sessions
    "#);
    let default = run(command(&sandbox, &["info", "--json"]).current_dir(&here)).done();
    assert_eq!(default.json()["session"]["id"], session_id(2));
    annals(&sandbox, &["info", "@0"]).complaint(2);
    annals(&sandbox, &["info", "@two"]).complaint(2);
}

#[test]
fn path_names_its_transcript_in_any_folder() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, "/home/ada/tidepool", "One");
    assert_eq!(found(&sandbox, &path.display().to_string()), session_id(1));
    let elsewhere = sandbox.home().join("kept.jsonl");
    fs::copy(&path, &elsewhere).unwrap();
    assert_eq!(found(&sandbox, &elsewhere.display().to_string()), "kept");
    assert_eq!(found(&sandbox, "./kept.jsonl"), "kept");
    let answer = annals(&sandbox, &["show", "./kept.jsonl", "--raw"]).done();
    assert_eq!(answer.bytes, fs::read(&path).unwrap());
    annals(&sandbox, &["info", "./missing.jsonl"]).complaint(1);
}

#[test]
fn agent_is_found_by_its_id() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "One");
    let folder = format!("projects/-home-ada-tidepool/{}", session_id(1));
    let line =
        user("Look around").with("isSidechain", true).with("agentId", "a5f").to_string() + "\n";
    let nested = sandbox.write(&format!("{folder}/subagents/agent-a5f.jsonl"), &line);
    let flat = sandbox.write("projects/-home-ada-tidepool/agent-b7c.jsonl", &line);
    for (name, path) in [("a5f", &nested), ("b7c", &flat), ("b7", &flat)] {
        let document = annals(&sandbox, &["show", name, "--view", "all", "--json"]).done().json();
        assert_eq!(document["session"]["id"], session_id(1));
        assert!(
            path.display().to_string().contains(&format!("agent-{}", text(&document["agent_id"])))
        );
        assert_eq!(document["records"][0]["raw"], line.trim_end());
    }
    let by_path =
        annals(&sandbox, &["show", &nested.display().to_string(), "--view", "all", "--json"])
            .done()
            .json();
    assert_eq!(
        (&by_path["agent_id"], &by_path["session"]["id"]),
        (&"a5f".into(), &session_id(1).into())
    );
}

#[test]
fn session_is_found_by_a_word_of_its_title() {
    let sandbox = Sandbox::new();
    for (number, title) in
        [(1, "Fix the login test"), (2, "Plan the login page"), (3, "Plan the move")]
    {
        let id = session_id(number);
        let title = metadata(
            "custom-title",
            &[("customTitle", title.into()), ("sessionId", id.clone().into())],
        );
        let lines = exchange(number, "/home/ada/tidepool", "Hello");
        sandbox.session("/home/ada/tidepool", &id, lines.into_iter().chain([title]));
    }
    assert_eq!(found(&sandbox, "test"), session_id(1));
    assert_eq!(found(&sandbox, "MOVE"), session_id(3));
    assert_eq!(found(&sandbox, "plan page"), session_id(2));
    let answer = annals(&sandbox, &["info", "login"]);
    let complaint = answer.complaint(2);
    assert!(
        complaint.contains(&session_id(1)) && complaint.contains(&session_id(2)),
        "{complaint}"
    );
    assert!(!complaint.contains(&session_id(3)), "{complaint}");
    // Part of a word does not match.
    annals(&sandbox, &["info", "logi"]).complaint(1);
}

#[test]
fn deleted_session_is_found_like_any_other() {
    let sandbox = Sandbox::new();
    let id = session_id(9);
    sandbox.write("history.jsonl", format!("{{\"display\":\"Gone but typed\",\"timestamp\":1767225600000,\"project\":\"/p\",\"sessionId\":\"{id}\"}}\n"));
    assert_eq!(found(&sandbox, &id), id);
    assert_eq!(found(&sandbox, "0000000"), id);
    let prompts = annals(&sandbox, &["prompts", &id, "--json"]).done().json();
    assert_eq!(prompts["prompts"][0]["text"], "Gone but typed");
    assert_eq!(prompts["prompts"][0]["source"], "history");
}

#[test]
fn path_gives_the_same_answer_as_an_id() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let line = user("Look").with("sessionId", session_id(1)).with("isSidechain", true);
    sandbox.write("projects/-home-ada-tidepool/agent-a1.jsonl", line.to_string() + "\n");
    let by_id = annals(&sandbox, &["info", &session_id(1), "--json"]).done().json();
    let by_path = annals(&sandbox, &["info", &path.display().to_string(), "--json"]).done().json();
    assert_eq!(by_id["session"]["agents"], by_path["session"]["agents"]);
}

#[test]
fn title_words_match_any_capitalization() {
    let sandbox = Sandbox::new();
    let title = metadata("custom-title", &[("customTitle", "Übung macht den Meister".into())]);
    sandbox.session(
        "/home/ada/tidepool",
        &session_id(1),
        exchange(1, "/home/ada/tidepool", "Hello").into_iter().chain([title]),
    );
    for name in ["übung", "Übung", "MEISTER"] {
        let answer = annals(&sandbox, &["info", name, "--json"]);
        assert_eq!(answer.code, 0, "{name}: {}", answer.err);
    }
}

#[test]
fn copies_do_not_depend_on_how_a_session_is_found() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    modified(&sandbox, &path, "2026-01-01T00:00:00Z");
    sandbox.write(
        &format!("pre-compact-session-histories/{}-20260119-100000.jsonl", session_id(1)),
        fs::read(&path).unwrap(),
    );
    let listed = annals(&sandbox, &["ls", "--json"]).done().json()["sessions"][0].clone();
    let card =
        annals(&sandbox, &["info", &session_id(1), "--json"]).done().json()["session"].clone();
    assert_eq!(listed["copies"], card["copies"]);
}
