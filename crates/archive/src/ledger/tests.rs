//! What the ledger guarantees, on files as they are on disk.

use super::*;
use crate::sealed::seal;
use jiff::Timestamp;
use proptest::prelude::*;
use std::os::unix::fs::PermissionsExt as _;
use testkit::Sandbox;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + seconds).unwrap()
}

fn target(session: &str, turn: Option<u64>) -> MarkTarget {
    MarkTarget { session: session.to_owned(), agent: None, turn: turn.map(|it| it.to_string()) }
}

fn mark(session: &str, turn: Option<u64>, note: &str, seconds: i64) -> Entry {
    let target = target(session, turn);
    let id = target.id(0);
    let note = Some(note.to_owned());
    Entry {
        at: at(seconds),
        fact: Fact::Mark(Mark { id, target, uuid: None, note, at: at(seconds) }),
    }
}

fn calls(session: &str, lines: &[&str]) -> Entry {
    let lines = lines.iter().map(ToString::to_string).collect();
    let session = session.to_owned();
    let calls = LedgerCalls { session, agent: None, agent_type: None, lines };
    Entry { at: at(0), fact: Fact::Calls(calls) }
}

/// One of each kind.
fn all_kinds() -> Vec<Entry> {
    let facts = [
        Fact::Unmark { mark: "00c0ffee".to_owned() },
        Fact::Tombstone { session: "gone".to_owned(), paths: vec!["/a\nb".to_owned()] },
        Fact::Tombstone { session: "gone".to_owned(), paths: Vec::new() },
        Fact::RateLimit(RateLimit {
            window: RateLimitWindow::SevenDays,
            used_percent: 12.5,
            resets_at: Some(at(9)),
            seen_at: at(1),
        }),
    ];
    let mut entries = vec![
        mark("one", Some(2), "a \"quoted\"\nnote \u{1b}", 1),
        mark("one", None, "", 2),
        calls("gone", &[r#"{"type":"assistant"}"#, "é"]),
    ];
    entries.extend(facts.map(|fact| Entry { at: at(3), fact }));
    entries
}

fn ledger(sandbox: &Sandbox) -> Ledger {
    Ledger::open(sandbox.annals_home().join("ledger")).unwrap()
}

fn bytes(ledger: &Ledger) -> Vec<u8> {
    fs::read(ledger.path()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "the test damages what it wrote")]
fn put(ledger: &Ledger, bytes: &[u8]) {
    fs::create_dir_all(ledger.folder()).unwrap();
    fs::write(ledger.path(), bytes).unwrap();
}

#[test]
fn every_kind_of_fact_round_trips() {
    let sandbox = Sandbox::new();
    let mut written = ledger(&sandbox);
    written.append(&all_kinds()).unwrap();
    let read = ledger(&sandbox);
    for ledger in [&written, &read] {
        assert_eq!(ledger.entries().collect::<Vec<_>>(), all_kinds());
        assert_eq!((ledger.damage(), ledger.torn(), ledger.unknown()), (&[][..], None, 0));
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(read.folder()), mode(&read.path())), (0o700, 0o600));
}

#[test]
fn a_line_is_json_that_begins_with_its_checksum() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    ledger.append(&[mark("one", Some(2), "look", 0)]).unwrap();
    let text = String::from_utf8(bytes(&ledger)).unwrap();
    assert_eq!(
        &text[43..],
        "\"v\":1,\"at\":\"2026-02-02T02:40:00Z\",\"is\":\"mark\",\"id\":\"439669b7\",\"session\":\"one\",\"turn\":2,\"note\":\"look\"}\n"
    );
    let hash = blake3::hash(text[43..].trim_end().as_bytes()).to_hex().to_string();
    assert_eq!(text[9..41], hash[..32]);
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
}

#[test]
fn a_missing_ledger_is_empty_and_reading_creates_nothing() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    assert_eq!(ledger.entries().count(), 0);
    ledger.append(&[]).unwrap();
    assert!(!ledger.folder().exists());
}

#[test]
fn a_ledger_that_is_not_a_file_is_an_error_and_does_not_block() {
    let sandbox = Sandbox::new();
    sandbox.pipe("ledger.jsonl");
    let error = super::Ledger::open(sandbox.config()).unwrap_err().to_string();
    assert!(error.ends_with(": not a regular file"), "{error}");
}

