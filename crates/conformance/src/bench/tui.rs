//! `cargo xtask bench --only tui`: the terminal UI on a pty, against its budgets.
//!
//! CPU time is that of all threads, from the scheduler's figures in `/proc`, so this needs
//! Linux. It stands beside each time on the clock, which on a busy machine says little. The
//! first search builds the index, and its memory is measured; everything else is measured after
//! that. The store is only read. Budgets are those of a store of 500 MB; a store four times as
//! large has twice the budget.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;

use super::machine;
use crate::screen::Screen;

/// How long the program is watched doing nothing.
const IDLE: Duration = Duration::from_secs(10);

/// How long the program needs at most to come to rest.
const CALM: Duration = Duration::from_millis(700);

/// The size of the terminal.
const ROWS: u16 = 50;
const COLUMNS: u16 = 160;

/// A figure with its budget.
struct Figure {
    name: String,
    value: f64,
    /// The CPU time meanwhile, of a time on the clock.
    cpu: Option<f64>,
    budget: f64,
    unit: &'static str,
}

/// How long something took on the clock, and the CPU time for it.
struct Times {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl Times {
    fn new() -> Times {
        Times { wall: Vec::new(), cpu: Vec::new() }
    }

    /// Sends keys and measures until the screen is as wanted.
    fn take(
        &mut self,
        screen: &mut Screen,
        keys: &str,
        what: &str,
        holds: impl Fn(&str) -> bool,
    ) -> Result<()> {
        let before = cpu_ms(screen.pid()?)?;
        screen.send(keys)?;
        self.wall.push(milliseconds(screen.wait(what, holds)?));
        self.cpu.push(cpu_ms(screen.pid()?)? - before);
        Ok(())
    }
}

/// A size from which the budgets are twice as large.
const LARGE: u64 = 1 << 30;

pub(super) fn run(binary: &Path, store: &Path, runs: usize) -> Result<()> {
    if !Path::new("/proc/self/schedstat").exists() {
        bail!("the terminal UI is measured on Linux only");
    }
    let home = EmptyHome::new()?;
    let start = |arguments: &[&str]| {
        let mut command = Command::new(binary);
        home.clear_environment(&mut command);
        command.args(["tui", "--all-projects", "--root"]).arg(store).args(arguments);
        Screen::start(&command, ROWS, COLUMNS)
    };
    let factor = if size_of(store)? >= LARGE { 2.0 } else { 1.0 };
    let mut figures = Vec::new();
    let mut measured = |name: &str, budget: f64, unit, values: Vec<f64>, cpu: Vec<f64>| {
        let cpu = (!cpu.is_empty()).then(|| median(cpu));
        let (name, budget) = (name.to_owned(), budget * factor);
        figures.push(Figure { name, value: median(values), cpu, budget, unit });
    };
    let (indexing, quit) = while_indexing(&start)?;

    let (mut first, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let screen = start(&[])?;
        screen.wait("rows", has_rows)?;
        first.push(cpu_ms(screen.pid()?)?);
        screen.wait("all rows", is_complete)?;
        memory.push(memory_mb(screen.pid()?)?);
        screen.quit()?;
    }
    measured("first rows, CPU", 60.0, "ms", first, Vec::new());

    let (mut keys, mut words) = (Times::new(), Times::new());
    let mut screen = start(&[])?;
    screen.wait("all rows", is_complete)?;
    for _ in 0..runs {
        keys.take(&mut screen, "e", "the key", |text| text.contains("› e"))?;
        screen.send("rror timeou")?;
        std::thread::sleep(CALM);
        // The answer to the last letter: the words are whole only then.
        let found = |text: &str| {
            text.contains("› error timeout") && !text.contains("searching") && has_rows(text)
        };
        words.take(&mut screen, "t", "hits", found)?;
        screen.send("\u{15}")?;
        screen.wait("the whole list", |text| text.contains("type to search"))?;
    }
    measured("key to frame, wall", 16.0, "ms", keys.wall, keys.cpu);
    measured("words, wall", 60.0, "ms", words.wall, words.cpu);

    // By size, so that the first row is the largest session.
    screen.send("\u{1b}")?;
    screen.wait("normal mode", |text| text.contains("/ searches"))?;
    screen.send("\u{13}\u{13}\u{13}\u{13}")?;
    screen.wait("the order", |text| text.contains("by size"))?;
    let (mut previews, mut openings, mut largest) = (Times::new(), Times::new(), String::new());
    for _ in 0..runs {
        // Far away from it.
        screen.send("G")?;
        std::thread::sleep(CALM);
        let before = preview_facts(&screen.text()).to_owned();
        let is_there = |text: &str| {
            preview_facts(text) != before && !preview_text(text).trim().starts_with('…')
        };
        previews.take(&mut screen, "g", "the preview", is_there)?;
        preview_facts(&screen.text()).clone_into(&mut largest);
        // Not the one that the preview has read.
        screen.send("j")?;
        std::thread::sleep(CALM);
        openings.take(&mut screen, "\r", "the session", |text| text.contains("turn "))?;
        screen.send("q")?;
        screen.wait("the list", |text| text.contains("by size"))?;
    }
    memory.push(memory_mb(screen.pid()?)?);
    let size = largest.split(" · ").find(|fact| fact.trim().ends_with(" MB"));
    let name = format!("preview of {}, wall", size.unwrap_or("a small session").trim());
    measured(&name, 80.0, "ms", previews.wall, previews.cpu);
    measured("the next session opened, wall", 80.0, "ms", openings.wall, openings.cpu);
    measured("memory", 60.0, "MB", memory, Vec::new());
    measured("memory while indexing", 60.0, "MB", vec![indexing], Vec::new());
    measured("Ctrl-C while indexing, wall", 100.0, "ms", vec![quit], Vec::new());

    std::thread::sleep(CALM);
    let before = cpu_ms(screen.pid()?)?;
    std::thread::sleep(IDLE);
    let idle = (cpu_ms(screen.pid()?)? - before).floor();
    measured("idle for 10 s, CPU", 0.0, "ms", vec![idle], Vec::new());
    screen.quit()?;

    println!("{}\n\n| annals tui | measured | CPU | budget |", machine::describe());
    println!("|---|---|---|---|");
    for Figure { name, value, cpu, budget, unit } in &figures {
        let cpu = cpu.map(|cpu| format!("{cpu:.1} ms")).unwrap_or_default();
        println!("| {name} | {value:.1} {unit} | {cpu} | {budget:.0} {unit} |");
    }
    let missed = figures.iter().filter(|figure| figure.value > figure.budget).count();
    eprintln!("{missed} of {} budgets missed", figures.len());
    Ok(())
}

/// Builds the index with a first search: the memory for that, and how long the program takes
/// to end meanwhile.
fn while_indexing(start: &impl Fn(&[&str]) -> Result<Screen>) -> Result<(f64, f64)> {
    let mut screen = start(&[])?;
    screen.wait("all rows", is_complete)?;
    screen.send("error")?;
    screen.wait("the index", |text| text.contains("indexing "))?;
    std::thread::sleep(CALM);
    let begun = Instant::now();
    screen.quit()?;
    let quit = milliseconds(begun.elapsed());
    let mut screen = start(&[])?;
    screen.wait("all rows", is_complete)?;
    screen.send("error")?;
    let is_done = |text: &str| {
        text.contains("› error") && !text.contains("searching") && !text.contains("indexing ")
    };
    screen.wait("the whole index", is_done)?;
    let memory = memory_mb(screen.pid()?)?;
    screen.quit()?;
    Ok((memory, quit))
}

/// How many bytes the transcripts of sessions have.
fn size_of(store: &Path) -> Result<u64> {
    let mut bytes = 0;
    for project in fs::read_dir(store.join("projects")).context("the store has no projects")? {
        for file in fs::read_dir(project?.path()).into_iter().flatten() {
            bytes += file?.metadata()?.len();
        }
    }
    Ok(bytes)
}

/// The line of the preview with facts about the session, and the first line of its text.
fn preview_facts(text: &str) -> &str {
    preview_line(text, 1)
}

fn preview_text(text: &str) -> &str {
    preview_line(text, 3)
}

/// A line of the preview, which begins below the head, the query and a rule.
fn preview_line(text: &str, number: usize) -> &str {
    let line = text.lines().nth(3 + number).unwrap_or_default();
    line.split_once('│').map(|(_, preview)| preview).unwrap_or_default()
}

/// Whether all rows were read.
fn is_complete(text: &str) -> bool {
    has_rows(text) && !text.contains("reading …")
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
