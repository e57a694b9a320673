//! Everything one transcript reveals about sub-agents, collected record by record.
//!
//! Deliberately not here: which agent belongs to which call; see `agent_links.rs`.

use crate::agent_links::{AgentNode, Evidence, Outcome};
use crate::app_text::{failure, failure_message};
use crate::call::{is_failed_result, is_spawn};
use crate::compaction::CompactionScan;
use crate::turn::{ResponseTokens, Tokens};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use transcript::prompt::{is_interruption, trim};
use transcript::{AgentProgress, Body, Record, ToolResult, ToolUse, ToolUseId};

/// A call that starts an agent.
#[derive(Clone, Debug)]
pub(crate) struct SpawnCall {
    pub(crate) call: String,
    pub(crate) kind: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) prompt: Option<String>,
    pub(crate) line: u64,
    pub(crate) time: Option<Timestamp>,
    /// The agent that its result names.
    pub(crate) names: Option<(String, Evidence)>,
    pub(crate) is_answered: bool,
    pub(crate) failed: bool,
}

/// The figures from the lines of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentWork {
    pub(crate) id: String,
    pub(crate) prompt: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) started: Option<Timestamp>,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) responses: HashMap<String, ResponseTokens>,
    pub(crate) calls: u64,
    /// The calls whose last result is an error.
    failed: HashSet<String>,
    /// Errors of the API, and failed results that name no call.
    other_errors: u64,
    /// Whether the last message was an error of the API without a reason.
    is_silent: bool,
    pub(crate) outcome: Option<Outcome>,
    /// Whether its lines are those that `progress` records repeat.
    pub(crate) is_repeated: bool,
    /// The call that started it, if its lines name it.
    pub(crate) tool_use_id: Option<String>,
    /// The calls that are counted; a line can be written twice.
    counted: HashSet<String>,
}

impl AgentWork {
    fn note(&mut self, record: &Record<'_>) {
        self.lines += 1;
        self.bytes += record.raw.len() as u64;
        if let Some(time) = record.time() {
            self.started = Some(self.started.map_or(time, |first| first.min(time)));
            self.ended = Some(self.ended.map_or(time, |last| last.max(time)));
        }
        if let Body::System(system) = &record.body
            && system.subtype.as_deref() == Some("api_error")
        {
            let text = || system.content.as_ref().map(|text| text.text().into_owned());
            self.note_failure(&failure(system).or_else(text).unwrap_or_default());
        }
        let Some(message) = record.message() else { return };
        match &record.body {
            Body::Assistant(assistant) => {
                let model = message.model.as_deref().filter(|model| *model != "<synthetic>");
                self.model = self.model.take().or_else(|| model.map(str::to_owned));
                for call in message.tool_uses() {
                    let is_new = |id: &ToolUseId<'_>| self.counted.insert(id.to_string());
                    self.calls += u64::from(call.id.as_ref().is_none_or(is_new));
                }
                let id = message.id.as_ref().map(ToString::to_string);
                let id = id.or_else(|| record.envelope.uuid.as_ref().map(ToString::to_string));
                if let (Some(id), Some(usage)) = (id, &message.usage) {
                    let own = self.responses.entry(id).or_default();
                    *own = own.or_with_more_output(ResponseTokens::of(usage));
                }
                if assistant.is_api_error_message {
                    let (error, status) = (assistant.error.as_ref(), &assistant.api_error_status);
                    let text = message.text().into_owned();
                    self.note_failure(&failure_message(text, error, status.as_ref()));
                } else {
                    self.is_silent = false;
                }
                let calls_tool = message.tool_uses().next().is_some();
                self.outcome = Some(match (assistant.is_api_error_message, calls_tool) {
                    (true, _) => Outcome::Failed,
                    (false, true) => Outcome::Unfinished,
                    (false, false) => Outcome::Done,
                });
            }
            Body::User(user) => {
                let text = message.text();
                if self.prompt.is_none() {
                    self.prompt = Some(text.clone().into_owned());
                }
                let structured = user.tool_use_result.as_ref();
                let structured = structured.filter(|_| message.tool_results().count() == 1);
                for result in message.tool_results() {
                    let denial = user.tool_denial_kind.as_ref();
                    self.note_result(result, is_failed_result(result, structured, denial));
                }
                self.is_silent &= message.tool_results().next().is_some();
                self.outcome = Some(if !user.is_verbatim() && is_interruption(text.trim()) {
                    Outcome::Stopped
                } else {
                    Outcome::Unfinished
                });
            }
            _ => {}
        }
    }

