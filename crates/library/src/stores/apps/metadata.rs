//! What the list shows of an app's session.

use crate::stores::Stores;
use crate::stores::apps::provider::AppSession;
use crate::stores::apps::view_path::is_view;
use std::path::Path;
use store::{HiddenReason, Root, SessionKind, SessionMetadata};

impl Stores {
    /// The metadata of an app's session, from the app's own data; `None` for Claude Code's.
    pub(crate) fn app_metadata(&self, path: &Path) -> Option<SessionMetadata> {
        let (found, session) = self.app_session_at(path)?;
        let stamp = found.provider.stamp(session);
        let modified = stamp.map_or(session.modified, |stamp| stamp.modified);
        Some(metadata_of(session, modified))
    }

    /// Whether a path shows something of another app.
    pub(crate) fn is_of_app(&self, path: &Path) -> bool {
        let holds = |root: &Root| path.starts_with(&root.path);
        is_view(path)
            && (self.app_roots.iter().any(holds) || self.archived_app_roots().iter().any(holds))
    }
}

fn metadata_of(session: &AppSession, modified: jiff::Timestamp) -> SessionMetadata {
    let header = &session.header;
    let text = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let title = text(&header.title);
    let first_prompt = text(&header.first_prompt);
    let shown_title = title.clone().or_else(|| first_prompt.clone());
    let is_programmatic = session.is_programmatic;
    SessionMetadata {
        bytes: session.bytes,
        created: header.started,
        summary: shown_title.clone(),
        hidden: shown_title.is_none().then_some(HiddenReason::Empty),
        title,
        shown_title,
        first_prompt,
        branch: header.branch.clone(),
        cwd: header.directory.clone(),
        version: header.version.clone(),
        entrypoint: header.source.clone(),
        kind: if is_programmatic { SessionKind::Programmatic } else { SessionKind::Interactive },
        has_messages: true,
        ..SessionMetadata::unknown(modified)
    }
}
