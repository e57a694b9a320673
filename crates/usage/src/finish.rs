//! The end of a fold, after the last line: makes the decisions that need all lines,
//! and builds the calls.

use crate::fold::{
    Call, Calls, Duplicates, FileNumber, Fold, Group, Key, Lines, Owner, RequestLines, Winner,
};
use crate::names::{Name, Names};
use jiff::Timestamp;

impl Fold {
    /// The calls of all lines.
    pub fn finish(self) -> Calls {
        self.finish_after(Vec::new(), Duplicates::default())
    }

    /// The calls, added to some that are already finished.
    pub(crate) fn finish_after(self, calls: Vec<Call>, duplicates: Duplicates) -> Calls {
        let Fold { mut names, groups, tally, naive, limits, unread } = self;
        let (mut calls, mut duplicates) = (calls, duplicates);
        calls.reserve(groups.len());
        for (key, group) in groups {
            let id: Box<str> = match key {
                Key::Message(id) | Key::Request(id) | Key::Line(id) => id,
                Key::Place(file, offset) => format!("{file}:{offset}").into(),
            };
            for (request, request_lines) in resolve_requests(group, &mut duplicates) {
                duplicates.note(&request_lines.lines, request_lines.owner.file);
                let RequestLines { winner, owner, first, tools, is_sidechain, lines } =
                    request_lines;
                let lines = lines.total();
                let finished = FinishedRequest { winner, owner, first, is_sidechain, lines };
                add_calls(&mut calls, &mut names, &id, request, finished, &tools);
            }
        }
        let mut all = Calls { calls, names, tally, duplicates, naive, limits, unread };
        all.put_in_order();
        all
    }
}

impl Calls {
    /// Adds other calls, whose names are those of this and more.
    pub(crate) fn add(&mut self, other: Calls) {
        let Calls { calls, names, tally, duplicates, naive, limits, unread } = other;
        self.names = names;
        self.calls.extend(calls);
        self.limits.extend(limits);
        self.unread.extend(unread);
        for (model, counters) in naive {
            let own = self.naive.entry(model).or_default();
            *own = own.plus(&counters);
        }
        let own = &mut self.tally;
        own.lines += tally.lines;
        own.damaged += tally.damaged;
        own.odd += tally.odd;
        own.naive = own.naive.plus(&tally.naive);
        let own = &mut self.duplicates;
        own.streaming += duplicates.streaming;
        own.fork += duplicates.fork;
        own.resume_copy += duplicates.resume_copy;
        own.replay += duplicates.replay;
        own.progress += duplicates.progress;
    }

    pub(crate) fn put_in_order(&mut self) {
        put_in_order(&mut self.calls);
        self.unread.sort_unstable();
        self.limits.sort();
        // Copies of a file repeat its notices.
        self.limits.dedup_by(|copy, own| (copy.time, &copy.notice) == (own.time, &own.notice));
    }
}

/// Sorts calls by time, file and position. Calls are large, so their indexes are
/// sorted, and each call is moved once.
fn put_in_order(calls: &mut [Call]) {
    let order = |place: usize| {
        let call: &Call = &calls[place];
        (call.time, call.file, call.chosen_line, call.is_advisor_call, &call.id)
    };
    // Nearly all times differ by whole milliseconds.
    let moment = |call: &Call| call.time.map_or(i64::MIN, Timestamp::as_millisecond);
    let mut places: Vec<(i64, usize)> =
        calls.iter().enumerate().map(|(place, call)| (moment(call), place)).collect();
    places.sort_unstable_by(|(one, first), (two, second)| {
        one.cmp(two).then_with(|| order(*first).cmp(&order(*second)))
    });
    // Each entry names the call that belongs there. Follow each cycle of the
    // permutation until it closes.
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

/// The requests of a response when all lines are known: lines without a request
/// join the smallest one, and a sidechain request is a replay of another request.
fn resolve_requests(mut group: Group, duplicates: &mut Duplicates) -> Group {
    if group.len() < 2 {
        return group;
    }
    group.sort_by(|(one, _), (two, _)| one.cmp(two));
    if group[0].0.is_none() {
        let (_, nameless) = group.remove(0);
        group[0].1.merge(nameless);
    }
    if group.iter().any(|(_, request_lines)| !request_lines.is_sidechain) {
        group.retain(|(_, request_lines)| {
            if request_lines.is_sidechain {
                duplicates.replay += request_lines.lines.total();
            }
            !request_lines.is_sidechain
        });
    }
    group
}

impl Duplicates {
    /// Counts all lines of a call except one, by cause.
    fn note(&mut self, lines: &Lines, owner: FileNumber) {
        let Lines { progress, forked, background, plain } = lines;
        let own = plain.iter().filter(|(file, _)| *file == owner).map(|(_, count)| count).sum();
        let all: u64 = plain.iter().map(|(_, count)| count).sum();
        self.note_counts([*progress, *forked, *background], own, all - own);
    }

    /// The same, given the numbers of progress, forked and background lines, and of
    /// lines in the call's own file and in others.
    pub(crate) fn note_counts(&mut self, copies: [u64; 3], own: u64, others: u64) {
        let ([mut progress, mut forked, mut background], mut streaming) = (copies, own);
        // One line is the call itself.
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

/// All lines of one request, complete.
pub(crate) struct FinishedRequest {
    pub(crate) winner: Winner,
    pub(crate) owner: Owner,
    pub(crate) first: Option<Timestamp>,
    pub(crate) is_sidechain: bool,
    pub(crate) lines: u64,
}

/// Adds the call, and the calls of its advisor models.
pub(crate) fn add_calls(
    calls: &mut Vec<Call>,
    names: &mut Names,
    id: &str,
    request: Option<Box<str>>,
    finished: FinishedRequest,
    tools: &[(u64, Name)],
) {
    let FinishedRequest { winner, owner, first, is_sidechain, lines } = finished;
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
        logged_cost: winner.cost,
        file: owner.file,
        chosen_line: (winner.file, winner.offset),
        attribution: owner.attribution,
        is_sidechain,
        is_advisor_call: false,
        tools: counted,
        lines,
    };
    for advisor in winner.advisor_calls {
        calls.push(Call {
            model: names.add(Some(&advisor.model)),
            counters: advisor.counters,
            terms: None,
            logged_cost: None,
            is_advisor_call: true,
            tools: Vec::new(),
            lines: 0,
            id: format!("{id}#{}", advisor.model).into(),
            ..call.clone()
        });
    }
    calls.push(call);
}
