//! Rows of one source in order, and which of them the lake lacks.

use crate::names::{Month, SessionId, Table};
use crate::rows::{Rows, TableRow};
use crate::segment::{Entry, Piece};
use crate::shared::claims::{Claims, KnownClaim};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The month of rows; times never go back, so that a source has few ranges of one month.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Months {
    month: Option<Month>,
    /// The end of the month, so that most rows need no calendar.
    until: Option<Timestamp>,
}

impl Months {
    /// The month of the next row.
    pub(crate) fn next(&mut self, time: Option<Timestamp>) -> Month {
        if let Some(time) = time.filter(|time| self.until.is_none_or(|until| *time >= until)) {
            let date = time.to_zoned(TimeZone::UTC).date();
            let number = (u16::try_from(date.year()), u8::try_from(date.month()));
            if let (Ok(year), Ok(month)) = number
                && let Some(month) = Month::new(year, month)
            {
                self.month = self.month.max(Some(month));
            }
            let next = date.last_of_month().tomorrow().ok();
            let next = next.and_then(|next| next.to_zoned(TimeZone::UTC).ok());
            self.until = next.map(|next| next.timestamp());
        }
        self.month.unwrap_or(Month::FIRST)
    }
}

/// The source of some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSource<'s> {
    pub(crate) session: &'s SessionId,
    /// The transcript: the session's (empty) or an agent's.
    pub(crate) name: &'s str,
    pub(crate) rules: u32,
}

impl RowSource<'_> {
    /// The rows behind the first `covered` records, by month. Each row has the number of its
    /// record, from 0; each record has a month.
    pub(crate) fn pieces<R: TableRow>(
        &self,
        claims: &Claims,
        covered: u64,
        months: impl IntoIterator<Item = Month>,
        rows: impl IntoIterator<Item = (u64, R)>,
    ) -> Vec<(Month, Piece<Rows>)> {
        let mut ranges: Vec<(Month, std::ops::Range<u64>)> = Vec::new();
        for (number, month) in (0_u64..).zip(months).skip(usize::try_from(covered).unwrap_or(0)) {
            match ranges.last_mut() {
                Some((last, range)) if *last == month => range.end = number + 1,
                _ => ranges.push((month, number..number + 1)),
            }
        }
        let mut rows = rows.into_iter().skip_while(|(record, _)| *record < covered).peekable();
        let mut pieces = Vec::new();
        for (month, range) in ranges {
            let mut own = Vec::new();
            while let Some((_, row)) = rows.next_if(|(record, _)| *record < range.end) {
                own.push(row);
            }
            let Some(entry) = claims.entry(self.session, self.name, range, self.rules) else {
                break;
            };
            pieces.push((month, Piece { entry, rows: R::into_rows(own) }));
        }
        pieces
    }

    /// The entries of what the lake has that are about this source.
    pub(crate) fn own<'e>(&self, has: &[&'e Entry]) -> Vec<&'e Entry> {
        has.iter().filter(|entry| entry.source == self.name).copied().collect()
    }
}

/// The rows of a table that are records themselves.
pub(crate) struct RecordRows<R> {
    pub(crate) rows: Vec<R>,
    /// What a row is known by: ids and counts, never text.
    pub(crate) id: fn(&R) -> Vec<u8>,
    pub(crate) time: fn(&R) -> Option<Timestamp>,
}

impl<R: TableRow> RecordRows<R> {
    pub(crate) fn claims(&self) -> Claims {
        let mut claims = Claims::default();
        for row in &self.rows {
            claims.add(&(self.id)(row));
        }
        claims
    }

    /// The rows that the lake lacks, by month, and what there is.
    pub(crate) fn missing(
        self,
        source: RowSource<'_>,
        table: Table,
        has: &[&Entry],
    ) -> (Vec<(Month, Piece<Rows>)>, KnownClaim) {
        let claims = self.claims();
        let covered = claims.covered(&source.own(has), source.rules);
        let mut months = Months::default();
        let months: Vec<Month> =
            self.rows.iter().map(|row| months.next((self.time)(row))).collect();
        let pieces = source.pieces(&claims, covered, months, (0_u64..).zip(self.rows));
        (pieces, claims.known(table, source.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_never_go_back() {
        let mut months = Months::default();
        let next: Vec<String> = [
            None,
            Some("2026-10-31T23:59:59.999Z"),
            Some("2026-11-01T00:00:00Z"),
            Some("2026-10-02T00:00:00Z"),
            None,
            Some("2027-01-01T00:00:00Z"),
        ]
        .map(|time| months.next(time.map(|time| time.parse().unwrap())).to_string())
        .to_vec();
        assert_eq!(next, ["197001", "202610", "202611", "202611", "202611", "202701"]);
    }
}
