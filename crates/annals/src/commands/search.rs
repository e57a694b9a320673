//! `annals search`: words in all text of all sessions.

mod shown;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, notice, report_read_errors};
use crate::incomplete::{end_of_nothing, gap};
use crate::lake_view::LakeArgs;
use crate::output::Format;
use clap::ValueEnum;
use document::answers::{SearchRequest, resolve_times};
use document::{HitsDocument, LakeQuestion, answers};
use library::search::{Freshness, IndexError, IndexOptions, IndexWait, Order, Query, SearchAnswer};
use render::Style;
use std::time::{Duration, Instant};

/// Search all sessions by words
///
/// Finds words in prompts, answers, thinking, tool calls and results, titles,
/// summaries, plans and stored tool output, of every session and sub-agent, on disk
/// or in the archive, best match first. All words must match: `word`, `wor*`, "a
/// phrase", -without, this OR that. Spelling variants of a name are the same:
/// `foo_bar`, `fooBar` and `foobar`; `src/main.rs:42` matches its words in order.
/// --limit and --offset count hits; without a terminal the default is 50. The index
/// is updated first; on a terminal, a search that would wait long for that shows what
/// it has found so far, and the whole answer at the end. Exits with 1 if nothing
/// matches, and with 2 if nothing matches in an index that could not be completed.
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
    /// Show nothing before the index is complete, on a terminal too
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

/// How long a search on a terminal waits for the index before it shows what it has.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The default number of hits.
const USUAL: usize = 50;

impl MemoryArgs {
    pub(crate) fn options(self) -> IndexOptions {
        let memory = usize::from(self.memory) << 20;
        IndexOptions { memory, wait: IndexWait::UntilWhole }
    }
}

fn fields() -> String {
    let mut text = "Fields (-field:… excludes matches):\n".to_owned();
    for (name, meaning) in library::search::FIELDS {
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
            let is_known = library::search::FIELDS.iter().any(|(known, _)| *known == name);
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
    resolve_times(&mut query, &mut filter, context.settings.now, &context.settings.zone)?;
    let limit = match args.limit.limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None => context.output.limit(None).unwrap_or(USUAL),
    };
    context.check_data_home()?;
    let progress = context.progress("indexing");
    let mut index = args.index.options();
    let output = &context.output;
    let is_watched =
        output.is_terminal && !output.is_agent && output.format == Format::Text && !args.wait;
    if is_watched {
        index.wait = IndexWait::AnswerTwice(PATIENCE);
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
        now: context.settings.now,
        started,
        index,
    };
    let marks = context.marks();
    let mut is_second = false;
    let answered =
        answers::search(&context.library, &request, marks, &progress, |answer, fresh, document| {
            let view = AnswerView { context, args, names_all: limit == usize::MAX, is_second };
            is_second = true;
            progress.suspended(|| view.show(answer, fresh, document))?;
            if answer.total > 0 { Ok(()) } else { Err(nothing_found(context, fresh)) }
        });
    answered.map_err(explain)?
}

/// The end of a command that found nothing in the index.
pub(crate) fn nothing_found(context: &Context, fresh: &Freshness) -> anyhow::Error {
    end_of_nothing(gap(context, fresh))
}

/// The error message for a failed index.
pub(crate) fn explain(error: IndexError) -> anyhow::Error {
    match error {
        IndexError::Query(text) => CliError::Misuse(text).into(),
        error => error.into(),
    }
}

/// How an answer is shown.
struct AnswerView<'v> {
    context: &'v Context,
    args: &'v Args,
    /// Whether each hit names all sessions that have the same text.
    names_all: bool,
    /// Whether a preliminary answer stands above it.
    is_second: bool,
}

impl AnswerView<'_> {
    fn show(
        &self,
        answer: &SearchAnswer,
        fresh: &Freshness,
        mut document: HitsDocument<'_>,
    ) -> anyhow::Result<()> {
        let output = &self.context.output;
        for hit in &mut document.hits {
            hit.command = hit.command.take().map(|command| self.context.in_lake(command));
        }
        report_freshness(self.context, fresh);
        report_read_errors(&answer.read_errors);
        match output.format {
            Format::Json | Format::Jsonl | Format::Csv => {
                let hits = std::mem::take(&mut document.hits);
                output.rows(hits, |hits| HitsDocument { hits, ..document }, String::new)
            }
            Format::Text => {
                let (args, names_all) = (self.args, self.names_all);
                let is_whole = gap(self.context, fresh).is_none();
                let text = shown::text(self.context, args, is_whole, answer, names_all);
                if fresh.is_preliminary {
                    // The whole answer follows; nobody should have to leave a pager for it.
                    return output.unpaged(&text);
                }
                let title =
                    if is_whole { "With the whole index:" } else { "With all that there is:" };
                let title =
                    self.is_second.then(|| output.paint.paint(Style::Heading, title) + "\n");
                output.text(&(title.unwrap_or_default() + &text))
            }
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
        let since =
            fresh.covered_since.map(|since| render::time::moment(since, &context.settings.zone));
        let since = since.map(|since| format!(": it covers sessions changed since {since}"));
        let state = if fresh.is_preliminary { "being built" } else { "incomplete" };
        notice(&format!("annals: the index is {state}{}", since.unwrap_or_default()));
    }
    if fresh.is_preliminary {
        notice(
            "annals: the whole answer follows when the index is up to date; it is safe to interrupt",
        );
    } else if fresh.is_complete
        && let Some(gap) = fresh.gap()
    {
        notice(&format!("annals: {gap}"));
    }
}