#[test]
fn a_later_mark_replaces_the_one_at_its_target_and_unmark_removes_it() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    let notes = |ledger: &Ledger| {
        let marks = ledger.marks().into_iter();
        marks.map(|mark| mark.note.unwrap()).collect::<Vec<_>>().join(" ")
    };
    ledger.append(&[mark("a", None, "one", 1), mark("a", Some(1), "two", 2)]).unwrap();
    ledger.append(&[mark("b", Some(1), "three", 3), mark("a", None, "four", 4)]).unwrap();
    assert_eq!(notes(&ledger), "two three four");
    let Fact::Mark(first) = mark("a", Some(1), "", 0).fact else { unreachable!() };
    let id = ledger.mark_id(&first);
    ledger.append(&[Entry { at: at(5), fact: Fact::Unmark { mark: id.clone() } }]).unwrap();
    assert_eq!(notes(&ledger), "three four");
    assert_eq!(ledger.mark_id(&first), id, "the same target has the same id");
}

#[test]
fn marks_are_at_the_same_place_if_their_lines_are() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    let at_line = |turn: u64, uuid: &str, note: &str| {
        let Fact::Mark(known) = mark("a", Some(turn), note, 0).fact else { unreachable!() };
        Mark { uuid: Some(uuid.to_owned()), ..known }
    };
    let set = |ledger: &mut Ledger, mut mark: Mark| {
        mark.id = ledger.mark_id(&mark);
        ledger.append(&[Entry { at: at(0), fact: Fact::Mark(mark) }]).unwrap();
    };
    set(&mut ledger, at_line(2, "x", "first"));
    // Another turn has that number now, and the first one another number.
    set(&mut ledger, at_line(2, "y", "second"));
    set(&mut ledger, at_line(8, "x", "first again"));
    let marks = ledger.marks();
    let notes: Vec<_> = marks.iter().map(|mark| mark.note.as_deref().unwrap()).collect();
    assert_eq!(notes, ["second", "first again"]);
    assert_ne!(marks[0].id, marks[1].id);
}

#[test]
fn mark_of_a_turn_on_a_branch_is_read_back() {
    let Entry { fact: Fact::Mark(mut mark), at } = mark("a", Some(1), "note", 0) else {
        unreachable!()
    };
    for turn in ["12", "b1.2", "o3.4"] {
        mark.target.turn = Some(turn.to_owned());
        let entry = Entry { at, fact: Fact::Mark(mark.clone()) };
        assert_eq!(Entry::parse(&entry.rest()), Some(entry), "{turn}");
    }
}

#[test]
fn an_id_that_is_taken_is_not_given_to_another_target() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    let Fact::Mark(wanted) = mark("a", None, "", 0).fact else { unreachable!() };
    let Fact::Mark(other) = mark("b", None, "", 0).fact else { unreachable!() };
    let taken = Mark { id: wanted.target.id(0), ..other };
    ledger.append(&[Entry { at: at(0), fact: Fact::Mark(taken) }]).unwrap();
    assert_eq!(ledger.mark_id(&wanted), wanted.target.id(1));
}

#[test]
fn lines_of_a_newer_annals_are_kept_and_ignored() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    ledger.append(&[mark("a", None, "old", 0)]).unwrap();
    let before = bytes(&ledger);
    let strange = [
        r#""v":1,"at":"2026-02-02T02:40:00Z","is":"weather","sky":"blue"}"#,
        r#""v":2,"at":"2026-02-02T02:40:00Z","is":"mark","id":"1","session":"a"}"#,
        r#""v":1,"at":"2026-02-02T02:40:00Z","is":"mark","session":7}"#,
        r#""v":1,"at":"soon","is":"unmark","mark":"1"}"#,
        "no object at all",
    ];
    let added =
        r#""v":1,"at":"2026-02-02T02:40:00Z","is":"mark","id":"1","mood":{},"session":"b"}"#;
    let more: String = strange.iter().chain([&added]).map(|rest| seal(rest) + "\n").collect();
    put(&ledger, &[&before, more.as_bytes()].concat());
    let mut ledger = super::Ledger::open(ledger.folder()).unwrap();
    assert_eq!((ledger.unknown(), ledger.damage()), (5, &[][..]));
    let sessions: Vec<_> = ledger.marks().into_iter().map(|mark| mark.target.session).collect();
    assert_eq!(sessions, ["a", "b"]);
    ledger.append(&[mark("c", None, "new", 0)]).unwrap();
    assert!(bytes(&ledger).starts_with(&[&before, more.as_bytes()].concat()));
}

