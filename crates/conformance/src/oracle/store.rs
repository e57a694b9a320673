//! A store of made-up sessions: collected in memory, then written at once.
//!
//! Modification times are set explicitly, because both readers sort by them. The cases and
//! the generator decide the content of the sessions.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};

/// The approximate modification time of made-up sessions: 2026-09-21.
pub(super) const CHANGED: Duration = Duration::from_secs(1_790_000_000);

/// One transcript and the small files next to it.
#[derive(Debug)]
pub(super) struct Session {
    name: String,
    id: String,
    folder: String,
    bytes: Vec<u8>,
    beside: Vec<(String, String)>,
    changed: Duration,
}

impl Session {
    pub(super) fn id(&self) -> String {
        self.id.clone()
    }

    pub(super) fn with_id(&mut self, id: &str) -> &mut Self {
        id.clone_into(&mut self.id);
        self
    }

    pub(super) fn in_folder(&mut self, folder: &str) -> &mut Self {
        folder.clone_into(&mut self.folder);
        self
    }

    pub(super) fn changed(&mut self, time: Duration) -> &mut Self {
        self.changed = time;
        self
    }

    /// A file in the session's own folder.
    pub(super) fn beside(&mut self, name: &str, text: &str) -> &mut Self {
        self.beside.push((name.to_owned(), text.to_owned()));
        self
    }

    /// The transcript of a sub-agent.
    pub(super) fn agent(&mut self, id: &str, text: &str) -> &mut Self {
        self.beside(&format!("subagents/agent-{id}.jsonl"), text)
    }

    /// Leaves the last line without a newline, as after an interrupted write.
    pub(super) fn torn(&mut self) -> &mut Self {
        self.bytes.pop_if(|last| *last == b'\n');
        self
    }

    fn file_name(&self) -> String {
        format!("{}.jsonl", self.id)
    }

    fn write(&self, projects: &Path) -> Result<()> {
        let folder = projects.join(&self.folder);
        fs::create_dir_all(&folder)?;
        let mut file = File::create(folder.join(self.file_name()))?;
        file.write_all(&self.bytes)?;
        for (name, text) in &self.beside {
            let path = folder.join(&self.id).join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, text)?;
        }
        file.set_modified(SystemTime::UNIX_EPOCH + self.changed)?;
        Ok(())
    }
}

/// The sessions of one store, numbered in the order they were added.
#[derive(Debug, Default)]
pub(super) struct Store {
    sessions: Vec<Session>,
    /// The path of a link below `projects`, and its target.
    links: Vec<(String, String)>,
    /// Folders below the store, for files outside the projects.
    empty_folders: Vec<String>,
}

impl Store {
    /// Adds a session with these lines; each session is a second older than the one before.
    pub(super) fn add(&mut self, name: &str, lines: &[&dyn Display]) -> &mut Session {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        self.add_bytes(name, (lines.join("\n") + "\n").as_bytes())
    }

    pub(super) fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> &mut Session {
        let age = Duration::from_secs(self.sessions.len() as u64 + 1);
        let session = Session {
            name: name.to_owned(),
            id: self.next_id(),
            folder: "-p-q".to_owned(),
            bytes: bytes.to_owned(),
            beside: Vec::new(),
            changed: CHANGED.saturating_sub(age),
        };
        let place = self.sessions.len();
        self.sessions.push(session);
        &mut self.sessions[place]
    }

    /// The id that the next session will have.
    pub(super) fn next_id(&self) -> String {
        numbered_id(self.sessions.len() + 1)
    }

    pub(super) fn link(&mut self, place: &str, target: &str) {
        self.links.push((place.to_owned(), target.to_owned()));
    }

    pub(super) fn empty_folder(&mut self, place: &str) {
        self.empty_folders.push(place.to_owned());
    }

    /// The name of each session, for reports of differences.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        self.sessions.iter().map(|session| (session.id(), session.name.clone())).collect()
    }

    /// Writes the store, replacing that of an earlier run.
    pub(super) fn write(&self, root: &Path) -> Result<()> {
        match fs::remove_dir_all(root) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", root.display()));
            }
            _ => {}
        }
        let projects = root.join("projects");
        self.write_below(&projects)
            .with_context(|| format!("cannot write the made-up store {}", root.display()))
    }

    fn write_below(&self, projects: &Path) -> Result<()> {
        fs::create_dir_all(projects)?;
        for session in &self.sessions {
            session.write(projects)?;
        }
        for place in &self.empty_folders {
            fs::create_dir_all(projects.join(place))?;
        }
        for (place, target) in &self.links {
            symlink(target, projects.join(place))?;
        }
        Ok(())
    }
}

pub(super) fn numbered_id(number: usize) -> String {
    format!("{number:08x}-0000-4000-8000-{number:012x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_written_anew_with_its_times_and_small_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("store");
        fs::create_dir_all(root.join("projects/left-over")).expect("made");
        let mut store = Store::default();
        store.add("one", &[&"{}", &"torn"]).torn().beside("custom-title.json", "{}");
        store.write(&root).expect("written");

        let path = root.join("projects/-p-q").join(numbered_id(1));
        assert_eq!(fs::read(path.join("custom-title.json")).expect("read"), b"{}");
        let transcript = path.with_extension("jsonl");
        assert_eq!(fs::read(&transcript).expect("read"), b"{}\ntorn");
        let changed = fs::metadata(&transcript).and_then(|metadata| metadata.modified());
        let expected = SystemTime::UNIX_EPOCH + CHANGED - Duration::from_secs(1);
        assert_eq!(changed.expect("a time"), expected);
        assert!(!root.join("projects/left-over").exists());
    }
}
