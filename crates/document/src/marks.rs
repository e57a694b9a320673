//! Bookmarks, and what `rename` and `tag` added.

use crate::sessions::{shown, turn_of};
use crate::table::{Column, columns};
use crate::turn_id::show_command;
use crate::{Document, Keyword, Moment, TurnId};
use archive::Mark;
use conversation::TurnNumber;
use library::Library;
use library::archive::AppendedLine;
use library::session::{Presence, Session};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Bookmarks, newest first; or the one that was set or removed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarksDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many there are, before `--limit`.
    pub total: usize,
    /// The bookmarks.
    pub marks: Vec<MarkEntryDocument>,
}

impl Document for MarksDocument {
    const SCHEMA: &'static str = "annals/marks/1";
    const COMMAND: &'static str = "`annals mark`";
    const ROWS: Option<&'static str> = Some("marks");
    const COLUMNS: &'static [Column] = &columns([
        "id",
        "session_id",
        "agent_id",
        "turn",
        "uuid",
        "note",
        "at",
        "title",
        "project",
        "presence",
        "command",
    ]);
}

impl MarksDocument {
    /// The bookmarks that are shown, out of `total`.
    pub fn new(total: usize, marks: Vec<MarkEntryDocument>) -> Self {
        MarksDocument { schema: Self::SCHEMA.into(), total, marks }
    }
}

/// A bookmark, with the session it is in.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarkEntryDocument {
    /// The bookmark's id.
    pub id: String,
    /// The session it is in.
    pub session_id: String,
    /// The sub-agent it is in.
    pub agent_id: Option<String>,
    /// The turn, by its present number; `null`: the whole session or sub-agent.
    pub turn: Option<TurnId>,
    /// The id of the record that identifies the turn.
    pub uuid: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// When it was set.
    pub at: Moment,
    /// The session's title.
    pub title: Option<String>,
    /// The session's project.
    pub project: Option<String>,
    /// `disk`, `archive`, `prompts_only`, `unknown`: not everything that its app has can be read, or
    /// `deleted`: neither has the session any more.
    pub presence: Keyword,
    /// The command that opens it; `null` if there is nothing to open.
    pub command: Option<String>,
}

impl MarkEntryDocument {
    /// A bookmark of which the session was looked for, and the number that its turn now has.
    pub fn of_found(
        library: &Library,
        mark: &Mark,
        session: Option<&Session>,
        turn: Option<TurnNumber>,
    ) -> Self {
        let mut document = MarkEntryDocument::new(mark, session, turn);
        if session.is_none() && library.catalog().apps().may_still_have(&mark.target.session) {
            document.presence = Presence::Unknown.name().into();
        }
        document
    }

    /// A bookmark, with its session if that is known, and the number that its turn
    /// now has.
    pub fn new(mark: &Mark, session: Option<&Session>, turn: Option<TurnNumber>) -> Self {
        let is_there = session.is_some_and(|session| session.presence != Presence::PromptsOnly);
        let mut document = MarkEntryDocument {
            id: mark.id.clone(),
            session_id: mark.target.session.clone(),
            agent_id: mark.target.agent.clone(),
            turn: turn_of(mark, turn),
            uuid: mark.uuid.clone(),
            note: mark.note.clone(),
            at: mark.at.into(),
            title: session.and_then(Session::heading).map(str::to_owned),
            project: session.and_then(|session| session.project.clone()),
            presence: session.map_or("deleted", |session| session.presence.name()).into(),
            command: None,
        };
        document.command = is_there.then(|| document.command_for(document.shown_id()));
        document
    }

    /// The id of what it is in: the sub-agent, or the session.
    pub fn shown_id(&self) -> &str {
        self.agent_id.as_deref().unwrap_or(&self.session_id)
    }

    /// The command that opens it, by this id.
    pub fn command_for(&self, id: &str) -> String {
        show_command(id, self.turn.map(|turn| turn.0))
    }
}

/// The title a session was given.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RenamedDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// Its transcript.
    pub path: String,
    /// The title, as it is stored.
    pub title: Cow<'a, str>,
    /// The line that was added to the transcript.
    pub line: Cow<'a, str>,
}

impl Document for RenamedDocument<'_> {
    const SCHEMA: &'static str = "annals/renamed/1";
    const COMMAND: &'static str = "`annals rename`";
}

impl<'a> RenamedDocument<'a> {
    /// What was added to a session.
    pub fn new(session_id: &'a str, named: &'a AppendedLine) -> Self {
        RenamedDocument {
            schema: Self::SCHEMA.into(),
            session_id: session_id.into(),
            path: shown(&named.path),
            title: named.value.as_str().into(),
            line: named.line.as_str().into(),
        }
    }
}

/// The tag of a session.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TagDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// The tag; `null`: it has none.
    pub tag: Option<Cow<'a, str>>,
}

impl Document for TagDocument<'_> {
    const SCHEMA: &'static str = "annals/tag/1";
    const COMMAND: &'static str = "`annals tag SESSION`";
}

impl<'a> TagDocument<'a> {
    /// The tag of a session.
    pub fn new(session_id: &'a str, tag: Option<&'a str>) -> Self {
        TagDocument {
            schema: Self::SCHEMA.into(),
            session_id: session_id.into(),
            tag: tag.map(Cow::from),
        }
    }
}

/// The tag a session was given.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TaggedDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// Its transcript.
    pub path: String,
    /// The tag; `null`: it was removed.
    pub tag: Option<Cow<'a, str>>,
    /// The line that was added to the transcript.
    pub line: Cow<'a, str>,
}

impl Document for TaggedDocument<'_> {
    const SCHEMA: &'static str = "annals/tagged/1";
    const COMMAND: &'static str = "`annals tag`";
}

impl<'a> TaggedDocument<'a> {
    /// What was added to a session.
    pub fn new(session_id: &'a str, named: &'a AppendedLine) -> Self {
        TaggedDocument {
            schema: Self::SCHEMA.into(),
            session_id: session_id.into(),
            path: shown(&named.path),
            tag: Some(named.value.as_str()).filter(|tag| !tag.is_empty()).map(Cow::from),
            line: named.line.as_str().into(),
        }
    }
}
