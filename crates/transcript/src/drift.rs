//! Schema drift: what a set of records contains that this crate does not know.
//!
//! Claude Code changes weekly. The report lists unknown types, subtypes, blocks
//! and keys with their number, the earliest version that wrote them, and an
//! example of names and JSON types, never of values. Objects whose keys are user
//! data (`input`, `toolUseResult`, `trackedFileBackups`, `modelUsage`, …) are not
//! searched.

use crate::content::BlockFields;
use crate::json::{self, Members};
use crate::kind::RecordKind;
use crate::message::{Message, Usage};
use crate::nested::{Attachment, CompactMetadata, Origin, Snapshot};
use crate::record::{Body, Record};
use crate::top_level::TopLevel;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The known subtypes of `system` records. Claude Code often adds some.
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

/// Known prefixes of subtypes.
const SUBTYPE_PREFIXES: &[&str] = &["model_refusal_"];

/// The known types of attachments.
const ATTACHMENTS: &[&str] = &[
    "agent_listing_delta",
    "async_hook_response",
    "auto_mode",
    "command_permissions",
    "compact_file_reference",
    "date_change",
    "deferred_tools_delta",
    "diagnostics",
    "edited_text_file",
    "file",
    "fork_briefing",
    "goal_status",
    "invoked_skills",
    "mcp_instructions_delta",
    "nested_memory",
    "opened_file_in_ide",
    "queued_command",
    "read_truncation_notice",
    "selected_lines_in_ide",
    "skill_listing",
    "structured_output",
    "task_reminder",
    "task_status",
    "todo_reminder",
    "total_tokens_reminder",
];

/// Known prefixes of attachment types.
const ATTACHMENT_PREFIXES: &[&str] = &["hook_", "plan_mode", "ultra_effort_"];

/// The known events of `progress` records.
const PROGRESS: &[&str] = &[
    "agent_progress",
    "bash_progress",
    "hook_progress",
    "mcp_progress",
    "query_update",
    "search_results_received",
    "waiting_for_task",
];

/// What is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// A record type.
    Type,
    /// A `subtype` of a `system` record.
    Subtype,
    /// A type of attachment.
    Attachment,
    /// A type of content block.
    Block,
    /// An event of a `progress` record.
    Progress,
    /// A key; its name is the whole path, such as `user.message.novel`.
    Key,
}

impl DriftKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            DriftKind::Type => "type",
            DriftKind::Subtype => "subtype",
            DriftKind::Attachment => "attachment",
            DriftKind::Block => "block",
            DriftKind::Progress => "progress",
            DriftKind::Key => "key",
        }
    }
}

/// One unknown type or key: how often it occurs, and an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DriftFinding {
    /// The number of occurrences.
    pub count: u64,
    /// The earliest version of Claude Code that wrote it, if recorded.
    pub first_version: Option<String>,
    /// An example: names and JSON types, no values.
    pub example: String,
}

/// The most findings in a report; later ones are dropped.
const MAX_FINDINGS: usize = 1_000;

/// A report of unknown types and keys, built record by record. Reports of several
/// files can be merged.
///
/// ```
/// use transcript::{DriftKind, DriftReport, entries};
///
/// let mut report = DriftReport::default();
/// for entry in entries(br#"{"type":"novel-type","size":5}"#) {
///     report.observe(&entry.record);
/// }
/// let (kind, name, finding) = report.findings().next().unwrap();
/// assert_eq!((kind, name), (DriftKind::Type, "novel-type"));
/// assert_eq!(finding.example, "{type: string, size: number}");
/// ```
#[derive(Clone, Debug, Default)]
pub struct DriftReport {
    findings: BTreeMap<(DriftKind, String), DriftFinding>,
}

