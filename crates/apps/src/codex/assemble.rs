//! From the files of one home to threads.
//!
//! A thread has one file, or several after undos. A file may say that it begins with the first
//! bytes of another one, of the same thread or, for a fork, of another thread. The newest file
//! of a thread and the files that it builds on are the conversation as it stands; what other
//! files of the thread have beside that was undone.
//!
//! Whether an entry was undone is a matter of the thread, not of the file: a fork that was made
//! before an undo still has what the undo took back. So the entries of the files stay as they
//! were read, and [`Thread::entries`] tells their state.
//!
//! Deliberately not here: finding and reading the files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::{Entry, EntryKind, EntryState, Header, Lineage, Session};

use crate::codex::content::request_of;
use crate::codex::name::Name;
use crate::codex::usage::follow_forks;

/// A file of a home, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutFile {
    /// Its name.
    pub name: Name,
    /// Whether it is in the folder of archived threads.
    pub is_archived: bool,
    /// What it holds.
    pub session: Session,
}

/// Some entries of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file, as its number among the files given.
    pub file: usize,
    /// The entries, as their numbers in the file's session.
    pub entries: Range<usize>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: String,
    /// What is known of it, over all its files.
    pub header: Header,
    /// Whether its newest file is archived.
    pub is_archived: bool,
    /// Its own files, oldest first, as their numbers among the files given.
    pub files: Vec<usize>,
    /// The conversation as it stands, oldest part first. For a fork the first parts are of
    /// files of another thread.
    pub parts: Vec<Part>,
    /// What was undone in its own files.
    pub undone: Vec<Part>,
    /// The file that it builds on, if that is not among the files given.
    pub missing_base: Option<String>,
    /// The threads of its sub-agents that are among the files given.
    pub agents: Vec<String>,
}

/// An entry of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadEntry<'a> {
    /// The file, as its number among the files given.
    pub file: usize,
    /// The number of the entry in the file's session.
    pub number: usize,
    /// The entry as it was read.
    pub entry: &'a Entry,
    /// Its state in this thread, which can differ from the entry's own: what a fork takes from
    /// another file is replayed, and what is left of older files is undone.
    pub state: EntryState,
}

impl Thread {
    /// The entries of the conversation as it stands, and after them those that were undone in
    /// older files. What was undone within a file stays in its place.
    pub fn entries<'a>(
        &'a self,
        files: &'a [RolloutFile],
    ) -> impl Iterator<Item = ThreadEntry<'a>> {
        let parts = self.parts.iter().map(|part| {
            let is_own = self.files.contains(&part.file);
            (part, if is_own { EntryState::Live } else { EntryState::Replayed })
        });
        let undone = self.undone.iter().map(|part| (part, EntryState::Undone));
        parts.chain(undone).flat_map(move |(part, state)| {
            entries_of(files, part).iter().zip(part.entries.clone()).map(move |(entry, number)| {
                let state = match entry.state {
                    EntryState::Undone => EntryState::Undone,
                    own if state == EntryState::Live => own,
                    _ => state,
                };
                ThreadEntry { file: part.file, number, entry, state }
            })
        })
    }
}

fn entries_of<'a>(files: &'a [RolloutFile], part: &Part) -> &'a [Entry] {
    let entries = files.get(part.file).map(|file| &file.session.entries);
    entries.and_then(|entries| entries.get(part.entries.clone())).unwrap_or_default()
}

/// Joins files to threads, in the order of their ids, which is the order of their creation.
///
/// Completes the lineage of sub-agents with the call that started them, and the keys of API
/// calls with the threads that are given (see [`crate::codex::follow_forks`]). Of two files with the
/// same id, the first counts; the caller leaves out compressed files that are hidden (see
/// [`crate::codex::find_visible`]).
pub fn assemble(files: &mut [RolloutFile]) -> Vec<Thread> {
    let by_id = files_by_id(files);
    let mut of_threads: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for number in by_id.values() {
        let Some(file) = files.get(*number) else { continue };
        of_threads.entry(file.name.thread.clone()).or_default().push(*number);
    }
    link_agents(files);
    complete_keys(files);
    let mut threads: Vec<Thread> = of_threads
        .into_iter()
        .filter_map(|(id, mut own)| {
            own.sort_by(|one, other| order_of(files, *one).cmp(&order_of(files, *other)));
            assemble_thread(files, &by_id, id, own)
        })
        .collect();
    let agents = agents_by_parent(&threads);
    for thread in &mut threads {
        thread.agents = agents.get(&thread.id).cloned().unwrap_or_default();
    }
    threads
}

fn files_by_id(files: &[RolloutFile]) -> BTreeMap<String, usize> {
    let mut by_id = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        by_id.entry(file.name.id().to_owned()).or_insert(number);
    }
    by_id
}

/// Files of one thread by age. The first one has no separate id.
fn order_of(files: &[RolloutFile], number: usize) -> Option<(&str, Option<&str>)> {
    files.get(number).map(|file| (file.name.time.as_str(), file.name.rollout.as_deref()))
}

