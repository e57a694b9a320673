//! Small stores, and reading documents back.

use document::{DOCUMENTS, Document};
use jiff::Timestamp;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait};
use library::sessions::OpenSession;
use library::{Library, Options};
use store::RootOrigin;
use testkit::{Line, Sandbox, call, chained, session_id, tool_result, user};

pub(crate) const CWD: &str = "/home/ada/tidepool";
pub(crate) const INDEX: IndexOptions =
    IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };

pub(crate) fn now() -> Timestamp {
    "2026-01-10T12:00:00Z".parse().unwrap()
}

pub(crate) fn library(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

/// Brings the index up to date.
pub(crate) fn build_index(library: &Library) {
    library.search().refresh_index(INDEX, &NoProgress).unwrap();
}

/// A session with a prompt and as many answers, each of this many output tokens.
pub(crate) fn write_session(sandbox: &Sandbox, number: u32, prompt: &str, answers: &[u64]) {
    let id = session_id(number);
    let mut lines: Vec<Line> = vec![user(prompt)];
    for (at, output) in answers.iter().enumerate() {
        let at = u64::try_from(at).unwrap();
        let answer = call(&format!("msg_{number}_{at}"), [10 + at, *output, 100, 1000 * (at + 1)])
            .calls_tools(&[(&format!("t{number}_{at}"), "Bash")]);
        lines.push(answer);
        lines.push(tool_result(&format!("t{number}_{at}"), "done"));
    }
    let lines = chained(lines).into_iter().map(|line| line.with("sessionId", id.clone()));
    let path = sandbox.session(CWD, &id, lines);
    sandbox.set_modified(&path, 1_767_900_000 + i64::from(number) * 60);
}

pub(crate) fn open(library: &Library, number: u32) -> OpenSession {
    let found = library.catalog().find(&session_id(number), None).unwrap();
    library.sessions().open_session(&found).unwrap()
}

/// Writes a document, reads it back into its type and compares what that writes.
pub(crate) fn assert_reads_back<D: Document>(document: &D) -> String {
    let text = serde_json::to_string(document).unwrap();
    let described = DOCUMENTS.iter().find(|described| described.schema == D::SCHEMA).unwrap();
    assert_eq!((described.rewritten)(&text).unwrap(), text);
    assert!(text.starts_with(&format!("{{\"schema\":\"{}\"", D::SCHEMA)), "{text}");
    text
}
