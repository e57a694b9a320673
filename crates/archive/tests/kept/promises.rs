//! What was promised stands: bugs that broke it, each under a name of its own.

use super::{noise, open, sync, verify, versions};
use testkit::{Sandbox, session_id};

const MIB: usize = 1 << 20;

fn transcript(number: u32) -> String {
    format!("projects/-p/{}.jsonl", session_id(number))
}

#[test]
fn a_commit_in_the_middle_of_a_file_loses_none_of_its_frames() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    // More than is ever stored without a commit, and beside it one that grows.
    let large = noise(150 * MIB, 1);
    sandbox.write(&transcript(2), &large);
    sandbox.append(&path, b"two\n");
    sync(&sandbox);
    assert!(versions(&open(&sandbox), &transcript(2)) == [large], "the large file came back");
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\n"]);
    assert!(verify(&sandbox).is_whole());
}
