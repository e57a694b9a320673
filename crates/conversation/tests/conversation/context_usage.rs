//! The use of the context window, on transcripts of a few lines.

use conversation::context_usage::{Category, CategorySize, ExpiryCause};
use conversation::{ContextUsage, Conversation, View};
use serde_json::{Value, json};
use testkit::{Line, assistant, tool_result, user};

fn file(lines: &[Line]) -> Vec<u8> {
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n").into_bytes()
}

fn context_usage(lines: &[Line]) -> ContextUsage {
    ContextUsage::of(&Conversation::read(&file(lines), View::App))
}

/// Lines that follow each other, `u0`, `u1`, ….
fn chained(lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    let link = |(number, line): (usize, Line)| {
        let parent = number.checked_sub(1).map(|number| format!("u{number}"));
        line.link(&format!("u{number}"), parent.as_deref())
    };
    lines.into_iter().enumerate().map(link).collect()
}

/// Tokens not cached, read from the cache, written to it.
fn usage(input: u64, read: u64, write: u64) -> Value {
    json!({"input_tokens": input, "cache_read_input_tokens": read,
        "cache_creation_input_tokens": write, "output_tokens": 10})
}

fn answer(id: &str, content: &Value, usage: &Value) -> Line {
    let message = json!({"id": id, "role": "assistant", "model": "claude-sonnet-5",
        "content": content, "usage": usage});
    assistant("").with("message", message)
}

fn reply(id: &str, text: &str, usage: &Value) -> Line {
    answer(id, &json!([{"type": "text", "text": text}]), usage)
}

fn call(id: &str, tool_use_id: &str, name: &str, input: &Value, usage: &Value) -> Line {
    let block = json!([{"type": "tool_use", "id": tool_use_id, "name": name, "input": input}]);
    answer(id, &block, usage)
}

fn attachment(attachment: &Value) -> Line {
    user("").with("type", "attachment").with("attachment", attachment.clone())
}

fn boundary() -> Line {
    user("").with("type", "system").with("subtype", "compact_boundary")
}

fn tokens(usage: &ContextUsage, category: Category) -> u64 {
    let found = usage.categories.iter().find(|size| size.category == category);
    found.map(|size| size.size.tokens).unwrap_or_default()
}

#[test]
fn a_call_of_several_lines_counts_once_by_its_line_with_the_most_output() {
    let growing = |output: u64, read: u64| json!({"input_tokens": 1, "cache_read_input_tokens": read, "output_tokens": output});
    let lines = chained([
        user("go"),
        reply("m1", "a", &growing(3, 100)),
        reply("m1", "b", &growing(9, 200)),
        reply("m1", "c", &growing(5, 900)),
        reply("m2", "d", &growing(1, 300)),
    ]);
    let calls = context_usage(&lines).calls;
    let found: Vec<_> =
        calls.iter().map(|call| (call.line, call.output_tokens, call.window())).collect();
    assert_eq!(found, [(2, 9, 201), (5, 1, 301)]);
}

#[test]
fn the_window_of_a_call_is_that_of_its_last_request() {
    let request = |kind: &str, read: u64| {
        json!({"type": kind, "input_tokens": 1, "cache_read_input_tokens": read,
            "cache_creation_input_tokens": 5})
    };
    let mut whole = usage(3, 21_000, 10);
    whole["iterations"] = json!([
        request("message", 10_000),
        request("advisor_message", 90_000),
        request("message", 11_000)
    ]);
    let calls = context_usage(&chained([user("go"), reply("m1", "a", &whole)])).calls;
    assert_eq!((calls[0].window(), calls[0].requests), (11_006, 2));
    whole["iterations"] = json!([request("message", 10_000)]);
    let calls = context_usage(&chained([user("go"), reply("m1", "a", &whole)])).calls;
    assert_eq!((calls[0].window(), calls[0].requests), (21_013, 1), "one request is the usage");
}

