//! The measurements as a Markdown table.
//!
//! Computes the medians and verdicts. The table contains no path, host or user name,
//! because it is meant to be published.

use std::fmt::Write as _;

use super::measurements::{Measurement, Target};
use super::survey::Survey;
use crate::measure::Sample;

pub(super) struct Row {
    pub(super) measurement: Measurement,
    pub(super) outcome: anyhow::Result<MeasuredValue>,
    /// The figures of another binary, if there is one and it can run this.
    pub(super) beside: Option<anyhow::Result<MeasuredValue>>,
}

pub(super) enum MeasuredValue {
    Runs(Vec<Sample>),
    Bytes(u64),
}

pub(super) fn markdown(machine: &str, survey: &Survey, rows: &[Row]) -> String {
    let mut text = format!(
        "\nMachine: {machine}  \nStore: {} files, {} folders, {}, of which {} transcripts; longest line {}\n\n",
        survey.files,
        survey.folders,
        megabytes(survey.bytes),
        megabytes(survey.transcript_bytes),
        megabytes(survey.longest_line),
    );
    if rows.iter().any(|row| row.beside.is_some()) {
        text.push_str(&comparison(rows));
    }
    text.push_str(
        "| measurement | command | CPU s | wall s | peak memory | MB per CPU s | runs | target |\n\
         |---|---|--:|--:|--:|--:|--:|---|\n",
    );
    for row in rows {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{}", line(row));
    }
    text.push_str(
        "\nCPU is user plus system; CPU and wall are medians after one warming run, memory is the \
         largest of all runs; `true` shows the floor of all three. Targets are for the store of 500 MB.\n",
    );
    text
}

/// Both binaries beside each other: the median and the smallest of their runs, which took
/// turns, and how many times as much the other one took.
fn comparison(rows: &[Row]) -> String {
    let mut text =
        "| measurement | CPU s | beside | smallest | beside | ratio | peak memory | beside |\n\
                    |---|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for row in rows {
        let Some(beside) = &row.beside else { continue };
        let name = row.measurement.name;
        let cells = match (&row.outcome, beside) {
            (Ok(MeasuredValue::Runs(own)), Ok(MeasuredValue::Runs(other))) => {
                let (figures, others) = (Summary::of(own, None), Summary::of(other, None));
                let ratio = if figures.least_s > 0.0 {
                    format!("{:.2}", others.least_s / figures.least_s)
                } else {
                    "–".to_owned()
                };
                format!(
                    "{:.4} | {:.4} | {:.4} | {:.4} | {ratio} | {} | {}",
                    figures.cpu_s,
                    others.cpu_s,
                    figures.least_s,
                    others.least_s,
                    megabytes(figures.memory),
                    megabytes(others.memory),
                )
            }
            (Ok(MeasuredValue::Bytes(own)), Ok(MeasuredValue::Bytes(other))) => {
                format!("{} | {} | | | | |", megabytes(*own), megabytes(*other))
            }
            (outcome, beside) => {
                let state = |outcome: &anyhow::Result<MeasuredValue>| match outcome {
                    Ok(MeasuredValue::Runs(runs)) => {
                        format!("{:.4}", Summary::of(runs, None).cpu_s)
                    }
                    Ok(MeasuredValue::Bytes(bytes)) => megabytes(*bytes),
                    Err(error) => format!("failed: {}", one_line(error)),
                };
                format!("{} | {} | | | | |", state(outcome), state(beside))
            }
        };
        // Writing into a String cannot fail.
        let _ = writeln!(text, "| {name} | {cells} |");
    }
    text + "\nRatio: the smallest of the other binary by the smallest of this one.\n\n"
}

/// An error in a cell.
fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").replace('|', "\\|").replace('\n', " ")
}

fn line(row: &Row) -> String {
    let Measurement { name, shown, target, bytes, .. } = &row.measurement;
    let shown = shown.replace('|', "\\|");
    let head = format!("| {name} | `{shown}` |");
    match &row.outcome {
        Ok(MeasuredValue::Runs(samples)) => {
            let figures = Summary::of(samples, *bytes);
            let rate = figures.rate.map_or_else(|| "–".to_owned(), |rate| format!("{rate:.0}"));
            format!(
                "{head} {:.4} | {:.4} | {} | {rate} | {} | {} |",
                figures.cpu_s,
                figures.wall_s,
                megabytes(figures.memory),
                samples.len(),
                verdict(*target, &figures),
            )
        }
        Ok(MeasuredValue::Bytes(size)) => {
            let goal = match target {
                Target::SizeBelow { bytes } => {
                    format!("under {}: {}", megabytes(*bytes), met(size < bytes))
                }
                _ => String::new(),
            };
            format!("| {name} | `{shown}`, {} | | | | | | {goal} |", megabytes(*size))
        }
        Err(error) => {
            format!("{head} failed | | | | | {} |", one_line(error))
        }
    }
}

