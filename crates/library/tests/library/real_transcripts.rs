//! Real transcripts, if they are available: every call is paired or listed as
//! missing, every agent is linked or listed as unlinked. The expected numbers
//! are counted here independently, by the simplest means.

#![expect(clippy::print_stdout, reason = "the counts are printed")]

use conversation::{Evidence, Status};
use library::progress::NoProgress;
use library::session::Session;
use library::{Library, Options};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use store::RootOrigin;

/// The real transcripts beside the repository.
fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !path.is_dir() {
        println!("SKIPPED: no real transcripts at {}", path.display());
        return None;
    }
    Some(path)
}

/// The transcripts below a folder.
fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found
}

/// The objects of a transcript, including two on one line.
fn objects(bytes: &[u8]) -> Vec<Value> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let values = lines.flat_map(|line| {
        serde_json::Deserializer::from_slice(line).into_iter::<Value>().map_while(Result::ok)
    });
    values.collect()
}

/// The calls in lines that are not valid JSON: redactors truncated some, and
/// their readable parts are read.
fn calls_in_damage(bytes: &[u8]) -> Vec<String> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let damaged = lines.filter(|line| {
        let mut values = serde_json::Deserializer::from_slice(line).into_iter::<Value>();
        values.any(|value| value.is_err())
    });
    let ids = damaged.flat_map(|line| {
        let text = String::from_utf8_lossy(line).into_owned();
        let ids = text.split("\"type\":\"tool_use\",\"id\":\"").skip(1);
        ids.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
    });
    ids.collect()
}

/// The session a transcript belongs to: its folder, its lines if it is an agent
/// beside a session, otherwise its name.
fn session_of(path: &Path, objects: &[Value]) -> String {
    let folder = path.ancestors().find(|above| above.ends_with("subagents"));
    if let Some(session) = folder.and_then(Path::parent).and_then(Path::file_name) {
        return session.to_string_lossy().into_owned();
    }
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let written = objects.iter().find_map(|object| object["sessionId"].as_str());
    if name.starts_with("agent-") { written.unwrap_or_default().to_owned() } else { name }
}

/// The calls in an object: tools on this machine and on the API's side.
fn calls(object: &Value) -> impl Iterator<Item = &str> {
    let blocks = object["message"]["content"].as_array().into_iter().flatten();
    let calls = blocks.filter(|block| {
        matches!(block["type"].as_str(), Some("tool_use" | "server_tool_use"))
            && object["type"] == "assistant"
    });
    calls.filter_map(|call| call["id"].as_str())
}

/// (session, call) or (session, agent)
type Pairs = BTreeSet<(String, String)>;

/// The expected calls, calls in damaged lines, and agents.
fn counted(corpus: &Path) -> (Pairs, Pairs, Pairs) {
    let (mut used, mut damaged, mut agents) = (Pairs::new(), Pairs::new(), Pairs::new());
    for path in transcripts(&corpus.join("projects")) {
        let bytes = fs::read(&path).unwrap();
        let objects = objects(&bytes);
        let session = session_of(&path, &objects);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if let Some(id) = name.strip_prefix("agent-") {
            agents.insert((session.clone(), id.to_owned()));
        }
        // Progress records repeat lines of agents, which may have no files.
        let repeated = objects.iter().filter(|object| object["data"]["type"] == "agent_progress");
        let repeated = repeated.map(|object| &object["data"]["message"]);
        used.extend(
            objects
                .iter()
                .chain(repeated)
                .flat_map(calls)
                .map(|id| (session.clone(), id.to_owned())),
        );
        damaged.extend(calls_in_damage(&bytes).into_iter().map(|id| (session.clone(), id)));
    }
    (used, damaged, agents)
}

/// The first few that only the first set has.
fn beyond<'a>(found: &'a Pairs, counted: &'a Pairs) -> Vec<&'a (String, String)> {
    found.difference(counted).take(5).collect()
}

#[test]
fn every_real_call_is_paired_or_missing_and_every_agent_linked_or_not() {
    let Some(corpus) = corpus() else { return };
    let (used, damaged, agents) = counted(&corpus);
    let roots = vec![(corpus, RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let list = library.catalog().sessions();
    // Agents whose session is gone are found by their own names.
    let known: BTreeSet<&str> = list.sessions.iter().map(|it| it.id.as_str()).collect();
    let orphans = agents.iter().filter(|(session, _)| !known.contains(session.as_str()));
    let orphans: BTreeMap<String, Session> = orphans
        .map(|(_, agent)| library.catalog().find(agent, None).unwrap().session)
        .map(|session| (session.id.clone(), session))
        .collect();
    let sessions: Vec<&Session> = list.sessions.iter().chain(orphans.values()).collect();
    let (reported, read_errors) = library.sessions().calls(
        &sessions,
        library::stores::Tier::Disk,
        &NoProgress,
        |session, calls| {
            let id = session.id.clone();
            let called = calls.calls.iter().map(|(_, call)| {
                let call_id = call.id.as_deref().unwrap_or("(none)").to_owned();
                ((id.clone(), call_id), call.status())
            });
            let linked = calls.agents.iter().filter(|agent| agent.file.is_some());
            let linked = linked.map(|agent| ((id.clone(), agent.id.clone()), agent.evidence));
            (called.collect::<Vec<_>>(), linked.collect::<Vec<_>>(), calls.unasked)
        },
    );
    assert!(read_errors.is_empty(), "{read_errors:?}");
    let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut evidence: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut called, mut linked, mut unasked) = (Pairs::new(), Pairs::new(), 0);
    for (calls, agents, without_call) in reported {
        unasked += without_call;
        for (pair, status) in calls {
            *statuses.entry(status.name()).or_default() += 1;
            assert!(called.insert(pair.clone()), "{pair:?} is listed twice");
        }
        for (pair, how) in agents {
            *evidence.entry(how.map_or("unlinked", Evidence::name)).or_default() += 1;
            assert!(linked.insert(pair.clone()), "{pair:?} is listed twice");
        }
    }
    println!("{} calls: {statuses:?}; {unasked} answers without a call", called.len());
    println!("{} agents with files: {evidence:?}", linked.len());
    let nowhere = damaged.difference(&called).count();
    println!("{nowhere} more in damaged lines");
    assert_eq!(beyond(&used, &called), Vec::<&(String, String)>::new(), "forgotten");
    let known = used.union(&damaged).cloned().collect();
    assert_eq!(beyond(&called, &known), Vec::<&(String, String)>::new(), "invented");
    assert_eq!(linked, agents);
    assert!(statuses.contains_key(Status::Missing.name()), "some are known to be missing");
}
