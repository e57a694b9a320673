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
            for path in call.files() {
                let touch = self.files.entry(path.into_owned()).or_default();
                if !call.is_change() {
                    touch.reads += 1;
                } else if status == Status::Ok {
                    touch.changes += 1;
                    if let Summary::Change { diff, .. } = call.summary() {
                        touch.added += diff.added;
                        touch.removed += diff.removed;
                    }
                }
            }
        }
    }
}
