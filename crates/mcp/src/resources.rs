//! Sessions as resources: `annals://session/ID`.

use crate::desk::Desk;
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
    let recent = tools::recent(desk, RECENT).unwrap_or_default().into_iter();
    let recent = recent.filter(|session| is_id(&session.id)).map(|session| {
        Resource::new(format!("{PREFIX}{}", session.id), session.id.clone())
            .with_title(session.title)
            .with_description(format!("A session of {}", session.when))
            .with_mime_type("text/plain")
            .with_size(session.bytes)
    });
    recent.collect()
}

/// The ids of sessions that begin so, newest first.
pub(crate) fn complete(desk: &Desk<'_>, begun: &str) -> Vec<String> {
    let (sessions, _) = desk.sessions(false);
    let ids = sessions.into_iter().filter(|it| it.unlisted.is_none()).map(|it| it.id);
    ids.filter(|id| is_id(id) && id.starts_with(begun)).take(MOST_COMPLETIONS).collect()
}

/// The session of an address.
pub(crate) fn read(desk: &Desk<'_>, uri: &str) -> Result<ResourceContents, ErrorData> {
    let missing = || {
        let shown: String = uri.chars().take(120).collect();
        ErrorData::resource_not_found("no such session", Some(json!({"uri": shown})))
    };
    let id = uri.strip_prefix(PREFIX).filter(|id| is_id(id)).ok_or_else(missing)?;
    let text = tools::read_resource(desk, id).map_err(|_| missing())?;
    Ok(ResourceContents::text(text, format!("{PREFIX}{id}")))
}

/// Whether a text can be the id of a session and nothing else: nothing in it is
/// decoded, and it leads nowhere.
fn is_id(text: &str) -> bool {
    (8..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_nowhere_else() {
        assert!(is_id("00000001-0000-4000-8000-000000000001"));
        for text in
            ["", "..", "../../etc/passwd", "%2e%2e%2fetc", "0000000\u{202e}1", "@", "a b c d e"]
        {
            assert!(!is_id(text), "{text}");
        }
    }
}
