//! The files of exports: their names, what is refused, and that none is half.

use crate::cli::support::run::{annals, assert_members, command, run};
use crate::cli::support::sample_session::{ID, story};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, assistant, fingerprint, session_id, user};

/// The files in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder outside the store.
pub(crate) fn outside(sandbox: &Sandbox, name: &str) -> PathBuf {
    let folder = sandbox.path().join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where exports go.
pub(crate) fn out(sandbox: &Sandbox) -> PathBuf {
    outside(sandbox, "out")
}

#[test]
fn exported_files_are_private_and_named_by_day_title_and_id() {
    let sandbox = story();
    let folder = out(&sandbox);
    let shown = folder.to_str().unwrap();
    let answer = annals(&sandbox, &["export", ID, "-o", shown, "--format", "md"]).done();
    assert_eq!(names(&folder), ["2026-01-20-tides-00000001.md"]);
    let file = folder.join("2026-01-20-tides-00000001.md");
    assert!(answer.out.starts_with(file.to_str().unwrap()), "{}", answer.out);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let before = fs::read(&file).unwrap();
    let again = annals(&sandbox, &["export", ID, "-o", shown, "--format", "md"]);
    assert!(again.complaint(2).contains("already exists\nhint: pass --force to overwrite it"));
    assert_eq!(fs::read(&file).unwrap(), before);
    annals(&sandbox, &["export", ID, "-o", shown, "--force", "--last", "1"]).done();
    assert_ne!(fs::read(&file).unwrap(), before);
    assert_eq!(names(&folder).len(), 1, "nothing is left beside it");
}

#[test]
fn file_extension_selects_the_format() {
    let sandbox = story();
    let folder = out(&sandbox);
    for (name, beginning) in [
        ("a.md", "# Tides"),
        ("a.htm", "<!doctype html>"),
        ("a.TXT", "Tides\n"),
        ("a.json", "{\n"),
        ("a.jsonl", "{\""),
        ("a", "# Tides"),
    ] {
        let path = folder.join(name);
        annals(&sandbox, &["export", ID, "-o", path.to_str().unwrap()]).done();
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(beginning), "{name}: {written}");
    }
}

#[test]
fn several_sessions_get_an_index_page() {
    let sandbox = story();
    for number in [2, 3] {
        let lines = [user(&format!("Task {number} <b>&")), assistant("Done.")];
        sandbox.session("-home-ada-other", &session_id(number), &lines);
    }
    let folder = sandbox.path().join("new/out");
    let shown = folder.to_str().unwrap();
    let answer = annals(&sandbox, &["export", "--every", "-o", shown, "--json"]).done().json();
    assert_eq!(answer["schema"], "annals/export/1");
    let files = answer["files"].as_array().unwrap();
    assert_members(&files[0], "path session_id agent_id bytes masked");
    assert_eq!(files.len(), 4);
    let index = fs::read_to_string(folder.join("index.md")).unwrap();
    assert!(index.contains("[Tides](2026-01-20-tides-00000001.md)"), "{index}");
    assert!(index.contains("Task 2 &lt;b>&amp;"), "{index}");
    assert!(
        annals(&sandbox, &["export", "--every", "-o", shown])
            .complaint(2)
            .contains("3 more files already exist")
    );
    for format in ["txt", "json", "jsonl"] {
        annals(&sandbox, &["export", "--every", "-o", shown, "--format", format, "--force"]).done();
    }
    let index: Value =
        serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    assert_eq!(index["schema"], "annals/export-index/1");
    assert_members(
        &index["sessions"][0],
        "file session_id agent_id title project branch started_at ended_at turns output_tokens cost_usd agents_cost_usd",
    );
}

#[test]
fn failed_writes_are_reported_and_leave_no_file() {
    let sandbox = story();
    let before = fingerprint(&sandbox.config());
    let inside = sandbox.projects();
    let file = sandbox.path().join("file");
    fs::write(&file, "x").unwrap();
    let around = format!("{}/new/../claude/projects/out/", sandbox.path().display());
    let table: [(&[&str], &str); 14] = [
        (&["-o", inside.to_str().unwrap()], "where annals never writes"),
        (&["-o", &around], "where annals never writes"),
        (&["--csv", "-o", "-"], "does not use --csv"),
        (&["-o", "/proc/annals-export"], "cannot "),
        (&["-o", &format!("{}/below/", file.display())], "cannot create the folder"),
        (&["--every", "-o", "-"], "cannot write several sessions to standard output"),
        (
            &["--format", "jsonl", "--last", "1", "-o", "-"],
            "--format jsonl copies the transcript unchanged",
        ),
        (
            &["--format", "jsonl", "--tools", "none", "-o", "-"],
            "--format jsonl copies the transcript unchanged",
        ),
        (&["--from", "900", "-o", "-"], "no turn 900: the session has turns 1 to 3"),
        (&["-o", "a.pdf"], "unknown export format \"pdf\""),
        (&["-o", "/dev/null", "--force"], "pass -o - to write to standard output"),
        (&["--from", "3", "--to", "1", "-o", "-"], "--from 3 is greater than --to 1"),
        (&["--abandoned", "9", "-o", "-"], "no branch 9"),
        (&["--here", "-o", "-"], "annals export SESSION does not use --here"),
    ];
    for (arguments, expected) in table {
        let every = arguments.first() == Some(&"--every");
        let name: &[&str] = if every { &[] } else { &[ID] };
        let answer = annals(&sandbox, &[&["export"], name, arguments].concat());
        assert_ne!(answer.code, 0, "{arguments:?}");
        assert!(answer.err.contains(expected), "{arguments:?}: {}", answer.err);
        assert_eq!(answer.out, "", "{arguments:?}");
    }
    assert_eq!(fingerprint(&sandbox.config()), before);
    assert!(annals(&sandbox, &["export", "nobody"]).complaint(1).contains("nobody"));
}

