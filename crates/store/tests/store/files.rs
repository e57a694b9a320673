//! Files that are gone from disk but on a shelf are readable through [`Files`],
//! and the disk always wins.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::testing::{MemoryShelf, PanickingShelf};
use store::{
    AgentEra, EntryKind, Files, Folder, HeadAndTail, LineReader, Position, Root, RootKind,
    RootOrigin, SessionFolder, SessionMetadata, SessionPlaces, agents_below, count_backups,
    flat_agent, open_backup, plan_files, read_history, workflows_below,
};
use testkit::{Sandbox, file, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// The disk, and a shelf with a copy of everything on it.
fn over(sandbox: &Sandbox) -> Files {
    Files::disk_and_shelf(Arc::new(MemoryShelf::of(&sandbox.config())))
}

fn text(files: &Files, path: &Path) -> io::Result<(String, bool)> {
    let mut file = files.open(path)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok((text, file.is_archive_only()))
}

/// Names in a folder, with their kind and whether only the shelf has them.
fn names(files: &Files, folder: &Path) -> Vec<(String, EntryKind, bool)> {
    let entries = files.list(folder).unwrap();
    let mut names: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name().to_str().unwrap().to_owned(), entry.kind, entry.is_archive_only))
        .collect();
    names.sort_by(|one, two| one.0.cmp(&two.0));
    names
}

fn folder(sandbox: &Sandbox) -> Folder {
    Folder::new(sandbox.projects().join(store::folder_name(CWD)))
}

#[test]
fn the_shelf_is_not_queried_for_a_file_on_disk() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    let files = Files::disk_and_shelf(Arc::new(PanickingShelf));
    assert!(!files.open(&path).unwrap().is_archive_only());
    assert!(!files.find(&path).unwrap().1);
    let metadata = SessionMetadata::read(&files, &path, None, &mut HeadAndTail::default()).unwrap();
    assert_eq!(metadata.first_prompt.as_deref(), Some("hello"));
}

#[test]
fn sidecars_of_a_transcript_on_disk_are_read_from_disk_only() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.session(CWD, &id, [user("hello")]);
    let name = format!("projects/{}/{id}/custom-title.json", store::folder_name(CWD));
    let title = sandbox.write(&name, r#"{"customTitle":"Tides"}"#);
    let files = over(&sandbox);
    let read = || {
        let folder = SessionFolder::find(&files, path.with_extension("")).unwrap();
        let metadata =
            SessionMetadata::read(&files, &path, Some(&folder), &mut HeadAndTail::default())
                .unwrap();
        metadata.title
    };
    sandbox.remove(&title);
    assert_eq!(read(), None, "the person deleted it");
    sandbox.remove(&path);
    assert_eq!(read().as_deref(), Some("Tides"), "an archived transcript has its archived sidecar");
}

#[test]
fn a_name_on_disk_of_any_kind_hides_the_one_on_the_shelf() {
    let sandbox = Sandbox::new();
    let there = sandbox.write("there.txt", "old");
    let (linked, piped, gone) =
        (sandbox.write("l", "1"), sandbox.write("p", "2"), sandbox.write("gone.txt", "kept"));
    let files = over(&sandbox);
    sandbox.write("there.txt", "new");
    for path in [&linked, &piped, &gone] {
        sandbox.remove(path);
    }
    sandbox.link("l", &there);
    sandbox.pipe("p");
    sandbox.write("only-disk.txt", "new");
    assert_eq!(text(&files, &there).unwrap(), ("new".to_owned(), false));
    assert_eq!(text(&files, &gone).unwrap(), ("kept".to_owned(), true));
    for path in [&linked, &piped] {
        assert_eq!(text(&files, path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(files.find(path), None);
    }
    let named = |name: &str, kind, is_archive_only| (name.to_owned(), kind, is_archive_only);
    assert_eq!(
        names(&files, &sandbox.config()),
        [
            named("gone.txt", EntryKind::File, true),
            named("l", EntryKind::Link, false),
            named("only-disk.txt", EntryKind::File, false),
            named("p", EntryKind::Other, false),
            named("projects", EntryKind::Folder, false),
            named("there.txt", EntryKind::File, false),
        ]
    );
    let by_shelf =
        Files::disk_and_shelf(Arc::new(MemoryShelf::of(&sandbox.config()))).listing_shelf_only();
    sandbox.write("newer.txt", "new");
    assert!(by_shelf.list(&sandbox.config()).unwrap().iter().all(|entry| {
        entry.name() != "newer.txt" && entry.name() != "l" && entry.name() != "projects"
    }));
}

#[test]
fn names_that_lead_out_of_their_folder_are_ignored() {
    #[derive(Debug)]
    struct Hostile;
    impl store::Shelf for Hostile {
        fn roots(&self) -> Vec<PathBuf> {
            Vec::new()
        }
        fn entries(&self, _: &Path) -> Vec<store::ShelfEntry> {
            let names = ["", ".", "..", "../x.jsonl", "a/b", "a\0b", "fine"];
            let entry = |name: &&str| store::ShelfEntry { name: (*name).into(), is_folder: false };
            names.iter().map(entry).collect()
        }
        fn find(&self, _: &Path) -> Option<store::ShelfStat> {
            None
        }
        fn open(&self, _: &Path) -> io::Result<Box<dyn store::ShelfFile>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }
    let files = Files::disk_and_shelf(Arc::new(Hostile));
    let listed = files.list(Path::new("/nowhere")).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].path, Path::new("/nowhere/fine"));
}

