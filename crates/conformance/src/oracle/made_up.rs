//! Random stores: small sessions with everything that a list reads, torn, joined and spaced
//! as no writer should; the same seed gives the same store.
//!
//! Known differences between the two readers (`docs/listing.md`) are left out: a first line that begins with NUL bytes or a byte
//! order mark, halves of surrogate pairs, also those that cutting a prompt to
//! 200 UTF-16 units would leave, names glued far before the end of a message,
//! and copies of a session with the same time.

use std::time::Duration;

use super::line::{
    Line, ai_title, assistant, continued_in, last_prompt, padding, quoted, relocated, summary, tag,
    text_block, title, user, user_blocks,
};
use super::random::Random;
use super::store::{CHANGED, Store, numbered_id};

const SESSIONS: usize = 40;

/// annals searches only the last 8 KiB of a message's line for joined names.
const LONGEST_GLUED: usize = 4_000;

const IMAGE: &str = r#"{"type":"image","source":{"type":"base64","data":"AA"}}"#;

/// Looks like fields of the session, but is part of a tool's result.
const DECOY: &str = r#"{"gitBranch":"tur","cwd":"/tur","customTitle":"tur","summary":"tursum","timestamp":"2021-01-01T00:00:00Z"}"#;

const BROKEN: [&str; 7] = ["", "{", "not json", "[1,2]", "\"str\"", "null", "{}"];

/// Texts of prompts and answers. Lists truncate the long ones; the emoji text is cut
/// between two emoji, never within a surrogate pair.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "hello",
        "<foo>x",
        "  <bar a>",
        "<command-name>/x</command-name>",
        "<bash-input>ls</bash-input>",
        "[Request interrupted by user]",
        "",
        "a\nb",
        "<local-command-stdout>x</local-command-stdout>",
        "Warmup",
        "tail \u{2028} sep",
        "café \"quoted\" \\ back",
        "\u{a0}nb\u{a0}",
        r#"{"type":"custom-title","customTitle":"inner"}"#,
        " lead",
    ]
    .map(str::to_owned)
    .into();
    texts.extend(["x".repeat(250), "😀".repeat(120)]);
    texts
}

pub(super) fn make(seed: u64) -> Store {
    let mut author = Author { random: Random::new(seed), texts: texts() };
    let mut store = Store::default();
    for _ in 0..SESSIONS {
        author.add_session(&mut store);
    }
    store
}

struct Author {
    random: Random,
    texts: Vec<String>,
}

