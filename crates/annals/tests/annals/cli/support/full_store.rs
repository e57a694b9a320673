//! A store with one of everything that a store can contain.

use crate::cli::support::run::{exchange, modified, session};
use serde_json::json;
use testkit::{Sandbox, assistant, metadata, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";

/// Builds the store.
pub(crate) fn build(sandbox: &Sandbox) {
    transcripts(sandbox);
    agents(sandbox);
    sidecars(sandbox);
    configuration(sandbox);
}

fn transcripts(sandbox: &Sandbox) {
    let lines = exchange(1, CWD, "Why is the sea salt?").into_iter().chain([
        tool_use(
            "t1",
            "Task",
            &json!({"subagent_type": "Explore", "description": "Look", "prompt": "Look around"}),
        ),
        tool_result("t1", "agentId: a1 (for resuming this agent)"),
        tool_use("t2", "Edit", &json!({"file_path": "/home/ada/tidepool/README.md"})),
        tool_result("t2", "<persisted-output>/home/ada/big.txt</persisted-output>"),
        tool_use("t3", "ExitPlanMode", &json!({"plan": "# A plan"})).with("slug", "salty-sea"),
        user("An aside").with("isSidechain", true),
        metadata("system", &[("subtype", "compact_boundary".into()), ("uuid", "c1".into())]),
        user("In short").with("isCompactSummary", true),
        metadata(
            "queue-operation",
            &[("operation", "enqueue".into()), ("content", "And the moon?".into())],
        ),
        metadata(
            "custom-title",
            &[("customTitle", "Salt".into()), ("sessionId", session_id(1).into())],
        ),
        metadata("tag", &[("tag", "sea".into())]),
        metadata(
            "pr-link",
            &[("prUrl", "https://example.org/pull/7".into()), ("prNumber", 7.into())],
        ),
        metadata("weather-report", &[("sky", "clear".into())]),
    ]);
    let path = sandbox.session(CWD, &session_id(1), lines);
    sandbox.append(&path, b"\0\0{\"type\":\"mode\"}\n\n{\"type\":\"mode\"}{\"type\":\"mode\"}\ncaf\xe9\n{\"type\":\"user\",\"to");
    modified(sandbox, &path, "2026-01-20T12:00:00Z");
    let old = session(sandbox, 2, "/home/ada/notes", "Old");
    modified(sandbox, &old, "2026-01-03T12:00:00Z");
    let copy = sandbox.session("/home/ada/notes", &session_id(1), exchange(1, CWD, "A copy"));
    modified(sandbox, &copy, "2026-01-19T12:00:00Z");
    sandbox.session(CWD, &session_id(3), [""; 0]);
    let continued = metadata("continued-in", &[("continuedInSessionId", session_id(1).into())]);
    sandbox.session(
        CWD,
        &session_id(4),
        exchange(4, CWD, "To be continued").into_iter().chain([continued]),
    );
    sandbox.session(CWD, &session_id(5), [user("Warmup").with("isSidechain", true)]);
    session(sandbox, 6, "/home/ada/a_b", "Shares");
    session(sandbox, 7, "/home/ada/a-b", "its folder");
    sandbox.write(
        "transcripts/ses_abc.jsonl",
        json!({"type": "user", "timestamp": "2026-01-01T00:00:00Z", "content": "Foreign"})
            .to_string(),
    );
    let copy = format!("pre-compact-session-histories/{}-20260119-100000.jsonl", session_id(1));
    sandbox.write(&copy, user("Before").to_string() + "\n");
}

fn agents(sandbox: &Sandbox) {
    let own = format!("projects/-home-ada-tidepool/{}", session_id(1));
    let lines =
        format!("{}\n{}\n", user("Look around").with("isSidechain", true), assistant("Done."));
    sandbox.write(&format!("{own}/subagents/agent-a1.jsonl"), &lines);
    sandbox.write(
        &format!("{own}/subagents/agent-a1.meta.json"),
        r#"{"agentType": "Explore", "toolUseId": "t1"}"#,
    );
    sandbox.write(&format!("{own}/subagents/workflows/wf_1/agent-a2.jsonl"), &lines);
    sandbox.write(
        &format!("{own}/subagents/workflows/wf_1/journal.jsonl"),
        "{\"type\":\"started\"}\n",
    );
    sandbox.write(
        &format!("{own}/workflows/wf_1.json"),
        r#"{"runId": "wf_1", "workflowName": "compare", "status": "completed"}"#,
    );
    sandbox.write("projects/-home-ada-tidepool/agent-a3.jsonl", &lines);
    sandbox.write(
        &format!("projects/-home-ada-tidepool/{}/subagents/agent-a4.jsonl", session_id(8)),
        &lines,
    );
}

fn sidecars(sandbox: &Sandbox) {
    let own = format!("projects/-home-ada-tidepool/{}", session_id(1));
    sandbox.write(&format!("{own}/tool-results/big.txt"), "a large output");
    sandbox.write(&format!("{own}/custom-title.json"), r#"{"customTitle": "Salt, renamed"}"#);
    sandbox.write(
        &format!("{own}/archived.json"),
        r#"{"archived": true, "at": "2026-01-20T12:00:00Z", "by": "user"}"#,
    );
    sandbox.write(&format!("{own}/resume-head.jsonl"), "{}\n");
    sandbox.write(&format!("{own}/precompact.json"), "{}");
    sandbox.write("projects/-home-ada-tidepool/memory/MEMORY.md", "Remember.");
    sandbox.write(
        "projects/-home-ada-tidepool/sessions-index.json",
        r#"{"entries": [{"sessionId": "gone"}]}"#,
    );
    sandbox.write("projects/-home-ada-tidepool/notes.txt", "A stray.");
    sandbox.write("projects/-home-ada-tidepool/backup.jsonl", "{}\n");
    sandbox.write("projects/stray.txt", "A stray.");
    std::os::unix::fs::symlink("/etc/passwd", sandbox.projects().join("link")).unwrap();
    std::os::unix::fs::symlink(
        sandbox.projects(),
        sandbox.projects().join("-home-ada-tidepool/loop"),
    )
    .unwrap();
}

fn configuration(sandbox: &Sandbox) {
    let history = json!({"display": "Gone", "timestamp": 1_767_225_600_000_u64, "project": "/home/ada/gone", "sessionId": session_id(9)});
    sandbox.write("history.jsonl", format!("{history}\nnot JSON\n"));
    sandbox.write("settings.json", r#"{"cleanupPeriodDays": 20}"#);
    sandbox.write("stats-cache.json", r#"{"lastComputedDate": "2025-12-31", "totalSessions": 99}"#);
    sandbox.write(
        "sessions/1.json",
        json!({"pid": 1, "sessionId": session_id(1), "cwd": CWD}).to_string(),
    );
    sandbox.write("sessions/1.key", "a secret");
    sandbox.write("plans/salty-sea.md", "# A plan");
    sandbox.write(&format!("file-history/{}/0123456789abcdef@v1", session_id(1)), "before");
    sandbox.write("todos/1.json", "[]");
}
