//! `annals usage --heatmap`: a calendar with a cell for each day.
//!
//! A column is a week, a row a day of the week. Days are shaded by the quarter of all days
//! with usage that they belong to, so that one expensive day does not make all others look
//! alike.

use super::rows::ReportInput;
use document::answers::SortedUsageRow;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use render::{Paint, Style};
use std::collections::BTreeMap;
use usage::PicoUsd;

/// The shades, from the cheapest quarter of days to the most expensive.
const SHADES: [&str; 4] = ["░", "▒", "▓", "█"];

/// A day without usage.
const EMPTY: &str = "·";

/// The width of the names of days, and of a week. The name of a month is wider by one.
const NAMES: usize = 4;
const WEEK: usize = 2;

/// A year, and the shortest map: a few weeks would look lost.
const MOST_WEEKS: usize = 53;
const FEWEST_WEEKS: usize = 12;

/// The calendar of a daily report.
pub(super) fn calendar(input: &ReportInput<'_>, rows: &[SortedUsageRow]) -> String {
    let context = input.context;
    let today = context.settings.now.to_zoned(context.settings.zone.clone()).date();
    let filter = &input.options.filter;
    let date = |time: jiff::Timestamp| time.to_zoned(context.settings.zone.clone()).date();
    let day_of = |row: &SortedUsageRow| row.values.first()?.as_deref()?.parse::<Date>().ok();
    let has_prices = rows.iter().any(|row| row.sums.cost > PicoUsd::ZERO);
    // Without any price, days are compared by their tokens.
    let value = |row: &SortedUsageRow| {
        if has_prices { row.sums.cost.0 } else { i128::from(row.sums.counters.total()) }
    };
    let days: BTreeMap<Date, i128> =
        rows.iter().filter_map(|row| Some((day_of(row)?, value(row)))).collect();
    if days.is_empty() {
        return "No usage.\n".to_owned();
    }
    let weeks = context
        .output
        .width()
        .map_or(MOST_WEEKS, |width| (width.saturating_sub(NAMES + 1) / WEEK).clamp(1, MOST_WEEKS));
    let map = Calendar {
        shades: Shades::of(&days),
        since: filter.since.map(date),
        last: filter.until.map_or(today, |until| date(until).min(today)),
        week_start: input.options.week_start,
        weeks,
        width: context.output.width().unwrap_or(usize::MAX),
        days,
    };
    let shown = |amount: i128| {
        if has_prices {
            render::money(PicoUsd(amount))
        } else {
            format!("{} tokens", render::count(u64::try_from(amount).unwrap_or(u64::MAX)))
        }
    };
    map.text(context.output.paint, &shown)
}

/// Where the shades of days begin.
#[derive(Debug)]
struct Shades {
    /// The largest value of each shade.
    limits: [i128; 4],
}

impl Shades {
    fn of(days: &BTreeMap<Date, i128>) -> Self {
        let mut values: Vec<i128> = days.values().copied().filter(|value| *value > 0).collect();
        values.sort_unstable();
        let limits = [1, 2, 3, 4].map(|quarter| {
            let at = (values.len() * quarter).div_ceil(4);
            at.checked_sub(1).and_then(|at| values.get(at)).copied().unwrap_or(0)
        });
        Shades { limits }
    }

    fn shade(&self, value: i128) -> Option<&'static str> {
        let limit = self.limits.iter().find(|limit| value <= **limit).unwrap_or(&self.limits[3]);
        (value > 0).then(|| self.shade_to(*limit))
    }

    /// The shade up to a limit: the darkest, where few days share limits.
    fn shade_to(&self, limit: i128) -> &'static str {
        SHADES[self.limits.iter().rposition(|own| *own == limit).unwrap_or(3)]
    }

    /// The shades that occur, each with its largest value.
    fn legend(&self) -> impl Iterator<Item = (&'static str, i128)> {
        let mut limits = self.limits.to_vec();
        limits.dedup();
        limits.into_iter().map(|limit| (self.shade_to(limit), limit))
    }
}

