//! The list of sessions, with the query above it and a preview beside it; the picker is the
//! same screen with another end.
//!
//! `matching.rs` decides which rows are shown, `draw.rs` how they look, `actions.rs` what keys
//! do and `mouse.rs` what the mouse does. Here is the state and what answers change in it.

mod actions;
mod draw;
mod matching;
mod mouse;
#[cfg(test)]
mod tests;

use crate::action::{Action, Mode};
use crate::event::Event;
use crate::line_input::LineInput;
use crate::operation::Target;
use crate::screen::{Effect, Input, Screen, View};
use crate::work::{
    Answer, ListRequest, OperationAnswer, PreviewAnswer, PreviewRequest, Row, WordsAnswer,
    WordsRequest,
};
use crate::worker::Request;
use library::search::Query;
use matching::{Choice, Matched, matched};
use ratatui::Frame;
use ratatui::text::Line;
use std::sync::Arc;

/// What the list does when a session is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPurpose {
    /// Opens it.
    Browse,
    /// Ends the program with it.
    Pick,
    /// Ends the program with several.
    PickSeveral,
}

/// How the list begins.
#[derive(Clone, Debug)]
pub struct ListOptions {
    /// What it is for.
    pub purpose: ListPurpose,
    /// The query.
    pub query: String,
    /// Whether only the project that the person is in is shown.
    pub is_here: bool,
    /// Whether there is a preview.
    pub has_preview: bool,
}

/// Which panes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panes {
    Both,
    OnlyList,
    OnlyPreview,
}

/// What stays selected when rows are chosen anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Nothing: the best row is selected.
    Nothing,
    /// The session that a person moved to.
    Choice,
    /// The session, selected by the person or by the list.
    Session,
}

/// The screen.
#[derive(Debug)]
pub(crate) struct ListScreen {
    purpose: ListPurpose,
    rows: Arc<Vec<Row>>,
    /// Whether any answer has come, and whether the last one has.
    is_loaded: bool,
    is_complete: bool,
    project: String,
    unread: usize,
    problem: Option<String>,
    unread_apps: Vec<&'static str>,
    input: LineInput,
    is_typing: bool,
    choice: Choice,
    words: WordsAnswer,
    /// What was asked last, and whether the answer is still to come.
    asked: Option<WordsRequest>,
    is_searching: bool,
    matched: Matched,
    /// Whether any of the shown rows belongs to another project than the head names.
    has_projects: bool,
    selected: usize,
    /// The first visible row.
    top: usize,
    /// Sessions chosen so far, where several can be.
    chosen: Vec<String>,
    panes: Panes,
    /// The share of the list in the width, in percent.
    share: u16,
    is_dragging: bool,
    preview: Preview,
}

/// What the preview shows.
#[derive(Debug, Default)]
struct Preview {
    /// What was asked for last.
    asked: Option<PreviewRequest>,
    answer: PreviewAnswer,
    lines: Vec<Line<'static>>,
    scroll: usize,
    /// Whether a person scrolled it.
    is_scrolled: bool,
}

impl ListScreen {
    pub(crate) fn new(options: &ListOptions) -> ListScreen {
        ListScreen {
            purpose: options.purpose,
            rows: Arc::default(),
            is_loaded: false,
            is_complete: false,
            project: String::new(),
            unread: 0,
            problem: None,
            unread_apps: Vec::new(),
            input: LineInput::new(&options.query),
            is_typing: true,
            choice: Choice {
                is_here: options.is_here,
                is_mine: false,
                with_agents: true,
                with_folded: false,
                sort: None,
                days: 0,
            },
            words: WordsAnswer::default(),
            asked: None,
            is_searching: false,
            matched: Matched::default(),
            has_projects: false,
            selected: 0,
            top: 0,
            chosen: Vec::new(),
            panes: if options.has_preview { Panes::Both } else { Panes::OnlyList },
            share: 45,
            is_dragging: false,
            preview: Preview::default(),
        }
    }

    /// The selected row.
    fn selected(&self) -> Option<(&Row, Option<&crate::work::SessionHit>)> {
        let shown = self.matched.shown.get(self.selected)?;
        let hit = shown.hit.and_then(|place| self.words.hits.get(place));
        Some((self.rows.get(shown.row)?, hit))
    }

    fn target(&self) -> Option<Target> {
        let (row, _) = self.selected()?;
        Some(Target {
            id: row.id.clone(),
            title: row.title.clone(),
            tag: row.tag.clone(),
            presence: row.presence,
            is_running: row.is_running,
            ..Target::default()
        })
    }

    /// Chooses the rows anew, and what of them is selected.
    fn rematch(&mut self, keep: Keep, view: &View<'_>) {
        let selected = self.selected().map(|(row, _)| row.id.clone());
        self.rematch_from(selected, keep, view);
    }

