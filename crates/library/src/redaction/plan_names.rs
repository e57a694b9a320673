//! The plan files that the lines of a transcript name, so that the values of its session are
//! masked in them, and theirs in the session.
//!
//! A line names one by its slug, or by a path in a call or an answer. What only mentions the
//! path counts too: it may quote the plan. Only digests are kept, because a file's name can be
//! a secret, and nothing in a transcript becomes a path: they are compared with the files that
//! there are.
//!
//! Deliberately not here: which versions of a plan a transcript has (`conversation::plans`).

use crate::parallel::par_map;
use crate::redaction::Redaction;
use crate::stores::Tier;
use crate::stores::text_files::{TextFile, TextKind, TextReader};
use index::Digest;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The digest of the name of a plan, without that of a sub-agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlanName(pub(crate) u64);

impl PlanName {
    /// The name of a file without its extension, or a slug.
    fn of(stem: &str) -> PlanName {
        let slug = stem.split_once("-agent-").map_or(stem, |(slug, _)| slug);
        let digest = Digest::of(slug.as_bytes());
        let bytes = digest.as_bytes().first_chunk().copied().unwrap_or_default();
        PlanName(u64::from_le_bytes(bytes))
    }
}

/// The longest name of a file.
const LONGEST: usize = 255;

/// Adds the names of plans in a line.
pub(crate) fn note_plan_names(line: &[u8], names: &mut BTreeSet<PlanName>) {
    for before in [b"\"slug\":\"".as_slice(), b"\"slug\": \""] {
        for at in memchr::memmem::find_iter(line, before) {
            if let Some(slug) = up_to_quote(&line[at + before.len()..]) {
                names.insert(PlanName::of(slug.rsplit(['/', '\\']).next().unwrap_or_default()));
            }
        }
    }
    for at in memchr::memmem::find_iter(line, b".md") {
        let before = &line[at.saturating_sub(LONGEST)..at];
        let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
        let Some(start) = before.iter().rposition(is_separator) else { continue };
        let folder = &before[..=start];
        let separators = folder.iter().rev().take_while(|byte| is_separator(byte)).count();
        if folder[..folder.len() - separators].ends_with(b"plans")
            && let Ok(stem) = str::from_utf8(&before[start + 1..])
        {
            names.insert(PlanName::of(stem));
        }
    }
}

fn up_to_quote(text: &[u8]) -> Option<&str> {
    let end = memchr::memchr(b'"', &text[..text.len().min(LONGEST)])?;
    str::from_utf8(&text[..end]).ok()
}

/// The plan files that there are, and whose they are.
#[derive(Debug, Default)]
pub(crate) struct KnownPlans {
    files: OnceLock<PlanFiles>,
    /// The transcripts that name each plan.
    owners: OnceLock<HashMap<PlanName, Vec<PathBuf>>>,
}

/// Plan files by their names, and the names of files.
#[derive(Debug, Default)]
struct PlanFiles {
    paths: HashMap<PlanName, Vec<PathBuf>>,
    names: HashMap<PathBuf, PlanName>,
}

impl Redaction {
    fn plan_files(&self) -> &PlanFiles {
        self.known_plans.files.get_or_init(|| {
            let mut files = PlanFiles::default();
            for (plan, _) in self.stores.plan_files(Tier::DiskAndArchive) {
                let Some(stem) = plan.path.file_stem().and_then(|stem| stem.to_str()) else {
                    continue;
                };
                let name = PlanName::of(stem);
                files.paths.entry(name).or_default().push(plan.path.clone());
                files.names.insert(plan.path, name);
            }
            files
        })
    }

    /// The plan files with one of these names.
    pub(crate) fn plans_of(&self, names: &BTreeSet<PlanName>) -> Vec<&Path> {
        if names.is_empty() {
            return Vec::new();
        }
        let paths = &self.plan_files().paths;
        let paths = names.iter().filter_map(|name| paths.get(name)).flatten();
        paths.map(PathBuf::as_path).collect()
    }

    /// The transcripts that name a plan file; `None` if this file is not one.
    pub(crate) fn owners_of_plan(&self, file: &Path) -> Option<&[PathBuf]> {
        if file.extension().is_none_or(|extension| extension != "md") {
            return None;
        }
        let files = self.plan_files();
        let name = files.names.get(file)?;
        let owners = self.known_plans.owners.get_or_init(|| {
            let is_transcript = |file: &TextFile| {
                !matches!(file.kind, TextKind::Output | TextKind::Plan | TextKind::Foreign)
            };
            let walk = self.stores.text_files(TextReader::Index).without_outputs();
            let (found, _) =
                walk.gather(|file| Some(file).filter(is_transcript).map(|file| file.path));
            let named = par_map(found, |path| {
                let names = self.plan_names_in(&path);
                (path, names)
            });
            let mut owners: HashMap<PlanName, Vec<PathBuf>> = HashMap::new();
            for (path, names) in named {
                for name in names.into_iter().filter(|name| files.paths.contains_key(name)) {
                    owners.entry(name).or_default().push(path.clone());
                }
            }
            owners
        });
        Some(owners.get(name).map(Vec::as_slice).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_plans_by_slug_and_by_path() {
        let name = |text: &str| {
            let mut names = BTreeSet::new();
            note_plan_names(text.as_bytes(), &mut names);
            names.into_iter().collect::<Vec<_>>()
        };
        let otter = vec![PlanName::of("calm-otter")];
        for line in [
            r#"{"slug":"calm-otter"}"#,
            r#"{"input":{"planFilePath":"/home/ada/.claude/plans/calm-otter.md"}}"#,
            r#"{"filePath":"C:\\Users\\ada\\.claude\\plans\\calm-otter.md"}"#,
            r#"{"text":"see plans/calm-otter-agent-a1.md."}"#,
        ] {
            assert_eq!(name(line), otter, "{line}");
        }
        for line in [r#"{"slug":null}"#, r#"{"file":"/notes/calm-otter.md"}"#, "calm-otter.md", ""]
        {
            assert_eq!(name(line), Vec::new(), "{line}");
        }
    }
}
