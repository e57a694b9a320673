//! What in a set of records this version does not know.
//!
//! Claude Code changes weekly. The report names types, subtypes, blocks and
//! keys met for the first time, with counts, the first version that wrote them
//! and one example of their shape: names and JSON types, never values. It does
//! not look into objects whose keys are the user's data (`input`,
//! `toolUseResult`, `trackedFileBackups`, `modelUsage` and the like).

use crate::json::{self, Members};
use crate::kind::RecordKind;
use crate::message::{BlockFields, Message, Usage};
use crate::parts::{Attachment, CompactMetadata, Origin, Snapshot};
use crate::record::{Body, Record};
use crate::wide::Wide;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Subtypes of `system` lines that are known. The app adds to them often.
const SUBTYPES: &[&str] = &[
    "agents_killed",
    "api_error",
    "away_summary",
    "bridge_status",
    "compact_boundary",
    "file_snapshot",
    "informational",
    "init",
    "local_command",
    "memory_saved",
    "microcompact_boundary",
    "model_fallback",
    "permission_retry",
    "rewind_stand_in",
    "scheduled_task_fire",
    "stop_hook_summary",
    "turn_duration",
];

/// Families of subtypes, known by how they begin.
const SUBTYPE_FAMILIES: &[&str] = &["model_refusal_"];

/// Kinds of attachments that are known.
const ATTACHMENTS: &[&str] = &[
    "agent_listing_delta",
    "auto_mode",
    "command_permissions",
    "compact_file_reference",
    "date_change",
    "deferred_tools_delta",
    "diagnostics",
    "edited_text_file",
    "file",
    "fork_briefing",
    "invoked_skills",
    "mcp_instructions_delta",
    "nested_memory",
    "queued_command",
    "skill_listing",
    "task_reminder",
    "task_status",
    "todo_reminder",
    "total_tokens_reminder",
];

/// Families of attachments, known by how they begin.
const ATTACHMENT_FAMILIES: &[&str] = &["hook_", "plan_mode"];

/// What kind of thing is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriftKind {
    /// A `type` of a line.
    Type,
    /// A `subtype` of a `system` line.
    Subtype,
    /// A kind of attachment.
    Attachment,
    /// A content block.
    Block,
    /// A key; its name is the whole path, as `user.message.novel`.
    Key,
}

impl DriftKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            DriftKind::Type => "type",
            DriftKind::Subtype => "subtype",
            DriftKind::Attachment => "attachment",
            DriftKind::Block => "block",
            DriftKind::Key => "key",
        }
    }
}

/// How often something unknown was met, and what it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The earliest version that wrote it, where one was given.
    pub first_version: Option<String>,
    /// One example: names and JSON types.
    pub example: String,
}

/// How many different things a report holds; beyond that it says nothing new.
const MOST: usize = 1_000;

/// The report, built up record by record; reports of several files merge.
#[derive(Clone, Debug, Default)]
pub struct Drift {
    findings: BTreeMap<(DriftKind, String), Finding>,
}

impl Drift {
    /// What was found, sorted by kind and name.
    pub fn findings(&self) -> impl Iterator<Item = (DriftKind, &str, &Finding)> {
        self.findings.iter().map(|((kind, name), finding)| (*kind, name.as_str(), finding))
    }

