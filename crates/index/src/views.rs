//! The public views that `annals sql` can query.
//!
//! One table lists their names, descriptions and columns; the SQL that creates
//! them and the documentation both come from it. The views are temporary and
//! created for each connection that answers a query ([`crate::sql`]), not stored in
//! the file: they show only the stores that the caller selected, and never
//! come from another version of annals.
//!
//! Deliberately not here: which operations a query may use (`permission.rs`).

use crate::failure::IndexError;
use crate::rows::{BlockClass, BlockKind};
use crate::sql::LONGEST_VALUE;
use rusqlite::Connection;
use transcript::Role;

/// The version of the views. Columns may be added without changing it; renaming or
/// removing one needs a new version.
pub const VIEWS_VERSION: u32 = 1;

/// A public view.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Its name.
    pub name: &'static str,
    /// What one row represents.
    pub meaning: &'static str,
    /// Its columns, in order.
    pub columns: &'static [ViewColumn],
    /// The FROM and WHERE clauses. Every table in them needs a condition on a column
    /// that SQLite has to read (not the row id, not `IS NOT NULL`): if no column of a
    /// table is read, SQLite asks for permission without naming the view.
    source: &'static str,
}

/// A column of a public view.
#[derive(Clone, Copy, Debug)]
pub struct ViewColumn {
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub meaning: &'static str,
    value: Value,
}

