//! `get_message`: one message whole, or one call of a tool with its answer.

use super::Outcome;
use crate::answer::{Answer, Complaint};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{self, Desk, INCLUDE_CURRENT, plain_id, say_troubles, with_place};
use library::{FoundMessage, MessagePart, Role, Session};

pub(crate) const NAME: &str = "get_message";

/// Shorter ids would be found in anything.
const SHORTEST: usize = 2;

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let id = arguments.needed("id")?.trim();
    let (first, offset) = match arguments.text(CURSOR.name) {
        None => (0, 0),
        Some(text) => {
            let [own, part, offset] = cursor::open::<3>(NAME, text)?;
            if own != cursor::short(id) {
                return Err(Complaint::new("the cursor is one of another message"));
            }
            (cursor::number(&part)?, cursor::number(&offset)?)
        }
    };
    let (sessions, mut troubles) = match arguments.text("session") {
        Some(name) => (vec![desk.find(name, arguments)?.session], Vec::new()),
        None => desk.sessions(arguments.flag(INCLUDE_CURRENT)),
    };
    let among: Vec<&Session> = sessions.iter().collect();
    let hurry = desk.hurry();
    let found = if id.len() < SHORTEST {
        None
    } else {
        let (found, unread) = desk.library.search().message(&among, id, &hurry);
        troubles.extend(unread);
        found
    };
    let Some((found, session)) = found.and_then(|found| {
        let session = among.get(found.session).copied()?;
        Some((found, session))
    }) else {
        let id: String = id.chars().take(80).collect();
        if hurry.left_out() > 0 {
            let sessions = render::counted(hurry.left_out(), "session");
            return Err(Complaint::new(format!(
                "not found in time: {sessions}, the oldest, could not be looked into for {id:?}. Name the session: search_sessions tells which."
            )));
        }
        let place = if arguments.text("session").is_some() { "in that session" } else { "here" };
        let near = desk.library.search().near_messages(&among, &id, &desk.hurry());
        let messages = near.into_iter().filter_map(|(number, near)| {
            let session = among.get(number)?;
            Some((near, session.id.clone()))
        });
        return Err(Complaint {
            text: format!(
                "not found: no message and no call has the id {id:?} {place}. search_sessions tells ids."
            ),
            messages: messages.collect(),
            ..Complaint::default()
        });
    };
    let mut answer = desk.answer(arguments)?;
    say_troubles(&mut answer, &troubles);
    let (parts, left_out): (Vec<&MessagePart>, Vec<&MessagePart>) =
        found.parts.iter().partition(|part| is_wanted(part, arguments));
    let mut ending = Vec::new();
    if let Some((part, offset)) = tell(desk, &mut answer, session, &found, &parts, first, offset)? {
        let next =
            cursor::seal(NAME, &[&cursor::short(id), &part.to_string(), &offset.to_string()]);
        let call = arguments.next(NAME, plain_id(&session.id), &next);
        ending.push(format!("There is more: {call}"));
    }
    ending.extend(why_left_out(&left_out));
    Ok(answer.finish(&ending))
}

/// What was left out, and how to get it.
fn why_left_out(left_out: &[&MessagePart]) -> Vec<String> {
    let mut flags: Vec<&str> = left_out.iter().map(|part| flag(part)).collect();
    flags.sort_unstable();
    flags.dedup();
    let parts = |count| render::counted(count, "part");
    let lines = flags.into_iter().map(|flag| {
        let count = left_out.iter().filter(|part| self::flag(part) == flag).count();
        format!("{} left out: add \"{flag}\": true.", parts(count))
    });
    lines.collect()
}

/// What must be set for a part to be told.
fn flag(part: &MessagePart) -> &'static str {
    match part {
        MessagePart { is_recall: true, .. } => "include_recalls",
        MessagePart { role: Role::Thinking, .. } => "include_thinking",
        _ => "include_tool_results",
    }
}

fn is_wanted(part: &MessagePart, arguments: &Arguments) -> bool {
    let results = part.is_own_words || arguments.flag("include_tool_results");
    let thinking = part.role != Role::Thinking || arguments.flag("include_thinking");
    let recalls = !part.is_recall || arguments.flag("include_recalls");
    results && thinking && recalls
}

/// Tells the parts; where it went out of room, that part's number and place.
fn tell(
    desk: &Desk<'_>,
    answer: &mut Answer,
    session: &Session,
    found: &FoundMessage,
    parts: &[&MessagePart],
    first: usize,
    offset: usize,
) -> Result<Option<(usize, usize)>, Complaint> {
    if first > 0 && first >= parts.len() {
        return Err(Complaint::new("the cursor points behind the message: begin again without it"));
    }
    for (number, part) in parts.iter().enumerate().skip(first) {
        let heading = desk::heading(session)
            .with("agent", found.agent_id.clone())
            .with("uuid", found.uuid.clone())
            .with("role", part.role.name().to_owned())
            .within("tool", part.tool.clone(), 12)
            .with("call", part.tool_use_id.clone())
            .with("at", desk.when(found.time))
            .with("state", found.state.map(|state| state.name().to_owned()));
        let heading = if number == first { with_place(heading, session) } else { heading };
        let body = answer.body(&part.text);
        let from = if number == first { offset } else { 0 };
        if from > body.len() {
            let text =
                "the message is another than when the cursor was given: begin again without it";
            return Err(Complaint::new(text));
        }
        match answer.quote_from(&heading, &body, from) {
            Some(quoted) if quoted.is_whole => {}
            Some(quoted) => return Ok(Some((number, quoted.end))),
            None => return Ok(Some((number, from))),
        }
    }
    Ok(None)
}
