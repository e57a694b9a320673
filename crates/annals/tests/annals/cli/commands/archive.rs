//! The archive from outside: what the cleanup takes is still there.

use crate::cli::support::exercises::calls_from_archive;
use crate::cli::support::full_store;
use crate::cli::support::run::{Answer, annals, assert_members, command, modified, run, session};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, fingerprint, session_id};

const CWD: &str = "/home/ada/tidepool";
const ID: &str = "00000001";

/// What Claude Code's cleanup does to everything, long after it ended.
fn clean_up(sandbox: &Sandbox) {
    for folder in ["projects", "plans", "file-history", "todos"] {
        let _ = fs::remove_dir_all(sandbox.config().join(folder));
    }
    fs::create_dir_all(sandbox.projects()).unwrap();
}

fn store_with_everything() -> Sandbox {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    // Nothing is running any more.
    fs::remove_dir_all(sandbox.config().join("sessions")).unwrap();
    sandbox
}

/// An answer without what may differ between a session on disk and a kept one.
fn same(answer: &Answer) -> String {
    answer
        .out
        .replace("\"presence\":\"archive\"", "\"presence\":\"disk\"")
        .replace("\"presence\": \"archive\"", "\"presence\": \"disk\"")
}

#[test]
fn commands_answer_the_same_from_the_archive() {
    let sandbox = store_with_everything();
    annals(&sandbox, &["archive", "sync"]).done();
    let mut calls = calls_from_archive(ID);
    // A list of sessions notes which of them are only in the archive.
    calls.retain(|call| !call.contains(&"-l"));
    let before: Vec<String> =
        calls.iter().map(|arguments| same(&annals(&sandbox, arguments).done())).collect();
    clean_up(&sandbox);
    assert!(!annals(&sandbox, &["ls", "--json"]).done().ids().contains(&session_id(1)));
    for (arguments, before) in calls.iter().zip(&before) {
        let after = same(&annals(&sandbox, arguments).done());
        assert_eq!(&after, before, "{arguments:?}");
    }
    // And if nothing is left of the store at all.
    fs::remove_dir_all(sandbox.config()).unwrap();
    let after = same(&annals(&sandbox, &["show", ID, "--json"]).done());
    let place = calls.iter().position(|call| *call == ["show", ID, "--json"]).unwrap();
    assert_eq!(after, before[place]);
    assert!(annals(&sandbox, &["ls", "--deleted", "--json"]).done().ids().contains(&session_id(1)));
}

#[test]
fn deleted_sessions_are_listed_as_archived() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Why is the sea salt?");
    modified(&sandbox, &path, "2026-01-30T12:00:00Z");
    session(&sandbox, 2, CWD, "Still here");
    let synced = annals(&sandbox, &["archive", "sync"]).done().out;
    assert!(synced.starts_with("Archived 2 of 2 files: 1.7 kB new, stored in "), "{synced}");
    sandbox.remove(&path);
    let gone = annals(&sandbox, &["ls", "--deleted", "--json"]).done().json();
    assert_eq!(gone["sessions"][0]["id"], session_id(1));
    assert_eq!(gone["sessions"][0]["presence"], "archive");
    assert_eq!(gone["sessions"][0]["summary"], "Why is the sea salt?");
    assert_eq!(gone["total"], 1);
    assert_eq!(annals(&sandbox, &["ls", "--json"]).done().ids(), [session_id(2)]);
    let info = annals(&sandbox, &["info", "salt", "--json"]).done().json();
    assert_eq!(info["session"]["presence"], "archive", "{info}");
    insta::assert_snapshot!(annals(&sandbox, &["ls", "--deleted"]).done().out, @"
    SESSION   CHANGED  PROJECT             BRANCH   SIZE  NOTE     TITLE
    00000001  2d ago   /home/ada/tidepool  main    852 B  archive  Why is the sea salt?
    ");
}

