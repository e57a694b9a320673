//! The tests of this crate from outside, one module a subject.

#![expect(clippy::print_stdout, reason = "the figures are for a person to read")]

mod chosen_passwords;
mod corpus;
mod marked_lines;
mod more_forms;
mod planted;
mod properties;
mod siblings;
mod unseen_forms;
