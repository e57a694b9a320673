//! The list at three sizes in every state, and what keys, the mouse and answers do.

use super::*;
use crate::app::{App, Command};
use crate::event::{Key, KeyCode, Mouse, MouseKind};
use crate::testing::{SIZES, app, colored, drawn, now, plain, type_keys};
use crate::work::{ListAnswer, RowPresence, SessionHit};
use jiff::SignedDuration;
use library::sessions::TurnNumber;
use proptest::prelude::*;

fn options() -> ListOptions {
    ListOptions {
        purpose: ListPurpose::Browse,
        query: String::new(),
        is_here: true,
        has_preview: true,
    }
}

fn row(id: &str, title: &str, minutes: i64) -> Row {
    Row {
        id: id.to_owned(),
        title: Some(title.to_owned()),
        project: Some("/home/ada/tidepool".to_owned()),
        folder: Some("/home/ada/tidepool".to_owned()),
        branch: Some("main".to_owned()),
        modified: now().checked_sub(SignedDuration::from_mins(minutes)).unwrap(),
        bytes: 48_000,
        is_here: true,
        haystack: format!("{title} tidepool main"),
        turns: Some(3),
        cost: Some(1_230_000_000_000),
        cost_text: Some("$1.23".to_owned()),
        ..Row::default()
    }
}

fn rows() -> Vec<Row> {
    let mut rows = vec![
        row("11111111", "Fix the flaky login test", 20),
        row("22222222", "Tide table endpoint \u{1b}]0;owned\u{7}\u{202e} 潮汐", 60 * 26),
        row("33333333", "Sourdough", 60 * 24 * 3),
        row("44444444", "Nightly report", 60 * 24 * 4),
    ];
    rows[0].is_running = true;
    rows[0].tag = Some("bug".to_owned());
    rows[1].marks = 1;
    rows[2].presence = RowPresence::Archive;
    rows[3].is_folded = true;
    rows
}

fn list_answer(rows: Vec<Row>) -> Event {
    Event::Answer(Answer::List(ListAnswer {
        rows: Arc::new(rows),
        is_complete: true,
        project: "tidepool".to_owned(),
        unread: 0,
        problem: None,
        unread_apps: Vec::new(),
    }))
}

fn words_answer(query: &str) -> WordsAnswer {
    WordsAnswer {
        query: query.to_owned(),
        hits: vec![SessionHit {
            session: "22222222".to_owned(),
            agent: None,
            turn: Some(TurnNumber::Main(2)),
            kind: "result Bash".to_owned(),
            snippet: "Move the clock forward instead of sleeping".to_owned(),
            places: vec![(9, 14)],
            count: 3,
        }],
        ..WordsAnswer::default()
    }
}

const PREVIEW: &str = "\u{1b}[2m━━ 1 ━━\u{1b}[0m 20:03\n❯ Please don't sleep longer\n\n\
    \u{1b}[2m━━ 2 ━━\u{1b}[0m 20:04\n⏺ \u{1b}[36mBash\u{1b}[0m cargo test\n  Move the clock forward\n";

fn preview_answer(id: &str, turn: Option<u32>) -> Event {
    let turn = turn.map(TurnNumber::Main);
    Event::Answer(Answer::Preview(PreviewAnswer {
        id: id.to_owned(),
        turn,
        text: PREVIEW.to_owned(),
        start: if turn.is_some() { 3 } else { 0 },
        is_end: turn.is_none(),
        problem: None,
    }))
}

fn loaded(size: (u16, u16)) -> App {
    let mut app = app(Box::new(ListScreen::new(&options())), size);
    app.handle(&Event::Resize);
    app.handle(&list_answer(rows()));
    app.handle(&preview_answer("11111111", None));
    app
}

fn searched(size: (u16, u16)) -> App {
    let mut app = loaded(size);
    type_keys(&mut app, "c l o c k");
    app.handle(&Event::Answer(Answer::Words(words_answer("clock"))));
    app.handle(&preview_answer("22222222", Some(2)));
    app
}

