//! Untrusted text is shown, but its control characters never reach the terminal.

use crate::cli::support::exercises::{refused_calls, text_calls, with_folder};
use crate::cli::support::hostile_text::{EVIL, assert_harmless};
use crate::cli::support::run::{annals, assert_members, command, run, text};
use serde_json::json;
use std::fs;
use testkit::{Sandbox, assistant, metadata, session_id, tool_use, user};

const ID: &str = "00000001";

/// A store with hostile text everywhere, in a folder with a hostile name.
fn store() -> (Sandbox, std::path::PathBuf) {
    let sandbox = Sandbox::new();
    let cwd = format!("/home/{EVIL}");
    let change = |line: testkit::Line| {
        line.cwd(&cwd)
            .with("gitBranch", EVIL)
            .with("version", EVIL)
            .with("entrypoint", EVIL)
            .with("slug", EVIL)
            .with(EVIL, EVIL)
            .with("uuid", EVIL)
            .with("parentUuid", EVIL)
    };
    let answer = json!({"model": EVIL, "id": EVIL, "role": "assistant", "content": [
        {"type": "text", "text": EVIL}, {"type": EVIL, EVIL: EVIL}, {"type": "thinking", "thinking": EVIL}],
        "usage": {"input_tokens": 5, "output_tokens": 7, "service_tier": EVIL, EVIL: EVIL,
            "iterations": [{"type": "advisor_message", "model": EVIL, "output_tokens": 1}]}});
    let limit = json!({"model": "<synthetic>", "id": "limit", "role": "assistant", "usage": {},
        "content": [{"type": "text", "text": format!("{EVIL} limit reached|{EVIL}")}]});
    let lines = [
        change(user(EVIL)).to_string(),
        change(assistant("")).with("message", answer).with("requestId", "evil_request").to_string(),
        change(tool_use(EVIL, EVIL, &json!({"file_path": EVIL, EVIL: EVIL}))).to_string(),
        change(tool_use("t", "Write", &json!({"file_path": EVIL}))).to_string(),
        change(tool_use(
            "t2",
            "Task",
            &json!({"subagent_type": EVIL, "description": EVIL, "prompt": EVIL}),
        ))
        .to_string(),
        change(testkit::tool_result("t2", EVIL)).to_string(),
        change(assistant("")).with("message", limit).to_string(),
        change(testkit::call("charged", [1, 2, 3, 4]))
            .with("attributionAgent", EVIL)
            .with("attributionSkill", EVIL)
            .with("attributionPlugin", EVIL)
            .with("attributionMcpServer", EVIL)
            .with("effort", EVIL)
            .to_string(),
        change(tool_use("t3", "ExitPlanMode", &json!({"plan": EVIL, "planFilePath": EVIL})))
            .to_string(),
        change(testkit::tool_result("t3", EVIL))
            .with("toolUseResult", json!({"plan": format!("{EVIL}\n{EVIL}"), "filePath": EVIL}))
            .to_string(),
        change(user(EVIL)).with("type", EVIL).with("subtype", EVIL).to_string(),
        change(user(EVIL))
            .with("type", "system")
            .with("subtype", EVIL)
            .with("content", EVIL)
            .to_string(),
        change(user(EVIL))
            .with("timestamp", EVIL)
            .with("isSidechain", true)
            .with("agentId", EVIL)
            .to_string(),
        metadata("attachment", &[("attachment", json!({"type": EVIL, "content": EVIL}))])
            .to_string(),
        metadata("queue-operation", &[("operation", "enqueue".into()), ("content", EVIL.into())])
            .to_string(),
        metadata(
            "pr-link",
            &[("prUrl", EVIL.into()), ("prRepository", EVIL.into()), ("prNumber", 1.into())],
        )
        .to_string(),
        metadata("tag", &[("tag", EVIL.into())]).to_string(),
        metadata("continued-in", &[("continuedInSessionId", format!("{EVIL}!").into())])
            .to_string(),
        metadata("custom-title", &[("customTitle", EVIL.into())]).to_string(),
        format!("{EVIL} is not JSON"),
        format!("{{\"type\":\"user\",\"message\":{EVIL}"),
    ];
    sandbox.session("/home/evil", &session_id(1), &lines);
    let copy = sandbox.session(&cwd, &session_id(1), &lines[..3]);
    sandbox.set_modified(&copy, 0);
    sandbox.session("/home/evil", &session_id(2), [&lines[0]]);
    let own = format!("projects/-home-evil/{}", session_id(1));
    sandbox.write(&format!("{own}/subagents/agent-{EVIL}.jsonl"), &lines[0]);
    let meta = json!({"agentType": EVIL, "description": EVIL, "toolUseId": EVIL, "model": EVIL, "parentAgentId": EVIL});
    sandbox.write(&format!("{own}/subagents/agent-{EVIL}.meta.json"), meta.to_string());
    sandbox.write(&format!("{own}/subagents/workflows/wf_{EVIL}/agent-b.jsonl"), &lines[0]);
    let run = json!({"workflowName": EVIL, "status": EVIL, "summary": EVIL, "error": EVIL, "timestamp": EVIL});
    sandbox.write(&format!("{own}/workflows/wf_{EVIL}.json"), run.to_string());
    sandbox.write(&format!("{own}/tool-results/{EVIL}.txt"), EVIL);
    sandbox.write(&format!("projects/-home-evil/agent-{EVIL}2.jsonl"), &lines[0]);
    sandbox.write(&format!("projects/-home-evil/{EVIL}.jsonl"), &lines[0]);
    sandbox.write(&format!("projects/-home-evil/{EVIL}.txt"), EVIL);
    sandbox.write(&format!("projects/{EVIL}/{}.jsonl", session_id(3)), lines[0].clone() + "\n");
    sandbox.write(
        "projects/-home-evil/sessions-index.json",
        json!({"entries": [{"sessionId": EVIL}]}).to_string(),
    );
    sandbox.write(
        "stats-cache.json",
        json!({"lastComputedDate": EVIL, "totalSessions": 3, "modelUsage": {EVIL: {"inputTokens": 7}}}).to_string(),
    );
    sandbox.write("settings.json", format!("{{\"cleanupPeriodDays\": \"{EVIL}"));
    sandbox.write(
        &format!("transcripts/ses_{EVIL}.jsonl"),
        json!({"type": "user", "content": EVIL}).to_string(),
    );
    sandbox.write(&format!("pre-compact-session-histories/{EVIL}.jsonl"), &lines[0]);
    let history = json!({"display": EVIL, "timestamp": 1_767_225_600_000_u64, "project": EVIL, "sessionId": session_id(9)});
    sandbox.write("history.jsonl", history.to_string() + "\n");
    let config = sandbox.path().join(format!("claude{EVIL}"));
    fs::rename(sandbox.config(), &config).unwrap();
    (sandbox, config)
}

