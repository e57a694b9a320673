//! The end of a fold, when no more lines come: what belongs together is decided,
//! and calls are made.

use crate::fold::{
    Call, Calls, Duplicates, FileNumber, Fold, Gathered, Group, Key, Lines, Owner, Winner,
};
use crate::names::{Name, Names};
use jiff::Timestamp;

impl Fold {
    /// The calls.
    pub fn finish(self) -> Calls {
        self.finish_behind(Vec::new(), Duplicates::default())
    }

    /// The calls, behind some that are finished.
    pub(crate) fn finish_behind(self, calls: Vec<Call>, duplicates: Duplicates) -> Calls {
        let Fold { mut names, groups, tally, naive, mut limits, mut unread } = self;
        let (mut calls, mut duplicates) = (calls, duplicates);
        calls.reserve(groups.len());
        for (key, group) in groups {
            let id: Box<str> = match key {
                Key::Message(id) | Key::Request(id) | Key::Line(id) => id,
                Key::Place(file, offset) => format!("{file}:{offset}").into(),
            };
            for (request, gathered) in settled(group, &mut duplicates) {
                duplicates.note(&gathered.lines, gathered.owner.file);
                let Gathered { winner, owner, first, tools, is_sidechain, lines } = gathered;
                let lines = lines.total();
                let finished = Finished { winner, owner, first, is_sidechain, lines };
                add_calls(&mut calls, &mut names, &id, request, finished, &tools);
            }
        }
        put_in_order(&mut calls);
        unread.sort_unstable();
        limits.sort();
        // Copies of a file repeat what was said in it.
        limits.dedup_by(|copy, own| (copy.time, &copy.notice) == (own.time, &own.notice));
        Calls { calls, names, tally, duplicates, naive, limits, unread }
    }
}

/// Puts calls in the order of time, file and place. They are large: their places
/// are put in order, and each is moved once.
fn put_in_order(calls: &mut [Call]) {
    let order = |place: usize| {
        let call: &Call = &calls[place];
        (call.time, call.file, call.spoken, call.is_advice, &call.id)
    };
    // Nearly all differ by whole milliseconds.
    let moment = |call: &Call| call.time.map_or(i64::MIN, Timestamp::as_millisecond);
    let mut places: Vec<(i64, usize)> =
        calls.iter().enumerate().map(|(place, call)| (moment(call), place)).collect();
    places.sort_unstable_by(|(one, first), (two, second)| {
        one.cmp(two).then_with(|| order(*first).cmp(&order(*second)))
    });
    // Each place says which call belongs there. Round after round, until a round
    // closes.
    for start in 0..places.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut places[place].1, place);
            if from == start || from == place {
                break;
            }
            calls.swap(place, from);
            place = from;
        }
    }
}

/// The requests of a response when all lines are there: one without a name
/// joins the smallest, and a sidechain's is a replay of one that is none.
fn settled(mut group: Group, duplicates: &mut Duplicates) -> Group {
    if group.len() < 2 {
        return group;
    }
    group.sort_by(|(one, _), (two, _)| one.cmp(two));
    if group[0].0.is_none() {
        let (_, nameless) = group.remove(0);
        group[0].1.merge(nameless);
    }
    if group.iter().any(|(_, gathered)| !gathered.is_sidechain) {
        group.retain(|(_, gathered)| {
            if gathered.is_sidechain {
                duplicates.replay += gathered.lines.total();
            }
            !gathered.is_sidechain
        });
    }
    group
}

impl Duplicates {
    /// All lines of a call but one, by why they are there.
    fn note(&mut self, lines: &Lines, owner: FileNumber) {
        let Lines { progress, forked, background, plain } = lines;
        let own = plain.iter().filter(|(file, _)| *file == owner).map(|(_, count)| count).sum();
        let all: u64 = plain.iter().map(|(_, count)| count).sum();
        self.note_counts([*progress, *forked, *background], own, all - own);
    }

    /// The same by how many lines are progress, forked, in the background, in the
    /// call's own file and in others.
    pub(crate) fn note_counts(&mut self, copies: [u64; 3], own: u64, others: u64) {
        let ([mut progress, mut forked, mut background], mut streaming) = (copies, own);
        // The one that is the call itself.
        let itself = [&mut streaming, &mut forked, &mut background, &mut progress];
        if let Some(count) = itself.into_iter().find(|count| **count > 0) {
            *count -= 1;
        }
        self.streaming += streaming;
        self.resume_copy += others;
        self.fork += forked;
        self.replay += background;
        self.progress += progress;
    }
}

/// All lines of one request, when there are no more.
pub(crate) struct Finished {
    pub(crate) winner: Winner,
    pub(crate) owner: Owner,
    pub(crate) first: Option<Timestamp>,
    pub(crate) is_sidechain: bool,
    pub(crate) lines: u64,
}

/// The call, and those of the models that advised.
pub(crate) fn add_calls(
    calls: &mut Vec<Call>,
    names: &mut Names,
    id: &str,
    request: Option<Box<str>>,
    finished: Finished,
    tools: &[(u64, Name)],
) {
    let Finished { winner, owner, first, is_sidechain, lines } = finished;
    let mut counted: Vec<(Name, u64)> = Vec::new();
    for (_, tool) in tools {
        if let Some((_, count)) = counted.iter_mut().find(|(known, _)| known == tool) {
            *count += 1;
        } else {
            counted.reserve_exact(1);
            counted.push((*tool, 1));
        }
    }
    if counted.len() > 1 {
        counted.sort_by(|(one, _), (two, _)| names.get(*one).cmp(&names.get(*two)));
    }
    let call = Call {
        id: id.into(),
        request,
        time: first,
        model: winner.model,
        counters: winner.counters,
        terms: winner.terms,
        noted_cost: winner.cost,
        file: owner.file,
        spoken: (winner.file, winner.offset),
        place: owner.place,
        is_sidechain,
        is_advice: false,
        tools: counted,
        lines,
    };
    for advice in winner.advice {
        calls.push(Call {
            model: names.add(Some(&advice.model)),
            counters: advice.counters,
            terms: None,
            noted_cost: None,
            is_advice: true,
            tools: Vec::new(),
            lines: 0,
            id: format!("{id}#{}", advice.model).into(),
            ..call.clone()
        });
    }
    calls.push(call);
}
