//! What tools do, by their names: the one table of tools that the engine understands.
//!
//! Other apps have tools of the same kinds under other names, mostly in lower case, with other
//! names for their arguments. Claude Code's names come first in each row.

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    /// It reads a file.
    Read,
    /// It changes files.
    Change,
    /// It runs a command.
    Shell,
    /// It looks for files or lines.
    Search,
    /// It starts a sub-agent.
    Agent,
    /// It makes a web request.
    Web,
    /// It writes a list of tasks.
    Todos,
    /// It proposes a plan.
    Plan,
    /// It asks the person.
    Questions,
    /// It uses a skill.
    Skill,
    /// Anything else, including tools of MCP servers.
    Other,
}

impl ToolKind {
    /// The kind of a tool.
    pub fn of(tool: &str) -> ToolKind {
        match tool {
            "Read" | "NotebookRead" | "read" | "view" | "read_file" => ToolKind::Read,
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" | "edit" | "multiedit" | "write"
            | "apply_patch" | "patch" | "create" | "str_replace" | "write_file" | "replace" => {
                ToolKind::Change
            }
            "Bash" | "BashOutput" | "PowerShell" | "bash" | "powershell" | "shell"
            | "shell_command" | "exec_command" | "local_shell" | "run_shell_command" => {
                ToolKind::Shell
            }
            "Grep"
            | "Glob"
            | "LS"
            | "grep"
            | "glob"
            | "ls"
            | "find"
            | "list"
            | "list_directory"
            | "grep_search"
            | "search_file_content" => ToolKind::Search,
            "Task" | "Agent" | "task" | "spawn_agent" | "invoke_agent" => ToolKind::Agent,
            "WebFetch" | "WebSearch" | "web_search" | "web_fetch" | "webfetch" | "websearch"
            | "google_web_search" => ToolKind::Web,
            "TodoWrite" | "todowrite" => ToolKind::Todos,
            "ExitPlanMode" => ToolKind::Plan,
            "AskUserQuestion" => ToolKind::Questions,
            "Skill" => ToolKind::Skill,
            _ => ToolKind::Other,
        }
    }
}
