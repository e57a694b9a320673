//! What ran when: spans of the model, of tools and of waiting, merged to pixels.
//!
//! The model works from the prompt or the last result to its next line; a tool from its
//! call to its result; the person from the end of a turn to the next prompt.

use super::thread::{Thread, ThreadPart};
use crate::{
    Document as _, LaneContextDocument, LaneDocument, LaneMarkDocument, LaneSpanDocument,
    LanesDocument, Moment,
};
use conversation::context_usage::{Call, ContextCalls};
use conversation::{AgentNode, Status, StepKind, Turn, TurnNumber, View};
use jiff::Timestamp;
use library::sessions::{OpenSession, SelectionError};
use library::window_limit::WindowLimits;
use std::collections::HashMap;

/// The most lanes, spans, marks and points of an answer.
const MOST_LANES: usize = 200;
const MOST_SPANS: usize = 700;
const MOST_MARKS: usize = 500;
const MOST_POINTS: usize = 500;

/// The longest label of a span, in columns.
const LABEL: usize = 40;

/// What part of a session's time to show.
#[derive(Clone, Copy, Debug)]
pub struct LanesOptions {
    /// The rules by which the conversation is read.
    pub view: View,
    /// From this moment; `None`: from the first record.
    pub from: Option<Timestamp>,
    /// To this moment; `None`: to the last record.
    pub to: Option<Timestamp>,
    /// How many pixels wide the axis is.
    pub width: u32,
}

/// A span before it is merged with others.
#[derive(Clone, Debug)]
struct Span {
    kind: &'static str,
    from: i64,
    to: i64,
    label: Option<String>,
    status: Option<&'static str>,
    turn: TurnNumber,
    count: u64,
}

/// What ran when in an open session.
pub fn lanes(
    session: &OpenSession,
    options: &LanesOptions,
) -> Result<LanesDocument, SelectionError> {
    let main = Thread::new(session, &ThreadPart::Main, None, options.view)?;
    let agents: &[AgentNode] = match session.found().inline_agent {
        None => &session.agents().agents,
        Some(_) => &[],
    };
    let shown: Vec<&AgentNode> = agents.iter().filter(|agent| !agent.warmup).collect();
    let mut spans: Vec<Vec<Span>> = vec![spans_of(&main)];
    for agent in shown.iter().take(MOST_LANES - 1) {
        let conversation = session.agent_conversation(agent, options.view).ok();
        let thread = conversation.as_ref().map(Thread::of_conversation);
        spans.push(thread.as_ref().map(spans_of).unwrap_or_default());
    }
    let times = || {
        let turns = main.turns.turns.iter().flat_map(|turn| [turn.started, turn.ended]);
        let agents = shown.iter().flat_map(|agent| [agent.started, agent.ended]);
        turns.chain(agents).flatten().map(Timestamp::as_millisecond)
    };
    let from = options.from.map(Timestamp::as_millisecond).or_else(|| times().min());
    let to = options.to.map(Timestamp::as_millisecond).or_else(|| times().max());
    let (start, end) = (from.unwrap_or_default(), to.unwrap_or_default());
    let width = i64::from(options.width.clamp(50, 10_000));
    let mut pixel = (end.saturating_sub(start) / width).max(1);
    for lane in &mut spans {
        clip(lane, start, end);
    }
    let spans = loop {
        let merged: Vec<Vec<Span>> = spans.iter().map(|lane| merged(lane, pixel)).collect();
        let count: usize = merged.iter().map(Vec::len).sum();
        if count <= MOST_SPANS.max(merged.len() * 4) || pixel > end.saturating_sub(start) {
            break merged;
        }
        pixel = pixel.saturating_mul(2);
    };
    let calls = ContextCalls::of(main.conversation, &main.chain);
    let limits = WindowLimits::new(&calls.calls);
    let in_range = |time: Timestamp| (start..=end).contains(&time.as_millisecond());
    let mut spans = spans.into_iter();
    let own = lane(&main, spans.next().unwrap_or_default());
    let of_agents = shown.iter().zip(spans).map(|(agent, spans)| agent_lane(agent, spans));
    Ok(LanesDocument {
        schema: LanesDocument::SCHEMA.into(),
        session_id: session.found().session.id.clone(),
        from: from.and_then(moment),
        to: to.and_then(moment),
        pixel_ms: u64::try_from(pixel).unwrap_or_default(),
        lanes: std::iter::once(own).chain(of_agents).collect(),
        total_lanes: shown.len() + 1,
        context_limit: calls.calls.last().and_then(|call| limits.of(call)),
        context: context(&calls, in_range),
        marks: marks(&main, &calls, in_range),
    })
}

