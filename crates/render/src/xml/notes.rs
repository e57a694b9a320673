//! Records without messages: the app's additions to the context, and its bookkeeping.

use super::rules::Rule;
use super::walk::Walk;
use super::writer::Element;
use conversation::context_usage::is_system_reminder;
use transcript::{Attachment, Body, System, json};

/// Kinds of attachments that are bookkeeping, beside the system prompt and its reminders.
/// Unknown kinds are written.
const BOOKKEEPING: [&str; 13] = [
    "agent_listing_delta",
    "auto_mode",
    "command_permissions",
    "compact_file_reference",
    "deferred_tools_delta",
    "hook_cancelled",
    "hook_success",
    "hook_system_message",
    "mcp_instructions_delta",
    "skill_listing",
    "task_reminder",
    "todo_reminder",
    "total_tokens_reminder",
];

/// Members of an attachment that are not its text.
const METADATA_MEMBERS: [&str; 9] = [
    "type",
    "toolUseID",
    "hookName",
    "hookEvent",
    "filename",
    "displayPath",
    "path",
    "filePath",
    "command",
];

impl Walk<'_, '_> {
    /// Writes a record that has no step.
    pub(super) fn note(&mut self, line: &[u8]) {
        let Some(entry) = transcript::entries(line).next() else { return };
        match entry.record.body {
            Body::Attachment(attachment) => self.attachment(&attachment, line),
            Body::System(system) => self.system(&system),
            Body::Progress(progress) => {
                let kind = progress.data.as_ref().and_then(|data| data.member_string("type"));
                let element = Element::new("system")
                    .attribute("subtype", "progress")
                    .optional("kind", kind.as_deref())
                    .optional(
                        "call",
                        progress.tool_use_id.as_ref().map(transcript::ToolUseId::as_str),
                    );
                self.bookkeeping(element);
            }
            // Messages without steps are results, which are written at their calls.
            _ => {}
        }
    }

    /// Writes or omits a record that the app wrote for its own use.
    pub(super) fn bookkeeping(&mut self, element: Element) {
        if self.rules.has(Rule::Bookkeeping) {
            self.omit_bookkeeping(element);
        } else {
            self.entry(element);
        }
    }

    fn attachment(&mut self, attachment: &Attachment<'_>, line: &[u8]) {
        let kind = attachment.kind.as_deref().unwrap_or("unknown");
        let file = attachment.filename.as_deref().or(attachment.path.as_deref());
        let failed = attachment.stderr.as_deref().is_some_and(|text| !text.trim().is_empty())
            && kind != "hook_success";
        let element = Element::new("attachment")
            .attribute("kind", kind)
            .optional("file", file)
            .optional("hook", attachment.hook_name.as_deref())
            .optional("status", failed.then_some("error"))
            .counted("duration_ms", attachment.duration_ms.map(|number| whole(number.0)));
        let text = text(line);
        if BOOKKEEPING.contains(&kind) || is_system_reminder(kind) {
            self.bookkeeping(element.with_text(&text));
        } else {
            self.noted(element, &text);
        }
    }

    fn system(&mut self, system: &System<'_>) {
        let subtype = system.subtype.as_deref().unwrap_or("unknown");
        let element = Element::new("system")
            .attribute("subtype", subtype)
            .counted("duration_ms", system.duration_ms.map(|number| whole(number.0)));
        let errors = system.hook_errors.as_ref().map(|errors| {
            let mut lines = Vec::new();
            json::string_values(errors.as_str(), |text| lines.push(text.into_owned()));
            lines.join("\n")
        });
        if let Some(errors) = errors.filter(|errors| !errors.is_empty()) {
            self.entry(element.attribute("status", "error").with_text(&errors));
            return;
        }
        let text = system.content.as_ref().map(transcript::Content::text).unwrap_or_default();
        match subtype {
            "stop_hook_summary" | "bridge_status" => self.bookkeeping(element.with_text(&text)),
            _ => self.noted(element, &text),
        }
    }
}

/// The texts of an attachment, one per line.
fn text(line: &[u8]) -> String {
    let line = str::from_utf8(line).unwrap_or_default();
    let Some(attachment) = json::member(line.trim(), "attachment") else { return String::new() };
    let mut texts: Vec<String> = Vec::new();
    for (key, value) in json::Members::new(attachment.as_bytes()) {
        if METADATA_MEMBERS.iter().any(|name| name.as_bytes() == key) {
            continue;
        }
        let Some(value) = attachment.get(value) else { continue };
        json::string_values(value, |text| {
            if !text.trim().is_empty() {
                texts.push(text.into_owned());
            }
        });
    }
    texts.join("\n")
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts of floats saturate"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
