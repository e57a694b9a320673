//! Plans from transcripts of a few lines.

use conversation::Plans;
use serde_json::{Value, json};
use testkit::{Line, tool_result, tool_use, user};

fn plans(lines: &[Line]) -> Plans {
    let mut plans = Plans::default();
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    for entry in transcript::entries(text.as_bytes()) {
        plans.note(&entry.record, entry.line);
    }
    plans
}

/// Source, status, line and text of each version.
fn versions(lines: &[Line]) -> Vec<(&'static str, &'static str, u64, String)> {
    plans(lines)
        .versions()
        .iter()
        .map(|one| (one.source.name(), one.status.name(), one.line, one.text.clone()))
        .collect()
}

fn propose(id: &str, plan: &str) -> Line {
    tool_use(id, "ExitPlanMode", &json!({"plan": plan}))
}

fn failed(id: &str, text: &str) -> Line {
    let block =
        json!([{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text}]);
    tool_result(id, "").with("message", json!({"role": "user", "content": block}))
}

fn write(id: &str, path: &str, text: &str) -> Line {
    tool_use(id, "Write", &json!({"file_path": path, "content": text}))
}

const FILE: &str = "/home/ada/.claude/plans/quiet-sea.md";

fn row(
    source: &'static str,
    status: &'static str,
    line: u64,
    text: &str,
) -> (&'static str, &'static str, u64, String) {
    (source, status, line, text.to_owned())
}

#[test]
fn the_status_of_a_proposal_comes_from_its_answer() {
    let yes = "User has approved your plan. You can now start coding.";
    let table: [(Option<Line>, &str); 8] = [
        (None, "pending"),
        (Some(tool_result("t", yes)), "approved"),
        (Some(failed("t", "anything")), "rejected"),
        (
            Some(tool_result("t", "The user doesn't want to proceed with this tool use.")),
            "rejected",
        ),
        (
            Some(tool_result("t", "The user doesn't want to take this action right now.")),
            "rejected",
        ),
        (Some(tool_result("t", yes).with("toolDenialKind", "user")), "rejected"),
        (
            Some(
                tool_result("t", "Sent")
                    .with("toolUseResult", json!({"awaitingLeaderApproval": true})),
            ),
            "pending",
        ),
        (Some(tool_result("another", yes)), "pending"),
    ];
    for (answer, status) in table {
        let shown = answer.as_ref().map(ToString::to_string);
        let lines: Vec<Line> =
            [Some(propose("t", "# One")), answer].into_iter().flatten().collect();
        assert_eq!(versions(&lines), [row("exit_plan_mode", status, 1, "# One")], "{shown:?}");
    }
}

#[test]
fn the_answer_can_carry_the_text() {
    let approval = "User has approved your plan.\n\nYour plan has been saved to: x\n\n## Approved Plan:\n# Two\nsteps";
    let edited = "Approved.\n\n## Approved Plan (edited by user):\n# Two\nsteps";
    let named = tool_use("t", "ExitPlanMode", &json!({}));
    let approved = row("exit_plan_mode", "approved", 2, "# Two\nsteps");
    for answer in [
        tool_result("t", approval),
        tool_result("t", edited),
        tool_result("t", "Yes")
            .with("toolUseResult", json!({"plan": "# Two\nsteps", "filePath": FILE})),
    ] {
        let found = versions(&[named.clone(), answer.clone()]);
        assert_eq!(found, std::slice::from_ref(&approved), "{answer}");
        // The edit by the person is a separate version.
        assert_eq!(
            versions(&[propose("t", "# One"), answer]),
            [row("exit_plan_mode", "unknown", 1, "# One"), approved.clone()]
        );
    }
    let lines = [propose("t", "# Two\nsteps\n"), tool_result("t", approval)];
    assert_eq!(
        versions(&lines),
        [row("exit_plan_mode", "approved", 1, "# Two\nsteps\n")],
        "the same text"
    );
    assert_eq!(versions(&[named.clone(), tool_result("t", "Yes")]), [], "no text, no plan");
    let quoted = [named, failed("t", approval)];
    assert_eq!(versions(&quoted), [], "a refusal approves nothing");
}

#[test]
fn a_plan_carried_into_a_session_is_approved() {
    let lines = [user("Implement the following plan: …")
        .with("planContent", "# Carried")
        .with("slug", "quiet-sea")];
    assert_eq!(versions(&lines), [row("plan_content", "approved", 1, "# Carried")]);
    assert_eq!(plans(&lines).versions()[0].slug.as_deref(), Some("quiet-sea"));
    assert_eq!(versions(&[user("x").with("planContent", "  \n")]), []);
}