#[test]
fn tokens_that_no_line_shows_are_the_rest_of_the_first_window() {
    let prompt = "x".repeat(4_000);
    let lines = chained([
        user(&prompt),
        reply("m1", "fine", &usage(10, 0, 20_000)),
        user("more"),
        reply("m2", "done", &usage(10, 20_000, 100)),
    ]);
    let found = context_usage(&lines);
    assert_eq!(tokens(&found, Category::Prompts), 1_001);
    assert_eq!(tokens(&found, Category::SystemAndMemory), 20_010 - 1_000);
    assert_eq!((found.last_window(), found.peak_window()), (20_110, 20_110));
    // More text than the window has tokens: an estimate is never negative.
    let lines = chained([user(&prompt), reply("m1", "fine", &usage(10, 0, 0))]);
    assert_eq!(tokens(&context_usage(&lines), Category::SystemAndMemory), 0);
}

#[test]
fn every_kind_of_content_has_its_category() {
    let text = "y".repeat(400);
    let first = usage(1, 0, 0);
    let image = json!({"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo"}});
    let table: [(Vec<Line>, Category, Option<&str>, u64); 17] = [
        (vec![user(&text)], Category::Prompts, None, 100),
        (vec![reply("m", &text, &first)], Category::AssistantText, None, 100),
        (
            vec![answer("m", &json!([{"type": "thinking", "thinking": text}]), &first)],
            Category::Thinking,
            None,
            100,
        ),
        // Hidden thinking counts by its signature.
        (
            vec![answer(
                "m",
                &json!([{"type": "thinking", "thinking": "", "signature": text}]),
                &first,
            )],
            Category::Thinking,
            None,
            100,
        ),
        (
            vec![call("m", "t", "Bash", &json!({"command": text}), &first)],
            Category::ToolInputs,
            Some("Bash"),
            105,
        ),
        (
            vec![call("m", "t", "Bash", &json!({}), &first), tool_result("t", &text)],
            Category::ToolResults,
            Some("Bash"),
            100,
        ),
        (vec![tool_result("nowhere", &text)], Category::ToolResults, Some("(unknown)"), 100),
        (
            vec![user("").with("message", json!({"role": "user", "content": [image]}))],
            Category::Images,
            Some("prompt"),
            1_500,
        ),
        (
            vec![attachment(&json!({"type": "nested_memory", "content": {"content": text}}))],
            Category::SystemAndMemory,
            Some("nested_memory"),
            100,
        ),
        (
            vec![attachment(&json!({"type": "skill_listing", "content": text, "names": [text]}))],
            Category::SystemAndMemory,
            Some("skill_listing"),
            100,
        ),
        (
            vec![attachment(
                &json!({"type": "edited_text_file", "filename": "f", "snippet": text}),
            )],
            Category::Attachments,
            Some("edited_text_file"),
            100,
        ),
        (
            vec![attachment(&json!({"type": "something_new", "words": [text]}))],
            Category::Attachments,
            Some("something_new"),
            100,
        ),
        (
            vec![attachment(&json!({"type": "queued_command", "prompt": text}))],
            Category::Prompts,
            None,
            100,
        ),
        (vec![user(&text).with("isMeta", true)], Category::Attachments, Some("note"), 100),
        (
            vec![user(&text).with("origin", json!({"kind": "task-notification"}))],
            Category::Attachments,
            Some("task-notification"),
            100,
        ),
        (
            vec![
                user(&text).with("isCompactSummary", true).with("isVisibleInTranscriptOnly", true),
            ],
            Category::CompactSummaries,
            None,
            100,
        ),
        // Each of these characters is about one token.
        (vec![user(&"日".repeat(40))], Category::Prompts, None, 40),
    ];
    for (mut lines, category, name, expected) in table {
        lines.insert(0, user(""));
        lines.push(user(""));
        let shown = format!("{category:?} {name:?}: {}", lines[1]);
        let found = context_usage(&chained(lines));
        assert_eq!(tokens(&found, category), expected, "{shown}");
        let size = found.categories.iter().find(|size| size.category == category).unwrap();
        let names: Vec<&str> = size.parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, name.into_iter().collect::<Vec<_>>(), "{shown}");
    }
}

