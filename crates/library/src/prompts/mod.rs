//! What a person typed, and the questions that need it or the content of sessions: overviews, and
//! filters by model, agent and tool.
//!
//! Prompts are recorded in three places: as messages, as queued commands (typed
//! while the model worked; most of those never become messages), and in
//! `history.jsonl`. Most prompts are in several of them; each is reported once,
//! from the first of these places that has it. Which records are the same prompt, the
//! index decides (`index::add_missing`), which counts them.

pub(crate) mod content_filter;
pub(crate) mod overview;
pub(crate) mod page;
pub(crate) mod placed;
pub(crate) mod turns;

pub use overview::{Commit, FileTouch, SessionOverview};
pub use page::{PromptPage, PromptPageOptions};

use crate::catalog::Catalog;
use crate::catalog::filter::Filter;
use crate::catalog::find::FoundSession;
use crate::catalog::list::SessionList;
use crate::catalog::prompts_only::Histories;
use crate::facts::Facts;
use crate::lines::scan::{ReadError, scan};
use crate::memory::Memory;
use crate::progress::Progress;
use crate::prompts::placed::PlacedPrompt;
use crate::redaction::Redaction;
use crate::redaction::masking::Masking;
use crate::session::{Presence, Session};
use crate::sessions::Sessions;
use crate::stores::{Stores, Tier};
use conversation::TurnNumber;
use index::{
    Digest, PromptRecords, PromptSource, RecordedPrompt, add_missing, joined_commands,
    prompt_digest, recorded_prompt,
};
use jiff::Timestamp;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use store::Files;
use transcript::{Body, Line, parse_line};

/// The prompts of sessions, and what needs all of a session's prompts.
#[derive(Clone, Debug)]
pub struct Prompts {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) facts: Arc<Facts>,
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
    /// The git branch, where recorded.
    pub branch: Option<String>,
    /// Whether a program sent it, through an SDK.
    pub by_program: bool,
    /// Where it is recorded.
    pub source: PromptSource,
    /// The id of its record, if a message of the conversation has it.
    pub uuid: Option<String>,
    /// The turn it begins, where that was asked for and is known.
    pub turn: Option<TurnNumber>,
    /// The full text.
    pub text: String,
}

impl Prompts {
    /// The prompts of one session, in order.
    pub fn prompts_of(&self, found: &FoundSession) -> (Vec<Prompt>, Vec<ReadError>) {
        let paths: Vec<PathBuf> = found.path().map(PathBuf::from).into_iter().collect();
        let (mut prompts, mut read_errors) = read_prompts(
            &self.stores.all,
            &paths,
            &[&found.session],
            &::store::progress::NoProgress,
        );
        // The history of a root that is gone is in the same tier as the
        // session.
        let on_disk = found.session.presence == Presence::Disk;
        let (history, unread) =
            self.history(if on_disk { Tier::Disk } else { Tier::DiskAndArchive });
        read_errors.extend(unread);
        let history = history
            .into_iter()
            .filter(|prompt| prompt.session_id.as_ref() == Some(&found.session.id));
        add_missing(&mut prompts, history.collect());
        prompts.sort_by_key(|prompt| prompt.time);
        if let Some(path) = found.path() {
            let turns = self.sessions.line_turns(path, found.agent.is_some());
            for prompt in &mut prompts {
                prompt.turn = prompt.uuid.as_deref().and_then(|uuid| turns.of_uuid(uuid));
            }
        }
        if let Some(path) = found.session.path.as_deref() {
            let masking = self.redaction.masking_of(path);
            for prompt in &mut prompts {
                prompt.text = masking.text(std::mem::take(&mut prompt.text));
            }
            return (prompts, read_errors);
        }
        (self.mask_prompts(prompts), read_errors)
    }

