//! `annals search`: words in all text of all sessions.

mod shown;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, notice, report_read_errors};
use crate::lake_view::LakeArgs;
use crate::output::Format;
use clap::ValueEnum;
use document::answers::{self, SearchRequest, resolve_times};
use document::{HitsDocument, LakeQuestion};
use library::{Freshness, IndexError, IndexOptions, Order, Query, SearchAnswer};
use std::time::{Duration, Instant};

/// Search all sessions by words
///
/// Finds words in prompts, answers, thinking, tool calls and results, titles,
/// summaries, plans and stored tool output, of every session and sub-agent, on disk
/// or in the archive, best match first. All words must match: `word`, `wor*`, "a
/// phrase", -without, this OR that. Spelling variants of a name are the same:
/// `foo_bar`, `fooBar` and `foobar`; `src/main.rs:42` matches its words in order.
/// --limit and --offset count hits; without a terminal the default is 50. The index
/// is updated first. Exits with 1 if nothing matches.
#[derive(Debug, clap::Args)]
#[command(after_long_help = fields())]
pub(crate) struct Args {
    /// Words, "phrases", -not, OR, and fields such as tool:Bash or is:error
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    query: Vec<String>,
    /// Show hits one by one instead of by session
    #[arg(long)]
    hits: bool,
    /// Sort order
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Sort::Score)]
    sort: Sort,
    /// Show N messages before and after each hit
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Skip the first N hits; JSON output has the next value as `next`
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    #[command(flatten)]
    index: MemoryArgs,
    /// Wait until the index is complete
    #[arg(long, help_heading = "Index")]
    wait: bool,
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
}

impl Args {
    /// What a search needs of the lake.
    pub(crate) fn lake_question(&self) -> LakeQuestion {
        // A wrong query is reported when it is run.
        let query = Query::parse(&self.query.join(" ")).unwrap_or_default();
        LakeQuestion::Search { words: query.required_words() }
    }
}

/// Limits for updating the index.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct MemoryArgs {
    /// Memory limit for updating the index, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, help_heading = "Index")]
    #[arg(value_parser = clap::value_parser!(u16).range(32..))]
    memory: u16,
}

/// The sort order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Best match first
    Score,
    /// Newest first
    Time,
}

/// How long a search waits for the first build of the index.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The default number of hits.
const USUAL: usize = 50;

impl MemoryArgs {
    pub(crate) fn options(self) -> IndexOptions {
        let memory = usize::from(self.memory) << 20;
        IndexOptions { memory, patience: Duration::MAX, is_strict: false }
    }
}

fn fields() -> String {
    let mut text = "Fields (-field:… excludes matches):\n".to_owned();
    for (name, meaning) in library::FIELDS {
        text += &format!("  {:<9} {meaning}\n", format!("{name}:"));
    }
    text.trim_end().to_owned()
}

/// The names in a query that look like fields and are none. Addresses (`https://…`),
/// paths of code (`std::fs`) and quoted texts do not look like fields.
fn unknown_fields(query: &str) -> Vec<&str> {
    let mut names = Vec::new();
    // Every second part is between quotes.
    for part in query.split('"').step_by(2) {
        for word in part.split_whitespace() {
            let Some((name, value)) = word.split_once(':') else { continue };
            let name = name.strip_prefix('-').unwrap_or(name);
            let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase());
            let is_value = value.starts_with(|first: char| first.is_alphanumeric());
            let is_known = library::FIELDS.iter().any(|(known, _)| *known == name);
            if is_name && is_value && !is_known && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let started = Instant::now();
    let text = args.query.join(" ");
    let mut query = Query::parse(&text).map_err(|error| CliError::Misuse(error.to_string()))?;
    for name in unknown_fields(&text) {
        notice(&format!(
            "annals: {name}: is not a field; {name}:… is searched as words\nhint: annals search --help lists the fields; quotes search the text as it is: '\"{name}:…\"'"
        ));
    }
    let mut filter = context.filter(&args.filters)?;
    resolve_times(&mut query, &mut filter, context.now, &context.zone)?;
    let limit = match args.limit.limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None => context.output.limit(None).unwrap_or(USUAL),
    };
    context.check_data_home()?;
    let progress = context.progress("indexing");
    let mut index = args.index.options();
    if !args.wait {
        index.patience = PATIENCE;
    }
    let request = SearchRequest {
        text: &text,
        query: &query,
        filter: &filter,
        order: match args.sort {
            Sort::Score => Order::Score,
            Sort::Time => Order::Time,
        },
        offset: args.offset,
        limit,
        around: args.context,
        now: context.now,
        started,
        index,
    };
    let marks = context.marks();
    let answered =
        answers::search(&context.library, &request, marks, &progress, |answer, fresh, document| {
            let shown = progress
                .suspended(|| show(context, args, answer, fresh, document, limit == usize::MAX));
            shown.map(|()| answer.total)
        });
    let total = answered.map_err(explain)??;
    if total == 0 { Err(CliError::Silent.into()) } else { Ok(()) }
}

/// The error message for a failed index.
pub(crate) fn explain(error: IndexError) -> anyhow::Error {
    match error {
        IndexError::Query(text) => CliError::Misuse(text).into(),
        error => error.into(),
    }
}

fn show(
    context: &Context,
    args: &Args,
    answer: &SearchAnswer,
    fresh: &Freshness,
    mut document: HitsDocument<'_>,
    names_all: bool,
) -> anyhow::Result<()> {
    for hit in &mut document.hits {
        hit.command = hit.command.take().map(|command| context.in_lake(command));
    }
    report_freshness(context, fresh);
    report_read_errors(&answer.read_errors);
    match context.output.format {
        Format::Json => context.output.json(&document),
        Format::Jsonl | Format::Csv => context.output.rows(document.hits, |_| (), String::new),
        Format::Text => {
            let text = shown::text(context, args.hits, args.offset, answer, names_all);
            context.output.text(&text)
        }
    }
}

/// Reports how complete the index is.
pub(crate) fn report_freshness(context: &Context, fresh: &Freshness) {
    report_read_errors(&fresh.read_errors);
    for note in &fresh.notes {
        notice(&format!("annals: {note}"));
    }
    if !fresh.is_complete {
        let since = fresh.covered_since.map(|since| render::time::moment(since, &context.zone));
        let since = since.map(|since| format!(": it covers sessions changed since {since}"));
        let state = if fresh.is_stuck { "incomplete" } else { "being built" };
        let end = if fresh.is_stuck { "" } else { "; it is safe to interrupt" };
        notice(&format!("annals: the index is {state}{}{end}", since.unwrap_or_default()));
    }
}
