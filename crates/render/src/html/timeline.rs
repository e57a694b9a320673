//! A chart with a bar for each turn: its time, output tokens and cost.
//!
//! It shows numbers only; each bar links to its turn.

use super::escape::push_text;
use crate::export_document::ExportDocument;
use crate::labels::turn_facts;
use crate::milliseconds;
use usage::PicoUsd;

/// The height of a lane, and of the longest bar in it.
const LANE: u64 = 24;
const MAX_BAR: u64 = 20;

/// The unit of costs in the chart: a millionth of a dollar.
const COST_UNIT: i128 = 1_000_000;

/// The approximate width of the chart.
const WIDTH: usize = 900;
/// The smallest and the largest distance between bars.
const MIN_STEP: usize = 4;
const MAX_STEP: usize = 18;

/// Adds the chart, if there is more than one turn to compare.
pub(super) fn push_timeline(page: &mut String, export: &ExportDocument<'_>) {
    let chapter = &export.main;
    let values: Vec<[u64; 3]> = chapter
        .turns
        .iter()
        .map(|turn| {
            let cost = chapter.costs.get(&turn.number).map_or(0, |cost| cost.0.max(0) / COST_UNIT);
            [
                turn.model_ms.saturating_add(turn.tools_ms),
                turn.tokens.output,
                u64::try_from(cost).unwrap_or(u64::MAX),
            ]
        })
        .collect();
    let max = [0, 1, 2].map(|lane| values.iter().map(|value| value[lane]).max().unwrap_or(0));
    if values.len() < 2 || max == [0; 3] {
        return;
    }
    let sum =
        |lane: usize| values.iter().fold(0, |sum: u64, value| sum.saturating_add(value[lane]));
    let step = (WIDTH / values.len()).clamp(MIN_STEP, MAX_STEP);
    let width = values.len() * step;
    *page += &format!(
        "<div class=tl><svg width={width} height={} viewBox=\"0 0 {width} {}\" preserveAspectRatio=none role=group aria-label=\"Time, tokens and cost of each turn\">",
        3 * LANE,
        3 * LANE
    );
    for (at, (turn, value)) in chapter.turns.iter().zip(&values).enumerate() {
        let x = at * step;
        *page += &format!("<a href=\"#t{}\" tabindex=-1><title>", turn.number);
        let name = match turn.number {
            number if number.is_before_first_prompt() => String::new(),
            number => format!("{number} · "),
        };
        push_text(page, &(name + &turn_facts(turn, chapter, export).join(" · ")));
        *page += &format!("</title><rect class=x x={x} width={step} height={}></rect>", 3 * LANE);
        for (lane, class) in [(0, ""), (1, " class=y"), (2, " class=z")] {
            let height = scaled(value[lane], max[lane]);
            if height > 0 {
                let y = (lane as u64 + 1) * LANE - height;
                *page += &format!(
                    "<rect{class} x={} y={y} width={} height={height} rx=1></rect>",
                    x + 1,
                    step - 2
                );
            }
        }
        page.push_str("</a>");
    }
    page.push_str("</svg><ul>");
    let money = |amount: u64| crate::money(PicoUsd(i128::from(amount) * COST_UNIT));
    let shown: [&dyn Fn(u64) -> String; 3] = [&milliseconds, &crate::count, &money];
    for (lane, name) in ["Time", "Tokens out", "Cost"].into_iter().enumerate() {
        if max[lane] == 0 {
            *page += &format!("<li>{name} not recorded</li>");
            continue;
        }
        let (all, most) = (shown[lane](sum(lane)), shown[lane](max[lane]));
        *page += &format!("<li>{name} <b>{all}</b>, highest {most}</li>");
    }
    let mut numbers =
        chapter.turns.iter().map(|turn| turn.number).filter(|number| number.has_prompt());
    let first = numbers.next().unwrap_or_default();
    let last = numbers.next_back().unwrap_or(first);
    *page += &format!("</ul><p><span>turn {first}</span><span>turn {last}</span></p></div>");
}

/// The height of a bar: 0 for 0, otherwise at least 1.
fn scaled(value: u64, max: u64) -> u64 {
    if value == 0 || max == 0 {
        return 0;
    }
    let height = u128::from(value) * u128::from(MAX_BAR) / u128::from(max);
    u64::try_from(height).unwrap_or(MAX_BAR).clamp(1, MAX_BAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_to_their_values() {
        let table = [(0, 9, 0), (0, 0, 0), (1, 1_000, 1), (5, 10, 10), (10, 10, 20)];
        for (value, max, expected) in table {
            assert_eq!(scaled(value, max), expected, "{value} of {max}");
        }
        assert_eq!(scaled(u64::MAX, u64::MAX), MAX_BAR);
    }
}
