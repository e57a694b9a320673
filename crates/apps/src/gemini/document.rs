//! Sessions as one JSON document, before 0.40.

use crate::{EntryKind, JsonText, LineFormat as _, Place, Problem, ProblemKind, Session};

use crate::gemini::log::{OperationLog, note_metadata};

/// Reads a session's `.json` document. Each message is an entry's place: the line is that of
/// its first byte.
pub fn read_document(bytes: &[u8]) -> Session {
    read_document_while(bytes, |_| true)
}

/// The same, up to the message after which `goes_on` is `false`.
pub fn read_document_while(bytes: &[u8], mut goes_on: impl FnMut(&Session) -> bool) -> Session {
    let mut session = Session::default();
    let text = String::from_utf8_lossy(bytes);
    // Replacement characters change the offsets after them.
    let is_exact = matches!(text, std::borrow::Cow::Borrowed(_));
    let problem = |kind| Problem { line: 1, kind };
    if !is_exact {
        session.problems.push(problem(ProblemKind::NotUtf8));
    }
    let Some(document) = JsonText::parse(&text) else {
        session.problems.push(problem(ProblemKind::NotJson));
        return session;
    };
    if !document.is_object() {
        session.problems.push(problem(ProblemKind::UnexpectedShape));
        return session;
    }
    note_metadata(&mut session.header, document);
    let mut log = OperationLog::default();
    let (mut line, mut counted) = (1, 0);
    for message in document.get("messages").into_iter().flat_map(JsonText::elements) {
        let offset = message.text().as_ptr() as usize - text.as_ptr() as usize;
        line += text[counted..offset].matches('\n').count();
        counted = offset;
        let place = if is_exact {
            let bytes = message.text().len() as u64;
            Place { line: line as u64, offset: offset as u64, bytes }
        } else {
            Place { line: 1, offset: 0, bytes: bytes.len() as u64 }
        };
        log.read_value(&mut session, place, message);
        if !goes_on(&session) {
            break;
        }
    }
    log.settle(&mut session);
    session
}

/// Of the files of one session, in the order of their names, the one that counts: the latest of
/// those that the program lists.
///
/// Resuming a document writes a log of it beside it, and a resume in another minute also leaves
/// a log that holds nothing but the program's own first message. Calls have the same keys in
/// all of them.
pub fn newest_twin<'s>(files: impl IntoIterator<Item = &'s Session>) -> Option<&'s Session> {
    let rank = |session: &Session| (is_listed(session), session.header.ended);
    files.into_iter().reduce(|best, next| if rank(next) > rank(best) { next } else { best })
}

/// Whether Gemini CLI lists a session: someone typed something other than a command, or the
/// model answered, and it was not undone. Sub-agents are never listed; their file names tell
/// them apart.
pub fn is_listed(session: &Session) -> bool {
    session.live().any(|entry| match &entry.kind {
        EntryKind::Prompt(text) => !text.trim_start().starts_with(['/', '?']),
        EntryKind::Text(_) | EntryKind::Thinking(_) | EntryKind::Call { .. } => true,
        _ => false,
    })
}
