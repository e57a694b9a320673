//! The terminal UI on a real terminal: a pty, and a parser for what it would show.

mod actions;
mod held_index;
mod live;
mod pick;
mod support;
mod tui;
mod widgets;
