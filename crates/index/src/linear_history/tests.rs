//! Linear histories beside the conversations that they imply.

use super::*;
use conversation::{Conversation, MessageState, TurnNumber, View};
use std::io::Write as _;

/// The history of a transcript, if it is linear.
fn history(bytes: &[u8], is_agent: bool) -> Option<LinearHistory> {
    let mut history = LinearHistory::default();
    for entry in transcript::entries(bytes) {
        if !history.note(&entry, is_agent) {
            return None;
        }
        let (packed, seen) = (history.pack(), history.pack_seen());
        assert_eq!(LinearHistory::unpack(&packed, &seen), Some(history.clone()));
    }
    Some(history)
}

/// Checks that the conversation gives each message of a linear transcript the state
/// that the history implies; returns whether it is linear.
fn check(name: &str, bytes: &[u8], is_agent: bool) -> bool {
    let Some(history) = history(bytes, is_agent) else { return false };
    let conversation = if is_agent {
        Conversation::read_agent(bytes, View::App)
    } else {
        Conversation::read(bytes, View::App)
    };
    for entry in transcript::entries(bytes) {
        let envelope = &entry.record.envelope;
        let has_text = !transcript::text::of_record(&entry.record).is_empty();
        let Some(uuid) = envelope.uuid.as_ref().filter(|_| has_text) else { continue };
        if envelope.is_sidechain && !is_agent {
            continue;
        }
        let Some(id) = conversation.graph.find(uuid.as_str()) else { continue };
        let is_past = history.compacted.is_some_and(|compacted| entry.offset < compacted);
        let expected = if is_past { MessageState::Compacted } else { MessageState::Live };
        let turn = history.turns.turn_at(entry.offset).map(TurnNumber::Main);
        let numbered = conversation.turn_of(id);
        assert!(
            turn.is_none() || numbered.is_none() || turn == numbered,
            "{name} line {}: turn {turn:?}, not {numbered:?}",
            entry.line
        );
        let found = conversation.state(id).filter(|_| entry.record.kind != RecordKind::Attachment);
        assert!(
            found.is_none() || found == Some(expected),
            "{name} line {} {:?}: {found:?}, not {expected:?}",
            entry.line,
            entry.record.kind
        );
    }
    true
}

#[test]
fn missing_parents_do_not_break_linearity() {
    use testkit::{Line, assistant, system, user};
    let prompt = |uuid: &str, parent: Option<&str>| user(uuid).link(uuid, parent);
    let boundary = |uuid: &str, logical: Option<&str>| {
        let record = system("compact_boundary").link(uuid, None);
        match logical {
            Some(logical) => record.with("logicalParentUuid", logical),
            None => record,
        }
    };
    let summary =
        |uuid: &str, parent: &str| prompt(uuid, Some(parent)).with("isCompactSummary", true);
    let begin =
        || vec![prompt("a", None), assistant("b").link("b", Some("a")), prompt("c", Some("b"))];
    let compacted = |logical: Option<&str>| {
        let mut lines = begin();
        lines.extend([boundary("x", logical), summary("s", "x"), prompt("d", Some("s"))]);
        lines
    };
    let with = |mut lines: Vec<Line>, more: Vec<Line>| {
        lines.extend(more);
        lines
    };
    let cases: [(&str, Vec<Line>, bool); 10] = [
        ("linear", begin(), true),
        ("a first line that follows one elsewhere", vec![prompt("a", Some("z"))], true),
        ("which comes after all", vec![prompt("a", Some("z")), prompt("z", Some("a"))], false),
        ("a compaction after the last", compacted(Some("c")), true),
        ("after one that is not there", compacted(Some("z")), true),
        ("after one that is not named", compacted(None), true),
        ("after an earlier one", compacted(Some("b")), false),
        ("after itself", compacted(Some("x")), false),
        (
            "after one that comes later",
            with(compacted(Some("z")), vec![prompt("z", Some("d"))]),
            false,
        ),
        (
            "twice",
            with(
                compacted(Some("z")),
                vec![boundary("y", Some("w")), summary("t", "y"), prompt("e", Some("t"))],
            ),
            true,
        ),
    ];
    for (name, lines, is_linear) in cases {
        assert_eq!(check(name, &testkit::file(&lines), false), is_linear, "{name}");
    }
}

#[test]
fn damaged_line_breaks_linearity_only_if_its_ids_can_be_read() {
    use testkit::{assistant, user};
    let first = user("one").link("a", None).to_string();
    let damaged = r#"{"parentUuid":"a","message":cut,"uuid":"b"}"#;
    let after = |parent: &str| assistant("two").link("c", Some(parent)).to_string();
    let boundary = testkit::system("compact_boundary").link("x", None);
    let glued = format!("no JSON at all{boundary}");
    let cases = [
        ("the conversation goes through it", [&first, damaged, &after("b")].join("\n"), false),
        ("nobody names it", [&first, damaged, &after("a")].join("\n"), false),
        ("it has no ids", [&first, "{\"message\":cut", &after("a")].join("\n"), true),
        ("it is still being written", [&first, damaged].join("\n"), true),
        (
            "a compaction follows on the same line",
            [first.as_str(), &glued, &after("x")].join("\n"),
            false,
        ),
    ];
    for (name, text, is_linear) in cases {
        let end = if name.starts_with("it is still") { "" } else { "\n" };
        assert_eq!(check(name, format!("{text}{end}").as_bytes(), false), is_linear, "{name}");
    }
}

