//! The totals of turns: time, tokens, files, errors, hooks.

use conversation::{
    AgentFile, AgentScan, Conversation, Hooks, Tokens, Touch, Turn, Turns, View, link_agents,
};
use serde_json::{Value, json};
use testkit::{
    Line, assistant, attachment, chained, file, system, tool_error, tool_result, tool_use, user,
};

fn read_turns(lines: impl IntoIterator<Item = Line>) -> Turns<'static> {
    let bytes: &'static [u8] = file(&chained(lines)).leak();
    Conversation::read(bytes, View::App).turns()
}

/// The first turn of a session that begins with a prompt.
fn turn(lines: impl IntoIterator<Item = Line>) -> Turn<'static> {
    read_turns(std::iter::once(user("go")).chain(lines)).turns.remove(0)
}

/// The line, written `second` seconds after the beginning.
fn second(line: Line, second: u32) -> Line {
    line.at(&format!("2026-01-02T03:{:02}:{:02}.000Z", second / 60, second % 60))
}

/// (case, lines with their seconds, seconds of the model, of tools, of waiting)
type Split = (&'static str, Vec<(Line, u32)>, u64, u64, u64);

#[test]
fn time_is_split_between_the_model_the_tools_and_the_person() {
    let call = |tool: &str| tool_use("t1", tool, &json!({}));
    let done = || tool_result("t1", "done");
    let denied = || tool_error("t1", "The user doesn't want to proceed with this tool use.");
    let by_rule = || tool_error("t1", "no").with("toolDenialKind", "rule");
    let table: Vec<Split> = vec![
        (
            "a tool, and a pause until the next prompt",
            vec![
                (user("go"), 0),
                (call("Bash"), 3),
                (done(), 10),
                (assistant("ok"), 12),
                (user("next"), 60),
            ],
            5,
            7,
            48,
        ),
        (
            "nobody waits after the last turn",
            vec![(user("go"), 0), (assistant("ok"), 12)],
            12,
            0,
            0,
        ),
        (
            "a question",
            vec![(user("go"), 0), (call("AskUserQuestion"), 2), (done(), 32), (assistant("k"), 33)],
            3,
            0,
            30,
        ),
        (
            "a plan",
            vec![(user("go"), 0), (call("ExitPlanMode"), 2), (done(), 32), (assistant("k"), 33)],
            3,
            0,
            30,
        ),
        (
            "a denial by its words",
            vec![(user("go"), 0), (call("Bash"), 2), (denied(), 22)],
            2,
            0,
            20,
        ),
        (
            "a denial the app notes",
            vec![(user("go"), 0), (call("Bash"), 2), (by_rule(), 22)],
            2,
            0,
            20,
        ),
        (
            "times that run backwards are none",
            vec![(user("go"), 0), (call("Bash"), 20), (done(), 10), (assistant("ok"), 12)],
            20,
            0,
            0,
        ),
        (
            "a prompt before the answer it follows",
            vec![(user("go"), 30), (assistant("ok"), 40), (user("next"), 20)],
            10,
            0,
            0,
        ),
    ];
    for (what, lines, model, tools, waiting) in table {
        let lines = lines.into_iter().map(|(line, at)| second(line, at));
        let turn = read_turns(lines).turns.remove(0);
        let split = (turn.model_ms, turn.tools_ms, turn.waiting_ms);
        assert_eq!(split, (model * 1000, tools * 1000, waiting * 1000), "{what}");
    }
}

#[test]
fn a_turn_without_times_has_no_length() {
    let plain = |line: Line| line.with("timestamp", Value::Null);
    let turn = read_turns([plain(user("go")), plain(assistant("ok"))]).turns.remove(0);
    assert_eq!((turn.model_ms, turn.started, turn.ended), (0, None, None));
    let odd = read_turns([user("go").at("soon"), assistant("ok").at("2026-01-02T03:00:00Z")]);
    assert_eq!(odd.turns[0].started, odd.turns[0].ended);
}

#[test]
fn a_turn_lasts_from_its_first_to_its_last_time() {
    let turn = turn([
        second(assistant("early"), 1),
        second(tool_use("t1", "Bash", &json!({})), 3),
        second(tool_result("t1", "x"), 9),
    ]);
    let shown = [turn.started, turn.ended].map(|time| time.unwrap().to_string());
    // The prompt itself was written at 03:04:05.678.
    assert_eq!(shown, ["2026-01-02T03:00:01Z", "2026-01-02T03:04:05.678Z"]);
}

#[test]
fn tokens_of_a_response_count_once_by_its_line_with_the_most_output() {
    let line = |id: &str, output: u64| {
        assistant("x").message("id", id).message(
            "usage",
            json!({"input_tokens": 3, "cache_read_input_tokens": 100,
                "cache_creation_input_tokens": 10, "output_tokens": output}),
        )
    };
    let one = |output| Tokens { input: 3, cache_read: 100, cache_write: 10, output };
    let table = [
        (vec![line("a", 1), line("a", 5), line("a", 5)], one(5), 1),
        (vec![line("a", 5), line("a", 1)], one(5), 1),
        (vec![line("a", 5), line("b", 7)], one(5).plus(one(7)), 2),
        (vec![line("a", 0)], one(0), 1),
        (vec![assistant("x").message("usage", Value::Null)], Tokens::default(), 0),
    ];
    for (lines, expected, responses) in table {
        let turn = turn(lines);
        assert_eq!((turn.tokens, turn.responses), (expected, responses));
    }
}

#[test]
fn tokens_of_a_turn_include_those_of_advisor_calls() {
    let line = |output: u64, advice: u64| {
        let own = json!({"type": "message", "input_tokens": 3, "output_tokens": output});
        let advisor = json!({"type": "advisor_message", "model": "claude-opus-5-5",
            "input_tokens": 40, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 20,
            "output_tokens": advice});
        assistant("x").message("id", "a").message(
            "usage",
            json!({"input_tokens": 3, "output_tokens": output, "iterations": [own, advisor]}),
        )
    };
    let expected = |output: u64, advice: u64| Tokens {
        input: 3 + 40,
        cache_read: 30,
        cache_write: 20,
        output: output + advice,
    };
    // The line with the most own output counts, however much an advisor wrote.
    for lines in [vec![line(5, 7), line(9, 7)], vec![line(9, 7), line(5, 700)]] {
        assert_eq!(turn(lines).tokens, expected(9, 7));
    }
}

#[test]
fn counts_of_advisor_calls_may_be_written_with_a_fraction() {
    let advisor = json!({"type": "advisor_message", "input_tokens": 12.0, "output_tokens": 3.0});
    let usage = json!({"input_tokens": 20, "output_tokens": 10, "iterations": [advisor]});
    let tokens = turn([assistant("x").message("id", "a").message("usage", usage)]).tokens;
    assert_eq!((tokens.input, tokens.output), (32, 13));
}

#[test]
fn a_response_without_an_id_is_identified_by_its_line() {
    let line = || assistant("x").message("id", Value::Null);
    let turn = turn([line(), line()]);
    assert_eq!((turn.tokens.output, turn.responses), (10, 2));
}

#[test]
fn tokens_belong_to_the_turn_in_which_the_response_began() {
    let line = |id: &str| assistant("x").message("id", id);
    let turns = read_turns([user("one"), line("a"), user("two"), line("a"), line("b")]);
    let counts: Vec<_> =
        turns.turns.iter().map(|turn| (turn.tokens.output, turn.responses)).collect();
    assert_eq!(counts, [(5, 1), (5, 1)]);
}

#[test]
fn huge_counts_do_not_overflow() {
    let line = |id: &str| {
        let usage = json!({"input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX,
            "cache_creation_input_tokens": u64::MAX, "output_tokens": u64::MAX});
        assistant("x").message("id", id).message("usage", usage)
    };
    let hook = || attachment(&json!({"type": "hook_success", "durationMs": 1e300}));
    let stop = || {
        system("stop_hook_summary")
            .with("hookInfos", json!([{"durationMs": 1e300}, {"durationMs": 1e300}]))
    };
    let long = system("turn_duration").with("durationMs", 1e300);
    let turn = turn([line("a"), line("b"), hook(), hook(), stop(), stop(), long]);
    assert_eq!(turn.tokens.total(), u64::MAX);
    assert_eq!(turn.hooks.milliseconds, u64::MAX);
    assert_eq!(turn.reported_ms, Some(u64::MAX));
}

#[test]
fn models_are_listed_once_and_the_synthetic_one_never() {
    let by = |model: &str| assistant("x").message("model", model);
    let turn = turn([by("opus"), by("haiku"), by("opus"), by("<synthetic>")]);
    let models: Vec<&str> = turn.models.iter().map(|model| &**model).collect();
    assert_eq!(models, ["opus", "haiku"]);
}

#[test]
fn files_have_their_added_and_removed_lines() {
    let call = |id: &str, tool: &str, path: &str| tool_use(id, tool, &json!({"file_path": path}));
    let patch = json!({"structuredPatch": [{"oldStart": 1, "oldLines": 2, "newStart": 1,
        "newLines": 3, "lines": [" a", "-b", "+c", "+d"]}]});
    let turn = turn([
        call("r1", "Read", "/a"),
        tool_result("r1", "text"),
        call("r2", "Read", "/a"),
        tool_error("r2", "no such file"),
        call("e1", "Edit", "/a"),
        tool_result("e1", "edited").with("toolUseResult", patch),
        tool_use(
            "e2",
            "Edit",
            &json!({"file_path": "/a", "old_string": "x", "new_string": "y\nz"}),
        ),
        tool_result("e2", "edited"),
        tool_use("e3", "Edit", &json!({"file_path": "/a", "old_string": "x", "new_string": "y"})),
        tool_error("e3", "String to replace not found"),
        tool_use("w1", "Write", &json!({"file_path": "/b", "content": "1\n2\n3\n"})),
        tool_result("w1", "written").with("toolUseResult", json!({"type": "create"})),
        tool_use("n1", "NotebookEdit", &json!({"notebook_path": "/c.ipynb", "new_source": "x"})),
        tool_use("b1", "Bash", &json!({"command": "cat /d"})),
        call("x1", "Write", ""),
    ]);
    let touch = |reads, changes, added, removed| Touch { reads, changes, added, removed };
    let expected = [
        ("/a".to_owned(), touch(2, 2, 4, 2)),
        ("/b".to_owned(), touch(0, 1, 3, 0)),
        // A call without an answer.
        ("/c.ipynb".to_owned(), touch(0, 0, 0, 0)),
    ];
    assert_eq!(turn.files.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn errors_are_counted_by_kind() {
    let call = |id: &str| tool_use(id, "Bash", &json!({}));
    let turn = turn([
        call("ok"),
        tool_result("ok", "done"),
        call("error"),
        tool_error("error", "Exit code 1"),
        call("denied"),
        tool_error("denied", "Permission to use Bash has been denied."),
        call("cut"),
        tool_result("cut", "half").with("toolUseResult", json!({"interrupted": true})),
        call("missing"),
        user("[Request interrupted by user for tool use]"),
        assistant("hal").with("isAbortedMidStream", true),
        system("api_error").with("error", json!({"message": "Overloaded"})),
        assistant("API Error").with("isApiErrorMessage", true),
    ]);
    assert_eq!(
        (turn.calls, turn.errors, turn.denials, turn.interruptions, turn.failures),
        (5, 3, 1, 3, 2)
    );
}

#[test]
fn errors_are_failed_calls_failed_results_and_failures_of_the_api() {
    let call = |id: &str| tool_use(id, "Bash", &json!({}));
    let silent = || assistant("").with("isApiErrorMessage", true);
    let denied = "Permission to use Bash has been denied.";
    let table = [
        ("a failed call", vec![call("a"), tool_error("a", "Exit code 1")], 1),
        ("a denied call", vec![call("a"), tool_error("a", denied)], 0),
        ("a failed result without a call", vec![tool_error("b", "Exit code 1")], 1),
        ("a denied result without a call", vec![tool_error("b", denied)], 0),
        ("a result without a call", vec![tool_result("b", "done")], 0),
        (
            "an error of the API",
            vec![system("api_error").with("error", json!({"message": "x"}))],
            1,
        ),
        ("silent errors in a row", vec![silent(), silent()], 1),
        ("silent errors apart", vec![silent(), assistant("Again."), silent()], 2),
        ("an interruption", vec![user("[Request interrupted by user]")], 0),
    ];
    for (name, lines, expected) in table {
        let lines: Vec<Line> = std::iter::once(user("go")).chain(lines).collect();
        let bytes = file(&lines);
        let mut scan = AgentScan::default();
        for entry in transcript::entries(&bytes) {
            scan.note(entry.line, &entry.record, false);
        }
        let agent = (AgentFile { id: "a".to_owned(), ..AgentFile::default() }, scan);
        let agents = link_agents(&AgentScan::default(), vec![agent]);
        let of_lines = agents.iter().map(|agent| agent.errors).sum::<u64>();
        let turns = read_turns(lines);
        let counted: u64 = turns.turns.iter().map(|turn| turn.errors).sum();
        let steps = turns.turns.iter().flat_map(|turn| &turn.steps);
        let errors = steps.filter(|step| step.kind.is_error(&turns.calls)).count() as u64;
        assert_eq!((counted, errors, of_lines), (expected, expected, expected), "{name}");
    }
}

#[test]
fn hooks_are_counted_by_outcome() {
    let ended = |kind: &str, took: u64| {
        attachment(&json!({"type": kind, "hookEvent": "PreToolUse", "durationMs": took}))
    };
    let hooks = |ran, failed, milliseconds| Hooks { ran, failed, milliseconds };
    let table = [
        ("hook_success", hooks(1, 0, 7)),
        ("hook_cancelled", hooks(1, 0, 7)),
        ("hook_non_blocking_error", hooks(1, 1, 7)),
        ("hook_blocking_error", hooks(1, 1, 7)),
        ("hook_error_during_execution", hooks(1, 1, 7)),
        ("hook_stopped_continuation", hooks(1, 1, 7)),
        ("todo_reminder", hooks(0, 0, 0)),
    ];
    for (kind, expected) in table {
        assert_eq!(turn([ended(kind, 7)]).hooks, expected, "{kind}");
    }
    let context = attachment(&json!({"type": "hook_additional_context", "content": "x"}));
    assert_eq!(turn([ended("hook_success", 1), context]).hooks, hooks(1, 0, 1));
}

#[test]
fn hooks_recorded_alone_and_in_a_summary_are_counted_once() {
    let stop = |id: &str| {
        attachment(&json!({"type": "hook_success", "hookEvent": "Stop", "toolUseID": id,
            "durationMs": 30}))
    };
    let summary = |id: &str, infos: Value, errors: Value| {
        let summary = system("stop_hook_summary").with("toolUseID", id);
        summary.with("hookInfos", infos).with("hookErrors", errors)
    };
    let hooks = |ran, failed, milliseconds| Hooks { ran, failed, milliseconds };
    let both = json!([{"durationMs": 30}, {"durationMs": 12.5}]);
    let table = [
        (vec![summary("s", both.clone(), json!(["x"]))], hooks(2, 1, 42)),
        (vec![stop("s"), summary("s", both.clone(), json!([]))], hooks(2, 0, 42)),
        (vec![stop("other"), summary("s", both, json!([]))], hooks(3, 0, 72)),
        (vec![summary("s", json!([]), json!([]))], hooks(1, 0, 0)),
    ];
    for (lines, expected) in table {
        assert_eq!(turn(lines).hooks, expected);
    }
}

#[test]
fn the_duration_reported_by_the_app_is_used() {
    let table = [(json!(51_870), Some(51_870)), (json!(2.9), Some(2)), (json!(-4), Some(0))];
    for (written, expected) in table {
        let line = system("turn_duration").with("durationMs", written);
        assert_eq!(turn([assistant("ok"), line]).reported_ms, expected);
    }
    assert_eq!(turn([assistant("ok")]).reported_ms, None);
}
