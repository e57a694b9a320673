//! `log/hook.log`, below `ANNALS_HOME`: a line for every job, readable by its owner
//! alone. No text of a session ever stands in it.

#![expect(clippy::disallowed_methods, reason = "the log is annals' own")]

use super::spool::make_folder;
use jiff::Timestamp;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

/// Beyond this the log is put aside; the one that was put aside before goes.
const LARGEST: u64 = 256 * 1024;

/// What a line says at most of what came of it.
const LONGEST: usize = 300;

/// Notes what came of a job.
pub(super) fn note(
    home: &Path,
    now: Timestamp,
    event: &str,
    session: &str,
    outcome: &str,
    took: Duration,
) {
    // A reason can quote a path, and that can hold anything.
    let outcome = render::cut(&render::untrusted::line(outcome), Some(LONGEST));
    let line = format!("{now:.3} {event} {session} {} ms: {outcome}\n", took.as_millis());
    // There is nobody to tell that it could not be written.
    let _ = append(home, &line);
}

fn append(home: &Path, line: &str) -> io::Result<()> {
    let folder = home.join("log");
    make_folder(&folder)?;
    let path = folder.join("hook.log");
    if fs::symlink_metadata(&path).is_ok_and(|it| it.len() + line.len() as u64 > LARGEST) {
        fs::rename(&path, folder.join("hook.log.1"))?;
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
    // One write, so that lines of several processes stay whole.
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_log_is_private_harmless_and_never_grows_beyond_two_files() {
        let home = tempfile::tempdir().unwrap();
        let outcome = format!("no \u{1b}[31m\nroom {}", "x".repeat(1000));
        for _ in 0..1_700 {
            note(home.path(), Timestamp::UNIX_EPOCH, "SessionEnd", "-", &outcome, Duration::ZERO);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(home.path().join("log")).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::metadata(&path).unwrap();
            assert!(metadata.len() <= LARGEST);
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.lines().all(|line| line.starts_with(
                r"1970-01-01T00:00:00.000Z SessionEnd - 0 ms: no \u{1b}[31m room xxx"
            )));
            names.push(path.file_name().unwrap().to_owned());
        }
        names.sort();
        assert_eq!(names, ["hook.log", "hook.log.1"]);
    }
}
