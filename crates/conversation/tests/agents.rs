//! Sub-agents in their places: by which evidence, below whom, in which
//! generation, and how they ended.

use conversation::{AgentNode, AgentNotes, Claim, Evidence, Outcome, Tokens, link_agents};
use serde_json::{Value, json};
use testkit::{Line, assistant, file, system, tool_error, tool_result, tool_use, user};

fn notes(lines: &[Line], is_main: bool) -> AgentNotes {
    let bytes = file(lines);
    let mut notes = AgentNotes::default();
    for entry in transcript::entries(&bytes) {
        notes.note(entry.line, &entry.record, is_main);
    }
    notes
}

fn claim(id: &str) -> Claim {
    Claim { id: id.to_owned(), ..Claim::default() }
}

/// One of which this is known beside its transcript.
fn started_by(id: &str, call: &str) -> Claim {
    Claim { tool_use_id: Some(call.to_owned()), ..claim(id) }
}

fn below(id: &str, parent: &str) -> Claim {
    Claim { parent_id: Some(parent.to_owned()), ..claim(id) }
}

/// An agent, known by a claim and lines.
type Known<'a> = (Claim, &'a [Line]);

fn link(main: &[Line], agents: &[Known<'_>]) -> Vec<AgentNode> {
    let agents = agents.iter().map(|(claim, lines)| (claim.clone(), notes(lines, false)));
    link_agents(&notes(main, true), agents.collect())
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

/// Which call each agent hangs at, and why.
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
            claim("a"),
            vec![call("t1", "x"), named("t1", "a")],
            by(Evidence::Result, "t1"),
        ),
        (
            "the trailer",
            claim("a"),
            vec![call("t1", "x"), tool_result("t1", &trailer("a"))],
            by(Evidence::Trailer, "t1"),
        ),
        ("the prompt", claim("a"), vec![call("t1", first)], by(Evidence::Prompt, "t1")),
        ("the time", claim("a"), vec![near(call("t1", "x"))], by(Evidence::Time, "t1")),
        (
            "meta before result",
            started_by("a", "t1"),
            vec![call("t1", "x"), call("t2", "x"), named("t2", "a")],
            by(Evidence::Meta, "t1"),
        ),
        (
            "result before trailer",
            claim("a"),
            vec![
                call("t1", "x"),
                tool_result("t1", &trailer("b")).with("toolUseResult", json!({"agentId": "a"})),
            ],
            by(Evidence::Result, "t1"),
        ),
        (
            "trailer before prompt",
            claim("a"),
            vec![call("t1", first), call("t2", "x"), tool_result("t2", &trailer("a"))],
            by(Evidence::Trailer, "t2"),
        ),
        (
            "prompt before time",
            claim("a"),
            vec![near(call("t1", "x")), call("t2", first)],
            by(Evidence::Prompt, "t2"),
        ),
        (
            "another tool",
            claim("a"),
            vec![near(tool_use("t1", "Bash", &json!({"prompt": first})))],
            None,
        ),
        ("nothing", claim("a"), vec![call("t1", "x")], None),
    ];
    for (what, claim, main, expected) in table {
        let agents = link(&main, &[(claim, &[user(first), assistant("Done.")])]);
        let found = agents[0].evidence.zip(agents[0].tool_use_id.as_deref());
        assert_eq!(found, expected, "{what}");
        let is_guess = matches!(what, "the prompt" | "the time" | "prompt before time");
        assert_eq!(agents[0].evidence.is_some_and(Evidence::is_guess), is_guess, "{what}");
    }
}

#[test]
fn both_tools_start_agents_and_say_what_for() {
    for tool in ["Task", "Agent"] {
        let input = json!({"subagent_type": "Plan", "description": "think", "prompt": "x"});
        let agents = link(&[tool_use("t1", tool, &input)], &[(started_by("a", "t1"), &[])]);
        let told = (agents[0].kind.as_deref(), agents[0].description.as_deref());
        assert_eq!(told, (Some("Plan"), Some("think")), "{tool}");
    }
}