    /// The prompts of all sessions, newest first, without those that programs
    /// sent.
    pub fn prompts(
        &self,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> (Vec<Prompt>, Vec<ReadError>) {
        let (mut prompts, read_errors) =
            self.prompts_of_each(Tier::DiskAndArchive, filter, progress);
        prompts.retain(|prompt| self.is_prompt_wanted(prompt, filter));
        keep_first_of_each(&mut prompts);
        (self.mask_prompts(prompts), read_errors)
    }
}

/// Orders prompts, newest first, and keeps one of those with the same time and
/// text: forked and copied sessions repeat their first prompts.
fn keep_first_of_each<P: ListedPrompt>(prompts: &mut Vec<P>) {
    prompts.sort_by_key(|prompt| std::cmp::Reverse(prompt.time()));
    let mut seen = HashSet::new();
    prompts.retain(|prompt| {
        prompt.time().is_none() || seen.insert((prompt.time(), prompt.text_digest()))
    });
}

/// What is needed of a prompt to decide whether it is listed.
trait ListedPrompt: RecordedPrompt {
    fn cwd(&self) -> Option<&str>;
    fn branch(&self) -> Option<&str>;
    fn by_program(&self) -> bool;
    /// The digest of the full text.
    fn text_digest(&self) -> Digest;
}

impl RecordedPrompt for Prompt {
    fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    fn time(&self) -> Option<Timestamp> {
        self.time
    }

    fn source(&self) -> PromptSource {
        self.source
    }

    fn digest(&self) -> Digest {
        prompt_digest(&self.text)
    }

    fn joined(&self) -> Cow<'_, [Digest]> {
        Cow::Owned(joined_commands(&self.text))
    }

    /// A queued prompt is recorded again, with an id, when the model receives it.
    fn note_duplicate(&mut self, duplicate: Self) {
        self.uuid = self.uuid.take().or(duplicate.uuid);
    }
}

impl ListedPrompt for Prompt {
    fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    fn by_program(&self) -> bool {
        self.by_program
    }

