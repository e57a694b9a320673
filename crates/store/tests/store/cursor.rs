//! Whatever happens to a file between two reads, the sink ends up with the same
//! content as after reading the file whole.

use proptest::prelude::*;
use std::fs;
use store::{Cursor, FileChange, LineReader, RecordSink};
use testkit::Sandbox;
use transcript::{Entry, entries};

/// Collects what was yielded and not retracted, by offset.
#[derive(Default)]
struct CollectingSink(Vec<(u64, Vec<u8>)>);

impl RecordSink for CollectingSink {
    fn entry(&mut self, entry: Entry<'_>) {
        if let Some((last, _)) = self.0.last() {
            assert!(*last < entry.offset, "yielded twice or out of order");
        }
        self.0.push((entry.offset, entry.bytes.to_vec()));
    }

    fn retract(&mut self, from: u64) {
        self.0.retain(|(offset, _)| *offset < from);
    }
}

/// The result of reading a file whole: every line, and a last line without a
/// newline only if it consists of complete objects.
fn whole(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1);
    let (lines, last): (Vec<_>, Vec<_>) = entries(bytes).partition(|entry| entry.offset < end);
    let last = if last.iter().all(|entry| entry.provisional) { last } else { Vec::new() };
    lines.iter().chain(&last).map(|entry| (entry.offset, entry.bytes.to_vec())).collect()
}

fn line(number: usize) -> String {
    format!(r#"{{"type":"mode","mode":"{}"}}"#, "x".repeat(number % 23))
}

#[derive(Clone, Debug)]
enum Step {
    Append(Vec<usize>),
    AppendTorn(usize, prop::sample::Index),
    CloseLine,
    Retract(prop::sample::Index),
    Replace(Vec<usize>),
    EditInPlace(prop::sample::Index),
    ReplaceByRename(Vec<usize>),
    Touch,
}

fn step() -> impl Strategy<Value = Step> {
    let lines = || prop::collection::vec(0_usize..100, 0..6);
    prop_oneof![
        4 => lines().prop_map(Step::Append),
        3 => (0_usize..100, any::<prop::sample::Index>()).prop_map(|(number, at)| Step::AppendTorn(number, at)),
        2 => Just(Step::CloseLine),
        2 => any::<prop::sample::Index>().prop_map(Step::Retract),
        1 => lines().prop_map(Step::Replace),
        1 => any::<prop::sample::Index>().prop_map(Step::EditInPlace),
        1 => lines().prop_map(Step::ReplaceByRename),
        1 => Just(Step::Touch),
    ]
}

fn apply(step: &Step, bytes: &mut Vec<u8>) {
    let text =
        |numbers: &[usize]| numbers.iter().map(|number| line(*number) + "\n").collect::<String>();
    match step {
        Step::Append(numbers) => bytes.extend(text(numbers).bytes()),
        Step::AppendTorn(number, at) => {
            let line = line(*number);
            bytes.extend(&line.as_bytes()[..=at.index(line.len())]);
        }
        Step::CloseLine => bytes.push(b'\n'),
        Step::Retract(at) => bytes.truncate(at.index(bytes.len() + 1)),
        Step::Replace(numbers) | Step::ReplaceByRename(numbers) => {
            *bytes = text(numbers).into_bytes();
        }
        Step::EditInPlace(at) => {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = if bytes[at] == b'y' { b'z' } else { b'y' };
            }
        }
        Step::Touch => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn resuming_anywhere_gives_the_same_as_reading_whole(steps in prop::collection::vec(step(), 1..14)) {
        let sandbox = Sandbox::new();
        let path = sandbox.write("t.jsonl", b"");
        let mut cursor = Cursor::default();
        let mut reader = LineReader::default();
        let mut sink = CollectingSink::default();
        let mut bytes = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            apply(step, &mut bytes);
            if matches!(step, Step::ReplaceByRename(_)) {
                fs::remove_file(&path).unwrap();
            }
            fs::write(&path, &bytes).unwrap();
            // Clocks are coarse: a write within one tick must not look like no
            // write.
            sandbox.set_modified(&path, 1_700_000_000 + i64::try_from(number).unwrap());
            cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
            prop_assert_eq!(&sink.0, &whole(&bytes), "after {:?}", step);
        }
    }

    #[test]
    fn appends_and_retractions_hold_across_many_checkpoints(
        steps in prop::collection::vec((prop::collection::vec(0_usize..100, 1..8), 0_usize..4), 1..12),
    ) {
        // With checkpoints 64 bytes apart, a rollback passes several of them.
        // No two lines are equal, as in a transcript.
        let sandbox = Sandbox::new();
        let path = sandbox.write("t.jsonl", b"");
        let mut cursor = Cursor::with_spacing(64);
        let mut reader = LineReader::default();
        let mut sink = CollectingSink::default();
        let mut bytes = Vec::new();
        for (number, (lines, dropped)) in steps.iter().enumerate() {
            let kept = bytes.split_inclusive(|byte| *byte == b'\n').count().saturating_sub(*dropped);
            bytes = bytes.split_inclusive(|byte| *byte == b'\n').take(kept).collect::<Vec<_>>().concat();
            for (index, line) in lines.iter().enumerate() {
                let filling = "x".repeat(line % 23);
                bytes.extend(format!("{{\"type\":\"mode\",\"mode\":\"{number} {index} {filling}\"}}\n").bytes());
            }
            fs::write(&path, &bytes).unwrap();
            sandbox.set_modified(&path, 1_700_000_000 + i64::try_from(number).unwrap());
            cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
            prop_assert_eq!(&sink.0, &whole(&bytes));
        }
    }
}

