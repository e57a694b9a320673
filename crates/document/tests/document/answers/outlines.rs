//! The outline of a session.

use super::session_writer::{Event, events, session};
use super::support::{CWD, assert_reads_back, build_index, library, open, write_session};
use document::answers::{Marks, OutlineOptions};
use document::{OutlineDocument, answers};
use library::sessions::{OpenSession, View};
use proptest::prelude::*;
use std::collections::HashMap;
use testkit::{Sandbox, call, chained, session_id, user};

pub(super) fn outline(session: &OpenSession, agent: Option<&str>) -> OutlineDocument {
    let usage = HashMap::new();
    let options =
        OutlineOptions { view: View::App, agent, relatives: &[], usage: &usage, home: None };
    let outline = answers::outline(session, &options, &Marks::default()).unwrap();
    assert_reads_back(&outline);
    outline
}

#[test]
fn every_turn_has_a_row_with_its_figures() {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "Where do\ntides come from?", &[100, 50]);
    let library = library(&sandbox);
    build_index(&library);
    let usage = library.usage().of_agents(&session_id(1));
    let options = OutlineOptions {
        view: View::App,
        agent: None,
        relatives: &[],
        usage: &usage,
        home: Some("/home/ada"),
    };
    let session = open(&library, 1);
    let outline = answers::outline(&session, &options, &Marks::default()).unwrap();
    assert_eq!(outline.totals.turns, 1);
    assert_eq!(outline.totals.output_tokens, 150);
    let sums = library.usage().read_session_sums(&library::progress::NoProgress);
    let cost = sums[&session_id(1)].cost.known();
    assert_eq!(outline.totals.cost_usd, cost.map(usage::PicoUsd::decimal));
    let [turn] = &outline.turns[..] else { panic!("one turn") };
    assert_eq!((turn.turn.as_str(), turn.prompt.as_str()), ("1", "Where do"));
    assert_eq!((turn.calls, turn.output_tokens, turn.generation), (2, 150, 1));
    assert_eq!(turn.context_tokens, 11 + 100 + 2000);
    assert_eq!(turn.cost_usd, outline.totals.cost_usd);
    assert!(turn.height > 100);
    let resume = format!("cd ~/tidepool && claude --resume {}", session_id(1));
    assert_eq!(outline.resume_command, Some(resume));
    assert_eq!(outline.last_line, 5);
}

#[test]
fn each_turn_has_the_window_of_its_model() {
    let by = |model: &str| call(model, [150_000, 1, 0, 0]).message("model", model);
    let models = ["claude-opus-5-5", "claude-haiku-4-5", "claude-nova-7"];
    let lines = models.iter().flat_map(|model| [user("go on"), by(model)]);
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), chained(lines));
    let outline = outline(&open(&library(&sandbox), 1), None);
    let windows: Vec<_> =
        outline.turns.iter().map(|turn| (turn.context_tokens, turn.context_limit)).collect();
    let limits = [Some(1_000_000), Some(200_000), None];
    assert_eq!(windows, limits.map(|limit| (150_000, limit)));
    assert_eq!(outline.context_limit, None, "that of the last call");
}

#[test]
fn only_long_turns_tell_how_many_steps_they_have() {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "A short turn", &[100; 3]);
    write_session(&sandbox, 2, "A long turn", &[100; 120]);
    let library = library(&sandbox);
    let steps = |number| outline(&open(&library, number), None).turns[0].steps;
    assert_eq!(steps(1), 0);
    assert!(steps(2) > 120, "{}", steps(2));
}

#[test]
fn branches_orphans_generations_and_agents_name_their_turns() {
    let turn = |text: &str| Event::Turn(text.to_owned());
    let (_sandbox, session) = session(&[
        turn("one"),
        Event::Rewind(1),
        turn("two"),
        Event::Agent("look".to_owned()),
        Event::Orphan,
        Event::Compaction,
        turn("three"),
    ]);
    let outline = outline(&session, None);
    let [branch] = &outline.branches[..] else { panic!("one branch: {outline:?}") };
    assert_eq!((branch.number, branch.before_turn.as_deref()), (1, Some("2")));
    assert_eq!(branch.turns, ["b1.1"]);
    let [orphan] = &outline.orphans[..] else { panic!("one orphan: {outline:?}") };
    assert_eq!(orphan.turns, ["o1.1"]);
    let [agent] = &outline.agents[..] else { panic!("one agent: {outline:?}") };
    assert_eq!((agent.id.as_str(), agent.turn.as_deref()), ("a6", Some("2")));
    assert_eq!(outline.turns[1].agents, ["a6"]);
    let generations: Vec<(usize, &str)> =
        outline.generations.iter().map(|it| (it.number, it.last_turn.as_str())).collect();
    assert_eq!(generations.len(), 2, "{generations:?}");
    assert_eq!(outline.turns.last().map(|turn| turn.generation), Some(2));
}

#[test]
fn an_agent_has_its_own_outline() {
    let (_sandbox, session) = session(&[Event::Agent("look around".to_owned())]);
    let outline = outline(&session, Some("a2"));
    assert_eq!(outline.agent_id.as_deref(), Some("a2"));
    assert_eq!(outline.turns[0].prompt, "look around");
    assert_eq!(outline.resume_command, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn an_outline_has_every_turn_of_any_session_once(events in events()) {
        let (_sandbox, session) = session(&events);
        let outline = outline(&session, None);
        let turns: Vec<String> = outline.turns.iter().map(|turn| turn.turn.clone()).collect();
        let whole = &session.whole(View::App).turns.turns;
        let expected: Vec<String> = whole.iter().map(|turn| turn.number.to_string()).collect();
        prop_assert_eq!(turns, expected);
    }
}
