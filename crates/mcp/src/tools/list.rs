//! `list_sessions`: which sessions there are.

use super::Outcome;
use crate::answer::{Answer, Heading, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{self, Desk, INCLUDE_CURRENT, say_troubles, with_place};
use library::Session;

pub(crate) const NAME: &str = "list_sessions";

/// What the beginning of a prompt may take.
const PROMPT: usize = 60;

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let filter = desk.filter(arguments)?;
    let (mut sessions, troubles) = desk.sessions(arguments.flag(INCLUDE_CURRENT));
    sessions.retain(|session| session.unlisted.is_none() && filter.admits(session));
    if let Some(part) = arguments.text("project") {
        let part = part.to_lowercase();
        let holds = |place: &String| place.to_lowercase().contains(&part);
        sessions.retain(|session| session.project.as_ref().is_some_and(holds));
    }
    let total = sessions.len();
    if let Some(text) = arguments.text(CURSOR.name) {
        let [modified, id] = cursor::open::<2>(NAME, text)?;
        let last = (cursor::number::<i64>(&modified)?, id.as_str());
        sessions.retain(|session| place(session) < last);
    }
    let mut answer = desk.answer(arguments)?;
    answer.say(&match total {
        0 => "No sessions.".to_owned(),
        _ => format!("{}, the newest first.", render::counted(total, "session")),
    });
    say_troubles(&mut answer, &troubles);
    let mut told = 0;
    for session in &sessions {
        let (heading, body) = row(desk, &answer, session);
        if !answer.quote_next(&heading, &body, told == 0) {
            break;
        }
        told += 1;
    }
    let mut ending = Vec::new();
    let left = sessions.len() - told;
    if let Some(last) = told.checked_sub(1).and_then(|last| sessions.get(last))
        && left > 0
    {
        let (modified, id) = place(last);
        let next = cursor::seal(NAME, &[&modified.to_string(), id]);
        ending.push(format!("{left} more: {}", arguments.next(NAME, None, &next)));
    }
    if told > 0 {
        ending.push("Read one: read_session {\"session\": ID}.".to_owned());
    }
    Ok(answer.finish(&ending))
}

/// What sessions are ordered by, the newest first.
fn place(session: &Session) -> (i64, &str) {
    (session.metadata.modified.as_millisecond(), &session.id)
}

fn row(desk: &Desk<'_>, answer: &Answer, session: &Session) -> (Heading, String) {
    let facts = &session.metadata;
    let heading = desk::heading(session)
        .with("role", "title".to_owned())
        .with("at", desk.when(Some(facts.modified)));
    let mut heading = with_place(heading, session).with("size", render::bytes(facts.bytes));
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
        let (text, _) = beginning(&line, PROMPT);
        (!text.is_empty()).then(|| format!("{name}: {text}"))
    };
    let title = facts.title.as_ref().map(|_| ());
    let last = facts.last_prompt.clone().filter(|last| Some(last) != facts.first_prompt.as_ref());
    let lines = [
        title.and_then(|()| prompt("title", &facts.title)),
        prompt("first prompt", &facts.first_prompt),
        prompt("last prompt", &last),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let body = if lines.is_empty() { "(untitled)".to_owned() } else { lines.join("\n") };
    (heading, body)
}

/// The newest sessions, for whoever lists resources.
pub(crate) fn recent(desk: &Desk<'_>, most: usize) -> Vec<Recent> {
    let (sessions, _) = desk.sessions(false);
    let listed = sessions.iter().filter(|session| session.unlisted.is_none());
    let recent = listed.take(most).map(|session| Recent {
        id: session.id.clone(),
        when: desk.when(Some(session.metadata.modified)).unwrap_or_default(),
        bytes: session.metadata.bytes,
    });
    recent.collect()
}

/// A session in a list of resources.
pub(crate) struct Recent {
    pub(crate) id: String,
    pub(crate) when: String,
    pub(crate) bytes: u64,
}
