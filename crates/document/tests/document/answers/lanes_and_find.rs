//! What ran when, and where a text occurs.

use super::fragments::options as fragment_options;
use super::outlines::outline;
use super::session_writer::{Event, events, session};
use super::support::{CWD, assert_reads_back, library, open};
use document::answers::{FindOptions, LanesOptions, turn_fragment};
use document::{AgentDetail, FindDocument, LanesDocument, answers};
use library::sessions::{OpenSession, View};
use proptest::prelude::*;
use serde_json::json;
use testkit::{
    Sandbox, assistant, chained, session_id, system, tool_error, tool_result, tool_use, user,
};

fn lanes(session: &OpenSession, width: u32) -> LanesDocument {
    let options = LanesOptions { view: View::App, from: None, to: None, width };
    let lanes = answers::lanes(session, &options).unwrap();
    assert_reads_back(&lanes);
    lanes
}

fn find(session: &OpenSession, query: &str) -> FindDocument {
    let options = FindOptions { query, is_case_sensitive: false, view: View::App, agent: None };
    let found = answers::find(session, &options).unwrap();
    assert_reads_back(&found);
    found
}

#[test]
fn lanes_have_the_spans_of_model_tools_and_waiting() {
    let (_sandbox, session) = session(&[
        Event::Call("Bash".to_owned(), "echo".to_owned(), true),
        Event::Agent("look".to_owned()),
    ]);
    let lanes = lanes(&session, 1000);
    assert_eq!(lanes.from.unwrap().to_string(), "2026-01-01T00:00:00.000Z");
    let [main, agent] = &lanes.lanes[..] else { panic!("two lanes: {lanes:?}") };
    assert_eq!((main.depth, agent.agent_id.as_deref()), (0, Some("a4")));
    let spans: Vec<(String, Option<&str>, Option<&str>)> = main
        .spans
        .iter()
        .map(|span| (span.kind.to_string(), span.label.as_deref(), span.status.as_deref()))
        .collect();
    let span = |kind: &str, label, status| (kind.to_owned(), label, status);
    assert_eq!(
        spans,
        [
            span("model", None, None),
            span("model", None, None),
            span("tool", Some("Bash"), Some("error")),
            span("model", None, None),
            span("tool", Some("Task"), None),
            span("waiting", None, None),
            span("model", None, None),
        ]
    );
    let kinds: Vec<String> = lanes.marks.iter().map(|mark| mark.kind.to_string()).collect();
    assert_eq!(kinds, ["prompt", "error", "prompt"]);
}

