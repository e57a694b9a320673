//! The commands that look into one session, on the made-up store. `demo_at_widths` has
//! their text.

use crate::cli::support::run::{assert_members, demo};

#[test]
fn info_json_keeps_its_contract() {
    let document = demo(&["info", "3f9c1d7e", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/info/1");
    assert_members(&document, "session prompts records duration_ms models agents files");
    assert_members(&document["session"], "id path bytes pull_requests");
}

#[test]
fn info_reports_a_deleted_session() {
    let answer = demo(&["info", "77aaf0e2"]).done();
    assert!(
        answer
            .out
            .starts_with("Is there a free source of harmonic constants for harbours?\n77aaf0e2-")
    );
    assert!(answer.out.contains("prompts only: the transcript has been deleted"), "{}", answer.out);
}

#[test]
fn show_prints_one_line_per_record_and_names_the_time_zone() {
    let answer = demo(&["show", "b6f8142c", "--view", "all"]).done();
    insta::assert_snapshot!(answer.out, @"
    ── 2026-01-26 (UTC)
         1 14:00:00 user                         Carry on with the blank dashboard: is web/format.js the only place with a look-behind?
         2 14:00:01 assistant                    → Bash grep -rn '(?<[=!]' web --include=*.js | wc -l
         3 14:00:05 user                         ← 1
         4 14:00:06 assistant                    It is the only one. `Intl.NumberFormat` groups digits without a regular expression, in every browser we support.
         5          ai-title                     Blank dashboard in Safari, continued
         6          last-prompt                  Carry on with the blank dashboard: is web/format.js the only place with a look-behind?
    ");
}

#[test]
fn show_marks_damage_and_continues() {
    let answer = demo(&["show", "4ac15d90", "--view", "all"]).done();
    insta::assert_snapshot!(answer.out, @r#"
    ── 2026-01-24 (UTC)
         1 12:00:00 user                         The yearly total is one cent off. Where does it go?
         2          ai-title                     One cent off
         3          (damaged)                    {"parentUuid":"311ce513-fd5c-4588-a1c4-c213f9e98ba6","isSidechain":false,"message":{"model":"claude-sonnet-5","id":"msg_01LgVg4JTFyv3Sc8TPgefTCj","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_01GtKnmLqeyFXmDUJM6SSk1J","name":"Bash","input":{"command":"python total.py 2025","description":"Add up the year"}}],"stop_reason":"tool_use","usage":{"input_tokens":8,"cache_c
         4 12:00:03 user                         ← 18204.31 (bank says 18204.32)
         5 12:00:06 assistant                    → Grep content
         6 12:00:10 user                         ← total.py:14:    months.append(round(sum(rows), 2))
         6 12:00:13 assistant                    → Edit C:\Users\ada\ledger\total.py
         7 12:00:17 user                         ← Updated C:\Users\ada\ledger\total.py
         8 12:00:20 assistant                    March was rounded before it was added. Without that the total is 18,204.32, as the bank says.
         9 12:01:20 user                         Thank you. Do the same for 2024.
        11          last-prompt                  Thank you. Do the same for 2024.
        12          (damaged)                    {"parentUuid":"d212b39f-1019-4996-9390-ee65efd35ee1","isSidechain":false,"message":{"model":"claude-sonnet-5","id":"msg_01Mr3fC6j5UNT9PCj8omDT3M","type":"message","role":"assistant","content":[{"type":"text","text":"2024 comes to 17,650.08 now, and the bank says the same."}],"stop_reason":"end_turn","usage":{"input_tokens":7,"cache_creation_input_tokens":93,"cache_read_input_tokens":24720,"cache_c
    line 3 at byte 537: not JSON: EOF while parsing a string
    line 6 at byte 2627: 2 objects on one line
    line 8 at byte 5382: 24 NUL bytes before the object
    line 10 at byte 6730: blank line
    line 12 at byte 6903: the last line is incomplete
    "#);
}

#[test]
fn show_filters_by_type_time_and_limit() {
    let answer = demo(&[
        "show", "3f9c1d7e", "--type", "system", "--type", "ai-title", "--limit", "3", "--jsonl",
    ])
    .done();
    let types: Vec<_> = answer
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].clone())
        .collect();
    assert_eq!(types, ["ai-title", "system", "system"]);
    let whole = demo(&["show", "3f9c1d7e", "--view", "all", "--json"]).done().json();
    let part =
        demo(&["show", "3f9c1d7e", "--json", "--since", "2026-02-01T11:35:00Z"]).done().json();
    let count = |document: &serde_json::Value| document["records"].as_array().unwrap().len();
    assert!(count(&part) > 0 && count(&part) < count(&whole));
}

#[test]
fn show_raw_prints_the_transcript_unchanged() {
    let raw = demo(&["show", "3f9c1d7e", "--raw"]).done().out;
    let document = demo(&["show", "3f9c1d7e", "--view", "all", "--json"]).done().json();
    let lines: Vec<_> = document["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["raw"].as_str().unwrap())
        .collect();
    assert_eq!(raw.lines().collect::<Vec<_>>(), lines);
    let damaged = demo(&["show", "4ac15d90", "--raw"]).done().bytes;
    assert!(damaged.windows(24).any(|bytes| bytes == [0; 24]), "NUL bytes come back too");
}

#[test]
fn show_reports_when_only_prompts_are_left() {
    let answer = demo(&["show", "77aaf0e2"]);
    insta::assert_snapshot!(answer.complaint(1), @"
    annals: the transcript of 77aaf0e2-3c5d-4918-8be6-f0d4927c1b53 has been deleted
    hint: annals prompts 77aaf0e2-3c5d-4918-8be6-f0d4927c1b53 shows its prompts
    ");
}

#[test]
fn prompts_of_one_session_are_complete_and_in_order() {
    let answer = demo(&["prompts", "3f9c1d7e"]).done();
    insta::assert_snapshot!(answer.out, @"
    times in UTC

    1. 2026-02-01 11:32:04
    The login test fails about one time in ten on CI. Find out why and fix it.

    2. 2026-02-01 11:33:32 (queued)
    Please don't just sleep longer, CI is slow enough already.

    3. 2026-02-01 11:39:19
    Yes, but in a branch of its own. Commit this one first.
    ");
}

#[test]
fn prompts_of_a_deleted_session_come_from_history() {
    let answer = demo(&["prompts", "d3b17c45"]).done();
    insta::assert_snapshot!(answer.out, @"
    times in UTC

    2025-11-18 12:00:00 (history)
    How long should the tail of a two metre kite be?

    2025-11-18 12:01:35 (history)
    And in a strong wind?
    ");
}

#[test]
fn agents_are_shown_as_a_tree() {
    let answer = demo(&["agents", "3f9c1d7e"]).done();
    insta::assert_snapshot!(answer.out, @"
    AGENT                TYPE             MODEL      TIME  CALLS  TOKENS    SIZE  END   DESCRIPTION
    a6f20d91c3b87e45a    Explore          sonnet-5    19s      2     36k  5.5 kB  done  Trace how tokens expire
    └ ae83b7104fd29c60e  general-purpose  haiku-4-5  7.0s      1     24k  3.2 kB  done  Count the callers of the clock
    ");
}

#[test]
fn workflow_agents_are_grouped_under_their_workflow() {
    let answer = demo(&["agents", "7be4920f"]).done();
    insta::assert_snapshot!(answer.out, @"
    AGENT              TYPE               MODEL  TIME  CALLS  TOKENS    SIZE  END   WORKFLOW               DESCRIPTION
    a0d4e81f5b27c936d  workflow-subagent  haiku  6.0s      1     24k  3.1 kB  done  wf_4c19e7b2-8d0 Read   read:stations
    a71bc93e0d6f5824a  workflow-subagent  haiku  8.0s      1     24k  3.1 kB  done  wf_4c19e7b2-8d0 Read   read:tides
    af5e260b8c17d93e4  workflow-subagent  haiku  3.5s      0     12k  1.3 kB  done  wf_4c19e7b2-8d0 Check  check
    workflow wf_4c19e7b2-8d0 compare-docs: completed, 3 agents. Compare two pages of the API docs with their routes
    ");
}

#[test]
fn warmup_agents_are_collapsed() {
    let answer = demo(&["agents", "e4a9d05f"]).done();
    insta::assert_snapshot!(answer.out, @"
    AGENT     TYPE     MODEL      TIME  CALLS  TOKENS    SIZE  END   DESCRIPTION
    b41e0c7d  Explore  haiku-4-5  4.4s      1     24k  3.0 kB  done  Find slow lookups
    1 warm-up agent hidden (--warmup shows them)
    ");
    let unfolded = demo(&["agents", "e4a9d05f", "--warmup"]).done();
    assert!(unfolded.out.contains("09fd52a6"));
}

#[test]
fn agents_inside_the_transcript_are_found() {
    let answer = demo(&["agents", "0c6d7b3a"]).done();
    insta::assert_snapshot!(answer.out, @"
    AGENT                                 TYPE             MODEL     TIME  CALLS  TOKENS    SIZE  END   DESCRIPTION
    febe0fbd-3f01-4150-b41f-5033131efae4  general-purpose  sonnet-4  6.0s      1     49k  2.8 kB  done  Compare web frameworks (by its prompt)
    ");
}

#[test]
fn at_is_the_latest_session_of_the_demo() {
    assert_eq!(demo(&["info", "@"]).done().out, demo(&["info", "3f9c1d7e"]).done().out);
}