#[test]
fn full_disk_is_reported_and_leaves_no_partial_file() {
    let sandbox = story();
    let small = testkit::session_id(2);
    let text = "x".repeat(400_000);
    sandbox.session("-home-ada-big", &small, &[user("Long"), assistant(&text)]);
    let folder = out(&sandbox);
    // A limit on the size of files stands for a disk that is full.
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    let path = folder.join("a.md");
    let mut limited = sandbox.command("bash");
    limited.args(["-c", script, testkit::program!("annals"), "export", &small]);
    let answer = run(limited.args(["-o", path.to_str().unwrap()]));
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("cannot write"), "{}", answer.err);
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

#[test]
fn empty_transcript_is_not_exported() {
    let sandbox = Sandbox::new();
    let path = sandbox.session("-home-ada", &session_id(3), &[user("x")]);
    fs::write(&path, "").unwrap();
    let answer = annals(&sandbox, &["export", &session_id(3), "-o", "-"]);
    assert!(answer.complaint(1).contains("is empty"));
}

#[test]
fn unwritten_files_are_counted_on_a_full_disk() {
    let sandbox = story();
    let text = "x".repeat(400_000);
    sandbox.session("-home-ada-big", &session_id(2), &[user("Long"), assistant(&text)]);
    let folder = out(&sandbox);
    let mut limited = sandbox.command("bash");
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    limited.args(["-c", script, testkit::program!("annals"), "export", "--every", "-o"]);
    let answer = run(limited.arg(&folder));
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("1 of 2 sessions could not be exported"), "{}", answer.err);
    assert!(answer.out.contains("-tides-00000001.md"), "{}", answer.out);
    assert_eq!(names(&folder), ["2026-01-20-tides-00000001.md", "index.md"]);
}

#[test]
fn running_session_is_exported_in_whole_lines() {
    let sandbox = story();
    let path = sandbox.session("-home-ada-live", &session_id(5), &[user("Go on")]);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let exported: Vec<Vec<u8>> = std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0.. {
                // A line comes in two halves, as it may.
                let line = assistant(&format!("Step {number}")).to_string();
                let (one, two) = line.split_at(line.len() / 2);
                sandbox.append(&path, one);
                std::thread::sleep(std::time::Duration::from_millis(2));
                sandbox.append(&path, format!("{two}\n"));
                if is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
            }
        });
        let export = ["export", "00000005", "--format", "jsonl", "-o", "-", "--redact", "off"];
        let exported = (0..8).map(|_| annals(&sandbox, &export).done().bytes).collect();
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        exported
    });
    let all = fs::read(&path).unwrap();
    for bytes in exported {
        assert!(all.starts_with(&bytes) && !bytes.is_empty());
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let torn = lines.filter(|line| serde_json::from_slice::<Value>(line).is_err()).count();
        // What rested for a moment is the transcript as it was, its torn end included.
        assert!(torn <= 1, "{}", String::from_utf8_lossy(&bytes));
    }
}

/// A browser that writes its arguments to a file.
fn browser(sandbox: &Sandbox) -> (PathBuf, PathBuf) {
    let (program, opened) = (sandbox.path().join("browser"), sandbox.path().join("opened"));
    let script =
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.tmp\"\nmv \"$0.tmp\" \"${0%browser}opened\"\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, opened)
}

/// Runs an export with a browser, and returns what that was asked to open.
fn opened(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let (program, opened) = browser(sandbox);
    let list = format!("/nowhere/browser:{} --new-window", program.display());
    let mut command = command(sandbox, &[&["export", "--open"], arguments].concat());
    run(command.env("BROWSER", list).current_dir(sandbox.path())).done();
    // The export does not wait for the browser.
    // Two minutes, to end a test that fails.
    for _ in 0..2_400 {
        if let Ok(text) = fs::read_to_string(&opened) {
            fs::remove_file(&opened).unwrap();
            return text;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the browser was not started");
}

#[test]
fn open_shows_the_page_or_the_index_in_the_browser() {
    let sandbox = story();
    let folder = out(&sandbox);
    let path = |name: &str| format!("--new-window\n{}\n", folder.join(name).display());
    // HTML is the format to look at, and relative paths are resolved.
    assert_eq!(opened(&sandbox, &[ID, "-o", "out/"]), path("2026-01-20-tides-00000001.html"));
    assert_eq!(opened(&sandbox, &[ID, "-o", "out/-x.md"]), path("-x.md"));
    assert_eq!(opened(&sandbox, &["--every", "-o", "out/", "--force"]), path("index.html"));
}

#[test]
fn open_without_a_browser_keeps_the_file_and_says_so() {
    let sandbox = story();
    let folder = out(&sandbox);
    let mut command = command(&sandbox, &["export", ID, "--open", "-o", "out/"]);
    let answer =
        run(command.env("PATH", &folder).env_remove("BROWSER").current_dir(sandbox.path()));
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("is not on PATH\nhint: set BROWSER"), "{}", answer.err);
    assert_eq!(names(&folder), ["2026-01-20-tides-00000001.html"]);
    let answer = annals(&sandbox, &["export", ID, "--open", "-o", "-"]);
    assert!(answer.complaint(2).contains("cannot open what goes to standard output"));
}