/// How a column's value is computed.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// The expression itself.
    Plain(&'static str),
    /// Text of unbounded length; NULL if it is longer than a value may be, so that the
    /// rest of the row can still be returned.
    Text(&'static str),
    /// A time in milliseconds.
    Moment(&'static str),
    /// A time in nanoseconds.
    Modified(&'static str),
    /// The role in a packed number.
    Role(&'static str),
    /// The kind in a packed number.
    Kind(&'static str),
}

use Value::{Modified, Moment, Plain, Text};

const fn column(name: &'static str, meaning: &'static str, value: Value) -> ViewColumn {
    ViewColumn { name, meaning, value }
}

const SESSION: ViewColumn = column("session_id", "The session's id", Plain("file.session"));
const AGENT: ViewColumn = agent("file.agent");
const fn agent(value: &'static str) -> ViewColumn {
    column("agent_id", "The sub-agent's id; NULL for the session itself", Plain(value))
}
/// The agent of a line: that of its file, unless a progress record repeats the line.
const LINE_AGENT: &str = "coalesce((SELECT own.text FROM main.line_agent AS line
    JOIN main.name AS own ON own.id = line.agent
    WHERE line.file = {row}.file AND line.offset = {row}.offset), file.agent)";
/// Whether a progress record repeats a line that the agent's own file has.
const REPEATS: &str = "EXISTS (SELECT 1 FROM main.line_agent AS line
    JOIN main.name AS own ON own.id = line.agent
    JOIN {file} AS place ON place.kind = 'agent' AND place.agent = own.text
    WHERE line.file = {row}.file AND line.offset = {row}.offset AND place.session IS file.session)";
/// The path of a file, without secrets in its name.
const SHOWN_PATH: &str = "coalesce(file.shown_path, CAST(file.path AS TEXT))";
const PATH: ViewColumn =
    column("path", "Path of the file; it may no longer exist", Plain(SHOWN_PATH));
const ARCHIVE_ONLY: ViewColumn = column(
    "is_archive_only",
    "1 if the file is only in the archive, no longer on disk",
    Plain("file.is_kept"),
);

/// Time of the first result of a call, in milliseconds.
const ANSWERED: &str = "(SELECT answer.time FROM main.block AS answer
    JOIN {file} AS place ON place.id = answer.file
    WHERE answer.call = block.call AND answer.what & {roles} = {tool_result}
    AND place.session IS file.session ORDER BY answer.time LIMIT 1)";

/// All views.
pub const VIEWS: &[View] = &[
    View {
        name: "sessions",
        meaning: "A session's transcript",
        columns: &[
            SESSION,
            PATH,
            column("title", "Title, or the summary if there is no title", Text("file.title")),
            column("first_prompt", "The first prompt", Text("file.first_prompt")),
            column("project", "The folder the session was started in, as recorded", Text("file.project")),
            column("cwd", "The working directory, as recorded", Text("file.cwd")),
            column("branch", "The git branch", Text("file.branch")),
            column("tag", "Tag", Text("file.tag")),
            column("created", "When the session was started", Moment("file.created")),
            column("first", "Earliest timestamp in the transcript", Moment("file.first")),
            column("last", "Latest timestamp in the transcript", Moment("file.last")),
            column(
                "prompts",
                "Number of prompts, each once, whether it was sent at once or queued",
                Plain("file.prompts"),
            ),
            column("bytes", "File size in bytes", Plain("file.bytes")),
            ARCHIVE_ONLY,
        ],
        source: "{file} AS file WHERE file.kind = 'main'",
    },
    View {
        name: "transcripts",
        meaning: "A file with text of a session",
        columns: &[
            PATH,
            column(
                "kind",
                "main, agent, copy (of a transcript), foreign (written by another tool), output (of a \
                 tool), plan",
                Plain("file.kind"),
            ),
            SESSION,
            AGENT,
            column("bytes", "File size in bytes", Plain("file.bytes")),
            column("modified", "When the file was last modified", Modified("file.modified")),
            ARCHIVE_ONLY,
        ],
        source: "{file} AS file WHERE file.kind >= ''",
    },
    View {
        name: "blocks",
        meaning: "A block of a transcript line: a prompt, answer, tool call, tool result or note. \
                  Copies of a transcript that is itself present are left out, and so are lines of a \
                  sub-agent that its session repeats if the sub-agent has a file",
        columns: &[
            SESSION,
            agent("{agent of block}"),
            PATH,
            column("line", "Line number in the file", Plain("block.line")),
            column("time", "When the block was written", Moment("block.time")),
            column(
                "role",
                "user, assistant, thinking, tool_use, tool_result, summary, system, attachment, \
                 queued, title, plan",
                Value::Role("block.what"),
            ),
            column(
                "kind",
                "prompt, answer, thinking, call, result, output, plan, summary, note, title, \
                 recall (of annals itself)",
                Value::Kind("block.what"),
            ),
            column("tool", "The tool of a call or result", Text("tool.text")),
            column("model", "The model", Text("model.text")),
            column("branch", "The git branch", Text("branch.text")),
            column("is_error", "1 if the tool reported an error", Plain("block.what & 1")),
            column("is_agent", "1 if the block belongs to a sub-agent", Plain("(block.what >> 1) & 1")),
            column("prompt", "Number of the prompt it belongs to", Plain("block.prompt")),
        ],
        source: "main.block AS block
            JOIN {file} AS file ON file.id = block.file AND file.is_double = 0
            LEFT JOIN main.name AS tool ON tool.id = coalesce(
                block.tool,
                (SELECT called.tool FROM main.block AS called
                WHERE called.call = block.call AND called.file = block.file
                AND called.what & {roles} = {tool_use} LIMIT 1)
            ) AND octet_length(tool.text) >= 0
            LEFT JOIN main.name AS model ON model.id = block.model AND octet_length(model.text) >= 0
            LEFT JOIN main.name AS branch ON branch.id = block.branch AND octet_length(branch.text) >= 0
            WHERE block.what & {repeated} = 0 OR NOT {repeats block}",
    },
    View {
        name: "tool_calls",
        meaning: "A tool call with its result",
        columns: &[
            SESSION,
            agent("{agent of block}"),
            column("tool", "The tool", Text("tool.text")),
            column("time", "When the tool was called", Moment("block.time")),
            column("answered", "When the result arrived; NULL without a result", Moment(ANSWERED)),
            column(
                "seconds",
                "Seconds from call to result",
                Plain("round(({answered} - block.time) / 1000.0, 3)"),
            ),
            column(
                "is_error",
                "1 if the tool reported an error; NULL without a result",
                Plain(
                    "(SELECT answer.what & 1 FROM main.block AS answer
                    JOIN {file} AS place ON place.id = answer.file
                    WHERE answer.call = block.call AND answer.what & {roles} = {tool_result}
                    AND place.session IS file.session ORDER BY answer.time LIMIT 1)",
                ),
            ),
            PATH,
            column("line", "Line number in the file", Plain("block.line")),
            column("prompt", "Number of the prompt it belongs to", Plain("block.prompt")),
        ],
        source: "main.block AS block
            JOIN {file} AS file ON file.id = block.file AND file.is_double = 0
            LEFT JOIN main.name AS tool ON tool.id = block.tool AND octet_length(tool.text) >= 0
            WHERE block.what & {roles} = {tool_use} AND NOT EXISTS (
                SELECT 1 FROM main.block AS other
                JOIN {file} AS place ON place.id = other.file AND place.is_double = 0
                WHERE other.call = block.call AND other.what & {roles} = {tool_use}
                AND place.session IS file.session
                AND (other.file, other.offset, other.number)
                    < (block.file, block.offset, block.number))",
    },
    View {
        name: "touches",
        meaning: "A file that a tool read or changed",
        columns: &[
            SESSION,
            agent("{agent of touch}"),
            column("file", "Path of the file, as given in the call", Text("path.text")),
            column("operation", "read, create, change", Plain("touch.operation")),
            column("added", "Number of lines added", Plain("touch.added")),
            column("removed", "Number of lines removed", Plain("touch.removed")),
            column("time", "When", Moment("touch.time")),
            column("prompt", "Number of the prompt it belongs to", Plain("touch.prompt")),
        ],
        source: "main.touch AS touch
            JOIN {file} AS file ON file.id = touch.file AND file.is_double = 0
            JOIN main.name AS path ON path.id = touch.path AND octet_length(path.text) >= 0
            WHERE NOT {repeats touch}",
    },
    View {
        name: "commits",
        meaning: "A commit that a session made",
        columns: &[
            SESSION,
            column("hash", "Commit hash, as git printed it", Text("deed.name")),
            column("branch", "Branch of the commit", Text("deed.branch")),
            column("subject", "First line of the commit message", Text("deed.subject")),
            column("time", "When", Moment("deed.time")),
            column("prompt", "Number of the prompt it belongs to", Plain("deed.prompt")),
        ],
        source: "main.deed AS deed
            JOIN {file} AS file ON file.id = deed.file AND file.is_double = 0
            WHERE deed.kind = 'commit' AND NOT {repeats deed}",
    },
    View {
        name: "pull_requests",
        meaning: "A pull request that a session created or was linked to; one row per mention",
        columns: &[
            SESSION,
            column("number", "Pull request number", Plain("CAST(deed.name AS INTEGER)")),
            column("url", "Pull request URL", Text("deed.url")),
            column("time", "When", Moment("deed.time")),
            column("prompt", "Number of the prompt it belongs to", Plain("deed.prompt")),
        ],
        source: "main.deed AS deed
            JOIN {file} AS file ON file.id = deed.file AND file.is_double = 0
            WHERE deed.kind = 'pull_request' AND NOT {repeats deed}",
    },
    View {
        name: "calls",
        meaning: "An API call, counted once as in annals usage, including calls of deleted \
                  transcripts that are recorded in the ledger",
        columns: &[
            column("id", "The API response's id", Plain("call.id")),
            column("session_id", "The session's id", Plain("call.session")),
            column(
                "project",
                "The session's project; the working directory if unknown",
                Plain(
                    "coalesce((SELECT file.project FROM {file} AS file
                    WHERE file.session = call.session AND file.kind = 'main'
                    AND file.project IS NOT NULL LIMIT 1), call.cwd)",
                ),
            ),
            column("cwd", "The working directory", Plain("call.cwd")),
            column("branch", "The git branch", Plain("call.branch")),
            column("model", "The model", Plain("call.model")),
            column(
                "agent_id",
                "The sub-agent's id; NULL for the session itself",
                Plain("call.agent"),
            ),
            column("agent_type", "The sub-agent's type, if recorded", Plain("call.agent_type")),
            column("time", "When the call started", Moment("call.time")),
            column("input_tokens", "Input tokens neither read from nor written to the cache", Plain("call.input")),
            column("output_tokens", "Output tokens, including thinking", Plain("call.output")),
            column("thinking_tokens", "Output tokens spent on thinking", Plain("call.thinking")),
            column(
                "cache_write_5m",
                "Tokens written to the five-minute cache",
                Plain("call.write_5m"),
            ),
            column(
                "cache_write_1h",
                "Tokens written to the one-hour cache",
                Plain("call.write_1h"),
            ),
            column("cache_read", "Tokens read from the cache", Plain("call.read")),
            column("web_searches", "Number of web searches", Plain("call.web_searches")),
            column(
                "cost_usd",
                "Cost at API prices in US dollars; NULL if the model has no known price",
                Plain("call.cost"),
            ),
            column("is_sidechain", "1 if a sub-agent made it", Plain("call.is_sidechain")),
        ],
        source: "{call} AS call WHERE call.id >= ''",
    },
];

