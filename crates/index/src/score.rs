//! The score of a match, by its kind and age.

use crate::rows::BlockKind;
use crate::search::Match;

/// The score of a match: text of a person counts more than text of a tool, and new text
/// more than old.
pub(crate) fn of(found: &Match, now: i64) -> f64 {
    let weight = match found.class.kind {
        BlockKind::Title => 3.5,
        BlockKind::Prompt => 3.0,
        BlockKind::Plan => 2.5,
        BlockKind::Answer => 2.0,
        BlockKind::Summary => 1.8,
        BlockKind::Thinking => 1.2,
        BlockKind::Call => 1.0,
        BlockKind::Output | BlockKind::Result => 0.7,
        BlockKind::Note => 0.5,
        BlockKind::Recall => 0.3,
    };
    let agent = if found.class.is_agent { 0.8 } else { 1.0 };
    let days = found.time.map_or(3650, |time| ((now - time) / 86_400_000).clamp(0, 3650));
    let days = f64::from(i32::try_from(days).unwrap_or(3650));
    weight * agent * (0.35 + 0.65 / (1.0 + days / 45.0))
}
