//! The doctor on the made-up store.

use crate::support::run::{assert_members, demo};

#[test]
fn doctor_reports_on_everything() {
    let answer = demo(&["doctor"]).done();
    insta::assert_snapshot!(answer.out, @r#"
    Stores
      [ROOT] (configuration folder, found by --demo): 15 sessions
      15 sessions, 3 hidden, 8 sub-agents; 267 lines in 27 files, 184 kB
    Cleanup
      Claude Code deletes transcripts 30 days after their last change (from settings), without notice.
      Claude Code will delete 2 sessions within 7 days; 2 not in the archive.
      hint: annals archive sync backs them up; to make Claude Code keep them longer, add "cleanupPeriodDays": 365 to [ROOT]/settings.json
      SESSION   DELETED  ARCHIVED  TITLE
      0c6d7b3a  due      no        Sketch of a tide table service
      e4a9d05f  in 2d    no        Requests got slow since there are 300 stations. Cache the lookups?
    Archive
      No archive yet: sessions that Claude Code deletes are lost.
      hint: annals archive sync backs up all sessions
    Damage (5)
      projects/C--Users-ada-ledger/4ac15d90-e8b7-4236-9fd1-7c0e38a5b6f2.jsonl
        line 3 at byte 537: not JSON: EOF while parsing a string
        line 6 at byte 2627: 2 objects on one line
        line 8 at byte 5382: 24 NUL bytes before the object
        line 10 at byte 6730: blank line
        line 12 at byte 6903: the last line is incomplete
    Unknown record types and fields (3)
      type weather-report ×1: {type: string, outlook: {sky: string, wind: number}, timestamp: string, sessionId: string}
      block soundscape ×1, since 2.3.0: {caption: string, seconds: number, type: string}
      key usage.sound_tokens ×1, since 2.3.0: number
    Sessions with several copies (2)
      a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4: pre-compact-session-histories/a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4-20260131-100037.jsonl
      5d17fa94-c08e-4b3d-8265-e7f9016ab4cd: projects/-home-ada-tidepool/5d17fa94-c08e-4b3d-8265-e7f9016ab4cd.jsonl
    Project folders shared by several paths (1)
      projects/-home-ada-a-b: /home/ada/a-b, /home/ada/a_b
    Files that are not sessions (2)
      projects/-home-ada-notes/draft-backup.jsonl: its name is not a session id
      projects/-home-ada-notes/notes.txt: not a transcript
    Outdated Claude Code caches (annals does not use them) (2)
      projects/-home-ada-tidepool/sessions-index.json: 1 of its sessions are gone, 8 are missing from it, 1 changed since
      stats-cache.json: it counted 2 sessions up to 2025-12-19; there are 18
    "#);
}

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
    let path = crate::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    crate::support::run::modified(&sandbox, &path, "2026-01-31T12:00:00Z");
    sandbox.write("settings.json", r#"{"cleanupPeriodDays": 365}"#);
    let answer = crate::support::run::annals(&sandbox, &["doctor"]).done();
    insta::assert_snapshot!(crate::support::run::filtered(&sandbox, &answer.out), @"
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
    let path = crate::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    crate::support::run::modified(&sandbox, &path, "2026-01-05T12:00:00Z");
    let document = crate::support::run::annals(&sandbox, &["doctor", "--json"]).done().json();
    let retention = &document["retention"];
    assert_eq!(
        (retention["days"].as_u64(), retention["source"].as_str()),
        (Some(30), Some("default"))
    );
    assert_eq!(retention["expiring"][0]["deleted_at"], "2026-02-04T12:00:00.000Z");
    assert_eq!(retention["settings"], sandbox.config().join("settings.json").display().to_string());
    let text = crate::support::run::annals(&sandbox, &["doctor"]).done().out;
    assert!(text.contains(r#"add "cleanupPeriodDays": 365 to"#), "{text}");
}
