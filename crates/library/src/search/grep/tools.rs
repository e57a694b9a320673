//! Which tool gave a result.
//!
//! The call of a result is usually earlier in the same transcript. Calls that
//! were parsed are remembered; for those on skipped lines, the file is searched
//! once, when a result needs one of them.

use crate::catalog::sources::Source;
use crate::search::Search;
use memchr::memmem::Finder;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use store::MatchingLineReader;
use transcript::{Block, Body, Line, Message, Record, parse_line};

/// The tools of the calls in one transcript, by their ids.
#[derive(Debug, Default)]
pub(super) struct Tools {
    names: HashMap<String, String>,
    is_complete: bool,
}

impl Tools {
    /// Remembers the calls of a record.
    pub(super) fn note(&mut self, record: &Record<'_>) {
        for call in record.message().into_iter().flat_map(Message::tool_uses) {
            if let (Some(id), Some(name)) = (&call.id, &call.name) {
                self.names.entry(id.to_string()).or_insert_with(|| name.to_string());
            }
        }
    }

    /// The tool of a call in the transcript at this path.
    pub(super) fn find(&mut self, search: &Search, path: &Path, id: &str) -> Option<&str> {
        if !self.is_complete && !self.names.contains_key(id) {
            self.is_complete = true;
            each_line_with(search, path, b"tool_use\"", |line| {
                for entry in parse_line(line) {
                    self.note(&entry.record);
                    if let Some(line) = entry.agent_line() {
                        self.note(&line.record);
                    }
                }
            });
        }
        self.names.get(id).map(String::as_str)
    }
}

/// Passes on the lines of a transcript that contain a text. An unreadable
/// transcript has none: the error is reported when all of it is read.
fn each_line_with(search: &Search, path: &Path, text: &[u8], mut each: impl FnMut(Line<'_>)) {
    let Ok(mut file) = search.stores.all.open(path) else { return };
    let masking = search.redaction.masking_of(path);
    let mut each_masked = |line: Line<'_>| {
        let bytes = &*masking.line(line.bytes);
        each(Line { bytes, ..line });
    };
    let _ = MatchingLineReader::default().read(&mut file, &Finder::new(text), &mut each_masked);
}

/// Whose an output in a separate file is.
#[derive(Clone, Debug, Default)]
pub(super) struct OutputOwner {
    pub(super) tool: Option<String>,
    pub(super) agent_id: Option<String>,
}

/// The owners of a session's outputs, by file name. Its transcripts are
/// searched on first use.
#[derive(Debug)]
pub(super) struct OutputOwners<'a> {
    transcripts: &'a [Source],
    owners: Option<HashMap<String, OutputOwner>>,
    tools: HashMap<PathBuf, Tools>,
}

impl<'a> OutputOwners<'a> {
    pub(super) fn new(transcripts: &'a [Source]) -> Self {
        OutputOwners { transcripts, owners: None, tools: HashMap::new() }
    }

    pub(super) fn find(&mut self, search: &Search, output: &Path) -> OutputOwner {
        let name = output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let owners = match self.owners.take() {
            Some(owners) => owners,
            None => self.read(search),
        };
        let known = owners.get(name).cloned();
        self.owners = Some(owners);
        known.unwrap_or_else(|| {
            // Files are named after their calls.
            let id = name.split('.').next().unwrap_or_default();
            self.by_id(search, id).unwrap_or_default()
        })
    }

    fn by_id(&mut self, search: &Search, id: &str) -> Option<OutputOwner> {
        for source in self.transcripts {
            let tools = self.tools.entry(source.path.clone()).or_default();
            if let Some(tool) = tools.find(search, &source.path, id) {
                return Some(OutputOwner {
                    tool: Some(tool.to_owned()),
                    agent_id: source.agent_id.clone(),
                });
            }
        }
        None
    }

    fn read(&mut self, search: &Search) -> HashMap<String, OutputOwner> {
        let mut owners = HashMap::new();
        for source in self.transcripts {
            let mut answered: Vec<(String, String)> = Vec::new();
            each_line_with(search, &source.path, b"tool-results", |line| {
                for entry in parse_line(line) {
                    answered.extend(persisted(&entry.record));
                }
            });
            for (name, id) in answered {
                let tools = self.tools.entry(source.path.clone()).or_default();
                let tool = tools.find(search, &source.path, &id).map(str::to_owned);
                owners
                    .entry(name)
                    .or_insert_with(|| OutputOwner { tool, agent_id: source.agent_id.clone() });
            }
        }
        owners
    }
}

/// The files in which the results of a record are stored, and their calls.
fn persisted(record: &Record<'_>) -> Vec<(String, String)> {
    let Body::User(user) = &record.body else { return Vec::new() };
    let noted = user.tool_use_result.as_ref();
    let noted = noted.and_then(|result| result.member_string("persistedOutputPath"));
    let blocks = record.message().map(Message::blocks).unwrap_or_default();
    let results = blocks.iter().filter_map(|block| match block {
        Block::ToolResult(result) => Some(result),
        _ => None,
    });
    results
        .filter_map(|result| {
            let text = result.content.as_ref().map(|content| content.text()).unwrap_or_default();
            let name = conversation::persisted_name(noted.as_deref(), &text)?;
            Some((name, result.tool_use_id.as_ref()?.to_string()))
        })
        .collect()
}
