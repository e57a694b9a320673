//! When pushes of this machine were tried and succeeded. Only shown, never decided by.

use super::failure;
use document::{LakeFailure, LakeMachine, LakePushesDocument};
use jiff::Timestamp;
use lake::write_lake_file;
use std::path::{Path, PathBuf};

const RECORD: &str = "lake/pushes.json";
/// The longest reason that is kept.
const LONGEST: usize = 1_000;

/// What is known of the pushes of this machine.
pub(super) fn read(machine: &LakeMachine) -> LakePushesDocument {
    let bytes = std::fs::read(path(machine)).ok();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Records how a push ended.
pub(super) fn record<T>(
    machine: &LakeMachine,
    result: &Result<T, LakeFailure>,
) -> Result<(), LakeFailure> {
    let mut pushes = read(machine);
    let now = Timestamp::now().to_string();
    pushes.tried = Some(now.clone());
    pushes.error = match result {
        Ok(_) => {
            pushes.succeeded = Some(now);
            None
        }
        Err(failure) => Some(failure.message.chars().take(LONGEST).collect()),
    };
    let bytes = serde_json::to_vec(&pushes).map_err(failure)?;
    let path = path(machine);
    write_lake_file(&path, &bytes)
        .map_err(|error| failure(format!("cannot write {}: {error}", path.display())))
}

fn path(machine: &LakeMachine) -> PathBuf {
    Path::new(&machine.data_home).join(RECORD)
}
