//! Restoring an archived session.

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

/// The largest file that is restored, in bytes, far above any transcript. A manifest can name
/// one frame any number of times, so that a short one demands more than a disk holds.
const LARGEST_FILE: u64 = 4 << 30;

/// The same for all files of a session together.
const LARGEST_SESSION: u64 = 16 << 30;

/// What to restore, and where.
#[derive(Clone, Copy, Debug)]
pub struct RestoreOptions<'a> {
    /// The session.
    pub id: &'a str,
    /// The folder to restore into, laid out as a store; by default where it
    /// was.
    pub to: Option<&'a Path>,
    /// The version of its transcript; by default the newest.
    pub generation: Option<u32>,
    /// The time.
    pub now: Timestamp,
}

/// What was restored.
#[derive(Clone, Debug, Default)]
pub struct RestoredSession {
    /// The files written, and those that existed already.
    pub placed: RestoreReport,
    /// The session's transcript.
    pub transcript: Option<PathBuf>,
    /// Files that could not be restored completely, and why: nothing of them
    /// was written.
    pub damaged: Vec<(Name, String)>,
}

impl Actions<'_> {
    /// Restores an archived session: its transcript and everything that belongs
    /// to it, byte for byte. Never overwrites a file.
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
        let mut total = 0u64;
        for (key, generation) in &files {
            let length = generation.bytes();
            total = total.saturating_add(length);
            if length > LARGEST_FILE || total > LARGEST_SESSION {
                let reason = too_large(length);
                restored.damaged.push((key.1.clone(), reason));
                continue;
            }
            let read = io::copy(&mut archive.read(generation), &mut io::sink());
            match read {
                Ok(_) => whole.push((key, generation)),
                Err(error) => restored.damaged.push((key.1.clone(), error.to_string())),
            }
        }
        let lost = restored.damaged.iter().find(|(name, _)| is_transcript(name));
        if let Some((name, reason)) = lost.filter(|_| options.to.is_none()) {
            let reason = format!("{name} is damaged; nothing was written: {reason}");
            return Err(ArchiveError::Refused(reason));
        }
        // The transcript comes last: Claude Code sees the session only once it
        // is complete.
        whole.sort_by_key(|(key, _)| is_transcript(&key.1));
        let mut wanted = Vec::new();
        for (key, generation) in whole {
            // The `projects` of a store may be a link; below another folder,
            // links are not followed.
            let place = match options.to {
                Some(folder) => Some((folder.to_owned(), key.1.to_path())),
                None => area.destination(&key.1),
            };
            let Some((folder, name)) = place else {
                let reason = "it does not belong in this store".to_owned();
                restored.damaged.push((key.1.clone(), reason));
                continue;
            };
            if is_transcript(&key.1) {
                restored.transcript = Some(folder.join(&name));
            }
            // In its old place, the cleanup must not delete it at once;
            // elsewhere it keeps its time.
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
                "{}: {reason}; nothing was written\nhint: restore into another folder with --to DIR",
                path.display()
            )),
            other @ RestoreError::Io { .. } => other.into(),
        })?;
        Ok(restored)
    }
}

impl Library {
    /// The present place of a root of the archive, if it is safe to write
    /// there.
    fn area_of(&self, state: &State, root: u32, id: &str) -> Result<ArchiveRoot, ArchiveError> {
        // Also if the whole store is gone: it is created again.
        let areas = self.roots.iter().map(ArchiveRoot::of);
        let mut areas = areas.filter(|area| state.root_of(area) == Some(root));
        let Some(area) = areas.next() else {
            let place = state.root(root).map_or("another store", |(_, path)| path);
            return Err(ArchiveError::Refused(format!(
                "session {id} was archived from {place}, which is not one of the current roots\n\
                 hint: name a folder with --to DIR"
            )));
        };
        let mut session = self.catalog().find_id(id).into_iter().collect::<Vec<_>>();
        self.mark_running(&mut session);
        if session.iter().any(|session| session.is_running) {
            return Err(ArchiveError::Refused(format!(
                "session {id} is running\nhint: restore into another folder with --to DIR"
            )));
        }
        Ok(area)
    }
}

fn too_large(length: u64) -> String {
    format!(
        "the manifest gives it {length} bytes; annals restores at most {} GB of a file and {} GB of a session",
        LARGEST_FILE >> 30,
        LARGEST_SESSION >> 30
    )
}

/// The files of a session, in the requested versions.
fn files_of(
    archive: &Arc<Archive>,
    state: &State,
    options: RestoreOptions<'_>,
) -> Result<Vec<(FileKey, Generation)>, ArchiveError> {
    let session = state.session(options.id);
    // Archived from several places: the newest is the session, the others are
    // copies.
    let modified = |key: &&FileKey| state.newest(key).map(|newest| newest.seen.modified);
    let newest = session.transcripts().max_by_key(modified);
    let newest = newest.or_else(|| session.files.iter().max_by_key(modified));
    let Some((root, main)) = newest else {
        return Err(ArchiveError::NotArchived(options.id.to_owned()));
    };
    // Files in other project folders belong to those copies.
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
                        "its transcript has no version {number}: the last is {last}"
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

/// The names that the plans of these transcripts would have.
pub(super) fn plans_of(
    archive: &Arc<Archive>,
    state: &State,
    files: &[(FileKey, Generation)],
) -> BTreeSet<Name> {
    let mut slugs = BTreeSet::new();
    for (_, generation) in files.iter().filter(|(key, _)| is_transcript(&key.1)) {
        let mut bytes = Vec::new();
        // A damaged transcript names no plans.
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

/// The slugs on the lines of a transcript, with any spacing.
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
