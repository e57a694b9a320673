//! Every tool call, in sessions and their sub-agents.
//!
//! All files of a session are read together, because a call and its result may
//! be in different ones. Sessions are read one by one, so the size of the store
//! does not matter.

use crate::catalog::agent_files::FlatAgents;
use crate::lines::ReadError;
use crate::lines::repeated::{agents_repeated_in, nested_agents, transcript_of};
use crate::lines::whole::read_whole;
use crate::progress::{BytesLeft, Progress};
use crate::session::Session;
use crate::sessions::Sessions;
use crate::sessions::agents::{claim, scan_of};
use crate::sessions::turns::LineTurns;
use crate::sessions::view::parse_conversation;
use crate::stores::Tier;
use conversation::{AgentNode, AgentScan, Calls, ToolCall, TurnNumber, View, link_agents};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use store::Agent;
use transcript::Entry;

/// The calls of one session.
#[derive(Debug)]
pub struct SessionCalls<'a> {
    /// Its sub-agents.
    pub agents: Vec<AgentNode>,
    /// The calls, each with the sub-agent that made it.
    pub calls: Vec<(Option<usize>, ToolCall<'a>)>,
    /// Results without a call.
    pub unasked: usize,
    turns: CallTurns<'a>,
}

impl SessionCalls<'_> {
    /// The turn of a call, by its number: in the session's numbering, or in that of
    /// the sub-agent that made it. The first question reads the conversation.
    pub fn turn(&self, number: usize) -> Option<TurnNumber> {
        let (agent, call) = self.calls.get(number)?;
        let file = agent.and_then(|agent| self.agents.get(agent)?.file);
        let turns = self.turns.of_file(file)?;
        let uuid = call.origin.uuid.as_deref();
        uuid.and_then(|uuid| turns.of_uuid(uuid)).or_else(|| turns.at_line(call.origin.line))
    }

    /// The turns of the main transcript.
    pub(crate) fn main_turns(&self) -> Option<&LineTurns> {
        self.turns.of_file(None)
    }
}

/// The turns of the transcripts of a session, which are read when they are asked for:
/// most calls are only counted.
#[derive(Debug, Default)]
struct CallTurns<'a> {
    /// The main transcript, then those of agents by the numbers of their files.
    files: Vec<(&'a [u8], OnceLock<LineTurns>)>,
}

impl<'a> CallTurns<'a> {
    fn new(files: impl IntoIterator<Item = &'a [u8]>) -> Self {
        CallTurns { files: files.into_iter().map(|bytes| (bytes, OnceLock::new())).collect() }
    }

    /// The turns of an agent's file, or of the main transcript.
    fn of_file(&self, agent: Option<usize>) -> Option<&LineTurns> {
        let (bytes, turns) = self.files.get(agent.map_or(0, |file| file + 1))?;
        let read = || LineTurns::of(&parse_conversation(bytes, agent.is_some(), View::App));
        Some(turns.get_or_init(read))
    }
}

impl Sessions {
    /// Passes the calls of each session to `each`, and returns the results in
    /// the order of the sessions.
    pub fn calls<T: Send>(
        &self,
        sessions: &[&Session],
        tier: Tier,
        progress: &dyn Progress,
        each: impl Fn(&Session, &SessionCalls<'_>) -> T + Sync,
    ) -> (Vec<T>, Vec<ReadError>) {
        let (answers, read_errors) = self.each_session(
            sessions,
            tier,
            progress,
            |_| true,
            |session, agents, bytes| each(session, &bytes.calls(agents, |_, _| {})),
        );
        (answers.into_iter().flatten().collect(), read_errors)
    }
}

impl Sessions {
    /// Passes the bytes of each session to `each`, and returns the results in
    /// the order of the sessions. A session is skipped, without a result, if
    /// `may_match` accepts none of its files as they are on disk.
    pub(crate) fn each_session<T: Send>(
        &self,
        sessions: &[&Session],
        tier: Tier,
        progress: &dyn Progress,
        may_match: impl Fn(&[u8]) -> bool + Sync,
        each: impl Fn(&Session, &[Agent], &SessionBytes) -> T + Sync,
    ) -> (Vec<Option<T>>, Vec<ReadError>) {
        let each = |_, session: &Session, agents: &[Agent], bytes: &SessionBytes| {
            each(session, agents, bytes)
        };
        self.each_session_while(sessions, tier, progress, |_| true, may_match, each)
    }

