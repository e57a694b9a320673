//! Sessions that hold secrets, and where.

use crate::catalog::agent_files::FlatAgents;
use crate::health::Health;
use crate::lines::scan::{ReadError, read_lines};
use crate::lines::whole::read_whole;
use crate::parallel::par_map;
use crate::progress::Progress;
use crate::redaction::masking::{MaskedLine, drop_partial_word, masked_in, masked_line};
use crate::session::Session;
use crate::stores::Tier;
use redact::{Redactor, Report};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::Files;

/// A session that holds secrets.
#[derive(Clone, Debug)]
pub struct SessionSecrets {
    /// The session.
    pub session: Session,
    /// The secrets, by file.
    pub files: Vec<FileSecrets>,
}

/// The secrets of one file.
#[derive(Clone, Debug)]
pub struct FileSecrets {
    /// The file: a transcript, or an output stored beside it.
    pub path: PathBuf,
    /// Its path as it is shown, without secrets.
    pub shown_path: String,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// The secrets, by lines.
    pub secrets: Vec<MaskedLine>,
}

impl Health {
    /// Searches sessions for secrets: their transcripts, those of their agents,
    /// and the outputs stored beside them. Titles and shown paths are masked: the subject is
    /// where secrets are.
    pub fn secrets(
        &self,
        sessions: Vec<Session>,
        redactor: &Arc<Redactor>,
        progress: &dyn Progress,
    ) -> (Vec<SessionSecrets>, Vec<ReadError>) {
        let mut flat = FlatAgents::new();
        let sized = sessions.into_iter().map(|session| {
            let agents = self.catalog.agent_files_of(&session, &mut flat, Tier::Disk);
            let bytes =
                session.metadata.bytes + agents.iter().map(|agent| agent.bytes).sum::<u64>();
            (session, agents, bytes)
        });
        let sized: Vec<_> = sized.collect();
        progress.start(sized.iter().map(|(.., bytes)| bytes).sum());
        let found = par_map(sized, |(mut session, agents, bytes)| {
            if progress.is_late() {
                progress.leave_out();
                return (SessionSecrets { session, files: Vec::new() }, Vec::new());
            }
            let redactor = match &session.path {
                Some(path) => self.redaction.session_redactor(redactor, path),
                None => Arc::clone(redactor),
            };
            // The title may be the prompt that has a secret.
            let title = &mut session.metadata.shown_title;
            *title =
                title.take().map(|title| drop_partial_word(redactor.mask(&title).into_owned()));
            let files = self.stores.files_of(&session, Tier::Disk);
            let own = session.path.iter().map(|path| (path.clone(), None));
            let agents = agents.into_iter().map(|agent| (agent.path, Some(agent.id)));
            let transcripts = own.chain(agents).map(|(path, agent)| (path, agent, true));
            let outputs = self.catalog.output_files_of(&session, Tier::Disk).into_iter();
            let outputs = outputs.map(|path| (path, None, false));
            let mut read_errors = Vec::new();
            let mut secrets = Vec::new();
            for (path, agent_id, is_transcript) in transcripts.chain(outputs) {
                let found = if is_transcript {
                    look(files, &path, &redactor)
                } else {
                    read_whole(files, &path)
                        .map(|bytes| masked_in(&redactor, &String::from_utf8_lossy(&bytes)))
                };
                match found {
                    Ok(found) if found.is_empty() => {}
                    Ok(found) => {
                        let shown_path = redactor.mask(&path.to_string_lossy()).into_owned();
                        secrets.push(FileSecrets { path, shown_path, agent_id, secrets: found });
                    }
                    Err(read_error) => read_errors.push(read_error),
                }
            }
            progress.advance(bytes);
            (SessionSecrets { session, files: secrets }, read_errors)
        });
        progress.finish();
        let (mut found, read_errors): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        found.retain(|one| !one.files.is_empty());
        (found, read_errors.into_iter().flatten().collect())
    }
}

/// The secrets of a transcript, line by line.
fn look(files: &Files, path: &Path, redactor: &Redactor) -> Result<Vec<MaskedLine>, ReadError> {
    let mut secrets = Vec::new();
    read_lines(files, path, |line| {
        let mut report = Report::default();
        masked_line(redactor, line.bytes, &mut report);
        secrets.extend(MaskedLine::of(line.number, &report));
        true
    })?;
    Ok(secrets)
}
