//! What every tool works with: the sessions within the scope, and nothing else.
//!
//! All ways to a session lead through here. What lies outside is answered like what
//! does not exist.

use crate::answer::{Answer, Complaint, Heading};
use crate::arguments::Arguments;
use crate::{Scope, Settings};
use jiff::Timestamp;
use library::{DayEdge, Filter, FindError, Found, Library, Progress, ReadError, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a call of a tool works with.
pub(crate) struct Desk<'s> {
    pub(crate) settings: &'s Settings,
    /// The library as it is now.
    pub(crate) library: Library,
    pub(crate) now: Timestamp,
    /// When whoever asks has waited enough.
    pub(crate) deadline: Instant,
}

/// How long sessions are read for one answer: it comes within two seconds.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Reads until the deadline, and counts what was left out.
pub(crate) struct Hurry {
    deadline: Instant,
    left_out: AtomicUsize,
}

impl Hurry {
    /// How many sessions, or files of them, were not read.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out.load(Ordering::Relaxed)
    }

    /// Says what was left out.
    pub(crate) fn say(&self, answer: &mut Answer) {
        let left_out = self.left_out();
        if left_out > 0 {
            let sessions = render::counted(left_out, "session");
            answer.say(&format!("{sessions}, the oldest, could not be read in time."));
        }
    }
}

impl Progress for Hurry {
    fn start(&self, _: u64) {}

    fn advance(&self, _: u64) {}

    fn finish(&self) {}

    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }
}

/// What lets a tool tell of the session that asks.
pub(crate) const INCLUDE_CURRENT: &str = "include_current_session";

impl<'s> Desk<'s> {
    pub(crate) fn new(settings: &'s Settings, now: Timestamp) -> Self {
        let deadline = Instant::now() + PATIENCE;
        let library = settings.library.reopened();
        let asking =
            settings.parent.and_then(|parent| library.catalog().session_of_process(parent));
        let library = match asking {
            Some(session) => library.asked_by(session),
            None => library,
        };
        Desk { settings, library, now, deadline }
    }

    /// For what reads many sessions.
    pub(crate) fn hurry(&self) -> Hurry {
        Hurry { deadline: self.deadline, left_out: AtomicUsize::new(0) }
    }

    /// An answer within the budget.
    pub(crate) fn answer(&self, arguments: &Arguments) -> Result<Answer, Complaint> {
        Answer::new(Arc::clone(&self.settings.redactor), arguments.budget())
    }

    /// What a filter must hold: the scope, and the days that were asked for.
    pub(crate) fn filter(&self, arguments: &Arguments) -> Result<Filter, Complaint> {
        let project = match &self.settings.scope {
            Scope::Project(project) => Some(project.clone()),
            Scope::All => None,
        };
        Ok(Filter {
            project,
            since: self.time(arguments.text("since"), DayEdge::Start)?,
            until: self.time(arguments.text("until"), DayEdge::End)?,
            branch: arguments.text("branch").map(str::to_owned),
            ..Filter::default()
        })
    }

    /// The time that an argument names.
    pub(crate) fn time(
        &self,
        text: Option<&str>,
        edge: DayEdge,
    ) -> Result<Option<Timestamp>, Complaint> {
        let zone = &self.settings.zone;
        text.map(|text| library::parse_time(text, edge, self.now, zone))
            .transpose()
            .map_err(|error| Complaint::new(error.to_string()))
    }

    fn admits(&self, session: &Session) -> bool {
        match &self.settings.scope {
            Scope::Project(project) => project.holds_session(session),
            Scope::All => true,
        }
    }

    /// The sessions within the scope, newest first, on disk or kept; the one that asks
    /// only where it is asked for.
    pub(crate) fn sessions(&self, with_current: bool) -> (Vec<Session>, Vec<ReadError>) {
        let list = self.library.catalog().all_sessions();
        let sessions = list.sessions.into_iter();
        let sessions = sessions
            .filter(|session| self.admits(session) && (with_current || !session.is_current));
        (sessions.collect(), list.troubles)
    }

    /// The session that goes by a name.
    pub(crate) fn find(&self, name: &str, arguments: &Arguments) -> Result<Found, Complaint> {
        let with_current = arguments.flag(INCLUDE_CURRENT);
        let (all, _) = self.sessions(true);
        let others: Vec<&Session> =
            all.iter().filter(|session| with_current || !session.is_current).collect();
        let error = match self.library.catalog().find_in(name, &others) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        let own: Vec<&Session> = all.iter().filter(|session| session.is_current).collect();
        if !with_current
            && !name.starts_with('@')
            && self.library.catalog().find_in(name, &own).is_ok()
        {
            return Err(Complaint::new(format!(
                "that is the session you are in, which you know already; {INCLUDE_CURRENT}: true reads it all the same"
            )));
        }
        Err(explain(error))
    }

    /// When something was: the date, and how long ago.
    pub(crate) fn when(&self, time: Option<Timestamp>) -> Option<String> {
        let time = time?;
        let moment = render::time::moment(time, &self.settings.zone);
        let minute = moment.rsplit_once(':').map_or(moment.as_str(), |(minute, _)| minute);
        Some(format!("{minute}, {}", render::time::age(time, self.now)))
    }
}

/// An id, if nothing can be said with it: some are whatever a file is called.
pub(crate) fn plain_id(id: &str) -> Option<&str> {
    let is_plain = (7..=64).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_plain.then_some(id)
}

/// The first line of a quote from a session.
pub(crate) fn heading(session: &Session) -> Heading {
    Heading::default()
        .with("session", session.id.clone())
        .with("presence", session.presence.name().to_owned())
}

/// Adds what a session says of where it was.
pub(crate) fn with_place(heading: Heading, session: &Session) -> Heading {
    heading.within("branch", session.metadata.branch.clone(), 16).within(
        "project",
        session.project.clone(),
        24,
    )
}

/// Why a name led nowhere.
fn explain(error: FindError) -> Complaint {
    let quoted = |name: &str| {
        let name: String = name.chars().take(80).collect();
        format!("{name:?}")
    };
    match error {
        FindError::NotFound { name, nearest } => Complaint {
            text: format!(
                "not found: no session goes by {} here. list_sessions tells which there are.",
                quoted(&name)
            ),
            candidates: nearest,
            ..Complaint::default()
        },
        FindError::Ambiguous { name, candidates } => Complaint {
            text: format!(
                "{} could be any of {}: give more of the id.",
                quoted(&name),
                render::counted(candidates.len(), "session")
            ),
            candidates,
            ..Complaint::default()
        },
        FindError::NotAName { name, .. } | FindError::Unreadable { name, .. } => {
            Complaint::new(format!("not found: {} is no session", quoted(&name)))
        }
    }
}

/// What is said of files that could not be read.
pub(crate) fn say_troubles(answer: &mut Answer, troubles: &[ReadError]) {
    if !troubles.is_empty() {
        let files = render::counted(troubles.len(), "file");
        answer.say(&format!("{files} could not be read: annals doctor tells which."));
    }
}
