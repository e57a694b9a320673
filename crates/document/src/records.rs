//! The records of a transcript, in the order of the file.
//!
//! A transcript can be larger than memory, so `show` writes this document record
//! by record. The type of the whole is here for those who read it.

use crate::{Document, Keyword, SessionDocument};
use base64::Engine as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use transcript::{Entry, large_line_bytes};

/// The records of a transcript, in the order of the file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordsDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent whose transcript it is; `null`: the session's own.
    pub agent_id: Option<Cow<'a, str>>,
    /// The records.
    pub records: Vec<RecordDocument<'a>>,
    /// What is wrong with lines of the transcript.
    pub problems: Vec<RecordProblemDocument>,
}

impl Document for RecordsDocument<'_> {
    const SCHEMA: &'static str = "annals/records/1";
    const COMMAND: &'static str = "`annals show --view all`";
    const ROWS: Option<&'static str> = Some("records");
}

/// A record of a transcript.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordDocument<'a> {
    /// Its line, from 1.
    pub line: u64,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    /// Its subtype.
    pub subtype: Option<Cow<'a, str>>,
    /// Its id.
    pub uuid: Option<Cow<'a, str>>,
    /// The id of the record it follows.
    pub parent_uuid: Option<Cow<'a, str>>,
    /// Its time, as recorded.
    pub timestamp: Option<Cow<'a, str>>,
    /// The line itself. Absent if it is too large, which is among `problems`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<Cow<'a, str>>,
    /// The line in base64, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_base64: Option<String>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordProblemDocument {
    /// The line, from 1.
    pub line: u64,
    /// Where the problem is, in bytes from the start of the file.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
}

impl<'a> From<&'a Entry<'_>> for RecordDocument<'a> {
    fn from(entry: &'a Entry<'_>) -> Self {
        let record = &entry.record;
        let is_too_large = large_line_bytes(entry.bytes).is_some();
        let raw = str::from_utf8(entry.bytes).ok().filter(|_| !is_too_large);
        let uuid = |uuid: &'a Option<transcript::Uuid<'_>>| {
            uuid.as_ref().map(|uuid| Cow::from(uuid.as_str()))
        };
        RecordDocument {
            line: entry.line,
            offset: entry.offset,
            kind: record.type_name.as_deref().map(Cow::from),
            subtype: record.subtype().map(Cow::from),
            uuid: uuid(&record.envelope.uuid),
            parent_uuid: uuid(&record.envelope.parent_uuid),
            timestamp: record.envelope.timestamp.as_deref().map(Cow::from),
            raw: raw.map(Cow::from),
            raw_base64: (raw.is_none() && !is_too_large)
                .then(|| base64::engine::general_purpose::STANDARD.encode(entry.bytes)),
        }
    }
}

impl RecordProblemDocument {
    /// The problems of an entry.
    pub fn of<'e>(entry: &'e Entry<'_>) -> impl Iterator<Item = Self> + use<'e> {
        entry.problems.iter().map(|problem| RecordProblemDocument {
            line: entry.line,
            offset: problem.offset,
            reason: problem.reason.to_string(),
        })
    }
}
