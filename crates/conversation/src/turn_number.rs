//! The number of a turn: the one name it has on every surface.
//!
//! A session has one numbering. Turns of the conversation are counted over all
//! generations, so that a compaction renumbers nothing. Turns of an abandoned
//! branch and of an orphaned segment are counted separately, with the number of
//! the branch or segment before them. A sub-agent has a separate numbering.
//!
//! This is the only place that counts prompts. Everything else asks for the number
//! of a line. [`turn_cue`] is public because the index has to know the numbers of
//! transcripts that it does not read as a whole.

use crate::conversation::Conversation;
use crate::graph::{Graph, NodeId};
use crate::node;
use crate::sdk::Message;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use transcript::prompt::{is_interruption, is_queued_by_person, trim, typed_prompt, typed_text};
use transcript::{Block, Body, Content, Record, RecordKind, Uuid};

/// The number of a turn. Turn 0 of each sequence is what comes before its first
/// prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TurnNumber {
    /// A turn of the conversation, over all generations: `12`.
    Main(u32),
    /// A turn of an abandoned branch: `b1.2`.
    Branch {
        /// The branch, from 1.
        branch: u32,
        /// The turn on it.
        turn: u32,
    },
    /// A turn of an orphaned segment: `o1.2`.
    Orphan {
        /// The segment, from 1.
        segment: u32,
        /// The turn in it.
        turn: u32,
    },
}

impl Default for TurnNumber {
    fn default() -> Self {
        TurnNumber::Main(0)
    }
}

impl TurnNumber {
    /// Whether it is the part of the conversation before the first prompt.
    pub fn is_before_first_prompt(self) -> bool {
        self == TurnNumber::Main(0)
    }

    /// The turn within its sequence.
    fn turn(self) -> u32 {
        match self {
            TurnNumber::Main(turn)
            | TurnNumber::Branch { turn, .. }
            | TurnNumber::Orphan { turn, .. } => turn,
        }
    }

    /// Whether it counts a prompt.
    pub fn has_prompt(self) -> bool {
        self.turn() > 0
    }
}

impl fmt::Display for TurnNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            TurnNumber::Main(turn) => turn.to_string(),
            TurnNumber::Branch { branch, turn } => format!("b{branch}.{turn}"),
            TurnNumber::Orphan { segment, turn } => format!("o{segment}.{turn}"),
        };
        formatter.pad(&text)
    }
}

/// A text that is not the number of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTurnNumber(String);

impl fmt::Display for InvalidTurnNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "invalid turn {:?}: use a number such as 12, or b1.2 for turn 2 of abandoned branch 1",
            self.0
        )
    }
}

impl std::error::Error for InvalidTurnNumber {}

