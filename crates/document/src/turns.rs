//! A turn: a prompt with everything until the next one.

use crate::{MarkDocument, Moment, TurnId};
use conversation::{Tokens, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A turn: a prompt with everything until the next one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TurnDocument<'a> {
    /// Its number, over all generations. Turn 0 is what comes before the first prompt; `b1.2` is turn 2 of abandoned branch 1, `o1.2` of orphaned segment 1.
    pub number: TurnId,
    /// The prompt.
    pub prompt: Option<Cow<'a, str>>,
    /// When it began.
    pub started_at: Option<Moment>,
    /// When it ended.
    pub ended_at: Option<Moment>,
    /// How long the model worked, in milliseconds.
    pub model_ms: u64,
    /// How long tools worked, in milliseconds.
    pub tools_ms: u64,
    /// How long Claude Code waited for the person, in milliseconds: for answers within the turn, and after it until the next prompt.
    pub waiting_ms: u64,
    /// How long the turn took by Claude Code's own record, in milliseconds.
    pub reported_ms: Option<u64>,
    /// Tokens, each API response counted once.
    pub tokens: TokensDocument,
    /// API responses.
    pub responses: u64,
    /// The models that answered.
    pub models: Vec<Cow<'a, str>>,
    /// Tool calls.
    pub tool_calls: u64,
    /// Errors: tool calls that failed, failed results without a call, and errors of the API. Several errors of the API in a row without a reason are one.
    pub errors: u64,
    /// Tool calls that were denied.
    pub denials: u64,
    /// How often the person interrupted.
    pub interruptions: u64,
    /// How often the API returned an error.
    pub failures: u64,
    /// Hooks.
    pub hooks: HooksDocument,
    /// Files that were read or changed.
    pub files: Vec<TurnFileDocument<'a>>,
    /// The bookmarks at this turn.
    pub marks: Vec<MarkDocument>,
}

/// Tokens of API calls.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TokensDocument {
    /// Input that was not cached.
    pub input: u64,
    /// Input read from the prompt cache.
    pub cache_read: u64,
    /// Input written to the prompt cache.
    pub cache_write: u64,
    /// Output.
    pub output: u64,
}

/// Hooks that ran in a turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HooksDocument {
    /// How many ran.
    pub ran: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long they took, in milliseconds.
    pub duration_ms: u64,
}

/// A file that was read or changed in a turn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TurnFileDocument<'a> {
    /// Its path.
    pub path: Cow<'a, str>,
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
}

impl From<Tokens> for TokensDocument {
    fn from(tokens: Tokens) -> Self {
        TokensDocument {
            input: tokens.input,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            output: tokens.output,
        }
    }
}

impl<'a> TurnDocument<'a> {
    /// A turn, with the bookmarks at it.
    pub fn new(turn: &'a Turn<'_>, marks: Vec<MarkDocument>) -> Self {
        let files = turn.files.iter().map(|(path, touch)| TurnFileDocument {
            path: Cow::from(&**path),
            reads: touch.reads,
            changes: touch.changes,
            added: touch.added,
            removed: touch.removed,
        });
        TurnDocument {
            number: turn.number.into(),
            prompt: turn.prompt().map(Cow::from),
            started_at: turn.started.map(Moment),
            ended_at: turn.ended.map(Moment),
            model_ms: turn.model_ms,
            tools_ms: turn.tools_ms,
            waiting_ms: turn.waiting_ms,
            reported_ms: turn.reported_ms,
            tokens: turn.tokens.into(),
            responses: turn.responses,
            models: turn.models.iter().map(|model| Cow::from(&**model)).collect(),
            tool_calls: turn.calls,
            errors: turn.errors,
            denials: turn.denials,
            interruptions: turn.interruptions,
            failures: turn.failures,
            hooks: HooksDocument {
                ran: turn.hooks.ran,
                failed: turn.hooks.failed,
                duration_ms: turn.hooks.milliseconds,
            },
            files: files.collect(),
            marks,
        }
    }
}
