//! A store that changes at random in every way that real stores do.

use crate::torture::streams::Dice;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::{
    Line, Sandbox, assistant, attachment, call, metadata, session_id, system, tool_error,
    tool_result, tool_use, user,
};

/// The words of texts: few, so that many texts are equal.
pub(crate) const WORDS: [&str; 7] =
    ["kelp", "dulse", "foo_bar", "HTTPServer", "Straße", "東京", "src/main.rs:42"];

const FOLDERS: [&str; 3] = ["-home-ada-tidepool", "-home-ada-reef", "-srv-lagoon"];

/// A store, with the missing ends of partly written lines.
pub(crate) struct MovingStore<'s> {
    sandbox: &'s Sandbox,
    dice: Dice,
    names: u32,
    lines: u64,
    /// The missing rest of a file's last line.
    torn: BTreeMap<PathBuf, String>,
}

impl<'s> MovingStore<'s> {
    pub(crate) fn new(sandbox: &'s Sandbox, seed: u64) -> Self {
        let dice = Dice::new(seed);
        MovingStore { sandbox, dice, names: 0, lines: 0, torn: BTreeMap::new() }
    }

    pub(crate) fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    /// The existing transcripts of sessions, or with agents.
    pub(crate) fn transcripts(&self, is_all: bool) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.sandbox.projects()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                if path.is_dir() {
                    folders.push(path);
                } else if is_transcript(&path) && (is_all || !name.starts_with("agent-")) {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }

    fn pick(&mut self, is_all: bool) -> Option<PathBuf> {
        let mut all = self.transcripts(is_all);
        (!all.is_empty()).then(|| all.swap_remove(self.dice.below(all.len())))
    }

