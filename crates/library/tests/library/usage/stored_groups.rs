//! Groups of calls that the index stores change no report: whatever happens to the files
//! meanwhile, it is the same as without an index, made of the calls themselves.

use super::fixture::by;
use archive::{Entry, Fact, Ledger, LedgerCalls};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use library::catalog::Filter;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait};
use library::usage::{Dimension, UsageOptions, UsageReport, UsageSource};
use library::{Library, Options};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use store::RootOrigin;
use testkit::{Line, Sandbox, call, session_id};
use usage::{Budget, PicoUsd, without_text};

const PROJECTS: [&str; 2] = ["/home/ada/tidepool", "/home/ada/notes"];
const MODELS: [&str; 4] = ["claude-opus-5", "claude-sonnet-5", "claude-unknown-9", "<synthetic>"];

/// Something that happens to a store with six transcripts.
#[derive(Clone, Debug)]
enum Event {
    Append(u32, Vec<u8>),
    Replace(u32, Vec<u8>),
    Remove(u32),
    /// Removed, but the ledger remembers its calls.
    Delete(u32),
    UpdateIndex,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let file = || 1_u32..7;
    let seeds = || prop::collection::vec(any::<u8>(), 0..6);
    let event = prop_oneof![
        3 => (file(), seeds()).prop_map(|(file, seeds)| Event::Append(file, seeds)),
        2 => (file(), seeds()).prop_map(|(file, seeds)| Event::Replace(file, seeds)),
        1 => file().prop_map(Event::Remove),
        1 => file().prop_map(Event::Delete),
        3 => Just(Event::UpdateIndex),
    ];
    prop::collection::vec(event, 1..7)
}

/// The line that a seed stands for. Few ids: files share calls.
fn line_of(seed: u8, file: u32) -> Line {
    let (id, minute) = (seed % 23, seed % 59);
    let line = call(&format!("m{id}"), [seed.into(), u64::from(seed % 7), 9000, 5000])
        .model(MODELS[usize::from(seed / 5) % MODELS.len()])
        .session(&session_id(file))
        .cwd(PROJECTS[usize::from(seed / 3) % 2])
        .with("gitBranch", format!("branch{}", seed % 3))
        .at(&format!("2026-01-02T{:02}:{minute:02}:00Z", 20 + seed % 8 % 4));
    match seed % 11 {
        0 => line.forked_into("fork"),
        1 => line.replayed_in("background"),
        2 => line.of_agent("a1"),
        3 => line.as_progress(),
        4 => line.with("costUSD", 0.5),
        5 => line.without("timestamp"),
        _ => line,
    }
}

fn text(seeds: &[u8], file: u32) -> String {
    seeds.iter().map(|seed| line_of(*seed, file).to_string() + "\n").collect()
}

fn open(sandbox: &Sandbox, no_index: bool) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Home)],
        home: Some(sandbox.annals_home()),
        no_index,
        ..Options::default()
    })
}

fn update_index(sandbox: &Sandbox) {
    let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    open(sandbox, false).search().refresh_index(options, &NoProgress).unwrap();
}

/// Adds the calls of a transcript to the ledger.
fn remember(sandbox: &Sandbox, file: u32, bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').filter_map(without_text).collect();
    let (session, agent, agent_type) = (session_id(file), None, None);
    let fact = Fact::Calls(LedgerCalls { session, agent, agent_type, lines });
    let mut ledger = Ledger::open(sandbox.annals_home().join("ledger")).unwrap();
    ledger.append(&[Entry { at: Timestamp::UNIX_EPOCH, fact }]).unwrap();
}

