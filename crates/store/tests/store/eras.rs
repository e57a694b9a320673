//! Stores of every era are found as that era wrote them.

use serde_json::json;
use std::path::{Path, PathBuf};
use store::{
    AgentEra, Folder, HeadAndTail, Root, RootKind, RootOrigin, SessionFolder, SessionMetadata,
};
use store::{agents_below, flat_agent, live_sessions, read_history, workflows_below};
use testkit::{Line, Sandbox, assistant, session_id, user};

/// These files are all on disk.
static DISK: store::Files = store::Files::disk();

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

fn only_folder(sandbox: &Sandbox) -> Folder {
    let root = Root::open(&DISK, &sandbox.config(), RootOrigin::Flag).unwrap();
    assert_eq!(root.kind, RootKind::Config);
    let (mut folders, strays) = root.folders(&DISK).unwrap();
    assert!(strays.is_empty(), "{strays:?}");
    assert_eq!(folders.len(), 1);
    folders.remove(0)
}

fn names<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut names: Vec<_> =
        paths.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}

/// 1.0.x: sub-agents are lines in the main transcript.
#[test]
fn inline_sidechains_have_no_files_and_do_not_hide_the_session() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.session(
        CWD,
        &id,
        [
            user("hello").with("version", "1.0.53"),
            user("look around")
                .link("s1", None)
                .with("isSidechain", true)
                .with("version", "1.0.53"),
            assistant("nothing")
                .link("s2", Some("s1"))
                .with("isSidechain", true)
                .with("version", "1.0.53"),
        ],
    );
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    assert_eq!(listing.sessions.len(), 1);
    assert!(listing.agents.is_empty() && listing.orphans.is_empty() && listing.strays.is_empty());
    let found = SessionMetadata::read(&DISK, &path, None, &mut HeadAndTail::default()).unwrap();
    assert_eq!(found.hidden, None, "only a first line decides");
    assert_eq!(found.version.as_deref(), Some("1.0.53"));
}

/// 2.0.x: sub-agents are files beside the main transcript.
#[test]
fn flat_agents_name_their_session_in_their_lines() {
    let sandbox = Sandbox::new();
    let id = session_id(2);
    sandbox.session(CWD, &id, [user("hello")]);
    let lines = text(&[user("look")
        .with("sessionId", id.as_str())
        .with("agentId", "a1b2c3")
        .with("isSidechain", true)]);
    let path = sandbox.write(&format!("{FOLDER}/agent-a1b2c3.jsonl"), &lines);
    let nameless = sandbox.write(&format!("{FOLDER}/agent-.jsonl"), &lines);
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    assert_eq!(
        names(listing.sessions.iter().map(|session| session.path.as_path())),
        [format!("{id}.jsonl")]
    );
    assert_eq!(
        names(listing.agents.iter().map(PathBuf::as_path)),
        ["agent-.jsonl", "agent-a1b2c3.jsonl"]
    );
    let agent = flat_agent(&DISK, &path).unwrap();
    assert_eq!((agent.id.as_str(), agent.session_id.as_deref()), ("a1b2c3", Some(id.as_str())));
    assert_eq!(
        (agent.era, agent.workflow, agent.bytes),
        (AgentEra::Flat, None, lines.len() as u64)
    );
    assert!(flat_agent(&DISK, &nameless).is_none(), "an agent needs an id");
}

/// 2.1.x: sub-agents are in the session's own folder, at any depth.
#[test]
fn nested_agents_belong_to_the_folder_and_carry_their_meta() {
    let sandbox = Sandbox::new();
    let id = session_id(3);
    sandbox.session(CWD, &id, [user("hello")]);
    let below = format!("{FOLDER}/{id}/subagents");
    let line = text(&[user("look").with("sessionId", "somebody-else").with("isSidechain", true)]);
    sandbox.write(&format!("{below}/agent-a1.jsonl"), &line);
    let meta = json!({"agentType": "Explore", "description": "look around", "toolUseId": "toolu_1", "spawnDepth": 2,
        "parentAgentId": "a0", "model": "opus", "name": "scout", "isFork": true, "stoppedByUser": true});
    sandbox.write(&format!("{below}/agent-a1.meta.json"), meta.to_string());
    sandbox.write(&format!("{below}/agent-acompact-9f.jsonl"), &line);
    sandbox.write(&format!("{below}/agent-acompact-9f.meta.json"), "{broken");
    sandbox.write(&format!("{below}/agent-aside_question-1.jsonl"), &line);
    sandbox.write(
        &format!("{below}/agent-aside_question-1.meta.json"),
        r#"{"agentType":7,"spawnDepth":"deep"}"#,
    );
    sandbox.write(&format!("{below}/deeper/and/deeper/agent-a2.jsonl"), &line);
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    let folder = listing.sessions[0].folder.clone().unwrap();
    let agents = agents_below(&DISK, &folder);
    let ids: Vec<_> = agents.iter().map(|agent| agent.id.as_str()).collect();
    assert_eq!(ids, ["a1", "acompact-9f", "aside_question-1", "a2"]);
    assert_eq!(folder.count_agents(&DISK), 4);
    for agent in &agents {
        assert_eq!(
            agent.session_id.as_deref(),
            Some(id.as_str()),
            "the folder names the session, not the lines"
        );
        assert_eq!((agent.era, &agent.workflow), (AgentEra::Nested, &None));
    }
    let meta = &agents[0].meta;
    assert_eq!(meta.agent_type.as_deref(), Some("Explore"));
    assert_eq!(meta.description.as_deref(), Some("look around"));
    assert_eq!(meta.tool_use_id.as_deref(), Some("toolu_1"));
    assert_eq!(meta.parent_agent_id.as_deref(), Some("a0"));
    assert_eq!((meta.spawn_depth, meta.is_fork, meta.stopped_by_user), (Some(2), true, true));
    assert_eq!((meta.model.as_deref(), meta.name.as_deref()), (Some("opus"), Some("scout")));
    for agent in &agents[1..] {
        assert_eq!(agent.meta, store::AgentMeta::default(), "{}", agent.id);
    }
}

