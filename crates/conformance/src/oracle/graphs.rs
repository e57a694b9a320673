//! Random conversations: graphs that no writer should produce; the same seed gives the same
//! conversations.
//!
//! Cases that the official reader fails on or treats differently (`docs/listing.md`) are
//! left out: numeric times, lists of preserved messages that are not lists, null anchors,
//! halves of surrogate pairs.

use serde_json::{Value, json};

use super::line::{Line, follower};
use super::random::Random;
use super::store::Store;

const SESSIONS: usize = 150;

/// One in this many seeds gives a store with large sessions too.
const LARGE_EVERY: u64 = 5;
const LARGE: usize = 5 * 1024 * 1024;

const SENDERS: [&str; 8] = [
    "human",
    "channel",
    "observer",
    "observer-activity",
    "slack-ping",
    "voice-call",
    "peer",
    "task-notification",
];

/// Values where others are expected.
const ODD: [&str; 9] = ["null", "true", "false", "0", "5", "\"\"", "\"x\"", "[]", "{}"];

const TIMES: [&str; 7] = [
    "",
    "zzz",
    "AAA",
    "aaa",
    "2026-01-02 03:04",
    "2026-01-02T03:04:05+01:00",
    "2026-01-02T03:04:05Z",
];

pub(super) fn make(seed: u64) -> Store {
    let mut random = Random::new(seed ^ 0x6_7261_7068);
    let mut store = Store::default();
    for number in 0..SESSIONS {
        let text = Author::new(&mut random).transcript();
        let session = store.add_bytes("random graph", text.as_bytes());
        if number % 5 == 0 {
            let text = Author::new(&mut random).transcript();
            session.agent("x", &text);
        }
    }
    if seed.is_multiple_of(LARGE_EVERY) {
        for _ in 0..3 {
            let mut author = Author::new(&mut random);
            author.padding = LARGE;
            let text = author.transcript();
            store.add_bytes("large random graph", text.as_bytes());
        }
    }
    store
}

/// How likely things are in one transcript, in percent.
#[derive(Debug)]
struct Habits {
    longest: usize,
    repeats_uuids: usize,
    goes_straight: usize,
    kinds: [usize; 5],
    seconds: usize,
    has_agents: usize,
    has_teams: usize,
    is_meta: usize,
    new_responses: usize,
    repeats_calls: usize,
    is_odd: usize,
    is_damaged: usize,
}

impl Habits {
    fn new(random: &mut Random) -> Self {
        Self {
            longest: random.choose(&[6, 12, 30, 60]),
            repeats_uuids: random.choose(&[0, 2, 15]),
            goes_straight: random.choose(&[30, 60, 80]),
            // For users, models, system lines and attachments; the rest is progress.
            kinds: random.choose(&[
                [35, 40, 6, 8, 8],
                [20, 20, 15, 35, 8],
                [25, 50, 5, 10, 5],
                [30, 20, 25, 20, 3],
            ]),
            seconds: random.choose(&[1, 2, 10, 60]),
            has_agents: random.choose(&[0, 5, 30]),
            has_teams: random.choose(&[0, 3, 20]),
            is_meta: random.choose(&[0, 7, 30]),
            new_responses: random.choose(&[10, 60]),
            repeats_calls: random.choose(&[0, 5, 30]),
            is_odd: random.choose(&[0, 0, 5, 20]),
            is_damaged: random.choose(&[0, 0, 3]),
        }
    }
}

struct Author<'r> {
    random: &'r mut Random,
    habits: Habits,
    uuids: Vec<String>,
    calls: Vec<String>,
    responses: usize,
    /// The size of a line that makes the transcript large.
    padding: usize,
}

impl<'r> Author<'r> {
    fn new(random: &'r mut Random) -> Self {
        let habits = Habits::new(random);
        let (uuids, calls) = (Vec::new(), Vec::new());
        Self { random, habits, uuids, calls, responses: 0, padding: 0 }
    }

    fn transcript(&mut self) -> String {
        let count = 1 + self.random.below(self.habits.longest);
        let padded = self.random.below(count);
        let mut text = String::new();
        for number in 0..count {
            let line = self.line(number, count);
            let line = if self.random.percent(self.habits.is_damaged) {
                self.damaged(&line.to_string())
            } else {
                line.to_string()
            };
            text += &line;
            text += self.random.choose(&["\n", "\n", "\n", "\n", "\n\n", "\r\n", " \n"]);
            if number == padded && self.padding > 0 {
                let padding = "y".repeat(self.padding + self.random.below(2_000));
                text += &format!("{}\n", follower("progress", "pad", None).with("data", padding));
            }
        }
        if self.random.percent(10) {
            text.truncate(text.trim_end().len());
        }
        if self.random.percent(5) {
            text.truncate(text.len().saturating_sub(1 + self.random.below(20)));
        }
        text
    }

