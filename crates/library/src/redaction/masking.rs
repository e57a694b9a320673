//! Masking secrets in everything that is returned, if the caller asks for it.
//!
//! Whole lines and texts are masked before they are truncated, so that no part
//! of a secret remains. Folders and paths are not masked: sessions are found by
//! them. The values of a session that stand in its names are masked by what writes the answer
//! (`redact::Redactor::note_name`).
//!
//! Texts of a session are masked by its own [`Masking`], which
//! [`Redaction::masking_of`](crate::redaction::Redaction::masking_of) makes: a value that is masked once is masked everywhere in the
//! session.

use crate::session::Session;
use redact::{Redactor, Report};
use std::borrow::Cow;
use std::sync::Arc;
use store::SessionMetadata;

/// Secrets on one line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedLine {
    /// The line, from 1.
    pub line: u64,
    /// The kind of secret.
    pub rule: &'static str,
    /// How many of this kind.
    pub count: u64,
}

impl MaskedLine {
    /// The secrets that a report counted on a line.
    pub(crate) fn of(line: u64, report: &Report) -> impl Iterator<Item = MaskedLine> {
        report.iter().map(move |(rule, count)| MaskedLine { line, rule, count })
    }
}

/// The secrets of a text, by the lines they begin on.
pub(crate) fn masked_in(redactor: &Redactor, text: &str) -> Vec<MaskedLine> {
    let mut masked: Vec<MaskedLine> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for span in redactor.find(text) {
        let before = &text.as_bytes()[counted..span.start];
        line += memchr::memchr_iter(b'\n', before).count() as u64;
        counted = span.start;
        match masked
            .iter_mut()
            .rev()
            .take_while(|one| one.line == line)
            .find(|one| one.rule == span.rule)
        {
            Some(one) => one.count += 1,
            None => masked.push(MaskedLine { line, rule: span.rule, count: 1 }),
        }
    }
    masked
}

/// A line with its secrets masked; `None` if it has none.
pub(crate) fn masked_line(
    redactor: &Redactor,
    line: &[u8],
    report: &mut Report,
) -> Option<Vec<u8>> {
    // Validating UTF-8 is faster than repairing it, and nearly all lines are
    // valid.
    let text = str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
    let masked = redactor.mask_json_counting(&text, report);
    (!report.is_empty()).then(|| masked.into_owned().into_bytes())
}

/// Masks the texts of one session, if masking was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Masking {
    redactor: Option<Arc<Redactor>>,
}

impl Masking {
    pub(crate) fn new(redactor: Option<Arc<Redactor>>) -> Masking {
        Masking { redactor }
    }

    /// What masks, if anything does.
    pub(crate) fn redactor(&self) -> Option<&Redactor> {
        self.redactor.as_deref()
    }

    /// Distinguishes it from what masks more or other values.
    pub(crate) fn fingerprint(&self) -> Option<[u8; 16]> {
        self.redactor.as_ref().and_then(|redactor| redactor.values_fingerprint())
    }

    /// The lines of a transcript with secrets masked, and what was masked.
    pub(crate) fn lines(&self, bytes: Vec<u8>) -> (Vec<u8>, Vec<MaskedLine>) {
        let Some(redactor) = &self.redactor else { return (bytes, Vec::new()) };
        let mut masked = Vec::new();
        let mut result: Vec<u8> = Vec::new();
        let mut done = 0;
        for line in transcript::lines(&bytes) {
            let mut report = Report::default();
            let Some(text) = masked_line(redactor, line.bytes, &mut report) else { continue };
            let start = usize::try_from(line.offset).unwrap_or(usize::MAX).min(bytes.len());
            result.extend_from_slice(&bytes[done..start]);
            result.extend_from_slice(&text);
            done = start + line.bytes.len();
            masked.extend(MaskedLine::of(line.number, &report));
        }
        if masked.is_empty() {
            return (bytes, masked);
        }
        result.extend_from_slice(&bytes[done..]);
        (result, masked)
    }

    /// One line with its secrets masked.
    pub(crate) fn line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let masked = self
            .redactor
            .as_ref()
            .and_then(|redactor| masked_line(redactor, line, &mut Report::default()));
        masked.map_or(Cow::Borrowed(line), Cow::Owned)
    }

    /// A text of many lines with secrets masked, and what was masked.
    pub(crate) fn whole(&self, text: String) -> (String, Vec<MaskedLine>) {
        match &self.redactor {
            Some(redactor) => {
                let masked = masked_in(redactor, &text);
                if masked.is_empty() { (text, masked) } else { (self.text(text), masked) }
            }
            None => (text, Vec::new()),
        }
    }

    /// A text with its secrets masked.
    pub(crate) fn text(&self, text: String) -> String {
        let masked = self.redactor.as_ref().and_then(|redactor| match redactor.mask(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(masked),
        });
        masked.unwrap_or(text)
    }

    /// A session with secrets masked in its names and prompts.
    pub(crate) fn session(&self, mut session: Session) -> Session {
        if let Some(redactor) = &self.redactor {
            let SessionMetadata {
                title,
                summary,
                shown_title,
                first_prompt,
                last_prompt,
                tag,
                branch,
                cwd,
                original_cwd,
                pull_requests,
                ..
            } = &mut session.metadata;
            let names = [&*branch, &*cwd, &*original_cwd, &session.project];
            let linked = pull_requests.iter().flat_map(|it| [&it.url, &it.repository]);
            for name in names.into_iter().chain(linked).flatten() {
                redactor.note_name(name);
            }
            for text in [title, summary, shown_title, first_prompt, last_prompt, tag] {
                *text = text.take().map(|text| drop_partial_word(self.text(text)));
            }
        }
        session
    }
}

/// A shorter word is too small a part of a secret to matter.
const SHORT: usize = 8;

/// A truncated text without its last word, which may be part of a secret.
pub fn drop_partial_word(text: String) -> String {
    let Some(whole) = text.strip_suffix('…') else { return text };
    let kept = whole.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    if whole.len() - kept < SHORT { text } else { format!("{}…", &whole[..kept]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_text_drops_its_partial_last_word() {
        let table = [
            ("use ghp_16C7e42F292c69", "use ghp_16C7e42F292c69"),
            ("use ghp_16C7e42F292c69…", "use …"),
            ("ghp_16C7e42F292c69…", "…"),
            ("and so it…", "and so it…"),
            ("…", "…"),
        ];
        for (text, expected) in table {
            assert_eq!(drop_partial_word(text.to_owned()), expected);
        }
    }
}