#[test]
fn a_workflow_has_agents_and_a_run_and_its_journal_is_not_a_session() {
    let sandbox = Sandbox::new();
    let id = session_id(4);
    sandbox.session(CWD, &id, [user("hello")]);
    let own = format!("{FOLDER}/{id}");
    sandbox.write(&format!("{own}/subagents/workflows/wf_7/agent-w1.jsonl"), text(&[user("work")]));
    sandbox.write(
        &format!("{own}/subagents/workflows/wf_7/journal.jsonl"),
        "{\"type\":\"started\"}\n",
    );
    let run = json!({"runId": "wf_7", "workflowName": "review", "status": "completed", "durationMs": 1200,
        "agentCount": 1, "totalTokens": 99, "timestamp": "2026-01-02T03:04:05Z", "summary": "fine", "error": ""});
    sandbox.write(&format!("{own}/workflows/wf_7.json"), run.to_string());
    sandbox.write(&format!("{own}/workflows/wf_8.json"), "{torn");
    sandbox.write(&format!("{own}/workflows/notes.json"), "{}");
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    assert_eq!(listing.sessions.len(), 1, "neither the journal nor the agent is a session");
    let folder = listing.sessions[0].folder.clone().unwrap();
    let agents = agents_below(&DISK, &folder);
    assert_eq!(agents.len(), 1);
    assert_eq!((agents[0].id.as_str(), agents[0].workflow.as_deref()), ("w1", Some("wf_7")));
    let runs = workflows_below(&DISK, &folder);
    assert_eq!(runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["wf_7", "wf_8"]);
    assert_eq!(
        (runs[0].name.as_deref(), runs[0].status.as_deref()),
        (Some("review"), Some("completed"))
    );
    assert_eq!(
        (runs[0].duration_ms, runs[0].agent_count, runs[0].total_tokens),
        (Some(1200), Some(1), Some(99))
    );
    assert_eq!((runs[0].summary.as_deref(), runs[0].error.as_deref()), (Some("fine"), None));
    assert_eq!(
        (&runs[1].name, &runs[1].status),
        (&None, &None),
        "a broken run file still counts as a run"
    );
}

