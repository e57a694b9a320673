//! Putting a kept session back.

use super::ArchiveError;
use crate::{Actions, Library};
use amend::{Conflict, FileToRestore, RestoreError, RestoreReport, restore_files};
use archive::{Archive, ArchiveRoot, FileKey, Generation, Name, State, is_transcript};
use jiff::Timestamp;
use memchr::memmem;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to put back, and where.
#[derive(Clone, Copy, Debug)]
pub struct RestoreOptions<'a> {
    /// The session.
    pub id: &'a str,
    /// The folder to lay it out in as a store; where it was, if none is given.
    pub to: Option<&'a Path>,
    /// The version of its transcript; the newest, if none is given.
    pub generation: Option<u32>,
    /// The time.
    pub now: Timestamp,
}

/// What was put back.
#[derive(Clone, Debug, Default)]
pub struct RestoredSession {
    /// The files written, and those that were there already.
    pub placed: RestoreReport,
    /// The session's transcript.
    pub transcript: Option<PathBuf>,
    /// Files that could not be put back whole, and why: nothing of them was
    /// written.
    pub damaged: Vec<(Name, String)>,
}

impl Actions<'_> {
    /// Puts a kept session back: its transcript and everything that belongs to
    /// it, byte for byte. Nothing that is there is overwritten.
    pub fn restore(self, options: RestoreOptions<'_>) -> Result<RestoredSession, ArchiveError> {
        let archive = self.library.archive().open()?;
        let state = archive.state();
        let files = files_of(&archive, &state, options);
        let files = files.map_err(|error| match error {
            ArchiveError::NotArchived(id) => self.library.not_archived_error(&id),
            other => other,
        })?;
        let root = files.first().map(|(key, _)| key.0).unwrap_or_default();
        let area = match options.to {
            Some(folder) => ArchiveRoot::elsewhere(folder.to_owned()),
            None => self.library.area_of(&state, root, options.id)?,
        };
        let mut restored = RestoredSession::default();
        let mut whole = Vec::new();
        for (key, generation) in &files {
            let read = io::copy(&mut archive.read(generation), &mut io::sink());
            match read {
                Ok(_) => whole.push((key, generation)),
                Err(error) => restored.damaged.push((key.1.clone(), error.to_string())),
            }
        }
        let lost = restored.damaged.iter().find(|(name, _)| is_transcript(name));
        if let Some((name, reason)) = lost.filter(|_| options.to.is_none()) {
            let reason = format!("{name} is damaged, and nothing was written: {reason}");
            return Err(ArchiveError::Refused(reason));
        }
        // The transcript last: Claude Code sees the session when it is complete.
        whole.sort_by_key(|(key, _)| is_transcript(&key.1));
        let mut wanted = Vec::new();
        for (key, generation) in whole {
            // In a store its `projects` may be a link; below another folder
            // nothing may.
            let place = match options.to {
                Some(folder) => Some((folder.to_owned(), key.1.to_path())),
                None => area.destination(&key.1),
            };
            let Some((folder, name)) = place else {
                let reason = "it does not belong into this store".to_owned();
                restored.damaged.push((key.1.clone(), reason));
                continue;
            };
            if is_transcript(&key.1) {
                restored.transcript = Some(folder.join(&name));
            }
            // Where it was, the cleanup must not take it at once; elsewhere it
            // is as it was.
            let modified =
                if options.to.is_none() { options.now } else { generation.seen.modified };
            let archive = &archive;
            let open = move || Ok(Box::new(archive.read(generation)) as Box<dyn Read>);
            wanted.push(FileToRestore {
                folder,
                name,
                open: Box::new(open),
                modified: modified.into(),
            });
        }
        restored.placed = restore_files(&wanted).map_err(|error| match error {
            RestoreError::Conflict(Conflict { path, reason }) => ArchiveError::Refused(format!(
                "{}: {reason}; nothing was written: put it elsewhere with --to DIR",
                path.display()
            )),
            other @ RestoreError::Io { .. } => other.into(),
        })?;
        Ok(restored)
    }
}

