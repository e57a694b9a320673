//! The conversation as a JSON document.

use super::Args;
use crate::commands::pick::selection_error;
use crate::context::Context;
use crate::marks::turn_documents;
use anyhow::Context as _;
use document::pages::ExportAgents;
use document::{ConversationParts, MessageDocument};
use library::OpenSession;

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
    let marks = context.marks().placed(session.found(), &selected);
    let parts = ConversationParts {
        found: session.found(),
        view: selection.view.name(),
        conversation,
        messages: &messages,
        all_turns: &selected.turns,
        turns: &turns,
    };
    let of_session = context.marks().documents(&session.found().session.id);
    let mut document = parts.document(of_session, |turn| turn_documents(&marks, turn));
    if selection.is_whole() && session.found().inline_agent.is_none() {
        // Abandoned branches and orphaned segments, which the document names.
        let orphans = conversation.orphaned_segments.iter().map(|lost| &lost.messages);
        let others = conversation.branches.iter().map(|branch| &branch.messages).chain(orphans);
        let messages =
            others.flat_map(|lines| conversation.messages_on(lines, conversation.is_agent));
        for message in messages {
            document.messages.extend(MessageDocument::new(conversation, 0, &message, None));
        }
    }
    let mut agents = ExportAgents::read(session, args.agent_detail(), &selection);
    if !selection.is_whole() {
        agents = agents.with_turns();
    }
    let is_reached = agents.reached(&selection, &selected);
    for ((node, own), _) in agents.iter().zip(is_reached).filter(|(_, is_reached)| *is_reached) {
        let Ok(own) = own else { continue };
        let messages = own.whole_messages();
        let of_agent = messages.iter().filter_map(|message| {
            MessageDocument::new(own.conversation(), 0, message, Some(&node.id))
        });
        document.messages.extend(of_agent);
    }
    let text = render::json::document(&document).context("cannot write the export as JSON")?;
    // Folder names do not come from a transcript.
    Ok(context.output.safe_json(&text).into_owned())
}
