//! Totals of sessions, from what the index remembers of their transcripts.

use crate::facts::SessionSums;
use crate::progress::{NoProgress, Progress};
use crate::usage::Usage;
use ::apps::App;
use std::collections::HashMap;
use usage::{Call, Cost, CostMode, Counters, Names, PicoUsd, Pricer, Prices};

/// The most bytes to read only for totals.
const WORTH_READING: u64 = 32 << 20;

impl Usage {
    /// The totals of sessions by id, as the index remembers them; `None` if it does not
    /// remember enough and too much would have to be read.
    pub fn session_sums(&self) -> Option<HashMap<String, SessionSums>> {
        self.sums_reading(Some(WORTH_READING), &NoProgress)
    }

    /// The same totals, whether or not there is an index: reads what it does not remember.
    pub fn read_session_sums(&self, progress: &dyn Progress) -> HashMap<String, SessionSums> {
        self.sums_reading(None, progress).unwrap_or_default()
    }

    /// The totals of sessions by id; `None` if more bytes would have to be read than this.
    fn sums_reading(
        &self,
        most: Option<u64>,
        progress: &dyn Progress,
    ) -> Option<HashMap<String, SessionSums>> {
        let known = Prices::embedded();
        let origin = self.facts.sums_origin(&known);
        if let Some(sums) = origin.as_ref().and_then(|origin| self.facts.stored_sums(origin)) {
            return Some(sums);
        }
        let memo = self.memory.memo();
        let counts = memo.and_then(|memo| self.memory.index().ok()?.prompt_counts(memo).ok());
        if most.is_some() && counts.is_none() {
            return None;
        }
        let files = self.usage_files(&mut Vec::new());
        let unread = files.iter().filter(|file| file.remembered.is_none());
        let unread: u64 = unread.map(|file| file.bytes).sum();
        if most.is_some_and(|most| unread > most) {
            return None;
        }
        let source = self.usage_of(files, Vec::new(), false, progress);
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let mut sums: HashMap<String, SessionSums> = HashMap::new();
        let mut prompts: HashMap<String, u64> = HashMap::new();
        for file in source.files.iter().filter(|file| file.agent_id.is_none() && !file.is_gone) {
            let Some(id) = &file.session_id else { continue };
            let own = sums.entry(id.clone()).or_default();
            let counts = file.remembered.and_then(|number| counts.as_ref()?.get(number));
            if let Some(counts) = counts {
                // Copies of a transcript repeat its prompts.
                own.turns = own.turns.max(counts.turns);
                own.messages = Some(0);
                let prompts = prompts.entry(id.clone()).or_insert(0);
                *prompts = counts.prompts.max(*prompts);
            }
        }
        for call in &source.calls.calls {
            // Of some sessions, only agents are left, or what the ledger has of their calls.
            let Some(id) = source.session_id(call) else { continue };
            let own = match sums.get_mut(id) {
                Some(own) => own,
                None => sums.entry(id.to_owned()).or_default(),
            };
            let is_own = source.file(call).is_some_and(|file| file.agent_id.is_none());
            let is_main = is_own && !call.is_sidechain && !call.is_advisor_call;
            own.messages = own.messages.map(|messages| messages + u64::from(is_main));
            own.output_tokens = own.output_tokens.saturating_add(call.counters.output);
            if is_main {
                own.context_peak = own.context_peak.max(call.counters.prompt());
            }
            let model = source.calls.names.get(call.model).filter(|model| !model.is_empty());
            own.models.extend(model.filter(|model| *model != "<synthetic>").map(str::to_owned));
            let cost = known_cost(&pricer.cost(call, &source.calls.names), call);
            own.cost = own.cost.plus(cost);
        }
        for (id, prompts) in prompts {
            let own = sums.entry(id).or_default();
            own.messages = own.messages.map(|messages| messages + prompts);
        }
        if let Some(origin) = origin.filter(|_| unread == 0) {
            self.facts.store_sums(&origin, &sums);
        }
        Some(sums)
    }
}

/// The tokens and the cost of one session, sub-agents included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionUsage {
    /// Its tokens.
    pub tokens: Counters,
    /// The known part of its cost at the API's prices.
    pub cost: PicoUsd,
    /// The part of the cost that an app other than Claude Code reported itself.
    pub reported: PicoUsd,
    /// Whether a model has no known price.
    pub is_partial: bool,
}

impl SessionUsage {
    /// Adds a call of an app.
    fn add(&mut self, app: App, pricer: &mut Pricer<'_>, call: &Call, names: &Names) {
        self.tokens = self.tokens.plus(&call.counters);
        let cost = pricer.cost(call, names);
        if let Some(total) = cost.total.filter(|_| app != App::Claude && cost.is_logged()) {
            self.reported = self.reported.plus(total);
        }
        match known_cost(&cost, call) {
            Some(cost) => self.cost = self.cost.plus(cost),
            None => self.is_partial = true,
        }
    }
}

impl Usage {
    /// The tokens and the cost of one session, from its own files alone: calls that a
    /// fork repeats count in both. Of one of its sub-agents if that is named.
    pub fn of_session(&self, session: &str, agent: Option<&str>) -> SessionUsage {
        let mut files = self.usage_files(&mut Vec::new());
        files.retain(|file| {
            file.session_id.as_deref() == Some(session)
                && agent.is_none_or(|agent| file.agent_id.as_deref() == Some(agent))
        });
        let source = self.usage_of(files, Vec::new(), false, &NoProgress);
        let known = Prices::embedded();
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let mut usage = SessionUsage::default();
        for call in &source.calls.calls {
            let file = source.file(call);
            let is_gone_agent = || file.and_then(|file| file.agent_id.as_deref()) != agent;
            if source.session_id(call) != Some(session) || (agent.is_some() && is_gone_agent()) {
                continue;
            }
            usage.add(source.app(call), &mut pricer, call, &source.calls.names);
        }
        usage
    }
}

/// The usage of a session's own transcript, or of one of its sub-agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentUsage {
    /// Its tokens and cost.
    pub usage: SessionUsage,
    /// Its largest context window, in tokens.
    pub context_peak: u64,
}

impl Usage {
    /// The usage of one session, by sub-agent; `None` is the session itself, with the
    /// agents inside its transcript. From its own files alone: calls that a fork
    /// repeats count in both.
    pub fn of_agents(&self, session: &str) -> HashMap<Option<String>, AgentUsage> {
        let mut files = self.usage_files(&mut Vec::new());
        files.retain(|file| file.session_id.as_deref() == Some(session));
        let source = self.usage_of(files, Vec::new(), false, &NoProgress);
        let known = Prices::embedded();
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let mut usage: HashMap<Option<String>, AgentUsage> = HashMap::new();
        for call in &source.calls.calls {
            if source.session_id(call) != Some(session) {
                continue;
            }
            let agent = source.file(call).and_then(|file| file.agent_id.clone());
            let own = usage.entry(agent).or_default();
            own.usage.add(source.app(call), &mut pricer, call, &source.calls.names);
            if !call.is_advisor_call {
                own.context_peak = own.context_peak.max(call.counters.prompt());
            }
        }
        usage
    }
}

/// The cost of a call; a call that used nothing costs nothing, whatever the model.
fn known_cost(cost: &Cost, call: &Call) -> Option<PicoUsd> {
    cost.total.or((call.counters.total() == 0).then_some(PicoUsd::ZERO))
}
