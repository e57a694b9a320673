//! Platform differences: names that are not text, private files, reading at an offset, and
//! what identifies a file.
//!
//! The rest of the crate uses no interface of one platform alone.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

/// The bytes of a name, which are UTF-8 where it is text.
pub(crate) fn bytes_of(name: &OsStr) -> &[u8] {
    name.as_bytes()
}

/// The name with these bytes.
pub(crate) fn name_of(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Options that open a file for writing and create it if needed, for its owner only.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    options
}

/// Creates a folder and those above it, for their owner only.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Whether only the owner of a file may read and write it.
pub(crate) fn is_private(file: &Metadata) -> bool {
    file.permissions().mode() & 0o777 == 0o600
}

/// Lets only the owner of a file read and write it.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

/// Fills a buffer with the bytes at an offset.
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(buffer, at)
}

/// Reads bytes at an offset until the buffer is full or the file ends.
pub(crate) fn read_at_most(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read_at(&mut buffer[length..], at + length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    Ok(length)
}

/// The device and number of a file.
pub(crate) fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// When the content of a file was last changed, in seconds and nanoseconds.
pub(crate) fn modified(file: &Metadata) -> (i64, i64) {
    (file.mtime(), file.mtime_nsec())
}

/// When the status of a file was last changed, in seconds and nanoseconds.
pub(crate) fn status_changed(file: &Metadata) -> (i64, i64) {
    (file.ctime(), file.ctime_nsec())
}