/// Random names for the tables and views behind the public ones. If a query knew such
/// a name, it could give it to one of its expressions (`WITH name AS …`), and
/// the permission check would take that expression for the view.
#[derive(Clone, Debug)]
pub(crate) struct HiddenNames {
    prefix: String,
}

impl HiddenNames {
    pub(crate) fn new() -> Result<HiddenNames, IndexError> {
        let random = store::random_bytes().map_err(|error| {
            IndexError::Other(format!("cannot get random bytes for a query: {error}"))
        })?;
        Ok(HiddenNames { prefix: format!("hidden_{:032x}_", u128::from_be_bytes(random)) })
    }

    /// Whether this is one of the hidden names.
    pub(crate) fn contains(&self, name: &str) -> bool {
        name.starts_with(&self.prefix)
    }

    /// The table of visible files, and whether each is a duplicate.
    pub(crate) fn shown(&self) -> String {
        format!("{}shown", self.prefix)
    }

    /// The table of API calls.
    pub(crate) fn call(&self) -> String {
        format!("{}call", self.prefix)
    }

    fn file(&self) -> String {
        format!("{}file", self.prefix)
    }

    fn expand(&self, text: &str) -> String {
        let mut text = text.replace("{answered}", ANSWERED);
        for row in ["block", "touch", "deed"] {
            let of = |template: &str| template.replace("{row}", row);
            text = text.replace(&format!("{{agent of {row}}}"), &of(LINE_AGENT));
            text = text.replace(&format!("{{repeats {row}}}"), &of(REPEATS));
        }
        text.replace("{file}", &format!("temp.{}", self.file()))
            .replace("{call}", &format!("temp.{}", self.call()))
            .replace("{roles}", &ROLES.to_string())
            .replace("{repeated}", &BlockClass::REPEATED.to_string())
            .replace("{tool_use}", &role_number(Role::ToolUse).to_string())
            .replace("{tool_result}", &role_number(Role::ToolResult).to_string())
    }

