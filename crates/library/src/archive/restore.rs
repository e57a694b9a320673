//! Restoring an archived session.

use crate::archive::actions::Actions;
use crate::archive::forget::Unnoted;
use crate::archive::{ArchiveError, SessionArchive};
use ::apps::App;
use amend::{Conflict, FileToRestore, RestoreError, RestoreReport, restore_files};
use archive::{Archive, ArchiveRoot, FileKey, Generation, Name, State, is_transcript};
use jiff::{SignedDuration, Timestamp};
use memchr::memmem::{self, Finder};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::MatchingLineReader;

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
    /// Files that could not be restored, and why: nothing of them was written.
    pub not_restored: Vec<(String, String)>,
}

impl Actions {
    /// Restores an archived session: its transcript and everything that belongs
    /// to it, in all project folders, byte for byte. Never overwrites a file.
    pub fn restore(&self, options: RestoreOptions<'_>) -> Result<RestoredSession, ArchiveError> {
        let archive = self.archive.open()?;
        let state = archive.state();
        let session = archived_files(&archive, &state, options);
        let mut session = session.map_err(|error| match error {
            ArchiveError::NotArchived(id) => self.archive.not_archived_error(&id),
            other => other,
        })?;
        if options.to.is_none() {
            self.archive.check_restorable(&state, session.main.0, options.id)?;
        }
        let mut restored = RestoredSession::default();
        for (root, name) in &session.displaced {
            let place = place_of(&state, *root);
            let reason = format!("it is another version, archived from {place}");
            restored.not_restored.push((name.to_string(), reason));
        }
        let mut damage_of_main = None;
        let mut total = 0u64;
        session.files.retain(|(key, generation)| {
            let length = generation.bytes();
            total = total.saturating_add(length);
            let reason = if length > LARGEST_FILE || total > LARGEST_SESSION {
                too_large(length)
            } else {
                match io::copy(&mut archive.read(generation), &mut io::sink()) {
                    Ok(_) => return true,
                    Err(error) => error.to_string(),
                }
            };
            if *key == session.main && is_transcript(&key.1) {
                damage_of_main = Some(reason.clone());
            }
            restored.not_restored.push((key.1.to_string(), reason));
            false
        });
        if let Some(reason) = damage_of_main.filter(|_| options.to.is_none()) {
            let reason = format!("{} is damaged; nothing was written: {reason}", session.main.1);
            return Err(ArchiveError::Refused(reason));
        }
        let mut wanted = Vec::new();
        for (key, generation) in &session.files {
            let (folder, name) = match self.archive.destination(&state, key, options.to) {
                Ok(destination) => destination,
                Err(reason) => {
                    restored.not_restored.push((key.1.to_string(), reason));
                    continue;
                }
            };
            if *key == session.main && is_transcript(&key.1) {
                restored.transcript = Some(folder.join(&name));
            }
            // In its old place, the cleanup must not delete it at once;
            // elsewhere it keeps its time.
            let modified = match options.to {
                None => session.modified_now(key, options.now),
                Some(_) => generation.seen.modified,
            };
            let archive = &archive;
            let open = move || Ok(Box::new(archive.read(generation)) as Box<dyn Read>);
            wanted.push(FileToRestore {
                folder,
                name,
                open: Box::new(open),
                modified: modified.into(),
                is_optional: !session.is_beside_main(key),
            });
        }
        restored.placed = restore_files(&wanted).map_err(|error| match error {
            RestoreError::Conflict(Conflict { path, reason }) => ArchiveError::Refused(format!(
                "{}: {reason}; nothing was written\nhint: restore into another folder with --to DIR",
                path.display()
            )),
            other @ RestoreError::Io { .. } => other.into(),
        })?;
        let conflicts = std::mem::take(&mut restored.placed.conflicts).into_iter();
        let conflicts = conflicts.map(|one| (one.path.display().to_string(), one.reason));
        restored.not_restored.extend(conflicts);
        Ok(restored)
    }
}

impl SessionArchive {
    /// Refuses to restore a session to a store that is not one of the roots, or
    /// while the session is running.
    fn check_restorable(&self, state: &State, root: u32, id: &str) -> Result<(), ArchiveError> {
        if let (Some(app), _) = App::split_id(id) {
            return Err(ArchiveError::Refused(format!(
                "{id} is a session of {}, whose files annals never changes\n\
                 hint: name a folder with --to DIR",
                app.title()
            )));
        }
        if self.area_of(state, root).is_none() {
            return Err(ArchiveError::Refused(format!(
                "session {id} was archived from {}, which is not one of the current roots\n\
                 hint: name a folder with --to DIR",
                place_of(state, root)
            )));
        }
        let mut session = self.catalog.find_id(id).into_iter().collect::<Vec<_>>();
        self.catalog.mark_running(&mut session);
        if session.iter().any(|session| session.is_running) {
            return Err(ArchiveError::Refused(format!(
                "session {id} is running\nhint: restore into another folder with --to DIR"
            )));
        }
        Ok(())
    }

    /// The present place of a root of the archive. It need not exist: if the
    /// whole store is gone, it is created again.
    fn area_of(&self, state: &State, root: u32) -> Option<ArchiveRoot> {
        let mut areas = self.stores.roots.iter().map(ArchiveRoot::of);
        areas.find(|area| state.root_of(area) == Some(root))
    }

