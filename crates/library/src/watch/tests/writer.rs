//! A writer of transcripts that does everything that happens to real ones.

use proptest::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use testkit::{
    Line, Sandbox, assistant, attachment, metadata, system, tool_error, tool_result, tool_use, user,
};

/// A line to write.
#[derive(Clone, Debug)]
pub(super) enum Say {
    Prompt,
    /// A prompt that follows an earlier line: the lines after that are
    /// abandoned.
    Edit(prop::sample::Index),
    Answer(u64),
    Call,
    /// A call of the same response as the last.
    ParallelCall,
    Result(prop::sample::Index, bool),
    Queued,
    Meta,
    /// An explicit rewind, to an earlier line or to nothing.
    Rewind(Option<prop::sample::Index>),
    LastPrompt,
    Compact,
    Mode,
    Huge,
    Again(prop::sample::Index),
    Nuls,
}

/// A change to a file.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Say(Vec<Say>),
    /// The beginning of a line.
    Tear(Say, prop::sample::Index),
    /// The rest of it, with its end.
    Mend,
    /// A complete line without its newline.
    Dangle(Say),
    Retract(prop::sample::Index),
    Replace(prop::sample::Index),
    Edit(prop::sample::Index),
    Rotate(Vec<Say>),
    Delete,
}

pub(super) fn say() -> impl Strategy<Value = Say> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        4 => Just(Say::Prompt),
        1 => index().prop_map(Say::Edit),
        4 => (1_u64..9000).prop_map(Say::Answer),
        4 => Just(Say::Call),
        2 => Just(Say::ParallelCall),
        5 => (index(), any::<bool>()).prop_map(|(at, failed)| Say::Result(at, failed)),
        1 => Just(Say::Queued),
        1 => Just(Say::Meta),
        1 => prop::option::of(index()).prop_map(Say::Rewind),
        1 => Just(Say::LastPrompt),
        1 => Just(Say::Compact),
        1 => Just(Say::Mode),
        1 => Just(Say::Huge),
        1 => index().prop_map(Say::Again),
        1 => Just(Say::Nuls),
    ]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    let says = || prop::collection::vec(say(), 1..5);
    prop_oneof![
        8 => says().prop_map(Step::Say),
        2 => (say(), index()).prop_map(|(say, at)| Step::Tear(say, at)),
        3 => Just(Step::Mend),
        1 => say().prop_map(Step::Dangle),
        2 => index().prop_map(Step::Retract),
        1 => index().prop_map(Step::Replace),
        1 => index().prop_map(Step::Edit),
        1 => says().prop_map(Step::Rotate),
        1 => Just(Step::Delete),
    ]
}

/// A transcript in the making.
pub(super) struct Writer {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    rest: Vec<u8>,
    uuids: Vec<String>,
    calls: Vec<String>,
    written: Vec<Line>,
    count: u64,
}

impl Writer {
    pub(super) fn new(name: &'static str, path: PathBuf) -> Writer {
        let (bytes, rest, uuids, calls, written) = Default::default();
        Writer { name, path, bytes, rest, uuids, calls, written, count: 0 }
    }

    fn line(&mut self, say: &Say) -> Vec<u8> {
        self.count += 1;
        let number = self.count;
        let name = |what: &str| format!("{what}-{}-{number}", self.name);
        let last = self.uuids.last().cloned();
        let pick = |at: &prop::sample::Index, from: &[String]| {
            (!from.is_empty()).then(|| from[at.index(from.len())].clone())
        };
        let usage = |output: u64| json!({"input_tokens": 10, "cache_read_input_tokens": output * 2, "output_tokens": output});
        let mut parent = last.clone();
        let line = match say {
            Say::Prompt => user(&format!("prompt {number}")),
            Say::Edit(at) => {
                parent = pick(at, &self.uuids);
                user(&format!("again {number}"))
            }
            Say::Answer(output) => assistant(&format!("answer {number}"))
                .message("id", name("msg"))
                .message("usage", usage(*output)),
            Say::Call | Say::ParallelCall => {
                let id = name("toolu");
                self.calls.push(id.clone());
                let message =
                    if matches!(say, Say::Call) { name("msg") } else { "msg-shared".to_owned() };
                tool_use(&id, "Bash", &json!({"command": format!("make {number}")}))
                    .message("id", message)
                    .message("usage", usage(number))
            }
            Say::Result(at, failed) => {
                let id = pick(at, &self.calls).unwrap_or_else(|| "toolu-none".to_owned());
                if *failed { tool_error(&id, "no") } else { tool_result(&id, "yes") }
            }
            Say::Queued => attachment(
                &json!({"type": "queued_command", "prompt": "and", "source_uuid": name("queued")}),
            ),
            Say::Meta => user("<note>").with("isMeta", true),
            Say::Rewind(to) => {
                let leaf = to.as_ref().and_then(|at| pick(at, &self.uuids));
                return with_end(&metadata(
                    "last-prompt",
                    &[("leafUuid", json!(leaf)), ("explicit", json!(true))],
                ));
            }
            Say::LastPrompt => {
                return with_end(&metadata("last-prompt", &[("leafUuid", json!(last))]));
            }
            Say::Compact => {
                let boundary = name("boundary");
                let line = system("compact_boundary")
                    .link(&boundary, None)
                    .with("logicalParentUuid", json!(last));
                self.uuids.push(boundary.clone());
                let uuid = name("u");
                self.uuids.push(uuid.clone());
                let summary =
                    user("in short").with("isCompactSummary", true).link(&uuid, Some(&boundary));
                return [with_end(&line), with_end(&summary)].concat();
            }
            Say::Mode => return with_end(&metadata("mode", &[("mode", json!("plan"))])),
            Say::Huge => user(&"x".repeat(70_000)),
            Say::Again(at) => {
                if self.written.is_empty() {
                    return b"\n".to_vec();
                }
                let place = at.index(self.written.len());
                return with_end(
                    &self.written[place].clone().with("slug", format!("other-{number}")),
                );
            }
            Say::Nuls => {
                let uuid = name("u");
                let line = user("after a crash").link(&uuid, last.as_deref());
                self.uuids.push(uuid);
                return [&[0, 0, 0][..], &with_end(&line)].concat();
            }
        };
        let uuid = name("u");
        let time = format!("2026-01-02T03:{:02}:{:02}.000Z", number / 60 % 60, number % 60);
        let line =
            line.link(&uuid, parent.as_deref()).at(&time).with("isSidechain", self.name != "main");
        self.uuids.push(uuid);
        self.written.push(line.clone());
        with_end(&line)
    }

