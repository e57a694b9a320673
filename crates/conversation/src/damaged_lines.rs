//! Damaged lines that still say where they belong.
//!
//! A line that cannot be parsed breaks the chain of all lines below it. If its ids can
//! be read, and another line names it as its parent, it takes its position in the
//! conversation, as a line without content. Only the app's view does this: to the
//! official reader such a line does not exist.

use crate::graph::{Graph, NodeId};
use std::collections::{HashMap, HashSet};
use transcript::SalvagedIds;

/// A damaged line, and the ids that can be read from it.
#[derive(Clone, Debug)]
pub(crate) struct DamagedLine {
    pub(crate) id: NodeId,
    pub(crate) ids: SalvagedIds,
}

impl Graph<'_> {
    /// Links the damaged lines that other lines name as their parents.
    pub(crate) fn link_damaged_lines(&mut self) {
        if self.damaged.is_empty() {
            return;
        }
        let mut missing: Vec<String> = self
            .ids()
            .filter_map(|id| self.node(id).parent.as_deref())
            .filter(|parent| self.find(parent).is_none())
            .map(str::to_owned)
            .collect();
        let damaged = std::mem::take(&mut self.damaged);
        let mut by_uuid: HashMap<&str, &DamagedLine> = HashMap::new();
        for line in &damaged {
            for uuid in &line.ids.uuids {
                by_uuid.entry(uuid).or_insert(line);
            }
        }
        let mut linked = HashSet::new();
        while let Some(uuid) = missing.pop() {
            let Some(line) = by_uuid.get(uuid.as_str()) else { continue };
            // Without its parent, the line would only move the gap.
            let Some(parent) = &line.ids.parent_uuid else { continue };
            if parent.as_ref() == Some(&uuid) || !linked.insert(line.id) {
                continue;
            }
            self.link_damaged(line.id, &uuid, &line.ids);
            missing.extend(parent.clone().filter(|parent| self.find(parent).is_none()));
        }
        let number =
            |(uuid, line): (&str, &DamagedLine)| (uuid.to_owned(), self.node(line.id).line);
        self.damaged_numbers = by_uuid.into_iter().map(number).collect();
    }
}
