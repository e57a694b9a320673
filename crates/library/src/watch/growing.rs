//! A session that is read on while it is written.
//!
//! Reading, checking and masking cost as much as what was appended; the conversation is found
//! anew in all of the lines, because a new line can change the place of much earlier ones.
//! What Claude Code removes or replaces is noticed ([`Cursor`]), and read again from there.
//!
//! Deliberately not here: when to look, and what was new, which [`crate::watch::follower::Follower`] reports.

use crate::catalog::find::FoundSession;
use crate::lines::ReadError;
use crate::redaction::masking::{MaskedLine, Masking, masked_line};
use crate::sessions::session::{OpenError, OpenSession};
use crate::watch::Watch;
use redact::Report;
use std::path::PathBuf;
use std::sync::Arc;
use store::{AgentEra, Cursor, FileChange, LineReader, LineSink};
use transcript::{Line, LineEnd};

/// The transcript of a session or sub-agent, and how far it was read.
#[derive(Debug)]
pub struct GrowingSession<'l> {
    watch: &'l Watch,
    found: FoundSession,
    path: PathBuf,
    cursor: Cursor,
    reader: LineReader,
    lines: Lines,
    masking: Masking,
}

/// The lines so far, with secrets masked.
#[derive(Debug, Default)]
struct Lines {
    bytes: Vec<u8>,
    masked: Vec<MaskedLine>,
    /// Where each line begins in the file and in the bytes: masking changes lengths.
    starts: Vec<(u64, usize)>,
}

impl Watch {
    /// A session or sub-agent that may be written on; `None` if its lines are not those of a
    /// file on disk.
    pub fn growing_session(&self, found: FoundSession) -> Option<GrowingSession<'_>> {
        let path = found.path()?.to_owned();
        let is_repeated = found.agent.as_ref().is_some_and(|agent| agent.era == AgentEra::Inline);
        if is_repeated || self.stores.is_of_app(&path) || self.stores.disk.find(&path).is_none() {
            return None;
        }
        let (cursor, reader, lines) = (Cursor::default(), LineReader::default(), Lines::default());
        let masking = self.redaction.masking_of_none();
        Some(GrowingSession { watch: self, found, path, cursor, reader, lines, masking })
    }
}

impl GrowingSession<'_> {
    /// The session as it is now, if it has changed since the last call. Only what is new is
    /// read.
    pub fn read_on(&mut self) -> Result<Option<OpenSession>, OpenError> {
        let mut sink = MaskingSink { masking: &self.masking, lines: &mut self.lines };
        let read = self.cursor.read_new_lines(&self.path, &mut self.reader, &mut sink);
        let change = read.map_err(|error| ReadError::new(&self.path, &error))?;
        if change == FileChange::Unchanged {
            return Ok(None);
        }
        // A new line may show that what stands in earlier ones is a secret.
        let masking = self.watch.redaction.masking_of(&self.path);
        if masking.fingerprint() != self.masking.fingerprint() {
            self.lines.mask_again(&masking);
            self.masking = masking;
        }
        Ok(Some(self.opened()))
    }

    /// The session as it was read last. What is beside its transcript, such as sub-agents, is
    /// read anew.
    pub fn opened(&self) -> OpenSession {
        let (bytes, masked) = (Arc::new(self.lines.bytes.clone()), self.lines.masked.clone());
        OpenSession::of_lines(&self.watch.sessions, self.found.clone(), bytes, masked)
    }

    /// The file that is read.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Takes newer metadata of the session, for the next [`GrowingSession::read_on`]. That of
    /// another file is ignored.
    pub fn refresh(&mut self, found: FoundSession) {
        if found.path() == Some(&*self.path) {
            self.found = found;
        }
    }
}

impl Lines {
    /// Masks the lines again with more values. What is masked already stays.
    fn mask_again(&mut self, masking: &Masking) {
        let Some(redactor) = masking.redactor() else { return };
        let before = std::mem::take(&mut self.bytes);
        for (number, place) in (0..self.starts.len()).zip(1..) {
            let start = self.starts[number].1;
            let end = self.starts.get(number + 1).map_or(before.len(), |(_, next)| *next);
            let (line, newline) = match &before[start..end] {
                [line @ .., b'\n'] => (line, &b"\n"[..]),
                line => (line, &b""[..]),
            };
            self.starts[number].1 = self.bytes.len();
            let mut report = Report::default();
            match masked_line(redactor, line, &mut report) {
                Some(text) => {
                    self.bytes.extend_from_slice(&text);
                    self.masked.extend(MaskedLine::of(place, &report));
                }
                None => self.bytes.extend_from_slice(line),
            }
            self.bytes.extend_from_slice(newline);
        }
        self.masked.sort_by_key(|masked| (masked.line, masked.rule));
        self.masked.dedup_by(|next, known| {
            let is_same = (next.line, next.rule) == (known.line, known.rule);
            known.count += if is_same { next.count } else { 0 };
            is_same
        });
    }
}

struct MaskingSink<'s> {
    masking: &'s Masking,
    lines: &'s mut Lines,
}