#[test]
fn plan_files_are_recognized_by_directory_or_slug() {
    let table = [
        (FILE, None, true),
        ("C:\\Users\\ada\\.claude\\plans\\quiet-sea.md", None, true),
        ("/elsewhere/plans/quiet-sea.md", Some("quiet-sea"), true),
        ("/elsewhere/plans/quiet-sea-agent-a1.md", Some("quiet-sea"), true),
        // A project's own plans.
        ("/home/ada/tidepool/docs/plans/quiet-sea.md", None, false),
        ("/home/ada/tidepool/docs/plans/quiet-sea.md", Some("loud-sea"), false),
        ("/home/ada/.claude/plans/quiet-sea.txt", None, false),
        ("/home/ada/.claude/plans/deeper/quiet-sea.md", None, false),
        ("/home/ada/.claude/plans/.md", None, false),
        ("", None, false),
    ];
    for (path, slug, expected) in table {
        let mut line = write("t", path, "# Written");
        if let Some(slug) = slug {
            line = line.with("slug", slug);
        }
        assert_eq!(plans(&[line]).versions().len(), usize::from(expected), "{path} {slug:?}");
    }
}

#[test]
fn written_then_proposed_is_one_version_and_keeps_its_file() {
    let lines = [
        write("w", FILE, "# One\n"),
        tool_result("w", "File created"),
        propose("t", "# One"),
        tool_result("t", "User has approved your plan."),
        write("v", FILE, "# One"),
    ];
    assert_eq!(versions(&lines), [row("exit_plan_mode", "approved", 3, "# One")]);
    let version = plans(&lines).versions()[0].clone();
    assert_eq!((version.path.as_deref(), version.slug.as_deref()), (Some(FILE), Some("quiet-sea")));
    assert_eq!(version.tool_use_id.as_deref(), Some("t"));
}

#[test]
fn an_approval_without_text_applies_to_the_file() {
    let answer = |path: &str| {
        tool_result("t", "User has approved exiting plan mode.")
            .with("toolUseResult", json!({"plan": null, "isAgent": false, "filePath": path}))
    };
    let lines = |path: &str| {
        [write("w", FILE, "# One"), tool_use("t", "ExitPlanMode", &json!({})), answer(path)]
    };
    assert_eq!(versions(&lines(FILE)), [row("file_write", "approved", 1, "# One")]);
    let other = "/home/ada/.claude/plans/other.md";
    assert_eq!(versions(&lines(other)), [row("file_write", "unknown", 1, "# One")]);
}

#[test]
fn edits_of_a_plan_file_are_versions() {
    let edit = |id: &str, old: &str, new: &str| {
        tool_use(id, "Edit", &json!({"file_path": FILE, "old_string": old, "new_string": new}))
    };
    let lines = [
        write("w", FILE, "a b a"),
        edit("e", "a", "x"),
        tool_result("e", "Done"),
        tool_use(
            "m",
            "MultiEdit",
            &json!({"file_path": FILE, "edits": [
            {"old_string": "b", "new_string": "y"},
            {"old_string": "a", "new_string": "z", "replace_all": true}]}),
        ),
        tool_result("m", "Done"),
        // An edit that failed, and one without an answer.
        edit("f", "x", "?"),
        failed("f", "No"),
        edit("g", "x", "?"),
    ];
    let texts: Vec<String> = versions(&lines).into_iter().map(|(.., text)| text).collect();
    assert_eq!(texts, ["a b a", "x b a", "x y z"]);
    let original = json!({"originalFile": "old words", "filePath": FILE});
    let alone = [edit("e", "old", "new"), tool_result("e", "Done").with("toolUseResult", original)];
    assert_eq!(versions(&alone), [row("file_write", "unknown", 2, "new words")]);
    assert_eq!(versions(&[edit("e", "old", "new"), tool_result("e", "Done")]), [], "of what?");
}

#[test]
fn an_edit_that_would_expand_too_much_is_not_applied() {
    let double: Vec<Value> = (0..60)
        .map(|_| json!({"old_string": "a", "new_string": "aa", "replace_all": true}))
        .collect();
    let lines = [
        write("w", FILE, "a"),
        tool_use("m", "MultiEdit", &json!({"file_path": FILE, "edits": double})),
        tool_result("m", "Done"),
    ];
    assert_eq!(versions(&lines), [row("file_write", "unknown", 1, "a")]);
}

#[test]
fn slugs_are_collected_and_are_not_plans() {
    let lines = [
        user("a").with("slug", "one"),
        user("b").with("slug", "two"),
        user("c").with("slug", "one"),
    ];
    let plans = plans(&lines);
    assert_eq!(plans.slugs().iter().collect::<Vec<_>>(), ["one", "two"]);
    assert!(plans.versions().is_empty());
}

#[test]
fn malformed_input_is_not_a_plan_and_does_not_panic() {
    let odd = [
        tool_use("t", "ExitPlanMode", &json!("text")),
        tool_use("t", "ExitPlanMode", &json!({"plan": 5})),
        tool_use("t", "Write", &json!({"file_path": FILE})),
        tool_use("t", "MultiEdit", &json!({"file_path": FILE, "edits": {"a": 1}})),
        tool_result("t", "\n## Approved Plan"),
        tool_result("t", "x").with("toolUseResult", json!([1])),
        user("x").with("planContent", json!({"a": 1})),
    ];
    assert_eq!(versions(&odd), []);
}
