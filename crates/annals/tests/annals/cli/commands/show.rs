//! `annals show`: which line of a session, which turns, and how much of them.

use crate::cli::support::run::{Answer, annals, assert_members};
use crate::cli::support::sample_session::{CWD, FILE, ID, story};
use serde_json::{Value, json};
use testkit::{Sandbox, chained, session_id, tool_result, tool_use, user};

fn show(sandbox: &Sandbox, options: &[&str]) -> Answer {
    annals(sandbox, &[&["show", ID], options].concat())
}

fn document(sandbox: &Sandbox, options: &[&str]) -> Value {
    show(sandbox, &[options, &["--json"]].concat()).done().json()
}

/// One member of each message.
fn each<'a>(document: &'a Value, member: &str) -> Vec<&'a Value> {
    let messages = document["messages"].as_array().unwrap();
    messages.iter().map(|message| &message[member]).collect()
}

fn uuids(document: &Value) -> String {
    let uuids = each(document, "uuid").into_iter().map(|uuid| uuid.as_str().unwrap());
    uuids.collect::<Vec<_>>().join(" ")
}

/// The numbers of the turns.
fn turns(document: &Value) -> Vec<u64> {
    let turns = document["turns"].as_array().unwrap();
    turns.iter().map(|turn| turn["number"].as_u64().unwrap()).collect()
}

