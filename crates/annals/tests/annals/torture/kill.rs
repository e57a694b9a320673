//! Syncs that are killed, run out of disk space or fail to write, while the store keeps
//! changing.

use crate::torture::run::{Ended, annals, archive_folder, is_root, kept, kept_of, printed, verify};
use crate::torture::streams::{Dice, stream};
use crate::torture::{report, rounds, skip};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use testkit::{Sandbox, session_id};

/// A file of the store: the beginning of a stream.
#[derive(Clone, Debug)]
struct Grown {
    path: PathBuf,
    stream: u64,
    length: usize,
}

/// A store whose files are beginnings of streams, with all streams that each file ever
/// contained.
struct Store {
    files: Vec<Grown>,
    been: BTreeMap<PathBuf, BTreeSet<u64>>,
    streams: u64,
    names: u32,
}

impl Store {
    fn new() -> Store {
        Store { files: Vec::new(), been: BTreeMap::new(), streams: 0, names: 0 }
    }

    /// A new stream for a file.
    fn stream(&mut self, path: &Path) -> u64 {
        self.streams += 1;
        self.been.entry(path.to_owned()).or_default().insert(self.streams);
        self.streams
    }

    /// Changes something. While a sync runs, files are replaced and not overwritten, so that
    /// it reads the old or the new content.
    fn change(&mut self, sandbox: &Sandbox, dice: &mut Dice, is_running: bool) {
        let size = if dice.one_in(8) { dice.below(3 << 20) } else { dice.below(40_000) };
        if self.files.len() < 8 || (self.files.len() < 40 && dice.one_in(4)) {
            self.names += 1;
            let name = format!("-p{}/{}.jsonl", self.names % 5, session_id(self.names));
            let path = sandbox.projects().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let number = self.stream(&path);
            fs::write(&path, stream(number, size)).unwrap();
            self.files.push(Grown { path, stream: number, length: size });
            return;
        }
        let place = dice.below(self.files.len());
        let mut file = self.files[place].clone();
        match dice.below(12) {
            0 => {
                fs::remove_file(&file.path).unwrap();
                self.files.remove(place);
                return;
            }
            1 => {
                file.length = dice.below(file.length + 1);
                let opened = OpenOptions::new().write(true).open(&file.path).unwrap();
                opened.set_len(file.length as u64).unwrap();
            }
            2 => {
                file.stream = self.stream(&file.path);
                file.length = if dice.one_in(2) { file.length } else { size };
                let bytes = stream(file.stream, file.length);
                if is_running {
                    let beside = file.path.with_extension("tmp");
                    fs::write(&beside, bytes).unwrap();
                    fs::rename(beside, &file.path).unwrap();
                } else {
                    fs::write(&file.path, bytes).unwrap();
                }
            }
            _ => {
                let bytes = stream(file.stream, file.length + size);
                let mut opened = OpenOptions::new().append(true).open(&file.path).unwrap();
                opened.write_all(&bytes[file.length..]).unwrap();
                file.length = bytes.len();
            }
        }
        self.files[place] = file;
    }
}

/// The versions reported as archived: how many bytes of which stream each has.
#[derive(Default)]
struct Promises {
    kept: BTreeMap<(String, u32), (u64, usize)>,
}

impl Promises {
    /// Adds the rows that a sync printed.
    fn take(&mut self, sandbox: &Sandbox, store: &Store, rows: &[u8], round: usize) {
        let whole = rows.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut reported: BTreeMap<(String, u32), (PathBuf, usize)> = BTreeMap::new();
        for line in rows[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let row: Value = serde_json::from_slice(line).unwrap();
            let path = PathBuf::from(row["path"].as_str().unwrap());
            let name = path.strip_prefix(sandbox.config()).unwrap().to_str().unwrap().to_owned();
            let number = u32::try_from(row["version"].as_u64().unwrap()).unwrap();
            let bytes = usize::try_from(row["bytes"].as_u64().unwrap()).unwrap();
            reported.insert((name, number), (path, bytes));
        }
        let kept =
            kept_of(&archive_folder(sandbox), |name| reported.keys().any(|key| key.0 == name));
        for (key, (path, bytes)) in reported {
            // Temporary files that later replace others.
            let Some(been) = store.been.get(&path) else { continue };
            let held = kept.get(&key).unwrap_or_else(|| panic!("round {round}: {key:?} is lost"));
            assert!(held.len() >= bytes, "round {round}: {key:?} has {} of {bytes}", held.len());
            let before = self.kept.get(&key).copied();
            let candidates: Vec<u64> = match before {
                // An empty version is the beginning of any stream.
                Some((number, length)) if length > 0 => vec![number],
                _ => been.iter().rev().copied().collect(),
            };
            let is = |number: &&u64| held.starts_with(&stream(**number, bytes));
            let number = candidates.iter().find(is);
            let number = number.unwrap_or_else(|| panic!("round {round}: {key:?} never was so"));
            let longest = before.map_or(bytes, |(_, length)| length.max(bytes));
            self.kept.insert(key, (*number, longest));
        }
    }

