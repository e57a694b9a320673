//! Lines of sub-agents inside `progress` records.
//!
//! Claude Code 2.1.9 to 2.1.81 repeated every line of a sub-agent in the
//! transcript of its session, as `data.message` of a `progress` record. If the
//! agent has no separate file, these are its only lines. Deliberately not here:
//! whether it has one.

use crate::ids::{AgentId, ToolUseId};
use crate::json;
use crate::kind::RecordKind;
use crate::line::{Line, LineEnd};
use crate::parse::{Entry, parse_line};
use crate::record::{Body, Record};
use crate::value::Str;

/// The line of a sub-agent that a `progress` record repeats.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentProgress<'a> {
    /// The agent.
    pub agent_id: AgentId<'a>,
    /// The call that started the agent.
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// The line, with what the agent's own file would say of it: its session, its
    /// agent, its working directory.
    pub record: Record<'a>,
}

impl<'a> Record<'a> {
    /// The line of a sub-agent that this record repeats, if it is a `progress`
    /// record that does.
    ///
    /// ```
    /// let line = concat!(
    ///     r#"{"type":"progress","parentToolUseID":"t1","data":{"type":"agent_progress","#,
    ///     r#""agentId":"a1","message":{"type":"user","uuid":"u1","message":{"content":"Look"}}}}"#,
    /// );
    /// let record = transcript::entries(line.as_bytes()).next().unwrap().record;
    /// let progress = record.agent_progress().unwrap();
    /// assert_eq!(progress.agent_id.as_str(), "a1");
    /// assert_eq!(progress.record.message().unwrap().text(), "Look");
    /// assert!(progress.record.envelope.is_sidechain);
    /// ```
    pub fn agent_progress(&self) -> Option<AgentProgress<'a>> {
        let Body::Progress(progress) = &self.body else { return None };
        let is_of_agent = progress.data.as_ref().is_some_and(|data| {
            data.member_string("type").is_some_and(|kind| kind == "agent_progress")
        });
        if !is_of_agent {
            return None;
        }
        let data = json::member(str::from_utf8(self.raw).ok()?, "data")?;
        let agent_id = json::decode_string(json::member(data, "agentId")?)?.text;
        let agent_id = AgentId::new(Str::from(agent_id.into_owned()));
        let bytes = json::member(data, "message")?.as_bytes();
        let line = Line { number: 1, offset: 0, bytes, end: LineEnd::Newline };
        let mut entries = parse_line(line);
        let (Some(entry), None) = (entries.next(), entries.next()) else { return None };
        let mut record = entry.record;
        if !matches!(record.kind, RecordKind::User | RecordKind::Assistant) {
            return None;
        }
        let (own, outer) = (&mut record.envelope, &self.envelope);
        own.is_sidechain = true;
        own.agent_id = Some(agent_id.clone());
        own.session_id = own.session_id.take().or_else(|| outer.session_id.clone());
        own.timestamp = own.timestamp.take().or_else(|| outer.timestamp.clone());
        own.cwd = own.cwd.take().or_else(|| outer.cwd.clone());
        own.version = own.version.take().or_else(|| outer.version.clone());
        own.git_branch = own.git_branch.take().or_else(|| outer.git_branch.clone());
        own.forked_from = own.forked_from.take().or_else(|| outer.forked_from.clone());
        own.session_kind = own.session_kind.take().or_else(|| outer.session_kind.clone());
        let tool_use_id = progress.parent_tool_use_id.clone();
        Some(AgentProgress { agent_id, tool_use_id, record })
    }
}

impl<'a> Entry<'a> {
    /// The line of a sub-agent that this entry repeats, as an entry at the same
    /// place. Its bytes are those of the agent's line.
    pub fn agent_line(&self) -> Option<Entry<'a>> {
        let AgentProgress { record, .. } = self.record.agent_progress()?;
        Some(Entry {
            line: self.line,
            offset: self.offset,
            bytes: record.raw,
            record,
            problems: Vec::new(),
            provisional: self.provisional,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::entries;

    fn agents(line: &str) -> Vec<String> {
        let progress = entries(line.as_bytes()).filter_map(|entry| entry.agent_line());
        progress.map(|entry| entry.record.envelope.agent_id.unwrap().to_string()).collect()
    }

    #[test]
    fn only_progress_of_agents_repeats_lines() {
        let message = r#"{"type":"user","uuid":"u1","message":{"content":"x"}}"#;
        let line = |kind: &str, data: &str| format!(r#"{{"type":"{kind}","data":{{{data}}}}}"#);
        let own = format!(r#""type":"agent_progress","agentId":"a1","message":{message}"#);
        assert_eq!(agents(&line("progress", &own)), ["a1"]);
        let others = [
            line("user", &own),
            line("progress", &own.replace("agent_progress", "bash_progress")),
            line("progress", r#""type":"agent_progress","agentId":"a1""#),
            line("progress", &format!(r#""type":"agent_progress","message":{message}"#)),
            line("progress", r#""type":"agent_progress","agentId":"a1","message":"text""#),
            line("progress", r#""type":"agent_progress","agentId":7,"message":{}"#),
            line("progress", &own.replace("\"user\"", "\"progress\"")),
        ];
        for line in others {
            assert_eq!(agents(&line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn line_of_an_agent_has_the_place_and_session_of_its_progress() {
        let file = concat!(
            "{\"type\":\"mode\"}\n",
            r#"{"type":"progress","sessionId":"s","cwd":"/p","timestamp":"2026-01-02T03:04:05Z","#,
            r#""data":{"type":"agent_progress","agentId":"a1","message":{"type":"assistant","#,
            r#""uuid":"u1","message":{"content":[]}}}}"#,
        );
        let entry = entries(file.as_bytes()).nth(1).unwrap().agent_line().unwrap();
        assert_eq!((entry.line, entry.offset), (2, 16));
        let envelope = &entry.record.envelope;
        assert_eq!(envelope.session_id.as_ref().unwrap().as_str(), "s");
        assert_eq!(envelope.cwd.as_deref(), Some("/p"));
        assert!(entry.record.time().is_some());
    }
}
