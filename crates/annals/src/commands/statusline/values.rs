//! What can stand in the line.

use super::told::Told;
use crate::context::Context;
use archive::{Ledger, RateLimitWindow};
use jiff::{SignedDuration, Timestamp};
use library::{Admitted, Recent, RecentWish, Spent};
use render::Style;
use std::path::Path;

/// Every name a template can have.
pub(super) const NAMES: [&str; 21] = [
    "model",
    "model_id",
    "context",
    "context_bar",
    "context_percent",
    "context_tokens",
    "context_size",
    "cost",
    "today",
    "block",
    "block_percent",
    "block_cost",
    "block_burn",
    "block_reset",
    "week",
    "week_percent",
    "week_reset",
    "branch",
    "folder",
    "session",
    "version",
];

/// How many cells the bar has.
const BAR: usize = 10;

/// How many tokens fit where nothing is said, and how many into a long context.
const USUAL: u64 = 200_000;
const LONG: u64 = 1_000_000;

/// The values that are known, harmless to show.
#[derive(Debug, Default)]
pub(super) struct Values(Vec<(&'static str, String, Style)>);

impl Values {
    #[cfg(test)]
    pub(super) fn of_pairs(pairs: &[(&'static str, &str)]) -> Values {
        let pairs = pairs.iter().map(|(name, text)| (*name, (*text).to_owned(), Style::Plain));
        Values(pairs.collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<(&str, Style)> {
        let found = self.0.iter().find(|(own, ..)| *own == name);
        found.map(|(_, text, style)| (text.as_str(), *style))
    }

    fn set(&mut self, name: &'static str, style: Style, text: Option<impl AsRef<str>>) {
        if let Some(text) = text {
            let text = render::cut(&render::untrusted::line(text.as_ref()), Some(60));
            self.0.push((name, text, style));
        }
    }

    pub(super) fn of(told: &Told, context: Option<&Context>) -> Values {
        let mut values = Values::default();
        values.set("model", Style::Strong, told.model.as_ref());
        values.set("model_id", Style::Plain, told.model_id.as_ref());
        values.set("version", Style::Dim, told.version.as_ref());
        values.set("session", Style::Id, told.session.as_deref().and_then(|id| id.get(..8)));
        let folder = told.folder.as_deref();
        let name = folder.and_then(Path::file_name).map(|name| name.to_string_lossy());
        values.set("folder", Style::Plain, name);
        values.set("branch", Style::Id, folder.and_then(store::find_branch));
        let place = context.zip(told.transcript.as_deref()).and_then(|(context, path)| {
            context.library.admit(path).ok().filter(|place| place.exists)
        });
        values.set_context(told, context.zip(place.as_ref()));
        let now = context.map_or_else(Timestamp::now, |context| context.now);
        let limit = five_hours(told, context, now);
        let resets: Vec<Timestamp> = limit.and_then(|(_, resets)| resets).into_iter().collect();
        let recent = context.map(|context| recent(told, context, place.as_ref(), &resets));
        let recent = recent.unwrap_or_default();
        let own = told.cost.map(render::money).or_else(|| recent.session.map(amount));
        values.set("cost", Style::Plain, own);
        values.set("today", Style::Plain, recent.today.map(amount));
        values.set_block(&recent, limit, now);
        let week = told.limit(RateLimitWindow::SevenDays, now);
        let percent = week.map(|(percent, _)| format!("{percent:.0}%"));
        let reset = week.and_then(|(_, resets)| left(resets?, now));
        let both = [percent.clone(), reset.clone().map(|left| format!("↻ {left}"))];
        let both: Vec<String> = both.into_iter().flatten().collect();
        let whole = week.map(|_| format!("7d {}", both.join(" ")));
        values.set("week", Style::Plain, whole);
        values.set("week_percent", Style::Plain, percent);
        values.set("week_reset", Style::Plain, reset);
        values
    }

    fn set_context(&mut self, told: &Told, transcript: Option<(&Context, &Admitted)>) {
        let last_call = || {
            transcript.and_then(|(context, place)| context.library.last_window(&place.transcript))
        };
        let tokens = match (told.context_tokens, told.context_percent) {
            (None, None) => last_call(),
            (tokens, _) => tokens,
        };
        let is_long = told.model_id.as_deref().is_some_and(|id| id.contains("[1m]"));
        let usual =
            if is_long || tokens.is_some_and(|tokens| tokens > USUAL) { LONG } else { USUAL };
        let size = told.context_size.unwrap_or(usual);
        #[expect(clippy::cast_precision_loss, reason = "a share of a window")]
        let counted = tokens.map(|tokens| tokens as f64 * 100.0 / size as f64);
        let Some(percent) = told.context_percent.or(counted) else { return };
        let style = match percent {
            ..60.0 => Style::Good,
            60.0..85.0 => Style::Warning,
            _ => Style::Bad,
        };
        let shown = format!("{percent:.0}%");
        let bar = render::bar(percent / 100.0, BAR);
        let filled = bar.chars().count();
        let bar = format!("{bar}{}", "░".repeat(BAR.saturating_sub(filled)));
        self.set("context", style, Some(&shown));
        self.set("context_percent", style, Some(&shown));
        self.set("context_bar", style, Some(bar));
        self.set("context_tokens", style, tokens.map(render::count));
        self.set("context_size", Style::Dim, Some(render::count(size)));
    }

    fn set_block(&mut self, recent: &Recent, limit: Limit, now: Timestamp) {
        let percent = limit.map(|(percent, _)| percent);
        let style = match percent {
            Some(85.0..) => Style::Bad,
            Some(60.0..) => Style::Warning,
            _ => Style::Plain,
        };
        let percent = percent.map(|percent| format!("{percent:.0}%"));
        let cost = recent.block.map(|block| amount(block.spent));
        let burn = recent.block.and_then(|block| block.an_hour(now));
        let burn = burn.map(|burn| format!("{}/h", render::money(burn)));
        let told = limit.and_then(|(_, resets)| left(resets?, now));
        // Without a word of Claude Code's, when it ends is a guess.
        let guessed = || left(recent.block?.block.end(), now).map(|left| format!("~{left}"));
        let reset = told.or_else(guessed);
        let parts = [percent.clone(), burn.clone(), reset.clone().map(|left| format!("↻ {left}"))];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let whole = (!parts.is_empty()).then(|| format!("5h {}", parts.join(" ")));
        self.set("block", style, whole);
        self.set("block_percent", style, percent);
        self.set("block_cost", Style::Plain, cost);
        self.set("block_burn", Style::Plain, burn);
        self.set("block_reset", Style::Plain, reset);
    }
}

/// How full a limit is, and when it starts again.
type Limit = Option<(f64, Option<Timestamp>)>;

/// The five-hour limit: as it is told, else as it was last noted, if it has not
/// started again since.
fn five_hours(told: &Told, context: Option<&Context>, now: Timestamp) -> Limit {
    let noted = || {
        let folder = context?.data_home().ok()?.join("ledger");
        let limits = Ledger::last_rate_limits(&folder).into_iter();
        let mut own = limits.filter(|limit| limit.window == RateLimitWindow::FiveHours);
        let limit =
            own.next().filter(|limit| limit.resets_at.is_some_and(|resets| resets > now))?;
        Some((limit.used_percent, limit.resets_at))
    };
    told.limit(RateLimitWindow::FiveHours, now).or_else(noted)
}

/// What was spent of late.
fn recent(
    told: &Told,
    context: &Context,
    place: Option<&Admitted>,
    resets: &[Timestamp],
) -> Recent {
    let session = place.map(|place| place.id.as_str()).or(told.session.as_deref());
    let wish = RecentWish {
        now: context.now,
        zone: &context.zone,
        transcript: place.map(|place| place.transcript.as_path()),
        session,
        resets,
    };
    context.library.recent(&wish)
}

fn amount(spent: Spent) -> String {
    let sign = if spent.is_partial { "≥" } else { "" };
    format!("{sign}{}", render::money(spent.cost))
}

/// How long until a moment: `1h12m`, `7m`, `3d4h`.
fn left(until: Timestamp, now: Timestamp) -> Option<String> {
    let left = until.duration_since(now);
    (left > SignedDuration::ZERO).then(|| {
        let minutes = left.as_mins().max(1);
        match minutes {
            ..60 => format!("{minutes}m"),
            60..1_440 => format!("{}h{:02}m", minutes / 60, minutes % 60),
            _ => format!("{}d{}h", minutes / 1_440, minutes % 1_440 / 60),
        }
    })
}
