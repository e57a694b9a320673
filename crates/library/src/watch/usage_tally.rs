//! The usage so far of a session that is being written.

use crate::watch::event::UsageUpdate;
use crate::watch::lane::Lane;
use crate::window_limit::{SYNTHETIC, WindowLimits};
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
            let is_real = |model: &&str| *model != SYNTHETIC;
            figures.model = main
                .usage()
                .rev()
                .filter_map(|line| line.model.as_deref())
                .find(is_real)
                .map(str::to_owned);
            figures.window = main.window();
            let limit = |call| WindowLimits::new(main.api_calls()).of(call);
            figures.window_limit = main.last_call().and_then(limit);
        }
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Line, call, chained, file, user};

    /// The used tokens and the size of the context window after these lines.
    fn window(lines: impl IntoIterator<Item = Line>) -> (Option<u64>, Option<u64>) {
        let bytes = file(&chained(lines));
        let mut lane = Lane::new(false, 0);
        for line in transcript::lines(&bytes) {
            lane.add(line);
        }
        lane.update();
        let mut tally = UsageTally::default();
        tally.update(std::iter::once(&mut lane), true);
        (tally.reported().window, tally.reported().window_limit)
    }

    #[test]
    fn window_is_that_of_the_model_of_the_last_call() {
        let by = |model: &str, tokens: u64| {
            call(&format!("{model}{tokens}"), [tokens, 1, 0, 0]).message("model", model)
        };
        let (large, small) = ("claude-opus-5-5", "claude-haiku-4-5");
        let table = [
            (vec![by(small, 90_000), by(large, 150_000)], Some(1_000_000)),
            (vec![by(large, 500_000), by(small, 90_000)], Some(200_000)),
            (vec![by(large, 500_000), by("claude-nova-7", 90_000)], None),
            (vec![by("claude-sonnet-4-5", 300_000), by("claude-sonnet-4-5", 9)], Some(1_000_000)),
            (vec![by(large, 9), by(large, 9).with("requestedModel", "other")], Some(1_000_000)),
        ];
        for (calls, expected) in table {
            let shown = format!("{calls:?}");
            let lines = std::iter::once(user("go")).chain(calls);
            assert_eq!(window(lines).1, expected, "{shown}");
        }
        assert_eq!(window([user("go")]), (None, None));
    }
}
