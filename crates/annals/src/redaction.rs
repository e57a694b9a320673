//! The masking key, from which placeholders of secrets are derived. Each installation
//! has one, so that a secret has the same placeholder everywhere in it, and the
//! placeholder reveals nothing elsewhere.

use crate::failure::notice;
use crate::whole_file;
use anyhow::Context as _;
use redact::{Level, Redactor};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use store::random_bytes;

/// The file name of the key.
const FILE: &str = "redaction.key";

/// A redactor with the key of this installation.
pub(crate) fn redactor(level: Level, home: Option<&Path>) -> anyhow::Result<Redactor> {
    let key = key(home).context("cannot get random numbers from the system")?;
    Ok(Redactor::new(level, key))
}

/// The key of this installation, created on first use. If it cannot be stored, a key
/// for this run only.
fn key(home: Option<&Path>) -> io::Result<[u8; 32]> {
    let Some(home) = home else { return random_bytes() };
    stored_key(home).or_else(|error| {
        let path = home.join(FILE);
        notice(&format!(
            "annals: cannot use the masking key {}: {error}; placeholders of masked secrets will differ between runs",
            path.display()
        ));
        random_bytes()
    })
}

fn stored_key(home: &Path) -> io::Result<[u8; 32]> {
    let path = home.join(FILE);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    DirBuilder::new().recursive(true).mode(0o700).create(home)?;
    // If two processes create a key at the same time, the first wins.
    let made = whole_file::write(&path, &random_bytes::<32>()?, false);
    read(&path).or_else(|error| made.and(Err(error.into()))).map_err(io::Error::other)
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let bytes = std::fs::read(path)?;
    let unusable = || io::Error::other(format!("expected 32 bytes, found {}", bytes.len()));
    bytes.as_slice().try_into().map_err(|_| unusable())
}
