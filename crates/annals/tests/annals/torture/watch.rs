//! A writer that appends, tears lines, retracts and replaces, in a session and
//! its sub-agent, while `annals watch` runs: applying its events gives the conversations,
//! calls and usage that reading the files gives in the end.

use crate::torture::run::{annals, document};
use crate::torture::{long, report};
use conversation::{Calls, Conversation, View};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use testkit::{Sandbox, assistant, metadata, session_id, tool_error, tool_result, tool_use, user};

/// A running `annals watch`, stopped by its process id.
struct Watcher {
    child: Child,
    events: Receiver<Value>,
}

impl Watcher {
    fn start(mut command: Command) -> Watcher {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).expect("every line is JSON");
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        Watcher { child, events }
    }

    /// Stops it like ^C.
    fn interrupt(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

/// Random numbers, the same for a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// A transcript that is being written.
struct Writer {
    path: PathBuf,
    name: &'static str,
    uuids: Vec<String>,
    calls: Vec<String>,
    rest: Vec<u8>,
    count: u64,
}

impl Writer {
    fn new(path: PathBuf, name: &'static str) -> Writer {
        let (uuids, calls, rest) = Default::default();
        Writer { path, name, uuids, calls, rest, count: 0 }
    }

    fn line(&mut self, chance: &mut Chance) -> Vec<u8> {
        self.count += 1;
        let number = self.count;
        let name = |what: &str| format!("{what}-{}-{number}", self.name);
        let mut parent = self.uuids.last().cloned();
        let usage = json!({"input_tokens": 7, "output_tokens": number % 90, "cache_read_input_tokens": number * 10});
        let line = match chance.below(12) {
            0..3 => user(&format!("prompt {number}")),
            3..5 => assistant(&format!("answer {number}"))
                .message("id", name("msg"))
                .message("usage", usage),
            5..8 => {
                self.calls.push(name("toolu"));
                let input = json!({"command": format!("make {number}")});
                tool_use(&name("toolu"), "Bash", &input)
                    .message("id", name("msg"))
                    .message("usage", usage)
            }
            8 | 9 if !self.calls.is_empty() => {
                let id = &self.calls[self.calls.len() - 1 - chance.below(self.calls.len().min(3))];
                if chance.below(4) == 0 { tool_error(id, "no") } else { tool_result(id, "yes") }
            }
            10 if !self.uuids.is_empty() => {
                parent = Some(self.uuids[chance.below(self.uuids.len())].clone());
                user(&format!("no, rather {number}"))
            }
            11 if !self.uuids.is_empty() => {
                let leaf = &self.uuids[chance.below(self.uuids.len())];
                let members =
                    [("leafUuid", json!(leaf)), ("explicit", json!(chance.below(3) == 0))];
                return (metadata("last-prompt", &members).to_string() + "\n").into_bytes();
            }
            _ => user(&"long ".repeat(4_000)),
        };
        self.uuids.push(name("u"));
        let time = format!("2026-01-02T03:{:02}:{:02}.000Z", number / 60 % 60, number % 60);
        let line = line.link(&name("u"), parent.as_deref()).at(&time);
        (line.with("isSidechain", self.name != "main").to_string() + "\n").into_bytes()
    }

    fn step(&mut self, sandbox: &Sandbox, chance: &mut Chance) {
        let mut mended = std::mem::take(&mut self.rest);
        match chance.below(16) {
            0..9 => {
                for _ in 0..=chance.below(3) {
                    mended.extend(self.line(chance));
                }
                sandbox.append(&self.path, mended);
            }
            9..12 => {
                let line = self.line(chance);
                let (torn, rest) = line.split_at(chance.below(line.len()));
                sandbox.append(&self.path, [&mended[..], torn].concat());
                self.rest = rest.to_vec();
            }
            12 | 13 => {
                // Removes the last lines.
                let bytes = std::fs::read(&self.path).unwrap();
                let ends: Vec<usize> = memchr_all(&bytes);
                let kept = ends.len().saturating_sub(1 + chance.below(4));
                let end = kept.checked_sub(1).map_or(0, |last| ends[last]);
                let file = std::fs::OpenOptions::new().write(true).open(&self.path).unwrap();
                file.set_len(end as u64).unwrap();
            }
            14 => {
                // Replaces the file with one that lacks a line.
                let bytes = std::fs::read(&self.path).unwrap();
                let left = chance.below(memchr_all(&bytes).len() + 1);
                let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
                let new: Vec<u8> = lines
                    .filter(|(number, _)| *number != left)
                    .flat_map(|(_, line)| line.to_vec())
                    .collect();
                std::fs::write(self.path.with_extension("tmp"), new).unwrap();
                std::fs::rename(self.path.with_extension("tmp"), &self.path).unwrap();
            }
            _ => {
                // Rewrites the file in place.
                let mut bytes = std::fs::read(&self.path).unwrap();
                let at = chance.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at).filter(|byte| byte.is_ascii_lowercase()) {
                    *byte = b'q';
                }
                std::fs::write(&self.path, bytes).unwrap();
            }
        }
    }

    fn end(&mut self, sandbox: &Sandbox) {
        let rest = std::mem::take(&mut self.rest);
        sandbox.append(&self.path, [&rest[..], b"\n"].concat());
    }
}

