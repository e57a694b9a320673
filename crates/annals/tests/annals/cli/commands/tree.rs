//! `annals tree`: how a session grew.

use crate::cli::support::run::{annals, assert_members, exchange};
use crate::cli::support::sample_session::{CWD, ID, story};
use serde_json::{Value, json};
use testkit::{Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

#[test]
fn a_tree_has_generations_turns_agents_and_branches() {
    let answer = annals(&story(), &["tree", ID]).done();
    insta::assert_snapshot!(answer.out, @"
    Tides
    00000001-0000-4000-8000-000000000001
    generation 1 · compacted · 1 turn
      ○ 1 · 5 messages · Look at the tides
    ── compacted (auto, 150k to 9.0k tokens) ──
    generation 2 · live · 3 turns
      ● 1 · 1 message · (continued)
      ● 2 · 8 messages · Fix the ebb
        ⤷ Explore · shore · done · survey
          ⤷ Count · crabs · done
      ⎇ 1 · abandoned branch (edit) · 2 messages · Never mind
      ● 3 · 3 messages · Thank you
    ╌ orphaned segment: 1 message from line 1, the records before are missing
      Workflow measure, weigh
        ⤷ agent · flow · done · weigh
      1 warm-up agent hidden
    ");
}

#[test]
fn tree_json_keeps_its_contract() {
    let document = annals(&story(), &["tree", ID, "--json"]).done().json();
    assert_eq!(document["schema"], "annals/tree/1");
    assert_members(
        &document,
        "schema session agent_id generations branches orphaned_segments agents relatives",
    );
    let generation = &document["generations"][1];
    assert_members(generation, "number state compaction_uuid turns");
    assert_eq!(
        (&generation["state"], &generation["compaction_uuid"]),
        (&json!("live"), &json!("z1"))
    );
    assert_eq!(document["generations"][0]["state"], "compacted");
    assert_eq!(
        generation["turns"][1],
        json!({"number": 2, "uuid": "v1", "prompt": "Fix the ebb", "messages": 8,
            "agents": ["shore"], "branches": []})
    );
    assert_eq!(generation["turns"][2]["branches"], json!([1]), "before the turn that replaced it");
    assert_eq!(
        document["branches"],
        json!([{"number": 1, "kind": "edit", "state": "abandoned", "from_uuid": "v8",
            "prompt": "Never mind", "prompts": 1, "messages": 2}])
    );
    assert_eq!(
        document["orphaned_segments"],
        json!([{"missing_uuid": "gone", "line": 1, "messages": 1,
            "gaps": [{"place": "before", "damaged_line": null}]}])
    );
    let agents = document["agents"].as_array().unwrap();
    for agent in agents {
        assert_members(
            agent,
            "id parent_id tool_use_id evidence type description generation depth workflow phase \
             warmup outcome",
        );
    }
    let ids: Vec<&Value> = agents.iter().map(|agent| &agent["id"]).collect();
    assert_eq!(ids, ["shore", "crabs", "warm", "flow"]);
    assert_eq!(agents[1]["parent_id"], "shore");
}

#[test]
fn tree_of_an_agent_has_only_the_agents_it_started() {
    let document = annals(&story(), &["tree", "shore", "--json"]).done().json();
    assert_eq!(document["agent_id"], "shore");
    let agents = document["agents"].as_array().unwrap();
    assert_eq!((agents.len(), &agents[0]["id"]), (1, &json!("crabs")));
    assert_eq!(document["generations"][0]["turns"][0]["agents"], json!(["crabs"]));
}

#[test]
fn an_agent_that_names_itself_as_its_parent_is_shown() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), exchange(1, CWD, "Tides"));
    let own = user("look").with("isSidechain", true).cwd(CWD);
    sandbox.agent(CWD, &session_id(1), "agent-loop", [own]);
    let meta = path.with_extension("").join("subagents/agent-loop.meta.json");
    std::fs::write(meta, json!({"parentAgentId": "loop"}).to_string()).unwrap();
    for command in [&["tree", ID][..], &["show", ID]] {
        let text = annals(&sandbox, command).done().out;
        assert!(text.contains("Agents not linked to a call"), "{command:?} {text}");
        assert_eq!(text.matches("loop").count(), 1, "{command:?} {text}");
    }
}

