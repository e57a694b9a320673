//! `cargo xtask bench --only lake`: pushing, loading and reading a team lake, against its
//! budgets.
//!
//! Object storage and ClickHouse are those that `cargo xtask lake-test` installed; without
//! them it says so. What is measured and how is in `bench.py` in [`SCRIPTS`]; this starts it and
//! makes a table of its figures. The given store is only read.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use xtask::empty_home::EmptyHome;
use xtask::workspace::Workspace;

use super::machine;
use crate::lake_test::SCRIPTS;

pub(super) fn run(workspace: &Workspace, binary: &Path, store: &Path, runs: usize) -> Result<()> {
    let parts = workspace.target.join("lake-test");
    let python = parts.join("python/bin/python");
    if !python.exists() {
        bail!("the lake cannot be measured: run cargo xtask lake-test first, which installs moto");
    }
    if !binary.with_file_name("annals-lake").exists() {
        bail!("the lake cannot be measured: annals-lake is not beside {}", binary.display());
    }
    let home = EmptyHome::new()?;
    let mut command = Command::new(python);
    home.hide_real_home(&mut command);
    command.current_dir(&workspace.root).arg(format!("{SCRIPTS}/bench.py"));
    // No files beside the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.arg("--annals").arg(binary).arg("--store").arg(store);
    command.arg("--folder").arg(workspace.target.join("bench/lake"));
    command.arg("--runs").arg(runs.to_string());
    let clickhouse = parts.join("clickhouse/package/libchdb.so");
    if clickhouse.exists() {
        command.arg("--clickhouse").arg(clickhouse);
    } else {
        eprintln!("skipped: everything with ClickHouse, which cargo xtask lake-test installs");
    }
    let child = command.stdout(Stdio::piped()).spawn().context("cannot start Python")?;
    let output = child.wait_with_output().context("cannot wait for Python")?;
    if !output.status.success() {
        bail!("the measurements of the lake ended with {}", output.status);
    }
    let figures: Figures =
        serde_json::from_slice(&output.stdout).context("cannot read the measurements")?;
    print!("{}", markdown(&machine::describe(), &figures));
    let missed = figures.rows.iter().filter(|row| row.is_met() == Some(false)).count();
    let budgets = figures.rows.iter().filter(|row| row.budget.is_some()).count();
    eprintln!("{missed} of {budgets} budgets missed");
    Ok(())
}

#[derive(Debug, Deserialize)]
struct Figures {
    megabytes: f64,
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    unit: String,
    value: f64,
    budget: Option<f64>,
    /// Whether the budget is the least that the value may be.
    at_least: bool,
}

impl Row {
    fn is_met(&self) -> Option<bool> {
        let budget = self.budget?;
        Some(if self.at_least { self.value >= budget } else { self.value <= budget })
    }
}

fn shown(value: f64) -> String {
    if value < 10.0 && value.fract() != 0.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

fn markdown(machine: &str, figures: &Figures) -> String {
    let mut text = format!(
        "\nMachine: {machine}  \nStore: {:.0} MB of transcripts\n\n\
         | measurement | figure | budget | |\n|---|--:|--:|---|\n",
        figures.megabytes
    );
    for row in &figures.rows {
        let budget = row.budget.map_or_else(String::new, |budget| {
            let relation = if row.at_least { "at least" } else { "at most" };
            format!("{relation} {}", shown(budget))
        });
        let verdict = match row.is_met() {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "",
        };
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} {} | {budget} | {verdict} |",
            row.name,
            shown(row.value),
            row.unit
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_minima_or_maxima() {
        let json = r#"{"megabytes": 500.3, "rows": [
            {"name": "push", "unit": "MB per CPU s", "value": 44.0, "budget": 45, "at_least": true},
            {"name": "idle", "unit": "ms", "value": 44.0, "budget": 50, "at_least": false},
            {"name": "lines", "unit": "%", "value": 0.25, "budget": null, "at_least": false}]}"#;
        let figures: Figures = serde_json::from_str(json).expect("figures");
        let text = markdown("a machine", &figures);
        assert!(text.contains("| push | 44 MB per CPU s | at least 45 | **missed** |"), "{text}");
        assert!(text.contains("| idle | 44 ms | at most 50 | met |"), "{text}");
        assert!(text.contains("| lines | 0.25 % |  |  |"), "{text}");
    }
}
