//! The blocks of records with their texts, for those who send them elsewhere.
//!
//! Role, kind, tool and prompt of a block have the meaning they have in the index (`read.rs`).
//! Words are split by the same function, so that another engine finds with them what a search
//! here finds.

use crate::block_kind::kind_of;
use crate::hashed_key::HashedKeys;
use crate::rows::BlockKind;
use crate::text::{beginning, without_placeholders};
use crate::words::{WordSink, split};
use conversation::recall::is_recall;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use transcript::{Block as Content, Record, Role, prompt, role, text};

/// A block of a record.
#[derive(Clone, Debug)]
pub struct ScannedBlock<'r> {
    /// Its place among the blocks of the message.
    pub block: usize,
    /// Its role.
    pub role: Role,
    /// Its kind.
    pub kind: BlockKind,
    /// The tool of a call or a result.
    pub tool: Option<String>,
    /// Whether it is the result of a failed tool call.
    pub is_error: bool,
    /// Its text; empty for a call or a result without one.
    pub text: Cow<'r, str>,
}

/// Reads the blocks of a transcript, record by record.
#[derive(Clone, Debug, Default)]
pub struct BlockScan {
    /// By the call's id: the tool, and whether it called annals itself.
    calls: HashMap<String, (String, bool)>,
    /// How many prompts were typed so far.
    pub prompts: u64,
}

impl BlockScan {
    /// The blocks of the next record.
    pub fn blocks<'r>(&mut self, record: &'r Record<'_>) -> Vec<ScannedBlock<'r>> {
        let is_typed = prompt::typed_prompt(record).is_some();
        self.prompts += u64::from(is_typed);
        let mut blocks: Vec<ScannedBlock<'r>> = Vec::new();
        for piece in text::of_record(record) {
            let found = role::of_block(record, piece.block);
            blocks.push(ScannedBlock {
                block: piece.block,
                role: found.role,
                kind: kind_of(record, found.role, is_typed, &piece.text),
                tool: found.tool.map(Cow::into_owned),
                is_error: false,
                text: piece.text,
            });
        }
        let contents = record.message().map(transcript::Message::blocks).unwrap_or_default();
        for (number, content) in contents.iter().enumerate() {
            match content {
                Content::ToolUse(call) | Content::ServerToolUse(call) => {
                    let tool = call.name.as_deref().unwrap_or_default();
                    let is_recall = is_recall(tool, call.input.as_ref());
                    let row = row(&mut blocks, number, Role::ToolUse);
                    row.kind = if is_recall { BlockKind::Recall } else { BlockKind::Call };
                    row.tool = Some(tool.to_owned()).filter(|tool| !tool.is_empty());
                    if let Some(id) = &call.id {
                        self.calls.insert(id.to_string(), (tool.to_owned(), is_recall));
                    }
                }
                Content::ToolResult(result) | Content::ServerToolResult { result, .. } => {
                    let id = result.tool_use_id.as_ref().map(ToString::to_string);
                    let call = id.and_then(|id| self.calls.get(&id));
                    let row = row(&mut blocks, number, Role::ToolResult);
                    let is_recall = call.is_some_and(|(_, is_recall)| *is_recall);
                    row.kind = if is_recall { BlockKind::Recall } else { BlockKind::Result };
                    row.is_error = result.is_error;
                    row.tool = call.map(|(tool, _)| tool.clone()).filter(|tool| !tool.is_empty());
                }
                _ => {}
            }
        }
        blocks
    }
}

/// The block with this place and role; created if it has no text.
fn row<'b, 'r>(
    blocks: &'b mut Vec<ScannedBlock<'r>>,
    number: usize,
    role: Role,
) -> &'b mut ScannedBlock<'r> {
    let known = blocks.iter().position(|block| block.block == number && block.role == role);
    let place = known.unwrap_or(blocks.len());
    if known.is_none() {
        blocks.push(ScannedBlock {
            block: number,
            role,
            kind: BlockKind::Note,
            tool: None,
            is_error: false,
            text: Cow::Borrowed(""),
        });
    }
    &mut blocks[place]
}

/// Collects the words of a text, each once.
#[derive(Clone, Debug, Default)]
pub struct DistinctWords {
    words: String,
    /// Where the word with a hash is. Two words with one hash may come twice.
    places: HashMap<u64, Range<usize>, HashedKeys>,
}

impl DistinctWords {
    /// The words of a masked text, separated by spaces: those that a search finds it by.
    /// Placeholders of secrets are not words.
    pub fn of(&mut self, text: &str) -> &str {
        self.words.clear();
        self.places.clear();
        let text = beginning(text);
        if text.contains("[redacted:") {
            split(&without_placeholders(text), self);
        } else {
            split(text, self);
        }
        self.words.trim_end()
    }

    fn add(&mut self, word: &str) {
        let hash = hash(word.as_bytes());
        let known = self.places.get(&hash).is_some_and(|place| self.words[place.clone()] == *word);
        if !known {
            let start = self.words.len();
            self.words.push_str(word);
            self.places.insert(hash, start..self.words.len());
            self.words.push(' ');
        }
    }
}

impl WordSink for DistinctWords {
    fn word(&mut self, _: Range<usize>, word: &str) {
        self.add(word);
    }

    fn whole(&mut self, _: Range<usize>, word: &str) {
        self.add(word);
    }
}

/// A hash of a short text that is quick to compute; nobody is hurt by chosen ones, because
/// words are compared.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(eight)).wrapping_mul(FACTOR);
    }
    // The map uses the low bits, which depend on few of the input's.
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_comes_once_and_placeholders_do_not() {
        let mut words = DistinctWords::default();
        assert_eq!(words.of("Foo foo_bar [redacted:github-token:d768] bar"), "foo bar foobar");
        assert_eq!(words.of("next"), "next");
    }
}
