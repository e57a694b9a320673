//! How long a question waits until the index is whole.

use std::time::{Duration, Instant};

/// More bytes than this are not read before somebody who looks on gets an answer.
const QUICK: u64 = 48 << 20;

/// What a question does until the index is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexWait {
    /// It waits, however long it takes.
    UntilWhole,
    /// It waits until then. The answer after that is made from what is ready and says so; the
    /// call returns when the index is built.
    Until(Instant),
    /// For somebody who looks on: if much is to be read, it waits for this long, is answered
    /// from what is ready, and again when the index is whole.
    AnswerTwice(Duration),
}

impl IndexWait {
    /// Whether changes of this size are read before anything is answered.
    pub(super) fn reads_before_answering(self, bytes: u64) -> bool {
        match self {
            IndexWait::UntilWhole => true,
            IndexWait::Until(_) => false,
            IndexWait::AnswerTwice(_) => bytes <= QUICK,
        }
    }
}

/// A question that waits.
#[derive(Debug)]
pub(super) struct Patience {
    wait: IndexWait,
    begun: Instant,
    /// Whether it was answered from a part of the index.
    pub(super) is_answered: bool,
}

impl Patience {
    pub(super) fn new(wait: IndexWait) -> Patience {
        Patience { wait, begun: Instant::now(), is_answered: false }
    }

    /// Whether the question is answered a second time.
    pub(super) fn answers_again(&self) -> bool {
        matches!(self.wait, IndexWait::AnswerTwice(_))
    }

    /// How long it still waits.
    pub(super) fn left(&self) -> Duration {
        match self.wait {
            IndexWait::UntilWhole => Duration::MAX,
            // The only answer that is left is the last one.
            IndexWait::AnswerTwice(_) if self.is_answered => Duration::MAX,
            IndexWait::Until(moment) => moment.saturating_duration_since(Instant::now()),
            IndexWait::AnswerTwice(wait) => wait.saturating_sub(self.begun.elapsed()),
        }
    }

    /// Whether it waits no longer.
    pub(super) fn is_over(&self) -> bool {
        self.left().is_zero()
    }
}
