//! Reads what an export is made of: a session, its agents, and what is masked in
//! them.

use super::told::Told;
use super::{Agents, Args, Format, View};
use crate::context::Context;
use crate::failure::Ending;
use conversation::{AgentNode, Conversation, NodeId};
use library::{AgentTree, Found, Masked};
use render::Omitted;
use std::collections::HashMap;

/// What was masked, and where.
#[derive(Clone, Debug)]
pub(super) struct MaskedPlace {
    /// The agent in whose transcript it stands.
    pub(super) agent_id: Option<String>,
    /// The output, kept in a file of its own, that it stands in.
    pub(super) output: Option<String>,
    pub(super) masked: Masked,
}

impl MaskedPlace {
    pub(super) fn in_session(masked: Masked) -> Self {
        MaskedPlace { agent_id: None, output: None, masked }
    }
}

/// The bytes of a session, and what is masked in them.
pub(super) struct Gathered {
    pub(super) found: Found,
    pub(super) bytes: Vec<u8>,
    pub(super) tree: AgentTree,
    /// The transcripts of agents, as the tree has them.
    agents: Vec<Option<Result<Vec<u8>, String>>>,
    pub(super) masked: Vec<MaskedPlace>,
}

impl Gathered {
    /// Reads a session, and of its agents what is asked for.
    pub(super) fn read(context: &Context, found: Found, args: &Args) -> anyhow::Result<Self> {
        let path = crate::commands::show::transcript(&found)?;
        let listed = found.agent.as_ref().map_or(found.session.metadata.bytes, |agent| agent.bytes);
        let (bytes, masked) = context.library.read_settled(path, listed)?;
        if bytes.is_empty() {
            let message = format!("the transcript of {} is empty", found.id());
            return Err(Ending::NotFound(message).into());
        }
        let mut gathered = Gathered {
            bytes,
            tree: AgentTree::default(),
            agents: Vec::new(),
            masked: masked.into_iter().map(MaskedPlace::in_session).collect(),
            found,
        };
        let has_agents = args.agents != Agents::None && args.format() != Format::Jsonl;
        if has_agents && gathered.found.inline_agent.is_none() {
            gathered.read_agents(context, args);
        }
        Ok(gathered)
    }

    fn read_agents(&mut self, context: &Context, args: &Args) {
        let mut tree = context.library.agents_beside(&self.found, &self.bytes);
        crate::failure::say_troubles(&tree.troubles);
        if let Some(own) = &self.found.agent {
            // Those it started, not its siblings.
            tree.keep_below(&own.id);
        }
        for agent in &tree.agents {
            let file = tree.file(agent).filter(|_| args.agents == Agents::Inline);
            let read = file.map(|file| {
                let (bytes, masked) = context
                    .library
                    .read_settled(&file.path, file.bytes)
                    .map_err(|error| error.to_string())?;
                let masked = masked.into_iter().map(|masked| MaskedPlace {
                    agent_id: Some(agent.id.clone()),
                    ..MaskedPlace::in_session(masked)
                });
                self.masked.extend(masked);
                Ok(bytes)
            });
            self.agents.push(read);
        }
        self.tree = tree;
    }

    /// The transcript's own lines: of an agent written into its session, its own.
    pub(super) fn lines_of_it(&self) -> anyhow::Result<Vec<u8>> {
        let Some(id) = &self.found.inline_agent else { return Ok(self.bytes.clone()) };
        let said = self.conversation(View::App);
        let lines = crate::commands::show::inline_agent_lines(&said, id)?;
        Ok(lines.iter().flat_map(|id| [said.graph.node(*id).bytes, b"\n"].concat()).collect())
    }

    pub(super) fn conversation(&self, view: View) -> Conversation<'_> {
        match self.found.agent {
            Some(_) => Conversation::read_agent(&self.bytes, view.of()),
            None => Conversation::read(&self.bytes, view.of()),
        }
    }

    pub(super) fn is_agent(&self) -> bool {
        self.found.agent.is_some() || self.found.inline_agent.is_some()
    }

    /// The lines that are asked for, where that is not all of them.
    pub(super) fn lines(
        &self,
        said: &Conversation<'_>,
        args: &Args,
    ) -> Result<Option<Vec<NodeId>>, Ending> {
        if let Some(id) = &self.found.inline_agent {
            return crate::commands::show::inline_agent_lines(said, id).map(Some);
        }
        args.line.of(said)
    }

    /// The conversations of agents: in files of their own, or in the session's.
    pub(super) fn agents_told<'g>(
        &'g self,
        said: &'g Conversation<'g>,
        args: &Args,
    ) -> Vec<Result<Told<'g>, Omitted>> {
        let inline: HashMap<String, Vec<NodeId>> = said.inline_agents().into_iter().collect();
        let tell = |(agent, bytes): (&AgentNode, &'g Option<Result<Vec<u8>, String>>)| match bytes {
            Some(Ok(bytes)) => {
                let said = Conversation::read_agent(bytes, conversation::View::App);
                Ok(Told::File(Box::new(said), bytes))
            }
            Some(Err(reason)) => Err(Omitted::Because(reason.clone())),
            None if args.agents != Agents::Inline => Err(Omitted::AsAsked),
            None => match inline.get(&agent.id) {
                Some(lines) => Ok(Told::Lines(said, lines.clone())),
                None => Err(Omitted::Because("its lines are not here".to_owned())),
            },
        };
        self.tree.agents.iter().zip(&self.agents).map(tell).collect()
    }
}
