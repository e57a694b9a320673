//! `show --view app` and `--view sdk`: the conversation in a session.

use crate::cli::support::run::{annals, demo, session};
use serde_json::{Value, json};
use testkit::{Sandbox, chained, session_id, tool_result, tool_use, user};

fn uuids(document: &Value) -> Vec<&str> {
    let messages = document["messages"].as_array().unwrap();
    messages.iter().map(|message| message["uuid"].as_str().unwrap()).collect()
}

#[test]
fn rewound_messages_are_off_the_app_view_and_on_the_sdk_view() {
    let app = demo(&["show", "c52b8f06", "--view", "app", "--json"]).done().json();
    let sdk = demo(&["show", "c52b8f06", "--view", "sdk", "--json"]).done().json();
    assert_eq!((&app["schema"], &app["view"]), (&json!("annals/conversation/1"), &json!("app")));
    let undone: Vec<&str> = app["branches"][0]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(undone.len(), 4);
    assert!(undone.iter().all(|uuid| uuids(&sdk).contains(uuid) && !uuids(&app).contains(uuid)));
    let text = demo(&["show", "c52b8f06", "--view", "app"]).done().out;
    assert!(text.contains("⎇ abandoned branch: 4 messages"), "{text}");
    let undone = demo(&["show", "c52b8f06", "--abandoned", "1"]).done().out;
    assert!(undone.contains("❯ Never mind the steps, just remove the old files now."), "{undone}");
}

#[test]
fn messages_have_their_fixed_fields() {
    let document = demo(&["show", "a17e60b2", "--view", "app", "--json"]).done().json();
    for field in
        ["schema", "session", "view", "messages", "branches", "orphaned_segments", "compactions"]
    {
        assert!(document.get(field).is_some(), "{field}");
    }
    for field in [
        "uuid",
        "type",
        "role",
        "timestamp",
        "turn",
        "state",
        "agent_id",
        "model",
        "blocks",
        "meta",
    ] {
        assert!(document["messages"][0].get(field).is_some(), "{field}");
    }
    assert_eq!(document["compactions"][0]["trigger"], "auto");
}

#[test]
fn sub_agent_conversation_is_found_by_agent_id() {
    let document = demo(&["show", "a6f20d91c3b87e45a", "--view", "sdk", "--json"]).done().json();
    assert_eq!(document["agent_id"], "a6f20d91c3b87e45a");
    assert!(!uuids(&document).is_empty());
}

#[test]
fn record_filters_are_refused_for_a_conversation() {
    for arguments in [["--limit", "3"], ["--since", "3d"], ["--type", "user"]] {
        let all = [&["show", "3f9c1d7e", "--view", "app"], &arguments[..]].concat();
        assert!(demo(&all).complaint(2).contains("--view all"), "{arguments:?}");
    }
}

#[test]
fn session_without_messages_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write(&format!("projects/-x/{}.jsonl", session_id(1)), "{\"type\":\"mode\"}\n");
    let answer = annals(&sandbox, &["show", &session_id(1), "--view", "app"]).done();
    assert!(answer.out.contains("\n\nNo messages that Claude Code would show"), "{}", answer.out);
    session(&sandbox, 2, "/home/ada/x", "Hello");
    let answer = annals(&sandbox, &["show", &session_id(2), "--view", "sdk"]).done();
    assert!(answer.out.contains("Hello"), "{}", answer.out);
}

#[test]
fn carriage_returns_between_the_members_of_a_line_leave_valid_json() {
    let sandbox = Sandbox::new();
    let lines = chained([
        user("High\r\nwater"),
        tool_use("t", "Bash", &json!({"command": "tide\r", "timeout": 5})),
        tool_result("t", "ebb"),
    ]);
    let id = session_id(9);
    sandbox.session("-home-ada-tidepool", &id, &lines);
    let plain = |options: &[&str]| annals(&sandbox, &[options, &[&*id]].concat()).done().json();
    let asked: [&[&str]; 3] = [
        &["show", "--json"],
        &["show", "--json", "--view", "sdk"],
        &["export", "--format", "json", "--output", "-"],
    ];
    let without: Vec<_> = asked.iter().map(|options| plain(options)["messages"].take()).collect();
    let broken = lines.iter().map(|line| line.to_string().replace("\":", "\":\r"));
    sandbox.session("-home-ada-tidepool", &id, broken.collect::<Vec<_>>());
    for (options, without) in asked.iter().zip(without) {
        let blocks = |messages: &Value| -> Vec<Value> {
            let messages = messages.as_array().into_iter().flatten();
            messages.map(|message| message["blocks"].clone()).collect()
        };
        assert_eq!(blocks(&plain(options)["messages"]), blocks(&without), "{options:?}");
    }
}
