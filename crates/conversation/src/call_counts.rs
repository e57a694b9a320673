//! What the calls of a turn add up to: how many there are, how they ended, and the files
//! they touched.

use crate::call::{Calls, Status};
use crate::tool::Summary;
use crate::turn::{StepKind, Turn};

impl Turn<'_> {
    pub(crate) fn count_calls(&mut self, calls: &Calls<'_>) {
        let numbers = self.steps.iter().filter_map(|step| match step.kind {
            StepKind::Call(number) => calls.get(number),
            _ => None,
        });
        for call in numbers {
            self.calls += 1;
            let status = call.status();
            match status {
                Status::Error => self.errors += 1,
                Status::Denied => self.denials += 1,
                Status::Interrupted => self.interruptions += 1,
                Status::Ok | Status::Missing => {}
            }
            let paths = call.files();
            // A patch that changes several files says in its result what it did to each.
            let changes = if paths.len() > 1 { call.recorded_changes() } else { Vec::new() };
            for (number, path) in paths.into_iter().enumerate() {
                let touch = self.files.entry(path.into_owned()).or_default();
                if !call.is_change() {
                    touch.reads += 1;
                } else if status == Status::Ok {
                    touch.changes += 1;
                    if let Some(change) = changes.get(number) {
                        touch.added += change.diff.added;
                        touch.removed += change.diff.removed;
                    } else if let Summary::Change { diff, .. } = call.summary() {
                        touch.added += diff.added;
                        touch.removed += diff.removed;
                    }
                }
            }
        }
    }
}