    /// The same for rows that have changed: what was selected is given.
    fn rematch_from(&mut self, selected: Option<String>, keep: Keep, view: &View<'_>) {
        let kept = selected.filter(|_| keep != Keep::Nothing);
        let query = self.input.text();
        // While the answer is to come, hits of an older query would be wrong.
        let hits = if self.words.query == query { &self.words.hits[..] } else { &[] };
        self.matched = matched(&self.rows, &query, hits, self.choice, view.now);
        let shown = self.matched.shown.iter().filter_map(|shown| self.rows.get(shown.row));
        self.has_projects = shown.map(Row::project_name).any(|name| name != self.project);
        let place = |id: String| {
            let mut shown = self.matched.shown.iter();
            shown.position(|shown| self.rows[shown.row].id == id)
        };
        // Someone who has not moved looks at the best one.
        let is_first = self.selected == 0 && self.top == 0;
        let is_best = is_first && !self.input.is_empty() && keep == Keep::Choice;
        let before = self.selected;
        self.selected = kept.filter(|_| !is_best).and_then(place).unwrap_or(0);
        if self.top > 0 {
            // Rows that come or go above do not move what is looked at.
            let top = (self.top + self.selected).saturating_sub(before);
            self.top = top.min(self.selected);
        }
        self.keep_visible(view);
    }

    /// Asks for words if the query or a switch has changed.
    fn search(&mut self, view: &View<'_>) -> Option<Effect> {
        let query = self.input.text();
        if query.trim().is_empty() {
            self.asked = None;
            self.is_searching = false;
            self.words = WordsAnswer { query, ..WordsAnswer::default() };
            return None;
        }
        let request = WordsRequest {
            query,
            is_here: self.choice.is_here,
            is_mine: self.choice.is_mine,
            with_agents: self.choice.with_agents,
            since: self.choice.since(view.now),
        };
        if self.asked.as_ref().is_some_and(|asked| same_search(asked, &request)) {
            return None;
        }
        self.asked = Some(request.clone());
        self.is_searching = true;
        Some(Effect::Ask(Request::Words(request)))
    }

    /// Asks for the preview of the selected session, if it is not there.
    fn show_preview(&mut self, view: &View<'_>) -> Option<Effect> {
        let width = draw::preview_width(self, view)?;
        let (row, hit) = self.selected()?;
        let id = hit.and_then(|hit| hit.agent.clone()).unwrap_or_else(|| row.id.clone());
        let turn = hit.and_then(|hit| hit.turn);
        // A session that has grown is shown again.
        let (bytes, modified) = (row.bytes, row.modified);
        let request = PreviewRequest { id, turn, width, bytes, modified };
        if self.preview.asked.as_ref() == Some(&request) {
            return None;
        }
        let place = |request: &PreviewRequest| (request.id.clone(), request.turn, request.width);
        if self.preview.asked.as_ref().map(place) != Some(place(&request)) {
            self.preview.is_scrolled = false;
        }
        self.preview.asked = Some(request.clone());
        Some(Effect::Ask(Request::Preview(request)))
    }

    /// Everything that has to be asked for after a change.
    fn changed(&mut self, view: &View<'_>) -> Vec<Effect> {
        let words = self.search(view);
        let preview = self.show_preview(view);
        words.into_iter().chain(preview).collect()
    }

    fn edited(&mut self, view: &View<'_>) -> Vec<Effect> {
        let words = self.search(view);
        self.rematch(Keep::Nothing, view);
        self.top = 0;
        words.into_iter().chain(self.show_preview(view)).collect()
    }

    fn switched(&mut self, view: &View<'_>) -> Vec<Effect> {
        let words = self.search(view);
        self.rematch(Keep::Choice, view);
        words.into_iter().chain(self.show_preview(view)).collect()
    }

    fn move_by(&mut self, by: isize, view: &View<'_>) -> Vec<Effect> {
        let last = self.matched.shown.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
        self.keep_visible(view);
        self.show_preview(view).into_iter().collect()
    }

    /// Scrolls the list so that the selected row is visible.
    fn keep_visible(&mut self, view: &View<'_>) {
        let height = draw::list_height(self, view);
        self.top = self.top.min(self.selected);
        while self.top < self.selected && self.lines_between(self.top, self.selected + 1) > height {
            self.top += 1;
        }
        // No empty lines at the end while there are rows above.
        while self.top > 0 && self.lines_between(self.top - 1, self.matched.shown.len()) <= height {
            self.top -= 1;
        }
    }

    fn lines_between(&self, start: usize, end: usize) -> usize {
        let shown = self.matched.shown.get(start..end.min(self.matched.shown.len()));
        shown.unwrap_or_default().iter().map(|shown| 1 + usize::from(shown.hit.is_some())).sum()
    }

    fn scroll_preview(&mut self, by: isize) -> Vec<Effect> {
        let last = self.preview.lines.len().saturating_sub(1);
        self.preview.scroll = self.preview.scroll.saturating_add_signed(by).min(last);
        self.preview.is_scrolled = true;
        Vec::new()
    }

