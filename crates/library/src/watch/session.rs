//! One session that is followed: its transcript and those of its sub-agents.

use crate::catalog::agent_files::FlatAgents;
use crate::lines::repeated::RepeatedLine;
use crate::redaction::masking::Masking;
use crate::session::Session;
use crate::stores::Tier;
use crate::watch::Watch;
use crate::watch::event::{Event, EventKind, SessionEnd};
use crate::watch::lane::{Lane, LaneEvent};
use crate::watch::repeated_lanes::{RepeatedChange, RepeatedLane};
use crate::watch::usage_tally::UsageTally;
use conversation::{Outcome, Status, ToolCall};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{
    Agent, AgentMeta, Cursor, FileChange, FileStat, LineReader, LineSink, LiveSession,
    SessionFolder, ShelfStat,
};
use transcript::Line;

/// A transcript and how far it has been read.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) path: PathBuf,
    pub(super) agent: Option<Agent>,
    cursor: Cursor,
    lane: Lane,
    /// The state of the file when it was last read.
    stat: Option<FileStat>,
    /// The state of another app's file when its transcript was last made.
    app_stat: Option<ShelfStat>,
    is_gone: bool,
    /// Whether it changed so recently that another change may have been missed.
    is_doubtful: bool,
    /// The time since which its reports are hasty.
    hasty_since: Option<Instant>,
    /// When it was last read, and how long reading the whole took.
    read_at: Option<Instant>,
    cost: Duration,
    /// The reported outcome of the agent.
    outcome: Option<Outcome>,
    /// Lines before this offset are the past.
    pub(super) past_until: u64,
    /// What happened to the lines of agents that it repeats.
    pub(super) repeated: Vec<RepeatedChange>,
}

/// The result of a call that starts an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AgentCallResult {
    /// The agent continues in the background.
    InBackground,
    Ended(Outcome),
}

/// A session that is followed.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) id: String,
    /// The session, once it has a transcript.
    session: Option<Session>,
    /// The main transcript first, if there is one.
    pub(super) tracks: Vec<Track>,
    has_main: bool,
    spawned: HashMap<String, AgentCallResult>,
    /// The agents that only progress records have.
    pub(super) repeated: Vec<RepeatedLane>,
    /// Type and description of the agents that calls ask for.
    pub(super) asked: HashMap<String, AgentMeta>,
    tally: UsageTally,
    /// The process that writes it.
    pub(super) process: Option<LiveSession>,
    /// Since when it has ended and nothing more was written.
    ended: Option<Instant>,
}

/// Reads lines into a lane, masked if masking is on.
struct Reading<'r> {
    lane: &'r mut Lane,
    repeated: &'r mut Vec<RepeatedChange>,
    watch: &'r Watch,
    path: &'r Path,
    /// Made for the first new line, so that it knows the values of all of them.
    masking: OnceCell<Masking>,
}

impl LineSink for Reading<'_> {
    fn line(&mut self, line: Line<'_>) -> bool {
        let bytes = &*self
            .masking
            .get_or_init(|| self.watch.redaction.masking_of(self.path))
            .line(line.bytes);
        let line = Line { bytes, ..line };
        self.repeated.extend(RepeatedLine::all_in(line).into_iter().map(RepeatedChange::Line));
        self.lane.add(line);
        true
    }

    fn retract(&mut self, from: u64) {
        self.lane.retract(from);
        self.repeated.push(RepeatedChange::Retract(from));
    }
}

impl Track {
    fn new(path: PathBuf, agent: Option<Agent>, past_until: u64) -> Track {
        Track {
            path,
            lane: Lane::new(agent.is_some(), past_until),
            agent,
            cursor: Cursor::default(),
            stat: None,
            app_stat: None,
            is_gone: false,
            is_doubtful: false,
            hasty_since: None,
            read_at: None,
            cost: Duration::ZERO,
            outcome: None,
            past_until,
            repeated: Vec::new(),
        }
    }

