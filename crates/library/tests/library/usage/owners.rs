//! Rule 6: a call belongs to a session by the path of its file.

use super::fixture::{CWD, open, read, row_texts};
use library::progress::NoProgress;
use library::usage::Dimension;
use library::{Library, Options};
use store::RootOrigin;
use testkit::{Line, Sandbox, call, metadata, session_id};

fn line(id: &str, output: u64) -> Line {
    call(id, [1, output, 0, 0]).session(&session_id(1))
}

/// The row of a session.
fn row(session: u32, calls: u64, output: u64) -> String {
    format!("{}: {calls} calls, {output} out", session_id(session))
}

// `<folder>/<id>.jsonl`, `<folder>/<id>/subagents/**/agent-*.jsonl` (workflows
// included) → `<id>`; a flat `agent-*.jsonl` → its `sessionId`.
#[test]
fn calls_belong_to_the_session_of_their_path() {
    let sandbox = Sandbox::new();
    let stray = |id: &str, output| line(id, output).session(&session_id(9));
    sandbox.session(CWD, &session_id(1), [line("main", 1), stray("of another name", 2)]);
    sandbox.agent(CWD, &session_id(1), "agent-a1", [stray("nested", 4).of_agent("a1")]);
    sandbox.agent(CWD, &session_id(1), "deep/er/agent-a2", [stray("deep", 8).of_agent("a2")]);
    sandbox.agent(CWD, &session_id(1), "workflows/wf_1/agent-a3", [stray("workflow", 16)]);
    let flat = [line("flat", 32).session(&session_id(2)).of_agent("a4")];
    sandbox.write("projects/-home-ada-tidepool/agent-a4.jsonl", testkit::file(&flat));
    sandbox.session(CWD, &session_id(2), [line("second", 64).session(&session_id(2))]);
    let expected = [row(1, 5, 31), row(2, 2, 96)];
    assert_eq!(row_texts(&sandbox, Dimension::Session), expected);
}

#[test]
fn files_other_than_transcripts_are_not_counted() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [line("main", 1)]);
    let own = format!("projects/-home-ada-tidepool/{}", session_id(1));
    let other = testkit::file(&[line("other", 100)]);
    sandbox.write(&format!("{own}/subagents/workflows/wf_1/journal.jsonl"), &other);
    sandbox.write(&format!("{own}/resume-head.jsonl"), &other);
    sandbox.write(&format!("{own}/tool-results/agent-x.jsonl"), &other);
    sandbox.write("projects/-home-ada-tidepool/notes.txt", &other);
    sandbox.write("history.jsonl", &other);
    sandbox.write("transcripts/ses_1.jsonl", &other);
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 1, 1)]);
}

#[test]
fn agents_of_a_deleted_session_still_count_for_it() {
    let sandbox = Sandbox::new();
    sandbox.agent(CWD, &session_id(7), "agent-a1", [line("orphan", 4).of_agent("a1")]);
    let flat = testkit::file(&[line("flat", 8).session(&session_id(8)).of_agent("a2")]);
    sandbox.write("projects/-home-ada-tidepool/agent-a2.jsonl", flat);
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(7, 1, 4), row(8, 1, 8)]);
}

#[test]
fn a_session_in_two_folders_is_counted_once() {
    let sandbox = Sandbox::new();
    let lines = [line("one", 1), line("two", 2)];
    sandbox.session(CWD, &session_id(1), &lines);
    sandbox.session("/home/ada/moved", &session_id(1), [lines[1].clone(), line("three", 4)]);
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 3, 7)]);
    assert_eq!(read(&open(&sandbox)).calls.duplicates.resume_copy, 1);
}

#[test]
fn pre_compact_copies_keep_calls_that_the_file_lost() {
    let sandbox = Sandbox::new();
    let copy = |session| {
        format!("pre-compact-session-histories/{}-20260102-030405.jsonl", session_id(session))
    };
    sandbox.session(CWD, &session_id(1), [line("kept", 1)]);
    sandbox.write(&copy(1), testkit::file(&[line("kept", 1), line("compacted", 2)]));
    sandbox.write(&copy(3), testkit::file(&[line("of a session that is gone", 4)]));
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 2, 3), row(3, 1, 4)]);
}

#[test]
fn fork_is_charged_only_for_new_calls() {
    let sandbox = Sandbox::new();
    let lines = [line("one", 1).at("2026-01-02T03:00:00Z"), line("two", 2)];
    let original = sandbox.session(CWD, &session_id(2), &lines);
    let forked = lines.clone().map(|line| line.forked_into(&session_id(1)));
    sandbox.session(CWD, &session_id(1), forked.into_iter().chain([line("own", 4)]));
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 1, 4), row(2, 2, 3)]);
    sandbox.remove(&original);
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 3, 7)], "the calls outlive it");
}

