//! `search_sessions`: words in everything that was said.
//!
//! An answer never waits for the index: it comes from what is ready and says so, and
//! the index is built on behind it.

use super::{Outcome, Reply};
use crate::answer::{Answer, Complaint, Heading, beginning};
use crate::arguments::{Arguments, CURSOR, MAX_TOKENS};
use crate::cursor;
use crate::desk::{Desk, INCLUDE_CURRENT, say_troubles};
use jiff::Timestamp;
use library::{
    DayEdge, Filter, FoundHit, Freshness, IndexError, IndexOptions, Kind, NoProgress, Order, Query,
    SearchAnswer, SearchOptions,
};
use std::collections::HashSet;
use std::time::{Duration, Instant};

pub(crate) const NAME: &str = "search_sessions";

/// How the index is brought up to date: an answer comes within two seconds.
const INDEX: IndexOptions =
    IndexOptions { memory: 64 << 20, patience: Duration::from_millis(1_200), is_strict: true };

/// How many hits there are at a time, if nobody says.
const USUAL: usize = 10;

/// Behind so many hits nobody should look, but ask for something else.
const MOST_SEEN: usize = 500;

/// More than is shown is asked for, because not all may be shown.
const SPARE: usize = 40;

/// So many are looked at for one that can be shown.
const MOST_LOOKED_AT: usize = 5_000;

/// What an excerpt may take.
const EXCERPT: usize = 160;

/// What is asked.
struct Asked {
    query: Query,
    filter: Filter,
    order: Order,
    limit: usize,
    results: bool,
    /// When it was first asked: what came later is not part of the answer.
    since: Timestamp,
    /// The last hit that was told, and how many were.
    last: Option<(u64, usize)>,
    /// What tells this question from others.
    own: u64,
}

impl Asked {
    /// The hits that may be shown, from behind the last one that was told; nothing if
    /// that one is not among them.
    fn rest<'h>(&self, hits: &'h [FoundHit]) -> Option<Vec<&'h FoundHit>> {
        let is_shown = |hit: &&FoundHit| {
            (self.results || hit.kind != Kind::Note) && hit.time.is_none_or(|at| at <= self.since)
        };
        let mut shown: Vec<&FoundHit> = hits.iter().filter(is_shown).collect();
        if let Some((last, _)) = self.last {
            let place = shown.iter().position(|hit| key(hit) == last)?;
            shown.drain(..=place);
        }
        Some(shown)
    }
}

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments, reply: Reply) {
    let asked = match ask(desk, arguments) {
        Ok(asked) => asked,
        Err(complaint) => return reply(Err(complaint)),
    };
    let seen = asked.last.map_or(0, |(_, seen)| seen);
    let marked = HashSet::new();
    let mut reply = Some(reply);
    let mut limit = seen + asked.limit + SPARE;
    while reply.is_some() {
        let options = SearchOptions {
            query: &asked.query,
            filter: &asked.filter,
            marked: &marked,
            order: asked.order,
            offset: 0,
            limit,
            around: 0,
            now: asked.since,
        };
        let searched = desk.library.search().query(INDEX, &options, &NoProgress, |found, fresh| {
            // What came meanwhile, or may not be shown, can fill all places. Whoever
            // waits for the index does not wait longer.
            let is_settled = fresh.is_fresh || fresh.is_stuck;
            let may_look_further =
                is_settled && limit < MOST_LOOKED_AT && Instant::now() < desk.deadline;
            let has_some = asked.rest(&found.hits).is_some_and(|rest| !rest.is_empty());
            if may_look_further && found.next.is_some() && !has_some {
                return;
            }
            if let Some(reply) = reply.take() {
                reply(tell(desk, arguments, &asked, &found, fresh));
            }
        });
        if let Err(error) = searched {
            if let Some(reply) = reply {
                reply(Err(explain(&error)));
            }
            return;
        }
        limit = limit.saturating_mul(4).min(MOST_LOOKED_AT);
    }
}

fn explain(error: &IndexError) -> Complaint {
    match error {
        IndexError::Query(text) => Complaint::new(text.clone()),
        error => Complaint::new(format!("the index cannot be asked: {error}")),
    }
}

fn ask(desk: &Desk<'_>, arguments: &Arguments) -> Result<Asked, Complaint> {
    let text = arguments.needed("query")?;
    let mut query = Query::parse(text).map_err(|error| explain(&error))?;
    let mut filter = desk.filter(arguments)?;
    if let Some(since) = query.take("since") {
        filter.since = desk.time(Some(&since), DayEdge::Start)?.max(filter.since);
    }
    if let Some(until) = query.take("until") {
        let until = desk.time(Some(&until), DayEdge::End)?;
        filter.until = [filter.until, until].into_iter().flatten().min();
    }
    query.require("project", arguments.text("project"));
    let results = arguments.flag("include_tool_results");
    if !results {
        for role in ["tool_result", "attachment", "system"] {
            query.exclude("role", role);
        }
    }
    if !arguments.flag("include_thinking") {
        query.exclude("role", "thinking");
    }
    let current = desk.library.current_session();
    if let Some(current) = current.filter(|_| !arguments.flag(INCLUDE_CURRENT)) {
        query.exclude("session", current);
    }
    let own = cursor::hash(&arguments.without(&[CURSOR.name, MAX_TOKENS.name, "limit"]));
    let mut asked = Asked {
        query,
        filter,
        order: if arguments.text("sort") == Some("newest") { Order::Time } else { Order::Score },
        limit: arguments.number("limit").unwrap_or(USUAL),
        results,
        since: desk.now,
        last: None,
        own,
    };
    if let Some(text) = arguments.text(CURSOR.name) {
        let [own, since, key, seen] = cursor::open::<4>(NAME, text)?;
        if own != asked.own.to_string() {
            let text =
                "the cursor is one of another question: the other arguments must stay the same";
            return Err(Complaint::new(text));
        }
        let since = Timestamp::from_millisecond(cursor::number(&since)?);
        asked.since = since.map_err(|_| Complaint::new("the cursor is damaged"))?;
        let seen: usize = cursor::number(&seen)?;
        if seen > MOST_SEEN {
            let text =
                format!("{MOST_SEEN} hits were told: ask with more words, or since and until");
            return Err(Complaint::new(text));
        }
        asked.last = Some((cursor::number(&key)?, seen));
    }
    Ok(asked)
}

