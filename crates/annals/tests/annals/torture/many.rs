//! A store of very many small files.

use crate::torture::report;
use crate::torture::run::{annals, measure, printed};
use std::fs;
use testkit::{Sandbox, session_id};

/// The most memory a sync may use.
const MEMORY: u64 = 128 << 20;

/// The limit for commands that hold all sessions in memory.
const MEMORY_OF_ALL: u64 = 512 << 20;

#[test]
fn hundred_thousand_files_are_archived_in_bounded_memory() {
    if crate::torture::long().is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    for folder in 0..100 {
        let project = sandbox.projects().join(format!("-p{folder}"));
        fs::create_dir(&project).unwrap();
        for number in 0..1000 {
            let id = session_id(folder * 1000 + number);
            let line = format!("{{\"type\":\"user\",\"sessionId\":\"{id}\"}}\n");
            fs::write(project.join(format!("{id}.jsonl")), line).unwrap();
        }
    }
    let steps: [(&str, &[&str]); 5] = [
        ("sync", &["archive", "sync"]),
        ("sync of nothing new", &["archive", "sync"]),
        ("archive ls", &["archive", "ls"]),
        ("verify", &["archive", "verify"]),
        ("verify --deep", &["archive", "verify", "--deep"]),
    ];
    let mut failures = Vec::new();
    for (what, arguments) in steps {
        let ran = measure(annals(&sandbox, arguments));
        assert!(ran.output.status.success(), "{what}: {}", printed(&ran.output));
        let line = format!("100,000 files, {what}: {:.2?}, {} MB", ran.took, ran.memory >> 20);
        report(&line);
        let most = if what.starts_with("sync") { MEMORY } else { MEMORY_OF_ALL };
        failures.extend((ran.memory >= most).then_some(line));
    }
    assert_eq!(failures, Vec::<String>::new());
}
