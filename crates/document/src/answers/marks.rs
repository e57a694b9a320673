//! Bookmarks, where answers show them: beside sessions and at turns.
//!
//! Deliberately not here: setting and removing them, and how they are stored (the
//! ledger).

use super::SessionChoice;
use crate::{MarkDocument, MarkEntryDocument, MarksDocument};
use archive::Mark;
use library::Library;
use library::archive::ArchiveError;
use library::catalog::{Filter, SessionList};
use library::lines::ReadError;
use library::progress::Progress;
use library::session::Session;
use library::sessions::{OpenSession, PlacedMarks, SelectedTurns, TurnNumber};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// All bookmarks, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// These bookmarks, oldest first.
    pub fn new(marks: Vec<Mark>) -> Self {
        Marks(marks)
    }

    /// The bookmarks of annals' own data.
    pub fn read(library: &Library) -> Result<Self, ArchiveError> {
        library.archive().marks().map(Marks)
    }

    /// All of them, oldest first.
    pub fn all(&self) -> &[Mark] {
        &self.0
    }

    /// The sessions in which something is marked.
    pub fn sessions(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|mark| mark.target.session.as_str())
    }

    /// How many bookmarks each session has.
    pub fn counts(&self) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for session in self.sessions() {
            *counts.entry(session).or_default() += 1;
        }
        counts
    }

    /// Whether anything in a session is marked.
    pub fn has(&self, session: &str) -> bool {
        self.sessions().any(|marked| marked == session)
    }

    /// The bookmarks in a session. Transcripts are read only if turns in them are
    /// marked.
    pub fn documents(&self, library: &Library, session: &str) -> Vec<MarkDocument> {
        let own = self.0.iter().filter(|mark| mark.target.session == session);
        let has_line = |mark: &Mark| mark.target.turn.is_some() && mark.uuid.is_some();
        let turn = |mark: &Mark| {
            let name = mark.target.agent.as_deref().unwrap_or(session);
            let found = library.catalog().find(name, None).ok()?;
            library.sessions().open_session(&found).ok()?.turn_of_mark(mark)
        };
        let turn = |mark: &Mark| if has_line(mark) { turn(mark) } else { None };
        own.map(|mark| MarkDocument::new(mark, turn(mark))).collect()
    }

    /// The bookmarks in an open session, with the numbers that their turns have now.
    /// Those of its sub-agents have the numbers they were set with.
    pub fn documents_of(&self, session: &OpenSession) -> Vec<MarkDocument> {
        let found = session.found();
        let own = self.0.iter().filter(|mark| mark.target.session == found.session.id);
        let document = |mark: &Mark| {
            let is_here = mark.target.agent.as_deref() == found.agent_id();
            let turn = if is_here { session.turn_of_mark(mark) } else { None };
            MarkDocument::new(mark, turn)
        };
        own.map(document).collect()
    }

    /// The bookmarks in one conversation, placed at its selected turns.
    pub fn placed(&self, session: &OpenSession, selected: &SelectedTurns<'_>) -> PlacedMarks<'_> {
        PlacedMarks::new(session, selected, &self.0)
    }
}

impl MarkDocument {
    /// The bookmarks at a turn.
    pub fn at_turn(marks: &PlacedMarks<'_>, turn: TurnNumber) -> Vec<MarkDocument> {
        let at_turn = marks.turns.iter().filter(|(number, _)| *number == turn);
        at_turn.map(|(turn, mark)| MarkDocument::new(mark, Some(*turn))).collect()
    }
}

/// The newest bookmarks, and what could not be read. With a filter, only those in sessions
/// that it admits: marks of other sessions are as unknown as these sessions.
pub fn mark_list(
    library: &Library,
    marks: &Marks,
    filter: Option<&Filter>,
    limit: Option<usize>,
    progress: &dyn Progress,
) -> (MarksDocument, Vec<ReadError>) {
    let mut list = library.catalog().all_sessions();
    let mut read_errors = std::mem::take(&mut list.read_errors);
    let mut newest: Vec<Mark> = marks.all().iter().rev().cloned().collect();
    newest.retain(|mark| !list.excludes(&mark.target.session));
    if let Some(filter) = filter {
        let choice = SessionChoice { with_hidden: true, ..SessionChoice::of(filter) };
        read_errors.extend(choice.retain(library, &mut list.sessions, marks, progress));
        let known: HashSet<&str> = list.sessions.iter().map(|it| it.id.as_str()).collect();
        newest.retain(|mark| known.contains(mark.target.session.as_str()));
    }
    let known = sessions_of_marks(library, &newest, list);
    let total = newest.len();
    newest.truncate(limit.unwrap_or(usize::MAX));
    let turns = present_turns(library, &newest, &known);
    let entry = |mark: &Mark| {
        let session = known.get(&mark.target.session);
        MarkEntryDocument::of_found(library, mark, session, turns.get(&mark.id).copied())
    };
    (MarksDocument::new(total, newest.iter().map(entry).collect()), read_errors)
}

/// The sessions of bookmarks that are on disk, in the archive or known by prompts
/// only.
pub fn sessions_of_marks(
    library: &Library,
    marks: &[Mark],
    list: SessionList,
) -> HashMap<String, Session> {
    let wanted = |id: &str| marks.iter().any(|mark| mark.target.session == id);
    let found = |id: &str| list.sessions.iter().any(|session| session.id == id);
    let mut gone = Vec::new();
    if marks.iter().any(|mark| !found(&mark.target.session)) {
        // If a history cannot be read, only a title is missing.
        gone = library.catalog().prompts_only(&list).0;
    }
    let sessions = list.sessions.into_iter().chain(gone);
    let sessions = sessions.filter(|session| wanted(&session.id));
    sessions.map(|session| (session.id.clone(), session)).collect()
}

/// The numbers that the turns of bookmarks have now, by the ids of the bookmarks. Each
/// transcript is read once.
pub fn present_turns(
    library: &Library,
    marks: &[Mark],
    sessions: &HashMap<String, Session, impl BuildHasher>,
) -> HashMap<String, TurnNumber> {
    let mut turns = HashMap::new();
    let mut by_place: HashMap<(&str, Option<&str>), Vec<&Mark>> = HashMap::new();
    for mark in marks.iter().filter(|mark| mark.target.turn.is_some() && mark.uuid.is_some()) {
        let place = (mark.target.session.as_str(), mark.target.agent.as_deref());
        by_place.entry(place).or_default().push(mark);
    }
    for ((session, agent), marks) in by_place {
        let is_there = sessions.get(session).is_some_and(|session| session.path.is_some());
        let find = || library.catalog().find(agent.unwrap_or(session), None).ok();
        let found = is_there.then(find).flatten();
        let open = found.and_then(|found| library.sessions().open_session(&found).ok());
        let Some(open) = open else { continue };
        turns.extend(
            marks.into_iter().filter_map(|mark| Some((mark.id.clone(), open.turn_of_mark(mark)?))),
        );
    }
    turns
}