/// A state by its name, at a size.
fn state(name: &str, size: (u16, u16)) -> App {
    let fresh = || app(Box::new(ListScreen::new(&options())), size);
    match name {
        "loading" => fresh(),
        "empty" => {
            let mut app = fresh();
            app.handle(&list_answer(Vec::new()));
            app
        }
        "unreadable" => {
            let mut app = fresh();
            app.handle(&Event::Answer(Answer::List(ListAnswer {
                rows: Arc::default(),
                is_complete: true,
                project: "tidepool".to_owned(),
                unread: 1,
                problem: Some("/home/ada/.claude/projects: permission denied".to_owned()),
                unread_apps: Vec::new(),
            })));
            app
        }
        "nothing here" => {
            let mut app = fresh();
            let elsewhere = rows().into_iter().map(|row| Row { is_here: false, ..row });
            app.handle(&list_answer(elsewhere.collect()));
            app
        }
        "list" => loaded(size),
        "words" => searched(size),
        "no hits" => {
            let mut app = loaded(size);
            type_keys(&mut app, "c l o k k");
            let similar = vec![("clokk".to_owned(), vec!["clock".to_owned(), "clocks".to_owned()])];
            let words = WordsAnswer { similar, hits: Vec::new(), ..words_answer("clokk") };
            app.handle(&Event::Answer(Answer::Words(words)));
            app
        }
        "indexing" => {
            let mut app = loaded(size);
            type_keys(&mut app, "c l o c k");
            app.handle(&Event::Answer(Answer::Building("clock".to_owned(), 42)));
            app
        }
        "invalid query" => {
            let mut app = loaded(size);
            type_keys(&mut app, "i s : x");
            let problem = Some("is: takes error, prompt, agent, marked or recall".to_owned());
            let words = WordsAnswer { problem, hits: Vec::new(), ..words_answer("is:x") };
            app.handle(&Event::Answer(Answer::Words(words)));
            app
        }
        "archive only" => {
            let mut app = loaded(size);
            type_keys(&mut app, "down down");
            app.handle(&preview_answer("33333333", None));
            type_keys(&mut app, "ctrl-r");
            app
        }
        "folder gone" => {
            let mut app = loaded(size);
            let answer = OperationAnswer::MayNotResume {
                id: "11111111".to_owned(),
                is_fork: false,
                problem: "/home/ada/gone no longer exists\nhint: …".to_owned(),
                is_folder: true,
            };
            app.handle(&Event::Answer(Answer::Act(answer)));
            app
        }
        "copy" => {
            let mut app = loaded(size);
            type_keys(&mut app, "esc y");
            app
        }
        other => panic!("no state {other}"),
    }
}

const STATES: [&str; 12] = [
    "loading",
    "empty",
    "unreadable",
    "nothing here",
    "list",
    "words",
    "no hits",
    "indexing",
    "invalid query",
    "archive only",
    "folder gone",
    "copy",
];

#[test]
fn every_state_looks_like_its_picture_at_every_size() {
    for name in STATES {
        for size in SIZES {
            let mut app = state(name, size);
            let buffer = drawn(&mut app, size);
            let file = format!("{}_{}x{}", name.replace(' ', "_"), size.0, size.1);
            insta::assert_snapshot!(format!("{file}_plain"), plain(&buffer));
            insta::assert_snapshot!(format!("{file}_colored"), colored(&buffer));
        }
    }
}

#[test]
fn apps_that_cannot_be_read_are_named() {
    let mut app = loaded((100, 30));
    assert!(!plain(&drawn(&mut app, (100, 30))).contains("cannot be read"));
    let Event::Answer(Answer::List(list)) = list_answer(rows()) else { unreachable!() };
    let list = ListAnswer { unread_apps: vec!["OpenCode"], ..list };
    app.handle(&Event::Answer(Answer::List(list)));
    assert!(plain(&drawn(&mut app, (100, 30))).contains("OpenCode cannot be read"));
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let mut app = loaded((39, 8));
    assert_eq!(
        plain(&drawn(&mut app, (39, 8))).lines().next(),
        Some("annals needs 40×8; ^C quits")
    );
    let mut app = loaded((3, 2));
    drawn(&mut app, (3, 2));
    let mut app = loaded((1, 1));
    drawn(&mut app, (1, 1));
}

