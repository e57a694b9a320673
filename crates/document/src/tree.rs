//! How a session grew: generations, turns, branches, sub-agents, relatives.

use crate::{Document, GapDocument, Keyword, SessionDocument, TurnId};
use conversation::{AgentNode, Conversation, MessageState};
use library::catalog::Relative;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a session grew.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent whose conversation it is; `null`: the session's own.
    pub agent_id: Option<Cow<'a, str>>,
    /// The generations, oldest first.
    pub generations: Vec<GenerationDocument<'a>>,
    /// Abandoned branches.
    pub branches: Vec<TreeBranchDocument<'a>>,
    /// Orphaned segments.
    pub orphaned_segments: Vec<TreeSegmentDocument<'a>>,
    /// Sub-agents.
    pub agents: Vec<TreeAgentDocument<'a>>,
    /// Sessions that share records with this one or continue it.
    pub relatives: Vec<RelativeDocument<'a>>,
}

impl Document for TreeDocument<'_> {
    const SCHEMA: &'static str = "annals/tree/1";
    const COMMAND: &'static str = "`annals tree`";
}

/// The span between two compactions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GenerationDocument<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// `live`, or `compacted`: before the last compaction.
    pub state: Keyword,
    /// The compaction it begins with.
    pub compaction_uuid: Option<Cow<'a, str>>,
    /// Its turns.
    pub turns: Vec<TreeTurnDocument<'a>>,
}

/// A turn, with the sub-agents it started and the branches that stand at it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeTurnDocument<'a> {
    /// Its number, as in `annals show`.
    pub number: TurnId,
    /// The id of its prompt, else of its first message.
    pub uuid: Option<Cow<'a, str>>,
    /// The prompt.
    pub prompt: Option<Cow<'a, str>>,
    /// How many messages it has.
    pub messages: usize,
    /// The ids of the sub-agents it started.
    pub agents: Vec<Cow<'a, str>>,
    /// The numbers of the branches that stand before it or in it: before the message that follows the one they leave from.
    pub branches: Cow<'a, [usize]>,
}

/// An abandoned branch, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeBranchDocument<'a> {
    /// Its number, for `annals show --abandoned`.
    pub number: usize,
    /// [Why it was abandoned](conversation.md#branches): `edit`, `rewind`, `exit`, `parallel`, `unexplained`, or `retry` by Claude Code.
    pub kind: Keyword,
    /// `abandoned`.
    pub state: Keyword,
    /// The message it leaves from.
    pub from_uuid: Option<Cow<'a, str>>,
    /// Its first prompt.
    pub prompt: Option<Cow<'a, str>>,
    /// How many prompts it has.
    pub prompts: usize,
    /// How many messages it has.
    pub messages: usize,
}

/// An orphaned segment, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeSegmentDocument<'a> {
    /// The id of the missing record.
    pub missing_uuid: Cow<'a, str>,
    /// The line of its first message.
    pub line: Option<u64>,
    /// Where the gaps are.
    pub gaps: Vec<GapDocument>,
    /// How many messages it has.
    pub messages: usize,
}

/// A sub-agent, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TreeAgentDocument<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// The sub-agent that started it; `null`: the session.
    pub parent_id: Option<Cow<'a, str>>,
    /// The call that started it.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// What the link to that call rests on: `meta`, `progress`, `result`, `trailer`; guesses: `prompt`, `time`.
    pub evidence: Option<Keyword>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    /// Its task.
    pub description: Option<Cow<'a, str>>,
    /// The generation that started it, from 1.
    pub generation: u64,
    /// How deep it is below the session, from 1.
    pub depth: u64,
    /// The workflow run it belongs to.
    pub workflow: Option<Cow<'a, str>>,
    /// Its phase in the workflow.
    pub phase: Option<Cow<'a, str>>,
    /// Whether it only warmed up the cache.
    pub warmup: bool,
    /// `done`, `failed`, `stopped`, `unfinished`.
    pub outcome: Option<Keyword>,
}

/// A session that shares records with this one or continues it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RelativeDocument<'a> {
    /// Its id.
    pub session_id: Cow<'a, str>,
    /// `forked_from`, `fork`, `shares_lines`, `continued_in`.
    pub relation: Keyword,
    /// How many lines they share.
    pub lines: u64,
    /// Its title.
    pub title: Option<Cow<'a, str>>,
}

impl<'a> TreeBranchDocument<'a> {
    /// The branches of a conversation.
    pub fn of(conversation: &'a Conversation<'_>) -> Vec<Self> {
        let branches = (1..).zip(&conversation.branches);
        let document = |(number, branch): (usize, &'a conversation::Branch)| TreeBranchDocument {
            number,
            kind: branch.kind.name().into(),
            state: MessageState::Abandoned.name().into(),
            from_uuid: branch.from.map(|id| Cow::from(&*conversation.graph.node(id).uuid)),
            prompt: branch.prompt.as_deref().map(Cow::from),
            prompts: branch.prompts,
            messages: branch.messages.len(),
        };
        branches.map(document).collect()
    }
}

impl<'a> TreeSegmentDocument<'a> {
    /// The orphaned segments of a conversation.
    pub fn of(conversation: &'a Conversation<'_>) -> Vec<Self> {
        let document = |lost: &'a conversation::OrphanedSegment| TreeSegmentDocument {
            missing_uuid: Cow::from(&*lost.missing),
            line: lost.messages.first().map(|id| conversation.graph.node(*id).line),
            gaps: GapDocument::of(lost),
            messages: lost.messages.len(),
        };
        conversation.orphaned_segments.iter().map(document).collect()
    }
}

impl<'a> From<&'a AgentNode> for TreeAgentDocument<'a> {
    fn from(agent: &'a AgentNode) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::from);
        TreeAgentDocument {
            id: agent.id.as_str().into(),
            parent_id: text(&agent.parent_id),
            tool_use_id: text(&agent.tool_use_id),
            evidence: agent.evidence.map(|evidence| evidence.name().into()),
            kind: text(&agent.kind),
            description: text(&agent.description),
            generation: agent.generation,
            depth: agent.depth,
            workflow: text(&agent.workflow),
            phase: text(&agent.phase),
            warmup: agent.warmup,
            outcome: agent.outcome.map(|outcome| outcome.name().into()),
        }
    }
}

impl<'a> From<&'a Relative> for RelativeDocument<'a> {
    fn from(relative: &'a Relative) -> Self {
        RelativeDocument {
            session_id: relative.session_id.as_str().into(),
            relation: relative.relation.name().into(),
            lines: relative.lines,
            title: relative.heading.as_deref().map(Cow::from),
        }
    }
}
