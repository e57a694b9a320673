//! Sub-agents that no shown call started, under headings.
//!
//! Deliberately not here: which agents these are (`conversation::agents_without_calls`), and
//! how a heading looks.

use library::sessions::AgentTree;

/// Agents that no shown call started: those of one phase of a workflow run, or the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentGroup {
    /// Its heading.
    pub heading: String,
    /// Their places in [`AgentTree::agents`].
    pub agents: Vec<usize>,
}

impl AgentGroup {
    /// The groups of agents in the order of `conversation::agents_without_calls`. Warm-ups
    /// are in no group; they are only counted.
    pub fn of(tree: &AgentTree, places: &[usize]) -> Vec<AgentGroup> {
        let agents = || places.iter().filter_map(|place| Some((*place, tree.agents.get(*place)?)));
        let shown: Vec<_> = agents().filter(|(_, agent)| !agent.warmup).collect();
        let together = shown.chunk_by(|(_, one), (_, other)| {
            (&one.workflow, &one.phase) == (&other.workflow, &other.phase)
        });
        let group = |group: &[(usize, &conversation::AgentNode)]| {
            let (_, first) = group.first()?;
            Some(AgentGroup {
                heading: heading(tree, first.workflow.as_deref(), first.phase.as_deref()),
                agents: group.iter().map(|(place, _)| *place).collect(),
            })
        };
        together.filter_map(group).collect()
    }
}

fn heading(tree: &AgentTree, workflow: Option<&str>, phase: Option<&str>) -> String {
    let Some(workflow) = workflow else { return render::UNLINKED_AGENTS.to_owned() };
    let run = tree.workflows.iter().find(|run| run.id == workflow);
    let name = run.and_then(|run| run.name.as_deref()).unwrap_or(workflow);
    let phase = phase.map(|phase| format!(", {phase}")).unwrap_or_default();
    format!("Workflow {name}{phase}")
}
