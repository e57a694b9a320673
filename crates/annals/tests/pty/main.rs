//! The terminal UI on a real terminal: a pty, and a parser for what it would show.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary should stop")]

mod actions;
mod held_index;
mod live;
mod pick;
mod support;
mod tui;
mod widgets;
