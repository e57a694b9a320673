//! The sessions and prompts behind a commit.
//!
//! These are the prompts and changes since the session's previous commit,
//! always including the prompt that the commit was made at and the prompts that
//! led to the changes. Only commits that a session made are known: git is not
//! asked.

use crate::files::locations::FileLocations;
use crate::files::{Copied, Touch, TouchedFiles, once, touches_of};
use crate::lines::ReadError;
use crate::progress::Progress;
use crate::prompts::overview::Commit;
use crate::session::Session;
use crate::sessions::prompted_calls::{LeadingPrompt, PromptedCall, PromptedCalls};
use conversation::{GitAction, TurnNumber, git_actions};
use jiff::Timestamp;
use std::sync::Arc;

/// A commit, with the prompts and changes behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitOrigin {
    /// The commit.
    pub commit: Commit,
    /// The session that made it.
    pub session_id: String,
    /// The sub-agent that made it.
    pub agent_id: Option<String>,
    /// The folder it was made in.
    pub cwd: Option<String>,
    /// The line of the call in its transcript, from 1.
    pub line: u64,
    /// The turn of the call: of the session, or of the sub-agent.
    pub turn: Option<TurnNumber>,
    /// The previous commit in that session.
    pub previous: Option<String>,
    /// The prompts behind it, in order.
    pub prompts: Vec<Arc<LeadingPrompt>>,
    /// The changes behind it, ordered by time.
    pub changes: Vec<Touch>,
    tool_use_id: Option<String>,
    is_copy: bool,
}

impl Copied for CommitOrigin {
    type CallId = String;

    fn call_id(&self) -> Option<String> {
        self.tool_use_id.clone()
    }

    fn is_copy(&self) -> bool {
        self.is_copy
    }
}

/// The fewest digits that git prints.
const SHORTEST_HASH: usize = 7;

impl TouchedFiles {
    /// The commits whose hash begins like this, with the prompts and changes
    /// behind them, the newest last.
    pub fn commits(
        &self,
        sessions: &[&Session],
        places: &FileLocations,
        hash: &str,
        progress: &dyn Progress,
    ) -> (Vec<CommitOrigin>, Vec<ReadError>) {
        let hash = hash.to_ascii_lowercase();
        let word: String = hash.chars().take(SHORTEST_HASH).collect();
        let (found, read_errors) =
            self.prompted_calls(sessions, Some(&[word]), progress, |session, prompted_calls| {
                origins(session, prompted_calls, places, &hash)
            });
        let mut found = once(found.into_iter().flatten().collect::<Vec<CommitOrigin>>());
        found.sort_by_key(|origin| origin.commit.time);
        (found, read_errors)
    }
}

/// When and where something happened. In the main transcript the order of lines
/// counts, otherwise time.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// Its line in the main transcript, or the line there that led to it.
    line: Option<u64>,
    /// Whether an agent did it: agents may run while others work.
    is_agents: bool,
    time: Option<Timestamp>,
}

impl Moment {
    fn of(prompted: &PromptedCall<'_, '_>) -> Moment {
        let answered = prompted.call.answer.as_ref().and_then(|answer| answer.origin.time);
        Moment {
            line: prompted.main_line,
            is_agents: prompted.agent.is_some(),
            time: answered.or(prompted.call.origin.time),
        }
    }

    fn is_after(self, other: Moment) -> bool {
        let lines = self.line.zip(other.line);
        let is_main = !self.is_agents && !other.is_agents;
        match self.time.zip(other.time).filter(|_| !is_main || lines.is_none()) {
            Some((own, other)) => own > other,
            None => lines.is_some_and(|(own, other)| own > other),
        }
    }
}

fn origins(
    session: &Session,
    prompted_calls: &PromptedCalls<'_>,
    places: &FileLocations,
    hash: &str,
) -> Vec<CommitOrigin> {
    let mut made: Vec<(Moment, Commit, PromptedCall<'_, '_>)> = Vec::new();
    for prompted in prompted_calls.all() {
        for action in git_actions(prompted.call) {
            let GitAction::Commit { hash, branch, subject } = action else { continue };
            let at = Moment::of(&prompted);
            made.push((at, Commit { hash, branch, subject, time: at.time }, prompted));
        }
    }
    made.sort_by_key(|(at, ..)| at.time);
    let is_meant = |commit: &Commit| {
        let own = commit.hash.to_ascii_lowercase();
        !own.is_empty() && (own.starts_with(hash) || hash.starts_with(&own))
    };
    let mut origins = Vec::new();
    for (number, (at, commit, prompted)) in made.iter().enumerate() {
        if !is_meant(commit) {
            continue;
        }
        let before = number.checked_sub(1).and_then(|before| made.get(before));
        let is_between = |moment: Moment| {
            before.is_none_or(|(before, ..)| moment.is_after(*before)) && !moment.is_after(*at)
        };
        let changes = touches_of(session, prompted_calls, places, |_| true)
            .filter(|of| of.touch.is_change() && is_between(Moment::of(&of.prompted)));
        let mut changes: Vec<Touch> = changes.map(|of| of.touch).collect();
        changes.sort_by_key(|touch| touch.time);
        let led: Vec<u64> = changes
            .iter()
            .filter_map(|touch| touch.prompt.as_ref())
            .chain(prompted_calls.prompt(prompted))
            .map(|prompt| prompt.line)
            .collect();
        let prompts = prompted_calls.prompts().iter().filter(|prompt| {
            let moment = Moment { line: Some(prompt.line), is_agents: false, time: prompt.time };
            led.contains(&prompt.line) || is_between(moment)
        });
        origins.push(CommitOrigin {
            commit: commit.clone(),
            session_id: session.id.clone(),
            agent_id: prompted.agent.map(|agent| agent.id.clone()),
            cwd: prompted.cwd.map(str::to_owned),
            line: prompted.call.origin.line,
            turn: prompted_calls.turn(prompted),
            previous: before.map(|(_, commit, _)| commit.hash.clone()),
            prompts: prompts.cloned().collect(),
            changes,
            tool_use_id: prompted.call.id.as_deref().map(str::to_owned),
            is_copy: prompted.is_copy,
        });
    }
    origins
}
