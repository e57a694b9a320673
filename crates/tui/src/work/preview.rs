//! A session beside the list: the turns around a match, or the last ones.

use super::{Answer, Data, State};
use crate::worker::Reply;
use document::AgentDetail;
use document::reading::ReadableConversation;
use jiff::Timestamp;
use library::sessions::{Part, Selection, TurnNumber, TurnRange, View};
use render::{Detail, Paint, TextOptions};

/// Asks for a preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewRequest {
    /// The session, or the sub-agent in which the match is.
    pub id: String,
    /// The turn of the match.
    pub turn: Option<TurnNumber>,
    /// The width of the text.
    pub width: u16,
    /// The size of the transcript in the list, so that one that has changed is shown again.
    pub bytes: u64,
    /// When the transcript changed, according to the list.
    pub modified: Timestamp,
}

/// A preview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreviewAnswer {
    /// What was asked for.
    pub id: String,
    /// The turn that was asked for.
    pub turn: Option<TurnNumber>,
    /// The text, painted by `render`.
    pub text: String,
    /// The line on which the turn begins.
    pub start: usize,
    /// Whether the text is the end of the conversation.
    pub is_end: bool,
    /// Why there is none.
    pub problem: Option<String>,
}

/// How many turns before and after the match are shown.
const AROUND: usize = 2;

/// How many of the last turns are shown if there is no match.
const LAST: usize = 4;

/// The most lines of a preview: nobody scrolls further there.
const MOST_LINES: usize = 1000;

pub(super) fn run(request: &PreviewRequest, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    let empty = PreviewAnswer {
        id: request.id.clone(),
        turn: request.turn,
        is_end: request.turn.is_none(),
        ..PreviewAnswer::default()
    };
    let answer = match preview(request, state, data) {
        Ok((text, start)) => PreviewAnswer { text, start, ..empty },
        Err(problem) => PreviewAnswer { problem: Some(problem), ..empty },
    };
    reply.send(Answer::Preview(answer));
}

fn preview(
    request: &PreviewRequest,
    state: &mut State,
    data: &Data<'_>,
) -> Result<(String, usize), String> {
    let session = &*state.open(data, &request.id)?;
    let selection = match request.turn {
        Some(turn) => Selection {
            range: TurnRange { around: AROUND, ..TurnRange::only(turn) },
            ..Selection::of(Part::with_turn(turn))
        },
        None => Selection {
            range: TurnRange { last: Some(LAST), ..TurnRange::default() },
            ..Selection::of(Part::Present)
        },
    };
    let selected = session.turns(&selection).map_err(|error| error.to_string())?;
    let options = TextOptions {
        width: Some(request.width.into()),
        paint: Paint { enabled: true },
        zone: data.zone,
        thinking: false,
        tools: Detail::Brief,
        outputs: true,
        diffs: true,
        shows_all: "t",
        folder: session.found().session.metadata.cwd.as_deref(),
    };
    let reading =
        ReadableConversation::new(session, &selected, View::App, AgentDetail::Fold, options);
    let (mut text, mut start) = (String::new(), 0);
    for turn in selected.selected() {
        if Some(turn.number) == request.turn {
            start = text.lines().count();
        }
        text += &reading.turn(turn);
        if text.lines().count() > start + MOST_LINES {
            break;
        }
    }
    Ok((text, start))
}
