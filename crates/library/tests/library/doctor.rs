//! Damage, unknown records, and sessions that will be deleted.

use jiff::{SignedDuration, Timestamp};
use library::health::{Diagnosis, IndexReport};
use library::progress::NoProgress;
use library::{Library, Options};
use serde_json::json;
use std::path::PathBuf;
use store::RootOrigin;
use testkit::{Sandbox, fingerprint, metadata, session_id, user};
use transcript::{DriftKind, Reason};

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        ..Options::default()
    })
}

fn diagnose(sandbox: &Sandbox) -> Diagnosis {
    open(sandbox).health().diagnose(Timestamp::from_second(0).unwrap(), &NoProgress)
}

#[test]
fn a_file_with_endless_damage_lists_a_thousand_problems_and_counts_the_others() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&format!("{FOLDER}/{}.jsonl", session_id(1)), "\n".repeat(5000));
    let history = sandbox.write("history.jsonl", "[\n".repeat(1500));
    let found = diagnose(&sandbox);
    let listed = |path: &PathBuf| found.damage.iter().filter(|damage| damage.path == *path).count();
    assert_eq!((listed(&path), listed(&history)), (1000, 1000));
    let mut unlisted: Vec<_> = found.unlisted.iter().map(|it| (&it.path, it.count)).collect();
    unlisted.sort_by_key(|(_, count)| *count);
    assert_eq!(unlisted, [(&history, 500), (&path, 4000)]);
    assert_eq!(found.lines, 5000);
}

#[test]
fn damage_is_named_by_file_line_and_offset() {
    let sandbox = Sandbox::new();
    let whole = user("hello").to_string();
    let pieces: [(&[u8], Option<Reason>); 7] = [
        (whole.as_bytes(), None),
        (b"", Some(Reason::BlankLine)),
        (b"\0\0\0{\"type\":\"mode\"}", Some(Reason::LeadingNuls(3))),
        (b"{\"type\":\"mode\"}{\"type\":\"mode\"}", Some(Reason::SeveralObjects(2))),
        (b"[1]", Some(Reason::NotAnObject("a list"))),
        (b"{\"type\":\"mode\",\"mode\":\"\xff\"}", Some(Reason::InvalidUtf8)),
        (whole.as_bytes(), None),
    ];
    let (mut bytes, mut expected) = (Vec::new(), Vec::new());
    for (number, (piece, reason)) in pieces.into_iter().enumerate() {
        expected.extend(reason.map(|reason| (number as u64 + 1, bytes.len() as u64, reason)));
        bytes.extend_from_slice(piece);
        bytes.push(b'\n');
    }
    let torn = (8, bytes.len() as u64, Reason::TornLastLine);
    expected.push(torn);
    bytes.extend_from_slice(b"{\"type\":\"us");
    let path = sandbox.write(&format!("{FOLDER}/{}.jsonl", session_id(1)), &bytes);
    sandbox.session("/other", &session_id(2), [user("sound")]);
    let found = diagnose(&sandbox);
    assert!(found.damage.iter().all(|damage| damage.path == path));
    let damage: Vec<_> = found
        .damage
        .into_iter()
        .map(|damage| (damage.line, damage.offset, damage.reason))
        .collect();
    assert_eq!(damage, expected);
    assert_eq!((found.files, found.lines), (2, 9));
}

#[test]
fn damage_in_agents_and_copies_is_found() {
    let sandbox = Sandbox::new();
    let broken = "{broken\n";
    let copies = ["/a", "/b"].map(|cwd| {
        sandbox.session(cwd, &session_id(1), [user("hello").to_string(), broken.trim().to_owned()])
    });
    let agents = [
        sandbox.write(&format!("{FOLDER}/agent-f1.jsonl"), broken),
        sandbox.write(&format!("{FOLDER}/{}/subagents/agent-n1.jsonl", session_id(7)), broken),
    ];
    let found = diagnose(&sandbox);
    let mut expected: Vec<PathBuf> = copies.into_iter().chain(agents).collect();
    expected.sort();
    assert_eq!(found.damage.iter().map(|damage| damage.path.clone()).collect::<Vec<_>>(), expected);
    assert_eq!((found.files, found.agents), (4, 2));
}

#[test]
fn unknown_records_are_drift_and_not_damage() {
    let sandbox = Sandbox::new();
    sandbox.session(
        CWD,
        &session_id(1),
        [
            user("hello").to_string(),
            user("hello").with("novelKey", 1).to_string(),
            metadata("novel-type", &[("version", json!("9.9.9"))]).to_string(),
            metadata("novel-type", &[("version", json!("9.9.8"))]).to_string(),
            metadata("system", &[("subtype", json!("novel_subtype"))]).to_string(),
            r#"{"type":"novel-and-torn""#.to_owned(),
        ],
    );
    let found = diagnose(&sandbox);
    let names: Vec<_> =
        found.drift.findings().map(|(kind, name, finding)| (kind, name, finding.count)).collect();
    assert!(names.contains(&(DriftKind::Type, "novel-type", 2)), "{names:?}");
    assert!(names.contains(&(DriftKind::Subtype, "novel_subtype", 1)), "{names:?}");
    assert!(
        names.iter().any(|(kind, name, _)| *kind == DriftKind::Key && name.ends_with("novelKey")),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|(_, name, _)| name.contains("torn")),
        "damaged lines are not drift: {names:?}"
    );
    assert_eq!(found.damage.len(), 1);
}

