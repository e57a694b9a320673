//! Lines that are larger than readers accept.

use proptest::prelude::*;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use store::{Cursor, FileChange, Files, LargeLine, LargeLines, LineReader, LineSink, Position};
use testkit::Sandbox;
use transcript::{LARGEST_LINE, Line, large_line_bytes};

/// The lines of a sink, by offset.
#[derive(Default)]
struct Lines(Vec<(u64, u64, Vec<u8>)>);

impl LineSink for Lines {
    fn line(&mut self, line: Line<'_>) -> bool {
        self.0.push((line.offset, line.number, line.bytes.to_vec()));
        true
    }

    fn retract(&mut self, from: u64) {
        self.0.retain(|(offset, ..)| *offset < from);
    }
}

proptest! {
    /// Reading a file in any two pieces gives the same as reading it whole, and the bytes of large
    /// lines count: a change in one is noticed.
    #[test]
    fn files_with_large_lines_are_read_on_from_anywhere(
        sizes in prop::collection::vec(0_usize..200, 1..8),
        cut in any::<prop::sample::Index>(),
        changed in any::<prop::sample::Index>(),
    ) {
        let sandbox = Sandbox::new();
        let path = sandbox.path().join("lines.jsonl");
        let text = sizes.iter().fold(String::new(), |text, size| {
            text + "{\"a\":\"" + &"x".repeat(*size) + "\"}\n"
        });
        let cut = cut.index(text.len() + 1);
        fs::write(&path, &text[..cut]).unwrap();
        let mut reader = LineReader::with_largest_line(64);
        let (mut cursor, mut lines) = (Cursor::with_spacing(100), Lines::default());
        cursor.read_new_lines(&path, &mut reader, &mut lines).unwrap();
        fs::write(&path, &text).unwrap();
        cursor.force_next_read();
        let change = cursor.read_new_lines(&path, &mut reader, &mut lines).unwrap();
        let is_same_end = cut == text.len();
        prop_assert!(is_same_end || change == FileChange::Appended, "{:?}", change);
        let mut whole = Lines::default();
        Cursor::with_spacing(100).read_new_lines(&path, &mut reader, &mut whole).unwrap();
        prop_assert_eq!(&lines.0, &whole.0);
        prop_assert_eq!(whole.0.len(), sizes.len());
        // One changed byte anywhere, and one more line: what follows it is read again.
        let mut bytes = text.clone().into_bytes();
        let place = changed.index(bytes.len());
        if bytes[place] == b'x' {
            bytes[place] = b'y';
        }
        fs::write(&path, &bytes).unwrap();
        cursor.force_next_read();
        cursor.read_new_lines(&path, &mut reader, &mut lines).unwrap();
        let mut whole = Lines::default();
        Cursor::with_spacing(100).read_new_lines(&path, &mut reader, &mut whole).unwrap();
        prop_assert_eq!(&lines.0, &whole.0);
    }
}

#[test]
fn sparse_line_of_three_gigabytes_is_noted_with_its_place() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("sparse.jsonl");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"{\"type\":\"mode\"}\n").unwrap();
    let size = 3 << 30;
    file.seek(SeekFrom::Start(16 + size)).unwrap();
    file.write_all(b"\n{\"type\":\"mode\"}\n").unwrap();
    let large_lines = LargeLines::default();
    let mut open = Files::disk().noting(&large_lines).open(&path).unwrap();
    let mut lines = Vec::new();
    let mut reader = LineReader::default();
    let end = reader.read(&mut open, Position::START, |line| {
        lines.push((line.number, line.offset, large_line_bytes(line.bytes)));
        true
    });
    assert_eq!(lines, [(1, 0, None), (2, 16, Some(size)), (3, 17 + size, None)]);
    assert_eq!(end.unwrap(), Position { offset: size + 33, line: 4 });
    let noted = large_lines.of(&path);
    assert_eq!(noted, [LargeLine { path, offset: 16, line: 2, bytes: size }]);
    assert_eq!(noted[0].to_string(), "line 2 is too large: 3072 MiB (limit 64 MiB)");
    assert!(size > LARGEST_LINE as u64);
}
