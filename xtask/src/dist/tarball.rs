//! `annals-VERSION-TARGET.tar.gz`: one folder with the shape of a Unix prefix, so that it can be
//! copied over one. The install script and Homebrew use it.

use anyhow::Result;

use super::contents::Contents;
use super::formats::{PackedFile, gzip, tar};

/// The name of the folder in it, and of the file without its ending.
pub(crate) fn stem(version: &str, triple: &str) -> String {
    format!("annals-{version}-{triple}")
}

/// The file, with its name.
pub(crate) fn pack(contents: &Contents) -> Result<(String, Vec<u8>)> {
    let stem = stem(&contents.about.version, contents.target.triple);
    let files: Vec<PackedFile> =
        contents.in_prefix().iter().map(|file| file.below(&stem)).collect();
    Ok((format!("{stem}.tar.gz"), gzip(&tar(&files)?, contents.effort)?))
}
