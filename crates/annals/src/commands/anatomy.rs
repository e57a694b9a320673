//! `annals context`: what fills the model's context.

use crate::commands::anatomy_text;
use crate::commands::session_document::SessionDocument;
use crate::context::Context;
use crate::failure::Ending;
use crate::marks::Marks;
use crate::output::Row;
use conversation::anatomy::{
    Cache, Call, CategorySize, Contribution, Expiry, Generation, IMAGE_TOKENS, RepeatedRead, Size,
};
use conversation::{Anatomy, View};
use jiff::Timestamp;
use library::Found;
use render::json::serialize_optional_moment;
use serde::Serialize;

/// Show what fills the context window of a session
///
/// Shows the window at each API call, what it consists of, the largest items, files
/// that were read repeatedly, and where the prompt cache was lost. Window sizes
/// come from the API; their composition is estimated from the text. With --jsonl
/// and --csv, each row is an API call.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or a sub-agent
    #[arg(default_value = "@")]
    session: String,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.session)?;
    if found.path().is_none() {
        return Err(
            Ending::NotFound(format!("the transcript of {} is gone", found.session.id)).into()
        );
    }
    let session = context.library.open_session(&found)?;
    let anatomy = Anatomy::of(session.conversation(View::App));
    context.output.rows(
        anatomy.calls.iter().zip(1..).map(CallDocument::from).collect(),
        |calls| document(&found, &anatomy, calls, context.marks()),
        || anatomy_text::text(context, &found, &anatomy),
    )
}

#[derive(Serialize)]
struct CallDocument<'a> {
    index: u64,
    message_id: Option<&'a str>,
    line: u64,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
    model: Option<&'a str>,
    generation: usize,
    requests: u64,
    window_tokens: u64,
    input_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    cache_write_1h_tokens: u64,
    output_tokens: u64,
    cache_hit_rate: Option<f64>,
}

impl<'a> From<(&'a Call, u64)> for CallDocument<'a> {
    fn from((call, index): (&'a Call, u64)) -> Self {
        CallDocument {
            index,
            message_id: call.message_id.as_deref(),
            line: call.line,
            timestamp: call.timestamp,
            model: call.model.as_deref(),
            generation: call.generation + 1,
            requests: call.requests,
            window_tokens: call.window(),
            input_tokens: call.input_tokens,
            cache_read_tokens: call.cache_read_tokens,
            cache_write_tokens: call.cache_write_tokens,
            cache_write_1h_tokens: call.cache_write_1h_tokens,
            output_tokens: call.output_tokens,
            cache_hit_rate: call.hit_rate().map(rounded),
        }
    }
}

impl Row for CallDocument<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "index",
        "timestamp",
        "model",
        "generation",
        "window_tokens",
        "input_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "output_tokens",
        "cache_hit_rate",
        "line",
        "message_id",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.index.to_string(),
            self.timestamp.map(render::json::moment).unwrap_or_default(),
            self.model.unwrap_or_default().to_owned(),
            self.generation.to_string(),
            self.window_tokens.to_string(),
            self.input_tokens.to_string(),
            self.cache_read_tokens.to_string(),
            self.cache_write_tokens.to_string(),
            self.output_tokens.to_string(),
            self.cache_hit_rate.map(|rate| rate.to_string()).unwrap_or_default(),
            self.line.to_string(),
            self.message_id.unwrap_or_default().to_owned(),
        ]
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    session: SessionDocument,
    agent_id: Option<&'a str>,
    window: WindowDocument,
    estimate: EstimateDocument,
    calls: Vec<CallDocument<'a>>,
    generations: Vec<GenerationDocument>,
    categories: Vec<CategoryDocument<'a>>,
    largest: Vec<ContributionDocument<'a>>,
    repeated_reads: Vec<ReadDocument<'a>>,
    cache: CacheDocument,
}

#[derive(Serialize)]
struct WindowDocument {
    last_tokens: u64,
    is_compacted_since: bool,
    peak_tokens: u64,
    limit_tokens: Option<u64>,
}

#[derive(Serialize)]
struct EstimateDocument {
    tokens: u64,
    characters_per_token: f64,
    is_measured: bool,
    image_tokens: u64,
}

#[derive(Serialize)]
struct GenerationDocument {
    number: usize,
    calls: u64,
    peak_window_tokens: u64,
    last_window_tokens: u64,
}

#[derive(Serialize)]
struct CategoryDocument<'a> {
    category: &'static str,
    estimated_tokens: u64,
    bytes: u64,
    count: u64,
    share: Option<f64>,
    parts: Vec<PartDocument<'a>>,
}

