//! `read_session`: a session turn by turn.

use super::Outcome;
use crate::answer::{Answer, ToolError, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::tool_context::{ToolContext, plain_id, with_location};
use crate::{cursor, tool_context};
use library::catalog::FoundSession;
use library::sessions::{Part, Selection, TurnNumber};
use render::{Passage, PassageOptions};
use rmcp::model::JsonObject;

pub(crate) const NAME: &str = "read_session";

/// The tokens shown of a message in brief mode.
const BRIEF_TOKENS: usize = 220;

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let position = arguments.text(CURSOR.name).map(ReadPosition::decode).transpose()?;
    let name = match &position {
        Some(position) => position.session.as_str(),
        None => arguments.required_text("session")?,
    };
    let found = context.find(name, arguments)?;
    answer_from(context, arguments, &found, position.as_ref())
}

/// Answers with the passages of a session or an agent, starting at `position` or, without
/// one, at the requested turn.
fn answer_from(
    context: &ToolContext<'_>,
    arguments: &Arguments,
    found: &FoundSession,
    position: Option<&ReadPosition>,
) -> Outcome {
    let options = PassageOptions {
        thinking: arguments.flag("include_thinking"),
        results: arguments.flag("include_tool_results"),
        recalls: arguments.flag("include_recalls"),
    };
    let session = context
        .library
        .sessions()
        .open_session(found)
        .map_err(|error| unreadable(&error.reason()))?;
    let selected = session.turns(&Selection::of(Part::Whole));
    let selected = selected.map_err(|error| unreadable(&error.to_string()))?;
    let conversation = selected.conversation;
    let abandoned = conversation.branches.iter().filter(|branch| !branch.is_minor()).count();
    let passages = render::passages(conversation, &selected.turns, options);
    let (first, offset) = match position {
        Some(position) => position.find(&passages)?,
        None => (first_passage_of_turn(&passages, arguments.position("from_turn"))?, 0),
    };
    let mut answer = context.answer(arguments)?;
    let turns = last_turn(&passages);
    let noun = if is_agent(found) { "Agent" } else { "Session" };
    answer.note(&format!(
        "{noun}{}, {}{}.",
        plain_id(found.id()).map(|id| format!(" {id}")).unwrap_or_default(),
        render::counted(usize::try_from(turns).unwrap_or(usize::MAX), "turn"),
        omitted_branches(abandoned)
    ));
    let is_brief = arguments.text("detail") != Some("full");
    let next = quote_passages(context, &mut answer, found, &passages[first..], offset, is_brief);
    Ok(answer.finish(&ending(arguments, found, &passages, first, next, options)))
}

/// Says how many abandoned branches an answer leaves out.
fn omitted_branches(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (1 abandoned branch left out)".to_owned(),
        count => format!(" ({count} abandoned branches left out)"),
    }
}

fn unreadable(reason: &str) -> ToolError {
    ToolError::new(format!("cannot read the session: {reason}"))
}

fn is_agent(found: &FoundSession) -> bool {
    found.agent.is_some() || found.inline_agent.is_some()
}

/// Lines that say what was left out and how to get it.
fn ending(
    arguments: &Arguments,
    found: &FoundSession,
    passages: &[Passage],
    first: usize,
    next: Option<(usize, usize)>,
    options: PassageOptions,
) -> Vec<String> {
    let mut ending = Vec::new();
    if let Some((shown, offset)) = next
        && let Some(passage) = passages.get(first + shown)
    {
        let position = ReadPosition {
            session: found.id().to_owned(),
            uuid: cursor::short_hash(&passage.uuid),
            part: passage.part,
            offset,
        };
        let call = arguments.next(NAME, plain_id(found.id()), &position.encode());
        let rest = passages.len() - first - shown;
        ending.push(format!("{rest} more passages, from turn {}: {call}", passage.turn));
    }
    if passages.is_empty() {
        ending.push("The session has no messages.".to_owned());
    }
    if !options.results {
        ending.push(
            "Tool results are left out; to get them, set include_tool_results, or call get_message with an id."
                .to_owned(),
        );
    }
    ending
}

