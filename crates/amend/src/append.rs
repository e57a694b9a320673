//! Appends one line to a transcript, as Claude Code does.
//!
//! A line is one write at the end of the file, so that lines of several writers
//! never mix. After an incomplete last line, a newline is written first: Claude
//! Code appends its line directly to the incomplete one, where parsers lose it.
//! No file is created, no link is followed, and only regular files are written.
//! Whether another process is writing the session is for the caller to check.

use rustix::fs::{CWD, Mode, OFlags, SeekFrom, ftruncate, openat, seek};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a line was not appended. The file is unchanged, unless the error says
/// otherwise.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// It is not a transcript that can be appended to.
    #[error("cannot append to {}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// A write failed.
    #[error("cannot write {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
}

/// How long a last line must stay without a newline to count as torn.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often the length is checked while the line grows.
const LOOKS: usize = 20;

/// Appends a line, given without its newline, to an existing, non-empty
/// transcript.
pub fn append_line(path: &Path, line: &str) -> Result<(), AppendError> {
    append_after(path, line, || std::thread::sleep(PATIENCE))
}

fn append_after(path: &Path, line: &str, wait: impl FnMut()) -> Result<(), AppendError> {
    let refused = |reason| AppendError::Refused { path: path.to_owned(), reason };
    let failed = |reason: io::Error| AppendError::Io { path: path.to_owned(), reason };
    if line.contains('\n') {
        return Err(refused("the text to append must be one line"));
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(refused("it is not a file"));
    };
    // Links do not count as project folders.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(CWD, parent, flags, Mode::empty()) {
        Ok(folder) => folder,
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(refused("its folder is a symbolic link")),
        Err(error) => return Err(failed(error.into())),
    };
    // Non-blocking: opening a pipe would wait for its other end.
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file = match openat(&folder, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(refused("it is a symbolic link")),
        Err(Errno::ISDIR | Errno::NXIO) => return Err(refused("it is not a regular file")),
        Err(error) => return Err(failed(error.into())),
    };
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(refused("it is not a regular file"));
    }
    if metadata.len() == 0 {
        return Err(refused("it is empty"));
    }
    let first = if is_torn(&file, wait).map_err(failed)? { "\n" } else { "" };
    write_whole(&file, format!("{first}{line}\n").as_bytes()).map_err(failed)
}

/// Whether the last line has no newline. A line that is being written lacks one
/// for a moment too, so the check repeats until the line no longer grows.
fn is_torn(file: &File, mut wait: impl FnMut()) -> io::Result<bool> {
    let mut seen = None;
    for _ in 0..LOOKS {
        let length = file.metadata()?.len();
        let Some(last) = length.checked_sub(1) else {
            return Ok(false);
        };
        let mut end = [0];
        file.read_exact_at(&mut end, last)?;
        if end == *b"\n" {
            return Ok(false);
        }
        if seen == Some(length) {
            return Ok(true);
        }
        seen = Some(length);
        wait();
    }
    Ok(true)
}

