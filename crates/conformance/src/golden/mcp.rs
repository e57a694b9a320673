//! What agents are answered.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::stores::Program;
use super::texts::{StoreTexts, replace_after};

/// What begins the delimiter of quotes, which is new in every answer.
const DELIMITER: &str = "quote-";

/// What begins a cursor.
const CURSOR: &str = "\"cursor\":\"";

/// The protocol version that is asked for.
const PROTOCOL: &str = "2025-06-18";

pub(super) fn ask(
    program: &Program<'_>,
    sessions: &[String],
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let mut questions: Vec<(String, Value)> = vec![("tools/list".to_owned(), json!({}))];
    questions.push(("resources/list".to_owned(), json!({})));
    questions.push(("prompts/list".to_owned(), json!({})));
    questions.extend(calls(sessions).into_iter().map(|(tool, arguments)| {
        ("tools/call".to_owned(), json!({ "name": tool, "arguments": arguments }))
    }));
    let asked: Vec<_> = questions
        .iter()
        .filter_map(|(method, parameters)| {
            let path = texts.path("mcp", &format!("{method} {}", named(parameters)))?;
            Some((path, method, parameters))
        })
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    let mut command = program.command(&["mcp", "--scope", "all"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("cannot start annals mcp")?;
    let mut input = child.stdin.take().context("its input")?;
    let mut output = BufReader::new(child.stdout.take().context("its output")?);
    let mut answer = |id: usize, method: &str, parameters: &Value| -> Result<Value> {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters});
        writeln!(input, "{request}")?;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                anyhow::bail!("annals mcp ended at {method}");
            }
            let answer: Value = serde_json::from_str(&line).context("an answer")?;
            if answer["id"] == id {
                return Ok(answer);
            }
        }
    };
    let client = json!({"name": "golden", "version": "1"});
    let greeting = json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client});
    answer(0, "initialize", &greeting)?;
    for (id, (path, method, parameters)) in (1..).zip(asked) {
        let answer = answer(id, method, parameters)?;
        let text = match answer["result"]["content"][0]["text"].as_str() {
            Some(text) => text.to_owned(),
            None => serde_json::to_string_pretty(&answer["result"])?,
        };
        texts.write(&path, &without_delimiters(&text))?;
    }
    drop(input);
    child.wait().context("annals mcp does not end")?;
    Ok(())
}

/// Every tool, about the store and about each session.
fn calls(sessions: &[String]) -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("search_sessions", json!({"query": "the"})),
        ("search_sessions", json!({"query": "fix test", "sort": "newest", "limit": 50})),
        ("search_sessions", json!({"query": "the", "include_tool_results": true})),
        ("list_sessions", json!({})),
        ("file_history", json!({"path": "README.md"})),
        ("file_history", json!({"path": "src"})),
    ];
    for by in ["day", "model", "project", "tool", "branch"] {
        calls.push(("usage_report", json!({ "by": by })));
    }
    for id in sessions {
        calls.push(("read_session", json!({ "session": id })));
        let full = json!({
            "session": id, "detail": "full", "include_tool_results": true,
            "include_thinking": true, "max_tokens": 25_000,
        });
        calls.push(("read_session", full));
        calls.push(("session_plan", json!({ "session": id })));
    }
    calls
}

/// The parameters as the name of a text.
fn named(parameters: &Value) -> String {
    match parameters["name"].as_str() {
        Some(tool) => format!("{tool} {}", parameters["arguments"]),
        None => String::new(),
    }
}

/// The text without its delimiters, and without cursors, which hold the time of the answer.
fn without_delimiters(text: &str) -> String {
    let is_random = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    replace_after(&replace_after(text, DELIMITER, is_random), CURSOR, is_random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_of_an_answer_are_left_out() {
        let text = "<quote-aB_9-x> and </quote-aB_9-x>: {\"cursor\":\"c2Vh\",\"query\":\"x\"}";
        let expected = "<quote-…> and </quote-…>: {\"cursor\":\"…\",\"query\":\"x\"}";
        assert_eq!(without_delimiters(text), expected);
    }
}
