//! The frames of the terminal UI.

use anyhow::Result;

use super::stores::Program;
use super::texts::StoreTexts;
use crate::screen::Screen;

/// The size of the terminal.
const ROWS: u16 = 40;
const COLUMNS: u16 = 120;

/// Keys, what is on the screen when they are done, and the name of the frame.
const STEPS: &[(&str, &str, &str)] = &[
    ("", "sessions", "list"),
    ("the", "› the", "words"),
    ("\u{15}", "type to search", "list-again"),
    ("\r", "turn ", "session"),
    ("]", "turn ", "next-prompt"),
    ("t", "turn ", "tools"),
    ("G", "turn ", "end"),
];

/// How often a frame has to be the same to count, and how long it may change.
const QUIET: u32 = 12;
const MOST: u32 = 400;

pub(super) fn ask(
    program: &Program<'_>,
    sessions: &[String],
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let asked: Vec<_> =
        STEPS.iter().filter_map(|step| Some((texts.path("tui", step.2)?, step))).collect();
    if sessions.is_empty() || asked.is_empty() {
        return Ok(());
    }
    let command = program.command(&["tui", "--all-projects"]);
    let mut screen = Screen::start(&command, ROWS, COLUMNS)?;
    for (keys, sign, name) in STEPS {
        screen.send(keys)?;
        screen.wait(name, |text| text.contains(sign))?;
        let frame = settled(&screen);
        if let Some(path) = texts.path("tui", name) {
            texts.write(&path, &frame)?;
        }
    }
    screen.quit()
}

/// The screen once it has stopped changing: previews come after the list.
fn settled(screen: &Screen) -> String {
    let (mut frame, mut same) = (screen.text(), 0);
    for _ in 0..MOST {
        std::thread::sleep(std::time::Duration::from_millis(50));
        let next = screen.text();
        same = if next == frame { same + 1 } else { 0 };
        frame = next;
        if same >= QUIET {
            break;
        }
    }
    frame
}
