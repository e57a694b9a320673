//! `cargo xtask bench --only tui`: the terminal UI on a pty, against its budgets.
//!
//! CPU time is that of all threads, from the scheduler's figures in `/proc`, so this needs
//! Linux. The index is built before anything is measured. The store is only read.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::machine;
use crate::empty_home::EmptyHome;
use crate::screen::Screen;

/// How long the program is watched doing nothing.
const IDLE: Duration = Duration::from_secs(10);

/// A figure with its budget.
struct Figure {
    name: &'static str,
    value: f64,
    budget: f64,
    unit: &'static str,
}

pub(super) fn run(binary: &Path, store: &Path, runs: usize) -> Result<()> {
    if !Path::new("/proc/self/schedstat").exists() {
        bail!("the terminal UI is measured on Linux only");
    }
    let home = EmptyHome::new()?;
    let start = |arguments: &[&str]| {
        let mut command = Command::new(binary);
        home.clear_environment(&mut command);
        command.args(["tui", "--all-projects", "--root"]).arg(store).args(arguments);
        Screen::start(&command, 50, 160)
    };
    let mut search = Command::new(binary);
    home.clear_environment(&mut search);
    search.args(["search", "--wait", "error", "--root"]).arg(store);
    search.output().with_context(|| format!("cannot run {}", binary.display()))?;
    let mut figures = Vec::new();
    let mut measured = |name, budget, unit, values: Vec<f64>| {
        figures.push(Figure { name, value: median(values), budget, unit });
    };

    let (mut first, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let screen = start(&[])?;
        screen.wait("rows", has_rows)?;
        first.push(cpu_ms(screen.pid()?)?);
        screen.wait("all rows", |text| !text.contains("reading …"))?;
        memory.push(memory_mb(screen.pid()?)?);
        screen.quit()?;
    }
    measured("first rows, CPU", 60.0, "ms", first);

    let mut keys = Vec::new();
    let mut words = Vec::new();
    let mut screen = start(&[])?;
    screen.wait("all rows", |text| has_rows(text) && !text.contains("reading …"))?;
    for _ in 0..runs {
        screen.send("e")?;
        keys.push(milliseconds(screen.wait("the key", |text| text.contains("› e"))?));
        screen.send("rror timeout")?;
        let found = |text: &str| {
            text.contains("› error timeout") && !text.contains("searching") && has_rows(text)
        };
        words.push(milliseconds(screen.wait("hits", found)?));
        screen.send("\u{15}")?;
        screen.wait("the whole list", |text| text.contains("type to search"))?;
    }
    memory.push(memory_mb(screen.pid()?)?);
    measured("key to frame, wall", 16.0, "ms", keys);
    measured("words, wall", 60.0, "ms", words);
    measured("memory", 60.0, "MB", memory);

    std::thread::sleep(Duration::from_millis(500));
    let before = cpu_ms(screen.pid()?)?;
    std::thread::sleep(IDLE);
    measured("idle for 10 s, CPU", 0.0, "ms", vec![(cpu_ms(screen.pid()?)? - before).floor()]);
    screen.quit()?;

    println!("{}\n\n| annals tui | measured | budget |\n|---|---|---|", machine::describe());
    for Figure { name, value, budget, unit } in &figures {
        println!("| {name} | {value:.1} {unit} | {budget:.0} {unit} |");
    }
    let missed = figures.iter().filter(|figure| figure.value > figure.budget).count();
    eprintln!("{missed} of {} budgets missed", figures.len());
    Ok(())
}

/// Whether the list has rows: the head counts them.
fn has_rows(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|head| head.contains(" session") && !head.contains(" 0 session"))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The CPU time of all threads so far.
fn cpu_ms(pid: u32) -> Result<f64> {
    let mut nanoseconds = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task")).context("the program has ended")? {
        let text = fs::read_to_string(task?.path().join("schedstat")).unwrap_or_default();
        let first = text.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
        nanoseconds += first.unwrap_or_default();
    }
    Ok(milliseconds(Duration::from_nanos(nanoseconds)))
}

/// The largest memory so far.
fn memory_mb(pid: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024.0 / 1e6).context("no memory figure")
}
