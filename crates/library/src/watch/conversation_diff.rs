//! The conversation as reported, and the events that turn it into the present
//! one.

use crate::watch::event::{EventKind, Retraction, Rewind};
use crate::watch::order::staying;
use conversation::TurnNumber;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A message of the present conversation.
#[derive(Clone, Debug)]
pub(super) struct PresentMessage {
    /// The uuid it is identified by.
    pub(super) uuid: String,
    /// The uuid of its line, which may differ for a queued command.
    pub(super) node: String,
    /// Where it is in the buffered bytes.
    pub(super) span: Range<usize>,
    /// A hash of its line.
    pub(super) fingerprint: u64,
    /// Whether it was typed while the model worked.
    pub(super) is_queued: bool,
    /// The turn it belongs to.
    pub(super) turn: Option<TurnNumber>,
}

/// Why a message left the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Its line was removed.
    Retraction,
    /// It comes before a compaction.
    Compacted,
    /// It is on an abandoned branch.
    Undone,
}

/// The conversation as reported so far.
#[derive(Debug, Default)]
pub(super) struct ReportedConversation {
    /// The messages of the conversation, in order.
    order: Vec<String>,
    /// All reported messages whose lines still exist, with the uuids of their
    /// lines and hashes of their content.
    known: HashMap<String, (String, u64)>,
}

/// Something to report, in this order.
pub(super) enum Report<'s> {
    /// Messages that leave the conversation.
    Removals(EventKind),
    /// A message that was not reported before, or has changed.
    Message(&'s PresentMessage, Option<String>),
    /// Messages that were reported before and move.
    Moves(EventKind),
}

impl ReportedConversation {
    /// Whether a message was reported and its line still exists.
    pub(super) fn knows(&self, uuid: &str) -> bool {
        self.known.contains_key(uuid)
    }

    /// Appends a message. Returns the one it follows.
    pub(super) fn push(&mut self, message: &PresentMessage) -> Option<String> {
        let after = self.order.last().cloned();
        self.order.push(message.uuid.clone());
        self.note(message);
        after
    }

    fn note(&mut self, message: &PresentMessage) {
        self.known.insert(message.uuid.clone(), (message.node.clone(), message.fingerprint));
    }

    /// What must be reported to arrive at these messages. `fate` returns why
    /// the message of a line left the conversation. Removed messages come
    /// first, together with other removals.
    pub(super) fn become_these<'s>(
        &mut self,
        messages: &'s [PresentMessage],
        mut retracted: Retraction,
        fate: impl Fn(&str) -> Fate,
    ) -> Vec<Report<'s>> {
        let standing: HashSet<&str> = messages.iter().map(|message| &*message.uuid).collect();
        let mut leaving = Vec::new();
        let (mut undone, mut compacted) = (Vec::new(), Vec::new());
        for uuid in self.order.iter().filter(|uuid| !standing.contains(uuid.as_str())) {
            let node = self.known.get(uuid).map_or(uuid, |(node, _)| node);
            match fate(node) {
                Fate::Retraction => {}
                Fate::Compacted => compacted.push(uuid.clone()),
                Fate::Undone => undone.push(uuid.clone()),
            }
        }
        // Including those on branches abandoned before.
        let mut gone: Vec<String> = Vec::new();
        for (uuid, (node, _)) in &self.known {
            if !standing.contains(uuid.as_str()) && fate(node) == Fate::Retraction {
                gone.push(uuid.clone());
            }
        }
        for uuid in &gone {
            self.known.remove(uuid);
        }
        gone.sort_unstable();
        retracted.uuids.extend(gone);
        if !retracted.is_empty() {
            leaving.push(Report::Removals(EventKind::Retracted(retracted)));
        }
        if !compacted.is_empty() {
            leaving.push(Report::Removals(EventKind::Compacted(compacted)));
        }
        if !undone.is_empty() {
            let rewound = Rewind { undone, ..Rewind::default() };
            leaving.push(Report::Removals(EventKind::Rewound(rewound)));
        }
        leaving.extend(self.place(messages));
        leaving
    }

    fn place<'s>(&mut self, messages: &'s [PresentMessage]) -> Vec<Report<'s>> {
        let old: HashMap<&str, usize> =
            self.order.iter().enumerate().map(|(place, uuid)| (&**uuid, place)).collect();
        let places: Vec<Option<usize>> =
            messages.iter().map(|message| old.get(&*message.uuid).copied()).collect();
        let common: Vec<usize> = places.iter().copied().flatten().collect();
        let mut stays = staying(&common).into_iter();
        let mut reports: Vec<Report<'s>> = Vec::new();
        let mut run: Option<(bool, Vec<String>, Option<String>)> = None;
        let mut after: Option<&str> = None;
        for (message, place) in messages.iter().zip(places) {
            let stays = place.is_some() && stays.next().unwrap_or_default();
            let known = self.known.get(&message.uuid).map(|(_, fingerprint)| *fingerprint);
            let is_new = known != Some(message.fingerprint);
            // A message that is reported in full includes its place.
            let is_move = place.is_some();
            if is_new || stays || run.as_ref().is_some_and(|(moves, ..)| *moves != is_move) {
                reports.extend(run.take().map(Report::of_run));
            }
            if is_new {
                reports.push(Report::Message(message, after.map(str::to_owned)));
            } else if !stays {
                let (_, uuids, _) =
                    run.get_or_insert_with(|| (is_move, Vec::new(), after.map(str::to_owned)));
                uuids.push(message.uuid.clone());
            }
            after = Some(&message.uuid);
        }
        reports.extend(run.take().map(Report::of_run));
        for message in messages {
            self.note(message);
        }
        self.order = messages.iter().map(|message| message.uuid.clone()).collect();
        reports
    }
}

impl Report<'_> {
    fn of_run((is_move, uuids, after): (bool, Vec<String>, Option<String>)) -> Self {
        Report::Moves(if is_move {
            EventKind::Moved { uuids, after }
        } else {
            EventKind::Rewound(Rewind { live: uuids, after, ..Rewind::default() })
        })
    }
}
