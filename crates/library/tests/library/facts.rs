//! Stored facts change no answer: with an index that has them, lists of calls, files,
//! prompts and sessions are the same as without an index, whatever changes meanwhile.

use globset::{Glob, GlobSet, GlobSetBuilder};
use index::Digest;
use library::catalog::Filter;
use library::facts::LineTurnsReader;
use library::progress::{CancellationToken, Limits, NoProgress, Progress};
use library::prompts::PromptPageOptions;
use library::search::{IndexOptions, IndexWait};
use library::session::Session;
use library::{Library, Options};
use proptest::prelude::*;
use redact::{Level, Redactor};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::RootOrigin;
use store::testing::MemoryShelf;
use testkit::{
    Line, Sandbox, assistant, chained, metadata, session_id, tool_error, tool_result, tool_use,
    user,
};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const PROJECTS: [&str; 3] = ["/home/ada/tidepool", "/home/ada/notes", "/home/ada/secret"];

/// A file of a store, and the seed of its content.
#[derive(Clone, Debug)]
struct Put {
    piece: Piece,
    session: u32,
    project: usize,
    seeds: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Piece {
    Main,
    /// A fork: the lines of another session, marked as copied.
    Fork(u32),
    Agent,
    FlatAgent,
    /// Only in the archive.
    Archived,
    History,
}

fn puts() -> impl Strategy<Value = Vec<Put>> {
    let piece = prop_oneof![
        5 => Just(Piece::Main),
        1 => (1_u32..6).prop_map(Piece::Fork),
        2 => Just(Piece::Agent),
        1 => Just(Piece::FlatAgent),
        1 => Just(Piece::Archived),
        1 => Just(Piece::History),
    ];
    let seeds = prop::collection::vec(any::<u8>(), 0..8);
    let put = (piece, 1_u32..6, 0..PROJECTS.len(), seeds);
    let put =
        put.prop_map(|(piece, session, project, seeds)| Put { piece, session, project, seeds });
    prop::collection::vec(put, 3..9)
}

/// The lines that a seed stands for.
fn lines_of(seed: u8, owner: u32) -> Vec<Line> {
    let id = format!("t{seed}-{owner}");
    let minute = seed % 7;
    let at = move |line: Line| line.at(&format!("2026-01-02T03:0{minute}:05.{:03}Z", seed % 5));
    let file = json!({"file_path": format!("/home/ada/tidepool/{}.rs", seed % 3)});
    let call = |tool: &str, input: &serde_json::Value| at(tool_use(&id, tool, input));
    match seed % 9 {
        0 => vec![at(user(&format!("prompt {}", seed % 4)))],
        1 => vec![call("Read", &file), at(tool_result(&id, "text"))],
        2 => vec![
            call("Write", &json!({"file_path": "notes.md", "content": "one\ntwo"})),
            tool_result(&id, "written").at("2026-01-02T03:09:09.000000009Z"),
        ],
        3 => vec![call("Bash", &json!({"command": "make"})), at(tool_error(&id, "no"))],
        4 => vec![call(SECRET, &json!({}))],
        5 => {
            let task = json!({"subagent_type": "Explore", "prompt": format!("task {seed}")});
            vec![call("Task", &task), at(tool_result(&id, "agentId: a1"))]
        }
        6 => vec![metadata(
            "queue-operation",
            &[("operation", "enqueue".into()), ("content", format!("queued {seed}").into())],
        )],
        7 => vec![user(&format!("no time {seed}")).without("timestamp")],
        _ => vec![call("Edit", &json!({"file_path": format!("/home/{SECRET}/x")}))],
    }
}

fn text(put: &Put) -> Vec<Line> {
    let owner = if let Piece::Fork(of) = put.piece { of } else { put.session };
    let lines = put.seeds.iter().flat_map(|seed| lines_of(*seed, owner));
    let id = session_id(put.session);
    let lines = chained(lines).into_iter().map(|line| {
        let line = line.cwd(PROJECTS[put.project]).session(&id);
        match put.piece {
            Piece::Fork(of) => line.session(&session_id(of)).forked_into(&id),
            Piece::Agent | Piece::FlatAgent => line.of_agent("a1"),
            _ => line,
        }
    });
    lines.collect()
}

fn write(sandbox: &Sandbox, shelf: &mut MemoryShelf, put: &Put) {
    let (cwd, id, lines) = (PROJECTS[put.project], session_id(put.session), text(put));
    let folder = cwd.replace('/', "-");
    let bytes = testkit::file(&lines);
    match put.piece {
        Piece::Main | Piece::Fork(_) => drop(sandbox.session(cwd, &id, lines)),
        Piece::Agent => {
            sandbox.agent(cwd, &id, "agent-a1", lines);
            let kind = ["Explore", "Plan"][put.seeds.len() % 2];
            let meta = json!({"agentType": kind, "toolUseId": format!("t5-{}", put.session)});
            let path = format!("projects/{folder}/{id}/subagents/agent-a1.meta.json");
            sandbox.write(&path, meta.to_string());
        }
        Piece::FlatAgent => {
            drop(sandbox.write(&format!("projects/{folder}/agent-b2.jsonl"), bytes));
        }
        Piece::Archived => {
            let path = sandbox.projects().join(&folder).join(format!("{id}.jsonl"));
            *shelf = std::mem::take(shelf).with(path, bytes);
        }
        Piece::History => {
            let entry = json!({"display": "prompt 1", "timestamp": 1_767_323_045_000_u64,
                "project": cwd, "sessionId": id});
            sandbox.write("history.jsonl", format!("{entry}\n"));
        }
    }
}

/// How a library is opened.
#[derive(Clone, Copy, Debug)]
struct Opening {
    is_excluding: bool,
    level: Option<Level>,
}

const OPENINGS: [Opening; 4] = [
    Opening { is_excluding: false, level: None },
    Opening { is_excluding: true, level: None },
    Opening { is_excluding: false, level: Some(Level::Standard) },
    Opening { is_excluding: true, level: Some(Level::Strict) },
];

fn open(sandbox: &Sandbox, shelf: &MemoryShelf, how: Opening, no_index: bool) -> Library {
    let mut exclude = GlobSetBuilder::new();
    if how.is_excluding {
        exclude.add(Glob::new("**/secret").unwrap());
    }
    let library = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        exclude: exclude.build().unwrap_or(GlobSet::empty()),
        home: Some(sandbox.annals_home()),
        shelf: Some(Arc::new(shelf.clone())),
        no_index,
        ..Options::default()
    });
    match how.level {
        Some(level) => library.masking(Arc::new(Redactor::new(level, [7; 32]))),
        None => library,
    }
}

