//! Which files sessions read and changed.
//!
//! A [`Touch`] is one tool call that reads or changes a file, with its time,
//! its author and the prompt that led to it. A patch of several files is a touch
//! of each. `touches_of` makes them from the calls of one session, and is the only
//! place that does; the list of files, the history of a file, the authors of its
//! lines and the background of a commit are all made from touches.
//!
//! Changes by shell commands are not recorded, so they are not known here.

pub(crate) mod blame;
pub(crate) mod commit;
pub(crate) mod current_content;
pub(crate) mod history;
pub(crate) mod locations;
pub(crate) mod recorded_content;

pub use blame::{Author, Blame};
pub use commit::CommitOrigin;
pub use current_content::{ContentError, read_current_content};
pub use history::{Change, FileHistory, FileSummary};
pub use locations::{FileLocations, FilePattern, is_absolute_path};

use crate::catalog::filter::Filter;
use crate::facts::Facts;
use crate::lines::ReadError;
use crate::pattern::{Pattern, PatternOptions};
use crate::progress::Progress;
use crate::redaction::Redaction;
use crate::session::Session;
use crate::sessions::Sessions;
use crate::sessions::prompted_calls::{LeadingPrompt, Notes, PromptedCall, PromptedCalls};
use crate::sessions::recorded_touches::{Operation, RecordedTouch, recorded_touches};
use crate::stores::{Stores, Tier};
use conversation::{Diff, Status, TurnNumber};
use jiff::Timestamp;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The files that sessions read and changed.
#[derive(Clone, Debug)]
pub struct TouchedFiles {
    pub(crate) stores: Arc<Stores>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) facts: Arc<Facts>,
}

/// A call that reads or changes a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The present path of the file.
    pub path: String,
    /// The recorded path of the file.
    pub recorded_path: String,
    /// The working directory of the session.
    pub cwd: Option<String>,
    /// What the call does.
    pub operation: Operation,
    /// The tool.
    pub tool: String,
    /// The outcome. A failed call changed nothing.
    pub status: Status,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// When it was done.
    pub time: Option<Timestamp>,
    /// The session.
    pub session_id: String,
    /// The sub-agent that did it.
    pub agent_id: Option<String>,
    /// Its type.
    pub agent_type: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The call.
    pub tool_use_id: Option<String>,
    /// The line of the call in its transcript, from 1.
    pub line: u64,
    /// The turn of the call: of the session, or of the sub-agent.
    pub turn: Option<TurnNumber>,
    /// The prompt that led to it.
    pub prompt: Option<Arc<LeadingPrompt>>,
    /// Its number among the touches of its call, from 0.
    number: usize,
    /// Whether its line is marked as copied from another session.
    is_copy: bool,
}

impl Touch {
    /// Whether it succeeded.
    pub fn is_done(&self) -> bool {
        self.status == Status::Ok
    }

    /// Whether it changes the file.
    pub fn is_change(&self) -> bool {
        self.is_done() && self.operation.is_change()
    }

    /// Whether a filter matches it; the project of its session is not checked.
    fn fits(&self, filter: &Filter) -> bool {
        let (agent_type, model) = (self.agent_type.as_deref(), self.model.as_deref());
        is_touch_wanted(filter, agent_type, model, &self.tool, self.time)
    }
}

/// Whether a filter matches a touch; the project of its session is not checked.
fn is_touch_wanted(
    filter: &Filter,
    agent_type: Option<&str>,
    model: Option<&str>,
    tool: &str,
    time: Option<Timestamp>,
) -> bool {
    let holds = |wanted: &Option<String>, name: Option<&str>| {
        wanted.as_ref().is_none_or(|wanted| {
            name.is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
        })
    };
    holds(&filter.agent, agent_type)
        && holds(&filter.model, model)
        && filter.admits_tool(tool)
        && filter.admits_time(time)
}

/// A touch with its call and what it changed.
struct TouchOfCall<'t, 'a> {
    touch: Touch,
    diff: Diff,
    prompted: PromptedCall<'t, 'a>,
}

/// The touches of files with wanted paths in a session, in order.
fn touches_of<'t, 'a>(
    session: &'t Session,
    prompted_calls: &'t PromptedCalls<'a>,
    places: &'t FileLocations,
    is_wanted: impl Fn(&str) -> bool + 't,
) -> impl Iterator<Item = TouchOfCall<'t, 'a>> {
    let all = prompted_calls.all().flat_map(|prompted| {
        let recorded = recorded_touches(prompted.call).into_iter().enumerate();
        recorded.map(move |(number, recorded)| (prompted, number, recorded))
    });
    all.filter_map(move |(prompted, number, recorded)| {
        let path = places.current_path(
            &recorded.path,
            prompted.cwd.or(session.metadata.cwd.as_deref()),
            prompted_calls.worktrees(),
        );
        is_wanted(&path).then(|| {
            let touch = touch_of(session, prompted_calls, &prompted, path, number, &recorded);
            TouchOfCall { touch, diff: recorded.diff, prompted }
        })
    })
}

