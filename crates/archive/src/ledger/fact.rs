//! The kinds of facts, and how each is written.
//!
//! All kinds are parsed into one wide struct and taken apart afterwards.
//! Unknown members are thus ignored, and a line that lacks a required member is
//! treated as one of an unknown kind.

use jiff::Timestamp;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The version of the lines written here.
const VERSION: u64 = 1;

/// A fact, and when it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was recorded.
    pub at: Timestamp,
    /// The fact.
    pub fact: Fact,
}

/// A recorded fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A bookmark was set, or its note replaced. The entry has the time.
    Mark(Mark),
    /// A bookmark was removed.
    Unmark {
        /// Its id.
        mark: String,
    },
    /// A session was deleted on purpose.
    Tombstone {
        /// The session.
        session: String,
        /// The deleted files.
        paths: Vec<String>,
    },
    /// API calls of a deleted transcript.
    Calls(LedgerCalls),
    /// How full a limit was.
    RateLimit(RateLimit),
}

/// What a bookmark points to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MarkTarget {
    /// The session.
    pub session: String,
    /// Its sub-agent, if the mark points into one.
    pub agent: Option<String>,
    /// The number of the turn when it was marked, such as `12` or `b1.2`; `None` for
    /// the whole session or agent.
    pub turn: Option<String>,
}

impl MarkTarget {
    /// A short id, different for every attempt.
    pub(super) fn id(&self, attempt: usize) -> String {
        let agent = self.agent.as_deref().unwrap_or_default();
        let turn = self.turn.as_ref().map_or("None".to_owned(), |turn| format!("Some({turn})"));
        let text = format!("{}\n{agent}\n{turn}\n{attempt}", self.session);
        let mut id = blake3::hash(text.as_bytes()).to_hex().to_string();
        id.truncate(8);
        id
    }
}

/// A bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its own short id: 8 hex digits.
    pub id: String,
    /// What it points to.
    pub target: MarkTarget,
    /// The uuid of the turn's prompt, or of its first line: a rewind renumbers turns,
    /// but lines keep their uuids.
    pub uuid: Option<String>,
    /// The person's note.
    pub note: Option<String>,
    /// When it was set.
    pub at: Timestamp,
}

impl Mark {
    /// Whether it marks the same place as another mark. Turns are the same if their
    /// lines are, whatever their numbers were.
    pub fn is_at_same_place(&self, other: &Mark) -> bool {
        let (own, others) = (&self.target, &other.target);
        let is_same_turn = match (&self.uuid, &other.uuid) {
            (Some(uuid), Some(other)) => uuid == other,
            _ => own.turn == others.turn,
        };
        own.session == others.session && own.agent == others.agent && is_same_turn
    }
}

/// The API calls of one deleted transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerCalls {
    /// The session.
    pub session: String,
    /// The sub-agent whose transcript it was.
    pub agent: Option<String>,
    /// That agent's type.
    pub agent_type: Option<String>,
    /// Lines without text, which count like the transcript's own.
    pub lines: Vec<String>,
}

/// How full a limit was.
#[derive(Clone, Debug, PartialEq)]
pub struct RateLimit {
    /// Which limit.
    pub window: RateLimitWindow,
    /// How much of it was used.
    pub used_percent: f64,
    /// When it resets.
    pub resets_at: Option<Timestamp>,
    /// When it was reported.
    pub seen_at: Timestamp,
}

/// Which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimitWindow {
    /// The five-hour limit.
    FiveHours,
    /// The seven-day limit.
    SevenDays,
}

impl RateLimitWindow {
    /// Its name in the ledger and in reports.
    pub fn name(self) -> &'static str {
        match self {
            RateLimitWindow::FiveHours => "five_hour",
            RateLimitWindow::SevenDays => "seven_day",
        }
    }

    fn named(name: &str) -> Option<RateLimitWindow> {
        [RateLimitWindow::FiveHours, RateLimitWindow::SevenDays]
            .into_iter()
            .find(|window| window.name() == name)
    }
}

/// The number of a turn: an integer, as all versions write it, or a text such as
/// `b1.2`, whose line older versions skip.
struct Turn<'a>(Cow<'a, str>);

impl Serialize for Turn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<u64>() {
            Ok(number) => serializer.serialize_u64(number),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Turn<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TurnVisitor;
        impl Visitor<'_> for TurnVisitor {
            type Value = String;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the number of a turn")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
                Ok(number.to_string())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
                Ok(text.to_owned())
            }
        }
        deserializer.deserialize_any(TurnVisitor).map(|turn| Turn(Cow::Owned(turn)))
    }
}