#[test]
fn restored_session_is_byte_equal() {
    let sandbox = store_with_everything();
    let before = fingerprint(&sandbox.projects());
    let path =
        sandbox.projects().join(store::folder_name(CWD)).join(format!("{}.jsonl", session_id(1)));
    let bytes = fs::read(&path).unwrap();
    annals(&sandbox, &["archive", "sync"]).done();
    assert_eq!(fingerprint(&sandbox.projects()), before, "a sync changes nothing in a store");
    clean_up(&sandbox);
    let restored = annals(&sandbox, &["archive", "restore", ID, "--json"]).done().json();
    assert_members(&restored, "schema session_id transcript written already_there bytes damaged");
    assert_eq!(restored["transcript"], path.display().to_string());
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let now: std::time::SystemTime =
        "2026-02-01T12:00:00Z".parse::<jiff::Timestamp>().unwrap().into();
    assert_eq!(modified, now, "the cleanup must not take it at once");
    let again = annals(&sandbox, &["archive", "restore", ID, "--json"]).done().json();
    assert_eq!(again["written"], Value::Array(Vec::new()));
    assert!(annals(&sandbox, &["archive", "restore", ID]).done().out.contains("already exist"));
    // Something else in its place is left alone.
    sandbox.append(&path, "{}\n");
    let refused = annals(&sandbox, &["archive", "restore", ID]);
    assert!(refused.complaint(2).contains("may be newer"), "{refused:?}");
    let elsewhere = sandbox.home().join("back");
    let to = elsewhere.display().to_string();
    annals(&sandbox, &["archive", "restore", ID, "--to", &to]).done();
    let copy = elsewhere.join(path.strip_prefix(sandbox.config()).unwrap());
    assert_eq!(fs::read(&copy).unwrap(), bytes);
    let ids = annals(&sandbox, &["ls", "--root", &to, "--json"]).done().ids();
    assert_eq!(ids, [session_id(1)], "laid out as a store");
}

#[test]
fn earlier_versions_are_listed_and_restored() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "First thought");
    let first = fs::read(&path).unwrap();
    annals(&sandbox, &["archive", "sync"]).done();
    session(&sandbox, 1, CWD, "Second thought");
    annals(&sandbox, &["archive", "sync"]).done();
    let files = annals(&sandbox, &["archive", "ls", ID, "--json"]).done().json();
    assert_eq!(files["files"].as_array().unwrap().len(), 2, "{files}");
    assert_members(
        &files["files"][0],
        "name root version is_newest is_on_disk bytes modified_at archived_at",
    );
    let to = sandbox.home().join("old");
    let arguments = ["archive", "restore", ID, "--version", "1", "--to", to.to_str().unwrap()];
    let restored = annals(&sandbox, &arguments).done().out;
    assert!(restored.contains("Restored"), "{restored}");
    let copy = to.join(path.strip_prefix(sandbox.config()).unwrap());
    assert_eq!(fs::read(copy).unwrap(), first);
    let refused = annals(&sandbox, &["archive", "restore", ID, "--version", "9", "--to", "x"]);
    assert!(refused.complaint(2).contains("no version 9"), "{refused:?}");
}

#[test]
fn forgotten_sessions_are_not_archived_again() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Private matters");
    session(&sandbox, 2, CWD, "Public matters");
    annals(&sandbox, &["archive", "sync"]).done();
    let asked = annals(&sandbox, &["archive", "forget", ID]);
    assert!(asked.complaint(2).contains("--yes"), "{asked:?}");
    let printed = annals(&sandbox, &["archive", "forget", ID, "--yes"]);
    assert_eq!(printed.code, 0);
    assert!(printed.err.contains("Private matters"), "{printed:?}");
    assert!(printed.out.starts_with("Deleted "), "{printed:?}");
    annals(&sandbox, &["archive", "sync"]).done();
    let kept = annals(&sandbox, &["archive", "ls", "--json"]).done();
    assert_eq!(kept.ids(), [session_id(2)]);
    assert_eq!(kept.json()["archive"]["not_archived_files"], 0, "and is not missed");
    assert!(
        annals(&sandbox, &["archive", "verify", "--deep"]).done().out.contains("No damage found")
    );
    let again = annals(&sandbox, &["archive", "forget", ID, "--yes"]);
    assert!(again.complaint(1).contains("was deleted with `annals archive forget`"), "{again:?}");
}

#[test]
fn forget_with_keep_usage_keeps_the_totals() {
    let sandbox = store_with_everything();
    annals(&sandbox, &["archive", "sync"]).done();
    let before = annals(&sandbox, &["usage", "model", "--json"]).done().json()["totals"].clone();
    clean_up(&sandbox);
    let printed = annals(&sandbox, &["archive", "forget", ID, "--yes", "--keep-usage"]);
    assert!(printed.err.contains("this is the last copy"), "{printed:?}");
    let after = annals(&sandbox, &["usage", "model", "--json"]).done().json()["totals"].clone();
    assert_eq!(after, before);
}

