//! A session as plain text, in the layout of `annals show`.

use super::IndexEntry;
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::labels::{
    MAX_AGENT_DEPTH, UNLINKED_AGENTS, agent_title, aside_title, masked, omitted_agent_title,
};
use crate::style::Paint;
use crate::turn_text::{Annotations, TextOptions};
use crate::{counted, time, untrusted};
use conversation::{NodeId, ToolCall};
use jiff::tz::TimeZone;
use std::cell::RefCell;
use std::collections::HashSet;

/// The width at which text is wrapped.
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
    facts.extend(export.left_out.iter().map(|omission| format!("left out: {omission}")));
    let title = untrusted::line(&heading.title).into_owned();
    let mut page = format!("{title}\n{}\n\n", untrusted::line(&facts.join(" · ")));
    let state =
        &WriterState { shown_agents: RefCell::default(), asides: RefCell::new(export.asides()) };
    let main = PlainWriter { export, depth: 0, state };
    page += &main.chapter(&export.main);
    let rest = state.asides.borrow_mut().take_rest();
    page.extend(rest.map(|asides| main.asides(&asides)));
    let elsewhere = export.unlinked_agents();
    if !elsewhere.is_empty() {
        page += &format!("━━ {UNLINKED_AGENTS} ━━\n");
    }
    for index in elsewhere {
        page += &main.agent(index);
    }
    page
}

/// A list of sessions as plain text.
pub fn plain_index(entries: &[&IndexEntry], zone: &TimeZone) -> String {
    let mut page = format!("{}\n\n", counted(entries.len(), "session"));
    for entry in entries {
        let title = untrusted::line(&entry.title);
        page += &format!("{}\n    {title}\n    {}\n", entry.file, entry.facts(zone));
    }
    page
}

/// What has been written so far: nothing is written twice.
struct WriterState<'v, 'a> {
    shown_agents: RefCell<HashSet<usize>>,
    /// Threads that were not written yet.
    asides: RefCell<Asides<'v, 'a>>,
}

struct PlainWriter<'v, 'a> {
    export: &'v ExportDocument<'a>,
    depth: usize,
    state: &'v WriterState<'v, 'a>,
}

impl PlainWriter<'_, '_> {
    /// A writer one level deeper.
    fn inner(&self) -> Self {
        PlainWriter { export: self.export, depth: self.depth + 1, state: self.state }
    }

    fn asides(&self, asides: &[Aside<'_, '_>]) -> String {
        let write = |aside: &Aside<'_, '_>| {
            let title = aside_title(aside);
            let body = indented(&self.inner().chapter(aside.chapter()));
            format!("{}\n{body}", untrusted::line(&title))
        };
        asides.iter().map(write).collect()
    }

    fn chapter(&self, chapter: &Chapter<'_>) -> String {
        let options = TextOptions {
            width: Some(WIDTH.saturating_sub(4 * self.depth).max(20)),
            paint: Paint { enabled: false },
            zone: self.export.zone,
            thinking: self.export.thinking,
            tools: self.export.tools,
            outputs: true,
            diffs: true,
            shows_all: "--tools full",
            folder: self.export.folder.as_deref(),
        };
        let turns = chapter.turns.iter();
        turns.map(|turn| options.turn(turn, &chapter.all_turns.calls, self)).collect()
    }

    fn agent(&self, index: usize) -> String {
        let Some(agent) = self.export.agents.get(index) else { return String::new() };
        if let Ok(chapter) = &agent.chapter
            && self.depth < MAX_AGENT_DEPTH
            && !agent.node.warmup
            && self.state.shown_agents.borrow_mut().insert(index)
        {
            let title = agent_title(agent.node);
            let body = indented(&self.inner().chapter(chapter));
            return format!("  {}\n{body}", untrusted::line(&title));
        }
        format!("  {}\n", untrusted::line(&omitted_agent_title(agent)))
    }
}

fn indented(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.fold(String::new(), |shown, line| shown + "  │ " + line + "\n") + "\n"
}

impl Annotations for PlainWriter<'_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        let indexes = self.export.agents_at(call);
        (!indexes.is_empty()).then(|| indexes.iter().map(|index| self.agent(*index)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        (self.export.persisted)(name)
    }

    fn before(&self, node: NodeId) -> Option<String> {
        // Node ids of other chapters belong to other graphs.
        let asides =
            if self.depth == 0 { self.state.asides.borrow_mut().take(node) } else { Vec::new() };
        (!asides.is_empty()).then(|| self.asides(&asides))
    }
}