    fn line(&mut self, number: usize, count: usize) -> Line {
        let uuid = match self.known() {
            Some(known) if self.random.percent(self.habits.repeats_uuids) => known,
            _ => format!("u{number}"),
        };
        let parent = self.parent(number, count);
        let mut line = match self.kind() {
            "user" => self.user(&uuid, parent.as_deref()),
            "assistant" => self.assistant(&uuid, parent.as_deref()),
            "system" => self.system(&uuid, parent.as_deref(), number, count),
            "attachment" => self.attachment(&uuid, parent.as_deref()),
            kind => follower(kind, &uuid, parent.as_deref()),
        };
        let (habits, random) = (&self.habits, &mut *self.random);
        if random.percent(habits.has_agents) {
            line = line.with("isSidechain", true);
        }
        if random.percent(habits.has_agents) {
            line = line.with("agentId", random.choose(&["one", "two"]));
        }
        if random.percent(habits.has_teams) {
            line = line.with("teamName", "team");
        }
        if random.percent(habits.is_meta) {
            line = line.with("isMeta", true);
        }
        line = match random.below(100) {
            0..3 => line,
            3..5 => line.with("timestamp", random.choose(&TIMES)),
            _ => {
                let (second, fraction) = (random.below(habits.seconds), random.choose(&[0, 0, 5]));
                line.with("timestamp", format!("2026-01-02T03:04:{second:02}.{fraction}00Z"))
            }
        };
        if random.percent(3) {
            line = line.with("logicalParentUuid", parent);
        }
        self.uuids.push(uuid);
        if self.random.percent(self.habits.is_odd) { self.odd(line) } else { line }
    }

    /// One of the uuids so far.
    fn known(&mut self) -> Option<String> {
        let place = self.random.below(self.uuids.len());
        self.uuids.get(place).cloned()
    }

    /// One of the uuids so far, or one that comes later or never.
    fn any(&mut self, number: usize, count: usize) -> String {
        match self.random.below(100) {
            0..8 => "gone".to_owned(),
            8..25 => self.later(number, count),
            _ => self.known().unwrap_or_else(|| "gone".to_owned()),
        }
    }

    fn later(&mut self, number: usize, count: usize) -> String {
        format!("u{}", (number + self.random.below(5)).min(count - 1))
    }

    fn parent(&mut self, number: usize, count: usize) -> Option<String> {
        let last = self.uuids.last().cloned()?;
        if self.random.percent(self.habits.goes_straight) {
            return Some(last);
        }
        match self.random.below(100) {
            0..50 => {
                let near = self.uuids.len().min(6);
                let place = self.uuids.len() - near + self.random.below(near);
                self.uuids.get(place).cloned()
            }
            50..75 => self.known(),
            75..85 => None,
            85..92 => Some("gone".to_owned()),
            _ => Some(self.later(number, count)),
        }
    }