impl FromStr for TurnNumber {
    type Err = InvalidTurnNumber;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| InvalidTurnNumber(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<TurnNumber> {
    // A number that is too large is that of a turn that does not exist.
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let pair = |rest: &str| {
        let (of, turn) = rest.split_once('.')?;
        Some((number(of).filter(|of| *of > 0)?, number(turn)?))
    };
    match text.as_bytes().first()? {
        b'b' => pair(&text[1..]).map(|(branch, turn)| TurnNumber::Branch { branch, turn }),
        b'o' => pair(&text[1..]).map(|(segment, turn)| TurnNumber::Orphan { segment, turn }),
        _ => number(text).map(TurnNumber::Main),
    }
}

/// What a line of the conversation means for the numbers of turns, as far as the
/// line alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnCue<'r> {
    /// It begins a turn.
    Prompt,
    /// A command queued while the model worked. It begins a turn if the next other
    /// cue is [`TurnCue::Answer`].
    Command {
        /// The uuid it would have had as a message; it begins no turn if there is such
        /// a message, or another command with this uuid before it.
        source: Option<&'r str>,
    },
    /// The model's line, a result or an interruption: the model has received the
    /// commands before it.
    Answer,
    /// Another line of the user: the model has not received the commands before it.
    Message,
    /// Nothing.
    Nothing,
}

/// What a line means for the numbers of turns, in a session or in a sub-agent's
/// transcript.
pub fn turn_cue<'r>(record: &'r Record<'_>, is_agent: bool) -> TurnCue<'r> {
    match &record.body {
        Body::Assistant(_) => TurnCue::Answer,
        Body::User(user) => {
            let is_answer = user.message.as_ref().is_some_and(|message| {
                message.tool_results().next().is_some()
                    || (!user.is_verbatim() && node::is_interruption(message))
            });
            if is_answer {
                TurnCue::Answer
            } else if prompt_in(record, false, is_agent).is_some() {
                TurnCue::Prompt
            } else if record.envelope.is_meta || user.is_compact_summary {
                TurnCue::Nothing
            } else {
                TurnCue::Message
            }
        }
        Body::Attachment(attachment) if attachment.kind.as_deref() == Some("queued_command") => {
            let is_prompt =
                matches!(attachment.prompt, Some(Content::Text(_) | Content::Blocks(_)))
                    && prompt_in(record, true, is_agent).is_some()
                    && (is_agent || !node::is_meta_command(&String::from_utf8_lossy(record.raw)));
            let source = attachment.source_uuid.as_ref().map(Uuid::as_str);
            let source = source.filter(|uuid| !uuid.is_empty());
            if is_prompt { TurnCue::Command { source } } else { TurnCue::Nothing }
        }
        _ => TurnCue::Nothing,
    }
}

/// The prompt of a shown line: the person's, or the one an agent was started with.
pub(crate) fn prompt_in<'a>(
    record: &Record<'a>,
    is_queued: bool,
    is_agent: bool,
) -> Option<Cow<'a, str>> {
    let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    if is_queued {
        let Body::Attachment(attachment) = &record.body else { return None };
        if !is_queued_by_person(record) {
            return None;
        }
        return typed_text(attachment.prompt.as_ref()?.text()).map(owned);
    }
    if !is_agent {
        return typed_prompt(record).map(owned);
    }
    let Body::User(user) = &record.body else { return None };
    let content = user.message.as_ref()?.content.as_ref()?;
    let answers = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
    let text = content.text();
    let is_prompt = !answers
        && !record.envelope.is_meta
        && !user.is_compact_summary
        && (user.is_verbatim() || !is_interruption(trim(&text)));
    is_prompt.then(|| owned(text))
}

/// The numbers of the lines of one conversation.
#[derive(Clone, Debug, Default)]
pub struct TurnNumbers {
    /// By the indexes of the lines.
    numbers: Vec<Option<TurnNumber>>,
    /// The lines that begin turns.
    prompts: HashSet<NodeId>,
}

impl TurnNumbers {
    fn none(graph: &Graph<'_>) -> Self {
        TurnNumbers { numbers: vec![None; graph.nodes.len()], prompts: HashSet::new() }
    }

    /// The turn that a line belongs to; `None` for lines on no path of the
    /// conversation, such as those of sub-agents.
    pub fn of(&self, id: NodeId) -> Option<TurnNumber> {
        self.numbers.get(id.index()).copied().flatten()
    }

    /// The turn at which each line of a chain is shown: its own. In a generation that
    /// begins with messages of the one before, the compaction and its summary come
    /// first although they are of a later turn; they are shown with those messages, so
    /// that the turns of a chain are in order and each appears once.
    pub(crate) fn along(&self, chain: &[NodeId]) -> Vec<TurnNumber> {
        let mut last = TurnNumber::default();
        let mut shown: Vec<TurnNumber> = chain
            .iter()
            .map(|id| {
                last = self.of(*id).unwrap_or(last);
                last
            })
            .collect();
        let mut next = None;
        for (id, number) in chain.iter().zip(&mut shown).rev() {
            if let (TurnNumber::Main(own), Some(TurnNumber::Main(next))) = (*number, next)
                && !self.prompts.contains(id)
            {
                *number = TurnNumber::Main(own.min(next));
            }
            next = Some(*number);
        }
        shown
    }

