//! The program from outside: its answers (`cli`), on a terminal (`pty`), its pages in a browser
//! (`browser`), and what becomes of its files under attack (`torture`).

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary should stop")]

mod browser;
mod cli;
mod pty;
mod torture;