#[test]
fn content_that_does_not_reach_the_model_does_not_count() {
    let text = "z".repeat(400);
    let hook = |kind: &str, event: &str| {
        attachment(&json!({"type": kind, "hookEvent": event, "content": text, "stdout": text}))
    };
    let unseen = [
        hook("hook_system_message", "SessionStart"),
        hook("hook_success", "PostToolUse"),
        hook("hook_non_blocking_error", "PostToolUse"),
        user(&text).with("isVisibleInTranscriptOnly", true),
        user(&text)
            .with("type", "system")
            .with("subtype", "turn_duration")
            .with("content", text.as_str()),
        reply("m", &text, &usage(0, 0, 0)).with("isApiErrorMessage", true),
    ];
    for line in unseen {
        let shown = line.to_string();
        let found = context_usage(&chained([user(""), line, user("")]));
        assert_eq!(found.estimated_tokens(), 0, "{shown}");
    }
    let hook_output =
        context_usage(&chained([user(""), hook("hook_success", "SessionStart"), user("")]));
    assert_eq!(
        hook_output.estimated_tokens(),
        100,
        "hook output before a prompt reaches the model"
    );
}

#[test]
fn system_prompt_in_effect_counts_once_and_not_as_an_attachment() {
    let prompt = "p".repeat(400);
    let schema = json!({"name": "Read", "description": "reads", "input_schema": {}});
    let tools = json!([{"name": "Read", "description": "reads", "schema": schema}]);
    let first = json!({"type": "prompt_snapshot", "systemPrompt": [prompt, ""]});
    let second = json!({"type": "prompt_snapshot", "systemPrompt": [prompt], "tools": tools});
    let until = |line: Line| {
        vec![
            user(&"x".repeat(400)),
            attachment(&first),
            reply("m1", "fine", &usage(10, 0, 4_990)),
            attachment(&second),
            line,
            reply("m2", "done", &usage(10, 4_990, 100)),
        ]
    };
    let parts_of = |lines: &[Line]| {
        let found = context_usage(lines);
        assert_eq!(tokens(&found, Category::Attachments), 0);
        let own = |size: &&CategorySize| size.category == Category::SystemAndMemory;
        let parts = found.categories.iter().find(own).unwrap().parts.clone();
        parts.into_iter().map(|(name, size)| (name, size.tokens)).collect::<Vec<_>>()
    };
    let of_tools = schema.to_string().len().div_ceil(4) as u64;
    let parts = |rest: u64| {
        let parts = [("not_in_transcript", rest), ("system_prompt", 100), ("tools", of_tools)];
        parts.map(|(name, tokens)| (name.to_owned(), tokens)).to_vec()
    };
    let whole = chained(until(user("more")));
    assert_eq!(parts_of(&whole), parts(5_000 - 100 - 100 - of_tools));
    // It stays in effect after a compaction.
    let mut compacted = chained(until(boundary()));
    compacted[4] = compacted[4].clone().link("u4", None).with("logicalParentUuid", "u3");
    assert_eq!(parts_of(&compacted), parts(5_100 - 100 - of_tools));
}

#[test]
fn reminders_of_the_app_belong_to_the_system_prompt_at_the_length_that_the_model_was_given() {
    for kind in ["environment", "model", "date", "session_context", "remote_session_change"] {
        let reminder = attachment(&json!({"type": kind, "text": "z".repeat(900)}))
            .with("rendered", json!([{"content": "r".repeat(40)}, {"content": "r".repeat(40)}]))
            .with("renderedRole", "system");
        let found = context_usage(&chained([user(""), reminder, user("")]));
        assert_eq!(tokens(&found, Category::SystemAndMemory), 20, "{kind}");
        assert_eq!(tokens(&found, Category::Attachments), 0, "{kind}");
    }
}

