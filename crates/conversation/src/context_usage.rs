//! What fills the model's context window, by call and by category.
//!
//! The sizes of windows are exact: each API call records how many tokens it was
//! given. Their composition is an estimate from the text of the lines, by
//! characters per token, measured on the session itself if it is long enough. The
//! parts that no line shows (memory files, and in older versions system prompt and tools)
//! are the difference between the first window and the lines before it.
//!
//! Deliberately not here: money, the calls of sub-agents, which have separate windows,
//! and how large a model's window can be, which `library` knows.

mod cache;
mod calls;
mod label;
mod pieces;
mod reads;

pub use cache::{Cache, Expiry, ExpiryCause};
pub use calls::{Call, Generation, call_of};
pub use pieces::is_system_reminder;
pub use reads::RepeatedRead;

use crate::conversation::Conversation;
use crate::graph::NodeId;
use calls::Calls;
use pieces::{Piece, PieceCollector};
use std::collections::BTreeMap;

/// The approximate tokens of one image or one page of a document.
pub const IMAGE_TOKENS: u64 = 1_500;

/// Characters per token, if a session is too short to measure them.
pub const CHARACTERS_PER_TOKEN: f64 = 4.0;

/// How many of the largest contributions are listed.
const MOST_LARGEST: usize = 10;

/// A category of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// System prompt, tools, memory files, and listings of skills and agents.
    SystemAndMemory,
    /// Prompts that a person typed.
    Prompts,
    /// Text by the model.
    AssistantText,
    /// Thinking by the model.
    Thinking,
    /// Tool arguments.
    ToolInputs,
    /// Tool results.
    ToolResults,
    /// Content added by the app: files, reminders, output of hooks.
    Attachments,
    /// Images and documents.
    Images,
    /// Summaries of compacted parts.
    CompactSummaries,
}

impl Category {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Category::SystemAndMemory => "system_and_memory",
            Category::Prompts => "prompts",
            Category::AssistantText => "assistant_text",
            Category::Thinking => "thinking",
            Category::ToolInputs => "tool_inputs",
            Category::ToolResults => "tool_results",
            Category::Attachments => "attachments",
            Category::Images => "images",
            Category::CompactSummaries => "compact_summaries",
        }
    }
}

/// A size; the tokens are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// How many pieces.
    pub count: u64,
    /// Bytes of their text.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: u64,
}

impl Size {
    fn add(&mut self, other: Size) {
        self.count += other.count;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.tokens = self.tokens.saturating_add(other.tokens);
    }
}

/// The size of one category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategorySize {
    /// The category.
    pub category: Category,
    /// The total size.
    pub size: Size,
    /// Its parts by tool or by type of attachment, largest first; empty if there is
    /// no such division.
    pub parts: Vec<(String, Size)>,
}

/// One item in the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Its category.
    pub category: Category,
    /// The tool, or the type of the attachment.
    pub name: Option<String>,
    /// A short label: the file, the command, the beginning of a text.
    pub label: String,
    /// The line it is on.
    pub line: u64,
    /// Its size.
    pub size: Size,
}

/// What fills the context window of a conversation.
#[derive(Clone, Debug, Default)]
pub struct ContextUsage {
    /// The API calls in order, including those before compactions.
    pub calls: Vec<Call>,
    /// The generations, in order; the last one is the current window.
    pub generations: Vec<Generation>,
    /// The categories in the current window, largest first.
    pub categories: Vec<CategorySize>,
    /// The largest items in the current window.
    pub largest: Vec<Contribution>,
    /// Files that are in the current window more than once.
    pub repeated_reads: Vec<RepeatedRead>,
    /// The use of the prompt cache.
    pub cache: Cache,
    /// The characters per token that the estimates use.
    pub characters_per_token: f64,
    /// Whether that was measured on this conversation.
    pub is_measured: bool,
}

/// The API calls of a conversation with their windows, without what fills these.
#[derive(Clone, Debug, Default)]
pub struct ContextCalls {
    /// The calls in order.
    pub calls: Vec<Call>,
    /// The use of the prompt cache.
    pub cache: Cache,
}

impl ContextCalls {
    /// The calls on a chain of lines: only the model's lines are read.
    pub fn of(conversation: &Conversation<'_>, chain: &[NodeId]) -> ContextCalls {
        let mut calls = Calls::default();
        let nodes = chain.iter().map(|id| conversation.graph.node(*id));
        for node in nodes.filter(|node| node.kind == transcript::RecordKind::Assistant) {
            if let Some(entry) = transcript::entries(node.bytes).next() {
                calls.note(&entry.record, node.line);
            }
        }
        let (mut calls, _) = calls.finish();
        calls.retain(|call| call.window() > 0);
        ContextCalls { cache: Cache::of(&calls), calls }
    }
}

