//! The usage so far of a session that is being written.

use super::event::UsageUpdate;
use super::lane::Lane;
use crate::usage::report::SYNTHETIC;
use conversation::context_usage::window_limit;
use std::sync::OnceLock;
use usage::{CostMode, FileNumber, Fold, PicoUsd, Pricer, Prices};

/// The lines of a session's API calls, folded.
#[derive(Debug, Default)]
pub(super) struct UsageTally {
    fold: Fold,
    reported: UsageUpdate,
}

impl UsageTally {
    /// The usage in the transcripts, the main one first, if it has changed.
    pub(super) fn update<'l>(
        &mut self,
        lanes: impl Iterator<Item = &'l mut Lane>,
        is_main: bool,
    ) -> Option<UsageUpdate> {
        let mut lanes: Vec<&mut Lane> = lanes.collect();
        let mut is_news = false;
        if lanes.iter().any(|lane| lane.lost_usage) {
            is_news = true;
            // A fold cannot be undone, so it starts again.
            self.fold = Fold::default();
            for lane in &mut lanes {
                lane.count_again();
            }
        }
        for (number, lane) in lanes.iter_mut().enumerate() {
            let number = FileNumber::try_from(number).unwrap_or(FileNumber::MAX);
            for line in lane.new_usage() {
                self.fold.note(number, line);
                is_news = true;
            }
        }
        let main = lanes.first().filter(|_| is_main).map(|lane| &**lane);
        // A compaction or a rewind changes the context size.
        if !is_news && self.reported.window == main.and_then(Lane::window) {
            return None;
        }
        let figures = self.figures(main);
        let before = std::mem::replace(&mut self.reported, figures);
        (before != self.reported).then(|| self.reported.clone())
    }

    /// The figures reported last.
    pub(super) fn reported(&self) -> &UsageUpdate {
        &self.reported
    }

    fn figures(&self, main: Option<&Lane>) -> UsageUpdate {
        static PRICES: OnceLock<Prices> = OnceLock::new();
        let mut pricer = Pricer::new(PRICES.get_or_init(Prices::embedded), CostMode::Auto);
        let folded = self.fold.clone().finish();
        let mut figures = UsageUpdate { cost: PicoUsd::ZERO, ..UsageUpdate::default() };
        for call in &folded.calls {
            // The app's synthetic messages are not calls.
            if folded.names.get(call.model) == Some(SYNTHETIC) {
                continue;
            }
            figures.calls += 1;
            figures.counters = figures.counters.plus(&call.counters);
            match pricer.cost(call, &folded.names).total {
                Some(cost) => figures.cost = figures.cost.plus(cost),
                // A call that used nothing costs nothing, whatever the model.
                None => figures.unpriced += u64::from(call.counters.total() > 0),
            }
        }
        if let Some(main) = main {
            let models = || main.usage().filter_map(|line| line.model.as_deref());
            let is_real = |model: &&str| *model != SYNTHETIC;
            figures.model = main
                .usage()
                .rev()
                .filter_map(|line| line.model.as_deref())
                .find(is_real)
                .map(str::to_owned);
            figures.window = main.window();
            figures.window_limit = window_limit(main.peak_window(), models());
        }
        figures
    }
}
