//! The archive under torture: killed, crowded, damaged, fed lies, put on full
//! disks. What was told to be kept comes back, byte for byte. And the index, likewise:
//! it says what one made afresh would say, or why it cannot.
//!
//! Each test has a quick form, which runs with all others, and a long one:
//! `cargo xtask torture` sets `ANNALS_TORTURE` to how many rounds it takes. Where
//! a machine cannot do something (no root, no real transcripts), that is said on
//! stderr and passed by. How the archive does it is tested beside its crate.

#![expect(clippy::disallowed_methods, reason = "tests make and damage what they check")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod crowd;
mod damage;
mod import;
mod index;
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

/// How many rounds the long form takes, if that is what runs.
fn long() -> Option<usize> {
    std::env::var("ANNALS_TORTURE").ok()?.parse().ok()
}

/// How many rounds to take: few, or as many as were asked for.
fn rounds(quick: usize) -> usize {
    long().unwrap_or(quick)
}

/// Says what is not done here. Not through `println!`, which a passing test hides.
fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
}

/// Says a figure of the long form.
fn tell(text: &str) {
    if long().is_some() {
        let _ = writeln!(std::io::stderr(), "torture: {text}");
    }
}