#[test]
fn paths_that_share_a_folder_collide() {
    let sandbox = Sandbox::new();
    for (number, cwd) in [(1, "/w/a_b"), (2, "/w/a-b"), (3, "/w/a_b"), (4, "/w/c")] {
        sandbox.session(cwd, &session_id(number), [user("hello").cwd(cwd)]);
    }
    // Began in a folder below: not a collision, because its own name differs.
    sandbox.session("/w/c", &session_id(5), [user("hello").cwd("/w/c/src")]);
    let found = diagnose(&sandbox);
    let [collision] = &found.collisions[..] else { panic!("{:?}", found.collisions) };
    assert_eq!(collision.folder, sandbox.projects().join("-w-a-b"));
    assert_eq!(collision.cwds, ["/w/a-b", "/w/a_b"]);
}

#[test]
fn sessions_deleted_within_a_week_are_listed_soonest_first() {
    let day = 24 * 60 * 60;
    let now = 1_800_000_000;
    let sandbox = Sandbox::new();
    sandbox.write("settings.json", r#"{"cleanupPeriodDays":10}"#);
    for (number, age) in [(1, 1), (2, 4), (3, 12), (4, 3), (5, 2)] {
        let path = sandbox.session(CWD, &session_id(number), [user("hello")]);
        sandbox.set_modified(&path, now - age * day);
    }
    let hidden = sandbox.session(CWD, &session_id(6), [metadata("mode", &[])]);
    sandbox.set_modified(&hidden, now - 9 * day);
    let library = open(&sandbox);
    let now = Timestamp::from_second(now).unwrap();
    let found = library.health().diagnose(now, &NoProgress);
    assert_eq!(found.retention[0].days, 10);
    let days = |at: Timestamp| at.duration_since(now).as_secs() / day;
    let expiring: Vec<_> = found
        .expiring
        .iter()
        .map(|expiring| (expiring.session.id.clone(), days(expiring.deleted_at)))
        .collect();
    assert_eq!(expiring, [(session_id(3), -2), (session_id(2), 6), (session_id(4), 7)]);
    assert!(
        library.health().expiring(&found.list.sessions, now, SignedDuration::from_hours(-48)).len()
            == 1
    );
}

#[test]
fn out_of_range_retention_expires_nothing() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    for days in ["9223372036854775807", "18446744073709551615", "400000000"] {
        sandbox.write("settings.json", format!("{{\"cleanupPeriodDays\":{days}}}"));
        assert!(diagnose(&sandbox).expiring.is_empty(), "{days}");
    }
}

#[test]
fn stale_caches_are_compared_and_never_trusted() {
    let sandbox = Sandbox::new();
    for (number, modified) in [(1, 1000), (2, 2000), (3, 3000)] {
        let path = sandbox.session(CWD, &session_id(number), [user("hello")]);
        sandbox.set_modified(&path, modified);
    }
    let entries = json!({"entries": [
        {"sessionId": session_id(1), "fileMtime": 1_000_000, "summary": "a lie"},
        {"sessionId": session_id(2), "fileMtime": 5},
        {"sessionId": session_id(9), "fileMtime": 5},
    ]});
    let path = sandbox.write(&format!("{FOLDER}/sessions-index.json"), entries.to_string());
    sandbox.write("stats-cache.json", r#"{"totalSessions":99}"#);
    let found = diagnose(&sandbox);
    assert_eq!(found.indexes, [IndexReport { path, gone: 1, missing: 1, outdated: 1 }]);
    assert_eq!((found.stats[0].claims.total_sessions, found.stats[0].sessions), (Some(99), 3));
    assert!(
        found
            .list
            .sessions
            .iter()
            .all(|session| session.metadata.summary.as_deref() == Some("hello"))
    );
}

#[test]
fn strays_are_listed_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write(&format!("{FOLDER}/notes.txt"), "x");
    sandbox.link(&format!("{FOLDER}/{}.jsonl", session_id(2)), &path);
    sandbox.link("projects/-loop", &sandbox.projects());
    let before = fingerprint(sandbox.path());
    let found = diagnose(&sandbox);
    assert_eq!(found.list.strays.len(), 3);
    assert!(found.list.read_errors.is_empty() && found.read_errors.is_empty());
    assert_eq!(fingerprint(sandbox.path()), before);
}
