//! Puts a session together as the volume that pages are made from.

use super::cost::Costed;
use super::gather::{Gathered, MaskedPlace};
use super::places::Places;
use super::told::Told;
use super::{Agents, Args, Format};
use crate::context::Context;
use crate::failure::Ending;
use conversation::{Conversation, NodeId, StepKind, ToolCall, Turn, Turns};
use library::Masked;
use render::{
    AbandonedBranch, AgentChapter, Detail, ExportDocument, Heading, Omitted, OrphanSegment,
    Unlinked,
};
use std::collections::{BTreeMap, HashSet};

impl Gathered {
    /// Hands over the session as a volume, and what is masked in it.
    pub(super) fn bind<T>(
        &self,
        context: &Context,
        args: &Args,
        each: impl FnOnce(&ExportDocument<'_>, Vec<MaskedPlace>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let said = self.conversation(args.view);
        let lines = self.lines(&said, args)?;
        let telling = match &lines {
            Some(lines) => said.turns_of(lines, self.is_agent()),
            None => said.all_turns(),
        };
        let turns = args.turns.wanted(&telling, usize::MAX)?;
        if turns.is_empty() && !telling.turns.is_empty() {
            let last = telling.turns.last().map_or(0, |turn| turn.number);
            let message = format!("there are no such turns: the last has the number {last}");
            return Err(Ending::NotFound(message).into());
        }
        let chain = lines.unwrap_or_else(|| said.full_chain().0);
        let own = Costed::new(&said, &self.bytes);
        // What hangs at the conversation is told with it, except where only a
        // piece of it is asked for.
        let is_whole = !args.is_piece() && self.found.inline_agent.is_none();
        let left = if is_whole { left_behind(&said) } else { Vec::new() };
        let loose: Vec<Turns<'_>> = if is_whole {
            let tell =
                |lost: &conversation::OrphanedSegment| said.turns_of(&lost.messages, said.is_agent);
            said.orphaned_segments.iter().map(tell).collect()
        } else {
            Vec::new()
        };
        let agents = self.agents_told(&said, args);
        let tellings: Vec<Option<Turns<'_>>> =
            agents.iter().map(|agent| agent.as_ref().ok().map(Told::tell)).collect();
        let is_told = self.reached(args, &telling, &turns, &tellings);
        let calls = called(&telling, &turns).chain(
            tellings
                .iter()
                .flatten()
                .chain(left.iter().map(|(_, _, telling)| telling))
                .chain(&loose)
                .flat_map(|telling| telling.calls.all()),
        );
        // The others have what the transcript has.
        let shows_outputs = !matches!(args.format(), Format::Json | Format::Jsonl);
        let outputs = self.outputs(calls.filter(|_| shows_outputs));
        let persisted = |name: &str| outputs.get(name).map(|(text, _)| text.clone());
        let mut masked = self.masked_in(args, &said, &telling, &turns, &is_told);
        for (name, (_, found)) in &outputs {
            masked.extend(found.iter().map(|masked| MaskedPlace {
                output: Some(name.clone()),
                ..MaskedPlace::in_session(masked.clone())
            }));
        }

        let left_out = left_out(args, &telling, &turns);
        let main = own.chapter(&chain, &telling, turns);
        let mut volume = ExportDocument::new(
            self.heading(context, &said, &telling),
            &context.zone,
            main,
            &persisted,
        );
        volume.folder.clone_from(&self.found.session.metadata.cwd);
        volume.left_out = left_out;
        volume.thinking = !args.no_thinking;
        volume.tools = args.detail();
        let places = Places::new(&said, &chain, &volume.main);
        volume.branches = left
            .iter()
            .map(|(number, branch, telling)| AbandonedBranch {
                number: *number,
                branch,
                before: places.after(branch.from),
                chapter: own.chapter(&branch.messages, telling, telling.turns.iter().collect()),
            })
            .collect();
        volume.orphans = said
            .orphaned_segments
            .iter()
            .zip(&loose)
            .map(|(segment, telling)| OrphanSegment {
                segment,
                before: places.below(segment.messages.first().copied()),
                chapter: own.chapter(&segment.messages, telling, telling.turns.iter().collect()),
            })
            .collect();
        if is_whole && args.format() == Format::Xml {
            volume.unlinked = unlinked(&self.bytes, &said, &chain);
        }
        let count = masked.iter().map(|place| place.masked.count).sum();
        volume.masked = context.redactor.as_ref().map(|_| count);
        let told = self.tree.agents.iter().zip(&agents).zip(&tellings).zip(&is_told);
        let chapters = told.filter(|(_, is_told)| **is_told).map(|(((node, told), telling), _)| {
            AgentChapter {
                node,
                chapter: match (told, telling) {
                    (Ok(told), Some(telling)) => Ok(told.chapter(telling, &own)),
                    (Ok(_), None) => Err(Omitted::Unavailable("it is empty".to_owned())),
                    (Err(reason), _) => Err(reason.clone()),
                },
            }
        });
        let volume = volume.with_agents(chapters.collect());
        each(&volume, masked)
    }