/// One write, completely or not at all.
fn write_whole(file: &File, bytes: &[u8]) -> io::Result<()> {
    let written = rustix::io::retry_on_intr(|| rustix::io::write(file, bytes))?;
    if written == bytes.len() {
        return Ok(());
    }
    // The disk is full. A partial line would corrupt the next one, so it is
    // removed, unless another process has written after it.
    let end = seek(file, SeekFrom::Current(0))?;
    let start = end.saturating_sub(written as u64);
    if file.metadata()?.len() == end {
        ftruncate(file, start)?;
        return Err(io::Error::new(
            io::ErrorKind::StorageFull,
            "the disk is full; nothing was written",
        ));
    }
    Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full; part of a line was written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use testkit::{Sandbox, fingerprint};

    #[test]
    fn a_line_is_appended_and_after_a_torn_one_on_its_own_line() {
        let sandbox = Sandbox::new();
        let table = [("{}\n", "{}\n{1}\n"), ("{}\n{\"ty", "{}\n{\"ty\n{1}\n"), ("\n", "\n{1}\n")];
        for (before, after) in table {
            let path = sandbox.write("projects/p/a.jsonl", before);
            append_line(&path, "{1}").expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), after);
        }
    }

    #[test]
    fn files_that_are_not_transcripts_are_refused_and_unchanged() {
        let sandbox = Sandbox::new();
        let real = sandbox.write("projects/p/real.jsonl", "{}\n");
        let empty = sandbox.write("projects/p/empty.jsonl", "");
        let link = sandbox.link("projects/p/link.jsonl", &real);
        sandbox.link("projects/q", real.parent().expect("a folder"));
        let through = sandbox.projects().join("q/real.jsonl");
        let folder = sandbox.folder("projects/p/folder.jsonl");
        let pipe = sandbox.pipe("projects/p/pipe.jsonl");
        let missing = sandbox.projects().join("p/missing.jsonl");
        let before = fingerprint(sandbox.path());
        let table = [
            (empty, "it is empty"),
            (link, "it is a symbolic link"),
            (through, "its folder is a symbolic link"),
            (folder, "not a regular file"),
            (pipe, "not a regular file"),
            (missing, "No such file"),
        ];
        for (path, reason) in table {
            let error = append_line(&path, "{1}").expect_err("refused").to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(append_line(&real, "{1}\n{2}").is_err(), "only one line may be appended");
        assert_eq!(fingerprint(sandbox.path()), before);
    }

    #[test]
    fn a_read_only_file_is_unchanged() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("projects/p/a.jsonl", "{}\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("a mode");
        if fs::OpenOptions::new().append(true).open(&path).is_ok() {
            // Directly to stderr, because the runner hides what passing tests
            // print.
            let _ = writeln!(io::stderr(), "skipped: permissions do not bind root");
            return;
        }
        let before = fingerprint(sandbox.path());
        let error = append_line(&path, "{1}").expect_err("refused").to_string();
        assert!(error.contains("cannot write") && error.contains("denied"), "{error}");
        assert_eq!(fingerprint(sandbox.path()), before);
    }

    #[test]
    fn lines_of_several_writers_stay_whole() {
        const WRITERS: usize = 8;
        const LINES: usize = 50;
        let sandbox = Sandbox::new();
        let path = sandbox.write("projects/p/a.jsonl", "{}\n");
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let path = &path;
                scope.spawn(move || {
                    let line = writer.to_string().repeat(5000);
                    for _ in 0..LINES {
                        append_line(path, &line).expect("written");
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).expect("read");
        for writer in 0..WRITERS {
            let line = writer.to_string().repeat(5000);
            assert_eq!(text.lines().filter(|own| *own == line).count(), LINES);
        }
        // A writer that pauses for long in the middle of a line costs one empty
        // line.
        let lines = text.lines().filter(|line| !line.is_empty());
        assert_eq!(lines.count(), WRITERS * LINES + 1);
    }

    #[test]
    fn a_line_that_is_being_written_is_not_torn() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("projects/p/a.jsonl", "{}\n");
        let mut pieces = ["\"a\"", ":1", "}\n"].into_iter();
        sandbox.append(&path, "{");
        append_after(&path, "{1}", || {
            sandbox.append(&path, pieces.next().expect("one look for each piece"));
        })
        .expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "{}\n{\"a\":1}\n{1}\n");
    }

    #[test]
    fn a_line_that_grows_forever_is_not_waited_for() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("projects/p/a.jsonl", "{");
        append_after(&path, "{1}", || sandbox.append(&path, " ")).expect("written");
        assert!(fs::read_to_string(&path).expect("read").ends_with(" \n{1}\n"));
    }

    #[test]
    fn a_link_above_the_project_folder_is_allowed() {
        let sandbox = Sandbox::new();
        let real = sandbox.write("projects/p/a.jsonl", "{}\n");
        symlink(sandbox.projects(), sandbox.path().join("elsewhere")).expect("a link");
        append_line(&sandbox.path().join("elsewhere/p/a.jsonl"), "{1}").expect("written");
        assert_eq!(fs::read_to_string(real).expect("read"), "{}\n{1}\n");
    }
}
