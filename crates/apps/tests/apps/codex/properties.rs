//! Properties of reading: in pieces as whole, any bytes, places.

use apps::codex::{HeaderReader, Name, Reader, decompress, parse_session_index, usage_of};
use apps::{Read, Session, read_whole};
use proptest::prelude::*;

const THREADS: [&str; 3] = [
    "01900000-0000-7000-8000-00000000000a",
    "01900000-0000-7000-8000-00000000000b",
    "01900000-0000-7000-8000-00000000000c",
];

/// Lines of all kinds, with few different values so that they meet.
fn line() -> impl Strategy<Value = String> {
    let payload = (0_usize..20, 0_u32..4, 0_usize..3).prop_map(|(kind, number, thread)| {
        let thread = THREADS[thread];
        let counts = format!(r#"{{"input_tokens":{number},"output_tokens":{number}}}"#);
        match kind {
            0 => ("session_meta", format!(r#"{{"id":"{thread}","cwd":"/m{number}","git":{{"branch":"b{number}"}}}}"#)),
            1 => ("session_meta", format!(r#"{{"id":"{thread}","forked_from_id":"{}"}}"#, THREADS[0])),
            2 => ("session_meta", format!(r#"{{"id":"{thread}","history_base":{{"thread_id":"x","end_byte_offset":{number}}}}}"#)),
            3 => ("turn_context", format!(r#"{{"turn_id":"{thread}","model":"m{number}","cwd":"/{number}"}}"#)),
            4 => ("event_msg", format!(r#"{{"type":"task_started","turn_id":"{thread}"}}"#)),
            5 => ("event_msg", r#"{"type":"task_complete"}"#.to_owned()),
            6 => ("event_msg", format!(r#"{{"type":"user_message","message":"t{number}"}}"#)),
            7 => ("event_msg", format!(r#"{{"type":"agent_message","message":"t{number}"}}"#)),
            8 => ("event_msg", format!(r#"{{"type":"token_count","info":{{"total_token_usage":{counts},"last_token_usage":{counts}}}}}"#)),
            9 => ("event_msg", format!(r#"{{"info":{{"total_token_usage":{counts}}},"type":"token_count"}}"#)),
            10 => ("token_usage_record", format!(r#"{{"response_id":"r{number}","usage":{counts},"thread_token_usage":{counts}}}"#)),
            11 => ("response_item", format!(r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"t{number}"}}]}}"#)),
            12 => ("response_item", format!(r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"t{number}"}}]}}"#)),
            13 => ("response_item", format!(r#"{{"type":"function_call","name":"f","arguments":"{{}}","call_id":"c{number}"}}"#)),
            14 => ("response_item", format!(r#"{{"type":"function_call_output","call_id":"c{number}","output":"o"}}"#)),
            15 => ("event_msg", format!(r#"{{"type":"exec_command_end","call_id":"c{number}","exit_code":{number}}}"#)),
            16 => ("event_msg", format!(r#"{{"type":"thread_rolled_back","num_turns":{number}}}"#)),
            17 => ("event_msg", format!(r#"{{"type":"item_completed","item":{{"type":"UserMessage","content":[{{"type":"text","text":"t{number}"}}]}}}}"#)),
            18 => ("compacted", r#"{"message":"s"}"#.to_owned()),
            _ => ("unheard_of", "[]".to_owned()),
        }
    });
    (payload, 0_u32..60, 0_u32..12).prop_map(|((kind, payload), second, form)| {
        let time = format!("2026-01-31T12:00:{second:02}Z");
        let whole = match form {
            0 => format!(r#"{{"type":"{kind}","payload":{payload},"timestamp":"{time}"}}"#),
            1 => format!(r#" {{"timestamp":"{time}", "type":"{kind}","payload":{payload}}} "#),
            2 => format!(
                r#"{{"timestamp":"{time}","ordinal":{second},"type":"{kind}","payload":{payload}}}"#
            ),
            _ => format!(r#"{{"timestamp":"{time}","type":"{kind}","payload":{payload}}}"#),
        };
        match form {
            3 => whole.chars().take(40).collect(),
            _ => whole,
        }
    })
}

/// Files of such lines. Some lines lack their line break, so that objects are glued.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let ends = prop_oneof![8 => Just("\n"), 1 => Just(""), 1 => Just("\r\n"), 1 => Just("\n\n")];
    prop::collection::vec((line(), ends), 0..40)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect::<String>())
        .prop_map(String::into_bytes)
}

fn read_in_pieces(bytes: &[u8], ends: &[usize]) -> Session {
    let mut reader = Reader::default();
    let mut used = 0;
    let mut ends: Vec<usize> = ends.iter().map(|end| end % (bytes.len() + 1)).collect();
    ends.sort_unstable();
    for end in ends.into_iter().chain([bytes.len()]) {
        if end > used {
            used += reader.read_on(&bytes[used..end]);
        }
    }
    if used < bytes.len() {
        reader.read_last(&bytes[used..]);
    }
    reader.into_session()
}

fn check_places(bytes: &[u8], session: &Session) -> Result<(), TestCaseError> {
    let mut latest = (0, 0);
    for entry in &session.entries {
        let place = entry.place;
        prop_assert!((place.line, place.offset) >= latest);
        prop_assert!(place.bytes > 0);
        prop_assert!(place.offset + place.bytes <= bytes.len() as u64);
        latest = (place.line, place.offset);
    }
    for call in &session.api_calls {
        prop_assert!(call.entry < session.entries.len());
    }
    Ok(())
}

fn check_usage(bytes: &[u8], session: &Session) -> Result<(), TestCaseError> {
    let fast: Vec<_> = usage_of(bytes)
        .into_iter()
        .map(|call| (call.key, call.place, call.time, call.model, call.tokens, call.workplace))
        .collect();
    let slow: Vec<_> = session
        .api_calls
        .iter()
        .map(|call| {
            let place = session.entries[call.entry].place;
            let workplace = call.workplace.clone();
            (call.key.clone(), place, call.time, call.model.clone(), call.tokens, workplace)
        })
        .collect();
    prop_assert_eq!(fast, slow);
    Ok(())
}

proptest! {
    #[test]
    fn reading_in_pieces_gives_the_session_of_reading_whole(
        bytes in file(),
        ends in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        prop_assert_eq!(read_in_pieces(&bytes, &ends), read_whole::<Reader>(&bytes));
    }

    #[test]
    fn entries_lie_within_the_file_in_its_order(bytes in file()) {
        check_places(&bytes, &read_whole::<Reader>(&bytes))?;
    }

    #[test]
    fn every_line_has_an_entry(bytes in file()) {
        let session = read_whole::<Reader>(&bytes);
        let lines = bytes.split(|byte| *byte == b'\n');
        let full = lines.filter(|line| !line.trim_ascii().is_empty()).count();
        let mut numbers: Vec<u64> = session.entries.iter().map(|entry| entry.place.line).collect();
        numbers.dedup();
        prop_assert_eq!(numbers.len(), full);
    }

    #[test]
    fn the_fast_form_finds_the_calls_of_the_reader(bytes in file()) {
        check_usage(&bytes, &read_whole::<Reader>(&bytes))?;
    }

    #[test]
    fn reading_for_a_list_finds_the_header_that_reading_whole_finds(bytes in file()) {
        // The beginning of a file is read whole.
        let time = r#"{"timestamp":"2026-01-31T12:00:00Z","type":"event_msg","payload":{"type":"#;
        let beginning = format!(
            "{time}\"user_message\",\"message\":\"first\"}}}}\n\
             {time}\"agent_message\",\"message\":\"{}\"}}}}\n",
            "x".repeat(17_000)
        );
        let bytes = [beginning.as_bytes(), &bytes].concat();
        let fast = read_whole::<HeaderReader>(&bytes).header;
        let slow = read_whole::<Reader>(&bytes).header;
        prop_assert_eq!(
            (fast.id, fast.directory, fast.branch, fast.title, fast.lineage),
            (slow.id, slow.directory, slow.branch, slow.title, slow.lineage)
        );
    }

    #[test]
    fn entries_of_a_reported_call_have_its_key(bytes in file()) {
        let session = read_whole::<Reader>(&bytes);
        let keys: Vec<&str> = session.api_calls.iter().map(|call| call.key.as_str()).collect();
        for response in session.entries.iter().filter_map(|entry| entry.response.as_deref()) {
            prop_assert!(response.starts_with("line:") || keys.contains(&response));
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let session = read_whole::<Reader>(&bytes);
        check_places(&bytes, &session)?;
        check_usage(&bytes, &session)?;
        parse_session_index(&bytes);
        let _ = decompress(&bytes, 1_000);
    }

    #[test]
    fn a_damaged_byte_harms_nothing(
        mut bytes in file(),
        at in any::<usize>(),
        byte in any::<u8>(),
    ) {
        if !bytes.is_empty() {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let session = read_whole::<Reader>(&bytes);
        check_places(&bytes, &session)?;
        check_usage(&bytes, &session)?;
    }

    #[test]
    fn any_name_is_taken_apart_or_refused(name in "(rollout-)?[-0-9T]{0,22}[-_a-fä]{0,9}(.jsonl)?(.zst)?") {
        if let Some(parts) = Name::parse(&name) {
            prop_assert!(name.contains(&parts.thread) && name.contains(parts.id()));
        }
    }
}
