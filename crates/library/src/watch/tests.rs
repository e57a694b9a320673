//! The events equal the conversation: whatever happens to the files of a
//! session, applying the events gives the same as reading the files whole.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]

mod repeated;
mod writer;

use crate::Library;
use crate::stores::Options;
use crate::watch::event::{Event, EventKind};
use crate::watch::follower::{Follower, WatchScope};
use crate::watch::lane::Lane;
use crate::watch::tests::writer::{Step, Writer, say, step};
use conversation::{Calls, Conversation, TurnNumber, View};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use store::{RootOrigin, WatchedChange};
use testkit::{Sandbox, session_id, user};
use transcript::Line as FileLine;
use usage::{Counters, Fold};

const CWD: &str = "/home/ada/tidepool";

/// The status of a call without an answer.
const MISSING: &str = "missing";

/// The state of a transcript, from its events or from reading it whole.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    order: Vec<String>,
    texts: BTreeMap<String, Vec<u8>>,
    turns: BTreeMap<String, Option<TurnNumber>>,
    calls: BTreeMap<String, (String, &'static str)>,
}

impl Known {
    fn read(bytes: &[u8], is_agent: bool) -> Known {
        let conversation = if is_agent {
            Conversation::read_agent(bytes, View::App)
        } else {
            Conversation::read(bytes, View::App)
        };
        let mut known = Known::default();
        for message in &conversation.messages {
            if !known.texts.contains_key(&message.uuid) {
                known.order.push(message.uuid.clone());
                let line = conversation.graph.node(message.node).bytes.to_vec();
                known.texts.insert(message.uuid.clone(), line);
                known.turns.insert(message.uuid.clone(), conversation.turn_of(message.node));
            }
        }
        let mut calls = Calls::default();
        for entry in transcript::entries(bytes) {
            calls.note(entry.line, entry.record);
        }
        for call in calls.all() {
            if let Some(id) = &call.id {
                known.calls.insert(id.to_string(), (call.tool.to_string(), call.status().name()));
            }
        }
        known
    }

    fn place(&mut self, uuids: &[String], after: Option<&String>) {
        self.order.retain(|uuid| !uuids.contains(uuid));
        let at = after.map_or(0, |after| {
            let at = self.order.iter().position(|uuid| uuid == after);
            at.expect("what something stands behind is there") + 1
        });
        self.order.splice(at..at, uuids.iter().cloned());
    }

    fn leave(&mut self, uuids: &[String]) {
        self.order.retain(|uuid| !uuids.contains(uuid));
    }

    fn apply(&mut self, what: &EventKind) {
        match what {
            EventKind::Message(message) => {
                self.place(std::slice::from_ref(&message.uuid), message.after.as_ref());
                self.texts.insert(message.uuid.clone(), message.line.clone());
                self.turns.insert(message.uuid.clone(), message.turn);
            }
            EventKind::Moved { uuids, after } => self.place(uuids, after.as_ref()),
            EventKind::Rewound(rewound) => {
                self.leave(&rewound.undone);
                if !rewound.live.is_empty() {
                    self.place(&rewound.live, rewound.after.as_ref());
                }
            }
            EventKind::Compacted(uuids) => self.leave(uuids),
            EventKind::Retracted(retracted) => {
                self.leave(&retracted.uuids);
                for uuid in &retracted.uuids {
                    self.texts.remove(uuid);
                    self.turns.remove(uuid);
                }
                for id in &retracted.calls {
                    self.calls.remove(id).expect("only what began is taken back");
                }
                for id in &retracted.answers {
                    self.calls.get_mut(id).expect("a call").1 = MISSING;
                }
            }
            EventKind::CallStarted(called) => {
                let tool = called.read(|call| call.tool.to_string()).expect("a call");
                let status = self.calls.get(&called.id).map_or(MISSING, |(_, status)| *status);
                self.calls.insert(called.id.clone(), (tool, status));
            }
            EventKind::CallEnded(called) => {
                let status = called.read(|call| call.status().name()).expect("a call");
                self.calls.get_mut(&called.id).expect("what ends has begun").1 = status;
            }
            _ => {}
        }
    }

    /// The same with only the texts and turns of the present conversation: events do
    /// not remove those of abandoned messages.
    fn standing(&self) -> Known {
        let standing: HashSet<&String> = self.order.iter().collect();
        let mut known = self.clone();
        known.texts.retain(|uuid, _| standing.contains(uuid));
        known.turns.retain(|uuid, _| standing.contains(uuid));
        known
    }
}

fn counters(files: &[&[u8]]) -> Counters {
    let mut fold = Fold::default();
    for (number, bytes) in (0..).zip(files) {
        for line in transcript::lines(bytes) {
            if memchr::memmem::find(line.bytes, usage::NEEDLE.as_bytes()).is_none() {
                continue;
            }
            usage::read_line(line, |read| {
                if let usage::UsageLine::Call(call) = read {
                    fold.note(number, &call);
                }
            });
        }
    }
    let calls = fold.finish().calls;
    calls.iter().fold(Counters::default(), |sum, call| sum.plus(&call.counters))
}

