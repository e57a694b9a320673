//! What was told of a conversation, and what must be told to make it another.

use super::event::{EventKind, Retraction, Rewind};
use super::order::staying;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A message as it stands.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    /// What it is known by.
    pub(super) uuid: String,
    /// The uuid of its line, which for a queued command may be another.
    pub(super) node: String,
    /// Where it stands among the bytes that are held.
    pub(super) span: Range<usize>,
    /// Its line in numbers.
    pub(super) fingerprint: u64,
    /// Whether it was typed while the model worked.
    pub(super) is_queued: bool,
}

/// What became of a message that no longer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is no longer written.
    Retraction,
    /// It stands before a compaction.
    Compacted,
    /// It was left behind.
    Undone,
}

/// The conversation as it was told.
#[derive(Debug, Default)]
pub(super) struct ReportedConversation {
    /// The messages that stand, in order.
    order: Vec<String>,
    /// All messages that were told and are still written, with the uuids of
    /// their lines and what they said.
    known: HashMap<String, (String, u64)>,
}

/// Something to tell, in the order in which it must be.
pub(super) enum Report<'s> {
    /// What leaves the conversation.
    Leaves(EventKind),
    /// A message that was not told before, or not like this.
    Says(&'s Standing, Option<String>),
    /// Messages that were told before and take their places.
    Places(EventKind),
}

impl ReportedConversation {
    /// Whether a message was told and still stands written.
    pub(super) fn knows(&self, uuid: &str) -> bool {
        self.known.contains_key(uuid)
    }

    /// One more message at the end. Answers the one it follows.
    pub(super) fn push(&mut self, message: &Standing) -> Option<String> {
        let after = self.order.last().cloned();
        self.order.push(message.uuid.clone());
        self.note(message);
        after
    }

    fn note(&mut self, message: &Standing) {
        self.known.insert(message.uuid.clone(), (message.node.clone(), message.fingerprint));
    }

    /// What must be told for these messages to stand. `fate` answers what became
    /// of the message of a line that stands no longer. What was taken back comes
    /// first, together with what else was.
    pub(super) fn become_these<'s>(
        &mut self,
        messages: &'s [Standing],
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
        // Also of what had been left behind before.
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
            leaving.push(Report::Leaves(EventKind::Retracted(retracted)));
        }
        if !compacted.is_empty() {
            leaving.push(Report::Leaves(EventKind::Compacted(compacted)));
        }
        if !undone.is_empty() {
            let rewound = Rewind { undone, ..Rewind::default() };
            leaving.push(Report::Leaves(EventKind::Rewound(rewound)));
        }
        leaving.extend(self.place(messages));
        leaving
    }

    fn place<'s>(&mut self, messages: &'s [Standing]) -> Vec<Report<'s>> {
        let old: HashMap<&str, usize> =
            self.order.iter().enumerate().map(|(place, uuid)| (&**uuid, place)).collect();
        let places: Vec<Option<usize>> =
            messages.iter().map(|message| old.get(&*message.uuid).copied()).collect();
        let common: Vec<usize> = places.iter().copied().flatten().collect();
        let mut stays = staying(&common).into_iter();
        let mut tellings: Vec<Report<'s>> = Vec::new();
        let mut run: Option<(bool, Vec<String>, Option<String>)> = None;
        let mut after: Option<&str> = None;
        for (message, place) in messages.iter().zip(places) {
            let stays = place.is_some() && stays.next().unwrap_or_default();
            let known = self.known.get(&message.uuid).map(|(_, fingerprint)| *fingerprint);
            let is_new = known != Some(message.fingerprint);
            // What is told whole takes its place by that.
            let is_move = place.is_some();
            if is_new || stays || run.as_ref().is_some_and(|(moves, ..)| *moves != is_move) {
                tellings.extend(run.take().map(Report::of_run));
            }
            if is_new {
                tellings.push(Report::Says(message, after.map(str::to_owned)));
            } else if !stays {
                let (_, uuids, _) =
                    run.get_or_insert_with(|| (is_move, Vec::new(), after.map(str::to_owned)));
                uuids.push(message.uuid.clone());
            }
            after = Some(&message.uuid);
        }
        tellings.extend(run.take().map(Report::of_run));
        for message in messages {
            self.note(message);
        }
        self.order = messages.iter().map(|message| message.uuid.clone()).collect();
        tellings
    }
}

impl Report<'_> {
    fn of_run((is_move, uuids, after): (bool, Vec<String>, Option<String>)) -> Self {
        Report::Places(if is_move {
            EventKind::Moved { uuids, after }
        } else {
            EventKind::Rewound(Rewind { live: uuids, after, ..Rewind::default() })
        })
    }
}
