//! Everything that writes: titles and tags, bookmarks, the archive.
//!
//! Titles and tags are the only things that annals ever adds to a transcript.
//! This module decides which sessions may get one; the crate `amend` knows the
//! format of the line and how to write it. Changes of the archive are in the
//! folder `archive`.

use crate::archive::{ArchiveError, SessionArchive};
use crate::session::{Presence, Session, UnlistedReason};
use crate::sessions::selection::{Part, Selection, SelectionError, TurnRange};
use crate::sessions::session::OpenSession;
use ::apps::App;
use ::archive::{Entry, Fact, Mark, MarkTarget};
use amend::{AppendError, naming};
use conversation::TurnNumber;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{SessionKind, is_session_id};

/// Everything that writes: titles and tags of sessions, bookmarks, and the
/// archive. No other room writes to a store, the archive or the
/// ledger.
#[derive(Clone, Debug)]
pub struct Actions {
    pub(crate) archive: Arc<SessionArchive>,
}

/// Why a session cannot be renamed, tagged or resumed.
#[derive(Debug, thiserror::Error)]
pub enum NotEditableError {
    /// Its id is not a UUID, or another tool wrote it.
    #[error("{0} is not a Claude Code session: its id is not a UUID")]
    NotASession(String),
    /// Another app wrote it.
    #[error("{id} is a session of {}, whose files annals never changes", app.title())]
    OfAnotherApp {
        /// Its id.
        id: String,
        /// The app.
        app: App,
    },
    /// Its transcript is gone from disk, and the archive has it.
    #[error("{0} is only in the archive\nhint: run `annals archive restore {0}` first")]
    OnlyArchived(String),
    /// Its transcript is gone.
    #[error(
        "the transcript of {0} was deleted, and it is not in the archive\nhint: if another archive \
         has it, run `annals archive restore {0}` there"
    )]
    Gone(String),
    /// It comes from a team's lake.
    #[error("{0} is in the lake, not on this machine")]
    InLake(String),
    /// Only a copy is left.
    #[error("only a pre-compaction copy of {0} is left, and Claude Code does not read those")]
    OnlyCopy(String),
    /// The title or tag is empty.
    #[error("a {0} cannot be empty")]
    Empty(&'static str),
    /// The line cannot be built.
    #[error("cannot write the line as JSON")]
    Json(#[from] serde_json::Error),
    /// Writing failed.
    #[error(transparent)]
    Append(#[from] AppendError),
}

/// The longest note of a bookmark, in bytes.
const LONGEST_NOTE: usize = 4096;

/// Why a bookmark cannot be set or removed.
#[derive(Debug, thiserror::Error)]
pub enum SetMarkError {
    /// There is no such turn.
    #[error(transparent)]
    Turn(#[from] SelectionError),
    /// The note is too long.
    #[error("the note is too long: at most {LONGEST_NOTE} bytes")]
    LongNote,
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Ledger(ArchiveError),
}

/// A bookmark without an id and a note. A turn must exist.
fn mark_at(
    session: &OpenSession,
    turn: Option<TurnNumber>,
    now: Timestamp,
) -> Result<Mark, SelectionError> {
    let uuid = match turn {
        None => None,
        Some(number) => {
            let selection = Selection {
                range: TurnRange::only(number),
                ..Selection::of(Part::with_turn(number))
            };
            let selected = session.turns(&selection)?;
            let turn = selected.selected().into_iter().next();
            turn.and_then(|turn| selected.record_of(turn)).map(str::to_owned)
        }
    };
    let found = session.found();
    let target = MarkTarget {
        session: found.session.id.clone(),
        agent: found.agent_id().map(str::to_owned),
        turn: turn.map(|turn| turn.to_string()),
    };
    Ok(Mark { id: String::new(), target, uuid, note: None, at: now })
}

/// The title or tag line that was appended to a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppendedLine {
    /// The title or tag as it was stored.
    pub value: String,
    /// The transcript.
    pub path: PathBuf,
    /// The line, without its newline.
    pub line: String,
}

impl Session {
    /// Its transcript, if Claude Code itself could resume it.
    pub fn transcript_on_disk(&self) -> Result<&Path, NotEditableError> {
        let id = || self.id.clone();
        if self.app() != App::Claude {
            return Err(NotEditableError::OfAnotherApp { id: id(), app: self.app() });
        }
        match self.presence {
            Presence::Archive | Presence::Unknown => {
                return Err(NotEditableError::OnlyArchived(id()));
            }
            Presence::PromptsOnly => return Err(NotEditableError::Gone(id())),
            Presence::Lake => return Err(NotEditableError::InLake(id())),
            Presence::Disk => {}
        }
        let path = self.path.as_deref().ok_or_else(|| NotEditableError::Gone(id()))?;
        let is_copy = self.metadata.kind == SessionKind::PreCompactCopy
            || self.unlisted == Some(UnlistedReason::PreCompactCopy);
        if is_copy {
            return Err(NotEditableError::OnlyCopy(id()));
        }
        let has_its_name = path.file_stem().is_some_and(|stem| stem == self.id.as_str());
        if !is_session_id(&self.id)
            || !has_its_name
            || self.unlisted == Some(UnlistedReason::Foreign)
        {
            return Err(NotEditableError::NotASession(id()));
        }
        Ok(path)
    }
}

impl Actions {
    /// Stores a bookmark, replacing one at the same place.
    pub fn mark(&self, mark: &Mark) -> Result<(), ArchiveError> {
        let entry = Entry { at: mark.at, fact: Fact::Mark(mark.clone()) };
        Ok(self.archive.ledger()?.append(&[entry])?)
    }

    /// Sets a bookmark at a session, a sub-agent or a turn of it; one that is there
    /// already keeps its note, unless another one is given.
    pub fn set_mark(
        &self,
        session: &OpenSession,
        turn: Option<TurnNumber>,
        note: Option<&str>,
        now: Timestamp,
    ) -> Result<Mark, SetMarkError> {
        if note.is_some_and(|note| note.len() > LONGEST_NOTE) {
            return Err(SetMarkError::LongNote);
        }
        let ledger = self.archive.ledger().map_err(SetMarkError::Ledger)?;
        let mut mark = mark_at(session, turn, now)?;
        mark.id = ledger.mark_id(&mark);
        mark.note = match note {
            None => ledger.mark_at(&mark).and_then(|known| known.note),
            Some(note) => Some(note.to_owned()).filter(|note| !note.is_empty()),
        };
        self.mark(&mark).map_err(SetMarkError::Ledger)?;
        Ok(mark)
    }

    /// Removes the bookmark at a session, a sub-agent or a turn of it, and returns it;
    /// `None` if there is none.
    pub fn remove_mark(
        &self,
        session: &OpenSession,
        turn: Option<TurnNumber>,
        now: Timestamp,
    ) -> Result<Option<Mark>, SetMarkError> {
        let ledger = self.archive.ledger().map_err(SetMarkError::Ledger)?;
        let Some(mark) = ledger.mark_at(&mark_at(session, turn, now)?) else { return Ok(None) };
        self.unmark(&mark, now).map_err(SetMarkError::Ledger)?;
        Ok(Some(mark))
    }

    /// Removes a bookmark.
    pub fn unmark(&self, mark: &Mark, now: Timestamp) -> Result<(), ArchiveError> {
        let entry = Entry { at: now, fact: Fact::Unmark { mark: mark.id.clone() } };
        Ok(self.archive.ledger()?.append(&[entry])?)
    }

    /// Gives a session a title.
    pub fn rename(&self, session: &Session, title: &str) -> Result<AppendedLine, NotEditableError> {
        let value = naming::title(title).ok_or(NotEditableError::Empty("title"))?;
        let line = naming::title_line(&session.id, &value)?;
        add(session, value, line)
    }

    /// Sets or removes the tag of a session.
    pub fn tag(
        &self,
        session: &Session,
        tag: Option<&str>,
    ) -> Result<AppendedLine, NotEditableError> {
        let value = match tag {
            Some(tag) => naming::tag(tag).ok_or(NotEditableError::Empty("tag"))?,
            None => String::new(),
        };
        let line = naming::tag_line(&session.id, &value)?;
        add(session, value, line)
    }
}

fn add(session: &Session, value: String, line: String) -> Result<AppendedLine, NotEditableError> {
    let path = session.transcript_on_disk()?.to_owned();
    amend::append_line(&path, &line)?;
    Ok(AppendedLine { value, path, line })
}
