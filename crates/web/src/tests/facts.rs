//! Facts that pages show and no other surface has.

use super::*;
use serde_json::json;
use testkit::{call, system, tool_error, tool_use};

const CWD: &str = "/home/ada/tidepool";

/// Two projects with API calls of today, and a plan in one of them.
fn busy() -> Sandbox {
    let sandbox = Sandbox::new();
    let now = "2026-11-17T11:00:00Z";
    let own = vec![
        user("Plan the sea"),
        tool_use("toolu_p", "ExitPlanMode", &json!({"plan": "# Dredge the harbour\n\nSlowly."})),
        testkit::tool_result("toolu_p", "User has approved your plan."),
        tool_use("toolu_e", "Bash", &json!({"command": "sound the sea"})),
        tool_error("toolu_e", "the sea is too deep"),
        call("msg_1", [1_000, 2_000, 0, 0]).at(now),
        call("msg_2", [1_000, 4_000, 0, 0]).model("claude-opus-4-6").at(now),
    ];
    sandbox.session(CWD, &session_id(1), lines(1, CWD, own));
    let agent = vec![
        user("Look at the sea").with("isSidechain", true),
        system("compact_boundary").with("isSidechain", true),
        call("msg_3", [1_000, 8_000, 0, 0]).with("isSidechain", true).at(now),
        system("compact_boundary").with("isSidechain", true),
    ];
    let agent = lines(1, CWD, agent).into_iter().map(|line| line.with("agentId", "a1"));
    sandbox.agent(CWD, &session_id(1), "agent-a1", agent);
    let gulls = "/home/ada/gulls";
    let other = vec![user("Count the gulls"), call("msg_4", [1_000, 16_000, 0, 0]).at(now)];
    sandbox.session(gulls, &session_id(2), lines(2, gulls, other));
    sandbox
}

fn filtered(sandbox: &Sandbox) -> TestServer {
    let project = library(sandbox).catalog().project_of(named("gulls")).unwrap();
    let filter = Filter { project: Some(project), ..Filter::default() };
    let filters = vec![("project".to_owned(), "gulls".to_owned())];
    TestServer::start(Settings { filter, filters, ..settings(sandbox, false) })
}

