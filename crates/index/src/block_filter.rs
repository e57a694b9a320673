//! The conditions of a query that apply to a block, not to its file.

use crate::failure::IndexError;
use crate::page_check::Trees;
use crate::query::Field;
use crate::repeated_agents::AgentMatches;
use crate::rows::{BlockClass, BlockKind};
use crate::search::{FoundBlock, SearchRequest, Searcher};
use rusqlite::Connection;
use std::collections::HashSet;

/// The conditions of a query that apply to a block, not to its file.
pub(crate) struct BlockFilter<'q> {
    request: &'q SearchRequest<'q>,
    fields: Vec<(&'q Field, NameSet)>,
    /// What matches each condition on sub-agents.
    agents: Vec<(&'q Field, AgentMatches)>,
    has_recall: bool,
}

/// The ids of the names that match a field's pattern.
type NameSet = HashSet<i64>;

impl<'q> BlockFilter<'q> {
    fn new(connection: &Connection, request: &'q SearchRequest<'q>) -> Result<Self, IndexError> {
        let mut fields = Vec::new();
        for field in &request.query.fields {
            let names = match field.name {
                "tool" | "branch" => {
                    matching_names(connection, |name| fits_any_case(&field.value, name))?
                }
                "model" => matching_names(connection, |name| {
                    name.to_lowercase().contains(&field.value.to_lowercase())
                })?,
                _ => NameSet::new(),
            };
            fields.push((field, names));
        }
        let has_recall = request.query.has_condition("is", "recall");
        Ok(BlockFilter { request, fields, agents: Vec::new(), has_recall })
    }

    /// Whether a block's class and tool match; other conditions may still fail.
    pub(crate) fn admits_class(&self, class: BlockClass, tool: Option<i64>) -> bool {
        let is_recall = class.kind == BlockKind::Recall;
        if is_recall && !self.has_recall {
            return false;
        }
        self.fields.iter().all(|(field, names)| {
            let holds = match (field.name, field.value.as_str()) {
                ("tool", _) => tool.is_some_and(|tool| names.contains(&tool)),
                ("role", role) => class.role.name() == role,
                ("is", "error") => class.is_error,
                ("is", "prompt") => class.kind == BlockKind::Prompt,
                ("is", "agent") => class.is_agent,
                ("is", "recall") => is_recall,
                _ => return true,
            };
            holds != field.is_not
        })
    }

    /// Whether the agent of a block matches.
    pub(crate) fn admits_agent(&self, file: i64, offset: i64, class: BlockClass) -> bool {
        self.agents
            .iter()
            .all(|(field, agents)| agents.has(file, offset, class.is_repeated) != field.is_not)
    }

    /// Whether the query asks for recalls.
    pub(crate) fn has_recall(&self) -> bool {
        self.has_recall
    }

    /// Whether the decision needs more of a block than its class, tool and time.
    pub(crate) fn needs_more(&self) -> bool {
        self.fields.iter().any(|(field, _)| matches!(field.name, "branch" | "model"))
    }

    /// Whether a time is within the range of the query.
    pub(crate) fn admits_time(&self, time: Option<i64>) -> bool {
        let SearchRequest { since, until, .. } = self.request;
        since.is_none_or(|since| time.is_some_and(|time| time >= since))
            && until.is_none_or(|until| time.is_some_and(|time| time < until))
    }

    pub(crate) fn admits(&self, block: &FoundBlock) -> bool {
        if !self.admits_time(block.time)
            || !self.admits_class(block.class, block.tool)
            || !self.admits_agent(block.file, block.offset, block.class)
        {
            return false;
        }
        self.fields.iter().all(|(field, names)| {
            let name = match field.name {
                "branch" => block.branch,
                "model" => block.model,
                // Conditions on files are checked in `file_selection.rs`.
                _ => return true,
            };
            name.is_some_and(|name| names.contains(&name)) != field.is_not
        })
    }
}

impl Searcher {
    /// The conditions of a question that apply to blocks.
    pub(crate) fn block_filter<'q>(
        &self,
        request: &'q SearchRequest<'q>,
    ) -> Result<BlockFilter<'q>, IndexError> {
        if !request.query.fields.is_empty() {
            self.check_trees(&[Trees::Tree("name")])?;
        }
        let mut filter = BlockFilter::new(&self.connection, request)?;
        for field in request.query.fields.iter().filter(|field| field.name == "agent") {
            filter.agents.push((field, self.agent_matches(field)?));
        }
        Ok(filter)
    }
}

fn matching_names(
    connection: &Connection,
    admits: impl Fn(&str) -> bool,
) -> Result<NameSet, IndexError> {
    let mut statement = connection.prepare_cached("SELECT id, text FROM name")?;
    let mut rows = statement.query([])?;
    let mut names = NameSet::new();
    while let Some(row) = rows.next()? {
        if row.get_ref(1)?.as_str().is_ok_and(&admits) {
            names.insert(row.get(0)?);
        }
    }
    Ok(names)
}

/// Whether a name matches a pattern in which `*` matches anything, ignoring case.
fn fits_any_case(pattern: &str, name: &str) -> bool {
    fits(&pattern.to_lowercase(), &name.to_lowercase())
}

/// Whether a name matches a pattern in which `*` matches anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names_in_any_case() {
        let table = [
            ("Bash", "bash", true),
            ("Ba*", "Bash", true),
            ("*sh", "Bash", true),
            ("mcp__*__get*", "mcp__x__get_it", true),
            ("B*x*h", "Bash", false),
            ("Bas", "Bash", false),
            ("*", "", true),
            ("aa*a", "aa", false),
        ];
        for (pattern, name, expected) in table {
            assert_eq!(fits_any_case(pattern, name), expected, "{pattern} {name}");
        }
    }
}
