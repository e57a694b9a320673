//! The sessions of apps as transcripts: a shelf that makes them when they are opened.

use crate::stores::apps::provider::{AppSession, Provider, SourceStamp};
use crate::stores::apps::sessions::{AppSessions, FoundApp};
use crate::stores::apps::view_path::{ViewPath, shown_id};
use ::apps::transcript_writer::{SessionTranscript, SourceEntry, SourceSession, write_transcript};
use index::Digest;
use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use store::limits::permit;
use store::{Shelf, ShelfEntry, ShelfFile, ShelfStat};

/// How many transcripts are kept after their last use: a search reads several lines of one, and
/// the sub-agents of a session come from the same file.
const KEPT: usize = 4;

/// How many bytes they have together, unless a single one has more.
const KEPT_BYTES: usize = 64 << 20;

/// The sessions of apps as transcripts.
#[derive(Debug)]
pub(crate) struct AppShelf {
    pub(crate) sessions: AppSessions,
    made: Mutex<MadeTranscripts>,
}

/// The transcripts that were made and are still in use, or were used last.
#[derive(Debug, Default)]
struct MadeTranscripts {
    all: Vec<MadeTranscript>,
    kept: VecDeque<Arc<SessionTranscript>>,
}

#[derive(Debug)]
struct MadeTranscript {
    id: String,
    stamp: SourceStamp,
    transcript: Weak<SessionTranscript>,
}

impl MadeTranscripts {
    fn find(&self, id: &str, stamp: SourceStamp) -> Option<Arc<SessionTranscript>> {
        let made = self.all.iter().find(|made| made.id == id && made.stamp == stamp)?;
        made.transcript.upgrade()
    }

    fn add(&mut self, id: String, stamp: SourceStamp, transcript: &Arc<SessionTranscript>) {
        self.kept.push_back(Arc::clone(transcript));
        let bytes = |kept: &VecDeque<Arc<SessionTranscript>>| -> usize {
            kept.iter().map(|transcript| bytes_of(transcript)).sum()
        };
        while self.kept.len() > KEPT || self.kept.len() > 1 && bytes(&self.kept) > KEPT_BYTES {
            self.kept.pop_front();
        }
        self.all.retain(|made| made.id != id && made.transcript.strong_count() > 0);
        let transcript = Arc::downgrade(transcript);
        self.all.push(MadeTranscript { id, stamp, transcript });
    }
}

fn bytes_of(transcript: &SessionTranscript) -> usize {
    transcript.main.len() + transcript.agents.values().map(Vec::len).sum::<usize>()
}

/// Bytes that several readers share.
#[derive(Debug)]
struct SharedBytes {
    transcript: Arc<SessionTranscript>,
    /// The sub-agent whose transcript this is.
    agent: Option<String>,
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        match &self.agent {
            None => &self.transcript.main,
            Some(agent) => self.transcript.agents.get(agent).map_or(&[], Vec::as_slice),
        }
    }
}

impl AppShelf {
    pub(crate) fn new(sessions: AppSessions) -> Self {
        AppShelf { sessions, made: Mutex::default() }
    }

    /// The transcript of a session, or of a sub-agent with a separate file: `top` is the session
    /// that it belongs to in the end.
    fn transcript(
        &self,
        found: &FoundApp,
        session: &AppSession,
        top: &str,
    ) -> io::Result<(Arc<SessionTranscript>, SourceStamp)> {
        let id = shown_id(found.provider.app(), &session.id);
        let top = shown_id(found.provider.app(), top);
        let stamp = found.provider.stamp(session).ok_or(io::ErrorKind::NotFound)?;
        let lock = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(transcript) = lock().find(&id, stamp) {
            return Ok((transcript, stamp));
        }
        let transcript = Arc::new(make(found.provider.as_ref(), session, &top)?);
        lock().add(id, stamp, &transcript);
        Ok((transcript, stamp))
    }
}

/// Reads a session and writes it as a transcript.
fn make(provider: &dyn Provider, session: &AppSession, top: &str) -> io::Result<SessionTranscript> {
    let _permit = permit(session.bytes);
    let read = provider.read(session)?;
    let mut entries: Vec<SourceEntry<'_>> = read
        .entries
        .iter()
        .map(|(entry, file)| SourceEntry {
            entry,
            state: entry.state,
            file: *file,
            calls: Vec::new(),
        })
        .collect();
    let last = entries.len().saturating_sub(1);
    for call in &read.api_calls {
        if let Some(entry) = entries.get_mut(call.entry.min(last)) {
            entry.calls.push(call);
        }
    }
    let app = provider.app();
    let is_own = shown_id(app, &session.id) == top;
    let agent = (!is_own).then_some(session.id.as_str());
    let header = &read.header;
    Ok(write_transcript(&SourceSession { app, id: top, header, entries: &entries, agent }))
}

fn file(name: String) -> ShelfEntry {
    ShelfEntry { name: OsString::from(name), is_folder: false }
}

fn folder(name: &str) -> ShelfEntry {
    ShelfEntry { name: OsString::from(name), is_folder: true }
}

