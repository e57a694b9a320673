//! Runs the binary, and reads the archive without it.

use archive::Archive;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::Sandbox;

/// The binary with arguments, in a sandbox.
pub(crate) fn annals(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.command(testkit::program!("annals"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The output of a run, for assertion messages.
pub(crate) fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(2000).collect::<String>();
    format!("{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// A run that must succeed.
pub(crate) fn done(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let output = annals(sandbox, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", printed(&output));
    output
}

/// The document of a run, however it ended.
pub(crate) fn document(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = annals(sandbox, arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?}: {error}: {}", printed(&output));
    })
}

/// Checks every byte of the archive.
pub(crate) fn verify(sandbox: &Sandbox) {
    let output = annals(sandbox, &["archive", "verify", "--deep"]).output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
}

pub(crate) fn archive_folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.annals_home().join("archive")
}

/// Every version of every archived file, by name and number.
pub(crate) fn kept(folder: &Path) -> BTreeMap<(String, u32), Vec<u8>> {
    kept_of(folder, |_| true)
}

/// The same for selected files.
pub(crate) fn kept_of(
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> BTreeMap<(String, u32), Vec<u8>> {
    let Ok(archive) = Archive::open(folder) else { return BTreeMap::new() };
    let archive = Arc::new(archive);
    let state = archive.state();
    let mut kept = BTreeMap::new();
    for (key, generations) in state.files().filter(|(key, _)| wanted(key.1.as_str())) {
        for generation in generations {
            let mut bytes = Vec::new();
            archive.read(generation).read_to_end(&mut bytes).unwrap();
            kept.insert((key.1.to_string(), generation.number), bytes);
        }
    }
    kept
}

/// The result of a measured run.
pub(crate) struct Measured {
    pub(crate) output: Output,
    /// The largest memory use observed, in bytes.
    pub(crate) memory: u64,
    pub(crate) took: Duration,
}

/// Runs a command and samples its memory use. Its output must be short.
pub(crate) fn measure(mut command: Command) -> Measured {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let collect = |mut from: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            bytes
        })
    };
    let (out, err) = (collect(Box::new(out)), collect(Box::new(err)));
    let mut memory = 0;
    let status = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        memory = memory.max(kibibytes.unwrap_or_default() * 1024);
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let (stdout, stderr) = (out.join().unwrap(), err.join().unwrap());
    Measured { output: Output { status, stdout, stderr }, memory, took: start.elapsed() }
}

/// A child process that is killed on drop.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether this runs as root.
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// The real transcripts next to the repository.
pub(crate) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if path.is_dir() {
        return Some(path.canonicalize().unwrap());
    }
    crate::torture::skip(&format!("no real transcripts at {}", path.display()));
    None
}

/// Every file below a folder, by its path from there.
pub(crate) fn files_below(folder: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), path);
            }
        }
    }
    files
}
