//! `read_session`: a session turn by turn.

use super::Outcome;
use crate::answer::{Answer, Complaint, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{self, Desk, plain_id, with_place};
use library::{Found, Part, Selection};
use render::{Passage, PassageWish};
use rmcp::model::JsonObject;

pub(crate) const NAME: &str = "read_session";

/// What a message may take where it is told in brief.
const BRIEF: usize = 220;

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let place = arguments.text(CURSOR.name).map(Place::open).transpose()?;
    let name = match &place {
        Some(place) => place.session.as_str(),
        None => arguments.needed("session")?,
    };
    let found = desk.find(name, arguments)?;
    tell_found(desk, arguments, &found, place.as_ref())
}

/// Tells a session or an agent from a place on, else from where it is asked for.
fn tell_found(
    desk: &Desk<'_>,
    arguments: &Arguments,
    found: &Found,
    place: Option<&Place>,
) -> Outcome {
    let wish = PassageWish {
        thinking: arguments.flag("include_thinking"),
        results: arguments.flag("include_tool_results"),
        recalls: arguments.flag("include_recalls"),
    };
    let session = desk.library.open_session(found).map_err(|error| unreadable(&error.reason()))?;
    let selected = session.turns(&Selection::of(Part::Whole));
    let selected = selected.map_err(|error| unreadable(&error.to_string()))?;
    let conversation = selected.conversation;
    let undone = conversation.branches.iter().filter(|branch| branch.kind.is_by_person()).count();
    let passages = render::passages(conversation, &selected.turns, wish);
    let (first, offset) = match place {
        Some(place) => place.find(&passages)?,
        None => (first_of(&passages, arguments.place("from_turn"))?, 0),
    };
    let mut answer = desk.answer(arguments)?;
    let turns = passages.last().map_or(0, |last| last.turn);
    let whose = if is_agent(found) { "Agent" } else { "Session" };
    answer.say(&format!(
        "{whose}{}, {}{}.",
        plain_id(found.id()).map(|id| format!(" {id}")).unwrap_or_default(),
        render::counted(usize::try_from(turns).unwrap_or(usize::MAX), "turn"),
        if undone > 0 { format!(", {undone} undone and left out") } else { String::new() }
    ));
    let is_brief = arguments.text("detail") != Some("full");
    let next = tell(desk, &mut answer, found, &passages[first..], offset, is_brief);
    Ok(answer.finish(&ending(arguments, found, &passages, first, next, wish)))
}

fn unreadable(reason: &str) -> Complaint {
    Complaint::new(format!("it cannot be read: {reason}"))
}

fn is_agent(found: &Found) -> bool {
    found.agent.is_some() || found.inline_agent.is_some()
}

/// What was left out, and how to get it.
fn ending(
    arguments: &Arguments,
    found: &Found,
    passages: &[Passage],
    first: usize,
    next: Option<(usize, usize)>,
    wish: PassageWish,
) -> Vec<String> {
    let mut ending = Vec::new();
    if let Some((told, offset)) = next
        && let Some(passage) = passages.get(first + told)
    {
        let place = Place {
            session: found.id().to_owned(),
            uuid: cursor::short(&passage.uuid),
            part: passage.part,
            offset,
        };
        let call = arguments.next(NAME, plain_id(found.id()), &place.seal());
        let left = passages.len() - first - told;
        ending.push(format!("{left} more passages, from turn {}: {call}", passage.turn));
    }
    if passages.is_empty() {
        ending.push("Nothing was said in it.".to_owned());
    }
    if !wish.results {
        ending.push(
            "Tool results are left out: include_tool_results, or get_message with an id."
                .to_owned(),
        );
    }
    ending
}

