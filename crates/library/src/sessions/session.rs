//! One open session: its bytes, and every view of them.
//!
//! [`Sessions::open_session`] reads and masks the transcript once. Everything
//! else is built on first use and then cached: the conversation by the rules of
//! the app or of the official reader, the sub-agents, their conversations, the
//! plans. An open session owns all of that and can be shared between threads,
//! so that a server opens a session once for many requests.
//!
//! Deliberately not here: how anything is displayed, and the placement of
//! branches, orphaned segments and agents, which is the same for all readers
//! (`conversation::annotations`).

use crate::catalog::find::FoundSession;
use crate::lines::ReadError;
use crate::lines::repeated::transcript_of;
use crate::redaction::masking::MaskedLine;
use crate::sessions::Sessions;
use crate::sessions::agent_conversation::AgentConversation;
use crate::sessions::agents::AgentTree;
use crate::sessions::calls::{SessionCalls, calls_in};
use crate::sessions::plans::PlanList;
use crate::sessions::selection::{Part, SelectedTurns, Selection, SelectionError};
use crate::sessions::view::{ConversationView, WholeConversation};
use ::apps::App;
use conversation::{AgentNode, Conversation, Node, NodeId, TurnNumber, View};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use store::{Agent, AgentEra};
use transcript::without_large_line_marks;
use usage::PicoUsd;

/// Why a session cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Its transcript no longer exists.
    #[error("the transcript was deleted")]
    NoTranscript,
    /// Its transcript cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
}

impl OpenError {
    /// What is wrong, without the path.
    pub fn reason(&self) -> String {
        match self {
            OpenError::NoTranscript => self.to_string(),
            OpenError::Unreadable(read_error) => read_error.reason.clone(),
        }
    }
}

/// The transcript of a sub-agent.
#[derive(Debug)]
struct AgentTranscript {
    bytes: Arc<Vec<u8>>,
    masked: Vec<MaskedLine>,
    view: OnceLock<ConversationView>,
}

/// The sub-agents of a session, with their transcripts as they are read.
#[derive(Debug)]
struct OpenAgents {
    tree: AgentTree,
    /// The agent that was opened, if one was.
    own: Option<AgentNode>,
    /// By the numbers of their files in the tree.
    transcripts: Vec<OnceLock<Result<AgentTranscript, ReadError>>>,
}

/// One session, or one sub-agent, opened for reading.
#[derive(Debug)]
pub struct OpenSession {
    sessions: Sessions,
    found: FoundSession,
    bytes: Arc<Vec<u8>>,
    masked: Vec<MaskedLine>,
    app: OnceLock<ConversationView>,
    sdk: OnceLock<ConversationView>,
    agents: OnceLock<OpenAgents>,
    plans: OnceLock<PlanList>,
}

impl Sessions {
    /// Opens the transcript of a session, or of the sub-agent that `found`
    /// names, as it was at one moment: a transcript that is written meanwhile
    /// is read again.
    pub fn open_session(&self, found: &FoundSession) -> Result<OpenSession, OpenError> {
        let path = found.path().ok_or(OpenError::NoTranscript)?;
        let listed = found.agent.as_ref().map_or(found.session.metadata.bytes, |agent| agent.bytes);
        let (bytes, masked) = self.redaction.read_settled(path, listed)?;
        let (bytes, masked) = match &found.agent {
            Some(agent) => own_lines_of(agent, bytes, masked),
            None => (bytes, masked),
        };
        Ok(OpenSession::of_lines(self, found.clone(), Arc::new(bytes), masked))
    }
}

/// The lines of an agent in its file: all, unless the file is another agent's, whose
/// progress records repeat them.
fn own_lines_of(
    agent: &Agent,
    bytes: Vec<u8>,
    masked: Vec<MaskedLine>,
) -> (Vec<u8>, Vec<MaskedLine>) {
    match agent.era {
        AgentEra::Inline => (transcript_of(&agent.id, &bytes), Vec::new()),
        AgentEra::Flat | AgentEra::Nested => (bytes, masked),
    }
}

impl OpenSession {
    /// A session whose lines were read and masked.
    pub(crate) fn of_lines(
        sessions: &Sessions,
        found: FoundSession,
        bytes: Arc<Vec<u8>>,
        masked: Vec<MaskedLine>,
    ) -> OpenSession {
        OpenSession {
            sessions: sessions.for_open_session(),
            found,
            bytes,
            masked,
            app: OnceLock::new(),
            sdk: OnceLock::new(),
            agents: OnceLock::new(),
            plans: OnceLock::new(),
        }
    }

    /// The session or sub-agent that was opened.
    pub fn found(&self) -> &FoundSession {
        &self.found
    }

    /// The file that was read.
    pub fn path(&self) -> Option<&Path> {
        self.found.path()
    }

    /// The bytes of the transcript, with secrets masked.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was masked in them.
    pub fn masked(&self) -> &[MaskedLine] {
        &self.masked
    }

