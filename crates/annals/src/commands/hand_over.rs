//! Shared by `rename`, `tag` and `resume`: which sessions they accept.

use crate::context::Context;
use crate::failure::CliError;
use library::archive::NotEditableError;
use library::session::Session;

/// Finds the named session, whose transcript must be on disk. Sub-agents have no
/// titles and cannot be resumed.
pub(super) fn session(context: &Context, name: &str) -> anyhow::Result<Session> {
    let found = context.find(name)?;
    if found.agent.is_some() || found.inline_agent.is_some() {
        let (agent, session) = (found.id(), &found.session.id);
        let message =
            format!("{agent} is a sub-agent, not a session\nhint: its session is {session}");
        return Err(CliError::Misuse(message).into());
    }
    found.session.transcript_on_disk().map_err(cli_error)?;
    Ok(found.session)
}

/// Refuses to write to the transcript of a running session.
pub(super) fn check_idle(
    context: &Context,
    session: &Session,
    force: bool,
) -> Result<(), CliError> {
    if force || !context.library.catalog().is_running(session) {
        return Ok(());
    }
    let message = format!("session {} is running\nhint: end it first, or pass --force", session.id);
    Err(CliError::Misuse(message))
}

/// The error with its exit code: 1 if the transcript does not exist.
pub(super) fn cli_error(error: NotEditableError) -> anyhow::Error {
    let message = error.to_string();
    match error {
        NotEditableError::OnlyArchived(_)
        | NotEditableError::Gone(_)
        | NotEditableError::InLake(_)
        | NotEditableError::OnlyCopy(_) => CliError::NotFound(message).into(),
        NotEditableError::NotASession(_)
        | NotEditableError::OfAnotherApp { .. }
        | NotEditableError::Empty(_) => CliError::Misuse(message).into(),
        other => other.into(),
    }
}