fn base_of(header: &Header) -> Option<(&str, u64)> {
    header.lineage.iter().find_map(|lineage| match lineage {
        Lineage::Base { file, bytes } => Some((file.as_str(), *bytes)),
        _ => None,
    })
}

fn assemble_thread(
    files: &[RolloutFile],
    by_id: &BTreeMap<String, usize>,
    id: String,
    own: Vec<usize>,
) -> Option<Thread> {
    let newest = *own.last()?;
    let mut parts = Vec::new();
    let mut missing_base = None;
    let mut seen = BTreeSet::new();
    let mut next = Some((newest, u64::MAX));
    while let Some((number, end)) = next.take() {
        let file = files.get(number)?;
        let entries = &file.session.entries;
        let count = entries.partition_point(|entry| entry.place.offset < end);
        parts.push(Part { file: number, entries: 0..count });
        seen.insert(number);
        if let Some((base, bytes)) = base_of(&file.session.header) {
            match by_id.get(base) {
                Some(base) if !seen.contains(base) => next = Some((*base, bytes)),
                // A file that builds on itself is damaged; what it has stands alone.
                Some(_) => {}
                None => missing_base = Some(base.to_owned()),
            }
        }
    }
    parts.reverse();
    let undone = own
        .iter()
        .filter_map(|number| {
            let count = files.get(*number)?.session.entries.len();
            let part = parts.iter().find(|part| part.file == *number);
            let start = part.map_or(0, |part| part.entries.end);
            (start < count).then_some(Part { file: *number, entries: start..count })
        })
        .collect();
    Some(Thread {
        header: join_headers(files, &id, &own, &parts)?,
        id,
        is_archived: files.get(newest)?.is_archived,
        files: own,
        parts,
        undone,
        missing_base,
        agents: Vec::new(),
    })
}

/// The header of the newest file, with what older files of the thread know.
fn join_headers(files: &[RolloutFile], id: &str, own: &[usize], parts: &[Part]) -> Option<Header> {
    let mut header = files.get(*own.last()?)?.session.header.clone();
    id.clone_into(&mut header.id);
    for older in own.iter().rev().skip(1).filter_map(|number| files.get(*number)) {
        let older = &older.session.header;
        header.started = [header.started, older.started].into_iter().flatten().min();
        header.ended = header.ended.max(older.ended);
        header.title = header.title.take().or_else(|| older.title.clone());
        header.model = header.model.take().or_else(|| older.model.clone());
        header.directory = header.directory.take().or_else(|| older.directory.clone());
        header.branch = header.branch.take().or_else(|| older.branch.clone());
    }
    // An agent's first prompt is what its parent asked, not how the parent's thread began.
    let is_agent = header.lineage.iter().any(|line| matches!(line, Lineage::Agent { .. }));
    let mut earlier = parts.iter().filter(|part| !is_agent || own.contains(&part.file));
    if parts.len() > 1 {
        let first = earlier.find_map(|part| {
            entries_of(files, part).iter().find_map(|entry| match &entry.kind {
                EntryKind::Prompt(text) if entry.state != EntryState::Undone => Some(text),
                _ => None,
            })
        });
        header.first_prompt = first.map(|text| request_of(text).to_owned());
    }
    Some(header)
}

/// Completes the lineage of sub-agents with the call that started them.
fn link_agents(files: &mut [RolloutFile]) {
    let mut calls: BTreeMap<String, String> = BTreeMap::new();
    for entry in files.iter().flat_map(|file| &file.session.entries) {
        if let EntryKind::AgentStart { agent, call: Some(call) } = &entry.kind {
            calls.entry(agent.clone()).or_insert_with(|| call.clone());
        }
    }
    for file in files {
        let known = calls.get(&file.name.thread);
        for lineage in &mut file.session.header.lineage {
            if let Lineage::Agent { call, .. } = lineage
                && call.is_none()
            {
                *call = known.cloned();
            }
        }
    }
}

/// Makes the keys of calls, and of the responses that they are, name the oldest thread that holds
/// them.
fn complete_keys(files: &mut [RolloutFile]) {
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    for file in files.iter() {
        for lineage in &file.session.header.lineage {
            if let Lineage::Fork { of } = lineage {
                parents.insert(file.name.thread.clone(), of.clone());
            }
        }
    }
    for file in files {
        let entries = file.session.entries.iter_mut();
        let responses = entries.filter_map(|entry| entry.response.as_mut());
        let keys = file.session.api_calls.iter_mut().map(|call| &mut call.key);
        for key in keys.chain(responses) {
            *key = follow_forks(key, |thread| parents.get(thread).map(String::as_str));
        }
    }
}

fn agents_by_parent(threads: &[Thread]) -> BTreeMap<String, Vec<String>> {
    let mut agents: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for thread in threads {
        for lineage in &thread.header.lineage {
            if let Lineage::Agent { of, .. } = lineage {
                agents.entry(of.clone()).or_default().push(thread.id.clone());
            }
        }
    }
    agents
}

#[cfg(test)]
mod tests;