    /// The numbers of a chain that is a whole conversation, such as that of an agent
    /// written into the main transcript.
    pub(crate) fn of_chain(
        graph: &Graph<'_>,
        chain: &[NodeId],
        messages: &[Message],
        is_agent: bool,
    ) -> Self {
        let mut numbers = TurnNumbers::none(graph);
        numbers.count(graph, chain, messages, is_agent, TurnNumber::Main);
        numbers
    }

    fn of_conversation(conversation: &Conversation<'_>) -> Self {
        let Conversation { graph, is_agent, .. } = conversation;
        let (chain, messages) = conversation.full_chain();
        let mut numbers = TurnNumbers::of_chain(graph, &chain, &messages, *is_agent);
        for (branch, own) in (1..).zip(&conversation.branches) {
            let mut lines = conversation.lines_of_branch(own);
            lines.retain(|id| numbers.of(*id).is_none());
            let messages = conversation.messages_on(&lines, *is_agent);
            let number = |turn| TurnNumber::Branch { branch, turn };
            numbers.count(graph, &lines, &messages, *is_agent, number);
        }
        for (segment, own) in (1..).zip(&conversation.orphaned_segments) {
            let messages = conversation.messages_on(&own.messages, *is_agent);
            let number = |turn| TurnNumber::Orphan { segment, turn };
            numbers.count(graph, &own.messages, &messages, *is_agent, number);
        }
        // Records of the app after the end of a path belong to its last turn.
        for id in graph.ids().filter(|id| *is_agent || graph.node(*id).is_main()) {
            let turn = graph.parent(id).and_then(|parent| numbers.of(parent));
            let own = &mut numbers.numbers[id.index()];
            *own = own.or(turn);
        }
        numbers
    }

    /// Counts the prompts among the messages of a chain. A line that has a number
    /// keeps it.
    fn count(
        &mut self,
        graph: &Graph<'_>,
        chain: &[NodeId],
        messages: &[Message],
        is_agent: bool,
        number: impl Fn(u32) -> TurnNumber,
    ) {
        let shown: HashMap<NodeId, bool> =
            messages.iter().map(|message| (message.node, message.is_queued)).collect();
        let mut turn: u32 = 0;
        for id in chain {
            let is_prompt =
                shown.get(id).is_some_and(|is_queued| is_prompt(graph, *id, *is_queued, is_agent));
            turn = turn.saturating_add(u32::from(is_prompt));
            self.numbers[id.index()].get_or_insert(number(turn));
            self.prompts.extend(is_prompt.then_some(*id));
        }
    }
}

fn is_prompt(graph: &Graph<'_>, id: NodeId, is_queued: bool, is_agent: bool) -> bool {
    let node = graph.node(id);
    // Most lines are answers of the model and results, which need not be parsed.
    if !is_queued && (node.kind != RecordKind::User || node.is_result) {
        return false;
    }
    let entry = transcript::entries(node.bytes).next();
    entry.is_some_and(|entry| prompt_in(&entry.record, is_queued, is_agent).is_some())
}

