//! Every reader of texts sees the files that the table in `catalog::text_files` gives
//! it, in any store: the index, `grep` (through the sources of sessions) and usage.

use index::Index;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait};
use library::session::Session;
use library::stores::Tier;
use library::{Library, Options};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::testing::MemoryShelf;
use store::{RootOrigin, Shelf};
use testkit::{Sandbox, session_id, user};

/// A kind of text file: a row of the table, or a file that is in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Main,
    Agent,
    FlatAgent,
    UnclaimedAgent,
    Copy,
    Foreign,
    /// An agent among foreign transcripts.
    ForeignAgent,
    Output,
    Plan,
    /// Not a text file: a journal beside agents.
    Journal,
    /// Not a text file: a name that is not a session id.
    Stray,
}

const KINDS: [Kind; 11] = [
    Kind::Main,
    Kind::Agent,
    Kind::FlatAgent,
    Kind::UnclaimedAgent,
    Kind::Copy,
    Kind::Foreign,
    Kind::ForeignAgent,
    Kind::Output,
    Kind::Plan,
    Kind::Journal,
    Kind::Stray,
];

impl Kind {
    /// Whether index, `grep` and usage read it.
    fn readers(self) -> [bool; 3] {
        match self {
            Kind::Main | Kind::Agent | Kind::FlatAgent | Kind::Copy => [true, true, true],
            Kind::UnclaimedAgent => [true, false, true],
            Kind::Foreign | Kind::ForeignAgent | Kind::Output | Kind::Plan => [true, true, false],
            Kind::Journal | Kind::Stray => [false, false, false],
        }
    }
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Disk,
    Archive,
    Both,
}

#[derive(Clone, Debug)]
struct Put {
    kind: Kind,
    session: u32,
    project: u32,
    place: Where,
}

impl Put {
    fn path(&self) -> String {
        let Put { session, project, .. } = self;
        let id = session_id(*session);
        let folder = format!("projects/-p{project}");
        match self.kind {
            Kind::Main => format!("{folder}/{id}.jsonl"),
            Kind::Agent => format!("{folder}/{id}/subagents/wf_1/agent-n{project}.jsonl"),
            Kind::FlatAgent => format!("{folder}/agent-f{session}.jsonl"),
            Kind::UnclaimedAgent => format!("{folder}/agent-u{session}.jsonl"),
            Kind::Copy => {
                format!("pre-compact-session-histories/{id}-2026010{project}-000000.jsonl")
            }
            Kind::Foreign => format!("transcripts/ses_{session}.jsonl"),
            Kind::ForeignAgent => format!("transcripts/agent-g{session}.jsonl"),
            Kind::Output => format!("{folder}/{id}/tool-results/t{project}.txt"),
            Kind::Plan => format!("plans/slug{session}.md"),
            Kind::Journal => format!("{folder}/{id}/subagents/wf_1/journal.jsonl"),
            Kind::Stray => format!("{folder}/backup{session}.jsonl"),
        }
    }

    fn write(&self, sandbox: &Sandbox) {
        let line = match self.kind {
            Kind::UnclaimedAgent => user("Hello").with("sessionId", serde_json::Value::Null),
            Kind::ForeignAgent => user("Hello").with("sessionId", format!("ses_{}", self.session)),
            _ => user("Hello").with("sessionId", session_id(self.session)),
        };
        sandbox.write(&self.path(), format!("{line}\n"));
    }
}

fn puts() -> impl Strategy<Value = Vec<Put>> {
    let kind = prop::sample::select(KINDS.as_slice());
    let place = prop::sample::select([Where::Disk, Where::Archive, Where::Both].as_slice());
    let put = (kind, 1_u32..4, 1_u32..3, place);
    let put = put.prop_map(|(kind, session, project, place)| Put { kind, session, project, place });
    prop::collection::vec(put, 1..16)
}

/// A store with these files, and an archive behind it. The store is a root, or only
/// the archive names it.
fn library(sandbox: &Sandbox, puts: &[Put], is_named: bool) -> Library {
    for put in puts.iter().filter(|put| put.place != Where::Disk) {
        put.write(sandbox);
    }
    sandbox.folder("projects");
    let shelf: Arc<dyn Shelf> = Arc::new(MemoryShelf::of(&sandbox.config()));
    for put in puts.iter().filter(|put| put.place == Where::Archive) {
        let path = sandbox.config().join(put.path());
        if path.exists() {
            sandbox.remove(&path);
        }
    }
    for put in puts.iter().filter(|put| put.place == Where::Disk) {
        put.write(sandbox);
    }
    let root = if is_named {
        (sandbox.config(), RootOrigin::Flag)
    } else {
        (sandbox.folder("elsewhere"), RootOrigin::Home)
    };
    let home = Some(sandbox.annals_home());
    Library::open(Options { roots: vec![root], shelf: Some(shelf), home, ..Options::default() })
}