#[test]
fn no_command_lets_control_characters_through() {
    let (sandbox, config) = store();
    for call in text_calls(ID) {
        let folder = sandbox.home().join("folder").display().to_string();
        assert_harmless(&sandbox, &config, &with_folder(&call, &folder));
    }
    let about_this_store: &[&[&str]] = &[
        &["ls", "--model", "a"],
        &["where", "/home/evil"],
        &["where", &format!("/home/{EVIL}")],
        &["info", "00000003"],
        &["show", "00000009"],
        &["show", EVIL],
        &["show", "agent-b"],
        &["show", "b"],
        &["show", ID, "--abandoned", "1"],
        &["show", ID, "--find", "owned"],
        &["tools", ID, "--errors"],
        &["files", EVIL],
        &["prompts", "00000009"],
        &["context", "b"],
        &["plan", ID, "--number", "1"],
        &["plan", "00000003"],
        &["usage", "project"],
        &["usage", "agent"],
        &["usage", "--by", "model,branch,tool,agent"],
        &["usage", "--explain", EVIL],
        &["usage", "--explain", "evil_request"],
        &["usage", "--model", EVIL],
        &["usage", "--tool", EVIL, "--agent", EVIL],
        &["usage", "--cost", "display"],
        &["usage", "--git-branch", EVIL],
    ];
    for arguments in about_this_store {
        assert_harmless(&sandbox, &config, arguments);
    }
}

