//! The command line: what it answers, what it refuses, and that it changes nothing.
//!
//! In three groups: `commands` tests what each command answers,
//! `safety` what no command may do, and `support` holds what both use. Every test
//! runs in a separate home. How an answer is computed is deliberately not tested
//! here.

mod commands;
mod safety;
mod support;
