//! How the list looks: a head with the scope and counts, the query, rows with snippets, and
//! the preview.

use super::{ListPurpose, ListScreen, Panes};
use crate::action::Action;
use crate::screen::View;
use crate::session::UNKNOWN_ON_DISK;
use crate::text::{self, cut_span};
use crate::work::{Row, RowPresence, SessionHit};
use document::answers::SessionSort;
use library::apps::App;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use render::Style as Meaning;

/// The narrowest screen with two panes side by side.
const NARROWEST: u16 = 72;

/// The lowest screen with two panes one above the other.
const LOWEST: u16 = 20;

/// Where the parts are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Areas {
    pub(super) head: Rect,
    pub(super) query: Rect,
    pub(super) rule: Rect,
    pub(super) list: Rect,
    pub(super) preview: Option<Rect>,
}

pub(super) fn areas(screen: &ListScreen, view: &View<'_>) -> Areas {
    let area = view.area;
    let row = |number: u16| Rect {
        y: area.y + number.min(area.height),
        height: u16::from(number < area.height),
        ..area
    };
    let body =
        Rect { y: area.y + 3.min(area.height), height: area.height.saturating_sub(3), ..area };
    let (list, preview) = match screen.panes {
        Panes::OnlyPreview => (Rect { height: 0, ..body }, Some(inset(body))),
        Panes::Both if area.width >= NARROWEST => {
            let width = u32::from(area.width) * u32::from(screen.share) / 100;
            let width = u16::try_from(width).unwrap_or(area.width / 2);
            let preview =
                Rect { x: body.x + width + 1, width: body.width.saturating_sub(width + 1), ..body };
            (Rect { width, ..body }, Some(inset(preview)))
        }
        Panes::Both if area.height >= LOWEST => {
            let height = body.height / 2;
            let preview = Rect {
                y: body.y + height + 1,
                height: body.height.saturating_sub(height + 1),
                ..body
            };
            (Rect { height, ..body }, Some(inset(preview)))
        }
        Panes::OnlyList | Panes::Both => (body, None),
    };
    Areas { head: row(0), query: row(1), rule: row(2), list, preview }
}

/// One column is left free at either side of text.
fn inset(area: Rect) -> Rect {
    Rect { x: area.x + u16::from(area.width > 0), width: area.width.saturating_sub(2), ..area }
}

/// How many lines of the list fit.
pub(super) fn list_height(screen: &ListScreen, view: &View<'_>) -> usize {
    areas(screen, view).list.height.into()
}

/// How many lines of the conversation fit, below the facts about the session.
pub(super) fn preview_height(screen: &ListScreen, view: &View<'_>) -> usize {
    let height = areas(screen, view).preview.map_or(0, |preview| preview.height);
    usize::from(height).saturating_sub(FACT_LINES)
}

/// How wide the text of the preview is, if there is one.
pub(super) fn preview_width(screen: &ListScreen, view: &View<'_>) -> Option<u16> {
    let preview = areas(screen, view).preview?;
    (preview.height > 0 && preview.width > 10).then_some(preview.width)
}

/// The title and the facts above the conversation, and an empty line.
const FACT_LINES: usize = 3;

pub(super) fn draw(screen: &ListScreen, frame: &mut Frame<'_>, view: &View<'_>) {
    let areas = areas(screen, view);
    frame.render_widget(head(screen, view, areas.head.width.into()), inset(areas.head));
    draw_query(screen, frame, view, areas.query);
    let rule = "─".repeat(areas.rule.width.into());
    frame.render_widget(Span::styled(rule, view.theme.border()), areas.rule);
    if areas.list.height > 0 {
        draw_rows(screen, frame, view, areas.list);
    }
    if let Some(preview) = areas.preview {
        draw_divider(frame, view, areas, preview, screen.panes);
        draw_preview(screen, frame, view, preview);
    }
}