impl ContextUsage {
    /// Analyzes a conversation.
    pub fn of(conversation: &Conversation<'_>) -> ContextUsage {
        let generations: Vec<&[NodeId]> = conversation.generations().collect();
        let mut calls = Calls::default();
        let mut collector = PieceCollector::default();
        // Where in the pieces each call of the last generation begins.
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for (number, ids) in generations.iter().enumerate() {
            let is_last = number + 1 == generations.len();
            calls.begin(number);
            for id in *ids {
                let node = conversation.graph.node(*id);
                let Some(entry) = transcript::entries(node.bytes).next() else { continue };
                if let Some(call) = calls.note(&entry.record, node.line)
                    && is_last
                {
                    starts.push((call, collector.pieces.len()));
                }
                collector.note_snapshot(&entry.record, node.line);
                if is_last {
                    collector.note(&entry.record, node.line);
                }
            }
        }
        let (mut calls, generations) = calls.finish();
        // A call interrupted before it recorded its tokens has no window.
        starts.retain(|(call, _)| calls.get(*call).is_some_and(|call| call.window() > 0));
        let (pieces, before) = collector.finish();
        let windows: Vec<(u64, usize)> =
            starts.iter().map(|(call, start)| (calls[*call].window(), before + start)).collect();
        calls.retain(|call| call.window() > 0);
        ContextUsage::from_pieces(calls, generations, &pieces, &windows)
    }

    fn from_pieces(
        calls: Vec<Call>,
        generations: Vec<Generation>,
        pieces: &[Piece],
        windows: &[(u64, usize)],
    ) -> ContextUsage {
        let measured = measure(pieces, windows);
        let characters_per_token = measured.unwrap_or(CHARACTERS_PER_TOKEN);
        let sizes: Vec<Size> =
            pieces.iter().map(|piece| piece.size(characters_per_token)).collect();
        let not_in_transcript = windows.first().map_or(0, |(window, start)| {
            let in_transcript = sizes[..*start].iter().map(|size| size.tokens);
            window.saturating_sub(in_transcript.sum())
        });
        ContextUsage {
            cache: Cache::of(&calls),
            calls,
            generations,
            categories: categories(pieces, &sizes, not_in_transcript),
            largest: largest(pieces, &sizes),
            repeated_reads: reads::repeated(pieces, &sizes),
            characters_per_token,
            is_measured: measured.is_some(),
        }
    }

    /// The window of the last call.
    pub fn last_window(&self) -> u64 {
        self.calls.last().map(Call::window).unwrap_or_default()
    }

    /// Whether the conversation was compacted after the last call. Then the size of
    /// the current window is not recorded.
    pub fn is_compacted_since(&self) -> bool {
        !self.calls.is_empty() && self.generations.last().is_some_and(|last| last.calls == 0)
    }

    /// The call with the largest window.
    pub fn peak_call(&self) -> Option<&Call> {
        self.calls.iter().max_by_key(|call| call.window())
    }

    /// The largest window.
    pub fn peak_window(&self) -> u64 {
        self.peak_call().map(Call::window).unwrap_or_default()
    }

    /// The estimated tokens of all categories.
    pub fn estimated_tokens(&self) -> u64 {
        let tokens = self.categories.iter().map(|category| category.size.tokens);
        tokens.fold(0, u64::saturating_add)
    }
}

/// The characters per token in this conversation: the text between the first and
/// the last window, divided by the growth of the window. `None` if there is little
/// text, or the rate is implausible because something was cleared.
fn measure(pieces: &[Piece], windows: &[(u64, usize)]) -> Option<f64> {
    const ENOUGH: u64 = 8_000;
    let (first, from) = windows.first()?;
    let (last, to) = windows.last()?;
    let between = pieces.get(*from..*to)?;
    let images: u64 = between.iter().map(|piece| piece.images * IMAGE_TOKENS).sum();
    let characters: u64 = between.iter().map(|piece| piece.characters).sum();
    let grown = last.checked_sub(*first)?.checked_sub(images)?;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let rate = characters as f64 / grown.max(1) as f64;
    (characters >= ENOUGH && (1.5..=6.0).contains(&rate)).then_some(rate)
}

fn categories(pieces: &[Piece], sizes: &[Size], not_in_transcript: u64) -> Vec<CategorySize> {
    let mut all: BTreeMap<Category, (Size, BTreeMap<&str, Size>)> = BTreeMap::new();
    if not_in_transcript > 0 {
        let size = Size { count: 1, bytes: 0, tokens: not_in_transcript };
        let (whole, parts) = all.entry(Category::SystemAndMemory).or_default();
        whole.add(size);
        parts.entry("not_in_transcript").or_default().add(size);
    }
    for (piece, size) in pieces.iter().zip(sizes) {
        let (whole, parts) = all.entry(piece.category).or_default();
        whole.add(*size);
        if let Some(name) = piece.name.as_deref() {
            parts.entry(name).or_default().add(*size);
        }
    }
    let mut categories: Vec<CategorySize> = all
        .into_iter()
        .filter(|(_, (size, _))| size.tokens > 0)
        .map(|(category, (size, parts))| {
            let mut parts: Vec<(String, Size)> =
                parts.into_iter().map(|(name, size)| (name.to_owned(), size)).collect();
            parts.sort_by_key(|(_, size)| std::cmp::Reverse(size.tokens));
            CategorySize { category, size, parts }
        })
        .collect();
    categories.sort_by_key(|category| std::cmp::Reverse(category.size.tokens));
    categories
}

fn largest(pieces: &[Piece], sizes: &[Size]) -> Vec<Contribution> {
    let mut order: Vec<usize> = (0..pieces.len()).filter(|at| sizes[*at].tokens > 0).collect();
    order.sort_by_key(|at| std::cmp::Reverse(sizes[*at].tokens));
    order.truncate(MOST_LARGEST);
    let contributions = order.into_iter().map(|at| Contribution {
        category: pieces[at].category,
        name: pieces[at].name.clone(),
        label: pieces[at].label.clone(),
        line: pieces[at].line,
        size: sizes[at],
    });
    contributions.collect()
}
