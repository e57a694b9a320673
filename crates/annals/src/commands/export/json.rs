//! The conversation as a JSON document.

use super::Args;
use super::gather::Gathered;
use super::told::Told;
use crate::commands::show::{Shown, message_document};
use crate::context::Context;
use anyhow::Context as _;
use conversation::Turns;

impl Gathered {
    /// The conversation as the JSON document that `show` answers with, its
    /// agents' messages included.
    pub(super) fn json(&self, context: &Context, args: &Args) -> anyhow::Result<String> {
        let said = self.conversation(args.view);
        let lines = self.lines(&said, args)?;
        let (telling, messages) = match &lines {
            Some(lines) => {
                let is_agent = self.is_agent();
                (said.turns_of(lines, is_agent), said.messages_on(lines, is_agent))
            }
            None => (said.all_turns(), said.full_chain().1),
        };
        let turns = args.turns.wanted(&telling, usize::MAX)?;
        let marks = context.marks().placed(&self.found, &said, &telling);
        let shown = Shown {
            found: &self.found,
            view: args.view.of().name(),
            conversation: &said,
            messages: &messages,
            telling: &telling,
            turns: &turns,
            all_marks: context.marks(),
            marks: &marks,
        };
        let mut document = shown.document();
        if !args.is_piece() && self.found.inline_agent.is_none() {
            // What was left behind and what came loose, which the document names.
            let lost = said.orphaned_segments.iter().map(|lost| &lost.messages);
            let others = said.branches.iter().map(|branch| &branch.messages).chain(lost);
            for message in others.flat_map(|lines| said.messages_on(lines, said.is_agent)) {
                document.messages.extend(message_document(&said, 0, &message, None));
            }
        }
        let agents = self.agents_told(&said, args);
        let tellings: Vec<Option<Turns<'_>>> = if args.is_piece() {
            agents.iter().map(|agent| agent.as_ref().ok().map(Told::tell)).collect()
        } else {
            Vec::new()
        };
        let is_told = self.reached(args, &telling, &turns, &tellings);
        let told = self.tree.agents.iter().zip(&agents).zip(is_told);
        for ((node, told), _) in told.filter(|(_, is_told)| *is_told) {
            let Ok(told) = told else { continue };
            let (said, messages) = told.messages();
            let of_agent = messages
                .iter()
                .filter_map(|message| message_document(said, 0, message, Some(&node.id)));
            document.messages.extend(of_agent);
        }
        let text = render::json::document(&document).context("it cannot be written as JSON")?;
        // Names of folders stand in it that no transcript holds.
        Ok(context.output.masked_json(&text).into_owned())
    }
}
