//! The conversation as a JSON document.

use super::Args;
use crate::commands::selection_args::selection_error;
use crate::commands::show::Tools;
use crate::context::Context;
use crate::marks::turn_documents;
use anyhow::Context as _;
use document::pages::ExportAgents;
use document::{ConversationParts, MessageDocument};
use library::sessions::OpenSession;

/// The conversation as the JSON document of `show`, including the messages of its
/// agents.
pub(super) fn json(
    context: &Context,
    args: &Args,
    session: &OpenSession,
) -> anyhow::Result<String> {
    let selection = args.selection();
    let selected = session.turns(&selection).map_err(|error| selection_error(&error))?;
    let conversation = selected.conversation;
    let (messages, turns) = (selected.messages(), selected.selected());
    let numbers = selected.numbers();
    let marks = context.marks().placed(session, &selected);
    let parts = ConversationParts {
        found: session.found(),
        view: selection.view.name(),
        conversation,
        messages: &messages,
        all_turns: &selected.turns,
        turns: &turns,
        numbers: &numbers,
    };
    let of_session = context.marks().documents_of(session);
    let mut document = parts.document(of_session, |turn| turn_documents(&marks, turn));
    if selection.is_whole() && session.found().inline_agent.is_none() {
        // Abandoned branches and orphaned segments, which the document names.
        let orphans = conversation.orphaned_segments.iter().map(|lost| &lost.messages);
        let branches: Vec<_> =
            conversation.branches.iter().map(|own| conversation.lines_of_branch(own)).collect();
        let others = branches.iter().chain(orphans);
        let messages =
            others.flat_map(|lines| conversation.messages_on(lines, conversation.is_agent));
        for message in messages {
            let turn = conversation.turn_of(message.node).unwrap_or_default();
            document.messages.extend(MessageDocument::new(conversation, turn, &message, None));
        }
        for segment in &mut document.orphaned_segments {
            segment.full_messages.clear();
        }
    }
    let mut agents = ExportAgents::read(session, args.agent_detail(), &selection);
    if !selection.is_whole() {
        agents = agents.with_turns();
    }
    let called = selected.calls().filter_map(|call| call.id.as_deref());
    let is_selected = agents.in_selection(&selection, called);
    for ((node, own), _) in agents.iter().zip(is_selected).filter(|(_, is_selected)| *is_selected) {
        let Ok(own) = own else { continue };
        let (messages, numbers) = (own.whole_messages(), own.turn_numbers());
        let of_agent = messages.iter().filter_map(|message| {
            let turn = numbers.of(message.node).unwrap_or_default();
            MessageDocument::new(own.conversation(), turn, message, Some(&node.id))
        });
        document.messages.extend(of_agent);
    }
    document.keep_blocks(Tools::in_document(args.tools, !args.no_thinking)?);
    let text = render::json::document(&document).context("cannot write the export as JSON")?;
    // Folder names do not come from a transcript.
    Ok(context.output.safe_json(&text).into_owned())
}
