//! The content of a tool call as pieces, which each export format renders in its own
//! way.

use crate::turn_text::git_action_line;
use crate::{bytes, untrusted};
use conversation::{Summary, ToolCall};
use std::borrow::Cow;
use transcript::{Block, Source, json};

/// A piece of a call's input or result.
#[derive(Clone, Debug)]
pub(crate) enum Piece<'c> {
    /// Code in a language: a command, arguments.
    Code {
        /// The name for a Markdown fence.
        language: &'static str,
        text: Cow<'c, str>,
    },
    /// A unified diff without its file headers.
    Diff(String),
    /// The output of the tool.
    Output { text: Cow<'c, str>, is_error: bool },
    /// Markdown.
    Prose(Cow<'c, str>),
    /// To-do items: (mark, text).
    Todos(Vec<(&'static str, String)>),
    /// A remark by annals.
    Note(String),
    /// An image.
    Image(&'c Source<'c>),
}

/// The pieces of a call. `persisted` returns outputs that were saved in separate files.
pub(crate) fn pieces<'c>(
    call: &'c ToolCall<'c>,
    persisted: &dyn Fn(&str) -> Option<String>,
) -> Vec<Piece<'c>> {
    let mut pieces = Vec::new();
    let is_error = call.status().is_failure();
    let answer = call.answer.as_ref();
    let name = answer.and_then(conversation::Answer::persisted_name);
    let mut whole = name.as_deref().and_then(persisted);
    let is_here = whole.is_some();
    let mut coverage = SummaryCoverage::None;
    match call.summary() {
        Summary::Change { diff, .. } if !diff.is_empty() => {
            let hunks = diff.text.splitn(3, '\n').nth(2).unwrap_or_default();
            pieces.push(Piece::Diff(hunks.to_owned()));
            // The diff shows that it succeeded.
            coverage = if is_error { SummaryCoverage::None } else { SummaryCoverage::All };
        }
        Summary::Shell { command, stdout, stderr, git_actions, background, .. } => {
            pieces.push(Piece::Code { language: "bash", text: command });
            pieces.extend(git_actions.iter().map(|action| Piece::Note(git_action_line(action))));
            pieces
                .extend(background.map(|task| Piece::Note(format!("in the background as {task}"))));
            if let Some(whole) = whole.take() {
                pieces.push(Piece::Output { text: whole.into(), is_error: false });
            } else if !stdout.trim().is_empty() {
                pieces.push(Piece::Output { text: stdout, is_error: false });
            }
            if !stderr.trim().is_empty() {
                pieces.push(Piece::Output { text: stderr, is_error: true });
            }
            coverage = SummaryCoverage::Text;
        }
        Summary::Todos(todos) => {
            let todos = todos.iter().map(|todo| {
                let mark = match &*todo.status {
                    "completed" => "☑",
                    "in_progress" => "▶",
                    _ => "☐",
                };
                (mark, untrusted::line(&todo.text).into_owned())
            });
            pieces.push(Piece::Todos(todos.collect()));
            coverage = if is_error { SummaryCoverage::None } else { SummaryCoverage::All };
        }
        Summary::Questions(questions) => {
            let answers = questions.iter().map(|question| {
                let answer = question.answer.as_deref().unwrap_or("(not answered)");
                ("→", untrusted::line(&format!("{} → {answer}", question.question)).into_owned())
            });
            pieces.push(Piece::Todos(answers.collect()));
            coverage = if is_error { SummaryCoverage::None } else { SummaryCoverage::All };
        }
        Summary::Plan(plan) => {
            pieces.push(Piece::Prose(plan));
            coverage = if is_error { SummaryCoverage::None } else { SummaryCoverage::All };
        }
        // The title has all the arguments.
        Summary::Read { .. } => {}
        _ => {
            if let Some(input) = &call.input {
                let text = pretty_json(input.as_str());
                pieces.push(Piece::Code { language: "json", text });
            }
        }
    }
    let Some(answer) = answer.filter(|_| coverage != SummaryCoverage::All) else { return pieces };
    if coverage == SummaryCoverage::None {
        let text = whole.map_or_else(|| answer.text(), Cow::Owned);
        if is_here || !text.trim().is_empty() {
            pieces.push(Piece::Output { text, is_error });
        }
    }
    if let Some(name) = name.filter(|_| !is_here) {
        let size = answer.member("persistedOutputSize").and_then(|size| size.parse().ok());
        let size = size.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
        pieces.push(Piece::Note(format!("full output in {name}{size}, file missing")));
    }
    for block in answer.content.iter().flat_map(transcript::Content::blocks) {
        if let Block::Image(source) = block {
            pieces.push(Piece::Image(source));
        }
    }
    pieces
}

/// How much of an answer its summary has already shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SummaryCoverage {
    None,
    /// Its text, but not its images.
    Text,
    All,
}

/// The deepest nesting of objects and lists that is indented.
const MAX_DEPTH: usize = 64;