    fn value(&self, value: Value) -> String {
        match value {
            Plain(text) => self.expand(text),
            Text(text) => {
                format!("iif(octet_length({text}) <= {LONGEST_VALUE}, {text}, NULL)")
            }
            Moment(text) => moment(&self.expand(text), "1000.0"),
            Modified(text) => moment(text, "1000000000.0"),
            Value::Role(text) => {
                cases(text, ROLES, Role::ALL.map(|role| (role_number(role), role.name())))
            }
            Value::Kind(text) => {
                cases(text, KINDS, BlockKind::ALL.map(|kind| (kind_number(kind), kind.name())))
            }
        }
    }

    /// The SQL of a view's rows.
    fn select(&self, view: &View) -> String {
        let columns: Vec<String> = view
            .columns
            .iter()
            .map(|column| format!("{} AS \"{}\"", self.value(column.value), column.name))
            .collect();
        format!("SELECT {} FROM {}", columns.join(",\n"), self.expand(view.source))
    }
}

/// The bits of a packed number that encode the role, and those that encode the kind.
const ROLES: i64 = 15 << 4;
const KINDS: i64 = 15 << 8;

fn role_number(role: Role) -> i64 {
    BlockClass {
        role,
        kind: BlockKind::ALL[0],
        is_error: false,
        is_agent: false,
        is_repeated: false,
    }
    .number()
        & ROLES
}

