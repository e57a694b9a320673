//! `--lake`: the ordinary commands over a team's lake.

use crate::cli::support::lake_program::lake_program;
use crate::cli::support::run::{Answer, command, run};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::{Sandbox, call, chained, session_id, user};

/// The home of a person with a session in the team's folder.
struct Person {
    sandbox: Sandbox,
}

impl Person {
    fn new(owner: &str, bucket: &Path, number: u32, prompt: &str) -> Person {
        lake_program();
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.path().join("xdg/annals")).unwrap();
        let work = sandbox.home().join("work/tides");
        let work = work.to_str().unwrap();
        let lines = chained([
            user(prompt).cwd(work).at("2026-11-01T10:00:00.000Z"),
            call(&format!("msg_{owner}_1"), [100, 20, 0, 0])
                .cwd(work)
                .at("2026-11-01T10:00:01.000Z"),
            call(&format!("msg_{owner}_2"), [700, 40, 30, 20])
                .cwd(work)
                .at("2026-11-02T23:30:00.000Z"),
        ]);
        sandbox.session(&work.replace('/', "-"), &session_id(number), &lines);
        let person = Person { sandbox };
        let url = format!("file://{}", bucket.display());
        let init = ["lake", "init", &url, "--owner", owner, "--project", "~/work/**"];
        person.ask(&[&init[..], &["--everyone-may-read"]].concat()).done();
        person.ask(&["lake", "push"]).done();
        person
    }

    fn ask(&self, arguments: &[&str]) -> Answer {
        self.ask_with(arguments, &[])
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(&self.sandbox, arguments);
        command.env("XDG_CONFIG_HOME", self.sandbox.path().join("xdg"));
        command.env("ANNALS_MANAGED_CONFIG", self.sandbox.path().join("managed.toml"));
        command
    }

    fn ask_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
        run(self.command(arguments).envs(variables.iter().copied()))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        self.ask(&[arguments, &["--json"]].concat()).done().json()
    }
}

fn bucket() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join("bucket")).unwrap();
    sandbox
}

fn two() -> (Sandbox, Person, Person) {
    let lake = bucket();
    let place = lake.path().join("bucket");
    let ada = Person::new("ada", &place, 1, "Where does the tide come from?");
    let bob = Person::new("bob", &place, 2, "How salty is the sea?");
    (lake, ada, bob)
}

/// The sums of rows by a key.
fn rows(document: &Value, by: &[&str]) -> Vec<(Vec<String>, String, u64)> {
    let rows = document["rows"].as_array().unwrap().iter().map(|row| {
        let key = by.iter().map(|by| row["key"][*by].as_str().unwrap_or("-").to_owned());
        let cost = row["cost_usd"].as_str().unwrap().to_owned();
        (key.collect(), cost, row["calls"].as_u64().unwrap())
    });
    rows.collect()
}

#[test]
fn usage_of_mine_is_the_same_as_here() {
    let (_lake, ada, _bob) = two();
    let groupings =
        ["day", "week", "month", "hour", "session", "model", "version", "block", "day,model"];
    for by in groupings {
        let names: Vec<&str> = by.split(',').collect();
        let here = ada.json(&["usage", "--by", by, "--timezone", "UTC"]);
        let there = ada.json(&["usage", "--by", by, "--timezone", "UTC", "--lake"]);
        assert_eq!(rows(&here, &names), rows(&there, &names), "{by}");
        assert_eq!(here["total"]["cost_usd"], there["total"]["cost_usd"], "{by}");
        assert_eq!(here["total"]["total_tokens"], there["total"]["total_tokens"], "{by}");
    }
    let projects = rows(&ada.json(&["usage", "project", "--lake"]), &["project"]);
    assert_eq!(projects[0].0, ["tides"], "a project is known by its key");
}