#[test]
fn errors_of_the_outline_are_those_on_the_axis_in_fragments_and_in_turns() {
    let call = |id: &str| tool_use(id, "Bash", &json!({"command": "echo"}));
    let sandbox = Sandbox::new();
    let lines = [
        user("Go"),
        call("t1"),
        tool_error("t1", "Exit code 1"),
        call("t2"),
        tool_error("t2", "Permission to use Bash has been denied."),
        call("t3"),
        tool_result("t3", "half").with("toolUseResult", json!({"interrupted": true})),
        tool_error("t4", "A result without a call"),
        user("[Request interrupted by user]"),
        user("Again"),
        system("api_error").with("error", json!({"message": "Overloaded"})),
        assistant("").with("isApiErrorMessage", true),
    ];
    sandbox.session(CWD, &session_id(1), chained(lines));
    let session = open(&library(&sandbox), 1);
    let outline = outline(&session, None);
    let of_turns: Vec<u64> = outline.turns.iter().map(|turn| turn.errors).collect();
    assert_eq!((outline.totals.errors, of_turns), (4, vec![2, 2]));
    let axis = lanes(&session, 1000);
    assert_eq!(axis.marks.iter().filter(|mark| &*mark.kind == "error").count(), 4);
    let failed = axis.lanes[0].spans.iter().filter(|it| it.status.as_deref() == Some("error"));
    assert_eq!(failed.count(), 1, "denied and interrupted calls are apart");
    let fragment = turn_fragment(&session, &fragment_options(None, AgentDetail::None)).unwrap();
    let classes = [r#"class="m c e""#, r#"class="m q e""#];
    let counts = classes.map(|class| fragment.html.matches(class).count());
    assert_eq!(counts, [2, 2], "{}", fragment.html);
}

#[test]
fn a_long_session_has_few_spans_that_count_all_of_them() {
    let call = Event::Call("Bash".to_owned(), "echo".to_owned(), false);
    let (_sandbox, session) = session(&vec![call; 240]);
    let lanes = lanes(&session, 100);
    let tools = lanes.lanes[0].spans.iter().filter(|span| span.kind == "tool");
    assert!(lanes.lanes[0].spans.len() < 30, "{}", lanes.lanes[0].spans.len());
    assert_eq!(tools.map(|span| span.count).sum::<u64>(), 240);
}

#[test]
fn a_few_failed_calls_do_not_make_a_long_session_look_failed() {
    let call = |fails| Event::Call("Bash".to_owned(), "echo".to_owned(), fails);
    let calls: Vec<Event> = (0..240).map(|number| call(number % 60 == 30)).collect();
    let (_sandbox, session) = session(&calls);
    let lanes = lanes(&session, 100);
    let tools = lanes.lanes[0].spans.iter().filter(|span| span.kind == "tool");
    let (failed, fine): (Vec<_>, Vec<_>) = tools.partition(|span| span.status.is_some());
    assert_eq!(failed.iter().map(|span| span.count).sum::<u64>(), 4, "{failed:?}");
    assert_eq!(fine.iter().map(|span| span.count).sum::<u64>(), 236);
    let longest = failed.iter().map(|span| span.to.0.duration_since(span.from.0)).max();
    let all = lanes.to.unwrap().0.duration_since(lanes.from.unwrap().0);
    assert!(longest.is_some_and(|longest| longest < all / 20), "{longest:?} of {all:?}");
}

#[test]
fn texts_are_found_in_turns_branches_calls_and_agents() {
    let (_sandbox, session) = session(&[
        Event::Turn("a shell".to_owned()),
        Event::Rewind(1),
        Event::Call("Bash".to_owned(), "echo Shell".to_owned(), false),
        Event::Agent("look for SHELLS".to_owned()),
        Event::Orphan,
    ]);
    let found = find(&session, "shell");
    let places: Vec<(&str, &str, &str, &str)> = found
        .hits
        .iter()
        .map(|hit| (hit.part.as_str(), hit.turn.as_str(), &*hit.kind, hit.found.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            ("main", "1", "call", "Shell"),
            ("main", "1", "call", "Shell"),
            ("main", "1", "call", "Shell"),
            ("main", "1", "result", "Shell"),
            ("b1", "b1.1", "prompt", "shell"),
            ("b1", "b1.1", "text", "shell"),
            ("agent:a6", "1", "prompt", "SHELL"),
        ]
    );
    assert_eq!((found.total, found.truncated), (7, false));
    assert_eq!(found.hits[3].uuid, "u4", "the element of the call has the result");
    let options =
        FindOptions { query: "SHELL", is_case_sensitive: true, view: View::App, agent: Some("a6") };
    assert_eq!(answers::find(&session, &options).unwrap().total, 1);
    assert_eq!(find(&session, "o8").hits[0].part, "o1");
    assert_eq!(find(&session, "").total, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn any_session_has_lanes_and_can_be_searched(events in events(), width in 0_u32..2000) {
        let (_sandbox, session) = session(&events);
        let lanes = lanes(&session, width);
        for span in lanes.lanes.iter().flat_map(|lane| &lane.spans) {
            prop_assert!(span.from <= span.to);
        }
        for query in ["p", "<", "é", "\u{202e}"] {
            find(&session, query);
        }
    }
}
