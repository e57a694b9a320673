//! `annals tools`: calls with their results, and their sums.

use crate::cli::support::run::{Answer, annals, assert_members};
use crate::cli::support::sample_session::{CWD, FILE, ID, story};
use serde_json::{Value, json};
use testkit::{Sandbox, assistant, chained, session_id, tool_error, tool_result, tool_use, user};

fn tools(sandbox: &Sandbox, options: &[&str]) -> Answer {
    annals(sandbox, &[&["tools"], options].concat())
}

/// One member of each call.
fn each(document: &Value, member: &str) -> Vec<Value> {
    let calls = document["calls"].as_array().unwrap();
    calls.iter().map(|call| call[member].clone()).collect()
}

#[test]
fn calls_of_a_session_are_listed_with_status() {
    let answer = tools(&story(), &[ID]).done();
    insta::assert_snapshot!(answer.out, @"
    WHEN                 TURN  AGENT          ENDED    TIME  CALL
    2026-01-20 09:00:03     1                          1.0s  Read src/tide.rs (1 line)
    2026-01-20 10:00:05     2                          1.0s  Edit src/tide.rs +1 −0
    2026-01-20 10:00:08     2                 error     10s  Bash cargo test
    2026-01-20 10:00:20     2                            1m  Task Explore: survey
    2026-01-20 10:00:30     1  Explore shore  denied   1.0s  Grep sand
    2026-01-20 10:00:40     1  Explore shore            10s  Agent Count
    2026-01-20 10:05:04     3                 missing        Skill bow
    ");
}

#[test]
fn calls_json_keeps_its_contract() {
    let document = tools(&story(), &[ID, "--json"]).done().json();
    assert_members(&document, "schema total next calls");
    assert_eq!((&document["schema"], &document["total"]), (&json!("annals/tools/1"), &json!(7)));
    for call in document["calls"].as_array().unwrap() {
        assert_members(
            call,
            "session_id agent_id tool tool_use_id started_at duration_ms input result is_error \
             status files summary diff exit_code commits pull_requests persisted model skill line",
        );
        assert_eq!(call["session_id"], session_id(1));
    }
    assert_eq!(each(&document, "tool_use_id"), ["t1", "t2", "t3", "t4", "g1", "g2", "t5"]);
    assert_eq!(each(&document, "status"), ["ok", "ok", "error", "ok", "denied", "ok", "missing"]);
    let agents = each(&document, "agent_id");
    assert!(agents[..4].iter().chain(&agents[6..]).all(Value::is_null));
    assert_eq!(agents[4..6], ["shore", "shore"]);
    let edit = &document["calls"][1];
    assert_eq!(edit["files"], json!([FILE]));
    assert_eq!(edit["diff"], format!("--- {FILE}\n+++ {FILE}\n@@ -7,1 +7,2 @@\n ebb\n+flow\n"));
    assert_eq!(edit["started_at"], "2026-01-20T10:00:05.000Z");
    let bash = &document["calls"][2];
    assert_eq!((&bash["exit_code"], &bash["is_error"]), (&json!(101), &json!(true)));
    assert_eq!(
        (&bash["input"], &bash["duration_ms"]),
        (&json!({"command": "cargo test"}), &json!(10_000))
    );
    let skill = &document["calls"][6];
    assert_eq!((&skill["result"], &skill["duration_ms"]), (&Value::Null, &Value::Null));
}

#[test]
fn calls_are_filtered_by_tool_status_agent_and_time() {
    let sandbox = story();
    let table: [(&[&str], &[&str]); 9] = [
        (&["--tool", "Bash"], &["t3"]),
        (&["--tool", "nothing"], &[]),
        (&["--errors"], &["t3", "g1"]),
        (&["--status", "missing"], &["t5"]),
        (&["--status", "ok", "--tool", "Read"], &["t1"]),
        (&["--status", "denied", "--status", "missing"], &["g1", "t5"]),
        (&["--agent", "Explore"], &["g1", "g2"]),
        (&["--since", "2026-01-20T10:05:00Z"], &["t5"]),
        (&["--until", "2026-01-20T09:30:00Z"], &["t1"]),
    ];
    for (options, expected) in table {
        let answer = tools(&sandbox, &[&[ID, "--json"], options].concat());
        assert_eq!(each(&answer.json(), "tool_use_id"), expected, "{options:?}");
        assert_eq!(answer.code, 0, "{options:?}");
    }
    let nothing = tools(&sandbox, &[ID, "--tool", "nothing"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (0, "No calls.\n"));
    tools(&sandbox, &[ID, "--errors", "--status", "ok"]).complaint(2);
    tools(&sandbox, &[ID, "--status", "sideways"]).complaint(2);
}

#[test]
fn all_sessions_are_paged_newest_first() {
    let sandbox = story();
    let later = [user("go"), tool_use("n1", "Bash", &json!({})).at("2026-01-25T00:00:00Z")];
    let later = chained(later).into_iter().map(|line| line.with("sessionId", session_id(2)));
    sandbox.session(CWD, &session_id(2), later);
    let page = |options: &[&str]| tools(&sandbox, &[&["--json"], options].concat()).done().json();
    let first = page(&["--limit", "2"]);
    assert_eq!(each(&first, "tool_use_id"), ["n1", "t5"]);
    assert_eq!((&first["total"], &first["next"]), (&json!(8), &json!(2)));
    let second = page(&["--limit", "2", "--offset", "2"]);
    assert_eq!(each(&second, "tool_use_id"), ["g2", "g1"]);
    assert_eq!(page(&["--limit", "0"])["next"], Value::Null);
    assert_eq!(page(&["--offset", "99"])["calls"], json!([]));
}

#[test]
fn calls_of_an_agent_are_found_by_agent_id() {
    let sandbox = story();
    let own = tools(&sandbox, &["shore", "--json"]).done().json();
    assert_eq!(each(&own, "tool_use_id"), ["g1", "g2"]);
    assert_eq!(tools(&sandbox, &["crabs", "--json"]).json()["calls"], json!([]));
}

#[test]
fn agent_of_a_deleted_session_still_has_its_calls() {
    let lines = |session: &str| {
        let lines = [user("look"), tool_use("t1", "Bash", &json!({})), tool_result("t1", "x")];
        let lines = chained(lines).into_iter().map(|line| {
            line.with("isSidechain", true).with("sessionId", session.to_owned()).to_string() + "\n"
        });
        lines.collect::<String>()
    };
    let sandbox = Sandbox::new();
    let (nested, flat) = (session_id(7), session_id(8));
    sandbox.write(&format!("projects/-p/{nested}/subagents/agent-nested.jsonl"), lines(&nested));
    sandbox.write("projects/-p/agent-flat.jsonl", lines(&flat));
    for (agent, session) in [("nested", nested), ("flat", flat)] {
        let document = tools(&sandbox, &[agent, "--json"]).done().json();
        assert_eq!(each(&document, "tool_use_id"), ["t1"], "{agent}");
        assert_eq!(each(&document, "session_id"), [session], "{agent}");
        let agents = annals(&sandbox, &["agents", agent, "--json"]).done().json();
        assert_eq!(agents["agents"][0]["id"], agent);
    }
}

#[test]
fn csv_has_one_row_per_call() {
    let csv = tools(&story(), &[ID, "--csv"]).done().out;
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "started_at,session_id,agent_id,tool,status,duration_ms,tool_use_id,summary,files,turn"
    );
    assert_eq!(lines.count(), 7);
    let jsonl = tools(&story(), &[ID, "--jsonl"]).done().out;
    assert_eq!(jsonl.lines().count(), 7);
}

#[test]
fn stats_json_keeps_its_contract() {
    let document = tools(&story(), &["--stats", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/tool-stats/1");
    assert_members(&document, "schema timezone total rows days hours");
    for row in document["rows"].as_array().unwrap() {
        assert_members(row, "by name calls errors denials interrupted missing p50_ms p95_ms");
    }
    assert_eq!(
        document["total"],
        json!({"by": "total", "name": "", "calls": 7, "errors": 1, "denials": 1, "interrupted": 0,
            "missing": 1, "p50_ms": 1000, "p95_ms": 60_000})
    );
    assert_eq!(document["days"], json!({"2026-01-20": 7}));
    assert_eq!((&document["hours"][9], &document["hours"][10]), (&json!(1), &json!(6)));
    assert_eq!(document["hours"].as_array().unwrap().len(), 24);
}

#[test]
fn stats_group_by_tool_agent_skill_and_server() {
    let sandbox = Sandbox::new();
    let call = |id: &str, tool: &str| tool_use(id, tool, &json!({}));
    let lines = [
        user("go"),
        call("t1", "mcp__sea__weigh").with("attributionSkill", "oceanography"),
        tool_result("t1", "x"),
        call("t2", "mcp__sea__drain"),
        tool_error("t2", "no"),
        call("t3", "Bash").with("attributionSkill", "oceanography"),
        assistant("done"),
    ];
    sandbox.session(CWD, &session_id(1), chained(lines));
    let document = tools(&sandbox, &["--stats", "--json"]).done().json();
    let rows: Vec<(&str, &str, u64)> = document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap();
            (text("by"), text("name"), row["calls"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("tool", "Bash", 1),
            ("tool", "mcp__sea__drain", 1),
            ("tool", "mcp__sea__weigh", 1),
            ("agent", "(main)", 3),
            ("skill", "oceanography", 2),
            ("mcp", "sea", 2),
        ]
    );
    let text = tools(&sandbox, &["--stats"]).done().out;
    for heading in ["TOOL ", "AGENT ", "SKILL ", "MCP SERVER ", "BY DAY (UTC)", "BY HOUR (UTC)"] {
        assert!(text.contains(heading), "{heading}: {text}");
    }
    assert_eq!(tools(&Sandbox::new(), &["--stats"]).done().out, "No calls.\n");
}
