//! One session: what it is, and its parts.

use super::fragments::selection_failure;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use document::answers::{FindOptions, LanesOptions, MessageName, OutlineOptions, RecordsSelection};
use document::{AgentDocument, AgentsDocument, InfoDocument, PlanDocument, PlansDocument, answers};
use library::catalog::FoundSession;
use library::time_expression::DayEdge;

/// What a session is.
pub(super) fn info(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    call.app.opened.make_room(&found);
    let mut overview = call.library.prompts().overview(&found);
    call.note(std::mem::take(&mut overview.read_errors));
    let agent = found.agent.as_ref().map(|agent| agent.id.as_str());
    let usage = call.library.usage().of_session(&found.session.id, agent);
    let marks = call.marks().documents(&call.library, &found.session.id);
    call.document(&InfoDocument::new(&found, &overview, &usage, marks))
}

/// Its turns, branches, agents, files and commits in one document.
pub(super) fn outline(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let open = call.open(&found)?;
    let home = call.app.settings.home_folder.as_deref();
    let options = OutlineOptions {
        view: call.view(&found)?,
        agent: call.text("agent"),
        relatives: &call.library.catalog().relatives(&found),
        usage: &call.library.usage().of_agents(&found.session.id),
        home,
    };
    let outline = answers::outline(&open, &options, &call.marks());
    call.document(&outline.map_err(|error| selection_failure(&error))?)
}

/// What fills its context window.
pub(super) fn context(call: &Call<'_>) -> Result<Answer, Failure> {
    let session = call.session()?;
    let found = match call.text("agent") {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    let open = call.open(&found)?;
    let points: usize = call.number("points")?.unwrap_or(500).clamp(1, 10_000);
    answers::context(&open, &call.marks(), points, |document| call.document(&document))
}

/// Its sub-agents.
pub(super) fn agents(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let mut tree = call.library.sessions().agents(&found);
    call.note(std::mem::take(&mut tree.read_errors));
    let agents = tree.agents.iter().map(|agent| AgentDocument::new(&tree, agent)).collect();
    call.document(&AgentsDocument::new(&found.session.id, agents, &tree))
}

/// Its plans.
pub(super) fn plans(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let mut list = call.library.sessions().plans(&found);
    call.note(std::mem::take(&mut list.read_errors));
    let marks = call.marks().documents(&call.library, &found.session.id);
    let plans = list.numbered().map(|(number, plan)| PlanDocument::new(number, plan));
    call.document(&PlansDocument::new(&found, marks, plans.collect()))
}

/// What ran when, in lanes of the session and its sub-agents.
pub(super) fn lanes(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let options = LanesOptions {
        view: call.view(&found)?,
        from: call.time("from", DayEdge::Start)?,
        to: call.time("to", DayEdge::End)?,
        width: call.number("width")?.unwrap_or(1_000).clamp(100, 8_000),
    };
    let lanes = answers::lanes(&*call.open(&found)?, &options);
    call.document(&lanes.map_err(|error| selection_failure(&error))?)
}

/// Where a text occurs in it.
pub(super) fn find(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let options = FindOptions {
        query: call.required("q")?,
        is_case_sensitive: call.flag("case")?,
        view: call.view(&found)?,
        agent: call.text("agent"),
    };
    let hits = answers::find(&*call.open(&found)?, &options);
    call.document(&hits.map_err(|error| selection_failure(&error))?)
}

/// Where a message of it stands.
pub(super) fn place(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let place = answers::place(&*call.open(&found)?, &message_name(call, &found)?);
    call.document(&place.ok_or_else(|| Failure::not_found("no part of the session shows this"))?)
}

/// The message that a request names.
pub(super) fn message_name<'c>(
    call: &'c Call<'_>,
    found: &FoundSession,
) -> Result<MessageName<'c>, Failure> {
    let view = call.view(found)?;
    Ok(MessageName { uuid: call.required("uuid")?, agent: call.text("agent"), view })
}

/// Its records as they are in the file, with secrets masked: one by its uuid, or a range of
/// lines.
pub(super) fn records(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let from: u64 = call.number("from")?.unwrap_or(1);
    let to: u64 = call.number("to")?.unwrap_or(u64::MAX);
    let selection = match call.text("uuid") {
        Some(uuid) => RecordsSelection::Uuid(uuid),
        None => RecordsSelection::Lines(from, to),
    };
    let (open, marks) = (call.open(&found)?, call.marks());
    let records = answers::records(&open, call.text("agent"), &selection, &marks, |records| {
        if records.records.is_empty() && matches!(selection, RecordsSelection::Uuid(_)) {
            return Err(Failure::not_found("no record has this uuid"));
        }
        call.document(records)
    });
    records.map_err(|error| selection_failure(&error))?
}
