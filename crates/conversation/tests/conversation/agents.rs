//! Links of sub-agents: by which evidence, to which parent, in which generation, and
//! with which outcome.

use conversation::{AgentFile, AgentNode, AgentScan, Evidence, Outcome, Tokens, link_agents};
use serde_json::{Value, json};
use testkit::{Line, assistant, file, system, tool_error, tool_result, tool_use, user};

fn scan(lines: &[Line], is_main: bool) -> AgentScan {
    let bytes = file(lines);
    let mut scan = AgentScan::default();
    for entry in transcript::entries(&bytes) {
        scan.note(entry.line, &entry.record, is_main);
    }
    scan
}

fn agent_file(id: &str) -> AgentFile {
    AgentFile { id: id.to_owned(), ..AgentFile::default() }
}

/// An agent whose metadata names this call.
fn started_by(id: &str, call: &str) -> AgentFile {
    AgentFile { tool_use_id: Some(call.to_owned()), ..agent_file(id) }
}

fn below(id: &str, parent: &str) -> AgentFile {
    AgentFile { parent_id: Some(parent.to_owned()), ..agent_file(id) }
}

/// An agent with its metadata and lines.
type Known<'a> = (AgentFile, &'a [Line]);

fn link(main: &[Line], agents: &[Known<'_>]) -> Vec<AgentNode> {
    let agents = agents.iter().map(|(file, lines)| (file.clone(), scan(lines, false)));
    link_agents(&scan(main, true), agents.collect())
}

fn call(id: &str, prompt: &str) -> Line {
    let input = json!({"subagent_type": "Explore", "description": "look", "prompt": prompt});
    tool_use(id, "Task", &input).at(LONG_AGO)
}

/// Too early for anything to be linked by its time.
const LONG_AGO: &str = "2025-01-01T00:00:00Z";

fn named(call: &str, agent: &str) -> Line {
    tool_result(call, "done").with("toolUseResult", json!({"agentId": agent}))
}

fn trailer(agent: &str) -> String {
    format!("done\nagentId: {agent} (for resuming to continue this agent's work if needed)")
}

/// The call of each agent, and the evidence.
fn links(nodes: &[AgentNode]) -> Vec<(&str, Option<&str>, Option<Evidence>)> {
    let link = |node: &'_ AgentNode| (node.tool_use_id.is_some(), node.evidence);
    assert!(nodes.iter().map(link).all(|(linked, why)| linked == why.is_some()));
    nodes
        .iter()
        .map(|node| (node.id.as_str(), node.tool_use_id.as_deref(), node.evidence))
        .collect()
}

#[test]
fn each_kind_of_evidence_links_and_the_best_comes_first() {
    let first = "Look around";
    let by = |evidence, call| Some((evidence, call));
    let near = |line: Line| line.at("2026-01-02T03:04:05.000Z");
    let table = [
        ("its meta", started_by("a", "t1"), vec![call("t1", "x")], by(Evidence::Meta, "t1")),
        (
            "its meta, though the call is nowhere",
            started_by("a", "t9"),
            Vec::new(),
            by(Evidence::Meta, "t9"),
        ),
        (
            "the result",
            agent_file("a"),
            vec![call("t1", "x"), named("t1", "a")],
            by(Evidence::Result, "t1"),
        ),
        (
            "the trailer",
            agent_file("a"),
            vec![call("t1", "x"), tool_result("t1", &trailer("a"))],
            by(Evidence::Trailer, "t1"),
        ),
        ("the prompt", agent_file("a"), vec![call("t1", first)], by(Evidence::Prompt, "t1")),
        ("the time", agent_file("a"), vec![near(call("t1", "x"))], by(Evidence::Time, "t1")),
        (
            "meta before result",
            started_by("a", "t1"),
            vec![call("t1", "x"), call("t2", "x"), named("t2", "a")],
            by(Evidence::Meta, "t1"),
        ),
        (
            "result before trailer",
            agent_file("a"),
            vec![
                call("t1", "x"),
                tool_result("t1", &trailer("b")).with("toolUseResult", json!({"agentId": "a"})),
            ],
            by(Evidence::Result, "t1"),
        ),
        (
            "trailer before prompt",
            agent_file("a"),
            vec![call("t1", first), call("t2", "x"), tool_result("t2", &trailer("a"))],
            by(Evidence::Trailer, "t2"),
        ),
        (
            "prompt before time",
            agent_file("a"),
            vec![near(call("t1", "x")), call("t2", first)],
            by(Evidence::Prompt, "t2"),
        ),
        (
            "another tool",
            agent_file("a"),
            vec![near(tool_use("t1", "Bash", &json!({"prompt": first})))],
            None,
        ),
        ("nothing", agent_file("a"), vec![call("t1", "x")], None),
    ];
    for (what, file, main, expected) in table {
        let agents = link(&main, &[(file, &[user(first), assistant("Done.")])]);
        let found = agents[0].evidence.zip(agents[0].tool_use_id.as_deref());
        assert_eq!(found, expected, "{what}");
        let is_guess = matches!(what, "the prompt" | "the time" | "prompt before time");
        assert_eq!(agents[0].evidence.is_some_and(Evidence::is_guess), is_guess, "{what}");
    }
}

#[test]
fn both_tools_start_agents_and_describe_them() {
    for tool in ["Task", "Agent"] {
        let input = json!({"subagent_type": "Plan", "description": "think", "prompt": "x"});
        let agents = link(&[tool_use("t1", tool, &input)], &[(started_by("a", "t1"), &[])]);
        let found = (agents[0].kind.as_deref(), agents[0].description.as_deref());
        assert_eq!(found, (Some("Plan"), Some("think")), "{tool}");
    }
}

#[test]
fn a_guess_never_takes_a_call_that_belongs_to_another_agent() {
    let main = [call("t1", "same"), named("t1", "sure"), call("t2", "same"), call("t3", "same")];
    let lines = [user("same")];
    // The certain links come last, and are still made first.
    let agents = link(
        &main,
        &[
            (agent_file("guess 1"), &lines),
            (agent_file("guess 2"), &lines),
            (agent_file("sure"), &lines),
            (started_by("meta", "t2"), &lines),
        ],
    );
    assert_eq!(
        links(&agents),
        [
            ("guess 1", Some("t3"), Some(Evidence::Prompt)),
            ("guess 2", None, None),
            ("sure", Some("t1"), Some(Evidence::Result)),
            ("meta", Some("t2"), Some(Evidence::Meta)),
        ]
    );
}

#[test]
fn calls_with_equal_prompts_are_assigned_one_by_one() {
    let lines = [user("same")];
    let agents = link(
        &[call("t1", "same"), call("t2", "same")],
        &[(agent_file("a"), &lines), (agent_file("b"), &lines), (agent_file("c"), &lines)],
    );
    let calls: Vec<_> = agents.iter().map(|agent| agent.tool_use_id.as_deref()).collect();
    assert_eq!(calls, [Some("t1"), Some("t2"), None]);
}

#[test]
fn an_agent_that_passes_its_prompt_on_is_not_its_own_child() {
    let lines = [user("same"), call("t1", "same")];
    let agents = link(&[], &[(agent_file("a"), &lines), (agent_file("b"), &[user("same")])]);
    assert_eq!(links(&agents), [("a", None, None), ("b", Some("t1"), Some(Evidence::Prompt))]);
    assert_eq!(tree(&agents), [("a", None, 1), ("b", Some("a"), 2)]);
}

#[test]
fn time_links_within_a_second_to_the_nearest_free_call() {
    let at = |line: Line, time: &str| line.at(&format!("2026-01-02T03:00:{time}Z"));
    let main = [
        at(call("far", "x"), "08.999"),
        at(call("near", "x"), "09.400"),
        at(call("nearer", "x"), "10.300"),
        at(call("named", "x"), "10.000"),
        named("named", "another"),
    ];
    let table = [("10.000", Some("nearer")), ("08.500", Some("far")), ("11.301", None)];
    for (began, expected) in table {
        let agents = link(&main, &[(agent_file("a"), &[at(user("y"), began)])]);
        assert_eq!(agents[0].tool_use_id.as_deref(), expected, "{began}");
    }
    let lines = [at(user("y"), "10.000")];
    let agents = link(
        &main,
        &[(agent_file("a"), &lines), (agent_file("b"), &lines), (agent_file("c"), &lines)],
    );
    let calls: Vec<_> = agents.iter().map(|agent| agent.tool_use_id.as_deref()).collect();
    assert_eq!(calls, [Some("nearer"), Some("near"), None]);
}

#[test]
fn workflow_agents_and_warm_ups_are_not_linked_by_time() {
    let main = [tool_use("t1", "Task", &json!({"prompt": "x"}))];
    let workflow =
        AgentFile { workflow: Some("wf_1".into()), phase: Some("read".into()), ..agent_file("w") };
    let agents = link(&main, &[(workflow.clone(), &[user("y"), assistant("z")])]);
    assert_eq!(links(&agents), [("w", None, None)]);
    assert_eq!(
        (agents[0].workflow.as_deref(), agents[0].phase.as_deref()),
        (Some("wf_1"), Some("read"))
    );
    assert_eq!(links(&link(&main, &[(agent_file("a"), &[user("Warmup")])])), [("a", None, None)]);
    // They can be linked by their prompts.
    let agents = link(&main, &[(workflow, &[user("x")])]);
    assert_eq!(agents[0].evidence, Some(Evidence::Prompt));
}

#[test]
fn a_resumed_agent_is_linked_to_the_call_that_started_it() {
    let main = [call("t1", "x"), named("t1", "a"), call("t2", "go on"), named("t2", "a")];
    let agents = link(&main, &[(agent_file("a"), &[user("x")])]);
    assert_eq!(links(&agents), [("a", Some("t1"), Some(Evidence::Result))]);
}

#[test]
fn several_results_on_one_line_are_distinguished_by_their_trailers() {
    let result = |call: &str, agent: &str| json!({"type": "tool_result", "tool_use_id": call, "content": trailer(agent)});
    let both = tool_result("", "")
        .message("content", json!([result("t1", "a"), result("t2", "b")]))
        .with("toolUseResult", json!({"agentId": "b"}));
    let agents = link(
        &[call("t1", "x"), call("t2", "x"), both],
        &[(agent_file("a"), &[user("y")]), (agent_file("b"), &[user("y")])],
    );
    assert_eq!(
        links(&agents),
        [("a", Some("t1"), Some(Evidence::Trailer)), ("b", Some("t2"), Some(Evidence::Trailer))]
    );
}

/// Ids with parents and depths.
fn tree(nodes: &[AgentNode]) -> Vec<(&str, Option<&str>, u64)> {
    nodes.iter().map(|node| (node.id.as_str(), node.parent_id.as_deref(), node.depth)).collect()
}

#[test]
fn the_parent_of_an_agent_is_the_one_whose_transcript_has_the_call() {
    let agents = link(
        &[call("t1", "one")],
        &[
            (agent_file("c"), &[user("three")]),
            (agent_file("b"), &[user("two"), call("t3", "three")]),
            (agent_file("a"), &[user("one"), call("t2", "two")]),
        ],
    );
    assert_eq!(tree(&agents), [("a", None, 1), ("b", Some("a"), 2), ("c", Some("b"), 3)]);
    // The metadata takes precedence.
    let agents = link(
        &[call("t1", "one")],
        &[
            (agent_file("a"), &[user("one"), call("t2", "two")]),
            (agent_file("x"), &[]),
            (AgentFile { depth: Some(7), ..below("b", "x") }, &[user("two")]),
        ],
    );
    assert_eq!(tree(&agents), [("a", None, 1), ("x", None, 1), ("b", Some("x"), 7)]);
}

#[test]
fn agents_that_name_themselves_or_each_other_are_all_listed() {
    let own = [user("x"), call("t1", "x")];
    let table: [(&str, Vec<Known<'_>>); 5] = [
        ("itself", vec![(below("a", "a"), &[])]),
        ("its own call", vec![(started_by("a", "t1"), &own)]),
        ("its own call, by its prompt", vec![(agent_file("a"), &own)]),
        ("each other", vec![(below("a", "b"), &[]), (below("b", "a"), &[])]),
        (
            "each other, with one below",
            vec![(below("a", "b"), &[]), (below("b", "a"), &[]), (below("c", "a"), &[])],
        ),
    ];
    for (what, agents) in table {
        let linked = link(&[], &agents);
        let mut ids: Vec<_> = linked.iter().map(|agent| agent.id.as_str()).collect();
        ids.sort_unstable();
        let expected: Vec<_> = agents.iter().map(|(file, _)| file.id.as_str()).collect();
        assert_eq!(ids, expected, "{what}");
        assert!(linked.iter().all(|agent| agent.depth == 1), "{what}");
    }
    let mutual: [Known<'_>; 2] = [
        (started_by("a", "of b"), &[call("of a", "x")]),
        (started_by("b", "of a"), &[call("of b", "x")]),
    ];
    assert_eq!(tree(&link(&[], &mutual)), [("a", Some("b"), 1), ("b", Some("a"), 1)]);
}

#[test]
fn ten_thousand_nested_agents_are_put_in_order() {
    let depth = 10_000_u64;
    let name = |number: u64| format!("a{number}");
    // The deepest first, so that every one waits for its parent.
    let agents = (0..depth).rev().map(|number| {
        let parent = number.checked_sub(1).map(name);
        (AgentFile { parent_id: parent, ..agent_file(&name(number)) }, AgentScan::default())
    });
    let agents = link_agents(&AgentScan::default(), agents.collect());
    assert_eq!(agents.len(), 10_000);
    let (first, last) = (&agents[0], &agents[9_999]);
    assert_eq!((first.id.as_str(), first.depth), ("a0", 1));
    assert_eq!((last.id.as_str(), last.depth), ("a9999", depth));
    let deepest = AgentFile { depth: Some(u64::MAX), ..agent_file("a") };
    let agents = link(&[], &[(deepest, &[]), (below("b", "a"), &[])]);
    assert_eq!(agents[1].depth, u64::MAX);
}

#[test]
fn the_generation_is_that_of_the_call_or_of_the_start_time() {
    let at = |line: Line, minute: u32| line.at(&format!("2026-01-02T03:{minute:02}:00Z"));
    let main = [
        at(call("t1", "one"), 0),
        at(system("compact_boundary"), 10),
        at(call("t2", "two"), 20),
        at(system("compact_boundary"), 30),
        // Times run backwards: the position in the file counts.
        at(call("t3", "three"), 5),
    ];
    let agents = link(
        &main,
        &[
            (started_by("first", "t1"), &[at(user("one"), 45)]),
            (started_by("second", "t2"), &[user("two"), call("t4", "four")]),
            (started_by("third", "t3"), &[]),
            (agent_file("nested"), &[at(user("four"), 25)]),
            (agent_file("unlinked, early"), &[at(user("x"), 1)]),
            (agent_file("unlinked, late"), &[at(user("x"), 59)]),
            (agent_file("timeless"), &[user("x").with("timestamp", Value::Null)]),
        ],
    );
    let generations: Vec<_> =
        agents.iter().map(|agent| (agent.id.as_str(), agent.generation)).collect();
    assert_eq!(
        generations,
        [
            ("first", 1),
            ("second", 2),
            ("nested", 2),
            ("third", 3),
            ("unlinked, early", 1),
            ("unlinked, late", 3),
            ("timeless", 1),
        ]
    );
}

#[test]
fn inline_agents_are_read_from_the_main_transcript() {
    let side = |line: Line, uuid: &str, parent: Option<&str>| {
        line.link(uuid, parent).with("isSidechain", true)
    };
    let main = [
        user("go").link("m1", None),
        call("t1", "look").link("m2", Some("m1")),
        call("t2", "leap").link("m3", Some("m2")),
        side(user("look"), "s1", None),
        side(user("leap"), "s2", None),
        side(tool_use("t9", "Read", &json!({})), "s3", Some("s1")),
        side(tool_error("t9", "no"), "s4", Some("s3")),
        side(assistant("leapt"), "s5", Some("s2")),
        side(user("named"), "s6", Some("gone")).with("agentId", "a7"),
    ];
    let main = scan(&main, true);
    let agents = link_agents(&main, Vec::new());
    let seen: Vec<_> = agents
        .iter()
        .map(|agent| {
            (
                agent.id.as_str(),
                agent.tool_use_id.as_deref(),
                agent.lines,
                agent.calls,
                agent.errors,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [("s1", Some("t1"), 3, 1, 1), ("s2", Some("t2"), 2, 0, 0), ("a7", None, 1, 0, 0)]
    );
    assert_eq!(main.inline_agent("s4"), Some("s1"));
    assert_eq!(main.inline_agent("m1"), None);
    assert!(agents.iter().all(|agent| agent.file.is_none()));
}

#[test]
fn warm_ups_are_distinguished_from_work() {
    let table = [
        (vec![user("Warmup"), assistant("ready")], true),
        (vec![user(" Warmup \n")], true),
        (vec![user("Warmup"), tool_use("t", "Read", &json!({}))], false),
        (vec![user("Warmup exercises")], false),
        (std::iter::once(user("Warmup")).chain(vec![assistant("x"); 8]).collect(), false),
        (vec![], false),
    ];
    for (lines, expected) in table {
        let agents = link(&[], &[(agent_file("a"), &lines)]);
        assert_eq!(agents[0].warmup, expected, "{lines:?}");
    }
}

#[test]
fn the_outcome_of_an_agent_comes_from_its_last_message_and_its_call() {
    let stopped = AgentFile { is_stopped: true, ..agent_file("a") };
    let work = || tool_use("t9", "Bash", &json!({}));
    let failed = [call("t1", "x"), tool_error("t1", "Agent type not found")];
    let table: [(&str, Known<'_>, Vec<Line>, Option<Outcome>); 10] = [
        (
            "its last word",
            (agent_file("a"), &[]),
            vec![user("x"), assistant("Done.")],
            Some(Outcome::Done),
        ),
        ("a call", (agent_file("a"), &[]), vec![user("x"), work()], Some(Outcome::Unfinished)),
        (
            "a result",
            (agent_file("a"), &[]),
            vec![user("x"), work(), tool_result("t9", "y")],
            Some(Outcome::Unfinished),
        ),
        ("its prompt", (agent_file("a"), &[]), vec![user("x")], Some(Outcome::Unfinished)),
        (
            "the api",
            (agent_file("a"), &[]),
            vec![user("x"), assistant("API Error").with("isApiErrorMessage", true)],
            Some(Outcome::Failed),
        ),
        (
            "an interruption",
            (agent_file("a"), &[]),
            vec![user("x"), user("[Request interrupted by user]")],
            Some(Outcome::Stopped),
        ),
        (
            "its meta",
            (stopped.clone(), &[]),
            vec![user("x"), assistant("y")],
            Some(Outcome::Stopped),
        ),
        (
            "its call",
            (started_by("a", "t1"), &failed),
            vec![user("x"), assistant("y")],
            Some(Outcome::Failed),
        ),
        (
            "stopped before failed",
            (AgentFile { is_stopped: true, ..started_by("a", "t1") }, &failed),
            vec![user("x")],
            Some(Outcome::Stopped),
        ),
        ("nothing", (agent_file("a"), &[]), vec![], None),
    ];
    for (what, (file, main), lines, expected) in table {
        assert_eq!(link(main, &[(file, &lines)])[0].outcome, expected, "{what}");
    }
}

#[test]
fn the_figures_of_an_agent_are_totals_of_its_lines() {
    let line = |id: &str, output: u64| {
        let usage = json!({"input_tokens": 2, "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 4, "output_tokens": output});
        assistant("x").message("id", id).message("usage", usage)
    };
    let lines = [
        user("look").at("2026-01-02T03:00:00Z"),
        line("m1", 1).message("model", "<synthetic>"),
        line("m1", 9).message("model", "haiku").at("2026-01-02T02:59:00Z"),
        line("m2", 5).at("2026-01-02T03:00:30Z"),
    ];
    let agent = link(&[], &[(AgentFile { bytes: 77, ..agent_file("a") }, &lines)]).remove(0);
    assert_eq!(agent.tokens, Tokens { input: 4, cache_read: 60, cache_write: 8, output: 14 });
    assert_eq!((agent.lines, agent.bytes, agent.file), (4, 77, Some(0)));
    assert_eq!(agent.model.as_deref(), Some("haiku"));
    let times = [agent.started, agent.ended].map(|time| time.unwrap_or_default().to_string());
    assert_eq!(times, ["2026-01-02T02:59:00Z", "2026-01-02T03:04:05.678Z"]);
}
