//! What sessions did to files.

use super::support::{CWD, assert_reads_back, library};
use document::answers::{FileHistoryOptions, FilesRequest, is_commit_hash, sessions_with_calls};
use library::Library;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::session::Session;
use serde_json::json;
use std::path::Path;
use testkit::{Line, Sandbox, chained, session_id, tool_result, tool_use, user};

fn ask<T>(library: &Library, here: Option<&Path>, ask: impl FnOnce(&FilesRequest<'_>) -> T) -> T {
    let filter = Filter::default();
    let (sessions, _) = sessions_with_calls(library, &filter);
    let sessions: Vec<&Session> = sessions.iter().collect();
    ask(&FilesRequest {
        library,
        sessions: &sessions,
        filter: &filter,
        here,
        moved: &[],
        progress: &NoProgress,
    })
}

const OPTIONS: FileHistoryOptions = FileHistoryOptions {
    with_reads: false,
    is_newest_first: false,
    offset: 0,
    limit: usize::MAX,
    with_diffs: true,
};

/// Calls of tools on `tide.rs`, each answered, an hour apart.
fn lines(number: u32, tools: &[&str]) -> Vec<Line> {
    let mut lines = vec![user("Change the tide")];
    for (at, tool) in tools.iter().enumerate() {
        let path = format!("{CWD}/tide.rs");
        let input = json!({"file_path": path, "old_string": "ebb", "new_string": "flow"});
        let call = format!("t{number}_{at}");
        lines.push(tool_use(&call, tool, &input).message("id", format!("m{call}")));
        lines.push(tool_result(&call, "done"));
    }
    let lines = chained(lines).into_iter().enumerate();
    let at = |(hour, line): (usize, Line)| line.at(&format!("2026-01-0{number}T{hour:02}:00:00Z"));
    lines.map(at).map(|line| line.cwd(CWD).with("sessionId", session_id(number))).collect()
}

#[test]
fn a_history_has_the_order_the_reads_and_the_page_that_are_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines(1, &["Read", "Edit", "Edit", "Read", "Edit"]));
    let library = library(&sandbox);
    let calls = |options: FileHistoryOptions| {
        let path = format!("{CWD}/tide.rs");
        let (answer, read_errors) = ask(&library, None, |request| request.history(&path, options));
        assert!(read_errors.is_empty() && !answer.is_untouched());
        let calls = answer.changes.items.iter().filter_map(|it| it.touch.tool_use_id.clone());
        let calls: Vec<String> = calls.collect();
        let diffs = answer.changes.items.iter().filter(|it| it.diff.is_some()).count();
        let (total, next) = (answer.changes.total, answer.changes.next);
        assert_reads_back(&answer.document());
        (calls.join(" "), diffs, total, next)
    };
    let newest = FileHistoryOptions { is_newest_first: true, ..OPTIONS };
    let table = [
        (OPTIONS, ("t1_1 t1_2 t1_4", 3, 3, None)),
        (FileHistoryOptions { with_diffs: false, ..OPTIONS }, ("t1_1 t1_2 t1_4", 0, 3, None)),
        (
            FileHistoryOptions { with_reads: true, ..OPTIONS },
            ("t1_0 t1_1 t1_2 t1_3 t1_4", 3, 5, None),
        ),
        (newest, ("t1_4 t1_2 t1_1", 3, 3, None)),
        (FileHistoryOptions { limit: 2, ..newest }, ("t1_4 t1_2", 2, 3, Some(2))),
        (FileHistoryOptions { limit: 2, offset: 2, ..newest }, ("t1_1", 1, 3, None)),
    ];
    for (options, (names, diffs, total, next)) in table {
        assert_eq!(calls(options), (names.to_owned(), diffs, total, next), "{options:?}");
    }
}

#[test]
fn files_of_agents_whose_session_has_no_transcript_are_there() {
    let sandbox = Sandbox::new();
    let own = lines(1, &["Edit"]).into_iter().map(|line| line.with("isSidechain", true));
    sandbox.agent(CWD, &session_id(1), "agent-a", own);
    let library = library(&sandbox);
    let (files, _) = ask(&library, None, |request| request.list(0, 10));
    assert_eq!((files.total, files.items[0].changes), (1, 1));
    let path = format!("{CWD}/tide.rs");
    let (history, _) = ask(&library, None, |request| request.history(&path, OPTIONS));
    assert_eq!(history.changes.total, 1);
}

#[test]
fn a_relative_path_is_meant_from_here() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines(1, &["Edit"]));
    let library = library(&sandbox);
    let present = |here: &str, path: &str| {
        ask(&library, Some(Path::new(here)), |request| request.present_path(path))
    };
    assert_eq!(present(CWD, "tide.rs"), format!("{CWD}/tide.rs"));
    assert_eq!(present("/home/ada", "tidepool/./tide.rs"), format!("{CWD}/tide.rs"));
    let (history, _) =
        ask(&library, Some(Path::new(CWD)), |request| request.history("tide.rs", OPTIONS));
    assert_eq!(history.changes.total, 1);
}

#[test]
fn four_digits_name_a_commit() {
    let table = [("abc", false), ("abcd", true), ("ABCDEF0", true), ("abcg", false), ("", false)];
    for (text, expected) in table {
        assert_eq!(is_commit_hash(text), expected, "{text}");
    }
    assert!(is_commit_hash(&"a".repeat(64)) && !is_commit_hash(&"a".repeat(65)));
}