    /// Where to restore a file: the folder, and the path below it; otherwise
    /// why it cannot be restored.
    fn destination(
        &self,
        state: &State,
        (root, name): &FileKey,
        to: Option<&Path>,
    ) -> Result<(PathBuf, PathBuf), String> {
        // The `projects` of a store may be a link; below another folder, links
        // are not followed.
        if let Some(folder) = to {
            return Ok((folder.to_owned(), name.to_path()));
        }
        let area = self.area_of(state, *root).ok_or_else(|| {
            let place = place_of(state, *root);
            format!(
                "it was archived from {place}, which is not one of the current roots\n\
                 hint: name a folder with --to DIR"
            )
        })?;
        area.destination(name).ok_or_else(|| "it does not belong in this store".to_owned())
    }
}

/// Where a root was when it was archived.
fn place_of(state: &State, root: u32) -> &str {
    state.root(root).map_or("another store", |(_, path)| path)
}

/// The archived files of a session that are to be restored.
struct ArchivedFiles {
    /// Its transcript: the newest, if it was archived from several folders; else
    /// its newest file.
    main: FileKey,
    /// All files, in the requested versions. Transcripts come last, the main
    /// one after its copies: Claude Code sees the session only once it is
    /// complete.
    files: Vec<(FileKey, Generation)>,
    /// Files of other stores that have the name of one of these, but other
    /// bytes, if all are restored into one folder.
    displaced: Vec<FileKey>,
}

impl ArchivedFiles {
    /// Whether a file lies in the store and the project folder of the main
    /// transcript, or in no project folder.
    fn is_beside_main(&self, (root, name): &FileKey) -> bool {
        let folder = project_folder(name);
        *root == self.main.0 && (folder.is_none() || folder == project_folder(&self.main.1))
    }

    /// The modification time of a file that is restored now. Copies of the
    /// transcript stay older than the transcript, because the newest is the
    /// session.
    fn modified_now(&self, key: &FileKey, now: Timestamp) -> Timestamp {
        let mut newer = self.files.iter().rev().filter(|(key, _)| is_transcript(&key.1));
        let rank = newer.position(|(known, _)| known == key).unwrap_or_default();
        let seconds = i64::try_from(rank).unwrap_or_default();
        now.checked_sub(SignedDuration::from_secs(seconds)).unwrap_or(now)
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
fn archived_files(
    archive: &Arc<Archive>,
    state: &State,
    options: RestoreOptions<'_>,
) -> Result<ArchivedFiles, ArchiveError> {
    let session = state.session(options.id);
    let modified = |key: &FileKey| state.newest(key).map(|newest| newest.seen.modified);
    let main = session.transcripts().max_by_key(|key| modified(key));
    let main = main.or_else(|| session.files.iter().max_by_key(|key| modified(key)));
    let Some(main) = main.cloned() else {
        return Err(ArchiveError::NotArchived(options.id.to_owned()));
    };
    let mut files: Vec<(FileKey, Generation)> = Vec::new();
    for key in &session.files {
        let versions = state.versions(key);
        let wanted = match options.generation.filter(|_| *key == main) {
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
    let roots: BTreeSet<u32> = files.iter().map(|(key, _)| key.0).collect();
    for name in plans_of(archive, state, &files) {
        let keys = roots.iter().map(|root| (*root, name.clone()));
        let plans = keys.filter_map(|key| state.newest(&key).cloned().map(|plan| (key, plan)));
        files.extend(plans.collect::<Vec<_>>());
    }
    files.sort_by_key(|(key, _)| key.0 != main.0);
    let displaced = without_repeated(&mut files, options.to.is_some());
    files.sort_by_key(|(key, generation)| {
        (is_transcript(&key.1).then_some(generation.seen.modified), *key == main)
    });
    Ok(ArchivedFiles { main, files, displaced })
}

/// Leaves out files that an earlier one of another store has under the same
/// name: those with the same bytes, and in one folder also the others, which are
/// returned.
fn without_repeated(files: &mut Vec<(FileKey, Generation)>, is_one_folder: bool) -> Vec<FileKey> {
    let mut known: HashMap<Name, Vec<Generation>> = HashMap::new();
    let mut displaced = Vec::new();
    files.retain(|(key, generation)| {
        let same_name = known.entry(key.1.clone()).or_default();
        let is_same = same_name.iter().any(|other| generation.has_bytes_of(other));
        let is_displaced = is_one_folder && !is_same && !same_name.is_empty();
        if is_displaced {
            displaced.push(key.clone());
        }
        same_name.push(generation.clone());
        !is_same && !is_displaced
    });
    displaced
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
    let mut reader = MatchingLineReader::default();
    let needle = Finder::new(SLUG_KEY);
    let transcripts = files.iter().filter(|(key, generation)| {
        // What is not restored names no plans either.
        is_transcript(&key.1) && generation.bytes() <= LARGEST_FILE
    });
    for (_, generation) in transcripts {
        let mut file = archive.read(generation);
        let mut named = BTreeSet::new();
        let read = reader.read(&mut Unnoted(&mut file), &needle, |line| {
            named.extend(slugs_in(line.bytes));
        });
        // A damaged transcript names no plans.
        if read.is_ok() {
            slugs.extend(named);
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

const SLUG_KEY: &[u8] = b"\"slug\"";

/// The slugs on a line of a transcript, with any spacing.
fn slugs_in(bytes: &[u8]) -> BTreeSet<String> {
    let slugs = memmem::find_iter(bytes, SLUG_KEY).filter_map(|at| {
        let value = bytes[at + SLUG_KEY.len()..].trim_ascii_start().strip_prefix(b":")?;
        let value = value.trim_ascii_start().strip_prefix(b"\"")?;
        let end = memchr::memchr(b'"', &value[..value.len().min(256)])?;
        std::str::from_utf8(&value[..end]).ok().map(str::to_owned)
    });
    slugs.collect()
}
