//! Real transcripts, where they are at hand.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The real transcripts beside the repository.
pub(crate) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if path.is_dir() {
        return Some(path);
    }
    // Not through `println!`, which a passing test hides.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no real transcripts at {}", path.display());
    None
}
