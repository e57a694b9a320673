//! Counts masked secrets by kind. Callers use one report for each location they
//! want to distinguish.

use std::collections::BTreeMap;

/// How many secrets of each kind were masked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    counts: BTreeMap<&'static str, u64>,
}

impl Report {
    pub(crate) fn count(&mut self, rule: &'static str) {
        *self.counts.entry(rule).or_default() += 1;
    }

    /// Adds the counts of another report.
    pub fn merge(&mut self, other: &Self) {
        for (rule, count) in &other.counts {
            *self.counts.entry(rule).or_default() += count;
        }
    }

    /// The kinds by name, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().map(|(rule, count)| (*rule, *count))
    }

    /// The total count.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether nothing was masked.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
