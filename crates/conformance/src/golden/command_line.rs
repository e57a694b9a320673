//! The command line: every answer in every form, and every table at two widths.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use super::stores::Program;
use super::texts::StoreTexts;

/// The widths of tables.
const WIDTHS: [&str; 2] = ["80", "120"];

/// Calls about a whole store that print tables. `--json` and `--csv` are added.
const TABLES: &[&str] = &[
    "ls",
    "ls --hidden",
    "ls --deleted",
    "ls --tool Bash",
    "projects",
    "prompts",
    "search the",
    "search the --hits",
    "search the --sort time",
    "search is:error",
    "grep fix",
    "grep --count fix",
    "files",
    "tools",
    "tools --stats",
    "tools --errors",
    "usage",
    "usage --by day",
    "usage --by model,agent",
    "usage --by project",
    "usage --by session",
    "usage --by tool",
    "usage --by app",
    "usage --by branch",
    "usage block",
    "doctor",
    "archive ls",
];

/// Other calls about a whole store.
const PLAIN: &[&str] = &["", "ls --jsonl", "search the --jsonl", "plan", "sql --schema"];

/// Calls about a session, with its id in place of `ID`, that have `--json`.
const OF_SESSION: &[&str] = &[
    "info ID",
    "show ID",
    "show ID --view all",
    "show ID --view sdk",
    "show ID --thinking --tools full --agents inline",
    "show ID --tools none --agents none",
    "show ID --agents flat",
    "show ID --last 1",
    "tree ID",
    "agents ID",
    "plan ID",
    "context ID",
    "tools ID",
    "files --session ID",
    "prompts --session ID",
    "usage ID",
    "usage ID --by model,agent",
];

/// Other calls about a session.
const OF_SESSION_PLAIN: &[&str] = &[
    "show ID --raw",
    "show ID --jsonl",
    "export ID --format md -o -",
    "export ID --format html -o -",
    "export ID --format xml -o -",
    "export ID --format json -o -",
    "export ID --format jsonl -o -",
    "export ID --format txt -o -",
    "export ID --format md --tools full --agents fold -o -",
    "export ID --format xml --view sdk -o -",
];

/// What must exist for SQL to show the same rows.
const QUERIES: &[&str] = &[
    "SELECT * FROM sessions ORDER BY 1, 2",
    "SELECT * FROM calls ORDER BY 1, 2, 3, 4",
    "SELECT tool, is_error, count(*) FROM tool_calls GROUP BY 1, 2 ORDER BY 1, 2",
];

pub(super) fn ask(
    program: &Program<'_>,
    sessions: &[String],
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let mut calls: Vec<(Vec<String>, Option<&'static str>)> = Vec::new();
    let words = |call: &str| call.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let with = |mut call: Vec<String>, option: &str| {
        call.push(option.to_owned());
        call
    };
    for call in TABLES {
        for width in WIDTHS {
            calls.push((words(call), Some(width)));
        }
        calls.push((with(words(call), "--json"), None));
        calls.push((with(words(call), "--csv"), None));
    }
    calls.extend(PLAIN.iter().map(|call| (words(call), None)));
    for query in QUERIES {
        calls.push((vec!["sql".to_owned(), (*query).to_owned(), "--json".to_owned()], None));
    }
    for id in sessions {
        for call in OF_SESSION {
            let call = words(&call.replace("ID", id));
            calls.push((call.clone(), Some(WIDTHS[0])));
            calls.push((with(call, "--json"), None));
        }
        calls.extend(OF_SESSION_PLAIN.iter().map(|call| (words(&call.replace("ID", id)), None)));
    }
    ask_all(program, &calls, texts)
}

/// Asks as many at once as there are processors.
fn ask_all(
    program: &Program<'_>,
    calls: &[(Vec<String>, Option<&'static str>)],
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((call, width)) = calls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = ask_one(program, call, *width, texts)
                        && let Ok(mut failed) = failed.lock()
                    {
                        *failed = Some(error);
                    }
                }
            });
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

fn ask_one(
    program: &Program<'_>,
    call: &[String],
    width: Option<&str>,
    texts: &StoreTexts<'_>,
) -> Result<()> {
    let surface = width.map_or("cli".to_owned(), |width| format!("cli-{width}"));
    let Some(path) = texts.path(&surface, &call.join(" ")) else { return Ok(()) };
    let call: Vec<&str> = call.iter().map(String::as_str).collect();
    let mut command = program.command(&call);
    if let Some(width) = width {
        command.env("COLUMNS", width);
    }
    texts.write_output(&path, &command.output()?)
}