    fn kind(&mut self) -> &'static str {
        let mut place = self.random.below(100);
        for (kind, share) in ["user", "assistant", "system", "attachment", "progress"]
            .into_iter()
            .zip(self.habits.kinds)
        {
            if place < share {
                return kind;
            }
            place -= share;
        }
        self.random.choose(&["progress", "mode", "last-prompt"])
    }

    fn user(&mut self, uuid: &str, parent: Option<&str>) -> Line {
        let mut line = follower("user", uuid, parent);
        let stopped = "[Request interrupted by user]";
        let content = match self.random.below(100) {
            0..55 if !self.calls.is_empty() => {
                if self.random.percent(40) {
                    line = line.with("sourceToolAssistantUUID", self.known());
                }
                let results: Vec<Value> =
                    (0..self.random.choose(&[1, 1, 1, 2])).map(|_| self.result()).collect();
                json!(results)
            }
            0..60 => json!(stopped),
            60..63 => json!([{"type": "text", "text": stopped.replace(']', " for tool use]")}]),
            63..66 => json!([{"type": "text", "text": stopped}, {"type": "text", "text": "x"}]),
            _ => json!("hello"),
        };
        line = line.with("message", json!({"role": "user", "content": content}));
        if self.random.percent(7) {
            line = line.with("isCompactSummary", true);
        }
        self.sent(line)
    }

    fn result(&mut self) -> Value {
        let near = self.calls.len().min(4);
        let place = self.calls.len() - near + self.random.below(near);
        match self.random.below(30) {
            0 => json!({"type": "tool_result"}),
            _ => json!({"type": "tool_result", "tool_use_id": self.calls.get(place)}),
        }
    }

    fn sent(&mut self, line: Line) -> Line {
        if self.random.percent(15) {
            line.with("origin", json!({"kind": self.random.choose(&SENDERS)}))
        } else {
            line
        }
    }

    fn assistant(&mut self, uuid: &str, parent: Option<&str>) -> Line {
        if self.random.percent(self.habits.new_responses) {
            self.responses += 1;
        }
        let mut content = vec![json!({"type": "text", "text": "x"})];
        for _ in 0..self.random.choose(&[0, 1, 1, 2]) {
            let place = self.random.below(self.calls.len());
            let call = match self.calls.get(place) {
                Some(call) if self.random.percent(self.habits.repeats_calls) => call.clone(),
                _ => format!("call{}", self.calls.len()),
            };
            content.push(json!({"type": "tool_use", "id": call, "name": "Bash", "input": {}}));
            self.calls.push(call);
        }
        let id = match self.random.below(20) {
            0 => Value::Null,
            1..5 => json!(format!("msg{}", self.responses.saturating_sub(1))),
            _ => json!(format!("msg{}", self.responses)),
        };
        let message = json!({"id": id, "role": "assistant", "content": content});
        let line = follower("assistant", uuid, parent).with("message", message);
        self.sent(line)
    }

    fn system(&mut self, uuid: &str, parent: Option<&str>, number: usize, count: usize) -> Line {
        if self.random.percent(40) {
            return follower("system", uuid, parent).with("subtype", "informational");
        }
        let parent = parent.filter(|_| self.random.percent(40));
        let line = follower("system", uuid, parent).with("subtype", "compact_boundary");
        let kind = self.random.below(100);
        let mut metadata = json!({"trigger": "auto"});
        let anchor = |author: &mut Self| {
            if author.random.percent(30) { uuid.to_owned() } else { author.any(number, count) }
        };
        if kind < 45 {
            let uuids: Vec<String> =
                (0..self.random.below(5)).map(|_| self.any(number, count)).collect();
            metadata["preservedMessages"] = json!({"anchorUuid": anchor(self), "uuids": uuids});
        }
        if (35..85).contains(&kind) {
            metadata["preservedSegment"] = json!({
                "headUuid": self.any(number, count),
                "anchorUuid": anchor(self),
                "tailUuid": self.any(number, count),
            });
        }
        line.with("compactMetadata", metadata)
    }

    fn attachment(&mut self, uuid: &str, parent: Option<&str>) -> Line {
        let kinds = ["queued_command", "queued_command", "queued_command", "file", "fork_briefing"];
        let mut attachment = json!({"type": self.random.choose(&kinds), "prompt": "go on"});
        if self.random.percent(40) {
            let number = self.random.below(4);
            attachment["source_uuid"] = match self.known() {
                Some(known) if self.random.percent(50) => json!(known),
                _ => json!(format!("source{number}")),
            };
        }
        if self.random.percent(10) {
            attachment["isMeta"] = json!(true);
        }
        if self.random.percent(10) {
            attachment["origin"] = json!({"kind": self.random.choose(&SENDERS)});
        }
        if self.random.percent(5) {
            let prompts = [json!(null), json!(5), json!([]), json!({}), json!("")];
            attachment["prompt"] = prompts[self.random.below(prompts.len())].clone();
        }
        follower("attachment", uuid, parent).with("attachment", attachment)
    }

    /// The line with a value of another type than it should have.
    fn odd(&mut self, line: Line) -> Line {
        let value = self.random.choose(&ODD);
        let key = self.random.choose(&[
            "isSidechain",
            "isMeta",
            "teamName",
            "isCompactSummary",
            "parentUuid",
            "agentId",
            "uuid",
            "message",
            "sourceToolAssistantUUID",
            "origin",
            "attachment",
            "subtype",
            "compactMetadata",
            "content",
            "nothing",
        ]);
        match key {
            "nothing" => line.without("parentUuid").without("isSidechain"),
            "content" => {
                line.with_json("message", format!(r#"{{"id":{value},"content":[{value}]}}"#))
            }
            key => line.with_json(key, value),
        }
    }

    fn damaged(&mut self, line: &str) -> String {
        let half = line.len() / 2;
        match self.random.below(8) {
            0 => line[..half].to_owned(),
            1 => format!("{line}{line}"),
            2 => format!("{}{line}", &line[..half]),
            3 => format!("\0\0{line}"),
            4 => format!("\u{feff}{line}"),
            5 => format!("\u{b}{line}"),
            6 => format!("[{line}]"),
            _ => format!("{line}\0"),
        }
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

    #[test]
    fn some_stores_have_large_sessions() {
        assert!(format!("{:?}", make(LARGE_EVERY).names()).contains("large"));
    }
}
