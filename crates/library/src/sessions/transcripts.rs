//! A whole session in one reading, for those who pass it on.
//!
//! The caller changes each line as it is read, for example masks it, and everything else is
//! derived from the changed lines: nothing that was taken out of them can come back. Calls,
//! touched files, commits and blocks are those that the commands here show.

use crate::catalog::agent_files::FlatAgents;
use crate::lines::scan::{ReadError, read_lines};
use crate::session::Session;
use crate::sessions::Sessions;
use crate::sessions::calls::{REPEATED, SessionBytes, SessionCalls};
use crate::sessions::recorded_touches::{Operation, recorded_touches};
use crate::sessions::view::parse_conversation;
use crate::stores::Tier;
use conversation::{GitAction, Status, View};
use index::{BlockScan, PromptCounter, ScannedBlock};
use jiff::Timestamp;
use redact::Redactor;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::limits::{LARGEST_WHOLE_FILE, TooLargeError};
use store::{Agent, PullRequest};
use transcript::{Body, Entry, Line, Record};

/// How much memory is reserved for a transcript before it is read.
const MOST_RESERVED: u64 = 64 << 20;

/// Reads the transcripts of sessions.
#[derive(Debug)]
pub struct TranscriptReader<'l> {
    sessions: &'l Sessions,
    flat: FlatAgents,
}

/// The transcripts of one session, as the caller changed them.
#[derive(Debug)]
pub struct SessionTranscripts {
    main: Option<PathBuf>,
    agents: Vec<Agent>,
    bytes: SessionBytes,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct TranscriptBytes<'t> {
    /// Where it is, or was.
    pub path: &'t Path,
    /// The sub-agent it belongs to.
    pub agent_id: Option<&'t str>,
    /// Its changed lines.
    pub bytes: &'t [u8],
}

/// A line of a transcript with its blocks.
#[derive(Debug)]
pub struct LineBlocks<'e, 'a> {
    /// The sub-agent it belongs to.
    pub agent_id: Option<&'e str>,
    /// Whether another transcript repeats it, because the sub-agent has none.
    pub is_repeated: bool,
    /// The record.
    pub entry: &'e Entry<'a>,
    /// How many prompts were typed so far in its transcript.
    pub prompts: u64,
    /// The blocks.
    pub blocks: Vec<ScannedBlock<'e>>,
}

/// A tool call, with what is known of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallDetails {
    /// The sub-agent that made it.
    pub agent_id: Option<String>,
    /// Its type.
    pub agent_type: Option<String>,
    /// Its id.
    pub tool_use_id: Option<String>,
    /// The API response that made it.
    pub message_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The MCP server of the tool.
    pub mcp_server: Option<String>,
    /// The skill it was called under.
    pub skill: Option<String>,
    /// The plugin that its response is charged to.
    pub plugin: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// How many prompts were typed before it in its transcript.
    pub prompts: u64,
    /// When it began.
    pub time: Option<Timestamp>,
    /// How long it took.
    pub milliseconds: Option<u64>,
    /// The outcome.
    pub status: Status,
    /// The file that it read or changed.
    pub touch: Option<TouchDetails>,
    /// The commits it made: hash, branch and subject.
    pub commits: Vec<(String, Option<String>, Option<String>)>,
    /// When its result was written.
    pub answered: Option<Timestamp>,
}

/// A file that a call read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchDetails {
    /// The recorded path.
    pub path: String,
    /// What the call did.
    pub operation: Operation,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
}

/// A pull request that a session created or was linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedPullRequest {
    /// The call that created it.
    pub tool_use_id: Option<String>,
    /// The pull request.
    pub request: PullRequest,
    /// When.
    pub time: Option<Timestamp>,
}

/// What a session did.
#[derive(Clone, Debug, Default)]
pub struct SessionDetails {
    /// The earliest time in its transcript.
    pub first: Option<Timestamp>,
    /// The latest time.
    pub last: Option<Timestamp>,
    /// The prompts a person typed.
    pub prompts: u64,
    /// The turns of its conversation.
    pub turns: u64,
    /// Its sub-agents, without warm-ups.
    pub agents: u64,
    /// Their types.
    pub agent_types: BTreeSet<String>,
    /// The calls, in the order of their transcripts.
    pub calls: Vec<CallDetails>,
    /// The pull requests.
    pub pull_requests: Vec<LinkedPullRequest>,
}

