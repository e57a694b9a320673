//! Whatever happens to a screen, it can be drawn and its positions are valid; and its text is
//! that of `annals show`.

use super::super::reader::Position;
use super::super::text::{Look, TextStyle, Tools};
use super::super::{Details, SessionModel, SessionScreen};
use super::store::{CWD, Store};
use crate::app::App;
use crate::event::{Event, Key, Mouse, MouseKind};
use crate::keymap::Keymap;
use crate::screen::{Effect, Input, Opening, Screen, View};
use crate::testing::{drawn, now, plain};
use crate::theme::{Background, Theme, ThemeName};
use document::AgentDetail;
use document::reading::ReadableConversation;
use jiff::tz::TimeZone;
use library::sessions::{Part, Selection};
use proptest::prelude::*;
use ratatui::layout::Rect;
use serde_json::json;
use std::sync::Arc;
use testkit::{
    Line, Sandbox, assistant, metadata, session_id, tool_error, tool_result, tool_use, user,
};

/// Something that happens in a session.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Turn(&'static str),
    Call(&'static str),
    Failure,
    Agent,
    Rewind(usize),
    Orphan,
}

const TEXTS: [&str; 5] = [
    "short",
    "a longer text with **bold** words that has to be wrapped at most widths of a terminal",
    "日本語の文 e\u{301}e\u{301} 👩\u{200d}💻 \u{1b}[2J\u{202e}",
    "- one\n- two\n\n```rust\nfn main() { let x = 1; }\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "",
];

fn happening() -> impl Strategy<Value = Happening> {
    let text = || proptest::sample::select(&TEXTS[..]);
    prop_oneof![
        3 => text().prop_map(Happening::Turn),
        2 => text().prop_map(Happening::Call),
        1 => Just(Happening::Failure),
        1 => Just(Happening::Agent),
        1 => (0_usize..20).prop_map(Happening::Rewind),
        1 => Just(Happening::Orphan),
    ]
}

