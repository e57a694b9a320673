//! Former bugs, each test named after the fact it broke.

use conversation::Evidence;
use globset::{Glob, GlobSet, GlobSetBuilder};
use library::catalog::{Filter, SessionList};
use library::progress::NoProgress;
use library::sessions::AgentTree;
use library::{Library, Options};
use serde_json::{Value, json};
use std::path::PathBuf;
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, metadata, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

fn open(roots: &[PathBuf], exclude: GlobSet) -> Library {
    let roots = roots.iter().map(|path| (path.clone(), RootOrigin::Flag)).collect();
    Library::open(Options { roots, exclude, ..Options::default() })
}

fn library(sandbox: &Sandbox) -> Library {
    open(&[sandbox.config()], GlobSet::empty())
}

fn exclude(pattern: &str) -> GlobSet {
    GlobSetBuilder::new().add(Glob::new(pattern).unwrap()).build().unwrap()
}

fn history(id: &str, text: &str, milliseconds: i64) -> String {
    json!({"display": text, "timestamp": milliseconds, "project": CWD, "sessionId": id}).to_string()
        + "\n"
}

fn texts(library: &Library) -> Vec<String> {
    library
        .prompts()
        .prompts(&Filter::default(), &NoProgress)
        .0
        .into_iter()
        .map(|prompt| prompt.text)
        .collect()
}

fn agents(main: &[Line], agents: &[(&str, Value, Vec<Line>)]) -> AgentTree {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), main);
    for (id, meta, lines) in agents {
        let below = format!("{FOLDER}/{}/subagents/agent-{id}", session_id(1));
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        sandbox.write(&format!("{below}.jsonl"), text);
        sandbox.write(&format!("{below}.meta.json"), meta.to_string());
    }
    let library = library(&sandbox);
    library.sessions().agents(&library.catalog().find(&session_id(1), None).unwrap())
}

fn call(id: &str, prompt: &str) -> Line {
    tool_use(id, "Task", &json!({"prompt": prompt}))
}

/// The `sessionId` of a flat agent is untrusted: joined to a folder, it could
/// open any `.jsonl` file.
#[test]
fn session_id_in_an_agent_file_never_leaves_the_root() {
    let sandbox = Sandbox::new();
    let secret = sandbox.write("outside/secret.jsonl", user("secret").to_string());
    let absolute = secret.with_extension("").to_str().unwrap().to_owned();
    for hint in ["../../outside/secret", absolute.as_str()] {
        let line = user("x").with("sessionId", hint).with("isSidechain", true).to_string();
        let agent = sandbox.write(&format!("{FOLDER}/agent-evil.jsonl"), line);
        for name in ["evil", agent.to_str().unwrap()] {
            let found = library(&sandbox).catalog().find(name, None);
            assert!(
                found.is_err(),
                "{hint} by {name}: {:?}",
                found.map(|found| found.session.path)
            );
        }
    }
}

#[test]
fn deleted_session_in_two_histories_is_listed_once() {
    let sandbox = Sandbox::new();
    let (one, two) = (session_id(1), session_id(2));
    sandbox.folder("other/projects");
    sandbox.write("history.jsonl", history(&one, "late", 3000));
    sandbox.write(
        "other/history.jsonl",
        history(&one, "early", 1000) + &history(&two, "between", 2000),
    );
    let library = open(&[sandbox.config(), sandbox.config().join("other")], GlobSet::empty());
    let gone: Vec<_> = library
        .catalog()
        .prompts_only(&SessionList::default())
        .0
        .into_iter()
        .map(|session| session.id)
        .collect();
    assert_eq!(gone, [one, two]);
}

/// The glob names the transcript; the history only knows the project.
#[test]
fn an_excluded_transcript_is_not_taken_for_a_deleted_one() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write("history.jsonl", history(&session_id(1), "private words", 1000));
    let library = open(&[sandbox.config()], exclude("**/-home-ada-tidepool/**"));
    let list = library.catalog().sessions();
    assert!(list.sessions.is_empty());
    assert_eq!(library.catalog().prompts_only(&list).0.len(), 0, "it is there, and hidden by wish");
    assert_eq!(texts(&library), Vec::<String>::new());
}

