//! `annals show`: the conversation of a session: which branch, which turns, and how
//! it is shown.

use super::{Agents, Args, Tools};
use crate::commands::selection_args::selection_error;
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::marks;
use crate::output::Format;
use conversation::{AgentNode, Branch, BranchKind, Message, View};
use document::reading::ReadableConversation;
use document::{ConversationParts, MessageDocument};
use library::catalog::FoundSession;
use library::sessions::{
    OpenSession, Part, PlacedMarks, SelectedTurns, Selection, TurnNumber, TurnRange,
};
use render::{Detail, Style, TextOptions};

/// The default number of turns for agents.
const AGENT_TURNS: usize = 5;

/// Shows the conversation of a session, or of the sub-agent that was named.
pub(super) fn run(
    context: &Context,
    found: &FoundSession,
    turn: Option<TurnNumber>,
    view: View,
    args: &Args,
) -> anyhow::Result<()> {
    let session = super::open(context, found)?;
    let (part, mut range) = requested(&session, turn, args)?;
    let brief = context.output.is_agent && context.output.format == Format::Text;
    if brief && range == TurnRange::default() {
        range.last = Some(AGENT_TURNS);
    }
    let selection = Selection { view, part, range };
    let selected = session.turns(&selection).map_err(|error| selection_error(&error))?;
    let marks = context.marks().placed(&session, &selected);
    match context.output.format {
        Format::Csv => Err(super::no_spreadsheet()),
        Format::Text => {
            let shown = args.agents.unwrap_or(Agents::Fold);
            report_agent_errors(&session, shown);
            let options = text_options(context, found, args);
            let mut reading =
                ReadableConversation::new(&session, &selected, view, shown.detail(), options);
            for (turn, mark) in &marks.turns {
                let line = context.output.paint.paint(Style::Accent, &marks::line(mark));
                reading.add_before_turn(*turn, &line);
            }
            if shown == Agents::Flat {
                return context.output.text(&reading.timeline());
            }
            let own = (shown != Agents::None).then(|| session.own_agent()).flatten();
            let about = own.and_then(about);
            let text = Text { context, about, found, selected: &selected, reading: &reading };
            context.output.text(&text.all(&marks, args))
        }
        format => {
            let (messages, turns) = (selected.messages(), selected.selected());
            let numbers = selected.numbers();
            let parts = ConversationParts {
                found,
                view: view.name(),
                conversation: selected.conversation,
                messages: &messages,
                all_turns: &selected.turns,
                turns: &turns,
                numbers: &numbers,
            };
            let of_session = context.marks().documents_of(&session);
            let mut document =
                parts.document(of_session, |turn| marks::turn_documents(&marks, turn));
            let shown = args.agents.unwrap_or(Agents::None);
            if matches!(shown, Agents::Inline | Agents::Flat) && found.inline_agent.is_none() {
                report_agent_errors(&session, shown);
                document.messages.extend(agent_messages(&session, view));
            }
            // Without an option, documents have the thinking too.
            document.keep_blocks(Tools::in_document(args.tools, true)?);
            match format {
                Format::Jsonl => context.output.jsonl(document.messages),
                _ => context.output.json(&document),
            }
        }
    }
}

