//! The context of a tool call: the sessions within the scope, the time limit, and the
//! search for a session by name.
//!
//! Every access to a session goes through this module. A session outside the scope gets
//! the same answer as one that does not exist.

use crate::answer::{Answer, Heading, ToolError};
use crate::arguments::Arguments;
use crate::{Scope, Settings};
use document::answers::{Marks, SessionChoice, SessionPlaces, listed};
use jiff::Timestamp;
use library::Library;
use library::apps::App;
use library::catalog::{Filter, FindError, FoundSession, NamedProject};
use library::lines::ReadError;
use library::progress::{CancellationToken, Limits, Progress as _};
use library::session::Session;
use library::time_expression::DayEdge;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Everything a tool call needs.
pub(crate) struct ToolContext<'s> {
    pub(crate) settings: &'s Settings,
    /// The library as it is now.
    pub(crate) library: Library,
    pub(crate) now: Timestamp,
    /// When the call fails if it still reads.
    pub(crate) answer_by: Instant,
    /// The most bytes of transcripts that each call of the library reads.
    pub(crate) most_bytes: u64,
    /// Cancelled when the client no longer waits for the answer.
    pub(crate) token: CancellationToken,
}

/// The most bytes of transcripts that one call reads, about two seconds of work. A bound in
/// seconds would give a different answer on a busy machine.
const MOST_BYTES: u64 = 512 << 20;

/// How long one call may read sessions: after that it fails. Clients wait a minute.
const READING_TIME: Duration = Duration::from_secs(30);

/// The argument that includes the calling session.
pub(crate) const INCLUDE_CURRENT: &str = "include_current_session";

impl<'s> ToolContext<'s> {
    pub(crate) fn new(settings: &'s Settings, now: Timestamp, token: CancellationToken) -> Self {
        let answer_by = Instant::now() + READING_TIME;
        let library = settings.library.reopened();
        let calling =
            settings.parent.and_then(|parent| library.catalog().session_of_process(parent));
        let library = match calling {
            Some(session) => library.called_from(session),
            None => library,
        };
        ToolContext { settings, library, now, answer_by, most_bytes: MOST_BYTES, token }
    }

    /// The limits of a library call that reads many sessions.
    pub(crate) fn limits(&self) -> Limits {
        Limits::new(Some(self.answer_by), self.token.clone()).reading_at_most(self.most_bytes)
    }

    /// An empty answer with the requested token budget.
    pub(crate) fn answer(&self, arguments: &Arguments) -> Result<Answer, ToolError> {
        let answer = Answer::new(Arc::clone(&self.settings.redactor), arguments.budget())?;
        Ok(answer.warning(self.warning()))
    }

    /// What an answer may lack: sessions of apps of which not everything can be read, and lines
    /// that are too large. The reasons may quote the app's data, so they are not given here.
    fn warning(&self) -> Option<String> {
        let names = self.library.catalog().apps().unread().names();
        let apps = (!names.is_empty()).then(|| {
            let names = names.join(" and ");
            format!("Warning: sessions of {names} may be missing, because not everything of it can be read; annals doctor says why.")
        });
        let large_lines = self.library.health().large_lines().len();
        let lines = (large_lines > 0).then(|| {
            let lines = render::counted(large_lines, "line");
            format!("Warning: {lines} left out for being too large to be read; annals doctor lists such lines.")
        });
        let both: Vec<String> = apps.into_iter().chain(lines).collect();
        (!both.is_empty()).then(|| both.join("\n"))
    }

    /// The filter of a call: the scope, the requested project within it, and the requested
    /// dates.
    pub(crate) fn filter(&self, arguments: &Arguments) -> Result<Filter, ToolError> {
        let within = match &self.settings.scope {
            Scope::Project(project) => Some(project),
            Scope::All => None,
        };
        let project = match arguments.text("project") {
            None => within.cloned(),
            Some(name) => {
                let named = NamedProject { name, exact: false, here: None, within };
                let project = self.library.catalog().project_of(named);
                Some(project.ok_or_else(|| no_project(name))?)
            }
        };
        Ok(Filter {
            project,
            since: self.time(arguments.text("since"), DayEdge::Start)?,
            until: self.time(arguments.text("until"), DayEdge::End)?,
            branch: arguments.text("branch").map(str::to_owned),
            ..Filter::default()
        })
    }

    /// Parses the time in an argument.
    pub(crate) fn time(
        &self,
        text: Option<&str>,
        edge: DayEdge,
    ) -> Result<Option<Timestamp>, ToolError> {
        let zone = &self.settings.zone;
        text.map(|text| library::time_expression::parse_time(text, edge, self.now, zone))
            .transpose()
            .map_err(|error| ToolError::new(error.to_string()))
    }

    fn admits(&self, session: &Session) -> bool {
        match &self.settings.scope {
            Scope::Project(project) => project.holds_session(session),
            Scope::All => true,
        }
    }

    /// The sessions within the scope, on disk or in the archive, newest first. The
    /// calling session is included only if `with_current` is set.
    pub(crate) fn sessions(&self, with_current: bool) -> (Vec<Session>, Vec<ReadError>) {
        let (mut sessions, read_errors) = listed(&self.library, SessionPlaces::DiskAndArchive);
        sessions.retain(|session| self.admits(session) && (with_current || !session.is_current));
        (sessions, read_errors)
    }

