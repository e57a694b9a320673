//! The key that makes placeholders of masked secrets: one for each installation,
//! so that a secret reads the same everywhere in it, and says nothing elsewhere.

use crate::failure::notice;
use crate::whole_file;
use anyhow::Context as _;
use redact::{Level, Redactor};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use store::random_bytes;

/// The name of its file.
const FILE: &str = "redaction.key";

/// What masks secrets, with the key of this installation.
pub(crate) fn redactor(level: Level, home: Option<&Path>) -> anyhow::Result<Redactor> {
    let key = key(home).context("cannot get random numbers from the system")?;
    Ok(Redactor::new(level, key))
}

/// The key of this installation, made when it is first asked for. Where it
/// cannot be kept, one for this time alone.
fn key(home: Option<&Path>) -> io::Result<[u8; 32]> {
    let Some(home) = home else { return random_bytes() };
    kept(home).or_else(|error| {
        let path = home.join(FILE);
        notice(&format!(
            "annals: cannot use the masking key {}: {error}; placeholders of masked secrets will differ between runs",
            path.display()
        ));
        random_bytes()
    })
}

fn kept(home: &Path) -> io::Result<[u8; 32]> {
    let path = home.join(FILE);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    DirBuilder::new().recursive(true).mode(0o700).create(home)?;
    // Of two that are made at once the first counts.
    let made = whole_file::write(&path, &random_bytes::<32>()?, false);
    read(&path).or_else(|error| made.and(Err(error.into()))).map_err(io::Error::other)
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let bytes = std::fs::read(path)?;
    let unusable = || io::Error::other(format!("expected 32 bytes, found {}", bytes.len()));
    bytes.as_slice().try_into().map_err(|_| unusable())
}
