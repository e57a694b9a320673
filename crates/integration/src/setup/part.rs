//! The parts that setup installs and removes.

use serde::Serialize;

/// A part of setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupPart {
    /// Hooks that archive sessions.
    Hooks,
    /// The status line command.
    Statusline,
    /// The page that tells agents when and how to use annals.
    Skill,
    /// How long Claude Code keeps transcripts.
    Cleanup,
    /// The MCP server.
    Mcp,
    /// The timer that archives every hour.
    Timer,
}

impl SetupPart {
    /// All parts, in the order in which they are proposed.
    pub const ALL: [SetupPart; 6] = [
        SetupPart::Hooks,
        SetupPart::Statusline,
        SetupPart::Skill,
        SetupPart::Cleanup,
        SetupPart::Mcp,
        SetupPart::Timer,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SetupPart::Hooks => "hooks",
            SetupPart::Statusline => "statusline",
            SetupPart::Skill => "skill",
            SetupPart::Cleanup => "cleanup",
            SetupPart::Mcp => "mcp",
            SetupPart::Timer => "timer",
        }
    }

    /// What it is for, in a few words.
    pub(super) fn purpose(self) -> &'static str {
        match self {
            SetupPart::Hooks => {
                "keep sessions when they end, are compacted or are about to be deleted"
            }
            SetupPart::Statusline => "model, context, cost and limits; an existing line stays",
            SetupPart::Skill => "teach agents to recall earlier sessions",
            SetupPart::Cleanup => "transcripts stay for at least a year",
            SetupPart::Mcp => "earlier sessions as tools for agents",
            SetupPart::Timer => "keep the archive up to date every hour",
        }
    }
}