    /// Whether everything was known.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Adds another report.
    pub fn merge(&mut self, other: Drift) {
        for ((kind, name), theirs) in other.findings {
            let full = self.findings.len() >= MOST;
            match self.findings.entry((kind, name)) {
                std::collections::btree_map::Entry::Vacant(_) if full => {}
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(theirs);
                }
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    let ours = place.get_mut();
                    ours.count += theirs.count;
                    // The example goes with the version it was seen in.
                    if theirs.first_version.as_deref().is_some_and(|version| earlier(version, ours))
                    {
                        ours.first_version = theirs.first_version;
                        ours.example = theirs.example;
                    }
                }
            }
        }
    }

    /// Looks at one record.
    pub fn observe(&mut self, record: &Record<'_>) {
        if matches!(record.body, Body::Damaged | Body::Blank) {
            return;
        }
        let Ok(text) = str::from_utf8(record.raw) else { return };
        let version = record.envelope.version.as_deref();
        let type_name = record.type_name.as_deref().unwrap_or("(untyped)");
        if record.kind == RecordKind::Unknown {
            self.add(DriftKind::Type, type_name, version, text);
            return;
        }
        let mut look = Look { drift: self, version };
        look.keys(type_name, text, Wide::KEYS, |look, key, value| match key {
            "message" => look.message(type_name, value),
            "attachment" if record.kind == RecordKind::Attachment => look.attachment(value),
            "subtype" if record.kind == RecordKind::System => {
                look.named(DriftKind::Subtype, value, SUBTYPES, SUBTYPE_FAMILIES, text);
            }
            "compactMetadata" => {
                look.keys("compactMetadata", value, CompactMetadata::KEYS, |_, _, _| {});
            }
            "origin" => look.keys("origin", value, Origin::KEYS, |_, _, _| {}),
            "snapshot" => look.keys("snapshot", value, Snapshot::KEYS, |_, _, _| {}),
            _ => {}
        });
    }

    fn add(&mut self, kind: DriftKind, name: &str, version: Option<&str>, example: &str) {
        // A hostile file could bring a new key on every line.
        if self.findings.len() >= MOST && !self.findings.contains_key(&(kind, name.to_owned())) {
            return;
        }
        let finding = self.findings.entry((kind, name.to_owned())).or_insert_with(|| Finding {
            count: 0,
            first_version: version.map(str::to_owned),
            example: shape(example),
        });
        finding.count += 1;
        if let Some(version) = version
            && earlier(version, finding)
        {
            finding.first_version = Some(version.to_owned());
        }
    }
}

/// One record being looked at.
struct Look<'d, 'v> {
    drift: &'d mut Drift,
    version: Option<&'v str>,
}

impl Look<'_, '_> {
    /// Notes the keys of an object that are not among `known`, and hands the
    /// others on.
    fn keys(
        &mut self,
        path: &str,
        text: &str,
        known: &[&str],
        mut each: impl FnMut(&mut Self, &str, &str),
    ) {
        for (key, value) in Members::new(text.as_bytes()) {
            let (Ok(key), Some(value)) = (str::from_utf8(key), text.get(value)) else { continue };
            if known.contains(&key) {
                each(self, key, value);
            } else {
                self.drift.add(DriftKind::Key, &format!("{path}.{key}"), self.version, value);
            }
        }
    }

    fn message(&mut self, type_name: &str, text: &str) {
        let path = format!("{type_name}.message");
        self.keys(&path, text, Message::KEYS, |look, key, value| match key {
            "content" => look.blocks(value),
            "usage" => look.keys("usage", value, Usage::KEYS, |_, _, _| {}),
            _ => {}
        });
    }

    fn blocks(&mut self, text: &str) {
        const KNOWN: &[&str] = &[
            "document",
            "image",
            "redacted_thinking",
            "server_tool_use",
            "text",
            "thinking",
            "tool_reference",
            "tool_result",
            "tool_use",
        ];
        for block in json::elements(text) {
            let kind = json::member(block, "type").and_then(json::decode_string);
            let Some(kind) = kind.map(|decoded| decoded.text) else { continue };
            if KNOWN.contains(&&*kind) || kind.ends_with("_tool_result") {
                self.keys(&format!("block.{kind}"), block, BlockFields::KEYS, |_, _, _| {});
            } else {
                self.drift.add(DriftKind::Block, &kind, self.version, block);
            }
        }
    }

    fn attachment(&mut self, text: &str) {
        let kind = json::member(text, "type").and_then(json::decode_string);
        let Some(kind) = kind.map(|decoded| decoded.text) else { return };
        if known(&kind, ATTACHMENTS, ATTACHMENT_FAMILIES) {
            self.keys(&format!("attachment.{kind}"), text, Attachment::KEYS, |_, _, _| {});
        } else {
            self.drift.add(DriftKind::Attachment, &kind, self.version, text);
        }
    }

    fn named(
        &mut self,
        kind: DriftKind,
        value: &str,
        names: &[&str],
        families: &[&str],
        example: &str,
    ) {
        if let Some(name) = json::decode_string(value)
            && !known(&name.text, names, families)
        {
            self.drift.add(kind, &name.text, self.version, example);
        }
    }
}

fn known(name: &str, names: &[&str], families: &[&str]) -> bool {
    names.contains(&name) || families.iter().any(|family| name.starts_with(family))
}

/// Whether `version` comes before the one a finding was first seen in.
fn earlier(version: &str, finding: &Finding) -> bool {
    finding.first_version.as_deref().is_none_or(|first| numbers(version).lt(numbers(first)))
}