    fn text_digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

impl Prompts {
    /// The prompts of each session that matches by its content, including those
    /// that programs sent or other sessions repeat.
    pub(crate) fn prompts_of_each(
        &self,
        tier: Tier,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> (Vec<Prompt>, Vec<ReadError>) {
        let mut list = self.catalog.list(tier);
        list.sessions.retain(|session| filter.admits_id(Some(&session.id)));
        let unread = self.retain_by_content(&mut list.sessions, filter, progress);
        let sessions: Vec<&Session> =
            list.sessions.iter().filter(|session| session.path.is_some()).collect();
        let paths: Vec<PathBuf> =
            sessions.iter().filter_map(|session| session.path.clone()).collect();
        let (mut prompts, mut read_errors) =
            read_prompts(&self.stores.all, &paths, &sessions, progress);
        let (history, of_history) = self.history(tier);
        read_errors.extend(std::mem::take(&mut list.read_errors).into_iter().chain(unread));
        read_errors.extend(of_history);
        let history = Prompts::history_beside(&list, filter, history);
        add_missing(&mut prompts, history);
        (prompts, read_errors)
    }

    /// Prompts with their secrets masked, each as a text of its session.
    pub(crate) fn mask_prompts(&self, mut prompts: Vec<Prompt>) -> Vec<Prompt> {
        let mut maskings: HashMap<Option<String>, Masking> = HashMap::new();
        for prompt in &mut prompts {
            if !maskings.contains_key(&prompt.session_id) {
                let masking = self.redaction.masking_of_id(prompt.session_id.as_deref());
                maskings.insert(prompt.session_id.clone(), masking);
            }
            if let Some(masking) = maskings.get(&prompt.session_id) {
                prompt.text = masking.text(std::mem::take(&mut prompt.text));
            }
        }
        prompts
    }

    /// The prompts of the history that belong with the sessions of a list.
    fn history_beside(
        list: &SessionList,
        filter: &Filter,
        mut history: Vec<Prompt>,
    ) -> Vec<Prompt> {
        if filter.needs_content() {
            // The history does not record models, tools or agents.
            let ids: HashSet<&str> =
                list.sessions.iter().map(|session| session.id.as_str()).collect();
            history.retain(|prompt| {
                prompt.session_id.as_ref().is_some_and(|id| ids.contains(id.as_str()))
            });
        }
        history.retain(|prompt| {
            prompt.session_id.as_ref().is_none_or(|id| !list.excluded.contains(id))
        });
        history
    }

    /// Whether a filter matches a prompt, and a person sent it.
    fn is_prompt_wanted(&self, prompt: &impl ListedPrompt, filter: &Filter) -> bool {
        let in_project = filter.project.as_ref().is_none_or(|project| {
            prompt.cwd().is_some_and(|cwd| {
                project.holds(cwd) || project.holds(&self.stores.resolve_alias(cwd))
            })
        });
        let on_branch = filter.branch.as_ref().is_none_or(|pattern| {
            prompt.branch().is_some_and(|branch| ::index::fits(pattern, branch))
        });
        !prompt.by_program()
            && filter.admits_id(prompt.session_id())
            && in_project
            && on_branch
            && filter.admits_time(prompt.time())
    }

    fn history(&self, tier: Tier) -> (Vec<Prompt>, Vec<ReadError>) {
        let Histories { entries, read_errors, .. } = self.catalog.histories(tier);
        let prompts = entries.into_iter().map(|(_, entry)| Prompt {
            session_id: entry.session_id,
            cwd: entry.project,
            time: entry.time,
            branch: None,
            by_program: false,
            source: PromptSource::History,
            uuid: None,
            turn: None,
            text: entry.display,
        });
        let excluded = |prompt: &Prompt| {
            prompt.cwd.as_deref().is_some_and(|cwd| self.stores.options.exclude.is_match(cwd))
        };
        (prompts.filter(|prompt| !excluded(prompt)).collect(), read_errors)
    }
}

/// The prompts in the transcripts of each session, including copies and prompts
/// that programs sent.
fn read_prompts(
    files: &Files,
    paths: &[PathBuf],
    sessions: &[&Session],
    progress: &dyn Progress,
) -> (Vec<Prompt>, Vec<ReadError>) {
    let (prompts, read_errors) = read_prompts_of_each(files, paths, sessions, progress);
    (prompts.into_iter().flatten().collect(), read_errors)
}

/// The same, session by session.
fn read_prompts_of_each(
    files: &Files,
    paths: &[PathBuf],
    sessions: &[&Session],
    progress: &dyn Progress,
) -> (Vec<Vec<Prompt>>, Vec<ReadError>) {
    let (read, read_errors) = scan(
        files,
        paths,
        progress,
        |_| TranscriptPrompts::default(),
        |prompts, line| {
            prompts.note_line(line);
            true
        },
    );
    let prompts = read.into_iter().zip(sessions).map(|(found, session)| {
        found.merged().into_iter().map(|placed| placed.prompt.of_session(session)).collect()
    });
    (prompts.collect(), read_errors)
}

/// A quick check that avoids parsing most lines. It may accept too many lines,
/// but never rejects one with a prompt.
fn may_hold_prompt(line: Line<'_>) -> bool {
    let has = |needle: &str| memmem::find(line.bytes, needle.as_bytes()).is_some();
    // Several records on one line: inside a string the quote would be escaped.
    let glued = || has("}{\"") || has("} {\"");
    (has("\"user\"") && (!has("\"tool_result\"") || glued()))
        || has("\"queue-operation\"")
        || has("\"queued_command\"")
}

impl Prompt {
    /// The same, of a session.
    fn of_session(mut self, session: &Session) -> Prompt {
        self.session_id = Some(session.id.clone());
        self.cwd = self.cwd.take().or_else(|| session.metadata.cwd.clone());
        self
    }
}

/// The prompts in one transcript.
#[derive(Default)]
struct TranscriptPrompts(PromptRecords<PlacedPrompt>);

impl TranscriptPrompts {
    fn note_line(&mut self, line: Line<'_>) {
        if may_hold_prompt(line) {
            for entry in parse_line(line) {
                self.note(&entry.record, entry.offset);
            }
        }
    }

    /// All prompts, each once.
    fn merged(self) -> Vec<PlacedPrompt> {
        self.0.merged()
    }

    fn note(&mut self, record: &transcript::Record<'_>, offset: u64) {
        let Some((kind, text)) = recorded_prompt(record) else { return };
        let by_program = matches!(&record.body, Body::User(user)
            if user.prompt_source.as_deref() == Some("sdk"));
        let prompt = Prompt {
            session_id: None,
            cwd: record.envelope.cwd.as_deref().map(str::to_owned),
            time: record.time(),
            branch: record.envelope.git_branch.as_deref().map(str::to_owned),
            by_program,
            source: kind.source(),
            uuid: record.envelope.uuid.as_ref().map(ToString::to_string),
            turn: None,
            text: text.into_owned(),
        };
        self.0.add(kind, PlacedPrompt { prompt, offset, uuid_offset: None });
    }
}
