//! Which files are archived, and which never.

use super::{area, names, noise, open, sync, sync_into, versions};
use archive::ArchiveRoot;
use std::fs;
use std::path::Path;
use store::{Files, Root, RootOrigin};
use testkit::{Sandbox, session_id};

#[test]
fn all_files_of_a_session_are_archived_and_no_secrets() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let kept = [
        format!("file-history/{id}/0123456789abcdef@v1"),
        "history.jsonl".to_owned(),
        format!("image-cache/{id}/1.png"),
        "paste-cache/abc.txt".to_owned(),
        "plans/quiet-owl.md".to_owned(),
        format!("pre-compact-session-histories/{id}-20260101-000000.jsonl"),
        format!("projects/-p/{id}.jsonl"),
        format!("projects/-p/{id}/custom-title.json"),
        format!("projects/-p/{id}/subagents/agent-a1.jsonl"),
        format!("projects/-p/{id}/subagents/agent-a1.meta.json"),
        format!("projects/-p/{id}/subagents/workflows/wf_1/journal.jsonl"),
        format!("projects/-p/{id}/tool-results/x.txt"),
        format!("projects/-p/{id}/workflows/wf_1.json"),
        "projects/-p/agent-flat.jsonl".to_owned(),
        "projects/-p/memory/notes.md".to_owned(),
        format!("tasks/{id}/1.json"),
        format!("todos/{id}-agent-{id}.json"),
        "transcripts/ses_1.jsonl".to_owned(),
    ];
    for name in &kept {
        sandbox.write(name, name);
    }
    for name in [
        ".claude.json",
        ".credentials.json",
        "settings.json",
        "settings.local.json",
        "sessions/1.key",
        "sessions/1.json",
        "shell-snapshots/zsh.sh",
        "session-env/x",
        "statsig/x",
        "projects/-p/deploy.key",
        "projects/-p/.credentials.json",
        "projects/-p/session-env/x",
    ] {
        sandbox.write(name, "secret");
    }
    let synced = sync(&sandbox);
    assert!(synced.read_errors.is_empty());
    let archive = open(&sandbox);
    assert_eq!(names(&archive), kept);
    for name in &kept {
        assert_eq!(versions(&archive, name), [name.as_bytes()]);
    }
}

#[test]
fn links_are_skipped() {
    let sandbox = Sandbox::new();
    let outside = sandbox.home().join("outside");
    fs::create_dir_all(outside.join("below")).unwrap();
    fs::write(outside.join("below/secret.jsonl"), "secret").unwrap();
    sandbox.write(&format!("projects/-p/{}.jsonl", session_id(1)), "in");
    sandbox.link("projects/-linked", &outside.join("below"));
    sandbox.link("projects/-p/secret.jsonl", &outside.join("below/secret.jsonl"));
    sandbox.link("plans", &outside);
    sandbox.pipe("projects/-p/pipe.jsonl");
    let synced = sync(&sandbox);
    assert_eq!((synced.files, synced.links), (1, 4));
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_archived() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let path = sandbox.write(&format!("projects/-p/{}.jsonl", session_id(1)), "locked");
    sandbox.write(&format!("projects/-p/{}.jsonl", session_id(2)), "open");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::File::open(&path).is_ok();
    let synced = sync(&sandbox);
    if !is_root {
        assert_eq!(synced.read_errors.len(), 1);
        assert_eq!(synced.read_errors[0].0, path);
        assert_eq!(synced.changed, 1);
    }
}

#[test]
fn a_part_of_a_store_has_the_same_identity_as_the_store() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.write(&format!("projects/-p/{id}.jsonl"), "one");
    sandbox.write(&format!("projects/-p/{id}/tool-results/x.txt"), "two");
    sandbox.write(&format!("projects/-q/{}.jsonl", session_id(2)), "three");
    let area_of =
        |path: &Path| ArchiveRoot::of(&Root::open(&Files::disk(), path, RootOrigin::Flag).unwrap());
    let whole = area(&sandbox);
    for part in [sandbox.projects(), sandbox.projects().join("-p"), path.clone()] {
        assert_eq!(area_of(&part).identity, whole.identity, "{}", part.display());
    }
    let kept = |areas: &[ArchiveRoot]| {
        let folder = tempfile::tempdir().unwrap();
        let into = folder.path().join("archive");
        sync_into(&into, areas, super::now());
        names(&archive::Archive::open(&into).unwrap())
    };
    let own = [format!("projects/-p/{id}.jsonl"), format!("projects/-p/{id}/tool-results/x.txt")];
    assert_eq!(kept(&[area_of(&path)]), own);
    assert_eq!(kept(&[area_of(&sandbox.projects().join("-p"))]), own);
    assert_eq!(kept(&[area_of(&sandbox.projects()), whole]).len(), 3);
}

#[test]
fn only_transcripts_of_a_loose_folder_are_archived() {
    let sandbox = Sandbox::new();
    let backup = sandbox.home().join("backup");
    fs::create_dir_all(&backup).unwrap();
    fs::write(backup.join("notes.jsonl"), noise(10, 1)).unwrap();
    fs::write(backup.join("taxes.pdf"), noise(10, 2)).unwrap();
    let area = ArchiveRoot::of(&Root::open(&Files::disk(), &backup, RootOrigin::Flag).unwrap());
    let into = sandbox.annals_home().join("archive");
    sync_into(&into, std::slice::from_ref(&area), super::now());
    let archive = open(&sandbox);
    assert_eq!(names(&archive), ["projects/backup/notes.jsonl"]);
    let state = archive.state();
    let (key, _) = state.files().next().unwrap();
    assert_eq!(area.path(&key.1), Some(backup.join("notes.jsonl")));
}
