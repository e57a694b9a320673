//! What a person does to a session: bookmarks, tags, titles, exports, the archive.
//!
//! Everything that writes goes through `library`'s actions, as the commands do; what only the
//! binary can do goes through its [`Host`](crate::Host). Nothing is deleted here.

use super::{Answer, Data, State};
use crate::worker::Reply;
use library::archive::{RestoreOptions, SyncOptions};
use library::sessions::TurnNumber;
use std::path::PathBuf;

/// Something to do to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Set a bookmark, or remove the one that is there.
    ToggleMark {
        /// The session or sub-agent.
        id: String,
        /// The turn, if not the whole session.
        turn: Option<TurnNumber>,
    },
    /// Set the tag; an empty one removes it.
    Tag(String, String),
    /// Rename.
    Rename(String, String),
    /// Export with secrets masked.
    Export(String),
    /// Back the session up.
    Archive(String),
    /// Restore it from the archive.
    Restore(String),
    /// Open it in the web app.
    Web {
        /// The session.
        id: String,
        /// The turn.
        turn: Option<TurnNumber>,
    },
    /// Find out whether it can be resumed.
    CheckResume {
        /// The session.
        id: String,
        /// Whether a copy is resumed.
        is_fork: bool,
        /// The folder, if it is not the session's.
        folder: Option<PathBuf>,
    },
    /// The command that resumes it, to copy it.
    Command(String),
    /// Its address in the web app, to copy it.
    Link {
        /// The session.
        id: String,
        /// The turn.
        turn: Option<TurnNumber>,
    },
}

/// The result of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperationAnswer {
    /// It is done: what to say. The list has to be read again.
    Done(String),
    /// It failed: why.
    Failed(String),
    /// The session can be resumed.
    MayResume {
        /// The session.
        id: String,
        /// Whether a copy is resumed.
        is_fork: bool,
        /// The folder, if it is not the session's.
        folder: Option<PathBuf>,
    },
    /// It cannot.
    MayNotResume {
        /// The session.
        id: String,
        /// Whether a copy was to be resumed.
        is_fork: bool,
        /// Why not.
        problem: String,
        /// Whether the folder is the reason.
        is_folder: bool,
    },
    /// Text to copy, and what to say.
    Copy(String, String),
}

pub(super) fn run(operation: &Operation, state: &mut State, data: &Data<'_>, reply: &Reply<'_>) {
    let answer = done(operation, state, data).unwrap_or_else(OperationAnswer::Failed);
    reply.send(Answer::Act(answer));
}

fn done(
    operation: &Operation,
    state: &mut State,
    data: &Data<'_>,
) -> Result<OperationAnswer, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let actions = data.library.actions();
    let session = |id: &str| {
        let found = data.library.catalog().find_id(id);
        found.ok_or_else(|| format!("no session {id}"))
    };
    let idle = |id: &str| {
        let session = session(id)?;
        if data.library.catalog().is_running(&session) {
            return Err("the session is running: end it first".to_owned());
        }
        Ok(session)
    };
    Ok(match operation {
        Operation::ToggleMark { id, turn } => {
            let now = data.now();
            let opened = &*state.open(data, id)?;
            let place = turn.map_or_else(|| "session".to_owned(), |turn| format!("turn {turn}"));
            let removed = actions.remove_mark(opened, *turn, now).map_err(|e| text(&e))?;
            if removed.is_some() {
                OperationAnswer::Done(format!("Bookmark removed: {place}"))
            } else {
                actions.set_mark(opened, *turn, None, now).map_err(|e| text(&e))?;
                OperationAnswer::Done(format!("Bookmark set: {place}"))
            }
        }
        Operation::Tag(id, tag) => {
            let tag = Some(tag.as_str()).filter(|tag| !tag.trim().is_empty());
            actions.tag(&idle(id)?, tag).map_err(|e| text(&e))?;
            OperationAnswer::Done(
                tag.map_or_else(|| "Tag removed".to_owned(), |tag| format!("Tag: {tag}")),
            )
        }
        Operation::Rename(id, title) => {
            let line = actions.rename(&idle(id)?, title).map_err(|e| text(&e))?;
            OperationAnswer::Done(format!("Renamed: {}", line.value))
        }
        Operation::Export(id) => {
            OperationAnswer::Done(format!("Exported: {}", data.host.export(id)?))
        }
        Operation::Archive(id) => {
            let session = session(id)?;
            let only: Vec<PathBuf> = session.path.iter().cloned().collect();
            let options = SyncOptions { now: data.now(), only: Some(&only), max_age: None };
            actions.sync(options, &library::progress::NoProgress, &|_| ()).map_err(|e| text(&e))?;
            OperationAnswer::Done("Archived".to_owned())
        }
        Operation::Restore(id) => {
            let options = RestoreOptions { id, to: None, generation: None, now: data.now() };
            let restored = actions.restore(options).map_err(|e| text(&e))?;
            match restored.not_restored.first() {
                None => OperationAnswer::Done("Restored from the archive".to_owned()),
                Some((name, reason)) => {
                    return Err(format!("cannot restore {name}: {reason}"));
                }
            }
        }
        Operation::Web { id, turn } => {
            let turn = turn.map(|turn| turn.to_string());
            let address = data.host.open_in_web(id, turn.as_deref())?;
            OperationAnswer::Done(format!("Opened {address}"))
        }
        Operation::CheckResume { id, is_fork, folder } => {
            let (id, is_fork, folder) = (id.clone(), *is_fork, folder.clone());
            match data.host.resume_problem(&id, is_fork, folder.as_deref()) {
                None => OperationAnswer::MayResume { id, is_fork, folder },
                Some(problem) => {
                    let is_folder = problem.is_folder;
                    OperationAnswer::MayNotResume { id, is_fork, problem: problem.text, is_folder }
                }
            }
        }
        Operation::Command(id) => {
            let command = data.host.resume_command(id, false)?;
            OperationAnswer::Copy(command, "Copied the command".to_owned())
        }
        Operation::Link { id, turn } => {
            let turn = turn.map(|turn| turn.to_string());
            let link = data.host.web_link(id, turn.as_deref())?;
            OperationAnswer::Copy(link, "Copied the link".to_owned())
        }
    })
}
