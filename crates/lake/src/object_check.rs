//! Reading objects of other people in a separate process.
//!
//! Objects are hostile input. If the reader of Parquet files panics on one, which ends a
//! program that aborts on panics, only that process ends. The
//! object is refused, and the next one gets a new process. So nobody can keep a loader or an
//! administrator from working by what they push.
//!
//! How long a check takes is bounded by what is counted of an object: its bytes, those of its pages
//! without compression, and its rows (`segment_file`). A limit in time would let a
//! busy machine refuse an object that another one reads.

use crate::names::Table;
use crate::rows::Rows;
use crate::segment::{Entry, Format, FormatError, Piece};
use crate::segment_file::ParquetFormat;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// The argument with which the program answers checks.
pub const CHECK_OBJECTS: &str = "check-objects";
/// The longest line between the two processes.
const MAX_LINE: u64 = 64 << 10;
const ENDS: &str = "the reader of Parquet files cannot read it";

/// How much of an object is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckDepth {
    /// Its columns, and which rows it has.
    Entries,
    /// Also its rows.
    Rows,
}

/// What stands before the bytes of an object, on a line.
#[derive(Debug, Deserialize, Serialize)]
struct Header {
    table: String,
    depth: CheckDepth,
    bytes: u64,
}

/// Has objects read by a separate process.
#[derive(Debug)]
pub struct ObjectChecker {
    program: PathBuf,
    process: RefCell<Option<Process>>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ObjectChecker {
    /// A checker whose processes run this program. None is started yet.
    pub fn new(program: PathBuf) -> Self {
        ObjectChecker { program, process: RefCell::new(None) }
    }

    /// How many bytes the values of an object take without compression, or why it cannot be
    /// used. Fails if the process cannot be started.
    pub fn check(
        &self,
        table: Table,
        depth: CheckDepth,
        bytes: &[u8],
    ) -> io::Result<Result<u64, String>> {
        let known = self.process.borrow_mut().take();
        let mut process = match known {
            Some(process) => process,
            None => self.start()?,
        };
        let answer = process.ask(table, depth, bytes);
        // A process that ended is not asked again.
        if answer.is_some() {
            *self.process.borrow_mut() = Some(process);
        }
        Ok(answer.unwrap_or_else(|| Err(ENDS.to_owned())))
    }

    fn start(&self) -> io::Result<Process> {
        let mut command = Command::new(&self.program);
        command.arg(CHECK_OBJECTS).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a process without input or output"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(line)) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, input, answers })
    }
}

impl Process {
    /// The answer, or nothing if there is none.
    fn ask(
        &mut self,
        table: Table,
        depth: CheckDepth,
        bytes: &[u8],
    ) -> Option<Result<u64, String>> {
        let header = Header { table: table.as_str().to_owned(), depth, bytes: bytes.len() as u64 };
        let header = serde_json::to_string(&header).ok()?;
        writeln!(self.input, "{header}").ok()?;
        self.input.write_all(bytes).ok()?;
        self.input.flush().ok()?;
        let line = self.answers.recv().ok()?;
        serde_json::from_str(&line).ok()
    }
}

/// The next line without its end, or nothing behind the last.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    input.by_ref().take(MAX_LINE).read_line(&mut line)?;
    Ok((!line.is_empty()).then(|| line.trim_end().to_owned()))
}

/// Answers checks until there are no more. For the separate process.
pub fn answer_object_checks(input: impl io::Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    while let Some(line) = read_line(&mut input)? {
        let header: Header = serde_json::from_str(&line)?;
        let mut bytes = Vec::new();
        input.by_ref().take(header.bytes).read_to_end(&mut bytes)?;
        let table: Table = header.table.parse().map_err(io::Error::other)?;
        let checked = ParquetFormat::check(table, header.depth, &bytes);
        let answer = checked.map_err(|error| error.to_string());
        writeln!(output, "{}", serde_json::to_string(&answer)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Segments as Parquet files, each read in a separate process before it is read here.
#[derive(Debug)]
pub struct CheckedFormat {
    checker: ObjectChecker,
}

impl CheckedFormat {
    /// With this program as the separate process.
    pub fn new(program: PathBuf) -> Self {
        CheckedFormat { checker: ObjectChecker::new(program) }
    }

    fn check(&self, table: Table, depth: CheckDepth, bytes: &[u8]) -> Result<(), FormatError> {
        let refused = |reason| FormatError { table, reason };
        let checked = self.checker.check(table, depth, bytes);
        let checked = checked.map_err(|error| {
            refused(format!("cannot start {}: {error}", self.checker.program.display()))
        })?;
        checked.map(drop).map_err(refused)
    }
}

impl Format for CheckedFormat {
    type Rows = Rows;

    fn encode(&self, table: Table, pieces: &[Piece<Rows>]) -> Result<Vec<u8>, FormatError> {
        ParquetFormat.encode(table, pieces)
    }

    fn decode(&self, table: Table, bytes: &[u8]) -> Result<Vec<Piece<Rows>>, FormatError> {
        self.check(table, CheckDepth::Rows, bytes)?;
        ParquetFormat.decode(table, bytes)
    }

    fn entries(&self, table: Table, bytes: &[u8]) -> Result<Vec<Entry>, FormatError> {
        self.check(table, CheckDepth::Entries, bytes)?;
        ParquetFormat.entries(table, bytes)
    }

    fn sum_by_day(&self, calls: &[Rows], elsewhere: &[Rows]) -> Rows {
        ParquetFormat.sum_by_day(calls, elsewhere)
    }

    fn is_of_project(&self, piece: &Piece<Rows>, key: &str) -> bool {
        ParquetFormat.is_of_project(piece, key)
    }

    fn count(&self, rows: &Rows) -> u64 {
        ParquetFormat.count(rows)
    }

    fn size(&self, rows: &Rows) -> u64 {
        ParquetFormat.size(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_at_which_the_process_ends_is_refused() {
        // Programs that end without an answer, and one that answers something else.
        for program in ["false", "echo"] {
            let checker = ObjectChecker::new(program.into());
            for _ in 0..2 {
                let answer = checker.check(Table::Lines, CheckDepth::Entries, b"PAR1");
                assert_eq!(answer.unwrap(), Err(ENDS.to_owned()), "{program}");
            }
        }
        let checker = ObjectChecker::new("/nowhere/at/all".into());
        assert!(checker.check(Table::Lines, CheckDepth::Entries, b"PAR1").is_err());
    }

    #[test]
    fn several_objects_are_answered_in_order() {
        let bytes = ParquetFormat.encode(Table::Lines, &[]).unwrap();
        let header = |table: &str, bytes: &[u8]| {
            format!("{{\"table\":\"{table}\",\"depth\":\"rows\",\"bytes\":{}}}\n", bytes.len())
        };
        let input = [
            header("lines", &bytes).as_bytes(),
            &bytes,
            header("calls", b"none").as_bytes(),
            b"none",
            header("lines", &bytes).as_bytes(),
            &bytes,
        ]
        .concat();
        let mut output = Vec::new();
        answer_object_checks(&input[..], &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let answers: Vec<Result<u64, String>> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [Ok(0), Err(reason), Ok(0)] = &answers[..] else { panic!("{answers:?}") };
        assert!(reason.starts_with("not a segment of calls"), "{reason}");
    }
}
