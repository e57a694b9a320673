//! The conversation turn by turn: a prompt, and everything until the next.
//!
//! A turn is a list of steps in the order they happened, and what it came to:
//! how long the model, the tools and the person took, tokens, files, errors.
//! How lines become turns is `tell.rs`'s.

use crate::call::Calls;
use crate::graph::NodeId;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use transcript::{Content, Source, Str};

/// What happened.
#[derive(Clone, Debug)]
pub enum What<'a> {
    /// The person spoke; in a sub-agent's conversation, whoever started it.
    Prompt {
        /// What they said.
        text: Cow<'a, str>,
        /// Whether they said it while the model worked.
        is_queued: bool,
    },
    /// The model spoke.
    Said(Str<'a>),
    /// The model thought; empty where the API keeps the thought sealed.
    Thought(Str<'a>),
    /// The model called a tool: a number in [`Turns::calls`].
    Called(usize),
    /// A tool answered a call that is not here.
    Answered {
        /// The call.
        call: Str<'a>,
        /// The answer.
        content: Option<Content<'a>>,
        /// Whether it failed.
        is_error: bool,
    },
    /// A picture.
    Image(Source<'a>),
    /// A document.
    Document {
        /// Its name.
        title: Option<Str<'a>>,
        /// Its content.
        source: Source<'a>,
    },
    /// What was compacted, in a model's words.
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
    /// The person cut the model off.
    Interruption,
    /// The API failed.
    Failure(Cow<'a, str>),
    /// Something the app or a program noted: (what it is, what it says).
    Notice(Cow<'a, str>, Cow<'a, str>),
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The line it stands in.
    pub node: NodeId,
    /// When.
    pub time: Option<Timestamp>,
    /// What.
    pub what: What<'a>,
}

/// Tokens of API calls, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Not from the cache.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Answered.
    pub output: u64,
}

impl Tokens {
    /// What an API response says of itself.
    pub fn of(usage: &transcript::Usage<'_>) -> Self {
        let count = |count: Option<transcript::Count>| count.map_or(0, |count| count.0);
        Tokens {
            input: count(usage.input_tokens),
            cache_read: count(usage.cache_read_input_tokens),
            cache_write: count(usage.cache_creation_input_tokens),
            output: count(usage.output_tokens),
        }
    }

    /// How full the window was.
    pub fn window(self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Everything, of whatever price.
    pub fn total(self) -> u64 {
        self.window().saturating_add(self.output)
    }

    /// Of two lines of one response, the one that says more; the later of two
    /// that say the same.
    #[must_use]
    pub fn or_fuller(self, later: Tokens) -> Tokens {
        if later.output >= self.output { later } else { self }
    }

    /// Both together.
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

/// How a turn touched a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// Hooks that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// How many.
    pub ran: u64,
    /// How many failed or objected.
    pub failed: u64,
    /// How long they took, as far as they say.
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

/// A prompt, and everything until the next.
#[derive(Clone, Debug, Default)]
pub struct Turn<'a> {
    /// Its number, from 1; 0 stands before the first prompt.
    pub number: u64,
    /// What happened.
    pub steps: Vec<Step<'a>>,
    /// The first time written in it.
    pub started: Option<Timestamp>,
    /// The last.
    pub ended: Option<Timestamp>,
    /// Milliseconds spent by the model.
    pub model_ms: u64,
    /// By tools.
    pub tools_ms: u64,
    /// Waiting for the person: questions within it, and after it until the next.
    pub waiting_ms: u64,
    /// How long the app says it took.
    pub noted_ms: Option<u64>,
    /// Tokens of its API calls.
    pub tokens: Tokens,
    /// How many API calls it took.
    pub responses: u64,
    /// Models that answered.
    pub models: Vec<Str<'a>>,
    /// Files it touched.
    pub files: BTreeMap<String, Touch>,
    /// How many tools were called.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many were denied.
    pub denials: u64,
    /// How often the person cut the model off.
    pub interruptions: u64,
    /// How often the API failed.
    pub failures: u64,
    /// Hooks that ran.
    pub hooks: Hooks,
}

impl Turn<'_> {
    /// What the person asked for.
    pub fn prompt(&self) -> Option<&str> {
        self.steps.iter().find_map(|step| match &step.what {
            What::Prompt { text, .. } => Some(&**text),
            _ => None,
        })
    }
}

/// A conversation told turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Turns<'a> {
    /// The turns.
    pub turns: Vec<Turn<'a>>,
    /// The calls in them.
    pub calls: Calls<'a>,
}

impl Turns<'_> {
    /// Whether a turn speaks of something, whatever the case of its letters:
    /// in what was said, thought, asked of tools or answered by them.
    pub fn mentions(&self, turn: &Turn<'_>, words: &str) -> bool {
        let words = words.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        turn.steps.iter().any(|step| match &step.what {
            What::Prompt { text, .. } | What::Failure(text) | What::Notice(_, text) => has(text),
            What::Said(text) | What::Thought(text) | What::Summary(text) => has(text),
            What::Answered { content, .. } => {
                content.as_ref().is_some_and(|content| has(&content.text()))
            }
            What::Called(number) => self.calls.get(*number).is_some_and(|call| {
                let mut found = has(&call.tool);
                if let Some(input) = &call.input {
                    transcript::json::string_values(input.as_str(), |text| found |= has(&text));
                }
                found || call.answer.as_ref().is_some_and(|answer| has(&answer.text()))
            }),
            What::Image(_)
            | What::Document { .. }
            | What::Compaction { .. }
            | What::Interruption => false,
        })
    }
}