#[test]
fn exported_archive_is_imported_completely() {
    let (sandbox, other) = (store_with_everything(), Sandbox::new());
    annals(&sandbox, &["archive", "sync"]).done();
    annals(&sandbox, &["mark", ID, "worth keeping"]).done();
    let disk = sandbox.home().join("disk");
    let folder = disk.display().to_string();
    let exported = annals(&sandbox, &["archive", "export", &folder, "--json"]).done().json();
    assert_members(
        &exported,
        "schema files changed versions bytes facts forgotten still_archived damaged_lines damaged",
    );
    assert_eq!(exported["facts"], 1);
    annals(&other, &["archive", "import", &folder]).done();
    let gone = annals(&other, &["ls", "--deleted", "--json"]).done().ids();
    assert!(gone.contains(&session_id(1)), "{gone:?}");
    let shown = |sandbox| annals(sandbox, &["show", ID, "--json"]).done().json()["turns"].clone();
    assert_eq!(shown(&other), shown(&sandbox));
    assert!(annals(&other, &["mark", "--json"]).done().out.contains("worth keeping"));
    let again = annals(&other, &["archive", "import", &folder, "--json"]).done().json();
    assert_eq!((&again["changed"], &again["facts"]), (&0.into(), &0.into()));
    annals(&other, &["archive", "verify", "--deep"]).done();
    // Where it came from is not a place to write to.
    let refused = annals(&other, &["archive", "restore", ID]);
    assert!(refused.complaint(2).contains("--to"), "{refused:?}");
}

#[test]
fn verify_reports_damage_with_exit_code_2() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "One");
    session(&sandbox, 2, CWD, "Two");
    annals(&sandbox, &["archive", "sync"]).done();
    let whole = annals(&sandbox, &["archive", "verify"]).done().out;
    assert!(
        whole.starts_with("No damage found. Checked every stored byte of 2 files, "),
        "{whole}"
    );
    let pack = sandbox.annals_home().join("archive/packs/00000001.zst");
    let mut bytes = fs::read(&pack).unwrap();
    bytes[40] ^= 1;
    fs::write(&pack, bytes).unwrap();
    let verified = annals(&sandbox, &["archive", "verify", "--json"]);
    assert_eq!(verified.code, 2);
    let document = verified.json();
    assert_eq!(document["is_intact"], false);
    assert_eq!(document["affected_sessions"].as_array().unwrap().len(), 1);
    assert_eq!(document["intact_sessions"], 1);
    let printed = annals(&sandbox, &["archive", "verify"]);
    assert!(printed.out.starts_with("Damaged."), "{printed:?}");
    assert!(
        printed.out.contains("00000001.zst from byte 0: its stored bytes have changed"),
        "{printed:?}"
    );
    assert!(
        printed.out.contains("1 session affected; 1 other is intact and can be restored.\n"),
        "{printed:?}"
    );
    let doctor = annals(&sandbox, &["doctor"]).done().out;
    assert!(doctor.contains("Found damaged"), "{doctor}");
}

#[test]
fn commands_without_an_archive_are_refused_and_create_none() {
    let sandbox = Sandbox::new();
    for arguments in [&["archive", "verify"][..], &["archive", "restore", ID]] {
        let answer = annals(&sandbox, arguments);
        assert!(answer.complaint(1).contains("run `annals archive sync`"), "{answer:?}");
    }
    let empty = annals(&sandbox, &["archive", "ls"]);
    assert_eq!(empty.code, 0, "{empty:?}");
    assert!(empty.err.contains("run `annals archive sync`"), "{empty:?}");
    assert!(!sandbox.annals_home().join("archive").exists());
    let inside = sandbox.config().join("annals");
    let mut inward = command(&sandbox, &["archive", "sync"]);
    let refused = run(inward.env("ANNALS_HOME", &inside));
    assert!(refused.complaint(2).contains("set ANNALS_HOME to another folder"), "{refused:?}");
    assert!(!inside.exists());
    let wrong = annals(&sandbox, &["archive", "sync", "--max-age", "soon"]);
    assert!(wrong.complaint(2).contains("400d"), "{wrong:?}");
}