impl Sessions {
    /// A reader of whole sessions.
    pub fn transcript_reader(&self) -> TranscriptReader<'_> {
        TranscriptReader { sessions: self, flat: FlatAgents::new() }
    }

    /// A redactor for the texts of a session: it also masks the values that are masked anywhere
    /// in the session. It is the given one if there are none.
    pub fn session_redactor(&self, redactor: &Arc<Redactor>, session: &Session) -> Arc<Redactor> {
        self.redaction.redactor_of(redactor, session)
    }
}

impl TranscriptReader<'_> {
    /// Reads the transcripts of a session, on disk or in the archive. `change` gets each line
    /// with the path of its transcript, and adds what is to be used instead to the bytes; a
    /// transcript ends when it returns false. No newline is to be added.
    pub fn read(
        &mut self,
        session: &Session,
        mut change: impl FnMut(&Path, Line<'_>, &mut Vec<u8>) -> bool,
    ) -> (SessionTranscripts, Vec<ReadError>) {
        let tier = Tier::DiskAndArchive;
        let agents = self.sessions.catalog.agent_files_of(session, &mut self.flat, tier);
        let files = self.sessions.stores.tier_files(tier);
        let mut read_errors = Vec::new();
        let mut read = |path: &Path, size: u64| {
            // The size may be that of a file with holes.
            let size = size.min(MOST_RESERVED);
            let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
            let mut is_too_large = false;
            let read = read_lines(files, path, |line| {
                is_too_large = bytes.len() as u64 > LARGEST_WHOLE_FILE;
                let goes_on = !is_too_large && change(path, line, &mut bytes);
                if goes_on {
                    bytes.push(b'\n');
                }
                goes_on
            });
            let read = read.and_then(|()| {
                let error = TooLargeError { bytes: None, limit: LARGEST_WHOLE_FILE };
                if is_too_large { Err(ReadError::new(path, &error.into())) } else { Ok(()) }
            });
            if let Err(read_error) = read {
                read_errors.push(read_error);
                bytes.clear();
            }
            bytes
        };
        let main = session.path.as_deref().map(|path| read(path, session.metadata.bytes));
        let of_agents = agents.iter().map(|agent| read(&agent.path, agent.bytes)).collect();
        let bytes = SessionBytes::new(main.unwrap_or_default(), &agents, of_agents);
        (SessionTranscripts { main: session.path.clone(), agents, bytes }, read_errors)
    }
}

/// What is known of a line that calls tools.
#[derive(Clone, Debug, Default)]
struct CallLine {
    branch: Option<String>,
    cwd: Option<String>,
    plugin: Option<String>,
    prompts: u64,
}

impl SessionTranscripts {
    /// The transcripts: the session's, then those of agents.
    pub fn files(&self) -> impl Iterator<Item = TranscriptBytes<'_>> {
        let main = self.main.as_deref().map(|path| (path, None));
        let agents = self.agents.iter().map(|agent| (&*agent.path, Some(agent.id.as_str())));
        let places = main.into_iter().chain(agents);
        let bytes = self.bytes.files().skip(usize::from(self.main.is_none()));
        places.zip(bytes).map(|((path, agent_id), bytes)| TranscriptBytes { path, agent_id, bytes })
    }

    /// What the session did. `each` gets every line with its blocks, if `with_blocks` is set.
    pub fn details(
        &self,
        with_blocks: bool,
        mut each: impl FnMut(&LineBlocks<'_, '_>),
    ) -> SessionDetails {
        let mut details = SessionDetails::default();
        let mut scans: HashMap<usize, BlockScan> = HashMap::new();
        let mut prompts = PromptCounter::default();
        let mut lines: HashMap<(usize, u64), CallLine> = HashMap::new();
        let calls = self.bytes.calls(&self.agents, |file, entry| {
            let record = &entry.record;
            let envelope = &record.envelope;
            if file == 0 {
                details.note_main(record);
                prompts.note(record, entry.offset);
            }
            let scan = scans.entry(file).or_default();
            if with_blocks {
                let blocks = scan.blocks(record);
                let own = file.checked_sub(1).and_then(|number| self.agents.get(number));
                let agent_id = match own {
                    Some(agent) => Some(agent.id.as_str()),
                    None => envelope
                        .agent_id
                        .as_ref()
                        .filter(|_| file == REPEATED)
                        .map(transcript::AgentId::as_str),
                };
                let is_repeated = file == REPEATED;
                each(&LineBlocks { agent_id, is_repeated, entry, prompts: scan.prompts, blocks });
            } else {
                scan.prompts += u64::from(transcript::prompt::typed_prompt(record).is_some());
            }
            if let Body::Assistant(assistant) = &record.body
                && record.message().is_some_and(|message| message.tool_uses().next().is_some())
            {
                let text = |text: Option<&str>| text.map(str::to_owned);
                let line = CallLine {
                    branch: text(envelope.git_branch.as_deref()),
                    cwd: text(envelope.cwd.as_deref()),
                    plugin: text(assistant.attribution_plugin.as_deref()),
                    prompts: scan.prompts,
                };
                let file = if file == REPEATED { 0 } else { file };
                lines.insert((file, entry.line), line);
            }
        });
        details.prompts = prompts.count();
        details.turns =
            u64::from(parse_conversation(&self.bytes.main, false, View::App).last_turn());
        details.add_calls(&calls, &lines);
        details
    }
}

