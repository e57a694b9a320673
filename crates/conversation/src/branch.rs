//! Continuations that were left behind.
//!
//! Of thousands of places where a transcript forks, a handful are a person's
//! doing; the others are parallel calls and second attempts of the app.

use crate::graph::{Graph, NodeId};
use transcript::RecordKind;
use transcript::prompt::typed_prompt;

/// Why a continuation was left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// A prompt that was said anew in other words.
    Edit,
    /// Prompts and answers that the person went back behind.
    Rewind,
    /// An answer without a prompt: the app tried again.
    Attempt,
}

impl BranchKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            BranchKind::Edit => "edit",
            BranchKind::Rewind => "rewind",
            BranchKind::Attempt => "attempt",
        }
    }

    /// Whether a person made it.
    pub fn is_real(self) -> bool {
        self != BranchKind::Attempt
    }
}

/// A continuation that was left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Why.
    pub kind: BranchKind,
    /// The line it left the conversation after; none if it began one.
    pub from: Option<NodeId>,
    /// Its messages, in file order.
    pub messages: Vec<NodeId>,
    /// Its first prompt.
    pub prompt: Option<String>,
    /// How many prompts it has.
    pub prompts: usize,
}

impl Branch {
    /// `instead` is how the conversation went on from the same place.
    pub(crate) fn new(
        graph: &Graph<'_>,
        instead: &[NodeId],
        from: Option<NodeId>,
        messages: Vec<NodeId>,
    ) -> Self {
        let mut prompts = messages.iter().filter_map(|id| prompt_of(graph, *id));
        let prompt = prompts.next();
        let prompts = prompts.count() + usize::from(prompt.is_some());
        let begins = messages.first().is_some_and(|id| prompt_of(graph, *id).is_some());
        // The app writes a command that changes the conversation itself down
        // twice, and goes on from the second.
        let is_command = prompts == 1
            && messages.len() == 1
            && matches!(prompt.as_deref(), Some("/compact" | "/clear"));
        let kind = match (&prompt, begins && begins_with_prompt(graph, instead)) {
            _ if is_command => BranchKind::Attempt,
            (Some(_), true) => BranchKind::Edit,
            (Some(_), false) => BranchKind::Rewind,
            (None, _) => BranchKind::Attempt,
        };
        Branch { kind, from, messages, prompt, prompts }
    }
}

/// What a person typed in a line.
pub(crate) fn prompt_of(graph: &Graph<'_>, id: NodeId) -> Option<String> {
    let node = graph.node(id);
    if node.kind != RecordKind::User || !node.answers.is_empty() {
        return None;
    }
    let record = transcript::entries(node.bytes).next()?.record;
    typed_prompt(&record).map(std::borrow::Cow::into_owned)
}

/// Whether the first thing said is a prompt.
fn begins_with_prompt(graph: &Graph<'_>, chain: &[NodeId]) -> bool {
    let said = chain.iter().copied().find(|id| {
        let node = graph.node(*id);
        node.is_message() && !node.is_meta
    });
    said.is_some_and(|id| prompt_of(graph, id).is_some())
}
