//! `search_sessions`: full-text search.
//!
//! A call waits for the index as long as it may take. If the index is not whole by then, the
//! answer uses the part that is ready and says so, and the build continues in the background.

use super::{Outcome, Reply};
use crate::answer::{Answer, Heading, ToolError, beginning};
use crate::arguments::{Arguments, CURSOR, MAX_TOKENS};
use crate::cursor;
use crate::tool_context::{INCLUDE_CURRENT, ToolContext, note_unread_files};
use document::answers::{Marks, SearchRequest, resolve_times, search};
use jiff::Timestamp;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::search::{
    BlockKind, FoundHit, Freshness, Gap, IndexError, IndexOptions, IndexWait, Order, Query,
    SearchAnswer,
};
use std::time::Instant;

pub(crate) const NAME: &str = "search_sessions";

/// The memory for updating the index before a search.
const INDEX_MEMORY: usize = 64 << 20;

/// The number of hits on a page if `limit` is not given.
const DEFAULT_HITS: usize = 10;

/// After this many hits the caller is asked to narrow the query.
const MAX_HITS: usize = 500;

/// How many hits beyond the limit are requested, because some may not be shown.
const EXTRA_HITS: usize = 40;

/// How many candidates are searched at most for hits that may be shown.
const MAX_CANDIDATES: usize = 5_000;

/// How many other sessions with the same text a hit names.
const MAX_SESSIONS: usize = 4;

/// The tokens shown of an excerpt.
const EXCERPT_TOKENS: usize = 160;

/// The parsed arguments of a call.
struct SearchCall {
    text: String,
    query: Query,
    filter: Filter,
    order: Order,
    limit: usize,
    results: bool,
    /// When the first page was requested; later messages are not part of the answer.
    since: Timestamp,
    /// The last hit that was shown, and the number of hits shown so far.
    last: Option<(u64, usize)>,
    /// Identifies the query, so that a cursor of another query is rejected.
    arguments_hash: u64,
}

impl SearchCall {
    /// The hits that may be shown and come after the last one shown; `None` if that one
    /// is not among these hits.
    fn remaining_hits<'h>(&self, hits: &'h [FoundHit]) -> Option<Vec<&'h FoundHit>> {
        let is_shown = |hit: &&FoundHit| {
            (self.results || hit.kind != BlockKind::Note)
                && hit.time.is_none_or(|at| at <= self.since)
        };
        let mut shown: Vec<&FoundHit> = hits.iter().filter(is_shown).collect();
        if let Some((last, _)) = self.last {
            let index = shown.iter().position(|hit| key(hit) == last)?;
            shown.drain(..=index);
        }
        Some(shown)
    }
}

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments, reply: Reply) {
    let request = match parse_request(context, arguments) {
        Ok(request) => request,
        Err(error) => return reply(Err(error)),
    };
    let seen = request.last.map_or(0, |(_, seen)| seen);
    let marks = Marks::read(&context.library).unwrap_or_default();
    let mut reply = Some(reply);
    let mut limit = seen + request.limit + EXTRA_HITS;
    let index = IndexOptions { memory: INDEX_MEMORY, wait: IndexWait::Until(context.answer_by) };
    while reply.is_some() {
        let search_request = SearchRequest {
            text: &request.text,
            query: &request.query,
            filter: &request.filter,
            order: request.order,
            offset: 0,
            limit,
            around: 0,
            now: request.since,
            started: Instant::now(),
            index,
        };
        let searched =
            search(&context.library, &search_request, &marks, &NoProgress, |found, fresh, _| {
                // All hits may be too new or not allowed to be shown; then search further,
                // unless the answer has already waited for the index.
                let is_settled = fresh.is_fresh || fresh.is_stuck;
                let may_search_further = is_settled && limit < MAX_CANDIDATES;
                let has_hits =
                    request.remaining_hits(&found.hits).is_some_and(|rest| !rest.is_empty());
                if may_search_further && found.next.is_some() && !has_hits {
                    return;
                }
                if let Some(reply) = reply.take() {
                    reply(quote_hits(context, arguments, &request, found, fresh));
                }
            });
        if let Err(error) = searched {
            if let Some(reply) = reply {
                reply(Err(explain(&error)));
            }
            return;
        }
        limit = limit.saturating_mul(4).min(MAX_CANDIDATES);
    }
}