#[test]
fn the_usage_of_a_session_includes_its_calls_and_its_agents() {
    let sandbox = busy();
    let server = TestServer::ordinary(&sandbox);
    let usage = server.get(&format!("api/1/sessions/{}/usage", id())).json();
    assert_eq!(usage["group_by"], json!(["model"]));
    let by_session = server.get("api/1/usage?by=session").json();
    let rows = by_session["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["key"]["session"] == id()).unwrap();
    for name in ["calls", "output_tokens", "cost_usd"] {
        assert_eq!(usage["total"][name], row[name], "{name} as in the report of all sessions");
    }
    let output = usage["total"]["output_tokens"].as_u64().unwrap();
    assert!((14_000..16_000).contains(&output), "with the agent, without the other session");
    let by_agent = server.get(&format!("api/1/sessions/{}/usage?by=agent", id())).json();
    assert_eq!(by_agent["rows"].as_array().map(Vec::len), Some(2), "{by_agent}");
    assert_eq!(server.get(&format!("api/1/sessions/{}/usage?by=colour", id())).status, 400);
}

#[test]
fn facets_count_the_values_of_is() {
    let sandbox = busy();
    let server = TestServer::ordinary(&sandbox);
    server.act("api/1/mark", &json!({"session": id(), "turn": "1"}));
    // The first search builds the index.
    for value in ["error", "prompt", "agent", "marked"] {
        let hits = server.get(&format!("api/1/search?q=sea%20is:{value}")).json();
        let facets = server.get("api/1/search/facets?q=sea").json();
        let counts = facets["is"].as_array().unwrap();
        let count = counts.iter().find(|one| one["value"] == value);
        let count = count.map_or(0, |one| one["count"].as_u64().unwrap());
        assert!(count > 0, "{value}: {facets}");
        assert_eq!(hits["total"], count, "{value}: {facets}");
    }
}

#[test]
fn the_outline_counts_the_compactions_of_an_agent() {
    let sandbox = busy();
    let server = TestServer::ordinary(&sandbox);
    let outline = server.get(&format!("api/1/sessions/{}/outline", id())).json();
    let agents = outline["agents"].as_array().unwrap();
    assert_eq!((agents.len(), &agents[0]["compactions"]), (1, &json!(2)), "{outline}");
}

#[test]
fn plans_of_all_sessions_are_those_of_each_session() {
    let sandbox = busy();
    let server = TestServer::ordinary(&sandbox);
    let plans = server.get("api/1/plans").json();
    assert_eq!((&plans["total"], &plans["next"]), (&json!(1), &Value::Null), "{plans}");
    let row = &plans["plans"][0];
    assert_eq!((&row["title"], &row["number"]), (&json!("Dredge the harbour"), &json!(1)));
    let own = server.get(&format!("api/1/sessions/{}/plan", id())).json();
    for name in ["number", "status", "source", "timestamp", "line", "agent_id"] {
        assert_eq!(row[name], own["plans"][0][name], "{name}");
    }
    assert_eq!(server.get("api/1/plans?project=gulls").json()["total"], 0);
}

#[test]
fn a_server_with_filters_has_the_costs_of_its_sessions_on_home() {
    let sandbox = busy();
    let all = TestServer::ordinary(&sandbox).get("api/1/home").json();
    let server = filtered(&sandbox);
    let own = server.get("api/1/home").json();
    let day = server.get("api/1/usage?by=day").json();
    assert_eq!(own["cost_today_usd"], day["total"]["cost_usd"], "{own}");
    assert_eq!(own["cost_week_usd"], own["cost_today_usd"]);
    assert_ne!(own["cost_today_usd"], all["cost_today_usd"]);
    assert_eq!(own["sessions"], 1);
}

#[test]
fn a_server_with_filters_refuses_what_concerns_all_sessions() {
    let sandbox = busy();
    let server = filtered(&sandbox);
    let refused = |response: &Response| {
        assert_eq!(response.status, 409, "{response:?}");
        assert!(response.text().contains("started with filters"), "{}", response.text());
        assert!(response.text().contains("hint"), "{}", response.text());
    };
    for path in ["api/1/archive", "api/1/doctor", "api/1/doctor/secrets", "api/1/sql?q=SELECT%201"]
    {
        refused(&server.get(path));
    }
    for path in ["api/1/archive/sync", "api/1/archive/verify"] {
        refused(&server.act(path, &json!({})));
    }
    assert!(!sandbox.annals_home().join("archive").exists(), "nothing was archived");
}

#[test]
fn agents_and_skills_of_plugins_and_projects_are_unused_until_they_are_called() {
    let sandbox = busy();
    let project = sandbox.path().join("work/tidepool");
    let cwd = project.to_str().unwrap();
    sandbox.session(cwd, &session_id(3), lines(3, cwd, vec![user("Dive")]));
    sandbox.write("../work/tidepool/.claude/agents/diver.md", "Dive.");
    sandbox.write("agents/pilot.md", "Steer.");
    let plugin = sandbox.config().join("plugins/cache/shore/tide/1.0");
    let list = json!({"version": 2, "plugins": {"tide@shore": [{"installPath": plugin}]}});
    sandbox.write("plugins/installed_plugins.json", list.to_string());
    sandbox.write("plugins/cache/shore/tide/1.0/skills/knots/SKILL.md", "Tie.");
    let server = TestServer::ordinary(&sandbox);
    let unused = server.get("api/1/usage/unused").json();
    let names = |list: &str| -> Vec<String> {
        let list = unused[list].as_array().unwrap();
        list.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("agents"), ["pilot", "diver"], "{unused}");
    assert_eq!(names("skills"), ["tide:knots"], "{unused}");
}
