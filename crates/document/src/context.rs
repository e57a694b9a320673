//! The content of the context window.

use crate::table::{Column, columns};
use crate::{Document, Keyword, MarkDocument, Moment, SessionDocument, TurnId};
use conversation::ContextUsage;
use conversation::context_usage::{
    Cache, Call, CategorySize, Contribution, Expiry, Generation, IMAGE_TOKENS, RepeatedRead, Size,
};
use library::catalog::FoundSession;
use library::sessions::LineTurns;
use library::window_limit::WindowLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the model was given. Window sizes are the API's own counts; everything called `estimated` is estimated from text.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent whose context it is; `null`: the session's own.
    pub agent_id: Option<Cow<'a, str>>,
    /// The size of the window.
    pub window: WindowDocument,
    /// How token counts were estimated.
    pub estimate: EstimateDocument,
    /// How many API calls there are.
    pub total: usize,
    /// Whether calls, or calls that found the cache expired, are left out: the web app's server gives as many as it is asked for.
    pub is_cut: bool,
    /// API calls in order, those before compactions included.
    pub calls: Vec<ContextCallDocument<'a>>,
    /// The generations.
    pub generations: Vec<ContextGenerationDocument>,
    /// What fills the window now, largest first.
    pub categories: Vec<CategoryDocument<'a>>,
    /// The ten largest items in the window.
    pub largest: Vec<ContributionDocument<'a>>,
    /// Files that were read more than once.
    pub repeated_reads: Vec<RepeatedReadDocument<'a>>,
    /// The prompt cache, over all calls.
    pub cache: CacheDocument,
}

impl Document for ContextDocument<'_> {
    const SCHEMA: &'static str = "annals/context/1";
    const COMMAND: &'static str = "`annals context`";
    const ROWS: Option<&'static str> = Some("calls");
    const COLUMNS: &'static [Column] = &columns([
        "index",
        "timestamp",
        "model",
        "generation",
        "window_tokens",
        "limit_tokens",
        "input_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "output_tokens",
        "cache_hit_rate",
        "line",
        "turn",
        "message_id",
    ]);
}

/// An API call.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextCallDocument<'a> {
    /// Its number, from 1.
    pub index: u64,
    /// The id of the response.
    pub message_id: Option<Cow<'a, str>>,
    /// Its line in the transcript.
    pub line: u64,
    /// The turn it is in, as in `annals show`.
    pub turn: Option<TurnId>,
    /// When the response came.
    pub timestamp: Option<Moment>,
    /// The model.
    pub model: Option<Cow<'a, str>>,
    /// The generation, from 1.
    pub generation: usize,
    /// How many requests the call took; the window is that of the last one.
    pub requests: u64,
    /// The size of the window: `input_tokens` + `cache_read_tokens` + `cache_write_tokens`.
    pub window_tokens: u64,
    /// The largest window of the call's model; `null` if unknown.
    pub limit_tokens: Option<u64>,
    /// Input that was not cached.
    pub input_tokens: u64,
    /// Input read from the prompt cache.
    pub cache_read_tokens: u64,
    /// Input written to the prompt cache.
    pub cache_write_tokens: u64,
    /// The part of that which is cached for an hour.
    pub cache_write_1h_tokens: u64,
    /// Output.
    pub output_tokens: u64,
    /// The share of the window that was read from the cache.
    pub cache_hit_rate: Option<f64>,
}

/// The size of the window.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WindowDocument {
    /// Tokens at the last call.
    pub last_tokens: u64,
    /// Whether the last compaction came after the last call.
    pub is_compacted_since: bool,
    /// Tokens at the largest call.
    pub peak_tokens: u64,
    /// The largest window of the model of the last call: as the transcript says, else as Claude Code has it for that model; `null` if unknown.
    pub limit_tokens: Option<u64>,
    /// The same of the model of the largest call.
    pub peak_limit_tokens: Option<u64>,
}

/// How token counts were estimated.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EstimateDocument {
    /// The estimated tokens of all categories together.
    pub tokens: u64,
    /// Characters per token.
    pub characters_per_token: f64,
    /// Whether that was measured on this session; 4 otherwise.
    pub is_measured: bool,
    /// What an image counts as.
    pub image_tokens: u64,
}

/// The span between two compactions.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextGenerationDocument {
    /// Its number, from 1.
    pub number: usize,
    /// API calls.
    pub calls: u64,
    /// The largest window.
    pub peak_window_tokens: u64,
    /// The last window.
    pub last_window_tokens: u64,
}

