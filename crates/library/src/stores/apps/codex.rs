//! Codex: rollout files below `sessions` and `archived_sessions`, and the names of threads.

use crate::stores::apps::app_files::AppFiles;
use crate::stores::apps::head::read_header_to_end;
use crate::stores::apps::listings::AppListings;
use crate::stores::apps::provider::{
    AppSession, Found, Provider, ReadSession, SourceStamp, list_file, parent_of,
};
use crate::stores::apps::unread::UnreadScope;
use crate::stores::apps::whole::WholeReader;
use ::apps::codex::{
    Decompressed, HeaderReader, Name, Reader, RolloutFile, UsageReader, assemble, find_visible,
    follow_forks, parse_session_index,
};
use ::apps::{ApiCall, App, Entry, Header, Lineage};
use index::Stamp;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use store::limits::LARGEST_DECOMPRESSED;

/// Where Codex keeps rollout files.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];

/// Where Codex keeps the names that people give to threads.
const NAMES: &str = "session_index.jsonl";

#[derive(Debug)]
pub(super) struct Codex {
    home: PathBuf,
    files: AppFiles,
    threads: OnceLock<Threads>,
}

/// What the headers of all files say.
#[derive(Debug, Default)]
struct Threads {
    /// Every file, by the id that other files use for it.
    files: HashMap<String, ListedFile>,
    /// The thread that each thread was forked from.
    parents: HashMap<String, String>,
}

#[derive(Clone, Debug)]
struct ListedFile {
    name: Name,
    path: PathBuf,
    is_archived: bool,
}

impl Codex {
    pub(super) fn new(home: PathBuf, files: AppFiles) -> Self {
        Codex { home, files, threads: OnceLock::new() }
    }

    fn listed_files(&self, found: &mut Found) -> Vec<ListedFile> {
        let mut files = Vec::new();
        for (folder, is_archived) in FOLDERS.into_iter().zip([false, true]) {
            let is_rollout = |below: &str| name_of(below).is_some();
            for (below, path) in self.files.sessions_below(&self.home, folder, found, is_rollout) {
                let name = name_of(&below);
                files.extend(name.map(|name| ListedFile { name, path, is_archived }));
            }
        }
        let names: Vec<Name> = files.iter().map(|file| file.name.clone()).collect();
        let visible = find_visible(&names);
        let mut files: Vec<ListedFile> =
            files.into_iter().zip(visible).filter_map(|(file, is)| is.then_some(file)).collect();
        files.sort_by(|one, two| one.name.cmp(&two.name));
        files
    }

    fn read_file(&self, file: &ListedFile, whole: &mut WholeReader<'_>) -> io::Result<RolloutFile> {
        let content = content_of(&self.files, &file.path)?;
        let session = whole.read_content::<Reader>(&file.path, content)?;
        Ok(RolloutFile { name: file.name.clone(), is_archived: file.is_archived, session })
    }

    /// What the headers of all files say; nothing before the sessions were looked for.
    fn threads(&self) -> &Threads {
        self.threads.get_or_init(Threads::default)
    }
}

impl Threads {
    fn new(files: &[ListedFile], headers: &[Option<Header>]) -> Self {
        let mut threads = Threads::default();
        for (file, header) in files.iter().zip(headers) {
            threads.files.entry(file.name.id().to_owned()).or_insert_with(|| file.clone());
            for lineage in header.iter().flat_map(|header| &header.lineage) {
                if let Lineage::Fork { of } = lineage {
                    threads.parents.insert(file.name.thread.clone(), of.clone());
                }
            }
        }
        threads
    }

    fn complete_key(&self, key: &mut String) {
        *key = follow_forks(key, |thread| self.parents.get(thread).map(String::as_str));
    }
}

/// The name of a rollout file with this path.
fn name_of(below: &str) -> Option<Name> {
    below.rsplit('/').next().and_then(Name::parse)
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zst")
}