/// `annals · tidepool (tab: all) · 214 sessions · 2 running`, and what was switched on.
fn head(screen: &ListScreen, view: &View<'_>, width: usize) -> Line<'static> {
    let theme = view.theme;
    let key = view.keymap.key(crate::Mode::Query, Action::Scope);
    let key = key.map(|key| key.to_string()).unwrap_or_default();
    let scope = if screen.choice.is_here {
        format!("{} ({key}: all)", text::cut(&screen.project, 24))
    } else {
        format!("all projects ({key}: {})", text::cut(&screen.project, 16))
    };
    let mut facts = vec![scope];
    if screen.is_loaded {
        facts.push(render::counted(screen.matched.shown.len(), "session"));
    }
    let running = screen.rows.iter().filter(|row| row.is_running).count();
    if running > 0 {
        facts.push(format!("{running} running"));
    }
    if screen.matched.folded > 0 {
        let key = view.keymap.key(crate::Mode::Query, Action::Folded);
        let key = key.map(|key| format!(" ({key})")).unwrap_or_default();
        facts.push(format!("{} folded{key}", screen.matched.folded));
    }
    if screen.unread > 0 {
        facts.push(format!("{} unreadable", screen.unread));
    }
    if !screen.chosen.is_empty() {
        facts.push(format!("{} selected", screen.chosen.len()));
    }
    let name = if screen.purpose == ListPurpose::Browse { "annals" } else { "annals pick" };
    let facts = render::joined_facts(&facts, Some(width.saturating_sub(name.len() + 5)));
    Line::from(vec![
        Span::styled(name, theme.title()),
        Span::styled(" · ", theme.dim()),
        Span::raw(facts),
    ])
}

/// The switches that are on, and how far the search is.
fn switches(screen: &ListScreen, view: &View<'_>) -> Vec<(String, Style)> {
    let theme = view.theme;
    let choice = screen.choice;
    let mut parts = Vec::new();
    if let Some(problem) = &screen.words.problem {
        parts.push((text::cut(problem, 40), theme.style(Meaning::Bad)));
    } else if let Some(percent) = screen.words.building {
        parts.push((format!("indexing {percent} %"), theme.style(Meaning::Warning)));
    } else if let Some(gap) = &screen.words.gap {
        parts.push((text::cut(gap, 40), theme.style(Meaning::Warning)));
    } else if screen.is_searching {
        parts.push(("searching …".to_owned(), theme.dim()));
    } else if !screen.is_complete {
        parts.push(("reading …".to_owned(), theme.dim()));
    }
    if !screen.unread_apps.is_empty() {
        let apps = screen.unread_apps.join(", ");
        parts.push((format!("{apps} cannot be read"), theme.style(Meaning::Warning)));
    }
    let mut on = |text: &str| parts.push((text.to_owned(), theme.style(Meaning::Accent)));
    if choice.is_mine {
        on("my words");
    }
    if !choice.with_agents {
        on("no sub-agents");
    }
    if choice.with_folded {
        on("with folded");
    }
    match choice.sort {
        None => {}
        Some(SessionSort::Changed) => on("newest first"),
        Some(SessionSort::Cost) => on("by cost"),
        Some(SessionSort::Turns) => on("by turns"),
        Some(SessionSort::Size) => on("by size"),
        Some(SessionSort::Title) => on("by title"),
    }
    if choice.days > 0 {
        on(&format!("since {}d", choice.days));
    }
    parts
}

fn draw_query(screen: &ListScreen, frame: &mut Frame<'_>, view: &View<'_>, area: Rect) {
    let area = inset(area);
    if area.width == 0 || area.height == 0 {
        return;
    }
    let mut right: Vec<Span<'static>> = Vec::new();
    for (part, style) in switches(screen, view) {
        if !right.is_empty() {
            right.push(Span::styled(" · ", view.theme.dim()));
        }
        right.push(Span::styled(part, style));
    }
    let right = Line::from(right);
    let right_width = right.width().min(usize::from(area.width) / 2);
    let room = usize::from(area.width).saturating_sub(right_width + 3);
    let (shown, column) = screen.input.visible(room);
    let mut spans = vec![Span::styled("› ", view.theme.key())];
    if screen.input.is_empty() && !screen.is_typing {
        let hint = text::cut("/ searches titles, prompts and everything that was said", room);
        spans.push(Span::styled(hint, view.theme.dim()));
    } else if screen.input.is_empty() {
        spans.push(Span::styled(text::cut("type to search", room), view.theme.dim()));
    } else {
        spans.push(Span::raw(shown));
    }
    frame.render_widget(Line::from(spans), area);
    let start = area.right().saturating_sub(u16::try_from(right_width).unwrap_or(0));
    let right_area = Rect { x: start, width: area.right() - start, ..area };
    frame.render_widget(right, right_area);
    if screen.is_typing {
        frame.set_cursor_position((area.x + 2 + column, area.y));
    }
}

fn draw_divider(frame: &mut Frame<'_>, view: &View<'_>, areas: Areas, preview: Rect, panes: Panes) {
    let style = view.theme.border();
    if panes != Panes::Both {
        return;
    }
    if areas.list.bottom() < preview.y {
        let rule = "─".repeat(areas.rule.width.into());
        let row = Rect { y: preview.y - 1, ..areas.rule };
        frame.render_widget(Span::styled(rule, style), row);
        return;
    }
    let column = areas.list.right();
    for row in preview.rows() {
        frame.render_widget(Span::styled("│", style), Rect { x: column, width: 1, ..row });
    }
    let above = Rect { x: column, width: 1, ..areas.rule };
    frame.render_widget(Span::styled("┬", style), above);
}

fn draw_rows(screen: &ListScreen, frame: &mut Frame<'_>, view: &View<'_>, area: Rect) {
    if screen.matched.shown.is_empty() {
        let inner = inset(area);
        let inner = Rect { y: inner.y + u16::from(inner.height > 2), ..inner };
        let inner = Rect { height: area.bottom().saturating_sub(inner.y), ..inner };
        frame.render_widget(Paragraph::new(nothing(screen, view)).wrap(Wrap { trim: true }), inner);
        return;
    }
    let mut y = area.y;
    for (place, shown) in screen.matched.shown.iter().enumerate().skip(screen.top) {
        if y >= area.bottom() {
            break;
        }
        let Some(row) = screen.rows.get(shown.row) else { continue };
        let hit = shown.hit.and_then(|place| screen.words.hits.get(place));
        let is_selected = place == screen.selected;
        let is_chosen = screen.chosen.contains(&row.id);
        let line = Rect { y, height: 1, ..area };
        let marks = RowMarks { is_selected, is_chosen, has_project: screen.has_projects };
        frame.render_widget(row_line(row, view, area.width.into(), marks), line);
        y += 1;
        if let Some(hit) = hit.filter(|_| y < area.bottom()) {
            let line = Rect { y, height: 1, ..area };
            frame.render_widget(hit_line(hit, view, area.width.into()), line);
            y += 1;
        } else if shown.hit.is_some() {
            y += 1;
        }
    }
}

/// What is said instead of rows.
fn nothing(screen: &ListScreen, view: &View<'_>) -> Vec<Line<'static>> {
    let theme = view.theme;
    let dim = |text: String| Line::from(Span::styled(text, theme.dim()));
    if !screen.is_loaded {
        return vec![dim("Reading sessions …".to_owned())];
    }
    let key = |action| {
        let key = view.keymap.key(crate::Mode::Query, action);
        key.map(|key| key.to_string()).unwrap_or_default()
    };
    if screen.rows.is_empty()
        && let Some(problem) = &screen.problem
    {
        return vec![
            Line::from("The sessions cannot be read."),
            Line::from(text::span(problem, theme.style(Meaning::Bad))),
            dim("`annals doctor` says more.".to_owned()),
        ];
    }
    if screen.rows.is_empty() {
        return vec![
            Line::from("No sessions yet."),
            dim("Claude Code writes one for each conversation. `annals tui --demo` shows a made-up store.".to_owned()),
        ];
    }
    let query = screen.input.text();
    if query.trim().is_empty() {
        let mut lines = vec![Line::from("No sessions here.")];
        if screen.choice.is_here {
            lines.push(dim(format!("{} shows all projects.", key(Action::Scope))));
        }
        if screen.matched.folded > 0 {
            let count = render::counted(screen.matched.folded, "session");
            lines.push(dim(format!("{count} folded away: {}", key(Action::Folded))));
        }
        return lines;
    }
    if screen.is_searching {
        return vec![dim("Searching …".to_owned())];
    }
    let mut lines = vec![Line::from(vec![
        Span::raw("Nothing matches "),
        text::span(&query, theme.style(Meaning::Strong)),
        Span::raw("."),
    ])];
    for (word, similar) in screen.words.similar.iter().filter(|(_, near)| !near.is_empty()) {
        let near = text::cut(&similar.join(", "), 60);
        lines.push(Line::from(vec![
            text::span(word, theme.dim()),
            Span::styled(": did you mean ", theme.dim()),
            Span::styled(near, theme.style(Meaning::Accent)),
            Span::styled("?", theme.dim()),
        ]));
    }
    if screen.choice.is_here {
        lines.push(dim(format!("{} searches all projects.", key(Action::Scope))));
    }
    lines
}

/// What a row shows of the list around it.
#[derive(Clone, Copy, Debug)]
struct RowMarks {
    is_selected: bool,
    is_chosen: bool,
    /// Whether the project is named: where all rows have the same one, the head names it.
    has_project: bool,
}

/// `▌● 20m  tidepool  Fix the flaky login test  #bug`
fn row_line(row: &Row, view: &View<'_>, width: usize, marks: RowMarks) -> Line<'static> {
    let RowMarks { is_selected, is_chosen, has_project } = marks;
    let theme = view.theme;
    let cursor = if is_selected { "▌" } else { " " };
    let state = match (is_chosen, row.is_running, row.presence) {
        (true, ..) => Span::styled("✓ ", theme.style(Meaning::Good)),
        (_, true, _) => Span::styled("● ", theme.style(Meaning::Good)),
        (.., RowPresence::Archive) => Span::styled("▣ ", theme.style(Meaning::Warning)),
        (.., RowPresence::Unknown) => Span::styled("? ", theme.style(Meaning::Warning)),
        (.., RowPresence::PromptsOnly) => Span::styled("✗ ", theme.dim()),
        (.., RowPresence::Disk) => Span::raw("  "),
    };
    let age = format!("{:>4} ", age(row, view));
    let project = match text::cut(row.project_name(), 10) {
        name if has_project => format!("{name}{:1$}", "", 11 - render::columns(&name).min(10)),
        _ => String::new(),
    };
    let mut end = String::new();
    if row.marks > 0 {
        end += " ⚑";
    }
    if let Some(tag) = &row.tag {
        end += &format!(" #{}", text::cut(tag, 12));
    }
    let cost = row.cost_text.as_deref().filter(|_| width >= 60);
    let cost = cost.map(|cost| format!(" {cost}")).unwrap_or_default();
    let used = 3 + 5 + render::columns(&project) + render::columns(&end) + render::columns(&cost);
    let room = width.saturating_sub(used + 1);
    let title = row.title.as_deref().unwrap_or("(untitled)");
    let title = text::cut(title, room);
    let space = " ".repeat(room.saturating_sub(render::columns(&title)));
    let title_style = if row.title.is_some() { Style::new() } else { theme.dim() };
    let line = Line::from(vec![
        Span::styled(cursor, theme.key()),
        state,
        Span::styled(age, theme.dim()),
        Span::styled(project, theme.style(Meaning::Id)),
        Span::styled(title, title_style),
        Span::styled(end, theme.style(Meaning::Accent)),
        Span::raw(space),
        Span::styled(cost, theme.dim()),
        Span::raw(" "),
    ]);
    if is_selected { line.patch_style(theme.selected()) } else { line }
}

/// How long ago, in at most four columns.
fn age(row: &Row, view: &View<'_>) -> String {
    let seconds = view.now.duration_since(row.modified).as_secs().max(0);
    match seconds {
        0..60 => "now".to_owned(),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        86_400..31_536_000 => format!("{}d", seconds / 86_400),
        _ => format!("{}y", (seconds / 31_536_000).min(999)),
    }
}

/// `   result Bash  …Move the clock…  +3`
fn hit_line(hit: &SessionHit, view: &View<'_>, width: usize) -> Line<'static> {
    let theme = view.theme;
    let agent = if hit.agent.is_some() { "agent " } else { "" };
    let kind = format!("   {agent}{} ", text::cut(&hit.kind, 24));
    let more = if hit.count > 1 { format!(" +{}", hit.count - 1) } else { String::new() };
    let used = render::columns(&kind) + render::columns(&more);
    let room = width.saturating_sub(used + 1);
    let (snippet, places) = around_first(&hit.snippet, &hit.places, room);
    let mut spans = vec![Span::styled(kind, theme.style(Meaning::Accent))];
    spans.extend(text::marked(snippet, &places, room, theme.dim(), theme.hit()));
    spans.push(Span::styled(more, theme.dim()));
    Line::from(spans)
}

/// The part of a snippet in which the first match is visible, with the places in it.
fn around_first<'s>(
    snippet: &'s str,
    places: &[(usize, usize)],
    room: usize,
) -> (&'s str, Vec<(usize, usize)>) {
    let first = places.first().map_or(0, |(start, _)| *start);
    let mut start = if first + 12 > room { first.saturating_sub(room / 3) } else { 0 };
    while !snippet.is_char_boundary(start) {
        start -= 1;
    }
    let moved =
        |(from, to): &(usize, usize)| Some((from.checked_sub(start)?, to.checked_sub(start)?));
    (snippet.get(start..).unwrap_or_default(), places.iter().filter_map(moved).collect())
}

fn draw_preview(screen: &ListScreen, frame: &mut Frame<'_>, view: &View<'_>, area: Rect) {
    let Some((row, _)) = screen.selected() else { return };
    let width = usize::from(area.width);
    let theme = view.theme;
    let title = cut_span(row.title.as_deref().unwrap_or("(untitled)"), width, theme.title());
    let mut facts = Vec::new();
    let app = App::split_id(&row.id).0;
    facts.extend(app.map(|app| app.title().to_owned()));
    match row.presence {
        RowPresence::Disk if row.is_running => facts.push("running".to_owned()),
        RowPresence::Disk => {}
        RowPresence::Archive => facts.push("only in the archive".to_owned()),
        RowPresence::Unknown => facts.push(UNKNOWN_ON_DISK.to_owned()),
        RowPresence::PromptsOnly => facts.push("deleted, only prompts are left".to_owned()),
    }
    facts.extend(row.folder.as_deref().map(|folder| short_path(folder, view.home)));
    facts.extend(row.branch.clone());
    let turns = row.turns.and_then(|turns| usize::try_from(turns).ok());
    facts.extend(turns.map(|turns| render::counted(turns, "turn")));
    // The size of rows of a database is not known.
    facts.extend((app.is_none() || row.bytes > 0).then(|| render::bytes(row.bytes)));
    facts.extend(row.cost_text.clone());
    let facts: Vec<String> =
        facts.iter().map(|fact| render::untrusted::line(fact).into_owned()).collect();
    let facts = render::joined_facts(&facts, Some(width));
    let mut lines =
        vec![Line::from(title), Line::from(Span::styled(facts, theme.dim())), Line::default()];
    let answer = &screen.preview.answer;
    let is_current = screen.preview.asked.as_ref().is_some_and(|asked| {
        asked.id == answer.id && asked.turn == answer.turn && asked.width == area.width
    });
    let height = usize::from(area.height).saturating_sub(lines.len());
    if let Some(problem) = answer.problem.as_deref().filter(|_| is_current) {
        lines.push(Line::from(cut_span(problem, width, theme.style(Meaning::Bad))));
    } else if is_current {
        let text = screen.preview.lines.iter().skip(screen.preview.scroll).take(height);
        lines.extend(text.cloned());
    } else {
        lines.push(Line::from(Span::styled("…", theme.dim())));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// A path with the home folder as `~`.
fn short_path(path: &str, home: Option<&str>) -> String {
    match home.and_then(|home| path.strip_prefix(home)) {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
