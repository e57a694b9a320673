//! What the user typed, as opposed to what Claude Code wrote in their name.
//!
//! Claude Code writes many things as `user` records: results of tools, commands
//! in tags, reminders, notes about interruptions. The rules here are those of
//! Claude Code itself, so white space is defined as in JavaScript.

use crate::content::{Block, Content};
use crate::record::{Body, Record};
use std::borrow::Cow;

/// The content of a record that the user wrote in the main conversation.
pub fn typed_content<'r, 'a>(record: &'r Record<'a>) -> Option<&'r Content<'a>> {
    let Body::User(user) = &record.body else { return None };
    let is_from_user = user.origin_kind.as_deref().is_none_or(|kind| kind == "human");
    if record.envelope.is_sidechain
        || record.envelope.is_meta
        || user.is_compact_summary
        || !is_from_user
    {
        return None;
    }
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    let content = content.or(user.content.as_ref())?;
    let has_result = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
    (!has_result).then_some(content)
}

/// What the user typed: a prompt, a command with its arguments, or a shell
/// command, complete with all lines. `None` for every other record, and for
/// records of sub-agents.
///
/// ```
/// use transcript::{entries, prompt::typed_prompt};
///
/// let text = "<command-name>/review</command-name><command-args>12</command-args>";
/// let line = format!(r#"{{"type":"user","message":{{"content":"{text}"}}}}"#);
/// let record = entries(line.as_bytes()).next().unwrap().record;
/// assert_eq!(typed_prompt(&record).as_deref(), Some("/review 12"));
/// ```
pub fn typed_prompt<'r>(record: &'r Record<'_>) -> Option<Cow<'r, str>> {
    let content = typed_content(record)?;
    match content {
        Content::Text(text) => typed_text(Cow::Borrowed(text)),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Block::Text(text) => typed_text(Cow::Borrowed(text)),
                Block::Image(_) => Some(Cow::Borrowed("[image]")),
                Block::Document { .. } => Some(Cow::Borrowed("[document]")),
                _ => None,
            });
            texts.reduce(|joined, text| Cow::Owned(format!("{joined}\n{text}")))
        }
        Content::Members(_) => None,
    }
}

/// The typed part of a text: the text itself, a command with its arguments, or a
/// shell command. `None` for text of Claude Code. Its tags count only at the
/// start of the text, because the output of a program can contain them too.
pub fn typed_text(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let trimmed = trim(&text);
    if trimmed.is_empty() {
        return None;
    }
    if is_command(trimmed)
        && let Some(name) = between(&text, "<command-name>", "</command-name>")
    {
        let arguments = between(&text, "<command-args>", "</command-args>").map_or("", trim);
        let command = format!("{} {arguments}", trim(name));
        return Some(Cow::Owned(command.trim_end().to_owned()));
    }
    if trimmed.starts_with("<bash-input>")
        && let Some(command) = between(&text, "<bash-input>", "</bash-input>")
    {
        return Some(Cow::Owned(format!("! {}", trim(command))));
    }
    (!starts_with_tag(trimmed) && !is_interruption(trimmed)).then_some(text)
}

/// Whether a text starts as Claude Code writes a typed command.
pub fn is_command(text: &str) -> bool {
    ["<command-name>", "<command-message>"].iter().any(|tag| trim(text).starts_with(tag))
}

/// The text between two markers on one line.
pub fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let start = text.find(open)? + open.len();
    let inner = &text[start..start + text[start..].find(close)?];
    // Line ends that `.` of a JavaScript pattern does not match.
    (!inner.contains(['\r', '\u{2028}', '\u{2029}'])).then_some(inner)
}

/// Whether a text starts with a tag of Claude Code: `<lower-case-name`, followed
/// by white space or `>`.
pub fn starts_with_tag(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    if !rest.starts_with(|first: char| first.is_ascii_lowercase()) {
        return false;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    rest.starts_with(|next: char| next == '>' || is_space(next))
}

/// Whether a text is Claude Code's note that the user interrupted the model.
pub fn is_interruption(text: &str) -> bool {
    text.strip_prefix("[Request interrupted by user").is_some_and(|rest| rest.contains(']'))
}

/// Whether JavaScript trims this character as white space.
pub fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// Trims white space at both ends, as JavaScript does.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_commands_keep_their_arguments() {
        let text = "<command-message>x</command-message><command-name>/review</command-name><command-args>12 now</command-args>";
        assert_eq!(typed_text(text.into()).as_deref(), Some("/review 12 now"));
        assert_eq!(
            typed_text("<local-command-stdout>x".into()),
            typed_text("<task-notification>".into())
        );
        assert_eq!(typed_text("two\nlines".into()).as_deref(), Some("two\nlines"));
    }

    #[test]
    fn program_output_is_not_typed_even_with_command_tags() {
        let table = [
            ("<local-command-stdout><command-name>/x</command-name></local-command-stdout>", None),
            ("<bash-stdout><bash-input>rm</bash-input></bash-stdout>", None),
            ("<task-notification>\n<command-name>/x</command-name>", None),
            ("<system-reminder> <bash-input>rm</bash-input>", None),
            (
                "what is <command-name>/x</command-name>?",
                Some("what is <command-name>/x</command-name>?"),
            ),
            ("\n <bash-input> ls </bash-input>", Some("! ls")),
            ("\u{feff}<command-name>/x</command-name>", Some("/x")),
        ];
        for (text, expected) in table {
            assert_eq!(typed_text(text.into()).as_deref(), expected, "{text}");
        }
    }
}
