//! What reading a file gives, before it is written: facts of lines, in file
//! order.

use crate::linear_history::LinearHistory;
use crate::source::Stamp;
use jiff::Timestamp;
use std::collections::HashMap;
use std::ops::Range;
use store::{Checkpoint, SessionMetadata};
use transcript::Role;

/// What a block is, finer than its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What a person typed.
    Prompt,
    /// What the model said.
    Answer,
    /// What it thought.
    Thinking,
    /// A call of a tool.
    Call,
    /// What a tool answered.
    Result,
    /// A tool's output in a file of its own.
    Output,
    /// A plan.
    Plan,
    /// What stands for messages that were compacted.
    Summary,
    /// What the app noted or put into the context.
    Note,
    /// A name or tag.
    Title,
    /// A call of annals itself, or its answer.
    Recall,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::Prompt,
        Kind::Answer,
        Kind::Thinking,
        Kind::Call,
        Kind::Result,
        Kind::Output,
        Kind::Plan,
        Kind::Summary,
        Kind::Note,
        Kind::Title,
        Kind::Recall,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Prompt => "prompt",
            Kind::Answer => "answer",
            Kind::Thinking => "thinking",
            Kind::Call => "call",
            Kind::Result => "result",
            Kind::Output => "output",
            Kind::Plan => "plan",
            Kind::Summary => "summary",
            Kind::Note => "note",
            Kind::Title => "title",
            Kind::Recall => "recall",
        }
    }
}

/// Role, kind and flags of a block as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct What {
    /// Who said it.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// Whether it is the answer of a tool that failed.
    pub is_error: bool,
    /// Whether it belongs to a sub-agent.
    pub is_agent: bool,
}

fn place<T: PartialEq + Copy>(all: &[T], one: T) -> i64 {
    let place = all.iter().position(|known| *known == one).unwrap_or_default();
    i64::try_from(place).unwrap_or_default()
}

impl What {
    /// How many bits each part has.
    const BITS: u32 = 4;

    pub(crate) fn number(self) -> i64 {
        let flags = i64::from(self.is_error) | i64::from(self.is_agent) << 1;
        flags
            | What::role_number(self.role) << Self::BITS
            | place(&Kind::ALL, self.kind) << (2 * Self::BITS)
    }

    /// The role's part of a number.
    pub(crate) fn role_number(role: Role) -> i64 {
        place(&Role::ALL, role)
    }

    pub(crate) fn of(number: i64) -> What {
        let part = |shift: u32| usize::try_from((number >> shift) & 15).unwrap_or_default();
        What {
            role: Role::ALL.get(part(Self::BITS)).copied().unwrap_or(Role::System),
            kind: Kind::ALL.get(part(2 * Self::BITS)).copied().unwrap_or(Kind::Note),
            is_error: number & 1 != 0,
            is_agent: number & 2 != 0,
        }
    }
}

/// A text that occurs again and again in the rows of a part, by its number.
pub(crate) type NameNumber = u32;

/// A block of a line.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    /// Its place among the texts of its line.
    pub(crate) number: u32,
    /// Its place among the blocks of the message.
    pub(crate) block: usize,
    /// Milliseconds.
    pub(crate) time: Option<i64>,
    pub(crate) what: What,
    pub(crate) tool: Option<NameNumber>,
    pub(crate) model: Option<NameNumber>,
    pub(crate) branch: Option<NameNumber>,
    /// A hash of the call's id, for a call and its answer.
    pub(crate) call: Option<i64>,
    /// How many prompts were typed before, this one included.
    pub(crate) prompt: u64,
    /// Its text's place in the part.
    pub(crate) text: Option<usize>,
}

/// A text, as its words.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) hash: [u8; 16],
    /// Milliseconds; what the row's number is made from.
    pub(crate) time: i64,
    /// Where its words stand in the part's arena, and its wholes behind them.
    pub(crate) words: Range<usize>,
    pub(crate) wholes: Range<usize>,
}

/// How a call touched a file.
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
pub(crate) struct Deed {
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

/// Texts that occur again and again, numbered.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) texts: Vec<String>,
    numbers: HashMap<String, NameNumber>,
    last: Option<NameNumber>,
}

impl Names {
    pub(crate) fn add(&mut self, text: &str) -> NameNumber {
        if let Some(last) = self.last
            && self.texts[last as usize] == text
        {
            return last;
        }
        let number = self.numbers.get(text).copied().unwrap_or_else(|| {
            let number = NameNumber::try_from(self.texts.len()).unwrap_or(NameNumber::MAX);
            self.texts.push(text.to_owned());
            self.numbers.insert(text.to_owned(), number);
            number
        });
        self.last = Some(number);
        number
    }
}

/// A stretch of a file, read: what is written in one piece.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The file's place among those to read.
    pub(crate) source: usize,
    /// Rows from this offset on are taken back first.
    pub(crate) retract: Option<u64>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) texts: Vec<Text>,
    /// The places of texts, by what they are told by.
    pub(crate) known: HashMap<[u8; 16], usize>,
    pub(crate) arena: String,
    pub(crate) names: Names,
    pub(crate) touches: Vec<Touch>,
    pub(crate) deeds: Vec<Deed>,
    /// How far the file is read after this part.
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) provisional: bool,
    /// How many prompts were typed up to here.
    pub(crate) prompts: u64,
    /// How many bytes were read for it.
    pub(crate) bytes: u64,
    /// How the file looked, if this is its last part.
    pub(crate) stamp: Option<Stamp>,
    /// What its head and tail tell, of a session's last part.
    pub(crate) facts: Option<Box<SessionMetadata>>,
    /// What a plan of it would be called, or a plan is.
    pub(crate) slug: Option<String>,
    /// The type of the sub-agent, as it is written beside its transcript.
    pub(crate) agent_type: Option<String>,
    /// How its lines follow each other, if they plainly do.
    pub(crate) history: Option<LinearHistory>,
    /// What the file used, packed; of its last part.
    pub(crate) used: Option<Vec<u8>>,
}

impl Part {
    /// About how much memory it takes.
    pub(crate) fn memory(&self) -> usize {
        let texts = self.names.texts.len() + self.touches.len() + self.deeds.len();
        self.arena.len()
            + self.used.as_ref().map_or(0, Vec::len)
            + 2_048
            + texts * 192
            + self.blocks.len() * size_of::<Block>()
            + self.texts.len() * (size_of::<Text>() + 128)
    }
}

/// A time in milliseconds.
pub(crate) fn milliseconds(time: Option<Timestamp>) -> Option<i64> {
    time.map(Timestamp::as_millisecond)
}