/// Writes a session in which these things happen.
fn store(happenings: &[Happening]) -> Store {
    let sandbox = Sandbox::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut uuids: Vec<String> = Vec::new();
    let mut head: Option<String> = None;
    for happening in happenings {
        let number = lines.len();
        let call = format!("t{number}");
        let id = |line: Line, place: usize| line.message("id", format!("m{number}{place}"));
        let own = match happening {
            Happening::Turn(text) => vec![user(text), id(assistant(text), 1)],
            Happening::Call(text) => {
                let output = format!("{text}\n").repeat(9);
                let command = json!({"command": text});
                vec![id(tool_use(&call, "Bash", &command), 0), tool_result(&call, &output)]
            }
            Happening::Failure => {
                let input = json!({"file_path": format!("{CWD}/a.rs")});
                vec![id(tool_use(&call, "Read", &input), 0), tool_error(&call, "no such file")]
            }
            Happening::Agent => {
                let agent = format!("a{number}");
                let lines = [user("look").with("isSidechain", true).cwd(CWD)];
                sandbox.agent(CWD, &session_id(1), &format!("agent-{agent}"), lines);
                let task = json!({"subagent_type": "Explore", "prompt": "look"});
                let answer =
                    tool_result(&call, "seen").with("toolUseResult", json!({"agentId": agent}));
                vec![id(tool_use(&call, "Task", &task), 0), answer]
            }
            Happening::Rewind(place) => {
                if !uuids.is_empty() {
                    head = Some(uuids[place % uuids.len()].clone());
                }
                continue;
            }
            Happening::Orphan => {
                let orphan =
                    user("lost").link(&format!("u{number}"), Some(&format!("gone{number}")));
                lines.push(orphan);
                continue;
            }
        };
        for line in own {
            let uuid = format!("u{}", lines.len());
            lines.push(line.link(&uuid, head.as_deref()));
            uuids.push(uuid.clone());
            head = Some(uuid);
        }
    }
    let timed = lines.into_iter().enumerate().map(|(number, line)| {
        // An hour apart: an orphan soon after another line is taken to follow it.
        let time = format!("2026-01-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24);
        line.at(&time).cwd(CWD).with("sessionId", session_id(1))
    });
    let title = metadata("custom-title", &[("customTitle", "Tides".into())]);
    sandbox.session(CWD, &session_id(1), timed.chain([title]));
    Store::of(sandbox)
}

fn event() -> impl Strategy<Value = Event> {
    let keys = "jkgGJKen/N[]bsPtTdohlzcFpMu.?#yR \t";
    let keys: Vec<char> = keys.chars().collect();
    let named = [
        "enter",
        "esc",
        "pageup",
        "pagedown",
        "ctrl-d",
        "ctrl-u",
        "home",
        "end",
        "backspace",
        "f2",
    ];
    let kinds = [
        MouseKind::Press,
        MouseKind::Drag,
        MouseKind::Release,
        MouseKind::WheelUp,
        MouseKind::WheelDown,
    ];
    prop_oneof![
        8 => proptest::sample::select(keys).prop_map(|key| Event::Key(match key {
            '\t' => "tab".parse().expect("a key"),
            key => Key::char(key),
        })),
        4 => proptest::sample::select(named.to_vec())
            .prop_map(|key| Event::Key(key.parse().expect("a key"))),
        2 => (proptest::sample::select(kinds.to_vec()), 0_u16..210, 0_u16..62)
            .prop_map(|(kind, column, row)| Event::Mouse(Mouse { kind, column, row })),
        1 => Just(Event::Paste("look\n\u{1b}[2J".to_owned())),
    ]
}

/// What happens to the program: an event, or another size.
#[derive(Clone, Debug)]
enum Input2 {
    Event(Event),
    Size(u16, u16),
}

fn inputs() -> impl Strategy<Value = Vec<Input2>> {
    let size = (1_u16..130, 1_u16..50).prop_map(|(width, height)| Input2::Size(width, height));
    proptest::collection::vec(prop_oneof![9 => event().prop_map(Input2::Event), 1 => size], 0..60)
}

fn assert_valid(screen: &SessionScreen, view: &View<'_>) {
    if let Some(layout) = screen.layout(view) {
        let top = screen.reader.top;
        let lines = layout.lines(top.piece).len();
        let is_empty = (0..layout.pieces()).all(|piece| layout.height(piece) == 0);
        assert!(top.line < lines || (is_empty && top == Position::default()), "{top:?} of {lines}");
    }
    assert!(screen.outline.selected < screen.outline.len().max(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_events_leave_a_position_invalid(
        happenings in proptest::collection::vec(happening(), 0..10),
        inputs in inputs(),
    ) {
        let store = store(&happenings);
        let (theme, keymap) = (Theme::new(ThemeName::Auto, Background::Dark), Keymap::default());
        let mut view = View {
            area: Rect::new(0, 0, 80, 23),
            theme: &theme,
            keymap: &keymap,
            now: now(),
            zone: &TimeZone::UTC,
            home: None,
        };
        let opening = Opening { id: session_id(1), ..Opening::default() };
        let mut screen = SessionScreen::new(opening, Part::Whole);
        let mut waiting = screen.handle(&Input::Event(&Event::Resize), &view);
        for input in inputs {
            while let Some(effect) = waiting.pop() {
                if let Effect::Ask(request) = effect {
                    for answer in store.answers(request) {
                        waiting.extend(screen.handle(&Input::Event(&Event::Answer(answer)), &view));
                    }
                }
            }
            waiting = match input {
                Input2::Size(width, height) => {
                    view.area = Rect::new(0, 0, width, height);
                    screen.handle(&Input::Event(&Event::Resize), &view)
                }
                Input2::Event(Event::Key(key)) => match keymap.action(screen.mode(), key) {
                    Some(action) => screen.handle(&Input::Action(action), &view),
                    None => screen.handle(&Input::Event(&Event::Key(key)), &view),
                },
                Input2::Event(event) => screen.handle(&Input::Event(&event), &view),
            };
            assert_valid(&screen, &view);
        }
    }

    #[test]
    fn no_events_break_the_app(
        happenings in proptest::collection::vec(happening(), 0..8),
        inputs in inputs(),
    ) {
        let store = store(&happenings);
        let mut size = (80, 24);
        let mut app: App = store.app(size);
        for input in inputs {
            let commands = match input {
                Input2::Size(width, height) => {
                    size = (width, height);
                    app.resize(Rect::new(0, 0, width, height))
                }
                Input2::Event(event) => app.handle(&event),
            };
            store.carry_out(&mut app, commands);
            let shown = plain(&drawn(&mut app, size));
            prop_assert!(!shown.contains(|c: char| render::untrusted::is_harmful(c)));
        }
    }

    #[test]
    fn text_is_that_of_annals_show(
        happenings in proptest::collection::vec(happening(), 0..12),
        tools in 0_usize..3,
        thinking in any::<bool>(),
        width in 20_usize..120,
    ) {
        let store = store(&happenings);
        let found = store.library.catalog().find(&session_id(1), None).expect("the session");
        let session = Arc::new(store.library.sessions().open_session(&found).expect("the session"));
        let model = SessionModel::new(Arc::clone(&session), Part::Whole).expect("all turns");
        let details = Details::of(&store.library, &model);
        let tools = [Tools::Off, Tools::Cut, Tools::Full][tools];
        let style = TextStyle {
            width,
            look: Look { tools, thinking, diffs: true },
            zone: &TimeZone::UTC,
            tools_key: "t",
            branches_key: "b",
            outputs: None,
        };
        let own: String =
            (0..model.pieces()).map(|piece| style.piece(&model, Some(&details), piece)).collect();
        let selected = session.turns(&Selection::of(Part::Whole)).expect("all turns");
        let options = style.options(&session);
        let reading = ReadableConversation::new(
            &session, &selected, library::sessions::View::App, AgentDetail::Fold, options,
        );
        let turns: String = selected.selected().into_iter().map(|turn| reading.turn(turn)).collect();
        let shown = turns + &reading.after_last_turn();
        // Branches name a key instead of a command.
        let command = format!(": annals show {}", session_id(1));
        let normal = |text: &str, sign: &str| {
            let lines = text.lines().map(|line| match line.find('⎇').and_then(|_| line.find(sign)) {
                Some(end) => line[..end].to_owned(),
                None => line.to_owned(),
            });
            lines.collect::<Vec<String>>()
        };
        prop_assert_eq!(normal(&own, " (b opens)"), normal(&shown, &command));
    }
}
