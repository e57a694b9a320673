//! The public views: what `annals sql` can be asked for.
//!
//! One table has their names, meanings and columns; the SQL that makes them and
//! what documentation says both come from it. They are made anew for every
//! connection that answers a query ([`crate::sql`]), not kept in the file, so
//! that they show the stores of whoever asks and are never those of another
//! version.
//!
//! Deliberately not here: what a query may do.

use crate::failure::IndexError;
use crate::rows::{Kind, What};
use crate::sql::LONGEST_VALUE;
use rusqlite::Connection;
use transcript::Role;

/// The version of the views: columns may be added to one, none is renamed or
/// removed without a new number.
pub const VIEWS_VERSION: u32 = 1;

/// A public view.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Its name.
    pub name: &'static str,
    /// What a row of it is.
    pub meaning: &'static str,
    /// Its columns, in their order.
    pub columns: &'static [ViewColumn],
    /// Where its rows come from. Every table in it has a column in a condition
    /// that SQLite has to look at (not the row's number, not `IS NOT NULL`): about
    /// a table of which no column is read it asks without saying for which view.
    source: &'static str,
}

/// A column of a public view.
#[derive(Clone, Copy, Debug)]
pub struct ViewColumn {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
    value: Value,
}

/// How a column's value comes about.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// As the expression says.
    Plain(&'static str),
    /// Text that a transcript may have any amount of; none if it is too long to
    /// be answered, which is no reason not to answer with the rest.
    Text(&'static str),
    /// A moment, of milliseconds.
    Moment(&'static str),
    /// A moment, of nanoseconds.
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
const AGENT: ViewColumn =
    column("agent_id", "The sub-agent's id; NULL for the session itself", Plain("file.agent"));
const PATH: ViewColumn =
    column("path", "The file, where it is or was", Plain("CAST(file.path AS TEXT)"));
const KEPT: ViewColumn = column(
    "is_archive_only",
    "1 if the file is deleted from disk and only in the archive",
    Plain("file.is_kept"),
);

/// When a call was answered first: milliseconds.
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
            column("title", "Its title, or the summary that stands for one", Text("file.title")),
            column("first_prompt", "The first thing that was asked", Text("file.first_prompt")),
            column("project", "The folder it was begun in, as recorded", Text("file.project")),
            column("cwd", "The working directory, as recorded", Text("file.cwd")),
            column("branch", "The git branch", Text("file.branch")),
            column("tag", "Its tag", Text("file.tag")),
            column("created", "When it was begun", Moment("file.created")),
            column("first", "The earliest time in it", Moment("file.first")),
            column("last", "The latest time in it", Moment("file.last")),
            column("prompts", "How many prompts were typed", Plain("file.prompts")),
            column("bytes", "How large the file is", Plain("file.bytes")),
            KEPT,
        ],
        source: "{file} AS file WHERE file.kind = 'main'",
    },
    View {
        name: "transcripts",
        meaning: "A file that holds text of sessions",
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
            column("bytes", "How large it is", Plain("file.bytes")),
            column("modified", "When it was modified", Modified("file.modified")),
            KEPT,
        ],
        source: "{file} AS file WHERE file.kind >= ''",
    },
    View {
        name: "blocks",
        meaning: "A block of a line: what was said, called, answered or noted. Copies of \
                  transcripts that are there are left out",
        columns: &[
            SESSION,
            AGENT,
            PATH,
            column("line", "Its line in the file", Plain("block.line")),
            column("time", "When it was written", Moment("block.time")),
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
            column("tool", "The tool that is called or answers", Text("tool.text")),
            column("model", "The model", Text("model.text")),
            column("branch", "The git branch", Text("branch.text")),
            column("is_error", "1 if a tool says that it failed", Plain("block.what & 1")),
            column("is_agent", "1 if it belongs to a sub-agent", Plain("(block.what >> 1) & 1")),
            column("prompt", "The number of the prompt it belongs to", Plain("block.prompt")),
        ],
        source: "main.block AS block
            JOIN {file} AS file ON file.id = block.file AND file.is_double = 0
            LEFT JOIN main.name AS tool ON tool.id = block.tool AND octet_length(tool.text) >= 0
            LEFT JOIN main.name AS model ON model.id = block.model AND octet_length(model.text) >= 0
            LEFT JOIN main.name AS branch ON branch.id = block.branch AND octet_length(branch.text) >= 0",
    },
    View {
        name: "tool_calls",
        meaning: "A call of a tool, with its answer",
        columns: &[
            SESSION,
            AGENT,
            column("tool", "The tool", Text("tool.text")),
            column("time", "When it was called", Moment("block.time")),
            column("answered", "When it answered; NULL if it did not", Moment(ANSWERED)),
            column(
                "seconds",
                "How long that took",
                Plain("round(({answered} - block.time) / 1000.0, 3)"),
            ),
            column(
                "is_error",
                "1 if it says that it failed; NULL without an answer",
                Plain(
                    "(SELECT answer.what & 1 FROM main.block AS answer
                    JOIN {file} AS place ON place.id = answer.file
                    WHERE answer.call = block.call AND answer.what & {roles} = {tool_result}
                    AND place.session IS file.session ORDER BY answer.time LIMIT 1)",
                ),
            ),
            PATH,
            column("line", "Its line in the file", Plain("block.line")),
            column("prompt", "The number of the prompt it belongs to", Plain("block.prompt")),
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
            AGENT,
            column("file", "The file, as the call named it", Text("path.text")),
            column("operation", "read, create, change", Plain("touch.operation")),
            column("added", "How many lines were added", Plain("touch.added")),
            column("removed", "How many lines were removed", Plain("touch.removed")),
            column("time", "When", Moment("touch.time")),
            column("prompt", "The number of the prompt it belongs to", Plain("touch.prompt")),
        ],
        source: "main.touch AS touch
            JOIN {file} AS file ON file.id = touch.file AND file.is_double = 0
            JOIN main.name AS path ON path.id = touch.path AND octet_length(path.text) >= 0",
    },
    View {
        name: "commits",
        meaning: "A commit that a session made",
        columns: &[
            SESSION,
            column("hash", "Its hash, as git told it", Text("deed.name")),
            column("branch", "Its branch", Text("deed.branch")),
            column("subject", "The first line of its message", Text("deed.subject")),
            column("time", "When", Moment("deed.time")),
            column("prompt", "The number of the prompt it belongs to", Plain("deed.prompt")),
        ],
        source: "main.deed AS deed
            JOIN {file} AS file ON file.id = deed.file AND file.is_double = 0
            WHERE deed.kind = 'commit'",
    },
    View {
        name: "pull_requests",
        meaning: "A pull request that a session made or was linked to, each time it was named",
        columns: &[
            SESSION,
            column("number", "Its number", Plain("CAST(deed.name AS INTEGER)")),
            column("url", "Its address", Text("deed.url")),
            column("time", "When", Moment("deed.time")),
            column("prompt", "The number of the prompt it belongs to", Plain("deed.prompt")),
        ],
        source: "main.deed AS deed
            JOIN {file} AS file ON file.id = deed.file AND file.is_double = 0
            WHERE deed.kind = 'pull_request'",
    },
    View {
        name: "calls",
        meaning: "An API call, counted once, as annals usage counts; those of deleted \
                  transcripts that the ledger remembers included",
        columns: &[
            column("id", "The API response's id", Plain("call.id")),
            column("session_id", "The session's id", Plain("call.session")),
            column(
                "project",
                "The session's project, or else the working directory",
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
            column("agent_type", "Its type, where its lines name one", Plain("call.agent_type")),
            column("time", "When it began", Moment("call.time")),
            column("input_tokens", "Prompt tokens outside the cache", Plain("call.input")),
            column("output_tokens", "Tokens answered, thoughts included", Plain("call.output")),
            column("thinking_tokens", "Those of them that were thought", Plain("call.thinking")),
            column(
                "cache_write_5m",
                "Tokens written to the cache for five minutes",
                Plain("call.write_5m"),
            ),
            column(
                "cache_write_1h",
                "Tokens written to the cache for an hour",
                Plain("call.write_1h"),
            ),
            column("cache_read", "Tokens read from the cache", Plain("call.read")),
            column("web_searches", "Web searches", Plain("call.web_searches")),
            column(
                "cost_usd",
                "What the API would ask, in US dollars; NULL without a price",
                Plain("call.cost"),
            ),
            column("is_sidechain", "1 if a sub-agent made it", Plain("call.is_sidechain")),
        ],
        source: "{call} AS call WHERE call.id >= ''",
    },
];

