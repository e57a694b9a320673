//! The table of commands and the options that they use.

use super::{Idle, OptionUse, is_given};
use crate::commands::{export, usage};
use clap::ArgMatches;

/// Which sessions are read, and how.
const STORES: &[&str] = &["root", "app", "demo", "exclude", "alias", "no_index"];
const STORES_WITHOUT_INDEX: &[&str] = &["root", "app", "demo", "exclude", "alias"];
const INDEX: &[&str] = &["no_index"];
const ROOT: &[&str] = &["root"];
const DEMO: &[&str] = &["demo"];
const EXCLUDE: &[&str] = &["exclude"];
/// Which session runs the command.
const CURRENT: &[&str] = &["current_session"];
const ZONE: &[&str] = &["timezone"];
/// How text looks. Of commands that print text, these are promises, also if they never use
/// a pager or a colour.
const TEXT: &[&str] = &["color", "no_pager", "redact"];
const COLOR: &[&str] = &["color"];
const REDACT: &[&str] = &["redact"];
const FORMATS: &[&str] = &["json", "jsonl", "csv"];
const JSON: &[&str] = &["json"];
const JSONL: &[&str] = &["jsonl"];
const CSV: &[&str] = &["csv"];
/// The formats other than JSON.
const ROWS: &[&str] = &["jsonl", "csv"];

/// The filters that select sessions by what is known of them.
const SCOPES: &[&str] = &["project", "here", "exact", "git_branch"];
/// The filters that select sessions by what they contain.
const CONTENT: &[&str] = &["model", "agent", "tool"];
const ALL_FILTERS: &[&str] = &[
    "project",
    "here",
    "exact",
    "since",
    "until",
    "git_branch",
    "model",
    "agent",
    "tool",
    "session_filter",
];
const LIMIT: &[&str] = &["limit"];

/// What is shown of hits.
const IN_HITS: &[&str] = &["only_matching", "context", "before_context", "after_context"];

/// Options, and why a command does not use them.
type Reason = (&'static [&'static str], &'static str);

const NO_ROWS: Reason = (ROWS, "its answer is one document\nhint: use --json");
const NO_CSV: Reason = (CSV, "its answer is not a table\nhint: use --jsonl");
const NO_DEMO: Reason = (DEMO, "the sessions of the demo store are made up");
/// What leaves this machine must be the same for every push.
const RULED: Reason = (
    &["app", "exclude", "alias", "no_index"],
    "only the configuration says which sessions are shared",
);
const OF_LAKE: Reason =
    (&["root", "app", "exclude", "alias", "no_index"], "it reads the lake, not this machine");
const OF_CLAUDE: Reason =
    (&["app", "exclude", "alias", "no_index"], "it changes settings and reads no sessions");

/// What commands of the lake use that read the sessions of this machine.
const OF_MACHINE: &[&[&str]] = &[ROOT, TEXT, JSON];

/// The session is named in another way than by filters.
const NAMED: &str = "the session is named";