#[test]
fn session_is_shown_turn_by_turn() {
    let answer = show(&story(), &["--from", "2"]).done();
    insta::assert_snapshot!(answer.out, @"
    Tides
    00000001-0000-4000-8000-000000000001 · /home/ada/tidepool · main · UTC

    Showing 2 of 3 turns (--from 0 shows all)

    ━━ 2 ━━ 2026-01-20 10:00:00 · 1m 22s (model 11s, tools 1m 11s) · 20 tokens out
    ❯ Fix the ebb

    ⏺ Edit src/tide.rs +1 −0  10:00:05 · 1.0s
        @@ -7,1 +7,2 @@
         ebb
        +flow
    ✗ Bash cargo test  exit 101 · 10:00:08 · 10s
        Exit code 101
        wave 1
        wave 2
        … 56 lines (441 B) left out, --tools full shows them …
        wave 59
        wave 60
    ⏺ Task Explore: survey  10:00:20 · 1m
      ⤷ shore · Explore · done · 2 calls · 59s · 15 tokens out · generation 2

    Fixed.

    changed src/tide.rs +1 −0 · 1 error

    ⎇ abandoned branch: 2 messages, “Never mind”: annals show 00000001-0000-4000-8000-000000000001 --abandoned 1

    ━━ 3 ━━ 2026-01-20 10:05:00 · 6.0s · 10 tokens out
    ❯ Thank you

    ? Skill bow  no answer · 10:05:04

    Gladly.


    1 generation before the last compaction: annals show 00000001-0000-4000-8000-000000000001 --generation 1
    ");
}

#[test]
fn conversation_json_keeps_its_contract() {
    let document = document(&story(), &[]);
    assert_eq!(
        (&document["schema"], &document["view"]),
        (&json!("annals/conversation/1"), &json!("app"))
    );
    assert_members(
        &document,
        "schema session agent_id view messages turns branches orphaned_segments compactions",
    );
    for message in document["messages"].as_array().unwrap() {
        assert_members(message, "uuid type role timestamp turn state agent_id model blocks meta");
        assert_members(&message["meta"], "line offset parent_uuid is_queued is_compact_summary");
    }
    for turn in document["turns"].as_array().unwrap() {
        assert_members(
            turn,
            "number prompt started_at ended_at model_ms tools_ms waiting_ms reported_ms tokens \
             responses models tool_calls errors denials interruptions failures hooks files",
        );
        assert_members(&turn["tokens"], "input cache_read cache_write output");
        assert_members(&turn["hooks"], "ran failed duration_ms");
    }
    assert_eq!(uuids(&document), "z2 v1 v2 v3 v4 v5 v6 v7 v8 w1 w2 w3");
    assert_eq!(each(&document, "turn"), [1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3]);
    let turn = &document["turns"][1];
    assert_eq!(
        turn["files"],
        json!([{"path": FILE, "reads": 0, "changes": 1, "added": 1, "removed": 0}])
    );
    let times = [&turn["model_ms"], &turn["tools_ms"], &turn["waiting_ms"]];
    assert_eq!(times, [11_000, 71_000, 218_000]);
    assert_eq!(
        (&turn["tool_calls"], &turn["errors"], &turn["responses"]),
        (&json!(3), &json!(1), &json!(4))
    );
    assert_eq!(
        document["branches"],
        json!([{"number": 1, "kind": "edit", "from_uuid": "v8", "prompt": "Never mind", "prompts": 1,
            "started_at": "2026-01-20T10:02:00Z", "ended_at": "2026-01-20T10:02:05Z",
            "messages": ["x1", "x2"]}])
    );
    let mut segment = document["orphaned_segments"][0].clone();
    let messages = segment["full_messages"].take();
    assert_eq!(
        segment,
        json!({"missing_uuid": "gone", "line": 1, "messages": ["y1"], "full_messages": null,
            "gaps": [{"place": "before", "damaged_line": null}]})
    );
    assert_members(&messages[0], "uuid type role timestamp turn state agent_id model blocks meta");
    assert_eq!(
        (&messages[0]["uuid"], &messages[0]["state"], &messages[0]["blocks"][0]["text"]),
        (&json!("y1"), &json!("orphaned"), &json!("A stray remark"))
    );
    let compaction = &document["compactions"][0];
    assert_members(
        compaction,
        "uuid line timestamp trigger pre_tokens post_tokens duration_ms summary state",
    );
    assert_eq!(
        (&compaction["trigger"], &compaction["summary"]),
        (&json!("auto"), &json!("We spoke of tides."))
    );
}

#[test]
fn default_is_the_app_view_and_record_filters_select_all_records() {
    let sandbox = story();
    assert_eq!(document(&sandbox, &[])["view"], "app");
    assert_eq!(document(&sandbox, &["--view", "sdk"])["view"], "sdk");
    for options in
        [&["--type", "user"][..], &["--limit", "2"], &["--since", "3d"], &["--until", "1d"]]
    {
        let records = document(&sandbox, options);
        assert_eq!(records["schema"], "annals/records/1", "{options:?}");
    }
    assert!(show(&sandbox, &["--raw"]).done().out.starts_with("{\"parentUuid\":\"gone\""));
    for option in [
        &["--abandoned", "1"][..],
        &["--generation", "1"],
        &["--agents", "none"],
        &["--thinking"],
        &["--tools", "full"],
        &["--from", "1"],
        &["--to", "1"],
        &["--last", "1"],
        &["--find", "x"],
    ] {
        let all = show(&sandbox, &[option, &["--view", "all"]].concat());
        assert!(all.complaint(2).contains("--view app"), "{option:?}");
    }
}

#[test]
fn abandoned_branch_is_shown_as_the_current_path() {
    let sandbox = story();
    let alternative = document(&sandbox, &["--abandoned", "1"]);
    assert_eq!(uuids(&alternative), "z2 v1 v2 v3 v4 v5 v6 v7 v8 x1 x2");
    assert_eq!(each(&alternative, "state")[8..], ["live", "abandoned", "abandoned"]);
    let text = show(&sandbox, &["--abandoned", "1", "--last", "1"]).done().out;
    assert!(text.contains("❯ Never mind\n\nAs you wish.\n"), "{text}");
    assert!(!text.contains("Thank you") && !text.contains("--abandoned 1"), "{text}");
    for number in ["0", "2"] {
        let complaint = show(&sandbox, &["--abandoned", number]);
        assert!(complaint.complaint(1).contains(&format!("no branch {number}")));
    }
    show(&sandbox, &["--abandoned", "1", "--generation", "1"]).complaint(2);
}

#[test]
fn generation_is_the_span_between_two_compactions() {
    let sandbox = story();
    let first = document(&sandbox, &["--generation", "1"]);
    assert_eq!(uuids(&first), "u1 u2 u3 u4 u5");
    assert!(each(&first, "state").iter().all(|state| **state == "compacted"));
    assert_eq!(
        document(&sandbox, &["--generation", "2"])["messages"],
        document(&sandbox, &[])["messages"]
    );
    let text = show(&sandbox, &["--generation", "1"]).done().out;
    assert!(text.contains("They come **twice** a day."), "{text}");
    assert!(!text.contains("Fix the ebb"), "{text}");
    for number in ["0", "3"] {
        let complaint = show(&sandbox, &["--generation", number]);
        assert!(complaint.complaint(1).contains("the session has 2 generations"));
    }
}

#[test]
fn orphaned_segments_are_shown_between_markers() {
    let text = show(&story(), &[]).done().out;
    let gap = text.find("╌╌ orphaned segment: ").unwrap();
    let remark = text.find("❯ A stray remark").unwrap();
    let end = text.find("╌╌ end of the orphaned segment ╌╌").unwrap();
    assert!(gap < remark && remark < end, "{text}");
}

#[test]
fn agents_option_selects_how_agents_are_shown() {
    let sandbox = story();
    let fold = show(&sandbox, &["--agents", "fold"]).done().out;
    assert_eq!(fold, show(&sandbox, &[]).done().out, "the default");
    let inline = show(&sandbox, &["--agents", "inline"]).done().out;
    let none = show(&sandbox, &["--agents", "none"]).done().out;
    let flat = show(&sandbox, &["--agents", "flat"]).done().out;
    // (what, in fold, inline, none, flat)
    let table = [
        ("⤷ shore · Explore · done", true, true, false, false),
        ("\n  │ ❯ Survey the shore", false, true, false, false),
        ("\n  │   │ ❯ Count crabs", false, true, false, false),
        ("Workflow measure, weigh", true, true, false, false),
        ("\n  │ ❯ Weigh the water", false, true, false, false),
        ("1 warm-up agent hidden", true, true, false, false),
        ("shore    │ ❯ Survey the shore", false, false, false, true),
        ("crabs    │ Seven.\nshore    │ Sandy.", false, false, false, true),
        ("❯ Warmup", false, false, false, false),
    ];
    for (words, in_fold, in_inline, in_none, in_flat) in table {
        let found = [&fold, &inline, &none, &flat].map(|text| text.contains(words));
        assert_eq!(found, [in_fold, in_inline, in_none, in_flat], "{words}");
    }
    let order = ["❯ Fix the ebb", "❯ Survey", "❯ Count", "Sandy.", "Fixed.", "❯ Weigh", "❯ Thank"];
    let places: Vec<_> = order.iter().map(|words| flat.find(words)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "one line of time: {flat}");
}

#[test]
fn agent_messages_have_agent_ids_in_json() {
    let sandbox = story();
    for mode in ["inline", "flat"] {
        let document = document(&sandbox, &["--agents", mode]);
        let agents = each(&document, "agent_id");
        for agent in ["shore", "crabs", "flow"] {
            assert!(agents.contains(&&json!(agent)), "{mode}: {agent}");
        }
    }
    assert!(
        each(&document(&sandbox, &["--agents", "fold"]), "agent_id").iter().all(|id| id.is_null())
    );
}

#[test]
fn thinking_and_tools_options_select_what_is_shown() {
    let sandbox = story();
    let first =
        |options: &[&str]| show(&sandbox, &[&["--generation", "1"], options].concat()).done().out;
    assert!(!first(&[]).contains("The moon pulls."));
    assert!(first(&["--thinking"]).contains("The moon pulls."));
    let all = |tools: &str| show(&sandbox, &["--tools", tools]).done().out;
    let (full, brief, none) = (all("full"), all("brief"), all("none"));
    assert_eq!(brief, show(&sandbox, &[]).done().out, "the default");
    let table = [
        ("Edit src/tide.rs +1 −0", [true, true, false]),
        ("{\"skill\":\"bow\"}", [true, false, false]),
        ("wave 1\n", [true, true, false]),
        ("wave 30\n", [true, false, false]),
        ("lines (441 B) left out", [false, true, false]),
        ("Fixed.", [true, true, true]),
    ];
    for (words, expected) in table {
        assert_eq!([&full, &brief, &none].map(|text| text.contains(words)), expected, "{words}");
    }
}

#[test]
fn turns_are_selected_by_number_from_the_end_and_by_text() {
    let sandbox = story();
    let table: [(&[&str], &[u64]); 9] = [
        (&[], &[1, 2, 3]),
        (&["--from", "2"], &[2, 3]),
        (&["--to", "2"], &[1, 2]),
        (&["--from", "1", "--to", "1"], &[1]),
        (&["--last", "1"], &[3]),
        (&["--last", "0"], &[]),
        (&["--to", "2", "--last", "1"], &[2]),
        (&["--find", "GLADLY"], &[3]),
        (&["--find", "wave 30"], &[2]),
    ];
    for (options, expected) in table {
        let document = document(&sandbox, options);
        assert_eq!(turns(&document), expected, "{options:?}");
        let of_messages: Vec<_> = each(&document, "turn");
        assert!(of_messages.iter().all(|turn| expected.contains(&turn.as_u64().unwrap())));
        show(&sandbox, options).done();
    }
    for format in [&[][..], &["--json"]] {
        let nothing = show(&sandbox, &[&["--find", "volcano"], format].concat());
        assert_eq!(nothing.complaint(1), "annals: no turn mentions \"volcano\"\n");
    }
    show(&sandbox, &["--from", "2", "--to", "1"]).complaint(2);
    let found = show(&sandbox, &["--find", "gladly"]).done().out;
    assert!(found.contains("Showing 1 of 3 turns") && !found.contains("Fix the ebb"), "{found}");
}

#[test]
fn agent_is_shown_by_its_id() {
    let sandbox = story();
    let text = annals(&sandbox, &["show", "shore"]).done().out;
    assert!(text.starts_with("Agent shore: Explore, survey\n"), "{text}");
    assert!(text.contains("❯ Survey the shore") && text.contains("⤷ crabs · Count"), "{text}");
    assert!(!text.contains("⤷ flow"), "its siblings are not its own: {text}");
    let document = annals(&sandbox, &["show", "crabs", "--json"]).done().json();
    assert_eq!((&document["agent_id"], uuids(&document)), (&json!("crabs"), "b1 b2".to_owned()));
    let rows = annals(&sandbox, &["show", "crabs", "--jsonl"]).done().out;
    assert_eq!(rows.lines().count(), 2);
}

#[test]
fn output_file_is_shown_only_from_the_session_folder() {
    let sandbox = Sandbox::new();
    let kept = |id: &str, path: &str| {
        [
            tool_use(id, "Bash", &json!({"command": format!("make {id}")})),
            tool_result(id, "beginning")
                .with("toolUseResult", json!({"stdout": "beginning", "persistedOutputPath": path})),
        ]
    };
    let secret = sandbox.write("secret.txt", "a secret");
    let lines = [user("go")]
        .into_iter()
        .chain(kept("t1", "/elsewhere/tool-results/out.txt"))
        .chain(kept("t2", &secret.display().to_string()))
        .chain(kept("t3", "../../../secret.txt"));
    sandbox.session(CWD, &session_id(1), chained(lines));
    let folder = format!("projects/-home-ada-tidepool/{}/tool-results", session_id(1));
    sandbox.write(&format!("{folder}/out.txt"), "the whole output");
    let text = show(&sandbox, &["--tools", "full"]).done().out;
    assert!(text.contains("the whole output"), "{text}");
    assert!(!text.contains("a secret"), "{text}");
    let calls = annals(&sandbox, &["tools", ID, "--json"]).done().json();
    let results: Vec<_> =
        calls["calls"].as_array().unwrap().iter().map(|it| &it["result"]).collect();
    assert_eq!(results, ["the whole output", "beginning", "beginning"]);
}