fn kind_number(kind: BlockKind) -> i64 {
    BlockClass { role: Role::ALL[0], kind, is_error: false, is_agent: false, is_repeated: false }
        .number()
        & KINDS
}

fn moment(number: &str, unit: &str) -> String {
    format!("strftime('%Y-%m-%dT%H:%M:%fZ', {number} / {unit}, 'unixepoch')")
}

fn cases<const N: usize>(number: &str, bits: i64, names: [(i64, &str); N]) -> String {
    let cases = names.map(|(number, name)| format!("WHEN {number} THEN '{name}'")).join(" ");
    format!("CASE {number} & {bits} {cases} END")
}

/// Creates the views of a connection, and the empty tables behind them.
pub(crate) fn create(connection: &Connection, names: &HiddenNames) -> rusqlite::Result<()> {
    let (shown, call, file) = (names.shown(), names.call(), names.file());
    connection.execute_batch(&format!(
        "CREATE TEMP TABLE {shown} (
           id INTEGER PRIMARY KEY, is_double INTEGER NOT NULL, path TEXT);
         CREATE TEMP TABLE {call} (
           id TEXT NOT NULL, session TEXT, cwd TEXT, branch TEXT, model TEXT, agent TEXT,
           agent_type TEXT, time INTEGER, input INTEGER, output INTEGER, thinking INTEGER,
           write_5m INTEGER, write_1h INTEGER, read INTEGER, web_searches INTEGER, cost REAL,
           is_sidechain INTEGER);
         CREATE TEMP VIEW {file} AS SELECT file.*, shown.is_double AS is_double,
           shown.path AS shown_path
           FROM temp.{shown} AS shown JOIN main.file AS file ON file.id = shown.id
           AND file.kind >= '';"
    ))?;
    for view in VIEWS {
        let hidden = format!("{}{}", names.prefix, view.name);
        connection.execute_batch(&format!(
            "CREATE TEMP VIEW {hidden} AS {};
             CREATE TEMP VIEW {} AS SELECT * FROM temp.{hidden};",
            names.select(view),
            view.name
        ))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_roles_and_kinds_round_trip() {
        let connection = Connection::open_in_memory().unwrap();
        let names = HiddenNames::new().unwrap();
        let (role_of, kind_of) = (names.value(Value::Role("?1")), names.value(Value::Kind("?1")));
        for role in Role::ALL {
            for kind in BlockKind::ALL {
                let what =
                    BlockClass { role, kind, is_error: true, is_agent: true, is_repeated: true };
                let sql = format!("SELECT {role_of}, {kind_of}");
                let (one, two): (String, String) = connection
                    .query_row(&sql, [what.number()], |row| Ok((row.get(0)?, row.get(1)?)))
                    .unwrap();
                assert_eq!((one.as_str(), two.as_str()), (role.name(), kind.name()));
            }
        }
    }

    /// The column descriptions list every value.
    #[test]
    fn roles_and_kinds_are_documented() {
        let blocks = VIEWS.iter().find(|view| view.name == "blocks").unwrap();
        let words = |name: &str| -> Vec<&str> {
            let column = blocks.columns.iter().find(|column| column.name == name).unwrap();
            let words = column.meaning.split(", ");
            words.map(|word| word.split(' ').next().unwrap()).collect()
        };
        assert_eq!(words("role"), Role::ALL.map(Role::name));
        assert_eq!(words("kind"), BlockKind::ALL.map(BlockKind::name));
    }
}
