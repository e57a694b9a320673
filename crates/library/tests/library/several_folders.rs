//! A session whose folders lie in several project folders is one session.

use library::catalog::FoundSession;
use library::session::Session;
use library::{Library, Options};
use serde_json::json;
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const HERE: &str = "projects/-home-ada-tidepool";

fn own(number: u32, lines: &[Line]) -> String {
    let own = |line: &Line| format!("{}\n", line.clone().with("sessionId", session_id(number)));
    lines.iter().map(own).collect()
}

fn agent(text: &str) -> String {
    own(1, &[user(text).of_agent("x").link("a1", None), assistant("Found.").link("a2", Some("a1"))])
}

/// A transcript in one project folder, agents and outputs in three. `near` exists
/// twice, as after a project folder was copied.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let persisted = json!({"persistedOutputPath": "/x/tool-results/far.txt"});
    let main = [
        user("Measure the tide").cwd(CWD).link("u1", None),
        tool_use("t1", "Task", &json!({"prompt": "far"})).link("u2", Some("u1")),
        tool_result("t1", "done")
            .link("u3", Some("u2"))
            .with("toolUseResult", json!({"agentId": "far"})),
        tool_use("t2", "Bash", &json!({"command": "ls"})).link("u4", Some("u3")),
        tool_result("t2", "<persisted-output>")
            .link("u5", Some("u4"))
            .with("toolUseResult", persisted),
    ];
    sandbox.write(&format!("{HERE}/{id}.jsonl"), own(1, &main));
    sandbox.write(&format!("{HERE}/{id}/subagents/agent-near.jsonl"), agent("near"));
    sandbox.write(&format!("{HERE}/{id}/tool-results/near.txt"), "1234");
    sandbox.write(&format!("projects/-q/{id}/subagents/agent-near.jsonl"), agent("near"));
    sandbox.write(&format!("projects/-q/{id}/subagents/agent-far.jsonl"), agent("far"));
    sandbox.write(&format!("projects/-q/{id}/workflows/wf_1.json"), r#"{"workflowName":"tide"}"#);
    sandbox.write("projects/-q/agent-flat.jsonl", agent("flat"));
    sandbox.write(&format!("projects/-r/{id}/tool-results/far.txt"), "much output");
    // Nothing but this is left of another session.
    sandbox.write(&format!("projects/-r/{}/tool-results/left.txt", session_id(2)), "left");
    sandbox
}

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

#[test]
fn folders_in_other_project_folders_belong_to_the_session() {
    let sandbox = store();
    let library = library(&sandbox);
    let found = library.catalog().find(&session_id(1), None).unwrap();
    let opened = library.sessions().open_session(&found).unwrap();
    let tree = opened.agents();
    let mut ids: Vec<&str> = tree.agents.iter().map(|agent| agent.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["far", "flat", "near"], "each once");
    assert_eq!(tree.find("far").unwrap().tool_use_id.as_deref(), Some("t1"), "at its call");
    assert_eq!(tree.workflows.len(), 1);
    let output = opened.tool_output("/x/tool-results/far.txt");
    assert_eq!(output.as_deref(), Some("much output"));
    let overview = library.prompts().overview(&found);
    assert_eq!((overview.agents, overview.tool_results), (3, (2, 15)));
}

#[test]
fn list_and_lookup_count_the_same_agents_in_all_folders() {
    let sandbox = store();
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let [listed] = &list.sessions[..] else { panic!("{list:?}") };
    let found = library.catalog().find(&session_id(1), None).unwrap().session;
    let facts = |session: &Session| {
        let folders: Vec<_> = session.folders().map(|folder| folder.path().to_owned()).collect();
        (session.agents, folders)
    };
    assert_eq!(facts(listed), facts(&found));
    assert_eq!((found.agents, found.folders().count()), (3, 3));
    let strays: Vec<_> = list.strays.iter().map(|stray| stray.path.clone()).collect();
    let left = sandbox.config().join("projects/-r").join(session_id(2));
    assert_eq!(strays, [left], "only a folder without any transcript is a stray");
}

#[test]
fn folders_of_a_copy_belong_to_the_session() {
    let sandbox = store();
    let id = session_id(1);
    let copy = sandbox
        .write(&format!("projects/-q/{id}.jsonl"), own(1, &[user("Measure the tide").cwd(CWD)]));
    sandbox.set_modified(&copy, 1_600_000_000);
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let [listed] = &list.sessions[..] else { panic!("{list:?}") };
    assert_eq!((listed.agents, listed.copies.len()), (3, 1));
    let found = library.catalog().find(&id, None).unwrap();
    assert_eq!(found.session.agents, 3);
}

#[test]
fn session_without_a_transcript_has_all_its_folders() {
    let sandbox = store();
    sandbox.remove(&sandbox.config().join(HERE).join(format!("{}.jsonl", session_id(1))));
    let library = library(&sandbox);
    let left = library.catalog().sessions_without_transcript(&library.catalog().sessions());
    let left = left.into_iter().find(|session| session.id == session_id(1)).unwrap();
    let output = library.sessions().tool_output(&left, "/x/tool-results/far.txt");
    assert_eq!(output.as_deref(), Some("much output"));
    let found = FoundSession { session: left, agent: None, inline_agent: None };
    assert_eq!(library.sessions().agents(&found).files.len(), 4);
}
