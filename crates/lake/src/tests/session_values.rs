//! A value that is masked once is masked everywhere in its session, also in the lake.

use crate::names::{Level, Table};
use crate::tests::machine::{Machine, WORK, library_of};
use serde_json::json;
use std::sync::Arc;
use testkit::{Line, answered, assistant, call, chained, metadata, session_id, tool_use, user};

const PASSWORD: &str = "vK7#mQ2zLw9Rt4x";
/// A word that only the password has.
const PART: &str = "mq2zlw9rt4x";
/// What a rule finds by itself.
const FOUND: &str = "DB_PASSWORD=vK7#mQ2zLw9Rt4x";

/// A session that names a password in many places, in none of which a rule finds it.
fn unfound() -> Vec<Line> {
    let path = format!("{WORK}/{PASSWORD}/moon.rs");
    let branch = format!("try/{PASSWORD}");
    let mut lines = vec![user(&format!("{PASSWORD} is what the pool wants"))];
    lines.push(assistant(&format!("I try **{PASSWORD}** now")));
    lines.push(call("msg_1", [100, 20, 0, 0]).with("gitBranch", branch.as_str()));
    lines.extend(answered(
        "t1",
        "Write",
        &json!({ "file_path": path, "content": "x\n" }),
        "File created",
        json!({ "type": "create", "filePath": path, "content": "x\n", "structuredPatch": [] }),
    ));
    lines.push(tool_use("t2", &format!("mcp__{PASSWORD}__open"), &json!({ "with": PASSWORD })));
    let lines = chained(lines).into_iter().map(|line| line.at("2026-11-01T00:00:01.000Z"));
    let mut lines: Vec<Line> = lines.collect();
    lines.push(metadata("custom-title", &[("customTitle", json!(format!("pool {PASSWORD}")))]));
    lines
}

fn with_found() -> Vec<Line> {
    let mut lines = unfound();
    lines.push(user(FOUND).at("2026-11-01T00:00:09.000Z").link("u99", None));
    lines
}

/// The tables with rows that show the password or a word of it.
fn showing(machine: &Machine) -> Vec<Table> {
    let shows = |table: &Table| {
        machine.rows(*table).iter().flat_map(|(_, rows)| rows.to_json()).any(|row| {
            let text = row.to_string();
            text.contains(PASSWORD) || text.contains(PART)
        })
    };
    Table::ALL.into_iter().filter(shows).collect()
}

#[test]
fn a_value_masked_once_is_in_no_row_of_its_session() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, with_found());
    machine.push();
    assert_eq!(showing(&machine), []);
    assert!(machine.lines().len() >= 8 && !machine.calls().is_empty());
    assert_eq!(machine.rows(Table::Touches).len(), 1);
}

#[test]
fn a_new_value_in_a_session_sends_its_earlier_rows_again() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, unfound());
    machine.session(2, WORK, chained([user("Where does the tide come from?")]));
    machine.push();
    let before = showing(&machine);
    for table in [Table::Attributions, Table::Blocks, Table::Lines, Table::Sessions] {
        assert!(before.contains(&table), "{before:?}");
    }
    let (lines, calls) = (machine.lines().len(), machine.calls().len());
    machine.session(1, WORK, with_found());
    let report = machine.push();
    // Objects with the earlier rows are gone, too.
    assert_eq!(showing(&machine), []);
    assert_eq!((machine.lines().len(), machine.calls().len()), (lines + 1, calls));
    let other = session_id(2).parse().unwrap();
    let sent_again = report.segments.iter().filter(|it| it.segment.name.table == Table::Lines);
    assert!(sent_again.clone().all(|it| !it.sessions.contains(&other)), "{report:?}");
    let report = machine.push();
    assert!(report.manifests == 0 && report.segments.is_empty(), "{report:?}");
}

#[test]
fn rows_that_mask_more_values_stay_when_a_value_is_gone() {
    let machine = Machine::new(Level::Text);
    let output =
        format!("projects/{}/{}/tool-results/t9.txt", WORK.replace('/', "-"), session_id(1));
    let output = machine.sandbox.write(&output, FOUND);
    machine.session(1, WORK, unfound());
    machine.push();
    assert_eq!(showing(&machine), []);
    machine.sandbox.remove(&output);
    let mut longer = unfound();
    longer.push(user("And then?").at("2026-11-01T00:00:09.000Z").link("u99", None));
    machine.session(1, WORK, longer);
    machine.push();
    // Rows that change with each line are made of what is here.
    let showing = showing(&machine);
    for table in [Table::Attributions, Table::Blocks, Table::Lines, Table::Touches] {
        assert!(!showing.contains(&table), "{showing:?}");
    }
}

#[test]
fn sessions_without_values_share_one_redactor() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, chained([user("Where does the tide come from?")]));
    machine.session(2, WORK, with_found());
    let library = library_of(&[&machine.sandbox.config()]);
    let base = Arc::new(redact::Redactor::new(redact::Level::Strict, [1; 32]));
    for (number, has_values) in [(1, false), (2, true)] {
        let session = library.catalog().find_id(&session_id(number)).unwrap();
        let redactor = library.sessions().session_redactor(&base, &session);
        assert_eq!(redactor.value_count() > 0, has_values);
        assert_eq!(Arc::ptr_eq(&redactor, &base), !has_values);
    }
}
