//! Real transcripts, if they are available.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The real transcripts next to the repository.
pub(crate) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if path.is_dir() {
        return Some(path);
    }
    // Not with `println!`, which a passing test hides.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no real transcripts at {}", path.display());
    None
}
