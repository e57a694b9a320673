//! What every surface answers with.
//!
//! A session put together for pages ([`pages`]) and for reading on a terminal
//! ([`reading`]). Both take an opened session and a selection of its turns, and both
//! place branches, orphaned segments and agents by the same rule.
//!
//! Deliberately not here: reading files, arguments, and where output goes.

pub mod pages;
pub mod reading;

/// How much of sub-agents is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentDetail {
    /// Their conversations, where they were started.
    Inline,
    /// A line each, where they were started.
    Fold,
    /// Nothing.
    None,
}
