//! The heading of an export document: the title and details of a session.

use super::PageOptions;
use conversation::Turns;
use jiff::Timestamp;
use library::sessions::{OpenSession, SelectedTurns};
use render::Heading;

pub(super) fn heading(
    session: &OpenSession,
    options: &PageOptions<'_>,
    selected: &SelectedTurns<'_>,
) -> Heading {
    let found = session.found();
    let facts = &found.session.metadata;
    let title = found.session.heading();
    let graph = &selected.conversation.graph;
    let times = graph
        .ids()
        .filter_map(|id| graph.node(id).timestamp.as_deref().and_then(transcript::parse_timestamp));
    let (first, last) = times.fold((None, None), |(first, last), time| {
        (Some(first.map_or(time, |it: Timestamp| it.min(time))), last.max(Some(time)))
    });
    let source = session.path().map(|path| path.to_string_lossy().into_owned());
    Heading {
        title: match found.agent_id() {
            Some(id) => format!("Agent {id} of {}", title.unwrap_or(&found.session.id)),
            None => title.unwrap_or("(untitled)").to_owned(),
        },
        session_id: found.session.id.clone(),
        agent_id: found.agent_id().map(str::to_owned),
        source: (options.short_path)(&source.unwrap_or_default()),
        project: found.session.project.as_deref().map(options.short_path),
        cwd: facts.cwd.as_deref().map(options.short_path),
        branch: facts.branch.as_deref().map(options.mask),
        models: models(&selected.turns),
        version: facts.version.clone(),
        started: first,
        ended: last,
        bytes: session.bytes().len() as u64,
    }
}

/// Models that answered, in the order they were met.
fn models(turns: &Turns<'_>) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for model in turns.turns.iter().flat_map(|turn| &turn.models) {
        if !models.iter().any(|known| **known == **model) {
            models.push(model.to_string());
        }
    }
    models
}
