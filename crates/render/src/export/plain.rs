//! A session as plain text, as a terminal would show it whole.

use super::IndexEntry;
use crate::style::Paint;
use crate::telling::{Beside, Manner, agent_line};
use crate::volume::{Chapter, Volume};
use crate::{counted, time, untrusted};
use conversation::{NodeId, ToolCall};
use jiff::tz::TimeZone;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Agents within agents are told this deep; further ones are lines.
const DEEPEST: usize = 12;

/// The width that text is broken to.
const WIDTH: usize = 100;

/// A session as plain text.
pub fn plain_page(volume: &Volume<'_>) -> String {
    let heading = &volume.heading;
    let mut facts = vec![heading.session_id.clone()];
    facts.extend(heading.agent_id.clone());
    facts.extend(heading.project.clone());
    facts.extend(heading.branch.clone());
    facts.push(IndexEntry::of(volume).facts(volume.zone));
    facts.push(time::zone_name(volume.zone));
    facts.extend(volume.left_out.iter().map(|what| format!("left out: {what}")));
    let title = untrusted::line(&heading.title).into_owned();
    let mut page = format!("{title}\n{}\n\n", untrusted::line(&facts.join(" · ")));
    let mut before: HashMap<Option<NodeId>, String> = HashMap::new();
    let told = &RefCell::default();
    let aside = Plain { volume, before: HashMap::new(), depth: 1, told };
    for left in &volume.left {
        let count = counted(left.branch.messages.len(), "message");
        let told = format!("⎇ undone: {count}\n{}", indented(&aside.chapter(&left.chapter)));
        before.entry(left.before).or_default().push_str(&told);
    }
    for loose in &volume.loose {
        let count = counted(loose.segment.messages.len(), "message");
        let told = indented(&aside.chapter(&loose.chapter));
        let told = format!("╌╌ gap: what came before {count} is missing ╌╌\n{told}");
        before.entry(loose.before).or_default().push_str(&told);
    }
    let main = Plain { volume, before, depth: 0, told };
    page += &main.chapter(&volume.main);
    page += main.before.get(&None).map_or("", String::as_str);
    for place in volume.agents_elsewhere() {
        page += &main.agent(place);
    }
    page
}

/// A text that lists sessions.
pub fn plain_index(entries: &[&IndexEntry], zone: &TimeZone) -> String {
    let mut page = format!("{}\n\n", counted(entries.len(), "session"));
    for entry in entries {
        let title = untrusted::line(&entry.title);
        page += &format!("{}\n    {title}\n    {}\n", entry.file, entry.facts(zone));
    }
    page
}

struct Plain<'v, 'a> {
    volume: &'v Volume<'a>,
    /// What stands before a line of the main chapter.
    before: HashMap<Option<NodeId>, String>,
    depth: usize,
    /// Agents that were told: none is told twice.
    told: &'v RefCell<HashSet<usize>>,
}

impl Plain<'_, '_> {
    fn chapter(&self, chapter: &Chapter<'_>) -> String {
        let manner = Manner {
            width: Some(WIDTH.saturating_sub(4 * self.depth).max(20)),
            paint: Paint { enabled: false },
            zone: self.volume.zone,
            thinking: self.volume.thinking,
            tools: self.volume.tools,
            folder: self.volume.folder.as_deref(),
        };
        let turns = chapter.turns.iter();
        turns.map(|turn| manner.turn(turn, &chapter.telling.calls, self)).collect()
    }

    fn agent(&self, place: usize) -> String {
        let Some(agent) = self.volume.agents.get(place) else { return String::new() };
        let mut text = format!("  ⤷ {}\n", untrusted::line(&agent_line(agent.node)));
        match &agent.chapter {
            Ok(chapter)
                if self.depth < DEEPEST
                    && !agent.node.warmup
                    && self.told.borrow_mut().insert(place) =>
            {
                let (before, depth) = (HashMap::new(), self.depth + 1);
                let inner = Plain { volume: self.volume, before, depth, told: self.told };
                text += &indented(&inner.chapter(chapter));
            }
            Ok(_) => {}
            Err(reason) if reason.is_empty() => {}
            Err(reason) => text += &format!("    {}\n", untrusted::line(reason)),
        }
        text
    }
}

fn indented(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.fold(String::new(), |shown, line| shown + "  │ " + line + "\n") + "\n"
}

impl Beside for Plain<'_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        let places = self.volume.agents_at(call);
        (!places.is_empty()).then(|| places.iter().map(|place| self.agent(*place)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        (self.volume.persisted)(name)
    }

    fn before(&self, node: NodeId) -> Option<String> {
        self.before.get(&Some(node)).cloned()
    }
}
