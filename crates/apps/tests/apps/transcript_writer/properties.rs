//! Any session: what the engine shows of its transcript is what the session has.

use crate::transcript_writer::support::check;
use apps::transcript_writer::SourceEntry;
use apps::{
    ApiCall, App, CallInput, ChangeKind, Entry, EntryKind, EntryState, FileChange, Header, Place,
    Session, TokenCounts,
};
use jiff::Timestamp;
use proptest::prelude::*;

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ]{0,12}",
        1 => "\\PC{0,8}",
        1 => proptest::sample::select(vec![
            "", "/compact", "<tag>x</tag>", "[Request interrupted by user]", "\0\u{1b}[0m",
            "\u{2028}\n\r", "<command-name>/x</command-name>",
        ]).prop_map(str::to_owned),
    ]
}

fn id() -> impl Strategy<Value = String> {
    "[ab]{0,2}(~2)?"
}

fn change() -> impl Strategy<Value = FileChange> {
    let kinds = vec![ChangeKind::Write, ChangeKind::Edit, ChangeKind::Delete, ChangeKind::Move];
    let diff = prop_oneof![
        words(),
        "(crate::( -[0-9],[0-9] [+][0-9] crate::)?\n([-+ ][ab]?\n){0,4}){0,3}"
    ];
    let text = || proptest::option::of(words());
    (words(), proptest::sample::select(kinds), text(), proptest::option::of(diff), text()).prop_map(
        |(path, kind, moved_to, diff, content)| FileChange { path, kind, moved_to, diff, content },
    )
}

fn kind() -> impl Strategy<Value = EntryKind> {
    let json = proptest::sample::select(vec!["{}", "{\"a\":\n1}", "{", "[]", "\"x\"", "null", ""]);
    let input = prop_oneof![
        json.prop_map(|json| CallInput::Json(json.to_owned())),
        words().prop_map(CallInput::Text),
    ];
    prop_oneof![
        3 => words().prop_map(EntryKind::Prompt),
        3 => words().prop_map(EntryKind::Text),
        1 => words().prop_map(EntryKind::Thinking),
        3 => (id(), words(), input).prop_map(|(id, tool, input)| EntryKind::Call { id, tool, input }),
        3 => (
            (id(), words(), any::<bool>()),
            (proptest::option::of(-1_i64..3), proptest::collection::vec(change(), 0..3))
        ).prop_map(
            |((call, text, is_error), (exit_code, changes))| {
                EntryKind::Result { call, text, is_error, exit_code, changes }
            }
        ),
        1 => ("[a-z/]{0,6}", 0_u64..3).prop_map(|(kind, bytes)| EntryKind::Attachment { kind, bytes }),
        1 => words().prop_map(EntryKind::Compaction),
        1 => Just(EntryKind::Interruption),
        1 => words().prop_map(EntryKind::Error),
        1 => (words(), "[a-z ]{0,12}").prop_map(|(kind, text)| EntryKind::Notice(kind, text)),
        1 => (id(), proptest::option::of(id()))
            .prop_map(|(agent, call)| EntryKind::AgentStart { agent, call }),
        1 => Just(EntryKind::Silent("x".to_owned())),
    ]
}

fn state() -> impl Strategy<Value = EntryState> {
    prop_oneof![
        5 => Just(EntryState::Live),
        1 => Just(EntryState::Undone),
        1 => Just(EntryState::Left),
        1 => Just(EntryState::Replayed),
    ]
}

/// Entries on lines that mostly grow.
fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let time = proptest::option::of(0_i64..4_000_000_000);
    let agent = proptest::option::weighted(0.1, Just("agent".to_owned()));
    let names = (proptest::option::of("[mn]"), proptest::option::of("[rst]"));
    let one = (kind(), state(), -1_i64..3, time, agent, names);
    proptest::collection::vec(one, 0..30).prop_map(|all| {
        let mut line: i64 = 2;
        all.into_iter()
            .map(|(kind, state, step, time, agent, (model, response))| {
                line = (line + step).max(1);
                let place =
                    Place { line: line.unsigned_abs(), offset: line.unsigned_abs() * 9, bytes: 8 };
                let time = time.and_then(|time| Timestamp::from_second(time).ok());
                Entry { time, agent, model, response, state, ..Entry::new(place, kind) }
            })
            .collect()
    })
}

fn api_calls() -> impl Strategy<Value = Vec<ApiCall>> {
    let one = (0_u32..30, 0_usize..30, proptest::option::of(0_u128..1 << 60));
    proptest::collection::vec(one, 0..10).prop_map(|all| {
        let call = |(key, entry, reported_pico_usd): (u32, usize, Option<u128>)| ApiCall {
            key: key.to_string(),
            entry,
            time: None,
            model: None,
            agent: None,
            workplace: None,
            // Equal keys are one call.
            tokens: TokenCounts { output: u64::from(key), ..TokenCounts::default() },
            context_window: None,
            reported_pico_usd,
        };
        all.into_iter().map(call).collect()
    })
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_is_counted_twice(
        entries in entries(),
        mut api_calls in api_calls(),
        are_mixed in any::<bool>(),
    ) {
        if entries.is_empty() {
            api_calls.clear();
        }
        let session = Session { entries, api_calls, ..Session::default() };
        let mut entries = SourceEntry::of(&session);
        check(App::Pi, "pi:x", &Header::default(), &entries);
        // The same entries in several files, which come one after the other or in turns.
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.file = if are_mixed { number % 3 } else { number / 10 };
        }
        check(App::Pi, "pi:x", &Header::default(), &entries);
    }
}
