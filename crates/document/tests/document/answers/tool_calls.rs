//! Tool calls of several sessions.

use super::support::{CWD, build_index, library};
use document::answers::{ToolCallsRequest, WantedCalls, sessions_with_calls};
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::{Filter, FoundSession};
use library::progress::NoProgress;
use library::session::Session;
use serde_json::json;
use testkit::{Line, Sandbox, chained, session_id, tool_result, tool_use, user};

/// Lines with a call for each id.
fn calls(ids: &[&str]) -> Vec<Line> {
    let calls = ids.iter().flat_map(|id| [tool_use(id, "Bash", &json!({})), tool_result(id, "ok")]);
    chained(std::iter::once(user("Read the tide")).chain(calls))
}

/// The same lines as a branch of a session has them.
fn branched(lines: Vec<Line>, original: u32) -> Vec<Line> {
    let from = json!({"sessionId": session_id(original), "messageUuid": "u"});
    lines.into_iter().map(|line| line.with("forkedFrom", from.clone())).collect()
}

/// Sessions 1 to 3: an original, its branch, and a copy with which an old version resumed it.
/// Paths and times say nothing about which is the original.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let own = chained([tool_use("t3", "Read", &json!({})), tool_result("t3", "ok")]);
    let branch = branched(calls(&["t1", "t2"]), 2).into_iter().chain(own);
    let path = sandbox.session(CWD, &session_id(1), branch);
    sandbox.set_modified(&path, 1_767_900_000);
    let path = sandbox.session(CWD, &session_id(2), calls(&["t1", "t2"]));
    sandbox.set_modified(&path, 1_767_900_060);
    let path = sandbox.session(CWD, &session_id(3), calls(&["t1", "t2", "t4"]));
    sandbox.set_modified(&path, 1_767_900_120);
    sandbox
}

/// How many calls the statistics count, and the calls of a page with their sessions.
fn counted(library: &Library, found: Option<&FoundSession>) -> (u64, Vec<String>) {
    let filter = Filter::default();
    let all = sessions_with_calls(library, &filter).0;
    let sessions: Vec<&Session> = match found {
        Some(found) => vec![&found.session],
        None => all.iter().collect(),
    };
    let request = ToolCallsRequest {
        library,
        sessions: &sessions,
        wanted: WantedCalls { filter: &filter, found, only_errors: false, statuses: &[] },
        progress: &NoProgress,
    };
    let stats = request.stats(&TimeZone::UTC).0.document(&TimeZone::UTC).total.calls;
    let (total, calls, _) = request.page(0, 50, found.is_none());
    assert_eq!(total, calls.len());
    let mut rows: Vec<String> = calls
        .iter()
        .map(|call| {
            let id = call.tool_use_id.as_deref().unwrap();
            format!("{id} of {}", call.session_id.chars().last().unwrap())
        })
        .collect();
    rows.sort();
    (stats, rows)
}

#[test]
fn call_that_a_branch_copied_counts_once_in_the_session_that_made_it() {
    let sandbox = store();
    let library = library(&sandbox);
    for has_index in [false, true] {
        if has_index {
            build_index(&library);
        }
        let library = library.reopened();
        let (stats, rows) = counted(&library, None);
        let expected = ["t1 of 2", "t2 of 2", "t3 of 1", "t4 of 3"];
        assert_eq!((stats, rows), (4, expected.map(str::to_owned).to_vec()), "{has_index}");
        let branch = library.catalog().find(&session_id(1), None).unwrap();
        let (stats, rows) = counted(&library, Some(&branch));
        assert_eq!((stats, rows.len()), (3, 3), "a session alone has the calls that it copied");
    }
}

#[test]
fn copied_call_counts_where_it_is_left_if_its_session_is_gone() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), branched(calls(&["t1"]), 9));
    sandbox.session(CWD, &session_id(2), branched(calls(&["t1"]), 9));
    assert_eq!(counted(&library(&sandbox), None).0, 1);
}

#[test]
fn calls_of_unrelated_sessions_count_each_where_ids_only_number_them() {
    let sandbox = Sandbox::new();
    let ids = ["functions.Bash:0", "call_1"];
    for number in 1..=2 {
        let time = format!("2026-11-0{number}T10:00:00.000Z");
        let lines = calls(&ids).into_iter().map(|line| line.with("timestamp", time.as_str()));
        sandbox.session(CWD, &session_id(number), lines);
    }
    assert_eq!(counted(&library(&sandbox), None).0, 4);
    // A copy has the times of the original.
    let time = "2026-11-01T10:00:00.000Z";
    let lines = calls(&ids).into_iter().map(|line| line.with("timestamp", time));
    sandbox.session(CWD, &session_id(3), lines);
    assert_eq!(counted(&library(&sandbox), None).0, 4);
}
