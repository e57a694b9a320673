//! Branches, orphaned segments and agents stand at the same place whether a session
//! is read on a terminal or exported as a page.

use document::AgentDetail;
use document::pages::{PageOptions, build};
use document::reading::ReadableConversation;
use jiff::tz::TimeZone;
use library::sessions::{OpenSession, Part, Selection, TurnNumber, TurnRange, View};
use library::{Library, Options};
use proptest::prelude::*;
use render::{Detail, Paint, TextOptions};
use serde_json::json;
use std::collections::HashSet;
use store::RootOrigin;
use testkit::{
    Line, Sandbox, assistant, chained, metadata, session_id, system, tool_result, tool_use, user,
};

const CWD: &str = "/home/ada/tidepool";

/// Something that happens in a session.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A prompt and its answer.
    Turn,
    /// The person goes back behind a record.
    Rewind(usize),
    /// A prompt whose parent is missing, with an agent that it starts or without.
    Orphan(bool),
    /// A call starts an agent.
    Agent,
    /// An agent of a workflow, by its phase.
    Workflow(usize),
    /// The app notes something.
    Note,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => Just(Event::Turn),
        2 => (0_usize..40).prop_map(Event::Rewind),
        1 => any::<bool>().prop_map(Event::Orphan),
        2 => Just(Event::Agent),
        1 => (0_usize..2).prop_map(Event::Workflow),
        1 => Just(Event::Note),
    ]
}

/// A session in the making. Every message has a unique word: `p4`, `r5`, `o6`.
struct Writer {
    sandbox: Sandbox,
    lines: Vec<Line>,
    uuids: Vec<String>,
    head: Option<String>,
}

impl Writer {
    fn number(&self) -> usize {
        self.lines.len()
    }

    fn push(&mut self, line: Line, parent: Option<&str>) -> String {
        let number = self.number();
        let uuid = format!("u{number}");
        // An hour apart: an orphan soon after another line is taken to follow it.
        let time = format!("2026-01-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24);
        let line = line.link(&uuid, parent).at(&time).cwd(CWD).with("sessionId", session_id(1));
        self.lines.push(line);
        uuid
    }

    fn follow(&mut self, line: Line) {
        let parent = self.head.take();
        let uuid = self.push(line, parent.as_deref());
        self.uuids.push(uuid.clone());
        self.head = Some(uuid);
    }

    fn say(&mut self) {
        self.follow(user(&format!("p{}", self.number())));
        let number = self.number();
        self.follow(assistant(&format!("r{number}")).message("id", format!("m{number}")));
    }

    /// The call that starts an agent, and its answer.
    fn call(&self) -> [Line; 2] {
        let number = self.number();
        let (call, agent) = (format!("t{number}"), format!("a{number}"));
        let task = json!({"subagent_type": "Explore", "prompt": format!("look {number}")});
        let own = user("look").with("isSidechain", true).cwd(CWD);
        self.sandbox.agent(CWD, &session_id(1), &format!("agent-{agent}"), [own]);
        [
            tool_use(&call, "Task", &task).message("id", format!("m{number}")),
            tool_result(&call, "seen").with("toolUseResult", json!({"agentId": agent})),
        ]
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Turn => self.say(),
            Event::Rewind(place) => {
                if !self.uuids.is_empty() {
                    self.head = Some(self.uuids[place % self.uuids.len()].clone());
                }
            }
            Event::Orphan(has_agent) => {
                let orphan = user(&format!("o{}", self.number()));
                let parent = format!("gone{}", self.number());
                let mut last = self.push(orphan, Some(&parent));
                if has_agent {
                    for line in self.call() {
                        last = self.push(line, Some(&last));
                    }
                }
            }
            Event::Agent => {
                for line in self.call() {
                    self.follow(line);
                }
            }
            Event::Workflow(phase) => {
                // A separate line, so that the next agent has another name.
                let name = format!("workflows/wf_1/agent-w{}", self.number());
                self.follow(system("turn_duration"));
                let own = user("weigh").with("isSidechain", true).cwd(CWD);
                let path = self.sandbox.agent(CWD, &session_id(1), &name, [own]);
                let meta = json!({"workflowPhase": format!("phase {phase}")});
                let folder = path.parent().unwrap().strip_prefix(self.sandbox.config()).unwrap();
                let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let meta_path = format!("{}/{file}.meta.json", folder.display());
                self.sandbox.write(&meta_path, meta.to_string());
            }
            Event::Note => self.follow(system("turn_duration")),
        }
    }
}

