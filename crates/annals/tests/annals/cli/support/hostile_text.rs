//! Text that attacks a terminal, and the check that output does not contain it.

use crate::cli::support::run::{command, run};
use std::path::Path;
use testkit::Sandbox;

/// Clears the screen, sets the title, moves back, reverses text, hides text.
pub(crate) const EVIL: &str = "a\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{85}\u{90}\u{7f}\u{8}\u{202e}\u{2066}\u{200f}\u{61c}\u{e0041}\u{e007f}z";

/// Whether a character must never reach a terminal.
pub(crate) fn is_forbidden(character: char) -> bool {
    let bidi = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let tag = matches!(character, '\u{e0000}'..='\u{e007f}');
    (character.is_control() && character != '\n' && character != '\t') || bidi || tag
}

/// Runs a command and asserts that its output and errors contain no such characters.
pub(crate) fn assert_harmless(sandbox: &Sandbox, config: &Path, arguments: &[&str]) {
    let answer = run(command(sandbox, arguments).env("CLAUDE_CONFIG_DIR", config));
    assert!(matches!(answer.code, 0..=2), "{arguments:?}");
    assert!(std::str::from_utf8(&answer.bytes).is_ok(), "{arguments:?}");
    for (name, shown) in [("stdout", &answer.out), ("stderr", &answer.err)] {
        if let Some(at) = shown.find(is_forbidden) {
            let around: String =
                shown[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
            panic!(
                "{arguments:?} lets {:?} through to {name} after {around:?}",
                shown[at..].chars().next()
            );
        }
    }
}
