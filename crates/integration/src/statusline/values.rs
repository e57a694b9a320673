//! The values that a template can name.

use super::{LEDGER, StatusInput};
use archive::{Ledger, RateLimitWindow};
use conversation::ContextCall;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use library::Library;
use library::catalog::HookTranscript;
use library::usage::{RecentUsage, RecentUsageOptions, Spending};
use library::window_limit::present_window_limit;
use render::Style;
use std::path::Path;
use usage::{Budget, BudgetPeriod, BudgetUse, PicoUsd};

/// Every name that a template can use.
pub(super) const NAMES: [&str; 25] = [
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
    "budget",
    "budget_day",
    "budget_week",
    "budget_month",
    "branch",
    "folder",
    "session",
    "version",
];

/// How many cells the bar has.
const BAR: usize = 10;

/// The context of the values, besides the input.
#[derive(Clone, Copy, Debug)]
pub struct StatusContext<'c> {
    /// The stores.
    pub library: &'c Library,
    /// The data folder of annals, if known.
    pub data_home: Option<&'c Path>,
    /// The time zone of days.
    pub zone: &'c TimeZone,
    /// The configured budget.
    pub budget: Budget,
}

/// The known values, safe to print.
#[derive(Debug, Default)]
pub struct StatusValues(Vec<(&'static str, String, Style)>);

impl StatusValues {
    #[cfg(test)]
    pub(super) fn of_pairs(pairs: &[(&'static str, &str)]) -> StatusValues {
        let pairs = pairs.iter().map(|(name, text)| (*name, (*text).to_owned(), Style::Plain));
        StatusValues(pairs.collect())
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

    /// Gathers the values. Without a context, because settings are unusable, only
    /// those of the input are known.
    pub fn gather(
        input: &StatusInput,
        now: Timestamp,
        context: Option<StatusContext<'_>>,
    ) -> StatusValues {
        let mut values = StatusValues::default();
        values.set("model", Style::Strong, input.model.as_ref());
        values.set("model_id", Style::Plain, input.model_id.as_ref());
        values.set("version", Style::Dim, input.version.as_ref());
        values.set("session", Style::Id, input.session.as_deref().and_then(|id| id.get(..8)));
        let folder = input.folder.as_deref();
        let name = folder.and_then(Path::file_name).map(|name| name.to_string_lossy());
        values.set("folder", Style::Plain, name);
        values.set("branch", Style::Id, folder.and_then(store::find_branch));
        let transcript = context.zip(input.transcript.as_deref()).and_then(|(context, path)| {
            context
                .library
                .catalog()
                .hook_transcript(path)
                .ok()
                .filter(|transcript| transcript.exists)
        });
        let library = context.map(|context| context.library);
        values.set_context(input, library.zip(transcript.as_ref()));
        let limit = five_hour_limit(input, context, now);
        let resets: Vec<Timestamp> = limit.and_then(|(_, resets)| resets).into_iter().collect();
        let recent =
            context.map(|context| recent_costs(input, now, &context, transcript.as_ref(), &resets));
        let recent = recent.unwrap_or_default();
        let own = input.cost.map(render::money).or_else(|| recent.session.map(amount));
        values.set("cost", Style::Plain, own);
        values.set("today", Style::Plain, recent.today.map(amount));
        values.set_block(&recent, limit, now);
        values.set_budgets(&recent.budgets);
        let week = input.limit(RateLimitWindow::SevenDays, now);
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

    fn set_context(
        &mut self,
        input: &StatusInput,
        transcript: Option<(&Library, &HookTranscript)>,
    ) {
        let has_share = input.context_percent.is_some()
            || (input.context_tokens.is_some() && input.context_size.is_some());
        let last_call = transcript
            .filter(|_| !has_share)
            .and_then(|(library, admitted)| library.usage().last_call(&admitted.transcript));
        let last_call = last_call.as_ref();
        let tokens = input.context_tokens.or_else(|| last_call.map(ContextCall::window));
        let (chosen, used) = (input.model_id.as_deref(), tokens.unwrap_or_default());
        let size = present_window_limit(input.context_size, chosen, last_call, used);
        #[expect(clippy::cast_precision_loss, reason = "a share of a window")]
        let share = |(tokens, size): (u64, u64)| tokens as f64 * 100.0 / size as f64;
        let percent = input.context_percent.or_else(|| tokens.zip(size).map(share));
        let Some(percent) = percent else {
            self.set("context_tokens", Style::Plain, tokens.map(render::count));
            return;
        };
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
        self.set("context_size", Style::Dim, size.map(render::count));
    }

    fn set_block(&mut self, recent: &RecentUsage, limit: Limit, now: Timestamp) {
        let percent = limit.map(|(percent, _)| percent);
        let style = match percent {
            Some(85.0..) => Style::Bad,
            Some(60.0..) => Style::Warning,
            _ => Style::Plain,
        };
        let percent = percent.map(|percent| format!("{percent:.0}%"));
        let cost = recent.block.map(|block| amount(block.spent));
        let burn = recent.block.and_then(|block| block.cost_per_hour(now));
        let burn = burn.map(|burn| format!("{}/h", render::money(burn)));
        let reported = limit.and_then(|(_, resets)| left(resets?, now));
        // Where Claude Code does not report the reset, the end of the block is a guess.
        let guessed = || left(recent.block?.block.end(), now).map(|left| format!("~{left}"));
        let reset = reported.or_else(guessed);
        let parts = [percent.clone(), burn.clone(), reset.clone().map(|left| format!("↻ {left}"))];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let whole = (!parts.is_empty()).then(|| format!("5h {}", parts.join(" ")));
        self.set("block", style, whole);
        self.set("block_percent", style, percent);
        self.set("block_cost", Style::Plain, cost);
        self.set("block_burn", Style::Plain, burn);
        self.set("block_reset", Style::Plain, reset);
    }

    /// The use of each budget, and of the one that is closest to its limit.
    fn set_budgets(&mut self, budgets: &[BudgetUse]) {
        let style = |used: &BudgetUse| match (used.is_exceeded(), used.will_be_exceeded()) {
            (true, _) => Style::Bad,
            (false, true) => Style::Warning,
            (false, false) => Style::Plain,
        };
        let pressure =
            |used: &BudgetUse| used.projected_share().unwrap_or(0.0).max(used.used_share());
        let tightest = budgets.iter().max_by(|one, two| pressure(one).total_cmp(&pressure(two)));
        if let Some(used) = tightest {
            let words = format!("{} {}", used.window.period.name(), budget_words(used));
            self.set("budget", style(used), Some(words));
        }
        for used in budgets {
            let name = match used.window.period {
                BudgetPeriod::Day => "budget_day",
                BudgetPeriod::Week => "budget_week",
                BudgetPeriod::Month => "budget_month",
            };
            self.set(name, style(used), Some(budget_words(used)));
        }
    }
}

/// What of a budget is used, and what will be: `$12.30 of $20.00 → $18.40`.
fn budget_words(used: &BudgetUse) -> String {
    let sign = if used.is_partial { "≥" } else { "" };
    let limit = render::money(used.window.limit);
    // Nothing spent says nothing about the rest of the period.
    let projected = used.projected.filter(|cost| *cost > PicoUsd::ZERO);
    let projected = projected.map(|cost| format!(" → {}", render::money(cost)));
    format!("{sign}{} of {limit}{}", render::money(used.used), projected.unwrap_or_default())
}

/// How full a limit is, and when it resets.
type Limit = Option<(f64, Option<Timestamp>)>;

/// The five-hour limit: from the input, else as last recorded, if it has not been
/// reset since.
fn five_hour_limit(
    input: &StatusInput,
    context: Option<StatusContext<'_>>,
    now: Timestamp,
) -> Limit {
    let recorded = || {
        let folder = context?.data_home?.join(LEDGER);
        let limits = Ledger::last_rate_limits(&folder).into_iter();
        let mut own = limits.filter(|limit| limit.window == RateLimitWindow::FiveHours);
        let limit =
            own.next().filter(|limit| limit.resets_at.is_some_and(|resets| resets > now))?;
        Some((limit.used_percent, limit.resets_at))
    };
    input.limit(RateLimitWindow::FiveHours, now).or_else(recorded)
}

/// What was spent today, in this block and in this session.
fn recent_costs(
    input: &StatusInput,
    now: Timestamp,
    context: &StatusContext<'_>,
    transcript: Option<&HookTranscript>,
    resets: &[Timestamp],
) -> RecentUsage {
    let session = transcript.map(|transcript| transcript.id.as_str()).or(input.session.as_deref());
    let options = RecentUsageOptions {
        now,
        zone: context.zone,
        transcript: transcript.map(|transcript| transcript.transcript.as_path()),
        session,
        resets,
        budget: context.budget,
    };
    context.library.usage().recent(&options)
}

fn amount(spent: Spending) -> String {
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
