//! Only what a person typed, each prompt once.

use library::catalog::Filter;
use library::progress::{CancellationToken, NoProgress};
use library::prompts::Prompt;
use library::search::{IndexOptions, IndexWait, PromptSource, SqlQuery, SqlSink, SqlValue};
use library::sessions::TurnNumber;
use library::{Library, Options};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, metadata, session_id, tool_result, user};

const CWD: &str = "/home/ada/tidepool";

fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        ..Options::default()
    })
}

/// The prompts of one session with these lines and this history.
fn prompts_of(lines: &[Line], history: &[serde_json::Value]) -> Vec<Prompt> {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines);
    sandbox.write(
        "history.jsonl",
        history.iter().map(|line| line.to_string() + "\n").collect::<String>(),
    );
    let library = open(&sandbox);
    let (prompts, read_errors) =
        library.prompts().prompts_of(&library.catalog().find(&session_id(1), None).unwrap());
    assert!(read_errors.is_empty(), "{read_errors:?}");
    prompts
}

/// Prompts by where they are recorded, with their texts.
type SourcedTexts<'a> = &'a [(PromptSource, &'a str)];

fn sourced_texts(prompts: &[Prompt]) -> Vec<(PromptSource, &str)> {
    prompts.iter().map(|prompt| (prompt.source, prompt.text.as_str())).collect()
}

fn at(second: u32) -> String {
    format!("2026-01-02T03:04:{second:02}.000Z")
}

/// Milliseconds since the epoch of [`at`].
fn milliseconds(second: u32) -> i64 {
    at(second).parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

fn enqueue(text: &str, second: u32) -> Line {
    let members = [
        ("operation", json!("enqueue")),
        ("timestamp", json!(at(second))),
        ("content", json!(text)),
    ];
    metadata("queue-operation", &members)
}

fn queued(text: &str, mode: &str, second: u32) -> Line {
    let attachment = json!({"type": "queued_command", "prompt": text, "commandMode": mode});
    metadata(
        "attachment",
        &[("attachment", attachment), ("timestamp", json!(at(second))), ("uuid", json!("q"))],
    )
}

fn remembered(text: &str, second: u32) -> serde_json::Value {
    json!({"display": text, "timestamp": milliseconds(second), "project": CWD, "sessionId": session_id(1)})
}

#[test]
fn only_typed_text_is_a_prompt() {
    let blocks = |blocks| user("").with("message", json!({"role": "user", "content": blocks}));
    let lines = [
        user("plain\nwords").at(&at(1)),
        user("<command-message>review</command-message><command-name>/review</command-name><command-args>12</command-args>").at(&at(2)),
        user("<bash-input>ls -la</bash-input>").at(&at(3)),
        blocks(json!([{"type": "text", "text": "see"}, {"type": "image", "source": {}}])).at(&at(4)),
        user("for the model only").with("isMeta", true).at(&at(5)),
        user("This session is being continued").with("isCompactSummary", true).at(&at(6)),
        user("look around").with("isSidechain", true).at(&at(7)),
        user("<local-command-stdout>x</local-command-stdout>").at(&at(8)),
        user("<bash-stdout>x</bash-stdout>").at(&at(8)),
        user("<task-notification>done</task-notification>").at(&at(8)),
        user("from a peer").with("origin", json!({"kind": "peer"})).at(&at(9)),
        user("[Request interrupted by user]").at(&at(10)),
        user("   ").at(&at(10)),
        tool_result("t", "not typed").at(&at(11)),
        assistant("an answer").at(&at(12)),
        user("by hand").with("origin", json!({"kind": "human"})).at(&at(13)),
        user("<Foo> is broken").at(&at(14)),
    ];
    let typed = PromptSource::Typed;
    assert_eq!(
        sourced_texts(&prompts_of(&lines, &[])),
        [
            (typed, "plain\nwords"),
            (typed, "/review 12"),
            (typed, "! ls -la"),
            (typed, "see\n[image]"),
            (typed, "by hand"),
            (typed, "<Foo> is broken"),
        ]
    );
}

#[test]
fn prompt_has_its_session_time_and_folder() {
    let prompts = prompts_of(&[user("hello").at(&at(1)).cwd("/elsewhere")], &[]);
    let time = at(1).parse().ok();
    let uuid = prompts[0].uuid.clone();
    assert!(uuid.is_some(), "the id of its record");
    let expected = Prompt {
        session_id: Some(session_id(1)),
        cwd: Some("/elsewhere".to_owned()),
        time,
        branch: Some("main".to_owned()),
        by_program: false,
        source: PromptSource::Typed,
        uuid,
        turn: Some(TurnNumber::Main(1)),
        text: "hello".to_owned(),
    };
    assert_eq!(prompts, [expected]);
}

#[test]
fn queued_prompt_is_listed_once() {
    let (typed, waiting) = (PromptSource::Typed, PromptSource::Queued);
    let table: [(Vec<Line>, SourcedTexts<'_>); 6] = [
        (vec![enqueue("also this", 2)], &[(waiting, "also this")]),
        (vec![queued("also this", "prompt", 3)], &[(waiting, "also this")]),
        (
            vec![enqueue("also this", 2), queued("also this", "prompt", 3)],
            &[(waiting, "also this")],
        ),
        (vec![enqueue("also this", 2), user("also this").at(&at(3))], &[(typed, "also this")]),
        (
            vec![
                queued("<x>", "task-notification", 3),
                enqueue("<task-notification>x", 4),
                enqueue("  ", 5),
            ],
            &[],
        ),
        (
            vec![
                metadata("queue-operation", &[("operation", json!("dequeue"))]),
                metadata("queue-operation", &[("operation", json!("enqueue"))]),
            ],
            &[],
        ),
    ];
    for (number, (lines, expected)) in table.iter().enumerate() {
        assert_eq!(sourced_texts(&prompts_of(lines, &[])), *expected, "case {number}");
    }
}

#[test]
fn history_adds_only_what_the_transcript_lacks() {
    let lines = [
        user("hello").at(&at(1)),
        user("pasted text\nof several lines").at(&at(10)),
        enqueue("also this", 20),
    ];
    let history = [
        remembered("hello", 0),
        remembered("[Pasted text #1 +1 lines]", 9),
        remembered("also this", 19),
        remembered("only remembered", 30),
        json!({"display": "another session's", "timestamp": milliseconds(31), "sessionId": session_id(2)}),
    ];
    assert_eq!(
        sourced_texts(&prompts_of(&lines, &history)),
        [
            (PromptSource::Typed, "hello"),
            (PromptSource::Typed, "pasted text\nof several lines"),
            (PromptSource::Queued, "also this"),
            (PromptSource::History, "only remembered"),
        ]
    );
}

#[test]
fn prompts_of_all_sessions_are_newest_first_without_fork_duplicates() {
    let sandbox = Sandbox::new();
    let beginning = [user("one").at(&at(1)), user("two").at(&at(2))];
    sandbox.session(CWD, &session_id(1), &beginning);
    let fork = [beginning.to_vec(), vec![user("three").at(&at(3))]].concat();
    sandbox.session(CWD, &session_id(2), fork);
    sandbox.session("/other", &session_id(3), [user("one").at(&at(4)).cwd("/other")]);
    sandbox.write("history.jsonl", json!({"display": "gone", "timestamp": milliseconds(5), "project": CWD, "sessionId": session_id(9)}).to_string());
    let library = open(&sandbox);
    let texts = |filter: &Filter| {
        let (prompts, read_errors) = library.prompts().prompts(filter, &NoProgress);
        assert!(read_errors.is_empty());
        prompts.into_iter().map(|prompt| prompt.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(&Filter::default()), ["gone", "one", "three", "two", "one"]);
    let project = Some(library.catalog().project_scope(Path::new("/other"), false));
    assert_eq!(texts(&Filter { project, ..Filter::default() }), ["one"]);
    let (since, until) = (at(2).parse().ok(), at(4).parse().ok());
    assert_eq!(texts(&Filter { since, until, ..Filter::default() }), ["three", "two"]);
}

#[test]
fn agent_files_have_no_typed_prompts() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("mine").at(&at(1))]);
    let line =
        user("theirs").with("sessionId", session_id(1)).with("isSidechain", true).to_string();
    sandbox.write("projects/-home-ada-tidepool/agent-f1.jsonl", &line);
    sandbox.write(
        &format!("projects/-home-ada-tidepool/{}/subagents/agent-n1.jsonl", session_id(1)),
        &line,
    );
    let (prompts, _) = open(&sandbox).prompts().prompts(&Filter::default(), &NoProgress);
    assert_eq!(sourced_texts(&prompts), [(PromptSource::Typed, "mine")]);
}

#[test]
fn prompts_sent_by_a_program_are_not_typed() {
    let sandbox = Sandbox::new();
    let lines = [user("mine"), user("a program's").with("promptSource", "sdk")];
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    let roots = vec![(sandbox.config(), store::RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let texts =
        |prompts: Vec<Prompt>| prompts.into_iter().map(|prompt| prompt.text).collect::<Vec<_>>();
    assert_eq!(texts(library.prompts().prompts(&Filter::default(), &NoProgress).0), ["mine"]);
    let found = library.catalog().find(&session_id(1), None).unwrap();
    assert_eq!(
        texts(library.prompts().prompts_of(&found).0).len(),
        2,
        "asked for by name, all is shown"
    );
}

#[test]
fn queued_command_and_the_message_that_it_becomes_are_one_prompt() {
    let ran = |name: &str, arguments: &str, second: u32| {
        let tags = format!(
            "<command-message>x</command-message>\n<command-name>{name}</command-name>\n<command-args>{arguments}</command-args>"
        );
        user(&tags).at(&at(second))
    };
    let lines = [
        enqueue("/review\nthe tide\nand the moon ", 1),
        ran("/review", "the tide\nand the moon", 9),
        enqueue("/exit", 11),
        enqueue("/exit", 12),
        user("/exit\n/exit").at(&at(13)),
    ];
    let prompts = prompts_of(&lines, &[]);
    let expected = [
        (PromptSource::Typed, "/review the tide\nand the moon"),
        (PromptSource::Typed, "/exit\n/exit"),
    ];
    assert_eq!(sourced_texts(&prompts), expected);
}

/// The rows of `SELECT session_id, prompts FROM sessions`.
#[derive(Default)]
struct Counts(BTreeMap<String, u64>);

impl SqlSink for Counts {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        let [SqlValue::Text(session), SqlValue::Integer(prompts)] = &values[..] else {
            panic!("{values:?}")
        };
        self.0.insert(session.clone(), prompts.cast_unsigned());
        true
    }
}

/// Asserts that `sql` and `info` count the same prompts in each session, and returns how many
/// sessions there are.
fn assert_counts_agree(library: &Library) -> usize {
    let index = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    let fresh = library.search().refresh_index(index, &NoProgress).unwrap();
    let query = SqlQuery {
        text: "SELECT session_id, prompts FROM sessions",
        timeout: Duration::from_mins(1),
        token: CancellationToken::default(),
    };
    let mut counts = Counts::default();
    let (answer, _) =
        library.search().sql(fresh, &query, library.usage(), &mut counts).unwrap().into_parts();
    assert!(answer.is_answered);
    for (session, prompts) in &counts.0 {
        let found = library.catalog().find(session, None).unwrap();
        assert_eq!(library.prompts().overview(&found).prompts, *prompts, "{session}");
    }
    counts.0.len()
}

fn indexed(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

/// A line that may record a prompt, at some second.
fn prompt_line() -> impl Strategy<Value = Line> {
    let text = prop::sample::select(vec![
        "same",
        "other",
        "/review 12",
        "/review\n12",
        "/tide:review 12",
        "/exit",
        "/exit\n/exit",
        "<command-name>/review</command-name><command-args>12</command-args>",
        "<task-notification>x</task-notification>",
        " ",
    ]);
    (text, 0..20_u32, 0..6).prop_map(|(text, second, kind)| match kind {
        0 => enqueue(text, second),
        1 => queued(text, "prompt", second),
        2 => queued(text, "task-notification", second),
        3 => assistant(text).at(&at(second)),
        4 => user(text).at(&at(second)).with("isMeta", second % 2 == 0),
        _ => user(text).at(&at(second)),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Also of a session that grows, and with prompts that only the history has.
    #[test]
    fn sql_and_info_count_the_same_prompts(
        lines in prop::collection::vec(prompt_line(), 0..12),
        later in prop::collection::vec(prompt_line(), 0..6),
    ) {
        let sandbox = Sandbox::new();
        let path = sandbox.session(CWD, &session_id(1), lines.iter().chain([&user("end")]));
        let history = [remembered("only remembered", 1), remembered("same", 2)];
        sandbox.write("history.jsonl", history.map(|line| line.to_string() + "\n").concat());
        prop_assert_eq!(assert_counts_agree(&indexed(&sandbox)), 1);
        sandbox.append(&path, later.iter().map(|line| line.to_string() + "\n").collect::<String>());
        prop_assert_eq!(assert_counts_agree(&indexed(&sandbox)), 1);
    }
}

#[test]
fn sql_and_info_count_the_same_prompts_in_real_transcripts() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        println!("SKIPPED: no real transcripts at {}", corpus.display());
        return;
    }
    let sandbox = Sandbox::new();
    let library = Library::open(Options {
        roots: vec![(corpus, RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    });
    assert!(assert_counts_agree(&library) > 0);
}
