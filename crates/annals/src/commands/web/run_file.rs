//! The files of servers in annals' data folder: the base path, which lasts, and one file for
//! each server that runs.
//!
//! They let scripts and a second `annals web` in, so only their owner can read them.
//! Deliberately not here: whether a server still runs (`bearer_client`).

#![expect(clippy::disallowed_methods, reason = "removes its own file below ANNALS_HOME")]

use crate::whole_file;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use web::{BasePath, Secret};

/// The folder in annals' data folder.
const FOLDER: &str = "web";

/// The file of the base path.
const BASE: &str = "path";

/// A running server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunFile {
    pub(super) pid: u32,
    pub(super) port: u16,
    /// The address of the app.
    pub(super) address: String,
    /// The bearer token.
    pub(super) token: String,
    /// What it serves.
    pub(super) serves: Served,
}

impl RunFile {
    /// Whether its process exists.
    pub(super) fn may_run(&self) -> bool {
        let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
        pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
    }
}

/// What a server serves. Servers with equal ones answer the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) version: String,
    pub(super) roots: Vec<PathBuf>,
    pub(super) filters: Vec<(String, String)>,
    /// Other options that change answers.
    pub(super) options: Vec<String>,
    pub(super) demo: bool,
    pub(super) reveal: bool,
    pub(super) read_only: bool,
}

/// The base path of this installation, created on first use.
pub(super) fn base_path(home: &Path) -> anyhow::Result<BasePath> {
    let path = home.join(FOLDER).join(BASE);
    let read = || {
        let text = std::fs::read_to_string(&path).ok()?;
        BasePath::parse(text.trim())
    };
    if let Some(base) = read() {
        return Ok(base);
    }
    create_folder(home)?;
    let base = BasePath::random().context("cannot get random numbers from the system")?;
    let is_damaged = path.exists();
    // If two processes create it at the same time, the first wins.
    let written = whole_file::write(&path, base.digits().as_bytes(), is_damaged);
    read().map_or_else(|| written.map(|()| base), Ok)
}

/// The servers that left a file, and may still run.
pub(super) fn all(home: &Path) -> Vec<RunFile> {
    let Ok(entries) = std::fs::read_dir(home.join(FOLDER)) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut files: Vec<RunFile> =
        paths.filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect();
    files.sort_by_key(|file| file.port);
    files
}

/// The file of a server that runs. Dropping it removes the file.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    /// Writes the file.
    pub(super) fn new(home: &Path, file: &RunFile) -> anyhow::Result<Registered> {
        create_folder(home)?;
        let path = home.join(FOLDER).join(format!("{}.json", file.port));
        let text = serde_json::to_string_pretty(file)? + "\n";
        // A server that was killed leaves its file; its port is ours now.
        whole_file::write(&path, text.as_bytes(), true)?;
        Ok(Registered(path))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // Without it, the next start finds that nobody answers.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl RunFile {
    /// The token, if it is one.
    pub(super) fn token(&self) -> Option<Secret> {
        Secret::parse(&self.token)
    }
}

fn create_folder(home: &Path) -> anyhow::Result<()> {
    let folder = home.join(FOLDER);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use testkit::Sandbox;

    fn file(port: u16) -> RunFile {
        RunFile {
            pid: 1,
            port,
            address: String::new(),
            token: "0".repeat(64),
            serves: Served {
                version: "1".to_owned(),
                roots: vec!["/r".into()],
                filters: Vec::new(),
                options: Vec::new(),
                demo: false,
                reveal: false,
                read_only: false,
            },
        }
    }

    #[test]
    fn the_base_path_lasts_and_is_private() {
        let sandbox = Sandbox::new();
        let home = sandbox.annals_home();
        let base = base_path(&home).unwrap();
        assert_eq!(base_path(&home).unwrap(), base);
        let path = home.join(FOLDER).join(BASE);
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        std::fs::write(&path, "damaged").unwrap();
        let new = base_path(&home).unwrap();
        assert_ne!(new, base);
        assert_eq!(base_path(&home).unwrap(), new);
    }

    #[test]
    fn a_server_is_registered_while_it_runs() {
        let sandbox = Sandbox::new();
        let home = sandbox.annals_home();
        assert_eq!(all(&home), []);
        let registered = Registered::new(&home, &file(7)).unwrap();
        let again = Registered::new(&home, &file(7)).unwrap();
        assert_eq!(all(&home), [file(7)]);
        let mode = std::fs::metadata(home.join("web/7.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        sandbox.write("../annals/web/8.json", "damaged");
        assert_eq!(all(&home), [file(7)]);
        drop((registered, again));
        assert_eq!(all(&home), []);
    }
}
