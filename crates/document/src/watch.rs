//! Events of sessions that are being written.
//!
//! An event is one object: five members that every event has, followed by its
//! own. The house does not flatten objects into each other, so each event is
//! declared with all its members. How they are made is in `watch_events.rs`.

use crate::{Document, Keyword, Moment, SessionDocument, TurnId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Declares the events: their names, and the members that follow the common ones.
macro_rules! events {
    ($($(#[$attribute:meta])* $variant:ident $type:ident $name:literal {
        $($(#[$field_attribute:meta])* $field:ident: $field_type:ty,)*
    })*) => {
        $(
            $(#[$attribute])*
            #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
            pub struct $type<'e> {
                /// The name of this document's schema.
                pub schema: Keyword,
                #[doc = concat!("`", $name, "`.")]
                pub event: Keyword,
                /// The session.
                pub session_id: Cow<'e, str>,
                /// The sub-agent; `null`: the main transcript, or the session as a whole.
                pub agent_id: Option<Cow<'e, str>>,
                /// Whether it happened before anybody watched.
                pub is_past: bool,
                $($(#[$field_attribute])* pub $field: $field_type,)*
            }
        )*

        /// An event of a session that is being written.
        #[derive(Clone, Debug)]
        pub enum WatchEventDocument<'e> {
            $($(#[$attribute])* $variant(Box<$type<'e>>),)*
        }

        impl Serialize for WatchEventDocument<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(WatchEventDocument::$variant(event) => event.serialize(serializer),)*
                }
            }
        }

        impl<'de> Deserialize<'de> for WatchEventDocument<'_> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // The members of an event hold JSON as it is, which only JSON text gives.
                let object = Box::<RawValue>::deserialize(deserializer)?;
                let text = object.get();
                let head: Head<'_> = serde_json::from_str(text).map_err(D::Error::custom)?;
                match &*head.event {
                    $($name => serde_json::from_str(text).map(WatchEventDocument::$variant),)*
                    other => return Err(D::Error::unknown_variant(other, &[$($name),*])),
                }
                .map_err(D::Error::custom)
            }
        }

        impl JsonSchema for WatchEventDocument<'_> {
            fn schema_name() -> Cow<'static, str> {
                "WatchEventDocument".into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": "An event of a session that is being written. `event` says which ([watch.md](watch.md)).",
                    "oneOf": [$(generator.subschema_for::<$type<'_>>()),*],
                })
            }
        }
    };
}

/// What says which event an object is.
#[derive(Deserialize)]
struct Head<'e> {
    #[serde(borrow)]
    event: Cow<'e, str>,
}

