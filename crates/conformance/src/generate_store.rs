//! A made-up store for `bench`, on machines that lack real transcripts to
//! grow one from.
//!
//! Sizes, folders and kinds of lines are distributed like those of a heavy user, and the
//! same size always gives the same bytes, so that figures of two runs are comparable.
//! Deliberately not here: damage, old versions and oddities; those are for tests.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The newest day in the store: 2026-11-01, so that stores do not depend on the day they
/// are generated.
const NEWEST_DAY: u64 = 1_793_491_200;
const DAY: u64 = 86_400;

/// The distribution of session sizes in percent and bytes: half are short conversations,
/// few are very long.
const SIZES: [(u64, u64, u64); 5] = [
    (5, 400, 2_000),
    (45, 2_000, 100_000),
    (34, 100_000, 600_000),
    (13, 600_000, 2_500_000),
    (3, 2_500_000, 6_000_000),
];

const WORDS: [&str; 32] = [
    "the", "parser", "should", "return", "every", "record", "with", "its", "offset", "because",
    "a", "torn", "line", "is", "normal", "while", "writing", "please", "check", "tests", "and",
    "fix", "failing", "case", "in", "module", "before", "commit", "größe", "路径", "naïve", "🦀",
];

/// Fills `store` (which must not exist) until its transcripts have this many bytes.
pub(crate) fn generate_store(store: &Path, bytes: u64) -> Result<()> {
    let mut random = Random(1);
    let mut written = 0;
    while written < bytes {
        let name = format!("/home/u/work/project-{}", random.below(1 + bytes / 700_000));
        let folder = store.join("projects").join(name.replace('/', "-"));
        written += write_session(&folder, &name, &mut random)
            .with_context(|| format!("cannot write a session in {}", folder.display()))?;
    }
    Ok(())
}

fn write_session(folder: &Path, cwd: &str, random: &mut Random) -> Result<u64> {
    let id = random.uuid();
    let start = NEWEST_DAY - random.below(400 * DAY);
    let size = random.session_size();
    let main = Author::new(&id, cwd, start, None);
    let mut written = main.write(&folder.join(format!("{id}.jsonl")), size, random)?;
    if size > 100_000 && random.below(100) < 30 {
        let agents = folder.join(&id).join("subagents");
        for _ in 0..=random.below(3) {
            let agent = format!("a{:016x}", random.next());
            let author = Author::new(&id, cwd, start + 60, Some(&agent));
            written +=
                author.write(&agents.join(format!("agent-{agent}.jsonl")), size / 4, random)?;
            let meta = json!({"agentType": "Explore", "description": random.text(4)});
            fs::write(agents.join(format!("agent-{agent}.meta.json")), meta.to_string())?;
        }
    }
    Ok(written)
}

/// Writes the lines of one transcript, each chained to the one before. Keys
/// are in the order of real lines, because readers check the beginning of a line.
struct Author<'a> {
    session: &'a str,
    cwd: &'a str,
    agent: Option<&'a str>,
    time: u64,
    /// The uuid of the line before, as JSON.
    parent: String,
}

impl<'a> Author<'a> {
    fn new(session: &'a str, cwd: &'a str, time: u64, agent: Option<&'a str>) -> Self {
        Self { session, cwd, agent, time, parent: "null".to_owned() }
    }

    fn write(mut self, path: &Path, size: u64, random: &mut Random) -> Result<u64> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::new(File::create(path)?);
        let mut written = 0;
        while written < size {
            for line in self.turn(random)? {
                written += line.len() as u64 + 1;
                writeln!(file, "{line}")?;
            }
        }
        if self.agent.is_none() {
            let (title, session) = (quoted(&random.text(5)), self.session);
            writeln!(file, r#"{{"type":"ai-title","aiTitle":{title},"sessionId":"{session}"}}"#)?;
        }
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(self.time);
        file.into_inner()?.set_modified(modified)?;
        Ok(written)
    }

