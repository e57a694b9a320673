//! `annals plan`: the plan of a session, and its versions.

use crate::cli::support::run::{annals, assert_members, demo, session};
use serde_json::json;
use testkit::{Sandbox, session_id, tool_result, tool_use, user};

/// A session with a plan that was refused and one that was approved.
fn planned() -> Sandbox {
    let sandbox = Sandbox::new();
    let propose = |id: &str, plan: &str| tool_use(id, "ExitPlanMode", &json!({"plan": plan}));
    let lines = [
        user("Plan it"),
        propose("t1", "# First\n\n1. Guess.").at("2026-02-01T09:00:00Z"),
        tool_result("t1", "The user doesn't want to proceed with this tool use."),
        propose("t2", "# Second\n\n1. Measure.").at("2026-02-01T10:00:00Z"),
        tool_result("t2", "User has approved your plan."),
    ];
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    sandbox
}

#[test]
fn latest_plan_is_shown_completely_below_a_heading() {
    let answer = annals(&planned(), &["plan", "00000001"]).done();
    insta::assert_snapshot!(answer.out, @"
    plan, version 2 of 2 · approved · proposed · 2026-02-01 10:00:00 (UTC)

    # Second

    1. Measure.
    ");
    let answer = annals(&planned(), &["plan", "00000001", "--number", "1"]).done();
    assert!(answer.out.starts_with("plan, version 1 of 2 · rejected"), "{}", answer.out);
    assert!(answer.out.ends_with("\n# First\n\n1. Guess.\n"), "{}", answer.out);
}

#[test]
fn versions_are_listed() {
    let answer = annals(&planned(), &["plan", "00000001", "--versions"]).done();
    insta::assert_snapshot!(answer.out, @"
    NO  WHEN    STATUS    SOURCE    LINE  BYTES  BEGINS
     1  3h ago  rejected  proposed     2   18 B  First
     2  2h ago  approved  proposed     4   21 B  Second
    ");
    let rows = annals(&planned(), &["plan", "00000001", "--csv"]).done().out;
    assert_eq!(
        rows.lines().next().unwrap(),
        "number,timestamp,source,status,agent_id,slug,path,line,text"
    );
}

#[test]
fn plan_json_keeps_its_contract() {
    let document = demo(&["plan", "c52b8f06", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/plan/1");
    assert_members(&document, "schema session agent_id plans");
    let plan = &document["plans"][0];
    assert_members(
        plan,
        "number source status tool_use_id agent_id slug path timestamp line text is_guess",
    );
    assert_eq!((&plan["number"], &plan["source"]), (&json!(1), &json!("exit_plan_mode")));
    assert_eq!((&plan["status"], &plan["is_guess"]), (&json!("approved"), &json!(false)));
    let path = plan["path"].as_str().unwrap();
    assert_eq!(path, "[ROOT]/plans/quiet-drifting-harbour.md", "the file that was found");
}

#[test]
fn missing_plan_and_missing_version_are_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    for format in [&[][..], &["--json"], &["--versions"]] {
        let answer = annals(&sandbox, &[&["plan", "00000001"], format].concat());
        let expected = format!("annals: session {} has no plan\n", session_id(1));
        assert_eq!(answer.complaint(1), expected);
    }
    let answer = annals(&planned(), &["plan", "00000001", "--number", "3"]);
    assert_eq!(answer.complaint(1), "annals: no plan version 3: the latest is 2\n");
    annals(&planned(), &["plan", "00000001", "--number", "1", "--versions"]).complaint(2);
}

#[test]
fn guessed_plan_is_labelled_as_a_guess() {
    let sandbox = Sandbox::new();
    sandbox.session("/home/ada/tidepool", &session_id(1), [user("Hi").at("2026-02-01T09:00:00Z")]);
    let path = sandbox.write("plans/some-other-plan.md", "# Something");
    crate::cli::support::run::modified(&sandbox, &path, "2026-02-01T09:30:00Z");
    let answer = annals(&sandbox, &["plan", "00000001"]).done();
    assert!(answer.out.contains("newest file (guess)"), "{}", answer.out);
    assert!(answer.out.contains("A guess: the session names no plan"), "{}", answer.out);
    let document = annals(&sandbox, &["plan", "00000001", "--json"]).done().json();
    assert_eq!(document["plans"][0]["is_guess"], true);
    assert_eq!(document["plans"][0]["source"], "newest_file");
}
