//! `get_message`: one full message, or one tool call with its result.

use super::Outcome;
use crate::answer::{Answer, ToolError};
use crate::arguments::{Arguments, CURSOR};
use crate::tool_context::{
    INCLUDE_CURRENT, ToolContext, check_in_time, note_unread_files, plain_id, with_location,
};
use crate::{cursor, tool_context};
use library::search::{FoundMessage, MessagePart};
use library::session::Session;
use library::sessions::Role;

pub(crate) const NAME: &str = "get_message";

/// Shorter ids would match any message.
const MIN_ID_BYTES: usize = 2;

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let id = arguments.required_text("id")?.trim();
    let (first, offset) = match arguments.text(CURSOR.name) {
        None => (0, 0),
        Some(text) => {
            let [own, part, offset] = cursor::decode::<3>(NAME, text)?;
            if own != cursor::short_hash(id) {
                return Err(ToolError::new(
                    "this cursor belongs to another message: omit it to start again",
                ));
            }
            (cursor::parse_number(&part)?, cursor::parse_number(&offset)?)
        }
    };
    let (sessions, mut read_errors) = match arguments.text("session") {
        Some(name) => (vec![context.find(name, arguments)?.session], Vec::new()),
        None => context.sessions(arguments.flag(INCLUDE_CURRENT)),
    };
    let searched: Vec<&Session> = sessions.iter().collect();
    let limits = context.limits();
    let found = if id.len() < MIN_ID_BYTES {
        None
    } else {
        let (found, unread) = context.library.search().message(&searched, id, &limits);
        check_in_time(&limits)?;
        read_errors.extend(unread);
        found
    };
    let Some((found, session)) = found.and_then(|found| {
        let session = searched.get(found.session).copied()?;
        Some((found, session))
    }) else {
        let id: String = id.chars().take(80).collect();
        if limits.left_out() > 0 {
            let sessions = render::counted(limits.left_out(), "session");
            return Err(ToolError::new(format!(
                "not found: {sessions} (the oldest or largest) were not searched for {id:?}\nhint: pass the session of the message; search_sessions shows it"
            )));
        }
        let place = if arguments.text("session").is_some() { " in this session" } else { "" };
        let near = context.library.search().near_messages(&searched, &id, &context.limits());
        let messages = near.into_iter().filter_map(|(number, near)| {
            let session = searched.get(number)?;
            Some((near, session.id.clone()))
        });
        return Err(ToolError {
            text: format!(
                "not found: no message or tool call has the id {id:?}{place}\nhint: search_sessions shows ids"
            ),
            messages: messages.collect(),
            ..ToolError::default()
        });
    };
    let mut answer = context.answer(arguments)?;
    note_unread_files(&mut answer, &read_errors);
    let (parts, omitted): (Vec<&MessagePart>, Vec<&MessagePart>) =
        found.parts.iter().partition(|part| is_included(part, arguments));
    let mut ending = Vec::new();
    if let Some((part, offset)) =
        quote_parts(context, &mut answer, session, &found, &parts, first, offset)?
    {
        let next = cursor::encode(
            NAME,
            &[&cursor::short_hash(id), &part.to_string(), &offset.to_string()],
        );
        let call = arguments.next(NAME, plain_id(&session.id), &next);
        ending.push(format!("Next page: {call}"));
    }
    ending.extend(omission_notes(&omitted));
    Ok(answer.finish(&ending))
}

/// Lines that say how many parts were omitted and how to get them.
fn omission_notes(omitted: &[&MessagePart]) -> Vec<String> {
    let mut flags: Vec<&str> = omitted.iter().map(|part| required_flag(part)).collect();
    flags.sort_unstable();
    flags.dedup();
    let parts = |count| render::counted(count, "part");
    let lines = flags.into_iter().map(|flag| {
        let count = omitted.iter().filter(|part| required_flag(part) == flag).count();
        format!("{} left out; to get them, set \"{flag}\": true.", parts(count))
    });
    lines.collect()
}

/// The argument that includes a part.
fn required_flag(part: &MessagePart) -> &'static str {
    match part {
        MessagePart { is_recall: true, .. } => "include_recalls",
        MessagePart { role: Role::Thinking, .. } => "include_thinking",
        _ => "include_tool_results",
    }
}

fn is_included(part: &MessagePart, arguments: &Arguments) -> bool {
    let results = arguments.flag("include_tool_results") || part.is_own_words;
    let thinking = arguments.flag("include_thinking") || part.role != Role::Thinking;
    let recalls = arguments.flag("include_recalls") || !part.is_recall;
    results && thinking && recalls
}

/// Quotes the parts. Returns the number of the part that did not fit, and the offset at
/// which its rest begins.
fn quote_parts(
    context: &ToolContext<'_>,
    answer: &mut Answer,
    session: &Session,
    found: &FoundMessage,
    parts: &[&MessagePart],
    first: usize,
    offset: usize,
) -> Result<Option<(usize, usize)>, ToolError> {
    if first > 0 && first >= parts.len() {
        return Err(ToolError::new(
            "this cursor points past the end of the message: omit it to start again",
        ));
    }
    for (number, part) in parts.iter().enumerate().skip(first) {
        let heading = tool_context::heading(session)
            .with("agent", found.agent_id.clone())
            .with("uuid", found.uuid.clone())
            .with("turn", found.turn.map(|turn| turn.to_string()))
            .with("role", part.role.name().to_owned())
            .within("tool", part.tool.clone(), 12)
            .with("call", part.tool_use_id.clone())
            .with("at", context.when(found.time))
            .with("state", found.state.map(|state| state.name().to_owned()));
        let heading = if number == first { with_location(heading, session) } else { heading };
        let body = answer.body(&part.text);
        let from = if number == first { offset } else { 0 };
        if from > body.len() {
            let text = "the message has changed since this cursor was made: omit it to start again";
            return Err(ToolError::new(text));
        }
        match answer.quote_from(&heading, &body, from) {
            Some(quoted) if quoted.is_whole => {}
            Some(quoted) => return Ok(Some((number, quoted.end))),
            None => return Ok(Some((number, from))),
        }
    }
    Ok(None)
}