/// Every member of every kind, in the order in which they are written.
#[derive(Default, Deserialize, Serialize)]
struct Wide<'a> {
    v: u64,
    at: Cow<'a, str>,
    is: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uuid: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Cow<'a, [String]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resets_at: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_at: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Cow<'a, [String]>>,
}

/// The kind of a line, whatever else it contains.
pub(super) fn kind(rest: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Header {
        is: String,
    }
    serde_json::from_str::<Header>(&format!("{{{rest}")).ok().map(|header| header.is)
}

impl Entry {
    /// The text of its object, without the opening brace.
    pub(super) fn rest(&self) -> String {
        // Serializing cannot fail: all keys are strings.
        let text = serde_json::to_string(&self.wide()).unwrap_or_default();
        text.get(1..).unwrap_or_default().to_owned()
    }

    /// Its line in the ledger, with the newline.
    pub(super) fn line(&self) -> String {
        crate::sealed::seal(&self.rest()) + "\n"
    }

    fn wide(&self) -> Wide<'_> {
        let common = |is: &'static str| Wide {
            v: VERSION,
            at: self.at.to_string().into(),
            is: is.into(),
            ..Wide::default()
        };
        match &self.fact {
            Fact::Mark(mark) => Wide {
                id: Some((&mark.id).into()),
                session: Some((&mark.target.session).into()),
                agent: text(mark.target.agent.as_ref()),
                turn: mark.target.turn.as_deref().map(|turn| Turn(turn.into())),
                uuid: text(mark.uuid.as_ref()),
                note: text(mark.note.as_ref()),
                ..common("mark")
            },
            Fact::Unmark { mark } => Wide { mark: Some(mark.into()), ..common("unmark") },
            Fact::Tombstone { session, paths } => Wide {
                session: Some(session.into()),
                paths: Some(paths.into()).filter(|paths: &Cow<'_, [String]>| !paths.is_empty()),
                ..common("tombstone")
            },
            Fact::Calls(calls) => Wide {
                session: Some((&calls.session).into()),
                agent: text(calls.agent.as_ref()),
                agent_type: text(calls.agent_type.as_ref()),
                lines: Some((&calls.lines).into()),
                ..common("calls")
            },
            Fact::RateLimit(limit) => Wide {
                window: Some(limit.window.name().into()),
                used_percent: Some(limit.used_percent),
                resets_at: limit.resets_at.map(|time| time.to_string().into()),
                seen_at: Some(limit.seen_at.to_string().into()),
                ..common("rate_limit")
            },
        }
    }

    /// Parses the content of a sealed line; `None` for an unknown kind.
    pub(super) fn parse(rest: &str) -> Option<Entry> {
        let wide: Wide<'_> = serde_json::from_str(&format!("{{{rest}")).ok()?;
        if wide.v != VERSION {
            return None;
        }
        let at: Timestamp = wide.at.parse().ok()?;
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        let fact = match &*wide.is {
            "mark" => Fact::Mark(Mark {
                id: owned(wide.id)?,
                target: MarkTarget {
                    session: owned(wide.session)?,
                    agent: owned(wide.agent),
                    turn: wide.turn.map(|turn| turn.0.into_owned()),
                },
                uuid: owned(wide.uuid),
                note: owned(wide.note),
                at,
            }),
            "unmark" => Fact::Unmark { mark: owned(wide.mark)? },
            "tombstone" => Fact::Tombstone {
                session: owned(wide.session)?,
                paths: wide.paths.unwrap_or_default().into_owned(),
            },
            "calls" => Fact::Calls(LedgerCalls {
                session: owned(wide.session)?,
                agent: owned(wide.agent),
                agent_type: owned(wide.agent_type),
                lines: wide.lines?.into_owned(),
            }),
            "rate_limit" => Fact::RateLimit(RateLimit {
                window: RateLimitWindow::named(&wide.window?)?,
                used_percent: wide.used_percent?,
                resets_at: wide.resets_at.and_then(|time| time.parse().ok()),
                seen_at: wide.seen_at?.parse().ok()?,
            }),
            _ => return None,
        };
        Some(Entry { at, fact })
    }
}

fn text(text: Option<&String>) -> Option<Cow<'_, str>> {
    text.map(Cow::from)
}
