//! Budgets: in `usage`, in `usage --check`, on the home page and in the status line.

use super::usage::{CWD, line, store};
use crate::cli::support::run::{Answer, annals, command, fed, run};
use serde_json::json;
use std::fs;
use testkit::{Sandbox, call, session_id, user};

/// What of the day, the week and the month was spent at noon on a Sunday: $1, $3 and, as
/// the week began in January and the month is new, $1 again.
fn spending(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let january = call("m0", [0, 200_000, 0, 0]).at("2026-01-28T09:00:00Z");
    let today = line("m1", [0, 100_000, 0, 0], "09:00");
    let prompt = user("Count.").session(&session_id(1)).at("2026-01-28T08:00:00Z");
    sandbox.session(CWD, &session_id(1), [prompt, january.session(&session_id(1)), today]);
    let folder = sandbox.path().join("xdg/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), configuration).unwrap();
    sandbox
}

fn ask(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    run(command(sandbox, arguments).env("XDG_CONFIG_HOME", sandbox.path().join("xdg")))
}

#[test]
fn usage_shows_what_of_a_budget_is_used_and_projected() {
    let sandbox = spending("[budget]\nday = 3\nweek = 2.5\nmonth = \"20\"\n");
    let answer = ask(&sandbox, &["usage"]).done();
    let budget = answer.out.split("\n\n").nth(1).unwrap();
    insta::assert_snapshot!(budget, @"
    BUDGET   USED   LIMIT  SHARE              PROJECTED
    day     $1.00   $3.00   33 %  ███▍            $2.00   67 %
    week    $3.00   $2.50  120 %  ██████████      $3.23  129 %  over budget
    month   $1.00  $20.00    5 %  ▌
    ");
    // A budget is for all calls, whatever a report is about.
    let document = ask(&sandbox, &["usage", "--until", "2026-01-01", "--json"]).done().json();
    let used: Vec<_> = document["budgets"].as_array().unwrap().iter().collect();
    assert_eq!(used.len(), 3);
    assert_eq!(
        used[1],
        &json!({
            "period": "week",
            "start": "2026-01-26T00:00:00.000Z",
            "end": "2026-02-02T00:00:00.000Z",
            "limit_usd": "2.5",
            "used_usd": "3",
            "is_complete": true,
            "projected_usd": "3.230769230769",
            "is_exceeded": true,
        })
    );
    // Nothing is projected from nothing.
    let unspent = ask(&sandbox, &["usage", "--check", "--exclude", "/home/**"]).done();
    assert!(!unspent.out.contains("PROJECTED"), "{}", unspent.out);
    let without = ask(&spending(""), &["usage", "--json"]).done().json();
    assert_eq!(without.get("budgets"), None);
}

#[test]
fn check_exits_with_3_only_if_a_budget_is_exceeded() {
    let sandbox = spending("[budget]\nweek = 2.5\n");
    let over = ask(&sandbox, &["usage", "--check"]);
    assert_eq!((over.code, over.err.as_str()), (3, ""));
    assert!(over.out.contains("week") && over.out.contains("over budget"), "{}", over.out);
    let json = ask(&sandbox, &["usage", "--check", "--json"]);
    assert_eq!(json.code, 3);
    assert_eq!(json.json()["budgets"][0]["is_exceeded"], true);
    // The projection exceeds the limit; what was spent does not.
    let within = ask(&sandbox, &["usage", "--check", "--budget", "week=3"]).done();
    assert!(within.out.contains("over at this rate"), "{}", within.out);
    ask(&sandbox, &["usage", "--check", "--budget", "week=4", "--csv"]).done();
}

#[test]
fn check_without_a_budget_says_how_to_set_one() {
    let sandbox = spending("");
    let answer = ask(&sandbox, &["usage", "--check"]);
    let complaint = answer.complaint(2);
    assert!(complaint.contains("no budget to check\nhint: pass --budget day=20"), "{complaint}");
}

#[test]
fn unusable_budgets_are_refused() {
    for value in ["0", "-3", "\"much\"", "nan", "true", "1e40"] {
        let answer = ask(&spending(&format!("[budget]\nday = {value}\n")), &["usage"]);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("invalid configuration file"), "{complaint}");
        assert!(complaint.contains("use a number of US dollars above 0"), "{complaint}");
    }
    let unknown = ask(&spending("[budget]\nyear = 5\n"), &["usage"]);
    assert!(unknown.complaint(2).contains("year"));
    for limit in ["day", "day=", "day=0", "year=5"] {
        annals(&store(), &["usage", "--budget", limit]).complaint(2);
    }
}

#[test]
fn home_page_shows_the_budget_from_the_index() {
    let sandbox = spending("[budget]\nday = 3\nweek = 2.5\n");
    let before = ask(&sandbox, &[]).done();
    assert!(before.out.contains("Budget: no index yet"), "{}", before.out);
    ask(&sandbox, &["search", "anything"]);
    let answer = ask(&sandbox, &[]).done();
    let line = answer.out.lines().find(|line| line.starts_with("Budget: ")).unwrap();
    insta::assert_snapshot!(line, @"Budget: day $1.00 of $3.00, projected $2.00; week $3.00 of $2.50, projected $3.23 (over budget)");
    let document = ask(&sandbox, &["--json"]).done().json();
    assert_eq!(document["budgets"][0]["used_usd"], "1");
    let without = ask(&spending(""), &[]).done();
    assert!(!without.out.contains("Budget"), "{}", without.out);
}

#[test]
fn status_line_shows_the_budget_closest_to_its_limit() {
    let sandbox = spending("[budget]\nday = 3\nweek = 2.5\nmonth = 100\n");
    ask(&sandbox, &["search", "anything"]);
    let shown = |arguments: &[&str]| {
        let mut command = command(&sandbox, &["statusline", "--color", "never"]);
        command.env("XDG_CONFIG_HOME", sandbox.path().join("xdg"));
        fed(command.args(arguments), b"{}").done().out
    };
    assert!(shown(&[]).contains(" · week $3.00 of $2.50 → $3.23"), "{}", shown(&[]));
    assert_eq!(
        shown(&["--template", "{budget_day}|{budget_month}"]),
        "$1.00 of $3.00 → $2.00 · $1.00 of $100.00\n"
    );
}