impl Shelf for AppShelf {
    fn roots(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn entries(&self, path: &Path) -> Vec<ShelfEntry> {
        let Some((found, view)) = self.sessions.parse(path) else { return Vec::new() };
        match view {
            ViewPath::Root => {
                let mut entries = Vec::new();
                for (id, session) in found.listed() {
                    if !found.agents_of(session).is_empty() {
                        entries.push(folder(&id));
                    }
                    entries.push(file(format!("{id}.jsonl")));
                }
                entries
            }
            ViewPath::SessionFolder(id) => {
                let agents = found.sessions.get(id).map(|session| found.agents_of(session));
                let has_agents = agents.is_some_and(|agents| !agents.is_empty());
                has_agents.then(|| folder("subagents")).into_iter().collect()
            }
            ViewPath::AgentFolder(id) => {
                let agents = found.sessions.get(id).map(|session| found.agents_of(session));
                let names = agents.unwrap_or_default().into_iter();
                names.map(|agent| file(format!("agent-{agent}.jsonl"))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        let (found, view) = self.sessions.parse(path)?;
        if let ViewPath::AgentMeta(session, agent) = view {
            let bytes = meta_of(found, session, agent)?.len() as u64;
            let session = found.sessions.get(session)?;
            return Some(ShelfStat { bytes, modified: session.modified });
        }
        let (found, session) = self.sessions.session_at(path)?;
        let stamp = found.provider.stamp(session)?;
        Some(ShelfStat { bytes: stamp.bytes, modified: stamp.modified })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        self.open_with_stat(path).map(|(file, _)| file)
    }

    fn open_with_stat(&self, path: &Path) -> io::Result<(Box<dyn ShelfFile>, ShelfStat)> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let (found, view) = self.sessions.parse(path).ok_or_else(missing)?;
        if let ViewPath::AgentMeta(session, agent) = view {
            let meta = meta_of(found, session, agent).ok_or_else(missing)?;
            let modified = found.sessions.get(session).ok_or_else(missing)?.modified;
            let stat = ShelfStat { bytes: meta.len() as u64, modified };
            return Ok((Box::new(Cursor::new(meta.into_bytes())), stat));
        }
        let (found, session) = self.sessions.session_at(path).ok_or_else(missing)?;
        let (top, agent) = match view {
            ViewPath::Agent(top, agent) => (top, Some(agent).filter(|id| *id != session.id)),
            _ => (session.id.as_str(), None),
        };
        let (transcript, stamp) = self.transcript(found, session, top)?;
        found.provider.files().note_shown(path, &session.files);
        let agent = agent.map(str::to_owned);
        let bytes = SharedBytes { transcript, agent };
        let stat = ShelfStat { bytes: bytes.as_ref().len() as u64, modified: stamp.modified };
        Ok((Box::new(Cursor::new(bytes)), stat))
    }

    /// Changes whenever a session comes, goes or changes.
    fn stamp(&self) -> Option<String> {
        let mut stamps = String::new();
        for found in self.sessions.found() {
            for session in found.sessions.values() {
                let stamp = found.provider.stamp(session);
                // Writing into a String cannot fail.
                let _ = writeln!(stamps, "{} {stamp:?}", session.id);
            }
        }
        Some(format!("{:?}", Digest::of(stamps.as_bytes())))
    }
}

/// The metadata of a sub-agent with a separate file, as Claude Code writes it beside one.
fn meta_of(found: &FoundApp, session: &str, agent: &str) -> Option<String> {
    if !found.is_separate(session, agent) {
        return None;
    }
    let own = found.sessions.get(agent)?;
    let call = own.header.lineage.iter().find_map(|lineage| match lineage {
        ::apps::Lineage::Agent { call, .. } => call.clone(),
        _ => None,
    });
    let parent = own.parent.clone().filter(|parent| parent != session);
    let meta = serde_json::json!({
        "agentType": own.header.agent_name,
        "description": own.header.title,
        "toolUseId": call,
        "parentAgentId": parent,
        "model": own.header.model,
    });
    Some(meta.to_string())
}

/// Several shelves as one. The first that has a file wins.
#[derive(Debug)]
pub(crate) struct Shelves(pub(crate) Vec<Arc<dyn Shelf>>);

impl Shelf for Shelves {
    fn roots(&self) -> Vec<PathBuf> {
        self.0.iter().flat_map(|shelf| shelf.roots()).collect()
    }

    fn entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        let lists = self.0.iter().map(|shelf| shelf.entries(folder));
        let mut lists = lists.filter(|entries| !entries.is_empty());
        let mut entries = lists.next().unwrap_or_default();
        // Mostly only one has the folder.
        let others: Vec<ShelfEntry> = lists.flatten().collect();
        if !others.is_empty() {
            entries.extend(others);
            let mut met = HashSet::new();
            entries.retain(|entry| met.insert(entry.name.clone()));
        }
        entries
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        self.0.iter().find_map(|shelf| shelf.find(path))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        self.open_with_stat(path).map(|(file, _)| file)
    }

    fn open_with_stat(&self, path: &Path) -> io::Result<(Box<dyn ShelfFile>, ShelfStat)> {
        for shelf in &self.0 {
            match shelf.open_with_stat(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return opened,
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn stamp(&self) -> Option<String> {
        self.0.iter().map(|shelf| shelf.stamp()).collect()
    }
}
