//! What the archive holds: its sessions, and where their transcripts are.

use crate::{ArchiveDocument, ArchiveSummaryDocument, ArchivedSessionDocument, Document as _};
use archive::{ArchiveRoot, ArchivedSession, FileKey, State};
use jiff::{SignedDuration, Timestamp};
use library::Library;
use library::apps::App;
use library::archive::ArchiveError;
use library::lines::ReadError;
use library::session::{Presence, Session};
use std::collections::HashMap;

/// The archived sessions, newest first, of which only those deleted from disk if
/// `only_deleted` is set, and what could not be read.
pub fn archive_list(
    library: &Library,
    only_deleted: bool,
    max_age: Option<SignedDuration>,
    now: Timestamp,
) -> Result<(ArchiveDocument, Vec<ReadError>), ArchiveError> {
    let state = library.archive().open()?.state();
    let areas = library.archive().store_roots();
    let list = library.catalog().all_sessions();
    let known: HashMap<&str, &Session> =
        list.sessions.iter().map(|session| (session.id.as_str(), session)).collect();
    let mut sessions = Vec::new();
    for (id, archived) in state.sessions() {
        let newest = archived.files.iter().filter_map(|key| state.newest(key));
        let main = archived.transcripts().filter_map(|key| state.newest(key));
        let Some(modified_at) =
            main.chain(newest.clone()).map(|newest| newest.seen.modified).next()
        else {
            continue;
        };
        let session = known.get(id.as_str());
        let versions = archived.files.iter().map(|key| state.versions(key));
        sessions.push(ArchivedSessionDocument {
            presence: match session {
                // The rows of a database are in no file that could be looked for.
                Some(session) if session.app() != App::Claude => session.presence.name(),
                _ => presence(&state, &areas, &archived).name(),
            }
            .into(),
            files: archived.files.len(),
            versions: versions.clone().map(<[_]>::len).max().unwrap_or_default(),
            bytes: versions.filter_map(<[_]>::last).map(archive::Generation::bytes).sum(),
            modified_at: modified_at.into(),
            archived_at: newest.map(|newest| newest.seen.kept).max().unwrap_or(modified_at).into(),
            project: session.and_then(|session| session.project.clone()),
            title: session.and_then(|session| session.heading()).map(str::to_owned),
            id,
        });
    }
    sessions.sort_by(|one, two| (two.modified_at, &two.id).cmp(&(one.modified_at, &one.id)));
    let is_deleted = |row: &ArchivedSessionDocument| row.is_deleted();
    let gone = sessions.iter().filter(|row| is_deleted(row)).count();
    let unknown = sessions.iter().filter(|row| *row.presence == *Presence::Unknown.name()).count();
    sessions.retain(|row| !only_deleted || is_deleted(row));
    let report = library.archive().report(max_age, now);
    let document = ArchiveDocument {
        schema: ArchiveDocument::SCHEMA.into(),
        total: sessions.len(),
        archive: ArchiveSummaryDocument::new(state.files().count(), gone, unknown, &report),
        sessions,
    };
    Ok((document, list.read_errors))
}

/// The same where nothing was archived yet.
pub fn empty_archive(
    library: &Library,
    max_age: Option<SignedDuration>,
    now: Timestamp,
) -> ArchiveDocument {
    ArchiveDocument {
        schema: ArchiveDocument::SCHEMA.into(),
        total: 0,
        archive: ArchiveSummaryDocument::new(0, 0, 0, &library.archive().report(max_age, now)),
        sessions: Vec::new(),
    }
}

/// Whether the transcript of a session is on disk; without a transcript, whether any
/// of its files is.
fn presence(state: &State, areas: &[ArchiveRoot], archived: &ArchivedSession) -> Presence {
    let mut transcripts = archived.transcripts().peekable();
    let is_there = |key: &FileKey| is_archived_file_on_disk(state, areas, key);
    let there = match transcripts.peek() {
        Some(_) => transcripts.any(is_there),
        None => archived.files.iter().any(is_there),
    };
    if there { Presence::Disk } else { Presence::Archive }
}

/// Whether a file of the archive is still on disk.
pub fn is_archived_file_on_disk(state: &State, areas: &[ArchiveRoot], key: &FileKey) -> bool {
    let area = areas.iter().find(|area| state.root_of(area) == Some(key.0));
    let path = area.and_then(|area| area.path(&key.1));
    path.is_some_and(|path| path.symlink_metadata().is_ok())
}
