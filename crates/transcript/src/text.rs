//! The searchable text of a record, defined once for index, search and export.
//!
//! It consists of decoded string values, never raw JSON, without base64 and
//! without repetition: the structured `toolUseResult` of a tool repeats its result
//! block, so only the block counts.

use crate::content::{Block, Content, ToolResult};
use crate::json;
use crate::record::{Body, Record};
use crate::value::Json;
use std::borrow::Cow;

/// The text of one block of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockText<'r> {
    /// The number of the block; 0 if the content is not a list of blocks.
    pub block: usize,
    /// The text of the block.
    pub text: Cow<'r, str>,
}

/// The searchable text of a record, block by block, without blocks that have
/// none.
///
/// ```
/// let line = concat!(
///     r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Listing:"},"#,
///     r#"{"type":"tool_use","name":"Bash","input":{"command":"ls -a"}}]}}"#,
/// );
/// let record = transcript::entries(line.as_bytes()).next().unwrap().record;
/// let texts = transcript::text::of_record(&record);
/// assert_eq!(texts[0].text, "Listing:");
/// assert_eq!((texts[1].block, &*texts[1].text), (1, "Bash\nls -a"));
/// ```
pub fn of_record<'r>(record: &'r Record<'_>) -> Vec<BlockText<'r>> {
    let mut texts = Vec::new();
    let mut add = |block, text: Cow<'r, str>| {
        if !text.is_empty() {
            texts.push(BlockText { block, text });
        }
    };
    if let Some(content) = record.message().and_then(|message| message.content.as_ref()) {
        each_block(content, &mut add);
    }
    match &record.body {
        Body::User(user) => {
            if let Some(content) = &user.content {
                each_block(content, &mut add);
            }
        }
        Body::Assistant(assistant) => {
            if let Some(content) = &assistant.content {
                each_block(content, &mut add);
            }
        }
        Body::System(system) => {
            if let Some(content) = &system.content {
                each_block(content, &mut add);
            }
        }
        Body::QueueOperation(operation) => {
            if let Some(content) = &operation.content {
                each_block(content, &mut add);
            }
        }
        Body::Attachment(attachment) => {
            if let Some(prompt) = &attachment.prompt {
                each_block(prompt, &mut add);
            }
            let texts =
                [&attachment.stdout, &attachment.stderr, &attachment.snippet, &attachment.text];
            let mut joined = Joined::default();
            if let Some(content) = &attachment.content {
                joined.json(content);
            }
            for text in texts.into_iter().flatten() {
                joined.push(Cow::Borrowed(text));
            }
            add(0, joined.finish());
        }
        Body::Summary { summary, .. } => add(0, borrowed(summary.as_deref())),
        Body::CustomTitle(text) | Body::AiTitle(text) | Body::Tag(text) | Body::AgentName(text) => {
            add(0, borrowed(text.as_deref()));
        }
        Body::LastPrompt(last) => add(0, borrowed(last.prompt.as_deref())),
        Body::PrLink { url, .. } => add(0, borrowed(url.as_deref())),
        Body::Tool { content, name, input, output, .. } => {
            if let Some(content) = content {
                each_block(content, &mut add);
            }
            let mut joined = Joined::default();
            joined.push(borrowed(name.as_deref()));
            for json in [input, output].into_iter().flatten() {
                joined.json(json);
            }
            add(0, joined.finish());
        }
        _ => {}
    }
    texts
}

/// The searchable text of one block.
pub fn of_block<'r>(block: &'r Block<'_>) -> Cow<'r, str> {
    match block {
        Block::Text(text) => Cow::Borrowed(text),
        Block::Thinking { thinking, .. } => Cow::Borrowed(thinking),
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            of_call(call.name.as_deref(), call.input.as_ref().map(Json::as_str))
        }
        Block::ToolResult(result) | Block::ServerToolResult { result, .. } => of_result(result),
        Block::Document { title, source } => {
            let mut joined = Joined::default();
            joined.push(borrowed(title.as_deref()));
            if source.kind.as_deref() == Some("text") {
                joined.push(borrowed(source.data.as_deref()));
            }
            joined.finish()
        }
        Block::ToolReference { name } => borrowed(name.as_deref()),
        Block::Image(_) | Block::RedactedThinking { .. } | Block::Unknown { .. } => {
            Cow::Borrowed("")
        }
    }
}

/// The searchable text of a tool call: the name of the tool and the strings in
/// its JSON arguments.
pub fn of_call<'r>(name: Option<&'r str>, input: Option<&'r str>) -> Cow<'r, str> {
    let mut joined = Joined::default();
    joined.push(borrowed(name));
    joined.values(input.unwrap_or_default());
    joined.finish()
}

