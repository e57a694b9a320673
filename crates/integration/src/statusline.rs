//! `annals statusline`: one line for Claude Code's status line.
//!
//! Claude Code waits for it after every message, so it uses only its input, what
//! the index has committed, and the end of one transcript. A value that is unknown
//! is left out, and there is always a line.

mod chained_command;
mod input;
mod template;
mod values;

pub use chained_command::ChainedCommand;
pub use input::StatusInput;
pub use template::{DEFAULT_TEMPLATE, Template};
pub use values::{StatusContext, StatusValues};

use archive::Ledger;
use jiff::Timestamp;
use std::path::Path;

/// The folder of the ledger, in annals' own data.
const LEDGER: &str = "ledger";

/// Records the rate limits of the input in the ledger.
pub fn record_rate_limits(input: &StatusInput, data_home: &Path, now: Timestamp) {
    let limits = input.limits(now);
    if !limits.is_empty() {
        // If this fails, the next status line records them.
        let _ = Ledger::note_rate_limits(&data_home.join(LEDGER), &limits);
    }
}
