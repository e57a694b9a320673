//! Lines → API calls.
//!
//! A call is written as several lines while it streams, copied by forks and
//! resumed sessions, replayed in the background and repeated as progress. The
//! fold puts all of them together by their ids and keeps one whole line, the
//! one that says most. It is associative and commutative: files may come in any
//! order and in any number of threads, and the answer is the same.
//!
//! What cannot be decided before all lines are there (which request a line
//! without one belongs to, which of two requests is a replay) is decided in
//! [`Fold::finish`].

use crate::line::{Advice, CallLine, Counters, Terms};
use crate::money::PicoUsd;
use crate::names::{Adopted, Name, Names};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};

/// The number of a file among all files, in the order of their paths.
pub type FileNumber = u32;

/// What lines of one call have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// The API response.
    Message(Box<str>),
    /// The API request, where no response is named.
    Request(Box<str>),
    /// The line itself, where neither is.
    Line(Box<str>),
    /// Its place, where even that has no name.
    Place(FileNumber, u64),
}

/// The line that speaks for a call.
#[derive(Clone, Debug)]
pub(crate) struct Winner {
    pub(crate) counters: Counters,
    pub(crate) time: Option<Timestamp>,
    pub(crate) file: FileNumber,
    pub(crate) offset: u64,
    pub(crate) model: Name,
    pub(crate) terms: Option<Box<Terms>>,
    pub(crate) cost: Option<PicoUsd>,
    pub(crate) advice: Vec<Advice>,
}

impl Winner {
    /// The highest output, then the highest total, then the later.
    fn order(&self) -> (u64, u64, Option<Timestamp>, FileNumber, u64) {
        (self.counters.output, self.counters.total(), self.time, self.file, self.offset)
    }
}

/// The line a call belongs by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) is_copy: bool,
    pub(crate) time: Option<Timestamp>,
    pub(crate) file: FileNumber,
    pub(crate) offset: u64,
    pub(crate) place: Place,
}

impl Owner {
    /// What was not copied, then the earliest, then the smallest path.
    fn order(&self) -> (bool, bool, Option<Timestamp>, FileNumber, u64) {
        (self.is_copy, self.time.is_none(), self.time, self.file, self.offset)
    }
}

/// Where a call belongs, as its lines say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The session its lines name.
    pub session: Name,
    /// The working directory.
    pub cwd: Name,
    /// The git branch.
    pub branch: Name,
    /// The version of Claude Code.
    pub version: Name,
    /// How Claude Code was started.
    pub entrypoint: Name,
    /// How hard the model was asked to try.
    pub effort: Name,
    /// The type of sub-agent it is charged to.
    pub agent: Name,
    /// The skill it is charged to.
    pub skill: Name,
    /// The plugin it is charged to.
    pub plugin: Name,
    /// The MCP server it is charged to.
    pub mcp: Name,
}

impl Place {
    pub(crate) fn names(&self) -> [Name; 10] {
        let Place { session, cwd, branch, version, entrypoint, effort, agent, .. } = *self;
        let Place { skill, plugin, mcp, .. } = *self;
        [session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp]
    }

    pub(crate) fn of_names(names: [Name; 10]) -> Place {
        let [session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp] = names;
        Place { session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp }
    }

    fn renamed(self, names: &Adopted) -> Place {
        Place {
            session: names.get(self.session),
            cwd: names.get(self.cwd),
            branch: names.get(self.branch),
            version: names.get(self.version),
            entrypoint: names.get(self.entrypoint),
            effort: names.get(self.effort),
            agent: names.get(self.agent),
            skill: names.get(self.skill),
            plugin: names.get(self.plugin),
            mcp: names.get(self.mcp),
        }
    }
}

/// All lines of one request, so far.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    pub(crate) winner: Winner,
    pub(crate) owner: Owner,
    pub(crate) first: Option<Timestamp>,
    /// (a hash of the call's id, the tool).
    pub(crate) tools: Vec<(u64, Name)>,
    pub(crate) is_sidechain: bool,
    pub(crate) lines: Lines,
}

/// Lines by what they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) progress: u64,
    pub(crate) forked: u64,
    pub(crate) background: u64,
    /// The others, by file.
    pub(crate) plain: Vec<(FileNumber, u64)>,
}

impl Lines {
    pub(crate) fn total(&self) -> u64 {
        let plain: u64 = self.plain.iter().map(|(_, count)| count).sum();
        self.progress + self.forked + self.background + plain
    }

