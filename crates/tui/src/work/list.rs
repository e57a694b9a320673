//! The rows of the list: every session, with what is quickly known of it.
//!
//! Asked for twice: sessions on disk first, then all, with those that only the archive has and
//! with costs and turns, which take longer. Previews come between the two. After that the list
//! follows the stores (`list_changes.rs`).

use super::Data;
use document::answers::{Marks, SessionKinds, SessionPlaces, listed};
use document::session_cost;
use jiff::Timestamp;
use library::apps::App;
use library::catalog::ProjectScope;
use library::facts::SessionSums;
use library::session::{ListOrder, Presence, Session};
use std::collections::HashMap;
use std::sync::Arc;

/// Asks for the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRequest {
    /// What is quickly known: sessions on disk.
    Quick,
    /// Everything, and again whenever it has changed.
    Followed,
}

/// The rows, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct ListAnswer {
    /// The rows.
    pub rows: Arc<Vec<Row>>,
    /// Whether nothing more comes.
    pub is_complete: bool,
    /// The name of the project that the person is in.
    pub project: String,
    /// How many files and folders could not be read.
    pub unread: usize,
    /// Why the first of them could not.
    pub problem: Option<String>,
    /// The apps of which not everything can be read, so that sessions may be missing.
    pub unread_apps: Vec<&'static str>,
}

/// Where a session is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowPresence {
    /// On disk.
    #[default]
    Disk,
    /// Only in the archive.
    Archive,
    /// In the archive, and perhaps on disk.
    Unknown,
    /// Only its prompts are left.
    PromptsOnly,
}

impl From<Presence> for RowPresence {
    fn from(presence: Presence) -> Self {
        match presence {
            Presence::Disk | Presence::Lake => RowPresence::Disk,
            Presence::Archive => RowPresence::Archive,
            Presence::Unknown => RowPresence::Unknown,
            Presence::PromptsOnly => RowPresence::PromptsOnly,
        }
    }
}

/// A session in the list. Texts are as the library has them, masked if that was asked for;
/// they are made harmless when they are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The id.
    pub id: String,
    /// The title that people see.
    pub title: Option<String>,
    /// The path of the project.
    pub project: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The tag.
    pub tag: Option<String>,
    /// The working directory.
    pub folder: Option<String>,
    /// When it changed.
    pub modified: Timestamp,
    /// The size of the transcript.
    pub bytes: u64,
    /// Where it is.
    pub presence: RowPresence,
    /// Whether a process is writing it.
    pub is_running: bool,
    /// Whether it belongs to the project that the person is in.
    pub is_here: bool,
    /// Whether it is folded away: started by a program, or without anything to show.
    pub is_folded: bool,
    /// How many sub-agents it has.
    pub agents: usize,
    /// How many bookmarks it has.
    pub marks: usize,
    /// The number of turns, if known.
    pub turns: Option<u64>,
    /// The cost in picodollars, if known.
    pub cost: Option<i128>,
    /// The cost as text.
    pub cost_text: Option<String>,
    /// Everything that is matched by letters.
    pub haystack: String,
}

impl Row {
    /// The last part of the project's path.
    pub fn project_name(&self) -> &str {
        let project = self.project.as_deref().unwrap_or_default();
        project.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(project)
    }

    /// Its place among rows, newest first.
    pub(crate) fn order(&self) -> ListOrder<'_> {
        ListOrder::new(self.modified, &self.id)
    }

    fn new(session: &Session, here: &ProjectScope, marks: &HashMap<&str, usize>) -> Row {
        let metadata = &session.metadata;
        let title = session.heading().map(str::to_owned);
        let is_interactive = SessionKinds::Interactive.admits(metadata.kind);
        let mut row = Row {
            id: session.id.clone(),
            project: session.project.clone(),
            branch: metadata.branch.clone(),
            tag: metadata.tag.clone(),
            folder: metadata.cwd.clone(),
            modified: metadata.modified,
            bytes: metadata.bytes,
            presence: session.presence.into(),
            is_running: session.is_running,
            is_here: here.holds_session(session),
            is_folded: !is_interactive || session.unlisted.is_some() || title.is_none(),
            agents: session.agents,
            marks: marks.get(session.id.as_str()).copied().unwrap_or_default(),
            title,
            ..Row::default()
        };
        row.haystack = [
            App::split_id(&row.id).0.map(App::name),
            row.title.as_deref(),
            Some(row.project_name()),
            row.branch.as_deref(),
            row.tag.as_deref(),
            metadata.first_prompt.as_deref(),
            metadata.last_prompt.as_deref(),
        ]
        .into_iter()
        .flatten()
        .map(beginning)
        .collect::<Vec<_>>()
        .join(" ");
        row
    }

    fn add_sums(&mut self, sums: &SessionSums) {
        self.turns = sums.turns;
        self.cost = sums.cost.known().map(|cost| cost.0);
        self.cost_text = Some(session_cost(Some(sums))).filter(|text| !text.is_empty());
    }
}

/// As much of a text as is matched by letters.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(200).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

/// Reads what is quickly known.
pub(super) fn quick(data: &Data<'_>) -> ListAnswer {
    read(data, false)
}

/// Reads everything.
pub(super) fn whole(data: &Data<'_>) -> ListAnswer {
    read(data, true)
}

fn read(data: &Data<'_>, is_whole: bool) -> ListAnswer {
    // What was archived or indexed meanwhile counts too.
    let library = data.library.reopened();
    let catalog = library.catalog();
    let here = catalog.project_scope(data.here, false);
    let marks = Marks::read(&library).unwrap_or_default();
    let counts = marks.counts();
    let project = data.here.file_name().unwrap_or(data.here.as_os_str());
    let project = project.to_string_lossy().into_owned();
    let places = if is_whole { SessionPlaces::Everywhere } else { SessionPlaces::Disk };
    let (sessions, mut unread) = listed(&library, places);
    unread.sort_by(|one, two| one.path.cmp(&two.path));
    unread.dedup_by(|one, two| one.path == two.path);
    // A session takes much more memory than its row: each goes at once.
    let sessions = sessions.into_iter();
    let mut rows: Vec<Row> = sessions.map(|session| Row::new(&session, &here, &counts)).collect();
    if is_whole {
        let sums = library.usage().session_sums().unwrap_or_default();
        for row in &mut rows {
            if let Some(sums) = sums.get(&row.id) {
                row.add_sums(sums);
            }
        }
    }
    ListAnswer {
        rows: Arc::new(rows),
        is_complete: is_whole,
        project,
        unread: unread.len(),
        problem: unread.first().map(ToString::to_string),
        unread_apps: catalog.apps().unread().names(),
    }
}
