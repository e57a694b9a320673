//! Which prompt cost most: a call belongs to the last prompt of its session
//! before it; so does an agent's call.

use super::fixture::{CWD, by, open, report, rows};
use conversation::{Conversation, View};
use library::usage::{Dimension, UsageReport};
use proptest::prelude::*;
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;
use testkit::{Line, Sandbox, call, metadata, session_id, user};
use usage::{Fold, UsageLine};

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

/// Input, cache reads, cache writes and output.
type Amounts = [u64; 4];

fn add(sum: &mut Amounts, more: Amounts) {
    for (own, more) in sum.iter_mut().zip(more) {
        *own += more;
    }
}

/// What the turns of a transcript used, and what its calls used that have a line in a turn.
fn used_in_turns(bytes: &[u8], is_agent: bool) -> (Amounts, Amounts) {
    let read = if is_agent { Conversation::read_agent } else { Conversation::read };
    let conversation = read(bytes, View::App);
    let mut ids = HashSet::new();
    for node in conversation.chain.iter().map(|id| conversation.graph.node(*id)) {
        for entry in transcript::entries(node.bytes) {
            let message = entry.record.message().filter(|message| message.usage.is_some());
            ids.extend(message.and_then(|message| Some(message.id.as_ref()?.to_string())));
        }
    }
    let mut turns = Amounts::default();
    for turn in &conversation.turns().turns {
        let tokens = turn.tokens;
        add(&mut turns, [tokens.input, tokens.cache_read, tokens.cache_write, tokens.output]);
    }
    let mut fold = Fold::default();
    for line in transcript::lines(bytes) {
        usage::read_line(line, |read| {
            if let UsageLine::Call(call) = read
                && call.message_id.as_ref().is_some_and(|id| ids.contains(&**id))
            {
                fold.note(0, &call);
            }
        });
    }
    let mut calls = Amounts::default();
    for call in fold.finish().calls {
        let used = call.counters;
        add(&mut calls, [used.input, used.read, used.write_5m + used.write_1h, used.output]);
    }
    (turns, calls)
}

proptest! {
    #[test]
    fn turns_use_what_their_calls_and_the_advisors_of_these_use(
        answers in prop::collection::vec((0..4_u8, 0..90_u64, 0..90_u64, any::<bool>()), 0..12),
    ) {
        let lines = answers.into_iter().map(|(id, output, advice, begins_turn)| {
            if begins_turn {
                return testkit::user("go on");
            }
            let advisor = json!({"type": "advisor_message", "model": "claude-opus-5-5",
                "input_tokens": advice, "cache_read_input_tokens": 3, "output_tokens": advice});
            let own = json!({"type": "message", "input_tokens": 7, "output_tokens": output});
            let usage = json!({"input_tokens": 7, "cache_read_input_tokens": 5,
                "cache_creation_input_tokens": 2, "output_tokens": output,
                "iterations": [own, advisor]});
            testkit::assistant("x").message("id", format!("m{id}")).message("usage", usage)
        });
        let (turns, calls) = used_in_turns(&testkit::file(&testkit::chained(lines)), false);
        prop_assert_eq!(turns, calls);
    }
}

#[test]
fn turns_of_real_transcripts_use_what_their_calls_use() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        println!("SKIPPED: no real transcripts at {}", corpus.display());
        return;
    }
    for path in super::real_transcripts::transcripts(corpus.join("projects")) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let (turns, calls) = used_in_turns(&bytes, name.starts_with("agent-"));
        assert_eq!(turns, calls, "{}", path.display());
    }
}