impl SessionDetails {
    fn note_main(&mut self, record: &Record<'_>) {
        let time = record.time();
        self.first = self.first.into_iter().chain(time).min();
        self.last = self.last.into_iter().chain(time).max();
        if let Body::PrLink { number, url, repository, .. } = &record.body {
            let text = |text: &Option<transcript::Str<'_>>| text.as_deref().map(str::to_owned);
            let request = PullRequest {
                number: number.map(|count| count.0),
                url: text(url),
                repository: text(repository),
            };
            self.add_pull_request(LinkedPullRequest { tool_use_id: None, request, time });
        }
    }

    /// A pull request is recorded repeatedly.
    fn add_pull_request(&mut self, new: LinkedPullRequest) {
        let is_same = |known: &&mut LinkedPullRequest| match (&known.request.url, &new.request.url)
        {
            (Some(one), Some(two)) => one == two,
            _ => known.request.number == new.request.number,
        };
        match self.pull_requests.iter_mut().find(is_same) {
            Some(known) => {
                known.request.repository =
                    known.request.repository.take().or(new.request.repository);
                known.tool_use_id = known.tool_use_id.take().or(new.tool_use_id);
            }
            None => self.pull_requests.push(new),
        }
    }

    fn add_calls(&mut self, calls: &SessionCalls<'_>, lines: &HashMap<(usize, u64), CallLine>) {
        let own: Vec<_> = calls.agents.iter().filter(|agent| !agent.warmup).collect();
        self.agents = own.len() as u64;
        self.agent_types.extend(own.iter().filter_map(|agent| agent.kind.clone()));
        let unknown = CallLine::default();
        for (agent, call) in &calls.calls {
            let agent = agent.and_then(|agent| calls.agents.get(agent));
            let file = agent.and_then(|agent| agent.file).map_or(0, |file| file + 1);
            let line = lines.get(&(file, call.origin.line)).unwrap_or(&unknown);
            let tool_use_id = call.id.as_deref().map(str::to_owned);
            let answered = call.answer.as_ref().and_then(|answer| answer.origin.time);
            let mut commits = Vec::new();
            for action in conversation::git_actions(call) {
                match action {
                    GitAction::Commit { hash, branch, subject } => {
                        commits.push((hash, branch, subject));
                    }
                    GitAction::PullRequest { number, url } => {
                        let request = PullRequest { number, url, repository: None };
                        let tool_use_id = tool_use_id.clone();
                        self.add_pull_request(LinkedPullRequest {
                            tool_use_id,
                            request,
                            time: answered,
                        });
                    }
                    GitAction::Push { .. } => {}
                }
            }
            let touch = recorded_touches(call).into_iter().next().map(|touch| TouchDetails {
                path: touch.path,
                operation: touch.operation,
                added: touch.diff.added,
                removed: touch.diff.removed,
            });
            self.calls.push(CallDetails {
                agent_id: agent.map(|agent| agent.id.clone()),
                agent_type: agent.and_then(|agent| agent.kind.clone()),
                tool_use_id,
                message_id: call.message_id.as_deref().map(str::to_owned),
                tool: call.tool.to_string(),
                mcp_server: call.mcp().map(|(server, _)| server.to_owned()),
                skill: call.skill.as_deref().map(str::to_owned),
                plugin: line.plugin.clone(),
                model: call.model.as_deref().map(str::to_owned),
                branch: line.branch.clone(),
                cwd: line.cwd.clone(),
                prompts: line.prompts,
                time: call.origin.time,
                milliseconds: call.milliseconds(),
                status: call.status(),
                touch,
                commits,
                answered,
            });
        }
    }
}
