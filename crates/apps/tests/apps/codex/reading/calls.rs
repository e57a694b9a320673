//! Calls, their results, and the files that they change.

use super::*;

#[test]
fn calls_of_every_kind_are_shown() {
    let call = |id: &str, tool: &str, input: CallInput| EntryKind::Call {
        id: id.to_owned(),
        tool: tool.to_owned(),
        input,
    };
    let json = |json: &str| CallInput::Json(json.to_owned());
    let plain = |text: &str| CallInput::Text(text.to_owned());
    let lines = [
        item("function_call", r#""name":"f","arguments":"{\"a\":1}","call_id":"1""#),
        item("custom_tool_call", r#""name":"c","input":"text","call_id":"2""#),
        item("local_shell_call", r#""call_id":"3","action":{"type":"exec"}"#),
        item("web_search_call", r#""id":"4","action":{"query":"q"}"#),
        item("tool_search_call", r#""call_id":"5","arguments":{"query":"q"}"#),
        event("dynamic_tool_call_request", r#""callId":"6","tool":"d","arguments":{}"#),
        event("view_image_tool_call", r#""call_id":"7","path":"/a.png""#),
    ];
    assert_eq!(
        shown(&lines),
        [
            call("1", "f", json(r#"{"a":1}"#)),
            call("2", "c", plain("text")),
            call("3", "local_shell", json(r#"{"type":"exec"}"#)),
            call("4", "web_search", json(r#"{"query":"q"}"#)),
            call("5", "tool_search", json(r#"{"query":"q"}"#)),
            call("6", "d", json("{}")),
            call("7", "view_image", plain("/a.png")),
        ]
    );
}

const CALL: &str = r#""name":"exec_command","arguments":"{}","call_id":"c1""#;
const OUTPUT: &str = r#""call_id":"c1","output":"for the model""#;
const END: &str = r#""call_id":"c1","command":["ls"],"exit_code":2,"aggregated_output":"whole""#;

#[test]
fn an_exit_code_makes_an_error_before_or_after_the_output() {
    let call = item("function_call", CALL);
    let output = item("function_call_output", OUTPUT);
    let end = event("exec_command_end", END);
    let expected = ("for the model".to_owned(), true, Vec::new());
    assert_eq!(result(&[call.clone(), end.clone(), output.clone()]), expected);
    assert_eq!(result(&[call.clone(), output.clone(), end.clone()]), expected);
    assert_eq!(result(&[call.clone(), end]), ("whole".to_owned(), true, Vec::new()));
    assert!(!result(&[call, output]).1);
}

#[test]
fn exit_codes_are_kept_where_they_are_recorded() {
    let code = |lines: &[String]| {
        let codes: Vec<_> = shown(lines)
            .into_iter()
            .filter_map(|kind| match kind {
                EntryKind::Result { exit_code, .. } => Some(exit_code),
                _ => None,
            })
            .collect();
        let [code] = codes[..] else { panic!("one result, not {codes:?}") };
        code
    };
    let output =
        |text: &str| item("function_call_output", &format!(r#""call_id":"c1","output":"{text}""#));
    let call = item("function_call", CALL);
    let end = event("exec_command_end", END);
    let done = completed(
        "CommandExecution",
        r#""id":"c1","command":["ls"],"status":"completed","exit_code":0"#,
    );
    let running = event("exec_command_end", r#""call_id":"c1","command":["ls"]"#);
    let table = [
        (vec![call.clone(), output("plain")], None),
        (
            vec![call.clone(), output("Wall time: 1\\nProcess exited with code 3\\nOutput:\\nx")],
            Some(3),
        ),
        (vec![call.clone(), output("Process running with session ID 7\\nOutput:\\n")], None),
        (
            vec![call.clone(), output(r#"{\"output\":\"x\",\"metadata\":{\"exit_code\":-1}}"#)],
            Some(-1),
        ),
        (vec![call.clone(), end.clone()], Some(2)),
        (vec![call.clone(), end.clone(), output("plain")], Some(2)),
        (vec![call.clone(), output("plain"), end], Some(2)),
        (vec![call.clone(), done, output("plain")], Some(0)),
        (vec![call, output("Process exited with code 3\\nOutput:\\n"), running], Some(3)),
    ];
    for (lines, expected) in table {
        assert_eq!(code(&lines), expected, "{lines:#?}");
    }
}

#[test]
fn commands_of_the_paginated_form_are_results() {
    let call = item("function_call", CALL);
    let end = completed(
        "CommandExecution",
        r#""id":"c1","command":["ls"],"status":"failed","exit_code":1,"aggregated_output":"no""#,
    );
    assert_eq!(result(&[call, end]), ("no".to_owned(), true, Vec::new()));
}

#[test]
fn calls_within_a_call_have_events_only() {
    let lines = [event(
        "mcp_tool_call_end",
        r#""call_id":"exec-1","invocation":{"server":"s","tool":"t","arguments":{"a":1}},"result":{"Err":"broken"}"#,
    )];
    assert_eq!(
        shown(&lines),
        [
            EntryKind::Call {
                id: "exec-1".to_owned(),
                tool: "mcp__s__t".to_owned(),
                input: CallInput::Json(r#"{"a":1}"#.to_owned()),
            },
            EntryKind::Result {
                call: "exec-1".to_owned(),
                text: "broken".to_owned(),
                is_error: true,
                exit_code: None,
                changes: Vec::new(),
            },
        ]
    );
    let fine = completed(
        "McpToolCall",
        r#""id":"m","server":"s","tool":"t","arguments":{},"status":"completed","result":{"content":[{"type":"text","text":"ok"}],"isError":false}"#,
    );
    assert_eq!(result(&[fine]), ("ok".to_owned(), false, Vec::new()));
}

#[test]
fn searches_of_the_web_are_shown_once() {
    let search = item("web_search_call", r#""status":"completed","action":{"query":"q"}"#);
    let end = event("web_search_end", r#""call_id":"ws","query":"q","action":{"query":"q"}"#);
    assert_eq!(shown(&[search.clone(), end.clone()]).len(), 1);
    assert_eq!(shown(&[end.clone(), search.clone()]).len(), 1);
    assert_eq!(shown(&[search.clone(), search, end]).len(), 2);
}

const PATCH: &str = r#""name":"apply_patch","call_id":"p1","input":"*** Begin Patch\n*** Update File: a.rs\ncrate::\n-x\n+y\n*** End Patch""#;

#[test]
fn changes_of_files_come_with_the_result() {
    let call = item("custom_tool_call", PATCH);
    let output = item("custom_tool_call_output", r#""call_id":"p1","output":"Success.""#);
    let end = event(
        "patch_apply_end",
        r#""call_id":"p1","stdout":"ok","stderr":"","success":true,"changes":{"/w/a.rs":{"type":"update","unified_diff":"@@ -1 +1 @@\n-x\n+y\n","move_path":null},"/w/b.rs":{"type":"add","content":"new"}}"#,
    );
    let recorded =
        vec![("/w/a.rs".to_owned(), ChangeKind::Edit), ("/w/b.rs".to_owned(), ChangeKind::Write)];
    let lines = [call.clone(), end.clone(), output.clone()];
    assert_eq!(result(&lines), ("Success.".to_owned(), false, recorded.clone()));
    assert_eq!(result(&[end]).2, recorded);
    // Without the event, what the patch asks for.
    assert_eq!(result(&[call.clone(), output]).2, [("a.rs".to_owned(), ChangeKind::Edit)]);
    let failed = item(
        "custom_tool_call_output",
        r#""call_id":"p1","output":"apply_patch verification failed: x""#,
    );
    let (_, is_error, changes) = result(&[call, failed]);
    assert!(is_error && changes.is_empty());
}

#[test]
fn a_patch_within_a_shell_changes_files() {
    let call = item(
        "function_call",
        r#""name":"shell","call_id":"s","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Delete File: a\\n*** End Patch\"]}""#,
    );
    let output = item("function_call_output", r#""call_id":"s","output":"Done""#);
    assert_eq!(result(&[call, output]).2, [("a".to_owned(), ChangeKind::Delete)]);
}