#[test]
fn the_shelf_is_not_queried_after_errors_other_than_not_found() {
    let sandbox = Sandbox::new();
    let files = Files::disk_and_shelf(Arc::new(PanickingShelf));
    assert!(files.open(&sandbox.config()).is_err(), "a folder");
    let long = sandbox.config().join("x".repeat(300));
    assert!(files.open(&long).is_err(), "a name no file can have");
}

#[test]
fn a_session_on_the_shelf_has_everything_it_had_on_disk() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.session(CWD, &id, [user("hello"), user("again")]);
    sandbox.agent(CWD, &id, "agent-a1", [user("look")]);
    sandbox.agent(CWD, &id, "workflows/wf_1/agent-a2", [user("look")]);
    let own = format!("projects/{}", store::folder_name(CWD));
    sandbox.write(&format!("{own}/{id}/subagents/agent-a1.meta.json"), r#"{"agentType":"Plan"}"#);
    sandbox.write(&format!("{own}/{id}/workflows/wf_1.json"), r#"{"workflowName":"tide"}"#);
    sandbox.write(&format!("{own}/{id}/tool-results/out.txt"), "much");
    sandbox.write(
        &format!("{own}/agent-b1.jsonl"),
        user("flat").with("sessionId", id.as_str()).to_string(),
    );
    sandbox.write("plans/calm-sea.md", "# Plan");
    sandbox.write(&format!("file-history/{id}/x@v1"), "before");
    sandbox.write("history.jsonl", r#"{"display":"hello","sessionId":"x"}"#);
    let files = over(&sandbox);
    let describe = |files: &Files| {
        let listing = folder(&sandbox).list(files).unwrap();
        let session = folder(&sandbox).find_session(files, &id).unwrap();
        let own = session.folder.clone().unwrap();
        let metadata =
            SessionMetadata::read(files, &path, Some(&own), &mut HeadAndTail::default()).unwrap();
        let agents: Vec<_> = agents_below(files, &own)
            .into_iter()
            .chain(listing.agents.iter().filter_map(|path| flat_agent(files, path)))
            .map(|agent| (agent.id, agent.era, agent.workflow, agent.meta.agent_type, agent.bytes))
            .collect();
        let mut result = String::new();
        own.open_tool_result(files, "/x/out.txt").unwrap().read_to_string(&mut result).unwrap();
        let plans = plan_files(files, &sandbox.config());
        let plans: Vec<_> = plans.iter().map(|plan| plan.read(files).unwrap()).collect();
        let mut lines = 0;
        let mut open = files.open(&path).unwrap();
        LineReader::default()
            .read(&mut open, Position::START, |_| {
                lines += 1;
                true
            })
            .unwrap();
        let counts = (
            own.count_agents(files),
            own.count_tool_results(files),
            count_backups(files, &sandbox.config(), &id),
            open_backup(files, &sandbox.config(), &id, "x@v1").is_some(),
            read_history(files, &sandbox.config()).unwrap().0.len(),
            folder(&sandbox).agents_of(files, &id).len(),
            lines,
        );
        let runs: Vec<_> =
            workflows_below(files, &own).into_iter().map(|run| (run.id, run.name)).collect();
        let mut sessions = listing.sessions;
        for session in &mut sessions {
            session.is_archive_only = false;
        }
        let metadata = (metadata.first_prompt, metadata.bytes, metadata.modified);
        (sessions, listing.orphans.len(), metadata, agents, runs, result, plans, counts)
    };
    let before = describe(&Files::disk());
    assert_eq!(before.7.0, 2);
    assert!(before.3.iter().any(|agent| agent.1 == AgentEra::Flat));
    assert_eq!(describe(&files), before, "nothing is gone yet");
    sandbox.remove_folder(&sandbox.config());
    assert_eq!(describe(&files), before);
    let kept = folder(&sandbox).find_session(&files, &id).unwrap();
    assert!(kept.is_archive_only && agents_below(&files, &kept.folder.unwrap())[0].is_archive_only);
}

#[test]
fn a_root_that_is_only_on_the_shelf_keeps_its_kind() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.session(CWD, &id, [user("hello")]);
    let files = over(&sandbox);
    let table = [
        (sandbox.config(), RootKind::Config),
        (sandbox.projects(), RootKind::Projects),
        (folder(&sandbox).path, RootKind::Project),
        (path, RootKind::Transcript),
    ];
    sandbox.remove_folder(&sandbox.config());
    for (path, kind) in table {
        assert!(Root::open(&Files::disk(), &path, RootOrigin::Flag).unwrap_err().missing);
        let root = Root::open(&files, &path, RootOrigin::Flag).unwrap();
        assert_eq!((root.kind, root.is_archive_only), (kind, true), "{}", path.display());
        assert_eq!(root.folders(&files).unwrap().0.len(), 1);
        assert_eq!(root.folders_with(&files, &id).unwrap().len(), 1);
    }
    let nothing = Root::open(&files, &sandbox.config().join("none"), RootOrigin::Flag);
    assert!(nothing.unwrap_err().missing);
}

#[test]
fn folders_with_a_session_come_from_disk_and_shelf() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let gone = sandbox.session("/a", &id, [user("hello")]);
    sandbox.session("/b", &id, [user("hello")]);
    let linked = sandbox.session("/c", &id, [user("hello")]);
    let files = over(&sandbox);
    sandbox.remove(&gone);
    sandbox.remove_folder(linked.parent().unwrap());
    sandbox.link("projects/-c", &sandbox.projects().join("-b"));
    let root = Root::open(&files, &sandbox.config(), RootOrigin::Flag).unwrap();
    let with = |files: &Files| -> Vec<String> {
        root.folders_with(files, &id).unwrap().into_iter().map(|folder| folder.name).collect()
    };
    assert_eq!(with(&Files::disk()), ["-b"]);
    assert_eq!(with(&files), ["-a", "-b"], "a link is not a folder, whatever the shelf has");
}

