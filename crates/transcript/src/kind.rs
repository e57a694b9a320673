//! What a line is, asked cheaply.
//!
//! [`RecordKind::of_line`] walks the top-level keys until it meets `type` and
//! skips values without decoding them, so a caller that wants a few kinds out
//! of many lines does not pay for the rest.

use crate::json::Members;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal $(| $prefix:literal)?,)*) => {
        /// The kind of a record: its `type`. The list is open.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum RecordKind {
            $($(#[$doc])* $variant,)*
            /// A `type` this version does not know.
            Unknown,
            /// An object without a `type`.
            Untyped,
            /// Not a readable object.
            Damaged,
            /// Nothing but white space.
            Blank,
        }

        impl RecordKind {
            /// The kind named by a `type`.
            pub fn of_type(name: &str) -> Self {
                match name {
                    $($name => RecordKind::$variant,)*
                    $($(_ if name.starts_with($prefix) => RecordKind::$variant,)?)*
                    _ => RecordKind::Unknown,
                }
            }

            /// The kinds this version knows, by name.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

kinds! {
    /// What the person (or a tool, answering) said.
    User = "user",
    /// One block of what the model said.
    Assistant = "assistant",
    /// What the app noted: boundaries, durations, errors.
    System = "system",
    /// What the app put into the context.
    Attachment = "attachment",
    /// A sign of life of a running tool, hook or agent.
    Progress = "progress",
    /// A title; its leaf may lie in another file.
    Summary = "summary",
    /// The title a person gave.
    CustomTitle = "custom-title",
    /// The title a model gave.
    AiTitle = "ai-title",
    /// A person's tag; an empty one clears it.
    Tag = "tag",
    /// The latest prompt, and where the conversation stood.
    LastPrompt = "last-prompt",
    /// The name of an agent.
    AgentName = "agent-name",
    /// The colour of an agent.
    AgentColor = "agent-color",
    /// The settings of an agent.
    AgentSetting = "agent-setting",
    /// The mode of the session.
    Mode = "mode",
    /// What tools may do unasked.
    PermissionMode = "permission-mode",
    /// The mode of the prompt.
    ReplMode = "repl-mode",
    /// The git worktree the session moved into.
    WorktreeState = "worktree-state",
    /// The folder the session moved to.
    Relocated = "relocated",
    /// A pull request the session made or met.
    PrLink = "pr-link",
    /// A frame the session made.
    FrameLink = "frame-link",
    /// The session that goes on with this one.
    ContinuedIn = "continued-in",
    /// The model ended the session.
    EndedByModel = "ended-by-model",
    /// The app's own sum of cost and tokens.
    CostState = "cost-state",
    /// Who owns the session.
    SessionOwner = "session-owner",
    /// A session on another machine that mirrors this one.
    BridgeSession = "bridge-session",
    /// Which file backups belong to a message.
    FileHistorySnapshot = "file-history-snapshot",
    /// One more file backup for a snapshot.
    FileHistoryDelta = "file-history-delta",
    /// Which lines of code came from whom.
    AttributionSnapshot = "attribution-snapshot",
    /// Content that was replaced afterwards.
    ContentReplacement = "content-replacement",
    /// A prompt queued, or taken from the queue.
    QueueOperation = "queue-operation",
    /// Simplified transcripts: a tool's answer as a line of its own.
    ToolResult = "tool_result",
    /// Simplified transcripts: a tool call as a line of its own.
    ToolUse = "tool_use",
    /// Internal.
    AtisLatch = "atis-latch",
    /// Internal.
    ToolsUsed = "tools-used",
    /// Internal.
    MemoryMode = "memory-mode",
    /// Internal.
    DerivedFrom = "derived-from",
    /// Internal.
    ForkContextRef = "fork-context-ref",
    /// Internal.
    ObserverRef = "observer-ref",
    /// Internal.
    ApiRequest = "api-request" | "api-request",
    /// Internal.
    DataFlow = "data-flow" | "data-flow-",
    /// Internal.
    HistorySuppression = "history-suppression",
    /// Internal.
    IsolationLatch = "isolation-latch",
    /// Internal.
    DevMods = "dev-mods",
    /// Internal.
    Artifact = "artifact" | "artifact-",
    /// Internal.
    ResumeHeadVouch = "resume-head-vouch",
    /// Internal, older.
    Checkpoint = "checkpoint",
    /// Internal, older.
    SpeculationAccept = "speculation-accept",
    /// Internal, older.
    MarbleOrigami = "marble-origami" | "marble-origami-",
}

impl RecordKind {
    /// What a line is, without parsing it. A line that is not an object is
    /// [`RecordKind::Damaged`]; a well-formed beginning is taken at its word, so
    /// of two `type` keys the first speaks, and of two objects on a line.
    pub fn of_line(line: &[u8]) -> Self {
        let line = line.trim_ascii();
        if line.is_empty() {
            return RecordKind::Blank;
        }
        if line[0] != b'{' {
            return RecordKind::Damaged;
        }
        for (key, value) in Members::new(line) {
            if key == b"type" {
                return match &line[value] {
                    [b'"', name @ .., b'"'] => {
                        str::from_utf8(name).map_or(RecordKind::Unknown, RecordKind::of_type)
                    }
                    _ => RecordKind::Untyped,
                };
            }
        }
        RecordKind::Untyped
    }

    /// Whether lines of this kind form the chain of the conversation.
    pub fn is_chain_member(self) -> bool {
        matches!(
            self,
            RecordKind::User
                | RecordKind::Assistant
                | RecordKind::System
                | RecordKind::Attachment
                | RecordKind::Progress
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_of_a_line_wherever_its_type_stands() {
        let table: &[(&[u8], RecordKind)] = &[
            (br#"{"type":"user"}"#, RecordKind::User),
            (br#"{"parentUuid":null,"message":{"type":"message","content":[{"type":"text"}]},"type":"assistant"}"#, RecordKind::Assistant),
            (br#" { "x" : "\"type\":\"user\"" , "type" : "tag" }"#, RecordKind::Tag),
            (br#"{"type":"api-request-start"}"#, RecordKind::ApiRequest),
            (br#"{"type":"marble-origami-commit"}"#, RecordKind::MarbleOrigami),
            (br#"{"type":"something-new"}"#, RecordKind::Unknown),
            (br#"{"type":5}"#, RecordKind::Untyped),
            (br#"{"a":1}"#, RecordKind::Untyped),
            (b"[1]", RecordKind::Damaged),
            (b" \r", RecordKind::Blank),
        ];
        for (line, kind) in table {
            assert_eq!(RecordKind::of_line(line), *kind, "{}", String::from_utf8_lossy(line));
        }
    }
}
