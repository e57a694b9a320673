//! Fragments: turns of a session as HTML without a document around them, for a program
//! that shows a long session piece by piece.
//!
//! The same code as for pages writes them (`turns`). A fragment is bounded: it ends
//! after the step with which it reaches its size, and says where to go on; long texts,
//! agents and branches end with a link to the rest. Deliberately not here: addresses,
//! which a function of the caller makes.

use super::escape::push_text;
use super::turns::ConversationWriter;
use crate::export_document::ExportDocument;
use conversation::{Turn, TurnNumber};
use jiff::civil::Date;
use std::fmt;
use std::ops::Range;

/// Something that a fragment links to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FragmentLink<'l> {
    /// An image.
    Image {
        /// The sub-agent whose transcript has it.
        agent: Option<&'l str>,
        /// The record that has it.
        uuid: &'l str,
        /// The call whose result has it.
        call: Option<&'l str>,
        /// Its place among the images of the record, or of the result, from 0.
        number: usize,
    },
    /// A call with its whole result.
    Output {
        /// The sub-agent whose transcript has it.
        agent: Option<&'l str>,
        /// The record of the call.
        uuid: &'l str,
        /// The call.
        call: &'l str,
    },
    /// All of a message.
    Message {
        /// The sub-agent whose transcript has it.
        agent: Option<&'l str>,
        /// Its record.
        uuid: &'l str,
    },
    /// The conversation of a sub-agent.
    Agent {
        /// The sub-agent.
        id: &'l str,
        /// From there; `None`: from its beginning.
        from: Option<FragmentPlace>,
    },
    /// An abandoned branch.
    Branch {
        /// Its number.
        number: usize,
        /// From there.
        from: FragmentPlace,
    },
    /// An orphaned segment.
    Orphan {
        /// Its number.
        number: usize,
        /// From there.
        from: FragmentPlace,
    },
}

impl FragmentLink<'_> {
    /// The text of the link.
    pub(super) fn label(&self) -> &'static str {
        match self {
            FragmentLink::Image { .. } => "Show the image",
            FragmentLink::Output { .. } => "Show the whole output",
            FragmentLink::Message { .. } => "Show the whole message",
            FragmentLink::Agent { from: None, .. } => "Show the conversation",
            FragmentLink::Agent { .. } => "Show the rest of this agent",
            FragmentLink::Branch { .. } => "Show the rest of this branch",
            FragmentLink::Orphan { .. } => "Show the rest of this segment",
        }
    }
}

/// A place in a thread of conversation: a step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FragmentPlace {
    /// The turn.
    pub turn: TurnNumber,
    /// The step in it, from 0.
    pub step: usize,
}

/// How a fragment is written.
pub struct FragmentOptions<'o> {
    /// Makes the address of what a fragment links to.
    pub url: &'o dyn Fn(&FragmentLink<'_>) -> String,
    /// The sub-agent whose turns these are.
    pub agent: Option<&'o str>,
    /// The size after which the fragment ends: it has at least one step, and at most
    /// one more than fits.
    pub max_bytes: usize,
    /// The step of the first turn to begin with.
    pub first_step: usize,
    /// The day of the turn before the first one: a day is written where it changes.
    pub day_before: Option<Date>,
    /// Whether the turns are the last ones: what is placed after the last turn follows.
    pub is_end: bool,
    /// Whether outputs and messages are not cut, because one is all that is asked for.
    pub is_whole_output: bool,
}

impl fmt::Debug for FragmentOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = formatter.debug_struct("FragmentOptions");
        options.field("max_bytes", &self.max_bytes).finish_non_exhaustive()
    }
}

/// Turns as HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Sections, and what stands between them.
    pub html: String,
    /// Where to go on; `None` if everything that was asked for is here.
    pub next: Option<FragmentPlace>,
}

/// The shown turns of the main chapter as a fragment.
pub fn html_turns(export: &ExportDocument<'_>, options: &FragmentOptions<'_>) -> Fragment {
    let mut html = String::new();
    let mut next = None;
    let mut day = options.day_before;
    let mut writer = ConversationWriter::new(&mut html, export, Some(options));
    for (at, turn) in export.main.turns.iter().enumerate() {
        if at > 0 && writer.page.len() >= options.max_bytes {
            next = Some(FragmentPlace { turn: turn.number, step: 0 });
            break;
        }
        let date = turn.started.map(|started| started.to_zoned(export.zone.clone()).date());
        if let Some(date) = date.filter(|date| day != Some(*date)) {
            writer.page.push_str("<p class=day>");
            push_text(writer.page, &format!("{} {date}", date.strftime("%A")));
            writer.page.push_str("</p>");
            day = Some(date);
        }
        let first = if at == 0 { options.first_step } else { 0 };
        next = writer.turn(turn, &export.main, 0, first, options.max_bytes);
        if next.is_some() {
            break;
        }
    }
    if next.is_none() && options.is_end {
        writer.rest();
    }
    Fragment { html, next }
}

/// Some steps of a turn of the main chapter, without a section around them.
pub fn html_steps(
    export: &ExportDocument<'_>,
    turn: &Turn<'_>,
    steps: Range<usize>,
    options: &FragmentOptions<'_>,
) -> String {
    let mut html = String::new();
    let mut writer = ConversationWriter::new(&mut html, export, Some(options));
    for step in turn.steps.get(steps).unwrap_or_default() {
        writer.step(step, &export.main, 0);
    }
    html
}

/// Markdown that annals itself holds, such as a plan, as HTML.
pub fn html_prose(text: &str) -> String {
    let mut html = String::new();
    super::prose::push_prose(&mut html, text);
    html
}

/// A unified diff as HTML.
pub fn html_diff(diff: &str) -> String {
    let mut html = String::new();
    super::code::push_code(&mut html, "", diff, "diff");
    html
}