struct Summary {
    cpu_s: f64,
    least_s: f64,
    wall_s: f64,
    memory: u64,
    /// Megabytes per CPU second.
    rate: Option<f64>,
}

impl Summary {
    fn of(samples: &[Sample], bytes: Option<u64>) -> Self {
        let cpu_s = median(samples.iter().map(Sample::cpu_s).collect());
        Self {
            cpu_s,
            least_s: samples.iter().map(Sample::cpu_s).reduce(f64::min).unwrap_or_default(),
            wall_s: median(samples.iter().map(|sample| sample.wall_s).collect()),
            memory: samples.iter().map(|sample| sample.max_rss_bytes).max().unwrap_or(0),
            rate: bytes.filter(|_| cpu_s > 0.0).map(|bytes| in_megabytes(bytes) / cpu_s),
        }
    }
}

fn verdict(target: Target, figures: &Summary) -> String {
    match target {
        Target::None | Target::SizeBelow { .. } => "–".to_owned(),
        Target::Reference => "reference".to_owned(),
        Target::CpuBelow { seconds } => {
            format!("under {:.0} ms of CPU: {}", seconds * 1e3, met(figures.cpu_s < seconds))
        }
        Target::Parse { megabytes_per_second, memory_below } => {
            let fast = figures.rate.is_some_and(|rate| rate >= megabytes_per_second);
            format!(
                "at least {megabytes_per_second:.0} MB per CPU s: {}; memory under {}: {}",
                met(fast),
                megabytes(memory_below),
                met(figures.memory < memory_below),
            )
        }
    }
}

fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn in_megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", in_megabytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::super::measurements::Work;
    use super::*;

    fn row(target: Target, bytes: Option<u64>, outcome: anyhow::Result<MeasuredValue>) -> Row {
        let work = Work::Impossible(String::new());
        let shown = "a | b".to_owned();
        let measurement = Measurement { name: "x", shown, work, target, bytes };
        Row { measurement, outcome, beside: None }
    }

    fn sample(cpu: f64) -> Sample {
        Sample { user_s: cpu / 2.0, system_s: cpu / 2.0, wall_s: cpu, max_rss_bytes: 3_000_000 }
    }

    #[test]
    fn median_of_an_even_number_lies_between() {
        assert!((median(vec![4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-9);
        assert!((median(vec![9.0, 1.0, 3.0]) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn missed_target_is_shown_and_pipes_do_not_break_the_table() {
        let runs = MeasuredValue::Runs(vec![sample(0.2)]);
        let text = line(&row(Target::CpuBelow { seconds: 0.1 }, Some(50_000_000), Ok(runs)));
        assert_eq!(
            text,
            "| x | `a \\| b` | 0.2000 | 0.2000 | 3.0 MB | 250 | 1 | under 100 ms of CPU: **missed** |"
        );
    }

    #[test]
    fn two_binaries_are_compared_by_their_smallest_runs() {
        let runs =
            |times: &[f64]| Ok(MeasuredValue::Runs(times.iter().copied().map(sample).collect()));
        let own = row(Target::None, None, runs(&[0.2, 0.1, 0.4]));
        let text = comparison(&[Row { beside: Some(runs(&[0.3, 0.5, 0.4])), ..own }]);
        let expected = "| x | 0.2000 | 0.4000 | 0.1000 | 0.3000 | 3.00 | 3.0 MB | 3.0 MB |";
        assert!(text.lines().any(|line| line == expected), "{text}");
    }

    #[test]
    fn a_binary_that_lacks_a_command_leaves_the_other_measured() {
        let own = row(Target::None, None, Ok(MeasuredValue::Runs(vec![sample(0.2)])));
        let text = comparison(&[Row { beside: Some(Err(anyhow::anyhow!("no such flag"))), ..own }]);
        assert!(text.contains("| x | 0.2000 | failed: no such flag |"), "{text}");
    }

    #[test]
    fn a_failed_measurement_keeps_its_reason_on_one_line() {
        let text =
            line(&row(Target::None, None, Err(anyhow::anyhow!("ended with 2\nno such flag"))));
        assert!(text.contains("failed") && text.ends_with("ended with 2 no such flag |"), "{text}");
    }
}