#[test]
fn usage_of_everyone_adds_sums_of_others_to_ones_own_calls() {
    let (_lake, ada, bob) = two();
    let by_owner = ada.json(&["usage", "--by", "owner", "--lake=org"]);
    let own = |person: &Person| person.json(&["usage", "model"])["total"].clone();
    let expected = vec![
        (vec!["ada".to_owned()], own(&ada)["cost_usd"].as_str().unwrap().to_owned(), 2),
        (vec!["bob".to_owned()], own(&bob)["cost_usd"].as_str().unwrap().to_owned(), 2),
    ];
    let mut rows_by_owner = rows(&by_owner, &["owner"]);
    rows_by_owner.sort();
    assert_eq!(rows_by_owner, expected);
    // Neither person counts twice, for any reader and however it is grouped.
    for by in ["day", "week", "month", "project", "model", "owner,day"] {
        for person in [&ada, &bob] {
            let document = person.json(&["usage", "--by", by, "--lake=org"]);
            assert_eq!(document["total"]["calls"], 4, "{by}");
            assert_eq!(document["total"]["cost_usd"], by_owner["total"]["cost_usd"], "{by}");
        }
    }
    // Sums stand under their day in UTC in every zone; calls under that of the zone.
    let far = ["usage", "--by", "owner,day", "--lake=org", "--timezone", "Pacific/Kiritimati"];
    let days = rows(&ada.json(&far), &["owner", "day"]);
    let days: Vec<String> = days.into_iter().map(|(key, ..)| key.join(" ")).collect();
    for expected in ["ada 2026-11-02", "ada 2026-11-03", "bob 2026-11-01", "bob 2026-11-02"] {
        assert!(days.contains(&expected.to_owned()), "{expected}: {days:?}");
    }
    let text = ada.ask(&["usage", "--lake=org", "--timezone", "Asia/Tokyo"]).done().out;
    assert!(text.contains("their days are those of UTC"), "{text}");
    assert!(text.contains("not an invoice"), "{text}");
    let one = ada.json(&["usage", "--lake=org", "--since", "2026-11-02", "--timezone", "UTC"]);
    assert_eq!(one["total"]["calls"], 2);
    let one = ada.json(&["usage", "--lake=org", "--project", "tides"]);
    assert_eq!(one["total"]["calls"], 4);
}

#[test]
fn groupings_that_the_rows_do_not_carry_are_refused_in_words() {
    let (_lake, ada, _bob) = two();
    for by in ["session", "hour", "branch", "agent", "tool", "turn", "block", "skill", "version"] {
        let answer = ada.ask(&["usage", "--by", by, "--lake=org"]);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("only sums by day, project and model of other people"), "{by}");
        assert!(complaint.contains(by) && complaint.contains("hint: --lake=mine"), "{complaint}");
    }
    for by in ["branch", "agent", "tool", "turn", "skill", "plugin", "mcp", "effort", "worktree"] {
        let answer = ada.ask(&["usage", "--by", by, "--lake"]);
        let complaint = answer.complaint(2);
        let level = if by == "turn" { "text" } else { "metadata" };
        let expected = format!("are below the level {level}, which ");
        assert!(complaint.contains(&expected) && complaint.contains(by), "{complaint}");
    }
    for (arguments, expected) in [
        (&["usage", "--by", "owner"][..], "--by owner needs --lake"),
        (&["usage", "--by", "team", "--lake=org"], "no table of teams"),
        (&["usage", "limits", "--lake"], "limits stay here"),
        (&["usage", "--tool", "Bash", "--lake=org"], "--tool"),
        (&["usage", "--cost", "calculate", "--lake=org"], "--cost"),
        (&["usage", "--lake=everyone"], "use mine, team:NAME or org"),
        (&["usage", "--lake", "--root", "/x"], "cannot be used with"),
        (&["ls", "--lake", "--live"], "cannot be used with"),
        (&["projects", "--lake"], "unexpected argument '--lake'"),
        (&["resume", "x", "--lake"], "unexpected argument '--lake'"),
    ] {
        let answer = ada.ask(arguments);
        assert!(answer.complaint(2).contains(expected), "{arguments:?}: {}", answer.err);
    }
}

