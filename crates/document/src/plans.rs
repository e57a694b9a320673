//! The plans of a session.

use crate::table::{Column, columns};
use crate::{Document, Keyword, MarkDocument, Moment, SessionDocument};
use library::catalog::FoundSession;
use library::sessions::Plan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The plans of a session, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlansDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent whose plans they are; `null`: the session's own.
    pub agent_id: Option<Cow<'a, str>>,
    /// The plans.
    pub plans: Vec<PlanDocument<'a>>,
}

impl Document for PlansDocument<'_> {
    const SCHEMA: &'static str = "annals/plan/1";
    const COMMAND: &'static str = "`annals plan`";
    const ROWS: Option<&'static str> = Some("plans");
    const COLUMNS: &'static [Column] = &columns([
        "number",
        "timestamp",
        "source",
        "status",
        "agent_id",
        "slug",
        "path",
        "line",
        "text",
    ]);
}

/// The plans of all sessions, newest first, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlanRowsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many there are.
    pub total: usize,
    /// The offset of the next page; `null` on the last one.
    pub next: Option<usize>,
    /// The plans.
    pub plans: Vec<PlanRowDocument>,
}

impl Document for PlanRowsDocument {
    const SCHEMA: &'static str = "annals/plan-rows/1";
    const COMMAND: &'static str = "`GET api/1/plans`";
    const ROWS: Option<&'static str> = Some("plans");
    const COLUMNS: &'static [Column] = &columns([
        "timestamp",
        "session_id",
        "session_title",
        "project",
        "number",
        "versions",
        "source",
        "status",
        "agent_id",
        "path",
        "line",
        "title",
        "bytes",
    ]);
}

/// A version of a plan, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRowDocument {
    /// The session.
    pub session_id: String,
    /// The session's title, or a substitute for one.
    pub session_title: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// Its number among the plans of the session, as in `annals plan --number`.
    pub number: usize,
    /// How many plans the session has.
    pub versions: usize,
    /// `exit_plan_mode`, `plan_content`, `file_write`, `file`.
    pub source: Keyword,
    /// `approved`, `rejected`, `pending`, `unknown`.
    pub status: Keyword,
    /// The sub-agent that proposed it.
    pub agent_id: Option<String>,
    /// The file annals found; otherwise the path the transcript names.
    pub path: Option<String>,
    /// When it was proposed.
    pub timestamp: Option<Moment>,
    /// Its line in the transcript.
    pub line: Option<u64>,
    /// Its first heading or line, cut at 160 characters.
    pub title: String,
    /// The size of its text in bytes.
    pub bytes: usize,
}

/// A version of a plan.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlanDocument<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// `exit_plan_mode`, `plan_content`, `file_write`, `file`, `newest_file`.
    pub source: Keyword,
    /// `approved`, `rejected`, `pending`, `unknown`.
    pub status: Keyword,
    /// The call that proposed it.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// The sub-agent that proposed it.
    pub agent_id: Option<Cow<'a, str>>,
    /// The slug in the name of its file.
    pub slug: Option<Cow<'a, str>>,
    /// The file annals found; otherwise the path the transcript names.
    pub path: Option<Cow<'a, str>>,
    /// When it was proposed.
    pub timestamp: Option<Moment>,
    /// Its line in the transcript.
    pub line: Option<u64>,
    /// The plan, in Markdown.
    pub text: Cow<'a, str>,
    /// Whether nothing in the session names this plan: it is the newest plan file of that time.
    pub is_guess: bool,
}

impl<'a> PlansDocument<'a> {
    /// Plans of a session or sub-agent.
    pub fn new(
        found: &'a FoundSession,
        marks: Vec<MarkDocument>,
        plans: Vec<PlanDocument<'a>>,
    ) -> Self {
        PlansDocument {
            schema: Self::SCHEMA.into(),
            session: SessionDocument::new(&found.session, marks),
            agent_id: found.agent.as_ref().map(|agent| agent.id.as_str().into()),
            plans,
        }
    }
}

impl<'a> PlanDocument<'a> {
    /// A plan with its number.
    pub fn new(number: usize, plan: &'a Plan) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::from);
        PlanDocument {
            number,
            source: plan.origin.name().into(),
            status: plan.status.name().into(),
            tool_use_id: text(&plan.tool_use_id),
            agent_id: text(&plan.agent_id),
            slug: text(&plan.slug),
            path: text(&plan.path),
            timestamp: plan.timestamp.map(Moment),
            line: plan.line,
            text: plan.text.as_str().into(),
            is_guess: plan.is_guess(),
        }
    }
}