#[test]
fn transcript_in_overlapping_roots_is_not_a_copy_of_itself() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    for other in [sandbox.projects(), path.parent().unwrap().to_owned(), path] {
        let list = open(&[sandbox.config(), other.clone()], GlobSet::empty()).catalog().sessions();
        assert_eq!(list.sessions.len(), 1);
        assert_eq!(list.sessions[0].copies, Vec::<PathBuf>::new(), "{}", other.display());
    }
}

/// `find` by a full id and the list implement the same rule.
#[test]
fn finding_by_id_gives_the_session_the_list_shows() {
    let sandbox = Sandbox::new();
    let continued = metadata("continued-in", &[("continuedInSessionId", json!(session_id(2)))]);
    let shown = sandbox.session("/a", &session_id(1), [user("hello").cwd("/a")]);
    let hidden = sandbox.session("/b", &session_id(1), [user("hello").cwd("/b"), continued]);
    sandbox.session("/b", &session_id(2), [user("more").cwd("/b")]);
    sandbox.set_modified(&shown, 100);
    sandbox.set_modified(&hidden, 200);
    sandbox.write(
        &format!("pre-compact-session-histories/{}-20260101-010203.jsonl", session_id(1)),
        user("hello").to_string(),
    );
    let library = library(&sandbox);
    let listed = library
        .catalog()
        .sessions()
        .sessions
        .into_iter()
        .find(|session| session.id == session_id(1))
        .unwrap();
    let found = library.catalog().find(&session_id(1), None).unwrap().session;
    assert_eq!((found.path, found.unlisted), (listed.path, listed.unlisted));
    assert_eq!(found.copies, listed.copies, "pre-compact copies are copies here too");
}

#[test]
fn a_session_found_by_path_has_all_its_agents() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    let line = user("x").with("sessionId", session_id(1)).with("isSidechain", true).to_string();
    sandbox.write(&format!("{FOLDER}/agent-f1.jsonl"), line);
    assert_eq!(
        library(&sandbox).catalog().find(path.to_str().unwrap(), None).unwrap().session.agents,
        1
    );
}

/// `exclude` holds for every surface.
#[test]
fn an_excluded_transcript_is_not_found_by_its_path() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    let agent = sandbox.write(
        &format!("{FOLDER}/{}/subagents/agent-a1.jsonl", session_id(1)),
        user("x").to_string(),
    );
    let library = open(&[sandbox.config()], exclude(CWD));
    assert!(library.catalog().find("a1", None).is_err());
    assert!(library.catalog().find(agent.to_str().unwrap(), None).is_err());
    assert!(library.catalog().find(path.to_str().unwrap(), None).is_err());
}

/// Entries from before 2.0 name no session.
#[test]
fn old_history_entry_does_not_duplicate_a_typed_prompt() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello").at("2026-01-02T03:04:05.678Z")]);
    let entry = json!({"display": "hello", "timestamp": 1_767_323_045_500_i64, "project": CWD});
    sandbox.write("history.jsonl", entry.to_string());
    assert_eq!(texts(&library(&sandbox)), ["hello"]);
}

/// Only the app's own tags count as the app's; this applies to typed prompts
/// too.
#[test]
fn a_queued_prompt_may_begin_with_a_bracket() {
    let sandbox = Sandbox::new();
    let queued = |text: &str| {
        metadata("queue-operation", &[("operation", json!("enqueue")), ("content", json!(text))])
    };
    sandbox.session(
        CWD,
        &session_id(1),
        [
            user("x"),
            queued("<Foo> does not render"),
            queued("<3 thanks"),
            queued("<task-notification>x"),
        ],
    );
    let mut found = texts(&library(&sandbox));
    found.sort();
    assert_eq!(found, ["<3 thanks", "<Foo> does not render", "x"]);
}