type Paths = BTreeSet<PathBuf>;

fn by_grep(library: &Library) -> Paths {
    let list = library.catalog().all_sessions();
    let left = library.catalog().sessions_without_transcript(&list);
    let sessions: Vec<&Session> = list.sessions.iter().chain(&left).collect();
    let sources = library.catalog().sources(&sessions, Tier::DiskAndArchive);
    let all = sources.sessions.into_iter().flatten().chain(sources.plans);
    all.map(|source| source.path).collect()
}

fn by_usage(library: &Library) -> Paths {
    let source = library.usage().read(false, &NoProgress);
    assert_eq!(source.read_errors, []);
    let mut paths = Paths::new();
    for file in source.files {
        assert!(paths.insert(file.path.clone()), "{} is read twice", file.path.display());
    }
    paths
}

fn by_index(library: &Library, sandbox: &Sandbox) -> Paths {
    let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    let fresh = library.search().refresh_index(options, &NoProgress).unwrap();
    assert!(fresh.is_fresh && fresh.is_complete && fresh.read_errors.is_empty(), "{fresh:?}");
    let searcher = Index::new(sandbox.annals_home()).searcher().unwrap().unwrap();
    searcher.files().unwrap().values().map(|file| file.path.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_reader_sees_the_files_that_the_table_gives_it(
        puts in puts(),
        is_named in any::<bool>(),
    ) {
        let sandbox = Sandbox::new();
        let library = library(&sandbox, &puts, is_named);
        let before = by_usage(&library);
        let seen = [by_index(&library, &sandbox), by_grep(&library), before.clone()];
        let all: Paths = seen.iter().flatten().cloned().collect();
        for put in &puts {
            let path = sandbox.config().join(put.path());
            let readers = seen.each_ref().map(|paths| paths.contains(&path));
            // A file that was not archived, in a store that only the archive
            // names, is seen by all readers or by none.
            let is_hidden = !is_named && put.place == Where::Disk && !all.contains(&path);
            let expected = if is_hidden { [false; 3] } else { put.kind.readers() };
            prop_assert_eq!(readers, expected, "{:?}", put);
        }
        let put: Paths = puts.iter().map(|put| sandbox.config().join(put.path())).collect();
        prop_assert_eq!(all.difference(&put).next(), None);
        // What the index remembers of files changes nothing.
        let again = library.reopened();
        prop_assert_eq!(by_usage(&again), before);
    }
}

#[test]
fn calls_in_a_copy_and_its_session_count_once_and_foreign_calls_do_not_count() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let line = testkit::call("c1", [1, 1, 0, 0]).cwd("/p");
    let sessions = [
        sandbox.session("/p", &id, [line.clone()]),
        sandbox.write(
            &format!("pre-compact-session-histories/{id}-20260101-000000.jsonl"),
            format!("{line}\n"),
        ),
        sandbox.write("transcripts/ses_1.jsonl", format!("{line}\n")),
    ];
    let roots = vec![(sandbox.config(), RootOrigin::Environment)];
    let home = Some(sandbox.annals_home());
    let library = Library::open(Options { roots, home, ..Options::default() });
    let calls = |library: &Library| {
        let source = library.usage().read(false, &NoProgress);
        (source.calls.calls.len(), source.files.len())
    };
    assert_eq!(calls(&library), (1, 2));
    assert_eq!(by_index(&library, &sandbox), sessions.into_iter().collect());
    assert_eq!(calls(&library.reopened()), (1, 2));
}

/// Files of the library's source that call one of these functions.
fn callers(names: &[&str]) -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut callers = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            if names.iter().any(|name| text.contains(&format!("{name}("))) {
                let path = path.strip_prefix(&source).unwrap();
                callers.insert(path.display().to_string());
            }
        }
    }
    callers
}

#[test]
fn only_the_walk_lists_folders_for_text_files() {
    let listing = ["agent_paths", "tool_result_files", "foreign_transcripts", "plan_files"];
    let expected = [
        "catalog/agent_files.rs",
        // The list of sessions has foreign transcripts and copies in it.
        "catalog/list.rs",
        // The plan files of a tier, as sources.
        "catalog/sources.rs",
        // All plans, to find those that the lines of a session name.
        "redaction/plan_names.rs",
        // The files of one session, whose values are masked in all of them.
        "redaction/session_values.rs",
        // The plans of one open session, by their names.
        "sessions/plans.rs",
        "stores/foreign.rs",
        "stores/text_files/walk.rs",
    ];
    assert_eq!(callers(&listing), expected.map(str::to_owned).into());
}