/// One kind of content in the window.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CategoryDocument<'a> {
    /// `system_and_memory`, `prompts`, `assistant_text`, `thinking`, `tool_inputs`, `tool_results`, `attachments`, `images`, `compact_summaries`.
    pub category: Keyword,
    /// Estimated tokens.
    pub estimated_tokens: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Items.
    pub count: u64,
    /// The share of all estimated tokens.
    pub share: Option<f64>,
    /// The same by tool or by type of attachment. The parts `system_prompt` and `tools` are the newest that the transcript has; `not_in_transcript` is the rest of the first window: memory files, and system prompt and tools where the transcript has none.
    pub parts: Vec<CategoryPartDocument<'a>>,
}

/// A part of a category.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CategoryPartDocument<'a> {
    /// The tool or the type of attachment.
    pub name: Cow<'a, str>,
    /// Estimated tokens.
    pub estimated_tokens: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Items.
    pub count: u64,
}

/// An item in the window.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContributionDocument<'a> {
    /// Its category.
    pub category: Keyword,
    /// The tool or the type of attachment.
    pub name: Option<Cow<'a, str>>,
    /// The item in one line.
    pub label: Cow<'a, str>,
    /// Its line in the transcript.
    pub line: u64,
    /// The turn it is in, as in `annals show`.
    pub turn: Option<TurnId>,
    /// Bytes of text.
    pub bytes: u64,
    /// Estimated tokens.
    pub estimated_tokens: u64,
}

/// A file that was read more than once.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepeatedReadDocument<'a> {
    /// The file.
    pub path: Cow<'a, str>,
    /// How often it was read.
    pub reads: u64,
    /// Reads that a later read of the same part, or of the whole file, makes redundant.
    pub repeated: u64,
    /// Bytes of these.
    pub repeated_bytes: u64,
    /// Estimated tokens of these.
    pub repeated_estimated_tokens: u64,
}

/// The prompt cache, over all calls.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CacheDocument {
    /// The share of input that was read from the cache.
    pub hit_rate: Option<f64>,
    /// Input read from the cache.
    pub read_tokens: u64,
    /// Input written to the cache.
    pub write_tokens: u64,
    /// Input that was not cached.
    pub input_tokens: u64,
    /// Calls that read less than half of the window before.
    pub expiries: Vec<ExpiryDocument>,
}

/// A call that found most of the cache expired.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExpiryDocument {
    /// The call's number.
    pub call: usize,
    /// Its line in the transcript.
    pub line: u64,
    /// The turn it is in, as in `annals show`.
    pub turn: Option<TurnId>,
    /// When the response came.
    pub timestamp: Option<Moment>,
    /// Milliseconds since the call before.
    pub gap_ms: Option<i64>,
    /// `idle`, `model_change`, `compaction`, or `changed`: something earlier in the context changed.
    pub cause: Keyword,
    /// The window of the call before.
    pub previous_window_tokens: u64,
    /// What this call read from the cache.
    pub cache_read_tokens: u64,
    /// What this call paid for in full.
    pub written_tokens: u64,
}

impl<'a> ContextCallDocument<'a> {
    /// The call with this number, of a transcript with these turns and windows.
    pub fn new(call: &'a Call, index: u64, turns: &LineTurns, limits: &WindowLimits<'_>) -> Self {
        ContextCallDocument {
            index,
            message_id: call.message_id.as_deref().map(Cow::from),
            line: call.line,
            turn: turns.at_line(call.line).map(TurnId),
            timestamp: call.timestamp.map(Moment),
            model: call.model.as_deref().map(Cow::from),
            generation: call.generation + 1,
            requests: call.requests,
            window_tokens: call.window(),
            limit_tokens: limits.of(call),
            input_tokens: call.input_tokens,
            cache_read_tokens: call.cache_read_tokens,
            cache_write_tokens: call.cache_write_tokens,
            cache_write_1h_tokens: call.cache_write_1h_tokens,
            output_tokens: call.output_tokens,
            cache_hit_rate: call.hit_rate().map(rounded),
        }
    }
}