/// The answers of a library, and how many bytes it read for the calls.
fn answers(library: &Library) -> (Vec<String>, u64) {
    let list = library.catalog().all_sessions();
    let left = library.catalog().sessions_without_transcript(&list);
    let sessions: Vec<&Session> = list.sessions.iter().chain(&left).collect();
    let read = BytesRead::default();
    let calls = library.facts().call_facts(&sessions, &read, |_, calls| format!("{calls:?}"));
    let read = read.0.load(Ordering::Relaxed);
    let mut answers = vec![format!("{calls:?}")];
    let places = library.files().locations(&[], &[]);
    for agent in [None, Some("plore".to_owned())] {
        let filter = Filter { agent, ..Filter::default() };
        let files = library.files().touched(&sessions, &filter, &places, &NoProgress);
        answers.push(format!("{files:?}"));
        for (limit, turns) in [(Some(2), true), (Some(5), false), (None, true)] {
            let options = PromptPageOptions { limit, turns };
            let page = library.prompts().newest_prompts(&filter, options, &NoProgress);
            answers.push(format!("{page:?}"));
        }
        let mut chosen = library.catalog().sessions().sessions;
        let unread = library.prompts().retain_by_content(&mut chosen, &filter, &NoProgress);
        let ids: Vec<String> = chosen.into_iter().map(|session| session.id).collect();
        answers.push(format!("{ids:?} {unread:?}"));
    }
    (answers, read)
}

