//! What `rename`, `tag` and `resume` share: which sessions they take.

use crate::context::Context;
use crate::failure::CliError;
use library::{HandOverError, Session};

/// The session a person named, whose transcript is on disk. Sub-agents have no
/// titles, and cannot be gone on with.
pub(super) fn session(context: &Context, name: &str) -> anyhow::Result<Session> {
    let found = context.find(name)?;
    if found.agent.is_some() || found.inline_agent.is_some() {
        let (agent, session) = (found.id(), &found.session.id);
        let message =
            format!("{agent} is a sub-agent, not a session\nhint: its session is {session}");
        return Err(CliError::Misuse(message).into());
    }
    found.session.living_transcript().map_err(ending)?;
    Ok(found.session)
}

/// Refuses to write what a living process writes.
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

/// An error as an ending: what is not there is exit 1.
pub(super) fn ending(error: HandOverError) -> anyhow::Error {
    let message = error.to_string();
    match error {
        HandOverError::OnlyArchived(_) | HandOverError::Gone(_) | HandOverError::OnlyCopy(_) => {
            CliError::NotFound(message).into()
        }
        HandOverError::NotASession(_) | HandOverError::Empty(_) => CliError::Misuse(message).into(),
        other => other.into(),
    }
}