#[test]
fn shared_sessions_are_listed_searched_and_shown_like_ones_own() {
    let (_lake, ada, bob) = two();
    bob.ask(&["lake", "share", &session_id(2), "--with", "org"]).done();
    let listed = ada.json(&["ls", "--lake=org"]);
    assert_eq!(listed["total"], 1, "{listed}");
    let session = &listed["sessions"][0];
    assert_eq!((&session["id"], &session["owner"]), (&session_id(2).into(), &"bob".into()));
    assert_eq!((&session["presence"], &session["marks"]), (&"lake".into(), &Value::Array(vec![])));
    let found = ada.json(&["search", "salty", "--lake=org", "--wait"]);
    assert_eq!(found["hits"][0]["owner"], "bob", "{found}");
    let command = found["hits"][0]["command"].as_str().unwrap();
    assert!(command.ends_with(" --lake=org"), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let text = ada.ask(&words).done().out;
    assert!(text.contains("How salty is the sea?"), "{text}");
    let rows = ada.json(&["sql", "SELECT count(*) AS n FROM sessions", "--lake=org"]);
    assert_eq!(rows["rows"][0][0].as_u64().or_else(|| rows["rows"][0]["n"].as_u64()), Some(1));
    ada.ask(&["files", "--lake=org", "--json"]).done();
    // What is not shared is nobody else's, and nothing of it is one's own.
    assert_eq!(ada.json(&["ls", "--lake"])["total"], 0, "{}", ada.ask(&["ls", "--lake"]).out);
    assert_eq!(ada.json(&["ls", "--lake=team:moon"])["total"], 0);
    assert_eq!(ada.json(&["ls"])["total"], 1);
    let here = ada.json(&["ls", "--hidden"]);
    assert!(!here.to_string().contains(&session_id(2)), "{here}");

    ada.ask(&["lake", "share", &session_id(1), "--with", "org"]).done();
    let text = bob.ask(&["ls", "--lake=org"]).done().out;
    assert!(text.contains("OWNER") && text.contains("ada") && text.contains("bob"), "{text}");
    let here = ada.json(&["show", &session_id(1), "--view", "all"]);
    let there = ada.json(&["show", &session_id(1), "--view", "all", "--lake"]);
    let uuids = |document: &Value| {
        let records = document["records"].as_array().unwrap().iter();
        records.map(|record| record["uuid"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(uuids(&here), uuids(&there));
}

#[test]
fn lake_that_does_not_answer_is_read_as_it_was() {
    let (lake, ada, _bob) = two();
    let before = ada.json(&["usage", "--lake=org"]);
    fs::rename(lake.path().join("bucket"), lake.path().join("away")).unwrap();
    let answer = ada.ask(&["usage", "--lake=org", "--json"]);
    assert!(answer.err.contains("the lake does not answer"), "{}", answer.err);
    assert!(answer.err.contains("this is what it had"), "{}", answer.err);
    let after: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(after["total"], before["total"]);
    let answer = ada.ask(&["ls", "--lake=org"]);
    assert!(answer.complaint(2).contains("nothing of it was read before"), "{}", answer.err);
}

#[test]
fn lake_is_refused_without_a_configuration_and_to_agents() {
    let (_lake, ada, _bob) = two();
    let agent = [("CLAUDECODE", "1")];
    for arguments in [&["ls", "--lake"][..], &["usage", "--lake=org"], &["search", "x", "--lake"]] {
        let answer = ada.ask_with(arguments, &agent);
        assert!(answer.complaint(2).contains("--lake is not for agents"), "{}", answer.err);
    }
    let file = ada.sandbox.path().join("xdg/annals/config.toml");
    let section = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{section}agents = true\n")).unwrap();
    ada.ask_with(&["usage", "--lake=org"], &agent).done();
    fs::write(&file, "").unwrap();
    let answer = ada.ask(&["usage", "--lake"]);
    assert!(answer.complaint(2).contains("no lake is configured"), "{}", answer.err);
}

#[test]
fn table_of_teams_charges_projects_and_people_and_has_budgets() {
    let (lake, ada, _bob) = two();
    let table = lake.path().join("teams.csv");
    fs::write(&table, "owner,team,cost_center,month_usd\nada,Tides,4711,0.001\n").unwrap();
    let teams = table.to_str().unwrap();
    let usage = ["usage", "--lake=org", "--by", "team,cost_center", "--teams", teams];
    let document = ada.json(&usage);
    let mut charged = rows(&document, &["team", "cost_center"]);
    charged.sort();
    let keys: Vec<Vec<String>> = charged.iter().map(|(key, ..)| key.clone()).collect();
    assert_eq!(keys, [["-", "-"], ["Tides", "4711"]]);
    let csv = ada.ask(&[&usage[..], &["--csv"]].concat()).done().out;
    assert!(csv.contains("Tides | 4711,2,"), "{csv}");
    let check = ["usage", "--lake=org", "--check", "--teams", teams];
    let now = [("ANNALS_NOW", "2026-11-20T12:00:00Z")];
    let answer = ada.ask_with(&check, &now);
    assert_eq!(answer.code, 3, "{} {}", answer.out, answer.err);
    assert!(answer.out.contains("Tides, month") && answer.out.contains("over budget"));
    fs::write(&table, "owner,team,month_usd\nada,Tides,1000\n").unwrap();
    ada.ask_with(&check, &now).done();
    fs::write(&table, "owner,team\nada\n").unwrap();
    let answer = ada.ask(&check);
    assert!(answer.complaint(2).contains("teams.csv: line 2: 1 values for 2 columns"));
}

#[test]
fn report_is_a_page_with_the_sums_of_a_month() {
    let (lake, ada, _bob) = two();
    let page = lake.path().join("november.html");
    let file = page.to_str().unwrap();
    let report = ["lake", "report", "--month", "2026-11", "-o", file];
    let document = ada.json(&report);
    assert_eq!((&document["people"], &document["month"]), (&2.into(), &"2026-11".into()));
    let text = fs::read_to_string(&page).unwrap();
    for expected in ["Claude Code usage, November 2026", "not an invoice", "tides", "2026-11-02"] {
        assert!(text.contains(expected), "{expected}");
    }
    assert!(!text.contains("bob"), "people are listed only if asked for");
    let again = ada.ask(&report);
    assert!(again.code != 0, "a file that is there is not replaced");
    ada.ask(&[&report[..], &["--owners", "--force"]].concat()).done();
    assert!(fs::read_to_string(&page).unwrap().contains("<td>bob</td>"));
    let answer = ada.ask(&["lake", "report", "--month", "soon", "-o", file, "--force"]);
    assert!(answer.complaint(2).contains("use YYYY-MM"), "{}", answer.err);
}

#[test]
fn question_waits_for_another_one_on_the_same_machine() {
    let (_lake, ada, bob) = two();
    bob.ask(&["lake", "share", &session_id(2), "--with", "org"]).done();
    ada.ask(&["ls", "--lake=org"]).done();
    let lock = File::open(ada.sandbox.annals_home().join("lake/read.lock")).unwrap();
    lock.lock().unwrap();
    let mut command = ada.command(&["ls", "--lake=org", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "annals: waiting for another question about the lake\n");
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    lock.unlock().unwrap();
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["total"], 1, "{document}");
}

#[test]
fn session_costs_what_its_owner_paid_even_if_others_have_its_calls() {
    let (_lake, ada, bob) = two();
    // Bob's session repeats a call of Ada's, with higher counts.
    let work = bob.sandbox.home().join("work/tides").display().to_string();
    let lines = chained([
        user("A copy").cwd(&work).at("2026-11-03T10:00:00.000Z"),
        call("msg_ada_1", [90_000, 90_000, 0, 0]).cwd(&work).at("2026-11-01T09:00:00.000Z"),
    ]);
    bob.sandbox.session(&work.replace('/', "-"), &session_id(3), &lines);
    for (person, number) in [(&ada, 1), (&bob, 3)] {
        person.ask(&["lake", "share", &session_id(number), "--with", "org"]).done();
    }
    let costs = |document: &Value| {
        let sessions = document["sessions"].as_array().unwrap().iter();
        let mut costs: Vec<(String, String)> =
            sessions.map(|it| (it["id"].to_string(), it["cost_usd"].to_string())).collect();
        costs.sort();
        costs
    };
    let mut expected = costs(&ada.json(&["ls", "--cost"]));
    let own = costs(&bob.json(&["ls", "--cost"]));
    expected.extend(own.into_iter().filter(|(id, _)| id.contains(&session_id(3))));
    assert_eq!(costs(&ada.json(&["ls", "--cost", "--lake=org"])), expected);
    let sum = "SELECT session_id, sum(cost_usd) FROM calls GROUP BY 1 ORDER BY 1";
    let there = ada.json(&["sql", sum, "--lake=org"]);
    let rows = there["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{there}");
    let here = ada.json(&["sql", sum]);
    assert_eq!(rows[0], here["rows"][0], "{there}");
}

#[test]
fn empty_list_beside_unusable_objects_is_a_failure_with_its_reason() {
    let (lake, ada, bob) = two();
    let list = ["ls", "--lake", "--tag", "none"];
    let whole = ada.ask(&list).done();
    assert_eq!(whole.out, "No sessions.\n");
    let mut folders = vec![lake.path().join("bucket")];
    let mut objects = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "parquet") {
                fs::write(&path, "no rows").unwrap();
                objects += 1;
            }
        }
    }
    assert!(objects > 0);
    let nothing = bob.ask(&list);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, "No sessions.\n"), "{}", nothing.err);
    let reason = "found nothing, but not everything could be searched: an object of the lake";
    assert!(nothing.err.contains(reason), "{}", nothing.err);
}
