//! The overview of one session: what is counted, and what is counted once.

use library::prompts::{FileTouch, SessionOverview};
use library::{Library, Options};
use serde_json::{Value, json};
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, metadata, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";

fn overview_of(sandbox: &Sandbox) -> SessionOverview {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    library.prompts().overview(&library.catalog().find(&session_id(1), None).unwrap())
}

fn overview(lines: &[Line]) -> SessionOverview {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines);
    overview_of(&sandbox)
}

/// A line of the response with this id and model.
fn response(id: &str, model: &str, content: &Value) -> Line {
    assistant("").with(
        "message",
        json!({"id": id, "model": model, "role": "assistant", "content": [content]}),
    )
}

fn counts(map: &std::collections::BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    map.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

#[test]
fn one_response_over_several_lines_counts_once() {
    let overview = overview(&[
        user("hello"),
        response("m1", "opus", &json!({"type": "thinking", "thinking": ""})),
        response("m1", "opus", &json!({"type": "text", "text": "a"})),
        response(
            "m1",
            "opus",
            &json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {}}),
        ),
        response("m2", "haiku", &json!({"type": "text", "text": "b"})),
        response("m3", "<synthetic>", &json!({"type": "text", "text": "an error"})),
    ]);
    assert_eq!(counts(&overview.models), [("haiku", 1), ("opus", 1)]);
    assert_eq!((overview.answers, overview.prompts, overview.lines), (3, 1, 6));
    assert_eq!(counts(&overview.records), [("assistant", 5), ("user", 1)]);
}

#[test]
fn tools_and_the_files_they_touched_are_counted() {
    let touch = |id: &str, tool: &str, path: &str| tool_use(id, tool, &json!({"file_path": path}));
    let overview = overview(&[
        touch("t1", "Read", "/a"),
        touch("t2", "Read", "/a"),
        touch("t3", "Edit", "/a"),
        touch("t4", "Write", "/b"),
        // A copy of a call does not count.
        touch("t4", "Write", "/b"),
        tool_use("t5", "NotebookEdit", &json!({"notebook_path": "/n"})),
        tool_use("t6", "Bash", &json!({"command": "rm /c"})),
        tool_use("t7", "Grep", &json!({"__unparsedToolInput": "{"})),
    ]);
    assert_eq!(
        counts(&overview.tools),
        [("Bash", 1), ("Edit", 1), ("Grep", 1), ("NotebookEdit", 1), ("Read", 2), ("Write", 1)]
    );
    let files: Vec<_> =
        overview.files.iter().map(|(path, touch)| (path.as_str(), *touch)).collect();
    let touched = |reads, changes| FileTouch { reads, changes };
    assert_eq!(files, [("/a", touched(2, 1)), ("/b", touched(0, 1)), ("/n", touched(0, 1))]);
}

#[test]
fn time_span_runs_from_earliest_to_latest() {
    let overview = overview(&[
        user("a").at("2026-01-02T00:00:05Z"),
        user("b").at("2026-01-02T00:00:01Z"),
        user("c").at("not a time"),
        user("d").at("2026-01-02T00:00:03Z"),
    ]);
    let span = [overview.first, overview.last].map(|time| time.unwrap().to_string());
    assert_eq!(span, ["2026-01-02T00:00:01Z", "2026-01-02T00:00:05Z"]);
}

#[test]
fn branches_and_versions_are_in_order_of_appearance() {
    let line =
        |branch: &str, version: &str| user("x").with("gitBranch", branch).with("version", version);
    let overview = overview(&[
        line("main", "2.1.1"),
        line("", "2.1.2"),
        line("dev", "2.1.2"),
        line("main", "2.1.1"),
    ]);
    assert_eq!(
        (overview.branches, overview.versions),
        (vec!["main".to_owned(), "dev".to_owned()], vec!["2.1.1".to_owned(), "2.1.2".to_owned()])
    );
}

#[test]
fn a_summary_without_a_boundary_is_a_compaction() {
    let summary = |uuid: &str, parent: Option<&str>| {
        user("This session is being continued").link(uuid, parent).with("isCompactSummary", true)
    };
    let overview = overview(&[
        summary("from another file", None),
        user("hello").link("a", Some("from another file")),
        summary("old compaction", None),
        user("more").link("b", Some("old compaction")),
        summary("not a root", Some("b")),
    ]);
    assert_eq!(overview.compactions, 1);
}

#[test]
fn titles_and_summaries_of_boundaries_are_not_compactions() {
    let overview = overview(&[
        user("hello"),
        metadata("summary", &[("summary", json!("only a title"))]),
        metadata("system", &[("subtype", json!("compact_boundary")), ("uuid", json!("c"))]),
        user("This session is being continued").with("isCompactSummary", true),
        metadata("system", &[("subtype", json!("microcompact_boundary"))]),
    ]);
    assert_eq!((overview.compactions, overview.prompts), (1, 1));
}

#[test]
fn damaged_lines_are_counted_and_affect_nothing_else() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(
        CWD,
        &session_id(1),
        [user("one").to_string(), "{torn".to_owned(), String::new(), user("two").to_string()],
    );
    sandbox.append(&path, b"\xff\n");
    let overview = overview_of(&sandbox);
    assert_eq!((overview.lines, overview.prompts), (5, 2));
    assert_eq!(overview.problems, 3);
}

#[test]
fn agents_add_their_work_and_warmups_do_not_count() {
    let sandbox = Sandbox::new();
    sandbox.session(
        CWD,
        &session_id(1),
        [
            user("hello"),
            response("m1", "opus", &json!({"type": "text", "text": "a"})),
            tool_result("t", "x"),
        ],
    );
    let below = format!("projects/-home-ada-tidepool/{}", session_id(1));
    let lines = |lines: &[Line]| {
        lines
            .iter()
            .map(|line| line.clone().with("isSidechain", true).to_string() + "\n")
            .collect::<String>()
    };
    let work = lines(&[
        user("go"),
        response(
            "m9",
            "haiku",
            &json!({"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/a"}}),
        ),
    ]);
    let warmup = lines(&[
        user("Warmup"),
        response("m8", "haiku", &json!({"type": "text", "text": "ready"})),
    ]);
    sandbox.write(&format!("{below}/subagents/agent-a1.jsonl"), &work);
    sandbox.write(&format!("{below}/subagents/agent-w1.jsonl"), &warmup);
    sandbox.write(&format!("{below}/tool-results/out.txt"), "12345");
    let overview = overview_of(&sandbox);
    assert_eq!((overview.agents, overview.agent_bytes), (1, (work.len() + warmup.len()) as u64));
    assert_eq!(
        (overview.answers, overview.prompts, overview.lines),
        (1, 1, 3),
        "of the session itself"
    );
    assert_eq!(
        (counts(&overview.models), counts(&overview.tools)),
        (vec![("haiku", 2), ("opus", 1)], vec![("Read", 1)])
    );
    assert_eq!((overview.files["/a"].reads, overview.tool_results), (1, (1, 5)));
}
