//! The input of the status line command, as Claude Code writes it.
//!
//! Every member may be missing, null or of another type than expected; it is then
//! treated as missing.

use crate::parse_object;
use archive::{RateLimit, RateLimitWindow};
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::path::PathBuf;
use usage::PicoUsd;

/// The members that the line can show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusInput {
    pub(super) session: Option<String>,
    pub(super) transcript: Option<PathBuf>,
    pub(super) folder: Option<PathBuf>,
    pub(super) version: Option<String>,
    pub(super) model: Option<String>,
    pub(super) model_id: Option<String>,
    /// The cost of the session, as Claude Code counts it.
    pub(super) cost: Option<PicoUsd>,
    /// How many tokens are in the context.
    pub(super) context_tokens: Option<u64>,
    /// How many fit.
    pub(super) context_size: Option<u64>,
    /// How full it is.
    pub(super) context_percent: Option<f64>,
    limits: Vec<(RateLimitWindow, f64, Option<Timestamp>)>,
}

/// A member of objects in objects.
fn member<'v>(object: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let mut names = path.split('.');
    let first = object.get(names.next()?)?;
    names.try_fold(first, |value, name| value.get(name)).filter(|value| !value.is_null())
}

impl StatusInput {
    /// Reads the input. Bytes that are not a JSON object have no members.
    pub fn parse(bytes: &[u8]) -> StatusInput {
        parse_object(bytes).map(|object| StatusInput::from_object(&object)).unwrap_or_default()
    }

