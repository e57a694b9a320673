//! Totals of sessions, from what the index remembers of their transcripts.

use crate::Usage;
use crate::progress::NoProgress;
use std::collections::{BTreeSet, HashMap};
use usage::{CostMode, PicoUsd, Pricer, Prices};

/// The totals of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSums {
    /// Prompts and answers: API responses, not lines.
    pub messages: u64,
    /// Prompts.
    pub turns: u64,
    /// Models that answered, including in sub-agents.
    pub models: BTreeSet<String>,
    /// Its cost at the API's prices, including agents; `None` if a model has no
    /// known price.
    pub cost: Option<PicoUsd>,
}

/// The most bytes to read only for totals.
const WORTH_READING: u64 = 32 << 20;

impl Usage<'_> {
    /// The totals of sessions by id; `None` if the index does not remember
    /// enough and too much would have to be read.
    pub fn session_sums(self) -> Option<HashMap<String, SessionSums>> {
        let known = Prices::embedded();
        let origin = self.library.sums_origin(&known);
        if let Some(sums) = origin.as_ref().and_then(|origin| self.library.stored_sums(origin)) {
            return Some(sums);
        }
        self.library.memo()?;
        let files = self.library.usage_files(&mut Vec::new());
        let unread = files.iter().filter(|file| file.remembered.is_none());
        let unread: u64 = unread.map(|file| file.bytes).sum();
        if unread > WORTH_READING {
            return None;
        }
        let source = self.library.usage_of(files, Vec::new(), false, &NoProgress);
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let mut sums: HashMap<String, SessionSums> = HashMap::new();
        for file in source.files.iter().filter(|file| file.agent_id.is_none() && !file.is_gone) {
            if let (Some(id), Some(memo)) = (&file.session_id, self.library.remembered_usage(file))
            {
                let own = sums.entry(id.clone()).or_insert_with(SessionSums::nothing);
                // Copies of a transcript repeat its prompts.
                own.turns = own.turns.max(memo.prompts);
            }
        }
        for call in &source.calls.calls {
            let Some(own) = source.session_id(call).and_then(|id| sums.get_mut(id)) else {
                continue;
            };
            let is_own = source.file(call).is_some_and(|file| file.agent_id.is_none());
            own.messages += u64::from(is_own && !call.is_sidechain && !call.is_advisor_call);
            let model = source.calls.names.get(call.model).filter(|model| !model.is_empty());
            own.models.extend(model.filter(|model| *model != "<synthetic>").map(str::to_owned));
            let cost = pricer.cost(call, &source.calls.names);
            // A call that used nothing costs nothing, whatever the model.
            let cost = cost.total.or((call.counters.total() == 0).then_some(PicoUsd::ZERO));
            own.cost = own.cost.zip(cost).map(|(sum, cost)| sum.plus(cost));
        }
        for own in sums.values_mut() {
            own.messages += own.turns;
        }
        if let Some(origin) = origin.filter(|_| unread == 0) {
            self.library.store_sums(&origin, &sums);
        }
        Some(sums)
    }
}

impl SessionSums {
    fn nothing() -> SessionSums {
        SessionSums { cost: Some(PicoUsd::ZERO), ..SessionSums::default() }
    }
}
