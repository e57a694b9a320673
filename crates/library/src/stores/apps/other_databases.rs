//! SQLite files in the folder of an app that has no database under a name that annals knows: a
//! later version of the app may have given it another one.
//!
//! Read are the names in the folder and in the folders in it, and of files `*.db` the 16 bytes
//! with which every SQLite database begins. Deliberately not here: opening them.

use crate::stores::apps::app_files::read_folder;
use crate::stores::apps::provider::Found;
use crate::stores::apps::unread::UnreadScope;
use std::fs::DirEntry;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How every SQLite database begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How many are named.
const MOST_NAMED: usize = 5;

/// Notes the SQLite files in a folder and one folder deeper. Links are not followed.
pub(super) fn note_other_databases(home: &Path, found: &mut Found) {
    let folders = entries(home).into_iter().filter(|entry| is(entry, std::fs::FileType::is_dir));
    let folders = [home.to_owned()].into_iter().chain(folders.map(|entry| entry.path()));
    let files = folders.flat_map(|folder| entries(&folder));
    let files = files.filter(|entry| is(entry, std::fs::FileType::is_file));
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "db"));
    paths.sort();
    for path in paths.iter().filter(|path| is_database(path)).take(MOST_NAMED) {
        let reason = "a SQLite database that this version of annals does not know";
        found.note(UnreadScope::Store, path, &reason);
    }
}

/// What is in a folder. Other folders than those of sessions need not be readable.
fn entries(folder: &Path) -> Vec<DirEntry> {
    read_folder(folder, &mut Found::default())
}

fn is(entry: &DirEntry, kind: fn(&std::fs::FileType) -> bool) -> bool {
    entry.file_type().is_ok_and(|own| kind(&own))
}

fn is_database(path: &Path) -> bool {
    let mut beginning = [0; MAGIC.len()];
    let read = store::open_regular(path).and_then(|(mut file, _)| file.read_exact(&mut beginning));
    read.is_ok() && beginning == *MAGIC
}