fn numbers(version: &str) -> impl Iterator<Item = u64> {
    version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0))
}

/// The shape of a JSON value: names and types, two levels deep, no values.
fn shape(text: &str) -> String {
    let mut out = String::new();
    write_shape(text, 0, &mut out);
    out
}

fn write_shape(text: &str, depth: usize, out: &mut String) {
    const DEEP: usize = 2;
    const MANY: usize = 24;
    match text.trim_start().as_bytes().first() {
        Some(b'{') if depth < DEEP => {
            out.push('{');
            for (number, (key, value)) in Members::new(text.as_bytes()).take(MANY).enumerate() {
                let separator = if number == 0 { "" } else { ", " };
                let key = String::from_utf8_lossy(key);
                let _ = write!(out, "{separator}{key}: ");
                // Below an open map even the names are somebody's data.
                if OPEN.contains(&&*key) {
                    out.push_str(json::type_name(text.get(value).unwrap_or_default()));
                } else {
                    write_shape(text.get(value).unwrap_or_default(), depth + 1, out);
                }
            }
            out.push('}');
        }
        Some(b'[') if depth < DEEP => {
            out.push('[');
            if let Some(first) = json::elements(text).next() {
                write_shape(first, depth + 1, out);
            }
            out.push(']');
        }
        _ => out.push_str(match json::type_name(text) {
            "a string" => "string",
            "an object" => "object",
            "a list" => "list",
            "true or false" => "bool",
            "a number" => "number",
            other => other,
        }),
    }
}

/// Objects whose keys are data.
const OPEN: &[&str] = &["input", "toolUseResult", "trackedFileBackups", "modelUsage"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::entries;

    fn drift(text: &str) -> Vec<String> {
        let mut drift = Drift::default();
        for entry in entries(text.as_bytes()) {
            drift.observe(&entry.record);
        }
        drift
            .findings()
            .map(|(kind, name, finding)| {
                let version = finding.first_version.as_deref().unwrap_or("-");
                format!("{} {name} ×{} {version} {}", kind.name(), finding.count, finding.example)
            })
            .collect()
    }

    #[test]
    fn unknown_things_are_named_counted_and_dated() {
        let text = concat!(
            r#"{"type":"novel","a":"secret","b":[1]}"#,
            "\n",
            r#"{"type":"user","version":"2.1.10","novelKey":{"x":"secret"}}"#,
            "\n",
            r#"{"type":"user","version":"2.1.9","novelKey":5,"message":{"content":[{"type":"hologram","depth":3}]}}"#,
            "\n",
            r#"{"type":"system","subtype":"eclipse"}"#,
            "\n",
            r#"{"type":"attachment","attachment":{"type":"scent","note":"x"}}"#,
            "\n",
        );
        assert_eq!(
            drift(text),
            [
                "type novel ×1 - {type: string, a: string, b: [number]}",
                "subtype eclipse ×1 - {type: string, subtype: string}",
                "attachment scent ×1 - {type: string, note: string}",
                "block hologram ×1 2.1.9 {type: string, depth: number}",
                "key user.novelKey ×2 2.1.9 {x: string}",
            ]
        );
    }

    #[test]
    fn open_maps_are_not_looked_into() {
        let text = concat!(
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"x","input":{"my key":1}}]}}"#,
            "\n",
            r#"{"type":"user","toolUseResult":{"my key":1}}"#,
            "\n",
            r#"{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{"/my/file":{}}}}"#,
            "\n",
            r#"{"type":"cost-state","modelUsage":{"my-model":{}}}"#,
            "\n",
        );
        assert_eq!(drift(text), Vec::<String>::new());
        let unknown = r#"{"type":"novel","input":{"my key":1}}"#;
        assert_eq!(drift(unknown), ["type novel ×1 - {type: string, input: an object}"]);
    }

    #[test]
    fn reports_merge_to_the_earliest_version() {
        let one = |version: &str| {
            let mut drift = Drift::default();
            let text = format!(r#"{{"type":"novel","version":"{version}"}}"#);
            drift.observe(&entries(text.as_bytes()).next().expect("an entry").record);
            drift
        };
        let mut merged = one("2.1.10");
        merged.merge(one("2.0.9"));
        merged.merge(one("2.1.2"));
        let (_, _, finding) = merged.findings().next().expect("a finding");
        assert_eq!((finding.count, finding.first_version.as_deref()), (3, Some("2.0.9")));
    }
}