    /// Whether a sub-agent was opened, in a separate file or not.
    pub fn is_agent(&self) -> bool {
        self.found.agent_id().is_some()
    }

    /// The rules by which it is read. Only `app` reads transcripts made of the sessions of
    /// other apps, where one line may have several records.
    fn rules(&self, view: View) -> View {
        if self.found.session.app() == App::Claude { view } else { View::App }
    }

    fn view(&self, view: View) -> &ConversationView {
        let view = self.rules(view);
        let cell = match view {
            View::App => &self.app,
            View::Sdk => &self.sdk,
        };
        let is_agent = self.found.agent.is_some();
        cell.get_or_init(|| ConversationView::new(&self.bytes, is_agent, view))
    }

    /// The conversation in the transcript, by the rules of a view.
    pub fn conversation(&self, view: View) -> &Conversation<'_> {
        self.view(view).conversation()
    }

    /// The turns of all generations, with everything that stands beside them.
    pub fn whole(&self, view: View) -> &WholeConversation<'_> {
        self.view(view).whole()
    }

    /// The costs of API calls at the API's prices, by the lines that represent them.
    pub fn line_costs(&self, view: View) -> &HashMap<NodeId, PicoUsd> {
        self.view(view).line_costs()
    }

    /// The turns that a selection matches. For an open agent that is written
    /// into its session's transcript, its turns, whatever the part.
    pub fn turns(&self, selection: &Selection) -> Result<SelectedTurns<'_>, SelectionError> {
        let view = self.view(selection.view);
        let selected = match (&self.found.inline_agent, &selection.part) {
            (Some(id), _) => {
                SelectedTurns::of_inline_agent(view.conversation(), self.inline_lines(view)?, id)
            }
            (None, Part::Agent(id)) => self.agent_turns(id, selection.view)?,
            (None, part) => SelectedTurns::of_part(view, part)?,
        };
        selected.within(&selection.range)
    }

    fn agent_turns(&self, id: &str, view: View) -> Result<SelectedTurns<'_>, SelectionError> {
        let missing = || SelectionError::NoAgent(id.to_owned());
        let agent = self.agents().find(id).ok_or_else(missing)?;
        let unreadable = |reason| SelectionError::UnreadableAgent { id: id.to_owned(), reason };
        match self.agent_conversation(agent, view).map_err(unreadable)? {
            AgentConversation::File { view, .. } => {
                SelectedTurns::of_part(view, &Part::Agent(id.to_owned()))
            }
            AgentConversation::Lines { view, lines } => {
                Ok(SelectedTurns::of_inline_agent(view.conversation(), lines, id))
            }
        }
    }

    /// The lines of an open agent that is written into its session's
    /// transcript: the agent that has the line it was named by.
    fn inline_lines(&self, view: &ConversationView) -> Result<Vec<NodeId>, SelectionError> {
        let id = self.found.inline_agent.as_deref().unwrap_or_default();
        let graph = &view.conversation().graph;
        let mut agents = view.inline_agents().iter();
        let own = agents.find(|(agent, lines)| {
            agent == id || lines.iter().any(|line| &*graph.node(*line).uuid == id)
        });
        own.map(|(_, lines)| lines.clone()).ok_or_else(|| SelectionError::NoAgent(id.to_owned()))
    }

    /// The turn of the message with a uuid, and the part that has it.
    pub fn turn_of_uuid(&self, uuid: &str) -> Option<(Part, TurnNumber)> {
        let own = self.conversation(View::App).turn_of_uuid(uuid);
        self.own_or_inline(own, |node| &*node.uuid == uuid)
    }

    /// The turn at a line of the transcript, from 1, and the part that has it. A
    /// line outside of the conversation belongs to the turn before it.
    pub fn turn_at_line(&self, line: u64) -> Option<(Part, TurnNumber)> {
        let own = self.conversation(View::App).turn_at_line(line);
        self.own_or_inline(own, |node| node.line == line)
    }

    /// Whether the transcript has a line with this number, from 1.
    pub fn has_line(&self, line: u64) -> bool {
        transcript::lines(&self.bytes).last().is_some_and(|last| (1..=last.number).contains(&line))
    }

    /// The turn of a line of an agent written into this transcript, else the
    /// session's own.
    fn own_or_inline(
        &self,
        own: Option<TurnNumber>,
        is_it: impl Fn(&Node<'_>) -> bool,
    ) -> Option<(Part, TurnNumber)> {
        let view = self.view(View::App);
        let conversation = view.conversation();
        let is_it = |line: &NodeId| is_it(conversation.graph.node(*line));
        if let Some(id) = &self.found.inline_agent {
            let lines = self.inline_lines(view).ok()?;
            let line = lines.iter().copied().find(is_it)?;
            let turn = conversation.inline_turn_numbers(&lines).of(line)?;
            return Some((Part::Agent(id.clone()), turn));
        }
        let mut agents = view.inline_agents().iter();
        let Some((id, _)) = agents.find(|(_, lines)| lines.iter().any(is_it)) else {
            return own.map(|turn| (Part::with_turn(turn), turn));
        };
        let lines = view.inline_agent(id)?;
        let line = lines.iter().copied().find(is_it)?;
        Some((Part::Agent(id.clone()), conversation.inline_turn_numbers(&lines).of(line)?))
    }

    /// The lines of the transcript; for an agent written into its session's
    /// transcript, only those of the agent. Of another app's session, what the app wrote.
    pub fn own_lines(&self) -> Result<Vec<u8>, SelectionError> {
        if let Some(bytes) = self.path().and_then(|path| self.sessions.app_bytes(path)) {
            let id = self.found.id().to_owned();
            let unreadable = |reason| SelectionError::UnreadableAgent { id, reason };
            let bytes = bytes.map_err(|error| unreadable(error.to_string()))?;
            return Ok(without_large_line_marks(&bytes).into_owned());
        }
        if self.found.inline_agent.is_none() {
            return Ok(without_large_line_marks(&self.bytes).into_owned());
        }
        let view = self.view(View::App);
        let graph = &view.conversation().graph;
        let lines = self.inline_lines(view)?;
        Ok(lines.iter().flat_map(|line| [graph.node(*line).bytes, b"\n"].concat()).collect())
    }

    fn open_agents(&self) -> &OpenAgents {
        self.agents.get_or_init(|| {
            let mut tree = self.sessions.agents_beside(&self.found, &self.bytes);
            let mut own = None;
            if let Some(agent) = &self.found.agent {
                own = tree.find(&agent.id).cloned();
                // The agents it started, not its siblings.
                tree.keep_below(&agent.id);
            }
            let transcripts = tree.files.iter().map(|_| OnceLock::new()).collect();
            OpenAgents { tree, own, transcripts }
        })
    }

    /// The sub-agents of the session; for a sub-agent, those it started.
    pub fn agents(&self) -> &AgentTree {
        &self.open_agents().tree
    }

    /// The open sub-agent, if it has a separate file.
    pub fn own_agent(&self) -> Option<&AgentNode> {
        self.found.agent.as_ref()?;
        self.open_agents().own.as_ref()
    }

    /// The conversation of a sub-agent, in a separate file or not; otherwise
    /// why it cannot be read.
    pub fn agent_conversation(
        &self,
        agent: &AgentNode,
        view: View,
    ) -> Result<AgentConversation<'_>, String> {
        let Some(place) = agent.file else {
            let view = self.view(view);
            let lines = view.inline_agent(&agent.id);
            let lines = lines.ok_or_else(|| "the transcript does not have its lines".to_owned())?;
            return Ok(AgentConversation::Lines { view, lines });
        };
        let transcript = self.agent_transcript(place)?;
        let parse = || ConversationView::new(&transcript.bytes, true, View::App);
        Ok(AgentConversation::File {
            view: transcript.view.get_or_init(parse),
            masked: &transcript.masked,
        })
    }

    fn agent_transcript(&self, place: usize) -> Result<&AgentTranscript, String> {
        let agents = self.open_agents();
        let cell = agents.transcripts.get(place).zip(agents.tree.files.get(place));
        let (cell, file) = cell.ok_or_else(|| "it has no file".to_owned())?;
        let read = cell.get_or_init(|| {
            let (bytes, masked) = self.sessions.redaction.read_settled(&file.path, file.bytes)?;
            let (bytes, masked) = own_lines_of(file, bytes, masked);
            Ok(AgentTranscript { bytes: Arc::new(bytes), masked, view: OnceLock::new() })
        });
        read.as_ref().map_err(ToString::to_string)
    }

    /// Every tool call in the transcript and in those of its sub-agents. An
    /// agent that cannot be read has none.
    pub fn calls(&self) -> SessionCalls<'_> {
        let tree = self.agents();
        let read = |agent: &AgentNode| {
            let place = agent.file?;
            Some((place, self.agent_transcript(place).ok()?.bytes.as_slice()))
        };
        let mut files: Vec<(usize, &[u8])> = tree.agents.iter().filter_map(read).collect();
        files.sort_unstable_by_key(|(place, _)| *place);
        calls_in(&self.bytes, &files, &tree.agents)
    }

    /// The plans of the session and its sub-agents, or of the open sub-agent.
    pub fn plans(&self) -> &PlanList {
        self.plans.get_or_init(|| self.sessions.plans_beside(&self.found, Some(&self.bytes)))
    }

    /// The text of a tool output that was too large for its line, by its name
    /// in the transcript.
    pub fn tool_output(&self, name: &str) -> Option<String> {
        self.masked_tool_output(name).map(|(text, _)| text)
    }

    /// The same, and what was masked in it.
    pub fn masked_tool_output(&self, name: &str) -> Option<(String, Vec<MaskedLine>)> {
        self.sessions.masked_tool_result(&self.found.session, name)
    }
}
