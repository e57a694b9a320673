//! Rows read from a file but not yet written: facts about its lines, in file order.

use crate::hashed_key::HashedKeys;
use crate::line_states::LineStates;
use crate::linear_history::LinearHistory;
use crate::prompts::PromptCounter;
use crate::source::Stamp;
use crate::text::TextReader;
use jiff::Timestamp;
use std::collections::HashMap;
use std::ops::Range;
use store::{Checkpoint, LargeLine, SessionMetadata};
use transcript::Role;

/// The kind of a block; finer than its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockKind {
    /// A prompt that a person typed.
    Prompt,
    /// An answer of the model.
    Answer,
    /// The model's thinking.
    Thinking,
    /// A tool call.
    Call,
    /// A tool's result.
    Result,
    /// A tool's output in a separate file.
    Output,
    /// A plan.
    Plan,
    /// A summary that replaces compacted messages.
    Summary,
    /// A note of Claude Code, or text it added to the context.
    Note,
    /// A title or tag.
    Title,
    /// A call of annals itself, or its result.
    Recall,
}

impl BlockKind {
    /// All of them.
    pub const ALL: [BlockKind; 11] = [
        BlockKind::Prompt,
        BlockKind::Answer,
        BlockKind::Thinking,
        BlockKind::Call,
        BlockKind::Result,
        BlockKind::Output,
        BlockKind::Plan,
        BlockKind::Summary,
        BlockKind::Note,
        BlockKind::Title,
        BlockKind::Recall,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Prompt => "prompt",
            BlockKind::Answer => "answer",
            BlockKind::Thinking => "thinking",
            BlockKind::Call => "call",
            BlockKind::Result => "result",
            BlockKind::Output => "output",
            BlockKind::Plan => "plan",
            BlockKind::Summary => "summary",
            BlockKind::Note => "note",
            BlockKind::Title => "title",
            BlockKind::Recall => "recall",
        }
    }
}

/// Role, kind and flags of a block; stored as one packed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockClass {
    /// Its role.
    pub role: Role,
    /// Its kind.
    pub kind: BlockKind,
    /// Whether it is the result of a failed tool call.
    pub is_error: bool,
    /// Whether it belongs to a sub-agent.
    pub is_agent: bool,
    /// Whether it is a line of a sub-agent that a `progress` record repeats.
    pub is_repeated: bool,
}

fn position<T: PartialEq + Copy>(all: &[T], one: T) -> i64 {
    let position = all.iter().position(|known| *known == one).unwrap_or_default();
    i64::try_from(position).unwrap_or_default()
}

impl BlockClass {
    /// The number of bits of each part.
    const BITS: u32 = 4;

    /// The bit of `is_repeated`.
    pub(crate) const REPEATED: i64 = 4;

    pub(crate) fn number(self) -> i64 {
        let flags = i64::from(self.is_error)
            | i64::from(self.is_agent) << 1
            | i64::from(self.is_repeated) << 2;
        flags
            | BlockClass::role_number(self.role) << Self::BITS
            | position(&BlockKind::ALL, self.kind) << (2 * Self::BITS)
    }

    /// The number of a role, before shifting.
    pub(crate) fn role_number(role: Role) -> i64 {
        position(&Role::ALL, role)
    }

    pub(crate) fn of(number: i64) -> BlockClass {
        let part = |shift: u32| usize::try_from((number >> shift) & 15).unwrap_or_default();
        BlockClass {
            role: Role::ALL.get(part(Self::BITS)).copied().unwrap_or(Role::System),
            kind: BlockKind::ALL.get(part(2 * Self::BITS)).copied().unwrap_or(BlockKind::Note),
            is_error: number & 1 != 0,
            is_agent: number & 2 != 0,
            is_repeated: number & BlockClass::REPEATED != 0,
        }
    }
}

/// The number of a name: a text that occurs often in the rows of a part.
pub(crate) type NameNumber = u32;

/// A block of a line.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    /// Its position among the texts of its line.
    pub(crate) number: u32,
    /// Its position among the blocks of the message.
    pub(crate) block: usize,
    /// Milliseconds.
    pub(crate) time: Option<i64>,
    pub(crate) class: BlockClass,
    pub(crate) tool: Option<NameNumber>,
    pub(crate) model: Option<NameNumber>,
    pub(crate) branch: Option<NameNumber>,
    /// A hash of the call's id, for a call and its result.
    pub(crate) call: Option<i64>,
    /// The number of prompts typed so far, including this one.
    pub(crate) prompt: u64,
    /// Its text's position in the part.
    pub(crate) text: Option<usize>,
}