/// Quotes passages. Returns the number of the passage that did not fit, and the offset at
/// which its rest begins.
fn quote_passages(
    context: &ToolContext<'_>,
    answer: &mut Answer,
    found: &FoundSession,
    passages: &[Passage],
    offset: usize,
    is_brief: bool,
) -> Option<(usize, usize)> {
    for (number, passage) in passages.iter().enumerate() {
        let tools = (!passage.tools.is_empty()).then(|| passage.tools.join(", "));
        let mut heading = tool_context::heading(&found.session)
            .with("agent", is_agent(found).then(|| found.id().to_owned()))
            .with("turn", passage.turn.to_string())
            .with("role", passage.role.name().to_owned())
            .within("tool", tools, 12)
            .with("at", context.when(passage.time))
            .with("state", passage.state.map(|state| state.name().to_owned()))
            .with("uuid", passage.uuid.clone());
        if number == 0 {
            heading = with_location(heading, &found.session).within(
                "title",
                found.session.heading().map(str::to_owned),
                20,
            );
        }
        let body = answer.body(&passage.text);
        let from = if number == 0 { offset } else { 0 };
        if is_brief && from == 0 {
            let (text, rest) = beginning(&body, BRIEF_TOKENS);
            if rest > 0 {
                heading = heading.with("rest", format!("{rest} more characters: get_message"));
            }
            if answer.quote(&heading, &text) {
                continue;
            }
            // The first passage must be shown at least in part: a page without any text
            // would never advance its cursor.
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
fn first_passage_of_turn(passages: &[Passage], turn: Option<i64>) -> Result<usize, ToolError> {
    let Some(number) = turn else { return Ok(0) };
    let last = last_turn(passages);
    let turn = match u64::try_from(number) {
        Ok(number) => number,
        Err(_) => last.saturating_add(1).saturating_sub(number.unsigned_abs()),
    };
    if turn > last {
        return Err(ToolError::new(format!(
            "not found: the session has no turn {turn}; the last is {last}"
        )));
    }
    Ok(passages.partition_point(|passage| turn_number(passage) < turn).min(passages.len()))
}

/// The number of the last turn.
fn last_turn(passages: &[Passage]) -> u64 {
    passages.last().map_or(0, turn_number)
}

/// The number of a passage's turn. Abandoned branches, whose turns have other numbers,
/// are left out.
fn turn_number(passage: &Passage) -> u64 {
    match passage.turn {
        TurnNumber::Main(number) => number.into(),
        TurnNumber::Branch { .. } | TurnNumber::Orphan { .. } => 0,
    }
}

/// The beginning of a session as a resource. Only a full id is accepted.
pub(crate) fn read_resource(context: &ToolContext<'_>, id: &str) -> Outcome {
    let mut given = JsonObject::new();
    given.insert("session".to_owned(), id.into());
    let tool = super::find(NAME).ok_or_else(ToolError::default)?;
    let arguments = Arguments::new(given, tool.parameters)?;
    let found = context.find(id, &arguments)?;
    if found.id() != id {
        return Err(ToolError::new("not found: this is not a full session id"));
    }
    answer_from(context, &arguments, &found, None)
}

/// The position in a session at which the next page begins.
struct ReadPosition {
    session: String,
    /// The hash of the uuid of the passage's record.
    uuid: String,
    part: usize,
    /// The byte offset in the text of the passage.
    offset: usize,
}

impl ReadPosition {
    fn encode(&self) -> String {
        let ReadPosition { session, uuid, part, offset } = self;
        cursor::encode(NAME, &[session, uuid, &part.to_string(), &offset.to_string()])
    }

    fn decode(text: &str) -> Result<ReadPosition, ToolError> {
        let [session, uuid, part, offset] = cursor::decode::<4>(NAME, text)?;
        let (part, offset) = (cursor::parse_number(&part)?, cursor::parse_number(&offset)?);
        Ok(ReadPosition { session, uuid, part, offset })
    }

    /// The number of the passage, and the offset in its text.
    fn find(&self, passages: &[Passage]) -> Result<(usize, usize), ToolError> {
        let is_it = |passage: &Passage| {
            passage.part == self.part && cursor::short_hash(&passage.uuid) == self.uuid
        };
        let at = passages.iter().position(is_it).ok_or_else(|| {
            ToolError::new(
                "the passage that this cursor points to is not in the conversation: it was abandoned, or the include_ arguments changed; omit the cursor to start again",
            )
        })?;
        Ok((at, self.offset))
    }
}