#[test]
fn the_same_words_queued_twice_are_two_prompts() {
    let sandbox = Sandbox::new();
    let queued = |at: &str| {
        metadata(
            "queue-operation",
            &[
                ("operation", json!("enqueue")),
                ("timestamp", json!(at)),
                ("content", json!("go on")),
            ],
        )
    };
    sandbox.session(
        CWD,
        &session_id(1),
        [user("x"), queued("2026-01-02T04:00:00Z"), queued("2026-01-02T05:00:00Z")],
    );
    assert_eq!(texts(&library(&sandbox)), ["go on", "go on", "x"]);
}

#[test]
fn prompt_queued_for_a_sub_agent_is_not_listed() {
    let sandbox = Sandbox::new();
    let attachment =
        json!({"type": "queued_command", "prompt": "for the agent", "commandMode": "prompt"});
    let line = user("")
        .with("type", "attachment")
        .with("attachment", attachment)
        .with("isSidechain", true);
    sandbox.session(CWD, &session_id(1), [user("x"), line]);
    assert_eq!(texts(&library(&sandbox)), ["x"]);
}

/// Any member of a meta file may be missing; the call is still in a file.
#[test]
fn nested_agent_is_placed_below_the_writer_of_its_call() {
    let tree = agents(
        &[user("hello"), call("t1", "one")],
        &[
            ("a1", json!({"toolUseId": "t1"}), vec![user("one"), call("t2", "two")]),
            ("a2", json!({"toolUseId": "t2"}), vec![user("two")]),
        ],
    );
    let links: Vec<_> = tree
        .agents
        .iter()
        .map(|agent| (agent.id.as_str(), agent.parent_id.as_deref(), agent.depth))
        .collect();
    assert_eq!(links, [("a1", None, 1), ("a2", Some("a1"), 2)]);
}

#[test]
fn agents_with_equal_prompts_get_one_call_each() {
    let lines = || vec![user("look"), assistant("ok")];
    let tree = agents(
        &[user("hello"), call("t1", "look"), call("t2", "look")],
        &[("a1", json!({}), lines()), ("a2", json!({}), lines())],
    );
    let calls: Vec<_> = tree.agents.iter().map(|agent| agent.tool_use_id.as_deref()).collect();
    assert_eq!(calls, [Some("t1"), Some("t2")]);
}

/// The trailer is `agentId: <id> (for resuming …`; an answer may mention ids.
#[test]
fn text_about_agent_ids_is_not_a_trailer() {
    let answer = tool_result("t1", "The field `agentId: string` is optional.");
    let tree = agents(
        &[user("hello"), call("t1", "look"), answer],
        &[("a1", json!({}), vec![user("look")])],
    );
    assert_eq!(tree.agents[0].evidence, Some(Evidence::Prompt));
}

#[test]
fn inline_warmup_is_distinguished_from_work() {
    let line = |line: Line, uuid: &str, parent| line.link(uuid, parent).with("isSidechain", true);
    let main = [
        user("hello").link("m", None),
        line(user("Warmup"), "s1", None),
        line(assistant("ready"), "s2", Some("s1")),
    ];
    assert!(agents(&main, &[]).agents[0].warmup);
}

/// The list of one transcript knows nothing about its neighbours.
#[test]
fn index_beside_a_single_transcript_is_not_stale() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.session(CWD, &session_id(2), [user("hello")]);
    let entries = json!({"entries": [{"sessionId": session_id(1)}, {"sessionId": session_id(2)}]});
    sandbox.write(&format!("{FOLDER}/sessions-index.json"), entries.to_string());
    let found =
        open(&[path], GlobSet::empty()).health().diagnose(jiff::Timestamp::UNIX_EPOCH, &NoProgress);
    assert!(found.indexes.iter().all(|index| index.gone == 0), "{:?}", found.indexes);
}
