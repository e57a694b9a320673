//! The table of calls covers the program: no command is missing from it, and no row
//! is about a command that does not exist.

use crate::cli::support::exercise_table::EXERCISES;
use crate::cli::support::exercises::program_commands;
use std::collections::BTreeSet;

#[test]
fn every_command_has_a_row() {
    let commands = program_commands();
    assert!(commands.iter().any(|command| command == "archive sync"), "{commands:?}");
    let rows: BTreeSet<&str> = EXERCISES.iter().map(|row| row.command).collect();
    let missing: Vec<_> = commands.iter().filter(|it| !rows.contains(it.as_str())).collect();
    assert!(
        missing.is_empty(),
        "add a row for {missing:?} to tests/annals/cli/support/exercise_table.rs"
    );
}

#[test]
fn every_row_is_a_command_with_calls() {
    let commands = program_commands();
    let mut seen = BTreeSet::new();
    for row in EXERCISES {
        assert!(seen.insert(row.command), "{:?} has two rows", row.command);
        let is_known = row.command.is_empty() || commands.iter().any(|it| it == row.command);
        assert!(is_known, "there is no command {:?}", row.command);
        assert!(row.calls().next().is_some(), "{:?} has no calls", row.command);
    }
}

#[test]
fn every_call_begins_with_its_command() {
    for row in EXERCISES {
        let words: Vec<&str> = row.command.split_whitespace().collect();
        for call in row.calls() {
            assert!(call.starts_with(&words), "{call:?} is not a call of {:?}", row.command);
        }
    }
}
