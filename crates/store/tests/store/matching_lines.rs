//! Only the lines of a file that contain a text are read.

use memchr::memmem::Finder;
use std::fs::File;
use store::MatchingLineReader;
use testkit::Sandbox;

#[test]
fn only_matching_lines_are_passed_on_whole_with_their_offset() {
    let long = "x".repeat(600_000);
    let lines = [
        "needle".to_owned(),
        "none".into(),
        format!("{long}needle{long}"),
        "a needle needle".into(),
        long,
        "needle".into(),
    ];
    for ending in ["", "\n"] {
        let text = lines.join("\n") + ending;
        let sandbox = Sandbox::new();
        let path = sandbox.write("file.jsonl", &text);
        let mut file = File::open(path).unwrap();
        let mut found = Vec::new();
        MatchingLineReader::default()
            .read(&mut file, &Finder::new("needle"), |line| {
                let at = usize::try_from(line.offset).unwrap();
                assert_eq!(&text.as_bytes()[at..at + line.bytes.len()], line.bytes);
                found.push(line.bytes.len());
            })
            .unwrap();
        assert_eq!(found, [6, lines[2].len(), 15, 6]);
    }
}

#[test]
fn an_empty_text_matches_every_line() {
    for text in ["", "\n", "a\nb\n", "a\n\nb"] {
        let sandbox = Sandbox::new();
        let path = sandbox.write("file.jsonl", text);
        let mut count = 0;
        let mut reader = MatchingLineReader::default();
        reader.read(&mut File::open(path).unwrap(), &Finder::new(""), |_| count += 1).unwrap();
        assert_eq!(count, text.lines().count(), "{text:?}");
    }
}
