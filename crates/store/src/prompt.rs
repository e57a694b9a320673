//! First and last prompts as the official list shows them, with exactly its
//! rules.
//!
//! These rules work on the raw head and tail of a file. Whether a parsed record
//! is a person's prompt is decided by `transcript::prompt`.

use crate::needles::{self, has, lines, lines_from_end};
use transcript::prompt::{
    between, is_command, is_interruption, is_space, starts_with_tag, trim, typed_content,
    typed_prompt,
};
use transcript::{Block, Body, Content, Record, User, entries};

/// The longest first prompt, in UTF-16 units, before the official list
/// truncates it.
const LONGEST: usize = 200;

/// The first prompt in the head of a transcript.
pub fn first_prompt(head: &[u8]) -> Option<String> {
    // To the official list, a line with anything before its object is not JSON.
    first_prompt_of(lines(head).filter(|line| line.trim_ascii_start().starts_with(b"{")))
}

/// Like [`first_prompt`], but also from lines whose damage hides them from the
/// official list.
pub(crate) fn first_prompt_behind_damage(head: &[u8]) -> Option<String> {
    first_prompt_of(lines(head))
}

/// The first prompt that a person typed, on one line and cut at a word: commands with
/// their arguments, and never a prompt of a sub-agent. A command without arguments
/// counts only if nothing else was typed: many sessions begin with `/clear`.
pub(crate) fn first_typed(head: &[u8]) -> Option<String> {
    let mut command = None;
    for line in lines(head).filter(|line| may_be_prompt(line)) {
        for entry in entries(line) {
            let Some(typed) = typed_prompt(&entry.record) else { continue };
            let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
            if typed.is_empty() {
                continue;
            }
            let is_bare_command = typed.starts_with('/') && !typed.contains(' ');
            if !is_bare_command {
                return Some(cut_at_word(typed));
            }
            command.get_or_insert(typed);
        }
    }
    command
}

/// Truncates to 200 characters, between words where there are any.
fn cut_at_word(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else { return text };
    let word = text[..end].rfind(' ').filter(|space| *space > end / 2);
    format!("{}…", &text[..word.unwrap_or(end)])
}

fn first_prompt_of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Option<String> {
    let mut command = None;
    for line in lines {
        if !may_be_prompt(line) || is_compact_summary(line) {
            continue;
        }
        for kind in text_kinds(line) {
            match kind {
                TextKind::Prompt(prompt) => return Some(prompt),
                TextKind::Command(name) if command.is_none() && !name.is_empty() => {
                    command = Some(name);
                }
                TextKind::Command(_) | TextKind::Neither => {}
            }
        }
    }
    command
}

/// Whether any line of a tail is a prompt in the sense of [`first_prompt`],
/// commands excluded. Such a prompt cancels an earlier `continued-in`.
pub(crate) fn has_prompt(tail: &[u8]) -> bool {
    lines(tail).any(|line| {
        has(line, &needles::USER)
            && may_be_prompt(line)
            && !is_compact_summary(line)
            && text_kinds(line).iter().any(|kind| matches!(kind, TextKind::Prompt(_)))
    })
}

/// The label of a session without text: its first picture or document.
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
        text_kinds(line).into_iter().rev().find_map(|kind| match kind {
            TextKind::Prompt(prompt) => Some(prompt),
            TextKind::Command(name) => Some(name),
            TextKind::Neither => None,
        })
    })
}

/// Whether a line is a user's, and neither a tool result nor meta text.
/// Searches the raw text, nested or not, because the official list does.
pub(crate) fn may_be_prompt(line: &[u8]) -> bool {
    (has(line, &needles::USER) || has(line, &needles::USER_SPACED))
        && !has(line, &needles::TOOL_RESULT)
        && !has(line, &needles::IS_META)
        && !has(line, &needles::IS_META_SPACED)
}

fn is_compact_summary(line: &[u8]) -> bool {
    has(line, &needles::IS_COMPACT_SUMMARY) || has(line, &needles::IS_COMPACT_SUMMARY_SPACED)
}

/// The kinds of the text blocks of a user line.
fn text_kinds(line: &[u8]) -> Vec<TextKind> {
    let mut parsed = entries(line);
    let (Some(entry), None) = (parsed.next(), parsed.next()) else { return Vec::new() };
    let Body::User(user) = &entry.record.body else { return Vec::new() };
    if entry.record.envelope.is_meta || user.is_compact_summary {
        return Vec::new();
    }
    match user.message.as_ref().and_then(|message| message.content.as_ref()) {
        Some(Content::Text(text)) => vec![classify(user, text)],
        Some(Content::Blocks(blocks)) => blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text(text) => Some(classify(user, text)),
                _ => None,
            })
            .collect(),
        Some(Content::Members(_)) | None => Vec::new(),
    }
}

