//! The demo store, a small made-up one, so that `annals --demo COMMAND` has something to
//! show to a newcomer who does not use Claude Code.
//!
//! It covers the format: sub-agents of every version, forks, copies, rewinds,
//! compactions, plans, images, damage, hostile text and records of a future
//! version, each in a short session. The same time always gives the same bytes.
//! Nothing here reads a store, and no text in it comes from a real session.
//!
//! The modules for projects fill `files::Files`; only `disk` writes them.

mod configuration;
mod disk;
mod exchange;
mod files;
mod folder_collision;
mod identity;
mod ledger_project;
mod notes_project;
mod object;
mod state;
mod tidepool;
mod tools;
mod transcript;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use files::Files;
use jiff::Timestamp;
use tempfile::TempDir;

/// The home folder of the person in the made-up sessions.
pub const HOME: &str = "/home/ada";

/// The working directory of most made-up sessions.
pub const PROJECT: &str = identity::directory::TIDEPOOL;

/// The made-up store in a temporary folder, which is removed on drop.
#[derive(Debug)]
pub struct DemoStore {
    folder: TempDir,
    remover: Remover,
}

/// Removes the store before its end, for a process that a signal ends.
#[derive(Clone, Debug)]
pub struct Remover {
    folder: PathBuf,
    /// Held while the store is removed, so that the process does not end before.
    removal: Arc<Mutex<()>>,
}

impl Remover {
    /// Removes the store, whether it is complete or still being written.
    pub fn remove(&self) {
        let _held = self.removal.lock().unwrap_or_else(PoisonError::into_inner);
        disk::remove(&self.folder);
    }
}

impl Drop for DemoStore {
    /// Also waits for a removal that has begun.
    fn drop(&mut self) {
        self.remover.remove();
    }
}

/// Why the made-up store could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The temporary folder could not be created.
    #[error("cannot make a folder for the demo store")]
    Folder(#[source] io::Error),
    /// A file in it could not be written.
    #[error("cannot write the demo store")]
    Write(#[source] io::Error),
}

impl DemoStore {
    /// Writes the store into a new temporary folder. All times in it are
    /// relative to `now`. `begun` gets what removes the folder, before anything is written, so
    /// that a signal cannot leave a part of the store behind.
    pub fn create<E: From<DemoError>>(
        now: Timestamp,
        begun: impl FnOnce(Remover) -> Result<(), E>,
    ) -> Result<DemoStore, E> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("annals-demo-");
        // It may hold an index and an archive, which are private everywhere else too.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir().map_err(DemoError::Folder)?;
        let remover = Remover { folder: folder.path().to_owned(), removal: Arc::default() };
        let store = DemoStore { folder, remover };
        begun(store.remover.clone())?;
        disk::write(store.path(), &made_up_files(now)).map_err(DemoError::Write)?;
        Ok(store)
    }

    /// An example of what Claude Code tells a status line about the latest session.
    pub fn status_input(&self) -> String {
        let folder = identity::project_folder(PROJECT);
        let transcript = format!("projects/{folder}/{}.jsonl", identity::session::LOGIN);
        serde_json::json!({
            "session_id": identity::session::LOGIN,
            "transcript_path": self.path().join(transcript),
            "workspace": { "current_dir": PROJECT },
            "version": "2.1.325",
            "model": { "id": identity::model::OPUS, "display_name": "Opus 5.5" },
            "cost": { "total_cost_usd": 0.42 },
            "context_window": { "context_window_size": 1_000_000, "used_percentage": 38 },
        })
        .to_string()
    }

    /// The configuration folder, in place of `~/.claude`.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn made_up_files(now: Timestamp) -> Files {
    let mut files = Files::default();
    tidepool::add_sessions(&mut files, now);
    notes_project::add_sessions(&mut files, now);
    ledger_project::add_sessions(&mut files, now);
    folder_collision::add_sessions(&mut files, now);
    // Last, because the history contains every prompt typed above.
    configuration::add_files(&mut files, now);
    files
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use jiff::Timestamp;
    use serde_json::Value;

    use super::files::{File, Files, minutes_before};
    use super::identity::session;
    use super::made_up_files;

    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn session_file<'a>(files: &'a Files, id: &str) -> Vec<&'a File> {
        let name = format!("/{id}.jsonl");
        files
            .iter()
            .filter(|file| file.path.starts_with("projects/") && file.path.ends_with(&name))
            .collect()
    }

    #[test]
    fn the_same_moment_gives_the_same_store() {
        let (first, second) = (made_up_files(NOW), made_up_files(NOW));
        assert_eq!(first.iter().count(), second.iter().count());
        for (one, other) in first.iter().zip(second.iter()) {
            assert_eq!(one.path, other.path);
            assert_eq!(one.modified, other.modified);
            assert!(one.bytes == other.bytes, "{} differs", one.path);
        }
    }

    #[test]
    fn the_store_is_small_and_every_path_is_there_once() {
        let files = made_up_files(NOW);
        let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), files.iter().count());
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        assert!(bytes < 200_000, "{bytes} bytes");
    }

    #[test]
    fn only_the_damaged_session_has_lines_that_do_not_parse() {
        let files = made_up_files(NOW);
        let lines_of =
            |file: &&File| Path::new(&file.path).extension().is_some_and(|end| end == "jsonl");
        for file in files.iter().filter(lines_of) {
            let broken = file
                .bytes
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.is_empty() && serde_json::from_slice::<Value>(line).is_err())
                .count();
            let expected = if file.path.contains(session::ROUNDING) { 4 } else { 0 };
            assert_eq!(broken, expected, "{}", file.path);
        }
    }

    #[test]
    fn lines_begin_as_the_app_writes_them() {
        for file in made_up_files(NOW).iter().filter(|file| file.path.starts_with("projects/")) {
            let Ok(text) = std::str::from_utf8(&file.bytes) else { continue };
            for line in text.lines().filter(|line| line.contains("\"parentUuid\":")) {
                let line = line.trim_start_matches('\0');
                let begins = ["{\"parentUuid\":", "{\"type\":"];
                assert!(begins.iter().any(|begin| line.starts_with(begin)), "{}", file.path);
            }
        }
    }

    #[test]
    fn nothing_is_newer_than_the_login_session() {
        let files = made_up_files(NOW);
        let newest = session_file(&files, session::LOGIN);
        assert_eq!(newest.len(), 1);
        for file in &newest {
            assert!(file.modified > minutes_before(NOW, 22), "{}", file.modified);
            assert!(file.modified < minutes_before(NOW, 18), "{}", file.modified);
            assert!(files.iter().all(|other| other.modified <= file.modified));
        }
    }

    #[test]
    fn the_moved_session_lies_in_two_folders_and_the_worktree_has_the_newer() {
        let files = made_up_files(NOW);
        let mut copies = session_file(&files, session::PASSKEYS);
        copies.sort_by_key(|file| file.modified);
        let folders: Vec<&str> =
            copies.iter().filter_map(|file| file.path.split('/').nth(1)).collect();
        assert_eq!(folders, ["-home-ada-tidepool", "-home-ada-tidepool-worktrees-login"]);
        let bytes: Vec<&[u8]> = copies.iter().map(|file| file.bytes.as_slice()).collect();
        assert!(matches!(bytes[..], [older, newer] if newer.starts_with(older)));
    }
}
