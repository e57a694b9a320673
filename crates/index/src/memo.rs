//! What was found out about files, for whoever would otherwise read them: valid
//! for a file that still looks as it did.

use crate::database::Place;
use crate::failure::IndexError;
use crate::rows::What;
use crate::source::Look;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use transcript::Role;

/// What is remembered of files.
#[derive(Debug, Default)]
pub struct Memo {
    files: HashMap<PathBuf, MemoFile>,
}

/// What files are asked for by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// Models that answered.
    Models,
    /// Tools that were called.
    Tools,
}

/// What is remembered of a file.
#[derive(Debug)]
pub struct MemoFile {
    look: Look,
    /// Prompts that were typed in it.
    pub prompts: u64,
    /// The fold of its API calls, packed.
    pub fold: Vec<u8>,
}

impl Spoken {
    /// The names that occur in files, by their paths.
    pub(crate) fn read(self, place: &Place) -> Result<SpokenNames, IndexError> {
        let mut names = SpokenNames::new();
        let Some(connection) = place.open_to_read()? else { return Ok(names) };
        let rows = match self {
            Spoken::Models => {
                "SELECT DISTINCT file, model AS name FROM block WHERE model IS NOT NULL"
            }
            Spoken::Tools => {
                "SELECT DISTINCT file, tool AS name FROM block
                 WHERE tool IS NOT NULL AND (what >> 4) & 15 = ?1"
            }
        };
        let mut statement = connection.prepare(&format!(
            "SELECT file.path, name.text FROM ({rows}) AS spoken
             JOIN file ON file.id = spoken.file JOIN name ON name.id = spoken.name"
        ))?;
        let mut rows = match self {
            Spoken::Models => statement.query([])?,
            Spoken::Tools => statement.query([What::role_number(Role::ToolUse)])?,
        };
        while let Some(row) = rows.next()? {
            let path: Vec<u8> = row.get(0)?;
            names.entry(PathBuf::from(OsStr::from_bytes(&path))).or_default().push(row.get(1)?);
        }
        Ok(names)
    }
}

/// Names by the paths of the files they occur in.
pub type SpokenNames = HashMap<PathBuf, Vec<String>>;

impl Memo {
    pub(crate) fn open(place: &Place) -> Result<Option<Memo>, IndexError> {
        let Some(connection) = place.open_to_read()? else { return Ok(None) };
        let mut statement = connection.prepare(
            "SELECT path, bytes, modified, inode, device, changed, prompts, fold
             FROM used JOIN file ON file.id = used.file WHERE bytes IS NOT NULL",
        )?;
        let rows = statement.query_map([], |row| {
            let path: Vec<u8> = row.get(0)?;
            let number = |place| row.get::<_, i64>(place).map(i64::cast_unsigned);
            let look = Look {
                bytes: number(1)?,
                modified: row.get(2)?,
                identity: (number(3)?, number(4)?, row.get(5)?),
            };
            let file = MemoFile { look, prompts: number(6)?, fold: row.get(7)? };
            Ok((PathBuf::from(OsStr::from_bytes(&path)), file))
        })?;
        Ok(Some(Memo { files: rows.collect::<Result<_, _>>()? }))
    }

    /// What is remembered of a file that looks so.
    pub fn find(&self, path: &Path, look: &Look) -> Option<&MemoFile> {
        self.files.get(path).filter(|file| file.look == *look)
    }
}
