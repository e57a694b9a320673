//! Bookmarks: set, listed, shown, removed, and kept nowhere but in annals' own
//! folder.

use crate::cli::support::run::{
    annals, assert_members, command, demo, history, run, session, text,
};
use crate::cli::support::sample_session::{ID, story};
use serde_json::{Value, json};
use std::fs;
use testkit::{Sandbox, fingerprint, session_id, user};

fn ledger(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.annals_home().join("ledger/ledger.jsonl")).unwrap_or_default()
}

fn marks(sandbox: &Sandbox) -> Vec<Value> {
    let document = annals(sandbox, &["mark", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/marks/1");
    document["marks"].as_array().unwrap().clone()
}

#[test]
fn marks_are_set_and_listed_newest_first() {
    let sandbox = story();
    insta::assert_snapshot!(annals(&sandbox, &["mark"]).done().out, @"
    No marks.
    hint: annals mark SESSION[:TURN] [NOTE] adds one
    ");
    let place = format!("{ID}:3");
    let mut early = command(&sandbox, &["mark", &place, "the", "bow\u{1b}[31m\nand more"]);
    let answer = run(early.env("ANNALS_NOW", "2026-02-01T09:00:00Z"));
    insta::assert_snapshot!(answer.done().out, @"Marked turn 3 of 00000001-0000-4000-8000-000000000001 as 83acce2d: annals show 00000001-0000-4000-8000-000000000001:3");
    let answer = annals(&sandbox, &["mark", "Tides"]);
    insta::assert_snapshot!(answer.done().out, @"Marked 00000001-0000-4000-8000-000000000001 as 35c8477e: annals show 00000001-0000-4000-8000-000000000001");
    insta::assert_snapshot!(annals(&sandbox, &["mark"]).done().out, @"
    MARK      MARKED  SESSION   TURN  NOTE              TITLE  OPEN
    35c8477e  now     00000001                          Tides  annals show 00000001
    83acce2d  3h ago  00000001     3  the bow and more  Tides  annals show 00000001:3
    ");
    insta::assert_snapshot!(annals(&sandbox, &["mark", "--limit", "1"]).done().out, @"
    MARK      MARKED  SESSION   TITLE  OPEN
    35c8477e  now     00000001  Tides  annals show 00000001
    Showing 1 of 2 marks (--limit 0 shows all)
    ");
    let marks = marks(&sandbox);
    assert_members(
        &marks[0],
        "id session_id agent_id turn uuid note at title project presence command",
    );
    assert_eq!(marks[1]["note"], "the bow\u{1b}[31m\nand more");
    assert_eq!(marks[1]["command"], format!("annals show {}:3", session_id(1)));
    let rows = annals(&sandbox, &["mark", "--jsonl"]).done().out;
    assert_eq!(rows.lines().count(), 2);
    let rows = annals(&sandbox, &["mark", "--csv"]).done().out;
    assert!(rows.starts_with("id,session_id,agent_id,turn,uuid,note,at,"), "{rows}");
}

#[test]
fn marked_sessions_and_turns_show_their_marks() {
    let sandbox = story();
    session(&sandbox, 2, "/home/ada/tidepool", "Unmarked");
    assert_eq!(annals(&sandbox, &["ls", "--marked"]).done().out, "No sessions.\n");
    annals(&sandbox, &["mark", ID, "all of it"]).done();
    annals(&sandbox, &["mark", &format!("{ID}:3"), "the bow\u{1b}"]).done();
    assert_eq!(annals(&sandbox, &["ls", "--marked", "--json"]).done().ids(), [session_id(1)]);
    let listed = annals(&sandbox, &["ls"]).done().out;
    let starred = listed.lines().filter(|line| line.contains('★')).count();
    assert_eq!(starred, 1, "{listed}");
    insta::assert_snapshot!(annals(&sandbox, &["show", ID, "--from", "3"]).done().out, @r"
    Tides
    00000001-0000-4000-8000-000000000001 · /home/ada/tidepool · main · UTC
    ★ all of it

    Showing 1 of 3 turns (--from 0 shows all)

    ⎇ abandoned branch: 2 messages, “Never mind”: annals show 00000001-0000-4000-8000-000000000001 --abandoned 1

    ★ the bow\u{1b}
    ━━ 3 ━━ 2026-01-20 10:05:00 · 6.0s · 10 tokens out
    ❯ Thank you

    ? Skill bow  no answer · 10:05:04

    Gladly.


    1 generation before the last compaction: annals show 00000001-0000-4000-8000-000000000001 --generation 1
    ");
    let document = annals(&sandbox, &["show", ID, "--json"]).done().json();
    let notes = |marks: &Value| {
        let marks = marks.as_array().unwrap().iter();
        marks.map(|mark| json!([mark["turn"], mark["note"]])).collect::<Value>()
    };
    let expected = json!([[null, "all of it"], [3, "the bow\u{1b}"]]);
    assert_eq!(notes(&document["session"]["marks"]), expected);
    assert_members(&document["session"]["marks"][0], "id turn note at agent_id");
    let turns = document["turns"].as_array().unwrap();
    let of_turns: Vec<Value> = turns.iter().map(|turn| notes(&turn["marks"])).collect();
    assert_eq!(of_turns, [json!([]), json!([]), json!([[3, "the bow\u{1b}"]])]);
}

#[test]
fn mark_follows_its_text_when_turns_are_renumbered() {
    let sandbox = story();
    annals(&sandbox, &["mark", &format!("{ID}:3"), "the bow"]).done();
    let path = sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", session_id(1)));
    // The person goes back to before it and says something else.
    let line = user("Something else").with("sessionId", session_id(1)).link("n1", Some("v8"));
    sandbox.append(&path, line.at("2026-01-20T10:06:00Z").to_string() + "\n");
    let shown = annals(&sandbox, &["show", ID]).done().out;
    assert!(shown.contains("★ turn b2.1, not in this view: the bow\n"), "{shown}");
    let undone = annals(&sandbox, &["show", ID, "--abandoned", "2"]).done().out;
    assert!(undone.contains("★ the bow\n━━ b2.1 ━━"), "{undone}");
}

#[test]
fn marking_again_replaces_the_note_and_keeps_the_mark() {
    let sandbox = story();
    let set = |arguments: &[&str]| {
        let answer = annals(&sandbox, &[&["mark", "--json", ID], arguments].concat()).done();
        let mark = answer.json()["marks"][0].clone();
        (text(&mark["id"]), mark["note"].clone())
    };
    let (id, note) = set(&["first"]);
    assert_eq!(note, "first");
    assert_eq!(set(&["second"]), (id.clone(), "second".into()));
    assert_eq!(set(&[]), (id.clone(), "second".into()), "no note leaves the one that is there");
    assert_eq!(set(&[""]), (id, Value::Null));
    assert_eq!(marks(&sandbox).len(), 1);
    assert_eq!(ledger(&sandbox).lines().count(), 4, "nothing is ever rewritten");
}

#[test]
fn marks_are_removed_by_id_or_position() {
    let sandbox = story();
    let turn = format!("{ID}:1");
    for place in [ID, &turn, "shore", "shore:1"] {
        annals(&sandbox, &["mark", place]).done();
    }
    let places = |marks: &[Value]| {
        let place = |mark: &Value| format!("{}:{}", mark["agent_id"], mark["turn"]);
        marks.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    let all = marks(&sandbox);
    assert_eq!(places(&all), "\"shore\":1 \"shore\":null null:1 null:null");
    let id = text(&all[0]["id"]);
    let answer = annals(&sandbox, &["mark", "--remove", &id]).done();
    assert_eq!(answer.out, format!("Removed {id} from turn 1 of shore\n"));
    annals(&sandbox, &["mark", "--remove", ID]).done();
    assert_eq!(places(&marks(&sandbox)), "\"shore\":null null:1");
    let complaint = annals(&sandbox, &["mark", "--remove", ID]);
    let left = text(&all[2]["id"]);
    assert!(complaint.complaint(1).contains(&format!("{left} (turn 1)")), "{complaint:?}");
    for name in [turn.as_str(), "shore"] {
        annals(&sandbox, &["mark", "--remove", name]).done();
    }
    assert!(marks(&sandbox).is_empty());
    annals(&sandbox, &["mark", "--remove", ID]).complaint(1);
}

#[test]
fn marks_outlive_their_session() {
    let sandbox = Sandbox::new();
    let one = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let two = session(&sandbox, 2, "/home/ada/tidepool", "Goodbye");
    annals(&sandbox, &["mark", "00000001:1", "greeting"]).done();
    annals(&sandbox, &["mark", "00000002", "farewell"]).done();
    sandbox.remove(&one);
    sandbox.remove(&two);
    sandbox.write("history.jsonl", history(&[("Goodbye", 1_769_000_000, 2)]));
    insta::assert_snapshot!(annals(&sandbox, &["mark"]).done().out, @"
    MARK      MARKED  SESSION   TURN  NOTE      TITLE
    ece38cb1  now     00000002        farewell  Goodbye (gone)
    0a831f37  now     00000001     1  greeting  (gone)
    ");
    let presences: Vec<Value> = marks(&sandbox)
        .into_iter()
        .map(|mark| json!([mark["presence"], mark["command"]]))
        .collect();
    assert_eq!(presences, [json!(["prompts_only", null]), json!(["deleted", null])]);
    let gone = annals(&sandbox, &["ls", "--deleted", "--marked", "--json"]).done();
    assert_eq!(gone.ids(), [session_id(2)]);
    annals(&sandbox, &["mark", "--remove", "00000001:1"]).done();
    assert_eq!(marks(&sandbox).len(), 1);
}

#[test]
fn marks_of_excluded_sessions_are_not_listed() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/private", "Hello");
    annals(&sandbox, &["mark", "00000001", "secret"]).done();
    let answer = annals(&sandbox, &["mark", "--exclude", "/home/ada/private", "--json"]).done();
    assert_eq!(answer.json()["total"], 0);
}

#[test]
fn wrong_use_is_refused_and_writes_nothing() {
    let sandbox = story();
    let long = "x".repeat(4097);
    let table: [(&[&str], i32, &str); 5] = [
        (&["mark", "00000001:9"], 1, "no turn 9: the session has turns 1 to 3"),
        (&["mark", "00000001:99999999999999999999"], 1, "no turn"),
        (&["mark", "volcano"], 1, "no session matches"),
        (&["mark", ID, &long], 2, "at most 4096 bytes"),
        (&["mark", ID, "--remove", ID], 2, "cannot be used with"),
    ];
    for (arguments, code, words) in table {
        let answer = annals(&sandbox, arguments);
        assert!(answer.complaint(code).contains(words), "{arguments:?}: {answer:?}");
    }
    assert!(fingerprint(&sandbox.annals_home()).is_empty());
    annals(&sandbox, &["mark", ID, &long[1..]]).done();
}

#[test]
fn marks_are_written_to_annals_home_and_never_to_a_store() {
    let sandbox = story();
    let ask = |home: Option<&std::path::Path>, data: Option<&std::path::Path>, annals: &str| {
        let mut command = command(&sandbox, &["mark", ID]);
        command.env_remove("HOME").env_remove("ANNALS_HOME");
        command.envs(home.map(|home| ("HOME", home))).envs(data.map(|it| ("XDG_DATA_HOME", it)));
        if !annals.is_empty() {
            command.env("ANNALS_HOME", annals);
        }
        run(&mut command)
    };
    let is_there = |path: &std::path::Path| path.join("ledger/ledger.jsonl").is_file();
    let (home, data) = (sandbox.home(), sandbox.path().join("data"));
    ask(Some(&home), None, "").done();
    assert!(is_there(&home.join(".local/share/annals")));
    ask(Some(&home), Some(&data), "").done();
    assert!(is_there(&data.join("annals")));
    ask(None, None, &sandbox.annals_home().to_string_lossy()).done();
    assert!(is_there(&sandbox.annals_home()));
    let nowhere = ask(None, None, "");
    assert!(nowhere.complaint(2).contains("HOME and ANNALS_HOME are not set"), "{nowhere:?}");
    let before = fingerprint(&sandbox.config());
    for inside in [sandbox.config(), sandbox.projects().join("annals")] {
        let answer = ask(Some(&home), None, &inside.to_string_lossy());
        assert!(answer.complaint(2).contains("where annals never writes"), "{answer:?}");
    }
    assert_eq!(fingerprint(&sandbox.config()), before);
}

#[test]
fn demo_marks_stay_in_the_demo() {
    let sandbox = Sandbox::new();
    let answer = run(&mut command(&sandbox, &["--demo", "mark", "flaky:2", "here"])).done();
    assert!(answer.out.starts_with("Marked turn 2 of 3f9c1d7e"), "{}", answer.out);
    assert!(fingerprint(&sandbox.annals_home()).is_empty());
    assert!(demo(&["mark", "flaky"]).done().out.starts_with("Marked 3f9c1d7e"));
}

#[test]
fn damaged_ledger_line_is_reported_and_skipped() {
    let sandbox = story();
    for place in ["00000001", "00000001:1", "00000001:2"] {
        annals(&sandbox, &["mark", place]).done();
    }
    let path = sandbox.annals_home().join("ledger/ledger.jsonl");
    let text = ledger(&sandbox);
    fs::write(&path, text.replace("\"turn\":1", "\"tuxn\":7") + "{\"hash\":\"torn").unwrap();
    let answer = annals(&sandbox, &["mark", "--json"]);
    assert_eq!(answer.code, 0);
    assert!(answer.err.contains("line 2 of the ledger"), "{}", answer.err);
    assert_eq!(answer.json()["total"], 2);
    annals(&sandbox, &["ls"]).done();
    annals(&sandbox, &["mark", "00000001:1"]);
    assert!(!ledger(&sandbox).contains("torn"));
    assert_eq!(annals(&sandbox, &["mark", "--json"]).json()["total"], 3);
}

#[test]
fn unreadable_ledger_does_not_break_other_commands() {
    let sandbox = story();
    fs::create_dir_all(sandbox.annals_home().join("ledger/ledger.jsonl")).unwrap();
    let answer = annals(&sandbox, &["ls", "--json"]);
    assert_eq!((answer.code, answer.ids()), (0, vec![session_id(1)]));
    assert!(answer.err.contains("bookmarks are not shown"), "{}", answer.err);
    annals(&sandbox, &["mark"]).complaint(2);
}

#[test]
fn concurrent_marks_lose_nothing() {
    let sandbox = Sandbox::new();
    for number in 1..=12 {
        session(&sandbox, number, "/home/ada/tidepool", "Hello");
    }
    let running: Vec<_> = (1..=12)
        .map(|number| command(&sandbox, &["mark", &session_id(number), "x"]).spawn().unwrap())
        .collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(marks(&sandbox).len(), 12);
}
