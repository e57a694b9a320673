//! The program from outside: what it answers, what it refuses, and that it
//! changes nothing.
//!
//! One test binary in three groups. `commands` tests what each command answers,
//! `safety` what no command may do, and `support` holds what both use. Every test
//! runs in a separate home. How an answer is computed is deliberately not tested
//! here.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary should stop")]

mod commands;
mod safety;
mod support;
