//! The JSON contracts: names that programs may rely on.

use crate::cli::support::run::{annals, assert_members, demo, session, text};
use serde_json::Value;
use testkit::{Sandbox, session_id};

const SESSION: &str = "id project cwd folder root path presence title summary first_prompt last_prompt branch tag archived_in_claude_code \
    created_at modified_at bytes version entrypoint hidden is_current copies agents";

fn find<'a>(document: &'a Value, list: &str, id: &str) -> &'a Value {
    let mut items = document[list].as_array().unwrap().iter();
    items.find(|item| item["id"].as_str().unwrap().starts_with(id)).unwrap()
}

#[test]
fn ls_json_keeps_its_contract() {
    for arguments in
        [&["ls", "--json"][..], &["ls", "--hidden", "--json"], &["ls", "--deleted", "--json"]]
    {
        let document = demo(arguments).done().json();
        assert_eq!(document["schema"], "annals/sessions/1");
        for session in document["sessions"].as_array().unwrap() {
            assert_members(session, SESSION);
        }
    }
    let document = demo(&["ls", "--hidden", "--json"]).done().json();
    let session = find(&document, "sessions", "5d17fa94");
    assert_eq!(session["title"], "Passkeys, in a worktree of their own");
    assert_eq!(session["presence"], "disk");
    assert_eq!(session["copies"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&session["hidden"], &session["archived_in_claude_code"], &session["is_current"]),
        (&Value::Null, &false.into(), &false.into())
    );
    assert_eq!(find(&document, "sessions", "91d3c7a8")["hidden"], "continued");
    assert_eq!(find(&document, "sessions", "a17e60b2")["tag"], "tides");
    assert_eq!(find(&document, "sessions", "3f9c1d7e")["agents"], 2);
    assert_eq!(find(&document, "sessions", "f2c80b6d")["archived_in_claude_code"], true);
}

#[test]
fn ls_json_times_are_utc_in_any_time_zone() {
    let utc = demo(&["ls", "--json"]).done().json();
    let elsewhere = demo(&["ls", "--json", "--timezone", "Asia/Tokyo"]).done().json();
    assert_eq!(utc, elsewhere);
    for session in utc["sessions"].as_array().unwrap() {
        let moment = text(&session["modified_at"]);
        assert!(moment.ends_with('Z') && moment.parse::<jiff::Timestamp>().is_ok(), "{moment}");
    }
}