/// The map of a span of days.
struct Calendar {
    days: BTreeMap<Date, i128>,
    shades: Shades,
    /// The first day, if the report is filtered.
    since: Option<Date>,
    last: Date,
    week_start: Weekday,
    /// How many weeks fit.
    weeks: usize,
    /// The width of the text below.
    width: usize,
}

impl Calendar {
    /// The first day of the week of a day.
    fn week_of(&self, day: Date) -> Date {
        let back = i64::from(day.weekday().since(self.week_start));
        day.checked_sub(back.days()).unwrap_or(day)
    }

    /// The first days of the weeks to show.
    fn shown_weeks(&self) -> Vec<Date> {
        let end = self.week_of(self.last);
        let first = self.days.keys().next().copied().unwrap_or(self.last).min(self.last);
        let first = self.week_of(self.since.unwrap_or(first).max(first));
        let back = |weeks: usize| {
            let weeks = i64::try_from(weeks).unwrap_or(0);
            end.checked_sub(weeks.weeks()).unwrap_or(end)
        };
        let fewest = FEWEST_WEEKS.min(self.weeks) - 1;
        let first = first.min(back(fewest)).max(back(self.weeks - 1));
        let mut weeks = vec![first];
        while let Some(next) = weeks.last().and_then(|week| week.checked_add(1.week()).ok())
            && next <= end
        {
            weeks.push(next);
        }
        weeks
    }

    fn text(&self, paint: Paint, shown: &dyn Fn(i128) -> String) -> String {
        let weeks = self.shown_weeks();
        let mut text = paint.paint(Style::Dim, &months(&weeks)) + "\n";
        for row in 0..7_i8 {
            let weekday = self.week_start.wrapping_add(row);
            let name = if row % 2 == 0 { weekday_name(weekday) } else { "" };
            let mut line = paint.paint(Style::Dim, &format!("{name:NAMES$}"));
            for week in &weeks {
                let day = week.checked_add(i64::from(row).days()).unwrap_or(*week);
                let is_shown = day <= self.last && self.since.is_none_or(|since| since <= day);
                line += &match self.days.get(&day).and_then(|value| self.shades.shade(*value)) {
                    _ if !is_shown => " ".to_owned(),
                    Some(shade) => paint.paint(Style::Good, shade),
                    None => paint.paint(Style::Dim, EMPTY),
                };
                line.push(' ');
            }
            text += &format!("{}\n", line.trim_end());
        }
        let first = weeks.first().copied().unwrap_or(self.last);
        text + "\n" + &self.legend(paint, shown) + &self.summary(first, shown)
    }

    /// The shades with their largest values, on as many lines as they need.
    fn legend(&self, paint: Paint, shown: &dyn Fn(i128) -> String) -> String {
        let mut text = format!("{} none", paint.paint(Style::Dim, EMPTY));
        let mut taken = "· none".chars().count();
        for (shade, limit) in self.shades.legend() {
            let limit = format!("to {}", shown(limit));
            let own = 4 + limit.chars().count();
            let is_next = taken + own > self.width;
            text += if is_next { "\n" } else { "  " };
            text += &format!("{} {limit}", paint.paint(Style::Good, shade));
            taken = if is_next { own - 2 } else { taken + own };
        }
        text + "\n"
    }

    fn summary(&self, first: Date, shown: &dyn Fn(i128) -> String) -> String {
        let days: Vec<(Date, i128)> =
            self.days.range(first..=self.last).map(|(day, value)| (*day, *value)).collect();
        let used = days.iter().filter(|(_, value)| *value > 0).count();
        let sum = days.iter().fold(0_i128, |sum, (_, value)| sum.saturating_add(*value));
        let most = days.iter().max_by_key(|(_, value)| *value);
        let most = most.map(|(day, value)| format!("; most on {day}: {}", shown(*value)));
        let summary = format!(
            "{} with usage since {}, {} in all{}.",
            render::counted(used, "day"),
            self.since.unwrap_or(first).max(first),
            shown(sum),
            most.unwrap_or_default()
        );
        render::wrapped(&summary, self.width).join("\n") + "\n"
    }
}

