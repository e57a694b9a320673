//! Snapshots are valid exactly until a file is added, deleted, changed or
//! reassigned.

use super::*;
use crate::catalog::filter::Filter;
use crate::search::index::IndexOptions;
use crate::search::index::patience::IndexWait;
use crate::search::index::search::{Order, SearchOptions};
use crate::{Library, Options};
use index::Query;
use jiff::Timestamp;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;
use store::progress::NoProgress;
use store::{ListedFolders, RootOrigin};
use testkit::{Sandbox, assistant, session_id, user};

const CWD: &str = "/home/ada/app";

fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Environment)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

fn made() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        let lines = [
            user(&format!("prompt{number}")).with("uuid", "u"),
            assistant("answer").with("uuid", "a"),
        ];
        sandbox.session(CWD, &session_id(number), lines);
    }
    sandbox.agent(CWD, &session_id(1), "agent-a1", [assistant("agentword").with("uuid", "b")]);
    sandbox.write("plans/one.md", "planword");
    sandbox
}

fn index_options() -> IndexOptions {
    IndexOptions { memory: 32 << 20, wait: IndexWait::UntilWhole }
}

/// Updates the index and writes a snapshot as if the folders had been quiet for
/// long.
fn remember(sandbox: &Sandbox) {
    let library = open(sandbox);
    library.search().refresh_index(index_options(), &NoProgress).expect("an index");
    let index = library.search().memory.index().expect("an index");
    let searcher = index.searcher().expect("an index").expect("an index");
    let notes = ListedFolders::default();
    let found = library.search().text_sources(&|_, _| None, &notes);
    let mut folders = notes.take();
    for folder in &mut folders {
        folder.is_settled = true;
    }
    let listing = library
        .search()
        .memory
        .listing_of(library.search().memory.listing_key(), found.unlisted.is_empty(), folders)
        .expect("a listing");
    drop(searcher);
    let ingest = index.ingest(32 << 20).expect("an index").expect("the lock");
    let shows = library.search().memory.shows_indexed();
    let shows = |path: &Path, is_archive_only: bool| shows(path, None, is_archive_only);
    ingest.remember(&listing, &found.sources, &shows).expect("room");
    // The clocks of file systems tick in steps of some milliseconds.
    std::thread::sleep(Duration::from_millis(30));
}

fn is_known(sandbox: &Sandbox) -> bool {
    let library = open(sandbox);
    let searcher = library.search().memory.index().expect("a place").searcher().expect("an index");
    let snapshot =
        library.search().memory.file_snapshot(&searcher.expect("an index")).expect("an answer");
    snapshot.is_some_and(|snapshot| changed(&snapshot).is_some())
}

fn hits(sandbox: &Sandbox, word: &str) -> usize {
    let library = open(sandbox);
    let query = Query::parse(word).expect("a query");
    let (filter, marked) = (Filter::default(), HashSet::new());
    let wanted = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: 10,
        around: 0,
        now: Timestamp::UNIX_EPOCH,
    };
    library
        .search()
        .query(index_options(), &wanted, &NoProgress, |answer, freshness| {
            assert!(freshness.is_fresh, "{:?}", freshness.notes);
            answer.total
        })
        .expect("an answer")
}

#[test]
fn grown_file_is_found_without_listing_folders() {
    let sandbox = made();
    remember(&sandbox);
    assert!(is_known(&sandbox));
    sandbox.session(CWD, &session_id(2), new_line());
    assert!(is_known(&sandbox));
    assert_eq!(hits(&sandbox, "newword"), 1);
    assert_eq!(hits(&sandbox, "prompt2"), 0);
    assert_eq!(hits(&sandbox, "agentword"), 1);
    assert_eq!(hits(&sandbox, "planword"), 1);
}

type ChangeOf = fn(&Sandbox);

fn new_line() -> [String; 1] {
    [user("newword").with("uuid", "n").to_string()]
}

fn agent(sandbox: &Sandbox, session: u32, name: &str) {
    sandbox.agent(CWD, &session_id(session), name, new_line());
}

fn copy(sandbox: &Sandbox) {
    let name = format!("{}-20260101-000000.jsonl", session_id(8));
    let [line] = new_line();
    sandbox.write(&format!("pre-compact-session-histories/{name}"), line + "\n");
}

fn transcript(sandbox: &Sandbox, session: u32) -> PathBuf {
    let folder = sandbox.projects().join(store::folder_name(CWD));
    folder.join(format!("{}.jsonl", session_id(session)))
}