/// The part and the turns that the arguments name. Turns that are named by their
/// numbers are shown wherever they are, also in earlier generations.
fn requested(
    session: &OpenSession,
    turn: Option<TurnNumber>,
    args: &Args,
) -> anyhow::Result<(Part, TurnRange)> {
    let id = session.found().id();
    let target = match (args.at_line, &args.around, turn) {
        (None, None, None) => {
            let part = args.turns.part().unwrap_or_default();
            return Ok((args.line.part_or(part), args.turns.range()));
        }
        (None, None, Some(turn)) => {
            let part = args.line.part_or(Part::with_turn(turn));
            if args.turns.is_given() || args.turns.last.is_some() {
                let message = "a turn cannot be combined with --from, --to, --last and --find";
                return Err(CliError::Misuse(message.to_owned()).into());
            }
            return Ok((part, TurnRange::only(turn)));
        }
        (_, _, Some(_)) => {
            let message = "a turn cannot be combined with --line and --around";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        (Some(line), ..) => session
            .turn_at_line(line)
            .filter(|_| session.has_line(line))
            .ok_or_else(|| format!("{id} has no turn at line {line}")),
        (None, Some(uuid), None) => {
            session.turn_of_uuid(uuid).ok_or_else(|| format!("{id} has no message {uuid}"))
        }
    };
    let (part, turn) = target.map_err(CliError::NotFound)?;
    let around = usize::from(args.around.is_some());
    Ok((part, TurnRange { around, ..TurnRange::only(turn) }))
}

/// Reports which agents cannot be read, if agents are shown.
fn report_agent_errors(session: &OpenSession, shown: Agents) {
    if shown != Agents::None && session.found().inline_agent.is_none() {
        report_read_errors(&session.agents().read_errors);
    }
}

/// The messages of all agents, one after the other.
fn agent_messages(session: &OpenSession, view: View) -> Vec<MessageDocument> {
    let mut documents = Vec::new();
    for agent in &session.agents().agents {
        // An agent that cannot be read has been reported.
        let Ok(own) = session.agent_conversation(agent, view) else { continue };
        let (messages, numbers) = (own.whole_messages(), own.turn_numbers());
        let document = |message: &Message| {
            let turn = numbers.of(message.node).unwrap_or_default();
            MessageDocument::new(own.conversation(), turn, message, Some(&agent.id))
        };
        documents.extend(messages.iter().filter_map(document));
    }
    documents
}

/// What an agent was for: its type and its task.
fn about(agent: &AgentNode) -> Option<String> {
    let words: Vec<&str> =
        [agent.kind.as_deref(), agent.description.as_deref()].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Renders the conversation as text.
fn text_options<'m>(context: &'m Context, found: &'m FoundSession, args: &Args) -> TextOptions<'m> {
    TextOptions {
        width: context.output.width(),
        paint: context.output.paint,
        zone: &context.settings.zone,
        thinking: args.thinking,
        tools: args.tools.map_or(Detail::Brief, Tools::detail),
        outputs: true,
        diffs: true,
        shows_all: "--tools full",
        folder: found.session.metadata.cwd.as_deref(),
    }
}

struct Text<'a> {
    context: &'a Context,
    /// What an agent was for.
    about: Option<String>,
    found: &'a FoundSession,
    selected: &'a SelectedTurns<'a>,
    reading: &'a ReadableConversation<'a>,
}

impl Text<'_> {
    fn all(&self, marks: &PlacedMarks<'_>, args: &Args) -> String {
        let mut text = self.heading(marks);
        let turns = self.selected.selected();
        let all = self.selected.turns.turns.len();
        if all == 0 {
            let id = render::shell_quoted(self.found.id());
            let note = format!(
                "No messages that Claude Code would show. All records: annals show {id} --view all"
            );
            text += &format!("{}\n\n", render::untrusted::line(&note));
        }
        if !self.selected.is_complete() {
            let note = format!(
                "Showing {} of {} (--from 0 shows all)",
                turns.len(),
                render::counted(all, "turn")
            );
            text += &format!("{}\n\n", self.dim(&note));
        }
        for turn in turns {
            text += &self.reading.turn(turn);
        }
        if self.selected.is_complete() {
            text += &self.reading.after_last_turn();
        }
        text + &self.notes(args)
    }

    fn dim(&self, text: &str) -> String {
        self.context.output.paint.paint(Style::Dim, text)
    }

    fn heading(&self, marks: &PlacedMarks<'_>) -> String {
        let session = &self.found.session;
        let safe = |text: &str| render::untrusted::line(text).into_owned();
        let paint = self.context.output.paint;
        let title = match &self.found.agent {
            Some(agent) => {
                let about = self.about.as_deref().unwrap_or("(no description)");
                format!("Agent {}: {about}", agent.id)
            }
            None if self.found.inline_agent.is_some() => {
                format!("Agent {}, recorded in its session's transcript", self.found.id())
            }
            None => session.heading().unwrap_or("(untitled)").to_owned(),
        };
        let width = self.context.output.width();
        let mut facts = vec![safe(&session.id)];
        let folder = session.project.as_deref().map(|path| self.context.short_path(path));
        facts.extend(folder.map(|folder| safe(&folder)));
        facts.extend(session.metadata.branch.as_deref().map(safe));
        facts.push(render::time::zone_name(&self.context.settings.zone));
        let mut heading = format!(
            "{}\n{}\n",
            paint.paint(Style::Heading, &render::cut(&safe(&title), width)),
            self.dim(&render::joined_facts(&facts, width))
        );
        for mark in marks::head_lines(marks) {
            heading += &format!("{}\n", paint.paint(Style::Accent, &mark));
        }
        heading + "\n"
    }

    /// Notes about parts that are not shown.
    fn notes(&self, args: &Args) -> String {
        let mut notes = Vec::new();
        let id = render::shell_quoted(self.found.id());
        let conversation = self.selected.conversation;
        let is_attempt = |branch: &&Branch| branch.kind == BranchKind::Retry;
        let attempts = conversation.branches.iter().filter(is_attempt).count();
        if attempts > 0 {
            let counted = render::counted(attempts, "attempt");
            notes.push(format!("{counted} discarded by Claude Code: annals tree {id} --minor"));
        }
        if !args.line.is_given() && !conversation.past_generations.is_empty() {
            let past = render::counted(conversation.past_generations.len(), "generation");
            notes.push(format!(
                "{past} before the last compaction: annals show {id} --generation {}",
                conversation.past_generations.len()
            ));
        }
        let lines =
            notes.iter().map(|note| format!("{}\n", self.dim(&render::untrusted::line(note))));
        lines.collect()
    }
}
