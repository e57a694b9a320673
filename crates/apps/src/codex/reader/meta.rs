//! `session_meta`: what is known of the thread as a whole.

use crate::{EntryState, Lineage};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Done, Position, Reader};
use crate::codex::text::Text;

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    timestamp: Option<Text<'a>>,
    #[serde(borrow)]
    forked_from_id: Option<Text<'a>>,
    #[serde(borrow)]
    parent_thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    cli_version: Option<Text<'a>>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
    #[serde(borrow)]
    agent_nickname: Option<Text<'a>>,
    #[serde(borrow)]
    agent_path: Option<Text<'a>>,
    #[serde(borrow)]
    git: Option<Git<'a>>,
    #[serde(borrow)]
    history_base: Option<Base<'a>>,
}

#[derive(Deserialize)]
struct Git<'a> {
    #[serde(borrow)]
    repository_url: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Base<'a> {
    #[serde(borrow)]
    thread_id: Text<'a>,
    end_byte_offset: u64,
}

/// How a sub-agent was started.
#[derive(Deserialize)]
struct AgentSource<'a> {
    #[serde(borrow)]
    subagent: &'a RawValue,
}

#[derive(Deserialize)]
struct SpawnedAgent<'a> {
    #[serde(borrow)]
    thread_spawn: Spawn<'a>,
}

#[derive(Deserialize)]
struct Spawn<'a> {
    #[serde(borrow)]
    parent_thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    agent_nickname: Option<Text<'a>>,
    #[serde(borrow)]
    agent_path: Option<Text<'a>>,
}

/// What the source of a thread says.
#[derive(Default)]
struct Source {
    name: Option<String>,
    agent_name: Option<String>,
    agent_path: Option<String>,
    parent: Option<String>,
}

fn parse_source(source: Option<&RawValue>) -> Source {
    let Some(json) = source.map(RawValue::get) else { return Source::default() };
    if let Ok(name) = serde_json::from_str::<Text<'_>>(json) {
        return Source { name: Some(name.into_string()), ..Source::default() };
    }
    let Ok(AgentSource { subagent }) = serde_json::from_str(json) else {
        return Source::default();
    };
    let name = Some("subagent".to_owned());
    if let Ok(kind) = serde_json::from_str::<Text<'_>>(subagent.get()) {
        return Source { name, agent_name: Some(kind.into_string()), ..Source::default() };
    }
    let Ok(SpawnedAgent { thread_spawn: spawn }) = serde_json::from_str(subagent.get()) else {
        return Source { name, ..Source::default() };
    };
    Source {
        name,
        agent_name: spawn.agent_nickname.map(Text::into_string),
        agent_path: spawn.agent_path.map(Text::into_string),
        parent: spawn.parent_thread_id.map(Text::into_string),
    }
}

impl Reader {
    pub(super) fn read_meta(&mut self, position: Position, payload: &str) -> Done {
        let meta: Meta<'_> = serde_json::from_str(payload)?;
        if let Some(own) = &self.own {
            if let Some(git) = meta.git.filter(|_| own == &*meta.id) {
                self.session.header.repository = git.repository_url.map(Text::into_string);
            }
            self.push_silent(position, "session_meta");
            return Ok(());
        }
        self.own = Some(meta.id.to_string());
        self.push_silent(position, "session_meta");
        // Whatever follows, this line repeats nothing.
        if let Some(entry) = self.session.entries.last_mut() {
            entry.state = EntryState::Live;
        }
        self.note_time(meta.timestamp.and_then(|time| time.parse().ok()));
        let source = parse_source(meta.source);
        let header = &mut self.session.header;
        header.id = meta.id.into_string();
        header.version = meta.cli_version.map(Text::into_string);
        header.source = source.name;
        if let Some(git) = meta.git {
            header.repository = git.repository_url.map(Text::into_string);
        }
        self.agent_path = meta.agent_path.map(Text::into_string).or(source.agent_path);
        let of_path = self.agent_path.as_deref().and_then(|path| path.rsplit('/').next());
        header.agent_name = meta
            .agent_nickname
            .map(Text::into_string)
            .or(source.agent_name)
            .or_else(|| of_path.map(str::to_owned));
        let parent = meta.parent_thread_id.map(Text::into_string).or(source.parent);
        header.lineage.extend(parent.map(|of| Lineage::Agent { of, call: None }));
        header.lineage.extend(meta.forked_from_id.map(|of| Lineage::Fork { of: of.into_string() }));
        header.lineage.extend(meta.history_base.map(|base| Lineage::Base {
            file: base.thread_id.into_string(),
            bytes: base.end_byte_offset,
        }));
        Ok(())
    }
}
