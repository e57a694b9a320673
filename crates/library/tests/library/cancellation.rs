//! A call that is cancelled, or whose deadline has passed, returns early and
//! counts what it left out.

use jiff::Timestamp;
use library::catalog::Filter;
use library::pattern::{Pattern, PatternOptions};
use library::progress::{CancellationToken, Limits, NoProgress, Progress};
use library::search::{
    ContextLines, Freshness, GrepDemand, GrepOptions, IndexOptions, IndexWait, Order, Query,
    SearchOptions,
};
use library::session::Session;
use library::stores::Tier;
use library::{Library, Options};
use redact::{Level, Redactor};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::RootOrigin;
use store::testing::CancelAfter;
use testkit::{Sandbox, call, session_id, user};

const CWD: &str = "/home/ada/harbour";

const SESSIONS: usize = 4;

/// A store of some sessions, each with a prompt and a call.
fn open(sandbox: &Sandbox) -> Library {
    for number in (1..).take(SESSIONS) {
        let id = session_id(number);
        let lines = [user("harbour"), call(&format!("msg_{number}"), [1, 1, 0, 0])];
        sandbox.session(CWD, &id, lines.map(|line| line.session(&id)));
    }
    library(sandbox)
}

fn library(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Environment)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

fn cancelled() -> Limits {
    let token = CancellationToken::default();
    token.clone().cancel();
    Limits::new(None, token)
}

/// Both reasons to stop.
fn stopped() -> [Limits; 2] {
    [cancelled(), Limits::new(Some(Instant::now()), CancellationToken::default())]
}

/// How many hits a pattern has in all sessions.
fn hits(library: &Library, progress: &dyn Progress) -> usize {
    let pattern = Pattern::new("harbour", PatternOptions::default()).unwrap();
    let (filter, roles) = (Filter::default(), [library::sessions::Role::User]);
    let options = GrepOptions {
        pattern: &pattern,
        roles: &roles,
        filter: &filter,
        around: ContextLines::lines(0),
        most: 5,
    };
    let list = library.catalog().sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let mut count = 0;
    let errors = library.search().grep(&sessions, &options, progress, |_, hits| {
        count += hits.count;
        GrepDemand::Hits
    });
    assert!(errors.is_empty(), "{errors:?}");
    count
}

#[test]
fn stopped_grep_has_no_hits_and_counts_every_file() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    assert_eq!(hits(&library, &NoProgress), SESSIONS);
    for limits in stopped() {
        assert_eq!((hits(&library, &limits), limits.left_out()), (0, SESSIONS));
    }
}

#[test]
fn grep_that_is_not_stopped_leaves_nothing_out() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    let deadline = Instant::now() + Duration::from_hours(1);
    let limits = Limits::new(Some(deadline), CancellationToken::default());
    assert_eq!((hits(&library, &limits), limits.left_out()), (SESSIONS, 0));
}

#[test]
fn stopped_usage_has_no_calls_and_counts_every_file() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    assert_eq!(library.usage().read(false, &NoProgress).calls.calls.len(), SESSIONS);
    for limits in stopped() {
        let source = library.usage().read(false, &limits);
        assert_eq!((source.calls.calls.len(), limits.left_out()), (0, SESSIONS));
        assert!(library.usage().lines("msg_1", &limits).0.is_empty());
        assert_eq!(limits.left_out(), 2 * SESSIONS);
    }
}

#[test]
fn stopped_diagnosis_reads_no_lines_and_counts_every_file() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    for limits in stopped() {
        let diagnosis = library.health().diagnose(Timestamp::UNIX_EPOCH, &limits);
        assert_eq!((diagnosis.lines, diagnosis.list.sessions.len()), (0, SESSIONS));
        assert_eq!(limits.left_out(), SESSIONS);
    }
}

/// Cancels itself when a scan begins.
struct CancelledAtStart(Limits, CancellationToken);

impl Progress for CancelledAtStart {
    fn start(&self, _: u64) {
        self.1.cancel();
    }

    fn advance(&self, _: u64) {}

    fn finish(&self) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn leave_out(&self) {
        self.0.leave_out();
    }
}

#[test]
fn stopped_reading_of_calls_and_secrets_counts_every_session() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    let list = library.catalog().sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let redactor = Arc::new(Redactor::new(Level::Standard, [0; 32]));
    for limits in stopped() {
        let (calls, _) = library.sessions().calls(&sessions, Tier::Disk, &limits, |_, _| ());
        assert_eq!((calls.len(), limits.left_out()), (0, SESSIONS));
        let (secrets, _) = library.health().secrets(list.sessions.clone(), &redactor, &limits);
        assert_eq!((secrets.len(), limits.left_out()), (0, 2 * SESSIONS));
    }
}

/// How many hits a word has in the index, and how current that is.
fn query(library: &Library, progress: &dyn Progress) -> (usize, Freshness) {
    let query = Query::parse("harbour").unwrap();
    let (filter, marked) = (Filter::default(), HashSet::new());
    let options = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: 10,
        around: 0,
        now: Timestamp::UNIX_EPOCH,
    };
    let index = IndexOptions { memory: 32 << 20, wait: IndexWait::UntilWhole };
    let answer = |answer: library::search::SearchAnswer, freshness: &Freshness| {
        (answer.total, freshness.clone())
    };
    library.search().query(index, &options, progress, answer).unwrap()
}

#[test]
fn cancelled_search_answers_from_what_is_indexed_and_is_not_fresh() {
    let sandbox = Sandbox::new();
    let library = open(&sandbox);
    let token = CancellationToken::default();
    let progress = CancelledAtStart(Limits::new(None, token.clone()), token);
    let (count, freshness) = query(&library, &progress);
    assert_eq!((count, freshness.is_fresh, freshness.is_complete), (0, false, false));
    assert!(freshness.notes[0].contains("cancelled"), "{:?}", freshness.notes);
    // The next search reads what was left out.
    let (count, freshness) = query(&library, &NoProgress);
    assert_eq!((count, freshness.is_fresh, freshness.is_complete), (SESSIONS, true, true));
}

#[test]
fn one_large_file_is_left_in_the_middle() {
    const PAIRS: usize = 20_000;
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let pair = |number: usize| [user("harbour"), call(&format!("msg_{number}"), [1, 1, 0, 0])];
    let lines = (0..PAIRS).flat_map(pair).map(|line| line.session(&id));
    let path = sandbox.session(CWD, &id, lines.collect::<Vec<_>>());
    // Many times what is read at once.
    assert!(path.metadata().unwrap().len() > 4 << 20);
    let library = library(&sandbox);
    assert_eq!(hits(&library, &NoProgress), PAIRS);

    let progress = CancelAfter::new(6);
    let found = hits(&library, &progress);
    assert!(0 < found && found < PAIRS / 2, "{found}");
    assert_eq!(progress.left_out(), 1);

    let progress = CancelAfter::new(6);
    let source = library.usage().read(false, &progress);
    let found = source.calls.calls.len();
    assert!(0 < found && found < PAIRS / 2, "{found}");
    assert!(source.read_errors.is_empty(), "{:?}", source.read_errors);
    assert_eq!(progress.left_out(), 1);
}