#[test]
fn session_is_found_in_every_project_folder_that_has_a_part_of_it() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let gone = sandbox.session("/a", &id, [user("hello")]);
    sandbox.session("/b", &id, [user("hello")]);
    sandbox.session("/b", &session_id(2), [user("hello")]);
    for file in ["-b/{id}/x.txt", "-d/{id}/x.txt", "-e/{id}"] {
        sandbox.write(&format!("projects/{}", file.replace("{id}", &id)), "x");
    }
    let files = over(&sandbox);
    sandbox.remove(&gone);
    sandbox.link("projects/-c", &sandbox.projects().join("-b"));
    sandbox.link(&format!("projects/-f/{id}"), &sandbox.projects().join("-b"));
    for root in [sandbox.config(), sandbox.projects()] {
        let root = Root::open(&files, &root, RootOrigin::Flag).unwrap();
        let found = |files: &Files| {
            let places = root.session_places(files, &id);
            let transcripts: Vec<String> =
                places.folders.into_iter().map(|folder| folder.name).collect();
            let own = places.session_folders.iter().map(|own| own.path().parent().unwrap());
            let own: Vec<String> =
                own.map(|project| project.file_name().unwrap().to_string_lossy().into()).collect();
            (transcripts.join(" "), own.join(" "))
        };
        assert_eq!(found(&Files::disk()), ("-b".to_owned(), "-b -d".to_owned()));
        assert_eq!(found(&files), ("-a -b".to_owned(), "-b -d".to_owned()));
        assert_eq!(root.session_places(&files, "../-b"), SessionPlaces::default());
    }
}

#[test]
fn head_and_tail_of_long_files_on_the_shelf_are_their_ends() {
    let sandbox = Sandbox::new();
    let lines: Vec<_> = (0..2000).map(|number| user(&format!("prompt {number}"))).collect();
    let path = sandbox.write("long.jsonl", file(&lines));
    let ends = |files: &Files| {
        let mut chunks = HeadAndTail::default();
        chunks.read(&mut files.open(&path).unwrap()).unwrap();
        (chunks.head().to_owned(), chunks.tail().to_owned())
    };
    let files = over(&sandbox);
    let before = ends(&files);
    sandbox.remove(&path);
    assert!(before.0.len() == 64 * 1024 && before == ends(&files));
}
