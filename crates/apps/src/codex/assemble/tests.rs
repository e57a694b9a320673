//! Threads of made-up files.

use crate::read_whole;

use super::*;
use crate::codex::Reader;

const A: &str = "01900000-0000-7000-8000-00000000000a";
const B: &str = "01900000-0000-7000-8000-00000000000b";
const C: &str = "01900000-0000-7000-8000-00000000000c";
const R1: &str = "01900000-0000-7000-8000-0000000000f1";
const R2: &str = "01900000-0000-7000-8000-0000000000f2";

fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"{kind}","payload":{payload}}}"#) + "\n"
}

fn meta(id: &str, fields: &str) -> String {
    line("session_meta", &format!(r#"{{"id":"{id}"{fields}}}"#))
}

fn base(file: &str, bytes: usize) -> String {
    format!(r#","history_base":{{"thread_id":"{file}","end_byte_offset":{bytes}}}"#)
}

fn ask(text: &str) -> String {
    line("event_msg", &format!(r#"{{"type":"user_message","message":"{text}"}}"#))
}

fn file(minute: u32, ids: &str, lines: &[String]) -> RolloutFile {
    let name = format!("rollout-2026-01-31T12-{minute:02}-00-{ids}.jsonl");
    RolloutFile {
        name: Name::parse(&name).unwrap(),
        is_archived: false,
        session: read_whole::<Reader>(lines.concat().as_bytes()),
    }
}

fn prompts(files: &[RolloutFile], parts: &[Part]) -> Vec<String> {
    let entries =
        parts.iter().flat_map(|part| &files[part.file].session.entries[part.entries.clone()]);
    entries
        .filter_map(|entry| match &entry.kind {
            EntryKind::Prompt(text) => Some(text.clone()),
            _ => None,
        })
        .collect()
}

/// The states of a thread's prompts.
fn states(files: &[RolloutFile], thread: &Thread) -> Vec<EntryState> {
    let entries = thread.entries(files);
    entries
        .filter(|entry| matches!(entry.entry.kind, EntryKind::Prompt(_)))
        .map(|entry| entry.state)
        .collect()
}

fn find<'a>(threads: &'a [Thread], id: &str) -> &'a Thread {
    threads.iter().find(|thread| thread.id == id).unwrap()
}

#[test]
fn a_fork_by_reference_begins_with_the_bytes_of_its_base() {
    let lines = [meta(A, ""), ask("One"), ask("Two")];
    let bytes = lines[..2].concat().len();
    let mut files = [
        file(
            1,
            B,
            &[meta(B, &(format!(r#","forked_from_id":"{A}""#) + &base(A, bytes))), ask("Other")],
        ),
        file(0, A, &lines),
    ];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &find(&threads, B).parts), ["One", "Other"]);
    assert_eq!(prompts(&files, &find(&threads, A).parts), ["One", "Two"]);
    assert_eq!(find(&threads, A).undone, []);
    assert_eq!(find(&threads, B).header.first_prompt.as_deref(), Some("One"));
    assert_eq!(states(&files, find(&threads, B)), [EntryState::Replayed, EntryState::Live]);
}

#[test]
fn what_an_undo_took_back_is_marked() {
    let lines = [meta(A, ""), ask("One"), ask("Two"), ask("Three")];
    let bytes = lines[..2].concat().len();
    let mut files = [
        file(0, A, &lines),
        file(5, &format!("{A}_{R1}"), &[meta(A, &base(A, bytes)), ask("Four")]),
    ];
    let threads = assemble(&mut files);
    assert_eq!(threads.len(), 1);
    assert_eq!(threads[0].files, [0, 1]);
    assert_eq!(prompts(&files, &threads[0].parts), ["One", "Four"]);
    assert_eq!(prompts(&files, &threads[0].undone), ["Two", "Three"]);
    assert_eq!(threads[0].header.first_prompt.as_deref(), Some("One"));
    assert_eq!(
        states(&files, &threads[0]),
        [EntryState::Live, EntryState::Live, EntryState::Undone, EntryState::Undone]
    );
}

#[test]
fn a_fork_keeps_what_its_base_undid_later() {
    let lines = [meta(A, ""), ask("One"), ask("Two")];
    let (first, whole) = (lines[..2].concat().len(), lines.concat().len());
    let mut files = [
        file(0, A, &lines),
        file(1, B, &[meta(B, &base(A, whole)), ask("Three")]),
        file(2, &format!("{A}_{R1}"), &[meta(A, &base(A, first)), ask("Four")]),
    ];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &find(&threads, B).parts), ["One", "Two", "Three"]);
    let states_of_fork = states(&files, find(&threads, B));
    assert!(!states_of_fork.contains(&EntryState::Undone));
    assert_eq!(prompts(&files, &find(&threads, A).parts), ["One", "Four"]);
}

#[test]
fn a_second_undo_takes_back_a_whole_file() {
    let lines = [meta(A, ""), ask("One"), ask("Two")];
    let bytes = lines[..2].concat().len();
    let mut files = [
        file(0, A, &lines),
        file(1, &format!("{A}_{R1}"), &[meta(A, &base(A, bytes)), ask("Three")]),
        file(2, &format!("{A}_{R2}"), &[meta(A, &base(A, bytes)), ask("Four")]),
    ];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &threads[0].parts), ["One", "Four"]);
    assert_eq!(prompts(&files, &threads[0].undone), ["Two", "Three"]);
}

#[test]
fn a_base_of_a_base_is_joined_whole() {
    let first = [meta(A, ""), ask("One")];
    let second = [meta(B, &base(A, first.concat().len())), ask("Two"), ask("Left out")];
    let third = [meta(C, &base(B, second[..2].concat().len())), ask("Three")];
    let mut files = [file(0, A, &first), file(1, B, &second), file(2, C, &third)];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &find(&threads, C).parts), ["One", "Two", "Three"]);
}

