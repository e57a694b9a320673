//! Filters for sessions and records.

use crate::catalog::project::ProjectScope;
use crate::session::Session;
pub(crate) use index::fits;
use jiff::Timestamp;

/// The filter options of a call. All are optional; a session must match all
/// that are given.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The project.
    pub project: Option<ProjectScope>,
    /// Not before this moment.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
    /// The git branch, exact or with `*`.
    pub branch: Option<String>,
    /// Part of the model's name.
    pub model: Option<String>,
    /// Part of a sub-agent's type.
    pub agent: Option<String>,
    /// The name of a tool.
    pub tool: Option<String>,
    /// The id of the only session.
    pub session: Option<String>,
}

impl Filter {
    /// Whether it admits everything.
    pub fn is_empty(&self) -> bool {
        let Filter { project, since, until, branch, model, agent, tool, session } = self;
        let texts = [branch, model, agent, tool, session];
        project.is_none()
            && since.is_none()
            && until.is_none()
            && texts.into_iter().all(Option::is_none)
    }

    /// Whether a session matches by its metadata; its content is not read.
    pub fn admits(&self, session: &Session) -> bool {
        let in_project = self.project.as_ref().is_none_or(|project| project.holds_session(session));
        let on_branch = self.branch.as_ref().is_none_or(|pattern| {
            session.metadata.branch.as_deref().is_some_and(|branch| fits(pattern, branch))
        });
        self.admits_id(Some(&session.id))
            && in_project
            && on_branch
            && self.admits_time(Some(session.metadata.modified))
    }

    /// Whether something is admitted by the id of its session.
    pub fn admits_id(&self, id: Option<&str>) -> bool {
        self.session.is_none() || self.session.as_deref() == id
    }

    /// Whether a moment is within the requested time span. Records without a
    /// time match only if there is no time span.
    pub fn admits_time(&self, time: Option<Timestamp>) -> bool {
        match time {
            None => self.since.is_none() && self.until.is_none(),
            Some(time) => {
                self.since.is_none_or(|since| time >= since)
                    && self.until.is_none_or(|until| time < until)
            }
        }
    }

    /// Whether a tool's name matches.
    pub fn admits_tool(&self, name: &str) -> bool {
        self.tool.as_ref().is_none_or(|pattern| fits(pattern, name))
    }

    /// Whether anything but time selects sessions: files without a session do
    /// not match then.
    pub fn selects_sessions(&self) -> bool {
        self.project.is_some()
            || self.branch.is_some()
            || self.session.is_some()
            || self.needs_content()
    }

    /// Whether content must be read to decide.
    pub fn needs_content(&self) -> bool {
        self.model.is_some() || self.agent.is_some() || self.tool.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        let table = [
            ("main", "main", true),
            ("main", "main2", false),
            ("feature/*", "feature/x", true),
            ("*-fix", "a-fix", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "acb", false),
            ("aa*aa", "aaa", false),
            ("*", "", true),
        ];
        for (pattern, name, expected) in table {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
