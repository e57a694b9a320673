//! Files that sessions read and changed: the list, the history of one, blame, commits.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::StatusCode;
use document::answers::{
    FEWEST_HASH_DIGITS, FileHistoryOptions, FilesRequest, is_commit_hash, sessions_with_calls,
};
use document::{BlameDocument, BlameLineDocument, CommitsDocument};
use library::files::{ContentError, is_absolute_path};
use library::lines::ReadError;
use library::session::Session;
use std::path::Path;

/// The largest page of files or changes.
const MOST: usize = 1_000;

/// The files, the ones touched last first.
pub(super) fn list(call: &Call<'_>) -> Result<Answer, Failure> {
    let offset: usize = call.number("offset")?.unwrap_or(0);
    let limit = call.limit(200, MOST)?;
    let page = ask(call, |request| request.list(offset, limit))?;
    call.document(&page.document())
}

/// What happened to a file.
pub(super) fn history(call: &Call<'_>) -> Result<Answer, Failure> {
    let path = absolute_path(call)?;
    let options = FileHistoryOptions {
        with_reads: call.flag("reads")?,
        is_newest_first: false,
        offset: call.number("offset")?.unwrap_or(0),
        limit: call.limit(100, MOST)?,
        with_diffs: true,
    };
    let history = ask(call, |request| request.history(path, options))?;
    call.check_complete()?;
    if history.is_untouched() {
        return Err(untouched());
    }
    call.document(&history.document())
}

/// Which prompt led to each line of a file as it is today. Only files that a served session
/// changed are answered with: other files cannot be read this way.
pub(super) fn blame(call: &Call<'_>) -> Result<Answer, Failure> {
    let path = absolute_path(call)?;
    let today =
        library::files::read_current_content(Path::new(path)).map_err(|error| match error {
            ContentError::Missing => Failure::not_found("the file does not exist"),
            ContentError::TooLarge(_) => {
                Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the file is too large")
            }
            _ => Failure::not_found("the file has no text"),
        })?;
    let (name, blame) = ask(call, |request| {
        let (blame, read_errors) = request.blame(path, &today);
        ((request.present_path(path), blame), read_errors)
    })?;
    call.check_complete()?;
    if blame.changes.is_empty() {
        return Err(untouched());
    }
    let lines = BlameLineDocument::of(&blame);
    call.document(&BlameDocument::new(&name, &blame, lines))
}

/// The sessions that made a commit.
pub(super) fn commits(call: &Call<'_>) -> Result<Answer, Failure> {
    let hash = call.part("sha");
    if !is_commit_hash(hash) {
        return Err(Failure::bad_request("invalid commit hash")
            .with_hint(format!("use at least {FEWEST_HASH_DIGITS} hexadecimal digits")));
    }
    let commits = ask(call, |request| request.commits(hash))?;
    call.check_complete()?;
    if commits.is_empty() {
        return Err(Failure::not_found("no recorded session made this commit"));
    }
    call.document(&CommitsDocument::new(commits))
}

/// The answer of a question, and what could not be read for it, which is noted. A server has no
/// folder from which a path is meant.
fn ask<T>(
    call: &Call<'_>,
    ask: impl FnOnce(&FilesRequest<'_>) -> (T, Vec<ReadError>),
) -> Result<T, Failure> {
    let filter = call.filter()?;
    let sessions = call.noting(sessions_with_calls(&call.library, &filter));
    let sessions: Vec<&Session> = sessions.iter().collect();
    Ok(call.noting(ask(&FilesRequest {
        library: &call.library,
        sessions: &sessions,
        filter: &filter,
        here: None,
        moved: &[],
        progress: call.limits,
    })))
}

/// The path in the query. Relative paths have no meaning here.
fn absolute_path<'c>(call: &'c Call<'_>) -> Result<&'c str, Failure> {
    let path = call.required("path")?;
    if path.contains('\0') || !is_absolute_path(path) {
        return Err(Call::invalid("path", path, "use an absolute path"));
    }
    Ok(path)
}

fn untouched() -> Failure {
    Failure::not_found("no session read or changed this file")
}
