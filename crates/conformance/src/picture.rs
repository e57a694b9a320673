//! `cargo xtask picture`: the pictures in the README and docs/tui.md, made from the demo.
//!
//! Runs a few commands on the made-up store in colour and draws their output as
//! one SVG file. The commands and the width are chosen here; the output is that of the
//! program. The demo's times are relative to now, so the file is
//! not compared by `cargo xtask test`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use unicode_width::UnicodeWidthChar as _;
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, shown};

use crate::screen::Screen;

const TARGET: &str = "docs/tour.svg";
const TUI_TARGET: &str = "docs/tui.svg";
const TUI_ROWS: u16 = 24;
const COLUMNS: usize = 112;
/// The size of a character cell in a font of 13 pixels.
const CELL: (f64, f64) = (7.8, 18.0);
const MARGIN: f64 = 16.0;

/// What the picture shows: the arguments after `annals`, and how many lines of the
/// output.
const SCREENS: &[(&[&str], usize)] = &[
    (&[], 12),
    (&["search", "flaky", "clock"], 6),
    (&["show", "flaky", "--from", "2", "--to", "2"], 16),
];

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("picture takes no arguments");
    }
    let workspace = Workspace::locate()?;
    let home = EmptyHome::new()?;
    let annals = workspace.build_programs()?.join("annals");
    let mut lines = Vec::new();
    for (arguments, most) in SCREENS {
        let mut command = Command::new(&annals);
        home.clear_environment(&mut command);
        command.env("COLUMNS", COLUMNS.to_string());
        command.args(["--demo", "--color", "always", "--no-pager"]).args(*arguments);
        let output = command.output().with_context(|| format!("cannot run {}", shown(&command)))?;
        if !output.status.success() {
            bail!("{} failed:\n{}", shown(&command), String::from_utf8_lossy(&output.stderr));
        }
        let text = String::from_utf8(output.stdout).context("the output is not UTF-8")?;
        lines.push(format!("\u{1b}[1m$ annals {}\u{1b}[0m", arguments.join(" ")));
        lines.extend(text.lines().take(*most).map(str::to_owned));
        lines.push(String::new());
    }
    lines.pop();
    write(&workspace, TARGET, &lines)?;
    write(&workspace, TUI_TARGET, &tui_lines(&annals, &home)?)
}

fn write(workspace: &Workspace, target: &str, lines: &[String]) -> Result<()> {
    let path = workspace.root.join(target);
    fs::write(&path, draw(lines)).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {target}");
    Ok(())
}

/// The terminal UI with a search, as a terminal shows it.
fn tui_lines(annals: &Path, home: &EmptyHome) -> Result<Vec<String>> {
    let mut command = Command::new(annals);
    home.clear_environment(&mut command);
    command.args(["--demo", "tui", "--all-projects"]);
    let columns = u16::try_from(COLUMNS - 1).context("the picture is too wide")?;
    let mut screen = Screen::start(&command, TUI_ROWS, columns)?;
    screen.wait("the list", |text| text.contains("flaky") && !text.contains("reading …"))?;
    screen.send("station")?;
    let is_found = |text: &str| text.contains("› station") && !text.contains("searching");
    screen.wait("the search", |text| is_found(text) && text.contains("━━"))?;
    // The preview of the best match comes after the match.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let lines = screen.colored_lines();
    screen.quit()?;
    Ok(lines)
}

/// Lines with colour codes as an SVG document.
fn draw(lines: &[String]) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a picture has few lines")]
    let at = |cells: usize, size: f64| MARGIN + cells as f64 * size;
    let (width, height) = (at(COLUMNS, CELL.0) + MARGIN, at(lines.len(), CELL.1) + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
         aria-label=\"Output of annals in a terminal\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" \
         font-size=\"13\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = at(number, CELL.1) + 13.0;
        for (column, style, text) in runs(line) {
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            // Viewers collapse ordinary spaces.
            let escaped = escaped.replace(' ', "\u{a0}");
            let x = at(column, CELL.0);
            if let Some(color) = style.background {
                let fill = BACKGROUNDS[usize::from(color) % BACKGROUNDS.len()];
                let (top, cells) = (at(number, CELL.1) - 1.0, text.chars().count());
                let (width, height) = (at(cells, CELL.0) - MARGIN, CELL.1);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x:.1}\" y=\"{top:.0}\" width=\"{width:.1}\" height=\"{height:.0}\" fill=\"{fill}\"/>"
                );
            }
            // Writing to a String cannot fail.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.0}\"{}>{escaped}</text>",
                style.attributes()
            );
        }
    }
    svg + "</g>\n</svg>\n"
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TextStyle {
    /// The number of the colour, from 0 to 15.
    color: Option<u8>,
    /// The number of the background's colour.
    background: Option<u8>,
    is_bold: bool,
    is_dim: bool,
}

