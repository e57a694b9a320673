//! The files that are read, and their stamps.

use rusqlite::Row;
use std::path::PathBuf;
use store::{FileStat, ShelfStat};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// A session's transcript.
    Main,
    /// A sub-agent's transcript.
    Agent,
    /// A copy of a session's transcript, made before a compaction or by hand.
    Copy,
    /// A transcript that another tool wrote.
    Foreign,
    /// A tool's output that was too large for its line.
    Output,
    /// A plan.
    Plan,
}

impl SourceKind {
    const ALL: [SourceKind; 6] = [
        SourceKind::Main,
        SourceKind::Agent,
        SourceKind::Copy,
        SourceKind::Foreign,
        SourceKind::Output,
        SourceKind::Plan,
    ];

    /// Its name in views.
    pub fn name(self) -> &'static str {
        match self {
            SourceKind::Main => "main",
            SourceKind::Agent => "agent",
            SourceKind::Copy => "copy",
            SourceKind::Foreign => "foreign",
            SourceKind::Output => "output",
            SourceKind::Plan => "plan",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<SourceKind> {
        SourceKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is JSON Lines; plain text otherwise.
    pub(crate) fn has_lines(self) -> bool {
        !matches!(self, SourceKind::Output | SourceKind::Plan)
    }
}

/// The status of a file: enough to see that it changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Its size.
    pub bytes: u64,
    /// When it was modified, in nanoseconds.
    pub modified: i64,
    /// Distinguishes it from another file with the same name: inode, device, change
    /// time; zeros for an archived file.
    pub identity: (u64, u64, i64),
}

impl Stamp {
    /// The stamp in the columns of a row, starting at `from`; `None` while the file is
    /// being read.
    pub(crate) fn of_row(row: &Row<'_>, from: usize) -> rusqlite::Result<Option<Stamp>> {
        let number =
            |offset| row.get::<_, Option<i64>>(from + offset).map(Option::unwrap_or_default);
        let Some(bytes) = row.get::<_, Option<i64>>(from)? else { return Ok(None) };
        let identity = (number(2)?.cast_unsigned(), number(3)?.cast_unsigned(), number(4)?);
        Ok(Some(Stamp { bytes: bytes.cast_unsigned(), modified: number(1)?, identity }))
    }
}

fn nanoseconds(time: jiff::Timestamp) -> i64 {
    i64::try_from(time.as_nanosecond()).unwrap_or(i64::MAX)
}

impl From<FileStat> for Stamp {
    fn from(stat: FileStat) -> Stamp {
        let modified = nanoseconds(stat.modified);
        Stamp { bytes: stat.bytes, modified, identity: stat.identity() }
    }
}

impl From<ShelfStat> for Stamp {
    fn from(stat: ShelfStat) -> Stamp {
        Stamp { bytes: stat.bytes, modified: nanoseconds(stat.modified), identity: (0, 0, 0) }
    }
}

/// A file to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path; the file may no longer exist.
    pub path: PathBuf,
    /// Its kind.
    pub kind: SourceKind,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent it belongs to.
    pub agent: Option<String>,
    /// Its stamp.
    pub stamp: Stamp,
    /// Whether it is only in the archive, no longer on disk.
    pub is_archive_only: bool,
}

impl Source {
    /// Whether a row has the same kind, session and presence; the content may differ.
    pub(crate) fn matches_row(
        &self,
        kind: &str,
        session: Option<&str>,
        is_archive_only: bool,
    ) -> bool {
        self.kind.name() == kind
            && self.session.as_deref() == session
            && self.is_archive_only == is_archive_only
    }
}