    /// Makes a random change, and returns its name.
    pub(crate) fn change(&mut self) -> &'static str {
        if self.transcripts(false).len() < 6 {
            self.add_session();
            return "a new session";
        }
        match self.dice.below(24) {
            0 => {
                if self.transcripts(false).len() < 25 {
                    self.add_session();
                }
                "a new session"
            }
            1..=6 => self.grow(),
            7 | 8 => self.tear(),
            9 => {
                let Some(path) = self.pick(true) else { return "" };
                let bytes = fs::read(&path).unwrap();
                let length = self.dice.below(bytes.len() + 1);
                fs::write(&path, &bytes[..length]).unwrap();
                self.torn.remove(&path);
                "a truncated file"
            }
            10 | 11 => self.rewrite(),
            12 => {
                let Some(path) = self.pick(true) else { return "" };
                let text = self.text(6);
                let beside = path.with_extension("tmp");
                fs::write(&beside, text).unwrap();
                fs::rename(beside, &path).unwrap();
                self.torn.remove(&path);
                "a replaced file"
            }
            13 => self.move_session(),
            14 | 15 => self.delete(),
            16 | 17 => self.add_agent(),
            18 => {
                let Some(session) = self.pick(false) else { return "" };
                let name = format!("t{}.txt", self.dice.below(3));
                let path = session.with_extension("").join("tool-results").join(name);
                let text = format!("much {}", self.words(5));
                write(&path, &text);
                "an output"
            }
            19 => {
                let name = format!("plans/plan-{}.md", self.dice.below(4));
                let path = self.sandbox.config().join(name);
                if self.dice.one_in(3) && path.exists() {
                    fs::remove_file(path).unwrap();
                } else {
                    let text = format!("# Plan\n{}", self.words(3));
                    write(&path, &text);
                }
                "a plan"
            }
            20 | 21 => self.fork(),
            22 => {
                let Some(session) = self.pick(false) else { return "" };
                let folder = session.parent().unwrap().to_owned();
                let name = format!("agent-f{}.jsonl", self.dice.below(4));
                let id = session.file_stem().unwrap().to_string_lossy().into_owned();
                let line = user(&self.words(3)).session(&id).of_agent("f1").to_string();
                write(&folder.join(name), &(line + "\n"));
                "an agent beside sessions"
            }
            _ => {
                let Some(session) = self.pick(false) else { return "" };
                let text = fs::read(&session).unwrap();
                let name = session.file_name().unwrap();
                let path = self.sandbox.config().join("pre-compact-session-histories").join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
                "a copy"
            }
        }
    }

    fn words(&mut self, most: usize) -> String {
        let count = 1 + self.dice.below(most);
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.dice.below(WORDS.len())]).collect();
        words.join(" ")
    }

    /// A line that usually follows the one before.
    fn line(&mut self) -> String {
        let id = format!("t{}", self.dice.below(5));
        let words = self.words(4);
        let kind = self.dice.below(17);
        let line = plain_line(kind, &id, &words);
        if self.dice.one_in(12) {
            return if self.dice.one_in(2) { "no JSON at all".to_owned() } else { String::new() };
        }
        self.lines += 1;
        let number = self.lines;
        let parent = if self.dice.one_in(10) { number / 2 } else { number - 1 };
        let minute = number % 60;
        let line = line.at(&format!("2026-01-{:02}T03:{minute:02}:05.678Z", 1 + number % 28));
        let parent = format!("u{parent}");
        // A compaction starts a new chain.
        let parent = (kind != COMPACTION).then_some(parent.as_str());
        line.link(&format!("u{number}"), parent).to_string()
    }

    fn text(&mut self, most: usize) -> String {
        let count = 1 + self.dice.below(most);
        (0..count).map(|_| self.line() + "\n").collect()
    }

    fn add_session(&mut self) {
        self.names += 1;
        let folder = FOLDERS[self.dice.below(FOLDERS.len())];
        let name = format!("{}.jsonl", session_id(self.names));
        let text = self.text(8);
        write(&self.sandbox.projects().join(folder).join(name), &text);
    }

    fn grow(&mut self) -> &'static str {
        let Some(path) = self.pick(true) else { return "" };
        let rest = self.torn.remove(&path);
        let text = rest.unwrap_or_default() + &self.text(4);
        self.sandbox.append(&path, text);
        "more lines"
    }

    /// Writes half a line, the rest of one, or a line without a newline.
    fn tear(&mut self) -> &'static str {
        let Some(path) = self.pick(true) else { return "" };
        if let Some(rest) = self.torn.remove(&path) {
            self.sandbox.append(&path, rest);
            return "the rest of a line";
        }
        let line = self.line() + "\n";
        let at = if self.dice.one_in(2) { line.len() - 1 } else { self.dice.below(line.len()) };
        let at = line.floor_char_boundary(at);
        self.sandbox.append(&path, &line[..at]);
        self.torn.insert(path, line[at..].to_owned());
        "a torn line"
    }

    /// Replaces words in place with others of the same length.
    fn rewrite(&mut self) -> &'static str {
        let Some(path) = self.pick(true) else { return "" };
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let (old, new) = if self.dice.one_in(2) { ("kelp", "moss") } else { ("moss", "kelp") };
        // The file system's clock is coarse: a change within one tick that keeps the size
        // would not be detected.
        std::thread::sleep(Duration::from_millis(12));
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        "other words in place"
    }

    fn move_session(&mut self) -> &'static str {
        let Some(path) = self.pick(false) else { return "" };
        let folder = self.sandbox.projects().join(FOLDERS[self.dice.below(FOLDERS.len())]);
        let to = folder.join(path.file_name().unwrap());
        let (own, own_to) = (path.with_extension(""), to.with_extension(""));
        if to.exists() || own_to.exists() {
            return "";
        }
        fs::create_dir_all(&folder).unwrap();
        fs::rename(&path, &to).unwrap();
        if own.is_dir() {
            fs::rename(&own, &own_to).unwrap();
        }
        self.torn.clear();
        "a moved session"
    }

    fn delete(&mut self) -> &'static str {
        let Some(path) = self.pick(false) else { return "" };
        let own = path.with_extension("");
        fs::remove_file(&path).unwrap();
        if self.dice.one_in(2) && own.is_dir() {
            fs::remove_dir_all(own).unwrap();
        }
        self.torn.clear();
        "a deleted session"
    }

    fn add_agent(&mut self) -> &'static str {
        let Some(session) = self.pick(false) else { return "" };
        let name = format!("agent-a{}.jsonl", self.dice.below(3));
        let path = session.with_extension("").join("subagents").join(name);
        let text = self.text(4);
        if path.exists() {
            self.torn.remove(&path);
        } else {
            let kind = ["Explore", "Plan"][self.dice.below(2)];
            let meta = json!({"agentType": kind}).to_string();
            write(&path.with_extension("meta.json"), &meta);
        }
        write(&path, &text);
        "an agent"
    }

    /// A session that begins with another's lines.
    fn fork(&mut self) -> &'static str {
        let Some(path) = self.pick(false) else { return "" };
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        self.names += 1;
        let own = self.text(2);
        let shared: Vec<&str> = text.lines().take(5).collect();
        let shared = shared.join("\n") + "\n";
        let name = format!("{}.jsonl", session_id(self.names));
        write(&path.with_file_name(name), &(shared + &own));
        "a fork"
    }
}

fn is_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The kind of line that compacts the conversation.
const COMPACTION: usize = 15;

fn plain_line(kind: usize, id: &str, words: &str) -> Line {
    let bash = |command: &str| tool_use(id, "Bash", &json!({"command": command}));
    match kind {
        0..=2 => user(&format!("Where is the {words}?")),
        3 | 4 => assistant(&format!("The {words} is there.")),
        5 => tool_use(id, "Read", &json!({"file_path": format!("/p/{words}.rs")})),
        6 => tool_use(
            id,
            "Edit",
            &json!({"file_path": "/p/a.rs", "old_string": "a", "new_string": format!("{words}\nb")}),
        ),
        7 => bash(&format!("git commit -m '{words}'")),
        8 => bash("annals search kelp"),
        9 => tool_result(id, &format!("[main abc1234] {words}\n 1 file changed")),
        10 => tool_error(id, words),
        11 => call(&format!("msg_{id}"), [10, 20, 30, 40]),
        12 => metadata("custom-title", &[("customTitle", words.into())]),
        13 => user(words).with("slug", format!("plan-{}", id.trim_start_matches('t'))),
        14 => attachment(&json!({"type": "queued_command", "prompt": words})),
        COMPACTION => system("compact_boundary").with("content", "Conversation compacted"),
        _ => user(words).with("isCompactSummary", true),
    }
}