#[test]
fn the_largest_items_have_tool_file_and_line() {
    let lines = chained([
        user("go"),
        call("m1", "t1", "Read", &json!({"file_path": "/p/a.rs"}), &usage(1, 0, 0)),
        tool_result("t1", &"r".repeat(8_000)),
        call(
            "m2",
            "t2",
            "Bash",
            &json!({"command": "ls\nrm", "description": "List"}),
            &usage(1, 0, 0),
        ),
        tool_result("t2", &"b".repeat(4_000)),
    ]);
    let largest = context_usage(&lines).largest;
    let found: Vec<_> = largest
        .iter()
        .take(2)
        .map(|one| (one.name.as_deref(), one.label.as_str(), one.line, one.size.tokens))
        .collect();
    assert_eq!(found, [(Some("Read"), "/p/a.rs", 3, 2_000), (Some("Bash"), "ls", 5, 1_000)]);
    assert!(context_usage(&chained((0..30).map(|_| user("words")))).largest.len() == 10);
}

#[test]
fn a_read_is_repeated_by_a_later_read_of_the_same_part_or_the_whole() {
    let mut lines = vec![user("go")];
    let mut read = |input: Value, length: usize, failed: bool| {
        let id = format!("t{}", lines.len());
        lines.push(call(&id, &id, "Read", &input, &usage(1, 0, 0)));
        let mut result = tool_result(&id, &"r".repeat(length));
        if failed {
            let block = json!([{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": "no"}]);
            result = result.with("message", json!({"role": "user", "content": block}));
        }
        lines.push(result);
    };
    read(json!({"file_path": "/a"}), 400, false);
    read(json!({"file_path": "/a", "offset": 5, "limit": 9}), 40, false);
    read(json!({"file_path": "/a"}), 800, false);
    read(json!({"file_path": "/a", "offset": 5, "limit": 9}), 40, false);
    read(json!({"file_path": "/a"}), 2, true);
    read(json!({"file_path": "/once"}), 400, false);
    read(json!({"file_path": "/parts", "offset": 1}), 400, false);
    read(json!({"file_path": "/parts", "offset": 2}), 400, false);
    let found = context_usage(&chained(lines)).repeated_reads;
    assert_eq!(found.len(), 1, "{found:?}");
    let file = &found[0];
    assert_eq!((file.path.as_str(), file.reads), ("/a", 4));
    assert_eq!((file.repeated.count, file.repeated.bytes), (2, 440));
}

#[test]
fn a_lost_cache_has_its_cause() {
    let at = |line: Line, time: &str| line.at(&format!("2026-01-02T{time}Z"));
    let hour = |read: u64, write: u64| {
        let mut usage = usage(0, read, write);
        usage["cache_creation"] = json!({"ephemeral_1h_input_tokens": write});
        usage
    };
    let other = |line: Line| {
        line.with(
            "message",
            json!({"id": "m2", "role": "assistant", "model": "claude-haiku-4-5",
            "content": [], "usage": usage(0, 0, 50_000)}),
        )
    };
    let before = || at(reply("m1", "a", &usage(0, 0, 50_000)), "10:00:00");
    let before_hour = || at(reply("m1", "a", &hour(0, 50_000)), "10:00:00");
    let lost = |time: &str| at(reply("m2", "b", &usage(0, 100, 50_000)), time);
    let table: [(Line, Line, Option<ExpiryCause>); 9] = [
        (before(), lost("10:06:00"), Some(ExpiryCause::Idle)),
        (before(), lost("10:04:00"), Some(ExpiryCause::Changed)),
        (before_hour(), lost("10:06:00"), Some(ExpiryCause::Changed)),
        (before_hour(), lost("11:06:00"), Some(ExpiryCause::Idle)),
        (before(), at(other(assistant("")), "10:06:00"), Some(ExpiryCause::ModelChange)),
        (before(), at(reply("m2", "b", &usage(0, 25_000, 0)), "10:06:00"), None),
        (before(), at(reply("m2", "b", &usage(0, 24_999, 0)), "10:06:00"), Some(ExpiryCause::Idle)),
        // Too small to matter, and an unreadable time.
        (at(reply("m1", "a", &usage(0, 0, 3_999)), "10:00:00"), lost("10:06:00"), None),
        (before(), reply("m2", "b", &usage(0, 0, 9)).at("soon"), Some(ExpiryCause::Changed)),
    ];
    for (number, (before, after, expected)) in table.into_iter().enumerate() {
        let cache = context_usage(&chained([user("go"), before, user("on"), after])).cache;
        let found = cache.expiries.first();
        assert_eq!(found.map(|expiry| expiry.cause), expected, "row {number}");
        assert!(found.is_none_or(|expiry| (expiry.call, expiry.line) == (1, 4)), "row {number}");
    }
    let cache = context_usage(&chained([user("go"), before(), user("on"), lost("10:06:00")])).cache;
    let expiry = cache.expiries[0];
    assert_eq!(
        (expiry.previous_window, expiry.read_tokens, expiry.written_tokens),
        (50_000, 100, 50_000)
    );
    assert_eq!(expiry.gap.map(|gap| gap.as_secs()), Some(360));
}

/// Two windows with a compaction between them.
fn compacted() -> Vec<Line> {
    let mut lines = chained([
        user(&"before ".repeat(1_000)),
        reply("m1", "a", &usage(0, 0, 150_000)),
        boundary(),
        user("In short").with("isCompactSummary", true),
        user("go on"),
        reply("m2", "b", &usage(0, 0, 30_000)),
    ]);
    lines[2] = lines[2].clone().link("u2", None).with("logicalParentUuid", "u1");
    lines
}

#[test]
fn only_lines_since_the_last_compaction_are_in_the_window() {
    let found = context_usage(&compacted());
    let generations: Vec<_> =
        found.generations.iter().map(|one| (one.calls, one.peak_window)).collect();
    assert_eq!(generations, [(1, 150_000), (1, 30_000)]);
    let calls: Vec<_> = found.calls.iter().map(|call| (call.generation, call.line)).collect();
    assert_eq!(calls, [(0, 2), (1, 6)]);
    assert_eq!((found.last_window(), found.peak_window()), (30_000, 150_000));
    assert_eq!(found.cache.expiries[0].cause, ExpiryCause::Compaction);
    assert_eq!(tokens(&found, Category::Prompts), 2, "the long prompt is gone");
    assert_eq!(tokens(&found, Category::CompactSummaries), 2);
    assert!(!found.is_compacted_since());
    let found = context_usage(&compacted()[..5]);
    assert_eq!((found.last_window(), found.is_compacted_since()), (150_000, true));
}

#[test]
fn abandoned_messages_are_not_in_the_window() {
    let mut lines = chained([
        user("one"),
        reply("m1", "a", &usage(0, 0, 5_000)),
        user("two"),
        reply("m2", "b", &usage(0, 5_000, 9_000)),
    ]);
    let rewind = [("leafUuid", json!("u1")), ("explicit", json!(true))];
    lines.push(testkit::metadata("last-prompt", &rewind));
    let found = context_usage(&lines);
    assert_eq!((found.calls.len(), found.last_window()), (1, 5_000));
}

#[test]
fn characters_per_token_are_measured_if_there_is_enough_text() {
    let grown = |characters: usize, tokens: u64| {
        context_usage(&chained([
            user("go"),
            reply("m1", "", &usage(0, 0, 20_000)),
            user(&"x".repeat(characters)),
            reply("m2", "", &usage(0, 20_000, tokens)),
        ]))
    };
    let table = [
        (10_000, 5_000, 2.0, true),
        (10_000, 4_000, 2.5, true),
        // Too little text, and implausible rates because something was cleared.
        (7_000, 3_500, 4.0, false),
        (10_000, 500, 4.0, false),
        (10_000, 0, 4.0, false),
        (10_000, 50_000, 4.0, false),
    ];
    for (characters, tokens, rate, measured) in table {
        let found = grown(characters, tokens);
        assert!((found.characters_per_token - rate).abs() < 0.01, "{characters} in {tokens}");
        assert_eq!(found.is_measured, measured, "{characters} in {tokens}");
    }
    assert_eq!(tokens(&grown(10_000, 5_000), Category::Prompts), 5_001);
}

#[test]
fn a_call_has_the_model_that_was_asked_for_and_the_window_that_the_line_records() {
    let mut size = usage(9_000, 0, 0);
    size["context_window"] = json!(258_400);
    let message = json!({"id": "m", "role": "assistant", "model": "claude-opus-4-6", "content": [],
        "usage": size});
    let answer =
        assistant("").with("message", message).with("requestedModel", "claude-opus-4-6[1m]");
    let call = context_usage(&chained([user("go"), answer])).calls.remove(0);
    assert_eq!(call.model.as_deref(), Some("claude-opus-4-6"));
    assert_eq!(call.requested_model.as_deref(), Some("claude-opus-4-6[1m]"));
    assert_eq!(call.recorded_window, Some(258_400));
}

#[test]
fn a_sub_agents_parallel_calls_are_in_its_window() {
    let lines = [
        user("go").link("a", None),
        call("m1", "t1", "Grep", &json!({"pattern": "x"}), &usage(0, 0, 100)).link("b", Some("a")),
        call("m1", "t2", "Grep", &json!({"pattern": "y"}), &usage(0, 0, 100)).link("c", Some("b")),
        tool_result("t1", &"r".repeat(400)).link("d", Some("b")),
        tool_result("t2", &"r".repeat(400)).link("e", Some("c")),
        reply("m2", "done", &usage(0, 100, 300)).link("f", Some("e")),
    ];
    let bytes = file(&lines);
    let found = ContextUsage::of(&Conversation::read_agent(&bytes, View::App));
    assert_eq!((found.calls.len(), found.last_window()), (2, 400));
    assert_eq!(tokens(&found, Category::ToolResults), 200);
}

#[test]
fn empty_and_malformed_transcripts_are_analyzed() {
    let huge = json!({"input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX,
        "cache_creation_input_tokens": 1.5, "output_tokens": "many", "iterations": {"a": 1}});
    let cycle = [
        user("a").link("a", Some("b")),
        reply("m1", "b", &huge).link("b", Some("a")),
        reply("m2", "c", &json!({"iterations": [[], {}, {"input_tokens": -1}]}))
            .link("c", Some("b")),
        attachment(&json!("text")).link("d", Some("c")),
        attachment(&json!({"type": 5, "content": {"type": ["image"]}})).link("e", Some("d")),
        user("f").link("f", Some("e")).with("message", json!({"content": {"odd": [1]}})),
    ];
    let bytes = file(&cycle);
    for bytes in
        [&bytes[..], &bytes[..bytes.len() / 2], b"", b"\n\n", b"not JSON\n{\"type\":\"user\"}\n"]
    {
        for conversation in
            [Conversation::read(bytes, View::App), Conversation::read_agent(bytes, View::App)]
        {
            let found = ContextUsage::of(&conversation);
            assert!(found.largest.len() <= 10);
            let _ = (found.estimated_tokens(), found.peak_call(), found.cache.hit_rate());
        }
    }
    assert!(ContextUsage::of(&Conversation::read(b"", View::App)).calls.is_empty());
    // A line without usage, or with empty usage, is not a call.
    let silent = assistant("").with("message", json!({"id": "m", "content": "words"}));
    let cut_off = reply("m2", "", &usage(0, 0, 0));
    let found = context_usage(&chained([user("go"), silent, cut_off]));
    assert!(found.calls.is_empty() && found.generations[0].calls == 0);
}
