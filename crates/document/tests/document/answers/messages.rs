//! One message of a session: its place, its HTML, its records.

use super::html_check::checked_ids;
use super::session_writer::{Event, events, session};
use super::support::assert_reads_back;
use document::answers::{
    Marks, MessageFragmentOptions, MessageName, RecordsSelection, message_fragment, place,
};
use document::{ConfigurationDocument, SettingDocument, answers};
use jiff::tz::TimeZone;
use library::sessions::{OpenSession, View};
use proptest::prelude::*;
use render::{Detail, FragmentLink};

fn name(uuid: &str) -> MessageName<'_> {
    MessageName { uuid, agent: None, view: View::App }
}

fn html(session: &OpenSession, uuid: &str, call: Option<&str>, around: usize) -> Option<String> {
    let options = MessageFragmentOptions {
        call,
        around,
        is_whole: true,
        tools: Detail::Full,
        thinking: true,
        zone: &TimeZone::UTC,
        url: &|link: &FragmentLink<'_>| format!("/base/{link:?}"),
    };
    message_fragment(session, &name(uuid), &options)
}

fn example() -> (testkit::Sandbox, OpenSession) {
    session(&[
        Event::Turn("one".to_owned()),
        Event::Rewind(1),
        Event::Call("Bash".to_owned(), "word ".repeat(6000), false),
        Event::Agent("look around".to_owned()),
        Event::Orphan,
    ])
}

#[test]
fn a_message_has_its_place_in_its_part() {
    let (_sandbox, session) = example();
    let at = |uuid: &str| {
        let place = place(&session, &name(uuid))?;
        assert_reads_back(&place);
        Some((place.agent_id, place.part, place.turn, place.step, place.uuid))
    };
    let expected = |agent: Option<&str>, part: &str, turn: &str, step, uuid: &str| {
        let agent = agent.map(str::to_owned);
        Some((agent, part.to_owned(), turn.to_owned(), step, uuid.to_owned()))
    };
    assert_eq!(at("u0"), expected(None, "main", "1", 0, "u0"));
    assert_eq!(at("u2"), expected(None, "b1", "b1.1", 0, "u2"));
    assert_eq!(at("u5"), expected(None, "main", "1", 2, "u4"), "a result is shown at its call");
    assert_eq!(at("u8"), expected(None, "o1", "o1.1", 0, "u8"));
    assert_eq!(at("ua6"), expected(Some("a6"), "main", "1", 0, "ua6"));
    assert_eq!(at("nobody"), None);
}

#[test]
fn a_whole_call_is_not_cut() {
    let (_sandbox, session) = example();
    let whole = html(&session, "u4", Some("t4"), 0).unwrap();
    checked_ids(&whole);
    assert!(whole.starts_with("<details class=\"m c\" id=m-u4 data-tool=\"Bash\""), "{whole}");
    assert!(whole.matches("word ").count() >= 11_990, "command and output");
    assert!(!whole.contains("class=more"));
    let around = html(&session, "u4", None, 1).unwrap();
    assert_eq!(checked_ids(&around), ["m-u1", "m-u4", "m-u6"]);
    assert_eq!(html(&session, "nobody", None, 0), None);
}

#[test]
fn records_are_those_of_a_message_and_its_result_or_of_lines() {
    let (_sandbox, session) = example();
    let uuids = |agent, selection| {
        answers::records(&session, agent, &selection, &Marks::default(), |records| {
            assert_reads_back(records);
            let uuids = records.records.iter().map(|it| it.uuid.clone().unwrap_or_default());
            uuids.map(std::borrow::Cow::into_owned).collect::<Vec<String>>()
        })
    };
    assert_eq!(uuids(None, RecordsSelection::Uuid("u4")).unwrap(), ["u4", "u5"]);
    assert_eq!(uuids(None, RecordsSelection::Lines(1, 2)).unwrap(), ["u0", "u1"]);
    assert_eq!(uuids(Some("a6"), RecordsSelection::Lines(1, 9)).unwrap(), ["ua6"]);
    assert!(uuids(Some("nobody"), RecordsSelection::Lines(1, 9)).is_err());
}

#[test]
fn the_configuration_is_read_back() {
    let setting = SettingDocument {
        name: "timezone".into(),
        value: Some("UTC".to_owned()),
        source: "file".into(),
    };
    assert_reads_back(&ConfigurationDocument::new(None, false, None, vec![setting]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_shown_message_of_any_session_has_a_place_and_a_fragment(events in events()) {
        let (_sandbox, session) = session(&events);
        for turn in &session.whole(View::App).turns.turns {
            for step in &turn.steps {
                let uuid = session.conversation(View::App).graph.node(step.node).uuid.to_string();
                prop_assert_eq!(place(&session, &name(&uuid)).map(|it| it.uuid), Some(uuid.clone()));
                let html = html(&session, &uuid, None, 2);
                checked_ids(&html.unwrap());
            }
        }
    }
}
