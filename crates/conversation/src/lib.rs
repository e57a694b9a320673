//! The conversation in a transcript.
//!
//! A transcript is a graph: it has rewinds, parallel tool calls, compactions and
//! gaps. This crate finds the conversation in it, by the exact rules of either the
//! app or the official reader, accounts for every message outside it, and builds
//! the turns: calls with their results, files, times, agents.
//!
//! Deliberately not here: reading files, and how anything is displayed.

mod agent_links;
mod agent_scan;
mod align;
mod annotations;
mod app;
mod app_text;
mod branch;
mod call;
mod call_counts;
mod chain;
mod collation;
mod compaction;
pub mod context_usage;
mod conversation;
mod damaged_lines;
mod diff;
mod git_actions;
mod graph;
mod hook_counts;
mod line_states;
mod node;
mod off_chain;
mod orphaned_segment;
mod parallel_calls;
pub mod plans;
mod queued_commands;
pub mod recall;
mod recorded_changes;
mod relink;
mod sdk;
mod sdk_agent;
mod sdk_start;
mod tool;
mod tool_kind;
mod turn;
mod turn_builder;
mod turn_number;

pub use agent_links::{AgentFile, AgentNode, Evidence, Outcome, link_agents};
pub use agent_scan::AgentScan;
pub use align::{MatchedLines, matched_lines};
pub use annotations::{
    MAX_AGENT_DEPTH, PlacedAnnotations, PlacedBranch, PlacedOrphan, agents_without_calls,
};
pub use branch::{Branch, BranchKind};
pub use call::{Answer, Calls, Origin, Status, ToolCall, is_spawn, mcp_tool, persisted_name};
pub use compaction::{Compaction, CompactionScan};
pub use context_usage::{Call as ContextCall, ContextUsage};
pub use conversation::{Conversation, MessageState, View};
pub use diff::Diff;
pub use git_actions::{GitAction, git_actions};
pub use graph::{Graph, NodeId};
pub use line_states::LineState;
pub use node::Node;
pub use orphaned_segment::{Gap, GapPlace, OrphanedSegment};
pub use plans::Plans;
pub use recorded_changes::RecordedChange;
pub use sdk::Message;
pub use tool::{Question, Summary, Todo};
pub use tool_kind::ToolKind;
pub use turn::{Hooks, ResponseTokens, Step, StepKind, Tokens, Touch, Turn, Turns};
pub use turn_number::{InvalidTurnNumber, TurnCue, TurnNumber, TurnNumbers, turn_cue};