fn open(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

/// The state of a session by transcript, from its events.
#[derive(Default)]
struct Replay {
    known: HashMap<Option<String>, Known>,
    counters: Counters,
}

impl Replay {
    fn take(&mut self, events: Vec<Event>) {
        for event in events {
            if let EventKind::Usage(figures) = &event.what {
                self.counters = figures.counters;
            }
            self.known.entry(event.agent_id.clone()).or_default().apply(&event.what);
        }
    }
}

/// The events of a session as `started`, `ended`, and its messages, those of
/// the past in brackets.
fn outline(events: &[Event]) -> Vec<String> {
    let words = events.iter().filter_map(|event| match &event.what {
        EventKind::SessionStarted { .. } => Some("started".to_owned()),
        EventKind::SessionEnded(_) => Some("ended".to_owned()),
        EventKind::Message(message) if event.is_past => Some(format!("({})", message.uuid)),
        EventKind::Message(message) => Some(message.uuid.clone()),
        _ => None,
    });
    words.collect()
}

#[test]
fn ended_session_is_dropped_and_followed_again_when_resumed() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let line =
        |uuid: &str, parent| user("x").cwd(CWD).with("sessionId", session_id(1)).link(uuid, parent);
    let path = sandbox.session(CWD, &id, [line("u1", None)]);
    let library = open(&sandbox);
    let mut process = std::process::Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Before it has become the program, the process has another name.
    process.stdin.as_mut().unwrap().write_all(b"x").unwrap();
    process.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let now = jiff::Timestamp::now().as_millisecond();
    let pid = process.id();
    let entry = format!(r#"{{"pid":{pid},"sessionId":"{id}","cwd":"{CWD}","startedAt":{now}}}"#);
    sandbox.write(&format!("sessions/{pid}.json"), entry);
    let mut follower = Follower::new(library.watch(), WatchScope::All).letting_go_at_once();
    let changed = WatchedChange::Files([path.clone()].into());
    assert_eq!(outline(&follower.begin()), ["started", "(u1)"]);
    assert!(follower.is_following());
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(outline(&follower.check_missed()), ["ended"]);
    while follower.is_following() {
        std::thread::sleep(follower.time_to_next_check().min(std::time::Duration::from_millis(10)));
        assert!(outline(&follower.check_missed()).is_empty());
    }
    assert!(outline(&follower.changed(&WatchedChange::Anything)).is_empty());
    sandbox.append(&path, format!("{}\n", line("u2", Some("u1"))));
    assert_eq!(outline(&follower.changed(&changed)), ["started", "(u1)", "u2"]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(outline(&follower.changed(&changed)), ["ended"]);
    assert!(!follower.is_following());
    sandbox.session(CWD, &id, [line("u3", None)]);
    assert_eq!(outline(&follower.changed(&changed)), ["started", "u3"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn applied_events_equal_the_conversation(
        steps in prop::collection::vec((any::<bool>(), step(), any::<bool>()), 1..24)
    ) {
        let sandbox = Sandbox::new();
        let id = session_id(1);
        let path = sandbox.session(CWD, &id, [user("hello").cwd(CWD)]);
        let agent = path.with_extension("").join("subagents/agent-a1.jsonl");
        let library = open(&sandbox);
        let session = library.catalog().find_id(&id).unwrap();
        let mut follower = Follower::new(library.watch(), WatchScope::Session(Box::new(session)));
        let mut replay = Replay::default();
        replay.take(follower.begin());
        let mut writers = [Writer::new("main", path.clone()), Writer::new("a1", agent.clone())];
        writers[0].bytes = std::fs::read(&path).unwrap();
        for (second, (is_agent, step, is_everything)) in (1..).zip(&steps) {
            let writer = &mut writers[usize::from(*is_agent)];
            writer.apply(step);
            let changed = |path: &PathBuf| WatchedChange::Files([path.clone()].into());
            if matches!(step, Step::Delete) && writer.path.exists() {
                std::fs::remove_file(&writer.path).unwrap();
                replay.take(follower.changed(&changed(&writer.path)));
            }
            writer.write(step, &sandbox, second);
            let changed = if *is_everything { WatchedChange::Anything } else { changed(&writer.path) };
            replay.take(follower.changed(&changed));
            for (writer, agent) in writers.iter().zip([None, Some("a1".to_owned())]) {
                let reported = replay.known.get(&agent).cloned().unwrap_or_default();
                let expected = Known::read(writer.counting(), agent.is_some());
                prop_assert_eq!(reported.standing(), expected, "{:?}", step);
            }
            let files: Vec<&[u8]> = writers.iter().map(Writer::counting).collect();
            prop_assert_eq!(replay.counters, counters(&files));
        }
        prop_assert!(follower.check_missed().is_empty(), "nothing was overlooked");
    }

    #[test]
    fn hasty_reports_are_corrected(
        steps in prop::collection::vec((prop::collection::vec(say(), 1..4), any::<bool>()), 1..16)
    ) {
        let mut writer = Writer::new("main", PathBuf::new());
        let mut lane = Lane::new(false, 0).hasty_beyond(0);
        let mut reported = Known::default();
        for (says, is_calm) in &steps {
            let from = writer.bytes.len();
            let lines = writer.lines(says);
            writer.bytes.extend(lines);
            for line in transcript::lines(&writer.bytes[from..]) {
                lane.add(FileLine { offset: line.offset + from as u64, ..line });
            }
            let mut lane_events = lane.update();
            if *is_calm {
                lane_events.extend(lane.settle());
            }
            for lane_event in &lane_events {
                reported.apply(&lane_event.what);
            }
            if *is_calm || !lane.is_hasty() {
                prop_assert_eq!(reported.standing(), Known::read(&writer.bytes, false));
            }
        }
    }
}
