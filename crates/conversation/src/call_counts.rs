//! What the steps of a turn add up to: errors, calls and how they ended, and the files
//! they touched.

use crate::call::{Calls, Status};
use crate::tool::Summary;
use crate::turn::{StepKind, Turn};

impl Turn<'_> {
    pub(crate) fn count_calls(&mut self, calls: &Calls<'_>) {
        for step in &self.steps {
            self.errors += u64::from(step.kind.is_error(calls));
            let StepKind::Call(number) = step.kind else { continue };
            let Some(call) = calls.get(number) else { continue };
            self.calls += 1;
            let status = call.status();
            match status {
                Status::Denied => self.denials += 1,
                Status::Interrupted => self.interruptions += 1,
                Status::Ok | Status::Error | Status::Missing => {}
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
