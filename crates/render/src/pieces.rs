//! What a call of a tool holds, in pieces that pages show each in their way.

use crate::telling::deed_line;
use crate::{bytes, untrusted};
use conversation::{Status, Summary, ToolCall};
use std::borrow::Cow;
use transcript::{Block, Source};

/// A piece of what a tool was asked or answered.
#[derive(Clone, Debug)]
pub(crate) enum Piece<'c> {
    /// Code in a language: a command, arguments.
    Code {
        /// As a fence names it.
        language: &'static str,
        text: Cow<'c, str>,
    },
    /// A unified diff, without the lines that name the file.
    Diff(String),
    /// What the tool put out.
    Output { text: Cow<'c, str>, is_error: bool },
    /// Markdown.
    Prose(Cow<'c, str>),
    /// Things to do: (how far, what).
    Todos(Vec<(&'static str, String)>),
    /// A remark.
    Note(String),
    /// A picture.
    Image(&'c Source<'c>),
}

/// The pieces of a call. `persisted` has the outputs kept in files of their own.
pub(crate) fn pieces<'c>(
    call: &'c ToolCall<'c>,
    persisted: &dyn Fn(&str) -> Option<String>,
) -> Vec<Piece<'c>> {
    let mut pieces = Vec::new();
    let is_error = matches!(call.status(), Status::Error | Status::Interrupted | Status::Denied);
    let answer = call.answer.as_ref();
    let mut has_output = false;
    match call.summary() {
        Summary::Change { diff, .. } if !diff.is_empty() => {
            let hunks = diff.text.splitn(3, '\n').nth(2).unwrap_or_default();
            pieces.push(Piece::Diff(hunks.to_owned()));
            // That it worked is seen in the diff.
            has_output = !is_error;
        }
        Summary::Shell { command, stdout, stderr, deeds, background, .. } => {
            pieces.push(Piece::Code { language: "bash", text: command });
            pieces.extend(deeds.iter().map(|deed| Piece::Note(deed_line(deed))));
            pieces
                .extend(background.map(|task| Piece::Note(format!("in the background as {task}"))));
            let name = answer.and_then(conversation::Answer::persisted);
            let whole = name.and_then(|name| persisted(&name));
            if let Some(whole) = whole {
                pieces.push(Piece::Output { text: whole.into(), is_error: false });
            } else if !stdout.trim().is_empty() {
                pieces.push(Piece::Output { text: stdout, is_error: false });
            }
            if !stderr.trim().is_empty() {
                pieces.push(Piece::Output { text: stderr, is_error: true });
            }
            has_output = true;
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
            has_output = !is_error;
        }
        Summary::Questions(questions) => {
            let asked = questions.iter().map(|asked| {
                let answer = asked.answer.as_deref().unwrap_or("(not answered)");
                ("→", untrusted::line(&format!("{} → {answer}", asked.question)).into_owned())
            });
            pieces.push(Piece::Todos(asked.collect()));
            has_output = !is_error;
        }
        Summary::Plan(plan) => {
            pieces.push(Piece::Prose(plan));
            has_output = !is_error;
        }
        // What was asked is in the title.
        Summary::Read { .. } => {}
        _ => {
            if let Some(input) = &call.input {
                let text = spread(input.as_str());
                pieces.push(Piece::Code { language: "json", text });
            }
        }
    }
    let Some(answer) = answer.filter(|_| !has_output) else { return pieces };
    let name = answer.persisted();
    if let Some(whole) = name.as_deref().and_then(persisted) {
        pieces.push(Piece::Output { text: whole.into(), is_error });
    } else {
        let text = answer.text();
        if !text.trim().is_empty() {
            pieces.push(Piece::Output { text, is_error });
        }
        if let Some(name) = name {
            let size = answer.member("persistedOutputSize").and_then(|size| size.parse().ok());
            let size = size.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
            pieces.push(Piece::Note(format!("kept whole as {name}{size}, which is not here")));
        }
    }
    for block in answer.content.iter().flat_map(transcript::Content::blocks) {
        if let Block::Image(source) = block {
            pieces.push(Piece::Image(source));
        }
    }
    pieces
}

/// JSON with a member a line, where it is not too deep for that.
fn spread(json: &str) -> Cow<'_, str> {
    let value: Result<serde_json::Value, _> = serde_json::from_str(json);
    let spread = value.ok().and_then(|value| serde_json::to_string_pretty(&value).ok());
    spread.map_or(Cow::Borrowed(json), Cow::Owned)
}