/// Tells passages; where it went out of room, that one's number and place.
fn tell(
    desk: &Desk<'_>,
    answer: &mut Answer,
    found: &Found,
    passages: &[Passage],
    offset: usize,
    is_brief: bool,
) -> Option<(usize, usize)> {
    for (number, passage) in passages.iter().enumerate() {
        let tools = (!passage.tools.is_empty()).then(|| passage.tools.join(", "));
        let mut heading = desk::heading(&found.session)
            .with("agent", is_agent(found).then(|| found.id().to_owned()))
            .with("turn", passage.turn.to_string())
            .with("role", passage.role.name().to_owned())
            .within("tool", tools, 12)
            .with("at", desk.when(passage.time))
            .with("state", passage.state.map(|state| state.name().to_owned()))
            .with("uuid", passage.uuid.clone());
        if number == 0 {
            heading = with_place(heading, &found.session).within(
                "title",
                found.session.heading().map(str::to_owned),
                20,
            );
        }
        let body = answer.body(&passage.text);
        let from = if number == 0 { offset } else { 0 };
        if is_brief && from == 0 {
            let (text, left) = beginning(&body, BRIEF);
            if left > 0 {
                heading = heading.with("rest", format!("{left} more characters: get_message"));
            }
            if answer.quote(&heading, &text) {
                continue;
            }
            // One that is the first must be told somehow, or nobody would get on.
            if number > 0 {
                return Some((number, 0));
            }
        } else if from == 0 && number > 0 && answer.quote(&heading, &body) {
            continue;
        }
        match answer.quote_from(&heading, &body, from) {
            Some(quoted) if quoted.is_whole => {}
            Some(quoted) => return Some((number, quoted.end)),
            None => return Some((number, from)),
        }
    }
    None
}

/// The first passage of a turn.
fn first_of(passages: &[Passage], turn: Option<i64>) -> Result<usize, Complaint> {
    let Some(number) = turn else { return Ok(0) };
    let last = passages.last().map_or(0, |last| last.turn);
    let wanted = match u64::try_from(number) {
        Ok(number) => number,
        Err(_) => last.saturating_add(1).saturating_sub(number.unsigned_abs()),
    };
    if wanted > last {
        return Err(Complaint::new(format!("there is no turn {wanted}: the last is {last}")));
    }
    Ok(passages.partition_point(|passage| passage.turn < wanted).min(passages.len()))
}

/// The beginning of a session as a resource. Only its whole id names it.
pub(crate) fn read_resource(desk: &Desk<'_>, id: &str) -> Outcome {
    let mut given = JsonObject::new();
    given.insert("session".to_owned(), id.into());
    let tool = super::find(NAME).ok_or_else(Complaint::default)?;
    let arguments = Arguments::new(given, tool.parameters)?;
    let found = desk.find(id, &arguments)?;
    if found.id() != id {
        return Err(Complaint::new("not found: that is no whole id"));
    }
    tell_found(desk, &arguments, &found, None)
}

/// Where to go on.
struct Place {
    session: String,
    /// What stands for the uuid of the passage's line.
    uuid: String,
    part: usize,
    /// Where in its text.
    offset: usize,
}

impl Place {
    fn seal(&self) -> String {
        let Place { session, uuid, part, offset } = self;
        cursor::seal(NAME, &[session, uuid, &part.to_string(), &offset.to_string()])
    }

    fn open(text: &str) -> Result<Place, Complaint> {
        let [session, uuid, part, offset] = cursor::open::<4>(NAME, text)?;
        let (part, offset) = (cursor::number(&part)?, cursor::number(&offset)?);
        Ok(Place { session, uuid, part, offset })
    }

    /// The passage it names.
    fn find(&self, passages: &[Passage]) -> Result<(usize, usize), Complaint> {
        let is_it = |passage: &Passage| {
            passage.part == self.part && cursor::short(&passage.uuid) == self.uuid
        };
        let at = passages.iter().position(is_it).ok_or_else(|| {
            Complaint::new(
                "what the cursor names is no longer part of the conversation, or other things were included when it was given: begin again without it",
            )
        })?;
        Ok((at, self.offset))
    }
}
