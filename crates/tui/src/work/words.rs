//! Words in contents, from the index: the best hit of each session.

use super::{Answer, Data};
use crate::worker::Reply;
use document::answers::{Marks, SearchRequest, resolve_times, search};
use jiff::Timestamp;
use library::catalog::Filter;
use library::progress::Progress;
use library::search::{FoundHit, IndexError, IndexOptions, IndexWait, Order, Query};
use library::sessions::TurnNumber;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search for words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsRequest {
    /// The query as typed, in the grammar of `annals search`.
    pub query: String,
    /// Whether only the project that the person is in is searched.
    pub is_here: bool,
    /// Whether only what a person wrote is searched.
    pub is_mine: bool,
    /// Whether hits in sub-agents count.
    pub with_agents: bool,
    /// Not before this moment.
    pub since: Option<Timestamp>,
}

/// The answer to it; while the index is built, several.
#[derive(Clone, Debug, Default)]
pub struct WordsAnswer {
    /// The query that this answers.
    pub query: String,
    /// The best hit of each session, best first.
    pub hits: Vec<SessionHit>,
    /// Whether there may be more.
    pub is_cut: bool,
    /// Words without hits, with similar ones.
    pub similar: Vec<(String, Vec<String>)>,
    /// How much of the index is built, in percent, if it is being built.
    pub building: Option<u8>,
    /// Why there may be more hits than the answer has, if that is so and not because the index is
    /// being built.
    pub gap: Option<String>,
    /// Why there is no answer.
    pub problem: Option<String>,
}

/// The best hit of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionHit {
    /// The session.
    pub session: String,
    /// The sub-agent, if it is in one.
    pub agent: Option<String>,
    /// The turn.
    pub turn: Option<TurnNumber>,
    /// What it is: `prompt`, `answer`, `result Bash`.
    pub kind: String,
    /// The text around it.
    pub snippet: String,
    /// The words in it, in bytes.
    pub places: Vec<(usize, usize)>,
    /// How many hits the session has among those that were looked at.
    pub count: usize,
}

/// How many hits are looked at. Each needs its excerpt: on 500 MB the answer to two common words
/// takes 29 ms of CPU time, and took 53 ms with twice as many.
const MOST_HITS: usize = 100;

/// How long a search waits for the first build of the index.
const PATIENCE: Duration = Duration::from_millis(300);

/// The memory for updating the index: little, because the list stays in memory meanwhile.
const MEMORY: usize = 16 << 20;

pub(super) fn run(request: &WordsRequest, data: &Data<'_>, reply: &Reply<'_>) {
    let progress = BuildProgress::new(request, reply);
    if let Err(problem) = ask(request, data, &progress, reply) {
        let problem = Some(problem);
        let query = request.query.clone();
        reply.send(Answer::Words(WordsAnswer { query, problem, ..WordsAnswer::default() }));
    }
}

/// Asks the index; while it is built, there is an answer before the final one.
fn ask(
    request: &WordsRequest,
    data: &Data<'_>,
    progress: &BuildProgress<'_>,
    reply: &Reply<'_>,
) -> Result<(), String> {
    let text = full_query(request);
    let mut query = Query::parse(&text).map_err(|error| first_line(&error))?;
    let now = data.now();
    let mut filter = Filter { since: request.since, ..Filter::default() };
    if request.is_here {
        filter.project = Some(data.library.catalog().project_scope(data.here, false));
    }
    resolve_times(&mut query, &mut filter, now, data.zone).map_err(|error| error.to_string())?;
    if !query.has_words() && query.fields.is_empty() {
        let query = request.query.clone();
        reply.send(Answer::Words(WordsAnswer { query, ..WordsAnswer::default() }));
        return Ok(());
    }
    let search_request = SearchRequest {
        text: &text,
        query: &query,
        filter: &filter,
        order: Order::Score,
        offset: 0,
        limit: MOST_HITS,
        around: 0,
        now,
        started: Instant::now(),
        index: IndexOptions { memory: MEMORY, wait: IndexWait::AnswerTwice(PATIENCE) },
    };
    let marks = Marks::read(data.library).unwrap_or_default();
    search(data.library, &search_request, &marks, progress, |answer, fresh, _| {
        let gap = fresh.gap().filter(|_| !fresh.is_preliminary);
        let answer = WordsAnswer {
            query: request.query.clone(),
            hits: by_session(&answer.hits),
            is_cut: answer.is_cut,
            similar: answer.near.clone(),
            building: fresh.is_preliminary.then(|| progress.percent()),
            gap: gap.map(|gap| gap.to_string()),
            problem: None,
        };
        reply.send(Answer::Words(answer));
    })
    .map_err(|error| first_line(&error))
}

/// The query with what the switches of the list add to it.
fn full_query(request: &WordsRequest) -> String {
    let mut text = request.query.clone();
    if request.is_mine {
        text += " is:prompt";
    }
    if !request.with_agents && !text.contains("is:agent") && !text.contains("agent:") {
        text += " -is:agent";
    }
    text
}

fn first_line(error: &IndexError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The first hit of each session, in the order of the hits.
fn by_session(hits: &[FoundHit]) -> Vec<SessionHit> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut best: Vec<SessionHit> = Vec::new();
    for hit in hits {
        let Some(session) = hit.session_id.as_deref() else { continue };
        if !seen.insert(session) {
            if let Some(known) = best.iter_mut().find(|known| known.session == session) {
                known.count += 1;
            }
            continue;
        }
        let tool = hit.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
        best.push(SessionHit {
            session: session.to_owned(),
            agent: hit.agent_id.clone(),
            turn: hit.turn,
            kind: format!("{}{tool}", hit.kind.name()),
            snippet: hit.excerpt.text.clone(),
            places: hit.excerpt.highlights.clone(),
            count: 1,
        });
    }
    best
}

/// Reports how far the index is, and stops building when nobody waits.
struct BuildProgress<'p> {
    request: &'p WordsRequest,
    reply: &'p Reply<'p>,
    total: AtomicU64,
    read: AtomicU64,
    shown: AtomicU64,
}

impl<'p> BuildProgress<'p> {
    fn new(request: &'p WordsRequest, reply: &'p Reply<'p>) -> Self {
        let zero = AtomicU64::default;
        BuildProgress { request, reply, total: zero(), read: zero(), shown: zero() }
    }

    fn percent(&self) -> u8 {
        let (read, total) = (self.read.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        u8::try_from((read.min(total) * 100).checked_div(total).unwrap_or(0)).unwrap_or(100)
    }
}

impl Progress for BuildProgress<'_> {
    fn start(&self, bytes: u64) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
    }

    fn advance(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
        let percent = self.percent();
        // Each percent once.
        if self.shown.fetch_max(percent.into(), Ordering::Relaxed) < percent.into() {
            self.reply.send(Answer::Building(self.request.query.clone(), percent));
        }
    }

    fn finish(&self) {}

    /// What is read by then stays in the index.
    fn is_cancelled(&self) -> bool {
        self.reply.is_stale()
    }
}