impl<'a> ContextDocument<'a> {
    /// The context of a session or sub-agent, with its calls.
    pub fn new(
        found: &'a FoundSession,
        marks: Vec<MarkDocument>,
        anatomy: &'a ContextUsage,
        calls: Vec<ContextCallDocument<'a>>,
        turns: &LineTurns,
        limits: &WindowLimits<'_>,
    ) -> Self {
        let whole = anatomy.estimated_tokens();
        ContextDocument {
            schema: Self::SCHEMA.into(),
            session: SessionDocument::new(&found.session, marks),
            agent_id: found.agent.as_ref().map(|agent| agent.id.as_str().into()),
            window: WindowDocument {
                last_tokens: anatomy.last_window(),
                is_compacted_since: anatomy.is_compacted_since(),
                peak_tokens: anatomy.peak_window(),
                limit_tokens: anatomy.calls.last().and_then(|call| limits.of(call)),
                peak_limit_tokens: anatomy.peak_call().and_then(|call| limits.of(call)),
            },
            estimate: EstimateDocument {
                tokens: whole,
                characters_per_token: rounded(anatomy.characters_per_token),
                is_measured: anatomy.is_measured,
                image_tokens: IMAGE_TOKENS,
            },
            total: anatomy.calls.len(),
            is_cut: calls.len() < anatomy.calls.len(),
            calls,
            generations: anatomy.generations.iter().zip(1..).map(generation).collect(),
            categories: anatomy.categories.iter().map(|size| category(size, whole)).collect(),
            largest: anatomy.largest.iter().map(|own| contribution(own, turns)).collect(),
            repeated_reads: anatomy.repeated_reads.iter().map(repeated_read).collect(),
            cache: cache(&anatomy.cache, turns),
        }
    }
}

fn generation((generation, number): (&Generation, usize)) -> ContextGenerationDocument {
    ContextGenerationDocument {
        number,
        calls: generation.calls,
        peak_window_tokens: generation.peak_window,
        last_window_tokens: generation.last_window,
    }
}

fn category(category: &CategorySize, whole: u64) -> CategoryDocument<'_> {
    let Size { count, bytes, tokens } = category.size;
    let parts = category.parts.iter().map(|(name, size)| CategoryPartDocument {
        name: Cow::from(&**name),
        estimated_tokens: size.tokens,
        bytes: size.bytes,
        count: size.count,
    });
    CategoryDocument {
        category: category.category.name().into(),
        estimated_tokens: tokens,
        bytes,
        count,
        share: (whole > 0).then(|| rounded(share(tokens, whole))),
        parts: parts.collect(),
    }
}

fn contribution<'a>(contribution: &'a Contribution, turns: &LineTurns) -> ContributionDocument<'a> {
    ContributionDocument {
        category: contribution.category.name().into(),
        name: contribution.name.as_deref().map(Cow::from),
        label: contribution.label.as_str().into(),
        line: contribution.line,
        turn: turns.at_line(contribution.line).map(TurnId),
        bytes: contribution.size.bytes,
        estimated_tokens: contribution.size.tokens,
    }
}

fn repeated_read(read: &RepeatedRead) -> RepeatedReadDocument<'_> {
    RepeatedReadDocument {
        path: read.path.as_str().into(),
        reads: read.reads,
        repeated: read.repeated.count,
        repeated_bytes: read.repeated.bytes,
        repeated_estimated_tokens: read.repeated.tokens,
    }
}

fn cache(cache: &Cache, turns: &LineTurns) -> CacheDocument {
    let expiry = |expiry: &Expiry| ExpiryDocument {
        call: expiry.call + 1,
        line: expiry.line,
        turn: turns.at_line(expiry.line).map(TurnId),
        timestamp: expiry.timestamp.map(Moment),
        gap_ms: expiry.gap.and_then(|gap| i64::try_from(gap.as_millis()).ok()),
        cause: expiry.cause.name().into(),
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

/// The size of the window, for people: `42,000 tokens now (4 % of 1,000,000), 90,000 at its
/// peak`. The share of the peak is said if it is of another model's window.
pub fn window_summary(usage: &ContextUsage, limits: &WindowLimits<'_>) -> String {
    let when = if usage.is_compacted_since() { "before the last compaction" } else { "now" };
    let limit_of = |call: Option<&Call>| call.and_then(|call| limits.of(call));
    let (limit, peak_limit) = (limit_of(usage.calls.last()), limit_of(usage.peak_call()));
    let share_of = |tokens: u64, limit: Option<u64>| match limit {
        Some(limit) => {
            format!(" ({} of {})", render::percent(share(tokens, limit)), render::grouped(limit))
        }
        None => String::new(),
    };
    let (last, peak) = (usage.last_window(), usage.peak_window());
    format!(
        "{} tokens {when}{}, {} at its peak{}",
        render::grouped(last),
        share_of(last, limit),
        render::grouped(peak),
        share_of(peak, peak_limit.filter(|_| peak_limit != limit)),
    )
}

/// The share of a part in a whole.
#[expect(clippy::cast_precision_loss, reason = "a share")]
pub fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// Four digits are all that a share can say.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