    /// Those of them that Claude Code lists.
    pub(crate) fn listed(&self) -> Vec<Session> {
        let (mut sessions, _) = self.sessions(false);
        let choice = SessionChoice::default();
        choice.retain(&self.library, &mut sessions, &Marks::default(), &self.limits());
        sessions
    }

    /// The sessions within the scope whose calls a filter admits, with those whose transcripts
    /// are partly gone.
    pub(crate) fn sessions_with_calls(
        &self,
        with_current: bool,
        filter: &Filter,
    ) -> (Vec<Session>, Vec<ReadError>) {
        let (mut sessions, read_errors) =
            document::answers::sessions_with_calls(&self.library, filter);
        sessions.retain(|session| self.admits(session) && (with_current || !session.is_current));
        (sessions, read_errors)
    }

    /// Finds a session by its id, a prefix of it, or its title.
    pub(crate) fn find(
        &self,
        name: &str,
        arguments: &Arguments,
    ) -> Result<FoundSession, ToolError> {
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
            return Err(ToolError::new(format!(
                "this is the session you are in, which is left out by default\nhint: set {INCLUDE_CURRENT}: true to read it anyway"
            )));
        }
        let mut error = explain(error);
        if let Some(warning) = self.warning() {
            error.text += &format!("\n{warning}");
        }
        Err(error)
    }

    /// A time as text: the date, and how long ago it was.
    pub(crate) fn when(&self, time: Option<Timestamp>) -> Option<String> {
        let time = time?;
        let moment = render::time::moment(time, &self.settings.zone);
        let minute = moment.rsplit_once(':').map_or(moment.as_str(), |(minute, _)| minute);
        Some(format!("{minute}, {}", render::time::age(time, self.now)))
    }
}

/// An id, if it cannot contain a message to the model. Some ids are file names, which
/// can be any text.
pub(crate) fn plain_id(id: &str) -> Option<&str> {
    let (app, own) = App::split_id(id);
    let is_plain = match own.strip_prefix("ses_").filter(|_| app == Some(App::OpenCode)) {
        // Twelve digits of the time and fourteen random letters: too short for a message.
        Some(rest) => {
            rest.len() == 26
                && rest.bytes().take(12).all(|byte| byte.is_ascii_hexdigit())
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }
        None => {
            (7..=64).contains(&own.len())
                && own.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        }
    };
    is_plain.then_some(id)
}

/// The heading of a quote from a session.
pub(crate) fn heading(session: &Session) -> Heading {
    Heading::default()
        .with("session", session.id.clone())
        .with("presence", session.presence.name().to_owned())
}

/// Adds the branch and the project of a session.
pub(crate) fn with_location(heading: Heading, session: &Session) -> Heading {
    heading.within("branch", session.metadata.branch.clone(), 16).within(
        "project",
        session.project.clone(),
        24,
    )
}

/// The tool error for a project that no session within the scope has.
fn no_project(name: &str) -> ToolError {
    ToolError::new(format!(
        "not found: no project here matches {}\nhint: list_sessions shows the projects of sessions",
        quoted(name)
    ))
}

/// What the caller wrote, for an error.
fn quoted(name: &str) -> String {
    let name: String = name.chars().take(80).collect();
    format!("{name:?}")
}

/// The tool error for a name that did not identify one session.
fn explain(error: FindError) -> ToolError {
    match error {
        FindError::NotFound { name, nearest } => ToolError {
            text: format!(
                "not found: no session here matches {}\nhint: list_sessions lists the available sessions",
                quoted(&name)
            ),
            candidates: nearest,
            ..ToolError::default()
        },
        FindError::Ambiguous { name, candidates } => ToolError {
            text: format!(
                "{} is ambiguous: it matches {}\nhint: use a longer prefix of the id",
                quoted(&name),
                render::counted(candidates.len(), "session")
            ),
            candidates,
            ..ToolError::default()
        },
        FindError::NotAName { name, .. } | FindError::Unreadable { name, .. } => {
            ToolError::new(format!("not found: {} is not a session id or title", quoted(&name)))
        }
    }
}

/// Fails if a call was stopped: what it found depends on how busy the machine is.
pub(crate) fn check_in_time(limits: &Limits) -> Result<(), ToolError> {
    if limits.left_out() > 0 && limits.is_late() {
        let seconds = READING_TIME.as_secs();
        return Err(ToolError::new(format!(
            "reading the transcripts took longer than {seconds} seconds\nhint: ask for less: pass since, until or session"
        )));
    }
    Ok(())
}

/// Adds the number of sessions that a call left out to its answer.
pub(crate) fn note_left_out(answer: &mut Answer, limits: &Limits) {
    if limits.left_out() > 0 {
        let sessions = render::counted(limits.left_out(), "session");
        let most = render::bytes(MOST_BYTES);
        answer.note(&format!(
            "{sessions} (the oldest or largest) not read: a call reads at most {most} of transcripts, the newest first. To read others, pass since and until."
        ));
    }
}

/// Adds the number of files that could not be read to an answer.
pub(crate) fn note_unread_files(answer: &mut Answer, read_errors: &[ReadError]) {
    if !read_errors.is_empty() {
        let files = render::counted(read_errors.len(), "file");
        answer.note(&format!("{files} could not be read; annals doctor lists them."));
    }
}
