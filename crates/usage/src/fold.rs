//! Lines → API calls.
//!
//! A call is written as several lines while it streams, copied by forks and resumed
//! sessions, replayed in the background and repeated as progress. The fold groups all
//! of them by their ids and keeps one whole line, the one with the highest counts. It
//! is associative and commutative: files can come in any order and in any number of
//! threads, and the result is the same.
//!
//! Some decisions need all lines: the request of a line that names none, and which of
//! two requests is a replay. [`Fold::finish`] makes them.

use crate::line::{AdvisorCall, CallLine, Counters, Terms};
use crate::money::PicoUsd;
use crate::names::{Name, NameMap, Names};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};

/// The number of a file among all files, in the order of their paths.
pub type FileNumber = u32;

/// The key that the lines of one call share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// The API response.
    Message(Box<str>),
    /// The API request, if no response is named.
    Request(Box<str>),
    /// The line itself, if neither is named.
    Line(Box<str>),
    /// Its position, if the line has no id either.
    Place(FileNumber, u64),
}

/// The line whose counts represent a call.
#[derive(Clone, Debug)]
pub(crate) struct Winner {
    pub(crate) counters: Counters,
    pub(crate) time: Option<Timestamp>,
    pub(crate) file: FileNumber,
    pub(crate) offset: u64,
    pub(crate) model: Name,
    pub(crate) terms: Option<Box<Terms>>,
    pub(crate) cost: Option<PicoUsd>,
    pub(crate) advisor_calls: Vec<AdvisorCall>,
}

impl Winner {
    /// The highest output, then the highest total, then the later.
    fn order(&self) -> (u64, u64, Option<Timestamp>, FileNumber, u64) {
        (self.counters.output, self.counters.total(), self.time, self.file, self.offset)
    }
}

/// The line that decides to which file and session a call belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) is_copy: bool,
    pub(crate) time: Option<Timestamp>,
    pub(crate) file: FileNumber,
    pub(crate) offset: u64,
    pub(crate) attribution: Attribution,
}

impl Owner {
    /// Originals before copies, then the earliest, then the smallest path.
    fn order(&self) -> (bool, bool, Option<Timestamp>, FileNumber, u64) {
        (self.is_copy, self.time.is_none(), self.time, self.file, self.offset)
    }
}

/// What a call is attributed to, as recorded on its owner line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attribution {
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
    /// The effort level of the model.
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

impl Attribution {
    pub(crate) fn names(&self) -> [Name; 10] {
        let Attribution { session, cwd, branch, version, entrypoint, effort, agent, .. } = *self;
        let Attribution { skill, plugin, mcp, .. } = *self;
        [session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp]
    }

    pub(crate) fn of_names(names: [Name; 10]) -> Attribution {
        let [session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp] = names;
        Attribution { session, cwd, branch, version, entrypoint, effort, agent, skill, plugin, mcp }
    }

    fn renamed(self, names: &NameMap) -> Attribution {
        Attribution {
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

/// All lines of one request so far.
#[derive(Clone, Debug)]
pub(crate) struct RequestLines {
    pub(crate) winner: Winner,
    pub(crate) owner: Owner,
    pub(crate) first: Option<Timestamp>,
    /// (a hash of the call's id, the tool).
    pub(crate) tools: Vec<(u64, Name)>,
    pub(crate) is_sidechain: bool,
    pub(crate) lines: Lines,
}

/// Line counts by kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) progress: u64,
    pub(crate) forked: u64,
    pub(crate) background: u64,
    /// All other lines, by file.
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

impl RequestLines {
    pub(crate) fn merge(&mut self, other: RequestLines) {
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

/// The lines of one response by request; mostly there is one request.
pub(crate) type Group = Vec<(Option<Box<str>>, RequestLines)>;

/// Counts over all lines read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines of calls.
    pub lines: u64,
    /// Lines that mention usage and cannot be read.
    pub damaged: u64,
    /// Lines with an invalid count or time.
    pub odd: u64,
    /// The sum over all lines, duplicates included.
    pub naive: Counters,
}

/// Groups lines into calls.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    pub(crate) names: Names,
    pub(crate) groups: HashMap<Key, Group>,
    pub(crate) tally: Tally,
    pub(crate) naive: BTreeMap<Name, Counters>,
    pub(crate) limits: Vec<LimitNotice>,
    /// The positions of lines that cannot be read, or have invalid counts or times.
    pub(crate) unread: Vec<(FileNumber, u64)>,
}

/// The app's notice that a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LimitNotice {
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Its text.
    pub notice: String,
    /// The file it is in.
    pub file: FileNumber,
}

/// An API call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The id of the API response, or another key that its lines share.
    pub id: Box<str>,
    /// The API request.
    pub request: Option<Box<str>>,
    /// When it began: the earliest time on its lines.
    pub time: Option<Timestamp>,
    /// The model.
    pub model: Name,
    /// Its token counts.
    pub counters: Counters,
    /// The terms that change its price.
    pub terms: Option<Box<Terms>>,
    /// Its cost as logged by old versions of the app.
    pub logged_cost: Option<PicoUsd>,
    /// The file it belongs to.
    pub file: FileNumber,
    /// The file and offset of the line whose counts represent it.
    pub chosen_line: (FileNumber, u64),
    /// What it is attributed to.
    pub attribution: Attribution,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// Whether it is the call of an advisor model.
    pub is_advisor_call: bool,
    /// The tools it called, by name, with counts.
    pub tools: Vec<(Name, u64)>,
    /// How many lines it is written in.
    pub lines: u64,
}

/// Duplicate lines of calls, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Earlier states of the call while it streamed.
    pub streaming: u64,
    /// Copied by a fork, and marked as such.
    pub fork: u64,
    /// Copied into another file without a mark, as resuming a session once did.
    pub resume_copy: u64,
    /// Replayed: in the background, or under another request.
    pub replay: u64,
    /// Repeated as progress.
    pub progress: u64,
}

