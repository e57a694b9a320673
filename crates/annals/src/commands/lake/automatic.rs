//! Pushes that start by themselves: `annals lake push --watch`, and `lake.push = "auto"`.
//!
//! With `auto`, a session that ended leaves a mark, and the worker of the hook pushes when
//! the last push is 15 minutes old. Before that, or without an answer from the storage, the
//! mark stays for the worker of the next event. Nothing of Claude Code waits for a push.

use crate::context::Context;
use crate::failure::notice;
use crate::output::Format;
use crate::{lake_program, whole_file};
use document::{LakeAction, LakeAnswer, LakePushDocument, LakePushMode, LakePushesDocument};
use integration::hook;
use jiff::{SignedDuration, Timestamp};
use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// The least time between two pushes.
const INTERVAL: Duration = Duration::from_mins(15);
/// A session has ended and was not pushed since.
const DUE: &str = "lake/push.due";
const LOCK: &str = "lake/push.lock";
/// What `annals-lake` records of pushes.
const RECORD: &str = "lake/pushes.json";

/// Pushes now and every 15 minutes, until the process ends.
pub(super) fn watch(context: &Context) -> anyhow::Result<()> {
    // Wrong settings are an error at once, and not something to try again.
    super::machine(context)?;
    notice("annals: pushing every 15 minutes; ^C to stop");
    let mut has_failed = false;
    loop {
        match push(context) {
            Ok(document) => {
                if has_failed {
                    notice("annals: pushes work again");
                }
                has_failed = false;
                if context.output.format == Format::Json {
                    context.output.json(&document)?;
                } else if document.bytes > 0 || document.deleted > 0 {
                    context.output.unpaged(&format!(
                        "{} sent, {} deleted\n",
                        render::bytes(document.bytes),
                        super::counted(document.deleted, "object")
                    ))?;
                }
            }
            Err(error) => {
                if !has_failed {
                    notice(&format!("annals: {error:#}; trying again"));
                }
                has_failed = true;
            }
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Pushes if that is configured and due. Failures are recorded by `annals-lake`, and logged.
pub(crate) fn push_if_due(context: &Context, has_ended: bool) {
    if context.settings.configuration.lake.push != LakePushMode::Auto || context.is_demo() {
        return;
    }
    let Ok(data_home) = context.data_home() else { return };
    let due = data_home.join(DUE);
    let began = Instant::now();
    let log = |outcome: &str| hook::log_push(data_home, context.settings.now, began, outcome);
    if has_ended {
        let mark = Timestamp::now().to_string();
        let written = whole_file::make_folder(&data_home.join("lake"))
            .and_then(|()| whole_file::write(&due, mark.as_bytes(), true));
        if let Err(error) = written {
            log(&format!("failed: {error:#}"));
            return;
        }
    }
    let Ok(mark) = fs::read(&due) else { return };
    let Some(_lock) = lock(&data_home.join(LOCK)) else { return };
    let tried = last_try(&data_home.join(RECORD));
    if !is_due(tried, Timestamp::now()) {
        return;
    }
    match push(context) {
        Ok(document) => {
            log(&format!("pushed: {} sent", render::bytes(document.bytes)));
            // A session that ended meanwhile has left another mark.
            if fs::read(&due).is_ok_and(|now| now == mark) {
                remove(&due);
            }
        }
        Err(error) => log(&format!("failed: {error:#}; will retry")),
    }
}

fn push(context: &Context) -> anyhow::Result<LakePushDocument> {
    let machine = super::machine(context)?;
    let settings = super::settings(context)?;
    let action = LakeAction::Push { machine, is_dry_run: false, with_rows: false };
    match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Push(document)) => Ok(document),
        Ok(_) => Err(super::unexpected()),
        Err(failure) => Err(super::explained(context, failure)),
    }
}

/// When a push was last tried on this machine.
fn last_try(record: &Path) -> Option<Timestamp> {
    let record: LakePushesDocument = serde_json::from_slice(&fs::read(record).ok()?).ok()?;
    record.tried?.parse().ok()
}

/// A clock that was set back must not stop pushes.
fn is_due(tried: Option<Timestamp>, now: Timestamp) -> bool {
    let interval = SignedDuration::try_from(INTERVAL).unwrap_or(SignedDuration::MAX);
    let age = tried.map(|tried| now.duration_since(tried));
    age.is_none_or(|age| age >= interval || age.is_negative())
}

/// Held while the file is open; `None` if another process has it.
#[expect(clippy::disallowed_methods, reason = "a lock below annals' own folder")]
fn lock(path: &Path) -> Option<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).ok()?;
    file.try_lock().ok().map(|()| file)
}

#[expect(clippy::disallowed_methods, reason = "a mark below annals' own folder")]
fn remove(path: &Path) {
    // A mark that stays costs one more push.
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_is_due_after_a_quarter_of_an_hour_and_when_the_clock_went_back() {
        let now: Timestamp = "2026-11-18T12:00:00Z".parse().unwrap();
        let at = |time: &str| Some(time.parse::<Timestamp>().unwrap());
        assert!(is_due(None, now));
        assert!(is_due(at("2026-11-18T11:45:00Z"), now));
        assert!(!is_due(at("2026-11-18T11:45:01Z"), now));
        assert!(!is_due(at("2026-11-18T12:00:00Z"), now));
        assert!(is_due(at("2026-11-18T12:00:01Z"), now));
    }
}