#[test]
fn a_guess_takes_no_call_that_is_known_to_be_anothers() {
    let main = [call("t1", "same"), named("t1", "sure"), call("t2", "same"), call("t3", "same")];
    let lines = [user("same")];
    // The certain ones come last, and still first.
    let agents = link(
        &main,
        &[
            (claim("guess 1"), &lines),
            (claim("guess 2"), &lines),
            (claim("sure"), &lines),
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
fn equal_prompts_are_dealt_out_one_by_one() {
    let lines = [user("same")];
    let agents = link(
        &[call("t1", "same"), call("t2", "same")],
        &[(claim("a"), &lines), (claim("b"), &lines), (claim("c"), &lines)],
    );
    let calls: Vec<_> = agents.iter().map(|agent| agent.tool_use_id.as_deref()).collect();
    assert_eq!(calls, [Some("t1"), Some("t2"), None]);
}

#[test]
fn an_agent_that_passes_its_prompt_on_is_not_its_own_child() {
    let lines = [user("same"), call("t1", "same")];
    let agents = link(&[], &[(claim("a"), &lines), (claim("b"), &[user("same")])]);
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
        let agents = link(&main, &[(claim("a"), &[at(user("y"), began)])]);
        assert_eq!(agents[0].tool_use_id.as_deref(), expected, "{began}");
    }
    let lines = [at(user("y"), "10.000")];
    let agents = link(&main, &[(claim("a"), &lines), (claim("b"), &lines), (claim("c"), &lines)]);
    let calls: Vec<_> = agents.iter().map(|agent| agent.tool_use_id.as_deref()).collect();
    assert_eq!(calls, [Some("nearer"), Some("near"), None]);
}

#[test]
fn workflow_agents_and_warm_ups_are_not_linked_by_time() {
    let main = [tool_use("t1", "Task", &json!({"prompt": "x"}))];
    let workflow =
        Claim { workflow: Some("wf_1".into()), phase: Some("read".into()), ..claim("w") };
    let agents = link(&main, &[(workflow.clone(), &[user("y"), assistant("z")])]);
    assert_eq!(links(&agents), [("w", None, None)]);
    assert_eq!(
        (agents[0].workflow.as_deref(), agents[0].phase.as_deref()),
        (Some("wf_1"), Some("read"))
    );
    assert_eq!(links(&link(&main, &[(claim("a"), &[user("Warmup")])])), [("a", None, None)]);
    // By its prompt one may be.
    let agents = link(&main, &[(workflow, &[user("x")])]);
    assert_eq!(agents[0].evidence, Some(Evidence::Prompt));
}

#[test]
fn an_agent_that_was_resumed_hangs_at_the_call_that_started_it() {
    let main = [call("t1", "x"), named("t1", "a"), call("t2", "go on"), named("t2", "a")];
    let agents = link(&main, &[(claim("a"), &[user("x")])]);
    assert_eq!(links(&agents), [("a", Some("t1"), Some(Evidence::Result))]);
}

#[test]
fn several_results_on_one_line_are_told_apart_by_their_trailers() {
    let result = |call: &str, agent: &str| json!({"type": "tool_result", "tool_use_id": call, "content": trailer(agent)});
    let both = tool_result("", "")
        .message("content", json!([result("t1", "a"), result("t2", "b")]))
        .with("toolUseResult", json!({"agentId": "b"}));
    let agents = link(
        &[call("t1", "x"), call("t2", "x"), both],
        &[(claim("a"), &[user("y")]), (claim("b"), &[user("y")])],
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
fn agents_stand_below_the_one_whose_transcript_has_the_call() {
    let agents = link(
        &[call("t1", "one")],
        &[
            (claim("c"), &[user("three")]),
            (claim("b"), &[user("two"), call("t3", "three")]),
            (claim("a"), &[user("one"), call("t2", "two")]),
        ],
    );
    assert_eq!(tree(&agents), [("a", None, 1), ("b", Some("a"), 2), ("c", Some("b"), 3)]);
    // What is written beside it is believed before that.
    let agents = link(
        &[call("t1", "one")],
        &[
            (claim("a"), &[user("one"), call("t2", "two")]),
            (claim("x"), &[]),
            (Claim { depth: Some(7), ..below("b", "x") }, &[user("two")]),
        ],
    );
    assert_eq!(tree(&agents), [("a", None, 1), ("x", None, 1), ("b", Some("x"), 7)]);
}

#[test]
fn agents_that_name_themselves_or_each_other_are_all_there() {
    let own = [user("x"), call("t1", "x")];
    let table: [(&str, Vec<Known<'_>>); 5] = [
        ("itself", vec![(below("a", "a"), &[])]),
        ("its own call", vec![(started_by("a", "t1"), &own)]),
        ("its own call, by its prompt", vec![(claim("a"), &own)]),
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
        let expected: Vec<_> = agents.iter().map(|(claim, _)| claim.id.as_str()).collect();
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
fn ten_thousand_agents_below_each_other_are_put_in_order() {
    let depth = 10_000_u64;
    let name = |number: u64| format!("a{number}");
    // The deepest first, so that every one waits for its parent.
    let agents = (0..depth).rev().map(|number| {
        let parent = number.checked_sub(1).map(name);
        (Claim { parent_id: parent, ..claim(&name(number)) }, AgentNotes::default())
    });
    let agents = link_agents(&AgentNotes::default(), agents.collect());
    assert_eq!(agents.len(), 10_000);
    let (first, last) = (&agents[0], &agents[9_999]);
    assert_eq!((first.id.as_str(), first.depth), ("a0", 1));
    assert_eq!((last.id.as_str(), last.depth), ("a9999", depth));
    let deepest = Claim { depth: Some(u64::MAX), ..claim("a") };
    let agents = link(&[], &[(deepest, &[]), (below("b", "a"), &[])]);
    assert_eq!(agents[1].depth, u64::MAX);
}

#[test]
fn the_generation_is_that_of_the_call_or_of_the_moment() {
    let at = |line: Line, minute: u32| line.at(&format!("2026-01-02T03:{minute:02}:00Z"));
    let main = [
        at(call("t1", "one"), 0),
        at(system("compact_boundary"), 10),
        at(call("t2", "two"), 20),
        at(system("compact_boundary"), 30),
        // Times run backwards: its place in the file counts.
        at(call("t3", "three"), 5),
    ];
    let agents = link(
        &main,
        &[
            (started_by("first", "t1"), &[at(user("one"), 45)]),
            (started_by("second", "t2"), &[user("two"), call("t4", "four")]),
            (started_by("third", "t3"), &[]),
            (claim("nested"), &[at(user("four"), 25)]),
            (claim("loose, early"), &[at(user("x"), 1)]),
            (claim("loose, late"), &[at(user("x"), 59)]),
            (claim("timeless"), &[user("x").with("timestamp", Value::Null)]),
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
            ("loose, early", 1),
            ("loose, late", 3),
            ("timeless", 1),
        ]
    );
}

#[test]
fn agents_of_the_first_era_are_read_out_of_the_main_transcript() {
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
    let notes = notes(&main, true);
    let agents = link_agents(&notes, Vec::new());
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
    assert_eq!(notes.inline_agent("s4"), Some("s1"));
    assert_eq!(notes.inline_agent("m1"), None);
    assert!(agents.iter().all(|agent| agent.file.is_none()));
}

#[test]
fn warm_ups_are_told_from_work() {
    let table = [
        (vec![user("Warmup"), assistant("ready")], true),
        (vec![user(" Warmup \n")], true),
        (vec![user("Warmup"), tool_use("t", "Read", &json!({}))], false),
        (vec![user("Warmup exercises")], false),
        (std::iter::once(user("Warmup")).chain(vec![assistant("x"); 8]).collect(), false),
        (vec![], false),
    ];
    for (lines, expected) in table {
        let agents = link(&[], &[(claim("a"), &lines)]);
        assert_eq!(agents[0].warmup, expected, "{lines:?}");
    }
}

#[test]
fn agents_end_as_their_last_words_and_their_calls_say() {
    let stopped = Claim { is_stopped: true, ..claim("a") };
    let work = || tool_use("t9", "Bash", &json!({}));
    let failed = [call("t1", "x"), tool_error("t1", "Agent type not found")];
    let table: [(&str, Known<'_>, Vec<Line>, Option<Outcome>); 10] = [
        (
            "its last word",
            (claim("a"), &[]),
            vec![user("x"), assistant("Done.")],
            Some(Outcome::Done),
        ),
        ("a call", (claim("a"), &[]), vec![user("x"), work()], Some(Outcome::Unfinished)),
        (
            "a result",
            (claim("a"), &[]),
            vec![user("x"), work(), tool_result("t9", "y")],
            Some(Outcome::Unfinished),
        ),
        ("its prompt", (claim("a"), &[]), vec![user("x")], Some(Outcome::Unfinished)),
        (
            "the api",
            (claim("a"), &[]),
            vec![user("x"), assistant("API Error").with("isApiErrorMessage", true)],
            Some(Outcome::Failed),
        ),
        (
            "an interruption",
            (claim("a"), &[]),
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
            (Claim { is_stopped: true, ..started_by("a", "t1") }, &failed),
            vec![user("x")],
            Some(Outcome::Stopped),
        ),
        ("nothing", (claim("a"), &[]), vec![], None),
    ];
    for (what, (claim, main), lines, expected) in table {
        assert_eq!(link(main, &[(claim, &lines)])[0].outcome, expected, "{what}");
    }
}

#[test]
fn an_agent_is_summed_up() {
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
    let agent = link(&[], &[(Claim { bytes: 77, ..claim("a") }, &lines)]).remove(0);
    assert_eq!(agent.tokens, Tokens { input: 4, cache_read: 60, cache_write: 8, output: 14 });
    assert_eq!((agent.lines, agent.bytes, agent.file), (4, 77, Some(0)));
    assert_eq!(agent.model.as_deref(), Some("haiku"));
    let times = [agent.started, agent.ended].map(|time| time.unwrap_or_default().to_string());
    assert_eq!(times, ["2026-01-02T02:59:00Z", "2026-01-02T03:04:05.678Z"]);
}
