//! The conversation as turns: a turn is a prompt with everything that answers it.
//!
//! A turn has a list of steps in the order they happened, and totals: how long the
//! model, the tools and the person took, tokens, files, errors.
//!
//! Deliberately not here: how lines become turns; see `turn_builder.rs`.

use crate::call::{Calls, Status};
use crate::graph::NodeId;
use crate::turn_number::TurnNumber;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use transcript::{Content, Json, Source, Str, json};

/// The kind of a step, with its content.
#[derive(Clone, Debug)]
pub enum StepKind<'a> {
    /// A prompt by the person, or, in a sub-agent's conversation, by its parent.
    Prompt {
        /// The prompt.
        text: Cow<'a, str>,
        /// Whether it was typed while the model was working.
        is_queued: bool,
    },
    /// Text by the model.
    Text(Str<'a>),
    /// Thinking by the model; empty where the API encrypts it.
    Thinking(Str<'a>),
    /// A tool call: its number in [`Turns::calls`].
    Call(usize),
    /// A tool result whose call is not in these turns.
    UnmatchedResult {
        /// The id of the call.
        call: Str<'a>,
        /// The result.
        content: Option<Content<'a>>,
        /// Whether it failed, and was neither denied nor interrupted.
        is_error: bool,
    },
    /// An image.
    Image(Source<'a>),
    /// A document.
    Document {
        /// Its name.
        title: Option<Str<'a>>,
        /// Its content.
        source: Source<'a>,
    },
    /// The summary of a compacted part.
    Summary(Str<'a>),
    /// A compaction.
    Compaction {
        /// `auto` or `manual`.
        trigger: Option<Str<'a>>,
        /// Tokens before.
        before: Option<u64>,
        /// Tokens after.
        after: Option<u64>,
    },
    /// The person interrupted the model.
    Interruption,
    /// An API error.
    ApiError(Cow<'a, str>),
    /// A notice by the app or a program: (its kind, its text).
    Notice(Cow<'a, str>, Cow<'a, str>),
}

impl StepKind<'_> {
    /// Whether it is an error: a failed call, a failed result without a call, or an error of
    /// the API. Denied and interrupted calls do not count.
    pub fn is_error(&self, calls: &Calls<'_>) -> bool {
        match self {
            StepKind::Call(number) => {
                let answer = calls.get(*number).and_then(|call| call.answer.as_ref());
                answer.is_some_and(|it| it.is_error && it.status() == Status::Error)
            }
            StepKind::UnmatchedResult { is_error, .. } => *is_error,
            StepKind::ApiError(_) => true,
            _ => false,
        }
    }
}

/// One step of a turn.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The line it is in.
    pub node: NodeId,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Its kind and content.
    pub kind: StepKind<'a>,
}

/// Token counts of API calls; each call counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Input neither read from nor written to the cache.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Output.
    pub output: u64,
}

impl Tokens {
    /// All input: the size of the context window.
    pub fn window(self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Input and output.
    pub fn total(self) -> u64 {
        self.window().saturating_add(self.output)
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(other.input),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
        }
    }
}

/// Token counts of one API response, and of the calls of advisor models that it records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseTokens {
    /// Those of the response itself.
    pub own: Tokens,
    /// Those of advisors, which the response's own counts do not include.
    pub advisors: Tokens,
}

impl ResponseTokens {
    /// The counts that a line of a response reports.
    pub fn of(usage: &transcript::Usage<'_>) -> Self {
        let count = |count: Option<transcript::Count>| count.map_or(0, |count| count.0);
        let own = Tokens {
            input: count(usage.input_tokens),
            cache_read: count(usage.cache_read_input_tokens),
            cache_write: count(usage.cache_creation_input_tokens),
            output: count(usage.output_tokens),
        };
        let requests = usage.iterations.as_ref().map(Json::as_str).unwrap_or_default();
        let advisors = json::elements(requests).filter(|request| is_advisor_call(request));
        let advisors = advisors.map(|request| {
            let count = |key| count_in(request, key);
            Tokens {
                input: count("input_tokens"),
                cache_read: count("cache_read_input_tokens"),
                cache_write: count("cache_creation_input_tokens"),
                output: count("output_tokens"),
            }
        });
        ResponseTokens { own, advisors: advisors.fold(Tokens::default(), Tokens::plus) }
    }

    /// The counts of whichever of two lines of one response has more output, then more tokens;
    /// the later one if both have the same.
    #[must_use]
    pub fn or_with_more_output(self, later: ResponseTokens) -> ResponseTokens {
        let order = |tokens: ResponseTokens| (tokens.own.output, tokens.own.total());
        if order(later) >= order(self) { later } else { self }
    }

    /// All tokens.
    pub fn sum(self) -> Tokens {
        self.own.plus(self.advisors)
    }
}

/// A count in a request within a response, which some versions wrote with a fraction.
pub(crate) fn count_in(request: &str, key: &str) -> u64 {
    json::member(request, key).and_then(transcript::Count::parse).unwrap_or_default().0
}

