//! The lanes: each transcript has a mark in its own colour and a name to the left of
//! its lines.

use render::{Paint, Style};
use std::collections::HashMap;

/// Colours of sub-agents, used in turn.
const COLOURS: [Style; 5] = [Style::Id, Style::Accent, Style::Warning, Style::Good, Style::Heading];

/// The width of names.
const NAME: usize = 9;

/// The lanes of all followed transcripts.
#[derive(Default)]
pub(super) struct Lanes {
    agents: HashMap<(String, String), Lane>,
    sessions: Vec<String>,
}

struct Lane {
    name: String,
    style: Style,
}

impl Lanes {
    /// Adds the lane of a session.
    pub(super) fn add_session(&mut self, id: &str) {
        if self.sessions.iter().all(|known| known != id) {
            self.sessions.push(id.to_owned());
        }
    }

    /// Adds or renames the lane of a sub-agent; it keeps its colour.
    pub(super) fn add_agent(&mut self, session: &str, agent: &str, name: &str) {
        let style = COLOURS[self.agents.len() % COLOURS.len()];
        let key = (session.to_owned(), agent.to_owned());
        let lane = self.agents.entry(key).or_insert(Lane { name: String::new(), style });
        name.clone_into(&mut lane.name);
    }

    /// The text to the left of a line.
    pub(super) fn mark(&self, paint: Paint, session: &str, agent: Option<&str>) -> String {
        let lane = agent.and_then(|agent| self.agents.get(&(session.to_owned(), agent.to_owned())));
        let (name, style) = match (lane, agent) {
            (Some(lane), _) => (lane.name.as_str(), lane.style),
            (None, Some(agent)) => (agent, Style::Dim),
            // Several sessions are distinguished by their ids.
            (None, None) if self.sessions.len() > 1 => (document::short_id(session), Style::Strong),
            (None, None) => ("main", Style::Strong),
        };
        let name = render::cut(&render::untrusted::line(name), Some(NAME));
        let room = " ".repeat(NAME.saturating_sub(render::columns(&name)));
        paint.paint(style, &format!("▌ {name}")) + &room + " "
    }

    /// The width of that text in columns.
    pub(super) const WIDTH: usize = NAME + 3;
}
