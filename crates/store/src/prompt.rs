//! What a session is called by: the official list's rules for prompts, to the
//! letter.
//!
//! They work on the raw head and tail of a file. What a person typed, asked of
//! a parsed record, is `transcript::prompt`'s.

use crate::needles::{self, has, lines, lines_from_end};
use transcript::prompt::{
    between, is_command, is_interruption, is_space, starts_with_tag, trim, typed_content,
};
use transcript::{Block, Body, Content, Record, User, entries};

/// The longest first prompt, in UTF-16 units, as the official list cuts it.
const LONGEST: usize = 200;

/// The first prompt in the head of a transcript.
pub fn first_prompt(head: &[u8]) -> Option<String> {
    // A line with something before its object is no JSON to the official list.
    first_prompt_of(lines(head).filter(|line| line.trim_ascii_start().starts_with(b"{")))
}

/// The same, but also of lines that damage hides from the official list.
pub(crate) fn first_prompt_behind_damage(head: &[u8]) -> Option<String> {
    first_prompt_of(lines(head))
}

fn first_prompt_of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Option<String> {
    let mut command = None;
    for line in lines {
        if !may_be_prompt(line) || is_compact_summary(line) {
            continue;
        }
        for text in said(line) {
            match judge(&text) {
                Judged::Prompt(prompt) => return Some(prompt),
                Judged::Command(name) if command.is_none() && !name.is_empty() => {
                    command = Some(name);
                }
                Judged::Command(_) | Judged::Neither => {}
            }
        }
    }
    command
}

/// Whether any line of a tail is a prompt in the sense of [`first_prompt`],
/// commands aside: what undoes an earlier `continued-in`.
pub(crate) fn has_prompt(tail: &[u8]) -> bool {
    lines(tail).any(|line| {
        has(line, &needles::USER)
            && may_be_prompt(line)
            && !is_compact_summary(line)
            && said(line).iter().any(|text| matches!(judge(text), Judged::Prompt(_)))
    })
}

/// What a session without words is called by: the first picture or document in
/// its head.
pub(crate) fn first_picture(head: &[u8]) -> Option<&'static str> {
    lines(head).filter(|line| may_be_prompt(line)).find_map(|line| {
        if has(line, &needles::IMAGE) || has(line, &needles::IMAGE_SPACED) {
            return Some("Image");
        }
        let document = has(line, &needles::DOCUMENT) || has(line, &needles::DOCUMENT_SPACED);
        document.then_some("Document")
    })
}

/// The last prompt in the tail of a transcript.
pub(crate) fn last_prompt(tail: &[u8]) -> Option<String> {
    lines_from_end(tail).filter(|line| may_be_prompt(line)).find_map(|line| {
        said(line).iter().rev().find_map(|text| match judge(text) {
            Judged::Prompt(prompt) => Some(prompt),
            Judged::Command(name) => Some(name),
            Judged::Neither => None,
        })
    })
}

/// Whether a line is a user's that is neither a tool's answer nor the app's.
/// Looked for in the raw text, nested or not, because the official list does.
pub(crate) fn may_be_prompt(line: &[u8]) -> bool {
    (has(line, &needles::USER) || has(line, &needles::USER_SPACED))
        && !has(line, &needles::TOOL_RESULT)
        && !has(line, &needles::IS_META)
        && !has(line, &needles::IS_META_SPACED)
}

fn is_compact_summary(line: &[u8]) -> bool {
    has(line, &needles::IS_COMPACT_SUMMARY) || has(line, &needles::IS_COMPACT_SUMMARY_SPACED)
}

/// The texts of a user's line.
fn said(line: &[u8]) -> Vec<String> {
    let mut parsed = entries(line);
    let (Some(entry), None) = (parsed.next(), parsed.next()) else { return Vec::new() };
    let Body::User(user) = &entry.record.body else { return Vec::new() };
    if entry.record.envelope.is_meta || user.is_compact_summary {
        return Vec::new();
    }
    match user.message.as_ref().and_then(|message| message.content.as_ref()) {
        Some(Content::Text(text)) => vec![text.to_string()],
        Some(Content::Blocks(blocks)) => blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text(text) => Some(text.to_string()),
                _ => None,
            })
            .collect(),
        Some(Content::Members(_)) | None => Vec::new(),
    }
}

enum Judged {
    /// Something a person said.
    Prompt(String),
    /// A slash command's name.
    Command(String),
    /// Something the app wrote.
    Neither,
}

