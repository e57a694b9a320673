//! The text of a piece of a session, by the code behind `annals show`.
//!
//! What stands between the lines (branches, orphaned segments, agents, bookmarks) is where
//! and how `annals show` has it, except that a branch names the key that opens it instead of
//! a command.

use super::details::Details;
use super::model::{Beside, SessionModel, ShownPart};
use conversation::{NodeId, ToolCall};
use jiff::tz::TimeZone;
use library::sessions::OpenSession;
use render::{Annotations, Detail, Paint, Style, TextOptions};
use std::collections::HashMap;

/// How much of the tool calls is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tools {
    /// Nothing.
    Off,
    /// One line per call.
    Calls,
    /// The beginnings of outputs.
    #[default]
    Cut,
    /// Everything.
    Full,
}

impl Tools {
    /// The next one, and after the last the first.
    #[must_use]
    pub(crate) fn next(self) -> Tools {
        match self {
            Tools::Off => Tools::Calls,
            Tools::Calls => Tools::Cut,
            Tools::Cut => Tools::Full,
            Tools::Full => Tools::Off,
        }
    }

    /// Its name on the screen.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tools::Off => "off",
            Tools::Calls => "calls",
            Tools::Cut => "cut",
            Tools::Full => "full",
        }
    }
}

/// What is shown of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// How much of the tool calls.
    pub(crate) tools: Tools,
    /// Whether thinking is shown.
    pub(crate) thinking: bool,
    /// Whether diffs are shown.
    pub(crate) diffs: bool,
}

impl Default for Look {
    fn default() -> Self {
        Look { tools: Tools::default(), thinking: false, diffs: true }
    }
}

/// What the text depends on besides the session.
#[derive(Clone, Debug)]
pub(crate) struct TextStyle<'t> {
    pub(crate) width: usize,
    pub(crate) look: Look,
    pub(crate) zone: &'t TimeZone,
    /// The key that shows outputs that are left out.
    pub(crate) tools_key: &'t str,
    /// The key that opens branches.
    pub(crate) branches_key: &'t str,
    /// Outputs that were saved in separate files, by name.
    pub(crate) outputs: Option<&'t Outputs>,
}

/// Outputs that were saved in separate files, by their names.
pub(crate) type Outputs = HashMap<String, String>;

impl TextStyle<'_> {
    pub(super) fn options<'o>(&'o self, session: &'o OpenSession) -> TextOptions<'o> {
        TextOptions {
            width: Some(self.width.max(8)),
            paint: Paint { enabled: true },
            zone: self.zone,
            thinking: self.look.thinking,
            tools: match self.look.tools {
                Tools::Off => Detail::None,
                Tools::Calls | Tools::Cut => Detail::Brief,
                Tools::Full => Detail::Full,
            },
            outputs: self.look.tools != Tools::Calls,
            diffs: self.look.diffs,
            shows_all: self.tools_key,
            folder: session.found().session.metadata.cwd.as_deref(),
        }
    }

    /// A piece, painted.
    pub(crate) fn piece(
        &self,
        model: &SessionModel,
        details: Option<&Details>,
        piece: usize,
    ) -> String {
        model.with(|session, shown| {
            let options = self.options(session);
            let beside = BesideText { style: self, shown, details, options: &options };
            let Some((turn, place)) = model.turn_of(piece) else { return beside.after() };
            let Some(turn) = shown.turns().get(turn) else { return String::new() };
            let mut text = String::new();
            if place == 0 {
                text += &beside.marks(turn.number);
            }
            text + &options.piece(turn, &shown.selected.turns.calls, &beside, place)
        })
    }
}

/// What stands between the lines.
struct BesideText<'b, 's> {
    style: &'b TextStyle<'b>,
    shown: &'b ShownPart<'s>,
    details: Option<&'b Details>,
    options: &'b TextOptions<'b>,
}

impl BesideText<'_, '_> {
    fn text(&self, beside: &Beside) -> String {
        match beside {
            Beside::Orphan(place) => self.orphan(*place),
            Beside::Branch { messages, prompt, .. } => {
                let prompt = render::cut(&render::untrusted::line(prompt), Some(60));
                let counted = render::counted(*messages, "message");
                let key = self.style.branches_key;
                let text = format!("⎇ abandoned branch: {counted}, “{prompt}” ({key} opens)");
                let text = render::untrusted::line(&text).into_owned();
                format!("{}\n\n", self.options.paint.paint(Style::Warning, &text))
            }
        }
    }

    /// An orphaned segment, whole, between two lines that say so.
    fn orphan(&self, place: usize) -> String {
        let Some(orphan) = self.shown.orphans.get(place) else { return String::new() };
        let paint = self.options.paint;
        let counted = render::counted(orphan.messages, "message");
        let (line, gaps) = (orphan.line, &orphan.gaps);
        let head = format!("╌╌ orphaned segment: {counted} from line {line}, {gaps} ╌╌");
        let mut text = format!("{}\n", paint.paint(Style::Warning, &head));
        let agents = AgentsAlone(self);
        for turn in &orphan.turns.turns {
            text += &self.options.turn(turn, &orphan.turns.calls, &agents);
        }
        text + &format!("{}\n\n", paint.paint(Style::Warning, "╌╌ end of the orphaned segment ╌╌"))
    }

    /// The bookmarks of a turn: a line each.
    fn marks(&self, number: library::sessions::TurnNumber) -> String {
        let marks = self.details.map(|details| details.marks_at(number)).unwrap_or_default();
        let line = |note: &str| {
            let text = render::untrusted::line(&format!("★ {note}")).into_owned();
            format!("{}\n", self.options.paint.paint(Style::Accent, &text))
        };
        marks.into_iter().map(line).collect()
    }

    fn agent(&self, line: &str) -> String {
        let line = format!("  {}", render::untrusted::line(&format!("⤷ {line}")));
        let line = render::cut(&line, self.options.width);
        format!("{}\n", self.options.paint.paint(Style::Id, &line))
    }

    /// Everything after the last turn.
    fn after(&self) -> String {
        let mut text: String = self.shown.after.iter().map(|beside| self.text(beside)).collect();
        let Some(details) = self.details else { return text };
        let before = text.len();
        for group in &details.unplaced {
            let heading = render::untrusted::line(&group.heading).into_owned();
            text += &format!("{}\n", self.options.paint.paint(Style::Heading, &heading));
            for agent in &group.agents {
                text +=
                    &details.agents.get(*agent).map(|it| self.agent(&it.line)).unwrap_or_default();
            }
        }
        if let Some(note) = render::hidden_warmups(details.warmups) {
            text += &format!("{}\n", self.options.paint.paint(Style::Dim, &note));
        }
        if text.len() > before {
            text.push('\n');
        }
        text
    }
}

impl Annotations for BesideText<'_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        let details = self.details?;
        let agents = details.by_call.get(call.id.as_deref()?)?;
        let agents = agents.iter().filter_map(|place| details.agents.get(*place));
        Some(agents.map(|agent| self.agent(&agent.line)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.style.outputs?.get(name).cloned()
    }

    fn before(&self, node: NodeId) -> Option<String> {
        let before = self.shown.before.get(&node)?;
        Some(before.iter().map(|beside| self.text(beside)).collect())
    }
}

/// Agents at calls, for lines that nothing else stands beside.
struct AgentsAlone<'a, 'b, 's>(&'a BesideText<'b, 's>);

impl Annotations for AgentsAlone<'_, '_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        self.0.at_call(call)
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.0.persisted(name)
    }

    fn before(&self, _: NodeId) -> Option<String> {
        None
    }
}
