//! Workflow runs: `<session id>/workflows/wf_<id>.json`.
//!
//! The agents of a run are below `subagents/workflows/wf_<id>/` and are found
//! with the others; the `journal.jsonl` beside them is not a session.

use crate::files::{EntryKind, Files};
use crate::session_folder::{SessionFolder, read_bounded};
use std::path::PathBuf;
use transcript::json;

/// A run file contains its script and progress; a larger file is not one.
const LARGEST: u64 = 16 << 20;

/// A workflow run's file. Any field may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workflow {
    /// The run's id, `wf_…`.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// The workflow's name.
    pub name: Option<String>,
    /// The run's status.
    pub status: Option<String>,
    /// When it started.
    pub timestamp: Option<String>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// The number of agents it reports; lower than the actual number.
    pub agent_count: Option<u64>,
    /// The tokens it reports.
    pub total_tokens: Option<u64>,
    /// Its result.
    pub summary: Option<String>,
    /// Its error message.
    pub error: Option<String>,
}

/// The workflow runs of a session, sorted by id.
pub fn workflows_below(files: &Files, folder: &SessionFolder) -> Vec<Workflow> {
    let mut found: Vec<_> = files
        .list_real(&folder.path().join("workflows"))
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .filter_map(|entry| {
            let id = entry.name().to_str()?.strip_suffix(".json")?;
            id.starts_with("wf_").then(|| read(files, id, entry.path.clone()))
        })
        .collect();
    found.sort_by(|one, two| one.id.cmp(&two.id));
    found
}

fn read(files: &Files, id: &str, path: PathBuf) -> Workflow {
    let text = read_bounded(files, &path, LARGEST).unwrap_or_default();
    let readable = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    let text = if readable { text.as_str() } else { "" };
    let string = |key| {
        let decoded = json::member(text, key).and_then(json::decode_string)?;
        Some(decoded.text.into_owned()).filter(|text| !text.is_empty())
    };
    let number = |key| json::member(text, key).and_then(|number| number.parse().ok());
    Workflow {
        id: id.to_owned(),
        name: string("workflowName"),
        status: string("status"),
        timestamp: string("timestamp"),
        duration_ms: number("durationMs"),
        agent_count: number("agentCount"),
        total_tokens: number("totalTokens"),
        summary: string("summary"),
        error: string("error"),
        path,
    }
}
