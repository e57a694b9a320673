//! Tool calls, of one session or of all, and in figures.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use document::ToolsDocument;
use document::answers::{ToolCallsRequest, WantedCalls, sessions_with_calls};
use library::catalog::{Filter, FoundSession};
use library::session::Session;
use library::sessions::Status;

/// The largest page of calls.
const MOST: usize = 1_000;

/// The calls of all sessions, newest first.
pub(super) fn calls(call: &Call<'_>) -> Result<Answer, Failure> {
    page(call, None)
}

/// The calls of one session, in the order of time.
pub(super) fn of_session(call: &Call<'_>) -> Result<Answer, Failure> {
    let session = call.session()?;
    let found = match call.text("agent") {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    call.app.opened.make_room(&found);
    page(call, Some(&found))
}

/// Calls in figures.
pub(super) fn stats(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let zone = &call.app.settings.zone;
    with_request(call, &filter, None, |request| {
        call.document(&call.noting(request.stats(zone)).document(zone))
    })
}

fn page(call: &Call<'_>, found: Option<&FoundSession>) -> Result<Answer, Failure> {
    // The agent of a session is a part of it, and not a type of agent.
    let filter = match found {
        None => call.filter()?,
        Some(_) => Filter { tool: call.text("tool").map(str::to_owned), ..Filter::default() },
    };
    let limit = call.limit(100, MOST)?;
    let offset: usize = call.number("offset")?.unwrap_or(0);
    with_request(call, &filter, found, |request| {
        let (total, calls, read_errors) = request.page(offset, limit, found.is_none());
        call.note(read_errors);
        let next = offset.saturating_add(calls.len());
        let next = (next < total && !calls.is_empty()).then_some(next);
        call.document(&ToolsDocument::new(total, next, calls))
    })
}

fn with_request(
    call: &Call<'_>,
    filter: &Filter,
    found: Option<&FoundSession>,
    answer: impl FnOnce(&ToolCallsRequest<'_>) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let all = match found {
        Some(found) => vec![found.session.clone()],
        None => call.noting(sessions_with_calls(&call.library, filter)),
    };
    let mut sessions: Vec<&Session> = all.iter().collect();
    call.library.prompts().retain_by_known_tools(&mut sessions, filter);
    let status = call.choice(
        "status",
        &[
            ("all", None),
            ("ok", Some(Status::Ok)),
            ("error", Some(Status::Error)),
            ("denied", Some(Status::Denied)),
            ("interrupted", Some(Status::Interrupted)),
            ("missing", Some(Status::Missing)),
        ],
    )?;
    let statuses: Vec<Status> = status.into_iter().collect();
    answer(&ToolCallsRequest {
        library: &call.library,
        sessions: &sessions,
        wanted: WantedCalls {
            filter,
            found,
            only_errors: call.flag("errors")?,
            statuses: &statuses,
        },
        progress: call.limits,
    })
}
