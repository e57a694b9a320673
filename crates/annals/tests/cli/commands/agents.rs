//! `annals agents`: what each sub-agent came to.

use crate::support::run::{annals, assert_members};
use crate::support::sample_session::{ID, story};
use serde_json::{Value, json};
use testkit::{Sandbox, session_id, user};

#[test]
fn agents_are_listed_with_work_and_outcome() {
    let answer = annals(&story(), &["agents", ID, "--warmup"]).done();
    let rows: Vec<Vec<&str>> =
        answer.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let begins = |row: usize, words: &[&str]| {
        assert_eq!(rows[row][..words.len()], *words, "{}", answer.out);
    };
    begins(0, &["AGENT", "TYPE", "MODEL", "TIME", "CALLS", "TOKENS", "SIZE", "END"]);
    begins(1, &["shore", "Explore", "claude-sonnet-5", "59s", "2", "24"]);
    begins(2, &["└", "crabs", "Count", "claude-sonnet-5", "8.0s", "0", "8"]);
    begins(3, &["warm"]);
    begins(4, &["flow", "claude-sonnet-5", "9.0s"]);
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
    // (id, parent, call, evidence, depth, generation, duration, calls, errors, outcome)
    let fields =
        "id parent_id tool_use_id evidence depth generation duration_ms tool_calls errors outcome";
    let told =
        |agent: &Value| -> Value { fields.split(' ').map(|key| agent[key].clone()).collect() };
    let table = [
        json!(["shore", null, "t4", "result", 1, 2, 59_000, 2, 1, "done"]),
        json!(["crabs", "shore", "g2", "meta", 2, 2, 8_000, 0, 0, "done"]),
        json!(["warm", null, null, null, 1, 1, 0, 0, 0, "unfinished"]),
        json!(["flow", null, null, null, 1, 2, 9_000, 0, 0, "done"]),
    ];
    assert_eq!(agents.iter().map(told).collect::<Vec<_>>(), table);
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
    let said = answer.complaint(1);
    assert!(said.contains("shows its agents"), "{said}");
}
