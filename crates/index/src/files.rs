//! The files of an index.

use crate::failure::IndexError;
use crate::source::{Look, Source, SourceKind};
use rusqlite::Connection;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A file that was indexed.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// Where it is, or was.
    pub path: PathBuf,
    /// What it is.
    pub kind: SourceKind,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent it belongs to.
    pub agent: Option<String>,
    /// That agent's type.
    pub agent_type: Option<String>,
    /// Whether it is gone from disk and only kept.
    pub is_kept: bool,
    /// How it looked when it was read to its end.
    pub look: Option<Look>,
    /// The last time in it, in milliseconds.
    pub last: Option<i64>,
    /// Prompts that were typed in it.
    pub prompts: u64,
    /// The session's title.
    pub title: Option<String>,
    /// Where it was.
    pub cwd: Option<String>,
    /// The project it says it belongs to.
    pub project: Option<String>,
    /// Its last git branch.
    pub branch: Option<String>,
    /// Whether its lines plainly follow each other: every message is live, but for
    /// those before its last compaction.
    pub is_plain: bool,
    /// Where that stands.
    pub compacted: Option<u64>,
    /// The session it was given, before anything was found out.
    given_session: Option<String>,
}

impl IndexedFile {
    /// Of files that say the same, the smallest of these speaks: no copy, and on
    /// disk.
    pub(crate) fn precedence(&self) -> (bool, bool) {
        (self.kind == SourceKind::Copy, self.is_kept)
    }

    /// Whether it says what a source says.
    pub fn is_of(&self, source: &Source) -> bool {
        self.look == Some(source.look)
            && self.is_kept == source.is_kept
            && self.kind == source.kind
            && self.given_session == source.session
    }

    /// It as a source that looks so now.
    pub fn as_source(&self, look: Look) -> Source {
        Source {
            path: self.path.clone(),
            kind: self.kind,
            session: self.given_session.clone(),
            agent: self.agent.clone(),
            look,
            is_kept: self.is_kept,
        }
    }
}

/// All files, by their rows.
pub(crate) fn files(connection: &Connection) -> Result<HashMap<i64, IndexedFile>, IndexError> {
    let mut statement = connection.prepare(
        "SELECT id, path, kind, session, agent, is_kept, bytes, modified, inode, device, changed,
         last, prompts, title, cwd, project, branch, agent_type, slug,
         shape IS NOT NULL, compacted FROM file",
    )?;
    let rows = statement.query_map([], |row| {
        let path: Vec<u8> = row.get(1)?;
        let kind: String = row.get(2)?;
        let number = |place| row.get::<_, Option<i64>>(place).map(Option::unwrap_or_default);
        let bytes: Option<i64> = row.get(6)?;
        let identity = (number(8)?.cast_unsigned(), number(9)?.cast_unsigned(), number(10)?);
        let modified = number(7)?;
        let file = IndexedFile {
            path: PathBuf::from(OsStr::from_bytes(&path)),
            kind: SourceKind::of_name(&kind).unwrap_or(SourceKind::Copy),
            session: row.get(3)?,
            given_session: row.get(3)?,
            agent: row.get(4)?,
            is_kept: row.get(5)?,
            look: bytes.map(|bytes| Look { bytes: bytes.cast_unsigned(), modified, identity }),
            last: row.get(11)?,
            prompts: number(12)?.cast_unsigned(),
            title: row.get(13)?,
            cwd: row.get(14)?,
            project: row.get(15)?,
            branch: row.get(16)?,
            agent_type: row.get(17)?,
            is_plain: row.get(19)?,
            compacted: row.get::<_, Option<i64>>(20)?.map(i64::cast_unsigned),
        };
        Ok((row.get::<_, i64>(0)?, file, row.get::<_, Option<String>>(18)?))
    })?;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    // A plan belongs to the newest session that would call its own so.
    let mut owners: HashMap<&str, &IndexedFile> = HashMap::new();
    for (_, file, slug) in rows.iter().filter(|(_, file, _)| file.session.is_some()) {
        if let Some(slug) = slug {
            let owner = owners.entry(slug).or_insert(file);
            if (file.last, &file.path) > (owner.last, &owner.path) {
                *owner = file;
            }
        }
    }
    let owned: Vec<Option<String>> = rows
        .iter()
        .map(|(_, _, slug)| owners.get(slug.as_deref()?).and_then(|owner| owner.session.clone()))
        .collect();
    let files = rows.into_iter().zip(owned).map(|((id, mut file, _), owner)| {
        file.session = file.session.or(owner);
        (id, file)
    });
    Ok(files.collect())
}
