//! Records → what was really said.
//!
//! A transcript is a graph: rewinds, parallel tool calls, compactions, forks and
//! holes. This crate finds the conversation in it, by the rules of the official
//! reader and by those of the app ([`View`]), and
//! accounts for every line that is in neither.
//!
//! Deliberately not here: files. The caller brings the bytes of one transcript.
//! Nothing recurses with its input: a chain may be a hundred thousand lines long.

mod account;
mod app;
mod graph;
mod recover;
mod relink;
mod sdk;
mod walk;

pub use account::{Branch, Conversation, LostSegment, State, View};
pub use graph::{Graph, Node, NodeId};
pub use sdk::Message;
