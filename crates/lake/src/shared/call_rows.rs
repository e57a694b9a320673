//! API calls as rows.

use crate::names::{Month, SessionId};
use crate::rows::{CallRow, Rows};
use crate::segment::{Entry, Piece};
use crate::shared::claims::Claims;
use crate::shared::line_rows::Months;
use library::UsageSource;
use usage::{Call, CostMode, Pricer, Prices};

/// Makes rows of calls.
#[derive(Debug)]
pub(crate) struct CallRows<'p> {
    source: &'p UsageSource,
    pricer: Pricer<'p>,
    rules: u32,
}

impl<'p> CallRows<'p> {
    pub(crate) fn new(source: &'p UsageSource, prices: &'p Prices, rules: u32) -> Self {
        CallRows { source, pricer: Pricer::new(prices, CostMode::Auto), rules }
    }

    pub(crate) fn row(&mut self, call: &Call, session: &SessionId, project: &str) -> CallRow {
        let names = &self.source.calls.names;
        let name = |name| names.get(name).map(str::to_owned);
        let terms = call.terms.as_deref();
        let counters = &call.counters;
        CallRow {
            session_id: session.to_string(),
            app: "claude".to_owned(),
            project: project.to_owned(),
            id: call.id.to_string(),
            request_id: call.request.as_deref().map(str::to_owned),
            time: call.time,
            model: name(call.model),
            input_tokens: counters.input,
            output_tokens: counters.output,
            thinking_tokens: counters.thinking,
            cache_write_5m_tokens: counters.write_5m,
            cache_write_1h_tokens: counters.write_1h,
            cache_read_tokens: counters.read,
            web_searches: counters.web_searches,
            is_fast: terms.is_some_and(|terms| terms.is_fast),
            is_us: terms.is_some_and(|terms| terms.is_us),
            is_batch: terms.is_some_and(|terms| terms.is_batch),
            unknown_tier: terms.and_then(|terms| terms.unknown_tier.clone()),
            is_advisor_call: call.is_advisor_call,
            logged_cost_pico: call.logged_cost,
            cost_pico: self.pricer.cost(call, names).total,
            app_version: name(call.attribution.version),
            rules: u64::from(self.rules),
        }
    }
}

/// What a call is known by: its ids, and its counts while they grow.
fn id_of(row: &CallRow) -> Vec<u8> {
    let mut id = row.id.clone().into_bytes();
    id.push(0);
    id.extend_from_slice(row.request_id.as_deref().unwrap_or_default().as_bytes());
    id.push(0);
    for count in [row.input_tokens, row.output_tokens, row.cache_read_tokens] {
        id.extend_from_slice(&count.to_le_bytes());
    }
    id
}

pub(crate) fn claims(rows: &[CallRow]) -> Claims {
    let mut claims = Claims::default();
    for row in rows {
        claims.add(&id_of(row));
    }
    claims
}

/// The rows that the lake lacks, by month. `rows` are in order of time.
pub(crate) fn missing(
    rows: &[CallRow],
    session: &SessionId,
    has: &[&Entry],
    rules: u32,
) -> Vec<(Month, Piece<Rows>)> {
    let claims = claims(rows);
    let covered = claims.covered(has, rules);
    let mut groups: Vec<(Month, Vec<CallRow>)> = Vec::new();
    let mut months = Months::default();
    for (row, number) in rows.iter().zip(0_u64..) {
        let month = months.next(row.time);
        if number < covered {
            continue;
        }
        match groups.last_mut() {
            Some((last, rows)) if *last == month => rows.push(row.clone()),
            _ => groups.push((month, vec![row.clone()])),
        }
    }
    let mut from = covered;
    let mut pieces = Vec::new();
    for (month, rows) in groups {
        let to = from + rows.len() as u64;
        let Some(entry) = claims.entry(session, "", from..to, rules) else { break };
        pieces.push((month, Piece { entry, rows: Rows::Calls(rows) }));
        from = to;
    }
    pieces
}
