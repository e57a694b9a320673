//! Tests that run as a second process: SQLite's locks and a kill need one.
//!
//! The test program starts itself with the name of an ignored test. Run by hand, without input,
//! those tests end at once.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use apps::row_store::Limits;
use apps::row_store::opencode::Database;

use crate::row_store::place::{SCHEMA, add_session, connect};

/// A second process, killed when it is dropped.
pub(crate) struct Helper {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Helper {
    pub(crate) fn start(test: &str, paths: &[&Path]) -> Helper {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut helper = Helper { child, input, output };
        for path in paths {
            helper.send(path.to_str().unwrap());
        }
        helper.wait();
        helper
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Waits until the process says that it is ready.
    pub(crate) fn wait(&mut self) {
        let mut line = String::new();
        while self.output.read_line(&mut line).unwrap() > 0 {
            if line.contains("READY") {
                return;
            }
            line.clear();
        }
        panic!("the helper process ended");
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_line() -> Option<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).unwrap();
    let line = line.trim_end();
    (!line.is_empty()).then(|| line.to_owned())
}

#[test]
#[ignore = "a helper process of other tests"]
fn writes_a_database() {
    let Some(path) = read_line() else { return };
    let connection = connect(Path::new(&path));
    connection.execute_batch(SCHEMA).unwrap();
    add_session(&connection, "ses_1");
    println!("\nREADY");
    while let Some(sql) = read_line() {
        connection.execute_batch(&sql).unwrap();
        println!("\nREADY");
    }
}

#[test]
#[ignore = "a helper process of other tests"]
fn writes_all_the_time() {
    let Some(path) = read_line() else { return };
    let connection = connect(Path::new(&path));
    connection.execute_batch(SCHEMA).unwrap();
    // Checkpoints all the time, too.
    connection.pragma_update(None, "wal_autocheckpoint", 20).unwrap();
    add_session(&connection, "ses_0");
    println!("\nREADY");
    for number in 1..1_000_000 {
        add_session(&connection, &format!("ses_{number}"));
        if number % 50 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
}

#[test]
#[ignore = "a helper process of other tests"]
fn takes_a_snapshot() {
    let Some(database) = read_line() else { return };
    let private = PathBuf::from(read_line().unwrap());
    let taken = Database::take(Path::new(&database), &private, Limits::default()).unwrap();
    assert!(!taken.sessions().unwrap().is_empty());
    println!("\nREADY");
    read_line();
}