impl Duplicates {
    /// The total.
    pub fn total(&self) -> u64 {
        self.streaming + self.fork + self.resume_copy + self.replay + self.progress
    }
}

/// The calls of all lines.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The calls, by time, file and position.
    pub calls: Vec<Call>,
    /// The texts that they refer to.
    pub names: Names,
    /// Counts over all lines read.
    pub tally: Tally,
    /// The duplicate lines.
    pub duplicates: Duplicates,
    /// The sum over all lines, duplicates included, by model.
    pub naive: BTreeMap<Name, Counters>,
    /// Notices of reached limits, by time.
    pub limits: Vec<LimitNotice>,
    /// The positions of lines that cannot be read, or have invalid counts or times.
    pub unread: Vec<(FileNumber, u64)>,
}

impl Fold {
    /// An empty fold with a table of names, which it adds its own to.
    pub fn with_names(names: Names) -> Fold {
        Fold { names, ..Fold::default() }
    }

    /// Adds a line that cannot be read.
    pub fn note_damage(&mut self, file: FileNumber, offset: u64) {
        self.tally.damaged += 1;
        self.unread.push((file, offset));
    }

    /// Adds a line of a call.
    pub fn note(&mut self, file: FileNumber, line: &CallLine<'_>) {
        self.tally.lines += 1;
        self.tally.odd += u64::from(line.is_odd);
        if line.is_odd {
            self.unread.push((file, line.offset));
        }
        self.tally.naive = self.tally.naive.plus(&line.counters);
        let model = self.names.add_cached(10, line.model.as_deref());
        let naive = self.naive.entry(model).or_default();
        *naive = naive.plus(&line.counters);
        if let Some(notice) = &line.limit_notice {
            let notice = notice.to_string();
            self.limits.push(LimitNotice { time: line.time, notice, file });
        }
        let key = match (&line.message_id, &line.request_id, &line.uuid) {
            (Some(id), _, _) => Key::Message((&**id).into()),
            (None, Some(id), _) => Key::Request((&**id).into()),
            (None, None, Some(id)) => Key::Line((&**id).into()),
            (None, None, None) => Key::Place(file, line.offset),
        };
        let request_lines = self.request_lines(file, line);
        let request = line.request_id.as_deref();
        let group = self.groups.entry(key).or_default();
        match group.iter_mut().find(|(known, _)| known.as_deref() == request) {
            Some((_, own)) => own.merge(request_lines),
            None => push(group, request.map(Into::into), request_lines),
        }
    }

    fn request_lines(&mut self, file: FileNumber, line: &CallLine<'_>) -> RequestLines {
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
        RequestLines {
            winner: Winner {
                counters: line.counters,
                time: line.time,
                file,
                offset: line.offset,
                model: names.add_cached(10, line.model.as_deref()),
                terms: (line.terms != Terms::default()).then(|| Box::new(line.terms.clone())),
                cost: line.cost,
                advisor_calls: line.advisor_calls.clone(),
            },
            owner: Owner {
                is_copy,
                time: line.time,
                file,
                offset: line.offset,
                attribution: Attribution {
                    session: names.add_cached(0, origin.session.as_deref()),
                    cwd: names.add_cached(1, origin.cwd.as_deref()),
                    branch: names.add_cached(2, origin.branch.as_deref()),
                    version: names.add_cached(3, origin.version.as_deref()),
                    entrypoint: names.add_cached(4, origin.entrypoint.as_deref()),
                    effort: names.add_cached(5, origin.effort.as_deref()),
                    agent: names.add_cached(6, origin.agent.as_deref()),
                    skill: names.add_cached(7, origin.skill.as_deref()),
                    plugin: names.add_cached(8, origin.plugin.as_deref()),
                    mcp: names.add_cached(9, origin.mcp.as_deref()),
                },
            },
            first: line.time,
            tools: line.tools.iter().map(|(id, name)| (hash(id), names.add(Some(name)))).collect(),
            // A progress line repeats the line of an agent.
            is_sidechain: origin.is_sidechain || origin.is_progress,
            lines,
        }
    }

    /// Merges two folds.
    #[must_use]
    pub fn merge(self, other: Fold) -> Fold {
        let (mut large, small) =
            if self.groups.len() >= other.groups.len() { (self, other) } else { (other, self) };
        let names = large.names.add_all(&small.names);
        for (key, group) in small.groups {
            let own = large.groups.entry(key).or_default();
            for (request, mut request_lines) in group {
                request_lines.winner.model = names.get(request_lines.winner.model);
                request_lines.owner.attribution = request_lines.owner.attribution.renamed(&names);
                for (_, tool) in &mut request_lines.tools {
                    *tool = names.get(*tool);
                }
                add(own, request, request_lines);
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

/// A stable hash of a text (FNV-1a). Collisions are not expected.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(crate) fn add(group: &mut Group, request: Option<Box<str>>, request_lines: RequestLines) {
    match group.iter_mut().find(|(known, _)| *known == request) {
        Some((_, own)) => own.merge(request_lines),
        None => push(group, request, request_lines),
    }
}

/// Nearly every response has one request: spare capacity would dominate memory use.
fn push(group: &mut Group, request: Option<Box<str>>, request_lines: RequestLines) {
    group.reserve_exact(1);
    group.push((request, request_lines));
}