fn explain(error: &IndexError) -> ToolError {
    match error {
        IndexError::Query(text) => ToolError::new(text.clone()),
        error => ToolError::new(format!("cannot search the index: {error}")),
    }
}

fn parse_request(
    context: &ToolContext<'_>,
    arguments: &Arguments,
) -> Result<SearchCall, ToolError> {
    let text = arguments.required_text("query")?;
    let mut query = Query::parse(text).map_err(|error| explain(&error))?;
    let mut filter = context.filter(arguments)?;
    resolve_times(&mut query, &mut filter, context.now, &context.settings.zone)
        .map_err(|error| ToolError::new(error.to_string()))?;
    let results = arguments.flag("include_tool_results");
    if !results {
        for role in ["tool_result", "attachment", "system"] {
            query.exclude("role", role);
        }
    }
    if !arguments.flag("include_thinking") {
        query.exclude("role", "thinking");
    }
    let current = context.library.catalog().current_session();
    if let Some(current) = current.filter(|_| !arguments.flag(INCLUDE_CURRENT)) {
        query.exclude("session", current);
    }
    let arguments_hash = cursor::hash(&arguments.without(&[CURSOR.name, MAX_TOKENS.name, "limit"]));
    let mut request = SearchCall {
        text: text.to_owned(),
        query,
        filter,
        order: if arguments.text("sort") == Some("newest") { Order::Time } else { Order::Score },
        limit: arguments.number("limit").unwrap_or(DEFAULT_HITS),
        results,
        since: context.now,
        last: None,
        arguments_hash,
    };
    if let Some(text) = arguments.text(CURSOR.name) {
        let [hash, since, key, seen] = cursor::decode::<4>(NAME, text)?;
        if hash != request.arguments_hash.to_string() {
            let text = "this cursor belongs to another query: keep the other arguments the same, or omit the cursor to start again";
            return Err(ToolError::new(text));
        }
        let since = Timestamp::from_millisecond(cursor::parse_number(&since)?);
        request.since =
            since.map_err(|_| ToolError::new("damaged cursor: omit it to start again"))?;
        let seen: usize = cursor::parse_number(&seen)?;
        if seen > MAX_HITS {
            let text = format!(
                "{MAX_HITS} hits shown already: narrow the query with more words, since or until"
            );
            return Err(ToolError::new(text));
        }
        request.last = Some((cursor::parse_number(&key)?, seen));
    }
    Ok(request)
}

/// Identifies a hit in a cursor, independent of its rank.
fn key(hit: &FoundHit) -> u64 {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let parts = [
        text(&hit.session_id),
        text(&hit.agent_id),
        text(&hit.uuid),
        hit.line.to_string(),
        hit.kind.name().to_owned(),
        hit.excerpt.text.clone(),
    ];
    cursor::hash(&parts.join("\u{1f}"))
}

fn quote_hits(
    context: &ToolContext<'_>,
    arguments: &Arguments,
    request: &SearchCall,
    found: &SearchAnswer,
    fresh: &Freshness,
) -> Outcome {
    let hits = request.remaining_hits(&found.hits).ok_or_else(|| {
        ToolError::new(if fresh.is_fresh {
            "the hit that this cursor points to no longer exists: omit the cursor to start again"
        } else {
            "the hit that this cursor points to is not in the index yet, which is being built: try again, or omit the cursor to start again"
        })
    })?;
    let seen = request.last.map_or(0, |(_, shown)| shown);
    let mut answer = context.answer(arguments)?;
    note_freshness(context, &mut answer, found.total, fresh);
    note_unread_files(&mut answer, &found.read_errors);
    let all = hits.len();
    let mut shown: Vec<u64> = Vec::new();
    for hit in hits.iter().take(request.limit) {
        let heading = heading(context, hit);
        let body = answer.body(&hit.excerpt.text);
        let (body, _) = beginning(&body, EXCERPT_TOKENS);
        if !answer.quote(&heading, &body) {
            if shown.is_empty() && answer.quote_from(&heading, &body, 0).is_some() {
                shown.push(key(hit));
            }
            break;
        }
        shown.push(key(hit));
    }
    if found.total == 0 {
        note_similar_words(&mut answer, &found.near);
    }
    let mut ending = Vec::new();
    if let Some(last) = shown.last()
        && (shown.len() < all || found.next.is_some())
    {
        let [hash, since] =
            [request.arguments_hash.to_string(), request.since.as_millisecond().to_string()];
        let seen = (seen + shown.len()).to_string();
        let next = cursor::encode(NAME, &[&hash, &since, &last.to_string(), &seen]);
        ending.push(format!("More hits: {}", arguments.next(NAME, None, &next)));
    }
    if !shown.is_empty() {
        ending.push(
            "To get a full message: get_message {\"session\": SESSION, \"id\": UUID}; to read around it: read_session {\"session\": SESSION or AGENT, \"from_turn\": TURN}."
                .to_owned(),
        );
    }
    if !request.results {
        ending.push(
            "Tool results are left out; to search them, set include_tool_results.".to_owned(),
        );
    }
    Ok(answer.finish(&ending))
}

