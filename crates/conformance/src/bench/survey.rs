//! The facts about a store that the measurements need.
//!
//! A plain directory walk on purpose: figures about annals must not come from annals.
//! Links are not followed.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// Longer folder names are truncated and hashed, so they cannot be compared directly.
const LONGEST_PLAIN_NAME: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) files: u64,
    pub(super) folders: u64,
    pub(super) bytes: u64,
    /// The bytes of all `*.jsonl` files.
    pub(super) transcript_bytes: u64,
    pub(super) longest_line: u64,
    /// The id of the smallest transcript, so that looking it up outweighs
    /// reading it.
    pub(super) smallest_session: Option<String>,
    /// The id of the largest transcript, and its size.
    pub(super) largest_session: Option<(String, u64)>,
    /// The path of the largest transcript.
    pub(super) largest_path: Option<PathBuf>,
    /// A working directory whose project folder exists.
    pub(super) working_directory: Option<String>,
}

pub(super) fn survey(store: &Path) -> Result<Survey> {
    let projects = store.join("projects");
    if !projects.is_dir() {
        bail!("{} is not a Claude Code store: it has no projects folder", store.display());
    }
    let mut survey = Survey::default();
    let mut transcripts = Vec::new();
    walk(&projects, &mut survey, &mut transcripts)?;
    transcripts.sort();

    let sessions = || transcripts.iter().filter(|(_, path)| is_session(&projects, path));
    survey.smallest_session = sessions()
        .find(|(bytes, _)| *bytes > 0)
        .and_then(|(_, path)| path.file_stem()?.to_str().map(str::to_owned));
    survey.largest_session = sessions()
        .next_back()
        .and_then(|(bytes, path)| Some((path.file_stem()?.to_str()?.to_owned(), *bytes)));
    survey.largest_path = sessions().next_back().map(|(_, path)| path.clone());
    survey.working_directory = sessions().find_map(|(_, path)| matching_directory(path));
    for (bytes, path) in &transcripts {
        survey.transcript_bytes += bytes;
        survey.longest_line = survey.longest_line.max(longest_line(path)?);
    }
    Ok(survey)
}

fn walk(folder: &Path, survey: &mut Survey, transcripts: &mut Vec<(u64, PathBuf)>) -> Result<()> {
    let unreadable = || format!("cannot list {}", folder.display());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let metadata = entry.metadata().with_context(unreadable)?;
        if metadata.is_dir() {
            survey.folders += 1;
            walk(&entry.path(), survey, transcripts)?;
        } else if metadata.is_file() {
            survey.files += 1;
            survey.bytes += metadata.len();
            if entry.path().extension().is_some_and(|extension| extension == "jsonl") {
                transcripts.push((metadata.len(), entry.path()));
            }
        }
    }
    Ok(())
}

/// Whether this is a main transcript: a UUID for a name, directly in a
/// project folder.
fn is_session(projects: &Path, path: &Path) -> bool {
    let directly = path.parent().and_then(Path::parent) == Some(projects);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let groups: Vec<usize> = stem.split('-').map(str::len).collect();
    directly
        && groups == [8, 4, 4, 4, 12]
        && stem.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// The recorded working directory, if the folder is named after it.
fn matching_directory(transcript: &Path) -> Option<String> {
    let folder = transcript.parent()?.file_name()?.to_str()?;
    let mut head = Vec::new();
    File::open(transcript).ok()?.take(65_536).read_to_end(&mut head).ok()?;
    head.split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter_map(|record| record.get("cwd")?.as_str().map(str::to_owned))
        // Windows paths are not absolute here, and `where` may treat them as relative.
        .find(|cwd| cwd.starts_with('/') && cwd.len() < LONGEST_PLAIN_NAME && encode(cwd) == folder)
}

fn encode(cwd: &str) -> String {
    cwd.encode_utf16()
        .map(|unit| u8::try_from(unit).map_or('-', char::from))
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

fn longest_line(path: &Path) -> Result<u64> {
    let unreadable = || format!("cannot read {}", path.display());
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path).with_context(unreadable)?);
    let mut line = Vec::new();
    let mut longest = 0;
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).with_context(unreadable)?;
        if length == 0 {
            return Ok(longest);
        }
        longest = longest.max(length as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names_count_utf16_units() {
        assert_eq!(encode("/home/u/my_project"), "-home-u-my-project");
        assert_eq!(encode("/home/u/😀é"), "-home-u----");
    }

    #[test]
    fn agents_and_deeper_files_do_not_count_as_sessions() {
        let projects = Path::new("s/projects");
        let id = "744d108b-d4f1-43bf-abd5-9ee971eff798";
        assert!(is_session(projects, &projects.join(format!("p/{id}.jsonl"))));
        assert!(!is_session(projects, &projects.join("p/agent-a598b56.jsonl")));
        assert!(!is_session(projects, &projects.join(format!("p/x/{id}.jsonl"))));
    }

    #[test]
    fn a_store_is_counted_and_its_sessions_found() {
        let store = tempfile::tempdir().expect("a temporary folder");
        crate::generate_store::generate_store(store.path(), 300_000).expect("written");
        let survey = survey(store.path()).expect("surveyed");
        assert!(survey.transcript_bytes >= 300_000 && survey.bytes >= survey.transcript_bytes);
        assert!(survey.longest_line > 100 && survey.folders > 0 && survey.files > 0);
        assert!(survey.smallest_session.is_some());
        let directory = survey.working_directory.expect("folders are named after their directory");
        assert!(store.path().join("projects").join(encode(&directory)).is_dir());
    }
}
