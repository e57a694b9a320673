//! Only what a person typed, each prompt once.

use library::{Filter, Library, NoProgress, Options, Prompt, PromptSource, TurnNumber};
use serde_json::json;
use std::path::Path;
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
        library.catalog().prompts_of(&library.catalog().find(&session_id(1), None).unwrap());
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
        let (prompts, read_errors) = library.catalog().prompts(filter, &NoProgress);
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
    let (prompts, _) = open(&sandbox).catalog().prompts(&Filter::default(), &NoProgress);
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
    assert_eq!(texts(library.catalog().prompts(&Filter::default(), &NoProgress).0), ["mine"]);
    let found = library.catalog().find(&session_id(1), None).unwrap();
    assert_eq!(
        texts(library.catalog().prompts_of(&found).0).len(),
        2,
        "asked for by name, all is shown"
    );
}
