//! `annals context`: what fills the context of a session.

use crate::cli::support::run::{annals, assert_members, demo};
use serde_json::{Value, json};
use testkit::{Line, Sandbox, assistant, session_id, tool_result, user};

fn answer(number: usize, block: &Value, read: u64, write: u64) -> Line {
    assistant("").with(
        "message",
        json!({"id": format!("m{number}"), "role": "assistant", "model": "claude-sonnet-5",
            "content": [block], "usage": {"input_tokens": 4, "cache_read_input_tokens": read,
            "cache_creation_input_tokens": write, "output_tokens": 20}}),
    )
}

/// A session that read a file twice and then waited too long.
fn waited() -> Sandbox {
    let sandbox = Sandbox::new();
    let read = |id: &str| json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": "/home/ada/tidepool/src/main.rs"}});
    let file = "let x = 1;\n".repeat(400);
    let lines = [
        user("Look at the main file").at("2026-02-01T09:00:00Z"),
        answer(1, &read("t1"), 0, 16_000).at("2026-02-01T09:00:05Z"),
        tool_result("t1", &file).at("2026-02-01T09:00:06Z"),
        answer(2, &read("t2"), 16_000, 2_200).at("2026-02-01T09:00:10Z"),
        tool_result("t2", &file).at("2026-02-01T09:00:11Z"),
        answer(3, &json!({"type": "text", "text": "It is short."}), 18_200, 2_200)
            .at("2026-02-01T09:00:15Z"),
        user("Thanks").at("2026-02-01T09:20:00Z"),
        answer(4, &json!({"type": "text", "text": "Gladly."}), 0, 20_500)
            .at("2026-02-01T09:20:05Z"),
    ];
    let linked = lines.into_iter().enumerate().map(|(number, line)| {
        let parent = number.checked_sub(1).map(|parent| format!("u{parent}"));
        line.link(&format!("u{number}"), parent.as_deref())
    });
    sandbox.session("/home/ada/tidepool", &session_id(1), linked);
    sandbox
}

#[test]
fn context_shows_window_parts_and_losses() {
    let answer = annals(&waited(), &["context", "00000001"]).done();
    insta::assert_snapshot!(answer.out, @"
    Look at the main file
    00000001-0000-4000-8000-000000000001

    window   20,504 tokens now (2 % of 1,000,000), 20,504 at its peak
    calls    4
    cache    46 % of all input was read from the cache

    Context window by call
    ▇███

    Current content
    WHAT                                                              SHARE  TOKENS  ITEMS
    system and memory        ███████████████████████████████████████   78 %  15,993      1
    · not in the transcript  ███████████████████████████████████████   78 %  15,993      1
    tool results             ██████████▉                               22 %   4,442      2
    · Read                   ██████████▉                               22 %   4,442      2
    tool inputs              ▏                                         <1 %      52      2
    · Read                   ▏                                         <1 %      52      2
    prompts                  ▏                                         <1 %      15      2
    assistant text           ▏                                         <1 %      11      2
    Estimated total: 20,513 tokens, at 2.0 characters per token (measured in this session) and 1,500 tokens per image

    Largest items (estimated)
    TOKENS   BYTES  TURN  WHAT            NAME  LABEL
     2,221  4.4 kB     1  tool results    Read  src/main.rs
     2,221  4.4 kB     1  tool results    Read  src/main.rs
        26    50 B     1  tool inputs     Read  src/main.rs
        26    50 B     1  tool inputs     Read  src/main.rs
        11    21 B     1  prompts               Look at the main file
         7    12 B     1  assistant text        It is short.
         4     6 B     2  prompts               Thanks
         4     7 B     2  assistant text        Gladly.

    Files read more than once (REPEATED: reads whose content was read again later)
       READ  REPEATED  TOKENS   BYTES  FILE
    2 times         1   2,221  4.4 kB  src/main.rs

    Cache misses (times in UTC)
    WHEN                 CAUSE      GAP  BEFORE  READ  WRITTEN AGAIN  TURN
    2026-02-01 09:20:05  idle   19m 50s  20,404     0         20,504     2
    ");
}

#[test]
fn context_json_keeps_its_contract() {
    let document = annals(&waited(), &["context", "00000001", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/context/1");
    assert_members(
        &document,
        "schema session agent_id window estimate calls generations categories largest repeated_reads cache",
    );
    assert_members(
        &document["window"],
        "last_tokens is_compacted_since peak_tokens limit_tokens peak_limit_tokens",
    );
    assert_members(&document["estimate"], "tokens characters_per_token is_measured image_tokens");
    assert_members(
        &document["calls"][0],
        "index message_id line turn timestamp model generation requests window_tokens limit_tokens input_tokens \
         cache_read_tokens cache_write_tokens cache_write_1h_tokens output_tokens cache_hit_rate",
    );
    assert_members(&document["categories"][0], "category estimated_tokens bytes count share parts");
    assert_members(&document["largest"][0], "category name label line turn bytes estimated_tokens");
    assert_eq!(
        document["repeated_reads"][0],
        json!({"path": "/home/ada/tidepool/src/main.rs", "reads": 2, "repeated": 1,
            "repeated_bytes": 4400, "repeated_estimated_tokens": 2221})
    );
    assert_eq!(
        document["cache"]["expiries"],
        json!([{"call": 4, "line": 8, "turn": 2, "timestamp": "2026-02-01T09:20:05.000Z",
            "gap_ms": 1_190_000, "cause": "idle", "previous_window_tokens": 20_404, "cache_read_tokens": 0,
            "written_tokens": 20_504}])
    );
    assert_eq!(document["window"]["last_tokens"], 20_504);
}

#[test]
fn csv_has_one_row_per_call() {
    let sandbox = waited();
    let csv = annals(&sandbox, &["context", "00000001", "--csv"]).done().out;
    assert_eq!(csv.lines().count(), 5);
    assert!(
        csv.contains(
            "2,2026-02-01T09:00:10.000Z,claude-sonnet-5,1,18204,1000000,4,16000,2200,20,0.8789,4,1,m2"
        ),
        "{csv}"
    );
    let jsonl = annals(&sandbox, &["context", "00000001", "--jsonl"]).done().out;
    assert_eq!(jsonl.lines().count(), 4);
}

#[test]
fn compactions_and_agents_get_separate_windows() {
    let text = demo(&["context", "a17e60b2"]).done().out;
    assert!(text.contains("8, compacted once"), "{text}");
    let agent = demo(&["context", "a6f20d91c3b87e45a", "--json"]).done().json();
    assert_eq!(agent["agent_id"], "a6f20d91c3b87e45a");
    assert_eq!(agent["calls"].as_array().unwrap().len(), 3);
}

#[test]
fn session_without_calls_is_reported() {
    let sandbox = Sandbox::new();
    for text in ["", "\n", "{\"type\":\"mode\"}\n", "{\"type\":\"user\",\"mess"] {
        sandbox.write(&format!("projects/-x/{}.jsonl", session_id(1)), text);
        let answer = annals(&sandbox, &["context", &session_id(1)]).done();
        assert!(answer.out.contains("No API calls."), "{text:?}: {}", answer.out);
        let document = annals(&sandbox, &["context", &session_id(1), "--json"]).done().json();
        assert_eq!(
            (&document["calls"], &document["cache"]["hit_rate"]),
            (&json!([]), &Value::Null)
        );
    }
    demo(&["context", "77aaf0e2"]).complaint(1);
}