#[test]
fn warm_ups_are_counted_once_and_never_shown_also_at_a_call() {
    let sandbox = Sandbox::new();
    let task = json!({"subagent_type": "Explore", "prompt": "Warmup"});
    let lines = [user("Tides"), tool_use("t1", "Task", &task), tool_result("t1", "ready")];
    let path = sandbox.session(CWD, &session_id(1), chained(lines));
    for (name, call) in [("called", "t1"), ("alone", "t9")] {
        let own = user("Warmup").with("isSidechain", true).cwd(CWD);
        sandbox.agent(CWD, &session_id(1), &format!("agent-{name}"), [own]);
        let meta = path.with_extension("").join(format!("subagents/agent-{name}.meta.json"));
        std::fs::write(meta, json!({"toolUseId": call}).to_string()).unwrap();
    }
    let inline = ["show", ID, "--agents", "inline"];
    for command in [&["tree", ID][..], &["show", ID], &inline, &["agents", ID]] {
        let text = annals(&sandbox, command).done().out;
        assert_eq!(text.matches("2 warm-up agents hidden").count(), 1, "{command:?} {text}");
        assert!(!text.contains("called") && !text.contains("alone"), "{command:?} {text}");
    }
}

#[test]
fn related_sessions_are_shown_first() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), exchange(1, CWD, "The first"));
    let forked = exchange(1, CWD, "The first").into_iter().map(|line| {
        let from = json!({"sessionId": session_id(1), "messageUuid": "x"});
        line.with("sessionId", session_id(2)).with("forkedFrom", from)
    });
    sandbox.session(CWD, &session_id(2), forked);
    let text = |id: &str| annals(&sandbox, &["tree", id]).done().out;
    let (first, second) = (session_id(1), session_id(2));
    assert!(text("00000002").contains(&format!("⑂ forked from {first} (2 lines): The first")));
    assert!(text("00000001").contains(&format!("⑂ forked as {second} (2 lines): The first")));
    let document = annals(&sandbox, &["tree", "00000002", "--json"]).done().json();
    assert_eq!(
        document["relatives"],
        json!([{"session_id": first, "relation": "forked_from", "lines": 2, "title": "The first"}])
    );
}

#[test]
fn tree_refuses_csv_and_jsonl() {
    for format in ["--csv", "--jsonl"] {
        annals(&story(), &["tree", ID, format]).complaint(2);
    }
}

#[test]
fn tree_names_the_kind_of_each_branch_and_old_compactions() {
    let sandbox = Sandbox::new();
    let reply = |uuid: &str, parent: &str| {
        assistant("Yes.").link(uuid, Some(parent)).message("id", format!("of {uuid}"))
    };
    let lines = [
        user("Before the summary").link("a", None),
        reply("b", "a"),
        user("<command-name>/exit</command-name>").link("c", Some("b")),
        user("Resumed").link("d", Some("b")),
        reply("e", "d"),
        user("In short").link("s", None).with("isCompactSummary", true),
        user("One process").link("f", Some("s")),
        user("The other").link("g", Some("s")),
        reply("h", "f"),
        reply("i", "g"),
    ];
    sandbox.session("/home/ada", &session_id(1), lines);
    let text = annals(&sandbox, &["tree", &session_id(1)]).done().out;
    assert!(text.contains("1 minor branch hidden (--minor shows them)"), "{text}");
    assert!(!text.contains("/exit"), "{text}");
    let text = annals(&sandbox, &["tree", &session_id(1), "--minor"]).done().out;
    assert!(!text.contains("hidden"), "{text}");
    for words in [
        "generation 1 · compacted",
        "── compacted ──",
        "generation 2 · live",
        "⎇ 1 · abandoned branch (parallel) · 2 messages · One process",
        "⎇ 2 · abandoned branch (exit) · 1 message · /exit",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn conversation_goes_through_a_damaged_line_and_says_so() {
    let sandbox = Sandbox::new();
    let damaged = assistant("x").link("b", Some("a")).to_string();
    let lines = [
        user("Before the damage").link("a", None).to_string(),
        damaged.replacen("\"content\":", "\"content\":[cut],", 1),
        user("After it").link("c", Some("b")).to_string(),
    ];
    sandbox.session("/home/ada", &session_id(1), lines);
    let text = annals(&sandbox, &["show", &session_id(1)]).done().out;
    assert!(text.contains("❯ Before the damage") && text.contains("❯ After it"), "{text}");
    assert!(text.contains("[damaged]\n  line 2 of the transcript cannot be read"), "{text}");
    assert!(!text.contains("orphaned"), "{text}");
}