    /// What is masked in the transcripts, as far as it is told.
    fn masked_in(
        &self,
        args: &Args,
        said: &Conversation<'_>,
        telling: &Turns<'_>,
        turns: &[&Turn<'_>],
        is_told: &[bool],
    ) -> Vec<MaskedPlace> {
        let agents = self.tree.agents.iter().zip(is_told).filter(|(_, is_told)| **is_told);
        let agents: HashSet<&str> = agents.map(|(agent, _)| agent.id.as_str()).collect();
        let steps = turns.iter().flat_map(|turn| &turn.steps);
        let answers = called(telling, turns).filter_map(|call| call.answer.as_ref());
        let lines: HashSet<u64> = steps
            .map(|step| said.graph.node(step.node).line)
            .chain(answers.map(|answer| answer.origin.line))
            .collect();
        let is_in = |place: &&MaskedPlace| match &place.agent_id {
            Some(id) => agents.contains(id.as_str()),
            None => !args.is_piece() || lines.contains(&place.masked.line),
        };
        self.masked.iter().filter(is_in).cloned().collect()
    }

    /// The outputs that calls kept in files of their own, by name.
    fn outputs<'c>(
        &self,
        calls: impl Iterator<Item = &'c ToolCall<'c>>,
    ) -> BTreeMap<String, (String, Vec<Masked>)> {
        let names = calls.filter_map(|call| call.answer.as_ref()?.persisted_name());
        let names: HashSet<String> = names.collect();
        let read = |name: String| {
            let output = self.session.masked_tool_output(&name)?;
            Some((name, output))
        };
        names.into_iter().filter_map(read).collect()
    }

    /// Which agents are told: all, or where only a piece of the conversation is
    /// asked for, those that its calls started.
    pub(super) fn reached(
        &self,
        args: &Args,
        telling: &Turns<'_>,
        turns: &[&Turn<'_>],
        of_agents: &[Option<Turns<'_>>],
    ) -> Vec<bool> {
        let agents = &self.tree.agents;
        if !args.is_piece() {
            return vec![true; agents.len()];
        }
        let mut called: HashSet<&str> =
            called(telling, turns).filter_map(|call| call.id.as_deref()).collect();
        let mut reached: HashSet<&str> = HashSet::new();
        // Parents come before their children.
        let is_reached = agents.iter().zip(of_agents).map(|(agent, telling)| {
            let at_call = agent.tool_use_id.as_deref().is_some_and(|call| called.contains(call));
            let below = agent.parent_id.as_deref().is_some_and(|parent| reached.contains(parent));
            if at_call || below {
                reached.insert(&agent.id);
                let calls = telling.iter().flat_map(|telling| telling.calls.all());
                called.extend(calls.filter_map(|call| call.id.as_deref()));
            }
            at_call || below
        });
        is_reached.collect()
    }

    fn heading(&self, context: &Context, said: &Conversation<'_>, telling: &Turns<'_>) -> Heading {
        let session = &self.found.session;
        let facts = &session.metadata;
        let agent = self.found.agent.as_ref().map(|agent| agent.id.clone());
        let agent_id = agent.or_else(|| self.found.inline_agent.clone());
        let times = said.graph.ids().filter_map(|id| {
            said.graph.node(id).timestamp.as_deref().and_then(transcript::parse_timestamp)
        });
        let (first, last) = times.fold((None, None), |(first, last), time| {
            (Some(first.map_or(time, |it: jiff::Timestamp| it.min(time))), last.max(Some(time)))
        });
        let title = match &agent_id {
            Some(id) => format!("Agent {id} of {}", session.heading().unwrap_or(&session.id)),
            None => session.heading().unwrap_or("(untitled)").to_owned(),
        };
        let veiled = |text: String| context.output.masked_text(&text).into_owned();
        let source = self.found.path().map(|path| path.to_string_lossy().into_owned());
        Heading {
            title,
            session_id: session.id.clone(),
            agent_id,
            source: veiled(context.short_path(&source.unwrap_or_default())),
            project: session.project.as_deref().map(|path| veiled(context.short_path(path))),
            branch: facts.branch.clone().map(veiled),
            models: models(telling),
            version: facts.version.clone(),
            started: first,
            ended: last,
            bytes: self.bytes.len() as u64,
        }
    }
}

/// The calls of turns.
fn called<'t>(
    telling: &'t Turns<'t>,
    turns: &'t [&'t Turn<'t>],
) -> impl Iterator<Item = &'t ToolCall<'t>> {
    let steps = turns.iter().flat_map(|turn| &turn.steps);
    steps.filter_map(|step| match step.kind {
        StepKind::Call(number) => telling.calls.get(number),
        _ => None,
    })
}

/// What people went back behind, each with its number and what was said.
fn left_behind<'a>(
    said: &'a Conversation<'a>,
) -> Vec<(usize, &'a conversation::Branch, Turns<'a>)> {
    let branches = (1..).zip(&said.branches).filter(|(_, branch)| branch.kind.is_by_person());
    branches
        .map(|(number, branch)| (number, branch, said.turns_of(&branch.messages, said.is_agent)))
        .collect()
}

