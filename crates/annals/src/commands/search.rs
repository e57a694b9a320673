//! `annals search`: words in everything that was said.

mod shown;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{Ending, say, say_troubles};
use crate::moments::Edge;
use crate::output::Format;
use clap::ValueEnum;
use document::HitsDocument;
use library::{Filter, Freshness, IndexError, IndexWish, Order, Query, SearchAnswer, SearchWish};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Find words in everything that was said
///
/// In prompts, answers, thinking, calls of tools and what they answered, titles,
/// summaries, plans, and outputs kept in files, of every session and sub-agent, on
/// disk or only kept; the best first. All words must be there: `word`, `wor*`, "a
/// phrase", -without, this OR that. Names are found however they are spelled:
/// `foo_bar`, `fooBar` and `foobar` are one, and `src/main.rs:42` is its words in
/// their order. --limit and --offset count hits; 50 are given where there is no
/// terminal. The index that answers is brought up to date first. Exit 1 if nothing is
/// found.
#[derive(Debug, clap::Args)]
#[command(after_long_help = fields())]
pub(crate) struct Args {
    /// Words, "phrases", -not, OR, and fields such as tool:Bash or is:error
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    query: Vec<String>,
    /// Show hits one by one, not by session
    #[arg(long)]
    hits: bool,
    /// What comes first
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Sort::Score)]
    sort: Sort,
    /// Show so many messages before and after each hit
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Leave out so many hits at the beginning; `next` in JSON says how many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    #[command(flatten)]
    index: MemoryArgs,
    /// Wait until the index is complete, however long that takes
    #[arg(long, help_heading = "Index")]
    wait: bool,
}

/// What bringing the index up to date may cost.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct MemoryArgs {
    /// How much memory bringing the index up to date may take, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, help_heading = "Index")]
    #[arg(value_parser = clap::value_parser!(u16).range(32..))]
    memory: u16,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// The best
    Score,
    /// The newest
    Time,
}

/// How long a first build may hold up an answer.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How many hits there are in an answer, if nobody says.
const USUAL: usize = 50;

impl MemoryArgs {
    pub(crate) fn wish(self) -> IndexWish {
        let memory = usize::from(self.memory) << 20;
        IndexWish { memory, patience: Duration::MAX, is_strict: false }
    }
}

fn fields() -> String {
    let mut text = "Fields (-field:… for what is not so):\n".to_owned();
    for (name, meaning) in library::FIELDS {
        text += &format!("  {:<9} {meaning}\n", format!("{name}:"));
    }
    text.trim_end().to_owned()
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let started = Instant::now();
    let text = args.query.join(" ");
    let mut query = Query::parse(&text).map_err(|error| Ending::Misuse(error.to_string()))?;
    let mut filter = context.filter(&args.filters)?;
    narrow(context, &mut query, &mut filter)?;
    let limit = match args.limit.limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None => context.output.limit(None).unwrap_or(USUAL),
    };
    context.check_data_home()?;
    let marked: HashSet<String> = context.marks().sessions().map(str::to_owned).collect();
    let wish = SearchWish {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: match args.sort {
            Sort::Score => Order::Score,
            Sort::Time => Order::Time,
        },
        offset: args.offset,
        limit,
        around: args.context,
        now: context.now,
    };
    let progress = context.progress("indexing");
    let mut index = args.index.wish();
    if !args.wait {
        index.patience = PATIENCE;
    }
    let answered = context.library.search(index, &wish, &progress, |answer, fresh| {
        let took = started.elapsed();
        let shown = progress.suspended(|| show(context, args, &text, &answer, fresh, took));
        shown.map(|()| answer.total)
    });
    let total = answered.map_err(explain)??;
    if total == 0 { Err(Ending::Silent.into()) } else { Ok(()) }
}

/// What went wrong with the index, for people.
pub(crate) fn explain(error: IndexError) -> anyhow::Error {
    match error {
        IndexError::Query(text) => Ending::Misuse(text).into(),
        error => error.into(),
    }
}

/// Takes out of a query what is understood here: days.
fn narrow(context: &Context, query: &mut Query, filter: &mut Filter) -> anyhow::Result<()> {
    if let Some(since) = query.take("since") {
        filter.since = context.moment(Some(&since), Edge::Start)?.max(filter.since);
    }
    if let Some(until) = query.take("until") {
        let until = context.moment(Some(&until), Edge::End)?;
        filter.until = match (filter.until, until) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
    }
    Ok(())
}

fn show(
    context: &Context,
    args: &Args,
    query: &str,
    answer: &SearchAnswer,
    fresh: &Freshness,
    took: Duration,
) -> anyhow::Result<()> {
    say_freshness(context, fresh);
    say_troubles(&answer.troubles);
    let document = HitsDocument::new(query, answer, fresh, took);
    match context.output.format {
        Format::Json => context.output.json(&document),
        Format::Jsonl | Format::Csv => context.output.rows(document.hits, |_| (), String::new),
        Format::Text => context.output.text(&shown::text(context, args.hits, args.offset, answer)),
    }
}

/// Says how far the index can be believed.
pub(crate) fn say_freshness(context: &Context, fresh: &Freshness) {
    say_troubles(&fresh.troubles);
    for note in &fresh.notes {
        say(&format!("annals: {note}"));
    }
    if !fresh.is_complete {
        let since = fresh.covered_since.map(|since| render::time::moment(since, &context.zone));
        let since = since.map(|since| format!(", so far what changed since {since}"));
        let state = if fresh.is_stuck { "not complete" } else { "being built" };
        let end = if fresh.is_stuck { "" } else { "; stopping it loses nothing" };
        say(&format!("annals: the index is {state}{}{end}", since.unwrap_or_default()));
    }
}
