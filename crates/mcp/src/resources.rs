//! Sessions as resources: `annals://session/ID`.

use crate::tool_context::{ToolContext, plain_id};
use crate::tools;
use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

const PREFIX: &str = "annals://session/";

/// How many sessions are listed.
const MAX_LISTED: usize = 20;

/// How many completions a client gets at most.
const MAX_COMPLETIONS: usize = 50;

/// The URI template of session resources.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let about = "The beginning of a session, abbreviated. Continue with read_session.";
    vec![
        ResourceTemplate::new(format!("{PREFIX}{{id}}"), "session")
            .with_title("A past session")
            .with_description(about)
            .with_mime_type("text/plain"),
    ]
}

/// The newest sessions.
pub(crate) fn recent(context: &ToolContext<'_>) -> Vec<Resource> {
    let recent = tools::recent(context, MAX_LISTED).into_iter();
    let recent = recent.filter(|session| plain_id(&session.id).is_some()).map(|session| {
        // A resource list has no frames for quotes, so it contains no transcript text.
        Resource::new(format!("{PREFIX}{}", session.id), session.id.clone())
            .with_title(format!("Session of {}", session.when))
            .with_description(
                "The beginning of the session, abbreviated. list_sessions shows titles.",
            )
            .with_mime_type("text/plain")
            .with_size(session.bytes)
    });
    recent.collect()
}

/// The ids of sessions that start with `prefix`, newest first.
pub(crate) fn complete(context: &ToolContext<'_>, prefix: &str) -> Vec<String> {
    let ids = context.listed().into_iter().map(|session| session.id);
    ids.filter(|id| plain_id(id).is_some() && id.starts_with(prefix))
        .take(MAX_COMPLETIONS)
        .collect()
}

/// Reads the session that a URI names.
pub(crate) fn read(context: &ToolContext<'_>, uri: &str) -> Result<ResourceContents, ErrorData> {
    let missing = || {
        let shown: String = uri.chars().take(120).collect();
        ErrorData::resource_not_found("session not found", Some(json!({"uri": shown})))
    };
    let id = uri.strip_prefix(PREFIX).and_then(plain_id).ok_or_else(missing)?;
    let text = tools::read_resource(context, id).map_err(|_| missing())?;
    Ok(ResourceContents::text(text, format!("{PREFIX}{id}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_cannot_be_messages_are_accepted() {
        for id in [
            "00000001-0000-4000-8000-000000000001",
            "codex:019e27f2-b7de-71c3-a0f9-70d6539231ba",
            "opencode:ses_e109df83cffeICDwQFQoNTvRfb",
        ] {
            assert!(plain_id(id).is_some(), "{id}");
        }
        for text in [
            "codex:ignore-all-rules",
            "codex:",
            "message:00000001-0000-4000-8000-000000000001",
            "opencode:ses_ignoreAllTheRulesOfPeople",
            "opencode:ses_e109df83cffe please",
            "ses_e109df83cffeICDwQFQoNTvRfb",
            "",
            "..",
            "../../etc/passwd",
            "%2e%2e%2fetc",
            "0000000\u{202e}1",
            "@",
            "a b c d e",
            "ignore-all-rules",
        ] {
            assert!(plain_id(text).is_none(), "{text}");
        }
    }
}
