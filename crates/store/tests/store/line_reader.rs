//! Lines are passed on whole, whatever the size of the buffer.

use store::{LineReader, Position, open_regular};
use testkit::Sandbox;
use transcript::LineEnd;

/// Larger than the buffer grows in one step.
const LONG: usize = 700_000;

type Seen = (u64, u64, Vec<u8>, LineEnd);

fn read(
    reader: &mut LineReader,
    bytes: &[u8],
    start: Position,
    most: usize,
) -> (Vec<Seen>, Position) {
    let sandbox = Sandbox::new();
    let (mut file, _) = open_regular(&sandbox.write("x.jsonl", bytes)).unwrap();
    let mut seen = Vec::new();
    let end = reader.read(&mut file, start, |line| {
        seen.push((line.number, line.offset, line.bytes.to_vec(), line.end));
        seen.len() < most
    });
    (seen, end.unwrap())
}

fn whole(bytes: &[u8]) -> Vec<Seen> {
    transcript::lines(bytes)
        .map(|line| (line.number, line.offset, line.bytes.to_vec(), line.end))
        .collect()
}

#[test]
fn lines_are_those_of_the_whole_file() {
    let long = "x".repeat(LONG);
    let step = "y".repeat(256 * 1024);
    let table = [
        String::new(),
        "\n".to_owned(),
        "a".to_owned(),
        "a\nb\n".to_owned(),
        "a\n\nb".to_owned(),
        format!("a\n{long}\nb\n"),
        format!("{long}\n{long}\n{long}"),
        format!("{step}\nb\n"),
        format!("{}\n\n{step}", &step[1..]),
        "short\n".repeat(100_000),
    ];
    // One reader for all: leftovers of an earlier file must not show.
    let mut reader = LineReader::default();
    for text in table {
        let (seen, end) = read(&mut reader, text.as_bytes(), Position::START, usize::MAX);
        assert!(seen == whole(text.as_bytes()), "{} bytes", text.len());
        let resume = text.rfind('\n').map_or(0, |at| at as u64 + 1);
        let lines = text.matches('\n').count() as u64;
        assert_eq!(end, Position { offset: resume, line: lines + 1 }, "{} bytes", text.len());
    }
}

#[test]
fn the_position_stays_before_a_last_line_without_a_newline() {
    let (seen, end) = read(&mut LineReader::default(), b"{}\n{\"torn", Position::START, usize::MAX);
    assert_eq!(seen[1], (2, 3, b"{\"torn".to_vec(), LineEnd::EndOfInput));
    assert_eq!(end, Position { offset: 3, line: 2 });
}

#[test]
fn stopping_early_returns_the_position_to_continue_from() {
    let long = "x".repeat(LONG);
    let text = format!("a\n{long}\nb\nc\n");
    let all = whole(text.as_bytes());
    for most in 1..=4 {
        let mut reader = LineReader::default();
        let (mut seen, middle) = read(&mut reader, text.as_bytes(), Position::START, most);
        assert_eq!(seen.len(), most);
        let (rest, end) = read(&mut reader, text.as_bytes(), middle, usize::MAX);
        seen.extend(rest);
        assert!(seen == all, "stopped after {most}");
        assert_eq!(end, Position { offset: text.len() as u64, line: 5 });
    }
}

#[test]
fn reading_from_beyond_the_end_yields_nothing() {
    let start = Position { offset: 99, line: 7 };
    assert_eq!(read(&mut LineReader::default(), b"a\n", start, usize::MAX), (Vec::new(), start));
}
