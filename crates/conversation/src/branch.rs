//! Abandoned branches.
//!
//! A transcript forks in thousands of places, but a person made only a handful of
//! these forks. The others are parallel calls and retries by the app.

use crate::graph::{Graph, NodeId};
use transcript::RecordKind;
use transcript::prompt::typed_prompt;

/// Why a branch was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// The person edited a prompt.
    Edit,
    /// The person rewound the conversation to an earlier message.
    Rewind,
    /// The app retried: the branch has no prompt.
    Retry,
}

impl BranchKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            BranchKind::Edit => "edit",
            BranchKind::Rewind => "rewind",
            BranchKind::Retry => "retry",
        }
    }

    /// Whether a person made the branch, rather than the app.
    pub fn is_by_person(self) -> bool {
        self != BranchKind::Retry
    }
}

/// An abandoned branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Why it was abandoned.
    pub kind: BranchKind,
    /// The line after which it forks off; `None` if it starts at the root.
    pub from: Option<NodeId>,
    /// Its messages, in file order.
    pub messages: Vec<NodeId>,
    /// Its first prompt.
    pub prompt: Option<String>,
    /// How many prompts it has.
    pub prompts: usize,
}

impl Branch {
    /// `instead` is the continuation that replaced it.
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
        // The app records a command that changes the conversation itself twice,
        // and continues from the second record.
        let is_command = prompts == 1
            && messages.len() == 1
            && matches!(prompt.as_deref(), Some("/compact" | "/clear"));
        let kind = match (&prompt, begins && begins_with_prompt(graph, instead)) {
            _ if is_command => BranchKind::Retry,
            (Some(_), true) => BranchKind::Edit,
            (Some(_), false) => BranchKind::Rewind,
            (None, _) => BranchKind::Retry,
        };
        Branch { kind, from, messages, prompt, prompts }
    }
}

/// The prompt that a person typed, if the line is one.
pub(crate) fn prompt_of(graph: &Graph<'_>, id: NodeId) -> Option<String> {
    let node = graph.node(id);
    if node.kind != RecordKind::User || !node.answers.is_empty() {
        return None;
    }
    let record = transcript::entries(node.bytes).next()?.record;
    typed_prompt(&record).map(std::borrow::Cow::into_owned)
}

/// Whether the first message is a prompt.
fn begins_with_prompt(graph: &Graph<'_>, chain: &[NodeId]) -> bool {
    let first = chain.iter().copied().find(|id| {
        let node = graph.node(*id);
        node.is_message() && !node.is_meta
    });
    first.is_some_and(|id| prompt_of(graph, id).is_some())
}
