//! The lines of a transcript that are not conversation: titles and other
//! state, and the system and attachment lines between messages.

use serde_json::{Value, json};

use super::files::iso;
use super::object::Object;
use super::transcript::Transcript;

impl Transcript {
    /// A state line: its type, its content and its session.
    pub(super) fn state(&mut self, kind: &str, says: &Object) {
        let line =
            Object::new().with("type", kind).and(says).with("sessionId", self.setting.session);
        self.line(&line);
    }

    pub(super) fn ai_title(&mut self, title: &str) {
        self.state("ai-title", &Object::new().with("aiTitle", title));
    }

    pub(super) fn custom_title(&mut self, title: &str) {
        self.state("custom-title", &Object::new().with("customTitle", title));
    }

    pub(super) fn tag(&mut self, tag: &str) {
        self.state("tag", &Object::new().with("tag", tag));
    }

    pub(super) fn last_prompt(&mut self, prompt: &str) {
        let says = Object::new().with("lastPrompt", prompt).with("leafUuid", self.leaf());
        self.state("last-prompt", &says);
    }

    /// A title in the old form, with the id of the last message at that time.
    pub(super) fn summary(&mut self, summary: &str) {
        let line = Object::new()
            .with("type", "summary")
            .with("summary", summary)
            .with("leafUuid", self.leaf());
        self.line(&line);
    }

    /// The files at the time of a prompt, and where their earlier contents are backed up.
    pub(super) fn file_snapshot(&mut self, message: &str, backups: Value, is_update: bool) {
        let snapshot = Object::new()
            .with("messageId", message)
            .with("trackedFileBackups", backups)
            .with("timestamp", iso(self.now()));
        let line = Object::new()
            .with("type", "file-history-snapshot")
            .with("messageId", message)
            .with_object("snapshot", &snapshot)
            .with("isSnapshotUpdate", is_update);
        self.line(&line);
    }

    /// A prompt typed while the model works: queued, taken from the queue, and
    /// in the conversation only as an attachment.
    pub(super) fn queued_prompt(&mut self, text: &str) {
        self.add_typed_prompt(text);
        self.queue_operation("enqueue", Some(text));
        self.wait(4);
        self.queue_operation("remove", None);
        self.attachment(&json!({
            "type": "queued_command", "prompt": text, "commandMode": "prompt",
        }));
    }

    fn queue_operation(&mut self, operation: &str, content: Option<&str>) {
        let line = Object::new()
            .with("type", "queue-operation")
            .with("operation", operation)
            .with("timestamp", iso(self.now()))
            .with("sessionId", self.setting.session)
            .with_some("content", content);
        self.line(&line);
    }

    pub(super) fn attachment(&mut self, attachment: &Value) {
        let own = Object::new().with("attachment", attachment.clone()).with("type", "attachment");
        self.chain(self.leaf(), &own, &Object::new());
    }

    /// A hook that ran and allowed the call.
    pub(super) fn hook(&mut self, event: &str, matcher: &str, command: &str, output: &str) {
        self.tick();
        let id = self.ids.uuid();
        self.attachment(&json!({
            "type": "hook_success", "hookName": format!("{event}:{matcher}"), "hookEvent": event,
            "toolUseID": id, "content": "", "stdout": output, "stderr": "",
            "exitCode": 0, "command": command, "durationMs": 84,
        }));
    }

    pub(super) fn system(&mut self, subtype: &str, says: &Object) {
        let own = Object::new().with("type", "system").with("subtype", subtype).and(says);
        self.chain(self.leaf(), &own, &Object::new());
    }

    /// Ends a turn with how long it took.
    pub(super) fn turn_duration(&mut self) {
        let took = self.now().as_millisecond() - self.turn_started.as_millisecond();
        let says = Object::new().with("durationMs", took).with("isMeta", false);
        self.system("turn_duration", &says);
    }

    /// The request failed and is tried again.
    pub(super) fn api_error(&mut self, attempt: u32) {
        self.tick();
        let error = json!({
            "status": 529, "error": { "type": "overloaded_error", "message": "Overloaded" },
        });
        let says = Object::new()
            .with("level", "error")
            .with("error", error)
            .with("retryInMs", 620 * attempt)
            .with("retryAttempt", attempt)
            .with("maxRetries", 10);
        self.system("api_error", &says);
    }

    /// Replaces the conversation so far with a summary. A new chain starts; only
    /// `logicalParentUuid` names the line before.
    pub(super) fn compact(&mut self, tokens_before: u64, summary: &str) {
        self.tick();
        let own = Object::new()
            .with("logicalParentUuid", self.leaf())
            .with("type", "system")
            .with("subtype", "compact_boundary")
            .with("content", "Conversation compacted")
            .with("isMeta", false)
            .with("level", "info")
            .with("compactMetadata", json!({ "trigger": "auto", "preTokens": tokens_before }));
        self.chain(None, &own, &Object::new());
        let marks =
            Object::new().with("isVisibleInTranscriptOnly", true).with("isCompactSummary", true);
        self.prompt_with(Value::from(summary), &marks);
    }

    /// A line the app wrote for the model, not the person.
    pub(super) fn meta(&mut self, text: &str) {
        self.prompt_with(Value::from(text), &Object::new().with("isMeta", true));
    }
}