/// What is not told by wish.
fn left_out(args: &Args, telling: &Turns<'_>, turns: &[&Turn<'_>]) -> Vec<String> {
    let (told, all) = (turns.len(), telling.turns.len());
    let turns = format!("{} of {all}", render::counted(all - told, "turn"));
    let alt = args.line.alt.map(|number| format!("all but branch {number}"));
    let generation = args.line.generation.map(|number| format!("all but generation {number}"));
    let wishes = [
        (told < all).then_some(turns),
        alt,
        generation,
        args.no_thinking.then(|| "thinking".to_owned()),
        (args.detail() == Detail::None).then(|| "tools".to_owned()),
        (args.agents == Agents::None).then(|| "agents".to_owned()),
    ];
    wishes.into_iter().flatten().collect()
}

/// Models that answered, in the order they were met.
fn models(telling: &Turns<'_>) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for model in telling.turns.iter().flat_map(|turn| &turn.models) {
        if !models.iter().any(|known| **known == **model) {
            models.push(model.to_string());
        }
    }
    models
}

/// The lines that are part of no conversation, each with the line of one that
/// it stands before.
fn unlinked(bytes: &[u8], said: &Conversation<'_>, chain: &[NodeId]) -> Vec<Unlinked> {
    use transcript::Body;
    let linked: HashSet<u64> = said.graph.ids().map(|id| said.graph.node(id).offset).collect();
    let mut told: Vec<(u64, NodeId)> =
        chain.iter().map(|id| (said.graph.node(*id).offset, *id)).collect();
    told.sort_unstable_by_key(|(offset, _)| *offset);
    let lines = transcript::lines(bytes).filter(|line| !linked.contains(&line.offset));
    let entries = lines.filter_map(|line| {
        let offset = line.offset;
        let record = transcript::parse_line(line).next()?.record;
        let value = match &record.body {
            // Messages among them were written again, and are told there.
            Body::Blank
            | Body::User(_)
            | Body::Assistant(_)
            | Body::System(_)
            | Body::Attachment(_)
            | Body::Progress(_) => return None,
            Body::Mode(value)
            | Body::PermissionMode(value)
            | Body::ReplMode(value)
            | Body::AiTitle(value)
            | Body::CustomTitle(value)
            | Body::Tag(value)
            | Body::PrLink { url: value, .. }
            | Body::Summary { summary: value, .. } => value.as_ref().map(ToString::to_string),
            _ => None,
        };
        let text = str::from_utf8(record.raw).unwrap_or_default();
        let kind = transcript::json::member(text, "type")
            .and_then(transcript::json::decode_string)
            .map(|decoded| decoded.text);
        let next = told.partition_point(|(told, _)| *told <= offset);
        Some(Unlinked {
            kind: kind.unwrap_or("damaged".into()).into_owned(),
            value,
            bytes: record.raw.len() as u64,
            before: told.get(next).map(|(_, id)| *id),
        })
    });
    entries.collect()
}