#[test]
fn sidecars_and_outputs_in_a_session_folder_are_not_sessions() {
    let sandbox = Sandbox::new();
    let id = session_id(5);
    sandbox.session(CWD, &id, [user("hello")]);
    let own = format!("{FOLDER}/{id}");
    sandbox.write(&format!("{own}/tool-results/a.txt"), "12345");
    sandbox.write(&format!("{own}/tool-results/b.json"), "123");
    sandbox.write(&format!("{own}/custom-title.json"), r#"{"customTitle":"  Tides \u00e9 "}"#);
    sandbox.write(
        &format!("{own}/archived.json"),
        r#"{"archived":true,"at":"2026-01-03T00:00:00Z","by":"user"}"#,
    );
    sandbox.write(&format!("{own}/resume-head.jsonl"), text(&[user("a cache")]));
    sandbox.write(&format!("{FOLDER}/memory/MEMORY.md"), "remember");
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    assert_eq!(listing.sessions.len(), 1);
    assert!(listing.strays.is_empty() && listing.orphans.is_empty(), "{:?}", listing.strays);
    let folder = listing.sessions[0].folder.clone().unwrap();
    assert_eq!(folder.count_tool_results(&DISK), (2, 8));
    assert_eq!(folder.custom_title(&DISK).as_deref(), Some("Tides é"));
    let archived = folder.archived(&DISK).unwrap();
    assert!(archived.archived);
    assert_eq!(archived.at.to_string(), "2026-01-03T00:00:00Z");
}

#[test]
fn invalid_sidecars_are_ignored() {
    let table = [
        ("custom-title.json", "{"),
        ("custom-title.json", r#"{"customTitle":7}"#),
        ("custom-title.json", r#"["customTitle"]"#),
        ("archived.json", r#"{"archived":"true","at":"2026-01-03T00:00:00Z"}"#),
        ("archived.json", r#"{"archived":true}"#),
        ("archived.json", r#"{"archived":true,"at":"soon"}"#),
        ("archived.json", r#"{"archived":true,"at":7}"#),
    ];
    for (name, content) in table {
        let sandbox = Sandbox::new();
        let path = sandbox.write(&format!("s/{name}"), content);
        let folder = SessionFolder::find(&DISK, path.parent().unwrap().to_owned()).unwrap();
        assert_eq!(folder.custom_title(&DISK), None, "{name} {content}");
        assert_eq!(folder.archived(&DISK), None, "{name} {content}");
    }
    let sandbox = Sandbox::new();
    let huge = format!(r#"{{"customTitle":"{}"}}"#, "x".repeat(70_000));
    let path = sandbox.write("s/custom-title.json", huge);
    assert_eq!(
        SessionFolder::find(&DISK, path.parent().unwrap().to_owned()).unwrap().custom_title(&DISK),
        None
    );
}

#[test]
fn a_session_folder_left_by_the_cleanup_is_an_orphan() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write(&format!("{FOLDER}/{}/tool-results/a.txt", session_id(6)), "x");
    let listing = only_folder(&sandbox).list(&DISK).unwrap();
    assert_eq!(names(listing.orphans.iter().map(SessionFolder::path)), [session_id(6)]);
}

#[test]
fn files_beside_projects_are_in_no_project_folder() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write("transcripts/ses_abc.jsonl", r#"{"type":"user","content":"hi"}"#);
    sandbox.write(
        &format!("pre-compact-session-histories/{}-20260101-010203.jsonl", session_id(1)),
        text(&[user("hello")]),
    );
    sandbox.write("file-history/x/0123456789abcdef@v1", "backup");
    sandbox.write("plans/blue-tide.md", "# plan");
    assert_eq!(only_folder(&sandbox).list(&DISK).unwrap().sessions.len(), 1);
}

#[test]
fn history_is_read_line_by_line_and_bad_lines_are_counted() {
    let sandbox = Sandbox::new();
    assert_eq!(
        read_history(&DISK, &sandbox.config()).unwrap(),
        (Vec::new(), Vec::new()),
        "a missing history is empty"
    );
    let lines = [
        json!({"display": "one", "pastedContents": {}, "timestamp": 1_767_323_045_678_i64, "project": "/p", "sessionId": session_id(1)}).to_string(),
        json!({"display": "old", "timestamp": 1_700_000_000_000.5_f64, "project": ""}).to_string(),
        json!({"display": "timeless", "timestamp": "yesterday", "sessionId": 7}).to_string(),
        json!({"timestamp": 1}).to_string(),
        "{torn".to_owned(),
        String::new(),
        "null".to_owned(),
    ];
    sandbox.write("history.jsonl", lines.join("\n"));
    let (entries, unreadable) = read_history(&DISK, &sandbox.config()).unwrap();
    assert_eq!(unreadable.len(), 3);
    let found: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry.display.as_str(),
                entry.time.map(jiff::Timestamp::as_millisecond),
                entry.project.as_deref(),
                entry.session_id.clone(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("one", Some(1_767_323_045_678), Some("/p"), Some(session_id(1))),
            ("old", Some(1_700_000_000_000), None, None),
            ("timeless", None, None, None),
        ]
    );
}

#[test]
fn keys_beside_live_sessions_are_never_opened() {
    let sandbox = Sandbox::new();
    let own = std::process::id();
    let content = json!({"pid": own, "sessionId": session_id(1), "cwd": CWD, "status": "busy"});
    sandbox.write(&format!("sessions/{own}.json"), content.to_string());
    sandbox.write("sessions/4000000000.json", r#"{"sessionId":"x"}"#);
    sandbox.write("sessions/12.json", "{torn");
    sandbox.write("sessions/notes.json", "{}");
    // Opening any of these would wait for a writer forever.
    sandbox.pipe(&format!("sessions/{own}.key"));
    sandbox.pipe(&format!("sessions/{own}.json.key"));
    sandbox.pipe("sessions/77.json");
    let mut live = live_sessions(&sandbox.config());
    live.sort_by_key(|live| live.pid);
    assert_eq!(
        live.iter().map(|live| (live.pid, live.is_alive())).collect::<Vec<_>>(),
        [(own, true), (4_000_000_000, false)]
    );
    assert_eq!(live[0].session_id.as_deref(), Some(session_id(1).as_str()));
    assert_eq!((live[0].cwd.as_deref(), live[0].status.as_deref()), (Some(CWD), Some("busy")));
}