#[test]
fn nothing_is_said_by_colour_alone() {
    let mut app = loaded((80, 24));
    app.settings.theme = crate::Theme::new(crate::ThemeName::Mono, crate::Background::Dark);
    app.handle(&preview_answer("11111111", None));
    let buffer = drawn(&mut app, (80, 24));
    let colors = |cell: &ratatui::buffer::Cell| {
        use ratatui::style::Color::Reset;
        cell.fg != Reset || cell.bg != Reset
    };
    assert!(!buffer.content.iter().any(colors));
    assert!(plain(&buffer).contains('▌'));
}

fn asked(commands: &[Command]) -> Vec<String> {
    let ask = |command: &Command| match command {
        Command::Ask(request) => Some(match request {
            Request::List(_) => "list".to_owned(),
            Request::Words(words) => format!("words {}", words.query),
            Request::Preview(preview) => format!("preview {} {:?}", preview.id, preview.turn),
            Request::Act(operation) => format!("{operation:?}"),
            Request::Session(_) => "session".to_owned(),
        }),
        Command::Finish(outcome) => Some(format!("{outcome:?}")),
        Command::Copy(text) => Some(format!("copy {text}")),
        Command::Suspend | Command::Redraw => Some(format!("{command:?}")),
    };
    commands.iter().filter_map(ask).collect()
}

#[test]
fn typing_asks_for_words_and_the_preview_goes_to_the_match() {
    let mut app = loaded((80, 24));
    assert_eq!(asked(&type_keys(&mut app, "c")), ["words c"]);
    assert_eq!(asked(&type_keys(&mut app, "l")), ["words cl"]);
    let commands = app.handle(&Event::Answer(Answer::Words(words_answer("cl"))));
    assert_eq!(asked(&commands), ["preview 22222222 Some(Main(2))"]);
    // An answer to another query is not shown.
    type_keys(&mut app, "o");
    app.handle(&Event::Answer(Answer::Words(words_answer("cl"))));
    assert!(!plain(&drawn(&mut app, (80, 24))).contains("result Bash"));
}

#[test]
fn escape_clears_the_query_then_leaves_it_then_quits() {
    let mut app = searched((80, 24));
    assert_eq!(asked(&type_keys(&mut app, "esc")), ["preview 11111111 None"]);
    assert!(asked(&type_keys(&mut app, "esc")).is_empty());
    assert_eq!(asked(&type_keys(&mut app, "esc")), ["Quit"]);
}

#[test]
fn keys_do_what_they_say() {
    let table = [
        ("ctrl-r", "CheckResume { id: \"22222222\", is_fork: false, folder: None }"),
        ("ctrl-f", "CheckResume { id: \"22222222\", is_fork: true, folder: None }"),
        ("esc m", "ToggleMark { id: \"22222222\", turn: None }"),
        ("esc E", "Export(\"22222222\")"),
        ("esc A", "Archive(\"22222222\")"),
        ("esc w", "Web { id: \"22222222\", turn: None }"),
        ("esc y i", "copy 22222222"),
        ("esc y c", "Command(\"22222222\")"),
        ("esc R ! enter", "Rename(\"22222222\", \"Tide table endpoint ]0;owned 潮汐!\")"),
        ("esc # a b enter", "Tag(\"22222222\", \"ab\")"),
        ("ctrl-c", "Quit"),
        ("ctrl-o", "Chosen([\"22222222\"])"),
        ("ctrl-z", "Suspend"),
        ("esc q", "Quit"),
    ];
    for (keys, expected) in table {
        let mut app = loaded((80, 24));
        type_keys(&mut app, "down");
        let commands = asked(&type_keys(&mut app, keys));
        assert_eq!(commands.last().map(String::as_str), Some(expected), "{keys}");
    }
}

#[test]
fn a_session_that_may_be_resumed_ends_the_program() {
    let mut app = loaded((80, 24));
    let answer =
        OperationAnswer::MayResume { id: "22222222".to_owned(), is_fork: true, folder: None };
    let commands = asked(&app.handle(&Event::Answer(Answer::Act(answer))));
    let expected = "Resume { session: \"22222222\", is_fork: true, folder: None }";
    assert_eq!(commands, [expected]);
}

