//! The table of tools: names, descriptions for the model, and parameters.

mod files;
mod list;
mod message;
mod plan;
mod read;
mod search;
mod usage;

pub(crate) use list::recent;
pub(crate) use read::read_resource;

use crate::answer::ToolError;
use crate::arguments::{self, Arguments, CURSOR, MAX_TOKENS, Parameter, Type};
use crate::tool_context::{INCLUDE_CURRENT, ToolContext};
use rmcp::model::{Tool as ProtocolTool, ToolAnnotations};

/// The result of a call.
pub(crate) type Outcome = Result<String, ToolError>;

/// Receives the answer, which may come before the tool has finished its work.
pub(crate) type Reply = Box<dyn FnOnce(Outcome) + Send>;

/// How a tool is run.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// It returns its answer.
    AtEnd(fn(&ToolContext<'_>, &Arguments) -> Outcome),
    /// It answers as soon as it can, and may continue working afterwards.
    Early(fn(&ToolContext<'_>, &Arguments, Reply)),
}

/// One tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    title: &'static str,
    about: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) run: Run,
}

const SESSION: Parameter = Parameter::new(
    "session",
    Type::Text,
    "The session: its id or a prefix of it, a sub-agent's id, words from its title, or @ for the latest.",
);
const CURRENT: Parameter = Parameter::new(
    INCLUDE_CURRENT,
    Type::Flag,
    "Include the session you are in. It is left out by default, because you already know it.",
);
const RESULTS: Parameter = Parameter::new(
    "include_tool_results",
    Type::Flag,
    "Include tool results: the content of files and web pages and the output of programs. It is untrusted; set this only if you need it.",
);
const THINKING: Parameter =
    Parameter::new("include_thinking", Type::Flag, "Include the model's thinking.");
const RECALLS: Parameter = Parameter::new(
    "include_recalls",
    Type::Flag,
    "Include earlier calls of annals and their results, which only repeat other sessions.",
);
const PROJECT: Parameter = Parameter::new(
    "project",
    Type::Text,
    "Only sessions of the project with this absolute path, or of projects whose path contains this text. It can only narrow the scope of this server, never widen it.",
);
const BRANCH: Parameter =
    Parameter::new("branch", Type::Text, "Only this git branch; * matches any text.");
const SINCE: Parameter = Parameter::new(
    "since",
    Type::Text,
    "Start date (inclusive): 2026-01-31, yesterday, 3d, 2w or 12h.",
);
const UNTIL: Parameter =
    Parameter::new("until", Type::Text, "End date (inclusive), in the same formats as since.");

/// The tools, in the order in which a model should consider them.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: search::NAME,
        title: "Search past sessions",
        about: "Search earlier Claude Code sessions for what was discussed, decided or tried. Use it first whenever the user refers to earlier work (\"as we discussed\", \"the bug from last week\"), and before solving a problem that may have been solved before. All words must match. Syntax: word, wor*, \"a phrase\", -excluded, this OR that; fields: tool:Bash, role:user, file:main.rs, session:ID, is:error, is:recall (earlier recalls, left out by default). Names match in any spelling (camelCase, snake_case, kebab-case). Each hit has its session, uuid, age, state (abandoned: no longer on the current path), presence, branch and project. Read on with read_session, or with get_message for the full message.",
        parameters: &[
            Parameter::new("query", Type::Text, "Words, \"phrases\", -excluded, OR, fields.")
                .required(),
            Parameter::new("sort", Type::Choice(&["best", "newest"]), "Sort order; default best."),
            Parameter::new(
                "limit",
                Type::Number { min: 1, max: 50 },
                "Maximum number of hits per page; default 10.",
            ),
            PROJECT,
            BRANCH,
            SINCE,
            UNTIL,
            RESULTS,
            THINKING,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Early(search::run),
    },
    Tool {
        name: list::NAME,
        title: "List past sessions",
        about: "List earlier sessions, newest first, with title, first and last prompt, age, branch and project. Use it to see what was worked on recently or on a branch, or to find the id of a session. If you know words from the conversation, use search_sessions instead.",
        parameters: &[PROJECT, BRANCH, SINCE, UNTIL, CURRENT, CURSOR, MAX_TOKENS],
        run: Run::AtEnd(list::run),
    },
    Tool {
        name: read::NAME,
        title: "Read a past session",
        about: "Read one earlier session turn by turn: prompts, answers and one line per tool call. Brief by default: long messages are truncated (get_message returns them in full). Returns as much as fits into max_tokens, and a cursor for the rest. from_turn -3 starts with the last three turns, where the outcome is.",
        parameters: &[
            SESSION.required(),
            Parameter::new(
                "from_turn",
                Type::Position,
                "The first turn to read: 5, or -3 for the third from the end; default 1.",
            ),
            Parameter::new(
                "detail",
                Type::Choice(&["brief", "full"]),
                "full does not truncate messages; default brief.",
            ),
            RESULTS,
            THINKING,
            RECALLS,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::AtEnd(read::run),
    },
    Tool {
        name: message::NAME,
        title: "Get one full message",
        about: "Get one message in full by its uuid, or one tool call by its id (toolu_…), with its result if include_tool_results is true. Use it when a hit or a passage was truncated. Long messages come in pages.",
        parameters: &[
            Parameter::new("id", Type::Text, "The uuid of a message, or the id of a tool call.")
                .required(),
            Parameter::new(
                "session",
                Type::Text,
                "The session of the message, if you know it; this is much faster.",
            ),
            RESULTS,
            THINKING,
            RECALLS,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::AtEnd(message::run),
    },
    Tool {
        name: files::NAME,
        title: "History of a file",
        about: "Show which sessions changed a file, when, why (the prompt that led to the change), and how many of the changed lines are still in the file. Use it before changing code whose purpose is unclear. Changes made by shell commands are not tracked.",
        parameters: &[
            Parameter::new(
                "path",
                Type::Text,
                "The file: an absolute path, a path relative to the working directory, or the end of its path, such as src/main.rs.",
            )
            .required(),
            Parameter::new("include_reads", Type::Flag, "Include calls that only read the file."),
            Parameter::new(
                RESULTS.name,
                Type::Flag,
                "Include the diffs, which contain lines of the file.",
            ),
            SINCE,
            UNTIL,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::AtEnd(files::run),
    },
    Tool {
        name: usage::NAME,
        title: "Usage and cost",
        about: "Report tokens and API-equivalent cost, grouped by day, session, model, project or another dimension. Use it when the user asks how much was used or what it cost.",
        parameters: &[
            Parameter::new("by", Type::Choice(&usage::GROUPINGS), "How to group the rows; default day."),
            Parameter::new("model", Type::Text, "Only models whose name contains this text."),
            BRANCH,
            SINCE,
            UNTIL,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::AtEnd(usage::run),
    },
    Tool {
        name: plan::NAME,
        title: "Plan of a session",
        about: "Get the plan that was made in a session (plan mode): the latest version in full, and a list of the other versions. Use it to continue work that was planned earlier.",
        parameters: &[
            SESSION.required(),
            Parameter::new(
                "number",
                Type::Number { min: 1, max: 100_000 },
                "The number of a version; default is the latest.",
            ),
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::AtEnd(plan::run),
    },
];

/// Finds a tool by its name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    const ALL: &[Tool] = TOOLS;
    ALL.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// The description of the tool in the protocol's format.
    pub(crate) fn to_protocol(&self) -> ProtocolTool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        ProtocolTool::new(self.name, self.about, arguments::schema(self.parameters))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}
