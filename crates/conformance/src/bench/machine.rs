//! Describes the machine of the measurements: CPU, cores, kernel.
//!
//! Nothing that names a person or a host is collected, because the table is
//! meant to be published.

use std::fs;
use std::process::Command;

/// One line, for the head of the table.
pub(super) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = cpu_model().unwrap_or_else(|| "unknown CPU".to_owned());
    let kernel = first_line("uname", &["-sr"]).unwrap_or_else(|| "unknown kernel".to_owned());
    format!("{cpu}, {cores} cores, {kernel}")
}

fn cpu_model() -> Option<String> {
    if cfg!(target_os = "macos") {
        return first_line("sysctl", &["-n", "machdep.cpu.brand_string"]);
    }
    let listing = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = listing.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}
