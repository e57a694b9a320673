//! Real threads and threads that Codex itself generated, if they are available.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use apps::codex::{Name, Reader, RolloutFile, Thread, assemble, decompress, usage_of};
use apps::{EntryKind, EntryState, Read, Session, read_whole};

/// The most bytes of a decompressed file.
const LIMIT: u64 = 1 << 28;

/// A folder of the corpus, which lies beside the repository or beside a folder around it.
fn corpus(name: &str) -> PathBuf {
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut corpora = around.map(|folder| folder.join("shared/corpus").join(name));
    corpora.find(|folder| folder.is_dir()).unwrap_or_default()
}

/// The rollout files below a folder with their bytes, by name.
fn rollouts(name: &str) -> Vec<(Name, bool, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![corpus(name)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file_name = entry.file_name().into_string().expect("a UTF-8 name");
            let Some(name) = Name::parse(&file_name) else { continue };
            let mut bytes = fs::read(&path).expect("a readable file");
            if name.is_compressed {
                bytes = decompress(&bytes, LIMIT).expect("valid zstd data");
            }
            let is_archived = path.to_string_lossy().contains("archived_sessions");
            found.push((name, is_archived, bytes));
        }
    }
    found.sort();
    if found.is_empty() {
        println!("SKIPPED: no threads of Codex beside the repository");
    }
    found
}

fn read_files(name: &str) -> Vec<RolloutFile> {
    rollouts(name)
        .into_iter()
        .map(|(name, is_archived, bytes)| RolloutFile {
            name,
            is_archived,
            session: read_whole::<Reader>(&bytes),
        })
        .collect()
}

/// Tokens by thread, each call counted where its key occurs first. Calls that a response's id
/// identifies are left out.
fn tokens_by_thread(files: &[RolloutFile]) -> BTreeMap<String, u64> {
    let mut seen = BTreeSet::new();
    let mut tokens = BTreeMap::new();
    for file in files {
        let sum: u64 = file
            .session
            .api_calls
            .iter()
            .filter(|call| !call.key.starts_with("response:") && seen.insert(call.key.clone()))
            .map(|call| call.tokens.total())
            .sum();
        *tokens.entry(file.name.thread.clone()).or_default() += sum;
    }
    tokens
}

fn find<'a>(threads: &'a [Thread], start: &str) -> &'a Thread {
    threads.iter().find(|thread| thread.id.starts_with(start)).expect("a thread of the corpus")
}

/// The prompts of a thread as it stands.
fn prompts(files: &[RolloutFile], thread: &Thread) -> Vec<String> {
    let mut prompts = Vec::new();
    for part in &thread.parts {
        for entry in &files[part.file].session.entries[part.entries.clone()] {
            if let EntryKind::Prompt(text) = &entry.kind {
                prompts.push(text.clone());
            }
        }
    }
    prompts
}

#[test]
fn calls_are_counted_once_over_forks_and_repetitions() {
    let files = read_files("codex");
    if files.is_empty() {
        return;
    }
    assert_eq!(tokens_by_thread(&files).values().sum::<u64>(), 92_687_894);
    let calls = files.iter().flat_map(|file| &file.session.api_calls);
    let records: Vec<_> = calls.filter(|call| call.key.starts_with("response:")).collect();
    assert_eq!(records.len(), 16);
    assert_eq!(records.iter().map(|call| call.tokens.total()).sum::<u64>(), 17_272);
}

#[test]
fn migration_changes_no_usage() {
    let (before, after) = (read_files("codex"), read_files("codex-migrated"));
    if after.is_empty() {
        return;
    }
    let migrated: BTreeSet<_> = after.iter().map(|file| file.name.thread.clone()).collect();
    let before: Vec<_> =
        before.into_iter().filter(|file| migrated.contains(&file.name.thread)).collect();
    let after = tokens_by_thread(&after);
    assert_eq!(after.values().sum::<u64>(), 19_127_937);
    assert_eq!(tokens_by_thread(&before), after);
}

#[test]
fn migration_changes_no_keys() {
    let keys = |name| -> BTreeMap<Name, Vec<String>> {
        let keys = |session: Session| session.api_calls.into_iter().map(|call| call.key).collect();
        read_files(name).into_iter().map(|file| (file.name, keys(file.session))).collect()
    };
    let before = keys("codex");
    for (name, keys) in keys("codex-migrated") {
        assert_eq!(before.get(&name), Some(&keys), "{name:?}");
    }
}

#[test]
fn the_fast_form_finds_the_calls_of_the_reader() {
    for name in ["codex", "codex-migrated"] {
        for (name, _, bytes) in rollouts(name) {
            let session = read_whole::<Reader>(&bytes);
            let fast: Vec<_> = usage_of(&bytes)
                .into_iter()
                .map(|call| (call.key, call.place, call.time, call.model, call.tokens))
                .collect();
            let slow: Vec<_> = session
                .api_calls
                .into_iter()
                .map(|call| {
                    let place = session.entries[call.entry].place;
                    (call.key, place, call.time, call.model, call.tokens)
                })
                .collect();
            assert_eq!(fast, slow, "{name:?}");
        }
    }
}

#[test]
fn reading_in_two_parts_gives_the_same_session() {
    for (name, _, bytes) in rollouts("codex") {
        let whole = read_whole::<Reader>(&bytes);
        let mut reader = Reader::default();
        let half = bytes.len() / 2;
        let used = reader.read_on(&bytes[..half]);
        let rest = &bytes[used..];
        let used = reader.read_on(rest);
        reader.read_last(&rest[used..]);
        assert_eq!(reader.into_session(), whole, "{name:?}");
    }
}

#[test]
fn every_part_of_the_threads_is_known() {
    for name in ["codex", "codex-migrated"] {
        for file in read_files(name) {
            let unknown: Vec<_> = file.session.unknown.iter().collect();
            assert_eq!(unknown, [], "{:?}", file.name);
        }
    }
}

#[test]
fn a_fork_by_reference_begins_with_the_other_thread() {
    let mut files = read_files("codex");
    if files.is_empty() {
        return;
    }
    let threads = assemble(&mut files);
    let fork = find(&threads, "01a1e527-fdee");
    assert_eq!(prompts(&files, fork).len(), 3);
    assert_eq!(fork.missing_base, None);
}

#[test]
fn undone_turns_stay_in_the_older_file() {
    let mut files = read_files("codex");
    if files.is_empty() {
        return;
    }
    let threads = assemble(&mut files);
    let undone = find(&threads, "01a1e529-1658");
    assert_eq!(prompts(&files, undone).len(), 2);
    let gone = undone.entries(&files).filter(|entry| {
        entry.state == EntryState::Undone && matches!(entry.entry.kind, EntryKind::Prompt(_))
    });
    assert_eq!(gone.count(), 2);
}

#[test]
fn sub_agents_keep_their_turns_after_a_migration() {
    let (before, after) = (read_files("codex"), read_files("codex-migrated"));
    let own_texts = |file: &RolloutFile| -> Vec<EntryKind> {
        let live = file.session.live().map(|entry| entry.kind.clone());
        live.filter(|kind| matches!(kind, EntryKind::Prompt(_) | EntryKind::Text(_))).collect()
    };
    for file in after {
        let original = before.iter().find(|other| other.name == file.name).expect("an original");
        assert_eq!(own_texts(&file), own_texts(original), "{:?}", file.name);
    }
}