    fn from_object(object: &Map<String, Value>) -> StatusInput {
        let text = |path| {
            let text = member(object, path).and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let number = |path| member(object, path).and_then(Value::as_f64).filter(|it| *it >= 0.0);
        let absolute = |path| text(path).map(PathBuf::from).filter(|path| path.is_absolute());
        StatusInput {
            session: text("session_id").filter(|id| store::is_session_id(id)),
            transcript: text("transcript_path").map(PathBuf::from),
            folder: absolute("workspace.current_dir").or_else(|| absolute("cwd")),
            version: text("version"),
            model: text("model.display_name")
                .or_else(|| text("model.id"))
                .or_else(|| text("model")),
            model_id: text("model.id"),
            cost: member(object, "cost.total_cost_usd").and_then(dollars),
            context_tokens: member(object, "context_window.current_usage").and_then(tokens),
            context_size: member(object, "context_window.context_window_size")
                .and_then(whole)
                .filter(|size| *size > 0),
            context_percent: number("context_window.used_percentage")
                .or_else(|| Some(100.0 - number("context_window.remaining_percentage")?))
                .map(|percent| percent.clamp(0.0, 100.0)),
            limits: limits(object),
        }
    }

    /// How full a limit is, and when it resets. The input of an idle session may be
    /// old: after the reset nothing is known.
    pub(super) fn limit(
        &self,
        window: RateLimitWindow,
        now: Timestamp,
    ) -> Option<(f64, Option<Timestamp>)> {
        let found = self.limits.iter().find(|(own, ..)| *own == window);
        let found = found.map(|(_, percent, resets)| (*percent, *resets));
        found.filter(|(_, resets)| resets.is_none_or(|resets| resets > now))
    }

    /// The limits, as the ledger records them.
    pub(super) fn limits(&self, seen_at: Timestamp) -> Vec<RateLimit> {
        let limits = self.limits.iter().map(|(window, used_percent, resets_at)| RateLimit {
            window: *window,
            used_percent: *used_percent,
            resets_at: *resets_at,
            seen_at,
        });
        limits.collect()
    }
}

fn limits(object: &Map<String, Value>) -> Vec<(RateLimitWindow, f64, Option<Timestamp>)> {
    let windows = [RateLimitWindow::FiveHours, RateLimitWindow::SevenDays].into_iter();
    let limits = windows.filter_map(|window| {
        let limit = member(object, &format!("rate_limits.{}", window.name()))?;
        let percent = limit.get("used_percentage")?.as_f64().filter(|it| *it >= 0.0)?;
        Some((window, percent.min(1_000.0), limit.get("resets_at").and_then(time)))
    });
    limits.collect()
}

/// A count, which may be written as a float.
fn whole(value: &Value) -> Option<u64> {
    let rounded = || {
        let number = value.as_f64().filter(|number| (0.0..1e15).contains(number))?;
        format!("{number:.0}").parse().ok()
    };
    value.as_u64().or_else(rounded)
}

/// The tokens of a prompt: a number, or the counters of the last call.
fn tokens(value: &Value) -> Option<u64> {
    let Value::Object(counters) = value else { return whole(value) };
    let names = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let counts = names.iter().filter_map(|name| whole(counters.get(*name)?));
    counts.reduce(u64::saturating_add)
}

fn dollars(value: &Value) -> Option<PicoUsd> {
    let number = value.as_f64().filter(|number| (0.0..1e12).contains(number))?;
    PicoUsd::parse(&format!("{number:.12}"))
}

/// Seconds or milliseconds since the epoch, or a written time.
fn time(value: &Value) -> Option<Timestamp> {
    if let Some(text) = value.as_str() {
        return text.parse().ok();
    }
    let number = i64::try_from(whole(value)?).ok()?;
    if number > 100_000_000_000 {
        Timestamp::from_millisecond(number).ok()
    } else {
        Timestamp::from_second(number).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(value: &Value) -> StatusInput {
        StatusInput::parse(value.to_string().as_bytes())
    }

    #[test]
    fn a_member_of_another_type_counts_as_missing() {
        for broken in ["", "{", "[]", "null", "7", "\"x\"", "{\"a\":\"\\ud800\"}"] {
            assert_eq!(StatusInput::parse(broken.as_bytes()), StatusInput::default(), "{broken}");
        }
        let odd = json!({
            "session_id": 7, "transcript_path": null, "cwd": ["x"], "model": {"id": 3},
            "version": {}, "cost": {"total_cost_usd": "much"}, "workspace": "here",
            "context_window": {"context_window_size": 0, "current_usage": [], "used_percentage": "x"},
            "rate_limits": {"five_hour": {"used_percentage": null}, "seven_day": 3},
        });
        assert_eq!(parse(&odd), StatusInput::default());
        assert_eq!(parse(&json!({"session_id": "", "cwd": "relative"})), StatusInput::default());
        let negative =
            json!({"cost": {"total_cost_usd": -1}, "context_window": {"current_usage": -5}});
        assert_eq!(parse(&negative), StatusInput::default());
    }

    #[test]
    fn numbers_are_read_in_every_form() {
        let usage = json!({"input_tokens": 1, "output_tokens": 9, "cache_read_input_tokens": 20.0});
        for (usage, expected) in
            [(usage, Some(21)), (json!(84_000), Some(84_000)), (json!({}), None)]
        {
            let found = parse(&json!({"context_window": {"current_usage": usage}}));
            assert_eq!(found.context_tokens, expected);
        }
        let resets = "2026-02-01T13:12:00Z".parse().unwrap();
        for value in
            [json!(1_769_951_520), json!(1_769_951_520_000_i64), json!("2026-02-01T13:12:00Z")]
        {
            let limit = json!({"five_hour": {"used_percentage": 42, "resets_at": value}});
            let found = parse(&json!({ "rate_limits": limit }));
            let limit = |now| found.limit(RateLimitWindow::FiveHours, now);
            assert_eq!(limit(Timestamp::UNIX_EPOCH), Some((42.0, Some(resets))), "{value}");
            assert_eq!(limit(resets), None, "it has been reset");
        }
        let found = parse(&json!({"cost": {"total_cost_usd": 1.234_567}}));
        assert_eq!(found.cost, PicoUsd::parse("1.234567"));
    }
}