    /// A prompt, an answer in the several lines of one API response, the
    /// result of the tool it called, and the notes that Claude Code adds.
    fn turn(&mut self, random: &mut Random) -> Result<Vec<String>> {
        let prompt = quoted(&random.text(20));
        let prompt = format!(r#""message":{{"role":"user","content":{prompt}}}"#);
        let mut lines = vec![self.message("user", &prompt, random)?];
        let id = &self.parent;
        lines.push(format!(
            r#"{{"type":"file-history-snapshot","messageId":{id},"snapshot":{{"messageId":{id},"trackedFileBackups":{{}}}},"isSnapshotUpdate":false}}"#
        ));

        let response = format!("01{:016x}", random.next());
        let call = format!("toolu_01{:016x}", random.next());
        let (thought, answer) = (quoted(&random.text(60)), quoted(&random.text(80)));
        let (signature, path) = (random.uuid(), quoted(&format!("{}/src/lib.rs", self.cwd)));
        for block in [
            format!(r#"{{"type":"thinking","thinking":{thought},"signature":"{signature}"}}"#),
            format!(r#"{{"type":"text","text":{answer}}}"#),
            format!(
                r#"{{"type":"tool_use","id":"{call}","name":"Read","input":{{"file_path":{path}}}}}"#
            ),
        ] {
            let output = random.below(900);
            let (created, read) = (random.below(5_000), random.below(150_000));
            let body = format!(
                r#""message":{{"model":"claude-opus-4-6","id":"msg_{response}","type":"message","role":"assistant","content":[{block}],"stop_reason":"tool_use","usage":{{"input_tokens":4,"cache_creation_input_tokens":{created},"cache_read_input_tokens":{read},"output_tokens":{output},"service_tier":"standard"}}}},"requestId":"req_{response}""#
            );
            lines.push(self.message("assistant", &body, random)?);
        }

        // Results make up most bytes of a real store; a few are very long.
        let is_long = random.below(50) == 0;
        let words = if is_long { 20_000 } else { random.below(900) };
        let output = quoted(&random.text(words));
        let body = format!(
            r#""message":{{"role":"user","content":[{{"tool_use_id":"{call}","type":"tool_result","content":{output}}}]}},"toolUseResult":{{"type":"text","file":{{"filePath":{path},"content":{output},"numLines":1}}}}"#
        );
        lines.push(self.message("user", &body, random)?);
        Ok(lines)
    }

    fn message(&mut self, kind: &str, body: &str, random: &mut Random) -> Result<String> {
        self.time += random.below(90);
        let time = Timestamp::from_second(i64::try_from(self.time)?)?;
        let uuid = quoted(&random.uuid());
        let (parent, session, cwd) = (&self.parent, self.session, quoted(self.cwd));
        let agent = match self.agent {
            Some(agent) => format!(r#""isSidechain":true,"agentId":"{agent}""#),
            None => r#""isSidechain":false"#.to_owned(),
        };
        let line = format!(
            r#"{{"parentUuid":{parent},{agent},"userType":"external","cwd":{cwd},"sessionId":"{session}","version":"2.1.81","gitBranch":"main","type":"{kind}",{body},"uuid":{uuid},"timestamp":"{time:.3}"}}"#
        );
        self.parent = uuid;
        Ok(line)
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// `SplitMix64`: small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn session_size(&mut self) -> u64 {
        let mut place = self.below(100);
        for (share, least, most) in SIZES {
            if place < share {
                return least + self.below(most - least);
            }
            place -= share;
        }
        0
    }

    fn text(&mut self, words: u64) -> String {
        let mut text = String::new();
        for number in 0..words {
            if number > 0 {
                text.push(if number % 12 == 0 { '\n' } else { ' ' });
            }
            let index = usize::try_from(self.below(WORDS.len() as u64)).unwrap_or_default();
            text.push_str(WORDS[index]);
        }
        text
    }

    fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | ((low >> 48) & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_object_that_begins_as_real_ones_do() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let mut random = Random(7);
        for _ in 0..5 {
            write_session(root.path(), "/home/u/work/p", &mut random).expect("written");
        }
        let mut lines = 0;
        for entry in fs::read_dir(root.path()).expect("listed").flatten() {
            if entry.path().is_dir() {
                continue;
            }
            for line in fs::read_to_string(entry.path()).expect("read").lines() {
                let record: Value = serde_json::from_str(line).expect("an object");
                let is_message = matches!(record["type"].as_str(), Some("user" | "assistant"));
                let start = if is_message { r#"{"parentUuid":"# } else { r#"{"type":"# };
                assert!(line.starts_with(start), "{line}");
                lines += 1;
            }
        }
        assert!(lines >= 5 * 6, "{lines}");
    }

    #[test]
    fn the_same_size_gives_the_same_sessions() {
        let names = |seed| {
            let mut random = Random(seed);
            (random.uuid(), random.session_size(), random.text(3))
        };
        assert_eq!(names(3), names(3));
        assert_eq!(SIZES.iter().map(|(share, _, _)| share).sum::<u64>(), 100);
    }
}
