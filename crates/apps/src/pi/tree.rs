//! The tree of entries, and the branch that counts.

use std::collections::{HashMap, HashSet};

use crate::{
    ApiCall, Entry, EntryKind, EntryState, Header, JsonText, LineFormat, LineReader, Lineage,
    Place, Session,
};
use jiff::Timestamp;

use crate::pi::message::{PendingWrites, custom_kinds, notice, parse_api_call, parse_kinds};
use crate::pi::names::SessionFile;

/// Reads a session's file.
pub type Reader = LineReader<EntryTree>;

/// The entries so far as a tree.
#[derive(Clone, Debug, Default)]
pub struct EntryTree {
    nodes: Vec<Node>,
    by_id: HashMap<String, usize>,
    /// Whether the branch that counts is another one than the states say.
    has_moved: bool,
    /// When the file was made, if it starts with copies of another one.
    forked: Option<Timestamp>,
    writes: PendingWrites,
    call_keys: HashSet<String>,
}

/// One line of the file, as the range of its entries.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<String>,
    has_id: bool,
    is_copy: bool,
    first: usize,
    count: usize,
}

impl LineFormat for EntryTree {
    fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
        let kind = value.string("type").unwrap_or_default();
        if kind == "session" {
            self.read_header(session, place, value);
            return;
        }
        let time = value.time("timestamp");
        let id = value.filled("id");
        let message = value.get("message").filter(|_| kind == "message");
        let kinds = self.kinds(&mut session.header, &kind, value).unwrap_or_else(|unknown| {
            session.unknown.add(&unknown);
            vec![EntryKind::Unknown(unknown)]
        });
        for kind in &kinds {
            if let EntryKind::Unknown(name) = kind
                && message.is_some_and(|message| message.get("role").is_some())
                && !name.starts_with("message ")
            {
                session.unknown.add(&format!("block {name}"));
            }
        }
        session.header.note_time(time);
        let model = message.and_then(|message| message.filled("model"));
        let first = session.entries.len();
        let is_copy = self.forked.is_some_and(|forked| time.is_some_and(|time| time < forked));
        let timestamp = value.string("timestamp").unwrap_or_default();
        let call = message.and_then(|message| parse_api_call(message, &timestamp));
        let is_by_model = message
            .is_some_and(|message| message.string("role").is_some_and(|role| role == "assistant"));
        let key = call.as_ref().map(|call| call.key.clone()).or_else(|| id.clone());
        let response = key.filter(|_| is_by_model);
        if let Some(call) = call
            && self.call_keys.insert(call.key.clone())
        {
            session.api_calls.push(ApiCall { entry: first, time, ..call });
        }
        let count = kinds.len();
        let state = if is_copy { EntryState::Replayed } else { EntryState::Live };
        session.entries.extend(kinds.into_iter().map(|kind| Entry {
            id: id.clone(),
            time,
            model: model.clone(),
            response: response.clone(),
            state,
            ..Entry::new(place, kind)
        }));
        let parent = value.filled("parentId");
        self.add_node(id, Node { parent, has_id: false, is_copy, first, count });
    }

    fn settle(&mut self, session: &mut Session) {
        if !std::mem::take(&mut self.has_moved) {
            return;
        }
        let mut is_live = vec![false; self.nodes.len()];
        let mut next = self.nodes.iter().rposition(|node| node.has_id);
        while let Some(number) = next.filter(|number| !is_live[*number]) {
            is_live[number] = true;
            let parent = self.nodes[number].parent.as_ref();
            next = parent.and_then(|parent| self.by_id.get(parent)).copied();
        }
        for (node, is_live) in self.nodes.iter().zip(is_live) {
            let state = match (is_live || !node.has_id, node.is_copy) {
                (false, _) => EntryState::Left,
                (true, true) => EntryState::Replayed,
                (true, false) => EntryState::Live,
            };
            for entry in &mut session.entries[node.first..node.first + node.count] {
                entry.state = state;
            }
        }
    }
}

impl EntryTree {
    fn read_header(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
        let header = &mut session.header;
        let time = value.time("timestamp");
        header.note_time(time);
        // Another header in the file is a copy.
        if header.id.is_empty() {
            header.id = value.string("id").unwrap_or_default();
            header.directory = value.filled("cwd");
            if let Some(parent) = value.filled("parentSession") {
                self.forked = time;
                let of = SessionFile::parse(&parent).map_or(parent.as_str(), |file| file.id);
                header.lineage.push(Lineage::Fork { of: of.to_owned() });
            }
        }
        let kind = EntryKind::Silent("session".to_owned());
        session.entries.push(Entry { time, ..Entry::new(place, kind) });
    }

    fn add_node(&mut self, id: Option<String>, mut node: Node) {
        let number = self.nodes.len();
        if let Some(id) = id {
            node.has_id = true;
            let leaf = self.nodes.iter().rposition(|node| node.has_id);
            let parent = node.parent.as_ref().and_then(|parent| self.by_id.get(parent)).copied();
            self.has_moved |= leaf != parent || self.by_id.contains_key(&id);
            self.by_id.insert(id, number);
        }
        self.nodes.push(node);
    }

    fn kinds(
        &mut self,
        header: &mut Header,
        kind: &str,
        value: JsonText<'_>,
    ) -> Result<Vec<EntryKind>, String> {
        Ok(match kind {
            "message" => {
                let Some(message) = value.get("message") else {
                    return Err("message".to_owned());
                };
                if message.get("usage").is_some() {
                    note(&mut header.model, message.filled("model"));
                }
                let kinds = parse_kinds(message, &mut self.writes)?;
                if let Some(EntryKind::Prompt(text)) = kinds.first()
                    && header.first_prompt.is_none()
                {
                    header.first_prompt = Some(text.clone());
                }
                kinds
            }
            "compaction" => {
                vec![EntryKind::Compaction(value.string("summary").unwrap_or_default())]
            }
            "branch_summary" => vec![notice(kind, value, "summary")],
            "custom_message" => custom_kinds(value),
            "label" => vec![notice(kind, value, "label")],
            "session_info" => {
                header.title = value.filled("name");
                vec![EntryKind::Silent(kind.to_owned())]
            }
            "model_change" => {
                note(&mut header.model, value.filled("modelId"));
                vec![EntryKind::Silent(kind.to_owned())]
            }
            "thinking_level_change" | "custom" => vec![EntryKind::Silent(kind.to_owned())],
            _ => return Err(if kind.is_empty() { "line".to_owned() } else { kind.to_owned() }),
        })
    }
}

fn note(field: &mut Option<String>, value: Option<String>) {
    if value.is_some() {
        *field = value;
    }
}
