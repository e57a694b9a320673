//! Types of events that are known and have nothing to show.

/// Stored events that carry facts for the program only, by the schema that 1.0.102 ships.
/// Everything about routing between models and about permissions is known by its prefix.
pub(crate) fn is_silent(kind: &str) -> bool {
    const PREFIXES: [&str; 8] = [
        "hook.",
        "mcp.",
        "permission.",
        "session.canvas.",
        "session.fusion_",
        "session.schedule_",
        "skill.",
        "subagent.",
    ];
    const NAMES: [&str; 32] = [
        "assistant.fusion_phase_completed",
        "assistant.fusion_phase_failed",
        "assistant.turn_end",
        "assistant.turn_start",
        "external_tool.requested",
        "human_response.recorded",
        "session.auto_mode_resolved",
        "session.autopilot_objective_changed",
        "session.binary_asset",
        "session.compaction_start",
        "session.completion_receipt",
        "session.context_changed",
        "session.mode_changed",
        "session.mode_notice_delivered",
        "session.model_change",
        "session.model_deselected",
        "session.permission_recovery",
        "session.permissions_changed",
        "session.plan_changed",
        "session.remote_steerable_changed",
        "session.request_body_compression_disabled",
        "session.resume",
        "session.session_limits_changed",
        "session.shutdown",
        "session.start",
        "session.truncation",
        "session.usage_checkpoint",
        "session.usage_record",
        "session.workspace_file_changed",
        "system.message",
        "tool.execution_start",
        "tool_search.activated",
    ];
    NAMES.binary_search(&kind).is_ok() || PREFIXES.iter().any(|prefix| kind.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::is_silent;

    #[test]
    fn names_and_prefixes_are_found() {
        for kind in ["tool_search.activated", "assistant.fusion_phase_completed", "hook.end"] {
            assert!(is_silent(kind), "{kind}");
        }
        for kind in ["user.message", "session.", "assistant.hologram"] {
            assert!(!is_silent(kind), "{kind}");
        }
    }
}
