//! Reading JSON Lines: what the readers of most apps have in common.

use crate::entry::Place;
use crate::json_text::{JsonText, parse_values};
use crate::problem::{Problem, ProblemKind};
use crate::read::Read;
use crate::session::Session;
use transcript::large_line_bytes;

/// What one app's lines mean.
pub trait LineFormat: Default {
    /// Takes the value of one line into the session. A line with several values gives several
    /// calls with the same place.
    fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>);

    /// Brings the session up to date after some lines were read, for facts that later lines
    /// change. Called any number of times.
    fn settle(&mut self, _session: &mut Session) {}
}

/// A reader of JSON Lines in one format.
///
/// Lines that are not JSON are reported as problems. Invalid UTF-8 is read with replacement
/// characters and reported too.
#[derive(Clone, Debug, Default)]
pub struct LineReader<F> {
    format: F,
    session: Session,
    lines: u64,
    offset: u64,
}

impl<F: LineFormat> LineReader<F> {
    fn read_line(&mut self, bytes: &[u8]) {
        self.lines += 1;
        let place = Place { line: self.lines, offset: self.offset, bytes: bytes.len() as u64 };
        self.offset += bytes.len() as u64;
        if large_line_bytes(bytes).is_some() {
            let problem = Problem { line: place.line, kind: ProblemKind::TooLarge };
            self.session.problems.push(problem);
            return;
        }
        let text = String::from_utf8_lossy(bytes);
        let (values, mut problem) = parse_values(&text);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            problem = problem.or(Some(ProblemKind::NotUtf8));
        }
        for value in values {
            self.format.read_value(&mut self.session, place, value);
        }
        if let Some(kind) = problem {
            self.session.problems.push(Problem { line: place.line, kind });
        }
    }
}

impl<F: LineFormat> Read for LineReader<F> {
    fn read_on(&mut self, bytes: &[u8]) -> usize {
        let mut used = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(content) = line.strip_suffix(b"\n") else { break };
            self.read_line(content);
            self.offset += 1;
            used += line.len();
        }
        self.format.settle(&mut self.session);
        used
    }

    fn read_last(&mut self, bytes: &[u8]) {
        self.read_line(bytes);
        self.format.settle(&mut self.session);
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn into_session(self) -> Session {
        self.session
    }
}

#[cfg(test)]
mod tests {
    use super::{LineFormat, LineReader};
    use crate::{JsonText, Place, ProblemKind, Session, read_whole};

    #[derive(Default)]
    struct Places(Vec<Place>);

    impl LineFormat for Places {
        fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
            self.0.push(place);
            session.header.id = format!("{}{}", session.header.id, value.text());
        }

        fn settle(&mut self, session: &mut Session) {
            let places: Vec<_> =
                self.0.iter().map(|place| (place.line, place.offset, place.bytes)).collect();
            session.header.title = Some(format!("{places:?}"));
        }
    }

    #[test]
    fn places_count_every_line_and_blank_lines_hold_nothing() {
        let session = read_whole::<LineReader<Places>>(b"1\n\n \r\n2\r\n3");
        assert_eq!(session.header.id, "123");
        assert_eq!(session.header.title.as_deref(), Some("[(1, 0, 1), (4, 6, 2), (5, 9, 1)]"));
        assert!(session.problems.is_empty());
    }

    #[test]
    fn damaged_lines_are_reported_and_the_rest_is_read() {
        let session = read_whole::<LineReader<Places>>(b"1\nx\n2 3\n\"\xff\"\n{\"a\"");
        assert_eq!(session.header.id, "123\"\u{fffd}\"");
        let problems: Vec<_> = session.problems.iter().map(|p| (p.line, p.kind)).collect();
        assert_eq!(
            problems,
            [
                (2, ProblemKind::NotJson),
                (3, ProblemKind::GluedObjects),
                (4, ProblemKind::NotUtf8),
                (5, ProblemKind::NotJson),
            ]
        );
    }
}