impl LineSink for MaskingSink<'_> {
    fn line(&mut self, line: Line<'_>) -> bool {
        let Lines { bytes, masked, starts } = &mut *self.lines;
        starts.push((line.offset, bytes.len()));
        let mut report = Report::default();
        match self
            .masking
            .redactor()
            .and_then(|redactor| masked_line(redactor, line.bytes, &mut report))
        {
            Some(text) => {
                bytes.extend_from_slice(&text);
                masked.extend(MaskedLine::of(line.number, &report));
            }
            None => bytes.extend_from_slice(line.bytes),
        }
        if line.end == LineEnd::Newline {
            bytes.push(b'\n');
        }
        true
    }

    fn retract(&mut self, from: u64) {
        let Lines { bytes, masked, starts } = &mut *self.lines;
        let kept = starts.partition_point(|(offset, _)| *offset < from);
        let Some((_, start)) = starts.get(kept).copied() else { return };
        bytes.truncate(start);
        starts.truncate(kept);
        masked.retain(|masked| masked.line <= kept as u64);
    }
}

#[cfg(test)]
mod tests {
    use crate::Library;
    use crate::sessions::OpenSession;
    use crate::stores::Options;
    use conversation::View;
    use redact::{Level, Redactor};
    use std::sync::Arc;
    use store::RootOrigin;
    use testkit::{Line, Sandbox, assistant, session_id, user};

    const CWD: &str = "/home/ada/tidepool";
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

    fn library(sandbox: &Sandbox) -> Library {
        let roots = vec![(sandbox.config(), RootOrigin::Flag)];
        let options = Options { roots, no_index: true, ..Options::default() };
        Library::open(options).masking(Arc::new(Redactor::new(Level::Standard, [0; 32])))
    }

    fn line(number: usize, text: &str) -> Line {
        let line = if number.is_multiple_of(2) { assistant(text) } else { user(text) };
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        line.cwd(CWD)
            .with("sessionId", session_id(1))
            .link(&format!("u{number}"), parent.as_deref())
    }

    #[test]
    fn session_that_is_read_on_is_the_session_that_is_opened() {
        let sandbox = Sandbox::new();
        let path = sandbox.session(CWD, &session_id(1), [line(1, "Tides?"), line(2, "Yes.")]);
        let library = library(&sandbox);
        let find = || library.catalog().find(&session_id(1), None).expect("a session");
        let mut growing = library.watch().growing_session(find()).expect("a file");
        let mut appended = vec![
            String::new(),
            format!("{}\n", line(3, &format!("the key is {SECRET}"))),
            "\n".to_owned(),
            format!("{}\n{}\n", line(4, "Thanks."), line(5, SECRET)),
            // A complete object without its newline, which comes with the next line.
            line(6, "Done").to_string(),
            format!("\n{}\n", line(7, "Good")),
        ];
        for part in appended.drain(..) {
            sandbox.append(&path, part);
            let read = growing.read_on().expect("a file").expect("a change");
            let opened = library.sessions().open_session(&find()).expect("a session");
            assert_eq!(read.bytes(), opened.bytes());
            assert_eq!(read.masked(), opened.masked());
            let turns = |session: &OpenSession| {
                session.conversation(View::App).messages.iter().map(|it| it.uuid.clone()).collect()
            };
            let (one, two): (Vec<_>, Vec<_>) = (turns(&read), turns(&opened));
            assert_eq!(one, two);
            assert!(growing.read_on().expect("a file").is_none());
        }
        assert!(!String::from_utf8_lossy(growing.lines.bytes.as_slice()).contains(SECRET));
    }

    #[test]
    fn lines_that_are_removed_are_retracted() {
        let sandbox = Sandbox::new();
        let lines = [line(1, "Tides?"), line(2, SECRET), line(3, "More")];
        let path = sandbox.session(CWD, &session_id(1), &lines);
        let library = library(&sandbox);
        let found = library.catalog().find(&session_id(1), None).expect("a session");
        let mut growing = library.watch().growing_session(found).expect("a file");
        growing.read_on().expect("a file").expect("a session");
        sandbox.session(CWD, &session_id(1), &lines[..1]);
        let read = growing.read_on().expect("a file").expect("a change");
        assert_eq!(read.bytes(), format!("{}\n", lines[0]).as_bytes());
        assert!(read.masked().is_empty());
        sandbox.remove(&path);
        assert!(growing.read_on().is_err());
        sandbox.session(CWD, &session_id(1), &lines);
        let read = growing.read_on().expect("a file").expect("a change");
        assert_eq!(read.masked().len(), 1);
    }

    #[test]
    fn session_without_a_file_does_not_grow() {
        let sandbox = Sandbox::new();
        let path = sandbox.session(CWD, &session_id(1), [line(1, "Tides?")]);
        let library = library(&sandbox);
        let found = library.catalog().find(&session_id(1), None).expect("a session");
        sandbox.remove(&path);
        assert!(library.watch().growing_session(found).is_none());
    }
}
