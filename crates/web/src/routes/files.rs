//! Files that sessions read and changed: the list, the history of one, blame, commits.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::StatusCode;
use document::answers::sessions_with_calls;
use document::{
    BlameDocument, BlameLineDocument, ChangeDocument, CommitDocument, CommitsDocument,
    Document as _, FileDocument, FileHistoryDocument, FilesDocument,
};
use library::files::{ContentError, FileHistory, FileLocations};
use library::session::Session;
use std::path::Path;

/// The largest page of files or changes.
const MOST: usize = 1_000;

/// The fewest digits of a commit's hash.
const FEWEST_DIGITS: usize = 7;

/// The files, the ones touched last first.
pub(super) fn list(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let sessions = call.noting(sessions_with_calls(&call.library, &filter));
    let all: Vec<&Session> = sessions.iter().collect();
    let places = call.library.files().locations(&[], &[]);
    let mut files = call.noting(call.library.files().touched(&all, &filter, &places, call.limits));
    let total = files.len();
    let offset: usize = call.number("offset")?.unwrap_or(0);
    files.drain(..offset.min(total));
    files.truncate(call.limit(200, MOST)?);
    let next = offset.saturating_add(files.len());
    let next = (next < total && !files.is_empty()).then_some(next);
    let files = files.into_iter().map(FileDocument::from).collect();
    call.document(&FilesDocument::new(total, next, files))
}

/// What happened to a file.
pub(super) fn history(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let path = absolute_path(call)?;
    let sessions = call.noting(sessions_with_calls(&call.library, &filter));
    let all: Vec<&Session> = sessions.iter().collect();
    let places = places(call, path);
    let wanted = places.pattern(path, Path::new("/"));
    let history = call.library.files().history(&all, &filter, &places, &wanted, call.limits);
    let history = call.noting(history);
    call.check_complete()?;
    let FileHistory { files, mut changes, .. } = history;
    if changes.is_empty() {
        return Err(untouched());
    }
    if !call.flag("reads")? {
        changes.retain(|change| change.touch.is_change());
    }
    let total = changes.len();
    let offset: usize = call.number("offset")?.unwrap_or(0);
    changes.drain(..offset.min(total));
    changes.truncate(call.limit(100, MOST)?);
    let next = offset.saturating_add(changes.len());
    let next = (next < total && !changes.is_empty()).then_some(next);
    call.document(&FileHistoryDocument {
        schema: FileHistoryDocument::SCHEMA.into(),
        files: files.into_iter().map(FileDocument::from).collect(),
        total,
        next,
        changes: changes.into_iter().map(ChangeDocument::from).collect(),
    })
}

/// Which prompt led to each line of a file as it is today. Only files that a served session
/// changed are answered with: other files cannot be read this way.
pub(super) fn blame(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let path = absolute_path(call)?;
    let today =
        library::files::read_current_content(Path::new(path)).map_err(|error| match error {
            ContentError::Missing => Failure::not_found("the file does not exist"),
            ContentError::TooLarge(_) => {
                Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the file is too large")
            }
            _ => Failure::not_found("the file has no text"),
        })?;
    let sessions = call.noting(sessions_with_calls(&call.library, &filter));
    let all: Vec<&Session> = sessions.iter().collect();
    let places = places(call, path);
    let wanted = places.pattern(path, Path::new("/"));
    let blame = call.library.files().blame(&all, &places, &wanted, &today, call.limits);
    let blame = call.noting(blame);
    call.check_complete()?;
    if blame.changes.is_empty() {
        return Err(untouched());
    }
    let lines = BlameLineDocument::of(&blame);
    call.document(&BlameDocument::new(wanted.name(), &blame, lines))
}

/// The sessions that made a commit.
pub(super) fn commits(call: &Call<'_>) -> Result<Answer, Failure> {
    let hash = call.part("sha");
    let is_hash = (FEWEST_DIGITS..=64).contains(&hash.len())
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return Err(Failure::bad_request("invalid commit hash")
            .with_hint(format!("use at least {FEWEST_DIGITS} hexadecimal digits")));
    }
    let sessions = call.noting(sessions_with_calls(&call.library, &call.filter()?));
    let all: Vec<&Session> = sessions.iter().collect();
    let places = call.library.files().locations(&[], &[]);
    let stories = call.noting(call.library.files().commits(&all, &places, hash, call.limits));
    call.check_complete()?;
    if stories.is_empty() {
        return Err(Failure::not_found("no recorded session made this commit"));
    }
    let heading = |id: &str| {
        let session = sessions.iter().find(|session| session.id == id);
        session.and_then(Session::heading).map(str::to_owned)
    };
    let commits =
        stories.iter().map(|story| CommitDocument::new(story, heading(&story.session_id)));
    call.document(&CommitsDocument::new(commits.collect()))
}

/// The worktrees around a file.
fn places(call: &Call<'_>, path: &str) -> FileLocations {
    let folders: Vec<&Path> = Path::new(path).parent().into_iter().collect();
    call.library.files().locations(&[], &folders)
}

/// The path in the query. Relative paths have no meaning here.
fn absolute_path<'c>(call: &'c Call<'_>) -> Result<&'c str, Failure> {
    let path = call.required("path")?;
    if path.contains('\0') {
        return Err(Call::invalid("path", path, "use a path"));
    }
    Ok(path)
}

fn untouched() -> Failure {
    Failure::not_found("no session read or changed this file")
}