#[test]
fn no_error_lets_control_characters_through() {
    let (sandbox, config) = store();
    let path = format!("/tmp/{EVIL}.jsonl");
    for call in refused_calls(ID) {
        assert_harmless(&sandbox, &config, &call);
    }
    let commands: [&[&str]; 20] = [
        &["info", EVIL],
        &["info", "0"],
        &["info", &path],
        &["info", &format!("{EVIL}/x")],
        &["info", &format!("@{EVIL}")],
        &["show", ID, "--find", &format!("{EVIL}!")],
        &["tools", ID, "--status", EVIL],
        &["tree", EVIL],
        &["man", EVIL],
        &["ls", "--timezone", EVIL],
        &["ls", "--since", EVIL],
        &["ls", "--alias", EVIL],
        &["ls", "--exclude", &format!("[{EVIL}")],
        &["ls", "--root", EVIL],
        &["ls", "--root", EVIL, "--root", "."],
        &["ls", "--root", &path, "--root", "."],
        &["doctor", "--root", EVIL, "--root", "."],
        &["usage", "--explain", &format!("{EVIL}!")],
        &["usage", "--prices", EVIL],
        &["usage", "--by", EVIL],
    ];
    for arguments in commands {
        assert_harmless(&sandbox, &config, arguments);
    }
}

#[test]
fn escaped_text_is_still_readable() {
    let (sandbox, config) = store();
    let answer = run(command(&sandbox, &["ls"]).env("CLAUDE_CONFIG_DIR", &config));
    assert!(answer.out.contains(r"a\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m"), "{}", answer.out);
}

#[test]
fn csv_in_a_pipe_has_no_control_characters() {
    let (sandbox, config) = store();
    for arguments in
        [&["ls", "--csv", "--hidden"][..], &["prompts", "--csv"], &["tools", ID, "--csv"]]
    {
        let answer = run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &config));
        assert!(answer.out.contains("owned"), "{arguments:?}: {answer:?}");
        assert!(!answer.out.contains(render::untrusted::is_harmful), "{arguments:?}");
    }
}

#[test]
fn json_in_a_pipe_keeps_the_original_text_in_escapes() {
    let (sandbox, config) = store();
    let ask = |arguments: &[&str]| {
        let answer = run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &config));
        assert!(!answer.out.contains(render::untrusted::is_harmful), "{arguments:?}");
        answer.json()
    };
    let document = ask(&["ls", "--json", "--hidden"]);
    let sessions = document["sessions"].as_array().unwrap();
    let session = sessions
        .iter()
        .find(|session| session["id"] == session_id(1) && session["title"] == EVIL)
        .unwrap();
    assert_members(session, "copies");
    for member in ["branch", "version", "entrypoint", "tag", "first_prompt"] {
        assert_eq!(session[member], EVIL, "{member}");
    }
    assert_eq!(text(&session["cwd"]), format!("/home/{EVIL}"));
    let agents = ask(&["agents", ID, "--json"]);
    let agents = agents["agents"].as_array().unwrap();
    assert!(
        agents.iter().any(|agent| agent["id"] == EVIL
            && agent["type"] == EVIL
            && agent["description"] == EVIL)
    );
    let prompts = ask(&["prompts", ID, "--json"]);
    assert_eq!(prompts["prompts"][0]["text"], EVIL);
    for arguments in [
        &["show", ID, "--json"][..],
        &["doctor", "--json"],
        &["info", ID, "--json"],
        &["projects", "--json"],
        &["--json"],
    ] {
        ask(arguments);
    }
}

#[test]
fn prompts_of_one_session_keep_their_lines() {
    let sandbox = Sandbox::new();
    sandbox.session(
        "/p",
        &session_id(1),
        [user("one\n\ttwo\u{1b}[2J\r\nthree").with("sessionId", session_id(1))],
    );
    let answer = annals(&sandbox, &["prompts", ID]).done();
    assert!(answer.out.contains("one\n\ttwo\\u{1b}[2J\nthree\n"), "{}", answer.out);
    assert!(annals(&sandbox, &["prompts"]).done().out.contains("one two"), "a row is one line");
}