const COLORS: [&str; 16] = [
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
    "#7f848e", "#ff7b86", "#b5e890", "#ffd68a", "#82c4ff", "#de9bf0", "#7fd6e0", "#ffffff",
];

/// Darker than text, so that text can be read on it.
const BACKGROUNDS: [&str; 8] =
    ["#3b4048", "#7a3a40", "#4f6a3f", "#d8b25f", "#2f5277", "#683f74", "#2d6068", "#8b919c"];

impl TextStyle {
    fn attributes(self) -> String {
        let fill = match self.color {
            Some(color) => COLORS[usize::from(color) % COLORS.len()],
            None if self.is_dim => "#8b919c",
            None => "#d7dae0",
        };
        let weight = if self.is_bold { " font-weight=\"bold\"" } else { "" };
        format!(" fill=\"{fill}\"{weight}")
    }

    /// The style after a `CSI … m` sequence with these parameters.
    fn after(mut self, parameters: &str) -> TextStyle {
        for parameter in parameters.split(';').map(|it| it.parse::<u8>().unwrap_or(0)) {
            match parameter {
                0 => self = TextStyle::default(),
                1 => self.is_bold = true,
                2 => self.is_dim = true,
                22 => (self.is_bold, self.is_dim) = (false, false),
                30..=37 => self.color = Some(parameter - 30),
                39 => self.color = None,
                40..=47 => self.background = Some(parameter - 40),
                49 => self.background = None,
                100..=107 => self.background = Some(parameter - 100 + 8),
                90..=97 => self.color = Some(parameter - 90 + 8),
                _ => {}
            }
        }
        self
    }
}

/// The parts of a line that have one style, each with the column it begins at. A
/// line that is too long for the picture ends in `…`.
fn runs(line: &str) -> Vec<(usize, TextStyle, String)> {
    let mut runs: Vec<(usize, TextStyle, String)> = Vec::new();
    let (mut column, mut style) = (0, TextStyle::default());
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        if let Some(sequence) = rest.strip_prefix("\u{1b}[")
            && let Some(end) = sequence.find(|it: char| it.is_ascii_alphabetic())
        {
            if sequence[end..].starts_with('m') {
                style = style.after(&sequence[..end]);
            }
            rest = &sequence[end + 1..];
            continue;
        }
        rest = &rest[character.len_utf8()..];
        if column + 1 >= COLUMNS {
            runs.push((column, style, "…".to_owned()));
            break;
        }
        match runs.last_mut() {
            Some((_, of, text)) if *of == style && character.is_ascii() => text.push(character),
            // Symbols may be wider than a cell in the reader's font, so the text after one
            // gets its own position.
            _ => runs.push((column, style, character.to_string())),
        }
        if !character.is_ascii() {
            runs.push((column + character.width().unwrap_or(0), style, String::new()));
        }
        column += character.width().unwrap_or(0);
    }
    runs.retain(|(_, style, text)| !text.trim().is_empty() || style.background.is_some());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_where_its_style_changes() {
        let found = runs("plain \u{1b}[1;31mred\u{1b}[0m ⎇ end");
        let texts: Vec<_> = found.iter().map(|(at, _, text)| (*at, text.as_str())).collect();
        assert_eq!(texts, [(0, "plain "), (6, "red"), (10, "⎇"), (11, " end")]);
        let red = TextStyle { color: Some(1), is_bold: true, ..TextStyle::default() };
        assert_eq!(found[1].1, red);
    }

    #[test]
    fn text_is_escaped_in_the_picture() {
        let svg = draw(&["a < b & c".to_owned()]);
        assert!(svg.contains("a\u{a0}&lt;\u{a0}b\u{a0}&amp;\u{a0}c"), "{svg}");
    }
}
