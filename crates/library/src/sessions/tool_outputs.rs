//! Tool outputs that were too large for their lines.

use crate::redaction::masking::MaskedLine;
use crate::session::Session;
use crate::sessions::Sessions;

impl Sessions {
    /// The text of a tool output that was too large for its line, by its name
    /// in the transcript; only the beginning of a very large one.
    pub fn tool_output(&self, session: &Session, name: &str) -> Option<String> {
        self.masked_tool_result(session, name).map(|(text, _)| text)
    }

    /// The same, and which secrets were masked in it.
    pub(crate) fn masked_tool_result(
        &self,
        session: &Session,
        name: &str,
    ) -> Option<(String, Vec<MaskedLine>)> {
        let file =
            session.folders().find_map(|folder| folder.open_tool_result(&self.stores.all, name))?;
        let (text, is_cut) = file.read_beginning().ok()?;
        let (mut text, masked) = self.redaction.masking_of_session(session).whole(text);
        if is_cut {
            text += "\n[truncated: the output is larger than 16 MB]";
        }
        Some((text, masked))
    }
}
