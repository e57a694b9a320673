//! `annals lake`: taking back, checking, and pushes that start by themselves.

use super::lake::{ask, file, init, objects, sharing_home};
use crate::cli::support::run::{command, run};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use testkit::{Sandbox, session_id};

fn bucket(sandbox: &Sandbox) -> PathBuf {
    sandbox.path().join("bucket")
}

#[test]
fn forgotten_session_is_gone_everywhere_when_every_loader_says_so() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let status = ask(&sandbox, &["status", "--json"]).done().json();
    assert!(status["receipt"].is_null() && status["pushes"]["error"].is_null(), "{status}");
    assert_eq!(status["pushes"]["waiting"], 0);
    ask(&sandbox, &["forget", &session_id(1)]).done();
    let text = ask(&sandbox, &["status"]).done().out;
    assert!(text.contains("1 session") && text.contains("Gone everywhere."), "{text}");
    // A loader that has not acknowledged anything.
    let loader = bucket(&sandbox).join("ack/ch1");
    fs::create_dir_all(&loader).unwrap();
    fs::write(loader.join("registered"), "").unwrap();
    let status = ask(&sandbox, &["status", "--json"]).done().json();
    let receipt = &status["receipt"];
    assert_eq!((&receipt["forgotten"], &receipt["is_gone_everywhere"]), (&1.into(), &false.into()));
    let missing = receipt["missing"][0].as_str().unwrap();
    assert!(missing.starts_with("ch1 has not acknowledged v1/"), "{missing}");
    assert_eq!(status["loaders"][0]["current"], 0);
    for chain in status["chains"].as_array().unwrap() {
        let text = |key: &str| chain[key].as_str().unwrap().to_owned();
        let folder = format!("v1/{}/ada/{}", text("audience"), text("installation"));
        let number = chain["manifest"].as_u64().unwrap();
        fs::create_dir_all(loader.join(&folder)).unwrap();
        fs::write(loader.join(folder).join(format!("{number:08}")), "").unwrap();
    }
    let text = ask(&sandbox, &["status"]).done().out;
    assert!(text.contains("Gone everywhere.") && text.contains("ch1: has everything"), "{text}");
}

#[test]
fn old_months_expire_and_are_not_sent_again() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let calls =
        |sandbox: &Sandbox| objects(sandbox).iter().filter(|file| file.contains("/calls-")).count();
    assert_eq!(calls(&sandbox), 1);
    let refused = ask(&sandbox, &["expire", "--before", "9999-12"]);
    assert!(refused.complaint(2).contains("pass --yes to confirm"), "{}", refused.err);
    for month in ["soon", "2026-13", "26-01", "2026-1"] {
        let refused = ask(&sandbox, &["expire", "--before", month, "--yes"]);
        assert!(refused.complaint(2).contains("use YYYY-MM"), "{}", refused.err);
    }
    ask(&sandbox, &["expire", "--before", "9999-12", "--level", "text", "--yes"]).done();
    assert_eq!(calls(&sandbox), 1, "usage is not text");
    let taken = ask(&sandbox, &["expire", "--before", "9999-12", "--yes", "--json"]).done().json();
    assert_eq!(taken["schema"], "annals/lake-take-back/1");
    assert_eq!(taken["owners"][0]["receipt"]["is_gone_everywhere"], true, "{taken}");
    assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
    for _ in 0..2 {
        ask(&sandbox, &["push"]).done();
        assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
    }
}

#[test]
fn who_leaves_has_nothing_in_the_lake_and_no_configuration() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let refused = ask(&sandbox, &["leave"]);
    assert!(refused.complaint(2).contains("pass --yes to confirm"), "{}", refused.err);
    let before = fs::read_to_string(file(&sandbox)).unwrap();
    let text = ask(&sandbox, &["leave", "--yes"]).done().out;
    assert!(text.contains("Gone everywhere.") && text.contains("Removed [lake] from"), "{text}");
    assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
    assert_eq!(fs::read_to_string(file(&sandbox)).unwrap(), "");
    assert!(!sandbox.annals_home().join("lake").exists());
    // A second machine with the old configuration obeys.
    fs::write(file(&sandbox), &before).unwrap();
    fs::create_dir(sandbox.annals_home().join("lake")).unwrap();
    fs::write(sandbox.annals_home().join("lake/installation"), "i2\n").unwrap();
    let pushed = ask(&sandbox, &["push"]).done().out;
    assert!(pushed.contains("annals lake init joins again"), "{pushed}");
    assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
    // Joining again sends what was never in the lake, and nothing of before.
    let joined = init(&sandbox, &["--everyone-may-read"]).done().out;
    assert!(joined.contains("you take part again"), "{joined}");
    let pushed = ask(&sandbox, &["push", "--json"]).done().json();
    assert_eq!(pushed["has_left"], false, "{pushed}");
    assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
}

