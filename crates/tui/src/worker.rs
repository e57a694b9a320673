//! The worker: everything that reads or writes files, away from the thread that draws.
//!
//! Screens ask with a [`Request`]; each request has a topic, and only answers to the newest
//! request of a topic reach a screen. Requests that were replaced before the worker came to
//! them are never worked on. Four threads: one for words, whose first build of the index takes
//! long, one that follows a session, one that follows the list, and one for everything else.
//! Work that waits for files is woken when something newer is asked.
//!
//! Deliberately not here: what an answer looks like on a screen.

use crate::work::{self, Data};
use library::watch::FolderWaker;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

pub use crate::work::{Answer, Request};

/// What a request is about. A new request makes answers to older ones of its topic stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The rows of the list.
    List,
    /// Changes of the rows while the list is shown.
    ListChanges,
    /// Words in contents.
    Words,
    /// The preview beside the list.
    Preview,
    /// The conversation of an open session.
    Session,
    /// A window over an open session.
    Overlay,
    /// Changes of an open session while it is written.
    Follow,
    /// Something that a person did. Never stale, never left out.
    Action,
}

/// The newest request of a topic.
#[derive(Debug, Default)]
struct Newest {
    generation: AtomicU64,
    /// Interrupts the wait of the work on the request before.
    waker: Mutex<Option<FolderWaker>>,
}

/// The generation of the newest request of each topic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generations(Arc<Mutex<HashMap<Topic, Arc<Newest>>>>);

impl Generations {
    fn of(&self, topic: Topic) -> Arc<Newest> {
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(topics.entry(topic).or_default())
    }

    /// Begins a new generation, and wakes work of the one before.
    pub(crate) fn next(&self, topic: Topic) -> u64 {
        let newest = self.of(topic);
        let generation = newest.generation.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(waker) = newest.waker.lock().unwrap_or_else(PoisonError::into_inner).take() {
            waker.wake();
        }
        generation
    }

    /// Whether something newer was asked.
    pub(crate) fn is_stale(&self, topic: Topic, generation: u64) -> bool {
        topic != Topic::Action && self.of(topic).generation.load(Ordering::SeqCst) != generation
    }
}

/// A request on its way.
#[derive(Debug)]
struct Numbered {
    generation: u64,
    request: Request,
}

/// An answer on its way.
#[derive(Debug)]
pub(crate) struct NumberedAnswer {
    pub(crate) topic: Topic,
    pub(crate) generation: u64,
    pub(crate) answer: Answer,
}

/// How a piece of work answers, any number of times, and finds out that nobody waits.
pub struct Reply<'r> {
    topic: Topic,
    generation: u64,
    generations: &'r Generations,
    send: &'r (dyn Fn(NumberedAnswer) + Sync),
}

impl std::fmt::Debug for Reply<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reply").field("topic", &self.topic).finish_non_exhaustive()
    }
}

impl Reply<'_> {
    /// Sends an answer, if anybody waits for it.
    pub fn send(&self, answer: Answer) {
        if !self.is_stale() {
            let (topic, generation) = (self.topic, self.generation);
            (self.send)(NumberedAnswer { topic, generation, answer });
        }
    }

    /// Whether something newer was asked, so that this can stop.
    pub fn is_stale(&self) -> bool {
        self.generations.is_stale(self.topic, self.generation)
    }

    /// Interrupts a wait when something newer is asked. To be called before the first look at
    /// [`Reply::is_stale`], so that no request is missed.
    pub fn wake_when_stale(&self, waker: FolderWaker) {
        let newest = self.generations.of(self.topic);
        *newest.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }
}

/// The side of the screens.
#[derive(Debug)]
pub(crate) struct Worker {
    generations: Generations,
    work: Option<Sender<Numbered>>,
    words: Option<Sender<Numbered>>,
    follow: Option<Sender<Numbered>>,
    list_changes: Option<Sender<Numbered>>,
}

/// The side of a thread: its requests.
#[derive(Debug)]
pub(crate) struct Lane {
    requests: Receiver<Numbered>,
    generations: Generations,
}