#[test]
fn sessions_over_the_maximum_age_are_not_archived() {
    let sandbox = Sandbox::new();
    let old = session(&sandbox, 1, CWD, "Old");
    modified(&sandbox, &old, "2025-01-01T00:00:00Z");
    let new = session(&sandbox, 2, CWD, "New");
    modified(&sandbox, &new, "2026-01-30T00:00:00Z");
    annals(&sandbox, &["archive", "sync"]).done();
    assert_eq!(annals(&sandbox, &["archive", "ls", "--json"]).done().ids().len(), 2);
    configure(&sandbox, "[archive]\nmax_age = \"100d\"\n");
    annals(&sandbox, &["archive", "sync"]).done();
    assert_eq!(annals(&sandbox, &["archive", "ls", "--json"]).done().ids(), [session_id(2)]);
    annals(&sandbox, &["archive", "verify", "--deep"]).done();
    configure(&sandbox, "[archive]\nmax_age = \"soon\"\n");
    let wrong = annals(&sandbox, &["archive", "sync"]);
    assert!(wrong.complaint(2).contains("config.toml"), "{wrong:?}");
}

fn configure(sandbox: &Sandbox, text: &str) {
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

#[test]
fn excluded_sessions_are_not_archived() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/secret", "Hush");
    session(&sandbox, 2, CWD, "Open");
    configure(&sandbox, "exclude = [\"/home/ada/secret\"]\n");
    annals(&sandbox, &["archive", "sync"]).done();
    let manifest =
        fs::read_to_string(sandbox.annals_home().join("archive/manifest.jsonl")).unwrap();
    assert!(!manifest.contains(&session_id(1)), "{manifest}");
    assert!(manifest.contains(&session_id(2)));
}

#[test]
fn sync_jsonl_lists_archived_files() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "One");
    let rows = annals(&sandbox, &["archive", "sync", "--jsonl"]).done().out;
    let row: Value = serde_json::from_str(rows.trim()).unwrap();
    assert_members(&row, "path version bytes new_bytes");
    assert_eq!(row["path"], path.display().to_string());
    assert_eq!(row["bytes"], fs::metadata(&path).unwrap().len());
    assert_eq!(annals(&sandbox, &["archive", "sync", "--jsonl"]).done().out, "");
    assert_eq!(annals(&sandbox, &["archive", "sync", "--json"]).done().json()["changed"], 0);
}

#[test]
fn archive_is_readable_only_by_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "One");
    annals(&sandbox, &["archive", "sync"]).done();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let archive = sandbox.annals_home().join("archive");
    assert_eq!(mode(&archive), 0o700);
    assert_eq!(mode(&archive.join("packs")), 0o700);
    for name in ["manifest.jsonl", "packs/00000001.zst", "README.md", "synced.json", "lock"] {
        assert_eq!(mode(&archive.join(name)), 0o600, "{name}");
    }
}

/// A session whose files lie in four project folders, and the paths of its files. The copy
/// in `-s` is older.
fn session_in_several_folders(sandbox: &Sandbox) -> Vec<PathBuf> {
    let id = session_id(1);
    let own = |text: &str| {
        let line = testkit::user(text).with("sessionId", id.clone()).of_agent("x");
        format!("{line}\n")
    };
    let main = session(sandbox, 1, CWD, "Why is the sea salt?");
    let copy = sandbox.write(&format!("projects/-s/{id}.jsonl"), fs::read(&main).unwrap());
    modified(sandbox, &main, "2026-01-20T12:00:00Z");
    modified(sandbox, &copy, "2026-01-10T12:00:00Z");
    let folder = store::folder_name(CWD);
    let others = [
        (format!("projects/{folder}/{id}/subagents/agent-a1.jsonl"), own("near")),
        (format!("projects/-q/{id}/subagents/agent-a2.jsonl"), own("filed by cwd")),
        (format!("projects/-q/{id}/subagents/agent-a2.meta.json"), "{}".to_owned()),
        ("projects/-q/agent-a3.jsonl".to_owned(), own("flat")),
        (format!("projects/-r/{id}/tool-results/big.txt"), "much output".to_owned()),
        (format!("file-history/{id}/x@v1"), "before".to_owned()),
    ];
    let others = others.map(|(path, text)| sandbox.write(&path, text));
    [main, copy].into_iter().chain(others).collect()
}

