//! Index files that are damaged, foreign, newer, on full disks, read-only, or used
//! concurrently: search still answers, and reports the problem.

use crate::torture::kill::SmallDisk;
use crate::torture::run::{annals, is_root, printed};
use crate::torture::skip;
use crate::torture::streams::{Dice, stream};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use testkit::{Sandbox, assistant, session_id, user};

/// The number of sessions; each contains the word once.
const SESSIONS: u32 = 40;

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 1..=SESSIONS {
        add(&sandbox, number);
    }
    sandbox
}

fn add(sandbox: &Sandbox, number: u32) {
    let id = session_id(number);
    let more: Vec<String> = (0..400).map(|word| format!("word{number}x{word}")).collect();
    let prompt = user(&format!("Where is the kelp of {number}?")).session(&id);
    sandbox.session("/p", &id, [prompt, assistant(&more.join(" ")).session(&id)]);
}

fn index(sandbox: &Sandbox) -> PathBuf {
    sandbox.annals_home().join("index.db")
}

fn search(sandbox: &Sandbox) -> Command {
    annals(sandbox, &["search", "kelp", "--json", "--limit", "0"])
}

/// The number of sessions found, and the warnings.
fn found(output: &Output) -> (u64, String) {
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", printed(output));
    assert!(!complaint.contains("panicked") && !complaint.contains("locked"), "{complaint}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    (document["total"].as_u64().unwrap(), complaint)
}

fn ask(sandbox: &Sandbox) -> (u64, String) {
    found(&search(sandbox).output().unwrap())
}

#[test]
fn unusable_index_is_set_aside_and_rebuilt() {
    let sandbox = store();
    assert_eq!(ask(&sandbox), (SESSIONS.into(), String::new()));
    let sound = fs::read(index(&sandbox)).unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut damaged = sound.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        damaged
    };
    // In SQLite's format, byte 60 is the version and byte 68 the application id.
    let table: [(&str, Vec<u8>, &str); 7] = [
        ("a text", b"This is not an index at all.\n".repeat(300), "damaged"),
        ("half of it", sound[..sound.len() / 2].to_vec(), "damaged"),
        ("less than a page", sound[..1000].to_vec(), "damaged"),
        ("another program's", with(68, b"GPKG"), "not an annals index"),
        ("a newer one", with(60, &99_u32.to_be_bytes()), "newer version of annals (0."),
        ("noise behind its head", with(4096, &stream(1, sound.len() - 4096)), "damaged"),
        ("an empty one", Vec::new(), ""),
    ];
    for (name, bytes, complaint) in table {
        fs::write(index(&sandbox), &bytes).unwrap();
        let (total, warning) = ask(&sandbox);
        assert_eq!(total, u64::from(SESSIONS), "{name}: {warning}");
        assert!(
            warning.contains(complaint) && warning.is_empty() == complaint.is_empty(),
            "{name}: {warning}"
        );
        if !complaint.is_empty() {
            let aside = fs::read(sandbox.annals_home().join("index.db.set-aside")).unwrap();
            assert!(aside == bytes, "{name} is kept beside");
        }
        assert_eq!(ask(&sandbox), (SESSIONS.into(), String::new()), "{name}");
    }
}

#[test]
fn damaged_index_still_gives_an_answer() {
    let sandbox = store();
    ask(&sandbox);
    let sound = fs::read(index(&sandbox)).unwrap();
    let mut dice = Dice::new(3);
    let mut mended = 0;
    for round in 0..25_u64 {
        let mut damaged = sound.clone();
        let at = dice.below(sound.len() - 3000);
        let length = 1 + dice.below(3000);
        damaged[at..at + length].copy_from_slice(&stream(round, length));
        fs::write(index(&sandbox), &damaged).unwrap();
        // A new session makes the search write the index as well.
        add(&sandbox, SESSIONS + 1);
        let (_, warning) = ask(&sandbox);
        mended += usize::from(warning.contains("building a new one"));
        // Unnoticed damage can be repaired by rebuilding the index.
        fs::remove_file(index(&sandbox)).unwrap();
        assert_eq!(ask(&sandbox).0, u64::from(SESSIONS) + 1, "round {round}");
    }
    assert!(mended > 0, "no damage was noticed");
}

#[test]
fn an_index_left_by_an_interrupted_writer_is_checked_and_used() {
    let sandbox = store();
    ask(&sandbox);
    let seal = sandbox.annals_home().join("index.db.seal");
    fs::remove_file(&seal).unwrap();
    assert_eq!(ask(&sandbox), (SESSIONS.into(), String::new()));
    assert!(seal.exists(), "it is sealed again");
    // Its structure is damaged.
    fs::remove_file(&seal).unwrap();
    let sound = fs::read(index(&sandbox)).unwrap();
    let mut damaged = sound.clone();
    damaged[4096..].copy_from_slice(&stream(1, sound.len() - 4096));
    fs::write(index(&sandbox), damaged).unwrap();
    let (total, warning) = ask(&sandbox);
    assert_eq!(total, u64::from(SESSIONS));
    assert!(warning.contains("damaged"), "{warning}");
}