fn judge(text: &str) -> Judged {
    let text = text.replace('\n', " ");
    let text = trim(&text);
    if text.is_empty() {
        return Judged::Neither;
    }
    // The app finds these anywhere; in what a program printed they are nobody's words.
    if starts_with_tag(text) && !is_command(text) && !text.starts_with("<bash-input>") {
        return Judged::Neither;
    }
    if let Some(name) = between(text, "<command-name>", "</command-name>") {
        return Judged::Command(name.to_owned());
    }
    if let Some(command) = between(text, "<bash-input>", "</bash-input>") {
        return Judged::Prompt(format!("! {}", trim(command)));
    }
    if starts_with_tag(text) || is_interruption(text) {
        return Judged::Neither;
    }
    Judged::Prompt(cut(text))
}

/// Cuts to 200 UTF-16 units without leaving half a character.
fn cut(text: &str) -> String {
    if text.encode_utf16().count() <= LONGEST {
        return text.to_owned();
    }
    let mut units = 0;
    let end = text
        .char_indices()
        .find(|(_, character)| {
            units += character.len_utf16();
            units > LONGEST
        })
        .map_or(text.len(), |(at, _)| at);
    format!("{}…", text[..end].trim_end_matches(is_space))
}

/// Whether a record is a person speaking, commands aside: what undoes
/// archiving.
pub(crate) fn is_said_by_person(record: &Record<'_>) -> bool {
    let Some(content) = typed_content(record) else { return false };
    let aside =
        |user: &User<'_>| user.is_visible_in_transcript_only || user.tool_use_result.is_some();
    if matches!(&record.body, Body::User(user) if aside(user)) {
        return false;
    }
    match content {
        Content::Text(text) => matches!(judge(text), Judged::Prompt(_)),
        Content::Blocks(blocks) => blocks.iter().any(|block| match block {
            Block::Text(text) => matches!(judge(text), Judged::Prompt(_)),
            Block::Image(_) | Block::Document { .. } => true,
            _ => false,
        }),
        Content::Members(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<String> {
        let line = serde_json::json!({"type": "user", "message": {"content": text}}).to_string();
        first_prompt(line.as_bytes())
    }

    #[test]
    fn what_counts_as_a_first_prompt() {
        let table = [
            ("hello", Some("hello")),
            ("  pad \n", Some("pad")),
            ("a\nb", Some("a b")),
            ("\u{feff}x\u{a0}", Some("x")),
            ("<foo>bar", None),
            ("  <foo-bar a=1>x", None),
            ("<foo\n>bar", None),
            ("<f_o>", None),
            ("<Foo>bar", Some("<Foo>bar")),
            ("<f", Some("<f")),
            ("<1a>", Some("<1a>")),
            ("<fo:o>", Some("<fo:o>")),
            ("<foo/>", Some("<foo/>")),
            ("[Request interrupted by user for tool use] go on", None),
            ("[Request interrupted by user", Some("[Request interrupted by user")),
            ("<bash-input>ls\n-la</bash-input>", Some("! ls -la")),
            ("x <bash-input> ls </bash-input> y", Some("! ls")),
            ("<command-name>/foo</command-name>", Some("/foo")),
            ("text <command-name>/z</command-name>", Some("/z")),
            ("<local-command-stdout><command-name>/z</command-name>", None),
            ("<bash-stdout>x <bash-input>ls</bash-input></bash-stdout>", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(first(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn first_prompts_are_cut_by_utf16_units() {
        let table = [
            ("x".repeat(200), "x".repeat(200)),
            ("x".repeat(201), format!("{}…", "x".repeat(200))),
            (format!("{} y", "x".repeat(199)), format!("{}…", "x".repeat(199))),
            (format!("{}😀", "x".repeat(199)), format!("{}…", "x".repeat(199))),
            (format!("{}😀z", "x".repeat(198)), format!("{}😀…", "x".repeat(198))),
        ];
        for (text, expected) in table {
            assert_eq!(first(&text), Some(expected));
        }
    }

    #[test]
    fn commands_are_a_last_resort() {
        let head = concat!(
            r#"{"type":"user","message":{"content":"<command-name>/a</command-name>"}}"#,
            "\n",
            r#"{"type":"user","isMeta":true,"message":{"content":"meta"}}"#,
            "\n",
            r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}"#,
            "\n",
            r#"{"type":"user","isCompactSummary":true,"message":{"content":"sum"}}"#,
            "\n",
            r#"{"type":"user","message":{"content":"real"}}"#,
            "\n",
        );
        assert_eq!(first_prompt(head.as_bytes()).as_deref(), Some("real"));
        let end =
            head.rfind("{\"type\":\"user\",\"message\":{\"content\":\"real").unwrap_or_default();
        assert_eq!(first_prompt(&head.as_bytes()[..end]).as_deref(), Some("/a"));
    }
}
