//! The conversation in a session: which line of it, which turns, and how it is
//! shown.

use super::document::Shown;
use super::scene::Scene;
use super::{Agents, Args, Tools};
use crate::context::Context;
use crate::failure::{Ending, say_troubles};
use crate::marks::Placed;
use crate::output::Format;
use conversation::{Conversation, Message, NodeId, Turn, Turns, View};
use library::{AgentTree, Found};
use render::{Detail, Style, TextOptions};

/// How many turns an agent sees unasked.
const AGENT_TURNS: usize = 5;

/// Shows the conversation of a session, or of the sub-agent that was named.
pub(super) fn run(context: &Context, found: &Found, view: View, args: &Args) -> anyhow::Result<()> {
    let bytes = context.library.read_whole(super::transcript(found)?)?;
    let said = match found.agent {
        Some(_) => Conversation::read_agent(&bytes, view),
        None => Conversation::read(&bytes, view),
    };
    let inline = found.inline_agent.is_some();
    let is_agent = said.is_agent || inline;
    let chain = line_of(&said, found, args)?;
    let standing = !args.line.is_given() && !inline;
    let messages: Vec<Message> =
        if standing { said.messages.clone() } else { said.messages_on(&chain, is_agent) };
    let telling = if standing { said.turns() } else { said.turns_of(&chain, is_agent) };
    let brief = context.output.is_agent && context.output.format == Format::Text;
    let unasked = if brief && !args.turns.is_given() { AGENT_TURNS } else { usize::MAX };
    let turns = args.turns.wanted(&telling, unasked)?;
    let marks = context.marks().placed(found, &said, &telling);
    let shown = Shown {
        found,
        view: view.name(),
        conversation: &said,
        messages: &messages,
        telling: &telling,
        turns: &turns,
        all_marks: context.marks(),
        marks: &marks,
    };
    match context.output.format {
        Format::Csv => Err(super::no_spreadsheet()),
        Format::Text => {
            let mut tree = agents_of(context, found, &bytes, args, Agents::Fold);
            let about = found.agent.as_ref().and_then(|agent| about(&tree, &agent.id));
            if let Some(own) = &found.agent {
                // Those it started, not its siblings.
                tree.keep_below(&own.id);
            }
            let mut scene = Scene::new(context, found, &said, &chain, &tree, args);
            scene.place_marks(&telling, &marks);
            if args.agents == Some(Agents::Flat) {
                return context.output.text(&scene.timeline(&telling));
            }
            let text = Text {
                context,
                about,
                found,
                said: &said,
                telling: &telling,
                scene: &scene,
                marks: &marks,
            };
            context.output.text(&text.all(&turns, args))
        }
        format => {
            let mut document = shown.document();
            if matches!(args.agents, Some(Agents::Inline | Agents::Flat)) {
                let mut tree = agents_of(context, found, &bytes, args, Agents::None);
                if let Some(own) = &found.agent {
                    tree.keep_below(&own.id);
                }
                let scene = Scene::new(context, found, &said, &chain, &tree, args);
                document.messages.extend(scene.agent_messages());
            }
            match format {
                Format::Jsonl => context.output.jsonl(document.messages),
                _ => context.output.json(&document),
            }
        }
    }
}

/// The agents of a session, where anybody wants them.
fn agents_of(
    context: &Context,
    found: &Found,
    bytes: &[u8],
    args: &Args,
    default: Agents,
) -> AgentTree {
    if args.agents.unwrap_or(default) == Agents::None || found.inline_agent.is_some() {
        return AgentTree::default();
    }
    let tree = context.library.agents_beside(found, bytes);
    say_troubles(&tree.troubles);
    tree
}