#[test]
fn ten_concurrent_searches_all_answer() {
    for (name, harm) in [("cold", None), ("damaged", Some(&b"no index"[..]))] {
        let sandbox = store();
        if let Some(bytes) = harm {
            fs::write(index(&sandbox), bytes.repeat(2000)).unwrap();
        }
        for round in 0..3 {
            let children: Vec<_> = (0..10)
                .map(|_| {
                    let mut command = search(&sandbox);
                    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
                })
                .collect();
            let answers: Vec<_> = children
                .into_iter()
                .map(|child| found(&child.wait_with_output().unwrap()))
                .collect();
            let expected = u64::from(SESSIONS) + round;
            for (total, warning) in &answers {
                // A search that does not wait for the writer reports that.
                let is_reported =
                    warning.contains("another process") || warning.contains("being built");
                assert!(*total == expected || is_reported, "{name} {round}: {total} {warning}");
            }
            assert!(answers.iter().any(|(total, _)| *total == expected), "{name} {round}");
            assert_eq!(ask(&sandbox), (expected, String::new()), "{name} {round}");
            add(&sandbox, SESSIONS + 1 + u32::try_from(round).unwrap());
        }
    }
}

#[test]
fn full_disk_leaves_the_old_index_usable() {
    let sandbox = Sandbox::new();
    let disk = is_root().then(|| SmallDisk::mount(sandbox.annals_home())).flatten();
    let Some(disk) = disk else { return skip("a full disk: no root, or no mount") };
    add(&sandbox, 1);
    assert_eq!(ask(&sandbox), (1, String::new()));
    // No free space, then a little more each time.
    let filling = sandbox.annals_home().join("filling");
    let mut full = 0;
    for spare in [0, 40, 150, 400] {
        disk.resize("6m");
        let output = Command::new("sh")
            .arg("-c")
            .arg("cat /dev/zero > \"$0\" 2>/dev/null; truncate -s -\"$1\"k \"$0\"")
            .arg(&filling)
            .arg(spare.to_string())
            .output()
            .unwrap();
        assert!(output.status.success());
        for number in 2..=SESSIONS {
            add(&sandbox, number);
        }
        let (total, warning) = ask(&sandbox);
        let is_reported = warning.contains("cannot update the index");
        full += usize::from(is_reported);
        let least = if is_reported { 1 } else { SESSIONS };
        assert!(
            (least.into()..=u64::from(SESSIONS)).contains(&total),
            "{spare}: {total} {warning}"
        );
        fs::remove_file(&filling).unwrap();
    }
    assert!(full > 1, "the disk was full {full} times");
    disk.resize("100m");
    assert_eq!(ask(&sandbox), (SESSIONS.into(), String::new()));
}

#[test]
fn file_size_limit_still_gives_an_answer() {
    let sandbox = Sandbox::new();
    add(&sandbox, 1);
    assert_eq!(ask(&sandbox), (1, String::new()));
    for number in 2..=SESSIONS {
        add(&sandbox, number);
    }
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = sandbox.command("/bin/sh");
    command.args(["-c", script, testkit::program!("annals"), "search", "kelp", "--json"]);
    let (total, warning) = found(&command.output().unwrap());
    assert_eq!(total, 1, "{warning}");
    assert!(warning.contains("cannot update the index"), "{warning}");
    assert_eq!(ask(&sandbox), (SESSIONS.into(), String::new()));
}

#[test]
fn read_only_home_still_gives_an_answer() {
    let sandbox = Sandbox::new();
    let disk = is_root().then(|| SmallDisk::mount(sandbox.annals_home())).flatten();
    let Some(disk) = disk else { return skip("a read-only folder: no root, or no mount") };
    add(&sandbox, 1);
    assert_eq!(ask(&sandbox), (1, String::new()));
    disk.read_only();
    assert_eq!(ask(&sandbox), (1, String::new()), "nothing changed, so there is no warning");
    add(&sandbox, 2);
    let (total, warning) = ask(&sandbox);
    assert_eq!(total, 1, "{warning}");
    assert!(warning.contains("cannot update the index"), "{warning}");
    disk.resize("6m");
    assert_eq!(ask(&sandbox), (2, String::new()));
    // Without an index the search fails and prints no result.
    fs::remove_file(index(&sandbox)).unwrap();
    disk.read_only();
    let output = search(&sandbox).output().unwrap();
    let warning = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{warning}");
    assert!(warning.contains("cannot write the index"), "{warning}");
}
