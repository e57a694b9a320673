//! `cargo xtask bench --only web`: the web app in a real browser, against its budgets.
//!
//! Needs Node.js, npm and Chromium, and says so where they are missing. What is measured and
//! how is in `crates/web/ui/bench`; this prepares it and makes a table of its figures. The
//! given store is only read: the sessions that the measurements need are made up in a
//! separate folder, beside links to the store's files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use xtask::empty_home::EmptyHome;
use xtask::web_parts;
use xtask::workspace::Workspace;

use super::machine;

/// The version of agentsview that the budgets were set beside.
const PEER: &str = "agentsview==0.46.1";

/// What is measured.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    pub(super) binary: &'a Path,
    pub(super) store: &'a Path,
    pub(super) beside: Option<&'a Path>,
    pub(super) runs: usize,
}

pub(super) fn run(workspace: &Workspace, subject: &Subject<'_>) -> Result<()> {
    if let Some(reason) = web_parts::missing(workspace)? {
        bail!("the web app cannot be measured: {reason}");
    }
    let Some(browser) = web_parts::find_browser() else {
        bail!("the web app cannot be measured: chromium is not installed");
    };
    let folder = workspace.target.join("bench/web");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let home = EmptyHome::new()?;
    let mut command = web_parts::node(&workspace.root.join(web_parts::UI));
    home.hide_real_home(&mut command);
    command.arg("bench/main.mjs").stdout(Stdio::piped());
    command.env("ANNALS", subject.binary).env("STORE", subject.store).env("FOLDER", &folder);
    command.env("CHROMIUM", browser).env("RUNS", subject.runs.to_string());
    if let Some(beside) = subject.beside {
        command.env("BESIDE", beside);
    }
    if let Some(peer) = find_peer(workspace) {
        command.env("AGENTSVIEW", peer);
    }
    let child = command.spawn().context("cannot start node")?;
    let output = child.wait_with_output().context("cannot wait for node")?;
    if !output.status.success() {
        bail!("the measurements of the web app ended with {}", output.status);
    }
    let figures: Figures =
        serde_json::from_slice(&output.stdout).context("cannot read the measurements")?;
    print!("{}", markdown(&machine::describe(), &figures));
    let missed = figures.rows.iter().filter(|row| row.verdict() == Verdict::Missed).count();
    eprintln!(
        "{missed} of {} budgets missed",
        figures.rows.iter().filter(|row| row.budget.is_some()).count()
    );
    Ok(())
}

/// The peer on the path, or in a virtual environment below the target folder.
fn find_peer(workspace: &Workspace) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = workspace.target.join("bench/peers/agentsview/bin");
    std::env::split_paths(&path)
        .chain([own])
        .map(|folder| folder.join("agentsview"))
        .find(|program| program.is_file())
}

#[derive(Debug, Deserialize)]
struct Figures {
    rows: Vec<Row>,
    peer: Peer,
}

#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    unit: Unit,
    samples: Vec<f64>,
    #[serde(default)]
    budget: Option<f64>,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Ms,
    Bytes,
    Number,
}

/// The other program, or why there are no figures of it.
#[derive(Debug, Deserialize)]
struct Peer {
    #[serde(default)]
    version: String,
    #[serde(default)]
    rows: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    missing: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Met,
    Missed,
    NoBudget,
}

impl Row {
    fn verdict(&self) -> Verdict {
        match (self.budget, median(&self.samples)) {
            (None, _) => Verdict::NoBudget,
            (Some(budget), Some(figure)) if figure <= budget => Verdict::Met,
            // What could not be measured did not happen in time.
            (Some(_), _) => Verdict::Missed,
        }
    }
}

impl Unit {
    fn shown(self, figure: f64) -> String {
        match self {
            Unit::Ms if figure < 10.0 => format!("{figure:.1} ms"),
            Unit::Ms => format!("{figure:.0} ms"),
            Unit::Bytes if figure >= 1e6 => format!("{:.1} MB", figure / 1e6),
            Unit::Bytes => format!("{:.1} kB", figure / 1e3),
            Unit::Number => format!("{figure:.0}"),
        }
    }
}

fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len() % 2 == 1 { upper } else { f64::midpoint(sorted[middle - 1], upper) })
}

/// The names of the peer's rows, and ours that they are beside.
const BESIDE: [(&str, &str); 6] = [
    ("start", "start to address"),
    ("homePaint", "home, first paint"),
    ("homeComplete", "home, complete"),
    ("medium", "session of 4.2 MB, readable, cold"),
    ("large", "session of 15 MB and 20,000 lines, readable, cold"),
    ("memory", "server, memory when busy"),
];

fn markdown(machine: &str, figures: &Figures) -> String {
    let mut text = format!("\nMachine: {machine}\n\n");
    text.push_str("| measurement | median | range | runs | budget | | agentsview |\n");
    text.push_str("|---|--:|--:|--:|--:|---|--:|\n");
    for row in &figures.rows {
        let shown = |figure| row.unit.shown(figure);
        let figure = median(&row.samples).map_or_else(|| "not reached".to_owned(), shown);
        let range = match row.samples.len() {
            0 | 1 => String::new(),
            _ => {
                let least = row.samples.iter().copied().fold(f64::INFINITY, f64::min);
                let most = row.samples.iter().copied().fold(0.0, f64::max);
                format!("{} – {}", shown(least), shown(most))
            }
        };
        let verdict = match row.verdict() {
            Verdict::Met => "ok",
            Verdict::Missed => "missed",
            Verdict::NoBudget => "",
        };
        let beside = BESIDE.iter().find(|(_, ours)| *ours == row.name);
        let beside = beside.and_then(|(theirs, _)| median(figures.peer.rows.get(*theirs)?));
        let note = row.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "| {}{note} | {figure} | {range} | {} | {} | {verdict} | {} |",
            row.name,
            row.samples.len(),
            row.budget.map_or_else(String::new, shown),
            beside.map_or_else(String::new, shown),
        );
    }
    let _ = match &figures.peer.missing {
        Some(reason) => writeln!(
            text,
            "\nNo figures of agentsview: {reason} (pip install {PEER}, on PATH or in a virtual \
             environment at target/bench/peers/agentsview)."
        ),
        None => writeln!(text, "\nBeside it: {}, on the same store.", figures.peer.version),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(samples: &[f64], budget: Option<f64>) -> Row {
        let name = "home, first paint".to_owned();
        Row { name, unit: Unit::Ms, samples: samples.to_vec(), budget, note: None }
    }

    #[test]
    fn the_median_decides_and_what_was_not_reached_is_missed() {
        assert_eq!(row(&[90.0, 300.0, 100.0], Some(100.0)).verdict(), Verdict::Met);
        assert_eq!(row(&[90.0, 300.0, 101.0], Some(100.0)).verdict(), Verdict::Missed);
        assert_eq!(row(&[], Some(100.0)).verdict(), Verdict::Missed);
        assert_eq!(row(&[1.0], None).verdict(), Verdict::NoBudget);
    }

    #[test]
    fn the_table_has_budgets_verdicts_and_the_peer_beside_them() {
        let peer = Peer {
            version: "agentsview 0.46.1".to_owned(),
            rows: BTreeMap::from([("homePaint".to_owned(), vec![900.0])]),
            missing: None,
        };
        let rows = vec![row(&[150.0, 170.0], Some(200.0)), row(&[], Some(5.0))];
        let text = markdown("a machine", &Figures { rows, peer });
        let line = "| home, first paint | 160 ms | 150 ms – 170 ms | 2 | 200 ms | ok | 900 ms |";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("| not reached |  | 0 | 5.0 ms | missed |"), "{text}");
        assert!(text.contains("agentsview 0.46.1"));
    }
}
