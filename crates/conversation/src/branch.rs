//! Abandoned branches, and why each was abandoned.
//!
//! A transcript forks in thousands of places, but a person made only a handful of
//! these forks. The others are parallel calls, retries by the app, exits, and other
//! processes that wrote to the same session. So a branch counts as an edit or a rewind
//! only if the transcript shows it: by a record of the app, or because a new prompt
//! follows an earlier message after the branch has stopped.

use crate::graph::{Graph, NodeId};
use transcript::RecordKind;
use transcript::prompt::typed_prompt;

/// Why a branch was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// The person replaced a prompt by another.
    Edit,
    /// The person rewound the conversation to an earlier message.
    Rewind,
    /// The person left with `/exit`, and the session was resumed before that command.
    Exit,
    /// Two processes wrote to the session at the same time, and the conversation is that
    /// of the other one.
    Parallel,
    /// The transcript does not show why.
    Unexplained,
    /// The app retried: the branch has no prompt.
    Retry,
}

impl BranchKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            BranchKind::Edit => "edit",
            BranchKind::Rewind => "rewind",
            BranchKind::Exit => "exit",
            BranchKind::Parallel => "parallel",
            BranchKind::Unexplained => "unexplained",
            BranchKind::Retry => "retry",
        }
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
        let fork = Fork::new(graph, instead, from, &messages);
        Branch {
            kind: fork.kind(),
            from,
            prompt: fork.prompts.first().map(|(_, prompt)| prompt.clone()),
            prompts: fork.prompts.len(),
            messages,
        }
    }

    /// Whether it holds nothing that a person would look for: a retry by the app, or
    /// only the command to exit.
    pub fn is_minor(&self) -> bool {
        match self.kind {
            BranchKind::Retry => true,
            BranchKind::Exit => self.prompts == 1,
            _ => false,
        }
    }
}

/// A branch beside the continuation that replaced it.
struct Fork<'g, 'a> {
    graph: &'g Graph<'a>,
    from: Option<NodeId>,
    /// The messages of the branch, in file order.
    messages: &'g [NodeId],
    /// Its prompts, in file order.
    prompts: Vec<(NodeId, String)>,
    /// The lines of the continuation.
    instead: &'g [NodeId],
    /// Its first message that the app did not write itself.
    next: Option<NodeId>,
}

impl<'g, 'a> Fork<'g, 'a> {
    fn new(
        graph: &'g Graph<'a>,
        instead: &'g [NodeId],
        from: Option<NodeId>,
        messages: &'g [NodeId],
    ) -> Self {
        let prompts = messages.iter().filter_map(|id| Some((*id, prompt_of(graph, *id)?)));
        let is_next = |id: &NodeId| {
            let node = graph.node(*id);
            node.is_message() && !node.is_meta
        };
        Fork {
            prompts: prompts.collect(),
            next: instead.iter().copied().find(is_next),
            graph,
            from,
            messages,
            instead,
        }
    }

    fn kind(&self) -> BranchKind {
        // The app records a command that changes the conversation itself twice,
        // and continues from the second record, or from before the command.
        let is_command = matches!(&self.prompts[..], [(_, prompt)]
            if matches!(&**prompt, "/compact" | "/clear"))
            && !self.messages.iter().any(|id| self.graph.node(*id).kind == RecordKind::Assistant);
        if self.prompts.is_empty() || is_command {
            return BranchKind::Retry;
        }
        let next_is_prompt = self.next.is_some_and(|next| prompt_of(self.graph, next).is_some());
        let begins_with_prompt = self.prompts.first().map(|(id, _)| id) == self.messages.first();
        let by_person = if begins_with_prompt && next_is_prompt {
            BranchKind::Edit
        } else {
            BranchKind::Rewind
        };
        let goes_on = self.goes_on();
        if self.is_recorded() {
            by_person
        } else if goes_on && self.is_interleaved() {
            BranchKind::Parallel
        } else if self.ends_in_exit() {
            BranchKind::Exit
        } else if !goes_on && next_is_prompt {
            by_person
        } else {
            BranchKind::Unexplained
        }
    }

    /// Whether the app recorded, after the branch, that the conversation goes on from
    /// where the branch forks off.
    fn is_recorded(&self) -> bool {
        let Some(last) = self.messages.last() else { return false };
        self.graph.checkpoints.iter().any(|(lines_before, record)| {
            if !(record.explicit || record.rewound) || last.index() >= *lines_before {
                return false;
            }
            let cut = record.cut_uuid.as_ref().and_then(|uuid| self.graph.find(uuid.as_str()));
            let is_cut = cut.is_some_and(|cut| self.messages.binary_search(&cut).is_ok());
            let is_fork = match &record.leaf_uuid {
                None => false,
                Some(None) => self.from.is_none(),
                Some(Some(uuid)) => self.graph.find(uuid.as_str()).is_some_and(|leaf| {
                    // The app's own records can follow the last message that stays.
                    let mut between = self.instead.iter().take_while(|id| Some(**id) != self.next);
                    Some(leaf) == self.from || between.any(|id| *id == leaf)
                }),
            };
            is_cut || is_fork
        })
    }

    /// Whether the branch goes on, with a prompt or an answer, after the continuation
    /// began. A late result does not count, and neither does leaving.
    fn goes_on(&self) -> bool {
        let Some(next) = self.next else { return false };
        let began = self.graph.node(next).milliseconds();
        let late = self.messages.iter().filter(|id| **id > next);
        late.into_iter().any(|id| {
            let node = self.graph.node(*id);
            // One process can write lines in another order than they arose in.
            let is_earlier =
                node.milliseconds().zip(began).is_some_and(|(time, began)| time < began);
            let prompt = self.prompts.binary_search_by_key(id, |(prompt, _)| *prompt);
            let is_work = node.kind == RecordKind::Assistant
                || prompt.is_ok_and(|place| !is_exit(&self.prompts[place].1));
            is_work && !is_earlier
        })
    }

    /// Whether the continuation goes on, with a prompt or an answer, after the branch
    /// began.
    fn is_interleaved(&self) -> bool {
        let last_work = self.instead.iter().rev().find(|id| {
            self.graph.node(**id).kind == RecordKind::Assistant
                || prompt_of(self.graph, **id).is_some()
        });
        last_work > self.messages.first()
    }

    /// Whether the branch ends with the command to exit.
    fn ends_in_exit(&self) -> bool {
        self.prompts.last().is_some_and(|(exit, text)| {
            let is_answer = |id: &NodeId| self.graph.node(*id).kind == RecordKind::Assistant;
            is_exit(text) && !self.messages.iter().any(|id| id > exit && is_answer(id))
        })
    }
}

/// Whether a prompt is the command to exit.
fn is_exit(prompt: &str) -> bool {
    matches!(prompt.split_whitespace().next(), Some("/exit" | "/quit"))
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
