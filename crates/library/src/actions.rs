//! Everything that changes something: titles and tags, bookmarks, the archive.
//!
//! Titles and tags are the two things that are ever added to a transcript. Here is
//! decided which sessions may get one; what the line looks like and how it is written
//! is `amend`'s. What changes the archive is in the folder `archive`.

use crate::archive::ArchiveError;
use crate::catalog::session::{Presence, Session, Unlisted};
use crate::{Catalog, Library};
use ::archive::{Entry, Fact, Mark};
use amend::{AppendError, naming};
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use store::{LiveSession, SessionKind, is_session_id, live_sessions};

/// Everything that changes something: titles and tags of sessions, and the archive.
/// Nothing else that a library hands out writes to a store, the archive or the ledger.
#[derive(Clone, Copy, Debug)]
pub struct Actions<'l> {
    pub(crate) library: &'l Library,
}

/// Why a session cannot be named or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum HandOverError {
    /// Its name is no UUID, or another tool wrote it.
    #[error("{0} is no session of Claude Code, whose ids are UUIDs")]
    NotASession(String),
    /// Its transcript is gone, and the archive keeps it.
    #[error(
        "{0} is only kept in the archive: annals archive restore {0} puts it back; then \
         annals resume {0} goes on with it, --fork with a copy"
    )]
    OnlyArchived(String),
    /// Its transcript is gone.
    #[error(
        "the transcript of {0} is gone, and no archive here keeps it: where one does, \
         annals archive restore {0} puts it back"
    )]
    Gone(String),
    /// Only a copy is left.
    #[error("of {0} only a copy made before a compaction is left, which Claude Code does not read")]
    OnlyCopy(String),
    /// Nothing is left of the title or tag.
    #[error("a {0} cannot be empty")]
    Empty(&'static str),
    /// The line cannot be made.
    #[error("the line cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// It was not written.
    #[error(transparent)]
    Append(#[from] AppendError),
}

/// A line that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The title or tag as it was stored.
    pub value: String,
    /// The transcript.
    pub path: PathBuf,
    /// The line, without its end.
    pub line: String,
}

impl Session {
    /// Its transcript, if it is one that Claude Code itself would go on with.
    pub fn living_transcript(&self) -> Result<&Path, HandOverError> {
        let id = || self.id.clone();
        match self.presence {
            Presence::Archive => return Err(HandOverError::OnlyArchived(id())),
            Presence::PromptsOnly => return Err(HandOverError::Gone(id())),
            Presence::Disk => {}
        }
        let path = self.path.as_deref().ok_or_else(|| HandOverError::Gone(id()))?;
        let is_copy = self.metadata.kind == SessionKind::PreCompactCopy
            || self.unlisted == Some(Unlisted::PreCompactCopy);
        if is_copy {
            return Err(HandOverError::OnlyCopy(id()));
        }
        let has_its_name = path.file_stem().is_some_and(|stem| stem == self.id.as_str());
        if !is_session_id(&self.id) || !has_its_name || self.unlisted == Some(Unlisted::Foreign) {
            return Err(HandOverError::NotASession(id()));
        }
        Ok(path)
    }
}

impl Catalog<'_> {
    /// Whether a living process says that it writes a session, or the session
    /// itself is asking.
    pub fn is_running(self, session: &Session) -> bool {
        let mut again = [session.clone()];
        self.library.mark_running(&mut again);
        again.iter().any(|session| session.is_running || session.is_current)
            || is_running_at_its_place(session)
    }
}

impl Actions<'_> {
    /// Stores a bookmark. One at the same place is replaced.
    pub fn mark(self, mark: &Mark) -> Result<(), ArchiveError> {
        let entry = Entry { at: mark.at, fact: Fact::Mark(mark.clone()) };
        Ok(self.library.ledger()?.append(&[entry])?)
    }

    /// Removes a bookmark.
    pub fn unmark(self, mark: &Mark, now: Timestamp) -> Result<(), ArchiveError> {
        let entry = Entry { at: now, fact: Fact::Unmark { mark: mark.id.clone() } };
        Ok(self.library.ledger()?.append(&[entry])?)
    }

    /// Gives a session a title.
    pub fn rename(self, session: &Session, title: &str) -> Result<Named, HandOverError> {
        let value = naming::title(title).ok_or(HandOverError::Empty("title"))?;
        let line = naming::title_line(&session.id, &value)?;
        add(session, value, line)
    }

    /// Gives a session a tag, or takes it away.
    pub fn tag(self, session: &Session, tag: Option<&str>) -> Result<Named, HandOverError> {
        let value = match tag {
            Some(tag) => naming::tag(tag).ok_or(HandOverError::Empty("tag"))?,
            None => String::new(),
        };
        let line = naming::tag_line(&session.id, &value)?;
        add(session, value, line)
    }
}

/// Roots that are less than a configuration folder, or a link to one, do not say
/// what runs: the folder that the transcript really lies in does.
fn is_running_at_its_place(session: &Session) -> bool {
    let path = session.path.as_deref().and_then(|path| path.canonicalize().ok());
    let projects = path.as_deref().and_then(|path| path.ancestors().nth(2));
    let config = projects.filter(|path| path.ends_with("projects")).and_then(Path::parent);
    config.is_some_and(|config| {
        let mut live = live_sessions(config).into_iter().filter(LiveSession::is_alive);
        live.any(|live| live.session_id.as_ref() == Some(&session.id))
    })
}

fn add(session: &Session, value: String, line: String) -> Result<Named, HandOverError> {
    let path = session.living_transcript()?.to_owned();
    amend::append_line(&path, &line)?;
    Ok(Named { value, path, line })
}