/// Where lines end.
fn memchr_all(bytes: &[u8]) -> Vec<usize> {
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect()
}

/// The state of a transcript.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    order: Vec<String>,
    calls: BTreeMap<String, String>,
}

impl Known {
    fn read(bytes: &[u8], is_agent: bool) -> Known {
        let conversation = if is_agent {
            Conversation::read_agent(bytes, View::App)
        } else {
            Conversation::read(bytes, View::App)
        };
        let order = conversation.messages.iter().map(|message| message.uuid.clone()).collect();
        let mut calls = Calls::default();
        for entry in transcript::entries(bytes) {
            calls.note(entry.line, entry.record);
        }
        let named = calls.all().iter().filter_map(|call| {
            Some((call.id.as_ref()?.to_string(), call.status().name().to_owned()))
        });
        Known { order, calls: named.collect() }
    }

    fn place(&mut self, uuids: &[String], after: &Value) {
        self.order.retain(|uuid| !uuids.contains(uuid));
        let at = after.as_str().map_or(0, |after| {
            1 + self.order.iter().position(|uuid| uuid == after).expect("an earlier event named it")
        });
        self.order.splice(at..at, uuids.iter().cloned());
    }

    fn apply(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| -> Vec<String> {
            let items = event[name].as_array().into_iter().flatten();
            items.map(|item| item.as_str().unwrap().to_owned()).collect()
        };
        match event["event"].as_str().unwrap() {
            "message" => self.place(&[text("uuid")], &event["after"]),
            "moved" => self.place(&list("uuids"), &event["after"]),
            "compacted" => self.order.retain(|uuid| !list("uuids").contains(uuid)),
            "rewound" => {
                let undone = list("abandoned");
                self.order.retain(|uuid| !undone.contains(uuid));
                if !list("live").is_empty() {
                    self.place(&list("live"), &event["after"]);
                }
            }
            "retracted" => {
                let gone = list("uuids");
                self.order.retain(|uuid| !gone.contains(uuid));
                for id in list("calls") {
                    self.calls.remove(&id);
                }
                for id in list("answers") {
                    self.calls.insert(id, "missing".to_owned());
                }
            }
            "call_started" => {
                self.calls.entry(text("id")).or_insert_with(|| "missing".to_owned());
            }
            "call_ended" => {
                self.calls.insert(text("id"), text("status"));
            }
            _ => {}
        }
    }
}

#[test]
fn event_stream_adds_up_to_the_conversation() {
    let time = Duration::from_secs(if long().is_some() { 60 } else { 3 });
    let sandbox = Sandbox::new();
    let cwd = sandbox.home().canonicalize().unwrap().display().to_string();
    let id = session_id(1);
    let mut command = annals(&sandbox, &["watch", "--json", "--from-start"]);
    command.current_dir(sandbox.home());
    let looking = Watcher::start(command);
    let main = sandbox.session(&cwd, &id, [user("hello").cwd(&cwd)]);
    let agent = sandbox.agent(&cwd, &id, "agent-a1", [user("look").with("isSidechain", true)]);
    let mut writers = [Writer::new(main, "main"), Writer::new(agent, "a1")];
    let mut chance = Chance(20_260_102);
    let start = Instant::now();
    let mut steps = 0;
    while start.elapsed() < time {
        let writer = &mut writers[usize::from(chance.below(3) == 0)];
        writer.step(&sandbox, &mut chance);
        steps += 1;
        std::thread::sleep(Duration::from_millis(chance.below(12) as u64));
    }
    for writer in &mut writers {
        writer.end(&sandbox);
    }
    let expected = writers
        .each_ref()
        .map(|writer| Known::read(&std::fs::read(&writer.path).unwrap(), writer.name != "main"));
    assert!(expected.iter().all(|known| !known.order.is_empty()), "there are messages to compare");
    let total = document(&sandbox, &["usage", "--json"])["total"].clone();
    let mut applied: HashMap<Option<String>, Known> = HashMap::new();
    let (mut usage, mut count) = (Value::Null, 0);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let now = [None, Some("a1".to_owned())]
            .map(|agent| applied.get(&agent).cloned().unwrap_or_default());
        let is_counted = usage["calls"] == total["calls"]
            && usage["tokens"]["output"] == total["output_tokens"]
            && usage["tokens"]["cache_read"] == total["cache_read_tokens"]
            && usage["cost_usd"] == total["cost_usd"];
        if now == expected && is_counted {
            break;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(event) = looking.events.recv_timeout(left) else {
            assert_eq!(now, expected);
            panic!("{usage} is not {total}");
        };
        count += 1;
        assert_eq!(
            (&event["schema"], &event["session_id"]),
            (&json!("annals/watch-event/1"), &json!(id))
        );
        if event["event"] == "usage" {
            usage = event.clone();
        }
        applied.entry(event["agent_id"].as_str().map(str::to_owned)).or_default().apply(&event);
    }
    assert_eq!(looking.interrupt(), Some(0), "^C is how it ends");
    report(&format!("watch: {steps} steps of a writer, {count} events"));
}