/// JSON with one member per line, unless it is nested too deeply. Only white space
/// between tokens changes: keys keep their order, and numbers their digits.
fn pretty_json(json: &str) -> Cow<'_, str> {
    let mut page = String::with_capacity(json.len() + json.len() / 4);
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(at) =
        rest.find(|sign: char| sign.is_ascii_whitespace() || "{}[],:\"".contains(sign))
    {
        let (before, after) = rest.split_at(at);
        page.push_str(before);
        let sign = after.as_bytes()[0];
        rest = &after[1..];
        match sign {
            b'"' => {
                let end = json::string_end(after.as_bytes(), 0).unwrap_or(after.len());
                page.push_str(&after[..end]);
                rest = &after[end..];
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Cow::Borrowed(json);
                }
                page.push(char::from(sign));
                let inner = rest.trim_ascii_start();
                if inner.starts_with(['}', ']']) {
                    rest = inner;
                } else {
                    push_line(&mut page, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if !page.ends_with(['{', '[']) {
                    push_line(&mut page, depth);
                }
                page.push(char::from(sign));
            }
            b',' => {
                page.push(',');
                push_line(&mut page, depth);
            }
            b':' => page.push_str(": "),
            _ => {}
        }
    }
    page.push_str(rest);
    Cow::Owned(page)
}

/// Starts a line that is indented by `depth` levels.
fn push_line(page: &mut String, depth: usize) {
    page.push('\n');
    page.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;
    use conversation::{Conversation, View};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn arguments_are_indented_without_changing_their_content() {
        let deep = "[".repeat(MAX_DEPTH + 1);
        let table = [
            (
                r#"{"b":1,"a":[true,{}],"b":[ ]}"#,
                "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    {}\n  ],\n  \"b\": []\n}",
            ),
            ("12345678901234567890123", "12345678901234567890123"),
            (r#"{"a,{\"é": "}\\"}"#, "{\n  \"a,{\\\"é\": \"}\\\\\"\n}"),
            (r#"{"a": "never closed"#, "{\n  \"a\": \"never closed"),
            ("]}", "\n]\n}"),
            (&deep, &deep),
        ];
        for (json, expected) in table {
            assert_eq!(pretty_json(json), expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn json_is_indented_like_serde_does(
            keys in proptest::collection::btree_map("\\PC{0,6}", any::<(i64, String)>(), 0..6),
        ) {
            let value = json!({"a": keys, "b": [[], {}, null, [keys]]});
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            let bare = value.to_string();
            prop_assert_eq!(pretty_json(&bare), pretty.as_str());
            prop_assert_eq!(pretty_json(&pretty), pretty.as_str());
        }

        #[test]
        fn invalid_json_is_indented_without_loss(text in any::<String>()) {
            let bare = |text: &str| -> String { text.chars().filter(|c| !c.is_ascii_whitespace()).collect() };
            prop_assert_eq!(bare(&pretty_json(&text)), bare(&text));
        }
    }

    /// The pieces of a command's result, each as its text or a placeholder.
    fn shell(answer: &Value, structured: &Value, persisted_text: Option<&str>) -> Vec<String> {
        let line = |kind: &str, uuid: &str, parent: Value, content: Value| {
            json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s",
                "timestamp": "2026-01-02T03:04:05.000Z",
                "message": {"role": kind, "id": uuid, "content": content}})
        };
        let call =
            json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "sea"}}]);
        let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": answer}]);
        let mut last = line("user", "u3", json!("u2"), result);
        last["toolUseResult"] = structured.clone();
        let lines = [
            line("user", "u1", Value::Null, json!("Go")),
            line("assistant", "u2", json!("u1"), call),
            last,
        ];
        let text = lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n");
        let conversation = Conversation::read(text.as_bytes(), View::App);
        let turns = conversation.all_turns();
        let call = turns.calls.get(0).unwrap();
        let persisted = |_: &str| persisted_text.map(str::to_owned);
        let shown = pieces(call, &persisted).into_iter().map(|piece| match piece {
            Piece::Code { text, .. } | Piece::Output { text, .. } => text.into_owned(),
            Piece::Note(text) => text,
            Piece::Image(_) => "(image)".to_owned(),
            other => format!("{other:?}"),
        });
        shown.collect()
    }

    #[test]
    fn command_mentions_its_persisted_output_and_shows_images() {
        let persisted = json!({"stdout": "begin", "persistedOutputPath": "/x/b1.txt", "persistedOutputSize": 2000});
        let note = "full output in b1.txt (2.0 kB), file missing";
        assert_eq!(shell(&json!("begin"), &persisted, None), ["sea", "begin", note]);
        assert_eq!(shell(&json!("begin"), &persisted, Some("all")), ["sea", "all"]);
        let image = json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]);
        assert_eq!(
            shell(&image, &json!({"stdout": "", "isImage": true}), None),
            ["sea", "(image)"]
        );
    }
}
