//! `xtask measure [--or-nothing] -- COMMAND…`: measures one run of one command.
//!
//! The system adds up the CPU time of all ended children and reports only the largest
//! memory figure among them, so each run is measured in a separate process: this task.
//! Repeating and comparing belong to `bench`.
//!
//! A started process counts the memory it shared with its parent before it
//! became the command, so figures below a few megabytes are those of this task;
//! `true` in the bench table shows that minimum.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};
use serde::{Deserialize, Serialize};

/// One run. The names are those of the JSON line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) user_s: f64,
    pub(crate) system_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) max_rss_bytes: u64,
}

impl Sample {
    pub(crate) fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s
    }
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let (may_find_nothing, arguments) = match arguments {
        [flag, rest @ ..] if flag == "--or-nothing" => (true, rest),
        _ => (false, arguments),
    };
    let [separator, program, rest @ ..] = arguments else {
        bail!("usage: xtask measure [--or-nothing] -- COMMAND…");
    };
    if separator != "--" {
        bail!("usage: xtask measure [--or-nothing] -- COMMAND…");
    }
    let mut command = Command::new(program);
    // The command inherits stdin.
    command.args(rest).stdout(Stdio::null());

    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    let wall = start.elapsed();
    let is_nothing = may_find_nothing && status.code() == Some(1);
    if !status.success() && !is_nothing {
        // A command that gave up early would look fast.
        bail!("{} ended with {status}, so there is nothing to measure", program.display());
    }

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("getrusage failed")?;
    let sample = Sample {
        user_s: seconds(usage.user_time()),
        system_s: seconds(usage.system_time()),
        wall_s: wall.as_secs_f64(),
        max_rss_bytes: u64::try_from(usage.max_rss())? * RSS_UNIT,
    };
    println!("{}", serde_json::to_string(&sample)?);
    Ok(())
}

/// macOS reports the peak in bytes, the others in kibibytes.
const RSS_UNIT: u64 = if cfg!(target_os = "macos") { 1 } else { 1024 };

#[expect(clippy::cast_precision_loss, reason = "microseconds of a process fit in 52 bits")]
fn seconds(time: TimeVal) -> f64 {
    time.num_microseconds() as f64 / 1e6
}
