//! Which sessions an answer is about: where they are looked for, and which of them it
//! shows. Every list of sessions is made of these, on every surface.
//!
//! Deliberately not here: their order, which is that of
//! [`ListOrder`](library::session::ListOrder) until an answer sorts them otherwise.

use super::Marks;
use library::Library;
use library::catalog::Filter;
use library::lines::ReadError;
use library::progress::Progress;
use library::session::{Presence, Session};
use store::SessionKind;

/// Where sessions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionPlaces {
    /// On disk.
    Disk,
    /// On disk and in the archive.
    DiskAndArchive,
    /// Not on disk: in the archive, and among the prompts.
    Deleted,
    /// All of these.
    Everywhere,
}

impl SessionPlaces {
    /// Where a list looks that is of sessions with this presence, or of any.
    pub fn of(presence: Option<Presence>, only_marked: bool) -> Self {
        match presence {
            // Marked sessions are listed wherever they are.
            None if only_marked => SessionPlaces::DiskAndArchive,
            None | Some(Presence::Disk | Presence::Lake) => SessionPlaces::Disk,
            Some(Presence::Unknown) => SessionPlaces::DiskAndArchive,
            Some(Presence::Archive | Presence::PromptsOnly) => SessionPlaces::Deleted,
        }
    }
}

/// The sessions in these places, newest first, hidden ones among them, and what could not
/// be read.
pub fn listed(library: &Library, places: SessionPlaces) -> (Vec<Session>, Vec<ReadError>) {
    let catalog = library.catalog();
    let list = match places {
        SessionPlaces::Disk => catalog.sessions(),
        SessionPlaces::DiskAndArchive | SessionPlaces::Everywhere => catalog.all_sessions(),
        SessionPlaces::Deleted => return catalog.deleted_from_disk(),
    };
    if places != SessionPlaces::Everywhere {
        return (list.sessions, list.read_errors);
    }
    let (gone, unread) = catalog.prompts_only(&list);
    let (mut sessions, mut read_errors) = (list.sessions, list.read_errors);
    sessions.extend(gone);
    sessions.sort_by(|one, two| one.order().cmp(&two.order()));
    read_errors.extend(unread);
    (sessions, read_errors)
}

/// Which sessions by who started them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionKinds {
    /// All.
    #[default]
    All,
    /// Those that a program did not start.
    Interactive,
    /// Those that a program started.
    Programmatic,
}

impl SessionKinds {
    /// Whether sessions of a kind are listed.
    pub fn admits(self, kind: SessionKind) -> bool {
        match self {
            SessionKinds::All => true,
            SessionKinds::Interactive => kind != SessionKind::Programmatic,
            SessionKinds::Programmatic => kind == SessionKind::Programmatic,
        }
    }
}

/// Which sessions of a list an answer shows.
#[derive(Clone, Debug, Default)]
pub struct SessionChoice<'o> {
    /// Conditions on the metadata and the content of sessions.
    pub filter: Filter,
    /// Who started them.
    pub kinds: SessionKinds,
    /// Only those with this presence.
    pub presence: Option<Presence>,
    /// Only those with this tag.
    pub tag: Option<&'o str>,
    /// Only those with bookmarks.
    pub only_marked: bool,
    /// Also those that Claude Code does not list.
    pub with_hidden: bool,
}

impl SessionChoice<'_> {
    /// Those that Claude Code lists, and a filter admits.
    pub fn of(filter: &Filter) -> Self {
        SessionChoice { filter: filter.clone(), ..SessionChoice::default() }
    }

    /// Keeps the sessions of this choice, and returns what could not be read of the others.
    pub fn retain(
        &self,
        library: &Library,
        sessions: &mut Vec<Session>,
        marks: &Marks,
        progress: &dyn Progress,
    ) -> Vec<ReadError> {
        let counts = marks.counts();
        sessions.retain(|session| {
            let tag = session.metadata.tag.as_deref();
            (self.with_hidden || session.unlisted.is_none())
                && self.presence.is_none_or(|presence| session.presence == presence)
                && self.kinds.admits(session.metadata.kind)
                && self.tag.is_none_or(|wanted| tag == Some(wanted))
                && (!self.only_marked || counts.contains_key(session.id.as_str()))
                && self.filter.admits(session)
        });
        if !self.filter.needs_content() {
            return Vec::new();
        }
        library.prompts().retain_by_content(sessions, &self.filter, progress)
    }
}