#[test]
fn background_replays_and_progress_records_do_not_move_calls() {
    let sandbox = Sandbox::new();
    let agents = line("agent's", 8).of_agent("a1");
    sandbox.session(CWD, &session_id(2), [line("one", 1), agents.clone().as_progress()]);
    sandbox.session(CWD, &session_id(1), [line("one", 1).replayed_in(&session_id(1))]);
    let file = sandbox.agent(CWD, &session_id(2), "agent-a1", [agents]);
    sandbox.write(
        &format!("projects/-home-ada-tidepool/{}/subagents/agent-a1.meta.json", session_id(2)),
        r#"{"agentType": "Explore"}"#,
    );
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(2, 2, 9)]);
    assert_eq!(
        row_texts(&sandbox, Dimension::Agent),
        ["(main): 1 calls, 1 out", "Explore: 1 calls, 8 out"]
    );
    sandbox.remove(&file);
    assert_eq!(
        row_texts(&sandbox, Dimension::Session),
        [row(2, 2, 9)],
        "only progress records mention it"
    );
    assert_eq!(
        row_texts(&sandbox, Dimension::Agent),
        ["(main): 1 calls, 1 out", "(unknown): 1 calls, 8 out"]
    );
}

#[test]
fn a_lone_transcript_brings_its_own_agents_and_no_others() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [line("one", 1)]);
    sandbox.session(CWD, &session_id(2), [line("two", 2)]);
    sandbox.agent(CWD, &session_id(1), "agent-a1", [line("nested", 4).of_agent("a1")]);
    sandbox.agent(CWD, &session_id(2), "agent-a2", [line("other's", 8).of_agent("a2")]);
    for (agent, session, output) in [("a3", 1, 16), ("a4", 2, 32)] {
        let flat = testkit::file(&[line(agent, output).session(&session_id(session))]);
        sandbox.write(&format!("projects/-home-ada-tidepool/agent-{agent}.jsonl"), flat);
    }
    let library =
        Library::open(Options { roots: vec![(path, RootOrigin::Flag)], ..Options::default() });
    let report = super::fixture::report(&library, &super::fixture::by(&[Dimension::Session]));
    assert_eq!(super::fixture::rows(&report), [row(1, 3, 21)]);
}

#[test]
fn several_roots_are_one_store() {
    let (one, two) = (Sandbox::new(), Sandbox::new());
    one.session(CWD, &session_id(1), [line("one", 1), line("both", 2)]);
    two.session(CWD, &session_id(1), [line("both", 2), line("two", 4)]);
    let roots = vec![(one.config(), RootOrigin::Flag), (two.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let report = super::fixture::report(&library, &super::fixture::by(&[Dimension::Session]));
    assert_eq!(super::fixture::rows(&report), [row(1, 3, 7)]);
}

#[test]
fn a_file_that_grows_is_counted_as_far_as_it_goes() {
    let sandbox = Sandbox::new();
    let text = line("one", 50).to_string();
    let path = sandbox.session(CWD, &session_id(1), [line("one", 1)]);
    let damaged = || read(&open(&sandbox)).calls.tally.damaged;
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 1, 1)]);
    let half = text.len() - 20;
    sandbox.append(&path, &text[..half]);
    assert_eq!((row_texts(&sandbox, Dimension::Session), damaged()), (vec![row(1, 1, 1)], 1));
    sandbox.append(&path, &text[half..]);
    assert_eq!((row_texts(&sandbox, Dimension::Session), damaged()), (vec![row(1, 1, 50)], 0));
    sandbox.append(&path, "\n");
    assert_eq!(row_texts(&sandbox, Dimension::Session), [row(1, 1, 50)]);
}

#[test]
fn last_cost_logged_by_the_app_wins() {
    let sandbox = Sandbox::new();
    let state = |cost: f64| metadata("cost-state", &[("totalCostUSD", cost.into())]);
    sandbox.session(CWD, &session_id(1), [state(1.0), line("one", 1), state(0.25)]);
    sandbox.session(CWD, &session_id(2), [line("two", 1)]);
    let library = open(&sandbox);
    let source = library.usage().read(false, &NoProgress);
    let noted = library.usage().logged_costs(&source, &NoProgress);
    assert_eq!(noted.len(), 1);
    assert_eq!(noted[&session_id(1)].decimal(), "0.25");
}

#[test]
fn the_lines_of_a_call_are_found_by_any_of_its_ids() {
    let sandbox = Sandbox::new();
    let own = line("one", 1);
    let last = line("one", 9).without("requestId").with("uuid", "last");
    sandbox.session(CWD, &session_id(1), [own.clone(), line("two", 2), last]);
    sandbox.session(CWD, &session_id(2), [own.forked_into(&session_id(2))]);
    let library = open(&sandbox);
    for id in ["one", "req_one", "line_one", "last"] {
        let (lines, read_errors) = library.usage().lines(id, &NoProgress);
        assert!(read_errors.is_empty());
        let outputs: Vec<u64> = lines.iter().map(|found| found.line.counters.output).collect();
        assert_eq!(outputs, [1, 9, 1], "{id}");
    }
    assert!(
        library.usage().lines("on", &NoProgress).0.is_empty()
            && library.usage().lines("", &NoProgress).0.is_empty()
    );
}