/// What a file contains, without compression.
fn content_of(files: &AppFiles, path: &Path) -> io::Result<Box<dyn io::Read>> {
    let file = files.open(path)?;
    if !is_compressed(path) {
        return Ok(file);
    }
    Ok(Box::new(Decompressed::new(file, LARGEST_DECOMPRESSED)?))
}

/// What a file says of its thread. The folder and the branch are those of its newest lines, so it
/// is read to its end.
fn header_of(files: &AppFiles, file: &ListedFile) -> io::Result<Header> {
    read_header_to_end::<HeaderReader>(&mut content_of(files, &file.path)?)
}

/// The thread of some files, oldest first, with their headers.
fn thread(id: &str, files: &[(&ListedFile, &Header, Stamp)]) -> Option<AppSession> {
    let (newest, header, _) = files.last()?;
    let mut header = Header::clone(header);
    id.clone_into(&mut header.id);
    let older = files.iter().map(|(_, header, _)| header);
    // After an undo, the newest file begins in the middle.
    header.first_prompt = older
        .clone()
        .find_map(|older| older.first_prompt.clone())
        .or_else(|| header.first_prompt.take());
    for older in older.clone().rev() {
        header.directory = header.directory.take().or_else(|| older.directory.clone());
        header.branch = header.branch.take().or_else(|| older.branch.clone());
    }
    header.started = older.filter_map(|older| older.started).min().or(header.started);
    let stamps: Vec<Stamp> = files.iter().map(|(.., stamp)| *stamp).collect();
    let stamp = SourceStamp::of(&stamps)?;
    Some(AppSession {
        id: id.to_owned(),
        parent: parent_of(&header),
        is_programmatic: header.source.as_deref() == Some("exec"),
        is_archived: newest.is_archived,
        files: files.iter().map(|(file, ..)| file.path.clone()).collect(),
        bytes: stamp.bytes,
        modified: stamp.modified,
        inline_agents: Vec::new(),
        header,
    })
}

