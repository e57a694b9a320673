//! Lines of transcripts as rows.

use crate::names::{Month, SessionId};
use crate::rows::{LineRow, Rows};
use crate::segment::{Entry, Piece};
use crate::shared::binary_content::without_binary_content;
use crate::shared::claims::{Claims, KnownSource};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::{Catalog, ReadError, Source};
use redact::{Redactor, Report};
use std::cell::RefCell;
use transcript::{Line, LineEnd, parse_line};

/// The month of rows; times never go back, so that a source has few ranges of one month.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Months(Option<Month>);

impl Months {
    /// The month of the next row.
    pub(crate) fn next(&mut self, time: Option<Timestamp>) -> Month {
        let month = time.and_then(|time| {
            let date = time.to_zoned(TimeZone::UTC).date();
            Month::new(u16::try_from(date.year()).ok()?, u8::try_from(date.month()).ok()?)
        });
        self.0 = self.0.max(month);
        self.0.unwrap_or(Month::FIRST)
    }
}

/// Makes rows of lines.
#[derive(Debug)]
pub(crate) struct LineRows<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) project: &'a str,
    pub(crate) redactor: &'a Redactor,
    pub(crate) rules: u32,
    /// The secrets that were masked.
    pub(crate) masked: &'a RefCell<Report>,
}

/// What [`LineRows::missing`] found.
pub(crate) struct MissingLines {
    pub(crate) pieces: Vec<(Month, Piece<Rows>)>,
    pub(crate) claims: Claims,
    /// What the file is now.
    pub(crate) known: KnownSource,
}

/// A line that counts: whole, or the last one if it is a whole object.
struct ReadLine {
    id: Vec<u8>,
    uuid: Option<String>,
    time: Option<Timestamp>,
}

impl ReadLine {
    fn of(line: Line<'_>) -> Option<ReadLine> {
        let is_last = line.end == LineEnd::EndOfInput;
        let mut entries = parse_line(line);
        let entry = entries.next();
        if is_last && entry.as_ref().is_none_or(|entry| !entry.problems.is_empty()) {
            return None;
        }
        let record = entry.as_ref().map(|entry| &entry.record);
        let uuid = record.and_then(|record| record.envelope.uuid.as_ref());
        let uuid = uuid.map(ToString::to_string);
        // Lines without an id are known by their place and size.
        let id = match &uuid {
            Some(uuid) => uuid.as_bytes().to_vec(),
            None => line.bytes.len().to_le_bytes().to_vec(),
        };
        Some(ReadLine { id, uuid, time: record.and_then(transcript::Record::time) })
    }
}

impl LineRows<'_> {
    /// The rows of a file that the lake lacks.
    pub(crate) fn missing(
        &self,
        catalog: Catalog<'_>,
        source: &Source,
        has: &[&Entry],
    ) -> Result<MissingLines, ReadError> {
        // How much is there is known only after all ids are read; most files have nothing
        // or just a few lines to send, so lines are read twice rather than kept.
        let mut claims = Claims::default();
        catalog.each_line(source, |line| match ReadLine::of(line) {
            Some(read) => {
                claims.add(&read.id);
                true
            }
            None => false,
        })?;
        let covered = claims.covered(has, self.rules);
        let mut groups: Vec<(Month, Vec<LineRow>)> = Vec::new();
        let mut months = Months::default();
        let mut number = 0;
        if covered < claims.len() {
            catalog.each_line(source, |line| {
                let Some(read) = ReadLine::of(line) else { return false };
                number += 1;
                let month = months.next(read.time);
                if number > claims.len() {
                    return false;
                }
                if number > covered {
                    let row = self.row(source, line, read);
                    match groups.last_mut() {
                        Some((last, rows)) if *last == month => rows.push(row),
                        _ => groups.push((month, vec![row])),
                    }
                }
                true
            })?;
        }
        let mut pieces = Vec::new();
        let mut from = covered;
        for (month, rows) in groups {
            let to = from + rows.len() as u64;
            let name = source.agent_id.as_deref().unwrap_or_default();
            let Some(entry) = claims.entry(self.session, name, from..to, self.rules) else { break };
            pieces.push((month, Piece { entry, rows: Rows::Lines(rows) }));
            from = to;
        }
        let digest = claims.digest(claims.len()).unwrap_or_default();
        let known = KnownSource {
            bytes: source.bytes,
            modified: source.modified,
            records: claims.len(),
            digest,
        };
        Ok(MissingLines { pieces, claims, known })
    }

    fn row(&self, source: &Source, line: Line<'_>, read: ReadLine) -> LineRow {
        let text = String::from_utf8_lossy(line.bytes);
        let text = without_binary_content(&text);
        let masked = &mut self.masked.borrow_mut();
        let text = self.redactor.mask_json_counting(&text, masked).into_owned();
        LineRow {
            session_id: self.session.to_string(),
            app: "claude".to_owned(),
            project: self.project.to_owned(),
            agent_id: source.agent_id.clone(),
            line: line.number,
            uuid: read.uuid,
            time: read.time,
            text,
            rules: u64::from(self.rules),
        }
    }
}