/// Writes and opens a session in which these things happen.
fn session(events: &[Event]) -> (Sandbox, OpenSession) {
    let mut writer =
        Writer { sandbox: Sandbox::new(), lines: Vec::new(), uuids: Vec::new(), head: None };
    writer.say();
    for event in events {
        writer.happen(*event);
    }
    writer.say();
    writer.lines.push(metadata("custom-title", &[("customTitle", "Tides".into())]));
    writer.sandbox.session(CWD, &session_id(1), &writer.lines);
    let roots = vec![(writer.sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let session = library
        .sessions()
        .open_session(&library.catalog().find(&session_id(1), None).unwrap())
        .unwrap();
    (writer.sandbox, session)
}

fn read(session: &OpenSession, selection: &Selection, detail: AgentDetail) -> String {
    let selected = session.turns(selection).unwrap();
    let options = TextOptions {
        width: None,
        paint: Paint { enabled: false },
        zone: &TimeZone::UTC,
        thinking: true,
        tools: Detail::Brief,
        outputs: true,
        diffs: true,
        shows_all: "--tools full",
        folder: None,
    };
    let reading = ReadableConversation::new(session, &selected, View::App, detail, options);
    let turns: String = selected.selected().iter().map(|turn| reading.turn(turn)).collect();
    if selected.is_complete() { turns + &reading.after_last_turn() } else { turns }
}

fn page(session: &OpenSession, selection: &Selection, detail: AgentDetail) -> String {
    let options = PageOptions {
        selection: selection.clone(),
        agents: detail,
        thinking: true,
        tools: Detail::Brief,
        reads_outputs: true,
        lists_unlinked: false,
        is_masked: false,
        zone: &TimeZone::UTC,
        short_path: &str::to_owned,
        mask: &str::to_owned,
    };
    build(session, &options, |export, _| render::markdown_page(export)).unwrap()
}

/// The words of messages in a line: `p4`, `r5`, `o6`.
fn words(line: &str) -> Vec<String> {
    let words = line.split(|it: char| !it.is_ascii_alphanumeric());
    let is_own = |word: &&str| {
        word.strip_prefix(['p', 'r', 'o'])
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit()))
    };
    words.filter(is_own).map(str::to_owned).collect()
}

/// The id of the agent that a line names.
fn agent(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("⤷ ")?;
    rest.split(|it: char| !it.is_ascii_alphanumeric()).next().map(str::to_owned)
}

/// What stands in a text, in order; a branch is one thing. Of a page also the agents
/// that stand in its branches, which a terminal does not show.
fn order(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut order, mut in_branches) = (Vec::new(), Vec::new());
    // How many folds are open within a branch.
    let mut depth = 0;
    for line in text.lines() {
        let opened = line.matches("<details").count();
        let closed = line.matches("</details>").count();
        if depth > 0 {
            in_branches.extend(agent(line));
            depth = depth + opened - closed;
        } else if let Some((_, rest)) = line.split_once("⎇ ") {
            let number = match rest.split_once("--abandoned ") {
                Some((_, number)) => number,
                None => rest.trim_start_matches("Abandoned branch ").split(':').next().unwrap(),
            };
            order.push(format!("branch {}", number.trim()));
            depth = opened - closed;
        } else if let Some(id) = agent(line) {
            order.push(format!("agent {id}"));
        } else {
            for word in words(line) {
                // A turn is named by its prompt, and then has it.
                if order.last() != Some(&word) {
                    order.push(word);
                }
            }
        }
    }
    (order, in_branches)
}

fn check(events: &[Event]) {
    let (_sandbox, session) = session(events);
    for detail in [AgentDetail::Inline, AgentDetail::Fold, AgentDetail::None] {
        let whole = Selection::of(Part::Whole);
        let (text, page) = (read(&session, &whole, detail), page(&session, &whole, detail));
        let (expected, in_branches) = order(&page);
        let (mut shown, _) = order(&text);
        shown.retain(|it| {
            it.strip_prefix("agent ").is_none_or(|id| !in_branches.iter().any(|own| own == id))
        });
        assert_eq!(shown, expected, "{detail:?}\n{text}\n{page}");
    }
}

