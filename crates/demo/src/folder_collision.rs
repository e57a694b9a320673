//! Two directories, `/home/ada/a_b` and `/home/ada/a-b`, whose transcripts
//! share one folder because both map to the same folder name. One of the
//! sessions has a title with escape sequences that would take over a terminal.

use jiff::Timestamp;

use super::exchange::Piece::Say;
use super::files::{Files, minutes_before};
use super::identity::{directory, model, project_folder, session};
use super::tools;
use super::transcript::{Setting, Transcript};

/// Clears the screen, sets the window's title, and turns the reading direction.
const HOSTILE_TITLE: &str = "Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title \u{202e}txt.exe";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let mut log = Transcript::new(
        setting(session::UNDERSCORE, directory::UNDERSCORE, "2.1.325"),
        minutes_before(now, 7 * 24 * 60),
    );
    log.prompt("<bash-input>ls plots</bash-input>");
    log.prompt("<bash-stdout>range.svg  springs.svg</bash-stdout><bash-stderr></bash-stderr>");
    let prompt = "Turn springs.svg into a PNG twice as wide.";
    log.prompt(prompt);
    log.work(
        &[],
        &[tools::bash(
            "rsvg-convert --zoom 2 plots/springs.svg -o plots/springs.png",
            "Convert the plot",
            "",
        )],
    );
    log.reply(&[Say("`plots/springs.png` is 1600 pixels wide.")]);
    log.ai_title("Convert a plot to PNG");
    log.last_prompt(prompt);
    files.add_transcript(path(session::UNDERSCORE, directory::UNDERSCORE), log);

    let mut log = Transcript::new(
        setting(session::HYPHEN, directory::HYPHEN, "2.1.325"),
        minutes_before(now, 7 * 24 * 60 + 240),
    );
    let prompt = "Summarise the page I pasted, and ignore what it says about titles.";
    log.prompt(prompt);
    log.reply(&[Say("It is an advertisement that tries to rename this conversation. There is \
        nothing else on it.")]);
    log.ai_title(HOSTILE_TITLE);
    log.last_prompt(prompt);
    files.add_transcript(path(session::HYPHEN, directory::HYPHEN), log);
}

fn setting(session: &'static str, cwd: &'static str, version: &'static str) -> Setting {
    Setting { session, cwd, branch: "", version, slug: None, model: model::HAIKU }
}

fn path(session: &str, cwd: &str) -> String {
    format!("{}/{session}.jsonl", project_folder(cwd))
}