impl DriftReport {
    /// The findings, sorted by kind and name.
    pub fn findings(&self) -> impl Iterator<Item = (DriftKind, &str, &DriftFinding)> {
        self.findings.iter().map(|((kind, name), finding)| (*kind, name.as_str(), finding))
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Adds the findings of another report.
    pub fn merge(&mut self, other: DriftReport) {
        for ((kind, name), theirs) in other.findings {
            let full = self.findings.len() >= MAX_FINDINGS;
            match self.findings.entry((kind, name)) {
                std::collections::btree_map::Entry::Vacant(_) if full => {}
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(theirs);
                }
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    let ours = place.get_mut();
                    ours.count += theirs.count;
                    // The example belongs to the version it was found in.
                    if theirs.first_version.as_deref().is_some_and(|version| earlier(version, ours))
                    {
                        ours.first_version = theirs.first_version;
                        ours.example = theirs.example;
                    }
                }
            }
        }
    }

    /// Adds the findings of one record.
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
        let mut scan = RecordScan { drift: self, version };
        scan.keys(type_name, text, TopLevel::KEYS, |scan, key, value| match key {
            "message" => scan.message(type_name, value),
            "attachment" if record.kind == RecordKind::Attachment => scan.attachment(value),
            "subtype" if record.kind == RecordKind::System => {
                scan.named(DriftKind::Subtype, value, SUBTYPES, SUBTYPE_PREFIXES, text);
            }
            "compactMetadata" => {
                scan.keys("compactMetadata", value, CompactMetadata::KEYS, |_, _, _| {});
            }
            "data" if record.kind == RecordKind::Progress => {
                let event = json::member(value, "type").unwrap_or_default();
                scan.named(DriftKind::Progress, event, PROGRESS, &[], value);
            }
            "origin" => scan.keys("origin", value, Origin::KEYS, |_, _, _| {}),
            "snapshot" => scan.keys("snapshot", value, Snapshot::KEYS, |_, _, _| {}),
            _ => {}
        });
    }

    fn add(&mut self, kind: DriftKind, name: &str, version: Option<&str>, example: &str) {
        // A hostile file could have a new key on every line.
        if self.findings.len() >= MAX_FINDINGS
            && !self.findings.contains_key(&(kind, name.to_owned()))
        {
            return;
        }
        let finding =
            self.findings.entry((kind, name.to_owned())).or_insert_with(|| DriftFinding {
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

/// The search for unknown parts in one record.
struct RecordScan<'d, 'v> {
    drift: &'d mut DriftReport,
    version: Option<&'v str>,
}

impl RecordScan<'_, '_> {
    /// Adds the keys of an object that are not in `known`, and calls `each` with
    /// the others.
    fn keys(
        &mut self,
        path: &str,
        text: &str,
        known: &[&str],
        mut each: impl FnMut(&mut Self, &str, &str),
    ) {
        for (key, value) in Members::new(text.as_bytes()) {
            let (Ok(key), Some(value)) = (str::from_utf8(key), text.get(value)) else { continue };
            if known.contains(&key) || is_owner_id(path, key) {
                each(self, key, value);
            } else {
                self.drift.add(DriftKind::Key, &format!("{path}.{key}"), self.version, value);
            }
        }
    }

    fn message(&mut self, type_name: &str, text: &str) {
        let path = format!("{type_name}.message");
        self.keys(&path, text, Message::KEYS, |scan, key, value| match key {
            "content" => scan.blocks(value),
            "usage" => scan.keys("usage", value, Usage::KEYS, |_, _, _| {}),
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
        if known(&kind, ATTACHMENTS, ATTACHMENT_PREFIXES) {
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
        prefixes: &[&str],
        example: &str,
    ) {
        if let Some(name) = json::decode_string(value)
            && !known(&name.text, names, prefixes)
        {
            self.drift.add(kind, &name.text, self.version, example);
        }
    }
}

/// Whether a key names an owner of a remote session; there are several.
fn is_owner_id(path: &str, key: &str) -> bool {
    path == "bridge-session" && key.starts_with("owner") && key.ends_with("Uuid")
}

fn known(name: &str, names: &[&str], prefixes: &[&str]) -> bool {
    names.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether `version` is earlier than the first version of a finding.
fn earlier(version: &str, finding: &DriftFinding) -> bool {
    finding.first_version.as_deref().is_none_or(|first| numbers(version).lt(numbers(first)))
}

fn numbers(version: &str) -> impl Iterator<Item = u64> {
    version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0))
}

/// Names and types of a JSON value, two levels deep, without values.
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
                // In these objects even the names are user data.
                if OPEN_OBJECTS.contains(&&*key) {
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

/// Objects whose keys are user data.
const OPEN_OBJECTS: &[&str] = &["input", "toolUseResult", "trackedFileBackups", "modelUsage"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::entries;

    fn drift(text: &str) -> Vec<String> {
        let mut drift = DriftReport::default();
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
    fn unknown_parts_are_reported_with_count_and_version() {
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
    fn fields_and_kinds_of_recent_versions_are_known() {
        let user = r#"{"type":"user","promptSource":"system","classifierMetaLines":1,"toolEndsTurn":true,"mcpMeta":{},"userFeedback":"x","interruptedByShutdown":true,"queuePriority":1,"origin":{"kind":"peer","from":"a","fromMode":"b","name":"c","body":"d","msg_id":"e","hopChain":[],"verifiedPeerPid":1,"senderTaskId":"f"}}"#;
        let others = r#"{"type":"assistant","apiErrorStatus":529,"apiErrorIsTransient":true,"attributionMcpTool":"x","advisorModel":"m","message":{"content":[{"type":"advisor_tool_result","tool_use_id":"t","content":{}}],"usage":{"output_tokens_details":{},"iterations":[{"type":"advisor_message"}]}}}
{"type":"bridge-session","ownerAccountUuid":"a","ownerOrganizationUuid":"b"}
{"type":"frame-link","frameUrl":"u","title":"t","path":"p"}
{"type":"fork-context-ref","parentSessionId":"s","parentLastUuid":"u","contextLength":3}
{"type":"system","subtype":"compact_boundary","compactMetadata":{"cumulativeDroppedTokens":1,"preCompactDiscoveredTools":[]}}"#;
        let attachments = [
            r#"{"type":"selected_lines_in_ide","ideName":"x","filename":"f","lineStart":1,"lineEnd":2,"content":"x"}"#,
            r#"{"type":"opened_file_in_ide","filename":"f"}"#,
            r#"{"type":"async_hook_response","processId":"p","hookName":"h","hookEvent":"e","response":{},"stdout":"","stderr":"","exitCode":0}"#,
            r#"{"type":"read_truncation_notice","banner":"b","toolUseID":"t"}"#,
            r#"{"type":"goal_status","met":true,"sentinel":true,"condition":"c"}"#,
            r#"{"type":"structured_output","data":{"my key":1}}"#,
            r#"{"type":"queued_command","prompt":"x","isMeta":true,"origin":{"kind":"peer"}}"#,
            r#"{"type":"ultra_effort_enter"}"#,
        ];
        let attachments =
            attachments.map(|it| format!(r#"{{"type":"attachment","attachment":{it}}}"#));
        let progress =
            PROGRESS.iter().map(|it| format!(r#"{{"type":"progress","data":{{"type":"{it}"}}}}"#));
        let lines = [user.to_owned(), others.to_owned()];
        let lines: Vec<String> = lines.into_iter().chain(attachments).chain(progress).collect();
        assert_eq!(drift(&lines.join("\n")), Vec::<String>::new());
        assert_eq!(
            drift(r#"{"type":"progress","data":{"type":"novel"}}"#),
            ["progress novel ×1 - {type: string}"]
        );
    }

    #[test]
    fn objects_with_user_keys_are_not_searched() {
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
    fn merged_reports_keep_the_earliest_version() {
        let one = |version: &str| {
            let mut drift = DriftReport::default();
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