#[test]
fn a_folder_that_is_gone_is_asked_for() {
    let mut app = state("folder gone", (80, 24));
    let commands = asked(&type_keys(&mut app, "~ / x enter"));
    let expected =
        "CheckResume { id: \"11111111\", is_fork: false, folder: Some(\"/home/ada/x\") }";
    assert_eq!(commands, [expected]);
}

#[test]
fn a_session_in_the_archive_is_restored_only_after_a_yes() {
    for (answer, expected) in [("n", vec![]), ("esc", vec![]), ("y", vec!["Restore(\"33333333\")"])]
    {
        let mut app = state("archive only", (80, 24));
        assert_eq!(asked(&type_keys(&mut app, answer)), expected, "{answer}");
    }
}

#[test]
fn a_running_session_is_not_resumed() {
    let mut app = loaded((80, 24));
    let commands = asked(&type_keys(&mut app, "ctrl-r"));
    assert!(!commands.iter().any(|command| command.contains("Resume")), "{commands:?}");
    let shown = plain(&drawn(&mut app, (80, 24)));
    assert!(shown.contains("The session is running"), "{shown}");
}

#[test]
fn a_picker_ends_with_what_was_chosen() {
    let picker = |purpose| {
        let options = ListOptions { purpose, ..options() };
        let mut app = app(Box::new(ListScreen::new(&options)), (80, 24));
        app.handle(&list_answer(rows()));
        app
    };
    let mut one = picker(ListPurpose::Pick);
    let shown = plain(&drawn(&mut one, (80, 24)));
    assert!(shown.contains("↵ choose") && !shown.contains("↵ open"), "{shown}");
    assert_eq!(asked(&type_keys(&mut one, "down enter")).last().unwrap(), "Chosen([\"22222222\"])");
    let mut none = picker(ListPurpose::Pick);
    assert_eq!(asked(&type_keys(&mut none, "x esc")).last().unwrap(), "Quit");
    let mut several = picker(ListPurpose::PickSeveral);
    let chosen = asked(&type_keys(&mut several, "ctrl-x ctrl-x enter"));
    assert_eq!(chosen.last().unwrap(), "Chosen([\"11111111\", \"22222222\"])");
    let mut quiet = picker(ListPurpose::Pick);
    let commands = asked(&type_keys(&mut quiet, "ctrl-r"));
    assert!(commands.iter().all(|command| !command.contains("Resume")));
}

#[test]
fn clicks_select_open_and_press_hints() {
    let mut app = loaded((80, 24));
    let press = |column, row| Event::Mouse(Mouse { kind: MouseKind::Press, column, row });
    assert_eq!(asked(&app.handle(&press(5, 4))), ["preview 22222222 None"]);
    // The hint of the scope, on the last row.
    let shown = plain(&drawn(&mut app, (80, 24)));
    let last = shown.lines().last().unwrap();
    let column = last.split("tab").next().map(|before| before.chars().count()).unwrap();
    app.handle(&press(u16::try_from(column).unwrap(), 23));
    assert!(plain(&drawn(&mut app, (80, 24))).contains("all projects"));
}

#[test]
fn the_divider_can_be_dragged() {
    let mut app = loaded((100, 24));
    let before = plain(&drawn(&mut app, (100, 24)));
    let column =
        |shown: &str| shown.lines().nth(2).unwrap().chars().position(|c| c == '┬').unwrap();
    let start = u16::try_from(column(&before)).unwrap();
    let mouse = |kind, column| Event::Mouse(Mouse { kind, column, row: 6 });
    app.handle(&mouse(MouseKind::Press, start));
    app.handle(&mouse(MouseKind::Drag, 60));
    app.handle(&mouse(MouseKind::Release, 60));
    assert_eq!(column(&plain(&drawn(&mut app, (100, 24)))), 60);
}