impl Conversation<'_> {
    /// The numbers of all lines.
    pub fn turn_numbers(&self) -> &TurnNumbers {
        self.turn_numbers.get_or_init(|| TurnNumbers::of_conversation(self))
    }

    /// The number of turns of the current path, over all generations.
    pub fn last_turn(&self) -> u32 {
        let main = self.turn_numbers().numbers.iter().flatten().filter_map(|number| match number {
            TurnNumber::Main(turn) => Some(*turn),
            TurnNumber::Branch { .. } | TurnNumber::Orphan { .. } => None,
        });
        main.max().unwrap_or(0)
    }

    /// The turn that a line belongs to.
    pub fn turn_of(&self, id: NodeId) -> Option<TurnNumber> {
        self.turn_numbers().of(id)
    }

    /// The turn of the message with a uuid. A queued command has the uuid it would
    /// have had as a message, and its own.
    pub fn turn_of_uuid(&self, uuid: &str) -> Option<TurnNumber> {
        let named = self.graph.find(uuid).and_then(|id| self.turn_of(id));
        named.or_else(|| {
            let is_source = |id: &NodeId| self.graph.node(*id).source_uuid.as_deref() == Some(uuid);
            self.turn_of(self.graph.ids().find(is_source)?)
        })
    }

    /// The turn at a line of the transcript: that of the line, else of the last line
    /// before it that has one, else of the first.
    pub fn turn_at_line(&self, line: u64) -> Option<TurnNumber> {
        let numbered = |id: NodeId| Some((self.graph.node(id).line, self.turn_of(id)?));
        let mut nearest = None;
        for (own, turn) in self.graph.ids().filter_map(numbered) {
            if own > line && nearest.is_some() {
                break;
            }
            nearest = Some(turn);
            if own > line {
                break;
            }
        }
        nearest
    }

    /// The numbers of an agent written into the main transcript.
    pub fn inline_turn_numbers(&self, lines: &[NodeId]) -> TurnNumbers {
        TurnNumbers::of_chain(&self.graph, lines, &self.messages_on(lines, true), true)
    }

    /// Numbers its turns as another view of the same transcript does, so that a turn
    /// has one number however it is read. Lines that the other view does not have get
    /// the number of the line before them.
    pub fn number_as(&mut self, other: &Conversation<'_>) {
        let mut numbers = TurnNumbers::none(&self.graph);
        for chain in self.generations().map(<[NodeId]>::to_vec).collect::<Vec<_>>() {
            let mut last = TurnNumber::default();
            for id in chain {
                let known = other.graph.find(&self.graph.node(id).uuid);
                last = known.and_then(|id| other.turn_of(id)).unwrap_or(last);
                numbers.numbers[id.index()].get_or_insert(last);
            }
        }
        for id in self.graph.ids() {
            let known = other.graph.find(&self.graph.node(id).uuid);
            if let Some(number) = known.and_then(|id| other.turn_of(id)) {
                numbers.numbers[id.index()].get_or_insert(number);
            }
            if known.is_some_and(|id| other.turn_numbers().prompts.contains(&id)) {
                numbers.prompts.insert(id);
            }
        }
        self.turn_numbers = std::sync::OnceLock::from(numbers);
    }

    /// The lines of a branch after its fork, in file order: its messages, and the
    /// app's records between them.
    pub fn lines_of_branch(&self, branch: &crate::Branch) -> Vec<NodeId> {
        let mut lines: HashSet<NodeId> = branch.messages.iter().copied().collect();
        // Only up to the fork: a session can have thousands of branches.
        let mut above = HashSet::new();
        let mut next = branch.messages.last().copied();
        while let Some(id) = next.filter(|id| Some(*id) != branch.from && above.insert(*id)) {
            // Messages of other branches on the way have their own numbers.
            if !self.graph.node(id).is_message() {
                lines.insert(id);
            }
            next = self.graph.parent(id);
        }
        let mut lines: Vec<NodeId> = lines.into_iter().collect();
        lines.sort_unstable();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_numbers_are_read_back_as_they_are_written() {
        let table = [
            ("0", TurnNumber::Main(0)),
            ("12", TurnNumber::Main(12)),
            ("b1.2", TurnNumber::Branch { branch: 1, turn: 2 }),
            ("b10.0", TurnNumber::Branch { branch: 10, turn: 0 }),
            ("o3.4", TurnNumber::Orphan { segment: 3, turn: 4 }),
        ];
        for (text, number) in table {
            assert_eq!(text.parse(), Ok(number), "{text}");
            assert_eq!(number.to_string(), text);
        }
        assert_eq!("99999999999".parse(), Ok(TurnNumber::Main(u32::MAX)));
        for text in ["", "-1", "+1", "b", "b1", "b.2", "b0.1", "b1.", "1.2", "x1.2", "b1.2.3", "é"]
        {
            assert!(text.parse::<TurnNumber>().is_err(), "{text}");
        }
    }
}