enum TextKind {
    /// A person's prompt.
    Prompt(String),
    /// The name of a slash command.
    Command(String),
    /// Text that Claude Code wrote.
    Neither,
}

fn classify(user: &User<'_>, text: &str) -> TextKind {
    let text = text.replace('\n', " ");
    let text = trim(&text);
    if text.is_empty() {
        return TextKind::Neither;
    }
    if user.is_verbatim() {
        return TextKind::Prompt(cut(text));
    }
    // Claude Code accepts these tags anywhere; inside program output they are
    // not a person's words.
    if starts_with_tag(text) && !is_command(text) && !text.starts_with("<bash-input>") {
        return TextKind::Neither;
    }
    if let Some(name) = between(text, "<command-name>", "</command-name>") {
        return TextKind::Command(name.to_owned());
    }
    if let Some(command) = between(text, "<bash-input>", "</bash-input>") {
        return TextKind::Prompt(format!("! {}", trim(command)));
    }
    if starts_with_tag(text) || is_interruption(text) {
        return TextKind::Neither;
    }
    TextKind::Prompt(cut(text))
}

/// Truncates to 200 UTF-16 units without splitting a character.
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

/// Whether a record is a person's prompt, commands excluded. Such a prompt
/// undoes archiving.
pub(crate) fn is_person_prompt(record: &Record<'_>) -> bool {
    let Some(content) = typed_content(record) else { return false };
    let Body::User(user) = &record.body else { return false };
    if user.is_visible_in_transcript_only || user.tool_use_result.is_some() {
        return false;
    }
    match content {
        Content::Text(text) => matches!(classify(user, text), TextKind::Prompt(_)),
        Content::Blocks(blocks) => blocks.iter().any(|block| match block {
            Block::Text(text) => matches!(classify(user, text), TextKind::Prompt(_)),
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
    fn text_that_is_marked_as_typed_is_a_prompt() {
        for text in ["<div>why?</div>", "<command-name>/x</command-name>", "/clear"] {
            let line = serde_json::json!({"type": "user", "promptSource": "verbatim",
                "message": {"content": text}});
            let line = line.to_string();
            assert_eq!(first_prompt(line.as_bytes()).as_deref(), Some(text));
            assert_eq!(last_prompt(line.as_bytes()).as_deref(), Some(text));
            let record = entries(line.as_bytes()).next().expect("an entry").record;
            assert!(is_person_prompt(&record));
        }
    }

    #[test]
    fn first_prompts_exclude_text_written_by_the_app() {
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
    fn first_typed_prompt_is_neither_an_agents_nor_a_bare_command() {
        let line = |members: &str, text: &str| {
            let text = serde_json::Value::from(text);
            format!("{{\"type\":\"user\",{members}\"message\":{{\"content\":{text}}}}}\n")
        };
        let command = |name: &str, arguments: &str| {
            format!("<command-name>{name}</command-name><command-args>{arguments}</command-args>")
        };
        let agent = line("\"isSidechain\":true,", "Count the crabs");
        let clear = line("", &command("/clear", ""));
        let review = line("", &command("/review", "the\n tides"));
        let prompt = line("", "Salt\nand  water");
        let table = [
            (agent.clone(), None),
            (agent.clone() + &prompt, Some("Salt and water")),
            (clear.clone(), Some("/clear")),
            (clear.clone() + &prompt, Some("Salt and water")),
            (clear + &review + &prompt, Some("/review the tides")),
        ];
        for (head, expected) in table {
            assert_eq!(first_typed(head.as_bytes()).as_deref(), expected, "{head}");
        }
        assert_eq!(first_prompt(agent.as_bytes()).as_deref(), Some("Count the crabs"));
        let long = first_typed(line("", &"salty ".repeat(50)).as_bytes());
        assert_eq!(long, Some(format!("{}…", "salty ".repeat(33).trim_end())));
        let longest = first_typed(line("", &"x".repeat(201)).as_bytes());
        assert_eq!(longest, Some(format!("{}…", "x".repeat(200))));
    }

    #[test]
    fn first_prompts_are_truncated_by_utf16_units() {
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
