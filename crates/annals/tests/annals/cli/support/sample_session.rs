//! A handwritten session with everything that can happen in one: two generations, an
//! abandoned branch, an orphaned segment, nested agents, a workflow.

use serde_json::{Value, json};
use testkit::{
    Line, Sandbox, assistant, metadata, session_id, system, tool_error, tool_result, tool_use, user,
};

/// The shortest valid prefix of its id.
pub(crate) const ID: &str = "00000001";

/// Its working directory.
pub(crate) const CWD: &str = "/home/ada/tidepool";

/// The file that it changes.
pub(crate) const FILE: &str = "/home/ada/tidepool/src/tide.rs";

/// A line with its uuid, its parent and its time on 2026-01-20.
fn at(line: Line, uuid: &str, parent: Option<&str>, time: &str) -> Line {
    let line = line.with("sessionId", session_id(1)).cwd(CWD);
    line.link(uuid, parent).at(&format!("2026-01-20T{time}Z"))
}

/// The same for an answer, which is a separate API response.
fn answer(line: Line, uuid: &str, parent: &str, time: &str) -> Line {
    at(line, uuid, Some(parent), time).message("id", format!("m-{uuid}"))
}

/// The messages before the compaction.
fn first_generation() -> Vec<Line> {
    let thought = json!([{"type": "thinking", "thinking": "The moon pulls.", "signature": "s"}]);
    let read = json!({"type": "text", "file": {"filePath": FILE, "numLines": 1, "startLine": 1}});
    let kept = json!({"trigger": "auto", "preTokens": 150_000, "postTokens": 9_000});
    vec![
        at(user("Look at the tides"), "u1", None, "09:00:00"),
        answer(assistant("").message("content", thought), "u2", "u1", "09:00:02"),
        answer(tool_use("t1", "Read", &json!({"file_path": FILE})), "u3", "u2", "09:00:03"),
        at(tool_result("t1", "fn tide() {}"), "u4", Some("u3"), "09:00:04")
            .with("toolUseResult", read),
        answer(assistant("They come **twice** a day."), "u5", "u4", "09:00:06"),
        at(system("compact_boundary"), "z1", None, "09:10:00")
            .with("logicalParentUuid", "u5")
            .with("compactMetadata", kept),
        at(user("We spoke of tides."), "z2", Some("z1"), "09:10:01").with("isCompactSummary", true),
    ]
}

/// The messages after the compaction.
fn second_generation() -> Vec<Line> {
    let edit = json!({"file_path": FILE, "old_string": "ebb", "new_string": "ebb\nflow"});
    let patch = json!({"filePath": FILE, "structuredPatch": [{"oldStart": 7, "oldLines": 1,
        "newStart": 7, "newLines": 2, "lines": [" ebb", "+flow"]}]});
    let waves: Vec<String> = (1..=60).map(|n| format!("wave {n}")).collect();
    let failure = format!("Exit code 101\n{}", waves.join("\n"));
    let task =
        json!({"subagent_type": "Explore", "description": "survey", "prompt": "Survey the shore"});
    vec![
        at(user("Fix the ebb"), "v1", Some("z2"), "10:00:00"),
        answer(tool_use("t2", "Edit", &edit), "v2", "v1", "10:00:05"),
        at(tool_result("t2", "Edited."), "v3", Some("v2"), "10:00:06").with("toolUseResult", patch),
        answer(tool_use("t3", "Bash", &json!({"command": "cargo test"})), "v4", "v3", "10:00:08"),
        at(tool_error("t3", &failure), "v5", Some("v4"), "10:00:18"),
        answer(tool_use("t4", "Task", &task), "v6", "v5", "10:00:20"),
        at(tool_result("t4", "Sandy."), "v7", Some("v6"), "10:01:20")
            .with("toolUseResult", json!({"agentId": "shore", "totalTokens": 50})),
        answer(assistant("Fixed."), "v8", "v7", "10:01:22"),
        at(user("Never mind"), "x1", Some("v8"), "10:02:00"),
        answer(assistant("As you wish."), "x2", "x1", "10:02:05"),
        at(user("Thank you"), "w1", Some("v8"), "10:05:00"),
        answer(tool_use("t5", "Skill", &json!({"skill": "bow"})), "w2", "w1", "10:05:04"),
        answer(assistant("Gladly."), "w3", "w2", "10:05:06"),
    ]
}

/// Writes the session into a new store.
pub(crate) fn story() -> Sandbox {
    let sandbox = Sandbox::new();
    let stray = at(user("A stray remark"), "y1", Some("gone"), "08:00:00");
    let title = metadata("custom-title", &[("customTitle", "Tides".into())]);
    let lines = [vec![stray], first_generation(), second_generation(), vec![title]].concat();
    sandbox.session(CWD, &session_id(1), lines);
    let shore = [
        at(user("Survey the shore"), "a1", None, "10:00:20"),
        answer(tool_use("g1", "Grep", &json!({"pattern": "sand"})), "a2", "a1", "10:00:30"),
        at(tool_error("g1", "This command requires approval"), "a3", Some("a2"), "10:00:31"),
        answer(
            tool_use("g2", "Agent", &json!({"subagent_type": "Count", "prompt": "Count crabs"})),
            "a4",
            "a3",
            "10:00:40",
        ),
        at(tool_result("g2", "Seven."), "a5", Some("a4"), "10:00:50"),
        answer(assistant("Sandy."), "a6", "a5", "10:01:19"),
    ];
    agent(&sandbox, "shore", &shore, &json!({"agentType": "Explore", "description": "survey"}));
    let crabs = [
        at(user("Count crabs"), "b1", None, "10:00:41"),
        answer(assistant("Seven."), "b2", "b1", "10:00:49"),
    ];
    agent(&sandbox, "crabs", &crabs, &json!({"parentAgentId": "shore", "toolUseId": "g2"}));
    let warm = [at(user("Warmup"), "c1", None, "09:00:00")];
    agent(&sandbox, "warm", &warm, &json!({}));
    let flow = [
        at(user("Weigh the water"), "d1", None, "10:03:00"),
        answer(assistant("Heavy."), "d2", "d1", "10:03:09"),
    ];
    agent(&sandbox, "workflows/wf_1/agent-flow", &flow, &json!({"workflowPhase": "weigh"}));
    let run = json!({"runId": "wf_1", "workflowName": "measure", "status": "completed"});
    let folder = format!("projects/-home-ada-tidepool/{}", session_id(1));
    sandbox.write(&format!("{folder}/workflows/wf_1.json"), run.to_string());
    sandbox
}

/// Writes an agent of the session; a name with a path is the whole file name.
fn agent(sandbox: &Sandbox, name: &str, lines: &[Line], meta: &Value) {
    let folder = format!("projects/-home-ada-tidepool/{}/subagents", session_id(1));
    let file = if name.contains('/') { name.to_owned() } else { format!("agent-{name}") };
    let lines = lines.iter().map(|line| line.clone().with("isSidechain", true).to_string() + "\n");
    sandbox.write(&format!("{folder}/{file}.jsonl"), lines.collect::<String>());
    sandbox.write(&format!("{folder}/{file}.meta.json"), meta.to_string());
}