    /// The same, for the sessions that are still wanted when their turn comes;
    /// sessions are identified by their numbers.
    pub(crate) fn each_session_while<T: Send>(
        &self,
        sessions: &[&Session],
        tier: Tier,
        progress: &dyn Progress,
        is_wanted: impl Fn(usize) -> bool + Sync,
        may_match: impl Fn(&[u8]) -> bool + Sync,
        each: impl Fn(usize, &Session, &[Agent], &SessionBytes) -> T + Sync,
    ) -> (Vec<Option<T>>, Vec<ReadError>) {
        let mut flat = FlatAgents::new();
        let mut unread: Vec<(usize, Option<T>)> = Vec::new();
        let sized = sessions.iter().enumerate().map(|(number, session)| {
            let agents = self.catalog.agent_files_of(session, &mut flat, tier);
            let bytes =
                session.metadata.bytes + agents.iter().map(|agent| agent.bytes).sum::<u64>();
            (number, *session, agents, bytes)
        });
        let mut sized: Vec<_> = sized.collect();
        if progress.most_bytes().is_some() {
            // The first sessions matter most.
            let mut left = BytesLeft::of(progress);
            sized.retain(|(number, .., bytes)| {
                let is_read = left.admits(*bytes);
                if !is_read {
                    progress.leave_out();
                    unread.push((*number, None));
                }
                is_read
            });
        } else {
            // Starting with the largest is fastest.
            sized.sort_by_key(|(.., bytes)| std::cmp::Reverse(*bytes));
        }
        progress.start(sized.iter().map(|(.., bytes)| bytes).sum());
        let read_errors = Mutex::new(Vec::new());
        let mut answers: Vec<(usize, Option<T>)> = sized
            .into_iter()
            .par_bridge()
            .map(|(number, session, agents, bytes)| {
                if !is_wanted(number) {
                    return (number, None);
                }
                if progress.is_late() {
                    progress.leave_out();
                    return (number, None);
                }
                let (bytes_of, may_match) =
                    SessionBytes::read_if(self, session.path.as_deref(), &agents, &may_match);
                if let Ok(mut read_errors) = read_errors.lock() {
                    read_errors.extend(bytes_of.read_errors.iter().cloned());
                }
                let answer = may_match.then(|| each(number, session, &agents, &bytes_of));
                progress.advance(bytes);
                (number, answer)
            })
            .collect();
        progress.finish();
        answers.append(&mut unread);
        answers.sort_by_key(|(number, _)| *number);
        let read_errors = read_errors.into_inner().unwrap_or_default();
        (answers.into_iter().map(|(_, answer)| answer).collect(), read_errors)
    }
}

/// The bytes of a session.
#[derive(Debug)]
pub(crate) struct SessionBytes {
    pub(crate) main: Vec<u8>,
    agents: Vec<Vec<u8>>,
    /// The agents without files whose lines those of other agents repeat.
    nested: Vec<(Agent, Vec<u8>)>,
    pub(crate) read_errors: Vec<ReadError>,
}

impl SessionBytes {
    /// The bytes of a session that were read already: of its transcript and of `agents`.
    pub(crate) fn new(main: Vec<u8>, agents: &[Agent], bytes: Vec<Vec<u8>>) -> Self {
        let nested = nested_in(&main, agents, &bytes);
        SessionBytes { main, agents: bytes, nested, read_errors: Vec::new() }
    }

