//! Rule 9: every report comes from one loader, and every grouping's total is the
//! same, to the token and to the millionth of a millionth of a dollar.

use super::fixture::{CWD, by, open, read};
use library::Library;
use library::progress::NoProgress;
use library::usage::Dimension;
use serde_json::json;
use testkit::{Sandbox, call, session_id, user};
use usage::{Counters, PicoUsd, Report, Sums};

/// The totals of rows.
type Totals = (u64, Counters, PicoUsd, PicoUsd, u64, PicoUsd);

fn totals(sums: &Sums) -> Totals {
    (sums.calls, sums.counters, sums.cost, sums.saved, sums.expired_tokens, sums.expired)
}

fn of_rows<'a>(rows: impl Iterator<Item = &'a Sums>) -> Totals {
    let mut sum = Sums::default();
    rows.for_each(|row| sum.add(row));
    totals(&sum)
}

/// A store with many kinds of calls, in odd numbers.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let models = [
        "claude-opus-5",
        "claude-sonnet-4-5",
        "claude-unknown-9",
        "claude-haiku-4-5",
        "<synthetic>",
    ];
    let tools =
        [("1", "Read"), ("2", "Bash"), ("3", "Edit"), ("4", "Read"), ("5", "Task"), ("6", "Grep")];
    for session in 1..=4_u64 {
        let cwd = format!("/home/ada/project{}", session % 3);
        let id = session_id(u32::try_from(session).unwrap());
        let mut lines = Vec::new();
        for number in 0..23 {
            let seed = session * 101 + number * 37;
            let hour = (number * 3 + session) % 24;
            let time = format!("2026-10-{:02}T{hour:02}:{:02}:07Z", 20 + number % 8, seed % 60);
            if number % 5 == 0 {
                lines.push(user(&format!("Prompt {number}")).session(&id).at(&time).cwd(&cwd));
            }
            let pick = |count: usize| usize::try_from(seed).unwrap() % count;
            let mut line = call(
                &format!("m{session}.{number}"),
                [seed % 13, seed % 1009, seed * 131, seed * 977],
            )
            .model(models[pick(models.len())])
            .session(&id)
            .cwd(&format!("{cwd}/{}", seed % 2))
            .at(&time)
            .with("gitBranch", format!("branch{}", seed % 3))
            .with("version", format!("2.1.{}", seed % 4))
            .calls_tools(&tools[..pick(tools.len())]);
            if seed % 4 == 0 {
                line = line
                    .usage("speed", "fast")
                    .usage("cache_creation", json!({"ephemeral_1h_input_tokens": seed * 130}));
            }
            if seed % 6 == 0 {
                line =
                    line.usage("inference_geo", "us").with("effort", "high").without("timestamp");
            }
            if seed % 7 == 0 {
                line = line
                    .with("costUSD", 0.123_456_789_012)
                    .of_agent("a1")
                    .with("attributionSkill", "pdf");
            }
            if seed % 9 == 0 {
                line = line.usage("server_tool_use", json!({"web_search_requests": seed % 5}));
            }
            lines.push(line);
        }
        sandbox.session(&cwd, &id, &lines);
        sandbox.agent(
            &cwd,
            &id,
            "agent-a1",
            [call(&format!("agent{session}"), [7, 77, 777, 7777]).session(&id).of_agent("a1")],
        );
        let forked: Vec<_> =
            lines.into_iter().map(|line| line.forked_into(&session_id(9))).collect();
        sandbox.session(CWD, &session_id(u32::try_from(session).unwrap() + 10), forked);
    }
    sandbox
}

pub(crate) fn assert_all_groupings_agree(library: &Library) -> Sums {
    let source = read(library);
    let report = |dimensions: &[Dimension]| -> Report {
        library.usage().report(&source, &by(dimensions), &NoProgress).report
    };
    let expected = report(&[]).total.sums;
    let mut ways: Vec<Vec<Dimension>> = Dimension::ALL.iter().map(|one| vec![*one]).collect();
    ways.push(vec![Dimension::Session, Dimension::Turn]);
    ways.push(vec![Dimension::Day, Dimension::Model]);
    ways.push(vec![Dimension::Tool, Dimension::Model, Dimension::Block]);
    ways.push(Dimension::ALL.to_vec());
    ways.push(Vec::new());
    for way in ways {
        let report = report(&way);
        assert_eq!(report.total.sums, expected, "{way:?}");
        assert_eq!(
            of_rows(report.rows.values().map(|row| &row.sums)),
            totals(&expected),
            "{way:?}"
        );
        assert_eq!(of_rows(report.total.models.values()), totals(&expected), "{way:?}, by model");
        for (key, row) in &report.rows {
            assert_eq!(of_rows(row.models.values()), totals(&row.sums), "{key:?}, by model");
        }
    }
    expected
}

#[test]
fn every_grouping_has_the_same_total() {
    let total = assert_all_groupings_agree(&open(&store()));
    assert!(total.unpriced > 0 && total.expired_tokens > 0 && total.counters.web_searches > 0);
    assert!(total.cost > PicoUsd::ZERO && total.counters.write_1h > 0);
}

#[test]
fn the_answer_is_the_same_every_time() {
    let sandbox = store();
    let library = open(&sandbox);
    let answer = || {
        let report = library.usage().report(
            &read(&library),
            &by(&[Dimension::Tool, Dimension::Day]),
            &NoProgress,
        );
        format!("{:?} {:?}", report.report, report.unknown_models)
    };
    let first = answer();
    for _ in 0..5 {
        assert_eq!(answer(), first);
    }
}

#[test]
fn session_costs_equal_their_rows() {
    let library = open(&store());
    let report = library.usage().report(&read(&library), &by(&[Dimension::Session]), &NoProgress);
    for (key, row) in &report.report.rows {
        assert_eq!(report.by_session[key[0].as_ref().unwrap()], row.sums.cost);
    }
}

#[test]
fn empty_store_has_no_rows_and_a_zero_total() {
    let library = open(&Sandbox::new());
    let total = assert_all_groupings_agree(&library);
    assert_eq!(total, Sums::default());
    assert_eq!(total.hit_rate(), None);
}
