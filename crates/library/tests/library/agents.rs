//! Sub-agents of all eras as one tree.

use conversation::Evidence;
use library::sessions::AgentTree;
use library::{Library, Options};
use serde_json::{Value, json};
use store::{AgentEra, RootOrigin};
use testkit::{Line, Sandbox, assistant, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

/// A session in the making, with agents of any era.
struct Fixture {
    sandbox: Sandbox,
}

impl Fixture {
    fn new(main: &[Line]) -> Fixture {
        let fixture = Fixture { sandbox: Sandbox::new() };
        fixture.sandbox.session(CWD, &session_id(1), main);
        fixture
    }

    fn flat(self, id: &str, lines: &[Line]) -> Fixture {
        self.sandbox.write(&format!("{FOLDER}/agent-{id}.jsonl"), own(lines));
        self
    }

    fn nested(self, id: &str, meta: &Value, lines: &[Line]) -> Fixture {
        let below = format!("{FOLDER}/{}/subagents", session_id(1));
        self.sandbox.write(&format!("{below}/agent-{id}.jsonl"), own(lines));
        self.sandbox.write(&format!("{below}/agent-{id}.meta.json"), meta.to_string());
        self
    }

    fn tree(&self) -> AgentTree {
        let roots = vec![(self.sandbox.config(), RootOrigin::Flag)];
        let library = Library::open(Options { roots, ..Options::default() });
        library.sessions().agents(&library.catalog().find(&session_id(1), None).unwrap())
    }
}

fn own(lines: &[Line]) -> String {
    let lines = lines
        .iter()
        .map(|line| line.clone().with("sessionId", session_id(1)).with("isSidechain", true));
    lines.map(|line| line.to_string() + "\n").collect()
}

fn call(id: &str, prompt: &str) -> Line {
    tool_use(
        id,
        "Task",
        &json!({"subagent_type": "Explore", "description": "look", "prompt": prompt}),
    )
}

fn ids(tree: &AgentTree) -> Vec<(&str, Option<&str>, u64)> {
    tree.agents
        .iter()
        .map(|agent| (agent.id.as_str(), agent.parent_id.as_deref(), agent.depth))
        .collect()
}

#[test]
fn agent_is_linked_by_the_best_evidence() {
    let by_result = tool_result("t1", "done").with("toolUseResult", json!({"agentId": "a1"}));
    let by_trailer = tool_result(
        "t1",
        "done\nagentId: a1 (for resuming to continue this agent's work if needed)",
    );
    let lying_trailer = tool_result("t1", "agentId: zz (for resuming")
        .with("toolUseResult", json!({"agentId": "a1"}));
    let table = [
        ("meta", json!({"toolUseId": "t1"}), vec![call("t1", "x")], Some((Evidence::Meta, "t1"))),
        (
            "meta before result",
            json!({"toolUseId": "t2"}),
            vec![call("t1", "x"), by_result.clone(), call("t2", "y")],
            Some((Evidence::Meta, "t2")),
        ),
        ("result", json!({}), vec![call("t1", "x"), by_result], Some((Evidence::Result, "t1"))),
        ("trailer", json!({}), vec![call("t1", "x"), by_trailer], Some((Evidence::Trailer, "t1"))),
        (
            "the structured field before the text",
            json!({}),
            vec![call("t1", "x"), lying_trailer],
            Some((Evidence::Result, "t1")),
        ),
        ("prompt", json!({}), vec![call("t1", "go and look")], Some((Evidence::Prompt, "t1"))),
        (
            "moment",
            json!({}),
            vec![
                call("t0", "much earlier").at("2026-03-01T11:00:00.000Z"),
                call("t1", "other words").at("2026-03-01T11:59:59.100Z"),
                call("t2", "a little further").at("2026-03-01T12:00:00.950Z"),
            ],
            Some((Evidence::Time, "t1")),
        ),
        ("another's prompt", json!({}), vec![call("t1", "something else")], None),
        (
            "another tool",
            json!({}),
            vec![tool_use("t1", "Bash", &json!({"prompt": "go and look"}))],
            None,
        ),
    ];
    for (what, meta, mut main, expected) in table {
        main.insert(0, user("hello"));
        let later = "2026-03-01T12:00:00.000Z";
        let lines = [user("go and look").at(later), assistant("ok").at(later)];
        let tree = Fixture::new(&main).nested("a1", &meta, &lines).tree();
        let [agent] = &tree.agents[..] else { panic!("{what}") };
        let found = agent.evidence.zip(agent.tool_use_id.as_deref());
        assert_eq!(found, expected, "{what}");
        assert_eq!(
            agent.kind.as_deref(),
            expected.map(|_| "Explore"),
            "{what}: the call says what it was for"
        );
    }
}

#[test]
fn call_belongs_to_the_agent_its_result_names() {
    let named = tool_result("t1", "done").with("toolUseResult", json!({"agentId": "other"}));
    let tree = Fixture::new(&[user("hello"), call("t1", "go and look"), named])
        .flat("a1", &[user("go and look")])
        .tree();
    assert_eq!(tree.agents[0].evidence, None);
}

#[test]
fn agent_metadata_wins_over_the_call() {
    let meta =
        json!({"toolUseId": "t1", "agentType": "Plan", "description": "think", "model": "opus"});
    let tree = Fixture::new(&[user("hello"), call("t1", "x")])
        .nested("a1", &meta, &[assistant("ok")])
        .tree();
    let agent = &tree.agents[0];
    assert_eq!(
        (agent.kind.as_deref(), agent.description.as_deref(), agent.model.as_deref()),
        (Some("Plan"), Some("think"), Some("opus"))
    );
}

#[test]
fn agents_of_every_file_layout_are_found() {
    let inline = |line: Line, uuid: &str, parent: Option<&str>| {
        line.link(uuid, parent).with("isSidechain", true)
    };
    let fixture = Fixture::new(&[
        user("hello").link("m1", None),
        call("t1", "inline one").link("m2", Some("m1")),
        call("t2", "flat one").link("m3", Some("m2")),
        inline(user("inline one"), "s1", None),
        inline(assistant("hm"), "s2", Some("s1")),
        inline(user("inline two"), "s3", None),
        inline(assistant("ok"), "s4", Some("s2")),
    ])
    .flat("f1", &[user("flat one"), assistant("ok")])
    .nested("n1", &json!({"agentType": "Plan"}), &[user("x"), assistant("y"), assistant("z")]);
    let tree = fixture.tree();
    let mut seen: Vec<_> = tree
        .agents
        .iter()
        .map(|agent| (tree.era(agent), agent.id.clone(), agent.lines, agent.tool_use_id.clone()))
        .collect();
    seen.sort();
    let call = |id: &str| Some(id.to_owned());
    assert_eq!(
        seen,
        [
            (AgentEra::Inline, "s1".to_owned(), 3, call("t1")),
            (AgentEra::Inline, "s3".to_owned(), 1, None),
            (AgentEra::Flat, "f1".to_owned(), 2, call("t2")),
            (AgentEra::Nested, "n1".to_owned(), 3, None),
        ]
    );
}

#[test]
fn agents_beside_the_transcript_of_another_session_are_not_listed() {
    let fixture = Fixture::new(&[user("hello")]);
    let line = user("x").with("sessionId", session_id(2)).to_string();
    fixture.sandbox.write(&format!("{FOLDER}/agent-f9.jsonl"), line);
    assert!(fixture.tree().agents.is_empty());
}

#[test]
fn agents_nest_below_the_one_that_started_them() {
    let line = [user("x")];
    let below = |parent: &str| json!({"parentAgentId": parent});
    let tree = Fixture::new(&[user("hello")])
        .nested("a", &below("c"), &line)
        .nested("b", &json!({}), &line)
        .nested("c", &below("b"), &line)
        .nested("d", &json!({}), &line)
        .nested("e", &below("nobody"), &line)
        .nested("f", &json!({"parentAgentId": "b", "spawnDepth": 2}), &line)
        .tree();
    assert_eq!(
        ids(&tree),
        [
            ("b", None, 1),
            ("c", Some("b"), 2),
            ("a", Some("c"), 3),
            ("f", Some("b"), 2),
            ("d", None, 1),
            ("e", Some("nobody"), 1),
        ]
    );
}

#[test]
fn agents_that_start_each_other_do_not_loop_and_are_listed() {
    let line = [user("x")];
    let below = |parent: &str| json!({"parentAgentId": parent});
    let tree = Fixture::new(&[user("hello")])
        .nested("a", &below("b"), &line)
        .nested("b", &below("a"), &line)
        .nested("c", &below("c"), &line)
        .nested("d", &below("a"), &line)
        .nested("e", &json!({}), &line)
        .tree();
    let mut seen: Vec<_> = tree.agents.iter().map(|agent| agent.id.as_str()).collect();
    seen.sort_unstable();
    assert_eq!(seen, ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_chain_of_a_thousand_agents_is_walked() {
    let mut fixture = Fixture::new(&[user("hello")]);
    for number in 0..1000_u32 {
        let parent = number.checked_sub(1).map(|parent| format!("a{parent}"));
        fixture =
            fixture.nested(&format!("a{number}"), &json!({"parentAgentId": parent}), &[user("x")]);
    }
    let tree = fixture.tree();
    assert_eq!(
        tree.agents.last().map(|agent| (agent.id.as_str(), agent.depth)),
        Some(("a999", 1000))
    );
}

#[test]
fn warmups_are_distinguished_from_work() {
    let many: Vec<Line> =
        std::iter::once(user("Warmup")).chain(std::iter::repeat_n(assistant("x"), 20)).collect();
    let table = [
        (vec![user("Warmup"), assistant("ready")], true),
        (vec![user(" Warmup\n"), assistant("ready")], true),
        (vec![user("Warmup"), tool_use("t", "Read", &json!({}))], false),
        (vec![user("Warmup exercises"), assistant("x")], false),
        (many, false),
    ];
    for (lines, expected) in table {
        let tree = Fixture::new(&[user("hello")]).flat("w", &lines).tree();
        assert_eq!(tree.agents[0].warmup, expected, "{}", lines[0]);
    }
}

#[test]
fn workflow_runs_and_their_agents_are_in_the_tree() {
    let fixture = Fixture::new(&[user("hello")]);
    let below = format!("{FOLDER}/{}", session_id(1));
    fixture.sandbox.write(
        &format!("{below}/workflows/wf_1.json"),
        r#"{"workflowName":"review","agentCount":0}"#,
    );
    fixture
        .sandbox
        .write(&format!("{below}/subagents/workflows/wf_1/agent-w1.jsonl"), own(&[user("x")]));
    fixture.sandbox.write(&format!("{below}/subagents/workflows/wf_1/journal.jsonl"), "{}\n");
    let tree = fixture.tree();
    assert_eq!(tree.workflows[0].name.as_deref(), Some("review"));
    assert_eq!(
        tree.agents.iter().map(|agent| agent.workflow.as_deref()).collect::<Vec<_>>(),
        [Some("wf_1")]
    );
}
