//! The latest sessions of a project, in a few words, for whoever cannot wait: one
//! folder is listed, and of a few transcripts the beginning and the end are read.

use crate::Catalog;
use crate::catalog::hook_transcript::HookTranscript;
use jiff::Timestamp;
use std::path::Path;
use store::{Files, Folder, HeadAndTail, SessionKind, SessionMetadata, find_plan};

/// What a session was about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// The session.
    pub id: String,
    /// When it was last written.
    pub modified: Timestamp,
    /// The title a person gave, else the one a model gave.
    pub title: Option<String>,
    /// The first thing a person said.
    pub first_prompt: Option<String>,
    /// The last thing, where that is another.
    pub last_prompt: Option<String>,
    /// The name of its plan.
    pub plan: Option<String>,
}

impl Catalog<'_> {
    /// The latest sessions in the folder of another, newest first, of this working
    /// directory alone: paths can share a folder.
    pub fn recalled(
        self,
        asking: &HookTranscript,
        cwd: Option<&str>,
        most: usize,
    ) -> Vec<Recalled> {
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
        // Some of them are empty, or a program's: a few more are looked at.
        for (_, file) in files.into_iter().take(most * 4) {
            if recalled.len() == most {
                break;
            }
            let facts = SessionMetadata::read(
                &self.library.disk,
                &file.path,
                file.folder.as_ref(),
                &mut chunks,
            );
            let Ok(facts) = facts else { continue };
            let is_here = cwd.is_none() || facts.cwd.as_deref() == cwd;
            if facts.hidden.is_some()
                || facts.kind != SessionKind::Interactive
                || !is_here
                || self.library.is_excluded(&file.path, facts.cwd.as_deref())
            {
                continue;
            }
            let plan = asking
                .config
                .as_deref()
                .and_then(|config| plan_of(&self.library.disk, config, chunks.tail()));
            let last_prompt =
                facts.last_prompt.filter(|last| facts.first_prompt.as_ref() != Some(last));
            recalled.push(Recalled {
                id: file.id,
                modified: facts.modified,
                title: facts.title,
                first_prompt: facts.first_prompt,
                last_prompt,
                plan,
            });
        }
        recalled
    }
}

/// The name of the plan that the end of a transcript names, if there is one.
fn plan_of(files: &Files, config: &Path, tail: &[u8]) -> Option<String> {
    const KEY: &[u8] = b"\"slug\":\"";
    let at = memchr::memmem::rfind(tail, KEY)?;
    let slug = tail[at + KEY.len()..].split(|byte| *byte == b'"').next()?;
    let slug = std::str::from_utf8(slug).ok()?;
    find_plan(files, config, slug)?;
    Some(slug.to_owned())
}
