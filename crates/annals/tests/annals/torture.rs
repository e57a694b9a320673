//! Torture tests of the archive: killed and concurrent syncs, damage, hostile imports, full
//! disks. Everything that was reported as archived is restored byte for byte. And of the
//! index: it equals one built from scratch, or reports why it cannot.
//!
//! Each test has a quick form, which runs with all others, and a long one: `cargo xtask
//! torture` sets `ANNALS_TORTURE` to the number of rounds. If a machine lacks something
//! (root, real transcripts), the test prints SKIPPED on stderr. Deliberately not here: how
//! the archive works, which is tested in its crate.

mod crowd;
mod damage;
mod import;
mod index;
mod index_damage;
mod index_harm;
mod kill;
mod many;
mod moving_store;
mod odd;
mod restore;
mod run;
mod streams;
mod watch;

use std::io::Write as _;

/// The number of rounds of the long form; `None` in the quick form.
fn long() -> Option<usize> {
    std::env::var("ANNALS_TORTURE").ok()?.parse().ok()
}

/// The number of rounds: few, or as many as the long form asks for.
fn rounds(quick: usize) -> usize {
    long().unwrap_or(quick)
}

/// Prints why a test is skipped. Not with `println!`, which a passing test hides.
fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
}

/// Prints a figure of the long form.
fn report(text: &str) {
    if long().is_some() {
        let _ = writeln!(std::io::stderr(), "torture: {text}");
    }
}