/// What the tables and views behind the public ones are called: a query could
/// give the name of a view to an expression of its own, and would be taken for
/// it, if it knew that name.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    prefix: String,
}

impl Behind {
    pub(crate) fn new() -> Result<Behind, IndexError> {
        let random = store::random_bytes()
            .map_err(|error| IndexError::Other(format!("no random bytes for a query: {error}")))?;
        Ok(Behind { prefix: format!("behind_{:032x}_", u128::from_be_bytes(random)) })
    }

    /// Whether a name is one of these.
    pub(crate) fn holds(&self, name: &str) -> bool {
        name.starts_with(&self.prefix)
    }

    /// The files that are shown, and whether they are doubles.
    pub(crate) fn shown(&self) -> String {
        format!("{}shown", self.prefix)
    }

    /// The API calls.
    pub(crate) fn call(&self) -> String {
        format!("{}call", self.prefix)
    }

    fn file(&self) -> String {
        format!("{}file", self.prefix)
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{answered}", ANSWERED)
            .replace("{file}", &format!("temp.{}", self.file()))
            .replace("{call}", &format!("temp.{}", self.call()))
            .replace("{roles}", &ROLES.to_string())
            .replace("{tool_use}", &role_number(Role::ToolUse).to_string())
            .replace("{tool_result}", &role_number(Role::ToolResult).to_string())
    }