    /// Checks that everything ever reported is in the archive.
    fn hold(&self, sandbox: &Sandbox, round: usize) {
        let kept = kept(&archive_folder(sandbox));
        for (key, (number, length)) in &self.kept {
            let held = kept.get(key).unwrap_or_else(|| panic!("round {round}: {key:?} is lost"));
            let is_held = held.starts_with(&stream(*number, *length));
            assert!(is_held, "round {round}: {key:?} is not the {length} bytes it was");
        }
    }
}

/// How a sync is interrupted.
#[derive(Clone, Copy, Debug)]
enum Interruption {
    Killed(Duration),
    /// No file may grow beyond this many blocks.
    Limited(usize),
    Left,
}

/// Runs a sync that is interrupted while the store changes; returns its output.
fn sync(
    sandbox: &Sandbox,
    store: &mut Store,
    dice: &mut Dice,
    interruption: Interruption,
) -> Vec<u8> {
    let arguments = ["archive", "sync", "--jsonl"];
    let mut command = match interruption {
        Interruption::Limited(blocks) => {
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let mut command = sandbox.command("/bin/sh");
            command.args(["-c", &script, testkit::program!("annals")]).args(arguments);
            command
        }
        _ => annals(sandbox, &arguments),
    };
    // Some syncs find files that are long unchanged, others just written ones.
    let now = if dice.one_in(3) { "2030-01-01T00:00:00Z" } else { "2026-02-01T12:00:00Z" };
    command.env("ANNALS_NOW", now).stdin(Stdio::null());
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut err = child.stderr.take().unwrap();
    let (sender, ended) = channel();
    let reader = std::thread::spawn(move || {
        let mut rows = Vec::new();
        out.read_to_end(&mut rows).unwrap();
        let mut complaint = String::new();
        err.read_to_string(&mut complaint).unwrap();
        sender.send(()).unwrap();
        (rows, complaint)
    });
    let mut child = Ended(child);
    loop {
        if matches!(interruption, Interruption::Killed(after) if start.elapsed() >= after) {
            child.0.kill().unwrap();
        }
        if ended.recv_timeout(Duration::from_millis(2)).is_ok() {
            break;
        }
        if dice.one_in(4) {
            store.change(sandbox, dice, true);
        }
    }
    let status = child.0.wait().unwrap();
    let (rows, complaint) = reader.join().unwrap();
    match interruption {
        Interruption::Killed(_) => {
            assert!(status.code().is_none_or(|code| code == 0), "{complaint}");
        }
        Interruption::Limited(_) => {
            let is_reported = status.code() == Some(2) && complaint.contains("File too large");
            assert!(status.success() || is_reported, "{status}: {complaint}");
        }
        Interruption::Left => assert!(status.success(), "{status}: {complaint}"),
    }
    rows
}