fn moment(milliseconds: i64) -> Option<Moment> {
    Timestamp::from_millisecond(milliseconds).ok().map(Moment)
}

fn lane(main: &Thread<'_>, spans: Vec<Span>) -> LaneDocument {
    let turns = &main.turns.turns;
    LaneDocument {
        agent_id: None,
        parent_agent_id: None,
        tool_use_id: None,
        depth: 0,
        kind: None,
        description: None,
        started_at: turns.iter().filter_map(|turn| turn.started).min().map(Moment),
        ended_at: turns.iter().filter_map(|turn| turn.ended).max().map(Moment),
        spans: spans.into_iter().filter_map(Span::document).collect(),
    }
}

fn agent_lane(agent: &AgentNode, spans: Vec<Span>) -> LaneDocument {
    let cut = |text: &Option<String>| text.as_deref().map(|text| render::cut(text, Some(120)));
    LaneDocument {
        agent_id: Some(agent.id.clone()),
        parent_agent_id: agent.parent_id.clone(),
        tool_use_id: agent.tool_use_id.clone(),
        depth: agent.depth,
        kind: cut(&agent.kind),
        description: cut(&agent.description),
        started_at: agent.started.map(Moment),
        ended_at: agent.ended.map(Moment),
        spans: spans.into_iter().filter_map(Span::document).collect(),
    }
}

impl Span {
    fn document(self) -> Option<LaneSpanDocument> {
        Some(LaneSpanDocument {
            kind: self.kind.into(),
            from: moment(self.from)?,
            to: moment(self.to)?,
            label: self.label,
            status: self.status.map(Into::into),
            turn: self.turn.to_string(),
            count: self.count,
        })
    }
}

/// The spans of a thread, in order of their beginnings.
fn spans_of(thread: &Thread<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut ended: Option<i64> = None;
    for turn in &thread.turns.turns {
        let started = turn.started.map(Timestamp::as_millisecond);
        if let (Some(from), Some(to)) = (ended, started) {
            push(&mut spans, turn, "waiting", from, to);
        }
        turn_spans(thread, turn, &mut spans);
        ended = turn.ended.map(Timestamp::as_millisecond).or(ended);
    }
    spans.sort_by_key(|span| span.from);
    spans
}

fn push(spans: &mut Vec<Span>, turn: &Turn<'_>, kind: &'static str, from: i64, to: i64) {
    if to > from {
        let turn = turn.number;
        spans.push(Span { kind, from, to, label: None, status: None, turn, count: 1 });
    }
}

fn turn_spans(thread: &Thread<'_>, turn: &Turn<'_>, spans: &mut Vec<Span>) {
    let mut clock = turn.started.map(Timestamp::as_millisecond);
    for step in &turn.steps {
        let Some(time) = step.time.map(Timestamp::as_millisecond) else { continue };
        match &step.kind {
            StepKind::Text(_) | StepKind::Thinking(_) => {
                push(spans, turn, "model", clock.unwrap_or(time), time);
                clock = clock.max(Some(time));
            }
            StepKind::Call(number) => {
                push(spans, turn, "model", clock.unwrap_or(time), time);
                let Some(call) = thread.turns.calls.get(*number) else { continue };
                let answered = call.answer.as_ref().and_then(|answer| answer.origin.time);
                let end = answered.map_or(time, Timestamp::as_millisecond).max(time);
                let status = call.status();
                spans.push(Span {
                    kind: if call.asks_person() { "waiting" } else { "tool" },
                    from: time,
                    to: end,
                    label: Some(render::cut(&call.tool, Some(LABEL))),
                    status: (status != Status::Ok).then(|| status.name()),
                    turn: turn.number,
                    count: 1,
                });
                clock = clock.max(Some(end));
            }
            StepKind::Compaction { .. } => {
                let from = clock.unwrap_or(time).min(time);
                let (label, status, turn) = (None, None, turn.number);
                spans.push(Span {
                    kind: "compaction",
                    from,
                    to: time,
                    label,
                    status,
                    turn,
                    count: 1,
                });
                clock = clock.max(Some(time));
            }
            _ => clock = clock.max(Some(time)),
        }
    }
}