/// A text, split into words.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) hash: [u8; 16],
    /// Milliseconds; the row id is derived from it.
    pub(crate) time: i64,
    /// The ranges of its words in the part's arena, and of its whole identifiers after
    /// them. Empty if an earlier part has the text (see `SentTexts`).
    pub(crate) words: Range<usize>,
    pub(crate) wholes: Range<usize>,
}

/// The sub-agent that a line belongs to which a progress record repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineAgent {
    pub(crate) offset: u64,
    pub(crate) agent: NameNumber,
    pub(crate) agent_type: Option<NameNumber>,
}

/// A file that a call read or changed.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) offset: u64,
    pub(crate) number: u32,
    pub(crate) path: NameNumber,
    pub(crate) operation: &'static str,
    pub(crate) added: u64,
    pub(crate) removed: u64,
    pub(crate) time: Option<i64>,
    pub(crate) prompt: u64,
}

/// A commit or a pull request.
#[derive(Clone, Debug)]
pub(crate) struct GitActionRow {
    pub(crate) offset: u64,
    pub(crate) number: u32,
    pub(crate) kind: &'static str,
    /// A commit's hash, a pull request's number.
    pub(crate) name: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) branch: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) time: Option<i64>,
    pub(crate) prompt: u64,
}

/// Texts that occur often, numbered, without their secrets: a branch or a path may
/// contain one.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) texts: Vec<String>,
    /// By the text as it was recorded, so that each is masked once.
    numbers: HashMap<String, NameNumber>,
    last: Option<(String, NameNumber)>,
}

impl Names {
    pub(crate) fn add(&mut self, text: &str, reader: &TextReader) -> NameNumber {
        if let Some((last, number)) = &self.last
            && last == text
        {
            return *number;
        }
        let number = self.numbers.get(text).copied().unwrap_or_else(|| {
            let number = NameNumber::try_from(self.texts.len()).unwrap_or(NameNumber::MAX);
            self.texts.push(reader.line_without_secrets(text));
            self.numbers.insert(text.to_owned(), number);
            number
        });
        self.last = Some((text.to_owned(), number));
        number
    }
}

/// The rows of a section of a file, written in one piece.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The file's position among the sources.
    pub(crate) source: usize,
    /// Rows from this offset on are deleted first.
    pub(crate) retract: Option<u64>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) texts: Vec<Text>,
    /// The positions of texts, by hash.
    pub(crate) known: HashMap<[u8; 16], usize, HashedKeys>,
    pub(crate) arena: String,
    pub(crate) names: Names,
    pub(crate) touches: Vec<Touch>,
    pub(crate) line_agents: Vec<LineAgent>,
    pub(crate) git_actions: Vec<GitActionRow>,
    /// How far the file has been read after this part.
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) provisional: bool,
    /// The records of prompts up to here.
    pub(crate) prompts: PromptCounter,
    /// The number of the session's turns, if this is the last part of its transcript.
    pub(crate) turns: Option<u32>,
    /// The states of the lines, if this is the last part and the history does not tell
    /// them.
    pub(crate) line_states: Option<LineStates>,
    /// The number of bytes read for it.
    pub(crate) bytes: u64,
    /// Distinguishes the values of its session that are masked in it; `None` if there are
    /// none.
    pub(crate) masked: Option<[u8; 16]>,
    /// The file's stamp, if this is its last part.
    pub(crate) stamp: Option<Stamp>,
    /// The session's metadata from its head and tail, if this is its last part.
    pub(crate) metadata: Option<Box<SessionMetadata>>,
    /// The name of the session's plan, or of this plan.
    pub(crate) slug: Option<String>,
    /// The sub-agent's type, from the file next to its transcript.
    pub(crate) agent_type: Option<String>,
    /// The history of its lines so far, if it is linear.
    pub(crate) history: Option<LinearHistory>,
    /// Where this reading of the file began.
    pub(crate) read_from: u64,
    /// The lines from there on that were too large to be read, if this is its last part.
    pub(crate) large_lines: Vec<LargeLine>,
    /// The fold of the file's API calls, packed, if this is its last part.
    pub(crate) used: Option<Vec<u8>>,
}

impl Part {
    /// Its approximate memory use in bytes.
    pub(crate) fn memory(&self) -> usize {
        let texts = self.names.texts.len() + self.touches.len() + self.git_actions.len();
        self.arena.len()
            + self.used.as_ref().map_or(0, Vec::len)
            + self.line_states.as_ref().map_or(0, |states| states.as_bytes().len())
            + 2_048
            + texts * 192
            + self.blocks.len() * size_of::<Block>()
            + self.line_agents.len() * size_of::<LineAgent>()
            + self.texts.len() * (size_of::<Text>() + 128)
    }
}

/// A time in milliseconds.
pub(crate) fn milliseconds(time: Option<Timestamp>) -> Option<i64> {
    time.map(Timestamp::as_millisecond)
}
