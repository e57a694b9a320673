//! A session in JSON, the same wherever one occurs, with its bookmarks.

use crate::context::Context;
use crate::output::{Row, moment};
use document::SessionDocument;
use library::Session;

/// A session, with the bookmarks in it.
pub(crate) fn session_document(session: &Session, context: &Context) -> SessionDocument {
    SessionDocument::new(session, context.mark_documents(&session.id))
}

impl Row for SessionDocument {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "modified_at",
        "created_at",
        "project",
        "branch",
        "title",
        "summary",
        "first_prompt",
        "tag",
        "bytes",
        "agents",
        "version",
        "presence",
        "path",
        "messages",
        "turns",
        "models",
        "cost_usd",
    ];

    fn cells(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        vec![
            self.id.clone(),
            self.modified_at.to_string(),
            moment(self.created_at),
            text(&self.project),
            text(&self.branch),
            text(&self.title),
            text(&self.summary),
            text(&self.first_prompt),
            text(&self.tag),
            self.bytes.to_string(),
            self.agents.to_string(),
            text(&self.version),
            self.presence.to_string(),
            text(&self.path),
            self.messages.map(|count| count.to_string()).unwrap_or_default(),
            self.turns.map(|count| count.to_string()).unwrap_or_default(),
            self.models.as_ref().map(|models| models.join(" ")).unwrap_or_default(),
            text(&self.cost_usd),
        ]
    }
}