fn touch_of(
    session: &Session,
    prompted_calls: &PromptedCalls<'_>,
    prompted: &PromptedCall<'_, '_>,
    path: String,
    number: usize,
    recorded: &RecordedTouch,
) -> Touch {
    let call = prompted.call;
    let answered = call.answer.as_ref().and_then(|answer| answer.origin.time);
    Touch {
        path,
        recorded_path: recorded.path.clone(),
        cwd: prompted.cwd.map(str::to_owned),
        operation: recorded.operation,
        tool: call.tool.to_string(),
        status: call.status(),
        added: recorded.diff.added,
        removed: recorded.diff.removed,
        time: answered.or(call.origin.time),
        session_id: session.id.clone(),
        agent_id: prompted.agent.map(|agent| agent.id.clone()),
        agent_type: prompted.agent.and_then(|agent| agent.kind.clone()),
        model: call.model.as_deref().map(str::to_owned),
        tool_use_id: call.id.as_deref().map(str::to_owned),
        line: call.origin.line,
        turn: prompted_calls.turn(prompted),
        prompt: prompted_calls.prompt(prompted).cloned(),
        number,
        is_copy: prompted.is_copy,
    }
}

impl TouchedFiles {
    /// Passes each session that may mention `words`, if any are given, to
    /// `each`; the oldest first.
    fn prompted_calls<T: Send>(
        &self,
        sessions: &[&Session],
        words: Option<&[String]>,
        progress: &dyn Progress,
        each: impl Fn(&Session, &PromptedCalls<'_>) -> T + Sync,
    ) -> (Vec<T>, Vec<ReadError>) {
        let (sessions, is_bounded) = in_reading_order(sessions, progress);
        let patterns: Option<Vec<Pattern>> = words.and_then(|words| {
            let options = PatternOptions { fixed: true, ..PatternOptions::default() };
            words.iter().map(|word| Pattern::new(word, options).ok()).collect()
        });
        let is_masking = self.stores.redactor.is_some();
        let (answers, read_errors) = self.sessions.each_session(
            &sessions,
            Tier::DiskAndArchive,
            progress,
            |bytes| {
                patterns.as_ref().is_none_or(|patterns| {
                    patterns.iter().any(|pattern| pattern.may_be_in(bytes, is_masking))
                })
            },
            |session, agents, bytes| {
                let mut notes = Notes::default();
                let calls = bytes.calls(agents, |file, entry| notes.note(file, entry));
                each(session, &PromptedCalls::new(calls, notes))
            },
        );
        let mut answers: Vec<T> = answers.into_iter().flatten().collect();
        if is_bounded {
            answers.reverse();
        }
        (answers, read_errors)
    }
}

/// Sessions in the order in which they are read, and whether that is newest
/// first: if only a part can be read, the newest sessions matter most.
fn in_reading_order<'s>(
    sessions: &[&'s Session],
    progress: &dyn Progress,
) -> (Vec<&'s Session>, bool) {
    let mut sessions = sessions.to_vec();
    sessions.sort_by(|one, two| {
        (one.metadata.modified, &one.id).cmp(&(two.metadata.modified, &two.id))
    });
    let is_bounded = progress.most_bytes().is_some();
    if is_bounded {
        sessions.reverse();
    }
    (sessions, is_bounded)
}

/// An effect of a tool call, which copies of its session repeat.
trait Copied {
    /// What identifies the call, and the effect among those of the call.
    type CallId: Eq + Hash;
    fn call_id(&self) -> Option<Self::CallId>;
    fn is_copy(&self) -> bool;
}

impl Copied for Touch {
    type CallId = (String, usize);

    fn call_id(&self) -> Option<(String, usize)> {
        Some((self.tool_use_id.clone()?, self.number))
    }

    fn is_copy(&self) -> bool {
        self.is_copy
    }
}

/// Removes duplicates: forks and copies of sessions repeat the calls of the
/// original, which is the one not marked as a copy, or else the first.
fn once<T: Copied>(all: Vec<T>) -> Vec<T> {
    let mut chosen: Vec<T> = Vec::with_capacity(all.len());
    let mut by_id: HashMap<T::CallId, usize> = HashMap::new();
    for one in all {
        let id = one.call_id();
        let known = id.as_ref().and_then(|id| by_id.get(id).copied());
        if let Some(place) = known.and_then(|at| chosen.get_mut(at)) {
            if place.is_copy() && !one.is_copy() {
                *place = one;
            }
            continue;
        }
        if let Some(id) = id {
            by_id.insert(id, chosen.len());
        }
        chosen.push(one);
    }
    chosen
}
