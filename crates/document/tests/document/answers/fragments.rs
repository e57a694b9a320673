//! Fragments of consecutive turns are the page of the whole session, piece by piece.

use super::html_check::checked_ids;
use super::session_writer::{Event, events, session};
use super::support::{CWD, library, open};
use document::AgentDetail;
use document::answers::{ThreadPart, TurnFragmentOptions, turn_fragment};
use document::pages::{PageOptions, build};
use jiff::tz::TimeZone;
use library::sessions::{OpenSession, Part, Selection, SelectionError, TurnNumber, View};
use proptest::prelude::*;
use render::{Detail, Fragment, FragmentLink, FragmentPlace};
use serde_json::json;
use testkit::{Sandbox, assistant, chained, session_id, user};

static ZONE: TimeZone = TimeZone::UTC;

fn url(link: &FragmentLink<'_>) -> String {
    format!("/base/{link:?}\"><script>")
}

pub(super) fn options(
    from: Option<FragmentPlace>,
    agents: AgentDetail,
) -> TurnFragmentOptions<'static> {
    TurnFragmentOptions {
        part: ThreadPart::Main,
        agent: None,
        view: View::App,
        from,
        to: None,
        most_turns: usize::MAX,
        max_bytes: usize::MAX,
        thinking: true,
        tools: Detail::Full,
        agents,
        zone: &ZONE,
        url: &url,
    }
}

/// All fragments of a session, one after another.
fn pieces(
    session: &OpenSession,
    agents: AgentDetail,
    most_turns: usize,
    max_bytes: usize,
) -> Vec<Fragment> {
    let mut pieces: Vec<Fragment> = Vec::new();
    let mut from = None;
    loop {
        let options = TurnFragmentOptions { most_turns, max_bytes, ..options(from, agents) };
        let fragment = turn_fragment(session, &options).unwrap();
        assert!(pieces.len() < 10_000, "no progress at {:?}", fragment.next);
        from = fragment.next;
        pieces.push(fragment);
        if from.is_none() {
            return pieces;
        }
    }
}

/// The messages of HTML, in order.
fn messages(html: &str) -> Vec<String> {
    let ids = html.split(" id=m-").skip(1);
    ids.map(|rest| rest.split([' ', '>']).next().unwrap().to_owned()).collect()
}

fn page(session: &OpenSession, agents: AgentDetail) -> String {
    let options = PageOptions {
        selection: Selection::of(Part::Whole),
        agents,
        thinking: true,
        tools: Detail::Full,
        reads_outputs: true,
        lists_unlinked: false,
        is_masked: false,
        zone: &TimeZone::UTC,
        short_path: &str::to_owned,
        mask: &str::to_owned,
    };
    build(session, &options, |export, _| render::html_page(export)).unwrap()
}

fn check(events: &[Event]) {
    let (_sandbox, session) = session(events);
    for agents in [AgentDetail::Inline, AgentDetail::Fold, AgentDetail::None] {
        let expected = messages(&page(&session, agents));
        for (most_turns, max_bytes) in
            [(usize::MAX, usize::MAX), (1, usize::MAX), (2, 1), (3, 4000)]
        {
            let pieces = pieces(&session, agents, most_turns, max_bytes);
            let found: Vec<String> = pieces.iter().flat_map(|it| messages(&it.html)).collect();
            assert_eq!(found, expected, "{agents:?} {most_turns} {max_bytes}");
            for piece in &pieces {
                checked_ids(&piece.html);
            }
        }
    }
}

#[test]
fn branches_orphans_agents_and_compactions_are_in_the_piece_they_stand_in() {
    let turn = |text: &str| Event::Turn(text.to_owned());
    check(&[
        Event::Agent("look around".to_owned()),
        turn("one"),
        Event::Rewind(1),
        turn("two"),
        Event::Orphan,
        Event::Images,
        Event::Compaction,
        turn("three"),
        Event::Rewind(9),
        turn("four"),
    ]);
}

#[test]
fn agents_that_no_call_started_are_those_of_the_page() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    sandbox.session(CWD, &id, chained([user("Go"), assistant("Yes.")]));
    let agents = [
        ("zloop", json!({"parentAgentId": "zloop"})),
        ("zalone", json!({})),
        ("zbelow", json!({"parentAgentId": "zalone"})),
        ("zlost", json!({"parentAgentId": "zalone", "toolUseId": "gone"})),
    ];
    for (name, meta) in agents {
        let own = user(name).link(&format!("of-{name}"), None).with("isSidechain", true);
        let path = sandbox.agent(CWD, &id, &format!("agent-{name}"), [own.cwd(CWD)]);
        let beside = path.with_extension("meta.json");
        let beside = beside.strip_prefix(sandbox.config()).unwrap();
        sandbox.write(&beside.to_string_lossy(), meta.to_string());
    }
    let session = open(&library(&sandbox), 1);
    for (detail, expected) in [(AgentDetail::Inline, 4), (AgentDetail::Fold, 2)] {
        let fragment = turn_fragment(&session, &options(None, detail)).unwrap().html;
        let shown = |html: &str| agents_in(html.split_once("<section id=agents>").unwrap().1);
        assert_eq!(shown(&fragment), shown(&page(&session, detail)), "{detail:?}");
        assert_eq!(shown(&fragment).len(), expected, "{detail:?} {fragment}");
    }
}