    pub(crate) fn read(sessions: &Sessions, main: Option<&Path>, agents: &[Agent]) -> Self {
        SessionBytes::read_if(sessions, main, agents, |_| true).0
    }

    /// The bytes, and whether any of the files may match. If none does, nothing
    /// is masked, because nothing reads them.
    fn read_if(
        sessions: &Sessions,
        main: Option<&Path>,
        files: &[Agent],
        may_match: impl Fn(&[u8]) -> bool,
    ) -> (Self, bool) {
        let mut read_errors = Vec::new();
        let mut read = |path| {
            let bytes = read_whole(&sessions.stores.all, path);
            bytes.map_err(|read_error| read_errors.push(read_error)).unwrap_or_default()
        };
        let path_of_main = main;
        let main = main.map(&mut read).unwrap_or_default();
        let agents: Vec<Vec<u8>> = files.iter().map(|agent| read(&agent.path)).collect();
        let is_match = may_match(&main) || agents.iter().any(|bytes| may_match(bytes));
        if !is_match {
            let (main, agents, nested) = (Vec::new(), Vec::new(), Vec::new());
            return (SessionBytes { main, agents, nested, read_errors }, false);
        }
        let first = path_of_main.or_else(|| files.first().map(|agent| agent.path.as_path()));
        let masking = first.map(|path| sessions.redaction.masking_of(path));
        let mask = |bytes| match &masking {
            Some(masking) => masking.lines(bytes).0,
            None => bytes,
        };
        let agents: Vec<Vec<u8>> = agents.into_iter().map(mask).collect();
        let main = mask(main);
        let nested = nested_in(&main, files, &agents);
        (SessionBytes { main, agents, nested, read_errors }, true)
    }

    /// The bytes of its files: the main transcript's, then the agents'.
    pub(crate) fn files(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::once(self.main.as_slice()).chain(self.agents.iter().map(Vec::as_slice))
    }

    /// The calls in them. `each` gets every entry, with the number of its file:
    /// 0 is the main transcript, the agents follow. Lines of an agent without a
    /// file, which the main transcript repeats, have the number [`REPEATED`].
    pub(crate) fn calls<'a>(
        &'a self,
        agents: &[Agent],
        mut each: impl FnMut(usize, &Entry<'a>),
    ) -> SessionCalls<'a> {
        let mut calls = Calls::default();
        // The file of each call, as the number of calls after each file.
        let mut ends = Vec::new();
        let mut main = AgentScan::default();
        let has_file: HashSet<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
        for entry in transcript::entries(&self.main) {
            each(0, &entry);
            main.note(entry.line, &entry.record, true);
            let repeated = agent_line(&entry, |agent| has_file.contains(agent));
            calls.note(entry.line, entry.record);
            if let Some(repeated) = repeated {
                each(REPEATED, &repeated);
                calls.note(repeated.line, repeated.record);
            }
        }
        ends.push(calls.all().len());
        let mut files = Vec::new();
        for (number, (agent, bytes)) in agents.iter().zip(&self.agents).enumerate() {
            let mut notes = AgentScan::default();
            for entry in transcript::entries(bytes) {
                each(number + 1, &entry);
                notes.note(entry.line, &entry.record, false);
                calls.note(entry.line, entry.record);
            }
            ends.push(calls.all().len());
            files.push((claim(agent), notes));
        }
        for (agent, bytes) in &self.nested {
            for entry in transcript::entries(bytes) {
                each(REPEATED, &entry);
                calls.note(entry.line, entry.record);
            }
            ends.push(calls.all().len());
            files.push((claim(agent), scan_of(bytes)));
        }
        let nodes = link_agents(&main, files);
        let nested = self.nested.iter().map(|(_, bytes)| bytes.as_slice());
        let turns = CallTurns::new(self.files().chain(nested));
        SessionCalls { turns, ..with_agents(calls, &ends, &main, nodes) }
    }
}