    /// Reads new lines and returns the events; `None` if the file is gone.
    fn read(&mut self, watch: &Watch, reader: &mut LineReader) -> Option<Vec<LaneEvent>> {
        let began = Instant::now();
        match self.read_new_lines(watch, reader) {
            Ok(FileChange::Unchanged) => {
                self.is_doubtful = false;
                Some(Vec::new())
            }
            Ok(_) => {
                let stat = self.cursor.stat();
                let is_other =
                    self.stat.zip(stat).is_some_and(|(before, now)| !before.is_same_file(&now));
                let is_same = self.stat == stat;
                self.stat = stat;
                self.is_gone = false;
                // A second read that found no change needs no third.
                self.is_doubtful = !is_same;
                let mut lane_events = Vec::new();
                if is_other {
                    lane_events.push(LaneEvent { is_past: false, what: EventKind::Replaced });
                }
                lane_events.extend(self.lane.update());
                self.hasty_since = match (self.lane.is_hasty(), self.hasty_since) {
                    (true, None) => Some(Instant::now()),
                    (true, since) => since,
                    (false, _) => None,
                };
                let end = Instant::now();
                self.read_at = Some(end);
                if !self.lane.is_hasty() {
                    self.cost = end.duration_since(began);
                }
                Some(lane_events)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.cursor.force_next_read();
                self.is_doubtful = false;
                None
            }
            // It is read again when it changes, and once before that.
            Err(_) => {
                self.is_doubtful = !self.is_doubtful;
                Some(Vec::new())
            }
        }
    }

    fn read_new_lines(&mut self, watch: &Watch, reader: &mut LineReader) -> io::Result<FileChange> {
        let mut sink = Reading {
            lane: &mut self.lane,
            repeated: &mut self.repeated,
            watch,
            path: &self.path,
            masking: OnceCell::new(),
        };
        if !watch.stores.is_of_app(&self.path) {
            return self.cursor.read_new_lines(&self.path, reader, &mut sink);
        }
        let (stat, _) = watch.stores.disk.find(&self.path).ok_or(io::ErrorKind::NotFound)?;
        if self.app_stat == Some(stat) {
            return Ok(FileChange::Unchanged);
        }
        let mut file = watch.stores.disk.open(&self.path)?;
        let change = self.cursor.read_new_lines_from(&mut file, reader, &mut sink)?;
        self.app_stat = Some(stat);
        Ok(change)
    }

    fn settle(&mut self) -> Vec<LaneEvent> {
        let start = Instant::now();
        self.hasty_since = None;
        let lane_events = self.lane.settle();
        self.cost = start.elapsed();
        lane_events
    }

    /// How long to wait before reading the whole, if that is necessary. The
    /// longer that takes, the longer the wait: new lines come first.
    fn time_to_next_check(&self) -> Option<Duration> {
        const SHORT: Duration = Duration::from_millis(50);
        const LONG: Duration = Duration::from_secs(2);
        let since_read = self.read_at.map_or(SHORT, |at| at.elapsed());
        let calm = (self.cost * 10).max(SHORT).saturating_sub(since_read);
        let most = self
            .hasty_since
            .map(|since| (self.cost * 20).max(LONG).saturating_sub(since.elapsed()));
        (self.is_doubtful || self.hasty_since.is_some())
            .then(|| most.map_or(calm, |most| calm.min(most)))
    }
}

impl Followed {
    pub(super) fn new(id: String, process: Option<LiveSession>) -> Followed {
        Followed {
            id,
            session: None,
            tracks: Vec::new(),
            has_main: false,
            spawned: HashMap::new(),
            repeated: Vec::new(),
            asked: HashMap::new(),
            tally: UsageTally::default(),
            process,
            ended: None,
        }
    }

    /// Marks it as ended and returns the event.
    pub(super) fn end(&mut self, why: SessionEnd) -> Event {
        self.ended = Some(Instant::now());
        self.event(EventKind::SessionEnded(why), false)
    }

    /// Marks it as resumed and returns the event.
    pub(super) fn go_on(&mut self) -> Event {
        self.ended = None;
        self.started(false)
    }

    /// Whether it ended so long ago that nothing more is expected.
    pub(super) fn is_over(&self, since: Duration) -> bool {
        self.ended.is_some_and(|ended| ended.elapsed() >= since)
            && self.time_to_next_check().is_none()
    }

    /// Its main transcript, and how far it was read; `None` if it is gone.
    pub(super) fn main(&self) -> Option<(&Path, Option<u64>)> {
        let main = self.tracks.first().filter(|_| self.has_main)?;
        Some((&main.path, (!main.is_gone).then(|| main.cursor.offset())))
    }

    pub(super) fn has_transcript(&self) -> bool {
        self.has_main
    }