/// What tells a hit from others, whatever comes before it.
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

fn tell(
    desk: &Desk<'_>,
    arguments: &Arguments,
    asked: &Asked,
    found: &SearchAnswer,
    fresh: &Freshness,
) -> Outcome {
    let hits = asked.rest(&found.hits).ok_or_else(|| {
        Complaint::new(if fresh.is_fresh {
            "the hit that the cursor names is gone: begin again without it"
        } else {
            "the hit that the cursor names is not there while the index is being built: ask again, or begin again without it"
        })
    })?;
    let seen = asked.last.map_or(0, |(_, told)| told);
    let mut answer = desk.answer(arguments)?;
    say_state(desk, &mut answer, found.total, fresh);
    say_troubles(&mut answer, &found.troubles);
    let all = hits.len();
    let mut told: Vec<u64> = Vec::new();
    for hit in hits.iter().take(asked.limit) {
        let heading = heading(desk, hit);
        let body = answer.body(&hit.excerpt.text);
        let (body, _) = beginning(&body, EXCERPT);
        if !answer.quote(&heading, &body) {
            if told.is_empty() && answer.quote_from(&heading, &body, 0).is_some() {
                told.push(key(hit));
            }
            break;
        }
        told.push(key(hit));
    }
    if found.total == 0 {
        say_near(&mut answer, &found.near);
    }
    let mut ending = Vec::new();
    if let Some(last) = told.last()
        && (told.len() < all || found.next.is_some())
    {
        let [own, since] = [asked.own.to_string(), asked.since.as_millisecond().to_string()];
        let seen = (seen + told.len()).to_string();
        let next = cursor::seal(NAME, &[&own, &since, &last.to_string(), &seen]);
        ending.push(format!("More hits: {}", arguments.next(NAME, None, &next)));
    }
    if !told.is_empty() {
        ending.push(
            "The whole message: get_message {\"session\": SESSION, \"id\": UUID}; around it: read_session."
                .to_owned(),
        );
    }
    if !asked.results {
        ending.push("Tool results are left out: include_tool_results.".to_owned());
    }
    Ok(answer.finish(&ending))
}

/// Says how many there are, and how far the index can be believed.
fn say_state(desk: &Desk<'_>, answer: &mut Answer, total: usize, fresh: &Freshness) {
    let count = match total {
        0 => "No hits".to_owned(),
        _ => format!("About {}", render::counted(total, "hit")),
    };
    let state = if fresh.is_complete {
        let fresh = if fresh.is_fresh { "" } else { "; the latest lines may be missing" };
        format!("index_complete: true{fresh}")
    } else {
        let zone = &desk.settings.zone;
        let since = fresh.covered_since.map(|since| render::time::moment(since, zone));
        let since = since.map(|since| format!("; covered since {since}")).unwrap_or_default();
        let going =
            if fresh.is_stuck { "it cannot be built now" } else { "it is being built: ask again" };
        format!("index_complete: false{since}; {going}")
    };
    answer.say(&format!("{count} ({state})."));
    if fresh.is_stuck {
        // They name files, which anybody may have named.
        let notes: Vec<String> = fresh.notes.iter().map(|note| answer.body(note)).collect();
        let notes = notes.join("\n");
        if !notes.is_empty() {
            let heading = Heading::default().with("role", "index".to_owned());
            answer.quote(&heading, &beginning(&notes, 120).0);
        }
    }
}

fn heading(desk: &Desk<'_>, hit: &FoundHit) -> Heading {
    let copies = (hit.copies > 0).then(|| hit.copies.to_string());
    let state = hit.state.map(|state| state.name().to_owned());
    Heading::default()
        .with("session", hit.session_id.clone())
        .with("agent", hit.agent_id.clone())
        .with("uuid", hit.uuid.clone())
        .with("role", hit.role.name().to_owned())
        .within("tool", hit.tool.clone(), 12)
        .with("at", desk.when(hit.time))
        .with("state", state)
        .with("presence", hit.presence.name().to_owned())
        .within("branch", hit.branch.clone(), 16)
        .within("project", hit.project.clone(), 24)
        .within("title", hit.title.clone(), 20)
        .with("copies", copies)
}

/// Words near those that find nothing.
fn say_near(answer: &mut Answer, near: &[(String, Vec<String>)]) {
    let lines = near.iter().map(|(word, near)| {
        let near: Vec<String> = near.iter().map(|near| answer.word(near)).collect();
        format!("{}: {}", answer.word(word), near.join(", "))
    });
    let lines: Vec<String> = lines.take(8).collect();
    if !lines.is_empty() {
        let heading = Heading::default().with("role", "words".to_owned());
        answer.say("Words that are nearly the same:");
        answer.quote(&heading, &lines.join("\n"));
    }
}
