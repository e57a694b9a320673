//! Which prompt cost most: a call belongs to the last prompt of its session
//! before it; so does an agent's call.

use super::fixture::{CWD, by, open, report, rows};
use library::{Dimension, UsageReport};
use testkit::{Line, Sandbox, call, metadata, session_id, user};

fn at(minute: u32) -> String {
    format!("2026-01-02T10:{minute:02}:00Z")
}

fn prompt(text: &str, minute: u32, session: u32) -> Line {
    user(text).at(&at(minute)).session(&session_id(session)).with("uuid", format!("{text}{minute}"))
}

fn answer(id: &str, output: u64, minute: u32) -> Line {
    call(id, [0, output, 0, 0]).at(&at(minute)).session(&session_id(1))
}

fn turns(sandbox: &Sandbox) -> UsageReport {
    report(&open(sandbox), &by(&[Dimension::Session, Dimension::Turn]))
}

/// Each prompt, with its calls and output.
fn row_texts(report: &UsageReport) -> Vec<String> {
    let rows = report.report.rows.iter().map(|(key, row)| {
        let session = key[0].clone().unwrap_or_default();
        let text =
            key[1].clone().and_then(|moment| report.prompts.get(&(session, moment)).cloned());
        format!("{}: {} out", text.as_deref().unwrap_or("-"), row.sums.counters.output)
    });
    rows.collect()
}

#[test]
fn calls_belong_to_the_prompt_before_them() {
    let sandbox = Sandbox::new();
    let lines = [
        answer("early", 1, 0),
        prompt("First", 1, 1),
        answer("a", 2, 1),
        answer("b", 4, 2),
        prompt("Second", 3, 1),
        answer("c", 8, 4),
        call("timeless", [0, 16, 0, 0]).without("timestamp"),
    ];
    sandbox.session(CWD, &session_id(1), lines);
    sandbox.agent(
        CWD,
        &session_id(1),
        "agent-a1",
        [
            prompt("The agent is asked", 2, 1).of_agent("a1"),
            answer("agent's", 32, 2).of_agent("a1"),
        ],
    );
    sandbox.agent(
        CWD,
        &session_id(1),
        "workflows/wf_1/agent-a2",
        [answer("workflow's", 64, 9).of_agent("a2")],
    );
    assert_eq!(row_texts(&turns(&sandbox)), ["-: 1 out", "First: 38 out", "Second: 88 out"]);
}

#[test]
fn queued_prompt_begins_a_turn() {
    let sandbox = Sandbox::new();
    let queued = metadata(
        "queue-operation",
        &[
            ("operation", "enqueue".into()),
            ("timestamp", at(3).into()),
            ("sessionId", session_id(1).into()),
            ("content", "Meanwhile".into()),
        ],
    );
    sandbox.session(
        CWD,
        &session_id(1),
        [prompt("First", 1, 1), answer("a", 2, 2), queued, answer("b", 4, 4)],
    );
    assert_eq!(row_texts(&turns(&sandbox)), ["First: 2 out", "Meanwhile: 4 out"]);
}

#[test]
fn fork_does_not_take_prompts_from_its_original() {
    let own = [prompt("First", 1, 1), answer("a", 2, 2), prompt("Second", 3, 1), answer("b", 4, 4)];
    // Whichever path comes first.
    for (original, fork) in [(1, 2), (2, 1)] {
        let sandbox = Sandbox::new();
        let lines = own.clone().map(|line| line.session(&session_id(original)));
        let forked = lines.clone().map(|line| line.forked_into(&session_id(fork)));
        sandbox.session(CWD, &session_id(original), lines);
        let more = [prompt("Third", 5, fork), answer("c", 8, 6)];
        sandbox.session(CWD, &session_id(fork), forked.into_iter().chain(more));
        let mut texts = row_texts(&turns(&sandbox));
        texts.sort();
        assert_eq!(texts, ["First: 2 out", "Second: 4 out", "Third: 8 out"], "{original}");
    }
}

#[test]
fn prompt_from_a_program_is_a_turn() {
    let sandbox = Sandbox::new();
    let asked = prompt("By a program", 1, 1).with("entrypoint", "sdk-ts");
    sandbox.session(CWD, &session_id(1), [asked, answer("a", 2, 2).with("entrypoint", "sdk-ts")]);
    assert_eq!(row_texts(&turns(&sandbox)), ["By a program: 2 out"]);
}

#[test]
fn sessions_do_not_share_turns() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [prompt("One", 1, 1), answer("a", 2, 3)]);
    sandbox.session(CWD, &session_id(2), [prompt("Two", 1, 2), answer("b", 4, 3)]);
    assert_eq!(row_texts(&turns(&sandbox)), ["One: 2 out", "Two: 4 out"]);
    let alone = rows(&report(&open(&sandbox), &by(&[Dimension::Turn])));
    assert_eq!(alone, ["2026-01-02T10:01:00Z: 2 calls, 6 out"]);
}