    /// Notes a result. A later result of the same call replaces the earlier one.
    fn note_result(&mut self, result: &ToolResult<'_>, is_failed: bool) {
        match (result.tool_use_id.as_ref(), is_failed) {
            (Some(id), true) => _ = self.failed.insert(id.to_string()),
            (Some(id), false) => _ = self.failed.remove(id.as_str()),
            (None, is_failed) => self.other_errors += u64::from(is_failed),
        }
    }

    /// Notes an error of the API. Several without a reason, one after the other, are one.
    fn note_failure(&mut self, reason: &str) {
        let is_silent = trim(reason).is_empty();
        self.other_errors += u64::from(!(is_silent && self.is_silent));
        self.is_silent = is_silent;
    }

    /// Whether it is a warm-up: a fixed prompt, a few lines, no tool calls.
    fn is_warmup(&self) -> bool {
        let prompt = self.prompt.as_deref().map(str::trim);
        prompt == Some("Warmup") && self.calls == 0 && self.lines <= 8
    }

    pub(crate) fn into_node(self) -> AgentNode {
        AgentNode {
            warmup: self.is_warmup(),
            id: self.id,
            evidence: self.tool_use_id.is_some().then_some(Evidence::Progress),
            tool_use_id: self.tool_use_id,
            depth: 1,
            generation: 1,
            model: self.model,
            bytes: self.bytes,
            lines: self.lines,
            started: self.started,
            ended: self.ended,
            tokens: self
                .responses
                .into_values()
                .map(ResponseTokens::sum)
                .fold(Tokens::default(), Tokens::plus),
            calls: self.calls,
            errors: self.failed.len() as u64 + self.other_errors,
            outcome: self.outcome,
            ..AgentNode::default()
        }
    }
}

/// Everything one transcript reveals about agents: the agent's own work, the calls
/// that start others, and the agents written into it.
#[derive(Clone, Debug, Default)]
pub struct AgentScan {
    pub(crate) work: AgentWork,
    pub(crate) spawns: Vec<SpawnCall>,
    pub(crate) by_call: HashMap<String, usize>,
    pub(crate) inline: Vec<AgentWork>,
    /// The inline agent each sidechain line belongs to, by uuid.
    pub(crate) members: HashMap<String, usize>,
    /// The agents whose lines `progress` records repeat, by id.
    repeated: HashMap<String, usize>,
    /// Where compactions happened.
    pub(crate) boundaries: Vec<(u64, Option<Timestamp>)>,
    compactions: CompactionScan,
}

impl AgentScan {
    /// Adds a record. `is_main` is whether it is in the main transcript, where
    /// sidechain lines belong to agents.
    pub fn note(&mut self, line: u64, record: &Record<'_>, is_main: bool) {
        match &record.body {
            Body::Assistant(_) => {
                let calls = record.message().into_iter().flat_map(transcript::Message::tool_uses);
                for call in calls {
                    self.note_call(line, record, call);
                }
            }
            Body::User(user) => {
                let results =
                    || record.message().into_iter().flat_map(transcript::Message::tool_results);
                // The structured result is recorded once for the whole line.
                let structured = user.tool_use_result.as_ref().filter(|_| results().count() == 1);
                for result in results() {
                    let Some(id) = result.tool_use_id.as_ref() else { continue };
                    let Some(place) = self.by_call.get(id.as_str()) else { continue };
                    let spawn = &mut self.spawns[*place];
                    spawn.is_answered = true;
                    spawn.failed = result.is_error;
                    let named = structured.and_then(|result| result.member_string("agentId"));
                    let text = result.content.as_ref().map(transcript::Content::text);
                    spawn.names = match (named, text.as_deref().and_then(named_agent)) {
                        (Some(id), _) => Some((id.into_owned(), Evidence::Result)),
                        (None, Some(id)) => Some((id.to_owned(), Evidence::Trailer)),
                        (None, None) => spawn.names.take(),
                    };
                }
            }
            Body::Progress(_) => {
                if let Some(progress) = record.agent_progress() {
                    self.note_progress(&progress);
                }
            }
            _ => {}
        }
        let is_own = !is_main || !record.envelope.is_sidechain;
        if is_own && self.compactions.note(record) {
            self.boundaries.push((line, record.time()));
        }
        if !is_main {
            self.work.note(record);
        } else if record.envelope.is_sidechain && record.kind.is_chain_member() {
            self.note_inline(record);
        }
    }

