//! What leaves a machine.

use crate::decision::Sharing;
use crate::names::{Level, Table};
use crate::push::PushReport;
use crate::rows::DayRow;
use crate::shared::RULES;
use crate::tests::machine::{Machine, WORK, conversation};
use testkit::{call, chained, session_id, user};
use usage::PicoUsd;

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[test]
fn level_usage_sends_calls_and_no_word_of_text() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.push();
    let calls = machine.calls();
    let ids: Vec<(&str, u64)> =
        calls.iter().map(|row| (row.id.as_str(), row.output_tokens)).collect();
    assert_eq!(ids, [("msg_1", 20), ("msg_2", 30)]);
    assert!(calls.iter().all(|row| row.project == "tides" && row.session_id == session_id(1)));
    assert!(calls.iter().all(|row| row.cost_pico.is_some()));
    assert!(machine.lines().is_empty());
    for text in ["tide come", "moon", "/home/ada"] {
        assert!(!machine.has(text), "{text}");
    }
}

#[test]
fn everyone_reads_the_sums_of_days_without_session_or_time() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.push();
    let days: Vec<DayRow> = machine.days();
    let sums: Vec<(Option<&str>, &str, u64, u64)> = days
        .iter()
        .map(|row| (row.day.as_deref(), row.project.as_str(), row.calls, row.output_tokens))
        .collect();
    assert_eq!(sums, [(Some("2026-10-31"), "tides", 1, 20), (Some("2026-11-01"), "tides", 1, 30)]);
    let calls: Vec<PicoUsd> = machine.calls().iter().filter_map(|row| row.cost_pico).collect();
    assert_eq!(days.iter().map(|row| row.cost_pico).collect::<Vec<_>>(), calls);
    for (name, bytes) in
        machine.objects.0.borrow().iter().filter(|(name, _)| name.contains("/org/"))
    {
        let id = session_id(1);
        let has = bytes.windows(id.len()).any(|window| window == id.as_bytes());
        assert!(!has, "{name} names a session");
    }
}

#[test]
fn nothing_leaves_from_other_folders() {
    let machine = Machine::new(Level::Text);
    machine.session(1, "/home/ada/private", conversation());
    machine.push();
    assert!(machine.calls().is_empty() && machine.lines().is_empty());
    assert!(!machine.has(&session_id(1)));
}

#[test]
fn text_is_masked_and_images_stay_behind() {
    let image = "iVBORw0KGgoAAAANSUhEUg".repeat(100);
    let machine = Machine::new(Level::Text);
    let lines = chained([
        user(&format!("export GITHUB_TOKEN={SECRET}")),
        user("look").message(
            "content",
            serde_json::json!([{"type": "image", "source":
                {"type": "base64", "media_type": "image/png", "data": image}}]),
        ),
    ]);
    machine.session(1, WORK, lines);
    machine.push();
    let lines = machine.lines();
    assert_eq!(lines.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2]);
    assert!(lines[0].text.contains("[redacted:") && !machine.has(SECRET));
    assert!(lines[1].text.contains("image/png") && lines[1].text.contains("[removed: 1650 bytes]"));
    assert!(!machine.has(&image[..64]));
}

#[test]
fn rows_of_two_months_lie_in_two_segments() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.push();
    let objects = machine.objects.0.borrow();
    let months: Vec<&str> = objects
        .keys()
        .filter_map(|name| Some(name.split_once("/calls-")?.1.split_once('-')?.0))
        .collect();
    assert_eq!(months, ["202610", "202611"]);
}

#[test]
fn a_second_push_writes_nothing_and_a_new_line_only_itself() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, conversation());
    machine.push();
    assert!(did_nothing(&machine.push()));
    let mut longer = conversation();
    longer.push(call("msg_3", [1, 1, 0, 0]).at("2026-11-02T00:00:00.000Z").link("u9", None));
    machine.session(1, WORK, longer);
    let report = machine.push();
    let tables: Vec<&str> =
        report.segments.iter().map(|written| written.segment.name.table.as_str()).collect();
    assert_eq!(report.manifests, 2);
    assert_eq!(tables, ["calls", "attributions", "sessions", "blocks", "lines", "days"]);
    assert_eq!((machine.calls().len(), machine.lines().len()), (3, 9));
    assert!(did_nothing(&machine.push()));
}

#[test]
fn a_forgotten_session_is_in_no_object() {
    let mut machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, conversation());
    machine.push();
    machine.decisions.decide(session_id(1).parse().unwrap(), Sharing::Forgotten);
    machine.push();
    let sessions: Vec<String> = machine.lines().into_iter().map(|row| row.session_id).collect();
    assert_eq!(sessions, vec![session_id(2); 4]);
    assert!(machine.calls().iter().all(|row| row.session_id == session_id(2)));
}

#[test]
fn a_shared_session_lies_below_the_prefix_of_its_team() {
    let mut machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let team = Sharing::With("team:tides".parse().unwrap());
    machine.decisions.decide(session_id(1).parse().unwrap(), team);
    machine.push();
    let lines = machine.rows(Table::Lines);
    assert!(lines.iter().all(|(chain, _)| chain == "v1/team/tides/ada/i1"), "{lines:?}");
    let calls = machine.rows(Table::Calls);
    assert!(calls.iter().all(|(chain, _)| chain == "v1/private/ada/i1"));
}

#[test]
fn number_of_the_rules_changes_with_what_they_mask() {
    let redactor = redact::Redactor::new(redact::Level::Strict, [1; 32]);
    let mut hasher = blake3::Hasher::new();
    for rule in redact::rules() {
        let hits = rule.hits().map(|(text, _)| text);
        for text in hits.chain(rule.misses()) {
            hasher.update(redactor.mask(&text).as_bytes());
            hasher.update(&[0]);
        }
    }
    assert_eq!(
        (RULES, &hasher.finalize().to_hex()[..16]),
        (3, "33e48a86a938ac38"),
        "masking has changed: raise RULES, so that machines send rows again that were masked by \
         the rules before, and write the new digest here"
    );
}

fn did_nothing(report: &PushReport) -> bool {
    report.manifests == 0 && report.segments.is_empty() && report.deleted == 0
}

#[test]
fn sums_of_days_leave_out_what_the_app_wrote_itself() {
    let machine = Machine::new(Level::Usage);
    let notice = call("msg_2", [0, 0, 0, 0]).model("<synthetic>");
    let lines = chained([call("msg_1", [1, 2, 0, 0]), notice]);
    machine.session(1, WORK, lines);
    machine.push();
    assert_eq!(machine.calls().len(), 2);
    let days = machine.days();
    assert_eq!(days.iter().map(|row| row.calls).collect::<Vec<_>>(), [1]);
}
