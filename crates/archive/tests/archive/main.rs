//! The archive from outside: archived files are restored, whatever happens.

#![expect(clippy::disallowed_methods, reason = "tests make and damage what they check")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod damage;
mod forgetting;
mod hostile;
mod merging;
mod promises;
mod scope;
mod stopping;
mod versions;

use archive::{Archive, ArchiveRoot, FileKey, SyncOptions, SyncReport, VerifyReport};
use jiff::Timestamp;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::progress::NoProgress;
use store::{Files, Root, RootOrigin};
use testkit::{Sandbox, session_id};

fn now() -> Timestamp {
    "2026-02-01T12:00:00Z".parse().unwrap()
}

fn folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.annals_home().join("archive")
}

fn area(sandbox: &Sandbox) -> ArchiveRoot {
    ArchiveRoot::of(&Root::open(&Files::disk(), &sandbox.config(), RootOrigin::Home).unwrap())
}

fn sync(sandbox: &Sandbox) -> SyncReport {
    sync_at(sandbox, now())
}

fn sync_at(sandbox: &Sandbox, now: Timestamp) -> SyncReport {
    sync_into(&folder(sandbox), &[area(sandbox)], now)
}

fn sync_into(folder: &Path, areas: &[ArchiveRoot], now: Timestamp) -> SyncReport {
    let options = SyncOptions { areas, only: None, admits: &|_| true, now };
    archive::sync(folder, &options, &NoProgress, &|_| {}).unwrap()
}

fn verify(sandbox: &Sandbox) -> VerifyReport {
    archive::verify(&folder(sandbox), true, now(), &|_| {}).unwrap()
}

fn open(sandbox: &Sandbox) -> Arc<Archive> {
    Arc::new(Archive::open(&folder(sandbox)).unwrap())
}

/// The bytes of every version of a file, oldest first.
fn versions(archive: &Arc<Archive>, name: &str) -> Vec<Vec<u8>> {
    let state = archive.state();
    let generations = state.files().find(|(key, _)| key.1.as_str() == name);
    let generations = generations.map(|(_, generations)| generations).unwrap_or_default();
    let read = |generation| {
        let mut bytes = Vec::new();
        archive.read(generation).read_to_end(&mut bytes).unwrap();
        bytes
    };
    generations.iter().map(read).collect()
}

fn names(archive: &Archive) -> Vec<String> {
    archive.state().files().map(|(key, _)| key.1.to_string()).collect()
}

fn keys(archive: &Archive) -> Vec<FileKey> {
    archive.state().files().map(|(key, _)| key.clone()).collect()
}

/// The name of a session's transcript.
fn transcript(number: u32) -> String {
    format!("projects/-p/{}.jsonl", session_id(number))
}

/// Bytes that do not compress and do not repeat.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}