/// Counts the bytes to read.
#[derive(Default)]
struct BytesRead(AtomicU64);

impl Progress for BytesRead {
    fn start(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}
}

fn build_index(sandbox: &Sandbox, shelf: &MemoryShelf) {
    let library = open(sandbox, shelf, OPENINGS[0], false);
    let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    library.search().refresh_index(options, &NoProgress).unwrap();
}

fn compare(sandbox: &Sandbox, shelf: &MemoryShelf) {
    for how in OPENINGS {
        let (expected, _) = answers(&open(sandbox, shelf, how, true));
        for round in ["derived", "stored"] {
            let (found, _) = answers(&open(sandbox, shelf, how, false));
            assert_eq!(found, expected, "{how:?}, {round}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn answers_from_stored_facts_equal_answers_from_the_files(before in puts(), after in puts()) {
        let (sandbox, mut shelf) = (Sandbox::new(), MemoryShelf::default());
        for put in &before {
            write(&sandbox, &mut shelf, put);
        }
        build_index(&sandbox, &shelf);
        compare(&sandbox, &shelf);
        // Sessions grow, agents come, metadata changes; the facts are of before.
        // Archived files never change.
        for put in after.iter().filter(|put| !matches!(put.piece, Piece::Archived)) {
            write(&sandbox, &mut shelf, put);
        }
        compare(&sandbox, &shelf);
    }
}

/// Three sessions, each with a call, and their index.
fn store() -> (Sandbox, MemoryShelf) {
    let (sandbox, mut shelf) = (Sandbox::new(), MemoryShelf::default());
    for session in 1..4 {
        let put = Put { piece: Piece::Main, session, project: 0, seeds: vec![0, 1, 2, 3, 5] };
        write(&sandbox, &mut shelf, &put);
    }
    build_index(&sandbox, &shelf);
    (sandbox, shelf)
}

#[test]
fn stored_facts_are_used_without_reading_a_session() {
    let (sandbox, shelf) = store();
    let (_, derived) = answers(&open(&sandbox, &shelf, OPENINGS[0], false));
    assert!(derived > 1000, "{derived}");
    let (_, stored) = answers(&open(&sandbox, &shelf, OPENINGS[0], false));
    assert_eq!(stored, 0);
    // Facts of masked lines are separate, and stored as well.
    let (_, masked) = answers(&open(&sandbox, &shelf, OPENINGS[2], false));
    assert_eq!(masked, derived);
    assert_eq!(answers(&open(&sandbox, &shelf, OPENINGS[2], false)).1, 0);
    assert_eq!(answers(&open(&sandbox, &shelf, OPENINGS[0], false)).1, 0);
}

/// Sessions with a branch and a queued prompt.
fn branched_sessions(sandbox: &Sandbox, count: u32) -> Vec<PathBuf> {
    let answer = |uuid: &str, parent: &str| {
        assistant("yes").link(uuid, Some(parent)).message("id", format!("m-{uuid}"))
    };
    let queued = metadata(
        "queue-operation",
        &[("operation", "enqueue".into()), ("content", "three".into())],
    );
    let session = |session: u32| {
        let lines = [
            user("one").link("u1", None).at("2026-01-02T03:04:01Z"),
            answer("u2", "u1"),
            user("two").link("u3", Some("u2")).at("2026-01-02T03:04:02Z"),
            answer("u4", "u3"),
            user("two, again").link("u5", Some("u2")).at("2026-01-02T03:04:03Z"),
            answer("u6", "u5"),
            queued.clone().at("2026-01-02T03:04:04Z"),
            user("three").link("u7", Some("u6")).at("2026-01-02T03:04:05Z"),
            answer("u8", "u7"),
        ];
        let lines = lines.map(|line| line.session(&session_id(session)));
        sandbox.session(PROJECTS[session as usize % PROJECTS.len()], &session_id(session), lines)
    };
    (1..=count).map(session).collect()
}

#[test]
fn stored_turns_of_prompts_are_those_of_the_conversation() {
    let (sandbox, shelf) = (Sandbox::new(), MemoryShelf::default());
    branched_sessions(&sandbox, 3);
    let turns = |no_index: bool| {
        let library = open(&sandbox, &shelf, OPENINGS[0], no_index);
        let options = PromptPageOptions { limit: None, turns: true };
        let page = library.prompts().newest_prompts(&Filter::default(), options, &NoProgress);
        let shown = page.prompts.iter().map(|prompt| {
            let turn = prompt.turn.map_or_else(|| "none".to_owned(), |turn| turn.to_string());
            format!("{}: {turn}", prompt.text)
        });
        shown.collect::<Vec<_>>()
    };
    let expected = turns(true);
    for line in ["one: 1", "two: b1.1", "two, again: 2", "three: 3"] {
        assert!(expected.iter().any(|found| found == line), "{line} in {expected:?}");
    }
    build_index(&sandbox, &shelf);
    assert_eq!(turns(false), expected, "derived");
    assert_eq!(turns(false), expected, "stored");
}

#[test]
fn stored_turns_of_lines_are_those_of_the_conversation() {
    let (sandbox, shelf) = (Sandbox::new(), MemoryShelf::default());
    let paths = branched_sessions(&sandbox, 8);
    let turns = |no_index: bool| {
        let library = open(&sandbox, &shelf, OPENINGS[0], no_index);
        let mut reader = LineTurnsReader::new(library.facts());
        let places = paths.iter().flat_map(|path| (0..12).map(move |line| (path, line)));
        let turns = places.map(|(path, line)| {
            let turn = reader.at_line(path, false, line);
            turn.map_or_else(|| "-".to_owned(), |turn| turn.to_string())
        });
        let turns: Vec<String> = turns.collect();
        reader.store();
        turns
    };
    let expected = turns(true);
    assert_eq!(expected[..12].join(" "), "- 1 1 b1.1 b1.1 2 2 - 3 3 - -");
    build_index(&sandbox, &shelf);
    assert_eq!(turns(false), expected, "derived");
    assert_eq!(turns(false), expected, "stored");
    // One of them grows: its turns are read again, and the others are not out of date.
    let line = user("four").link("u9", Some("u8")).session(&session_id(7));
    sandbox.append(&paths[6], format!("{line}\n"));
    let expected = turns(true);
    assert_eq!(expected[6 * 12 + 10], "4");
    assert_eq!(turns(false), expected, "changed");
    assert_eq!(turns(false), expected, "stored again");
}

#[test]
fn only_a_session_that_changed_is_read_again() {
    let (sandbox, shelf) = store();
    answers(&open(&sandbox, &shelf, OPENINGS[0], false));
    let path = sandbox.projects().join("-home-ada-tidepool").join(session_id(2) + ".jsonl");
    let line = user("more").at("2026-01-05T00:00:00Z");
    sandbox.append(&path, format!("{line}\n"));
    let bytes = std::fs::metadata(&path).unwrap().len();
    assert_eq!(answers(&open(&sandbox, &shelf, OPENINGS[0], false)).1, bytes);
}

#[test]
fn facts_with_a_secret_in_a_name_are_not_stored() {
    let (sandbox, mut shelf) = (Sandbox::new(), MemoryShelf::default());
    for session in 1..4 {
        let put = Put { piece: Piece::Main, session, project: 0, seeds: vec![0, 4, 8] };
        write(&sandbox, &mut shelf, &put);
    }
    build_index(&sandbox, &shelf);
    let before = count_in_index(&sandbox, SECRET.as_bytes());
    for how in OPENINGS {
        answers(&open(&sandbox, &shelf, how, false));
    }
    assert_eq!(count_in_index(&sandbox, SECRET.as_bytes()), before);
    // Facts are stored there as they are.
    assert_eq!(count_in_index(&sandbox, b"notes.md"), 0);
    for session in 1..4 {
        let put = Put { piece: Piece::Main, session, project: 0, seeds: vec![2] };
        write(&sandbox, &mut shelf, &put);
    }
    answers(&open(&sandbox, &shelf, OPENINGS[0], false));
    assert!(count_in_index(&sandbox, b"notes.md") > 0);
}

/// How often a text occurs in the files of the index.
fn count_in_index(sandbox: &Sandbox, text: &[u8]) -> usize {
    let files = std::fs::read_dir(sandbox.annals_home()).unwrap();
    let count = files.map(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        bytes.windows(text.len()).filter(|part| *part == text).count()
    });
    count.sum()
}

#[test]
fn facts_of_a_call_that_was_late_are_not_stored() {
    let (sandbox, shelf) = store();
    let expected = answers(&open(&sandbox, &shelf, OPENINGS[0], true)).0;
    let late = Limits::new(Some(Instant::now()), CancellationToken::default());
    let library = open(&sandbox, &shelf, OPENINGS[0], false);
    let options = PromptPageOptions { limit: Some(2), turns: true };
    library.prompts().newest_prompts(&Filter::default(), options, &late);
    let list = library.catalog().all_sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let (known, _) = library.facts().call_facts(&sessions, &late, |_, calls| calls.len());
    assert!(known.is_empty(), "{known:?}");
    assert_eq!(answers(&open(&sandbox, &shelf, OPENINGS[0], false)).0, expected);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test damages the index")]
fn damaged_facts_are_derived_again() {
    let (sandbox, shelf) = store();
    let expected = answers(&open(&sandbox, &shelf, OPENINGS[0], false)).0;
    // Names of tools are stored as they are; every one of them is changed.
    let mut changed = 0;
    for name in ["index.db", "index.db-wal"] {
        let path = sandbox.annals_home().join(name);
        let Ok(mut bytes) = std::fs::read(&path) else { continue };
        let found: Vec<usize> = bytes
            .windows(9)
            .enumerate()
            .filter(|(_, part)| *part == b"\x04Read\x0fcla")
            .map(|(at, _)| at)
            .collect();
        for at in found {
            bytes[at + 1] = b'L';
            changed += 1;
        }
        std::fs::write(&path, bytes).unwrap();
    }
    assert!(changed > 0);
    assert_eq!(answers(&open(&sandbox, &shelf, OPENINGS[0], false)).0, expected);
}

#[test]
fn stored_sums_equal_the_sums_of_a_new_index() {
    let (sandbox, mut shelf) = store();
    let sums = |home: &str| {
        let library = Library::open(Options {
            roots: vec![(sandbox.config(), RootOrigin::Flag)],
            home: Some(sandbox.path().join(home)),
            ..Options::default()
        });
        let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
        library.search().refresh_index(options, &NoProgress).unwrap();
        library.usage().session_sums().unwrap()
    };
    // Only folders that have been quiet are known without being listed.
    std::thread::sleep(Duration::from_millis(2100));
    let first = sums("annals");
    assert!(first.values().any(|own| own.messages > Some(1)), "{first:?}");
    assert_eq!(sums("annals"), first);
    assert_eq!(sums("second"), first);
    let put = Put { piece: Piece::Main, session: 2, project: 0, seeds: vec![0, 1, 9, 0, 18] };
    write(&sandbox, &mut shelf, &put);
    let second = sums("annals");
    assert_ne!(second, first);
    assert_eq!(sums("third"), second);
    assert_eq!(sums("annals"), second);
}

#[test]
fn facts_of_deleted_sessions_leave_the_index() {
    let (sandbox, shelf) = store();
    answers(&open(&sandbox, &shelf, OPENINGS[0], false));
    let call = Digest::of(b"t2-1");
    assert!(count_in_index(&sandbox, call.as_bytes()) > 0);
    sandbox.remove_folder(&sandbox.projects().join("-home-ada-tidepool"));
    build_index(&sandbox, &shelf);
    assert_eq!(count_in_index(&sandbox, call.as_bytes()), 0);
}
