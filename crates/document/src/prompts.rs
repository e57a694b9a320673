//! Prompts that users typed.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment, TurnId};
use library::prompts::Prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Prompts: of one session in order, of all sessions newest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PromptsDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many prompts match, before `--limit`.
    pub total: usize,
    /// The prompts.
    pub prompts: Vec<PromptDocument<'a>>,
}

impl Document for PromptsDocument<'_> {
    const SCHEMA: &'static str = "annals/prompts/1";
    const COMMAND: &'static str = "`annals prompts`";
    const ROWS: Option<&'static str> = Some("prompts");
    const COLUMNS: &'static [Column] =
        &columns(["timestamp", "session_id", "cwd", "source", "turn", "uuid", "text"]);
}

impl<'a> PromptsDocument<'a> {
    /// The prompts that are shown, out of `total`.
    pub fn new(total: usize, prompts: Vec<PromptDocument<'a>>) -> Self {
        PromptsDocument { schema: Self::SCHEMA.into(), total, prompts }
    }
}

/// A prompt.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PromptDocument<'a> {
    /// The session it was typed in.
    pub session_id: Option<Cow<'a, str>>,
    /// The working directory.
    pub cwd: Option<Cow<'a, str>>,
    /// When it was typed.
    pub timestamp: Option<Moment>,
    /// `typed`; `queued`: while the model worked; `history`: only the prompt history has it.
    pub source: Keyword,
    /// The turn it begins, as in `annals show`; `null`: no message of the conversation has it.
    pub turn: Option<TurnId>,
    /// The id of its record.
    pub uuid: Option<Cow<'a, str>>,
    /// The prompt.
    pub text: Cow<'a, str>,
}

impl<'a> From<&'a Prompt> for PromptDocument<'a> {
    fn from(prompt: &'a Prompt) -> Self {
        PromptDocument {
            session_id: prompt.session_id.as_deref().map(Cow::from),
            cwd: prompt.cwd.as_deref().map(Cow::from),
            timestamp: prompt.time.map(Moment),
            source: prompt.source.name().into(),
            turn: prompt.turn.map(TurnId),
            uuid: prompt.uuid.as_deref().map(Cow::from),
            text: prompt.text.as_str().into(),
        }
    }
}
