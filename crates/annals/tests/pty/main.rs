//! The terminal UI on a real terminal: a pty, and a parser for what it would show.

mod pick;
mod support;
mod tui;
