//! A separate home for every test.

use jiff::Timestamp;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A temporary home with a store in it.
#[derive(Debug)]
pub struct Sandbox {
    /// Removes the folder at the end.
    _folder: tempfile::TempDir,
    /// Its real path: the temporary folder of macOS lies behind a link, and Claude Code and
    /// annals record paths without links.
    path: PathBuf,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox::new()
    }
}

impl Sandbox {
    /// An empty home with an empty store.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = fs::canonicalize(folder.path()).expect("a real path");
        let sandbox = Sandbox { _folder: folder, path };
        for folder in [sandbox.home(), sandbox.projects(), sandbox.annals_home()] {
            fs::create_dir_all(folder).expect("a folder");
        }
        sandbox
    }

    /// The temporary folder itself, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The `HOME` of this sandbox.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// The `CLAUDE_CONFIG_DIR` of this sandbox.
    pub fn config(&self) -> PathBuf {
        self.path().join("claude")
    }

    /// The store's `projects` folder.
    pub fn projects(&self) -> PathBuf {
        self.config().join("projects")
    }

    /// The `ANNALS_HOME` of this sandbox.
    pub fn annals_home(&self) -> PathBuf {
        self.path().join("annals")
    }

    /// Writes a file below the configuration folder.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.config().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// Writes a session with these lines into the project folder of a working
    /// directory.
    pub fn session<L: ToString>(
        &self,
        cwd: &str,
        id: &str,
        lines: impl IntoIterator<Item = L>,
    ) -> PathBuf {
        let lines: String = lines.into_iter().map(|line| line.to_string() + "\n").collect();
        self.write(&format!("projects/{}/{id}.jsonl", folder_name(cwd)), lines)
    }

    /// Writes the lines of a sub-agent below its session's folder. The name may
    /// contain folders: `workflows/wf_1/agent-a1`.
    pub fn agent<L: ToString>(
        &self,
        cwd: &str,
        session: &str,
        name: &str,
        lines: impl IntoIterator<Item = L>,
    ) -> PathBuf {
        let lines: String = lines.into_iter().map(|line| line.to_string() + "\n").collect();
        let folder = folder_name(cwd);
        self.write(&format!("projects/{folder}/{session}/subagents/{name}.jsonl"), lines)
    }

    /// Creates a folder below the configuration folder.
    pub fn folder(&self, path: &str) -> PathBuf {
        let path = self.config().join(path);
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    /// Creates a symbolic link below the configuration folder.
    pub fn link(&self, path: &str, target: &Path) -> PathBuf {
        let path = self.config().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::os::unix::fs::symlink(target, &path).expect("a link");
        path
    }

    /// Creates a pipe below the configuration folder: opening it normally would
    /// block forever.
    pub fn pipe(&self, path: &str) -> PathBuf {
        let path = self.config().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success(), "a pipe");
        path
    }

    /// Deletes a file.
    pub fn remove(&self, path: &Path) {
        fs::remove_file(path).expect("a file");
    }

    /// Deletes a folder and everything below it.
    pub fn remove_folder(&self, path: &Path) {
        fs::remove_dir_all(path).expect("a folder");
    }

    /// Appends bytes to a file.
    pub fn append(&self, path: &Path, bytes: impl AsRef<[u8]>) {
        let mut file = fs::OpenOptions::new().append(true).open(path).expect("a file");
        file.write_all(bytes.as_ref()).expect("room");
    }

    /// Sets a file's modification time, in seconds since the epoch.
    pub fn set_modified(&self, path: &Path, seconds: i64) {
        let time = Timestamp::from_second(seconds).expect("a time");
        let file = fs::File::open(path).expect("a file");
        file.set_modified(time.into()).expect("a modification time");
    }

    /// A command that sees only this home: its environment contains the three
    /// folders, a time zone and a fixed clock, and nothing else.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("CLAUDE_CONFIG_DIR", self.config())
            .env("ANNALS_HOME", self.annals_home())
            .env("TZ", "UTC")
            .env("ANNALS_NOW", "2026-02-01T12:00:00Z")
            .current_dir(self.home());
        // A test run that imitates another platform names what its commands have to see.
        let passed_on = std::env::var(PASSED_ON).unwrap_or_default();
        for name in passed_on.split_ascii_whitespace() {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
    }
}

/// The variable with the names of the variables that commands of a sandbox also get.
const PASSED_ON: &str = "ANNALS_TEST_PASSES_ON";

/// The name of the project folder for a working directory, computed without the
/// code under test.
fn folder_name(cwd: &str) -> String {
    let dashes = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => String::from(character),
        other => "-".repeat(other.len_utf16()),
    };
    let name: String = cwd.chars().map(dashes).collect();
    match name.get(..200) {
        Some(start) if name.len() > 200 => format!("{start}-{}", base_36_hash(cwd)),
        _ => name,
    }
}

/// What Claude Code adds to a folder name that it shortens.
fn base_36_hash(path: &str) -> String {
    let units = path.encode_utf16().map(i32::from);
    let hash = units.fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit));
    let mut rest = hash.unsigned_abs();
    let mut digits = String::new();
    while rest > 0 || digits.is_empty() {
        let digit = char::from_digit(rest % 36, 36).expect("a digit below 36");
        digits.insert(0, digit);
        rest /= 36;
    }
    digits
}

/// Every file below a folder with its bytes, mode and modification time: equal
/// before and after if nothing was written.
pub fn fingerprint(folder: &Path) -> Vec<String> {
    use std::os::unix::fs::MetadataExt as _;
    let mut lines = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("metadata");
            let bytes =
                if metadata.is_file() { fs::read(&path).expect("a file") } else { Vec::new() };
            lines.push(format!(
                "{} {:o} {}.{} {bytes:?}",
                path.display(),
                metadata.mode(),
                metadata.mtime(),
                metadata.mtime_nsec()
            ));
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    lines.sort();
    lines
}
