//! A session as plain text, as a terminal would show it whole.

use super::IndexEntry;
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::style::Paint;
use crate::telling::{Annotations, TextOptions};
use crate::words::{AGENTS_ELSEWHERE, DEEPEST, agent_title, aside_title, masked, untold_title};
use crate::{counted, time, untrusted};
use conversation::{NodeId, ToolCall};
use jiff::tz::TimeZone;
use std::cell::RefCell;
use std::collections::HashSet;

/// The width that text is broken to.
const WIDTH: usize = 100;

/// A session as plain text.
pub fn plain_page(export: &ExportDocument<'_>) -> String {
    let heading = &export.heading;
    let mut facts = vec![heading.session_id.clone()];
    facts.extend(heading.agent_id.clone());
    facts.extend(heading.project.clone());
    facts.extend(heading.branch.clone());
    facts.push(IndexEntry::of(export).facts(export.zone));
    facts.push(time::zone_name(export.zone));
    facts.extend(masked(export).map(|masked| format!("{masked} masked")));
    facts.extend(export.left_out.iter().map(|what| format!("left out: {what}")));
    let title = untrusted::line(&heading.title).into_owned();
    let mut page = format!("{title}\n{}\n\n", untrusted::line(&facts.join(" · ")));
    let told = &Told { agents: RefCell::default(), asides: RefCell::new(export.asides()) };
    let main = Plain { export, depth: 0, told };
    page += &main.chapter(&export.main);
    let rest = told.asides.borrow_mut().take_rest();
    page.extend(rest.map(|asides| main.asides(&asides)));
    let elsewhere = export.agents_elsewhere();
    if !elsewhere.is_empty() {
        page += &format!("━━ {AGENTS_ELSEWHERE} ━━\n");
    }
    for place in elsewhere {
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

/// What was told: nothing is told twice.
struct Told<'v, 'a> {
    agents: RefCell<HashSet<usize>>,
    /// What was not told yet.
    asides: RefCell<Asides<'v, 'a>>,
}

struct Plain<'v, 'a> {
    export: &'v ExportDocument<'a>,
    depth: usize,
    told: &'v Told<'v, 'a>,
}

impl Plain<'_, '_> {
    /// The same, a level deeper.
    fn inner(&self) -> Self {
        Plain { export: self.export, depth: self.depth + 1, told: self.told }
    }

    fn asides(&self, asides: &[Aside<'_, '_>]) -> String {
        let tell = |aside: &Aside<'_, '_>| {
            let title = aside_title(aside);
            let told = indented(&self.inner().chapter(aside.chapter()));
            format!("{}\n{told}", untrusted::line(&title))
        };
        asides.iter().map(tell).collect()
    }

    fn chapter(&self, chapter: &Chapter<'_>) -> String {
        let manner = TextOptions {
            width: Some(WIDTH.saturating_sub(4 * self.depth).max(20)),
            paint: Paint { enabled: false },
            zone: self.export.zone,
            thinking: self.export.thinking,
            tools: self.export.tools,
            folder: self.export.folder.as_deref(),
        };
        let turns = chapter.turns.iter();
        turns.map(|turn| manner.turn(turn, &chapter.telling.calls, self)).collect()
    }

    fn agent(&self, place: usize) -> String {
        let Some(agent) = self.export.agents.get(place) else { return String::new() };
        if let Ok(chapter) = &agent.chapter
            && self.depth < DEEPEST
            && !agent.node.warmup
            && self.told.agents.borrow_mut().insert(place)
        {
            let title = agent_title(agent.node);
            let told = indented(&self.inner().chapter(chapter));
            return format!("  {}\n{told}", untrusted::line(&title));
        }
        format!("  {}\n", untrusted::line(&untold_title(agent)))
    }
}

fn indented(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.fold(String::new(), |shown, line| shown + "  │ " + line + "\n") + "\n"
}

impl Annotations for Plain<'_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        let places = self.export.agents_at(call);
        (!places.is_empty()).then(|| places.iter().map(|place| self.agent(*place)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        (self.export.persisted)(name)
    }

    fn before(&self, node: NodeId) -> Option<String> {
        // Lines of other chapters have numbers of their own.
        let asides =
            if self.depth == 0 { self.told.asides.borrow_mut().take(node) } else { Vec::new() };
        (!asides.is_empty()).then(|| self.asides(&asides))
    }
}