fn happen(sandbox: &Sandbox, event: &Event) {
    let path = |file: u32| -> PathBuf {
        let project = PROJECTS[file as usize % 2].replace('/', "-");
        sandbox.projects().join(project).join(session_id(file) + ".jsonl")
    };
    let name = |file: u32| {
        let path = path(file);
        path.strip_prefix(sandbox.config()).unwrap().to_str().unwrap().to_owned()
    };
    match event {
        Event::Append(file, seeds) => {
            let before = std::fs::read(path(*file)).unwrap_or_default();
            sandbox.write(&name(*file), [&before[..], text(seeds, *file).as_bytes()].concat());
        }
        Event::Replace(file, seeds) => drop(sandbox.write(&name(*file), text(seeds, *file))),
        Event::Remove(file) | Event::Delete(file) => {
            let Ok(bytes) = std::fs::read(path(*file)) else { return };
            if matches!(event, Event::Delete(_)) {
                remember(sandbox, *file, &bytes);
            }
            sandbox.remove(&path(*file));
        }
        Event::UpdateIndex => update_index(sandbox),
    }
}

/// Reports that groups are exact for, and some that they are not.
fn reports() -> Vec<UsageOptions> {
    let at = |text: &str| text.parse::<Timestamp>().ok();
    let within = Filter {
        since: at("2026-01-02T20:30:00Z"),
        until: at("2026-01-02T22:07:00Z"),
        ..Filter::default()
    };
    let quarters = Filter { since: at("2026-01-02T21:15:00Z"), ..Filter::default() };
    let zone = |minutes: i32| TimeZone::fixed(Offset::from_seconds(minutes * 60).unwrap());
    let on_branch = Filter { branch: Some("branch1".to_owned()), ..Filter::default() };
    vec![
        by(&[Dimension::Day]),
        UsageOptions { zone: zone(105), ..by(&[Dimension::Day, Dimension::Model]) },
        UsageOptions { zone: zone(127), ..by(&[Dimension::Day]) },
        UsageOptions { zone: zone(345), ..by(&[Dimension::Hour]) },
        UsageOptions { zone: zone(7), ..by(&[Dimension::Hour]) },
        by(&[Dimension::Session, Dimension::Branch]),
        by(&[Dimension::Project]),
        by(&[Dimension::Tool]),
        UsageOptions { filter: within, ..by(&[Dimension::Model]) },
        UsageOptions { filter: quarters, ..by(&[Dimension::Worktree]) },
        UsageOptions { filter: on_branch, ..by(&[Dimension::Month]) },
    ]
}

fn details(library: &Library, source: &UsageSource, options: &UsageOptions) -> String {
    let usage = library.usage();
    let report = usage.report(source, options, &NoProgress);
    let budget = Budget { day: Some(PicoUsd(1)), week: Some(PicoUsd(1)), month: None };
    let now = "2026-01-02T23:59:00Z".parse().unwrap();
    let budgets = usage.budget_use(source, budget, options, now);
    let UsageReport { report, unknown_models, unpriced, synthetic, by_session, naive_cost, .. } =
        &report;
    let by_session: BTreeMap<_, _> = by_session.iter().collect();
    format!(
        "{report:?}\n{unknown_models:?} {unpriced:?} {synthetic} {by_session:?} {naive_cost:?}\n\
         {budgets:?}\n{} {:?} {:?}",
        source.call_count(),
        source.calls.tally,
        source.calls.duplicates,
    )
}

fn compare(sandbox: &Sandbox) {
    let without = open(sandbox, true);
    let calls = without.usage().read(true, &NoProgress);
    for options in reports() {
        let expected = details(&without, &calls, &options);
        for no_index in [true, false] {
            let library = open(sandbox, no_index);
            let source = library.usage().read_for(&options, &NoProgress);
            let found = details(&library, &source, &options);
            assert_eq!(found, expected, "without index: {no_index}, {:?}", options.by);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn reports_from_stored_groups_equal_reports_from_the_files(
        first in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 6),
        events in events(),
    ) {
        let sandbox = Sandbox::new();
        for (file, seeds) in (1..).zip(&first) {
            happen(&sandbox, &Event::Replace(file, seeds.clone()));
        }
        update_index(&sandbox);
        compare(&sandbox);
        for event in &events {
            happen(&sandbox, event);
            compare(&sandbox);
        }
    }
}
