//! Real transcripts, if they are available: tokens and costs are counted
//! independently, by the simplest means.

use super::fixture::{by, report};
use library::usage::Dimension;
use library::{Library, Options};
use std::fs;
use std::path::{Path, PathBuf};
use store::RootOrigin;
use testkit::{PlainCounts, plain_calls, plain_lines};

/// The transcripts below a folder, by path.
pub(super) fn transcripts(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl")
                && !path.ends_with("journal.jsonl")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The cost of a call of the models that occur, in millionths of millionths:
/// (model, input, five minutes, an hour, read, output).
fn cost(model: &str, counts: PlainCounts) -> i128 {
    let [input, output, _, minutes, hour, read, searches] = counts.map(i128::from);
    let is_long = input + minutes + hour + read > 200_000;
    let rates: [i128; 5] = if model.contains("opus-4-20250514") {
        [15_000_000, 18_750_000, 30_000_000, 1_500_000, 75_000_000]
    } else if model.contains("opus") {
        [5_000_000, 6_250_000, 10_000_000, 500_000, 25_000_000]
    } else if model.contains("sonnet") && is_long {
        [6_000_000, 7_500_000, 12_000_000, 600_000, 22_500_000]
    } else if model.contains("sonnet") {
        [3_000_000, 3_750_000, 6_000_000, 300_000, 15_000_000]
    } else if model.contains("haiku-4-5") {
        [1_000_000, 1_250_000, 2_000_000, 100_000, 5_000_000]
    } else if model.ends_with("fable-5") {
        [10_000_000, 12_500_000, 20_000_000, 1_000_000, 50_000_000]
    } else {
        panic!("no price of {model} was written down here");
    };
    let tokens = [input, minutes, hour, read, output];
    let tokens: i128 = tokens.iter().zip(rates).map(|(count, rate)| count * rate).sum();
    tokens + searches * 10_000_000_000
}

#[test]
fn real_totals_equal_a_plain_count() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        println!("SKIPPED: no real transcripts at {}", corpus.display());
        return;
    }
    let files: Vec<Vec<u8>> =
        transcripts(corpus.join("projects")).iter().map(|path| fs::read(path).unwrap()).collect();
    let lines = plain_lines(&files);
    let (mut count, mut sum, mut money) = (0, [0; 7], 0);
    let mut add = |model: &str, counts: PlainCounts| {
        count += 1;
        for (own, more) in sum.iter_mut().zip(counts) {
            *own += more;
        }
        money += cost(model, counts);
    };
    for call in plain_calls(&lines) {
        let model = call.chosen.model.as_deref().unwrap();
        if model == "<synthetic>" {
            continue;
        }
        assert!(!call.chosen.terms.contains(&true), "no factor occurs");
        add(model, call.chosen.counts);
        for (model, counts) in &call.chosen.advice {
            add(model, *counts);
        }
    }
    let mut naive = [0_u64; 7];
    for line in &lines {
        for (own, more) in naive.iter_mut().zip(line.counts) {
            *own += more;
        }
    }
    println!("{} lines, {count} calls", lines.len());
    println!("input, output, thought, 5m, 1h, read, searches");
    println!("calls:     {sum:?}, {}", usage::PicoUsd(money).decimal());
    println!("plain sum: {naive:?}");
    let roots = vec![(corpus, RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let found = report(&library, &by(&[Dimension::Day]));
    let total = &found.report.total.sums;
    let used = total.counters;
    let counted = [
        used.input,
        used.output,
        used.thinking,
        used.write_5m,
        used.write_1h,
        used.read,
        used.web_searches,
    ];
    assert_eq!((total.calls, counted, total.cost.0), (count, sum, money));
    assert!(found.unknown_models.is_empty(), "{:?}", found.unknown_models);
    assert!(naive[1] > sum[1] && naive[5] > sum[5], "summing lines would have been too much");
    super::totals::assert_all_groupings_agree(&library);
}