/// Any event that a list may get.
fn any_event() -> impl Strategy<Value = Event> {
    let keys = prop_oneof![
        Just("up"),
        Just("down"),
        Just("pageup"),
        Just("pagedown"),
        Just("ctrl-u"),
        Just("ctrl-d"),
        Just("enter"),
        Just("esc"),
        Just("tab"),
        Just("ctrl-v"),
        Just("ctrl-g"),
        Just("ctrl-s"),
        Just("ctrl-t"),
        Just("ctrl-y"),
        Just("ctrl-x"),
        Just("ctrl-r"),
        Just("space"),
        Just("z"),
        Just("g"),
        Just("G"),
        Just("j"),
        Just("k"),
        Just("/"),
        Just("m"),
        Just("R"),
        Just("#"),
        Just("y"),
        Just("n"),
        Just("i"),
        Just("backspace"),
        Just("alt-down"),
        Just("?"),
        Just("ctrl-l"),
    ];
    prop_oneof![
        keys.prop_map(|key| Event::Key(key.parse().unwrap())),
        any::<char>().prop_map(|letter| Event::Key(Key::plain(KeyCode::Char(letter)))),
        any::<String>().prop_map(Event::Paste),
        Just(Event::Resize),
        (0_usize..5).prop_map(|count| list_answer(rows().into_iter().take(count).collect())),
        Just(Event::Answer(Answer::Words(words_answer("")))),
        Just(Event::Answer(Answer::Words(words_answer("clock")))),
        Just(preview_answer("22222222", Some(2))),
        Just(preview_answer("11111111", None)),
        (0_u16..220, 0_u16..70, 0_u8..5).prop_map(|(column, row, kind)| {
            let kinds = [
                MouseKind::Press,
                MouseKind::Drag,
                MouseKind::Release,
                MouseKind::WheelUp,
                MouseKind::WheelDown,
            ];
            Event::Mouse(Mouse { kind: kinds[usize::from(kind)], column, row })
        }),
    ]
}

proptest! {
    #[test]
    fn no_sequence_of_events_panics_or_leaves_the_selection_invalid(
        events in proptest::collection::vec(any_event(), 0..60),
        size in (1_u16..210, 1_u16..70),
        purpose in prop_oneof![Just(ListPurpose::Browse), Just(ListPurpose::PickSeveral)],
    ) {
        let mut screen = ListScreen::new(&ListOptions { purpose, ..options() });
        let keymap = crate::Keymap::default();
        let theme = crate::Theme::new(crate::ThemeName::Auto, crate::Background::Dark);
        let zone = jiff::tz::TimeZone::UTC;
        let area = ratatui::layout::Rect::new(0, 0, size.0, size.1);
        let view = View { area, theme: &theme, keymap: &keymap, now: now(), zone: &zone, home: None };
        for event in &events {
            let action = match event {
                Event::Key(key) => keymap.action(screen.mode(), *key),
                _ => None,
            };
            let input = action.map_or(Input::Event(event), Input::Action);
            screen.handle(&input, &view);
            let count = screen.matched.shown.len();
            prop_assert!(screen.selected < count.max(1));
            prop_assert!(screen.top <= screen.selected);
            prop_assert!(screen.matched.shown.iter().all(|shown| shown.row < screen.rows.len()));
        }
        // And the whole app, which draws it with its windows.
        let mut app = app(Box::new(ListScreen::new(&options())), size);
        for event in &events {
            app.handle(event);
            drawn(&mut app, size);
        }
    }
}

/// The titles on the screen, and which one is selected.
fn titles(app: &mut App) -> Vec<(bool, String)> {
    let shown = plain(&drawn(app, (60, 12)));
    let title = |line: &str| line.chars().skip(8).collect::<String>();
    let rows = shown.lines().skip(3).filter(|line| line.contains("$1.23"));
    rows.map(|line| {
        let title = title(line).split("  ").next().unwrap_or_default().to_owned();
        (line.starts_with('▌'), title)
    })
    .collect()
}

#[test]
fn projects_are_named_where_they_differ() {
    let mut app = loaded((80, 24));
    assert!(!plain(&drawn(&mut app, (80, 24))).contains("tidepool   Fix"));
    let mut rows = rows();
    rows[2].project = Some("/home/ada/notes".to_owned());
    app.handle(&list_answer(rows));
    let shown = plain(&drawn(&mut app, (80, 24)));
    assert!(shown.contains("tidepool   Fix") && shown.contains("notes      Sour"), "{shown}");
}

