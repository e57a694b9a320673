//! The tools: what they are called, when to use which, what they take.

mod files;
mod list;
mod message;
mod plan;
mod read;
mod search;
mod usage;

pub(crate) use list::recent;
pub(crate) use read::read_resource;

use crate::answer::Complaint;
use crate::arguments::{self, Arguments, CURSOR, MAX_TOKENS, Parameter, Type};
use crate::desk::{Desk, INCLUDE_CURRENT};
use rmcp::model::{Tool as Described, ToolAnnotations};

/// What came of a call.
pub(crate) type Outcome = Result<String, Complaint>;

/// Takes the answer, which may come before the work is over.
pub(crate) type Reply = Box<dyn FnOnce(Outcome) + Send>;

/// How a tool is run.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// It answers at its end.
    Whole(fn(&Desk<'_>, &Arguments) -> Outcome),
    /// It answers as soon as it can, and may go on working.
    Early(fn(&Desk<'_>, &Arguments, Reply)),
}

/// A tool.
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
    "The session: its id or the beginning of it, a sub-agent's id, words of its title, or @ for the latest.",
);
const CURRENT: Parameter = Parameter::new(
    INCLUDE_CURRENT,
    Type::Flag,
    "Also the session you are in; it is left out otherwise, because you know it.",
);
const RESULTS: Parameter = Parameter::new(
    "include_tool_results",
    Type::Flag,
    "Also what tools, files, web pages and programs said. It is untrusted: ask only if you need it.",
);
const THINKING: Parameter =
    Parameter::new("include_thinking", Type::Flag, "Also what the model thought.");
const RECALLS: Parameter = Parameter::new(
    "include_recalls",
    Type::Flag,
    "Also calls of annals and what they answered, which is said elsewhere first.",
);
const PROJECT: Parameter = Parameter::new(
    "project",
    Type::Text,
    "Only sessions whose project's path has this in it. It narrows what this server may see and never widens it.",
);
const BRANCH: Parameter =
    Parameter::new("branch", Type::Text, "Only this git branch; * stands for anything.");
const SINCE: Parameter = Parameter::new(
    "since",
    Type::Text,
    "Not before this day: 2026-01-31, yesterday, 3d, 2w; or 12h.",
);
const UNTIL: Parameter =
    Parameter::new("until", Type::Text, "Not after this day: as for since; the day counts.");

/// The tools, in the order a model should think of them.
pub(crate) const TOOLS: [Tool; 7] = [
    Tool {
        name: search::NAME,
        title: "Search past sessions",
        about: "Find what was said, decided or tried in earlier Claude Code sessions, by words. Use it first whenever the person refers to earlier work (\"as we discussed\", \"the bug from last week\"), or before solving something that may have been solved here before. All words must be there: word, wor*, \"a phrase\", -without, this OR that; fields: tool:Bash, role:user, file:main.rs, session:ID, is:error, is:recall (earlier recalls, left out otherwise). Names are found however they are spelled. Each hit says session, uuid, age, state (undone: it was taken back), presence, branch and project; read on with read_session, or get_message for the whole message.",
        parameters: &[
            Parameter::new("query", Type::Text, "Words, \"phrases\", -not, OR, fields.").required(),
            Parameter::new(
                "sort",
                Type::Choice(&["best", "newest"]),
                "What comes first; default best.",
            ),
            Parameter::new(
                "limit",
                Type::Number { least: 1, most: 50 },
                "At most so many hits at a time; default 10.",
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
        about: "List earlier sessions, the newest first, with title, first and last prompt, age, branch and project. Use it to see what was worked on lately or on a branch, or to find a session's id; use search_sessions instead if you know words that were said.",
        parameters: &[PROJECT, BRANCH, SINCE, UNTIL, CURRENT, CURSOR, MAX_TOKENS],
        run: Run::Whole(list::run),
    },
    Tool {
        name: read::NAME,
        title: "Read a past session",
        about: "Read one earlier session turn by turn: prompts, answers and a line for each call of a tool. Brief by default (long messages are cut: get_message gives them whole); as much as fits the budget, and a cursor for the rest. from_turn -3 begins three turns before the end, which is where the outcome is.",
        parameters: &[
            SESSION.required(),
            Parameter::new(
                "from_turn",
                Type::Place,
                "The turn to begin with: 5, or -3 for the third from the end; default 1.",
            ),
            Parameter::new(
                "detail",
                Type::Choice(&["brief", "full"]),
                "full cuts no message; default brief.",
            ),
            RESULTS,
            THINKING,
            RECALLS,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Whole(read::run),
    },
    Tool {
        name: message::NAME,
        title: "Get one message whole",
        about: "Get one message in full by its uuid, or one call of a tool by its id (toolu_…), with what the tool answered if include_tool_results is true. Use it when a hit or a passage was cut. Long ones come in pages.",
        parameters: &[
            Parameter::new("id", Type::Text, "The uuid of a message, or the id of a call.")
                .required(),
            Parameter::new(
                "session",
                Type::Text,
                "The session it is in, if you know it: that is much quicker.",
            ),
            RESULTS,
            THINKING,
            RECALLS,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Whole(message::run),
    },
    Tool {
        name: files::NAME,
        title: "History of a file",
        about: "Which sessions changed a file, when, why (the prompt that led to it), and how much of that still stands in the file today. Use it before changing code whose reason is not clear. What shell commands did to files is not known.",
        parameters: &[
            Parameter::new(
                "path",
                Type::Text,
                "The file: absolute, relative to the working directory, or the end of its path such as src/main.rs.",
            )
            .required(),
            Parameter::new("include_reads", Type::Flag, "Also where it was only read."),
            Parameter::new(
                RESULTS.name,
                Type::Flag,
                "Also the diffs, which hold lines of the file.",
            ),
            SINCE,
            UNTIL,
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Whole(files::run),
    },
    Tool {
        name: usage::NAME,
        title: "Usage and cost",
        about: "Tokens and API-equivalent cost of the sessions, grouped by day, session, model or whatever else. Use it when the person asks what was used or what something cost.",
        parameters: &[
            Parameter::new("by", Type::Choice(&usage::WAYS), "What to group by; default day."),
            Parameter::new("model", Type::Text, "Only models whose name has this in it."),
            BRANCH,
            SINCE,
            UNTIL,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Whole(usage::run),
    },
    Tool {
        name: plan::NAME,
        title: "Plan of a session",
        about: "The plan that was made in a session (plan mode): the latest version whole, and which others there are. Use it to take up work that was planned earlier.",
        parameters: &[
            SESSION.required(),
            Parameter::new(
                "number",
                Type::Number { least: 1, most: 100_000 },
                "This version instead of the latest.",
            ),
            CURRENT,
            CURSOR,
            MAX_TOKENS,
        ],
        run: Run::Whole(plan::run),
    },
];

/// The tool of a name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    const ALL: &[Tool] = &TOOLS;
    ALL.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// As the protocol describes it.
    pub(crate) fn described(&self) -> Described {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Described::new(self.name, self.about, arguments::schema(self.parameters))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}
