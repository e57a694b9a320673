//! Which entries are one response of the model's API.

use super::*;

/// The responses in the order in which they begin, each with what the model wrote in it.
fn responses(lines: &[String]) -> Vec<(String, Vec<EntryKind>)> {
    let mut responses: Vec<(String, Vec<EntryKind>)> = Vec::new();
    for entry in read(lines).entries {
        let by_model = matches!(entry.kind, EntryKind::Text(_) | EntryKind::Call { .. });
        let Some(response) = entry.response.filter(|_| by_model) else { continue };
        match responses.iter_mut().find(|(known, _)| *known == response) {
            Some((_, kinds)) => kinds.push(entry.kind),
            None => responses.push((response, vec![entry.kind])),
        }
    }
    responses
}

fn sizes(lines: &[String]) -> Vec<usize> {
    responses(lines).iter().map(|(_, kinds)| kinds.len()).collect()
}

fn call(id: &str) -> String {
    item("function_call", &format!(r#""name":"f","arguments":"{{}}","call_id":"{id}""#))
}

fn output(id: &str) -> String {
    item("function_call_output", &format!(r#""call_id":"{id}","output":"o""#))
}

fn usage(total: u32) -> String {
    let counts = |output| format!(r#"{{"input_tokens":1,"output_tokens":{output}}}"#);
    let (total, last) = (counts(total), counts(1));
    let info = format!(r#"{{"total_token_usage":{total},"last_token_usage":{last}}}"#);
    event("token_count", &format!(r#""info":{info}"#))
}

#[test]
fn everything_up_to_the_report_of_its_usage_is_one_response() {
    let lines = [
        event("user_message", r#""message":"ask""#),
        message("assistant", "one"),
        call("c1"),
        call("c2"),
        usage(1),
        output("c1"),
        output("c2"),
        // Repeated because rate limits changed.
        usage(1),
        call("c3"),
        output("c3"),
        usage(2),
        message("assistant", "done"),
        usage(3),
    ];
    assert_eq!(sizes(&lines), [3, 1, 1]);
    let session = read(&lines);
    let keys: Vec<_> = session.api_calls.into_iter().map(|call| call.key).collect();
    let names: Vec<_> = responses(&lines).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, keys);
}

#[test]
fn a_better_key_of_the_call_is_that_of_its_entries() {
    let record = line(
        "token_usage_record",
        r#"{"response_id":"r1","usage":{"output_tokens":1},"thread_token_usage":{"input_tokens":1,"output_tokens":1}}"#,
    );
    let lines = [message("assistant", "one"), usage(1), record];
    assert_eq!(responses(&lines), [("response:r1".to_owned(), vec![text("one")])]);
}

#[test]
fn responses_without_a_report_end_with_outputs_and_prompts() {
    let lines = [
        event("user_message", r#""message":"ask""#),
        call("c1"),
        call("c2"),
        output("c1"),
        output("c2"),
        call("c3"),
        output("c3"),
        event("user_message", r#""message":"another""#),
        message("assistant", "interrupted"),
        event("user_message", r#""message":"again""#),
        message("assistant", "reported"),
        usage(1),
    ];
    assert_eq!(sizes(&lines), [2, 1, 1, 1]);
}
