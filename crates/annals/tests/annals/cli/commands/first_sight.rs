//! What people see of a session first: its title, its cost, and the home page.

use crate::cli::support::run::{annals, exchange, session, text};
use serde_json::json;
use testkit::{Line, Sandbox, assistant, chained, session_id, user};

const CWD: &str = "/home/ada/tidepool";

fn write(sandbox: &Sandbox, number: u32, lines: Vec<Line>) {
    let id = session_id(number);
    let lines = chained(lines).into_iter().map(|line| line.with("sessionId", id.clone()).cwd(CWD));
    sandbox.session(CWD, &id, lines.collect::<Vec<_>>());
}

fn titles(sandbox: &Sandbox) -> Vec<String> {
    let shown = annals(sandbox, &["ls"]).done().out;
    shown.lines().skip(1).map(|line| line.split("  ").last().unwrap().trim().to_owned()).collect()
}

#[test]
fn title_is_the_first_prompt_a_person_typed() {
    let sandbox = Sandbox::new();
    let command = "<command-name>/review</command-name><command-args>the tides</command-args>";
    let lines = vec![
        assistant("Ready."),
        user("Count the crabs").with("isSidechain", true),
        user(command),
        assistant("Done."),
        user("And now the moon"),
        testkit::metadata("last-prompt", &[("lastPrompt", "And now the moon".into())]),
    ];
    write(&sandbox, 1, lines);
    assert_eq!(titles(&sandbox), ["/review the tides"]);
    assert!(annals(&sandbox, &["info", "00000001"]).done().out.starts_with("/review the tides\n"));
    // JSON keeps the line of the official list.
    let session = annals(&sandbox, &["ls", "--json"]).done().json()["sessions"][0].clone();
    assert_eq!(text(&session["summary"]), "And now the moon");
    // Both can be used to name the session.
    for name in ["tides", "moon"] {
        annals(&sandbox, &["info", name]).done();
    }
}

#[test]
fn summary_of_this_session_is_a_title_and_that_of_another_is_not() {
    let sandbox = Sandbox::new();
    let summary = |uuid: &str| {
        let members = [("summary", "All about salt".into()), ("leafUuid", uuid.into())];
        testkit::metadata("summary", &members)
    };
    let own = user("Hello").link("00000000-aaaa-4000-8000-000000000001", None);
    for (number, uuid) in [(1, "00000000-aaaa-4000-8000-000000000001"), (2, "elsewhere")] {
        let lines = vec![own.clone().with("sessionId", session_id(number)), summary(uuid)];
        sandbox.session(CWD, &session_id(number), lines);
    }
    let mut titles = titles(&sandbox);
    titles.sort();
    assert_eq!(titles, ["All about salt", "Hello"]);
}

#[test]
fn prompt_of_an_inline_agent_is_not_a_title() {
    let sandbox = Sandbox::new();
    let agent = user("Count the crabs").with("isSidechain", true);
    write(&sandbox, 1, vec![user("Hello"), agent]);
    write(&sandbox, 2, vec![assistant("Hm"), user("Salt").with("isSidechain", true)]);
    assert_eq!(titles(&sandbox).iter().filter(|title| *title == "Hello").count(), 1);
    assert!(!titles(&sandbox).iter().any(|title| title == "Salt"), "{:?}", titles(&sandbox));
}

/// A session with one call of a known price.
fn with_call(sandbox: &Sandbox, number: u32, at: &str) {
    let usage = json!({"input_tokens": 100_000, "output_tokens": 2_000});
    let answer = assistant("Certainly.")
        .message("model", json!("claude-sonnet-4-5-20250929"))
        .message("usage", usage)
        .message("id", json!(format!("msg_{number}")))
        .with("requestId", format!("req_{number}"))
        .at(at);
    write(sandbox, number, vec![user("Hello").at(at), answer]);
}

#[test]
fn info_shows_tokens_and_cost() {
    let sandbox = Sandbox::new();
    with_call(&sandbox, 1, "2026-01-02T03:00:00.000Z");
    let shown = annals(&sandbox, &["info", "00000001"]).done().out;
    assert!(shown.contains("\ntokens     100k in, 2.0k out\n"), "{shown}");
    assert!(shown.contains("\ncost       $0.3300 (at API prices)\n"), "{shown}");
    let document = annals(&sandbox, &["info", "00000001", "--json"]).done().json();
    assert_eq!(document["tokens"]["input"], 100_000);
    assert_eq!(document["cost_usd"], "0.33");
}

