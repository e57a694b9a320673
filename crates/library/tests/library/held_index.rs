//! Questions that are asked while the index is being built: by another process, which is
//! held by the lock of the index, or by the question itself, which is held by its progress.

use index::{Index, Ingest};
use jiff::Timestamp;
use library::catalog::Filter;
use library::progress::{CancellationToken, Limits, NoProgress, Progress};
use library::search::{
    Freshness, Gap, IndexOptions, IndexWait, Order, Query, SearchAnswer, SearchOptions,
};
use library::{Library, Options};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use store::RootOrigin;
use testkit::{Sandbox, session_id, user};

const CWD: &str = "/home/ada/harbour";

fn library(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Environment)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

fn session(sandbox: &Sandbox, number: u32) {
    let id = session_id(number);
    sandbox.session(CWD, &id, [user("the harbour").session(&id)]);
}

/// An index of the first of three sessions.
fn partly_indexed() -> Sandbox {
    let sandbox = Sandbox::new();
    session(&sandbox, 1);
    let index = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    let fresh = library(&sandbox).search().refresh_index(index, &NoProgress).unwrap();
    assert_eq!(fresh.gap(), None);
    session(&sandbox, 2);
    session(&sandbox, 3);
    sandbox
}

/// Holds the index as another process does that builds it.
fn held(sandbox: &Sandbox) -> Ingest {
    Index::new(sandbox.annals_home()).ingest(16 << 20).unwrap().unwrap()
}

/// Searches; `each` gets every answer.
fn search(
    sandbox: &Sandbox,
    wait: IndexWait,
    progress: &dyn Progress,
    mut each: impl FnMut(&SearchAnswer, &Freshness),
) -> usize {
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
    let index = IndexOptions { memory: 16 << 20, wait };
    let last = library(sandbox).search().query(index, &options, progress, |answer, fresh| {
        each(&answer, fresh);
        answer.total
    });
    last.unwrap()
}

/// What an answer is made from: its hits, whether another follows, and what it may lack.
type Made = (usize, bool, Option<Gap>);

fn made(answer: &SearchAnswer, fresh: &Freshness) -> Made {
    (answer.total, fresh.is_preliminary, fresh.gap())
}

/// Tells a test when its call waits for another process.
struct Waiting(Mutex<Sender<()>>);

impl Progress for Waiting {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn wait_for(&self, _: &'static str) {
        self.0.lock().unwrap().send(()).unwrap();
    }
}

/// Holds the building of the index until a test lets it go on.
#[derive(Default)]
struct HeldBuild {
    is_released: Mutex<bool>,
    released: Condvar,
}

impl HeldBuild {
    fn release(&self) {
        *self.is_released.lock().unwrap() = true;
        self.released.notify_all();
    }
}

impl Progress for HeldBuild {
    fn start(&self, _: u64) {}
    fn finish(&self) {}

    fn advance(&self, _: u64) {
        let guard = self.is_released.lock().unwrap();
        drop(self.released.wait_while(guard, |is_released| !*is_released).unwrap());
    }
}

#[test]
fn search_waits_for_another_process_and_answers_once_from_the_whole_index() {
    let sandbox = partly_indexed();
    let other = held(&sandbox);
    let (send, receive): (Sender<()>, Receiver<()>) = channel();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let mut answers = Vec::new();
            search(&sandbox, IndexWait::UntilWhole, &Waiting(Mutex::new(send)), |answer, fresh| {
                answers.push(made(answer, fresh));
            });
            answers
        });
        receive.recv().unwrap();
        assert!(!asked.is_finished(), "it waits");
        drop(other);
        assert_eq!(asked.join().unwrap(), [(3, false, None)]);
    });
}

#[test]
fn watched_search_answers_from_what_another_process_has_built_and_again_at_the_end() {
    let sandbox = partly_indexed();
    let mut other = Some(held(&sandbox));
    let mut answers = Vec::new();
    let wait = IndexWait::AnswerTwice(Duration::ZERO);
    let last = search(&sandbox, wait, &NoProgress, |answer, fresh| {
        other.take();
        answers.push(made(answer, fresh));
    });
    assert_eq!(answers, [(1, true, Some(Gap::Files)), (3, false, None)]);
    assert_eq!(last, 3, "the last answer counts");
}

#[test]
fn watched_search_is_answered_again_when_its_own_build_ends() {
    let sandbox = partly_indexed();
    // Too much to be read before the first answer; no line of it is a record.
    let line = "x".repeat(1 << 20) + "\n";
    let id = session_id(4);
    sandbox.write(&format!("projects/-home-ada-harbour/{id}.jsonl"), line.repeat(49));
    let build = HeldBuild::default();
    let mut answers = Vec::new();
    search(&sandbox, IndexWait::AnswerTwice(Duration::ZERO), &build, |answer, fresh| {
        build.release();
        answers.push(made(answer, fresh));
    });
    assert_eq!(answers, [(1, true, Some(Gap::Files)), (3, false, None)]);
}

#[test]
fn answer_at_a_limit_says_what_it_lacks_and_the_build_goes_on() {
    let sandbox = partly_indexed();
    let build = HeldBuild::default();
    let mut answers = Vec::new();
    search(&sandbox, IndexWait::Until(Instant::now()), &build, |answer, fresh| {
        build.release();
        assert!(!fresh.is_complete && fresh.covered_since.is_some(), "{fresh:?}");
        answers.push(made(answer, fresh));
    });
    assert_eq!(answers, [(1, false, Some(Gap::Files))]);
    let mut later = Vec::new();
    // Nothing is left to be read: no waiting is needed.
    search(&sandbox, IndexWait::Until(Instant::now()), &NoProgress, |answer, fresh| {
        later.push(made(answer, fresh));
    });
    assert_eq!(later, [(3, false, None)]);
}

#[test]
fn limit_of_a_call_ends_the_wait_for_another_process() {
    let sandbox = partly_indexed();
    let _other = held(&sandbox);
    for wait in [IndexWait::UntilWhole, IndexWait::AnswerTwice(Duration::MAX)] {
        let limits = Limits::new(Some(Instant::now()), CancellationToken::default());
        let mut answers = Vec::new();
        search(&sandbox, wait, &limits, |answer, fresh| answers.push(made(answer, fresh)));
        assert_eq!(answers, [(1, false, Some(Gap::Files))]);
    }
}

#[test]
fn grown_session_is_a_gap_until_its_latest_lines_are_read() {
    let sandbox = partly_indexed();
    search(&sandbox, IndexWait::UntilWhole, &NoProgress, |_, _| ());
    let id = session_id(2);
    let path = sandbox.config().join(format!("projects/-home-ada-harbour/{id}.jsonl"));
    sandbox.append(&path, format!("{}\n", user("another harbour").session(&id)));
    let other = held(&sandbox);
    let mut answers = Vec::new();
    search(&sandbox, IndexWait::Until(Instant::now()), &NoProgress, |answer, fresh| {
        answers.push((fresh.is_complete, made(answer, fresh)));
    });
    assert_eq!(answers, [(true, (3, false, Some(Gap::LatestLines)))]);
    drop(other);
    assert_eq!(search(&sandbox, IndexWait::UntilWhole, &NoProgress, |_, _| ()), 4);
}
