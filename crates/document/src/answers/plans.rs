//! Plans: all versions of one session, and those of all sessions in short.

use crate::{Document as _, Moment, PlanRowDocument, PlanRowsDocument};
use library::Library;
use library::catalog::{Filter, FoundSession};
use library::lines::ReadError;
use library::progress::Progress;
use library::session::Session;

/// The tool with which Claude Code proposes a plan.
const TOOL: &str = "ExitPlanMode";

/// The longest title, in columns.
const TITLE: usize = 160;

/// The plans of all sessions that proposed one, newest first, and what could not be read.
/// Plan files that no session names are left out: which session they belong to is a guess.
pub fn plan_rows(
    library: &Library,
    filter: &Filter,
    offset: usize,
    limit: usize,
    progress: &dyn Progress,
) -> (PlanRowsDocument, Vec<ReadError>) {
    let catalog = library.catalog();
    let list = catalog.all_sessions();
    let mut read_errors = list.read_errors;
    let mut all: Vec<Session> =
        list.sessions.into_iter().filter(|session| filter.admits(session)).collect();
    read_errors.extend(library.prompts().retain_by_content(&mut all, filter, progress));
    let mut sessions: Vec<&Session> = all.iter().collect();
    let proposes = Filter { tool: Some(TOOL.to_owned()), ..Filter::default() };
    library.prompts().retain_by_known_tools(&mut sessions, &proposes);
    let mut rows: Vec<PlanRowDocument> = Vec::new();
    for session in sessions {
        if progress.is_late() {
            progress.leave_out();
            continue;
        }
        let found = FoundSession { session: session.clone(), agent: None, inline_agent: None };
        let plans = library.sessions().plans(&found);
        let versions = plans.plans.len();
        rows.extend(plans.named().map(|(number, plan)| PlanRowDocument {
            session_id: session.id.clone(),
            session_title: session.heading().map(str::to_owned),
            project: session.project.clone(),
            number,
            versions,
            source: plan.origin.name().into(),
            status: plan.status.name().into(),
            agent_id: plan.agent_id.clone(),
            path: plan.path.clone(),
            timestamp: plan.timestamp.map(Moment),
            line: plan.line,
            title: title(&plan.text),
            bytes: plan.text.len(),
        }));
        read_errors.extend(plans.read_errors);
    }
    rows.sort_by(|one, two| {
        let order = |row: &PlanRowDocument| row.timestamp.map(|moment| moment.0);
        order(two)
            .cmp(&order(one))
            .then_with(|| (&one.session_id, two.number).cmp(&(&two.session_id, one.number)))
    });
    let total = rows.len();
    rows.drain(..offset.min(total));
    rows.truncate(limit);
    let next = offset.saturating_add(rows.len());
    let document = PlanRowsDocument {
        schema: PlanRowsDocument::SCHEMA.into(),
        total,
        next: (next < total && !rows.is_empty()).then_some(next),
        plans: rows,
    };
    (document, read_errors)
}

/// The first heading or line of a plan.
fn title(text: &str) -> String {
    let mut lines = text.lines().map(|line| line.trim_start_matches(['#', ' ', '\t']).trim());
    let line = lines.find(|line| !line.is_empty()).unwrap_or_default();
    let line = line.get(..line.floor_char_boundary(TITLE * 8)).unwrap_or_default();
    render::cut(&render::untrusted::line(line), Some(TITLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_plan_is_its_first_heading_or_line() {
        assert_eq!(title("\n\n## Dredge the harbour\nFirst …"), "Dredge the harbour");
        assert_eq!(title("Wait for the tide"), "Wait for the tide");
        assert_eq!(title("# \n\n"), "");
        assert!(title(&"long ".repeat(10_000)).chars().count() <= TITLE);
    }
}
