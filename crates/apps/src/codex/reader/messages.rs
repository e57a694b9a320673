//! Messages, reasoning and compactions.

use crate::EntryKind;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::mirrors::Form;
use super::{Done, Position, Reader};
use crate::codex::content::{Part, context_kind, is_image_mark, parts, text_of};
use crate::codex::text::Text;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Reasoning<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Compacted<'a> {
    #[serde(borrow)]
    message: Option<Text<'a>>,
}

/// A message between agents.
#[derive(Deserialize)]
struct Communication<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    author: Option<Text<'a>>,
    #[serde(borrow)]
    recipient: Option<Text<'a>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl Reader {
    /// A message as it was sent to the model or received from it.
    pub(super) fn read_message(&mut self, position: Position, payload: &str) -> Done {
        let message: Message<'_> = serde_json::from_str(payload)?;
        let before = self.session.entries.len();
        let id = message.id.as_deref();
        let parts = message.content.map(parts).unwrap_or_default();
        let attachments: Vec<_> = parts.iter().filter_map(Part::attachment).collect();
        let mut text = String::new();
        for part in parts {
            let Some(part) = part.text else { continue };
            match &*message.role {
                "user" => {
                    if let Some(kind) = context_kind(&part) {
                        self.push_notice(position, id, kind, part.into_string());
                        continue;
                    }
                    if is_image_mark(&part) {
                        continue;
                    }
                    if !text.is_empty() {
                        text.push('\n');
                    }
                }
                "assistant" => {}
                _ if !text.is_empty() => text.push('\n'),
                _ => {}
            }
            text.push_str(&part);
        }
        if !text.trim().is_empty() {
            match &*message.role {
                "user" => self.push_prompt_item(position, id, text),
                "assistant" => self.push_text(position, id, "message", Form::Item, text),
                role => self.push_notice(position, id, role, text),
            }
        }
        for (kind, bytes) in attachments {
            self.push(position, id, EntryKind::Attachment { kind, bytes });
        }
        if self.session.entries.len() == before {
            self.push_silent(position, "message");
        }
        Ok(())
    }

    pub(super) fn read_reasoning(&mut self, position: Position, payload: &str) -> Done {
        let reasoning: Reasoning<'_> = serde_json::from_str(payload)?;
        let summary = reasoning.summary.map(parts).unwrap_or_default();
        let content = reasoning.content.map(parts).unwrap_or_default();
        let texts = summary.iter().chain(&content).filter_map(|part| part.text.as_deref());
        self.push_thinking(position, reasoning.id.as_deref(), "reasoning", Form::Item, texts);
        Ok(())
    }

    pub(super) fn read_compacted(&mut self, position: Position, payload: &str) -> Done {
        let compacted: Compacted<'_> = serde_json::from_str(payload)?;
        let summary = compacted.message.map(Text::into_string).unwrap_or_default();
        self.silence_summary(&summary);
        self.push(position, None, EntryKind::Compaction(summary));
        self.mirrors.is_compacted = true;
        Ok(())
    }

    /// The event that a compaction happened; the line with the summary says the same.
    pub(super) fn push_compaction_event(&mut self, position: Position, kind: &str) {
        if self.mirrors.is_compacted {
            self.push_silent(position, kind);
        } else {
            self.push(position, None, EntryKind::Compaction(String::new()));
        }
        self.mirrors.is_compacted = !self.mirrors.is_compacted;
    }

    /// A message between agents: for a sub-agent, its parent's are prompts.
    pub(super) fn read_communication(&mut self, position: Position, payload: &str) -> Done {
        let message: Communication<'_> = serde_json::from_str(payload)?;
        let id = message.id.as_deref();
        let text = message.content.map(text_of).unwrap_or_default();
        let author = message.author.as_deref().unwrap_or_default();
        let recipient = message.recipient.as_deref().unwrap_or_default();
        let is_from_parent = self.agent_path.as_deref().is_some_and(|path| {
            path == recipient && path.rsplit_once('/').is_some_and(|(parent, _)| parent == author)
        });
        if is_from_parent {
            self.push_single_prompt(position, id, text);
        } else {
            let text = format!("{author} → {recipient}: {text}");
            self.push_notice(position, id, "agent_message", text);
        }
        Ok(())
    }
}
