//! The usage of a session: tokens and costs of it and its agents, and what fills its context
//! window.

use super::Data;
use crate::overlay::{Block, Content};
use crate::session::model::SessionModel;
use conversation::ContextUsage;
use document::answers::dearest_first;
use document::share;
use library::usage::AgentUsage;
use library::window_limit::WindowLimits;
use render::{Column, Style, Table, bar, grouped, percent};

/// How many cells bars and sparklines have.
const BAR: usize = 20;
const SPARKLINE: usize = 60;

/// The most rows of what fills the window.
const MOST_ROWS: usize = 10;

pub(super) fn content(model: &SessionModel, data: &Data<'_>) -> Content {
    let mut blocks = tokens(model, data);
    blocks.extend(context(model));
    if blocks.is_empty() {
        return Content::note("No API calls.");
    }
    Content::new(blocks)
}

/// The tokens and costs of the session and each of its agents.
fn tokens(model: &SessionModel, data: &Data<'_>) -> Vec<Block> {
    let session = model.session();
    let found = session.found();
    let usage = data.library.usage().of_agents(&found.session.id);
    let mut rows: Vec<(String, &AgentUsage)> = Vec::new();
    let own = found.agent.as_ref().map(|agent| agent.id.as_str());
    for (id, usage) in &usage {
        if own.is_some() && id.as_deref() != own {
            continue;
        }
        let name = match id {
            None => "this session".to_owned(),
            Some(id) => {
                let agent = session.agents().find(id);
                let kind = agent.and_then(|agent| agent.kind.clone()).unwrap_or_default();
                format!("⤷ {kind} {id}")
            }
        };
        rows.push((name, usage));
    }
    if rows.is_empty() {
        return Vec::new();
    }
    rows.sort_by_cached_key(|(name, own)| {
        (dearest_first(own.usage.cost, &own.usage.tokens), name.clone())
    });
    let mut table = Table::new(vec![
        Column::new("WHO").style(Style::Accent).shrinks_to(12),
        Column::new("INPUT").right().drop_order(1),
        Column::new("CACHE WRITES").right().drop_order(2),
        Column::new("CACHE READS").right().drop_order(3),
        Column::new("OUTPUT").right(),
        Column::new("COST").right(),
    ]);
    let count = rows.len();
    for (name, own) in rows {
        let tokens = &own.usage.tokens;
        let partly = if own.usage.is_partial { "+" } else { "" };
        table.row([
            name,
            grouped(tokens.input),
            grouped(tokens.write_5m.saturating_add(tokens.write_1h)),
            grouped(tokens.read),
            grouped(tokens.output),
            format!("{}{partly}", render::money(own.usage.cost)),
        ]);
    }
    let note = "Costs are estimates at the API's prices.".to_owned();
    vec![Block::Table(table, vec![None; count]), Block::Line(note, Style::Dim, None), Block::Gap]
}

/// The context window: how large it was at each call, and what fills it now.
fn context(model: &SessionModel) -> Vec<Block> {
    let usage = model.with(|_, shown| ContextUsage::of(shown.selected.conversation));
    if usage.calls.is_empty() {
        return Vec::new();
    }
    let window = document::window_summary(&usage, &WindowLimits::new(&usage.calls));
    let window = format!("Context window: {window}");
    let mut blocks = vec![Block::Line(window, Style::Heading, None)];
    if let Some(rate) = usage.cache.hit_rate() {
        let line = format!("{} of all input was read from the cache", percent(rate));
        blocks.push(Block::Line(line, Style::Dim, None));
    }
    let windows: Vec<u64> = usage.calls.iter().map(conversation::ContextCall::window).collect();
    if windows.len() > 1 {
        let line = render::sparkline(&windows, usage.peak_window(), SPARKLINE);
        blocks.push(Block::Line(line, Style::Accent, None));
    }
    let whole = usage.estimated_tokens();
    if whole == 0 {
        return blocks;
    }
    let mut table = Table::new(vec![
        Column::new("WHAT").shrinks_to(14),
        Column::new("").style(Style::Accent).drop_order(1),
        Column::new("SHARE").right(),
        Column::new("TOKENS").right(),
        Column::new("ITEMS").right().style(Style::Dim).drop_order(2),
    ]);
    let shown = usage.categories.iter().take(MOST_ROWS);
    let count = shown.len();
    for category in shown {
        let share = share(category.size.tokens, whole);
        table.row([
            category.category.name().replace('_', " "),
            bar(share, BAR),
            percent(share),
            grouped(category.size.tokens),
            category.size.count.to_string(),
        ]);
    }
    blocks.push(Block::Table(table, vec![None; count]));
    blocks.push(Block::Line(
        "Composition is estimated from the text.".to_owned(),
        Style::Dim,
        None,
    ));
    blocks
}
