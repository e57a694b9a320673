//! A short summary of a project's latest sessions, for callers that cannot
//! wait: it lists one folder, and reads the beginning and end of a few
//! transcripts, and what was not read of them for values that are to be masked.

use crate::catalog::Catalog;
use crate::catalog::hook_transcript::HookTranscript;
use crate::redaction::masking::drop_partial_word;
use jiff::Timestamp;
use redact::Redactor;
use std::path::Path;
use std::sync::Arc;
use store::{Files, Folder, HeadAndTail, SessionKind, SessionMetadata, find_plan};

/// A summary of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSummary {
    /// The session.
    pub id: String,
    /// When it was last written.
    pub modified: Timestamp,
    /// The title that a person gave, else the generated one.
    pub title: Option<String>,
    /// The first prompt.
    pub first_prompt: Option<String>,
    /// The last prompt, if it is another.
    pub last_prompt: Option<String>,
    /// The name of its plan.
    pub plan: Option<String>,
    /// Whether its texts are left out, because too much of it was not searched for secrets.
    pub is_unsearched: bool,
}

/// The most bytes of a session that are searched for values while the caller waits.
const MOST_SEARCHED: u64 = 16 << 20;

impl Catalog {
    /// The latest sessions in the folder of another, newest first. Only those
    /// with this working directory: several paths can share a folder. Texts are masked by the
    /// redactor, with the values of their session.
    pub fn recall_summaries(
        &self,
        asking: &HookTranscript,
        cwd: Option<&str>,
        most: usize,
        redactor: &Arc<Redactor>,
    ) -> Vec<RecallSummary> {
        let Some(folder) = asking.transcript.parent() else { return Vec::new() };
        let Ok(listing) = Folder::new(folder.to_owned()).list(&self.stores.disk) else {
            return Vec::new();
        };
        let others = listing.sessions.into_iter().filter(|file| file.id != asking.id);
        let mut files: Vec<_> = others
            .filter_map(|file| Some((self.stores.disk.find(&file.path)?.0.modified, file)))
            .collect();
        files.sort_by(|one, two| (two.0, &two.1.id).cmp(&(one.0, &one.1.id)));
        let mut chunks = HeadAndTail::default();
        let mut recalled = Vec::new();
        // Some are empty or were run by a program, so a few more are read.
        for (_, file) in files.into_iter().take(most * 4) {
            if recalled.len() == most {
                break;
            }
            let metadata = SessionMetadata::read(
                &self.stores.disk,
                &file.path,
                file.folder.as_ref(),
                &mut chunks,
            );
            let Ok(metadata) = metadata else { continue };
            let is_here = cwd.is_none() || metadata.cwd.as_deref() == cwd;
            if metadata.hidden.is_some()
                || metadata.kind != SessionKind::Interactive
                || !is_here
                || self.stores.is_excluded(&file.path, metadata.cwd.as_deref())
            {
                continue;
            }
            let plan = asking
                .config
                .as_deref()
                .and_then(|config| plan_of(&self.stores.disk, config, chunks.tail()));
            let last_prompt =
                metadata.last_prompt.filter(|last| metadata.first_prompt.as_ref() != Some(last));
            let own = self.redaction.redactor_within(redactor, &file.path, MOST_SEARCHED);
            let masked = |text: Option<String>| {
                let text = text.zip(own.as_ref());
                text.map(|(text, own)| drop_partial_word(own.mask(&text).into_owned()))
            };
            recalled.push(RecallSummary {
                id: file.id,
                modified: metadata.modified,
                title: masked(metadata.title),
                first_prompt: masked(metadata.first_prompt),
                last_prompt: masked(last_prompt),
                plan: masked(plan),
                is_unsearched: own.is_none(),
            });
        }
        recalled
    }
}

/// The name of the plan mentioned at the end of a transcript, if its file
/// exists.
fn plan_of(files: &Files, config: &Path, tail: &[u8]) -> Option<String> {
    const KEY: &[u8] = b"\"slug\":\"";
    let at = memchr::memmem::rfind(tail, KEY)?;
    let slug = tail[at + KEY.len()..].split(|byte| *byte == b'"').next()?;
    let slug = std::str::from_utf8(slug).ok()?;
    find_plan(files, config, slug)?;
    Some(slug.to_owned())
}
