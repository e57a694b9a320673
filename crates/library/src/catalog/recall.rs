//! A short summary of a project's latest sessions, for callers that cannot
//! wait: it lists one folder, and reads the beginning and end of a few
//! transcripts.

use crate::Catalog;
use crate::catalog::hook_transcript::HookTranscript;
use jiff::Timestamp;
use std::path::Path;
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
}

impl Catalog<'_> {
    /// The latest sessions in the folder of another, newest first. Only those
    /// with this working directory: several paths can share a folder.
    pub fn recall_summaries(
        self,
        asking: &HookTranscript,
        cwd: Option<&str>,
        most: usize,
    ) -> Vec<RecallSummary> {
        let Some(folder) = asking.transcript.parent() else { return Vec::new() };
        let Ok(listing) = Folder::new(folder.to_owned()).list(&self.library.disk) else {
            return Vec::new();
        };
        let others = listing.sessions.into_iter().filter(|file| file.id != asking.id);
        let mut files: Vec<_> = others
            .filter_map(|file| Some((self.library.disk.find(&file.path)?.0.modified, file)))
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
                &self.library.disk,
                &file.path,
                file.folder.as_ref(),
                &mut chunks,
            );
            let Ok(metadata) = metadata else { continue };
            let is_here = cwd.is_none() || metadata.cwd.as_deref() == cwd;
            if metadata.hidden.is_some()
                || metadata.kind != SessionKind::Interactive
                || !is_here
                || self.library.is_excluded(&file.path, metadata.cwd.as_deref())
            {
                continue;
            }
            let plan = asking
                .config
                .as_deref()
                .and_then(|config| plan_of(&self.library.disk, config, chunks.tail()));
            let last_prompt =
                metadata.last_prompt.filter(|last| metadata.first_prompt.as_ref() != Some(last));
            recalled.push(RecallSummary {
                id: file.id,
                modified: metadata.modified,
                title: metadata.title,
                first_prompt: metadata.first_prompt,
                last_prompt,
                plan,
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