/// A line of a kind, with the number of its uuid and of its parent's: mostly the last
/// line, else any line, also a missing one.
fn generated_line(
    position: usize,
    kind: u8,
    own: usize,
    after: Option<usize>,
    message: u8,
) -> testkit::Line {
    use testkit::{assistant, system, tool_result, tool_use, user};
    let uuid = format!("u{own}");
    let parent = after.map(|after| format!("u{after}"));
    let id = format!("m{message}");
    let line = match kind {
        0 | 1 => user(&format!("prompt {position}")),
        15 => user(&format!("summary {position}")).with("isCompactSummary", true),
        16 => {
            let line = user(&format!("summary {position}")).with("isCompactSummary", true);
            return line.link(&uuid, None);
        }
        2 | 3 => assistant(&format!("answer {position}")).message("id", id),
        4 => tool_use(&format!("t{position}"), "Bash", &serde_json::json!({})).message("id", id),
        5 | 6 => tool_result(&format!("t{}", position.saturating_sub(1)), "done"),
        7 => system("informational"),
        8 => user(&format!("aside {position}")).with("isSidechain", true),
        9 => testkit::attachment(&serde_json::json!({"type": "todo_reminder"})),
        10 => user("").with("type", "progress").without("message"),
        17 | 18 => {
            let prompt = format!("queued {position}");
            let command = serde_json::json!({"type": "queued_command", "prompt": prompt});
            testkit::attachment(&command)
        }
        19 => {
            let command = serde_json::json!({"type": "queued_command", "prompt": "again",
                "source_uuid": format!("u{}", position + usize::from(message))});
            testkit::attachment(&command)
        }
        11 | 12 => {
            let line = testkit::metadata("last-prompt", &[]);
            let line = line.with("leafUuid", parent);
            return if message == 0 { line.with("explicit", true) } else { line };
        }
        _ => {
            let line = system("compact_boundary").link(&uuid, None);
            return match parent {
                Some(parent) => line.with("logicalParentUuid", parent),
                None => line,
            };
        }
    };
    line.link(&uuid, parent.as_deref())
}

#[test]
fn turns_of_queued_commands_are_those_of_the_conversation() {
    let line = generated_line;
    let late_part_of_a_message = [
        line(0, 0, 0, None, 0),
        line(1, 2, 1, Some(0), 0),
        line(2, 17, 2, Some(1), 0),
        line(3, 17, 3, Some(2), 0),
        line(4, 2, 4, Some(1), 0),
    ];
    check("a late part of a message", &testkit::file(&late_part_of_a_message), false);
    let command_of_an_earlier_line =
        [line(0, 0, 3, None, 0), line(1, 19, 1, Some(3), 2), line(2, 2, 2, Some(1), 0)];
    check("a command of an earlier line", &testkit::file(&command_of_an_earlier_line), false);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(10_000))]

    #[test]
    fn linear_history_agrees_with_the_conversation_for_any_lines(
        lines in proptest::collection::vec((0_u8..20, 0_u8..24, 0_usize..14, 0_u8..3), 1..12),
        glued in proptest::collection::vec(proptest::bool::weighted(0.1), 12),
        is_agent in proptest::prelude::any::<bool>(),
    ) {
        let mut last = None;
        let mut generated = Vec::new();
        for (position, (kind, odd, other, message)) in lines.into_iter().enumerate() {
            // A few repeat a uuid, or have any parent or none.
            let own = if odd == 0 { other } else { position };
            let after = match odd {
                1..=3 => Some(other),
                4 => None,
                _ => last,
            };
            generated.push(generated_line(position, kind, own, after, message));
            if !matches!(kind, 8 | 11 | 12) {
                last = Some(own);
            }
        }
        let mut text = String::new();
        for (line, is_glued) in generated.iter().zip(glued) {
            text.push_str(&line.to_string());
            text.push_str(if is_glued { "" } else { "\n" });
        }
        check("generated", text.as_bytes(), is_agent);
    }
}

#[test]
fn linear_history_agrees_with_the_conversation_for_the_corpus() {
    let corpus =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        // Not through `println!`, which a passing test hides.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no corpus at {}", corpus.display());
        return;
    }
    let (mut linear, mut all) = (0, 0);
    let mut folders = vec![corpus.join("projects")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "jsonl") {
                let name = entry.file_name().to_string_lossy().into_owned();
                let bytes = std::fs::read(&path).expect("a file");
                all += 1;
                linear += usize::from(check(&name, &bytes, name.starts_with("agent-")));
            }
        }
    }
    assert!(linear * 2 > all, "{linear} of {all} transcripts are linear");
}