#[test]
fn administrator_takes_back_an_owner_or_a_project_and_machines_obey() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let refused = ask(&sandbox, &["forget", "--project", "tides"]);
    assert!(refused.complaint(2).contains("pass --yes to confirm"), "{}", refused.err);
    ask(&sandbox, &["forget", "--project", "moons", "--yes"]).done();
    assert!(!objects(&sandbox).is_empty(), "another project");
    ask(&sandbox, &["forget", "--project", "tides", "--yes"]).done();
    assert!(objects(&sandbox).is_empty(), "{:?}", objects(&sandbox));
    ask(&sandbox, &["push"]).done();
    assert!(objects(&sandbox).is_empty(), "the machine obeys");
    let other = sharing_home();
    ask(&other, &["push"]).done();
    let taken = ask(&other, &["forget", "--owner", "ada", "--yes"]).done().out;
    assert!(taken.contains("Gone everywhere."), "{taken}");
    ask(&other, &["push"]).done();
    assert!(objects(&other).is_empty(), "{:?}", objects(&other));
    let status = ask(&other, &["status", "--owner", "ada", "--json"]).done().json();
    assert_eq!(status["receipt"]["has_left"], true, "{status}");
}

#[test]
fn verify_finds_damaged_missing_and_unnamed_objects() {
    let sandbox = sharing_home();
    ask(&sandbox, &["push"]).done();
    let text = ask(&sandbox, &["verify"]).done().out;
    assert!(text.starts_with("No damage found."), "{text}");
    assert!(text.contains("The lake has everything that is shared here"), "{text}");
    let segments = || -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![bucket(&sandbox).join("v1")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "parquet") {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    };
    let one = segments().remove(0);
    let bytes = fs::read(&one).unwrap();
    let unnamed = one.with_file_name(one.file_name().unwrap().to_str().unwrap().replace('0', "1"));
    let _ = fs::write(&unnamed, b"x");
    fs::write(one.with_file_name("notes.txt"), "mine").unwrap();
    let mut damaged = bytes.clone();
    damaged[10] ^= 1;
    fs::write(&one, damaged).unwrap();
    let found = ask(&sandbox, &["verify", "--json"]);
    assert_eq!(found.code, 2);
    let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    let reason = found["problems"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "its bytes are not the ones its name says");
    assert_eq!(found["foreign"].as_array().unwrap().len(), 1, "{found}");
    fs::remove_file(&one).unwrap();
    let found = ask(&sandbox, &["verify"]);
    assert_eq!(found.code, 2);
    assert!(found.out.contains("is named by a manifest and does not exist"), "{}", found.out);
    fs::write(&one, bytes).unwrap();
    ask(&sandbox, &["verify", "--everyone"]).done();
}

/// Runs the hook for a session that ended, and waits for the worker.
fn end_session(sandbox: &Sandbox) {
    let input = format!(r#"{{"hook_event_name":"SessionEnd","session_id":"{}"}}"#, session_id(1));
    let path = sandbox.path().join("input.json");
    fs::write(&path, input).unwrap();
    let mut hook = command(sandbox, &["hook"]);
    hook.env("XDG_CONFIG_HOME", sandbox.path().join("xdg"));
    hook.env("ANNALS_MANAGED_CONFIG", sandbox.path().join("managed.toml"));
    hook.stdin(fs::File::open(&path).unwrap());
    run(&mut hook).done();
}

fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn ended_session_is_pushed_once_in_a_quarter_of_an_hour() {
    let sandbox = sharing_home();
    let manual = fs::read_to_string(file(&sandbox)).unwrap();
    fs::write(file(&sandbox), manual.replace("[lake]\n", "[lake]\npush = \"auto\"\n")).unwrap();
    let log = sandbox.annals_home().join("log/hook.log");
    let pushes = || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        text.lines().filter(|line| line.contains(" LakePush - ")).count()
    };
    end_session(&sandbox);
    eventually("the worker pushes", || pushes() == 1);
    assert!(!objects(&sandbox).is_empty());
    let due = sandbox.annals_home().join("lake/push.due");
    eventually("the mark is gone", || !due.exists());
    end_session(&sandbox);
    eventually("the mark stays for later", || due.exists());
    assert_eq!(pushes(), 1);
    // The storage is gone: nothing fails, and status says since when.
    fs::rename(bucket(&sandbox), sandbox.path().join("away")).unwrap();
    fs::remove_file(sandbox.annals_home().join("lake/pushes.json")).unwrap();
    end_session(&sandbox);
    eventually("the worker tries", || pushes() == 2);
    let status = ask(&sandbox, &["status", "--json"]).done().json();
    assert!(status["pushes"]["error"].as_str().unwrap().contains("bucket"), "{status}");
    assert!(due.exists());
}