    fn answer(&mut self, answer: &Answer, view: &View<'_>) -> Vec<Effect> {
        match answer {
            Answer::List(list) => {
                // Once all rows are there, changes of the stores do not move the selection.
                let keep = if self.is_complete { Keep::Session } else { Keep::Choice };
                let selected = self.selected().map(|(row, _)| row.id.clone());
                self.rows = Arc::clone(&list.rows);
                self.is_loaded = true;
                self.is_complete = list.is_complete;
                self.project.clone_from(&list.project);
                self.unread = list.unread;
                self.problem.clone_from(&list.problem);
                self.unread_apps.clone_from(&list.unread_apps);
                self.rematch_from(selected, keep, view);
                let mut effects = self.changed(view);
                if !list.is_complete {
                    effects.push(Effect::Ask(Request::List(ListRequest::Followed)));
                }
                effects
            }
            Answer::Words(words) if words.query == self.input.text() => {
                self.is_searching = words.building.is_some();
                self.words = words.clone();
                self.rematch(Keep::Choice, view);
                self.show_preview(view).into_iter().collect()
            }
            Answer::Building(query, percent) if *query == self.input.text() => {
                self.words.building = Some(*percent);
                Vec::new()
            }
            Answer::Preview(preview) => {
                self.take_preview(preview, view);
                Vec::new()
            }
            // The list shows what was done.
            Answer::Act(OperationAnswer::Done(_)) => {
                vec![Effect::Ask(Request::List(ListRequest::Followed))]
            }
            _ => Vec::new(),
        }
    }

    fn take_preview(&mut self, preview: &PreviewAnswer, view: &View<'_>) {
        let query = Query::parse(&self.input.text()).ok().filter(Query::has_words);
        let query = query.filter(|_| preview.turn.is_some());
        let mut lines = crate::text::painted(&preview.text, view.theme);
        let mut first = None;
        for (place, line) in lines.iter_mut().enumerate() {
            let Some(query) = &query else { break };
            let is_hit = crate::text::mark_hits(line, query, view.theme.hit());
            if is_hit && place >= preview.start && first.is_none() {
                first = Some(place);
            }
        }
        // A little of what comes before the match stays visible; without one, the end.
        let height = draw::preview_height(self, view);
        self.preview.scroll = match first.or(preview.turn.map(|_| preview.start)) {
            // Someone who scrolled stays there, also if the session has grown.
            _ if self.preview.is_scrolled => self.preview.scroll.min(lines.len().saturating_sub(1)),
            Some(place) => place.saturating_sub(height / 4),
            None => lines.len().saturating_sub(height),
        };
        self.preview.answer = PreviewAnswer { text: String::new(), ..preview.clone() };
        self.preview.lines = lines;
    }
}

/// Whether two searches have the same answer. The time span begins at another moment each
/// time it is computed.
fn same_search(one: &WordsRequest, two: &WordsRequest) -> bool {
    let day = |request: &WordsRequest| request.since.map(|since| since.as_second() / 3600);
    let timeless = |request: &WordsRequest| WordsRequest { since: None, ..request.clone() };
    timeless(one) == timeless(two) && day(one) == day(two)
}

impl Screen for ListScreen {
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect> {
        match input {
            Input::Action(action) => self.act(*action, view),
            Input::Event(Event::Answer(answer)) => self.answer(answer, view),
            Input::Event(Event::Mouse(mouse)) => self.mouse(*mouse, view),
            Input::Event(Event::Resize) => {
                self.keep_visible(view);
                let mut effects = self.changed(view);
                if !self.is_loaded && self.rows.is_empty() {
                    effects.insert(0, Effect::Ask(Request::List(ListRequest::Quick)));
                }
                effects
            }
            Input::Event(event @ Event::Paste(_)) => {
                self.is_typing = true;
                self.input.handle(event);
                self.edited(view)
            }
            Input::Event(event) if self.is_typing => {
                let before = self.input.text();
                self.input.handle(event);
                if self.input.text() == before { Vec::new() } else { self.edited(view) }
            }
            Input::Event(_) => Vec::new(),
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        draw::draw(self, frame, view);
    }

    fn mode(&self) -> Mode {
        if self.is_typing { Mode::Query } else { Mode::List }
    }

    fn label(&self, action: Action) -> Option<&'static str> {
        let is_choice = action == Action::Open && self.purpose != ListPurpose::Browse;
        is_choice.then_some("choose")
    }

    fn hints(&self) -> Vec<Action> {
        use Action::{
            Back, Choose, Copy, Export, Folded, Fork, Help, Leave, Mark, OnlyMine, Open, Query,
            Resume, Scope, Select, Since, Sort, Tag, TogglePreview, Web,
        };
        match (self.purpose, self.is_typing) {
            (ListPurpose::Pick, _) => vec![Open, Back, Scope, OnlyMine, Sort, Since, Folded],
            (ListPurpose::PickSeveral, _) => vec![Open, Select, Back, Scope, OnlyMine, Sort, Since],
            (ListPurpose::Browse, true) => {
                let first = [Open, Resume, Scope, Help, Fork, OnlyMine, Sort, Since];
                first.into_iter().chain([Back, TogglePreview, Choose]).collect()
            }
            (ListPurpose::Browse, false) => {
                vec![
                    Open,
                    Resume,
                    Fork,
                    Query,
                    Help,
                    Leave,
                    TogglePreview,
                    Mark,
                    Tag,
                    Copy,
                    Export,
                    Web,
                ]
            }
        }
    }
}
