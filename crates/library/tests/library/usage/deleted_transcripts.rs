//! Calls still count when their transcript is deleted and the ledger remembers
//! them.

use super::fixture::{CWD, by, read, report, rows};
use archive::{Entry, Fact, Ledger, LedgerCalls};
use jiff::Timestamp;
use library::progress::NoProgress;
use library::usage::Dimension;
use library::{Library, Options};
use std::path::Path;
use store::RootOrigin;
use testkit::{Line, Sandbox, call, session_id};
use usage::without_text;

fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Home)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}

/// Records the calls of a transcript in the ledger, as its deletion would.
fn remember(sandbox: &Sandbox, session: &str, agent: Option<(&str, &str)>, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n').filter_map(without_text).collect();
    let fact = Fact::Calls(LedgerCalls {
        session: session.to_owned(),
        agent: agent.map(|(id, _)| id.to_owned()),
        agent_type: agent.map(|(_, kind)| kind.to_owned()),
        lines,
    });
    let mut ledger = Ledger::open(sandbox.annals_home().join("ledger")).unwrap();
    ledger.append(&[Entry { at: Timestamp::UNIX_EPOCH, fact }]).unwrap();
}

fn line(id: &str, output: u64) -> Line {
    call(id, [10, output, 3, 4]).session(&session_id(1)).cwd(CWD)
}

#[test]
fn every_grouping_is_the_same_after_transcripts_are_deleted() {
    let sandbox = Sandbox::new();
    let own = [
        line("one", 1).calls_tools(&[("t1", "Bash")]).with("gitBranch", "main"),
        line("one", 9).calls_tools(&[("t2", "Read")]).with("effort", "high"),
        line("two", 2).with("costUSD", 0.5),
        line("three", 0).model("<synthetic>").message(
            "content",
            serde_json::json!([{"type": "text", "text": "usage limit reached|1770000000"}]),
        ),
    ];
    let path = sandbox.session(CWD, &session_id(1), own);
    let agents = sandbox.agent(CWD, &session_id(1), "agent-a1", [line("four", 4).of_agent("a1")]);
    sandbox.write(
        &format!("projects/-home-ada-tidepool/{}/subagents/agent-a1.meta.json", session_id(1)),
        r#"{"agentType":"Explore"}"#,
    );
    sandbox.session(CWD, &session_id(2), [line("five", 8).session(&session_id(2))]);
    let row_texts = || {
        let dimensions = [
            Dimension::Session,
            Dimension::Model,
            Dimension::Agent,
            Dimension::Tool,
            Dimension::Day,
        ];
        let mut texts: Vec<String> = Vec::new();
        for dimension in dimensions {
            texts.extend(rows(&report(&open(&sandbox), &by(&[dimension]))));
        }
        let source = read(&open(&sandbox));
        texts.extend(source.calls.limits.iter().map(|limit| limit.notice.clone()));
        texts
    };
    let before = row_texts();
    assert!(before.contains(&"Explore: 1 calls, 4 out".to_owned()), "{before:?}");
    remember(&sandbox, &session_id(1), None, &path);
    remember(&sandbox, &session_id(1), Some(("a1", "Explore")), &agents);
    assert_eq!(row_texts(), before, "remembered and still there: each call once");
    sandbox.remove(&path);
    sandbox.remove(&agents);
    assert_eq!(row_texts(), before, "remembered and gone");
    let source = open(&sandbox).usage().read(false, &NoProgress);
    let gone = source.files.iter().filter(|file| file.is_gone).count();
    assert_eq!((gone, source.calls.tally.lines), (2, 6));
}

#[test]
fn call_of_a_deleted_transcript_is_found_by_its_id() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [line("one", 1), line("one", 9)]);
    remember(&sandbox, &session_id(1), None, &path);
    sandbox.remove(&path);
    for id in ["one", "req_one", "line_one"] {
        let (found, read_errors) = open(&sandbox).usage().lines(id, &NoProgress);
        let outputs: Vec<u64> = found.iter().map(|it| it.line.counters.output).collect();
        assert_eq!((outputs, read_errors), (vec![1, 9], Vec::new()), "{id}");
    }
}

#[test]
fn damaged_ledger_is_reported_and_the_rest_counts() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [line("one", 1)]);
    remember(&sandbox, &session_id(1), None, &path);
    let ledger = Ledger::open(sandbox.annals_home().join("ledger")).unwrap().path();
    sandbox.append(&ledger, "nonsense\n");
    sandbox.remove(&path);
    let source = open(&sandbox).usage().read(false, &NoProgress);
    assert_eq!(source.calls.calls.len(), 1);
    let read_errors: Vec<String> = source.read_errors.iter().map(ToString::to_string).collect();
    assert!(
        read_errors.len() == 1 && read_errors[0].contains("line 2 (at byte "),
        "{read_errors:?}"
    );
}