    fn merge(&mut self, other: Lines) {
        self.progress += other.progress;
        self.forked += other.forked;
        self.background += other.background;
        for (file, count) in other.plain {
            match self.plain.iter_mut().find(|(known, _)| *known == file) {
                Some((_, own)) => *own += count,
                None => self.plain.push((file, count)),
            }
        }
    }
}

impl Gathered {
    pub(crate) fn merge(&mut self, other: Gathered) {
        if other.winner.order() > self.winner.order() {
            self.winner = other.winner;
        }
        if other.owner.order() < self.owner.order() {
            self.owner = other.owner;
        }
        self.first = match (self.first, other.first) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        for tool in other.tools {
            if !self.tools.contains(&tool) {
                self.tools.push(tool);
            }
        }
        self.is_sidechain &= other.is_sidechain;
        self.lines.merge(other.lines);
    }
}

/// The lines of one response by their request; mostly there is one.
pub(crate) type Group = Vec<(Option<Box<str>>, Gathered)>;

/// What was met on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines of calls.
    pub lines: u64,
    /// Lines that speak of usage and cannot be read.
    pub damaged: u64,
    /// Lines with a count or a time that is none.
    pub odd: u64,
    /// What the sum of all lines would be.
    pub naive: Counters,
}

/// The fold.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    pub(crate) names: Names,
    pub(crate) groups: HashMap<Key, Group>,
    pub(crate) tally: Tally,
    pub(crate) naive: BTreeMap<Name, Counters>,
    pub(crate) limits: Vec<Limit>,
    /// Where lines stand that cannot be read, or have odd counts.
    pub(crate) unread: Vec<(FileNumber, u64)>,
}

/// What the app said of a limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit {
    /// When it said so.
    pub time: Option<Timestamp>,
    /// What it said.
    pub notice: String,
    /// The file it stands in.
    pub file: FileNumber,
}

/// An API call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The API response, or whatever its lines have in common.
    pub id: Box<str>,
    /// The API request.
    pub request: Option<Box<str>>,
    /// When it began: the smallest time on its lines.
    pub time: Option<Timestamp>,
    /// The model.
    pub model: Name,
    /// What it used.
    pub counters: Counters,
    /// What changes the price.
    pub terms: Option<Box<Terms>>,
    /// Old lines: what the app thought it cost.
    pub noted_cost: Option<PicoUsd>,
    /// The file it belongs to.
    pub file: FileNumber,
    /// The file and place of the line that speaks for it.
    pub spoken: (FileNumber, u64),
    /// Where it belongs, as its lines say.
    pub place: Place,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// Whether another model made it, to advise.
    pub is_advice: bool,
    /// Tools it called, by name, with how often.
    pub tools: Vec<(Name, u64)>,
    /// How many lines it is written in.
    pub lines: u64,
}

/// Lines that are no call of their own, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// The call as it streamed.
    pub streaming: u64,
    /// Copied by a fork, which says so.
    pub fork: u64,
    /// Copied into another file without a word, as resumed sessions once were.
    pub resume_copy: u64,
    /// Replayed: in the background, or under another request.
    pub replay: u64,
    /// Repeated as progress.
    pub progress: u64,
}

impl Duplicates {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.streaming + self.fork + self.resume_copy + self.replay + self.progress
    }
}

/// The calls of all lines.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The calls, by time, file and place.
    pub calls: Vec<Call>,
    /// The texts in them.
    pub names: Names,
    /// What was met on the way.
    pub tally: Tally,
    /// Lines that are no call of their own.
    pub duplicates: Duplicates,
    /// What the sum of all lines would be, by model.
    pub naive: BTreeMap<Name, Counters>,
    /// Limits that were reached, by time.
    pub limits: Vec<Limit>,
    /// Where lines stand that cannot be read, or have a count or a time that is
    /// none.
    pub unread: Vec<(FileNumber, u64)>,
}

impl Fold {
    /// Notes a line that cannot be read.
    pub fn note_damage(&mut self, file: FileNumber, offset: u64) {
        self.tally.damaged += 1;
        self.unread.push((file, offset));
    }

