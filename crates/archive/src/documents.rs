//! Documents to archive that are not files: they are written into a private folder
//! for the time of a sync.

use jiff::Timestamp;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

/// A private folder of documents, deleted when it is dropped.
#[derive(Debug)]
pub struct Documents {
    folder: PathBuf,
}

impl Documents {
    /// Documents in a folder, which is created for the first of them. What an interrupted sync
    /// left there is deleted.
    pub fn new(folder: PathBuf) -> Documents {
        let documents = Documents { folder };
        documents.delete();
        documents
    }

    /// Writes a document and returns its path.
    pub fn write(&self, name: &str, bytes: &[u8], modified: Timestamp) -> io::Result<PathBuf> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let path = self.folder.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(bytes)?;
        file.set_modified(modified.into())?;
        Ok(path)
    }

    fn delete(&self) {
        // What cannot be deleted now is deleted by the next sync.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Documents {
    fn drop(&mut self) {
        self.delete();
    }
}
