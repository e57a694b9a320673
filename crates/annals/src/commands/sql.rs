//! `annals sql`: SQL queries over the public views of the index.

mod answer;

use crate::cli::LimitArgs;
use crate::commands::search::{self, MemoryArgs};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::incomplete::gap;
use crate::lake_view::LakeArgs;
use crate::output::Format;
use answer::{Answer, Stream};
use anyhow::Context as _;
use document::{SqlColumnRowDocument, SqlSchemaDocument};
use index::{IndexError, SqlSink, VIEWS, VIEWS_VERSION};
use library::progress::CancellationToken;
use library::search::{Freshness, SqlQuery};
use std::fmt::Write as _;
use std::io::Read as _;
use std::time::Duration;

/// The longest query that is read, in bytes.
const LONGEST_QUERY: u64 = 1 << 20;

/// Query the index with SQL
///
/// Runs one SELECT over public views of sessions, blocks, tool calls, touched
/// files, commits, pull requests and API calls; --schema lists them. Queries are
/// read-only. The index does not contain the text itself: use annals search and
/// annals grep for that. Waits until the index is complete. On a terminal, the first
/// 20 rows are shown. Exits with 2 if the index could not be completed and no row is
/// found.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The query, or - to read it from standard input
    #[arg(required_unless_present = "schema")]
    query: Option<String>,
    /// Show the views and their columns
    #[arg(long, conflicts_with = "query")]
    schema: bool,
    /// Time limit for the query, in seconds
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    index: MemoryArgs,
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let Some(query) = &args.query else { return schema(context) };
    let text = if query == "-" { from_input()? } else { query.clone() };
    check_that_it_reads(&text)?;
    let fresh = refresh(context, args)?;
    let query = SqlQuery {
        text: &text,
        timeout: Duration::from_secs(args.timeout),
        token: CancellationToken::default(),
    };
    let limit = context.output.limit(args.limit.limit);
    match context.output.format {
        Format::Text | Format::Json => {
            let mut answer = Answer::new(limit);
            let fresh = ask(context, args, fresh, &query, &mut answer)?;
            answer.show(context, &fresh)?;
            check_found(context, &fresh, answer.is_empty())
        }
        Format::Jsonl | Format::Csv => {
            let mut found = (fresh.clone(), true);
            context.output.write(|out| {
                let mut stream = Stream::new(context, out, limit);
                let fresh = ask(context, args, fresh, &query, &mut stream)?;
                found = (fresh, stream.is_empty());
                stream.finish()
            })?;
            check_found(context, &found.0, found.1)
        }
    }
}

/// No row is an answer only if the index is whole.
fn check_found(context: &Context, fresh: &Freshness, is_empty: bool) -> anyhow::Result<()> {
    if is_empty && gap(context, fresh).is_some() {
        return Err(search::nothing_found(context, fresh));
    }
    Ok(())
}

/// Updates the index. If that fails, the query uses the existing index.
fn refresh(context: &Context, args: &Args) -> anyhow::Result<Freshness> {
    context.check_data_home()?;
    let progress = context.progress("indexing");
    let fresh = context.library.search().refresh_index(args.index.options(), &progress)?;
    search::report_freshness(context, &fresh);
    Ok(fresh)
}

/// Asks the index; how current it was.
fn ask(
    context: &Context,
    args: &Args,
    fresh: Freshness,
    query: &SqlQuery<'_>,
    sink: &mut dyn SqlSink,
) -> anyhow::Result<Freshness> {
    let mut answer = context.library.search().sql(fresh, query, context.library.usage(), sink);
    // Damage is noticed before the first row.
    if answer.as_ref().is_err_and(IndexError::needs_rebuild) {
        let (options, progress) = (args.index.options(), context.progress("indexing"));
        let fresh = context.library.search().refresh_whole_index(options, &progress)?;
        search::report_freshness(context, &fresh);
        answer = context.library.search().sql(fresh, query, context.library.usage(), sink);
    }
    let answer = answer.map_err(|error| match error {
        IndexError::Query(reason) => {
            let is_unknown =
                reason.starts_with("no such table") || reason.starts_with("no such column");
            let hint =
                if is_unknown { "\nhint: annals sql --schema lists views and columns" } else { "" };
            CliError::Misuse(format!("the query failed: {reason}{hint}")).into()
        }
        IndexError::TimedOut(_) => anyhow::anyhow!("{error}"),
        other => anyhow::Error::from(other),
    })?;
    let (answer, fresh) = answer.into_parts();
    report_read_errors(&answer.read_errors);
    anyhow::ensure!(answer.is_answered, "there is no index, and it could not be built");
    Ok(fresh)
}

