//! `log/hook.log`, below `ANNALS_HOME`: a line for every job, readable only by its
//! owner. It never contains text of a session.

#![expect(clippy::disallowed_methods, reason = "the log is annals' own")]

use super::spool::make_folder;
use jiff::Timestamp;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::Duration;

/// Beyond this size the log is rotated; there is one old log.
const LARGEST: u64 = 256 * 1024;

/// How often the log is opened: another process may rotate it each time.
const MOST_TRIES: usize = 16;

/// The most characters of an outcome in a line.
const LONGEST: usize = 300;

/// Appends a line with the outcome of a job.
pub(super) fn append(
    home: &Path,
    now: Timestamp,
    event: &str,
    session: &str,
    outcome: &str,
    took: Duration,
) {
    // A reason can quote a path, which can contain anything.
    let outcome = render::cut(&render::untrusted::line(outcome), Some(LONGEST));
    let line = format!("{now:.3} {event} {session} {} ms: {outcome}\n", took.as_millis());
    // A hook has nowhere to report that its log cannot be written.
    let _ = append_line(home, &line);
}

fn append_line(home: &Path, line: &str) -> io::Result<()> {
    let folder = home.join("log");
    make_folder(&folder)?;
    let path = folder.join("hook.log");
    for _ in 0..MOST_TRIES {
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
        // Only the process that holds the lock of the current log rotates it. If two
        // processes find it full, the second one uses the new log.
        file.lock()?;
        let open = file.metadata()?;
        let is_the_log = fs::symlink_metadata(&path)
            .is_ok_and(|it| (it.dev(), it.ino()) == (open.dev(), open.ino()));
        if !is_the_log {
            continue;
        }
        if open.mode() & 0o777 != 0o600 {
            // Another program created it or changed its mode. Without the right to change the
            // mode, the line is still written.
            let _ = file.set_permissions(Permissions::from_mode(0o600));
        }
        if open.len() > 0 && open.len() + line.len() as u64 > LARGEST {
            fs::rename(&path, folder.join("hook.log.1"))?;
            continue;
        }
        // One write, so that lines are never mixed.
        return file.write_all(line.as_bytes());
    }
    Err(io::Error::other("the log is rotated again and again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn one_of_many_writers_rotates_a_full_log() {
        const MANY: usize = 8;
        for _ in 0..40 {
            let home = tempfile::tempdir().unwrap();
            make_folder(&home.path().join("log")).unwrap();
            let full = "x".repeat(usize::try_from(LARGEST).unwrap());
            fs::write(home.path().join("log/hook.log"), &full).unwrap();
            let barrier = Barrier::new(MANY);
            std::thread::scope(|scope| {
                for _ in 0..MANY {
                    scope.spawn(|| {
                        barrier.wait();
                        let now = Timestamp::UNIX_EPOCH;
                        append(home.path(), now, "SessionEnd", "-", "archived", Duration::ZERO);
                    });
                }
            });
            let read = |name| fs::read_to_string(home.path().join("log").join(name)).unwrap();
            assert_eq!(read("hook.log").lines().count(), MANY);
            assert!(read("hook.log.1") == full);
        }
    }

    #[test]
    fn a_log_that_others_could_read_is_made_private() {
        let home = tempfile::tempdir().unwrap();
        make_folder(&home.path().join("log")).unwrap();
        let path = home.path().join("log/hook.log");
        for mode in [0o644, 0o666, 0o640] {
            fs::write(&path, "before\n").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            append(
                home.path(),
                Timestamp::UNIX_EPOCH,
                "SessionEnd",
                "-",
                "archived",
                Duration::ZERO,
            );
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("before\n") && text.ends_with(" archived\n"), "{text}");
        }
    }

    #[test]
    fn the_log_is_private_harmless_and_never_grows_beyond_two_files() {
        let home = tempfile::tempdir().unwrap();
        let outcome = format!("no \u{1b}[2J\nroom {}", "x".repeat(1000));
        for _ in 0..1_700 {
            append(home.path(), Timestamp::UNIX_EPOCH, "SessionEnd", "-", &outcome, Duration::ZERO);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(home.path().join("log")).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::metadata(&path).unwrap();
            assert!(metadata.len() <= LARGEST);
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.lines().all(|line| line.starts_with(
                r"1970-01-01T00:00:00.000Z SessionEnd - 0 ms: no \u{1b}[2J room xxx"
            )));
            names.push(path.file_name().unwrap().to_owned());
        }
        names.sort();
        assert_eq!(names, ["hook.log", "hook.log.1"]);
    }
}