/// A piece of a page has the branches and orphaned segments that a piece of the text has,
/// after the same messages.
fn check_pieces(events: &[Event]) {
    let (_sandbox, session) = session(events);
    let all = session.turns(&Selection::of(Part::Whole)).unwrap();
    let numbers: Vec<TurnNumber> = all.turns.turns.iter().map(|turn| turn.number).collect();
    for (place, from) in numbers.iter().enumerate() {
        for to in &numbers[place..] {
            let range = TurnRange { from: Some(*from), to: Some(*to), ..TurnRange::default() };
            let selection = Selection { range, ..Selection::of(Part::Whole) };
            let text = read(&session, &selection, AgentDetail::None);
            let page = page(&session, &selection, AgentDetail::None);
            let is_placed = |it: &String| it.starts_with("branch ") || it.starts_with(['p', 'o']);
            let placed = |text: &str| order(text).0.into_iter().filter(is_placed).collect();
            let (shown, exported): (Vec<String>, Vec<String>) = (placed(&text), placed(&page));
            assert_eq!(shown, exported, "{from}..{to}\n{text}\n{page}");
        }
    }
}

#[test]
fn an_agent_is_shown_once_though_its_own_transcript_repeats_the_call() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let call = || tool_use("t1", "Task", &json!({"subagent_type": "Explore", "prompt": "look"}));
    let lines = [user("Go"), call(), tool_result("t1", "seen")];
    let path = sandbox.session(CWD, &id, chained(lines));
    let own = chained([user("p7"), call()]).into_iter().map(|line| line.with("isSidechain", true));
    sandbox.agent(CWD, &id, "agent-a", own);
    let meta = path.with_extension("").join("subagents/agent-a.meta.json");
    let meta = meta.strip_prefix(sandbox.config()).unwrap();
    sandbox.write(&meta.to_string_lossy(), json!({"toolUseId": "t1"}).to_string());
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let found = library.catalog().find(&id, None).unwrap();
    let session = library.sessions().open_session(&found).unwrap();
    let whole = Selection::of(Part::Whole);
    for text in [read, page].map(|write| write(&session, &whole, AgentDetail::Inline)) {
        // A page names a turn by its prompt.
        let (shown, _) = order(&text);
        assert_eq!(shown, ["agent a", "p7", "agent a"], "{text}");
    }
}

#[test]
fn exported_range_names_the_branches_that_left_from_its_turns() {
    let events = [Event::Turn, Event::Turn, Event::Rewind(3), Event::Turn, Event::Turn];
    let (_sandbox, session) = session(&events);
    let branches = |number: u32| {
        let range = TurnRange::only(TurnNumber::Main(number));
        let selection = Selection { range, ..Selection::of(Part::Whole) };
        page(&session, &selection, AgentDetail::None).matches("⎇ Abandoned branch").count()
    };
    let found: Vec<usize> = (1..=4).map(branches).collect();
    assert_eq!(found.iter().sum::<usize>(), 1, "{found:?}");
    check_pieces(&events);
}

#[test]
fn a_segment_is_not_shown_beside_itself() {
    let events = [Event::Turn, Event::Orphan(true), Event::Turn, Event::Orphan(false)];
    let (_sandbox, session) = session(&events);
    for number in 1..=2 {
        let part = Selection::of(Part::OrphanedSegment(number));
        let own = session.turns(&part).unwrap();
        let beside: Vec<usize> = own.annotations().orphans.iter().map(|it| it.number).collect();
        assert_eq!(beside, [3 - number]);
        for text in [read, page].map(|write| write(&session, &part, AgentDetail::Fold)) {
            let (shown, _) = order(&text);
            let words: HashSet<&String> = shown.iter().collect();
            assert_eq!(shown.len(), words.len(), "{text}");
        }
    }
    check_pieces(&events);
}

#[test]
fn all_turns_as_a_range_name_a_branch_of_a_branch() {
    check_pieces(&[
        Event::Turn,
        Event::Rewind(33),
        Event::Agent,
        Event::Workflow(0),
        Event::Rewind(7),
    ]);
}

#[test]
fn a_branch_an_orphan_and_agents_stand_at_one_place_in_text_and_page() {
    check(&[
        Event::Agent,
        Event::Turn,
        Event::Workflow(1),
        Event::Workflow(0),
        Event::Workflow(1),
        Event::Rewind(1),
        Event::Note,
        Event::Orphan(true),
        Event::Turn,
        Event::Orphan(false),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn text_and_page_place_everything_alike(events in prop::collection::vec(event(), 0..14)) {
        check(&events);
    }

    #[test]
    fn pieces_of_text_and_page_have_the_same_beside_them(
        events in prop::collection::vec(event(), 0..8),
    ) {
        check_pieces(&events);
    }
}