/// Whether a request within a response is that of an advisor model, which has a context window
/// and counts apart from those of the response.
pub(crate) fn is_advisor_call(request: &str) -> bool {
    json::member(request, "type") == Some("\"advisor_message\"")
}

/// How a turn used a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
}

/// Hooks that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// How many.
    pub ran: u64,
    /// How many failed or blocked something.
    pub failed: u64,
    /// How long they took, as far as recorded.
    pub milliseconds: u64,
}

impl Hooks {
    pub(crate) fn plus(self, other: Hooks) -> Hooks {
        Hooks {
            ran: self.ran.saturating_add(other.ran),
            failed: self.failed.saturating_add(other.failed),
            milliseconds: self.milliseconds.saturating_add(other.milliseconds),
        }
    }

    pub(crate) fn less(self, other: Hooks) -> Hooks {
        Hooks {
            ran: self.ran.saturating_sub(other.ran),
            failed: self.failed.saturating_sub(other.failed),
            milliseconds: self.milliseconds.saturating_sub(other.milliseconds),
        }
    }
}

/// A prompt with everything that answers it.
#[derive(Clone, Debug, Default)]
pub struct Turn<'a> {
    /// Its number.
    pub number: TurnNumber,
    /// Its steps, in order.
    pub steps: Vec<Step<'a>>,
    /// The earliest time in it.
    pub started: Option<Timestamp>,
    /// The latest time in it.
    pub ended: Option<Timestamp>,
    /// Milliseconds that the model took.
    pub model_ms: u64,
    /// Milliseconds that tools took.
    pub tools_ms: u64,
    /// Milliseconds spent waiting for the person: for answers to questions, and for
    /// the next prompt.
    pub waiting_ms: u64,
    /// How long it took, as the app reports it.
    pub reported_ms: Option<u64>,
    /// Tokens of its API calls, and of those of advisor models within them.
    pub tokens: Tokens,
    /// How many API calls it took.
    pub responses: u64,
    /// The models that answered.
    pub models: Vec<Str<'a>>,
    /// Files it touched.
    pub files: BTreeMap<String, Touch>,
    /// How many tools were called.
    pub calls: u64,
    /// How many of its steps are errors ([`StepKind::is_error`]).
    pub errors: u64,
    /// How many calls were denied.
    pub denials: u64,
    /// How often the person interrupted the model.
    pub interruptions: u64,
    /// How often the API returned an error.
    pub failures: u64,
    /// Hooks that ran.
    pub hooks: Hooks,
}

impl Turn<'_> {
    /// The text of its prompt.
    pub fn prompt(&self) -> Option<&str> {
        self.steps.iter().find_map(|step| match &step.kind {
            StepKind::Prompt { text, .. } => Some(&**text),
            _ => None,
        })
    }

    /// The line that identifies it: that of its prompt, else its first.
    pub fn line(&self) -> Option<NodeId> {
        let is_prompt = |step: &&Step<'_>| matches!(step.kind, StepKind::Prompt { .. });
        self.steps.iter().find(is_prompt).or(self.steps.first()).map(|step| step.node)
    }

    /// Whether its prompt is elsewhere: in an earlier generation, or before the fork
    /// of a branch.
    pub fn is_continued(&self) -> bool {
        self.number.has_prompt() && self.prompt().is_none()
    }
}

/// The turns of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Turns<'a> {
    /// The turns.
    pub turns: Vec<Turn<'a>>,
    /// The calls in them.
    pub calls: Calls<'a>,
}

impl Turns<'_> {
    /// The ids of the calls in them.
    pub fn call_ids(&self) -> impl Iterator<Item = &str> {
        self.calls.all().iter().filter_map(|call| call.id.as_deref())
    }

    /// Whether a turn contains some words, ignoring case, in its text, thinking,
    /// tool arguments or tool results.
    pub fn mentions(&self, turn: &Turn<'_>, words: &str) -> bool {
        let words = words.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        turn.steps.iter().any(|step| self.any_text(step, &has))
    }

    /// Whether a text of a step is one that is looked for: its text, thinking, tool
    /// arguments or tool results.
    pub fn any_text(&self, step: &Step<'_>, has: &dyn Fn(&str) -> bool) -> bool {
        match &step.kind {
            StepKind::Prompt { text, .. }
            | StepKind::ApiError(text)
            | StepKind::Notice(_, text) => has(text),
            StepKind::Text(text) | StepKind::Thinking(text) | StepKind::Summary(text) => has(text),
            StepKind::UnmatchedResult { content, .. } => {
                content.as_ref().is_some_and(|content| has(&content.text()))
            }
            StepKind::Call(number) => self.calls.get(*number).is_some_and(|call| {
                let mut found = has(&call.tool);
                if let Some(input) = &call.input {
                    transcript::json::string_values(input.as_str(), |text| found |= has(&text));
                }
                found || call.answer.as_ref().is_some_and(|answer| has(&answer.text()))
            }),
            StepKind::Image(_)
            | StepKind::Document { .. }
            | StepKind::Compaction { .. }
            | StepKind::Interruption => false,
        }
    }
}
