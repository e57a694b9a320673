//! Looking for a pattern in everything that was said, without an index.
//!
//! What is searched is the decoded text of each block, as `transcript` defines
//! it. The files are read in batches of whole lines; where the pattern allows
//! it, only lines that can hold a hit are decoded at all (`prefilter`). Where
//! secrets are masked, the masked text is searched, so that nobody can ask for
//! a secret piece by piece.
//!
//! Outputs that stand in files of their own beside a transcript are not read.

mod excerpt;
mod pattern;
mod prefilter;
mod role;

pub use pattern::{Pattern, PatternError, PatternOptions};
pub use role::Role;

use crate::Library;
use crate::content::FlatAgents;
use crate::filter::Filter;
use crate::progress::Progress;
use crate::reach::Reach;
use crate::scan::Trouble;
use crate::session::Session;
use jiff::Timestamp;
use prefilter::Prefilter;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use store::{LineReader, Position};
use transcript::{Entry, Line, LineEnd, Lines, parse_line};

/// What to look for, and how much of it to hand back.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Only what was said in these roles; in all if there are none.
    pub roles: &'a [Role],
    /// Only what was said in its span of time; the rest of it chooses sessions,
    /// which is for the caller.
    pub filter: &'a Filter,
    /// How many lines before and after a matching one belong to a hit.
    pub context: usize,
    /// How many hits of each file are wanted with their texts; the others are
    /// only counted.
    pub most: usize,
}

/// A block that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The sub-agent that it belongs to.
    pub agent_id: Option<String>,
    /// Who said it, or what it is.
    pub role: Role,
    /// The tool that is called.
    pub tool: Option<String>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The transcript.
    pub path: PathBuf,
    /// The line in it, from 1.
    pub line: u64,
    /// The matching lines of its text, with those around them.
    pub text: String,
    /// Where in that text the matches are, in bytes.
    pub matches: Vec<(usize, usize)>,
    /// Whether there are more matches than these.
    pub is_cut: bool,
}

/// The hits of one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionHits {
    /// How many there are.
    pub count: usize,
    /// The first of them, file by file.
    pub hits: Vec<Hit>,
}

/// A file to look into.
struct Place {
    session: usize,
    path: PathBuf,
    agent_id: Option<String>,
    bytes: u64,
}

impl Library {
    /// Looks into sessions and their sub-agents. The answers are in the order of
    /// the sessions.
    pub fn grep(
        &self,
        sessions: &[&Session],
        search: &Search<'_>,
        progress: &dyn Progress,
    ) -> (Vec<SessionHits>, Vec<Trouble>) {
        let mut flat = FlatAgents::new();
        let mut places = Vec::new();
        for (number, session) in sessions.iter().enumerate() {
            if let Some(path) = session.path.clone() {
                let bytes = session.facts.bytes;
                places.push(Place { session: number, path, agent_id: None, bytes });
            }
            let agents = self.agent_files_of(session, &mut flat, Reach::All).into_iter();
            places.extend(agents.map(|agent| Place {
                session: number,
                path: agent.path,
                agent_id: Some(agent.id),
                bytes: agent.bytes,
            }));
        }
        progress.start(places.iter().map(|place| place.bytes).sum());
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(places[*number].bytes));
        let prefilter = search.pattern.prefilter(self.redactor.is_some());
        let mut found: Vec<(usize, SessionHits, Option<Trouble>)> = order
            .into_par_iter()
            .with_max_len(1)
            .map_init(LineReader::default, |reader, number| {
                let place = &places[number];
                let mut look = Look { library: self, search, place, found: SessionHits::default() };
                let trouble = look.read(reader, prefilter).err();
                progress.advance(place.bytes);
                (number, look.found, trouble.map(|error| Trouble::new(&place.path, &error)))
            })
            .collect();
        progress.finish();
        found.sort_by_key(|(number, ..)| *number);
        let mut answers = vec![SessionHits::default(); sessions.len()];
        let mut troubles = Vec::new();
        for (number, hits, trouble) in found {
            let answer = &mut answers[places[number].session];
            answer.count += hits.count;
            answer.hits.extend(hits.hits);
            troubles.extend(trouble);
        }
        (answers, troubles)
    }
}

/// Looking into one file.
struct Look<'a> {
    library: &'a Library,
    search: &'a Search<'a>,
    place: &'a Place,
    found: SessionHits,
}

impl Look<'_> {
    fn read(&mut self, reader: &mut LineReader, prefilter: Option<&Prefilter>) -> io::Result<()> {
        let path: &Path = &self.place.path;
        let mut file = self.library.all.open(path)?;
        let bytes = file.stat().bytes;
        let read = reader.read_batches(&mut file, |batch, position| match prefilter {
            None => {
                for line in Lines::from_position(batch, position.offset, position.line) {
                    self.line(line);
                }
            }
            Some(prefilter) => {
                candidates(batch, position, prefilter, |line| self.line(line));
            }
        })?;
        if read < bytes {
            return Err(io::Error::other("it shrank while being read"));
        }
        Ok(())
    }

    fn line(&mut self, line: Line<'_>) {
        let bytes = &*self.library.veil_line(line.bytes);
        for entry in parse_line(Line { bytes, ..line }) {
            self.entry(&entry);
        }
    }

    fn entry(&mut self, entry: &Entry<'_>) {
        let record = &entry.record;
        let regex = &self.search.pattern.regex;
        for piece in transcript::text::of_record(record) {
            if !regex.is_match(&piece.text) {
                continue;
            }
            let (role, tool) = role::of_piece(record, piece.block);
            let is_wanted = self.search.roles.is_empty() || self.search.roles.contains(&role);
            let time = record.time();
            if !is_wanted || !self.search.filter.admits_time(time) {
                continue;
            }
            self.found.count += 1;
            if self.found.hits.len() >= self.search.most {
                continue;
            }
            let excerpt = excerpt::of(regex, &piece.text, self.search.context);
            let envelope = &record.envelope;
            let inline = envelope.agent_id.as_ref().filter(|_| envelope.is_sidechain);
            self.found.hits.push(Hit {
                agent_id: self.place.agent_id.clone().or_else(|| inline.map(ToString::to_string)),
                role,
                tool,
                time,
                path: self.place.path.clone(),
                line: entry.line,
                text: excerpt.text,
                matches: excerpt.matches,
                is_cut: excerpt.is_cut,
            });
        }
    }
}

/// The lines of a batch that may hold a hit.
fn candidates(
    batch: &[u8],
    position: Position,
    prefilter: &Prefilter,
    mut each: impl FnMut(Line<'_>),
) {
    let (mut counted, mut number) = (0, position.line);
    prefilter.each(batch, |start, stop, has_newline| {
        number += memchr::memchr_iter(b'\n', &batch[counted..start]).count() as u64;
        counted = start;
        let end = if has_newline { LineEnd::Newline } else { LineEnd::EndOfInput };
        let offset = position.offset + start as u64;
        each(Line { number, offset, bytes: &batch[start..stop], end });
    });
}
