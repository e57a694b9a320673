//! `annals agents`: what each sub-agent came to.

use crate::cli::support::run::{annals, assert_members};
use crate::cli::support::sample_session::{ID, story};
use serde_json::{Value, json};
use testkit::{Line, Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

#[test]
fn agents_are_listed_with_work_and_outcome() {
    let answer = annals(&story(), &["agents", ID, "--warmup"]).done();
    let rows: Vec<Vec<&str>> =
        answer.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let begins = |row: usize, words: &[&str]| {
        assert_eq!(rows[row][..words.len()], *words, "{}", answer.out);
    };
    begins(0, &["AGENT", "TYPE", "MODEL", "TIME", "CALLS", "TOKENS", "SIZE", "END"]);
    begins(1, &["shore", "Explore", "sonnet-5", "59s", "2", "24"]);
    begins(2, &["└", "crabs", "Count", "sonnet-5", "8.0s", "0", "8"]);
    begins(3, &["warm"]);
    begins(4, &["flow", "sonnet-5", "9.0s"]);
    assert!(answer.out.contains("workflow wf_1 measure: completed"), "{}", answer.out);
    let folded = annals(&story(), &["agents", ID]).done().out;
    assert!(!folded.lines().any(|line| line.starts_with("warm ")), "{folded}");
}

#[test]
fn agents_have_durations_tokens_and_outcomes() {
    let document = annals(&story(), &["agents", ID, "--json"]).done().json();
    assert_eq!(document["schema"], "annals/agents/1");
    assert_members(&document, "schema session_id agents workflows");
    let agents = document["agents"].as_array().unwrap();
    for agent in agents {
        assert_members(
            agent,
            "id parent_id type description tool_use_id evidence path era workflow phase depth \
             generation warmup model bytes lines started_at ended_at duration_ms tokens \
             tool_calls errors outcome",
        );
        assert_members(&agent["tokens"], "input cache_read cache_write output");
    }
    // (id, parent, call, evidence, depth, generation, duration, calls, errors, outcome). A denied
    // call is not an error.
    let fields =
        "id parent_id tool_use_id evidence depth generation duration_ms tool_calls errors outcome";
    let row =
        |agent: &Value| -> Value { fields.split(' ').map(|key| agent[key].clone()).collect() };
    let table = [
        json!(["shore", null, "t4", "result", 1, 2, 59_000, 2, 0, "done"]),
        json!(["crabs", "shore", "g2", "meta", 2, 2, 8_000, 0, 0, "done"]),
        json!(["warm", null, null, null, 1, 1, 0, 0, 0, "unfinished"]),
        json!(["flow", null, null, null, 1, 2, 9_000, 0, 0, "done"]),
    ];
    assert_eq!(agents.iter().map(row).collect::<Vec<_>>(), table);
    assert_eq!(
        agents[0]["tokens"],
        json!({"input": 9, "cache_read": 0, "cache_write": 0, "output": 15})
    );
    assert_eq!((&agents[3]["workflow"], &agents[3]["phase"]), (&json!("wf_1"), &json!("weigh")));
    assert_eq!(agents[2]["warmup"], true);
}

#[test]
fn csv_has_one_row_per_agent() {
    let csv = annals(&story(), &["agents", ID, "--csv"]).done().out;
    assert_eq!(
        csv.lines().next().unwrap(),
        "id,parent_id,type,description,model,bytes,path,started_at,duration_ms,output_tokens,tool_calls,errors,outcome"
    );
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn session_with_only_agents_left_is_found_by_its_id() {
    let sandbox = Sandbox::new();
    let line = user("look").with("sessionId", session_id(7)).with("isSidechain", true);
    sandbox.write("projects/-p/agent-left.jsonl", format!("{line}\n"));
    for name in [session_id(7), session_id(7)[..8].to_owned()] {
        let out = annals(&sandbox, &["agents", &name]).done().out;
        assert!(out.contains("left"), "{out}");
    }
    let answer = annals(&sandbox, &["show", &session_id(7)]);
    let error = answer.complaint(1);
    assert!(error.contains("shows its agents"), "{error}");
}

/// An agent with an id as progress records have it.
const AGENT: &str = "a1b2c3d";

/// A session whose progress records repeat the lines of the agent [`AGENT`], with or without
/// the agent's file.
fn session_with_progress(has_file: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    let own = |line: Line| line.session(&session_id(1)).cwd("/p");
    let edit = json!({"file_path": "/p/gauge.rs", "old_string": "a", "new_string": "b"});
    let agent = [
        user("Find the gauge").link("a-1", None),
        tool_use("in-1", "Edit", &edit).link("a-2", Some("a-1")).message("id", "msg_a"),
        tool_result("in-1", "the lantern was lit").link("a-3", Some("a-2")),
    ]
    .map(own);
    let task = json!({"subagent_type": "Explore", "description": "look", "prompt": "Other words"});
    let mut lines = vec![user("Where is it?"), tool_use("t1", "Task", &task)];
    let progress = agent
        .iter()
        .map(|line| line.clone().of_agent(AGENT).as_progress().with("parentToolUseID", "t1"));
    lines.extend(progress);
    lines.extend([tool_result("t1", "Found."), assistant("There.")]);
    sandbox.session("/p", &session_id(1), chained(lines).into_iter().map(own));
    if has_file {
        let agent = agent.into_iter().map(|line| line.of_agent(AGENT));
        sandbox.agent("/p", &session_id(1), &format!("agent-{AGENT}"), agent);
    }
    sandbox
}

#[test]
fn agent_in_progress_records_is_an_agent_like_any_other() {
    let sandbox = session_with_progress(false);
    let id = &session_id(1);
    let agents = annals(&sandbox, &["agents", id, "--json"]).done().json();
    assert_eq!(agents["agents"][0]["id"], AGENT, "{agents}");
    assert_eq!(agents["agents"][0]["tool_use_id"], "t1", "{agents}");
    let table = [
        &["show", AGENT][..],
        &["show", id, "--agents", "inline"],
        &["export", id, "--format", "md", "-o", "-"],
    ];
    for arguments in table {
        let shown = annals(&sandbox, arguments).done().out;
        assert!(shown.contains("Find the gauge") && shown.contains("gauge.rs"), "{shown}");
    }
    let info = annals(&sandbox, &["info", id, "--json"]).done().json();
    assert_eq!(info["agents"], 1, "{info}");
    let hits = annals(&sandbox, &["search", "lantern", "--json"]).done().json();
    assert_eq!(hits["hits"][0]["agent_id"], AGENT, "{hits}");
    let grep = annals(&sandbox, &["grep", "lantern", "--json"]).done().json();
    assert_eq!(grep["hits"][0]["agent_id"], AGENT, "{grep}");
    let sql = "SELECT file FROM touches";
    let touched = annals(&sandbox, &["sql", sql, "--csv"]).done().out;
    assert_eq!(touched, "file\n/p/gauge.rs\n");
}

#[test]
fn agent_with_a_file_is_not_counted_again_in_progress_records() {
    let sandbox = session_with_progress(true);
    let agents = annals(&sandbox, &["agents", &session_id(1), "--json"]).done().json();
    assert_eq!(agents["agents"].as_array().unwrap().len(), 1, "{agents}");
    let hits = annals(&sandbox, &["search", "lantern", "--json"]).done().json();
    assert_eq!((&hits["total"], &hits["hits"][0]["duplicates"]), (&json!(1), &json!(0)), "{hits}");
    let count = |sql: &str| annals(&sandbox, &["sql", sql, "--csv"]).done().out;
    for (from, expected) in [
        ("touches", 1),
        ("tool_calls WHERE tool = 'Edit'", 1),
        ("blocks WHERE is_agent", 3),
        ("blocks WHERE is_agent AND agent_id = 'a1b2c3d'", 3),
    ] {
        let counted = count(&format!("SELECT count(*) AS count FROM {from}"));
        assert_eq!(counted, format!("count\n{expected}\n"), "{from}");
    }
}
