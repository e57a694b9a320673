//! What was really said.
//!
//! A transcript is a graph: rewinds, parallel tool calls, compactions, and
//! holes. This crate finds the conversation in it by the rules of the app and
//! of the official reader, each exactly, accounts for what is not in it, and
//! tells it turn by turn: calls with what came of them, files, times, agents.
//!
//! Deliberately not here: reading files, and how anything looks.

mod account;
mod agent;
mod align;
pub mod anatomy;
mod annotations;
mod app;
mod app_words;
mod branch;
mod call;
mod compaction;
mod cut;
mod diff;
mod git;
mod graph;
mod limb;
mod node;
mod order;
pub mod plans;
pub mod recall;
mod recover;
mod relink;
mod sdk;
mod spawn;
mod tell;
mod tool;
mod turn;
mod waiting;
mod walk;

pub use account::{Conversation, LostSegment, State, View};
pub use align::matched_lines;
pub use anatomy::Anatomy;
pub use annotations::{PlacedAnnotations, PlacedBranch, PlacedOrphan, agents_without_calls};
pub use branch::{Branch, BranchKind};
pub use call::{Answer, Calls, Origin, Status, ToolCall, persisted_name};
pub use compaction::Compaction;
pub use diff::Diff;
pub use git::{GitDeed, deeds};
pub use graph::{Graph, NodeId};
pub use node::Node;
pub use plans::Plans;
pub use sdk::Message;
pub use spawn::{AgentNode, AgentNotes, Claim, Evidence, Outcome, link_agents};
pub use tool::{Question, Summary, Todo};
pub use turn::{Hooks, Step, Tokens, Touch, Turn, Turns, What};
