//! Figures of turns that an outline has: estimated heights, context windows.

use super::thread::Thread;
use conversation::context_usage::ContextCalls;
use conversation::{StepKind, Turn, TurnNumber, Turns};
use library::window_limit::WindowLimits;
use std::collections::{HashMap, HashSet};

/// The height of a turn on a page of 800 pixels: its heading, its texts, a line for
/// each folded thing, and its diffs, which are open.
pub(super) fn height(turn: &Turn<'_>, turns: &Turns<'_>) -> u64 {
    const LINE: u64 = 24;
    const FOLD: u64 = 34;
    const COLUMNS: usize = 92;
    let text_height = |text: &str| {
        let bytes = text.len().min(24 * 1024);
        let breaks = text.as_bytes().iter().take(bytes).filter(|byte| **byte == b'\n').count();
        LINE * u64::try_from(bytes / COLUMNS + breaks + 1).unwrap_or_default() + 16
    };
    let steps = turn.steps.iter().map(|step| match &step.kind {
        StepKind::Prompt { text, .. } => text_height(text),
        StepKind::Text(text) => text_height(text),
        StepKind::Call(number) => {
            let touched = turns.calls.get(*number).filter(|call| call.is_change());
            let lines = touched.map_or(0, |call| {
                ["old_string", "new_string", "content"]
                    .iter()
                    .filter_map(|key| call.argument(key))
                    .map(|text| text.lines().count().min(400))
                    .sum()
            });
            FOLD + 18 * u64::try_from(lines).unwrap_or_default()
        }
        StepKind::Image(_) => 320,
        _ => FOLD,
    });
    56 + steps.fold(0, |sum: u64, height| sum.saturating_add(height))
}

/// The context windows of turns.
pub(super) struct Windows {
    pub(super) by_turn: HashMap<TurnNumber, TurnWindow>,
    /// The largest window of the last call's model.
    pub(super) limit: Option<u64>,
}

/// The context window of a turn.
#[derive(Clone, Copy, Default)]
pub(super) struct TurnWindow {
    /// That of its last call.
    pub(super) tokens: u64,
    /// The largest that the model of this call has.
    pub(super) limit: Option<u64>,
    /// Whether the cache had expired at one of its calls.
    pub(super) is_miss: bool,
}

impl Windows {
    pub(super) fn new(thread: &Thread<'_>) -> Self {
        let calls = ContextCalls::of(thread.conversation, &thread.chain);
        let graph = &thread.conversation.graph;
        let mut turn_of_line: HashMap<u64, TurnNumber> = HashMap::new();
        for turn in &thread.turns.turns {
            for step in &turn.steps {
                turn_of_line.entry(graph.node(step.node).line).or_insert(turn.number);
            }
        }
        let missed: HashSet<u64> = calls.cache.expiries.iter().map(|expiry| expiry.line).collect();
        let limits = WindowLimits::new(&calls.calls);
        let mut by_turn: HashMap<TurnNumber, TurnWindow> = HashMap::new();
        for call in &calls.calls {
            if let Some(turn) = turn_of_line.get(&call.line) {
                let own = by_turn.entry(*turn).or_default();
                own.tokens = call.window();
                own.limit = limits.of(call);
                own.is_miss |= missed.contains(&call.line);
            }
        }
        Windows { by_turn, limit: calls.calls.last().and_then(|call| limits.of(call)) }
    }
}
