//! Records the summary line of a test runner while passing its output through.
//!
//! The steps after the tests print a lot, so the summary is repeated at the end of the
//! log. Deliberately not here: running the tests.

use std::io::{self, BufRead, Write};

/// The runners whose closing lines are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// One `Summary […]` line for the whole run.
    Nextest,
    /// One `test result:` line for each test binary.
    Libtest,
}

/// Copies every line from the runner to `target` and returns the closing
/// lines without colours.
pub(crate) fn pass_through(
    runner: Runner,
    mut source: impl BufRead,
    mut target: impl Write,
) -> io::Result<Vec<String>> {
    let mut closing = Vec::new();
    let mut line = Vec::new();
    while source.read_until(b'\n', &mut line)? > 0 {
        target.write_all(&line)?;
        target.flush()?;
        let plain = without_colours(&String::from_utf8_lossy(&line));
        let plain = plain.trim();
        match runner {
            Runner::Nextest if plain.starts_with("Summary [") => closing = vec![plain.to_owned()],
            Runner::Libtest if plain.starts_with("test result:") => closing.push(plain.to_owned()),
            Runner::Nextest | Runner::Libtest => {}
        }
        line.clear();
    }
    Ok(closing)
}

/// Drops the `ESC [ … letter` sequences that colour a line; runners print no
/// others.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = sequence.find(|c: char| ('@'..='~').contains(&c));
        rest = end.map_or("", |end| &sequence[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closing(runner: Runner, output: &str) -> Vec<String> {
        let mut copy = Vec::new();
        let lines = pass_through(runner, output.as_bytes(), &mut copy).expect("memory can be read");
        assert_eq!(copy, output.as_bytes(), "the output passes through unchanged");
        lines
    }

    #[test]
    fn nextest_summary_loses_its_colours() {
        let output = "\u{1b}[32;1m        PASS\u{1b}[0m x\n────────────\n\u{1b}[32;1m     Summary\u{1b}[0m [   0.005s] \u{1b}[1m3\u{1b}[0m tests run: \u{1b}[1m3\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m skipped\n";
        assert_eq!(
            closing(Runner::Nextest, output),
            ["Summary [   0.005s] 3 tests run: 3 passed, 0 skipped"]
        );
    }

    #[test]
    fn every_libtest_binary_has_its_line() {
        let output = "running 1 test\ntest result: ok. 1 passed; 0 failed\n\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed\n";
        assert_eq!(
            closing(Runner::Libtest, output),
            ["test result: ok. 1 passed; 0 failed", "test result: ok. 0 passed; 0 failed"]
        );
    }

    #[test]
    fn interrupted_run_has_no_closing_line() {
        assert!(closing(Runner::Nextest, "error: could not compile").is_empty());
    }
}