/// Every command. A command without a row fails a test.
pub(super) const COMMANDS: &[OptionUse] = &[
    row("", &[STORES, CURRENT, ZONE, TEXT, JSON], &[NO_ROWS], &[]),
    row("ls", &[STORES, CURRENT, ZONE, TEXT, JSON, ROWS], &[], &[]),
    row("projects", &[STORES, ZONE, TEXT, JSON, ROWS], &[], &[]),
    row("where", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("info", &[STORES, CURRENT, ZONE, TEXT, JSON], &[NO_ROWS], &[]),
    row("show", &[STORES, CURRENT, ZONE, TEXT, JSON, JSONL], &[NO_CSV], &[]),
    row(
        "search",
        &[STORES_WITHOUT_INDEX, ZONE, TEXT, JSON, ROWS],
        &[(INDEX, "it searches the index; annals grep reads the transcripts")],
        &[Idle {
            beside: "--csv",
            when: |matches| is_given(matches, "csv"),
            options: &["context", "hits"],
            reason: "its rows are hits\nhint: use --jsonl",
        }],
    ),
    row(
        "grep",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[
            Idle {
                beside: "-l",
                when: |matches| is_given(matches, "sessions"),
                options: IN_HITS,
                reason: "it lists sessions, not hits",
            },
            Idle {
                beside: "-c",
                when: |matches| is_given(matches, "count"),
                options: IN_HITS,
                reason: "it counts hits and shows none",
            },
        ],
    ),
    row("files", &[STORES, ZONE, TEXT, JSON, ROWS], &[], &[]),
    row(
        "prompts",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[
            Idle { beside: "SESSION", when: names_session, options: SCOPES, reason: NAMED },
            Idle {
                beside: "SESSION",
                when: names_session,
                options: CONTENT,
                reason: "it shows all prompts of the session",
            },
            NAMED_TWICE,
        ],
    ),
    row("tree", &[STORES, CURRENT, TEXT, JSON], &[NO_ROWS], &[]),
    row(
        "tools",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[
            Idle { beside: "SESSION", when: names_session, options: SCOPES, reason: NAMED },
            Idle {
                beside: "--stats",
                when: |matches| is_given(matches, "stats"),
                options: &["limit", "offset"],
                reason: "it adds up all calls",
            },
            NAMED_TWICE,
        ],
    ),
    row("agents", &[STORES, TEXT, JSON, ROWS], &[], &[]),
    row("plan", &[STORES, CURRENT, ZONE, TEXT, JSON, ROWS], &[], &[]),
    row("context", &[STORES, CURRENT, ZONE, TEXT, JSON, ROWS], &[], &[]),
    row(
        "mark",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[Idle {
            beside: "SESSION",
            when: |matches| is_given(matches, "place") || is_given(matches, "remove"),
            options: &["limit"],
            reason: "only the list of marks has rows",
        }],
    ),
    row("mcp", &[STORES, CURRENT, ZONE, REDACT], &[], &[]),
    row("rename", &[STORES, CURRENT, TEXT, JSON], &[NO_ROWS], &[]),
    row(
        "resume",
        &[STORES, CURRENT, ZONE, TEXT],
        &[(FORMATS, "it starts a program; use --print")],
        &[Idle {
            beside: "SESSION",
            when: |matches| is_given(matches, "session"),
            options: ZONE,
            reason: "only the list to choose from shows times",
        }],
    ),
    row("tag", &[STORES, CURRENT, TEXT, JSON], &[NO_ROWS], &[]),
    row(
        "tui",
        &[STORES, CURRENT, ZONE, COLOR, REDACT],
        &[(FORMATS, "it draws on the terminal; annals ls and annals search print documents")],
        &[],
    ),
    row(
        "pick",
        &[STORES, CURRENT, ZONE, COLOR, REDACT],
        &[(FORMATS, "it prints what --print says; use --print json")],
        &[],
    ),
    row("usage", &[STORES, ZONE, TEXT, JSON, ROWS], &[], USAGE),
    row("watch", &[STORES, CURRENT, ZONE, COLOR, REDACT, JSON, JSONL], &[NO_CSV], &[]),
    row("web", SERVER, &[], &[NOT_ONE_SESSION]),
    row("serve", SERVER, &[], &[NOT_ONE_SESSION]),
    row(
        "sql",
        &[STORES_WITHOUT_INDEX, ZONE, TEXT, JSON, ROWS],
        &[(INDEX, "it queries the index")],
        &[
            Idle {
                beside: "--schema",
                when: |matches| is_given(matches, "schema"),
                options: LIMIT,
                reason: "it lists all views",
            },
            Idle {
                beside: "--schema",
                when: |matches| is_given(matches, "schema"),
                options: &["timeout", "memory"],
                reason: "it runs no query",
            },
        ],
    ),
    row(
        "export",
        &[STORES, CURRENT, ZONE, TEXT, JSON],
        &[NO_ROWS],
        &[
            Idle {
                beside: "SESSION",
                when: |matches| is_given(matches, "sessions") || is_given(matches, "pick"),
                options: ALL_FILTERS,
                reason: "sessions are either named or chosen by filters",
            },
            Idle {
                beside: "-o -",
                when: export::goes_to_output,
                options: JSON,
                reason: "only the list of written files has JSON\nhint: use --format json",
            },
            Idle {
                beside: "-o -",
                when: export::goes_to_output,
                options: &["force"],
                reason: "it writes no file",
            },
        ],
    ),
    row("archive sync", &[STORES, TEXT, JSON, JSONL], &[NO_CSV], &[]),
    row(
        "archive ls",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[Idle {
            beside: "SESSION",
            when: |matches| is_given(matches, "session"),
            options: &["limit"],
            reason: "it lists all files of the session",
        }],
    ),
    row("archive verify", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("archive restore", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("archive export", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("archive import", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("archive forget", &[STORES, TEXT, JSON], &[NO_ROWS], &[]),
    row("lake init", &[TEXT, JSON], &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake push", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake status", &[ROOT, ZONE, TEXT, JSON], &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake share", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake unshare", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake forget", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake expire", &[TEXT, JSON], &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake leave", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake verify", OF_MACHINE, &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake report", &[ZONE, TEXT, JSON], &[NO_ROWS, NO_DEMO, OF_LAKE], &[]),
    row("lake catalog", &[TEXT, JSON], &[NO_ROWS, NO_DEMO, RULED], &[]),
    row("lake load", &[TEXT, JSON], &[NO_ROWS, NO_DEMO, RULED], &[]),
    row(
        "doctor",
        &[STORES, ZONE, TEXT, JSON, ROWS],
        &[],
        &[Idle {
            beside: "",
            when: |matches| !is_given(matches, "secrets"),
            options: ROWS,
            reason: "its answer is one document\nhint: use --json",
        }],
    ),
    row("hook", &[ROOT, EXCLUDE, ZONE, REDACT], &[], &[]),
    row("statusline", &[ROOT, DEMO, EXCLUDE, INDEX, ZONE, COLOR], &[], &[]),
    row("setup", &[ROOT, DEMO, TEXT, JSON], &[NO_ROWS, OF_CLAUDE], &[]),
    row("completions", &[], &[], &[]),
    row("man", &[], &[], &[]),
    row("help", &[], &[], &[]),
    row("reference", &[], &[], &[]),
];

const fn row(
    command: &'static str,
    uses: &'static [&'static [&'static str]],
    reasons: &'static [Reason],
    idle: &'static [Idle],
) -> OptionUse {
    OptionUse { command, uses, reasons, idle }
}

/// What the web server uses.
const SERVER: &[&[&str]] = &[STORES, CURRENT, ZONE, REDACT];

const NOT_ONE_SESSION: Idle = Idle {
    beside: "",
    when: |_| true,
    options: &["session_filter"],
    reason: "its pages show many sessions; annals web SESSION opens one",
};

const NAMED_TWICE: Idle = Idle {
    beside: "SESSION",
    when: |matches| is_given(matches, "session"),
    options: &["session_filter"],
    reason: NAMED,
};

/// Whether one session is asked for, by its argument or by the filter.
fn names_session(matches: &ArgMatches) -> bool {
    is_given(matches, "session") || is_given(matches, "session_filter")
}

const USAGE: &[Idle] = &[
    Idle {
        beside: "SESSION",
        when: usage::names_session,
        options: &["session_filter"],
        reason: NAMED,
    },
    Idle {
        beside: "limits",
        when: usage::asks_for_limits,
        options: &["project", "here", "exact", "git_branch", "session", "session_filter"],
        reason: OF_ACCOUNT,
    },
    Idle { beside: "limits", when: usage::asks_for_limits, options: CONTENT, reason: OF_ACCOUNT },
    Idle {
        beside: "limits",
        when: usage::asks_for_limits,
        options: LIMIT,
        reason: "it lists all of them",
    },
    Idle {
        beside: "limits",
        when: usage::asks_for_limits,
        options: &["cost", "prices", "week_start", "explain", "budget"],
        reason: "it shows recorded limits and no cost",
    },
    Idle {
        beside: "--heatmap",
        when: |matches| is_given(matches, "heatmap"),
        options: &["budget"],
        reason: "it shows days and no budgets",
    },
    Idle {
        beside: "--check",
        when: |matches| is_given(matches, "check"),
        options: ALL_FILTERS,
        reason: "budgets are for all calls",
    },
    Idle {
        beside: "--check",
        when: |matches| is_given(matches, "check"),
        options: LIMIT,
        reason: "it shows every budget",
    },
    Idle { beside: "--explain", when: is_explained, options: ALL_FILTERS, reason: OF_ALL_CALLS },
    Idle {
        beside: "--explain",
        when: |matches| is_explained(matches) && usage::names_session(matches),
        options: &["report", "session"],
        reason: OF_ALL_CALLS,
    },
    Idle {
        beside: "--explain CALL",
        when: usage::asks_for_call,
        options: &["report", "by", "limit", "week_start", "budget"],
        reason: "it explains one call",
    },
    Idle {
        beside: "--explain",
        when: is_explained,
        options: ROWS,
        reason: "its answer is one document\nhint: use --json",
    },
    Idle {
        beside: "--explain",
        when: |matches| is_explained(matches) && !is_given(matches, "json"),
        options: &["report", "by", "limit", "week_start", "budget"],
        reason: "its text shows no rows\nhint: use --json",
    },
];

fn is_explained(matches: &ArgMatches) -> bool {
    is_given(matches, "explain")
}

const OF_ALL_CALLS: &str = "it explains the figures of all calls";
const OF_ACCOUNT: &str = "limits belong to an account";
