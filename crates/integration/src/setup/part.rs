//! The parts that setup installs and removes.

/// A part of setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupPart {
    /// Hooks that archive sessions.
    Hooks,
    /// The status line command.
    Statusline,
    /// The page that teaches agents when and how to use annals.
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

    /// Its purpose, in a few words.
    pub(super) fn purpose(self) -> &'static str {
        match self {
            SetupPart::Hooks => {
                "archive sessions when they end, are compacted or are about to be deleted"
            }
            SetupPart::Statusline => {
                "model, context, cost and limits; an existing status line stays"
            }
            SetupPart::Skill => "teach agents to recall earlier sessions",
            SetupPart::Cleanup => "keep transcripts for at least a year",
            SetupPart::Mcp => "give agents tools to search earlier sessions",
            SetupPart::Timer => "update the archive every hour",
        }
    }
}
