//! Whether there is anything to push, from one look at the files here and one listing.
//!
//! A push that has finished writes down what it depended on: the settings, the decisions, the
//! stamps of all transcripts, and the newest private manifests of the owner. While all of
//! these are the same, there is nothing to push. If this file or the memory of pushes is lost,
//! the next push compares everything.

use super::failure;
use super::push_state::PushState;
use blake3::Hasher;
use document::{LakeFailure, LakeMachine, LakeSettings};
use lake::{Owner, PrivateChains, PushReport, RULES, remove_lake_file, write_lake_file};
use serde::{Deserialize, Serialize};
use std::fs::{self, FileType};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

const IDLE: &str = "lake/idle.json";
/// Folders of a store are not deeper.
const DEEPEST: u32 = 12;

/// What the last push left.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Idle {
    /// The digest of what it depended on here.
    local: String,
    /// The owner's private chains.
    private: PrivateChains,
    /// How many sessions are shared.
    pub(super) sessions: u64,
    pub(super) has_old_rules: bool,
    pub(super) has_left: bool,
}

impl Idle {
    /// What the last push left, if everything here is as it was then.
    pub(super) fn read(machine: &LakeMachine, local: &str) -> Option<Idle> {
        let bytes = fs::read(path(machine)).ok()?;
        let idle: Idle = serde_json::from_slice(&bytes).ok()?;
        (idle.local == local && PushState::exists(machine)).then_some(idle)
    }

    /// Whether the lake is as it was then.
    pub(super) fn holds(&self, private: &PrivateChains) -> bool {
        self.private == *private
    }

    /// Writes down that nothing was left to do.
    pub(super) fn write(
        machine: &LakeMachine,
        local: String,
        report: &PushReport,
        sessions: u64,
    ) -> Result<(), LakeFailure> {
        let idle = Idle {
            local,
            private: report.private.clone(),
            sessions,
            has_old_rules: report.has_old_rules,
            has_left: report.has_left,
        };
        let bytes = serde_json::to_vec(&idle).map_err(failure)?;
        let path = path(machine);
        write_lake_file(&path, &bytes)
            .map_err(|error| failure(format!("cannot write {}: {error}", path.display())))
    }

    /// Forgets it, before a push changes anything.
    pub(super) fn remove(machine: &LakeMachine) -> Result<(), LakeFailure> {
        let path = path(machine);
        remove_lake_file(&path)
            .map_err(|error| failure(format!("cannot delete {}: {error}", path.display())))
    }
}

fn path(machine: &LakeMachine) -> PathBuf {
    Path::new(&machine.data_home).join(IDLE)
}

/// The digest of everything here that a push depends on.
pub(super) fn local_state(
    settings: &LakeSettings,
    machine: &LakeMachine,
    owner: &Owner,
) -> Result<String, LakeFailure> {
    let mut hasher = Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(super::VERSION.as_bytes());
    add(&RULES.to_le_bytes());
    add(owner.as_str().as_bytes());
    add(&serde_json::to_vec(settings).map_err(failure)?);
    add(&serde_json::to_vec(machine).map_err(failure)?);
    let home = Path::new(&machine.data_home);
    // Missing files are empty.
    add(&fs::read(home.join("lake/decisions.json")).unwrap_or_default());
    add(&fs::read(home.join("redaction.key")).unwrap_or_default());
    let mut stamps = Stamps::default();
    for root in &machine.roots {
        stamps.add_below(&Path::new(root).join("projects"), DEEPEST);
    }
    // What the archive has is in its manifest.
    stamps.add(&home.join("archive/manifest.jsonl"));
    add(&stamps.sum.to_le_bytes());
    Ok(hasher.finalize().to_hex().to_string())
}

/// The sum of the digests of files' stamps, in whatever order they are found.
#[derive(Default)]
struct Stamps {
    sum: u128,
}

impl Stamps {
    /// Adds the transcripts below a folder, and what stands beside transcripts of agents.
    fn add_below(&mut self, folder: &Path, depth: u32) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            let is_file = || {
                let extension = Path::new(&name).extension();
                extension.is_some_and(|extension| extension == "jsonl" || extension == "json")
            };
            // A link can lead to either.
            let (can_be_folder, can_be_file) = (!kind.is_file(), !FileType::is_dir(&kind));
            if can_be_file && is_file() {
                self.add(&entry.path());
            } else if can_be_folder && depth > 0 {
                self.add_below(&entry.path(), depth - 1);
            }
        }
    }

    fn add(&mut self, path: &Path) {
        let Ok(stat) = fs::metadata(path) else { return };
        let mut hasher = Hasher::new();
        hasher.update(path.as_os_str().as_encoded_bytes());
        hasher.update(&[0]);
        for number in [stat.dev(), stat.ino(), stat.len()] {
            hasher.update(&number.to_le_bytes());
        }
        for number in [stat.mtime(), stat.mtime_nsec()] {
            hasher.update(&number.to_le_bytes());
        }
        let mut first = [0; 16];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        self.sum = self.sum.wrapping_add(u128::from_le_bytes(first));
    }
}