impl Library {
    /// Where a root of the archive is today, if it is safe to write there.
    fn area_of(&self, state: &State, root: u32, id: &str) -> Result<ArchiveRoot, ArchiveError> {
        // Also where the whole store is gone: it is made again.
        let areas = self.roots.iter().map(ArchiveRoot::of);
        let mut areas = areas.filter(|area| state.root_of(area) == Some(root));
        let Some(area) = areas.next() else {
            let place = state.root(root).map_or("another store", |(_, path)| path);
            return Err(ArchiveError::Refused(format!(
                "session {id} was kept from {place}, which is not looked in now: \
                 name a folder with --to DIR"
            )));
        };
        let mut session = self.catalog().find_id(id).into_iter().collect::<Vec<_>>();
        self.mark_running(&mut session);
        if session.iter().any(|session| session.is_running) {
            return Err(ArchiveError::Refused(format!(
                "session {id} is running: put it elsewhere with --to DIR"
            )));
        }
        Ok(area)
    }
}

/// The files of a session in the versions that are wanted.
fn files_of(
    archive: &Arc<Archive>,
    state: &State,
    options: RestoreOptions<'_>,
) -> Result<Vec<(FileKey, Generation)>, ArchiveError> {
    let session = state.session(options.id);
    // Kept in several places: the newest is the session, the others are copies.
    let modified = |key: &&FileKey| state.newest(key).map(|newest| newest.seen.modified);
    let newest = session.transcripts().max_by_key(modified);
    let newest = newest.or_else(|| session.files.iter().max_by_key(modified));
    let Some((root, main)) = newest else {
        return Err(ArchiveError::NotArchived(options.id.to_owned()));
    };
    // What lies in other project folders belongs to those copies.
    let folder = project_folder(main);
    let is_own = |key: &&FileKey| {
        let other = project_folder(&key.1);
        key.0 == *root && (other.is_none() || other == folder)
    };
    let own = session.files.iter().filter(is_own);
    let mut files = Vec::new();
    for key in own {
        let versions = state.versions(key);
        let wanted = match options.generation.filter(|_| key.1 == *main) {
            Some(number) => {
                let found = versions.iter().find(|known| known.number == number);
                found.ok_or_else(|| {
                    let last = versions.last().map_or(0, |known| known.number);
                    ArchiveError::Refused(format!(
                        "there is no version {number} of its transcript: the last is {last}"
                    ))
                })?
            }
            None => match versions.last() {
                Some(last) => last,
                None => continue,
            },
        };
        files.push((key.clone(), wanted.clone()));
    }
    for name in plans_of(archive, state, &files) {
        let key = (*root, name);
        if let Some(plan) = state.newest(&key) {
            files.push((key, plan.clone()));
        }
    }
    Ok(files)
}

/// The project folder a file lies in.
fn project_folder(name: &Name) -> Option<&str> {
    let mut parts = name.components();
    if parts.next() == Some("projects") { parts.next() } else { None }
}

/// The names that plans of these transcripts would have.
pub(super) fn plans_of(
    archive: &Arc<Archive>,
    state: &State,
    files: &[(FileKey, Generation)],
) -> BTreeSet<Name> {
    let mut slugs = BTreeSet::new();
    for (_, generation) in files.iter().filter(|(key, _)| is_transcript(&key.1)) {
        let mut bytes = Vec::new();
        // What is damaged names no plans.
        if archive.read(generation).read_to_end(&mut bytes).is_ok() {
            slugs.extend(slugs_in(&bytes));
        }
    }
    let plans = state.files().map(|(key, _)| &key.1).filter(|name| {
        let mut parts = name.components();
        let stem = match (parts.next(), parts.next(), parts.next()) {
            (Some("plans"), Some(file), None) => file.strip_suffix(".md"),
            _ => None,
        };
        let slug = stem.map(|stem| stem.split_once("-agent-").map_or(stem, |(slug, _)| slug));
        slug.is_some_and(|slug| slugs.contains(slug))
    });
    plans.cloned().collect()
}

/// The slugs on the lines of a transcript, however they are spaced.
fn slugs_in(bytes: &[u8]) -> BTreeSet<String> {
    const KEY: &[u8] = b"\"slug\"";
    let slugs = memmem::find_iter(bytes, KEY).filter_map(|at| {
        let value = bytes[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?;
        let value = value.trim_ascii_start().strip_prefix(b"\"")?;
        let end = memchr::memchr(b'"', &value[..value.len().min(256)])?;
        std::str::from_utf8(&value[..end]).ok().map(str::to_owned)
    });
    slugs.collect()
}
