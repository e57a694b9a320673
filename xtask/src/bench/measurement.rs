//! What one row of the table measures, and its target.

use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) struct Measurement {
    /// The name for `--only`; rows of one group share the part before the slash.
    pub(super) name: &'static str,
    /// The command as the table shows it.
    pub(super) shown: String,
    pub(super) work: Work,
    pub(super) target: Target,
    /// The number of bytes the command reads, if a rate makes sense for it.
    pub(super) bytes: Option<u64>,
}

#[derive(Debug)]
pub(super) enum Work {
    Command(Measured),
    FileSize(PathBuf),
    /// The store lacks something that this measurement needs.
    Impossible(String),
}

/// A command, and how its runs are measured.
#[derive(Debug, Clone, Default)]
pub(super) struct Measured {
    pub(super) words: Vec<OsString>,
    /// The annals home that all runs share; `None` gives each run a new one.
    pub(super) home: Option<PathBuf>,
    /// Whether exit code 1 (nothing found) counts as success.
    pub(super) may_find_nothing: bool,
    /// Its standard input.
    pub(super) input: String,
}

impl From<Vec<OsString>> for Measured {
    fn from(words: Vec<OsString>) -> Self {
        Measured { words, ..Measured::default() }
    }
}

/// The target on the store of 500 MB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    None,
    /// No target; measured only for comparison.
    Reference,
    CpuBelow {
        seconds: f64,
    },
    Parse {
        megabytes_per_second: f64,
        memory_below: u64,
    },
    SizeBelow {
        bytes: u64,
    },
}