#[test]
fn an_unchanged_file_is_not_read() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("t.jsonl", line(1) + "\n");
    let (mut cursor, mut reader, mut sink) =
        (Cursor::default(), LineReader::default(), CollectingSink::default());
    assert_eq!(
        cursor.read_new_records(&path, &mut reader, &mut sink).unwrap(),
        FileChange::Appended
    );
    assert_eq!(
        cursor.read_new_records(&path, &mut reader, &mut sink).unwrap(),
        FileChange::Unchanged
    );
    sandbox.append(&path, line(2) + "\n");
    assert_eq!(
        cursor.read_new_records(&path, &mut reader, &mut sink).unwrap(),
        FileChange::Appended
    );
    assert_eq!(sink.0.len(), 2);
}

#[test]
fn torn_last_line_is_left_for_the_next_read() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("t.jsonl", line(1) + "\n" + &line(2)[..9]);
    let (mut cursor, mut reader, mut sink) =
        (Cursor::default(), LineReader::default(), CollectingSink::default());
    cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    assert_eq!((sink.0.len(), cursor.offset()), (1, line(1).len() as u64 + 1));
    sandbox.append(&path, &line(2)[9..]);
    cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    assert_eq!((sink.0.len(), cursor.offset()), (2, line(1).len() as u64 + 1), "provisional");
    sandbox.append(&path, "\n");
    cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    assert_eq!(sink.0.len(), 2);
    assert!(cursor.offset() > line(1).len() as u64 + 1);
}

#[test]
fn a_retracted_line_rereads_one_checkpoint_range_and_not_the_file() {
    let sandbox = Sandbox::new();
    let lines: Vec<_> = (0..200).map(|number| line(number) + "\n").collect();
    let path = sandbox.write("t.jsonl", lines.concat());
    let (mut cursor, mut reader, mut sink) =
        (Cursor::with_spacing(256), LineReader::default(), CollectingSink::default());
    cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    let before = cursor.offset();
    sandbox.write("t.jsonl", lines[..199].concat() + &line(5) + "\n");
    let change = cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    let FileChange::RolledBack { to } = change else { panic!("{change:?}") };
    assert!(to > before - 2 * 256, "rolled back to {to} of {before}");
    assert_eq!(sink.0.len(), 200);
}

#[test]
fn a_missing_file_is_not_found_and_retracts_nothing() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("t.jsonl", line(1) + "\n");
    let (mut cursor, mut reader, mut sink) =
        (Cursor::default(), LineReader::default(), CollectingSink::default());
    cursor.read_new_records(&path, &mut reader, &mut sink).unwrap();
    fs::remove_file(&path).unwrap();
    let error = cursor.read_new_records(&path, &mut reader, &mut sink).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert_eq!(sink.0.len(), 1);
}