#[test]
fn changes_of_the_store_do_not_move_the_selection() {
    let many: Vec<Row> = (0..30)
        .map(|number| row(&format!("id{number:02}"), &format!("Title {number:02}"), number))
        .collect();
    let mut app = app(Box::new(ListScreen::new(&options())), (60, 12));
    app.handle(&Event::Resize);
    app.handle(&list_answer(many.clone()));
    let with = |app: &mut App, newer: &str| {
        let mut rows = vec![row(newer, "Newer", 0)];
        rows.extend(many.clone());
        app.handle(&list_answer(rows));
    };
    // Nobody has moved: the session stays selected, with the newer one above it.
    with(&mut app, "new");
    let shown = titles(&mut app);
    assert_eq!(shown[0], (false, "Newer".to_owned()));
    assert_eq!(shown[1], (true, "Title 00".to_owned()));
    // The same with a query, where typing selects the best row.
    type_keys(&mut app, "t i t l e");
    let mut best = row("best", "Title title", 0);
    best.haystack = "Title title tidepool".to_owned();
    let mut rows = vec![best];
    rows.extend(many.clone());
    app.handle(&list_answer(rows));
    assert!(titles(&mut app).contains(&(true, "Title 00".to_owned())));
    // Further down, nothing on the screen moves.
    type_keys(&mut app, "esc");
    app.handle(&list_answer(many.clone()));
    type_keys(&mut app, "pagedown pagedown");
    let before = titles(&mut app);
    with(&mut app, "newest");
    assert_eq!(titles(&mut app), before);
}

#[test]
fn preview_of_a_growing_session_is_asked_for_again_and_stays_where_it_was_scrolled() {
    let mut app = loaded((120, 12));
    let mut rows = rows();
    rows[0].bytes += 1000;
    let commands = app.handle(&list_answer(rows.clone()));
    let asked = |commands: &[Command]| {
        commands.iter().any(
            |it| matches!(it, Command::Ask(Request::Preview(request)) if request.id == "11111111"),
        )
    };
    assert!(asked(&commands));
    assert!(!asked(&app.handle(&list_answer(rows.clone()))));
    let answer = |lines: usize| {
        let lines: Vec<String> = (0..lines).map(|number| format!("line {number}\n")).collect();
        let text = lines.concat();
        Event::Answer(Answer::Preview(PreviewAnswer {
            id: "11111111".to_owned(),
            text,
            is_end: true,
            ..PreviewAnswer::default()
        }))
    };
    app.handle(&answer(50));
    assert!(plain(&drawn(&mut app, (120, 12))).contains("line 49"));
    app.handle(&answer(60));
    assert!(plain(&drawn(&mut app, (120, 12))).contains("line 59"));
    type_keys(&mut app, "alt-up alt-up");
    let before = plain(&drawn(&mut app, (120, 12)));
    app.handle(&answer(70));
    assert_eq!(plain(&drawn(&mut app, (120, 12))), before);
}

#[test]
fn session_that_may_be_on_disk_is_called_unknown_and_not_restored() {
    let mut app = loaded((100, 30));
    let mut rows = rows();
    rows.truncate(1);
    rows[0].is_running = false;
    rows[0].id = "opencode:11111111".to_owned();
    for (presence, expected) in [
        (RowPresence::Archive, "annals never writes files of OpenCode"),
        (RowPresence::Unknown, "it is unknown whether its app still does"),
    ] {
        rows[0].presence = presence;
        app.handle(&list_answer(rows.clone()));
        let shown = plain(&drawn(&mut app, (100, 30)));
        let is_unknown = presence == RowPresence::Unknown;
        assert_eq!(shown.contains("unknown whether on disk"), is_unknown, "{shown}");
        assert_eq!(shown.contains("OpenCode · only in the archive"), !is_unknown, "{shown}");
        type_keys(&mut app, "ctrl-r");
        let shown = plain(&drawn(&mut app, (100, 30)));
        assert!(shown.contains(expected) && !shown.contains("Restore it"), "{shown}");
    }
}
