//! Torture test of the index: however the store changed, and however often an update was
//! killed, the index equals one built from scratch.

use crate::torture::moving_store::{MovingStore, WORDS};
use crate::torture::run::{annals, document, printed};
use crate::torture::{long, report};
use index::Index;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Sandbox;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let path = entry.path();
        let to = to.join(entry.file_name());
        if path.is_dir() { copy(&path, &to) } else { fs::copy(path, to).map(|_| ()).unwrap() }
    }
}

/// The hits of a search, in any order.
fn hits(document: &Value) -> BTreeSet<String> {
    let hits = document["hits"].as_array().unwrap().iter().map(|hit| {
        let own = ["path", "line", "session_id", "kind", "state", "presence", "title", "copies"];
        own.map(|name| hit[name].to_string()).join(" ")
    });
    hits.collect()
}

/// Updates the index, and compares it with one built from scratch from the store and the
/// archive.
fn compare(sandbox: &Sandbox, step: usize, history: &[&str]) {
    refresh(sandbox);
    let afresh = tempfile::tempdir().unwrap();
    copy(&sandbox.annals_home().join("archive"), &afresh.path().join("archive"));
    let run = |home: &Path, query: &str| {
        let mut command = annals(sandbox, &["search", query, "--json", "--limit", "0", "--wait"]);
        let output = command.env("ANNALS_HOME", home).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{query}: {}", printed(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let fresh = run(afresh.path(), WORDS[0]);
    assert_eq!(fresh["index_complete"], true);
    let dump = |home: &Path| Index::new(home.to_owned()).dump().unwrap();
    let (grown, fresh) = (dump(&sandbox.annals_home()), dump(afresh.path()));
    if grown != fresh {
        let beyond = |these: &[String], those: &[String]| {
            let beyond = these.iter().filter(|line| !those.contains(line));
            beyond.take(12).cloned().collect::<Vec<_>>().join("\n")
        };
        let last = &history[history.len().saturating_sub(40)..];
        panic!(
            "step {step}:\ntoo much:\n{}\nmissing:\n{}\nafter {last:?}",
            beyond(&grown, &fresh),
            beyond(&fresh, &grown)
        );
    }
    for query in [WORDS[0], "foobar", "\"src main\"", "東京 OR dulse", "tool:Bash", "is:error kelp"]
    {
        let (one, two) = (run(&sandbox.annals_home(), query), run(afresh.path(), query));
        assert_eq!(one["total"], two["total"], "step {step}: {query}");
        let (one, two) = (hits(&one), hits(&two));
        let (more, less): (Vec<_>, Vec<_>) =
            (one.difference(&two).collect(), two.difference(&one).collect());
        assert!(one == two, "step {step}: {query}: {more:#?} and not {less:#?}");
    }
}

fn refresh(sandbox: &Sandbox) {
    let found = document(sandbox, &["search", "kelp", "--json", "--wait"]);
    assert!(found["fresh"] == true && found["index_complete"] == true, "{found}");
}

/// An update that is killed after a while, or has a file size limit.
fn interrupted_refresh(sandbox: &Sandbox, store: &mut MovingStore<'_>, longest: Duration) {
    let limited = store.dice().one_in(4);
    let mut command = if limited {
        let blocks = 8 + store.dice().below(800);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = sandbox.command("/bin/sh");
        command.args(["-c", &script, testkit::program!("annals"), "search", "kelp"]);
        command
    } else {
        annals(sandbox, &["search", "kelp"])
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    if !limited {
        let share = f64::from(u32::try_from(store.dice().below(110)).unwrap()) / 100.0;
        std::thread::sleep(longest.mul_f64(share));
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let is_well = output.status.code().is_none_or(|code| code <= 1);
    let is_reported = output.status.code() == Some(2) && complaint.contains("annals: ");
    assert!((is_well || is_reported) && !complaint.contains("panicked"), "{}", printed(&output));
}

fn quietly(command: &mut Command) {
    let output = command.output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!complaint.contains("panicked"), "{complaint}");
}

#[test]
fn updated_index_equals_a_rebuilt_one() {
    let steps = if long().is_some() { 10_000 } else { 1_000 };
    let sandbox = Sandbox::new();
    let seed = std::env::var("ANNALS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let mut store = MovingStore::new(&sandbox, seed);
    let mut longest = Duration::from_millis(100);
    let (mut kills, mut syncs, start) = (0, 0, Instant::now());
    let mut history = Vec::new();
    for step in 1..=steps {
        history.push(store.change());
        match store.dice().below(60) {
            0..=6 => {
                let began = Instant::now();
                refresh(&sandbox);
                longest = began.elapsed();
                history.push("REFRESH");
            }
            7..=12 => {
                interrupted_refresh(&sandbox, &mut store, longest);
                kills += 1;
                history.push("KILL");
            }
            13 | 14 => {
                let mut command = annals(&sandbox, &["archive", "sync"]);
                // Some updates find files that are long unchanged, others just written ones.
                if store.dice().one_in(2) {
                    command.env("ANNALS_NOW", "2030-01-01T00:00:00Z");
                }
                quietly(&mut command);
                syncs += 1;
                history.push("SYNC");
            }
            15 => {
                let id = testkit::session_id(u32::try_from(1 + store.dice().below(40)).unwrap());
                quietly(&mut annals(&sandbox, &["archive", "restore", &id]));
                history.push("RESTORE");
            }
            _ => {}
        }
        if step % 100 == 0 {
            compare(&sandbox, step, &history);
        }
    }
    assert!(kills > 0 && syncs > 0);
    report(&format!(
        "index: {steps} steps, {kills} killed, {syncs} syncs ({:.1?})",
        start.elapsed()
    ));
}
