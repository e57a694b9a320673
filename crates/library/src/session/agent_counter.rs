//! Counts the sub-agents that a transcript has lines of, without parsing these lines: they
//! hold the agents' whole conversations.
//!
//! It counts as `conversation::AgentScan` does. A line that is not plainly what Claude Code
//! writes is parsed like any other.

use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashSet;
use transcript::{Line, Record, Uuid, parse_line};

/// The sub-agents of one transcript.
#[derive(Debug)]
pub(super) struct AgentCounter {
    /// Whether sidechain lines belong to agents, as in main transcripts.
    is_main: bool,
    /// The ids of the agents' lines.
    members: HashSet<String>,
    /// How many agents are written as separate lines.
    pub(super) sidechains: u64,
    /// The ids of those that progress records repeat, in order.
    pub(super) repeated: Vec<String>,
}

/// What counting needs of a line.
#[derive(Deserialize)]
struct LineIds<'l> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'l, str>,
    #[serde(borrow)]
    uuid: Option<Cow<'l, str>>,
    #[serde(borrow, rename = "parentUuid")]
    parent: Option<Cow<'l, str>>,
    #[serde(default, rename = "isSidechain")]
    is_sidechain: bool,
    #[serde(borrow)]
    data: Option<ProgressIds<'l>>,
}

#[derive(Deserialize)]
struct ProgressIds<'l> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'l, str>,
    #[serde(borrow, rename = "agentId")]
    agent: Option<Cow<'l, str>>,
    #[serde(borrow)]
    message: Option<MessageIds<'l>>,
}

#[derive(Deserialize)]
struct MessageIds<'l> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'l, str>,
    #[serde(borrow)]
    uuid: Option<Cow<'l, str>>,
}

impl AgentCounter {
    pub(super) fn new(is_main: bool) -> Self {
        AgentCounter { is_main, members: HashSet::new(), sidechains: 0, repeated: Vec::new() }
    }

    /// Adds a line.
    pub(super) fn note(&mut self, line: Line<'_>) {
        let ids = str::from_utf8(line.bytes).ok().and_then(|text| serde_json::from_str(text).ok());
        match ids {
            Some(ids) => self.note_ids(&ids),
            None => parse_line(line).for_each(|entry| self.note_record(&entry.record)),
        }
    }

    fn note_ids(&mut self, ids: &LineIds<'_>) {
        if ids.kind == "progress"
            && let Some(ProgressIds { kind, agent: Some(agent), message: Some(message) }) =
                &ids.data
            && kind == "agent_progress"
            && ["user", "assistant"].contains(&&*message.kind)
        {
            self.note_progress(agent, message.uuid.as_deref());
        }
        let is_member =
            ["user", "assistant", "system", "attachment", "progress"].contains(&&*ids.kind);
        if self.is_main && ids.is_sidechain && is_member {
            self.note_sidechain(ids.uuid.as_deref(), ids.parent.as_deref());
        }
    }

    fn note_record(&mut self, record: &Record<'_>) {
        if let Some(progress) = record.agent_progress() {
            let uuid = progress.record.envelope.uuid.as_ref();
            self.note_progress(progress.agent_id.as_str(), uuid.map(Uuid::as_str));
        }
        let envelope = &record.envelope;
        if self.is_main && envelope.is_sidechain && record.kind.is_chain_member() {
            let (uuid, parent) = (envelope.uuid.as_ref(), envelope.parent_uuid.as_ref());
            self.note_sidechain(uuid.map(Uuid::as_str), parent.map(Uuid::as_str));
        }
    }

    /// A line of an agent belongs to the agent of its parent line, or begins a new agent.
    fn note_sidechain(&mut self, uuid: Option<&str>, parent: Option<&str>) {
        let is_known = parent.is_some_and(|parent| self.members.contains(parent));
        self.sidechains += u64::from(!is_known);
        self.members.extend(uuid.map(str::to_owned));
    }

    fn note_progress(&mut self, agent: &str, uuid: Option<&str>) {
        let is_new = uuid.is_some_and(|uuid| self.members.insert(uuid.to_owned()));
        if is_new && !self.repeated.iter().any(|known| known == agent) {
            self.repeated.push(agent.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conversation::AgentScan;
    use proptest::prelude::*;

    /// Lines with few ids, so that they meet, in forms that are parsed and in others.
    fn lines() -> impl Strategy<Value = String> {
        let id =
            || prop_oneof![Just("null".to_owned()), (0..5).prop_map(|id| format!("\"u{id}\""))];
        let kind = || {
            prop::sample::select(vec!["user", "assistant", "system", "progress", "summary", "odd"])
        };
        let own = (kind(), id(), id(), prop::sample::select(vec!["true", "false", "null", "1"]));
        let data = (kind(), id(), id(), prop::sample::select(vec!["agent_progress", "other"]));
        (own, data, 0..9_u8).prop_map(|((kind, uuid, parent, side), data, form)| {
            let (inner, inner_uuid, agent, what) = data;
            let message = format!(r#"{{"type":"{inner}","uuid":{inner_uuid},"message":{{}}}}"#);
            let data = format!(r#"{{"type":"{what}","agentId":{agent},"message":{message}}}"#);
            let line = format!(
                r#"{{"parentUuid":{parent},"isSidechain":{side},"type":"{kind}","uuid":{uuid},"data":{data}}}"#
            );
            match form {
                0 => format!("{line}{line}"),
                1 => line.replace("\"data\":", "\"data\":\"text\",\"more\":"),
                2 => line.replace("\"data\":", "\"uuid\":\"u9\",\"data\":"),
                3 => line[..line.len() - 3].to_owned(),
                4 => line.replace("\"isSidechain\":true,", "\"isSidechain\": true , "),
                _ => line,
            }
        })
    }

    proptest! {
        #[test]
        fn agents_are_counted_as_by_a_scan_of_all_records(
            lines in prop::collection::vec(lines(), 0..12),
        ) {
            let text = lines.join("\n");
            for is_main in [true, false] {
                let mut counter = AgentCounter::new(is_main);
                let mut scan = AgentScan::default();
                for line in transcript::lines(text.as_bytes()) {
                    counter.note(line);
                    for entry in parse_line(line) {
                        scan.note(entry.line, &entry.record, is_main);
                    }
                }
                prop_assert_eq!(counter.sidechains, scan.sidechain_agents(), "{}", text);
                prop_assert_eq!(&counter.repeated, &scan.repeated_agents(), "{}", text);
            }
        }
    }
}
