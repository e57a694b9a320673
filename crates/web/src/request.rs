//! A request as a route sees it: its parameters, checked, and the sessions it may see.
//!
//! The filters that the server was started with narrow every request, and parameters can
//! only narrow them further. A session outside of them gets the same answer as one that
//! does not exist.

use crate::answer::Answer;
use crate::app::App;
use crate::failure::Failure;
use crate::limits::LARGE_SESSION;
use crate::opened::Opened;
use axum::http::StatusCode;
use document::answers::Marks;
use document::{WarnedDocument, WarningDocument};
use jiff::Timestamp;
use library::Library;
use library::catalog::{Filter, FindError, FoundSession, NamedProject, ProjectScope};
use library::lines::ReadError;
use library::progress::Limits;
use library::sessions::OpenSession;
use library::time_expression::DayEdge;
use serde::Serialize;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The parameters of every route that filters.
pub(crate) const FILTERS: [&str; 8] =
    ["project", "exact", "since", "until", "branch", "model", "agent", "tool"];

/// Those that select sessions, whatever they contain and whenever they ended.
pub(crate) const SCOPES: [&str; 3] = ["project", "exact", "branch"];

/// A request.
pub(crate) struct Call<'a> {
    pub(crate) app: &'a App,
    /// The library as it is now.
    pub(crate) library: Library,
    /// The path of its route, with names for the variable parts.
    pub(crate) route: &'static str,
    /// The variable parts of the path.
    pub(crate) path: Vec<(String, String)>,
    /// The parameters of the query.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) limits: &'a Limits,
    /// Whether it may read a large session.
    reads_large: bool,
    /// Whether it needs one, and may not.
    needs_large: AtomicBool,
    pub(crate) now: Timestamp,
    /// The files that could not be read, so that the answer lacks them.
    read_errors: Mutex<Vec<ReadError>>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        app: &'a App,
        route: &'static str,
        path: Vec<(String, String)>,
        query: Vec<(String, String)>,
        limits: &'a Limits,
    ) -> Self {
        let read_errors = Mutex::default();
        Call {
            app,
            library: app.library(),
            route,
            path,
            query,
            limits,
            reads_large: true,
            needs_large: AtomicBool::new(false),
            now: app.now(),
            read_errors,
        }
    }

    /// The same for light work, which finds no large session.
    pub(crate) fn for_light_work(self) -> Self {
        Call { reads_large: false, ..self }
    }

    /// Whether it failed because a session is too large for light work.
    pub(crate) fn needs_large_session(&self) -> bool {
        self.needs_large.load(Ordering::Relaxed)
    }

    /// A variable part of the path.
    pub(crate) fn part(&self, name: &str) -> &str {
        let part = self.path.iter().find(|(known, _)| known == name);
        part.map_or("", |(_, value)| value.as_str())
    }

    /// A parameter. An empty one counts as absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let value = self.query.iter().find(|(known, _)| known == name);
        value.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A parameter that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Failure> {
        self.text(name)
            .ok_or_else(|| Failure::bad_request(format!("the parameter {name} is missing")))
    }

    /// A parameter that is on (`1`) or off.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.text(name) {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(Self::invalid(name, other, "use 1 or 0")),
        }
    }

    /// A number.
    pub(crate) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        let parse =
            |text: &str| text.parse().map_err(|_| Self::invalid(name, text, "use a number"));
        self.text(name).map(parse).transpose()
    }

    /// How many rows to answer with: the requested number, at most `most`. As on the command
    /// line, 0 asks for all.
    pub(crate) fn limit(&self, usual: usize, most: usize) -> Result<usize, Failure> {
        Ok(match self.number("limit")? {
            None => usual,
            Some(0) => most,
            Some(asked) => most.min(asked),
        })
    }

    /// One of several words; the first is the default.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&'static str, T)],
    ) -> Result<T, Failure> {
        let (first, rest) = choices.split_first().ok_or_else(|| Failure::internal("no choices"))?;
        let Some(text) = self.text(name) else { return Ok(first.1) };
        let known = std::iter::once(first).chain(rest).find(|(word, _)| *word == text);
        known.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            Self::invalid(name, text, &format!("use one of {}", words.join(", ")))
        })
    }

    /// A failure about a parameter.
    pub(crate) fn invalid(name: &str, value: &str, hint: &str) -> Failure {
        let value: String = value.chars().take(80).collect();
        Failure::bad_request(format!("invalid {name} {value:?}")).with_hint(hint.to_owned())
    }

    /// A point in time.
    pub(crate) fn time(&self, name: &str, edge: DayEdge) -> Result<Option<Timestamp>, Failure> {
        let zone = &self.app.settings.zone;
        let parse = |text: &str| {
            // Pages pass exact times; people pass days.
            if let Ok(time) = text.parse() {
                return Ok(time);
            }
            library::time_expression::parse_time(text, edge, self.now, zone).map_err(|error| {
                Failure::of_message(StatusCode::BAD_REQUEST, &format!("{name}: {error}"))
            })
        };
        self.text(name).map(parse).transpose()
    }

    /// The filter of the request, within that of the server.
    pub(crate) fn filter(&self) -> Result<Filter, Failure> {
        let served = &self.app.settings.filter;
        let since = self.time("since", DayEdge::Start)?;
        let until = self.time("until", DayEdge::End)?;
        Ok(Filter {
            project: self.project(served.project.as_ref())?,
            since: since.max(served.since),
            until: match (until, served.until) {
                (Some(one), Some(two)) => Some(one.min(two)),
                (one, two) => one.or(two),
            },
            branch: self.within("branch", served.branch.as_ref())?,
            model: self.within("model", served.model.as_ref())?,
            agent: self.within("agent", served.agent.as_ref())?,
            tool: self.within("tool", served.tool.as_ref())?,
            session: served.session.clone(),
        })
    }

    /// A filter by name. If the server has one, the request's must be the same.
    fn within(&self, name: &str, served: Option<&String>) -> Result<Option<String>, Failure> {
        match (self.text(name), served) {
            (Some(asked), Some(served)) if asked != served => Err(Self::outside(name)),
            (Some(asked), _) => Ok(Some(asked.to_owned())),
            (None, served) => Ok(served.cloned()),
        }
    }

    fn project(&self, served: Option<&ProjectScope>) -> Result<Option<ProjectScope>, Failure> {
        let exact = self.flag("exact")?;
        let Some(asked) = self.text("project") else {
            return if exact {
                Err(Failure::bad_request("exact does nothing without project"))
            } else {
                Ok(served.cloned())
            };
        };
        let named = NamedProject { name: asked, exact, here: None, within: served };
        let project = self.library.catalog().project_of(named);
        // The same whether or not there is such a project outside.
        let failure = || match served {
            None => Failure::not_found(format!("no project matches {asked:?}")),
            Some(_) => Self::outside("project"),
        };
        project.map(Some).ok_or_else(failure)
    }

    fn outside(name: &str) -> Failure {
        Failure::bad_request(format!("this server was started with another {name}"))
            .with_hint(format!("leave out {name}, or start annals web without --{name}"))
    }

    /// The session that the path names, if it is served.
    pub(crate) fn session(&self) -> Result<FoundSession, Failure> {
        self.find(self.part("id"))
    }

    /// The session with this id, if it is served.
    pub(crate) fn find(&self, id: &str) -> Result<FoundSession, Failure> {
        let unknown = || Failure::not_found("no session has this id");
        // `@` and words of titles are for the command line, and paths are for nobody.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let (_, own) = library::apps::App::split_id(id);
        if own.is_empty() || !own.bytes().all(is_plain) {
            return Err(unknown());
        }
        let found = self.library.catalog().find(id, None).map_err(|error| match error {
            FindError::Ambiguous { .. } => {
                Failure::new(StatusCode::CONFLICT, "several sessions begin with this id")
            }
            _ => unknown(),
        })?;
        if !self.reads_large && Opened::size_of(&found) >= LARGE_SESSION {
            self.needs_large.store(true, Ordering::Relaxed);
            // Nobody sees this: the request is answered with other permits.
            return Err(Failure::busy());
        }
        if self.is_served(&found)? { Ok(found) } else { Err(unknown()) }
    }

    /// The session opened, perhaps from an earlier request.
    pub(crate) fn open(&self, found: &FoundSession) -> Result<Arc<OpenSession>, Failure> {
        self.app
            .opened
            .open(&self.library, found)
            .map_err(|error| Failure::of_message(StatusCode::NOT_FOUND, &error.to_string()))
    }

    /// The bookmarks. Without a readable ledger there are none.
    pub(crate) fn marks(&self) -> Marks {
        Marks::read(&self.library).unwrap_or_default()
    }

    /// Whether the server was started with a filter, or the request has one.
    pub(crate) fn is_narrowed(&self) -> bool {
        !self.app.settings.filters.is_empty()
            || FILTERS.iter().any(|name| self.text(name).is_some())
    }

    /// A sub-agent of a session.
    pub(crate) fn agent_of(
        &self,
        session: &FoundSession,
        agent: &str,
    ) -> Result<FoundSession, Failure> {
        let found = self.find(agent)?;
        if found.session.id == session.session.id {
            Ok(found)
        } else {
            Err(Failure::not_found("the session has no such agent"))
        }
    }

    /// Whether the server's filter admits a session.
    fn is_served(&self, found: &FoundSession) -> Result<bool, Failure> {
        let filter = &self.app.settings.filter;
        if !filter.admits(&found.session) {
            return Ok(false);
        }
        if !filter.needs_content() {
            return Ok(true);
        }
        let mut one = vec![found.session.clone()];
        self.library.prompts().retain_by_content(&mut one, filter, self.limits);
        self.check_complete()?;
        Ok(!one.is_empty())
    }

    /// Fails if something was left out because time was up: numbers would be wrong.
    pub(crate) fn check_complete(&self) -> Result<(), Failure> {
        if self.limits.left_out() > 0 { Err(Failure::too_slow()) } else { Ok(()) }
    }

    /// Text with secrets masked.
    pub(crate) fn masked(&self, text: &str) -> String {
        match &self.app.settings.redactor {
            Some(redactor) => redactor.mask(text).into_owned(),
            None => text.to_owned(),
        }
    }

    /// Takes files that could not be read: the document will name them.
    pub(crate) fn note(&self, read_errors: Vec<ReadError>) {
        if let Ok(mut known) = self.read_errors.lock() {
            known.extend(read_errors);
        }
    }

    /// A part of the answer, for which some files could not be read.
    pub(crate) fn noting<T>(&self, (part, read_errors): (T, Vec<ReadError>)) -> T {
        self.note(read_errors);
        part
    }

    /// A document as the answer.
    pub(crate) fn document(&self, value: &impl Serialize) -> Result<Answer, Failure> {
        let unread = self.library.catalog().apps().unread().met();
        let read_errors = self.read_errors.lock().map(|known| known.clone()).unwrap_or_default();
        let large_lines = self.library.health().large_lines();
        let warnings = WarningDocument::of(&unread, &read_errors, &large_lines);
        let value = WarnedDocument { document: value, warnings: &warnings };
        Answer::document(&value, self.app.settings.redactor.as_ref())
            .map_err(|error| Failure::internal(format!("cannot write the answer as JSON: {error}")))
    }
}