#[test]
fn added_and_deleted_files_are_noticed() {
    let cases: [(&str, ChangeOf, &str, usize); 9] = [
        ("a session", |it| drop(it.session(CWD, &session_id(9), new_line())), "newword", 1),
        ("a project", |it| drop(it.session("/other", &session_id(9), new_line())), "newword", 1),
        ("an agent", |it| agent(it, 1, "agent-a2"), "newword", 1),
        ("the first agent of a session", |it| agent(it, 2, "agent-a3"), "newword", 1),
        ("an agent of a workflow", |it| agent(it, 1, "workflows/wf_1/agent-a4"), "newword", 1),
        ("a plan", |it| drop(it.write("plans/two.md", "newword")), "newword", 1),
        ("a copy", copy, "newword", 1),
        ("a session that goes", |it| it.remove(&transcript(it, 3)), "prompt3", 0),
        (
            "a project that goes",
            |it| it.remove_folder(transcript(it, 1).parent().expect("a folder")),
            "prompt1",
            0,
        ),
    ];
    for (name, change, word, expected) in cases {
        let sandbox = made();
        remember(&sandbox);
        assert!(is_known(&sandbox), "{name}");
        change(&sandbox);
        assert!(!is_known(&sandbox), "{name}");
        assert_eq!(hits(&sandbox, word), expected, "{name}");
    }
}

fn changes(sandbox: &Sandbox) -> Option<usize> {
    let library = open(sandbox);
    let searcher = library.search().memory.index().expect("a place").searcher().expect("an index");
    let snapshot =
        library.search().memory.file_snapshot(&searcher.expect("an index")).expect("an answer")?;
    changed(&snapshot).map(|changed| changed.len())
}

#[test]
fn snapshot_has_the_stamp_of_the_last_read() {
    let sandbox = made();
    remember(&sandbox);
    let path = transcript(&sandbox, 2);
    for word in ["oneword", "twoword", "threeword"] {
        sandbox.append(&path, format!("{}\n", user(word).with("uuid", word)));
        assert_eq!(changes(&sandbox), Some(1));
        assert_eq!(hits(&sandbox, word), 1);
        assert_eq!(changes(&sandbox), Some(0));
    }
    assert_eq!(hits(&sandbox, "prompt2"), 1);
    assert_eq!(hits(&sandbox, "prompt1"), 1);
}

#[test]
fn snapshot_is_written_again_after_each_listing() {
    let (sandbox, other) = (made(), made());
    for _ in 0..3 {
        remember(&sandbox);
        assert_eq!(changes(&sandbox), Some(0));
    }
    let elsewhere = Options {
        roots: vec![(other.config(), RootOrigin::Environment)],
        ..open(&sandbox).search().stores.options.clone()
    };
    Library::open(elsewhere)
        .search()
        .refresh_index(index_options(), &NoProgress)
        .expect("an index");
    for _ in 0..6 {
        remember(&sandbox);
        assert_eq!(changes(&sandbox), Some(0));
    }
    assert_eq!(hits(&sandbox, "prompt2"), 1);
}

#[test]
fn snapshot_with_other_files_than_listed_is_not_written() {
    let sandbox = made();
    let library = open(&sandbox);
    library.search().refresh_index(index_options(), &NoProgress).expect("an index");
    let found = library.search().text_sources(&|_, _| None, &ListedFolders::default());
    let folders = [sandbox.projects(), transcript(&sandbox, 1).parent().expect("one").into()];
    let folders = folders.into_iter().map(|path| {
        let stamp = store::FolderStamp::of(&path).expect("a stamp");
        (path, stamp)
    });
    let key = library.search().memory.listing_key().expect("a key");
    let listing = Listing { key, folders: folders.collect() };
    let try_with = |sources: &[index::Source]| {
        let index = library.search().memory.index().expect("a place");
        let ingest = index.ingest(32 << 20).expect("an index").expect("the lock");
        ingest.remember(&listing, sources, &|_, _| true).expect("room");
        let searcher = index.searcher().expect("an index").expect("an index");
        library.search().memory.file_snapshot(&searcher).expect("an answer").is_some()
    };
    let mains: Vec<_> = found.sources.iter().filter(|source| source.agent.is_none()).collect();
    let mains: Vec<_> = mains.into_iter().filter(|it| it.session.is_some()).cloned().collect();
    assert!(!try_with(&found.sources), "some are in other folders");
    assert!(!try_with(&mains[1..]), "one of the index was not found");
    let mut grown = mains.clone();
    grown[0].stamp.bytes += 1;
    assert!(!try_with(&grown), "one looks otherwise by now");
    let mut another = mains.clone();
    another[0].session = None;
    assert!(!try_with(&another), "one is somebody else's");
    assert!(try_with(&mains));
}