#[test]
fn everything_reported_by_killed_and_failing_syncs_is_archived() {
    let (sandbox, mut store) = (Sandbox::new(), Store::new());
    let (mut dice, mut promises) = (Dice::new(1), Promises::default());
    let count = rounds(15);
    let mut longest = Duration::from_millis(200);
    let (mut row_count, start) = (0, Instant::now());
    for round in 0..count {
        for _ in 0..=dice.below(12) {
            store.change(&sandbox, &mut dice, false);
        }
        let interruption = match dice.below(6) {
            0 => Interruption::Left,
            1 => Interruption::Limited(1 + dice.below(4000)),
            _ => Interruption::Killed(
                longest.mul_f64(f64::from(u32::try_from(dice.below(120)).unwrap()) / 100.0),
            ),
        };
        let began = Instant::now();
        let rows = sync(&sandbox, &mut store, &mut dice, interruption);
        if matches!(interruption, Interruption::Left) {
            longest = began.elapsed();
        }
        row_count += rows.split(|byte| *byte == b'\n').count() - 1;
        if archive_folder(&sandbox).join("manifest.jsonl").exists() {
            verify(&sandbox);
            promises.take(&sandbox, &store, &rows, round);
        }
        if count < 30 || round % 10 == 0 {
            promises.hold(&sandbox, round);
        }
    }
    // In the end the archive has the current content of every file.
    let rows = sync(&sandbox, &mut store, &mut dice, Interruption::Left);
    promises.take(&sandbox, &store, &rows, count);
    let rows = annals(&sandbox, &["archive", "sync", "--jsonl"]).output().unwrap().stdout;
    promises.take(&sandbox, &store, &rows, count);
    promises.hold(&sandbox, count);
    verify(&sandbox);
    let kept = kept(&archive_folder(&sandbox));
    for file in &store.files {
        let name = file.path.strip_prefix(sandbox.config()).unwrap().to_str().unwrap();
        let newest = kept.iter().rfind(|((kept, _), _)| kept == name).unwrap().1;
        assert!(*newest == stream(file.stream, file.length), "{name}");
    }
    assert!(row_count > 0 && !promises.kept.is_empty(), "no sync reported anything");
    report(&format!(
        "killed: {count} syncs, {row_count} rows, {} versions reported, all archived ({:.1?})",
        promises.kept.len(),
        start.elapsed()
    ));
}

/// A small disk, unmounted on drop.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    pub(crate) fn mount(path: PathBuf) -> Option<SmallDisk> {
        fs::create_dir_all(&path).unwrap();
        let disk = SmallDisk(path);
        disk.call("mount", &["-t", "tmpfs", "-o", "size=6m,mode=0700", "none"]).then_some(disk)
    }

    /// Sets its size, and makes it writable.
    pub(crate) fn resize(&self, size: &str) {
        assert!(self.call("mount", &["-o", &format!("remount,rw,size={size}")]));
    }

    pub(crate) fn read_only(&self) {
        assert!(self.call("mount", &["-o", "remount,ro"]));
    }

    fn call(&self, program: &str, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        command.args(arguments).arg(&self.0).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.call("umount", &[]);
    }
}

#[test]
fn full_disk_loses_nothing_and_is_reported() {
    if crate::torture::long().is_none() {
        return;
    }
    let (sandbox, mut store) = (Sandbox::new(), Store::new());
    let disk = is_root().then(|| SmallDisk::mount(sandbox.annals_home())).flatten();
    let Some(disk) = disk else { return skip("a full disk: no root, or no mount") };
    let (mut dice, mut promises) = (Dice::new(2), Promises::default());
    let mut full = 0;
    for round in 0..40 {
        for _ in 0..=dice.below(12) {
            store.change(&sandbox, &mut dice, false);
        }
        let output = annals(&sandbox, &["archive", "sync", "--jsonl"]).output().unwrap();
        if !output.status.success() {
            full += 1;
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains("No space left"), "round {round}: {}", printed(&output));
        }
        promises.take(&sandbox, &store, &output.stdout, round);
        verify(&sandbox);
        promises.hold(&sandbox, round);
        if full > 0 && full % 5 == 0 {
            disk.resize(&format!("{}m", 6 + full));
        }
    }
    assert!(full > 5, "the disk was full {full} times");
    disk.resize("400m");
    let output = annals(&sandbox, &["archive", "sync", "--jsonl"]).output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    promises.take(&sandbox, &store, &output.stdout, 40);
    promises.hold(&sandbox, 40);
    verify(&sandbox);
    report(&format!("a full disk: {full} of 40 syncs had no room, nothing lost"));
}
