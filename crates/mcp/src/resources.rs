//! Sessions as resources: `annals://session/ID`.

use crate::desk::{Desk, plain_id};
use crate::tools;
use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

const PREFIX: &str = "annals://session/";

/// How many sessions are listed.
const RECENT: usize = 20;

/// The most a client may be proposed.
const MOST_COMPLETIONS: usize = 50;

/// The shape of their addresses.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let about = "The beginning of a session, in brief; read_session reads on.";
    vec![
        ResourceTemplate::new(format!("{PREFIX}{{id}}"), "session")
            .with_title("A past session")
            .with_description(about)
            .with_mime_type("text/plain"),
    ]
}

/// The newest sessions.
pub(crate) fn recent(desk: &Desk<'_>) -> Vec<Resource> {
    let recent = tools::recent(desk, RECENT).into_iter();
    let recent = recent.filter(|session| plain_id(&session.id).is_some()).map(|session| {
        // Nothing can be quoted here, so nothing of the transcript is told.
        Resource::new(format!("{PREFIX}{}", session.id), session.id.clone())
            .with_title(format!("Session of {}", session.when))
            .with_description("Its beginning, in brief; list_sessions tells titles.")
            .with_mime_type("text/plain")
            .with_size(session.bytes)
    });
    recent.collect()
}

/// The ids of sessions that begin so, newest first.
pub(crate) fn complete(desk: &Desk<'_>, begun: &str) -> Vec<String> {
    let (sessions, _) = desk.sessions(false);
    let ids = sessions.into_iter().filter(|it| it.unlisted.is_none()).map(|it| it.id);
    ids.filter(|id| plain_id(id).is_some() && id.starts_with(begun))
        .take(MOST_COMPLETIONS)
        .collect()
}

/// The session of an address.
pub(crate) fn read(desk: &Desk<'_>, uri: &str) -> Result<ResourceContents, ErrorData> {
    let missing = || {
        let shown: String = uri.chars().take(120).collect();
        ErrorData::resource_not_found("no such session", Some(json!({"uri": shown})))
    };
    let id = uri.strip_prefix(PREFIX).and_then(plain_id).ok_or_else(missing)?;
    let text = tools::read_resource(desk, id).map_err(|_| missing())?;
    Ok(ResourceContents::text(text, format!("{PREFIX}{id}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_nowhere_else() {
        assert!(plain_id("00000001-0000-4000-8000-000000000001").is_some());
        for text in [
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
