//! Properties that hold for any bytes.

use proptest::prelude::*;
use transcript::{RecordKind, entries};

/// Good lines, parts of good lines, several on one line, and random bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let good = prop::sample::select(vec![
        r#"{"parentUuid":null,"type":"user","uuid":"a","message":{"role":"user","content":"hello"}}"#,
        r#"{"type":"custom-title","customTitle":"T\u00e9"}"#,
        r#"{"parentUuid":"a","type":"assistant","message":{"content":[{"type":"text","text":"x\ny"},{"type":"tool_use","input":{"k":["v"]}}],"usage":{"input_tokens":1}}}"#,
        r#"{"type":"novel","x":[[{}]]}"#,
        "",
    ])
    .prop_map(|text| text.as_bytes().to_vec());
    let cut = (good.clone(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(line, at, front)| {
            let at = at.index(line.len() + 1);
            if front { line[..at].to_vec() } else { line[at..].to_vec() }
        },
    );
    let noise =
        prop::collection::vec(any::<u8>().prop_filter("a line", |byte| *byte != b'\n'), 0..40);
    let glued = (good.clone(), cut.clone()).prop_map(|(mut one, two)| {
        one.extend(two);
        one
    });
    prop_oneof![4 => good, 2 => cut, 1 => noise, 1 => glued]
}

proptest! {
    #[test]
    fn entries_tile_any_file(lines in prop::collection::vec(line(), 0..12), newline in any::<bool>()) {
        let mut file = lines.join(&b'\n');
        if newline {
            file.push(b'\n');
        }
        let found: Vec<_> = entries(&file).collect();
        let mut rebuilt = Vec::new();
        for (number, entry) in found.iter().enumerate() {
            prop_assert_eq!(entry.offset, rebuilt.len() as u64);
            rebuilt.extend_from_slice(entry.bytes);
            if found.get(number + 1).map_or(file.ends_with(b"\n"), |next| next.line != entry.line) {
                rebuilt.push(b'\n');
            }
        }
        prop_assert_eq!(rebuilt, file);
    }

    #[test]
    fn both_parsers_agree_on_good_lines(text in ".{0,40}", number in any::<u32>(), flag in any::<bool>()) {
        // A duplicate of a known key is an error for the fast parser, so the second
        // line differs only in which parser reads it.
        let message = serde_json::json!({"role": "user", "content": [{"type": "text", "text": text}], "usage": {"input_tokens": number}});
        let fast = format!(r#"{{"uuid":"u","isMeta":{flag},"message":{message},"type":"user"}}"#);
        let slow = format!(r#"{{"uuid":"u","uuid":"u","isMeta":{flag},"message":{message},"type":"user"}}"#);
        let read = |line: &str| {
            let entry = entries(line.as_bytes()).next().expect("an entry");
            let problems = entry.problems.len();
            (format!("{:?} {:?}", entry.record.envelope, entry.record.message()), problems)
        };
        let (fast, slow) = (read(&fast), read(&slow));
        prop_assert_eq!((fast.1, slow.1), (0, 1));
        prop_assert_eq!(fast.0, slow.0);
    }

    #[test]
    fn an_owned_record_equals_the_record_it_was_copied_from(line in line()) {
        for entry in entries(&line) {
            let owned = entry.record.to_owned_record();
            prop_assert_eq!(format!("{:?}", owned.record()), format!("{:?}", entry.record));
        }
    }

    #[test]
    fn the_type_of_a_line_equals_the_type_of_its_record(line in line()) {
        let entry = entries(&line).next();
        let Some(entry) = entry.filter(|entry| entry.problems.is_empty()) else { return Ok(()) };
        prop_assert_eq!(RecordKind::of_line(&line), entry.record.kind);
    }
}
