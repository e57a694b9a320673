//! Adding one line to a transcript, as the official tool does.
//!
//! A line is one write at the end of the file, so that lines of several writers
//! never mix. After a torn last line comes a newline first: the official tool
//! glues its line there, and loses it to readers that parse. No file is made, no
//! link is followed, and nothing but a regular file is written. Whether somebody
//! else is writing the session is for the caller to know.

use rustix::fs::{CWD, Mode, OFlags, SeekFrom, ftruncate, openat, seek};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a line was not added. The file is as it was, unless it says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// It is no transcript that can be added to.
    #[error("{} is not written: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: &'static str,
    },
    /// It failed.
    #[error("cannot write {}: {reason}", path.display())]
    Io {
        /// On this file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// How long a last line without an end must stay so to count as torn.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often it is looked at again while it grows.
const LOOKS: usize = 20;

/// Adds a line, without its end, to a transcript that is there and not empty.
pub fn append_line(path: &Path, line: &str) -> Result<(), AppendError> {
    append_after(path, line, || std::thread::sleep(PATIENCE))
}

fn append_after(path: &Path, line: &str, wait: impl FnMut()) -> Result<(), AppendError> {
    let refused = |reason| AppendError::Refused { path: path.to_owned(), reason };
    let failed = |reason: io::Error| AppendError::Io { path: path.to_owned(), reason };
    if line.contains('\n') {
        return Err(refused("what is added must be one line"));
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(refused("it is no file"));
    };
    // Project folders that are links are no project folders.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(CWD, parent, flags, Mode::empty()) {
        Ok(folder) => folder,
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(refused("its folder is a link")),
        Err(error) => return Err(failed(error.into())),
    };
    // Without waiting: opening a pipe would wait for its other end.
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file = match openat(&folder, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(refused("it is a link")),
        Err(Errno::ISDIR | Errno::NXIO) => return Err(refused("it is no regular file")),
        Err(error) => return Err(failed(error.into())),
    };
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(refused("it is no regular file"));
    }
    if metadata.len() == 0 {
        return Err(refused("it is empty, and no session"));
    }
    let first = if is_torn(&file, wait).map_err(failed)? { "\n" } else { "" };
    write_whole(&file, format!("{first}{line}\n").as_bytes()).map_err(failed)
}

/// Whether the last line has no end. One that somebody is just writing has none
/// for a moment either, so it is looked at again until it no longer grows.
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

/// One write, all of it or nothing.
fn write_whole(file: &File, bytes: &[u8]) -> io::Result<()> {
    let written = rustix::io::retry_on_intr(|| rustix::io::write(file, bytes))?;
    if written == bytes.len() {
        return Ok(());
    }
    // The disk is full. Half a line would swallow the next one, so it is taken
    // back, if nobody has written behind it.
    let end = seek(file, SeekFrom::Current(0))?;
    let start = end.saturating_sub(written as u64);
    if file.metadata()?.len() == end {
        ftruncate(file, start)?;
        return Err(io::Error::new(
            io::ErrorKind::StorageFull,
            "there is no room; it is as it was",
        ));
    }
    Err(io::Error::new(io::ErrorKind::StorageFull, "there is no room; half a line was written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use testkit::{Sandbox, fingerprint};

    #[test]
    fn a_line_goes_to_the_end_and_behind_a_torn_one_on_its_own() {
        let sandbox = Sandbox::new();
        let table = [("{}\n", "{}\n{1}\n"), ("{}\n{\"ty", "{}\n{\"ty\n{1}\n"), ("\n", "\n{1}\n")];
        for (before, after) in table {
            let path = sandbox.write("projects/p/a.jsonl", before);
            append_line(&path, "{1}").expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), after);
        }
    }

    #[test]
    fn what_is_no_transcript_is_refused_and_left_as_it_was() {
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
            (link, "it is a link"),
            (through, "its folder is a link"),
            (folder, "no regular file"),
            (pipe, "no regular file"),
            (missing, "No such file"),
        ];
        for (path, reason) in table {
            let error = append_line(&path, "{1}").expect_err("refused").to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(append_line(&real, "{1}\n{2}").is_err(), "two lines are not one");
        assert_eq!(fingerprint(sandbox.path()), before);
    }

    #[test]
    fn a_file_that_may_only_be_read_is_left_as_it_was() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("projects/p/a.jsonl", "{}\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("a mode");
        if fs::OpenOptions::new().append(true).open(&path).is_ok() {
            // Past the test runner, which keeps what passing tests print.
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
        // A writer that is held up for long in the middle of a line costs an
        // empty one, and no more.
        let lines = text.lines().filter(|line| !line.is_empty());
        assert_eq!(lines.count(), WRITERS * LINES + 1);
    }

    #[test]
    fn a_line_that_somebody_is_writing_is_not_torn() {
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
    fn a_link_to_a_folder_above_the_project_is_the_persons_own_arrangement() {
        let sandbox = Sandbox::new();
        let real = sandbox.write("projects/p/a.jsonl", "{}\n");
        symlink(sandbox.projects(), sandbox.path().join("elsewhere")).expect("a link");
        append_line(&sandbox.path().join("elsewhere/p/a.jsonl"), "{1}").expect("written");
        assert_eq!(fs::read_to_string(real).expect("read"), "{}\n{1}\n");
    }
}
