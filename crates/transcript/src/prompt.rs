//! What the user typed, as opposed to what Claude Code wrote in their name.
//!
//! Claude Code writes many things as `user` records: results of tools, commands
//! in tags, reminders, notes about interruptions. The rules here are those of
//! Claude Code itself, so white space is defined as in JavaScript.
//!
//! Transcripts made of other apps' sessions have prompts that the app itself tells apart from
//! its own texts. They are marked ([`VERBATIM`]), and these rules do not apply to their texts.

use crate::content::{Block, Content};
use crate::record::{Body, Record};
use std::borrow::Cow;

/// The content of a record that the user wrote in the main conversation, by the rule
/// of the official list. [`typed_prompt`] is stricter: the official list also counts
/// what the app sent as a prompt, and attempts of commands.
pub fn typed_content<'r, 'a>(record: &'r Record<'a>) -> Option<&'r Content<'a>> {
    let Body::User(user) = &record.body else { return None };
    if record.envelope.is_sidechain
        || record.envelope.is_meta
        || user.is_compact_summary
        || !is_person(user.origin_kind.as_deref())
    {
        return None;
    }
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    let content = content.or(user.content.as_ref())?;
    let has_result = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
    (!has_result).then_some(content)
}

/// The `promptSource` of a prompt in a transcript made of another app's session: a person typed
/// exactly this text, even if it is blank or looks like a text of Claude Code.
pub const VERBATIM: &str = "verbatim";

/// Whether a record is marked as typed exactly as it is.
fn is_verbatim(record: &Record<'_>) -> bool {
    matches!(&record.body, Body::User(user) if user.is_verbatim())
}

/// Whether a sender is a person, not another agent or a program. Most records name
/// no sender.
fn is_person(sender: Option<&str>) -> bool {
    sender.is_none_or(|kind| kind == "human")
}

/// Whether it is the attempt of a command that changes the conversation itself. Claude
/// Code writes such a command as plain text when it begins, and again, with tags,
/// when it is done.
fn is_attempt(content: &Content<'_>) -> bool {
    let text = match content {
        Content::Text(text) => text,
        Content::Blocks(blocks) => match &blocks[..] {
            [Block::Text(text)] => text,
            _ => return false,
        },
        Content::Members(_) => return false,
    };
    matches!(trim(text).split(is_space).next(), Some("/compact" | "/clear"))
}

/// Whether a person queued a command, not another agent or the app.
pub fn is_queued_by_person(record: &Record<'_>) -> bool {
    let Body::Attachment(attachment) = &record.body else { return true };
    is_person(attachment.origin.as_ref().and_then(|origin| origin.kind.as_deref()))
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
    let is_by_app = matches!(&record.body, Body::User(user)
        if user.prompt_source.as_deref() == Some("system"));
    let is_verbatim = is_verbatim(record);
    if is_by_app || (!is_verbatim && is_attempt(content)) {
        return None;
    }
    let typed = |text: &'r str| {
        let text = Cow::Borrowed(text);
        if is_verbatim { Some(text).filter(|text| !text.is_empty()) } else { typed_text(text) }
    };
    let prompt = match content {
        Content::Text(text) => typed(text),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Block::Text(text) => typed(text),
                Block::Image(_) => Some(Cow::Borrowed("[image]")),
                Block::Document { .. } => Some(Cow::Borrowed("[document]")),
                _ => None,
            });
            texts.reduce(|joined, text| Cow::Owned(format!("{joined}\n{text}")))
        }
        Content::Members(_) => None,
    };
    prompt.or_else(|| is_verbatim.then_some(Cow::Borrowed("")))
}

/// Whether a text of a prompt ([`typed_prompt`]) is what the person typed. Claude Code adds
/// reminders beside it.
pub fn is_typed_part(record: &Record<'_>, text: &str) -> bool {
    is_verbatim(record) || typed_text(Cow::Borrowed(text)).is_some()
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
    fn verbatim_prompts_are_typed_exactly_as_they_are() {
        let texts = [
            "",
            " \n",
            "Count the fish.",
            "<div>why?</div>",
            "<command-name>/x</command-name><command-args>y</command-args>",
            "<bash-input>ls</bash-input>",
            "[Request interrupted by user] really",
            "/compact",
            " /clear now ",
        ];
        for text in texts {
            let quoted = text.replace('\n', "\\n");
            let block = format!(r#"{{"type":"text","text":"{quoted}"}}"#);
            let line = |content: &str| {
                format!(
                    r#"{{"type":"user","promptSource":"verbatim","message":{{"content":{content}}}}}"#
                )
            };
            for content in [format!("\"{quoted}\""), format!("[{block}]")] {
                assert_eq!(typed(&line(&content)).as_deref(), Some(text), "{content}");
            }
            let with_image = typed(&line(&format!(r#"[{block},{{"type":"image"}}]"#)));
            let before = if text.is_empty() { String::new() } else { format!("{text}\n") };
            assert_eq!(with_image, Some(format!("{before}[image]")));
        }
        let note = r#"{"type":"user","promptSource":"verbatim","origin":{"kind":"app"},"message":{"content":"x"}}"#;
        assert_eq!(typed(note), None, "who sent it is decided before");
    }

    fn typed(line: &str) -> Option<String> {
        let record = crate::entries(line.as_bytes()).next().expect("an entry").record;
        typed_prompt(&record).map(Cow::into_owned)
    }

    #[test]
    fn messages_of_agents_and_of_the_app_are_not_typed() {
        let message = r#""message":{"content":"hello"}"#;
        let table = [
            ("", Some("hello")),
            (r#","promptSource":"typed""#, Some("hello")),
            (r#","promptSource":"queued""#, Some("hello")),
            (r#","promptSource":"suggestion_accepted""#, Some("hello")),
            (r#","promptSource":"system""#, None),
            (r#","origin":{"kind":"human"}"#, Some("hello")),
            (r#","origin":{"kind":"peer","from":"uds:x"}"#, None),
            (r#","origin":{"kind":"coordinator"}"#, None),
        ];
        for (more, expected) in table {
            let line = format!(r#"{{"type":"user",{message}{more}}}"#);
            assert_eq!(typed(&line).as_deref(), expected, "{more}");
        }
    }

    #[test]
    fn attempt_of_a_command_is_not_a_second_prompt() {
        let table = [
            ("/compact", None),
            ("/compact keep the names", None),
            (" /clear ", None),
            ("<command-name>/compact</command-name>", Some("/compact")),
            ("/compactor is a word", Some("/compactor is a word")),
            ("what does /compact do?", Some("what does /compact do?")),
        ];
        for (text, expected) in table {
            let line = format!(r#"{{"type":"user","message":{{"content":"{text}"}}}}"#);
            assert_eq!(typed(&line).as_deref(), expected, "{text}");
            let block = format!(
                r#"{{"type":"user","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            );
            assert_eq!(typed(&block).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn commands_of_peers_are_not_queued_by_a_person() {
        let is_by_person = |origin: &str| {
            let line = format!(
                r#"{{"type":"attachment","attachment":{{"type":"queued_command","prompt":"x"{origin}}}}}"#
            );
            let record = crate::entries(line.as_bytes()).next().expect("an entry").record;
            is_queued_by_person(&record)
        };
        assert!(is_by_person("") && is_by_person(r#","origin":{"kind":"human"}"#));
        assert!(!is_by_person(r#","origin":{"kind":"peer"}"#));
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