#[test]
fn restore_restores_the_files_in_all_project_folders() {
    let sandbox = Sandbox::new();
    let files = session_in_several_folders(&sandbox);
    let bytes: Vec<_> = files.iter().map(|path| fs::read(path).unwrap()).collect();
    annals(&sandbox, &["archive", "sync"]).done();
    clean_up(&sandbox);
    let restored = annals(&sandbox, &["archive", "restore", ID, "--json"]).done().json();
    assert_eq!(restored["written"].as_array().unwrap().len(), files.len(), "{restored}");
    assert_eq!(restored["transcript"], files[0].display().to_string());
    for (path, bytes) in files.iter().zip(&bytes) {
        assert_eq!(&fs::read(path).unwrap(), bytes, "{}", path.display());
    }
    // The newest transcript is still the session, the other still a copy.
    let info = annals(&sandbox, &["info", ID, "--json"]).done().json();
    assert_eq!(info["session"]["path"], files[0].display().to_string(), "{info}");
    assert!(annals(&sandbox, &["archive", "restore", ID]).done().out.contains("All files"));
    // Into one folder too.
    let to = sandbox.home().join("back");
    annals(&sandbox, &["archive", "restore", ID, "--to", to.to_str().unwrap()]).done();
    for (path, bytes) in files.iter().zip(&bytes) {
        let copy = to.join(path.strip_prefix(sandbox.config()).unwrap());
        assert_eq!(&fs::read(&copy).unwrap(), bytes, "{}", copy.display());
    }
}

#[test]
fn restore_names_the_files_that_it_could_not_restore() {
    let sandbox = Sandbox::new();
    let files = session_in_several_folders(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    clean_up(&sandbox);
    let newer =
        sandbox.write(&format!("projects/-q/{}/subagents/agent-a2.jsonl", session_id(1)), "{}\n");
    let restored = annals(&sandbox, &["archive", "restore", ID]);
    assert_eq!(restored.code, 2, "{restored:?}");
    let named = format!("cannot restore {}: another version already exists", newer.display());
    assert!(restored.err.contains(&named), "{restored:?}");
    assert!(restored.out.contains("7 files, ") && restored.out.contains("1 file could not be"));
    assert_eq!(fs::read(&newer).unwrap(), b"{}\n", "nothing is overwritten");
    assert!(files.iter().all(|path| path.exists()));
    let again = annals(&sandbox, &["archive", "restore", ID]);
    assert_eq!(again.code, 2);
    assert!(again.out.starts_with("7 files of ") && !again.out.contains("All files"), "{again:?}");
    let again = annals(&sandbox, &["archive", "restore", ID, "--json"]);
    assert_eq!((again.code, &again.json()["damaged"][0]), (2, &newer.display().to_string().into()));
}

#[test]
fn a_manifest_that_repeats_one_frame_without_end_is_not_restored() {
    let sandbox = Sandbox::new();
    let name = format!("projects/-x/{}.jsonl", session_id(1));
    let line = testkit::user(&"x".repeat(1 << 20)).to_string() + "\n";
    let path = sandbox.write(&name, line.repeat(3));
    annals(&sandbox, &["archive", "sync"]).done();
    let manifest = sandbox.annals_home().join("archive/manifest.jsonl");
    let text = fs::read_to_string(&manifest).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let members = lines.filter_map(|mut line| {
        if let Some(frames) = line.pointer_mut("/keep/frames").and_then(Value::as_array_mut) {
            // The second frame is a whole one, taken five thousand times.
            let frame = frames[1].clone();
            *frames = vec![frame; 5000];
        }
        let name = ["archive", "root", "keep"].into_iter().find(|name| line.get(name).is_some())?;
        Some(format!("\"{name}\":{}", line[name]))
    });
    fs::write(&manifest, testkit::sealed_manifest(members)).unwrap();
    fs::remove_file(&path).unwrap();
    let to = sandbox.path().join("restored");
    for arguments in
        [&["archive", "restore", ID][..], &["archive", "restore", ID, "--to", to.to_str().unwrap()]]
    {
        let answer = annals(&sandbox, arguments);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains("at most 4 GB of a file"), "{answer:?}");
    }
    assert!(!path.exists() && !to.join(name).exists());
}
