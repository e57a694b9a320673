//! The calls of a transcript that is being written: which began, which ended,
//! which were removed.
//!
//! Calls are identified by their ids and by the offsets of their lines. What
//! was reported of each is remembered, so that lines that are merely read again
//! report nothing.

use crate::watch::event::Retraction;
use crate::watch::fingerprint;
use std::collections::{BTreeSet, HashMap};

/// A call that is on lines of the transcript.
#[derive(Clone, Debug, Default)]
struct Lines {
    /// Where the lines that make the call begin.
    starts: BTreeSet<u64>,
    /// Where the lines with its result begin.
    answers: BTreeSet<u64>,
}

/// What was reported of a call: hashes of the lines it was reported from.
#[derive(Clone, Copy, Debug)]
struct ReportedCall {
    start: u64,
    answer: Option<u64>,
}

/// Something to report of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Where its line begins.
    pub(super) offset: u64,
    /// Whether it is the result.
    pub(super) is_end: bool,
    /// The call.
    pub(super) id: String,
    /// Where the lines of the call begin, and that of its result.
    pub(super) lines: Vec<u64>,
}

/// The calls of one transcript.
#[derive(Debug, Default)]
pub(super) struct CallLog {
    lines: HashMap<String, Lines>,
    reported: HashMap<String, ReportedCall>,
    touched: BTreeSet<String>,
}

impl CallLog {
    /// Adds the calls and results of a line.
    pub(super) fn add(&mut self, offset: u64, calls: &[String], answers: &[String]) {
        for id in calls {
            self.lines.entry(id.clone()).or_default().starts.insert(offset);
            self.touched.insert(id.clone());
        }
        for id in answers {
            self.lines.entry(id.clone()).or_default().answers.insert(offset);
            self.touched.insert(id.clone());
        }
    }

    /// Removes those of a line that is gone.
    pub(super) fn remove(&mut self, offset: u64, calls: &[String], answers: &[String]) {
        for id in calls.iter().chain(answers) {
            if let Some(lines) = self.lines.get_mut(id) {
                lines.starts.remove(&offset);
                lines.answers.remove(&offset);
            }
            self.touched.insert(id.clone());
        }
    }

    /// The changes since the last time, in the order of the lines. `line`
    /// returns the bytes of a line.
    pub(super) fn steps<'b>(
        &mut self,
        retracted: &mut Retraction,
        line: impl Fn(u64) -> &'b [u8],
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        for id in std::mem::take(&mut self.touched) {
            let lines = self.lines.get(&id).cloned().unwrap_or_default();
            let Some(first) = lines.starts.first().copied() else {
                if self.reported.remove(&id).is_some() {
                    retracted.calls.push(id.clone());
                }
                if lines.answers.is_empty() {
                    self.lines.remove(&id);
                }
                continue;
            };
            let start = fingerprint(lines.starts.iter().map(|start| line(*start)));
            let answer = lines.answers.last().map(|at| (*at, fingerprint([line(*at)])));
            let now = ReportedCall { start, answer: answer.map(|(_, hash)| hash) };
            let before = self.reported.insert(id.clone(), now);
            let starts: Vec<u64> = lines.starts.iter().copied().collect();
            let is_new = before.is_none_or(|before| before.start != start);
            if is_new {
                let lines = starts.clone();
                steps.push(Step { offset: first, is_end: false, id: id.clone(), lines });
            }
            let before = before.and_then(|before| before.answer);
            match answer {
                Some((at, hash)) if is_new || before != Some(hash) => {
                    let lines = starts.into_iter().chain([at]).collect();
                    // A result may come before its call.
                    steps.push(Step { offset: at.max(first), is_end: true, id, lines });
                }
                None if before.is_some() => retracted.answers.push(id),
                _ => {}
            }
        }
        steps.sort_by_key(|step| (step.offset, step.is_end));
        steps
    }
}
