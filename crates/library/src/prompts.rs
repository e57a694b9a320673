//! Only what a person typed.
//!
//! Prompts stand in three places: as messages, as queued commands (typed while
//! the model worked; those never become messages), and in `history.jsonl`. The
//! same prompt mostly stands in several; it is said once, by the first of these
//! that has it.

use crate::Library;
use crate::filter::Filter;
use crate::find::Found;
use crate::progress::Progress;
use crate::scan::{Trouble, scan};
use crate::session::Session;
use jiff::{SignedDuration, Timestamp};
use memchr::memmem;
use std::path::PathBuf;
use store::{read_history, typed_prompt};
use transcript::{Body, Line, parse_line};

/// Where a prompt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PromptSource {
    /// A message of the conversation.
    Typed,
    /// Typed while the model worked.
    Queued,
    /// Only in `history.jsonl`.
    History,
}

impl PromptSource {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PromptSource::Typed => "typed",
            PromptSource::Queued => "queued",
            PromptSource::History => "history",
        }
    }
}

/// Something a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The session, where known.
    pub session_id: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// Where it stands.
    pub source: PromptSource,
    /// The text, whole.
    pub text: String,
}

impl Library {
    /// What was typed in one session, in order.
    pub fn prompts_of(&self, found: &Found) -> (Vec<Prompt>, Vec<Trouble>) {
        let paths: Vec<PathBuf> = found.path().map(PathBuf::from).into_iter().collect();
        let (mut prompts, troubles) = read_prompts(&paths, &[&found.session], &crate::NoProgress);
        let history = self.history();
        let history = history
            .into_iter()
            .filter(|prompt| prompt.session_id.as_ref() == Some(&found.session.id));
        add_missing(&mut prompts, history.collect());
        prompts.sort_by_key(|prompt| prompt.time);
        (prompts, troubles)
    }

    /// What was typed anywhere, newest first.
    pub fn prompts(&self, filter: &Filter, progress: &dyn Progress) -> (Vec<Prompt>, Vec<Trouble>) {
        let list = self.sessions();
        let sessions: Vec<&Session> =
            list.sessions.iter().filter(|session| session.path.is_some()).collect();
        let paths: Vec<PathBuf> =
            sessions.iter().filter_map(|session| session.path.clone()).collect();
        let (mut prompts, mut troubles) = read_prompts(&paths, &sessions, progress);
        troubles.extend(list.troubles);
        add_missing(&mut prompts, self.history());
        prompts.retain(|prompt| {
            let in_project = filter.project.as_ref().is_none_or(|project| {
                prompt
                    .cwd
                    .as_deref()
                    .is_some_and(|cwd| project.holds(cwd) || project.holds(&self.today(cwd)))
            });
            in_project && filter.admits_time(prompt.time)
        });
        prompts.sort_by_key(|prompt| std::cmp::Reverse(prompt.time));
        // Forked and copied sessions repeat their beginnings.
        let mut seen = std::collections::HashSet::new();
        prompts.retain(|prompt| {
            prompt.time.is_none() || seen.insert((prompt.time, prompt.text.clone()))
        });
        (prompts, troubles)
    }

    fn history(&self) -> Vec<Prompt> {
        let entries = self.roots.iter().filter_map(|root| read_history(root.config()?).ok());
        let prompts = entries.flat_map(|(entries, _)| entries).map(|entry| Prompt {
            session_id: entry.session_id,
            cwd: entry.project,
            time: entry.time,
            source: PromptSource::History,
            text: entry.display,
        });
        prompts
            .filter(|prompt| {
                !prompt.cwd.as_deref().is_some_and(|cwd| self.options.exclude.is_match(cwd))
            })
            .collect()
    }
}

fn read_prompts(
    paths: &[PathBuf],
    sessions: &[&Session],
    progress: &dyn Progress,
) -> (Vec<Prompt>, Vec<Trouble>) {
    let (read, troubles) = scan(
        paths,
        progress,
        |_| Vec::new(),
        |prompts: &mut Vec<Prompt>, line| {
            if may_hold_prompt(line) {
                for entry in parse_line(line) {
                    prompts.extend(prompt_in(&entry.record));
                }
            }
            true
        },
    );
    let mut prompts = Vec::new();
    for (found, session) in read.into_iter().zip(sessions) {
        let (typed, queued): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|prompt| prompt.source == PromptSource::Typed);
        let mut own: Vec<Prompt> = typed;
        add_missing(&mut own, queued);
        for prompt in &mut own {
            prompt.session_id = Some(session.id.clone());
            prompt.cwd = prompt.cwd.take().or_else(|| session.facts.cwd.clone());
        }
        prompts.extend(own);
    }
    (prompts, troubles)
}

/// A quick look that spares most lines the parsing.
fn may_hold_prompt(line: Line<'_>) -> bool {
    let has = |needle: &str| memmem::find(line.bytes, needle.as_bytes()).is_some();
    (has("\"user\"") && !has("\"tool_result\""))
        || has("\"queue-operation\"")
        || has("\"queued_command\"")
}

fn prompt_in(record: &transcript::Record<'_>) -> Option<Prompt> {
    let (source, text) = match &record.body {
        Body::User(_) => (PromptSource::Typed, typed_prompt(record)?.into_owned()),
        Body::QueueOperation(operation) if operation.operation.as_deref() == Some("enqueue") => {
            (PromptSource::Queued, operation.content.as_ref()?.text().into_owned())
        }
        Body::Attachment(attachment) if attachment.kind.as_deref() == Some("queued_command") => {
            let by_person = attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt");
            let text = attachment.prompt.as_ref().filter(|_| by_person)?.text().into_owned();
            (PromptSource::Queued, text)
        }
        _ => return None,
    };
    // What the app queues for itself comes in tags.
    if source == PromptSource::Queued
        && (text.trim().is_empty() || text.trim_start().starts_with('<'))
    {
        return None;
    }
    Some(Prompt {
        session_id: None,
        cwd: record.envelope.cwd.as_deref().map(str::to_owned),
        time: record.time(),
        source,
        text,
    })
}

/// Adds those of `others` that are not there yet: no prompt of the same session
/// has the same text, or was sent in the same moment.
fn add_missing(prompts: &mut Vec<Prompt>, others: Vec<Prompt>) {
    let moment = SignedDuration::from_secs(2);
    let mut known: std::collections::HashMap<Option<String>, Vec<(Option<Timestamp>, String)>> =
        std::collections::HashMap::new();
    for prompt in prompts.iter() {
        let place = known.entry(prompt.session_id.clone()).or_default();
        place.push((prompt.time, prompt.text.trim().to_owned()));
    }
    for other in others {
        let same = known.get(&other.session_id).is_some_and(|known| {
            known.iter().any(|(time, text)| {
                text == other.text.trim()
                    || matches!((time, other.time), (Some(one), Some(two)) if other.source == PromptSource::History && one.duration_since(two).abs() <= moment)
            })
        });
        if !same {
            let place = known.entry(other.session_id.clone()).or_default();
            place.push((other.time, other.text.trim().to_owned()));
            prompts.push(other);
        }
    }
}