#[test]
fn file_reassigned_meanwhile_is_listed_again() {
    let sandbox = made();
    copy(&sandbox);
    remember(&sandbox);
    assert_eq!(changes(&sandbox), Some(0));
    let copies = sandbox.config().join("pre-compact-session-histories");
    let options = Options {
        roots: vec![(copies, RootOrigin::Flag)],
        ..open(&sandbox).search().stores.options.clone()
    };
    Library::open(options).search().refresh_index(index_options(), &NoProgress).expect("an index");
    assert_eq!(changes(&sandbox), None);
    assert_eq!(hits(&sandbox, &format!("newword session:{}", session_id(8))), 1);
}

#[test]
fn snapshot_has_only_files_of_its_roots() {
    let (sandbox, other) = (made(), made());
    let [line] = new_line();
    let path = transcript(&other, 1);
    other.append(&path, format!("{line}\n"));
    remember(&sandbox);
    let elsewhere = Options {
        roots: vec![(other.config(), RootOrigin::Environment)],
        ..open(&sandbox).search().stores.options.clone()
    };
    let elsewhere = Library::open(elsewhere);
    elsewhere.search().refresh_index(index_options(), &NoProgress).expect("an index");
    remember(&sandbox);
    let searcher =
        elsewhere.search().memory.index().expect("a place").searcher().expect("an index");
    let searcher = searcher.expect("an index");
    let snapshot = open(&sandbox)
        .search()
        .memory
        .file_snapshot(&searcher)
        .expect("an answer")
        .expect("a snapshot");
    assert!(snapshot.is_all);
    let ids = snapshot.ids();
    let files = searcher.files().expect("files");
    for (id, file) in files {
        assert_eq!(ids.contains(id), file.path.starts_with(sandbox.config()), "{file:?}");
    }
    assert!(ids.len() < files.len());
    // The other store has the same words.
    assert_eq!((hits(&sandbox, "newword"), hits(&sandbox, "prompt1")), (0, 1));
}

#[test]
fn file_no_longer_excluded_is_found_again() {
    let sandbox = made();
    remember(&sandbox);
    let glob = globset::Glob::new(&format!("**/{}.jsonl", session_id(1))).expect("a pattern");
    let exclude = globset::GlobSetBuilder::new().add(glob).build().expect("patterns");
    let options = Options { exclude, ..open(&sandbox).search().stores.options.clone() };
    Library::open(options).search().refresh_index(index_options(), &NoProgress).expect("an index");
    assert_eq!(hits(&sandbox, "prompt1"), 1);
}

#[test]
fn search_in_other_roots_does_not_change_this_snapshot() {
    let sandbox = made();
    let folder = transcript(&sandbox, 1).parent().expect("a folder").to_owned();
    let [line] = new_line();
    let backup = sandbox.write("projects/-home-ada-app/backup.jsonl", line + "\n");
    assert_eq!(backup.parent(), Some(folder.as_path()));
    remember(&sandbox);
    let options = Options {
        roots: vec![(backup, RootOrigin::Flag)],
        ..open(&sandbox).search().stores.options.clone()
    };
    Library::open(options).search().refresh_index(index_options(), &NoProgress).expect("an index");
    assert_eq!(hits(&sandbox, "newword"), 0);
    let (with, without) = (
        open(&sandbox),
        Options { no_index: true, ..open(&sandbox).search().stores.options.clone() },
    );
    let files = |library: &Library| library.usage().usage_files(&mut Vec::new()).len();
    assert_eq!(files(&with), files(&Library::open(without)));
}

#[test]
fn flat_agent_may_name_its_session_later() {
    let sandbox = made();
    let agent = sandbox.write("projects/-home-ada-app/agent-late.jsonl", "");
    remember(&sandbox);
    assert!(is_known(&sandbox));
    let line = assistant("lateword").with("sessionId", session_id(1)).with("isSidechain", true);
    sandbox.append(&agent, format!("{line}\n"));
    assert!(!is_known(&sandbox));
    assert_eq!(hits(&sandbox, &format!("lateword session:{}", session_id(1))), 1);
}

#[test]
fn single_transcripts_and_exclusions_have_no_snapshot() {
    let sandbox = made();
    remember(&sandbox);
    let key = open(&sandbox).search().memory.listing_key();
    assert!(key.is_some());
    let mut options = Options {
        roots: vec![(sandbox.projects(), RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    };
    assert_ne!(Library::open(options.clone()).search().memory.listing_key(), key);
    let glob = globset::Glob::new("/secret/**").expect("a pattern");
    options.exclude = globset::GlobSetBuilder::new().add(glob).build().expect("patterns");
    assert_eq!(Library::open(options).search().memory.listing_key(), None);
}
