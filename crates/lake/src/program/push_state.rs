//! What pushes of this machine remember, below annals' own folder.
//!
//! The decisions are kept apart from the rest: a push that ends must not undo one that was
//! made meanwhile. The rest may be lost at any time; the next push then asks for more.

use super::failure;
use document::{LakeFailure, LakeMachine};
use lake::{
    ChainHead, ChainName, Decisions, Entry, KnownSessions, Manifest, Memory, SegmentName,
    SessionId, Table, remove_lake_file, write_lake_file,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

const DECISIONS: &str = "lake/decisions.json";
const STATE: &str = "lake/state.json";
/// The folder of segments of calls, from which sums by day are made.
const CALLS: &str = "lake/calls";

/// The decisions that were made on this machine.
pub(super) fn read_decisions(machine: &LakeMachine) -> Result<Decisions, LakeFailure> {
    let path = Path::new(&machine.data_home).join(DECISIONS);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| failure(format!("cannot read {}: {error}", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Decisions::default()),
        Err(error) => Err(failure(format!("cannot read {}: {error}", path.display()))),
    }
}

pub(super) fn write_decisions(
    machine: &LakeMachine,
    decisions: &Decisions,
) -> Result<(), LakeFailure> {
    write(&Path::new(&machine.data_home).join(DECISIONS), decisions)
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), LakeFailure> {
    let bytes = serde_json::to_vec(value).map_err(failure)?;
    write_lake_file(path, &bytes)
        .map_err(|error| failure(format!("cannot write {}: {error}", path.display())))
}

fn read<T: DeserializeOwned + Default>(path: &Path) -> T {
    let bytes = std::fs::read(path).ok();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// What may be lost.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct PushState {
    /// The lake and the installation it is about.
    place: String,
    /// Whether the last push did not finish.
    pub(super) is_unfinished: bool,
    /// The decisions that have reached all installations of the owner.
    pub(super) applied: Decisions,
    /// What transcripts were when they were last read.
    pub(super) sources: KnownSessions,
    /// By the prefix of the chain: the newest manifest and its number.
    heads: RefCell<HashMap<String, (String, Manifest)>>,
    entries: RefCell<HashMap<String, Vec<Entry>>>,
    /// By table and session: what the lake does not take because it is expired.
    expired: RefCell<HashMap<String, Vec<Entry>>>,
    #[serde(skip)]
    calls_folder: PathBuf,
}

impl PushState {
    /// What is remembered of one lake and installation.
    pub(super) fn read(machine: &LakeMachine, place: String) -> Self {
        let state: PushState = read(&Self::path(machine));
        let calls_folder = Path::new(&machine.data_home).join(CALLS);
        if state.place == place {
            return PushState { calls_folder, ..state };
        }
        PushState { place, calls_folder, ..PushState::default() }
    }

    pub(super) fn write(&self, machine: &LakeMachine) -> Result<(), LakeFailure> {
        write(&Self::path(machine), self)
    }

    /// Whether there is something to read.
    pub(super) fn exists(machine: &LakeMachine) -> bool {
        Self::path(machine).exists()
    }

    /// Forgets segments that no newest manifest names.
    pub(super) fn prune(&self) {
        let heads = self.heads.borrow();
        let named: HashSet<String> = heads
            .values()
            .flat_map(|(_, manifest)| &manifest.segments)
            .map(|segment| segment.name.to_string())
            .collect();
        self.entries.borrow_mut().retain(|name, _| named.contains(name));
        let files: HashSet<String> = named.iter().map(|name| file_name(name)).collect();
        for file in std::fs::read_dir(&self.calls_folder).into_iter().flatten().flatten() {
            if file.file_name().to_str().is_none_or(|name| !files.contains(name)) {
                // It is in nobody's way.
                let _ = remove_lake_file(&file.path());
            }
        }
    }

    fn path(machine: &LakeMachine) -> PathBuf {
        Path::new(&machine.data_home).join(STATE)
    }
}

/// The file of a segment: its name without folders.
fn file_name(segment: &str) -> String {
    segment.replace('/', "-")
}

impl Memory for PushState {
    fn head(&self, chain: &ChainName) -> Option<ChainHead> {
        let (number, manifest) = self.heads.borrow().get(&chain.prefix())?.clone();
        Some(ChainHead { number: number.parse().ok()?, manifest })
    }

    fn keep_head(&self, chain: &ChainName, head: &ChainHead) {
        let kept = (head.number.to_string(), head.manifest.clone());
        self.heads.borrow_mut().insert(chain.prefix(), kept);
    }

    fn entries(&self, segment: &SegmentName) -> Option<Vec<Entry>> {
        self.entries.borrow().get(&segment.to_string()).cloned()
    }

    fn keep_entries(&self, segment: &SegmentName, entries: &[Entry]) {
        self.entries.borrow_mut().insert(segment.to_string(), entries.to_vec());
    }

    fn calls(&self, segment: &SegmentName) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.calls_folder.join(file_name(&segment.to_string()))).ok()?;
        segment.fits(&bytes).then_some(bytes)
    }

    fn keep_calls(&self, segment: &SegmentName, bytes: &[u8]) {
        // Without it, the next push asks the storage.
        let _ = write_lake_file(&self.calls_folder.join(file_name(&segment.to_string())), bytes);
    }

    fn expired(&self, table: Table, session: &SessionId) -> Vec<Entry> {
        let key = format!("{} {session}", table.as_str());
        self.expired.borrow().get(&key).cloned().unwrap_or_default()
    }

    fn keep_expired(&self, table: Table, session: &SessionId, entries: &[Entry]) {
        let key = format!("{} {session}", table.as_str());
        let mut expired = self.expired.borrow_mut();
        let known = expired.entry(key).or_default();
        known.extend(
            entries.iter().filter(|entry| !known.contains(entry)).cloned().collect::<Vec<_>>(),
        );
    }
}