impl Worker {
    /// A worker and its lanes, which [`Lane::run`] works through.
    pub(crate) fn new() -> (Worker, [Lane; 4]) {
        let generations = Generations::default();
        let lane = |requests| Lane { requests, generations: generations.clone() };
        let ((work, first), (words, second)) = (channel(), channel());
        let ((follow, third), (list_changes, fourth)) = (channel(), channel());
        let worker = Worker {
            generations: generations.clone(),
            work: Some(work),
            words: Some(words),
            follow: Some(follow),
            list_changes: Some(list_changes),
        };
        (worker, [lane(first), lane(second), lane(third), lane(fourth)])
    }

    /// Asks for something.
    pub(crate) fn ask(&self, request: Request) {
        let topic = request.topic();
        let generation = self.generations.next(topic);
        let lane = match topic {
            Topic::Words => &self.words,
            Topic::Follow => &self.follow,
            Topic::ListChanges => &self.list_changes,
            _ => &self.work,
        };
        if let Some(lane) = lane {
            // A worker that is gone answers nothing.
            let _ = lane.send(Numbered { generation, request });
        }
    }

    /// The answer, unless something newer was asked.
    pub(crate) fn accept(&self, answer: NumberedAnswer) -> Option<Answer> {
        let is_stale = self.generations.is_stale(answer.topic, answer.generation);
        (!is_stale).then_some(answer.answer)
    }

    /// Ends all lanes: work that can stop does, and nothing new is begun.
    pub(crate) fn stop(&mut self) {
        (self.work, self.words) = (None, None);
        (self.follow, self.list_changes) = (None, None);
        for topic in [Topic::List, Topic::Words, Topic::Preview, Topic::Session, Topic::Overlay] {
            self.generations.next(topic);
        }
        for topic in [Topic::Follow, Topic::ListChanges] {
            self.generations.next(topic);
        }
    }
}

impl Lane {
    /// Works through requests until nobody asks any more.
    pub(crate) fn run(self, data: &Data<'_>, send: &(dyn Fn(NumberedAnswer) + Sync)) {
        let mut state = work::State::default();
        while let Ok(first) = self.requests.recv() {
            let mut batch = vec![first];
            batch.extend(self.requests.try_iter());
            for Numbered { generation, request } in batch {
                let topic = request.topic();
                let reply = Reply { topic, generation, generations: &self.generations, send };
                if !reply.is_stale() {
                    work::run(request, &mut state, data, &reply);
                }
            }
        }
    }
}

/// The answers to a request, worked on at once.
#[cfg(test)]
pub(crate) fn answers_to(request: Request, data: &Data<'_>) -> Vec<Answer> {
    let generations = Generations::default();
    let topic = request.topic();
    let generation = generations.next(topic);
    let answers = Mutex::new(Vec::new());
    let send = |answer: NumberedAnswer| {
        answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer.answer);
    };
    let reply = Reply { topic, generation, generations: &generations, send: &send };
    work::run(request, &mut work::State::default(), data, &reply);
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Work ends with the screens, also if one of them panics: the threads are waited for.
impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use library::watch::FolderWatch;
    use std::time::Duration;

    #[test]
    fn work_that_waits_for_files_is_woken_by_a_newer_request() {
        let generations = Generations::default();
        let topic = Topic::ListChanges;
        let generation = generations.next(topic);
        let send = |_: NumberedAnswer| ();
        let reply = Reply { topic, generation, generations: &generations, send: &send };
        let watch = FolderWatch::new(&[]);
        reply.wake_when_stale(watch.waker());
        assert!(!reply.is_stale());
        std::thread::scope(|scope| {
            scope.spawn(|| generations.next(topic));
            // Without being woken this never ends.
            while !reply.is_stale() {
                watch.wait(Duration::from_hours(24));
            }
        });
    }

    #[test]
    fn answers_to_older_requests_are_dropped() {
        let (worker, _lanes) = Worker::new();
        let generations = worker.generations.clone();
        let answer = |generation| NumberedAnswer {
            topic: Topic::Preview,
            generation,
            answer: Answer::Building(String::new(), 0),
        };
        let first = generations.next(Topic::Preview);
        assert!(worker.accept(answer(first)).is_some());
        let second = generations.next(Topic::Preview);
        generations.next(Topic::List);
        assert!(worker.accept(answer(first)).is_none());
        assert!(worker.accept(answer(second)).is_some());
    }

    #[test]
    fn actions_are_never_stale() {
        let generations = Generations::default();
        let first = generations.next(Topic::Action);
        generations.next(Topic::Action);
        assert!(!generations.is_stale(Topic::Action, first));
    }
}