fn of_result<'r>(result: &'r ToolResult<'_>) -> Cow<'r, str> {
    let mut joined = Joined::default();
    match &result.content {
        Some(Content::Text(text)) => joined.push(Cow::Borrowed(text)),
        Some(Content::Blocks(blocks)) => {
            for block in blocks {
                joined.push(of_block(block));
            }
        }
        Some(Content::Members(members)) => {
            for (key, value) in members {
                // `type` is not content, and `encrypted_content` is not readable.
                if !matches!(&**key, "type" | "encrypted_content") {
                    joined.json(value);
                }
            }
        }
        None => {}
    }
    joined.finish()
}

fn each_block<'r>(content: &'r Content<'_>, add: &mut impl FnMut(usize, Cow<'r, str>)) {
    match content {
        Content::Text(text) => add(0, Cow::Borrowed(text)),
        Content::Members(members) => {
            let mut joined = Joined::default();
            for (_, value) in members {
                joined.json(value);
            }
            add(0, joined.finish());
        }
        Content::Blocks(blocks) => {
            for (number, block) in blocks.iter().enumerate() {
                add(number, of_block(block));
            }
        }
    }
}

fn borrowed(text: Option<&str>) -> Cow<'_, str> {
    Cow::Borrowed(text.unwrap_or_default())
}

/// Texts joined by newlines; borrowed while there is only one.
#[derive(Default)]
struct Joined<'r>(Cow<'r, str>);

impl<'r> Joined<'r> {
    fn push(&mut self, text: Cow<'r, str>) {
        if text.is_empty() {
            return;
        }
        if self.0.is_empty() {
            self.0 = text;
        } else {
            let joined = self.0.to_mut();
            joined.push('\n');
            joined.push_str(&text);
        }
    }

    fn json(&mut self, json: &'r Json<'_>) {
        self.values(json.as_str());
    }

    fn values(&mut self, json: &'r str) {
        json::string_values(json, |text| {
            if !is_base64(&text) {
                self.push(text);
            }
        });
    }

    fn finish(self) -> Cow<'r, str> {
        self.0
    }
}

/// Whether a text is base64 and not words: long, without spaces, and only of
/// base64 characters.
fn is_base64(text: &str) -> bool {
    const LONG: usize = 256;
    if text.starts_with("data:") && text.as_bytes()[..text.len().min(LONG)].contains(&b',') {
        return text.len() > LONG;
    }
    text.len() >= LONG
        && text.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'\n')
        })
        // A long path or a row of dashes is not base64, which mixes cases and digits.
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::entries;

    fn texts(line: &str) -> Vec<String> {
        let entry = entries(line.as_bytes()).next().expect("an entry");
        of_record(&entry.record)
            .into_iter()
            .map(|piece| format!("{}:{}", piece.block, piece.text))
            .collect()
    }

    #[test]
    fn strings_are_decoded_and_blocks_are_numbered() {
        let line = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a\nb"},{"type":"tool_use","name":"Bash","input":{"command":"ls \"x\"","timeout":5,"more":["y"]}}]}}"#;
        assert_eq!(texts(line), ["0:a\nb", "1:Bash\nls \"x\"\ny"]);
    }

    #[test]
    fn structured_tool_results_are_not_repeated() {
        let line = r#"{"type":"user","toolUseResult":{"stdout":"out"},"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"out"}]}}"#;
        assert_eq!(texts(line), ["0:out"]);
    }

    #[test]
    fn base64_is_left_out() {
        let data = "iVBORw0KGgo".repeat(40);
        let image = format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"image","source":{{"type":"base64","data":"{data}"}}}},{{"type":"text","text":"see"}}]}}}}"#
        );
        assert_eq!(texts(&image), ["1:see"]);
        let input = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","name":"Upload","input":{{"bytes":"{data}","name":"cat.png"}}}}]}}}}"#
        );
        assert_eq!(texts(&input), ["0:Upload\ncat.png"]);
        assert!(!is_base64(&"src/module/".repeat(60)));
    }

    #[test]
    fn text_outside_messages_is_included() {
        assert_eq!(
            texts(r#"{"type":"queue-operation","operation":"enqueue","content":"later"}"#),
            ["0:later"]
        );
        assert_eq!(
            texts(
                r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"also"}}"#
            ),
            ["0:also"]
        );
        assert_eq!(texts(r#"{"type":"custom-title","customTitle":"T"}"#), ["0:T"]);
        assert_eq!(texts(r#"{"type":"mode","mode":"x"}"#), Vec::<String>::new());
    }
}
