//! Sessions in which arbitrary things happen, with arbitrary texts.

use super::support::CWD;
use library::sessions::OpenSession;
use library::{Library, Options};
use proptest::prelude::*;
use serde_json::json;
use store::RootOrigin;
use testkit::{
    Line, Sandbox, assistant, session_id, system, tool_error, tool_result, tool_use, user,
};

/// Something that happens in a session.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A prompt and its answer.
    Turn(String),
    /// The model answers again.
    Answer(String),
    /// The person goes back behind a record.
    Rewind(usize),
    /// A prompt whose parent is missing.
    Orphan,
    /// A call starts an agent, which says something.
    Agent(String),
    /// A tool is called with some input, and answers or fails.
    Call(String, String, bool),
    /// An image in a prompt, and one in a result.
    Images,
    /// The conversation is compacted.
    Compaction,
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "([a<>&\"'`#*_|\\[\\]()!\n\u{1b}\u{202e}é -]|<script>|javascript:|```|https://a.b|\\]\\(){0,60}",
        Just("<img src=x onerror=alert(1)>\n\n</section></details>".to_owned()),
        Just("word ".repeat(200)),
    ]
}

pub(crate) fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => text().prop_map(Event::Turn),
        2 => text().prop_map(Event::Answer),
        2 => (0_usize..40).prop_map(Event::Rewind),
        1 => Just(Event::Orphan),
        2 => text().prop_map(Event::Agent),
        3 => (prop_oneof![Just("Bash".to_owned()), Just("Edit".to_owned()), text()], text(), any::<bool>())
            .prop_map(|(tool, text, fails)| Event::Call(tool, text, fails)),
        1 => Just(Event::Images),
        1 => Just(Event::Compaction),
    ];
    prop::collection::vec(event, 0..14)
}

struct Writer {
    sandbox: Sandbox,
    lines: Vec<Line>,
    uuids: Vec<String>,
    head: Option<String>,
}

impl Writer {
    fn push(&mut self, line: Line, parent: Option<&str>) -> String {
        let number = self.lines.len();
        let uuid = format!("u{number}");
        let time = format!("2026-01-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24);
        let line = line.link(&uuid, parent).at(&time).cwd(CWD).with("sessionId", session_id(1));
        self.lines.push(line);
        uuid
    }

    fn follow(&mut self, line: Line) {
        let parent = self.head.take();
        let number = self.lines.len();
        let is_answer = line.to_string().contains("\"role\":\"assistant\"");
        let line = if is_answer { line.message("id", format!("m{number}")) } else { line };
        let uuid = self.push(line, parent.as_deref());
        self.uuids.push(uuid.clone());
        self.head = Some(uuid);
    }

    fn happen(&mut self, event: &Event) {
        let number = self.lines.len();
        let call = format!("t{number}");
        let image = json!({"type": "image", "source":
            {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
        match event {
            Event::Turn(text) => {
                self.follow(user(&format!("p{number} {text}")));
                self.follow(assistant(text));
            }
            Event::Answer(text) => self.follow(assistant(text)),
            Event::Rewind(place) => {
                if !self.uuids.is_empty() {
                    self.head = Some(self.uuids[place % self.uuids.len()].clone());
                }
            }
            Event::Orphan => {
                let orphan = user(&format!("o{number}"));
                self.push(orphan, Some(&format!("gone{number}")));
            }
            Event::Agent(text) => {
                let agent = format!("a{number}");
                let task = json!({"subagent_type": "Explore", "prompt": format!("look {number}")});
                let own = user(text).with("isSidechain", true).cwd(CWD);
                let own = own.with("uuid", format!("ua{number}"));
                self.sandbox.agent(CWD, &session_id(1), &format!("agent-{agent}"), [own]);
                self.follow(tool_use(&call, "Task", &task));
                let result = tool_result(&call, "seen");
                self.follow(result.with("toolUseResult", json!({"agentId": agent})));
            }
            Event::Call(tool, text, fails) => {
                let input = json!({"command": text, "file_path": text, "old_string": "a\nb",
                    "new_string": text});
                self.follow(tool_use(&call, tool, &input));
                let result =
                    if *fails { tool_error(&call, text) } else { tool_result(&call, text) };
                self.follow(result);
            }
            Event::Images => {
                let words = json!({"type": "text", "text": format!("p{number}")});
                let prompt = user("x").message("content", json!([words, image, image]));
                self.follow(prompt);
                self.follow(tool_use(&call, "Read", &json!({"file_path": "a.png"})));
                let result =
                    json!([{"type": "tool_result", "tool_use_id": call, "content": [image]}]);
                self.follow(user("x").message("content", result));
            }
            Event::Compaction => {
                let last = self.head.clone();
                let boundary = system("compact_boundary").with("logicalParentUuid", last);
                self.head = None;
                self.follow(boundary);
                self.follow(user("Summary so far").with("isCompactSummary", true));
            }
        }
    }
}

/// Writes and opens a session in which these things happen.
pub(crate) fn session(events: &[Event]) -> (Sandbox, OpenSession) {
    let mut writer =
        Writer { sandbox: Sandbox::new(), lines: Vec::new(), uuids: Vec::new(), head: None };
    for event in std::iter::once(&Event::Turn("first".to_owned())).chain(events) {
        writer.happen(event);
    }
    writer.happen(&Event::Turn("last".to_owned()));
    writer.sandbox.session(CWD, &session_id(1), &writer.lines);
    let roots = vec![(writer.sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let found = library.catalog().find(&session_id(1), None).unwrap();
    (writer.sandbox, library.sessions().open_session(&found).unwrap())
}
