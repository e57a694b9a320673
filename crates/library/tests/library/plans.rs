//! The plans of a session: transcript, sub-agents, files, and guesses.

use library::sessions::PlanList;
use library::{Library, Options};
use serde_json::json;
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";

fn plans_of(sandbox: &Sandbox, name: &str) -> PlanList {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    library.sessions().plans(&library.catalog().find(name, None).unwrap())
}

/// Source, status, agent and text of each plan of the first session.
fn plan_rows(sandbox: &Sandbox) -> Vec<(String, String)> {
    let list = plans_of(sandbox, &session_id(1));
    assert_eq!(list.read_errors, []);
    list.plans
        .into_iter()
        .map(|plan| {
            let agent = plan.agent_id.unwrap_or_else(|| "main".to_owned());
            let (source, status) = (plan.origin.name(), plan.status.name());
            (format!("{source} {status} {agent}"), plan.text)
        })
        .collect()
}

fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(what, text)| ((*what).to_owned(), (*text).to_owned())).collect()
}

fn propose(text: &str, time: &str) -> Line {
    tool_use("t", "ExitPlanMode", &json!({"plan": text})).at(time)
}

fn agent_path(id: &str) -> String {
    format!("projects/-home-ada-tidepool/{}/subagents/agent-{id}.jsonl", session_id(1))
}

fn seconds(time: &str) -> i64 {
    time.parse::<jiff::Timestamp>().unwrap().as_second()
}

#[test]
fn plans_of_a_session_and_its_agents_are_in_time_order() {
    let sandbox = Sandbox::new();
    let lines = [
        user("go").at("2026-01-02T10:00:00Z"),
        propose("# First", "2026-01-02T10:01:00Z"),
        tool_result("t", "User has approved your plan.").at("2026-01-02T10:02:00Z"),
        propose("# Third", "2026-01-02T10:05:00Z"),
    ];
    sandbox.session(CWD, &session_id(1), &lines);
    let agent = format!("{}\n{}\n", user("look"), propose("# Second", "2026-01-02T10:03:00Z"));
    sandbox.write(&agent_path("a1"), agent);
    assert_eq!(
        plan_rows(&sandbox),
        rows(&[
            ("exit_plan_mode approved main", "# First"),
            ("exit_plan_mode pending a1", "# Second"),
            ("exit_plan_mode pending main", "# Third"),
        ])
    );
    let own = plans_of(&sandbox, "a1").plans;
    assert_eq!(own.len(), 1, "an agent that is named has its own");
    assert_eq!(own[0].text, "# Second");
}

#[test]
fn files_named_by_slugs_are_versions_unless_equal() {
    let sandbox = Sandbox::new();
    let lines = [
        propose("# First", "2026-01-02T10:01:00Z").with("slug", "quiet-sea"),
        tool_result("t", "User has approved your plan.").at("2026-01-02T10:02:00Z"),
    ];
    sandbox.session(CWD, &session_id(1), &lines);
    let path = sandbox.write("plans/quiet-sea.md", "# First\n");
    sandbox.write("plans/other-sea.md", "# Not this one");
    assert_eq!(plan_rows(&sandbox), rows(&[("exit_plan_mode approved main", "# First")]));
    let list = plans_of(&sandbox, &session_id(1));
    assert_eq!(list.plans[0].path.as_deref(), path.to_str(), "it is in that file");
    sandbox.write("plans/quiet-sea.md", "# Changed by hand");
    sandbox.set_modified(&path, seconds("2026-01-02T11:00:00Z"));
    let agent = sandbox.write("plans/quiet-sea-agent-a1.md", "# An agent's");
    sandbox.set_modified(&agent, seconds("2026-01-02T10:30:00Z"));
    assert_eq!(
        plan_rows(&sandbox),
        rows(&[
            ("exit_plan_mode approved main", "# First"),
            ("file unknown a1", "# An agent's"),
            ("file unknown main", "# Changed by hand"),
        ])
    );
}

#[test]
fn paths_and_slugs_of_transcripts_are_never_opened() {
    let sandbox = Sandbox::new();
    sandbox.write("secret.md", "secret");
    sandbox.link("plans/linked.md", &sandbox.config().join("secret.md"));
    let secret = sandbox.config().join("secret.md").to_string_lossy().into_owned();
    let lines = [
        user("go").with("slug", "../secret"),
        user("go").with("slug", "linked"),
        user("go").with("slug", secret.trim_end_matches(".md")),
        tool_use("t", "ExitPlanMode", &json!({"planFilePath": secret})),
        tool_result("t", "Yes").with("toolUseResult", json!({"plan": null, "filePath": secret})),
        tool_use(
            "w",
            "Edit",
            &json!({"file_path": secret, "old_string": "secret", "new_string": "x"}),
        ),
        tool_result("w", "Done"),
    ];
    sandbox.session(CWD, &session_id(1), &lines);
    assert_eq!(plan_rows(&sandbox), []);
}

#[test]
fn newest_file_of_the_session_time_is_the_last_resort() {
    let sandbox = Sandbox::new();
    let lines =
        [user("go").at("2026-01-02T10:00:00Z"), assistant("Done.").at("2026-01-02T12:00:00Z")];
    sandbox.session(CWD, &session_id(1), &lines);
    for (name, time) in [
        ("before", "2026-01-02T08:59:00Z"),
        ("within", "2026-01-02T10:30:00Z"),
        ("near", "2026-01-02T12:59:00Z"),
        ("after", "2026-01-02T13:01:00Z"),
    ] {
        let path = sandbox.write(&format!("plans/{name}.md"), format!("# {name}"));
        sandbox.set_modified(&path, seconds(time));
    }
    assert_eq!(plan_rows(&sandbox), rows(&[("newest_file unknown main", "# near")]));
    sandbox.session(CWD, &session_id(1), [propose("# Real", "2026-01-02T10:00:00Z")]);
    assert_eq!(plan_rows(&sandbox), rows(&[("exit_plan_mode pending main", "# Real")]));
}

#[test]
fn sessions_without_plans_and_damaged_ones_have_none() {
    let sandbox = Sandbox::new();
    for text in ["", "\n", "not JSON\n{\"type\":\"user\",\"mess"] {
        sandbox.write(&format!("projects/-home-ada-tidepool/{}.jsonl", session_id(1)), text);
        assert_eq!(plan_rows(&sandbox), [], "{text:?}");
    }
}

#[test]
fn unreadable_plan_file_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("go").with("slug", "quiet-sea")]);
    sandbox.write("plans/quiet-sea.md", vec![b'x'; 5 * 1024 * 1024]);
    let list = plans_of(&sandbox, &session_id(1));
    assert!(list.plans.is_empty());
    assert!(list.read_errors[0].to_string().contains("too large"), "{:?}", list.read_errors);
}
