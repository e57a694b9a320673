//! Long and hostile transcripts: every rule must take linear time. Nothing here
//! measures time; with a quadratic rule these tests would not end.

use conversation::{Conversation, View};
use std::fmt::Write as _;

const MANY: usize = 100_000;

/// The number of messages in a view.
fn count(text: &str, view: View) -> usize {
    Conversation::read(text.as_bytes(), view).messages.len()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{}", line(number));
        text
    })
}

#[test]
fn a_chain_of_a_hundred_thousand_lines_is_walked() {
    let text = lines(MANY, |number| {
        let parent = number.checked_sub(1).map_or("gone".to_owned(), |above| above.to_string());
        format!(r#"{{"type":"user","uuid":"{number}","parentUuid":"{parent}"}}"#)
    });
    assert_eq!(count(&text, View::Sdk), MANY);
    assert_eq!(count(&text, View::App), MANY);
}

#[test]
fn many_children_of_one_parent() {
    let text = format!("{}\n", r#"{"type":"user","uuid":"a"}"#)
        + &lines(MANY, |number| format!(r#"{{"type":"user","uuid":"{number}","parentUuid":"a"}}"#));
    assert_eq!(count(&text, View::Sdk), 2);
}

#[test]
fn many_results_of_one_call() {
    let text = lines(MANY, |number| {
        let content = r#"[{"type":"tool_result","tool_use_id":"t"}]"#;
        let parent = if number % 2 == 0 { "a" } else { "gone" };
        format!(
            r#"{{"type":"user","uuid":"{number}","parentUuid":"{parent}","message":{{"content":{content}}}}}"#
        )
    }) + r#"{"type":"assistant","uuid":"a","message":{"id":"m","content":[{"type":"tool_use","id":"t"}]}}"#
        + "\n"
        + r#"{"type":"user","uuid":"z","parentUuid":"a"}"#;
    assert_eq!(count(&text, View::Sdk), MANY / 2 + 2);
}

#[test]
fn many_lines_of_one_response_that_repeat_a_call() {
    let call = r#"{"id":"m","content":[{"type":"tool_use","id":"t"}]}"#;
    let text = lines(MANY / 2, |number| {
        format!(r#"{{"type":"assistant","uuid":"{number}","message":{call}}}"#)
    }) + &lines(MANY / 2, |number| {
        let content = r#"[{"type":"tool_result","tool_use_id":"t"}]"#;
        format!(
            r#"{{"type":"user","uuid":"r{number}","parentUuid":"gone","message":{{"content":{content}}}}}"#
        )
    }) + r#"{"type":"user","uuid":"z","parentUuid":"0"}"#;
    assert_eq!(count(&text, View::Sdk), MANY / 2 + 2);
}

#[test]
fn many_boundaries_that_move_many_lines() {
    const BOUNDARIES: usize = 1_000;
    let below = lines(MANY / 2, |number| {
        format!(r#"{{"type":"user","uuid":"{number}","parentUuid":"b0"}}"#)
    });
    let boundaries = lines(BOUNDARIES, |number| {
        let segment = format!(
            r#"{{"headUuid":"gone","anchorUuid":"b{number}","tailUuid":"b{}"}}"#,
            number + 1
        );
        format!(
            r#"{{"type":"system","subtype":"compact_boundary","uuid":"b{number}","compactMetadata":{{"preservedSegment":{segment}}}}}"#
        )
    });
    let text = below + &boundaries + "{\"type\":\"user\",\"uuid\":\"b1000\"}\n";
    assert_eq!(count(&text, View::Sdk), 2);
}

#[test]
fn many_boundaries_one_behind_the_other() {
    const BOUNDARIES: usize = 1_000;
    let text = lines(BOUNDARIES, |number| {
        let before = number.checked_sub(1).map(|number| format!("{number}-49"));
        let boundary = format!(
            r#"{{"type":"system","subtype":"compact_boundary","uuid":"b{number}","logicalParentUuid":"{}"}}"#,
            before.unwrap_or_default()
        );
        let messages = lines(50, |line| {
            let parent = line.checked_sub(1).map(|line| format!("{number}-{line}"));
            let parent = parent.unwrap_or_else(|| format!("b{number}"));
            format!(r#"{{"type":"user","uuid":"{number}-{line}","parentUuid":"{parent}"}}"#)
        });
        boundary + "\n" + messages.trim_end()
    });
    assert_eq!(count(&text, View::App), 50);
}

#[test]
fn a_long_chain_of_progress_in_either_order() {
    let progress = |number: usize| {
        let parent = number.checked_sub(1).map_or("a".to_owned(), |above| above.to_string());
        format!(r#"{{"type":"progress","uuid":"{number}","parentUuid":"{parent}"}}"#)
    };
    let ends = format!(
        "{}\n{}\n",
        r#"{"type":"user","uuid":"a"}"#,
        format_args!(r#"{{"type":"assistant","uuid":"b","parentUuid":"{}"}}"#, MANY - 1)
    );
    assert_eq!(count(&(lines(MANY, progress) + &ends), View::App), 2);
    let backwards = lines(MANY, |number| progress(MANY - 1 - number));
    assert_eq!(count(&(backwards + &ends), View::App), 2);
}

#[test]
fn a_cycle_of_progress_lines_ends() {
    let text = lines(MANY, |number| {
        let parent = (number + 1) % MANY;
        format!(r#"{{"type":"progress","uuid":"{number}","parentUuid":"{parent}"}}"#)
    }) + "{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":\"7\"}\n";
    assert_eq!(count(&text, View::App), 1);
}

#[test]
fn many_queued_commands_in_a_row_and_side_by_side() {
    let queued = |number: usize, parent: &str| {
        let attachment = r#"{"type":"queued_command","prompt":"x"}"#;
        format!(
            r#"{{"type":"attachment","uuid":"{number}","parentUuid":"{parent}","attachment":{attachment}}}"#
        )
    };
    let first = "{\"type\":\"user\",\"uuid\":\"a\"}\n";
    let row = lines(MANY / 2, |number| {
        let parent = number.checked_sub(1).map_or("a".to_owned(), |above| above.to_string());
        queued(number, &parent)
    });
    let all = MANY / 2 + 1;
    assert_eq!(count(&(first.to_owned() + &row), View::Sdk), all);
    let side_by_side = lines(MANY / 2, |number| queued(number, "a"));
    assert_eq!(count(&(first.to_owned() + &side_by_side), View::Sdk), all);
}
