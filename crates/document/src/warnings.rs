//! What an answer may lack, in every document.

use crate::Keyword;
use library::apps::{UnreadApp, UnreadScope};
use library::lines::ReadError;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::LargeLine;

/// Something that the answer may lack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WarningDocument {
    /// `file_not_read`: a file of a session cannot be read, so what is in it is missing. `app_not_read`: a database, folder or file of an app cannot be read, so its sessions may be missing. `app_not_understood`: the app writes something that annals does not know, so its sessions may be incomplete. `line_too_large`: a line of a transcript is too large to be read, so what is in it is missing.
    pub kind: Keyword,
    /// The app, as `--app` names it; absent where a single file is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The database, the folder or the file.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

/// How many warnings are given: the rest is in `annals doctor`.
const MOST: usize = 10;

impl WarningDocument {
    /// The warnings of an answer.
    pub fn of(
        unread: &[UnreadApp],
        read_errors: &[ReadError],
        large_lines: &[LargeLine],
    ) -> Vec<WarningDocument> {
        let mut warnings: Vec<WarningDocument> = Vec::new();
        let files = read_errors.iter().map(WarningDocument::from);
        let lines = large_lines.iter().map(WarningDocument::from);
        for warning in unread.iter().map(WarningDocument::from).chain(files).chain(lines) {
            if warnings.len() < MOST && !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }
}

impl WarningDocument {
    /// Whether it names a file, or a line of one, that cannot be read.
    pub fn is_of_unread_file(&self) -> bool {
        [FILE_NOT_READ, LINE_TOO_LARGE].contains(&&*self.kind)
    }
}

const FILE_NOT_READ: &str = "file_not_read";
const LINE_TOO_LARGE: &str = "line_too_large";

impl From<&ReadError> for WarningDocument {
    fn from(read_error: &ReadError) -> Self {
        WarningDocument {
            kind: FILE_NOT_READ.into(),
            app: None,
            path: read_error.path.display().to_string(),
            message: format!("cannot read {read_error}"),
        }
    }
}

impl From<&LargeLine> for WarningDocument {
    fn from(line: &LargeLine) -> Self {
        let path = line.path.display().to_string();
        WarningDocument {
            kind: LINE_TOO_LARGE.into(),
            app: None,
            message: format!("left out of {path}: {line}"),
            path,
        }
    }
}

impl From<&UnreadApp> for WarningDocument {
    fn from(unread: &UnreadApp) -> Self {
        WarningDocument {
            kind: match unread.scope {
                UnreadScope::Store | UnreadScope::File => "app_not_read",
                UnreadScope::Part => "app_not_understood",
            }
            .into(),
            app: Some(unread.app.name().to_owned()),
            path: unread.path.display().to_string(),
            message: unread.to_string(),
        }
    }
}

/// A document with the warnings of its answer, as it is written. The document's own type does not
/// have them, so that no document can be made without them.
#[derive(Debug, Serialize)]
pub struct WarnedDocument<'d, T> {
    /// The document.
    #[serde(flatten)]
    pub document: &'d T,
    /// The warnings; left out if there are none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub warnings: &'d [WarningDocument],
}

/// The warnings of a document, read without the rest of it.
#[derive(Debug, Default, Deserialize)]
pub struct Warnings {
    /// The warnings.
    #[serde(default)]
    pub warnings: Vec<WarningDocument>,
}

/// Reads a document with its warnings, and writes both again.
pub(crate) fn rewritten<T: Serialize + DeserializeOwned>(
    text: &str,
    write: impl FnOnce(&WarnedDocument<'_, T>) -> serde_json::Result<String>,
) -> serde_json::Result<String> {
    let Warnings { warnings } = serde_json::from_str(text)?;
    write(&WarnedDocument { document: &serde_json::from_str(text)?, warnings: &warnings })
}
