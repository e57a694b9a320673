//! Sub-agents that only the progress records of their session have.

use library::catalog::{Filter, FoundSession};
use library::pattern::{Pattern, PatternOptions};
use library::progress::NoProgress;
use library::search::{
    GrepDemand, GrepOptions, Hits, IndexOptions, IndexWait, Order, Query, SearchOptions,
};
use library::session::Session;
use library::sessions::{Part, Selection};
use library::{Library, Options};
use serde_json::json;
use std::collections::HashSet;
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

pub(crate) const CWD: &str = "/home/ada/tidepool";

/// The lines of the agent `a1`.
fn agent() -> Vec<Line> {
    let edit = json!({"file_path": "/p/gauge.rs", "old_string": "a", "new_string": "b"});
    let lines = [
        user("Find the gauge").link("a-1", None),
        tool_use("in-1", "Edit", &edit).link("a-2", Some("a-1")).message("id", "msg_a"),
        tool_result("in-1", "the lantern was lit").link("a-3", Some("a-2")),
    ];
    lines.map(|line| line.with("sessionId", session_id(1)).cwd(CWD)).to_vec()
}

/// A session whose progress records repeat the lines of `a1`.
fn store(has_file: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    let task = json!({"subagent_type": "Explore", "description": "look", "prompt": "Other words"});
    let mut lines = vec![user("Where is it?"), tool_use("t1", "Task", &task)];
    lines.extend(agent().into_iter().map(|line| line.as_progress().with("parentToolUseID", "t1")));
    lines.extend([tool_result("t1", "Found."), assistant("There.")]);
    let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD);
    sandbox.session(CWD, &session_id(1), chained(lines).into_iter().map(own));
    if has_file {
        let own = agent().into_iter().map(|line| line.of_agent("a1"));
        sandbox.agent(CWD, &session_id(1), "agent-a1", own);
    }
    sandbox
}

pub(crate) fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let home = Some(sandbox.annals_home());
    Library::open(Options { roots, home, ..Options::default() })
}

pub(crate) fn found(library: &Library) -> FoundSession {
    library.catalog().find(&session_id(1), None).unwrap()
}

pub(crate) fn index() -> IndexOptions {
    IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole }
}

/// The agent, number and duplicates of each hit of a search.
pub(crate) fn searched(library: &Library, word: &str) -> Vec<(Option<String>, u64, usize)> {
    let query = Query::parse(word).unwrap();
    let (filter, marked) = (Filter::default(), HashSet::new());
    let options = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: usize::MAX,
        around: 0,
        now: "2026-02-01T12:00:00Z".parse().unwrap(),
    };
    let answer = |answer: library::search::SearchAnswer, _: &library::search::Freshness| {
        answer.hits.into_iter().map(|hit| (hit.agent_id, hit.line, hit.copies)).collect()
    };
    library.search().query(index(), &options, &NoProgress, answer).unwrap()
}

/// The agent and line of each hit of a pattern.
pub(crate) fn grepped(library: &Library, pattern: &str) -> Vec<(Option<String>, u64)> {
    let list = library.catalog().sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let pattern = Pattern::new(pattern, PatternOptions::default()).unwrap();
    let filter = Filter::default();
    let options = GrepOptions {
        pattern: &pattern,
        filter: &filter,
        roles: &[],
        most: 100,
        around: library::search::ContextLines::lines(0),
    };
    let mut all = Vec::new();
    library.search().grep(&sessions, &options, &NoProgress, |_, hits: Hits| {
        all.extend(hits.hits.into_iter().map(|hit| (hit.agent_id, hit.line)));
        GrepDemand::Hits
    });
    all
}

#[test]
fn agent_in_progress_records_is_listed_and_shown() {
    let sandbox = store(false);
    let library = library(&sandbox);
    let opened = library.sessions().open_session(&found(&library)).unwrap();
    let [agent] = &opened.agents().agents[..] else { panic!("{:?}", opened.agents()) };
    assert_eq!((agent.id.as_str(), agent.tool_use_id.as_deref()), ("a1", Some("t1")));
    let selection = Selection { part: Part::Agent("a1".to_owned()), ..Selection::default() };
    let turns = opened.turns(&selection).unwrap();
    assert_eq!(turns.calls().map(|call| call.id.as_deref().unwrap()).collect::<Vec<_>>(), ["in-1"]);
    let calls = opened.calls();
    let by_agent = |(agent, call): &(Option<usize>, conversation::ToolCall<'_>)| {
        (agent.map(|agent| calls.agents[agent].id.clone()), call.tool.to_string())
    };
    let calls: Vec<_> = calls.calls.iter().map(by_agent).collect();
    let expected = [(None, "Task".to_owned()), (Some("a1".to_owned()), "Edit".to_owned())];
    assert_eq!(calls, expected);
    let overview = library.prompts().overview(&found(&library));
    assert_eq!((overview.agents, overview.tools.get("Edit").copied()), (1, Some(1)));
    assert_eq!(overview.files.get("/p/gauge.rs").map(|touch| touch.changes), Some(1));
    assert_eq!(overview.prompts, 1, "a person typed one prompt");
}