impl Author {
    fn add_session(&mut self, store: &mut Store) {
        let lines: Vec<String> = (0..self.random.below(10)).map(|_| self.line()).collect();
        let session = store.add_bytes("made up", (lines.join("\n") + "\n").as_bytes());
        if self.random.percent(20) {
            let text = quoted(self.random.choose(&["", "SIDE", " s "]));
            session.beside("custom-title.json", &format!(r#"{{"customTitle":{text}}}"#));
        }
        if self.random.percent(20) {
            let archived = self.random.percent(50);
            let at = self.random.choose(&["2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", "bad"]);
            let text = format!(r#"{{"archived":{archived},"at":"{at}","by":"u"}}"#);
            session.beside("archived.json", &text);
        }
        if self.random.percent(30) {
            session.torn();
        }
        // Many sessions share a millisecond, and some only a second.
        let seconds = Duration::from_secs(self.random.next() % 4);
        let fraction = Duration::from_micros(self.random.next() % 31 * 400);
        session.in_folder(self.random.choose(&["-a", "-b"])).changed(CHANGED + seconds + fraction);
    }

    fn line(&mut self) -> String {
        let mut line = self.whole_line();
        match self.random.below(100) {
            0..4 => {
                let characters = self.random.below(line.chars().count() + 1);
                line = line.chars().take(characters).collect();
            }
            4..8 => {
                let next = self.line();
                if next.len() < LONGEST_GLUED {
                    line += &next;
                }
            }
            8..11 => line = line.replace("\":\"", "\": \"").replace("\":true", "\": true"),
            11..13 => line.push('\r'),
            _ => {}
        }
        line
    }

    fn whole_line(&mut self) -> String {
        let record = match self.random.below(100) {
            0..35 => self.prompt(),
            35..50 => {
                let line = assistant(&self.text());
                self.decorated(line)
            }
            50..58 => match self.random.below(4) {
                0 => title("").with("customTitle", 5),
                _ => title(self.random.choose(&["", "T1", "T2 \"q\""])),
            }
            .with("sessionId", "S"),
            58..64 => ai_title(self.random.choose(&["", "A1", "A2"])),
            64..70 => match self.random.below(4) {
                0 => last_prompt("").with_json("lastPrompt", "null"),
                _ => last_prompt(self.random.choose(&["", "lp1", "lp2\nx"])),
            },
            70..74 => summary(self.random.choose(&["", "s1", "s2"])).with("leafUuid", "x"),
            74..78 => match self.random.below(3) {
                0 => tag("").with("tag", 7),
                _ => tag(self.random.choose(&["", "t1"])),
            },
            78..81 => relocated(self.random.choose(&["", "/re1", "/re2"])),
            81..84 => continued_in(&numbered_id(1 + self.random.below(SESSIONS))),
            84..87 => Line::of("file-history-snapshot")
                .with("messageId", "m")
                .with_json("snapshot", r#"{"timestamp":"2020-02-02T02:02:02.000Z"}"#),
            87..90 => padding(self.random.choose(&[10, 30_000, 66_000])),
            90..93 => return self.random.choose(&BROKEN).to_owned(),
            _ => Line::of(self.random.choose(&["mode", "queue-operation", "system", "zzz"]))
                .with("content", self.text())
                .with("timestamp", "2026-05-05T05:05:05.555Z"),
        };
        record.to_string()
    }

    fn prompt(&mut self) -> Line {
        let line = if self.random.percent(50) {
            user(&self.text())
        } else {
            let text = self.text();
            let blocks: Vec<String> =
                (0..self.random.below(4)).map(|_| self.block(&text)).collect();
            user_blocks(&format!("[{}]", blocks.join(",")))
        };
        self.decorated(line)
    }

    fn block(&mut self, text: &str) -> String {
        match self.random.below(5) {
            0 => text_block(text),
            1 => IMAGE.to_owned(),
            2 => r#"{"type":"document"}"#.to_owned(),
            3 => {
                let content = quoted(text);
                format!(r#"{{"type":"tool_result","tool_use_id":"z","content":{content}}}"#)
            }
            _ => text_block(&self.text()),
        }
    }

    /// Adds members that real messages sometimes have, and some values they never have.
    fn decorated(&mut self, mut line: Line) -> Line {
        if self.random.percent(15) {
            line = line.with("isMeta", self.random.percent(50));
        }
        if self.random.percent(10) {
            line = line.with("isCompactSummary", true);
        }
        if self.random.percent(10) {
            line = line.with("isSidechain", true);
        }
        if self.random.percent(30) {
            let branches = ["", "main", "f/x", "HEAD", "q\"uo\\te"];
            line = line.with("gitBranch", self.random.choose(&branches));
        }
        if self.random.percent(30) {
            line = line.with("cwd", self.random.choose(&["", "/a", "/b c", "C:\\x"]));
        }
        if self.random.percent(20) {
            let times =
                ["bad", "2026-03-04T05:06:07.008Z", "2026-03-04T05:06:07+01:00", "2026-03-04"];
            line = line.with("timestamp", self.random.choose(&times));
        }
        if self.random.percent(10) {
            line = line.with_json("toolUseResult", DECOY);
        }
        line
    }

    fn text(&mut self) -> String {
        self.texts[self.random.below(self.texts.len())].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_store_and_another_seed_another() {
        let shown = |seed| format!("{:?}", make(seed));
        assert_eq!(shown(3), shown(3));
        assert_ne!(shown(3), shown(4));
        assert_eq!(make(3).names().len(), SESSIONS);
    }
}