/// What an agent was for: its type and its task.
fn about(tree: &AgentTree, id: &str) -> Option<String> {
    let agent = tree.find(id)?;
    let words: Vec<&str> =
        [agent.kind.as_deref(), agent.description.as_deref()].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The lines that are asked for: as it stands, a branch, or a generation.
fn line_of(said: &Conversation<'_>, found: &Found, args: &Args) -> Result<Vec<NodeId>, Ending> {
    if let Some(id) = &found.inline_agent {
        return inline_agent_lines(said, id);
    }
    Ok(args.line.of(said)?.unwrap_or_else(|| said.chain.clone()))
}

/// The lines of the agent written into its session's transcript, by any of them.
pub(crate) fn inline_agent_lines(said: &Conversation<'_>, id: &str) -> Result<Vec<NodeId>, Ending> {
    let uuid_of = |line: &NodeId| said.graph.node(*line).uuid.to_string();
    let agents = said.inline_agents().into_iter().map(|(_, lines)| lines);
    let mut agents = agents.filter(|lines| lines.iter().any(|line| uuid_of(line) == id));
    agents.next().ok_or_else(|| Ending::NotFound(format!("no sub-agent has {id}")))
}

/// How the conversation is told to a person.
pub(super) fn manner<'m>(context: &'m Context, found: &'m Found, args: &Args) -> TextOptions<'m> {
    TextOptions {
        width: context.output.width(),
        paint: context.output.paint,
        zone: &context.zone,
        thinking: args.thinking,
        tools: args.tools.map_or(Detail::Brief, Tools::detail),
        folder: found.session.metadata.cwd.as_deref(),
    }
}

struct Text<'a> {
    context: &'a Context,
    /// What an agent was for.
    about: Option<String>,
    found: &'a Found,
    said: &'a Conversation<'a>,
    telling: &'a Turns<'a>,
    scene: &'a Scene<'a>,
    marks: &'a Placed<'a>,
}

impl Text<'_> {
    fn all(&self, turns: &[&Turn<'_>], args: &Args) -> String {
        let mut text = self.heading();
        let left_out = self.telling.turns.len() - turns.len();
        if self.telling.turns.is_empty() {
            let id = render::shell_quoted(self.found.id());
            let note =
                format!("Nothing was said that the app would show: annals show {id} --view all");
            text += &format!("{}\n\n", render::untrusted::line(&note));
        }
        if left_out > 0 {
            let note = format!(
                "{} of {} shown; --from 0 shows all",
                render::counted(turns.len(), "turn"),
                self.telling.turns.len()
            );
            text += &format!("{}\n\n", self.dim(&note));
        }
        for turn in turns {
            text += &self.scene.manner.turn(turn, &self.telling.calls, self.scene);
        }
        if left_out == 0 {
            text += &self.scene.after_all();
        }
        text + &self.notes(args)
    }

    fn dim(&self, text: &str) -> String {
        self.context.output.paint.paint(Style::Dim, text)
    }

    fn heading(&self) -> String {
        let session = &self.found.session;
        let safe = |text: &str| render::untrusted::line(text).into_owned();
        let paint = self.context.output.paint;
        let title = match &self.found.agent {
            Some(agent) => {
                let about = self.about.as_deref().unwrap_or("(no description)");
                format!("Agent {}: {about}", agent.id)
            }
            None if self.found.inline_agent.is_some() => {
                format!("Agent {}, written into its session", self.found.id())
            }
            None => session.heading().unwrap_or("(untitled)").to_owned(),
        };
        let width = self.context.output.width();
        let mut facts = vec![safe(&session.id)];
        let folder = session.project.as_deref().map(|path| self.context.short_path(path));
        facts.extend(folder.map(|folder| safe(&folder)));
        facts.extend(session.metadata.branch.as_deref().map(safe));
        facts.push(render::time::zone_name(&self.context.zone));
        let mut heading = format!(
            "{}\n{}\n",
            paint.paint(Style::Heading, &render::cut(&safe(&title), width)),
            self.dim(&render::cut(&facts.join(" · "), width))
        );
        for mark in self.marks.at_head() {
            heading += &format!("{}\n", paint.paint(Style::Accent, &mark));
        }
        heading + "\n"
    }

    /// What there is besides what was shown.
    fn notes(&self, args: &Args) -> String {
        let mut notes = Vec::new();
        let id = render::shell_quoted(self.found.id());
        let attempts =
            self.said.branches.iter().filter(|branch| !branch.kind.is_by_person()).count();
        if attempts > 0 {
            let counted = render::counted(attempts, "attempt");
            notes.push(format!("{counted} of the app left aside: annals tree {id}"));
        }
        if !args.line.is_given() && !self.said.past_generations.is_empty() {
            let past = render::counted(self.said.past_generations.len(), "generation");
            notes.push(format!(
                "{past} before the last compaction: annals show {id} --generation {}",
                self.said.past_generations.len()
            ));
        }
        let lines =
            notes.iter().map(|note| format!("{}\n", self.dim(&render::untrusted::line(note))));
        lines.collect()
    }
}