events! {
    /// A session starts, or was there at the beginning. Written again when its process starts again or its transcript is back.
    SessionStarted SessionStartedEventDocument "session_started" {
        /// The session; `null` while it has no transcript.
        session: Option<SessionDocument>,
        /// The process that writes it; `null` if none is known.
        process: Option<ProcessDocument>,
    }

    /// The process says that it does something else now.
    Status StatusEventDocument "status" {
        /// What it does: `busy`, `idle`, and others.
        status: Option<Cow<'e, str>>,
    }

    /// A session ends.
    SessionEnded SessionEndedEventDocument "session_ended" {
        /// `process_ended`, or `deleted`: its transcript was deleted.
        reason: Keyword,
    }

    /// A sub-agent starts. Written again when more is known about it.
    AgentStarted AgentStartedEventDocument "agent_started" {
        /// Its type.
        #[serde(rename = "type")]
        kind: Option<Cow<'e, str>>,
        /// Its name.
        name: Option<Cow<'e, str>>,
        /// Its task.
        description: Option<Cow<'e, str>>,
        /// The model.
        model: Option<Cow<'e, str>>,
        /// The call that started it.
        tool_use_id: Option<Cow<'e, str>>,
        /// The sub-agent that started it.
        parent_agent_id: Option<Cow<'e, str>>,
        /// The workflow run it belongs to.
        workflow: Option<Cow<'e, str>>,
        /// Its phase in the workflow.
        phase: Option<Cow<'e, str>>,
        /// Its transcript.
        path: String,
    }

    /// A sub-agent ends. One that is resumed goes on and ends again.
    AgentEnded AgentEndedEventDocument "agent_ended" {
        /// `done`, `failed`, `stopped`.
        outcome: Keyword,
    }

    /// A message. A `uuid` that comes again replaces the message.
    Message MessageEventDocument "message" {
        /// Its id.
        uuid: String,
        /// The message before it; `null`: it is the first.
        after: Option<String>,
        /// `user` or `assistant`.
        role: Option<Keyword>,
        /// Its time.
        timestamp: Option<Moment>,
        /// The model that wrote it.
        model: Option<String>,
        /// Its text.
        text: String,
        /// Whether it has thinking.
        has_thinking: bool,
        /// The ids of the calls in it.
        calls: Vec<String>,
        /// The ids of the calls it answers.
        answers: Vec<String>,
        /// Whether it was typed while the model worked.
        is_queued: bool,
        /// Whether it is the summary that a compaction left.
        is_compact_summary: bool,
        /// The turn it belongs to at this moment.
        turn: Option<TurnId>,
    }

    /// A tool call starts.
    CallStarted CallStartedEventDocument "call_started" {
        /// The id of the call.
        id: String,
        /// The tool.
        tool: String,
        /// The call in one line.
        title: String,
        /// Its input, as it is in the transcript.
        input: Option<Box<RawValue>>,
        /// The message it is in.
        uuid: Option<String>,
        /// When it began.
        timestamp: Option<Moment>,
        /// The turn it belongs to at this moment.
        turn: Option<TurnId>,
    }

    /// A tool call ends.
    CallEnded CallEndedEventDocument "call_ended" {
        /// The id of the call.
        id: String,
        /// The tool.
        tool: String,
        /// The call in one line.
        title: String,
        /// `ok`, `error`, `denied`, `interrupted`.
        status: Keyword,
        /// How long it took, in milliseconds.
        duration_ms: Option<u64>,
        /// The text of its result.
        result: String,
        /// The message that holds the result.
        uuid: Option<String>,
        /// When it ended.
        timestamp: Option<Moment>,
        /// The turn it belongs to at this moment.
        turn: Option<TurnId>,
    }

    /// Records are no longer in the transcript.
    Retracted RetractedEventDocument "retracted" {
        /// Messages that are gone.
        uuids: Cow<'e, [String]>,
        /// Calls that are gone.
        calls: Cow<'e, [String]>,
        /// Calls that have no result any more.
        answers: Cow<'e, [String]>,
    }

    /// The conversation was rewound.
    Rewound RewoundEventDocument "rewound" {
        /// Messages that are on an abandoned branch now.
        abandoned: Cow<'e, [String]>,
        /// Messages that count again, in this order, behind `after`.
        live: Cow<'e, [String]>,
        /// The message before these; `null`: they are the first.
        after: Option<Cow<'e, str>>,
    }

    /// The conversation was compacted.
    Compacted CompactedEventDocument "compacted" {
        /// Messages that are before a compaction now.
        uuids: Cow<'e, [String]>,
    }

    /// Messages are in another place: results of tools that ran at the same time.
    Moved MovedEventDocument "moved" {
        /// The messages, in this order, behind `after`.
        uuids: Cow<'e, [String]>,
        /// The message before these; `null`: they are the first.
        after: Option<Cow<'e, str>>,
    }

    /// Another file replaced the transcript. Events for what that changed follow.
    Replaced ReplacedEventDocument "replaced" {}

    /// What the session used since it began, with its sub-agents.
    Usage UsageEventDocument "usage" {
        /// API calls, each counted once.
        calls: u64,
        /// The model.
        model: Option<Cow<'e, str>>,
        /// Tokens.
        tokens: WatchTokensDocument,
        /// The cost at API prices, of the calls that have one.
        cost_usd: String,
        /// Calls without a price.
        unpriced_calls: u64,
        /// How full the context is; `null` before the first answer and after a compaction.
        context: Option<WatchContextDocument>,
    }
}

impl Document for WatchEventDocument<'_> {
    const SCHEMA: &'static str = "annals/watch-event/1";
    const COMMAND: &'static str = "`annals watch`, one object a line, also with `--json`";
}

/// A process that writes a session.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProcessDocument {
    /// The process.
    pub pid: u32,
    /// What it says it does: `busy`, `idle`, and others.
    pub status: Option<String>,
    /// The kind of session.
    pub kind: Option<String>,
    /// The session's name.
    pub name: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// When the process started.
    pub started_at: Option<Moment>,
}

/// Tokens of a session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchTokensDocument {
    /// Input that was not cached.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input read from the cache.
    pub cache_read: u64,
    /// Input written to the cache.
    pub cache_write: u64,
}

/// How full the context is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchContextDocument {
    /// Tokens in it.
    pub tokens: u64,
    /// How many fit.
    pub limit: Option<u64>,
    /// How full it is, in percent.
    pub used_percent: Option<f64>,
}
