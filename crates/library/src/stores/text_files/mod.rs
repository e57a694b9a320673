//! The one walk over every file that holds text.
//!
//! Everything that reads texts asks here which files there are: the index, `grep`
//! and the sources of a session, and usage. No other module lists folders for them;
//! the list of sessions ([`list`](crate::catalog::list)) is a separate walk,
//! because it reads the ends of transcripts too. To add a source of text, add a
//! [`TextKind`], decide who reads it in [`TextKind::is_read_by`], and yield its files
//! in `walk`.
//!
//! | kind | where it lies | index | grep | usage | why |
//! |---|---|---|---|---|---|
//! | main | `projects/<project>/<session>.jsonl` | yes | yes | yes | |
//! | agent | `…/<session>/subagents/**/agent-*.jsonl` | yes | yes | yes | |
//! | flat agent | `projects/<project>/agent-*.jsonl` | yes | yes | yes | its lines name its session |
//! | unclaimed agent | the same, but its lines name no session | yes | no | yes | `grep` answers session by session; the index and usage need no session |
//! | copy | `pre-compact-session-histories/*.jsonl` | yes | yes | yes | it holds what a compaction removed; hits and calls that the session has too count once |
//! | foreign | `transcripts/*.jsonl` | yes | yes | no | another tool wrote it: the words are worth finding, the costs are not Claude Code's |
//! | foreign agent | an `agent-*.jsonl` among copies or foreign transcripts | no | yes | no | index and usage have the file as a copy or foreign; `grep` also shows it with the session that its lines name |
//! | output | `…/<session>/tool-results/*` | yes | yes | no | plain text without API calls |
//! | plan | `plans/*.md` | yes | yes | no | plain text without API calls |
//!
//! The same rules hold for all of them:
//! - A file whose path is excluded is not there. Sessions that are excluded by their
//!   working directory are left out by each reader, because that depends on the content:
//!   index and `grep` leave out the session, usage leaves out single calls.
//! - A root that only the archive names has only the sessions the archive names; what
//!   lies in the folders of those sessions is theirs, archived or not.
//! - A root that another root leads to by another path adds only archived files.
//! - A root that is one transcript has that session's files and no others.
//! - Links are not followed.
//!
//! Deliberately not here: what is in the files. Only flat agents are opened, because
//! their lines say whose they are, and not even those if the caller knows. A file's
//! [`stamp`] is read only by callers that need it.

pub(crate) mod walk;

use index::{SourceKind, Stamp};
use std::path::{Path, PathBuf};
use std::{fs, io};
use store::{FileStat, Files};

/// A file that holds text.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    /// Where it is, or was.
    pub(crate) path: PathBuf,
    /// What it is.
    pub(crate) kind: TextKind,
    /// The session it belongs to; `None` for plans and unclaimed agents.
    pub(crate) session: Option<String>,
    /// The sub-agent it belongs to.
    pub(crate) agent: Option<String>,
}

/// What a text file is. The table in the module's head describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Main,
    Agent,
    FlatAgent,
    UnclaimedAgent,
    Copy,
    Foreign,
    ForeignAgent,
    Output,
    Plan,
}

/// Who reads text files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextReader {
    /// The index behind `search`.
    Index,
    /// `grep`, and everything else that reads the sources of sessions.
    Grep,
    /// Usage.
    Usage,
}

impl TextKind {
    /// Whether a reader reads this kind: the table in the module's head.
    pub(crate) const fn is_read_by(self, reader: TextReader) -> bool {
        match self {
            TextKind::Main | TextKind::Agent | TextKind::FlatAgent | TextKind::Copy => true,
            TextKind::UnclaimedAgent => !matches!(reader, TextReader::Grep),
            TextKind::Foreign | TextKind::Output | TextKind::Plan => {
                !matches!(reader, TextReader::Usage)
            }
            TextKind::ForeignAgent => matches!(reader, TextReader::Grep),
        }
    }

    /// What the index calls it.
    pub(crate) const fn source_kind(self) -> SourceKind {
        match self {
            TextKind::Main => SourceKind::Main,
            TextKind::Agent
            | TextKind::FlatAgent
            | TextKind::UnclaimedAgent
            | TextKind::ForeignAgent => SourceKind::Agent,
            TextKind::Copy => SourceKind::Copy,
            TextKind::Foreign => SourceKind::Foreign,
            TextKind::Output => SourceKind::Output,
            TextKind::Plan => SourceKind::Plan,
        }
    }
}

/// The stamp of a file, and where the file is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamped {
    /// Size, times and inode.
    pub(crate) stamp: Stamp,
    /// Whether it is gone from disk and the archive has it.
    pub(crate) is_archive_only: bool,
}

/// The stamp of a regular file on disk, else of the archived one; `None` if there is
/// neither, or if something else is at that path on disk.
pub(crate) fn stamp(files: &Files, path: &Path) -> Option<Stamped> {
    if let Ok(stamp) = stamp_on_disk(path) {
        return stamp.map(|stamp| Stamped { stamp, is_archive_only: false });
    }
    let (stat, is_archive_only) = files.find(path)?;
    Some(Stamped { stamp: stat.into(), is_archive_only })
}

/// The stamp of a file on disk; `None` if what is there is not a regular file.
pub(crate) fn stamp_on_disk(path: &Path) -> io::Result<Option<Stamp>> {
    let metadata = fs::symlink_metadata(path)?;
    Ok(metadata.is_file().then(|| FileStat::of(&metadata).into()))
}