    pub(super) fn lines(&mut self, says: &[Say]) -> Vec<u8> {
        says.iter().flat_map(|say| self.line(say)).collect()
    }

    fn mend(&mut self) {
        self.bytes.append(&mut self.rest);
    }

    pub(super) fn apply(&mut self, step: &Step) {
        match step {
            Step::Say(says) => {
                self.mend();
                let lines = self.lines(says);
                self.bytes.extend(lines);
            }
            Step::Tear(say, at) => {
                self.mend();
                let line = self.line(say);
                let (torn, rest) = line.split_at(at.index(line.len()));
                self.bytes.extend(torn);
                self.rest = rest.to_vec();
            }
            Step::Mend => self.mend(),
            Step::Dangle(say) => {
                self.mend();
                let line = self.line(say);
                let (whole, rest) = line.split_at(line.len() - 1);
                self.bytes.extend(whole);
                self.rest = rest.to_vec();
            }
            Step::Retract(at) => {
                self.rest.clear();
                let ends: Vec<usize> = self
                    .bytes
                    .iter()
                    .enumerate()
                    .filter(|(_, byte)| **byte == b'\n')
                    .map(|(at, _)| at + 1)
                    .collect();
                let end = if ends.is_empty() { 0 } else { ends[at.index(ends.len())] };
                self.bytes.truncate(end);
            }
            // Bytes are changed in place, in a text or not.
            Step::Replace(at) => {
                if !self.bytes.is_empty() {
                    let place = at.index(self.bytes.len());
                    let byte = &mut self.bytes[place];
                    *byte = if byte.is_ascii_lowercase() { b'z' } else { *byte };
                }
            }
            // A line is removed from the middle.
            Step::Edit(at) => {
                let lines: Vec<&[u8]> = self.bytes.split_inclusive(|byte| *byte == b'\n').collect();
                if lines.len() > 1 {
                    let place = at.index(lines.len() - 1);
                    let left = lines.iter().enumerate().filter(|(number, _)| *number != place);
                    self.bytes = left.flat_map(|(_, line)| line.to_vec()).collect();
                }
            }
            Step::Rotate(says) => {
                self.rest.clear();
                self.bytes = self.lines(says);
            }
            Step::Delete => {}
        }
    }

    /// Writes the file as it is now; `second` distinguishes it from all
    /// versions before.
    pub(super) fn write(&self, step: &Step, sandbox: &Sandbox, second: i64) {
        std::fs::create_dir_all(self.path.parent().unwrap()).unwrap();
        if matches!(step, Step::Rotate(_)) {
            let new = self.path.with_extension("new");
            std::fs::write(&new, &self.bytes).unwrap();
            std::fs::rename(new, &self.path).unwrap();
        } else {
            std::fs::write(&self.path, &self.bytes).unwrap();
        }
        sandbox.set_modified(&self.path, 1_700_000_000 + second);
    }

    /// The part of the file that counts: a last line only if it is complete
    /// objects.
    pub(super) fn counting(&self) -> &[u8] {
        let end = self.bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let last = transcript::lines(&self.bytes[end..]).next();
        let is_whole =
            last.is_some_and(|line| transcript::parse_line(line).all(|entry| entry.provisional));
        if is_whole { &self.bytes } else { &self.bytes[..end] }
    }
}

fn with_end(line: &Line) -> Vec<u8> {
    (line.to_string() + "\n").into_bytes()
}
