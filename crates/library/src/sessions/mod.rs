//! One session, completely read.
//!
//! Records as they are on disk, with secrets masked before anything is
//! truncated; the sub-agents of the session and where each belongs; its tool
//! calls with their results; and its plans.
//! [`session::OpenSession`] holds all of it for one session and builds each
//! view on first use.
//!
//! `agents` and `plans` of [`Sessions`] answer for sessions that cannot be
//! opened: those with agents, outputs or plans but without a transcript, or with
//! one that cannot be read. An `OpenSession` has a transcript by definition. If
//! it could be empty, its conversation and turns would look like those of an
//! empty session, and every caller would have to ask which it is. Both
//! share their code with `OpenSession`, and a test compares their answers.
//!
//! Deliberately not here: which sessions there are (`catalog`), and what a
//! conversation is (the crate `conversation`, which does not know files).

pub(crate) mod agent_conversation;
pub(crate) mod agents;
pub(crate) mod call_states;
pub(crate) mod calls;
pub(crate) mod marks;
pub(crate) mod plans;
pub(crate) mod prompted_calls;
pub(crate) mod raw_lines;
pub(crate) mod recorded_touches;
pub(crate) mod records;
pub(crate) mod selection;
pub(crate) mod session;
pub(crate) mod tool_outputs;
pub(crate) mod transcripts;
pub(crate) mod turns;
pub(crate) mod view;

pub use agent_conversation::AgentConversation;
pub use agents::AgentTree;
pub use calls::SessionCalls;
pub use conversation::{InvalidTurnNumber, MessageState, Status, TurnNumber, View};
pub use marks::PlacedMarks;
pub use plans::{Plan, PlanList, PlanOrigin};
pub use prompted_calls::LeadingPrompt;
pub use raw_lines::RawPart;
pub use recorded_touches::Operation;
pub use selection::{Part, SelectedTurns, Selection, SelectionError, TurnRange};
pub use session::{OpenError, OpenSession};
pub use transcript::{Role, large_line_bytes};
pub use transcripts::{
    CallDetails, LineBlocks, LinkedPullRequest, SessionDetails, SessionTranscripts, TouchDetails,
    TranscriptBytes, TranscriptReader,
};
pub use turns::LineTurns;
pub use view::{ConversationView, WholeConversation};

use crate::catalog::Catalog;
use crate::memory::Memory;
use crate::redaction::Redaction;
use crate::stores::Stores;
use std::sync::Arc;

/// Sessions, each read whole.
#[derive(Clone, Debug)]
pub struct Sessions {
    pub(crate) stores: Arc<Stores>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
}

impl Sessions {
    /// The same for an open session to own: it reads the same files and masks the same secrets,
    /// but has nothing of the index, which would be out of date.
    pub(crate) fn for_open_session(&self) -> Sessions {
        let catalog = &self.catalog;
        let memory = Arc::new(Memory::without_memo(Arc::clone(&self.stores)));
        let redaction =
            Redaction { memory: Arc::clone(&memory), ..Redaction::clone(&self.redaction) };
        let redaction = Arc::new(redaction);
        let catalog =
            Catalog { memory, redaction: Arc::clone(&redaction), ..Catalog::clone(catalog) };
        Sessions { redaction, catalog: Arc::new(catalog), stores: Arc::clone(&self.stores) }
    }
}