    /// Notes what a line says.
    pub fn note(&mut self, file: FileNumber, line: &CallLine<'_>) {
        self.tally.lines += 1;
        self.tally.odd += u64::from(line.is_odd);
        if line.is_odd {
            self.unread.push((file, line.offset));
        }
        self.tally.naive = self.tally.naive.plus(&line.counters);
        let model = self.names.add_again(10, line.model.as_deref());
        let naive = self.naive.entry(model).or_default();
        *naive = naive.plus(&line.counters);
        if let Some(notice) = &line.limit_notice {
            let notice = notice.to_string();
            self.limits.push(Limit { time: line.time, notice, file });
        }
        let key = match (&line.message_id, &line.request_id, &line.uuid) {
            (Some(id), _, _) => Key::Message((&**id).into()),
            (None, Some(id), _) => Key::Request((&**id).into()),
            (None, None, Some(id)) => Key::Line((&**id).into()),
            (None, None, None) => Key::Place(file, line.offset),
        };
        let gathered = self.gathered(file, line);
        let request = line.request_id.as_deref();
        let group = self.groups.entry(key).or_default();
        match group.iter_mut().find(|(known, _)| known.as_deref() == request) {
            Some((_, own)) => own.merge(gathered),
            None => push(group, request.map(Into::into), gathered),
        }
    }

    fn gathered(&mut self, file: FileNumber, line: &CallLine<'_>) -> Gathered {
        let names = &mut self.names;
        let origin = &line.origin;
        let is_copy = origin.is_fork || origin.is_background || origin.is_progress;
        let mut lines = Lines::default();
        match (origin.is_progress, origin.is_fork, origin.is_background) {
            (true, _, _) => lines.progress = 1,
            (_, true, _) => lines.forked = 1,
            (_, _, true) => lines.background = 1,
            _ => lines.plain = vec![(file, 1)],
        }
        Gathered {
            winner: Winner {
                counters: line.counters,
                time: line.time,
                file,
                offset: line.offset,
                model: names.add_again(10, line.model.as_deref()),
                terms: (line.terms != Terms::default()).then(|| Box::new(line.terms.clone())),
                cost: line.cost,
                advice: line.advice.clone(),
            },
            owner: Owner {
                is_copy,
                time: line.time,
                file,
                offset: line.offset,
                place: Place {
                    session: names.add_again(0, origin.session.as_deref()),
                    cwd: names.add_again(1, origin.cwd.as_deref()),
                    branch: names.add_again(2, origin.branch.as_deref()),
                    version: names.add_again(3, origin.version.as_deref()),
                    entrypoint: names.add_again(4, origin.entrypoint.as_deref()),
                    effort: names.add_again(5, origin.effort.as_deref()),
                    agent: names.add_again(6, origin.agent.as_deref()),
                    skill: names.add_again(7, origin.skill.as_deref()),
                    plugin: names.add_again(8, origin.plugin.as_deref()),
                    mcp: names.add_again(9, origin.mcp.as_deref()),
                },
            },
            first: line.time,
            tools: line.tools.iter().map(|(id, name)| (hash(id), names.add(Some(name)))).collect(),
            // What repeats an agent's line is the agent's.
            is_sidechain: origin.is_sidechain || origin.is_progress,
            lines,
        }
    }

    /// Both folds as one.
    #[must_use]
    pub fn merge(self, other: Fold) -> Fold {
        let (mut large, small) =
            if self.groups.len() >= other.groups.len() { (self, other) } else { (other, self) };
        let names = large.names.adopt(&small.names);
        for (key, group) in small.groups {
            let own = large.groups.entry(key).or_default();
            for (request, mut gathered) in group {
                gathered.winner.model = names.get(gathered.winner.model);
                gathered.owner.place = gathered.owner.place.renamed(&names);
                for (_, tool) in &mut gathered.tools {
                    *tool = names.get(*tool);
                }
                add(own, request, gathered);
            }
        }
        let tally = &mut large.tally;
        tally.lines += small.tally.lines;
        tally.damaged += small.tally.damaged;
        tally.odd += small.tally.odd;
        tally.naive = tally.naive.plus(&small.tally.naive);
        for (model, counters) in small.naive {
            let own = large.naive.entry(names.get(model)).or_default();
            *own = own.plus(&counters);
        }
        large.limits.extend(small.limits);
        large.unread.extend(small.unread);
        large
    }
}

/// A number for a text, the same for all time (FNV-1a); two texts with the same
/// one are not expected.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(crate) fn add(group: &mut Group, request: Option<Box<str>>, gathered: Gathered) {
    match group.iter_mut().find(|(known, _)| *known == request) {
        Some((_, own)) => own.merge(gathered),
        None => push(group, request, gathered),
    }
}

/// Nearly every response has one request: room for more would be most of the
/// memory of all.
fn push(group: &mut Group, request: Option<Box<str>>, gathered: Gathered) {
    group.reserve_exact(1);
    group.push((request, gathered));
}
