//! Shows the sessions of other coding agents as transcripts.
//!
//! The engine of annals (`conversation`, `usage`, `index`, `render`) reads one format: the JSON
//! Lines of Claude Code. The readers of other apps give a [`Session`] of [`Entry`]s. This crate
//! writes such a session as the transcript that the engine reads, in memory, each time a session
//! is opened. Nothing is stored: the app's own bytes stay the source, and every line says where
//! it comes from by its number.
//!
//! ```
//! use apps::{App, Entry, EntryKind, Place, Session};
//! use apps::transcript_writer::{SourceEntry, SourceSession, write_transcript};
//!
//! let mut session = Session::default();
//! let place = Place { line: 3, offset: 90, bytes: 40 };
//! session.entries.push(Entry::new(place, EntryKind::Prompt("Count the fish.".to_owned())));
//!
//! let entries = SourceEntry::of(&session);
//! let source = SourceSession::new(App::Codex, "codex:019f", &session.header, &entries);
//! let transcript = write_transcript(&source);
//! let found: Vec<_> = transcript::entries(&transcript.main)
//!     .filter_map(|entry| Some((entry.line, entry.record.message()?.text().into_owned())))
//!     .collect();
//! assert_eq!(found, [(3, "Count the fish.".to_owned())]);
//! ```
//!
//! # Records
//! | entry | record |
//! |---|---|
//! | prompt | `user` with text and `promptSource` `verbatim`, so that the text is taken as it is |
//! | text, thinking, call | `assistant` with blocks |
//! | result | `user` with one `tool_result`; its exit code and what it changed are in `toolUseResult` |
//! | attachment | `document` with type and size, without bytes |
//! | compaction | `system` `compact_boundary`, and the summary |
//! | interruption | `user` with Claude Code's note |
//! | error | `assistant` with `isApiErrorMessage` |
//! | notice | `user` with `origin` `app`; the text is in a tag with the notice's kind |
//! | start of a sub-agent | `toolUseResult.agentId` of the call's result |
//! | anything else | nothing, unless it reports an API call |
//!
//! Entries of one source line that have the same author become one record. All records of an API
//! response have its message id.
//!
//! # Conversation
//! Live and replayed entries form one chain of `parentUuid`s. Entries that were undone or left
//! form abandoned branches, one for each run of such entries. If a branch is written after the
//! conversation, a `last-prompt` record after the last line says where the conversation stands. Of
//! a session that moved to another folder, a `relocated` record there names the folder.
//!
//! # Usage
//! The record of an entry that reports an API call has the usage, under the call's key with the
//! app's name before it. Entries with nothing to show give an `assistant` record without blocks.
//! Each key is written once.
//!
//! # Lines
//! Line N of the transcript stands for line N of the source file, so lines with nothing to show
//! are blank, and several records of one source line are glued together on one line, which the
//! engine reads in the app's view. Files are numbered through. See
//! [`SessionTranscript::source_line`] for the exceptions.
//!
//! # Changed texts
//! Ids of calls that occur twice get a suffix. Texts stay exactly as they are.
//!
//! Deliberately not here: reading the apps' files, titles, lists.

mod call_ids;
mod chain;
mod envelope;
mod file_changes;
mod json_text;
mod layout;
mod lines;
mod patch;
mod record_ids;
mod source;
mod texts;
mod writer;

pub use source::{SessionTranscript, SourceEntry, SourceSession};

use crate::EntryKind;
use std::collections::{BTreeMap, HashMap, HashSet};
use writer::Writer;

#[expect(unused_imports, reason = "for links in the documentation")]
use crate::{Entry, Session};

/// Writes a session as the transcript of its conversation and those of the sub-agents that write
/// into the same session.
///
/// The same session gives the same bytes. Takes time linear in the session's size.
pub fn write_transcript(source: &SourceSession<'_>) -> SessionTranscript {
    let layout = layout::Layout::new(source);
    let started_agents = find_started_agents(source);
    let mut main = Writer::new(source, source.agent, &layout);
    let mut agents: BTreeMap<&str, Writer<'_>> = BTreeMap::new();
    let mut keys = HashSet::new();
    for entry in source.entries {
        let agent = entry.entry.agent.as_deref().filter(|_| source.agent.is_none());
        let writer = match agent {
            Some(agent) => {
                agents.entry(agent).or_insert_with(|| Writer::new(source, Some(agent), &layout))
            }
            None => &mut main,
        };
        writer.write(entry, &started_agents, &mut keys);
    }
    let finish = |(id, writer): (&str, Writer<'_>)| (id.to_owned(), writer.finish());
    SessionTranscript {
        main: main.finish(),
        agents: agents.into_iter().map(finish).collect(),
        file_starts: layout.into_file_starts(),
    }
}

/// The sub-agent that each call started.
fn find_started_agents<'a>(source: &SourceSession<'a>) -> HashMap<&'a str, &'a str> {
    let mut agents = HashMap::new();
    for entry in source.entries {
        if let EntryKind::AgentStart { agent, call: Some(call) } = &entry.entry.kind {
            agents.entry(call.as_str()).or_insert(agent.as_str());
        }
    }
    agents
}
