//! Which line of a transcript stands for which line of the source.

use crate::transcript_writer::source::{SourceEntry, SourceSession};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More entries of one source line are not glued together: the engine reads up to a thousand
/// records of a line, and an entry gives up to three.
const MOST_GLUED: u32 = 250;

/// More blank lines than this, over the transcripts of all sub-agents, are not written.
const MOST_AGENT_LINES: u64 = 1 << 22;

/// More lines than any session has.
const MOST_LINES: u64 = 1 << 26;

/// The numbers of lines.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The lines before each file, in order; `None` if lines are numbered as they are written.
    starts: Option<Vec<(usize, u64)>>,
    by_file: HashMap<usize, u64>,
    /// Whether entries come in the order of lines.
    pub(crate) is_sorted: bool,
    /// Whether the transcripts of sub-agents have the lines of the session.
    aligns_agents: bool,
}

impl Layout {
    pub(crate) fn new(source: &SourceSession<'_>) -> Layout {
        // The files in the order in which they begin, each with its last line.
        let mut files: Vec<(usize, u64)> = Vec::new();
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut is_plausible = true;
        for SourceEntry { entry, file, .. } in source.entries {
            let line = entry.place.line;
            is_plausible &= (1..=MOST_LINES).contains(&line) && line - 1 <= entry.place.offset;
            let number = *numbers.entry(*file).or_insert_with(|| {
                files.push((*file, 0));
                files.len() - 1
            });
            files[number].1 = files[number].1.max(line);
        }
        let mut before: u64 = 0;
        for (_, lines) in &mut files {
            let own = std::mem::replace(lines, before);
            before = before.saturating_add(own);
        }
        let by_file: HashMap<usize, u64> = files.iter().copied().collect();
        let mut layout = Layout { starts: None, by_file, is_sorted: true, aligns_agents: false };
        let lines = || source.entries.iter().map(|entry| layout.line(entry));
        let is_sorted = lines().is_sorted();
        let is_aligned =
            is_plausible && before <= MOST_LINES && most_equal(lines(), is_sorted) <= MOST_GLUED;
        layout.is_sorted = is_sorted;
        let agents = source.entries.iter().filter_map(|entry| entry.entry.agent.as_deref());
        let agents = agents.collect::<BTreeSet<_>>().len() as u64;
        layout.aligns_agents = agents.saturating_mul(before) <= MOST_AGENT_LINES;
        layout.starts = is_aligned.then_some(files);
        layout
    }

    /// The line of an entry in the order of all files.
    pub(crate) fn line(&self, entry: &SourceEntry<'_>) -> u64 {
        let before = self.by_file.get(&entry.file).copied().unwrap_or_default();
        before.saturating_add(entry.entry.place.line)
    }

    /// Whether the lines of a transcript stand for those of the source.
    pub(crate) fn is_aligned(&self, is_agent: bool) -> bool {
        self.starts.is_some() && (self.aligns_agents || !is_agent)
    }

    pub(crate) fn into_file_starts(self) -> Vec<(usize, u64)> {
        self.starts.unwrap_or_default()
    }
}

/// How often the most frequent number occurs.
fn most_equal(numbers: impl Iterator<Item = u64>, is_sorted: bool) -> u32 {
    if !is_sorted {
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        for number in numbers {
            *counts.entry(number).or_default() += 1;
        }
        return counts.into_values().max().unwrap_or_default();
    }
    let (mut most, mut count, mut last) = (0, 0, None);
    for number in numbers {
        count = if last == Some(number) { count + 1 } else { 1 };
        last = Some(number);
        most = most.max(count);
    }
    most
}
