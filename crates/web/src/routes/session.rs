//! One session: what it is, and its parts.

use super::fragments::selection_failure;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use document::answers::{self, OutlineOptions};
use document::{
    AgentDocument, AgentsDocument, Document as _, InfoDocument, PlanDocument, PlansDocument,
    RecordDocument, RecordProblemDocument, RecordsDocument, SessionDocument,
};
use serde::Serialize;
use serde_json::value::RawValue;
use transcript::{Entry, RecordKind, parse_line};

/// How many records one answer has at most, and how many bytes they have.
const MOST_RECORDS: usize = 200;
const MOST_BYTES: usize = 4 << 20;

/// What a session is.
pub(super) fn info(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let overview = call.library.catalog().overview(&found);
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
        view: call.view()?,
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
    let points: usize = call.number("points")?.unwrap_or(500).clamp(10, 10_000);
    answers::context(&open, &call.marks(), points, |document| call.document(document))
}

/// Its sub-agents.
pub(super) fn agents(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let tree = call.library.catalog().agents(&found);
    let agents = tree.agents.iter().map(|agent| AgentDocument::new(&tree, agent)).collect();
    call.document(&AgentsDocument::new(&found.session.id, agents, &tree))
}

/// Its plans.
pub(super) fn plans(call: &Call<'_>) -> Result<Answer, Failure> {
    let found = call.session()?;
    let list = call.library.catalog().plans(&found);
    let plans = (1..).zip(&list.plans).map(|(number, plan)| PlanDocument::new(number, plan));
    let marks = call.marks().documents(&call.library, &found.session.id);
    call.document(&PlansDocument::new(&found, marks, plans.collect()))
}

/// Its records as they are in the file, with secrets masked: one by its uuid, or a range of
/// lines.
pub(super) fn records(call: &Call<'_>) -> Result<Answer, Failure> {
    let session = call.session()?;
    let found = match call.text("agent") {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    let path = found.path().ok_or_else(|| Failure::not_found("the transcript was deleted"))?;
    let uuid = call.text("uuid");
    let from: u64 = call.number("from")?.unwrap_or(1);
    let to: u64 = call.number("to")?.unwrap_or(u64::MAX);
    let is_wanted = |entry: &Entry<'_>| match uuid {
        Some(uuid) => entry.record.envelope.uuid.as_ref().is_some_and(|own| own.as_str() == uuid),
        None => (from..=to).contains(&entry.line),
    };
    let (mut records, mut problems, mut bytes) = (Vec::new(), Vec::new(), 0);
    let read = call.library.catalog().read_records(path, |line| {
        for entry in parse_line(line) {
            if !is_wanted(&entry) {
                continue;
            }
            problems.extend(RecordProblemDocument::of(&entry));
            if entry.record.kind != RecordKind::Blank {
                bytes += line.bytes.len();
                records.push(serde_json::value::to_raw_value(&RecordDocument::from(&entry))?);
            }
        }
        Ok::<bool, serde_json::Error>(records.len() < MOST_RECORDS && bytes < MOST_BYTES)
    });
    read.map_err(|error| Failure::internal(format!("cannot read the transcript: {error}")))?
        .map_err(|error| Failure::internal(format!("cannot write the answer as JSON: {error}")))?;
    if records.is_empty() && uuid.is_some() {
        return Err(Failure::not_found("no record has this uuid"));
    }
    let marks = call.marks().documents(&call.library, &found.session.id);
    call.document(&RecordsAnswer {
        schema: RecordsDocument::SCHEMA,
        session: SessionDocument::new(&found.session, marks),
        agent_id: found.agent.as_ref().map(|agent| agent.id.as_str()),
        records,
        problems,
    })
}

/// `RecordsDocument` with records that are written already: they borrow from lines that are
/// gone when the next one is read.
#[derive(Serialize)]
struct RecordsAnswer<'a> {
    schema: &'static str,
    session: SessionDocument,
    agent_id: Option<&'a str>,
    records: Vec<Box<RawValue>>,
    problems: Vec<RecordProblemDocument>,
}