#[derive(Serialize)]
struct PartDocument<'a> {
    name: &'a str,
    estimated_tokens: u64,
    bytes: u64,
    count: u64,
}

#[derive(Serialize)]
struct ContributionDocument<'a> {
    category: &'static str,
    name: Option<&'a str>,
    label: &'a str,
    line: u64,
    bytes: u64,
    estimated_tokens: u64,
}

#[derive(Serialize)]
struct ReadDocument<'a> {
    path: &'a str,
    reads: u64,
    repeated: u64,
    repeated_bytes: u64,
    repeated_estimated_tokens: u64,
}

#[derive(Serialize)]
struct CacheDocument {
    hit_rate: Option<f64>,
    read_tokens: u64,
    write_tokens: u64,
    input_tokens: u64,
    expiries: Vec<ExpiryDocument>,
}

#[derive(Serialize)]
struct ExpiryDocument {
    call: usize,
    line: u64,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
    gap_ms: Option<i64>,
    cause: &'static str,
    previous_window_tokens: u64,
    cache_read_tokens: u64,
    written_tokens: u64,
}

fn document<'a>(
    found: &'a Found,
    anatomy: &'a Anatomy,
    calls: Vec<CallDocument<'a>>,
    marks: &Marks,
) -> Document<'a> {
    let whole = anatomy.estimated_tokens();
    Document {
        schema: "annals/context/1",
        session: SessionDocument::new(&found.session, marks),
        agent_id: found.agent.as_ref().map(|agent| agent.id.as_str()),
        window: WindowDocument {
            last_tokens: anatomy.last_window(),
            is_compacted_since: anatomy.is_compacted_since(),
            peak_tokens: anatomy.peak_window(),
            limit_tokens: anatomy.limit(),
        },
        estimate: EstimateDocument {
            tokens: whole,
            characters_per_token: rounded(anatomy.characters_per_token),
            is_measured: anatomy.is_measured,
            image_tokens: IMAGE_TOKENS,
        },
        calls,
        generations: anatomy.generations.iter().zip(1..).map(generation).collect(),
        categories: anatomy.categories.iter().map(|size| category(size, whole)).collect(),
        largest: anatomy.largest.iter().map(contribution).collect(),
        repeated_reads: anatomy.repeated_reads.iter().map(repeated_read).collect(),
        cache: cache(&anatomy.cache),
    }
}

fn generation((generation, number): (&Generation, usize)) -> GenerationDocument {
    GenerationDocument {
        number,
        calls: generation.calls,
        peak_window_tokens: generation.peak_window,
        last_window_tokens: generation.last_window,
    }
}

fn category(category: &CategorySize, whole: u64) -> CategoryDocument<'_> {
    let Size { count, bytes, tokens } = category.size;
    let parts = category.parts.iter().map(|(name, size)| PartDocument {
        name,
        estimated_tokens: size.tokens,
        bytes: size.bytes,
        count: size.count,
    });
    CategoryDocument {
        category: category.category.name(),
        estimated_tokens: tokens,
        bytes,
        count,
        share: (whole > 0).then(|| rounded(share(tokens, whole))),
        parts: parts.collect(),
    }
}

fn contribution(contribution: &Contribution) -> ContributionDocument<'_> {
    ContributionDocument {
        category: contribution.category.name(),
        name: contribution.name.as_deref(),
        label: &contribution.label,
        line: contribution.line,
        bytes: contribution.size.bytes,
        estimated_tokens: contribution.size.tokens,
    }
}

fn repeated_read(read: &RepeatedRead) -> ReadDocument<'_> {
    ReadDocument {
        path: &read.path,
        reads: read.reads,
        repeated: read.repeated.count,
        repeated_bytes: read.repeated.bytes,
        repeated_estimated_tokens: read.repeated.tokens,
    }
}

fn cache(cache: &Cache) -> CacheDocument {
    let expiry = |expiry: &Expiry| ExpiryDocument {
        call: expiry.call + 1,
        line: expiry.line,
        timestamp: expiry.timestamp,
        gap_ms: expiry.gap.and_then(|gap| i64::try_from(gap.as_millis()).ok()),
        cause: expiry.cause.name(),
        previous_window_tokens: expiry.previous_window,
        cache_read_tokens: expiry.read_tokens,
        written_tokens: expiry.written_tokens,
    };
    CacheDocument {
        hit_rate: cache.hit_rate().map(rounded),
        read_tokens: cache.read_tokens,
        write_tokens: cache.write_tokens,
        input_tokens: cache.input_tokens,
        expiries: cache.expiries.iter().map(expiry).collect(),
    }
}

/// What of a whole a part is.
#[expect(clippy::cast_precision_loss, reason = "a share")]
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// Four digits say all that a share can.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