#[test]
fn a_torn_last_line_is_ignored_and_cut_off_by_the_next_writer() {
    let sandbox = Sandbox::new();
    let mut first = ledger(&sandbox);
    first.append(&[mark("a", None, "one", 0), mark("b", None, "two", 0)]).unwrap();
    let whole = bytes(&first);
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for length in second + 1..whole.len() {
        put(&first, &whole[..length]);
        let mut torn = ledger(&sandbox);
        let lacks_newline = length == whole.len() - 1;
        assert_eq!(torn.torn().is_none(), lacks_newline, "{length}");
        assert_eq!(torn.marks().len(), 1 + usize::from(lacks_newline), "{length}");
        torn.append(&[mark("c", None, "three", 0)]).unwrap();
        let read = ledger(&sandbox);
        assert_eq!((read.damage(), read.torn()), (&[][..], None), "{length}");
        assert_eq!(read.marks(), torn.marks(), "{length}");
        assert_eq!(read.marks().len(), 2 + usize::from(lacks_newline), "{length}");
    }
}

#[test]
fn duplicate_calls_are_returned_once() {
    let sandbox = Sandbox::new();
    let mut ledger = ledger(&sandbox);
    ledger.append(&[calls("a", &["1", "2", "1"]), calls("b", &["1"])]).unwrap();
    ledger.append(&[calls("a", &["2", "3"]), calls("a", &["1"])]).unwrap();
    let given: Vec<_> =
        ledger.calls().into_iter().map(|it| (it.session, it.lines.join(" "))).collect();
    let expected = [("a", "1 2 1"), ("b", "1"), ("a", "3")];
    assert_eq!(given, expected.map(|(session, lines)| (session.to_owned(), lines.to_owned())));
}

#[test]
fn many_writers_at_once_lose_nothing() {
    let sandbox = Sandbox::new();
    let folder = sandbox.annals_home().join("ledger");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                for turn in 0..20 {
                    let mut ledger = super::Ledger::open(folder).unwrap();
                    let session = format!("session {writer}");
                    let note = "x".repeat(writer * 1_000);
                    ledger.append(&[mark(&session, Some(turn), &note, 0)]).unwrap();
                }
            });
        }
    });
    let ledger = ledger(&sandbox);
    assert_eq!((ledger.marks().len(), ledger.damage(), ledger.torn()), (160, &[][..], None));
}

/// A ledger's bytes, and where its lines begin.
fn written(count: u64) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for turn in 0..count {
        starts.push(bytes.len());
        let line = seal(&mark("a", Some(turn), "a note", 0).rest()) + "\n";
        bytes.extend(line.as_bytes());
    }
    (bytes, starts)
}

proptest! {
    #[test]
    fn flipped_bytes_only_damage_their_own_line(
        count in 1_u64..6,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..=255), 0..4),
    ) {
        let (mut bytes, starts) = written(count);
        let whole = bytes.clone();
        for (at, mask) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= mask;
        }
        let line_of = |at: usize| starts.iter().rposition(|start| *start <= at).unwrap_or(0);
        let mut hit: Vec<usize> = Vec::new();
        for at in (0..bytes.len()).filter(|at| bytes[*at] != whole[*at]) {
            hit.push(line_of(at));
            // Two lines that were joined are both lost.
            if whole[at] == b'\n' {
                hit.push(line_of(at + 1));
            }
        }
        let read = Ledger::read(PathBuf::new(), &bytes);
        let turns: Vec<u64> = read
            .marks()
            .into_iter()
            .filter_map(|mark| mark.target.turn?.parse().ok())
            .collect();
        for turn in 0..count {
            let was_hit = hit.contains(&usize::try_from(turn).unwrap());
            // One changed byte of a line can be restored from its checksum.
            prop_assert!(was_hit || turns.contains(&turn), "turn {}", turn);
        }
        prop_assert_eq!(read.damage().is_empty() && read.torn().is_none(), hit.is_empty());
        for damage in read.damage() {
            let before = &bytes[..usize::try_from(damage.offset).unwrap()];
            let number = before.split(|byte| *byte == b'\n').count() as u64;
            prop_assert_eq!(number, damage.line);
        }
    }

    #[test]
    fn any_file_content_can_be_read_and_appended_to(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in any::<prop::sample::Index>()) {
        let sandbox = Sandbox::new();
        let (good, _) = written(3);
        let text = [&good[..cut.index(good.len() + 1)], &bytes].concat();
        put(&ledger(&sandbox), &text);
        let mut before = ledger(&sandbox);
        before.append(&[mark("b", None, "new", 0)]).unwrap();
        let after = ledger(&sandbox);
        prop_assert_eq!(after.marks(), before.marks());
        prop_assert_eq!(after.damage(), before.damage());
        prop_assert_eq!(after.torn(), None);
    }
}
