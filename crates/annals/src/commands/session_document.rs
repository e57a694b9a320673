//! A session in JSON, the same wherever one occurs, with its bookmarks.

use crate::context::Context;
use document::SessionDocument;
use library::session::Session;

/// A session, with the bookmarks in it.
pub(crate) fn session_document(session: &Session, context: &Context) -> SessionDocument {
    SessionDocument::new(session, context.mark_documents(&session.id))
}
