//! Damage to the index that keeps every stamp, as a failing disk makes it.

use std::fs::{self, Metadata, OpenOptions};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

/// Changes bytes of the index in a data folder in place (`change` gets the old ones), and
/// writes its seal as if the stamps had stayed: programs cannot set the time of the last
/// status change.
pub fn damage_index_silently(home: &Path, at: u64, length: usize, change: impl Fn(&mut [u8])) {
    let file =
        OpenOptions::new().read(true).write(true).open(home.join("index.db")).expect("an index");
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at).expect("the bytes to damage");
    change(&mut bytes);
    file.write_all_at(&bytes, at).expect("damaged bytes");
    let seal = fs::read_to_string(home.join("index.db.seal")).expect("a seal");
    let stamp = |found: &Metadata| {
        let (modified, changed) =
            ((found.mtime(), found.mtime_nsec()), (found.ctime(), found.ctime_nsec()));
        let (size, device, inode) = (found.len(), found.dev(), found.ino());
        format!("{size} {device} {inode} {}.{} {}.{}", modified.0, modified.1, changed.0, changed.1)
    };
    let mut lines: Vec<String> = seal.lines().map(str::to_owned).collect();
    lines[1] = stamp(&file.metadata().expect("the metadata of the index"));
    fs::write(home.join("index.db.seal"), lines.join("\n") + "\n").expect("a new seal");
}
