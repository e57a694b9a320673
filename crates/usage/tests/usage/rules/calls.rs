//! What counts as one call: ids, streaming, sub-agents, advisors.

use super::fixture::{at, calls, summaries, tools};
use serde_json::{Value, json};
use testkit::{Line, call};

/// A line with these ids; `null` for a missing one.
fn with_ids(message: Value, request: Value, uuid: &str) -> Line {
    call("m", [1000, 100, 0, 0])
        .message("id", message)
        .with("requestId", request)
        .with("uuid", uuid)
}

// Rule 1. The unit is the API call: key (message.id, requestId), global over all
// files. Without a requestId: message.id alone. Without either: the line's uuid.
#[test]
fn a_call_is_identified_by_its_ids_across_all_files() {
    let table: [(&str, Vec<Line>, &[&str]); 9] = [
        (
            "the same ids",
            vec![with_ids("m".into(), "r".into(), "a"), with_ids("m".into(), "r".into(), "b")],
            &["m sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "another request is another call",
            vec![with_ids("m".into(), "r1".into(), "a"), with_ids("m".into(), "r2".into(), "a")],
            &["m sonnet-5: 1000 in, 100 out = 0.003"; 2],
        ),
        (
            "another response is another call, whatever the request",
            vec![with_ids("m".into(), "r".into(), "a"), with_ids("n".into(), "r".into(), "a")],
            &["m sonnet-5: 1000 in, 100 out = 0.003", "n sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "no request: the response alone",
            vec![with_ids("m".into(), Value::Null, "a"), with_ids("m".into(), Value::Null, "b")],
            &["m sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "no response: the request alone",
            vec![with_ids(Value::Null, "r".into(), "a"), with_ids(Value::Null, "r".into(), "b")],
            &["r sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "neither: the line",
            vec![with_ids(Value::Null, Value::Null, "a"), with_ids(Value::Null, Value::Null, "a")],
            &["a sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "neither, and other lines",
            vec![with_ids(Value::Null, Value::Null, "a"), with_ids(Value::Null, Value::Null, "b")],
            &["a sonnet-5: 1000 in, 100 out = 0.003", "b sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "empty ids are none",
            vec![with_ids("".into(), "".into(), "a"), with_ids(Value::Null, Value::Null, "a")],
            &["a sonnet-5: 1000 in, 100 out = 0.003"],
        ),
        (
            "ids that are not strings are ignored",
            vec![with_ids(json!(7), json!({"id": 7}), "a"), with_ids("".into(), "".into(), "a")],
            &["a sonnet-5: 1000 in, 100 out = 0.003"],
        ),
    ];
    for (rule, lines, expected) in table {
        assert_eq!(summaries(&[&lines]), expected, "{rule}, in one file");
        assert_eq!(summaries(&[&lines[..1], &lines[1..]]), expected, "{rule}, in two");
        let mut other_way = summaries(&[&lines[1..], &lines[..1]]);
        other_way.sort();
        assert_eq!(other_way, expected, "{rule}, the other way round");
    }
}

// Rule 1, last part: a line without any id is a separate call.
#[test]
fn lines_without_any_id_are_separate_calls() {
    let line = with_ids(Value::Null, Value::Null, "").without("uuid");
    assert_eq!(calls(&[&[line.clone(), line.clone()], &[line]]).calls.len(), 3);
}

// Rule 2. Lines group per message.id; one without a requestId joins the group's
// smallest requestId.
#[test]
fn a_line_without_a_request_joins_the_smallest() {
    let lines = [
        with_ids("m".into(), "r2".into(), "a").usage("output_tokens", 200),
        with_ids("m".into(), Value::Null, "b").usage("output_tokens", 900),
        with_ids("m".into(), "r1".into(), "c").usage("output_tokens", 300),
    ];
    let found = calls(&[&lines]);
    let requests: Vec<_> = found
        .calls
        .iter()
        .map(|call| (call.request.as_deref(), call.counters.output, call.lines))
        .collect();
    assert_eq!(requests.len(), 2);
    assert!(requests.contains(&(Some("r1"), 900, 2)), "{requests:?}");
    assert!(requests.contains(&(Some("r2"), 200, 1)), "{requests:?}");
}

// Rule 2. A call is written as several lines while it streams. Keep one whole
// line, the one with the highest output_tokens.
#[test]
fn a_streaming_call_counts_by_its_line_with_the_most_output() {
    let line = |output, time: &str| call("m", [3, output, 200, 1000]).at(&at(time));
    let lines = [line(1, "03:00:00"), line(1, "03:00:01"), line(500, "03:00:02")];
    let expected = ["m sonnet-5: 3 in, 500 out, 200 for 5m, 1000 read = 0.005706"];
    assert_eq!(summaries(&[&lines]), expected);
    let backwards: Vec<Line> = lines.iter().rev().cloned().collect();
    assert_eq!(
        summaries(&[&backwards]),
        expected,
        "a later line with fewer tokens changes nothing"
    );
    assert_eq!(calls(&[&lines]).duplicates.streaming, 2);
}

// Rule 2. Tie: higher total, then the later; later means greater (timestamp,
// path, offset).
#[test]
fn with_equal_outputs_the_higher_total_wins_then_the_later_line() {
    let line = |tokens, model, time: &str| call("m", tokens).model(model).at(&at(time));
    let (early, late) = ("03:00:00", "03:00:01");
    let table: [(&str, Vec<Vec<Line>>, &str); 5] = [
        (
            "the higher total",
            vec![vec![
                line([9, 5, 0, 0], "claude-opus-5", early),
                line([8, 5, 0, 0], "claude-sonnet-5", late),
            ]],
            "m opus-5: 9 in, 5 out = 0.00017",
        ),
        (
            "cache reads count in the total",
            vec![vec![
                line([1, 5, 0, 9], "claude-opus-5", early),
                line([8, 5, 0, 0], "claude-sonnet-5", late),
            ]],
            "m opus-5: 1 in, 5 out, 9 read = 0.0001345",
        ),
        (
            "the later time, whatever the path",
            vec![
                vec![line([8, 5, 0, 0], "claude-opus-5", late)],
                vec![line([8, 5, 0, 0], "claude-sonnet-5", early)],
            ],
            "m opus-5: 8 in, 5 out = 0.000165",
        ),
        (
            "at equal times the greater path",
            vec![
                vec![line([8, 5, 0, 0], "claude-sonnet-5", early)],
                vec![line([8, 5, 0, 0], "claude-opus-5", early)],
            ],
            "m opus-5: 8 in, 5 out = 0.000165",
        ),
        (
            "in one file the greater place",
            vec![vec![
                line([8, 5, 0, 0], "claude-sonnet-5", early),
                line([8, 5, 0, 0], "claude-opus-5", early),
            ]],
            "m opus-5: 8 in, 5 out = 0.000165",
        ),
    ];
    for (rule, files, expected) in table {
        let files: Vec<&[Line]> = files.iter().map(Vec::as_slice).collect();
        assert_eq!(summaries(&files), [expected], "{rule}");
    }
}

// Rule 2. Never take a maximum per field: a mid-stream model fallback has another
// model and other cache counts.
#[test]
fn a_fallback_in_mid_stream_is_one_whole_line() {
    let lines = [
        call("m", [50, 10, 90_000, 0]).model("claude-opus-5").at(&at("03:00:00")),
        call("m", [3, 400, 0, 80_000]).model("claude-sonnet-5").at(&at("03:00:09")),
    ];
    assert_eq!(summaries(&[&lines]), ["m sonnet-5: 3 in, 400 out, 80000 read = 0.020006"]);
}

// Rule 2. The call's day is its smallest timestamp.
#[test]
fn a_call_has_the_time_of_its_earliest_line() {
    let line = |output, time: &str| call("m", [1, output, 0, 0]).at(time);
    let lines = [
        line(9, "2026-01-03T00:00:01Z"),
        line(1, "2026-01-02T23:59:59Z"),
        line(5, "no time"),
        line(4, "2026-01-03T00:00:05+02:00"),
    ];
    let found = calls(&[&lines]);
    assert_eq!(found.calls[0].time.unwrap().to_string(), "2026-01-02T22:00:05Z");
    assert_eq!(found.calls[0].counters.output, 9);
}

// Rule 2. Tool calls: the union of the blocks of all its lines.
#[test]
fn tools_are_those_of_all_lines() {
    let line = |output, tools: &[(&str, &str)]| call("m", [1, output, 0, 0]).calls_tools(tools);
    let lines = [
        line(9, &[("t1", "Read")]),
        line(2, &[("t2", "Read")]),
        line(2, &[("t1", "Read"), ("t3", "Bash")]),
        line(1, &[("t2", "Read")]),
        line(1, &[]),
    ];
    let found = calls(&[&lines]);
    assert_eq!(tools(&found, &found.calls[0]), ["Bash 1", "Read 2"]);
    let search = json!([{"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "tool_use", "id": "s2"}, {"type": "text", "name": "Never", "id": "s3"}]);
    let found = calls(&[&[call("m", [1, 1, 0, 0]).message("content", search)]]);
    assert_eq!(tools(&found, &found.calls[0]), ["(unnamed) 1", "web_search 1"]);
}

// Rule 3. Sub-agents always count.
#[test]
fn calls_of_agents_count() {
    let lines = [call("m", [1000, 100, 0, 0]), call("n", [1000, 100, 0, 0]).of_agent("a1")];
    let found = calls(&[&lines]);
    assert_eq!(found.calls.iter().map(|call| call.is_sidechain).collect::<Vec<_>>(), [false, true]);
    assert_eq!(found.duplicates.total(), 0);
}

// Rule 5. An iteration of type advisor_message is a separate call with its own
// model, on top of the line's counts. message and fallback_message entries are
// already in them.
#[test]
fn advisors_are_separate_calls_and_other_iterations_are_not() {
    let entry = |kind: &str, model: &str| {
        json!({"type": kind, "model": model, "input_tokens": 1000, "output_tokens": 100,
            "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0,
            "cache_creation": {"ephemeral_1h_input_tokens": 50}})
    };
    let line = call("m", [2000, 300, 0, 0]).usage(
        "iterations",
        json!([
            entry("message", "claude-sonnet-5"),
            entry("fallback_message", "claude-haiku-4-5"),
            entry("advisor_message", "claude-opus-5"),
            entry("something_new", "claude-opus-5"),
            null,
            7,
        ]),
    );
    let earlier = line.clone().usage("output_tokens", 1).usage(
        "iterations",
        json!([entry("advisor_message", "claude-opus-4-1"), entry("advisor_message", "x")]),
    );
    let expected = [
        "m sonnet-5: 2000 in, 300 out = 0.007",
        "m#claude-opus-5 opus-5: 1000 in, 100 out, 50 for 1h = 0.008",
    ];
    assert_eq!(summaries(&[std::slice::from_ref(&line)]), expected);
    assert_eq!(
        summaries(&[&[line.clone(), earlier], &[line]]),
        expected,
        "the chosen line's alone"
    );
}

#[test]
fn several_advisors_are_several_calls() {
    let advice =
        |model: Value| json!({"type": "advisor_message", "model": model, "input_tokens": 10});
    let line = call("m", [0, 1, 0, 0]).usage(
        "iterations",
        json!([
            advice("claude-opus-5".into()),
            advice("claude-opus-5".into()),
            advice(Value::Null)
        ]),
    );
    assert_eq!(
        summaries(&[&[line]]),
        [
            "m sonnet-5: 1 out = 0.00001",
            "m#(unknown) (unknown): 10 in = ?",
            "m#claude-opus-5 opus-5: 10 in = 0.00005",
            "m#claude-opus-5 opus-5: 10 in = 0.00005",
        ]
    );
}

// Rule 8. `<synthetic>` lines are not answers of the API. Reports leave them out; their
// notices of limits are collected, each once however often it was copied.
#[test]
fn limit_notices_of_the_app_are_collected_once() {
    let notice = |id: &str, text: &str| {
        call(id, [0, 0, 0, 0])
            .model("<synthetic>")
            .message("content", json!([{"type": "text", "text": text}]))
    };
    let lines = [
        notice("a", "Claude AI usage limit reached|1767330000"),
        notice("b", "You've hit your session limit · resets 4pm"),
        notice("c", "No response requested."),
        call("d", [1, 1, 0, 0]).message(
            "content",
            json!([{"type": "text", "text": "Your code says: limit reached|1"}]),
        ),
    ];
    let found = calls(&[&lines, &lines]);
    let notices: Vec<&str> = found.limits.iter().map(|limit| limit.notice.as_str()).collect();
    assert_eq!(
        notices,
        ["Claude AI usage limit reached|1767330000", "You've hit your session limit · resets 4pm"]
    );
}