#[test]
fn a_base_that_is_missing_is_named() {
    let mut files = [file(0, B, &[meta(B, &base(A, 100)), ask("Two")])];
    let threads = assemble(&mut files);
    assert_eq!(threads[0].missing_base.as_deref(), Some(A));
    assert_eq!(prompts(&files, &threads[0].parts), ["Two"]);
}

#[test]
fn files_that_build_on_each_other_end() {
    let mut files = [
        file(0, A, &[meta(A, &base(B, 1_000)), ask("One")]),
        file(1, B, &[meta(B, &base(A, 1_000)), ask("Two")]),
    ];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &find(&threads, A).parts), ["Two", "One"]);
    let mut files = [file(0, A, &[meta(A, &base(A, 1_000)), ask("One")])];
    let threads = assemble(&mut files);
    assert_eq!(prompts(&files, &threads[0].parts), ["One"]);
}

#[test]
fn sub_agents_are_linked_to_the_call_that_started_them() {
    let spawn =
        format!(r#"{{"type":"collab_agent_spawn_end","call_id":"c1","new_thread_id":"{B}"}}"#);
    let source =
        format!(r#","source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{A}"}}}}}}"#);
    let mut files =
        [file(0, A, &[meta(A, ""), line("event_msg", &spawn)]), file(1, B, &[meta(B, &source)])];
    let threads = assemble(&mut files);
    assert_eq!(find(&threads, A).agents, [B]);
    assert_eq!(
        find(&threads, B).header.lineage,
        [Lineage::Agent { of: A.to_owned(), call: Some("c1".to_owned()) }]
    );
}

#[test]
fn a_migrated_fork_of_a_fork_counts_no_call_twice() {
    let used = r#"{"input_tokens":5,"output_tokens":5}"#;
    let count = line(
        "event_msg",
        &format!(
            r#"{{"type":"token_count","info":{{"total_token_usage":{used},"last_token_usage":{used}}}}}"#
        ),
    );
    let of = |thread: &str| format!(r#","forked_from_id":"{thread}","history_mode":"paginated""#);
    let mut files = [
        file(0, A, &[meta(A, ""), count.clone()]),
        file(1, B, &[meta(B, &of(A)), count.clone()]),
        file(2, C, &[meta(C, &of(B)), count]),
    ];
    assemble(&mut files);
    let keys: BTreeSet<_> =
        files.iter().flat_map(|file| &file.session.api_calls).map(|call| &call.key).collect();
    assert_eq!(keys.len(), 1);
}

#[test]
fn threads_that_are_forks_of_each_other_end() {
    let of = |thread: &str| format!(r#","forked_from_id":"{thread}""#);
    let mut files = [file(0, A, &[meta(A, &of(B))]), file(1, B, &[meta(B, &of(A))])];
    assert_eq!(assemble(&mut files).len(), 2);
    let key = crate::codex::follow_forks("thread:a:1", |_| Some("a"));
    assert_eq!(key, "thread:a:1");
    assert_eq!(crate::codex::follow_forks("response:a", |_| Some("b")), "response:a");
}
