//! The lines above a session: its title, where the reader is, what it used.

use super::details::Details;
use super::model::SessionModel;
use super::text::Look;
use crate::screen::View;
use crate::text;
use library::session::Presence;
use library::sessions::Part;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// What the header says.
#[derive(Debug)]
pub(crate) struct Header<'h> {
    pub(crate) model: &'h SessionModel,
    pub(crate) details: Option<&'h Details>,
    pub(crate) look: Look,
    /// The place of the turn that is read.
    pub(crate) turn: usize,
    pub(crate) is_following: bool,
}

/// Where a session is that may be in something of its app that cannot be read.
pub(crate) const UNKNOWN_ON_DISK: &str = "unknown whether on disk";

/// How many cells the bar of the context window has.
const BAR: usize = 4;

impl Header<'_> {
    pub(crate) fn draw(&self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        let first = Rect { height: area.height.min(1), ..area };
        frame.render_widget(self.first_line(area.width.into(), view), first);
        if area.height > 1 {
            let second = Rect { y: area.y + 1, height: 1, ..area };
            frame.render_widget(self.second_line(area.width.into(), view), second);
        }
    }

    fn first_line(&self, width: usize, view: &View<'_>) -> Line<'static> {
        let theme = view.theme;
        let facts = self.facts();
        // The title keeps at least a third.
        let room = width.saturating_sub(width / 3 + 2);
        let facts = render::joined_facts(&facts, Some(room));
        let facts_width = render::columns(&facts);
        let found = self.model.session().found();
        let mut spans = Vec::new();
        let mut taken = 0;
        let mut sign = |sign: &str, style: Style, spans: &mut Vec<Span<'static>>| {
            spans.push(Span::styled(format!("{sign} "), style));
            taken += render::columns(sign) + 1;
        };
        if self.is_following {
            sign("⟳", theme.style(render::Style::Good), &mut spans);
        } else if found.session.is_running {
            sign("●", theme.style(render::Style::Good), &mut spans);
        }
        if self.details.is_some_and(|details| details.is_marked(None)) {
            sign("★", theme.style(render::Style::Accent), &mut spans);
        }
        let room = width.saturating_sub(taken + facts_width + 2);
        let title = text::cut(&self.title(), room);
        let gap = width.saturating_sub(taken + render::columns(&title) + facts_width);
        spans.push(Span::styled(title, theme.title()));
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(facts, theme.dim()));
        Line::from(spans)
    }

    fn title(&self) -> String {
        let found = self.model.session().found();
        let heading = found.session.heading().unwrap_or("(untitled)");
        if let Some(agent) = &found.agent {
            let about = self.details.and_then(|details| details.about.as_deref());
            return format!("⤷ {}", about.unwrap_or(&agent.id));
        }
        if found.inline_agent.is_some() {
            return format!("⤷ agent {}", found.id());
        }
        match self.model.part() {
            Part::AbandonedBranch(number) => format!("⎇ abandoned branch {number} of {heading}"),
            Part::OrphanedSegment(number) => format!("╌ orphaned segment {number} of {heading}"),
            _ => heading.to_owned(),
        }
    }

    /// The most important first.
    fn facts(&self) -> Vec<String> {
        let rows = self.model.rows();
        let mut facts = Vec::new();
        match (rows.get(self.turn), rows.last()) {
            (Some(own), Some(last)) => facts.push(format!("turn {}/{}", own.number, last.number)),
            _ => facts.push("no turns".to_owned()),
        }
        if let Some((used, limit)) = self.details.and_then(|details| details.context) {
            facts.push(match limit {
                Some(limit) if limit > 0 => {
                    let share = document::share(used, limit);
                    let bar = render::bar(share, BAR);
                    format!("ctx {bar:░<BAR$} {}", render::percent(share))
                }
                _ => format!("ctx {}", render::count(used)),
            });
        }
        facts.extend(self.details.and_then(|details| details.cost.clone()));
        facts.push(format!("tools: {}", self.look.tools.name()));
        if self.look.thinking {
            facts.push("thinking".to_owned());
        }
        if !self.look.diffs {
            facts.push("no diffs".to_owned());
        }
        facts
    }

    fn second_line(&self, width: usize, view: &View<'_>) -> Line<'static> {
        let found = self.model.session().found();
        let session = &found.session;
        let mut warnings = Vec::new();
        match session.presence {
            Presence::Archive => warnings.push("only in the archive".to_owned()),
            Presence::Unknown => warnings.push(UNKNOWN_ON_DISK.to_owned()),
            _ => {}
        }
        let damaged = self.model.damaged();
        if damaged > 0 {
            warnings.push(render::counted(damaged, "damaged line"));
        }
        let large = self.model.large();
        if large > 0 {
            warnings.push(format!("{} too large", render::counted(large, "line")));
        }
        let mut facts = Vec::new();
        if session.is_running {
            let follows = if self.is_following { "following" } else { "running" };
            facts.push(follows.to_owned());
        }
        let rows = self.model.rows();
        let last = rows.iter().map(|row| row.generation).max().unwrap_or(1);
        if last > 1 {
            let own = rows.get(self.turn).map_or(last, |row| row.generation);
            facts.push(format!("generation {own} of {last}"));
        }
        facts.extend(session.project.as_deref().map(|path| short_path(path, view.home)));
        facts.extend(session.metadata.branch.clone());
        facts.push(found.id().to_owned());
        let facts: Vec<String> =
            facts.iter().map(|fact| render::untrusted::line(fact).into_owned()).collect();
        let theme = view.theme;
        let warnings = warnings.join(" · ");
        let gap = if warnings.is_empty() { 0 } else { 3 };
        let room = width.saturating_sub(render::columns(&warnings) + gap + 2);
        let facts = render::joined_facts(&facts, Some(room));
        let rest = room.saturating_sub(render::columns(&facts)) + 1;
        let mut spans =
            vec![Span::styled(text::cut(&warnings, width), theme.style(render::Style::Warning))];
        if gap > 0 {
            spans.push(Span::styled(" · ", theme.dim()));
        }
        spans.push(Span::styled(format!("{facts} "), theme.dim()));
        spans.push(Span::styled("─".repeat(rest), theme.border()));
        Line::from(spans)
    }
}

/// A path with `~` for the home folder.
pub(crate) fn short_path(path: &str, home: Option<&str>) -> String {
    let below = home.filter(|home| !home.is_empty()).and_then(|home| path.strip_prefix(home));
    match below {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