/// The names of months above the weeks in which they begin.
fn months(weeks: &[Date]) -> String {
    let mut line = " ".repeat(NAMES);
    for (at, week) in weeks.iter().enumerate() {
        let start = NAMES + at * WEEK;
        // The month of the week's last day, if it begins in this week.
        let last = week.checked_add(6.days()).unwrap_or(*week);
        let is_first = at == 0 && week.day() <= 14;
        if (last.day() <= 7 || is_first) && line.len() <= start {
            let month = if is_first { *week } else { last };
            line += &" ".repeat(start - line.len());
            line += &format!("{} ", month.strftime("%b"));
        }
    }
    line.trim_end().to_owned()
}

fn weekday_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn calendar(days: &[(&str, i128)], last: &str, weeks: usize) -> Calendar {
        let days: BTreeMap<Date, i128> =
            days.iter().map(|(text, value)| (day(text), *value)).collect();
        Calendar {
            shades: Shades::of(&days),
            since: None,
            last: day(last),
            week_start: Weekday::Monday,
            weeks,
            width: 60,
            days,
        }
    }

    fn text(calendar: &Calendar) -> String {
        calendar.text(Paint { enabled: false }, &|amount| format!("${amount}"))
    }

    #[test]
    fn days_are_shaded_by_quarters_and_placed_by_weekday() {
        let days = [
            ("2026-01-05", 1),
            ("2026-01-14", 2),
            ("2026-01-18", 3),
            ("2026-01-30", 4_000),
            ("2026-02-01", 0),
        ];
        insta::assert_snapshot!(text(&calendar(&days, "2026-02-01", 53)), @"
            Nov   Dec     Jan     Feb
        Mon · · · · · · · · ░ · · ·
            · · · · · · · · · · · ·
        Wed · · · · · · · · · ▒ · ·
            · · · · · · · · · · · ·
        Fri · · · · · · · · · · · █
            · · · · · · · · · · · ·
        Sun · · · · · · · · · ▓ · ·

        · none  ░ to $1  ▒ to $2  ▓ to $3  █ to $4000
        4 days with usage since 2025-11-10, $4006 in all; most on
        2026-01-30: $4000.
        ");
    }

    #[test]
    fn weeks_that_do_not_fit_are_left_out_at_the_beginning() {
        let days = [("2025-01-05", 1), ("2026-01-30", 2)];
        let narrow = calendar(&days, "2026-02-01", 5);
        assert_eq!(narrow.shown_weeks().first(), Some(&day("2025-12-29")));
        assert_eq!(narrow.shown_weeks().len(), 5);
        assert!(text(&narrow).contains("1 day with usage since 2025-12-29"));
        assert_eq!(calendar(&days, "2026-02-01", 53).shown_weeks().len(), 53);
        assert_eq!(calendar(&days, "2026-02-01", 1).shown_weeks(), [day("2026-01-26")]);
    }

    #[test]
    fn days_outside_the_requested_span_are_blank() {
        let mut map = calendar(&[("2026-01-28", 1), ("2026-01-30", 2)], "2026-01-31", 12);
        map.since = Some(day("2026-01-30"));
        let text = text(&map);
        let rows: Vec<&str> = text.lines().skip(1).take(7).collect();
        assert_eq!(rows[..3], ["Mon", "", "Wed"], "before the first day");
        assert!(rows[4].ends_with('█') && rows[5].ends_with('·'), "{text}");
        assert_eq!(rows[6], "Sun", "after the last day");
    }
}
