//! `annals doctor`: its JSON, and reports that the made-up store does not show.
//! `demo_at_widths` has its text there.

use crate::cli::support::run::{assert_members, demo};

#[test]
fn doctor_json_keeps_its_contract() {
    let document = demo(&["doctor", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/doctor/1");
    assert_members(&document, "schema roots retention problems drift");
    assert_members(&document["retention"], "days source expiring");
    assert_eq!(document["retention"]["days"], 30);
    assert_eq!(document["retention"]["source"], "settings");
    assert_eq!(document["retention"]["expiring"].as_array().unwrap().len(), 2);
    assert_eq!(document["roots"][0]["path"], "[ROOT]");
    for problem in document["problems"].as_array().unwrap() {
        assert_members(problem, "path line offset reason");
    }
    let drift: Vec<_> = document["drift"]
        .as_array()
        .unwrap()
        .iter()
        .map(|drift| drift["name"].as_str().unwrap())
        .collect();
    assert_eq!(drift, ["weather-report", "soundscape", "usage.sound_tokens"]);
}

#[test]
fn doctor_reports_when_no_cleanup_is_due() {
    let sandbox = testkit::Sandbox::new();
    let path = crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    crate::cli::support::run::modified(&sandbox, &path, "2026-01-31T12:00:00Z");
    sandbox.write("settings.json", r#"{"cleanupPeriodDays": 365}"#);
    let answer = crate::cli::support::run::annals(&sandbox, &["doctor"]).done();
    insta::assert_snapshot!(crate::cli::support::run::filtered(&sandbox, &answer.out), @"
    Stores
      [ROOT]/claude (configuration folder, found by CLAUDE_CONFIG_DIR): 1 session
      1 session, 0 hidden, 0 sub-agents; 2 lines in 1 file, 837 B
    Cleanup
      Claude Code deletes transcripts 365 days after their last change (from settings), without notice.
      Claude Code will delete no session within 7 days.
    Archive
      No archive yet: sessions that Claude Code deletes are lost.
      hint: annals archive sync backs up all sessions
    Damage
      none
    Unknown record types and fields
      nothing
    ");
}

#[test]
fn doctor_names_the_settings_file_to_change() {
    let sandbox = testkit::Sandbox::new();
    let path = crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    crate::cli::support::run::modified(&sandbox, &path, "2026-01-05T12:00:00Z");
    let document = crate::cli::support::run::annals(&sandbox, &["doctor", "--json"]).done().json();
    let retention = &document["retention"];
    assert_eq!(
        (retention["days"].as_u64(), retention["source"].as_str()),
        (Some(30), Some("default"))
    );
    assert_eq!(retention["expiring"][0]["deleted_at"], "2026-02-04T12:00:00.000Z");
    assert_eq!(retention["settings"], sandbox.config().join("settings.json").display().to_string());
    let text = crate::cli::support::run::annals(&sandbox, &["doctor"]).done().out;
    assert!(text.contains(r#"add "cleanupPeriodDays": 365 to"#), "{text}");
}