/// Statements that do something else than to read. SQLite refuses them too, in words that
/// do not say what is allowed.
const NOT_READING: [&str; 20] = [
    "ALTER",
    "ANALYZE",
    "ATTACH",
    "BEGIN",
    "COMMIT",
    "CREATE",
    "DELETE",
    "DETACH",
    "DROP",
    "END",
    "INSERT",
    "PRAGMA",
    "REINDEX",
    "RELEASE",
    "REPLACE",
    "ROLLBACK",
    "SAVEPOINT",
    "TRUNCATE",
    "UPDATE",
    "VACUUM",
];

/// Refuses a statement that does something else than to read.
fn check_that_it_reads(query: &str) -> Result<(), CliError> {
    let word: String = query.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let word = word.to_ascii_uppercase();
    if !NOT_READING.contains(&word.as_str()) {
        return Ok(());
    }
    Err(CliError::Misuse(format!(
        "cannot run {word}: annals sql only reads\nhint: write a SELECT; annals sql --schema lists views and columns"
    )))
}

/// Reads the query from standard input.
fn from_input() -> anyhow::Result<String> {
    let mut text = String::new();
    let mut input = std::io::stdin().lock().take(LONGEST_QUERY);
    input.read_to_string(&mut text).context("cannot read the query from standard input")?;
    Ok(text)
}

fn schema(context: &Context) -> anyhow::Result<()> {
    let rows = VIEWS.iter().flat_map(|view| {
        view.columns.iter().map(|column| SqlColumnRowDocument {
            view: view.name.into(),
            column: column.name.into(),
            meaning: column.meaning.into(),
        })
    });
    let document = |_| SqlSchemaDocument::new(VIEWS_VERSION, VIEWS);
    let width = context.output.width();
    context.output.rows(rows.collect(), document, || schema_text(width))
}

/// The views for people, on a terminal of this width.
fn schema_text(width: Option<usize>) -> String {
    let first = format!("Views version {VIEWS_VERSION}. {VALUES}\n");
    let mut text = render::hanging(&first, 2, width);
    for view in VIEWS {
        let heading = format!("\n{}: {}\n", view.name, view.meaning);
        text += &render::hanging(&heading, 2, width);
        let names = view.columns.iter().map(|column| column.name.len());
        let name_width = names.max().unwrap_or_default();
        for column in view.columns {
            let line = format!("  {:name_width$}  {}\n", column.name, column.meaning);
            text += &render::hanging(&line, name_width + 2, width);
        }
    }
    text
}

const VALUES: &str = "Times are RFC 3339 in UTC; booleans are 1 and 0.";

/// The views as Markdown, for docs/sql.md.
pub(super) fn reference() -> String {
    let mut text = format!(
        "# SQL\n\nGenerated by `cargo xtask generate`.\n\n\
         `annals sql QUERY` answers one `SELECT` of SQLite over the views below: a public interface, version \
         {VIEWS_VERSION}. Columns\nmay be added to a view, none is renamed or removed without a new version. \
         {VALUES}\nThe views cover the stores that the command reads (`--root`, `--exclude`), including the \
         archive.\n\n\
         Queries are read-only and limited to the views: no other table, no `PRAGMA`, no `ATTACH`. A query \
         may take\n10 seconds (`--timeout`) and 512 MB: 320 MB in SQLite, and a result that is not streamed 32 MB as \
         it is written\n(`--jsonl` and `--csv` stream). A value has at most one mebibyte, longer text is `NULL`; a row has \
         at most eight. The\ntext of messages is not in the index: use `annals show`, `grep` and `search`.\n"
    );
    for (says, query) in EXAMPLES {
        let _ = write!(text, "\n{says}:\n\n```sql\n{query}\n```\n");
    }
    for view in VIEWS {
        let _ = write!(
            text,
            "\n## {}\n{}.\n\n| column | meaning |\n|---|---|\n",
            view.name, view.meaning
        );
        for column in view.columns {
            let _ = writeln!(text, "| `{}` | {} |", column.name, column.meaning);
        }
    }
    text
}

/// Sample queries; a test runs them.
const EXAMPLES: [(&str, &str); 3] = [
    (
        "Which tools fail most",
        "SELECT tool, count(*) AS calls, sum(is_error) AS errors, round(avg(seconds), 1) AS seconds\n\
         FROM tool_calls GROUP BY tool ORDER BY errors DESC",
    ),
    (
        "Which files were changed most, and in how many sessions",
        "SELECT file, count(DISTINCT session_id) AS sessions, sum(added) AS added, sum(removed) AS removed\n\
         FROM touches WHERE operation <> 'read' GROUP BY file ORDER BY added + removed DESC",
    ),
    (
        "What each commit's session cost",
        "SELECT commits.hash, commits.subject, (SELECT round(sum(cost_usd), 2) FROM calls\n\
         WHERE calls.session_id = commits.session_id) AS usd FROM commits ORDER BY commits.time",
    ),
];