impl Provider for Codex {
    fn app(&self) -> App {
        App::Codex
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn files(&self) -> &AppFiles {
        &self.files
    }

    fn find(&self, listings: &AppListings) -> Found {
        let mut found = Found::default();
        let files = self.listed_files(&mut found);
        let read: Vec<_> = files
            .par_iter()
            .map(|file| {
                let header = || header_of(&self.files, file);
                let read = || Ok(header()?.into());
                list_file(App::Codex, &self.files, listings, &file.path, read)
            })
            .collect();
        let mut threads: BTreeMap<&str, Vec<(&ListedFile, &Header, Stamp)>> = BTreeMap::new();
        for (file, listed) in files.iter().zip(&read) {
            match listed {
                Ok(Some((listing, stamp))) => {
                    let own = (file, &listing.header, *stamp);
                    threads.entry(&file.name.thread).or_default().push(own);
                }
                Ok(None) => {}
                Err(error) => found.note(UnreadScope::File, &file.path, error),
            }
        }
        let mut names = HashMap::new();
        for bytes in self.files.versions(&self.home.join(NAMES)) {
            names.extend(parse_session_index(&bytes));
        }
        for (id, mut own) in threads {
            own.sort_by(|one, two| {
                let order = |file: &ListedFile| (file.name.time.clone(), file.name.rollout.clone());
                order(one.0).cmp(&order(two.0))
            });
            let Some(mut session) = thread(id, &own) else { continue };
            if let Some(name) = names.get(id) {
                session.header.title = Some(name.clone());
            }
            found.sessions.push(session);
        }
        let headers: Vec<Option<Header>> =
            read.into_iter().map(|listed| Some(listed.ok()??.0.header)).collect();
        self.threads.get_or_init(|| Threads::new(&files, &headers));
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let mut whole = WholeReader::new(&self.files);
        let known = self.threads();
        let mut files = Vec::new();
        let mut met = HashSet::new();
        let mut wanted: Vec<ListedFile> = session
            .files
            .iter()
            .filter_map(|path| {
                let name = Name::parse(path.file_name()?.to_str()?)?;
                Some(ListedFile { name, path: path.clone(), is_archived: session.is_archived })
            })
            .collect();
        while let Some(file) = wanted.pop() {
            if !met.insert(file.path.clone()) {
                continue;
            }
            let read = self.read_file(&file, &mut whole)?;
            for lineage in &read.session.header.lineage {
                if let Lineage::Base { file, .. } = lineage {
                    wanted.extend(known.files.get(file).cloned());
                }
            }
            files.push((file.path, read));
        }
        // The session's own files first, in their order; then what they build on.
        files.sort_by_key(|(path, _)| {
            session.files.iter().position(|own| own == path).unwrap_or(usize::MAX)
        });
        let mut files: Vec<RolloutFile> = files.into_iter().map(|(_, file)| file).collect();
        let threads = assemble(&mut files);
        let thread = threads.iter().find(|thread| thread.id == session.id);
        let thread = thread.ok_or_else(|| io::Error::other("its file has another name"))?;
        let mut read = ReadSession { header: thread.header.clone(), ..ReadSession::default() };
        read.header.title = session.header.title.clone().or(read.header.title);
        let entries: Vec<_> =
            thread.entries(&files).map(|entry| (entry.file, entry.number, entry.state)).collect();
        let mut read_entries: Vec<Vec<Option<Entry>>> = files
            .iter_mut()
            .map(|file| std::mem::take(&mut file.session.entries).into_iter().map(Some).collect())
            .collect();
        // Where each entry of each file is in the thread.
        let mut numbers: Vec<Vec<Option<usize>>> =
            read_entries.iter().map(|entries| vec![None; entries.len()]).collect();
        read.entries.reserve_exact(entries.len());
        for (file, number, state) in entries {
            let Some(entry) = read_entries[file][number].take() else { continue };
            numbers[file][number] = Some(read.entries.len());
            let mut entry = Entry { state, ..entry };
            if let Some(response) = &mut entry.response {
                known.complete_key(response);
            }
            read.entries.push((entry, file));
        }
        for number in &thread.files {
            let own = &files[*number].session;
            for call in &own.api_calls {
                let place = numbers[*number].get(call.entry).copied().flatten();
                let Some(entry) = place else { continue };
                let mut call = ApiCall { entry, ..call.clone() };
                known.complete_key(&mut call.key);
                read.api_calls.push(call);
            }
            read.problems.extend(own.problems.iter().copied());
            read.note_unknown(&own.unknown);
        }
        Ok(read)
    }

    fn api_calls(&self, session: &AppSession) -> io::Result<Vec<ApiCall>> {
        let mut whole = WholeReader::new(&self.files);
        let known = self.threads();
        let mut calls = Vec::new();
        for path in &session.files {
            let mut reader = UsageReader::default();
            whole.each_batch(path, content_of(&self.files, path)?, |batch| {
                reader.read_on(batch);
                reader.calls.len()
            })?;
            for call in reader.calls {
                let mut call = ApiCall {
                    key: call.key,
                    entry: 0,
                    time: call.time,
                    model: call.model,
                    agent: None,
                    workplace: call.workplace,
                    tokens: call.tokens,
                    context_window: call.context_window,
                    reported_pico_usd: None,
                };
                known.complete_key(&mut call.key);
                calls.push(call);
            }
        }
        Ok(calls)
    }

    fn open_original(&self, session: &AppSession) -> io::Result<Box<dyn io::Read>> {
        content_of(&self.files, session.files.last().ok_or(io::ErrorKind::NotFound)?)
    }

    fn side_files(&self) -> Vec<PathBuf> {
        vec![self.home.join(NAMES)]
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        ["codex", "resume", &session.id].map(OsString::from).to_vec()
    }
}
