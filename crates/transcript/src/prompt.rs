//! What a person typed, told from what the app wrote in their name.
//!
//! Claude Code writes much as if the person had said it: results of tools,
//! commands as tags, reminders, notices of interruptions. The rules that tell
//! them apart are the app's own, which is why white space is JavaScript's.

use crate::message::{Block, Content};
use crate::record::{Body, Record};
use std::borrow::Cow;

/// The content of a line that a person wrote into the main conversation.
pub fn typed_content<'r, 'a>(record: &'r Record<'a>) -> Option<&'r Content<'a>> {
    let Body::User(user) = &record.body else { return None };
    let by_person = user.origin_kind.as_deref().is_none_or(|kind| kind == "human");
    if record.envelope.is_sidechain
        || record.envelope.is_meta
        || user.is_compact_summary
        || !by_person
    {
        return None;
    }
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    let content = content.or(user.content.as_ref())?;
    let answers = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
    (!answers).then_some(content)
}

/// What a person typed, from a parsed record: a prompt, a command with its
/// arguments, a shell command; whole, with its lines. `None` for everything
/// else, and for lines of sub-agents.
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

/// The typed part of a text: as it is, a command with its arguments, a shell
/// command; `None` for what the app wrote. The app's tags count only where they
/// begin the text: what a program printed may hold them too.
pub fn typed_text(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let begun = trim(&text);
    if begun.is_empty() {
        return None;
    }
    if is_command(begun)
        && let Some(name) = between(&text, "<command-name>", "</command-name>")
    {
        let arguments = between(&text, "<command-args>", "</command-args>").map_or("", trim);
        let command = format!("{} {arguments}", trim(name));
        return Some(Cow::Owned(command.trim_end().to_owned()));
    }
    if begun.starts_with("<bash-input>")
        && let Some(command) = between(&text, "<bash-input>", "</bash-input>")
    {
        return Some(Cow::Owned(format!("! {}", trim(command))));
    }
    (!is_tagged(begun) && !is_interruption(begun)).then_some(text)
}

/// Whether a text begins as the app writes a command that was typed.
pub fn is_command(text: &str) -> bool {
    ["<command-name>", "<command-message>"].iter().any(|tag| trim(text).starts_with(tag))
}

/// The text between two marks on one line.
pub fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let start = text.find(open)? + open.len();
    let inner = &text[start..start + text[start..].find(close)?];
    // A line end that `.` of a JavaScript pattern does not cross.
    (!inner.contains(['\r', '\u{2028}', '\u{2029}'])).then_some(inner)
}

/// Whether a text begins with a tag of the app: `<lower-case-name` and then
/// white space or `>`.
pub fn is_tagged(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    if !rest.starts_with(|first: char| first.is_ascii_lowercase()) {
        return false;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    rest.starts_with(|next: char| next == '>' || is_space(next))
}

/// Whether a text is the app's note that the person cut the model off.
pub fn is_interruption(text: &str) -> bool {
    text.strip_prefix("[Request interrupted by user").is_some_and(|rest| rest.contains(']'))
}

/// White space as JavaScript trims it.
pub fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// A text without white space around it, as JavaScript trims it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_prompts_keep_their_arguments() {
        let text = "<command-message>x</command-message><command-name>/review</command-name><command-args>12 now</command-args>";
        assert_eq!(typed_text(text.into()).as_deref(), Some("/review 12 now"));
        assert_eq!(
            typed_text("<local-command-stdout>x".into()),
            typed_text("<task-notification>".into())
        );
        assert_eq!(typed_text("two\nlines".into()).as_deref(), Some("two\nlines"));
    }

    #[test]
    fn what_a_program_printed_is_not_typed_whatever_tags_it_holds() {
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
