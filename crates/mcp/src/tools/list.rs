//! `list_sessions`: a list of sessions, newest first.

use super::Outcome;
use crate::answer::{Answer, Heading, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::tool_context::{INCLUDE_CURRENT, ToolContext, note_unread_files, with_location};
use crate::{cursor, tool_context};
use document::answers::{Marks, SessionChoice};
use library::session::{ListOrder, Session};
use std::cmp::Reverse;

pub(crate) const NAME: &str = "list_sessions";

/// The tokens shown of a prompt.
const PROMPT_TOKENS: usize = 60;

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let filter = context.filter(arguments)?;
    let (mut sessions, read_errors) = context.sessions(arguments.flag(INCLUDE_CURRENT));
    let choice = SessionChoice::of(&filter);
    choice.retain(&context.library, &mut sessions, &Marks::default(), &context.limits());
    let total = sessions.len();
    if let Some(text) = arguments.text(CURSOR.name) {
        let [modified, id] = cursor::decode::<2>(NAME, text)?;
        let modified = Reverse(cursor::parse_number::<i64>(&modified)?);
        let last = ListOrder { modified, id: Reverse(&id) };
        sessions.retain(|session| session.order() > last);
    }
    let mut answer = context.answer(arguments)?;
    answer.note(&match total {
        0 => "No sessions.".to_owned(),
        _ => format!("{}, newest first.", render::counted(total, "session")),
    });
    note_unread_files(&mut answer, &read_errors);
    let mut shown = 0;
    for session in &sessions {
        let (heading, body) = row(context, &answer, session);
        if !answer.quote_next(&heading, &body, shown == 0) {
            break;
        }
        shown += 1;
    }
    let mut ending = Vec::new();
    let rest = sessions.len() - shown;
    if let Some(last) = shown.checked_sub(1).and_then(|last| sessions.get(last))
        && rest > 0
    {
        let ListOrder { modified: Reverse(modified), id: Reverse(id) } = last.order();
        let next = cursor::encode(NAME, &[&modified.to_string(), id]);
        ending.push(format!("{rest} more: {}", arguments.next(NAME, None, &next)));
    }
    if shown > 0 {
        ending.push("To read a session: read_session {\"session\": ID}.".to_owned());
    }
    Ok(answer.finish(&ending))
}

fn row(context: &ToolContext<'_>, answer: &Answer, session: &Session) -> (Heading, String) {
    let metadata = &session.metadata;
    let heading = tool_context::heading(session)
        .with("role", "title".to_owned())
        .with("at", context.when(Some(metadata.modified)));
    let mut heading = with_location(heading, session).with("size", render::bytes(metadata.bytes));
    if session.is_running {
        heading = heading.with("running", "yes".to_owned());
    }
    if session.is_current {
        heading = heading.with("current", "yes".to_owned());
    }
    if session.agents > 0 {
        heading = heading.with("agents", session.agents.to_string());
    }
    let prompt = |name: &str, text: &Option<String>| {
        let text = answer.body(text.as_deref()?);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (text, _) = beginning(&line, PROMPT_TOKENS);
        (!text.is_empty()).then(|| format!("{name}: {text}"))
    };
    let title = metadata.title.as_ref().map(|_| ());
    let last =
        metadata.last_prompt.clone().filter(|last| Some(last) != metadata.first_prompt.as_ref());
    let lines = [
        title.and_then(|()| prompt("title", &metadata.title)),
        prompt("first prompt", &metadata.first_prompt),
        prompt("last prompt", &last),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let body = if lines.is_empty() { "(untitled)".to_owned() } else { lines.join("\n") };
    (heading, body)
}

/// The newest sessions, for the list of resources.
pub(crate) fn recent(context: &ToolContext<'_>, max: usize) -> Vec<RecentSession> {
    let recent = context.listed().into_iter().take(max).map(|session| RecentSession {
        id: session.id.clone(),
        when: context.when(Some(session.metadata.modified)).unwrap_or_default(),
        bytes: session.metadata.bytes,
    });
    recent.collect()
}

/// A session in a list of resources.
pub(crate) struct RecentSession {
    pub(crate) id: String,
    pub(crate) when: String,
    pub(crate) bytes: u64,
}