/// The agents without files whose lines the files of other agents repeat, with their lines.
fn nested_in(main: &[u8], files: &[Agent], agents: &[Vec<u8>]) -> Vec<(Agent, Vec<u8>)> {
    let has_file = |id: &str| files.iter().any(|file| file.id == id);
    let mut known: HashSet<String> = HashSet::new();
    let mut nested = Vec::new();
    for (file, bytes) in files.iter().zip(agents) {
        for agent in nested_agents(file, bytes, has_file) {
            if known.is_empty() {
                known.extend(agents_repeated_in(main));
            }
            if known.insert(agent.id.clone()) {
                let own = transcript_of(&agent.id, bytes);
                nested.push((agent, own));
            }
        }
    }
    nested
}

/// The calls in a transcript and in those of agents, which are given with their
/// numbers as in [`AgentNode::file`].
pub(crate) fn calls_in<'a>(
    main: &'a [u8],
    files: &[(usize, &'a [u8])],
    agents: &[AgentNode],
) -> SessionCalls<'a> {
    let mut calls = Calls::default();
    let mut notes = AgentScan::default();
    let with_files = agents.iter().filter(|agent| agent.file.is_some());
    let has_file: HashSet<&str> = with_files.map(|agent| agent.id.as_str()).collect();
    for entry in transcript::entries(main) {
        notes.note(entry.line, &entry.record, true);
        let repeated = agent_line(&entry, |agent| has_file.contains(agent));
        calls.note(entry.line, entry.record);
        if let Some(repeated) = repeated {
            calls.note(repeated.line, repeated.record);
        }
    }
    let mut ends = vec![calls.all().len()];
    let mut turns = vec![main];
    for (place, bytes) in files {
        // Missing files have no calls.
        ends.resize(place + 1, calls.all().len());
        turns.resize(place + 1, &[]);
        turns.push(bytes);
        for entry in transcript::entries(bytes) {
            calls.note(entry.line, entry.record);
        }
        ends.push(calls.all().len());
    }
    let turns = CallTurns::new(turns);
    SessionCalls { turns, ..with_agents(calls, &ends, &notes, agents.to_vec()) }
}

/// The number of a file whose lines are those of agents without files, which the
/// main transcript repeats.
pub(crate) const REPEATED: usize = usize::MAX;

/// The line of an agent that an entry of the main transcript repeats, unless the
/// agent has a file, which then has the line.
pub(crate) fn agent_line<'a>(
    entry: &Entry<'a>,
    has_file: impl Fn(&str) -> bool,
) -> Option<Entry<'a>> {
    let line = entry.agent_line()?;
    let agent = line.record.envelope.agent_id.as_ref()?;
    if has_file(agent.as_str()) { None } else { Some(line) }
}

/// Calls with the agents that made them. `ends` has the number of calls after
/// each file; `main` is what the main transcript records of agents.
fn with_agents<'a>(
    calls: Calls<'a>,
    ends: &[usize],
    main: &AgentScan,
    agents: Vec<AgentNode>,
) -> SessionCalls<'a> {
    let by_file: HashMap<usize, usize> =
        agents.iter().enumerate().filter_map(|(number, node)| Some((node.file?, number))).collect();
    let by_id: HashMap<&str, usize> =
        agents.iter().enumerate().map(|(number, node)| (node.id.as_str(), number)).collect();
    let unasked = calls.unmatched_answers();
    let mut file = 0;
    let calls = calls.into_vec().into_iter().enumerate().map(|(number, call)| {
        while ends.get(file).is_some_and(|end| *end <= number) {
            file += 1;
        }
        let agent = match file.checked_sub(1) {
            Some(file) => by_file.get(&file).copied(),
            None if call.origin.is_sidechain => {
                let uuid = call.origin.uuid.as_deref().unwrap_or_default();
                main.inline_agent(uuid).and_then(|id| by_id.get(id).copied())
            }
            None => None,
        };
        (agent, call)
    });
    let calls = calls.collect();
    SessionCalls { agents, calls, unasked, turns: CallTurns::default() }
}