/// Adds the number of hits, and how complete the index is.
fn note_freshness(context: &ToolContext<'_>, answer: &mut Answer, total: usize, fresh: &Freshness) {
    let count = match total {
        0 if fresh.gap().is_some() => "No hits in what the index has".to_owned(),
        0 => "No hits".to_owned(),
        _ => format!("About {}", render::counted(total, "hit")),
    };
    let state = if fresh.has_every_line() {
        let fresh = if fresh.is_fresh { "" } else { "; the latest lines may be missing" };
        format!("index_complete: true{fresh}")
    } else {
        let zone = &context.settings.zone;
        let since = fresh.covered_since.map(|since| render::time::moment(since, zone));
        let since = since.map(|since| format!("; covered since {since}")).unwrap_or_default();
        let progress = match fresh.gap() {
            _ if fresh.is_stuck => "it cannot be built now".to_owned(),
            Some(gap @ (Gap::Unread(_) | Gap::LargeLines(_))) => gap.to_string(),
            _ => "still building, try again".to_owned(),
        };
        format!("index_complete: false{since}; {progress}")
    };
    answer.note(&format!("{count} ({state})."));
    if fresh.is_stuck {
        // The notes contain file names, which can be any text.
        let notes: Vec<String> = fresh.notes.iter().map(|note| answer.body(note)).collect();
        let notes = notes.join("\n");
        if !notes.is_empty() {
            let heading = Heading::default().with("role", "index".to_owned());
            answer.quote(&heading, &beginning(&notes, 120).0);
        }
    }
}

fn heading(context: &ToolContext<'_>, hit: &FoundHit) -> Heading {
    let copies = (hit.copies > 0).then(|| hit.copies.to_string());
    let named: Vec<&str> =
        hit.duplicates_in.iter().map(String::as_str).take(MAX_SESSIONS).collect();
    let more = hit.duplicates_in.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let also_in = (!named.is_empty()).then(|| named.join(" ") + &more);
    let state = hit.state.map(|state| state.name().to_owned());
    Heading::default()
        .with("session", hit.session_id.clone())
        .with("agent", hit.agent_id.clone())
        .with("uuid", hit.uuid.clone())
        .with("turn", hit.turn.map(|turn| turn.to_string()))
        .with("role", hit.role.name().to_owned())
        .within("tool", hit.tool.clone(), 12)
        .with("at", context.when(hit.time))
        .with("state", state)
        .with("presence", hit.presence.name().to_owned())
        .within("branch", hit.branch.clone(), 16)
        .within("project", hit.project.clone(), 24)
        .within("title", hit.title.clone(), 20)
        .with("copies", copies)
        .within("also_in", also_in, 120)
}

/// Adds indexed words that are similar to words without hits.
fn note_similar_words(answer: &mut Answer, near: &[(String, Vec<String>)]) {
    let lines = near.iter().map(|(word, near)| {
        let near: Vec<String> = near.iter().map(|near| answer.word(near)).collect();
        format!("{}: {}", answer.word(word), near.join(", "))
    });
    let lines: Vec<String> = lines.take(8).collect();
    if !lines.is_empty() {
        let heading = Heading::default().with("role", "words".to_owned());
        answer.note("Similar words:");
        answer.quote(&heading, &lines.join("\n"));
    }
}