#[test]
fn where_json_keeps_its_contract() {
    let document = demo(&["where", "/home/ada/tidepool/src", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/where/1");
    assert_members(&document, "schema cwd folder path matched latest_session sessions");
    assert_eq!(document["cwd"], "/home/ada/tidepool/src");
    assert_eq!(document["folder"], "-home-ada-tidepool");
    assert_eq!(document["path"], "[ROOT]/projects/-home-ada-tidepool");
    assert_eq!(document["matched"], "parent");
    assert_eq!(document["latest_session"], "3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645");
}

#[test]
fn where_without_a_match_is_null_and_exit_1() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let answer = annals(&sandbox, &["where", "/home/ada/elsewhere", "--json"]);
    assert_eq!((answer.code, answer.err.as_str()), (1, ""));
    let document = answer.json();
    assert_eq!(document["schema"], "annals/where/1");
    assert_eq!(document["cwd"], "/home/ada/elsewhere");
    for name in ["matched", "folder", "path", "latest_session"] {
        assert_eq!(document.get(name), Some(&Value::Null), "{name}");
    }
    assert_eq!(document["sessions"], 0);
    let answer = annals(&sandbox, &["where", "/home/ada/elsewhere"]);
    assert_eq!(answer.code, 1);
    insta::assert_snapshot!(answer.out, @"No sessions for /home/ada/elsewhere or any parent folder.");
}

#[test]
fn where_leaves_empty_sessions_out_of_the_latest() {
    let sandbox = Sandbox::new();
    let kept = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    crate::cli::support::run::modified(&sandbox, &kept, "2026-01-01T00:00:00Z");
    sandbox.session("/home/ada/tidepool", &session_id(2), [""; 0]);
    let document = annals(&sandbox, &["where", "/home/ada/tidepool", "--json"]).done().json();
    assert_eq!(document["latest_session"], session_id(1));
}

#[test]
fn agents_json_keeps_its_contract() {
    let document = demo(&["agents", "3f9c1d7e", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/agents/1");
    assert_eq!(document["session_id"], "3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645");
    let agents = document["agents"].as_array().unwrap();
    for agent in agents {
        assert_members(
            agent,
            "id parent_id type description tool_use_id path workflow depth warmup",
        );
    }
    assert_eq!(agents[0]["parent_id"], Value::Null);
    assert_eq!(agents[1]["parent_id"], agents[0]["id"]);
    assert_eq!((&agents[0]["depth"], &agents[1]["depth"]), (&1.into(), &2.into()));
    assert_eq!(agents[0]["type"], "Explore");
    assert!(agents[0]["tool_use_id"].is_string());
    let workflow = demo(&["agents", "7be4920f", "--json"]).done().json();
    assert!(
        workflow["agents"]
            .as_array()
            .unwrap()
            .iter()
            .all(|agent| agent["workflow"] == "wf_4c19e7b2-8d0")
    );
    let flat = demo(&["agents", "e4a9d05f", "--json"]).done().json();
    let warm: Vec<_> =
        flat["agents"].as_array().unwrap().iter().map(|agent| &agent["warmup"]).collect();
    assert_eq!(warm, [true, false]);
}

#[test]
fn records_json_keeps_its_contract() {
    let document = demo(&["show", "3f9c1d7e", "--view", "all", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/records/1");
    assert_members(&document, "schema session records problems");
    assert_members(&document["session"], SESSION);
    let records = document["records"].as_array().unwrap();
    assert_eq!(records.len(), 36);
    for (record, line) in records.iter().zip(1..) {
        assert_members(record, "line offset type subtype uuid parent_uuid timestamp raw");
        assert_eq!(record["line"], line);
        let raw: Value = serde_json::from_str(record["raw"].as_str().unwrap()).unwrap();
        assert_eq!(raw["type"], record["type"]);
        assert_eq!(raw.get("uuid").unwrap_or(&Value::Null), &record["uuid"]);
        assert_eq!(raw.get("parentUuid").unwrap_or(&Value::Null), &record["parent_uuid"]);
    }
    assert_eq!(records[28]["subtype"], "turn_duration");
    assert_eq!(document["problems"].as_array().unwrap().len(), 0);
}

#[test]
fn calling_session_is_marked_current() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "One");
    session(&sandbox, 2, "/home/ada/tidepool", "Two");
    let current = |command: &mut std::process::Command| {
        let document = crate::cli::support::run::run(command).done().json();
        let sessions = document["sessions"].as_array().unwrap().clone();
        let current = sessions.into_iter().filter(|session| session["is_current"] == true);
        current.map(|session| text(&session["id"])).collect::<Vec<_>>()
    };
    let ls = || crate::cli::support::run::command(&sandbox, &["ls", "--json"]);
    assert!(current(&mut ls()).is_empty());
    assert_eq!(current(ls().env("CLAUDE_CODE_SESSION_ID", session_id(1))), [session_id(1)]);
    assert_eq!(current(ls().args(["--current-session", &session_id(2)])), [session_id(2)]);
    let both = ls()
        .args(["--current-session", &session_id(2)])
        .env("CLAUDE_CODE_SESSION_ID", session_id(1))
        .output();
    assert!(String::from_utf8(both.unwrap().stdout).unwrap().contains("\"is_current\": true"));
    let text = annals(&sandbox, &["ls", "--current-session", &session_id(2)]).done().out;
    assert_eq!(text.matches("(this one)").count(), 1, "{text}");
    // Being asked about is not asking.
    for (arguments, expected) in [(&[][..], false), (&["--current-session", &session_id(1)], true)]
    {
        let mut info =
            crate::cli::support::run::command(&sandbox, &["info", &session_id(1), "--json"]);
        let document = crate::cli::support::run::run(info.args(arguments)).done().json();
        assert_eq!(document["session"]["is_current"], expected, "{arguments:?}");
    }
}
