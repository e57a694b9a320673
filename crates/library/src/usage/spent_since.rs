//! Spending since a moment, from what the index has committed.
//!
//! Nothing here updates the index or reads a transcript: a command that only mentions
//! the sum cannot wait for that.

use crate::usage::Usage;
use crate::usage::recent::{PricedCalls, Spending};
use jiff::Timestamp;
use usage::Fold;

impl Usage {
    /// The spending since each of these moments; `None` without an index.
    pub fn spent_since(&self, moments: &[Timestamp]) -> Option<Vec<Spending>> {
        let earliest = moments.iter().min()?;
        let files = self.recent_files(*earliest, None)?;
        let mut fold = Fold::default();
        let mut is_whole = true;
        for (number, file) in (0..).zip(&files) {
            is_whole &= fold.absorb(&file.fold, number);
        }
        let calls = fold.finish();
        let priced = PricedCalls::of(self, &calls);
        let spent = moments.iter().map(|moment| {
            let spent = priced.sum(&|call| call.time.is_some_and(|time| time >= *moment));
            Spending { is_partial: spent.is_partial || !is_whole, ..spent }
        });
        Some(spent.collect())
    }
}
