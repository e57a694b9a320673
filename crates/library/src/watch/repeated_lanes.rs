//! The lanes of sub-agents that have no file: the progress records of a transcript that
//! is followed repeat their lines.
//!
//! Deliberately not here: completing repeated lines, and the usage of these agents, which
//! the transcript with the progress records counts.

use crate::lines::repeated::RepeatedLine;
use crate::watch::Watch;
use crate::watch::event::{Event, EventKind};
use crate::watch::lane::{Lane, LaneEvent};
use crate::watch::session::Followed;
use conversation::Outcome;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use store::{Agent, AgentMeta};
use transcript::{Line, LineEnd};

/// What happened to the repeated lines of a transcript.
#[derive(Debug)]
pub(super) enum RepeatedChange {
    /// A line was repeated.
    Line(RepeatedLine),
    /// Those from an offset of the file on are gone.
    Retract(u64),
}

/// The lane of an agent without a file.
#[derive(Debug)]
pub(super) struct RepeatedLane {
    pub(super) agent: Agent,
    pub(super) lane: Lane,
    /// The reported outcome of the agent.
    pub(super) outcome: Option<Outcome>,
    /// The transcript with the progress records.
    transcript: PathBuf,
    /// The lines so far: offsets and uuids.
    lines: Vec<(u64, String)>,
}

impl RepeatedLane {
    /// The lane of the agent of a line in a transcript, whose lines before an offset are
    /// the past.
    pub(super) fn new(
        line: &RepeatedLine,
        meta: AgentMeta,
        transcript: PathBuf,
        past_until: u64,
    ) -> RepeatedLane {
        let agent = line.agent(&transcript, meta);
        RepeatedLane {
            agent,
            lane: Lane::new(true, past_until),
            outcome: None,
            transcript,
            lines: Vec::new(),
        }
    }

    /// Whether its lines are in a transcript.
    pub(super) fn is_in(&self, transcript: &Path) -> bool {
        self.transcript == transcript
    }

    /// Adds a line. One that was repeated before is not added again.
    pub(super) fn add(&mut self, line: &RepeatedLine) {
        if self.lines.iter().any(|(_, uuid)| *uuid == line.uuid) {
            return;
        }
        let parent = self.lines.last().map(|(_, uuid)| uuid.as_str());
        let bytes = &*line.completed(parent);
        let number = self.lines.len() as u64 + 1;
        self.lane.add(Line { number, offset: line.offset, bytes, end: LineEnd::Newline });
        self.lines.push((line.offset, line.uuid.clone()));
    }

    /// Removes the lines from an offset of the transcript on.
    pub(super) fn retract(&mut self, from: u64) {
        self.lines.retain(|(offset, _)| *offset < from);
        self.lane.retract(from);
    }
}

impl Followed {
    /// Reports what happened to the lines of agents that a transcript repeats.
    pub(super) fn read_repeated(&mut self, watch: &Watch, number: usize, into: &mut Vec<Event>) {
        let changes = std::mem::take(&mut self.tracks[number].repeated);
        if changes.is_empty() {
            return;
        }
        let past_until = self.tracks[number].past_until;
        let transcript = self.tracks[number].path.clone();
        let is_known = |own: &Followed, agent: &str| {
            own.repeated.iter().any(|lane| lane.agent.id == agent) || own.has_agent_file(agent)
        };
        // The file of a new agent may not have been noticed yet.
        let is_new = |change: &RepeatedChange| match change {
            RepeatedChange::Line(line) => !is_known(self, &line.agent_id),
            RepeatedChange::Retract(_) => false,
        };
        if changes.iter().any(is_new) {
            self.find_agents(watch, false, into);
        }
        let mut touched = BTreeSet::new();
        for change in changes {
            match change {
                RepeatedChange::Line(line) if self.has_agent_file(&line.agent_id) => {}
                RepeatedChange::Line(line) => {
                    let known = self.repeated.iter().position(|own| own.agent.id == line.agent_id);
                    let own = known.unwrap_or_else(|| {
                        let new = self.repeated_lane(&line, number, past_until);
                        let is_past = line.offset < past_until;
                        let what = EventKind::AgentStarted(Box::new(new.agent.clone()));
                        into.push(self.agent_event(&line.agent_id, LaneEvent { is_past, what }));
                        self.repeated.push(new);
                        self.repeated.len() - 1
                    });
                    self.repeated[own].add(&line);
                    touched.insert(own);
                }
                RepeatedChange::Retract(from) => {
                    for (place, own) in self.repeated.iter_mut().enumerate() {
                        if own.is_in(&transcript) {
                            own.retract(from);
                            touched.insert(place);
                        }
                    }
                }
            }
        }
        for place in touched {
            let id = self.repeated[place].agent.id.clone();
            let events = self.repeated[place].lane.settle();
            into.extend(events.into_iter().map(|event| self.agent_event(&id, event)));
        }
    }

    /// Removes the lane of an agent whose file was found: the file has its lines.
    pub(super) fn remove_repeated(&mut self, agent: &str, into: &mut Vec<Event>) {
        let Some(place) = self.repeated.iter().position(|own| own.agent.id == agent) else {
            return;
        };
        let mut own = self.repeated.remove(place);
        own.retract(0);
        let events = own.lane.settle();
        into.extend(events.into_iter().map(|event| self.agent_event(agent, event)));
    }

    fn has_agent_file(&self, id: &str) -> bool {
        let mut agents = self.tracks.iter().filter_map(|track| track.agent.as_ref());
        agents.any(|agent| agent.id == id)
    }

    fn repeated_lane(&self, line: &RepeatedLine, number: usize, past_until: u64) -> RepeatedLane {
        let track = &self.tracks[number];
        let asked = line.tool_use_id.as_ref().and_then(|call| self.asked.get(call));
        let parent = track.agent.as_ref().map(|agent| agent.id.clone());
        let meta = AgentMeta { parent_agent_id: parent, ..asked.cloned().unwrap_or_default() };
        RepeatedLane::new(line, meta, track.path.clone(), past_until)
    }

    fn agent_event(&self, agent: &str, LaneEvent { is_past, what }: LaneEvent) -> Event {
        Event { session_id: self.id.clone(), agent_id: Some(agent.to_owned()), is_past, what }
    }
}