    fn note_call(&mut self, line: u64, record: &Record<'_>, call: &ToolUse<'_>) {
        let (Some(id), Some(input)) = (&call.id, &call.input) else { return };
        if !call.name.as_deref().is_some_and(is_spawn) {
            return;
        }
        let text = |key| input.member_string(key).map(Cow::into_owned);
        let spawn = SpawnCall {
            call: id.to_string(),
            kind: text("subagent_type"),
            description: text("description"),
            prompt: text("prompt"),
            line,
            time: record.time(),
            names: None,
            is_answered: false,
            failed: false,
        };
        if !self.by_call.contains_key(id.as_str()) {
            self.by_call.insert(id.to_string(), self.spawns.len());
            self.spawns.push(spawn);
        }
    }

    /// Adds a line of an agent written into the main transcript. It belongs to the
    /// agent of its parent line, or begins a new agent.
    fn note_inline(&mut self, record: &Record<'_>) {
        let envelope = &record.envelope;
        let parent = envelope.parent_uuid.as_ref();
        let known = parent.and_then(|parent| self.members.get(parent.as_str())).copied();
        let number = known.unwrap_or_else(|| {
            let id = envelope.agent_id.as_ref().map(ToString::to_string);
            let id = id.or_else(|| envelope.uuid.as_ref().map(ToString::to_string));
            self.inline.push(AgentWork { id: id.unwrap_or_default(), ..AgentWork::default() });
            self.inline.len() - 1
        });
        if let Some(uuid) = &envelope.uuid {
            self.members.insert(uuid.to_string(), number);
        }
        self.inline[number].note(record);
    }

    /// Adds a line of an agent that a `progress` record repeats.
    fn note_progress(&mut self, progress: &AgentProgress<'_>) {
        let Some(uuid) = progress.record.envelope.uuid.as_ref().map(ToString::to_string) else {
            return;
        };
        if self.members.contains_key(&uuid) {
            return;
        }
        let id = progress.agent_id.to_string();
        let number = *self.repeated.entry(id).or_insert_with_key(|id| {
            self.inline.push(AgentWork {
                id: id.clone(),
                is_repeated: true,
                tool_use_id: progress.tool_use_id.as_ref().map(ToString::to_string),
                ..AgentWork::default()
            });
            self.inline.len() - 1
        });
        self.members.insert(uuid, number);
        self.inline[number].note(&progress.record);
    }

    /// How many agents are written into this transcript as separate lines.
    pub fn sidechain_agents(&self) -> u64 {
        self.inline.iter().filter(|work| !work.is_repeated).count() as u64
    }

    /// The ids of the agents whose lines `progress` records repeat, in order.
    pub fn repeated_agents(&self) -> Vec<String> {
        let repeated = self.inline.iter().filter(|work| work.is_repeated);
        repeated.map(|work| work.id.clone()).collect()
    }

    /// The agent, written into this transcript, that a line belongs to.
    pub fn inline_agent(&self, uuid: &str) -> Option<&str> {
        let number = self.members.get(uuid)?;
        self.inline.get(*number).map(|work| work.id.as_str())
    }

    /// The generation of a line or a time, from 1.
    pub(crate) fn generation(&self, line: Option<u64>, time: Option<Timestamp>) -> u64 {
        let before = self.boundaries.iter().filter(|(boundary, then)| match (line, time, then) {
            (Some(line), _, _) => *boundary < line,
            (None, Some(time), Some(then)) => *then < time,
            _ => false,
        });
        1 + before.count() as u64
    }
}

/// The agent named in the trailer `agentId: <id> (for resuming …`.
fn named_agent(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("agentId: ")?;
    let (id, _) = rest.split_once(" (for resuming")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!id.is_empty() && id.chars().all(plain)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_written_twice_is_counted_once() {
        let call = |id: &str| {
            format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"{id}"}}]}}}}"#
            )
        };
        let failed = |id: &str| {
            format!(
                r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":true}}]}}}}"#
            )
        };
        let lines = [call("t1"), call("t1"), call("t2"), failed("t1"), failed("t1")].join("\n");
        let mut scan = AgentScan::default();
        for entry in transcript::entries(lines.as_bytes()) {
            scan.note(entry.line, &entry.record, false);
        }
        let node = scan.work.into_node();
        assert_eq!((node.calls, node.errors), (2, 1));
    }

    #[test]
    fn the_trailer_names_the_agent() {
        let text = "Done.\nagentId: ad2d877 (for resuming to continue this agent's work if needed)";
        assert_eq!(named_agent(text), Some("ad2d877"));
        assert_eq!(named_agent("agentId: "), None);
        assert_eq!(named_agent("nothing"), None);
    }
}
