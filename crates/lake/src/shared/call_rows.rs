//! API calls as rows, and what they are attributed to.

use crate::names::{Month, SessionId, Table};
use crate::rows::{AttributionRow, CallRow, Rows};
use crate::segment::{Entry, Piece};
use crate::shared::claims::Claims;
use crate::shared::names::{NameMasking, relative};
use crate::shared::records::{RecordRows, RowSource};
use library::usage::UsageSource;
use usage::{Call, CostMode, Pricer, Prices};

/// Makes rows of calls.
#[derive(Debug)]
pub(crate) struct CallRows<'p> {
    pub(crate) source: &'p UsageSource,
    pub(crate) prices: &'p Prices,
    pub(crate) names: &'p NameMasking,
    pub(crate) rules: u32,
}

/// The calls of one session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionCalls<'s> {
    pub(crate) session: &'s SessionId,
    pub(crate) project: &'s str,
    /// The folder of the project, masked.
    pub(crate) folder: &'s str,
    /// Their places in the source, in order of time.
    pub(crate) places: &'s [u32],
}

impl<'p> CallRows<'p> {
    fn calls<'s>(&self, of: &SessionCalls<'s>) -> impl Iterator<Item = &'p Call> + use<'p, 's> {
        let calls = &self.source.calls.calls;
        let places = of.places;
        places.iter().filter_map(move |place| calls.get(usize::try_from(*place).ok()?))
    }

    /// Their rows at level `usage`.
    pub(crate) fn calls_of(&self, of: &SessionCalls<'_>) -> RecordRows<CallRow> {
        let mut pricer = Pricer::new(self.prices, CostMode::Auto);
        let rows = self.calls(of).map(|call| self.call(call, of, &mut pricer));
        RecordRows { rows: rows.collect(), id: id_of_call, time: |row| row.time }
    }

    /// What they are attributed to.
    pub(crate) fn attributions_of(&self, of: &SessionCalls<'_>) -> RecordRows<AttributionRow> {
        let rows = self.calls(of).map(|call| self.attribution(call, of));
        RecordRows { rows: rows.collect(), id: id_of_attribution, time: |row| row.time }
    }

    fn call(&self, call: &Call, of: &SessionCalls<'_>, pricer: &mut Pricer<'_>) -> CallRow {
        let names = &self.source.calls.names;
        let name = |name| names.get(name).map(|name| self.names.mask(name));
        let terms = call.terms.as_deref();
        let counters = &call.counters;
        CallRow {
            session_id: of.session.to_string(),
            app: "claude".to_owned(),
            project: of.project.to_owned(),
            id: self.names.mask_once(&call.id),
            request_id: call.request.as_deref().map(request_digest),
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
            unknown_tier: terms
                .and_then(|terms| terms.unknown_tier.as_deref())
                .map(|tier| self.names.mask(tier)),
            is_advisor_call: call.is_advisor_call,
            logged_cost_pico: call.logged_cost,
            cost_pico: pricer.cost(call, names).total,
            app_version: name(call.attribution.version),
            rules: u64::from(self.rules),
        }
    }

    fn attribution(&self, call: &Call, of: &SessionCalls<'_>) -> AttributionRow {
        let all = &self.source.calls.names;
        let masked = |name| all.get(name).map(|name| self.names.mask(name));
        let own = &call.attribution;
        let mut tools = String::new();
        for (tool, count) in &call.tools {
            for _ in 0..*count {
                let name = masked(*tool).unwrap_or_default().replace(char::is_whitespace, "_");
                tools.push_str(&name);
                tools.push(' ');
            }
        }
        tools.pop();
        AttributionRow {
            session_id: of.session.to_string(),
            app: "claude".to_owned(),
            project: of.project.to_owned(),
            id: self.names.mask_once(&call.id),
            request_id: call.request.as_deref().map(request_digest),
            time: call.time,
            folder: masked(own.cwd).and_then(|cwd| relative(&cwd, of.folder)),
            branch: masked(own.branch),
            agent_id: self
                .source
                .file(call)
                .and_then(|file| file.agent_id.as_deref())
                .map(|id| self.names.mask(id)),
            agent_type: self.source.agent_type(call).map(|name| self.names.mask(name)),
            skill: masked(own.skill),
            plugin: masked(own.plugin),
            mcp_server: masked(own.mcp),
            entrypoint: masked(own.entrypoint),
            effort: masked(own.effort),
            is_sidechain: call.is_sidechain,
            tools: Some(tools).filter(|tools| !tools.is_empty()),
            rules: u64::from(self.rules),
        }
    }

    /// Whether the lake's rows are about calls that are here.
    pub(crate) fn holds(&self, table: Table, of: &SessionCalls<'_>, entry: &Entry) -> bool {
        self.claims(table, of).holds(entry)
    }

    /// Whether the lake has all rows, made by these rules or newer ones.
    pub(crate) fn is_covered(&self, table: Table, of: &SessionCalls<'_>, has: &[&Entry]) -> bool {
        let claims = self.claims(table, of);
        let source = RowSource { session: of.session, name: "", rules: self.rules };
        claims.covered(&source.own(has), self.rules) == claims.len()
    }

    fn claims(&self, table: Table, of: &SessionCalls<'_>) -> Claims {
        match table {
            Table::Calls => self.calls_of(of).claims(),
            _ => self.attributions_of(of).claims(),
        }
    }

    /// The rows that the lake lacks, by month.
    pub(crate) fn missing(
        &self,
        table: Table,
        of: &SessionCalls<'_>,
        has: &[&Entry],
    ) -> Vec<(Month, Piece<Rows>)> {
        let source = RowSource { session: of.session, name: "", rules: self.rules };
        match table {
            Table::Calls => self.calls_of(of).missing(source, table, has).0,
            _ => self.attributions_of(of).missing(source, table, has).0,
        }
    }
}

/// Tells the requests of one response apart, in a fifth of the space of their ids.
fn request_digest(request: &str) -> String {
    blake3::hash(request.as_bytes()).to_hex()[..8].to_owned()
}

/// What a call is known by: its ids, and its counts while they grow.
fn id_of_call(row: &CallRow) -> Vec<u8> {
    let mut id = ids(&row.id, row.request_id.as_deref());
    for count in [row.input_tokens, row.output_tokens, row.cache_read_tokens] {
        id.extend_from_slice(&count.to_le_bytes());
    }
    id
}

/// The tools of a call are known when its last line is written.
fn id_of_attribution(row: &AttributionRow) -> Vec<u8> {
    let mut id = ids(&row.id, row.request_id.as_deref());
    let tools = row.tools.as_deref().map_or(0, |tools| tools.split(' ').count());
    id.extend_from_slice(&tools.to_le_bytes());
    id
}

fn ids(id: &str, request: Option<&str>) -> Vec<u8> {
    let mut bytes = id.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend_from_slice(request.unwrap_or_default().as_bytes());
    bytes.push(0);
    bytes
}