    /// Where its transcripts are.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.tracks.iter().map(|track| track.path.as_path())
    }

    /// The folder of its files.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.session.as_ref()?.path.as_ref().map(|path| path.with_extension(""))
    }

    pub(super) fn event(&self, what: EventKind, is_past: bool) -> Event {
        Event { session_id: self.id.clone(), agent_id: None, is_past, what }
    }

    /// The event that it is followed.
    pub(super) fn started(&self, is_past: bool) -> Event {
        let session = self.session.clone().map(Box::new);
        let process = self.process.clone().map(Box::new);
        self.event(EventKind::SessionStarted { session, process }, is_past)
    }

    /// Adds its transcript, whose lines before an offset are the past.
    pub(super) fn take_transcript(&mut self, session: Session, past_until: u64) {
        let Some(path) = session.path.clone() else { return };
        self.session = Some(session);
        if !self.has_main {
            self.has_main = true;
            self.tracks.insert(0, Track::new(path, None, past_until));
        }
    }

    /// Finds new sub-agents.
    pub(super) fn find_agents(&mut self, watch: &Watch, is_past: bool, into: &mut Vec<Event>) {
        let Some(session) = &mut self.session else { return };
        if let Some(path) = session.path.as_ref().filter(|_| session.session_folder.is_none()) {
            let folder = path.with_extension("");
            session.session_folder = SessionFolder::find(&watch.stores.disk, folder);
        }
        for mut agent in watch.catalog.agent_files_of(session, &mut FlatAgents::new(), Tier::Disk) {
            if self.tracks.iter().any(|track| track.path == agent.path) {
                continue;
            }
            self.remove_repeated(&agent.id, into);
            agent.meta = masked_meta(watch, &agent.path, agent.meta);
            into.push(Event {
                session_id: self.id.clone(),
                agent_id: Some(agent.id.clone()),
                is_past,
                what: EventKind::AgentStarted(Box::new(agent.clone())),
            });
            let past_until = if is_past { u64::MAX } else { 0 };
            self.tracks.push(Track::new(agent.path.clone(), Some(agent), past_until));
        }
    }

    /// The metadata file of a sub-agent has changed.
    pub(super) fn read_meta(&mut self, watch: &Watch, path: &Path, into: &mut Vec<Event>) {
        let Some(name) = path.to_str().and_then(|path| path.strip_suffix(".meta.json")) else {
            return;
        };
        let transcript = PathBuf::from(format!("{name}.jsonl"));
        let Some(track) = self.tracks.iter_mut().find(|track| track.path == transcript) else {
            return;
        };
        let Some(agent) = &mut track.agent else { return };
        let meta = AgentMeta::read_for(&watch.stores.disk, &transcript);
        let meta = masked_meta(watch, &transcript, meta);
        if meta != AgentMeta::default() && meta != agent.meta {
            agent.meta = meta;
            into.push(Event {
                session_id: self.id.clone(),
                agent_id: Some(agent.id.clone()),
                is_past: false,
                what: EventKind::AgentStarted(Box::new(agent.clone())),
            });
        }
    }

    /// Reads the new lines of a transcript.
    pub(super) fn read(
        &mut self,
        watch: &Watch,
        path: &Path,
        reader: &mut LineReader,
        into: &mut Vec<Event>,
    ) {
        let Some(number) = self.tracks.iter().position(|track| track.path == path) else { return };
        let was_gone = self.tracks[number].is_gone;
        let is_main = self.tracks[number].agent.is_none();
        match self.tracks[number].read(watch, reader) {
            Some(lane_events) => {
                if was_gone && !self.tracks[number].is_gone && is_main {
                    into.push(self.go_on());
                }
                if !lane_events.is_empty() {
                    self.ended = self.ended.map(|_| Instant::now());
                }
                self.report(number, lane_events, into);
                self.read_repeated(watch, number, into);
            }
            None if !was_gone => {
                self.tracks[number].is_gone = true;
                if is_main {
                    into.push(self.end(SessionEnd::Deleted));
                }
            }
            None => {}
        }
    }

    /// Reads again what may have changed unnoticed, and reads the whole of
    /// hasty transcripts whose time has come.
    pub(super) fn check_missed(
        &mut self,
        watch: &Watch,
        reader: &mut LineReader,
        into: &mut Vec<Event>,
    ) {
        for number in 0..self.tracks.len() {
            let track = &mut self.tracks[number];
            if track.time_to_next_check() != Some(Duration::ZERO) {
                continue;
            }
            if track.is_doubtful {
                track.cursor.force_next_read();
                let path = track.path.clone();
                self.read(watch, &path, reader, into);
            }
            let track = &mut self.tracks[number];
            if track.hasty_since.is_some() {
                let lane_events = track.settle();
                self.report(number, lane_events, into);
            }
        }
    }

    /// How long [`Followed::check_missed`] may wait, if it has something to do.
    pub(super) fn time_to_next_check(&self) -> Option<Duration> {
        self.tracks.iter().filter_map(Track::time_to_next_check).min()
    }

    fn report(&mut self, number: usize, lane_events: Vec<LaneEvent>, into: &mut Vec<Event>) {
        let agent_id = self.tracks[number].agent.as_ref().map(|agent| agent.id.clone());
        for LaneEvent { is_past, what } in lane_events {
            self.note_spawned(&what);
            let session_id = self.id.clone();
            into.push(Event { session_id, agent_id: agent_id.clone(), is_past, what });
        }
    }

    /// Records the calls that start agents, and their results.
    fn note_spawned(&mut self, what: &EventKind) {
        match what {
            EventKind::CallStarted(called) => {
                let meta = called.read(|call| call.is_spawn().then(|| asked_meta(call)));
                if let Some(meta) = meta.flatten() {
                    self.asked.insert(called.id.clone(), meta);
                }
            }
            EventKind::CallEnded(called) => {
                let spawned = called.read(|call| {
                    let answer = call.answer.as_ref()?;
                    let is_in_background = answer.member("isAsync") == Some("true")
                        || answer.member_string("status").as_deref() == Some("async_launched");
                    call.is_spawn().then(|| match call.status() {
                        _ if is_in_background => AgentCallResult::InBackground,
                        Status::Ok | Status::Missing => AgentCallResult::Ended(Outcome::Done),
                        Status::Error => AgentCallResult::Ended(Outcome::Failed),
                        Status::Denied | Status::Interrupted => {
                            AgentCallResult::Ended(Outcome::Stopped)
                        }
                    })
                });
                if let Some(spawned) = spawned.flatten() {
                    self.spawned.insert(called.id.clone(), spawned);
                }
            }
            EventKind::Retracted(retracted) => {
                for id in retracted.calls.iter().chain(&retracted.answers) {
                    self.spawned.remove(id);
                }
            }
            _ => {}
        }
    }

    /// Reports the agents that ended, and the usage of the session if it has
    /// changed.
    pub(super) fn sum_up(&mut self, is_past: bool, into: &mut Vec<Event>) {
        let with_files = self
            .tracks
            .iter_mut()
            .filter_map(|track| Some((track.agent.as_ref()?, &track.lane, &mut track.outcome)));
        let repeated =
            self.repeated.iter_mut().map(|own| (&own.agent, &own.lane, &mut own.outcome));
        for (agent, lane, reported) in with_files.chain(repeated) {
            let call = agent.meta.tool_use_id.as_ref();
            let outcome = match call.and_then(|call| self.spawned.get(call)) {
                Some(AgentCallResult::Ended(outcome)) => Some(*outcome),
                _ => lane.outcome().filter(|outcome| *outcome != Outcome::Unfinished),
            };
            if outcome == *reported || lane.is_empty() {
                continue;
            }
            *reported = outcome;
            into.extend(outcome.map(|outcome| Event {
                session_id: self.id.clone(),
                agent_id: Some(agent.id.clone()),
                is_past,
                what: EventKind::AgentEnded(outcome),
            }));
        }
        let lanes = self.tracks.iter_mut().map(|track| &mut track.lane);
        let figures = self.tally.update(lanes, self.has_main);
        // A new follower gets figures, even if they are zero.
        let figures = figures.or_else(|| is_past.then(|| self.tally.reported().clone()));
        into.extend(
            figures.map(|figures| self.event(EventKind::Usage(Box::new(figures)), is_past)),
        );
    }
}

/// What a call that starts an agent says about it.
fn asked_meta(call: &ToolCall<'_>) -> AgentMeta {
    let text = |key| call.argument(key).map(Cow::into_owned);
    AgentMeta {
        agent_type: text("subagent_type"),
        description: text("description"),
        ..AgentMeta::default()
    }
}

/// The metadata of an agent, with secrets masked.
fn masked_meta(watch: &Watch, path: &Path, mut meta: AgentMeta) -> AgentMeta {
    let masking = watch.redaction.masking_of(path);
    for text in [&mut meta.description, &mut meta.agent_type, &mut meta.name] {
        *text = text.take().map(|text| masking.text(text));
    }
    meta
}