#[test]
fn agent_in_progress_records_is_searched_and_grepped() {
    let sandbox = store(false);
    let library = library(&sandbox);
    let a1 = Some("a1".to_owned());
    assert_eq!(searched(&library, "lantern"), [(a1.clone(), 5, 0)]);
    assert_eq!(searched(&library, "gauge").len(), 2, "the prompt and the call");
    assert_eq!(grepped(&library, "lantern"), [(a1.clone(), 5)]);
    let list = library.catalog().sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let (message, _) = library.search().message(&sessions, "a-3", &NoProgress);
    let message = message.unwrap();
    assert_eq!((message.agent_id, message.parts[0].text.as_str()), (a1, "the lantern was lit"));
    assert_eq!(message.parts[0].tool.as_deref(), Some("Edit"));
}

#[test]
fn nothing_appears_twice_if_the_agent_has_a_file() {
    let sandbox = store(true);
    let library = library(&sandbox);
    let opened = library.sessions().open_session(&found(&library)).unwrap();
    assert_eq!(opened.agents().agents.len(), 1);
    assert!(opened.agents().agents[0].file.is_some());
    assert_eq!(opened.calls().calls.len(), 2);
    let overview = library.prompts().overview(&found(&library));
    assert_eq!((overview.agents, overview.tools.get("Edit").copied()), (1, Some(1)));
    let a1 = Some("a1".to_owned());
    assert_eq!(searched(&library, "lantern"), [(a1.clone(), 3, 0)], "in the agent's file alone");
    assert_eq!(grepped(&library, "lantern"), [(a1, 3)]);
}

#[test]
fn progress_records_do_not_change_usage() {
    let calls = |has_file| {
        let sandbox = store(has_file);
        let source = library(&sandbox).usage().read(false, &NoProgress);
        let calls = source.calls.calls.iter().map(|call| format!("{:?}", call.counters));
        let mut calls: Vec<String> = calls.collect();
        calls.sort();
        calls
    };
    assert_eq!(calls(false), calls(true));
}

#[test]
fn agent_in_progress_records_is_found_by_its_id() {
    let sandbox = Sandbox::new();
    let lines = agent().into_iter().map(|line| line.of_agent("a1b2c3d").as_progress());
    let lines = [user("Where is it?")].into_iter().chain(lines);
    let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD);
    sandbox.session(CWD, &session_id(1), chained(lines).into_iter().map(own));
    let library = library(&sandbox);
    let found = library.catalog().find("a1b2c3d", None).unwrap();
    assert_eq!((found.session.id.as_str(), found.id()), (&*session_id(1), "a1b2c3d"));
    let opened = library.sessions().open_session(&found).unwrap();
    let turns = opened.turns(&Selection::default()).unwrap();
    assert_eq!(turns.calls().count(), 1);
    let text = String::from_utf8(opened.own_lines().unwrap()).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    let list = library.catalog().sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    assert_eq!(library.catalog().find_in("a1b2c3d", &sessions).unwrap().id(), "a1b2c3d");
    for other in ["a1b2c3e", "b2c3d", "lantern"] {
        assert!(library.catalog().find(other, None).is_err(), "{other}");
    }
}

/// The number of agents that every list of the library gives a session.
pub(crate) fn counts(library: &Library) -> [usize; 5] {
    let now = "2026-02-01T12:00:00Z".parse().unwrap();
    let list = library.catalog().sessions();
    let own = list.sessions.iter().find(|session| session.id == session_id(1)).unwrap();
    [
        own.agents,
        found(library).session.agents,
        library.health().count_agents(&list),
        library.health().diagnose(now, &NoProgress).agents,
        library.sessions().agents(&found(library)).agents.len(),
    ]
}

#[test]
fn every_list_counts_agents_without_files_once() {
    for (has_file, what) in [(false, "progress records alone"), (true, "a file too")] {
        let sandbox = store(has_file);
        assert_eq!(counts(&library(&sandbox)), [1; 5], "{what}");
    }
    // An agent that an early version wrote into the main transcript.
    let sandbox = Sandbox::new();
    let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD).with("version", "1.0.60");
    let inline = [
        user("Find it").link("s-1", None).with("isSidechain", true),
        assistant("Here").link("s-2", Some("s-1")).with("isSidechain", true),
    ];
    let lines = chained([user("Where?"), assistant("There.")]).into_iter().chain(inline);
    sandbox.session(CWD, &session_id(1), lines.map(own));
    assert_eq!(counts(&library(&sandbox)), [1; 5], "an agent of an early version");
}