/// Leaves out what is outside of the axis.
fn clip(spans: &mut Vec<Span>, start: i64, end: i64) {
    spans.retain(|span| span.from <= end && span.to >= start);
    for span in spans {
        span.from = span.from.max(start);
        span.to = span.to.min(end);
    }
}

/// The same with spans narrower than a pixel merged into their neighbours of the same
/// kind and outcome. So what failed stays visible, and a session with a few errors does not
/// look like one error.
fn merged(spans: &[Span], pixel: i64) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    let mut last_of: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    for span in spans {
        let key = (span.kind, span.status);
        let last = last_of.get(&key).and_then(|place| merged.get_mut(*place));
        if let Some(last) = last {
            let is_narrow = span.to - span.from < pixel || last.to - last.from < pixel;
            if is_narrow && span.from.saturating_sub(last.to) < pixel {
                last.to = last.to.max(span.to);
                last.count = last.count.saturating_add(span.count);
                continue;
            }
        }
        last_of.insert(key, merged.len());
        merged.push(span.clone());
    }
    merged
}

/// The windows over time. Of neighbours that are left out, the largest stays.
fn context(calls: &ContextCalls, in_range: impl Fn(Timestamp) -> bool) -> Vec<LaneContextDocument> {
    let timed = calls.calls.iter().filter_map(|call| Some((call.timestamp?, call.window())));
    let points: Vec<(Timestamp, u64)> = timed.filter(|(time, _)| in_range(*time)).collect();
    let size = points.len().div_ceil(MOST_POINTS).max(1);
    let largest = points.chunks(size).filter_map(|chunk| chunk.iter().max_by_key(|it| it.1));
    largest
        .map(|(time, tokens)| LaneContextDocument { at: (*time).into(), tokens: *tokens })
        .collect()
}

fn marks(
    main: &Thread<'_>,
    calls: &ContextCalls,
    in_range: impl Fn(Timestamp) -> bool,
) -> Vec<LaneMarkDocument> {
    let mut marks = Vec::new();
    let mut add = |time: Option<Timestamp>, kind: &'static str, turn: TurnNumber| {
        if let Some(at) = time.filter(|time| in_range(*time)) {
            marks.push(LaneMarkDocument {
                at: at.into(),
                kind: kind.into(),
                turn: turn.to_string(),
            });
        }
    };
    for turn in &main.turns.turns {
        for step in &turn.steps {
            match &step.kind {
                StepKind::Prompt { .. } => add(step.time, "prompt", turn.number),
                StepKind::Compaction { .. } => add(step.time, "compaction", turn.number),
                kind if kind.is_error(&main.turns.calls) => add(step.time, "error", turn.number),
                _ => {}
            }
        }
    }
    let missed = calls.cache.expiries.iter();
    let missed: Vec<&Call> = missed.filter_map(|expiry| calls.calls.get(expiry.call)).collect();
    let graph = &main.conversation.graph;
    let mut lines: HashMap<u64, TurnNumber> = HashMap::new();
    if !missed.is_empty() {
        for turn in &main.turns.turns {
            let steps = turn.steps.iter();
            lines.extend(steps.map(|step| (graph.node(step.node).line, turn.number)));
        }
    }
    for call in missed {
        let turn = lines.get(&call.line).copied().unwrap_or_default();
        add(call.timestamp, "cache_miss", turn);
    }
    marks.sort_by_key(|mark| mark.at);
    // What is rare is worth more than what is frequent.
    if marks.len() > MOST_MARKS {
        let size = marks.len().div_ceil(MOST_MARKS);
        let mut place = 0;
        marks.retain(|_| {
            place += 1;
            place % size == 0
        });
    }
    marks
}