/// The names of agents in HTML, each once, in order.
fn agents_in(html: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for word in html.split(|sign: char| !sign.is_ascii_alphabetic()) {
        let is_name = ["zloop", "zalone", "zbelow", "zlost"].contains(&word);
        if is_name && !names.iter().any(|name| name == word) {
            names.push(word.to_owned());
        }
    }
    names
}

#[test]
fn a_fragment_has_attributes_addresses_and_days() {
    let (_sandbox, session) = session(&[
        Event::Call("Bash".to_owned(), "echo".to_owned(), true),
        Event::Images,
        Event::Agent("look".to_owned()),
    ]);
    let html = turn_fragment(&session, &options(None, AgentDetail::Fold)).unwrap().html;
    for part in [
        "<p class=day>Thursday 2026-01-01</p>",
        "<section id=t1 data-turn=1>",
        "data-tool=\"Bash\" data-status=error",
        "<details class=a data-agent=\"a7\">",
        "<a class=more href=\"/base/Agent",
        "<img loading=lazy src=\"/base/Image",
        "number: 1",
        "call: Some(&quot;t",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("data:image"));
}

#[test]
fn a_long_turn_goes_on_at_its_next_step() {
    let answers: Vec<Event> = (0..30).map(|it| Event::Answer(format!("answer {it}"))).collect();
    let (_sandbox, session) = session(&answers);
    let pieces = pieces(&session, AgentDetail::Fold, usize::MAX, 300);
    assert!(pieces.len() > 5);
    let next = pieces[0].next.unwrap();
    assert_eq!(next.turn, TurnNumber::Main(1));
    assert!(next.step > 0);
    let opening = format!("<section id=t1-s{0} data-turn=1 data-step={0}>", next.step);
    assert!(pieces[1].html.starts_with(&opening), "{}", pieces[1].html);
}

#[test]
fn long_branches_and_messages_end_with_a_link_to_the_rest() {
    let long = "word ".repeat(6000);
    let (_sandbox, session) = session(&[
        Event::Turn(long.clone()),
        Event::Turn(long.clone()),
        Event::Rewind(1),
        Event::Call("Bash".to_owned(), long, false),
    ]);
    let html = turn_fragment(&session, &options(None, AgentDetail::Fold)).unwrap().html;
    checked_ids(&html);
    let link = "/base/Branch { number: 1, from: FragmentPlace { turn: Branch { branch: 1, turn: 2 }, step: 0 } }";
    assert!(html.contains(link), "{html}");
    assert!(html.contains("/base/Message { agent: None, uuid: &quot;u2&quot; }"));
    assert!(
        html.contains("/base/Output { agent: None, uuid: &quot;u6&quot;, call: &quot;t6&quot; }")
    );
    let from = Some(FragmentPlace { turn: TurnNumber::Branch { branch: 1, turn: 2 }, step: 0 });
    let rest =
        TurnFragmentOptions { part: ThreadPart::Branch(1), ..options(from, AgentDetail::Fold) };
    assert_eq!(messages(&turn_fragment(&session, &rest).unwrap().html), ["u4", "u5"]);
}

#[test]
fn parts_and_missing_turns_are_answered_or_refused() {
    let (_sandbox, session) = session(&[
        Event::Turn("one".to_owned()),
        Event::Rewind(1),
        Event::Turn("two".to_owned()),
        Event::Agent("look around".to_owned()),
    ]);
    let html = |part: &str, agent| {
        let part = part.parse().unwrap();
        let options = TurnFragmentOptions { part, agent, ..options(None, AgentDetail::Fold) };
        turn_fragment(&session, &options).map(|fragment| fragment.html)
    };
    assert!(html("b1", None).unwrap().contains("id=tb1.1 data-turn=b1.1"));
    assert!(html("gen:1", None).unwrap().contains("id=t1 "));
    assert!(html("main", Some("a6")).unwrap().contains("look around"));
    assert!(matches!(html("b2", None), Err(SelectionError::NoBranch { .. })));
    assert!(matches!(html("gen:2", None), Err(SelectionError::NoGeneration { .. })));
    assert!(matches!(html("main", Some("nobody")), Err(SelectionError::NoAgent(_))));
    let from = Some(FragmentPlace { turn: TurnNumber::Main(99), step: 0 });
    let beyond = turn_fragment(&session, &options(from, AgentDetail::Fold));
    assert!(matches!(beyond, Err(SelectionError::NoTurn { .. })));
    let from = Some(FragmentPlace { turn: TurnNumber::Main(1), step: 99 });
    let beyond = turn_fragment(&session, &options(from, AgentDetail::Fold)).unwrap();
    checked_ids(&beyond.html);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn fragments_of_any_session_are_sound_and_complete(events in events()) {
        check(&events);
    }
}
