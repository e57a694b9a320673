//! The dimensions that API calls can be grouped by.
//!
//! Deliberately not here: how the value of a call is found (`report`).

/// A way of grouping calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// The calendar day in the zone.
    Day,
    /// The week, by its first day.
    Week,
    /// The month.
    Month,
    /// The hour, with its UTC offset, so that none occurs twice.
    Hour,
    /// The session, including its agents' and workflows' calls.
    Session,
    /// The prompt that led to it.
    Turn,
    /// The project.
    Project,
    /// The exact folder.
    Worktree,
    /// The model.
    Model,
    /// The git branch.
    Branch,
    /// The type of sub-agent.
    Agent,
    /// The skill.
    Skill,
    /// The plugin.
    Plugin,
    /// The MCP server.
    Mcp,
    /// The tools it called, which share its cost.
    Tool,
    /// The effort setting of the model.
    Effort,
    /// How Claude Code was started.
    Entrypoint,
    /// The version of Claude Code.
    Version,
    /// The five-hour block.
    Block,
    /// The app that made it.
    App,
    /// The person, with the lake.
    Owner,
    /// The team, by the administrator's table.
    Team,
    /// The cost centre, by the same.
    CostCenter,
}

impl Dimension {
    /// Those that only the lake has.
    pub const OF_LAKE: [Dimension; 3] = [Dimension::Owner, Dimension::Team, Dimension::CostCenter];

    /// All others.
    pub const ALL: [Dimension; 20] = [
        Dimension::Day,
        Dimension::Week,
        Dimension::Month,
        Dimension::Hour,
        Dimension::Session,
        Dimension::Turn,
        Dimension::Project,
        Dimension::Worktree,
        Dimension::Model,
        Dimension::Branch,
        Dimension::Agent,
        Dimension::Skill,
        Dimension::Plugin,
        Dimension::Mcp,
        Dimension::Tool,
        Dimension::Effort,
        Dimension::Entrypoint,
        Dimension::Version,
        Dimension::Block,
        Dimension::App,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Day => "day",
            Dimension::Week => "week",
            Dimension::Month => "month",
            Dimension::Hour => "hour",
            Dimension::Session => "session",
            Dimension::Turn => "turn",
            Dimension::Project => "project",
            Dimension::Worktree => "worktree",
            Dimension::Model => "model",
            Dimension::Branch => "branch",
            Dimension::Agent => "agent",
            Dimension::Skill => "skill",
            Dimension::Plugin => "plugin",
            Dimension::Mcp => "mcp",
            Dimension::Tool => "tool",
            Dimension::Effort => "effort",
            Dimension::Entrypoint => "entrypoint",
            Dimension::Version => "version",
            Dimension::Block => "block",
            Dimension::App => "app",
            Dimension::Owner => "owner",
            Dimension::Team => "team",
            Dimension::CostCenter => "cost_center",
        }
    }

    /// Whether its values are times.
    pub fn is_time(self) -> bool {
        matches!(
            self,
            Dimension::Day
                | Dimension::Week
                | Dimension::Month
                | Dimension::Hour
                | Dimension::Block
        )
    }

    /// Whether the sums by day of other people have it.
    pub fn is_in_sums(self) -> bool {
        matches!(
            self,
            Dimension::Day
                | Dimension::Week
                | Dimension::Month
                | Dimension::Project
                | Dimension::Model
                | Dimension::Owner
                | Dimension::Team
                | Dimension::CostCenter
        )
    }

    /// Whether the calls of the lake have it, at its lowest level.
    pub fn is_in_calls(self) -> bool {
        self.is_in_sums()
            || matches!(
                self,
                Dimension::Hour | Dimension::Session | Dimension::Version | Dimension::Block
            )
    }

    /// Whether it needs sessions.
    pub(super) fn needs_sessions(self) -> bool {
        matches!(self, Dimension::Session | Dimension::Turn | Dimension::Project)
    }
}
