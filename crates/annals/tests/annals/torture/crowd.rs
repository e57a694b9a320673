//! Concurrent syncs, checks and readers while the store grows.

use crate::torture::run::{Ended, annals, archive_folder, document, done, kept, printed, verify};
use crate::torture::{long, report};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use testkit::{Sandbox, call, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// A prompt and a call of a session, as lines.
fn exchange(session: u32, turn: usize) -> String {
    let id = session_id(session);
    let prompt = user(&format!("Question {turn} of {session}")).with("sessionId", id.clone());
    let answer = call(&format!("msg_{session}_{turn}"), [10, 20, 0, 0]).with("sessionId", id);
    format!("{}\n{}\n", prompt.cwd(CWD), answer.cwd(CWD))
}

/// Runs a command repeatedly until the time is over.
fn again(
    sandbox: &Sandbox,
    is_over: &AtomicBool,
    arguments: &[&str],
    check: impl Fn(&Output, Duration),
) -> usize {
    let mut runs = 0;
    while !is_over.load(Ordering::Relaxed) {
        let start = Instant::now();
        let output = annals(sandbox, arguments).output().unwrap();
        check(&output, start.elapsed());
        runs += 1;
    }
    runs
}

#[test]
fn concurrent_runs_lose_and_duplicate_nothing() {
    let sandbox = Sandbox::new();
    let path = |number: u32| -> PathBuf {
        sandbox.projects().join("-home-ada-tidepool").join(format!("{}.jsonl", session_id(number)))
    };
    for number in 1..=12 {
        sandbox.session(CWD, &session_id(number), [exchange(number, 0).trim_end()]);
    }
    done(&sandbox, &["archive", "sync"]);
    // A session that is only in the archive.
    fs::remove_file(path(1)).unwrap();
    let is_over = AtomicBool::new(false);
    let busy = AtomicUsize::new(0);
    let time = Duration::from_secs(if long().is_some() { 60 } else { 4 });
    let well = |output: &Output, _: Duration| {
        assert!(output.status.success(), "{}", printed(output));
    };
    let sync = |output: &Output, took: Duration| {
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            let is_busy = complaint.contains("another annals process is writing");
            assert!(output.status.code() == Some(2) && is_busy, "{}", printed(output));
            assert!(took >= Duration::from_secs(5), "gave up after {took:?}");
            busy.fetch_add(1, Ordering::Relaxed);
        }
    };
    let gone = session_id(1);
    let show = ["show", gone.as_str()];
    let (syncs, checks, reads) = std::thread::scope(|scope| {
        let (sandbox, is_over, sync) = (&sandbox, &is_over, &sync);
        let syncs: Vec<_> = (0..3)
            .map(|_| scope.spawn(move || again(sandbox, is_over, &["archive", "sync"], sync)))
            .collect();
        let checks =
            scope.spawn(move || again(sandbox, is_over, &["archive", "verify", "--deep"], well));
        let readers: [&[&str]; 4] =
            [&["archive", "ls", "--json"], &show, &["usage", "--json"], &["ls", "--deleted"]];
        let readers: Vec<_> = readers
            .into_iter()
            .map(|arguments| scope.spawn(move || again(sandbox, is_over, arguments, well)))
            .collect();
        let start = Instant::now();
        let mut turn = 0;
        while start.elapsed() < time && !checks.is_finished() {
            turn += 1;
            for number in 2..=12 {
                let mut file = OpenOptions::new().append(true).open(path(number)).unwrap();
                file.write_all(exchange(number, turn).as_bytes()).unwrap();
                std::thread::sleep(Duration::from_millis(3));
            }
        }
        is_over.store(true, Ordering::Relaxed);
        let sum = |threads: Vec<std::thread::ScopedJoinHandle<'_, usize>>| -> usize {
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        };
        (sum(syncs), checks.join().unwrap(), sum(readers))
    });
    done(&sandbox, &["archive", "sync"]);
    verify(&sandbox);
    // One version each, with the bytes that were written.
    let kept = kept(&archive_folder(&sandbox));
    assert_eq!(kept.len(), 12, "{:?}", kept.keys());
    for number in 2..=12 {
        let name = format!("projects/-home-ada-tidepool/{}.jsonl", session_id(number));
        assert!(kept[&(name, 1)] == fs::read(path(number)).unwrap(), "session {number}");
    }
    // Usage is the same from disk and from the archive.
    let usage = || document(&sandbox, &["usage", "--json"])["total"].clone();
    let before = usage();
    assert!(before.is_object(), "{before}");
    fs::remove_dir_all(sandbox.projects()).unwrap();
    fs::create_dir(sandbox.projects()).unwrap();
    assert_eq!(usage(), before);
    let busy = busy.load(Ordering::Relaxed);
    report(&format!(
        "crowd: {syncs} syncs ({busy} gave up), {checks} checks, {reads} reads in {time:?}"
    ));
}

#[test]
fn watched_files_are_archived_soon_after_they_are_written() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [exchange(1, 0).trim_end()]);
    let mut command = annals(&sandbox, &["archive", "sync", "--watch", "--jsonl"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Ended(child);
    let (sender, rows) = channel();
    let out = BufReader::new(child.0.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str::<Value>(&line).unwrap());
        }
    });
    // It prints a line when it has started to watch.
    let mut line = String::new();
    BufReader::new(child.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("backing up changes"), "{line}");
    // A new session in a new folder, then one more line, then a new agent of it.
    let session = sandbox.projects().join("-new").join(format!("{}.jsonl", session_id(2)));
    let agent = session.with_extension("").join("subagents/agent-a1.jsonl");
    let mut slowest = Duration::ZERO;
    for (path, turn) in [(&session, 0), (&session, 1), (&agent, 0)] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(exchange(2, turn).as_bytes()).unwrap();
        let (start, length) = (Instant::now(), file.metadata().unwrap().len());
        loop {
            let left = Duration::from_secs(20).saturating_sub(start.elapsed());
            let row = rows.recv_timeout(left);
            let row = row.unwrap_or_else(|_| panic!("{} is not kept", path.display()));
            if row["path"].as_str() == path.to_str() && row["bytes"].as_u64() == Some(length) {
                break;
            }
        }
        slowest = slowest.max(start.elapsed());
    }
    report(&format!("watch: the slowest of three files was kept after {slowest:?}"));
}
