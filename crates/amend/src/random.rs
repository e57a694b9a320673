//! Names that nobody can foresee, for files that are written beside others.

use std::fs::File;
use std::io::{self, Read as _};

/// A number that nobody can foresee.
pub(crate) fn random() -> io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}
