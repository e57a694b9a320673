//! The folder and the branch of a thread.

use super::*;
use apps::{Entry, Workplace};

fn place(directory: &str, branch: &str) -> Workplace {
    let branch = Some(branch).filter(|branch| !branch.is_empty()).map(str::to_owned);
    Workplace { directory: Some(directory.to_owned()), branch }
}

fn meta_at(id: &str, fields: &str, directory: &str, branch: &str) -> String {
    meta(id, &format!(r#"{fields},"cwd":"{directory}","git":{{"branch":"{branch}"}}"#))
}

fn turn_at(id: &str, directory: &str) -> String {
    line("turn_context", &format!(r#"{{"turn_id":"{id}","cwd":"{directory}"}}"#))
}

fn ask(text: &str) -> String {
    event("user_message", &format!(r#""message":"{text}""#))
}

/// Where the thread is, and where each prompt was written.
fn places(lines: &[String]) -> (Workplace, Vec<Workplace>) {
    let session = read(lines);
    let header = session.header;
    let now = Workplace { directory: header.directory, branch: header.branch };
    let prompts = session.entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Prompt(_)));
    let written = |entry: &Entry| entry.workplace.as_deref().cloned().unwrap_or_default();
    (now, prompts.map(written).collect())
}

#[test]
fn a_thread_that_was_resumed_elsewhere_is_where_it_was_resumed() {
    let lines = [
        meta_at(THREAD, "", "/kelp", "low"),
        turn_at(TURN, "/kelp"),
        ask("one"),
        meta_at(THREAD, "", "/reef", "high"),
        ask("two"),
        turn_at(NEXT_TURN, "/reef/deep"),
        ask("three"),
    ];
    let expected = [place("/kelp", "low"), place("/reef", "high"), place("/reef/deep", "high")];
    assert_eq!(places(&lines), (place("/reef/deep", "high"), expected.to_vec()));
}

#[test]
fn a_copy_of_the_first_meta_does_not_move_the_thread_back() {
    let lines = [
        meta_at(THREAD, "", "/kelp", "low"),
        turn_at(TURN, "/reef"),
        meta_at(THREAD, "", "/kelp", "low"),
        ask("one"),
        // Without a repository, what is known stays.
        meta(THREAD, ""),
    ];
    assert_eq!(places(&lines), (place("/reef", "low"), vec![place("/reef", "low")]));
}

#[test]
fn settings_of_the_thread_name_its_folder() {
    let settings = r#""thread_settings":{"model":"m","cwd":"/reef"}"#;
    let lines = [meta_at(THREAD, "", "/kelp", "low"), event("thread_settings_applied", settings)];
    assert_eq!(places(&lines).0, place("/reef", "low"));
}

#[test]
fn a_fork_is_not_where_its_parent_was() {
    let fork = format!(r#","forked_from_id":"{PARENT}""#);
    let lines = [
        meta_at(THREAD, &fork, "/reef", "high"),
        meta_at(PARENT, "", "/kelp", "low"),
        turn(OLD_TURN),
        turn_at(OLD_TURN, "/kelp/deep"),
        ask("of the parent"),
        turn(TURN),
        ask("of the fork"),
    ];
    let expected = vec![place("/kelp/deep", "low"), place("/reef", "high")];
    assert_eq!(places(&lines), (place("/reef", "high"), expected));
}

#[test]
fn a_migrated_fork_is_not_where_its_parent_was() {
    let fork = format!(r#","forked_from_id":"{PARENT}","history_mode":"paginated""#);
    let lines = [
        meta_at(THREAD, &fork, "/reef", "high"),
        turn_at(OLD_TURN, "/kelp"),
        ask("of the parent"),
        turn_at(TURN, "/reef"),
        ask("of the fork"),
    ];
    let expected = vec![place("/kelp", ""), place("/reef", "high")];
    assert_eq!(places(&lines), (place("/reef", "high"), expected));
}