#[test]
fn agents_are_counted_alike_from_the_index() {
    let sandbox = store(false);
    let other = |number| user("Another").with("sessionId", session_id(number)).cwd(CWD);
    for number in 2..6 {
        sandbox.session(CWD, &session_id(number), [other(number)]);
    }
    let first = library(&sandbox);
    first.search().refresh_index(index(), &NoProgress).unwrap();
    assert_eq!(counts(&first), [1; 5]);
    // The second time, the list is made from stored facts.
    assert_eq!(counts(&library(&sandbox)), [1; 5]);
}

#[test]
fn tools_and_models_of_agents_in_progress_records_are_filtered_by() {
    let sandbox = store(false);
    let library = library(&sandbox);
    let count = |filter: &Filter| {
        let mut sessions = library.catalog().sessions().sessions;
        let troubles = library.prompts().retain_by_content(&mut sessions, filter, &NoProgress);
        assert_eq!(troubles, []);
        sessions.len()
    };
    let named = |name: &str| Some(name.to_owned());
    assert_eq!(count(&Filter { tool: named("Edit"), ..Filter::default() }), 1);
    assert_eq!(count(&Filter { agent: named("explore"), ..Filter::default() }), 1);
    assert_eq!(count(&Filter { tool: named("Write"), ..Filter::default() }), 0);
}

#[test]
fn plans_of_agents_in_progress_records_are_listed_once() {
    for has_file in [false, true] {
        let sandbox = Sandbox::new();
        let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD);
        let plan = tool_use("p-1", "ExitPlanMode", &json!({"plan": "Dig a channel"}));
        let agent = || [user("Plan it").link("a-1", None), plan.clone().link("a-2", Some("a-1"))];
        let agent = || agent().into_iter().map(|line| line.of_agent("a1b2c3d"));
        let lines = [user("How?")].into_iter().chain(agent().map(Line::as_progress));
        sandbox.session(CWD, &session_id(1), chained(lines).into_iter().map(own));
        if has_file {
            sandbox.agent(CWD, &session_id(1), "agent-a1b2c3d", agent().map(own));
        }
        let library = library(&sandbox);
        for name in [&*session_id(1), "a1b2c3d"] {
            let found = library.catalog().find(name, None).unwrap();
            let plans = library.sessions().plans(&found).plans;
            let plans = plans.iter().map(|plan| (plan.text.as_str(), plan.agent_id.as_deref()));
            let expected = [("Dig a channel", Some("a1b2c3d"))];
            assert_eq!(plans.collect::<Vec<_>>(), expected, "{name}, {has_file}");
        }
    }
}

#[test]
fn search_filters_by_agents_in_progress_records() {
    for has_file in [false, true] {
        let sandbox = store(has_file);
        let library = library(&sandbox);
        let lines = |query: &str| searched(&library, query).len();
        for (query, count) in [
            ("lantern agent:a1", 1),
            ("lantern agent:EXPLORE", 1),
            ("lantern agent:plan", 0),
            ("lantern -agent:a1", 0),
            ("lantern -agent:explore", usize::from(has_file)),
            ("lantern -agent:plan", 1),
            ("Where agent:a1", 0),
            ("Where -agent:a1", 1),
            // The prompt, the call and its result.
            ("agent:a1", 3),
        ] {
            assert_eq!(lines(query), count, "{query}, with a file: {has_file}");
        }
        let agents = searched(&library, "agent:a1").into_iter().map(|(agent, ..)| agent);
        assert!(agents.into_iter().all(|agent| agent.as_deref() == Some("a1")));
    }
}

#[test]
fn search_knows_the_type_of_an_agent_whose_call_was_indexed_earlier() {
    let sandbox = Sandbox::new();
    let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD);
    let task = json!({"subagent_type": "Explore", "prompt": "Other words"});
    let lines = chained([user("Where is it?"), tool_use("t1", "Task", &task)]);
    let path = sandbox.session(CWD, &session_id(1), lines.into_iter().map(own));
    let library = library(&sandbox);
    assert_eq!(searched(&library, "agent:explore"), []);
    for line in agent() {
        let line = own(line.as_progress().with("parentToolUseID", "t1"));
        sandbox.append(&path, format!("{line}\n"));
    }
    assert_eq!(searched(&library, "lantern agent:explore"), [(Some("a1".to_owned()), 5, 0)]);
}
