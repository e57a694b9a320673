//! Answers that are used again: the rest of a large document, and reports that would take
//! long to make again while nothing has changed.
//!
//! A report is used again only while the files it was made of are the same
//! ([`library::search::Search::content_digest`]), and for a minute at most, because some reports
//! depend on the time. Deliberately not here: dividing documents (`pieces`).

use crate::answer::Answer;
use library::search::ContentDigest;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many bytes of answers are kept.
const MOST_BYTES: usize = 8 << 20;

/// How long an answer is used again.
const LONGEST: Duration = Duration::from_mins(1);

/// The answers, the one used last at the end.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache(Mutex<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    /// Path and parameters of the request.
    key: String,
    /// The digest of the answer's bytes.
    tag: String,
    /// The state of the files it was made of, if that is known.
    state: Option<ContentDigest>,
    made: Instant,
    answer: Answer,
}

impl AnswerCache {
    /// The answer to a request that was made of files in this state.
    pub(crate) fn find(&self, key: &str, state: ContentDigest) -> Option<Answer> {
        self.take(|entry| {
            entry.key == key && entry.state == Some(state) && entry.made.elapsed() < LONGEST
        })
    }

    /// The answer to a request with this digest, whatever has changed since.
    pub(crate) fn find_tagged(&self, key: &str, tag: &str) -> Option<Answer> {
        self.take(|entry| entry.key == key && entry.tag == tag)
    }

    /// Adds an answer; drops those used longest ago if there are too many bytes.
    pub(crate) fn add(&self, key: &str, tag: &str, state: Option<ContentDigest>, answer: &Answer) {
        let mut entries = self.lock();
        entries.retain(|entry| entry.key != key || entry.tag != tag);
        let (key, tag) = (key.to_owned(), tag.to_owned());
        entries.push(Entry { key, tag, state, made: Instant::now(), answer: answer.clone() });
        let mut bytes: usize = entries.iter().map(|entry| entry.answer.body.len()).sum();
        while bytes > MOST_BYTES {
            bytes -= entries.remove(0).answer.body.len();
        }
    }

    fn take(&self, is_wanted: impl Fn(&Entry) -> bool) -> Option<Answer> {
        let mut entries = self.lock();
        let place = entries.iter().position(is_wanted)?;
        let entry = entries.remove(place);
        let answer = entry.answer.clone();
        entries.push(entry);
        Some(answer)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Answer {
        Answer::json("x".repeat(bytes))
    }

    #[test]
    fn an_answer_is_used_again_only_while_nothing_has_changed() {
        let cache = AnswerCache::default();
        let state = |text: &str| ContentDigest::of(text.as_bytes());
        cache.add("usage?by=day", "a1", Some(state("one")), &answer(3));
        assert!(cache.find("usage?by=day", state("one")).is_some());
        assert!(cache.find("usage?by=day", state("two")).is_none(), "another state");
        assert!(cache.find("usage?by=week", state("one")).is_none(), "another request");
        assert!(cache.find_tagged("usage?by=day", "a1").is_some(), "the rest of it");
        assert!(cache.find_tagged("usage?by=day", "b2").is_none());
    }

    #[test]
    fn the_answers_used_longest_ago_are_dropped() {
        let cache = AnswerCache::default();
        let state = ContentDigest::of(b"");
        for number in 0..8 {
            cache.add(&number.to_string(), "a", Some(state), &answer(MOST_BYTES / 4));
            assert!(cache.find("0", state).is_some(), "used all the time");
        }
        assert!(cache.find("7", state).is_some());
        assert!(cache.find("3", state).is_none());
        cache.add("huge", "a", Some(state), &answer(MOST_BYTES + 1));
        assert!(cache.find("huge", state).is_none());
        assert_eq!(cache.lock().len(), 0);
    }
}
