//! How many hooks a record of the app reports, and how long they took.

use crate::turn::Hooks;
use transcript::{Attachment, Json, System, json};

impl Hooks {
    /// The hooks of a `stop_hook_summary`.
    pub(crate) fn of_summary(system: &System<'_>) -> Hooks {
        let list = |json: &Option<Json<'_>>| {
            json.as_ref().map_or(0, |json| json::elements(json.as_str()).count() as u64)
        };
        let each = system.hook_infos.as_ref().map(|infos| {
            let took = json::elements(infos.as_str())
                .filter_map(|info| json::member(info, "durationMs")?.parse::<f64>().ok());
            took.map(whole_milliseconds).fold(0, u64::saturating_add)
        });
        Hooks {
            ran: list(&system.hook_infos).max(1),
            failed: list(&system.hook_errors),
            milliseconds: each.unwrap_or_default(),
        }
    }

    /// The hook that an attachment reports, if it is about a hook.
    pub(crate) fn of_attachment(attachment: &Attachment<'_>) -> Option<Hooks> {
        let ending = attachment.kind.as_deref()?.strip_prefix("hook_")?;
        let (ran, failed) = match ending {
            "success" | "cancelled" => (1, 0),
            "non_blocking_error"
            | "blocking_error"
            | "error_during_execution"
            | "stopped_continuation" => (1, 1),
            _ => (0, 0),
        };
        let milliseconds = attachment.duration_ms.map_or(0, |number| whole_milliseconds(number.0));
        Some(Hooks { ran, failed, milliseconds })
    }
}

/// A duration recorded by the app, in whole milliseconds.
pub(crate) fn whole_milliseconds(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates, and a negative time counts as 0"
    )]
    let whole = number as u64;
    whole
}