#[test]
fn columns_of_ls_are_the_same_with_and_without_an_index() {
    let sandbox = Sandbox::new();
    with_call(&sandbox, 1, "2026-01-02T03:00:00.000Z");
    session(&sandbox, 2, CWD, "Salt");
    let before = annals(&sandbox, &["ls"]).done().out;
    let costs = annals(&sandbox, &["ls", "--cost"]).done().out;
    assert!(!before.contains("COST") && costs.contains("$0.3300"), "{before}{costs}");
    annals(&sandbox, &["search", "--wait", "salt"]);
    assert_eq!(annals(&sandbox, &["ls"]).done().out, before);
    assert_eq!(annals(&sandbox, &["ls", "--cost"]).done().out, costs);
    assert_eq!(annals(&sandbox, &["ls", "--cost", "--no-index"]).done().out, costs);
}

#[test]
fn ls_cost_tells_an_unknown_price_from_no_calls() {
    let sandbox = Sandbox::new();
    with_call(&sandbox, 1, "2026-01-02T03:00:00.000Z");
    let unpriced = testkit::call("msg_2", [1, 2, 3, 4]).message("model", json!("claude-nova-9"));
    write(&sandbox, 2, vec![user("Hello"), unpriced]);
    write(&sandbox, 3, vec![user("Hello")]);
    let costs = |arguments: &[&str]| {
        let document = annals(&sandbox, &[&["ls", "--json"], arguments].concat()).done().json();
        let sessions = document["sessions"].as_array().unwrap().iter();
        let mut costs: Vec<String> =
            sessions.map(|session| format!("{} {}", session["id"], session["cost_usd"])).collect();
        costs.sort();
        costs
    };
    let before = costs(&["--cost"]);
    let ends: Vec<&str> = before.iter().map(|cost| cost.rsplit(' ').next().unwrap()).collect();
    assert_eq!(ends, ["\"0.33\"", "null", "\"0\""]);
    let table = annals(&sandbox, &["ls", "--cost"]).done().out;
    let shown = |id: &str| {
        let row = table.lines().find(|line| line.starts_with(id)).unwrap();
        (row.contains("$0.3300"), row.contains("unknown"))
    };
    assert_eq!(shown("00000001"), (true, false), "{table}");
    assert_eq!(shown("00000002"), (false, true), "{table}");
    assert_eq!(shown("00000003"), (false, false), "{table}");
    annals(&sandbox, &["search", "--wait", "hello"]);
    assert_eq!(costs(&["--cost"]), before);
    assert_eq!(costs(&[]), before);
}

#[test]
fn home_page_shows_costs_where_the_index_has_them() {
    let sandbox = Sandbox::new();
    let now = "2026-01-08T12:00:00Z";
    let home = |arguments: &[&str]| {
        let mut command = crate::cli::support::run::command(&sandbox, arguments);
        crate::cli::support::run::run(command.env("ANNALS_NOW", now).env("TZ", "UTC")).done()
    };
    with_call(&sandbox, 1, "2026-01-08T03:00:00.000Z");
    with_call(&sandbox, 2, "2026-01-05T03:00:00.000Z");
    with_call(&sandbox, 3, "2026-01-04T03:00:00.000Z");
    assert!(!home(&[]).out.contains('$'), "{}", home(&[]).out);
    home(&["search", "--wait", "hello"]);
    let shown = home(&[]).out;
    assert!(shown.contains("\n$0.3300 today, $0.6600 this week (at API prices)\n"), "{shown}");
    assert_eq!(home(&["--json"]).json()["cost_week_usd"], "0.66");
}

#[test]
fn home_page_hides_sessions_that_programs_started() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    for number in 2..4 {
        let lines = exchange(number, CWD, "A program asks");
        let lines = lines.into_iter().map(|line| line.with("entrypoint", "sdk-py"));
        sandbox.session(CWD, &session_id(number), lines.collect::<Vec<_>>());
    }
    let shown = annals(&sandbox, &[]).done().out;
    assert!(shown.contains("Hello") && !shown.contains("A program asks"), "{shown}");
    assert!(shown.contains("\n2 sessions started by programs: annals ls shows them\n"), "{shown}");
    let document = annals(&sandbox, &["--json"]).done().json();
    assert_eq!(
        (document["sessions"].clone(), document["programmatic"].clone()),
        (3.into(), 2.into())
    );
    assert_eq!(document["latest"].as_array().unwrap().len(), 1);
}

#[test]
fn home_and_doctor_count_sub_agents_alike() {
    let home = crate::cli::support::run::demo(&["--json"]).done().json();
    let doctor = crate::cli::support::run::demo(&["doctor", "--json"]).done().json();
    assert_eq!(home["agents"], doctor["counts"]["agents"]);
    assert!(home["agents"].as_u64() > Some(0));
}