    fn value(&self, value: Value) -> String {
        match value {
            Plain(text) => self.filled(text),
            Text(text) => {
                format!("iif(octet_length({text}) <= {LONGEST_VALUE}, {text}, NULL)")
            }
            Moment(text) => moment(&self.filled(text), "1000.0"),
            Modified(text) => moment(text, "1000000000.0"),
            Value::Role(text) => {
                cases(text, ROLES, Role::ALL.map(|role| (role_number(role), role.name())))
            }
            Value::Kind(text) => {
                cases(text, KINDS, Kind::ALL.map(|kind| (kind_number(kind), kind.name())))
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
        format!("SELECT {} FROM {}", columns.join(",\n"), self.filled(view.source))
    }
}

/// The bits of a packed number that hold the role, and those that hold the kind.
const ROLES: i64 = 15 << 4;
const KINDS: i64 = 15 << 8;

fn role_number(role: Role) -> i64 {
    What { role, kind: Kind::ALL[0], is_error: false, is_agent: false }.number() & ROLES
}

fn kind_number(kind: Kind) -> i64 {
    What { role: Role::ALL[0], kind, is_error: false, is_agent: false }.number() & KINDS
}

fn moment(number: &str, unit: &str) -> String {
    format!("strftime('%Y-%m-%dT%H:%M:%fZ', {number} / {unit}, 'unixepoch')")
}

fn cases<const N: usize>(number: &str, bits: i64, names: [(i64, &str); N]) -> String {
    let cases = names.map(|(number, name)| format!("WHEN {number} THEN '{name}'")).join(" ");
    format!("CASE {number} & {bits} {cases} END")
}

/// Makes the views of a connection, and the empty tables behind them.
pub(crate) fn make(connection: &Connection, behind: &Behind) -> rusqlite::Result<()> {
    let (shown, call, file) = (behind.shown(), behind.call(), behind.file());
    connection.execute_batch(&format!(
        "CREATE TEMP TABLE {shown} (id INTEGER PRIMARY KEY, is_double INTEGER NOT NULL);
         CREATE TEMP TABLE {call} (
           id TEXT NOT NULL, session TEXT, cwd TEXT, branch TEXT, model TEXT, agent TEXT,
           agent_type TEXT, time INTEGER, input INTEGER, output INTEGER, thinking INTEGER,
           write_5m INTEGER, write_1h INTEGER, read INTEGER, web_searches INTEGER, cost REAL,
           is_sidechain INTEGER);
         CREATE TEMP VIEW {file} AS SELECT file.*, shown.is_double AS is_double
           FROM temp.{shown} AS shown JOIN main.file AS file ON file.id = shown.id
           AND file.kind >= '';"
    ))?;
    for view in VIEWS {
        let own = format!("{}{}", behind.prefix, view.name);
        connection.execute_batch(&format!(
            "CREATE TEMP VIEW {own} AS {};
             CREATE TEMP VIEW {} AS SELECT * FROM temp.{own};",
            behind.select(view),
            view.name
        ))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_come_out_as_they_went_in() {
        let connection = Connection::open_in_memory().unwrap();
        let behind = Behind::new().unwrap();
        let (role_of, kind_of) = (behind.value(Value::Role("?1")), behind.value(Value::Kind("?1")));
        for role in Role::ALL {
            for kind in Kind::ALL {
                let what = What { role, kind, is_error: true, is_agent: true };
                let sql = format!("SELECT {role_of}, {kind_of}");
                let (one, two): (String, String) = connection
                    .query_row(&sql, [what.number()], |row| Ok((row.get(0)?, row.get(1)?)))
                    .unwrap();
                assert_eq!((one.as_str(), two.as_str()), (role.name(), kind.name()));
            }
        }
    }

    /// The meanings name every value there is.
    #[test]
    fn roles_and_kinds_are_documented() {
        let blocks = VIEWS.iter().find(|view| view.name == "blocks").unwrap();
        let words = |name: &str| -> Vec<&str> {
            let column = blocks.columns.iter().find(|column| column.name == name).unwrap();
            let words = column.meaning.split(", ");
            words.map(|word| word.split(' ').next().unwrap()).collect()
        };
        assert_eq!(words("role"), Role::ALL.map(Role::name));
        assert_eq!(words("kind"), Kind::ALL.map(Kind::name));
    }
}
