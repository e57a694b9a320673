//! Searching one file, and delivering the hits.
//!
//! Deliberately not here: whose file it is, and what other files repeat of it.

use crate::catalog::sources::Source;
use crate::pattern::Prefilter;
use crate::redaction::masking::Masking;
use crate::search::Search;
use crate::search::grep::known::KnownLines;
use crate::search::grep::tools::{OutputOwners, Tools};
use crate::search::grep::{GrepOptions, Hit, Hits, excerpt};
use crate::sessions::calls::agent_line;
use index::SourceKind;
use jiff::Timestamp;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::progress::{Progress, StoppableReader};
use store::{LineReader, Position};
use transcript::role::BlockRole;
use transcript::{Entry, Line, LineEnd, Lines, Role, parse_line, role};

/// How many bytes to deliver at a time.
const PORTION: usize = 64 * 1024;

/// The memory of a hit besides its text.
const BESIDES: usize = 512;

/// Delivers hits in portions.
pub(super) struct HitSender<'a> {
    has_enough: &'a AtomicBool,
    put: &'a mut dyn FnMut(Hits, usize) -> bool,
    portion: Hits,
    size: usize,
    is_refused: bool,
}

impl<'a> HitSender<'a> {
    /// Once `has_enough` is set, hits are only counted.
    pub(super) fn new(
        has_enough: &'a AtomicBool,
        put: &'a mut dyn FnMut(Hits, usize) -> bool,
    ) -> Self {
        HitSender { has_enough, put, portion: Hits::default(), size: 0, is_refused: false }
    }

    fn has_enough(&self) -> bool {
        self.has_enough.load(Ordering::Relaxed)
    }

    fn add(&mut self, hit: Option<Hit>) {
        self.portion.count += 1;
        if let Some(hit) = hit {
            self.size += hit.text.len() + size_of_val(hit.matches.as_slice()) + BESIDES;
            self.portion.hits.push(hit);
            if self.size >= PORTION {
                self.pass_on();
            }
        }
    }

    fn pass_on(&mut self) {
        if self.portion.count > 0 && !self.is_refused {
            self.is_refused = !(self.put)(std::mem::take(&mut self.portion), self.size);
        }
        self.portion = Hits::default();
        self.size = 0;
    }

    /// Delivers the rest.
    pub(super) fn finish(mut self) {
        self.pass_on();
    }
}

/// The search of one file.
pub(super) struct FileSearch<'a, 'h> {
    room: &'a Search,
    search: &'a GrepOptions<'a>,
    source: &'a Source,
    hand: &'a mut HitSender<'h>,
    tools: Tools,
    progress: &'a dyn Progress,
    /// The transcripts of the session: agents among them are not searched in the
    /// progress records that repeat them.
    transcripts: &'a [Source],
    /// How many hits of this file were delivered.
    given: usize,
    /// Made for the first line that may match.
    masking: Rc<OnceCell<Masking>>,
}

/// A matching text, before it is decided whether it counts.
struct Match<'t> {
    block: BlockRole<'t>,
    text: &'t str,
    agent_id: Option<String>,
    time: Option<Timestamp>,
    line: u64,
}

impl<'a, 'h> FileSearch<'a, 'h> {
    pub(super) fn new(
        room: &'a Search,
        search: &'a GrepOptions<'a>,
        source: &'a Source,
        transcripts: &'a [Source],
        hand: &'a mut HitSender<'h>,
        progress: &'a dyn Progress,
    ) -> Self {
        let tools = Tools::default();
        FileSearch {
            room,
            search,
            source,
            hand,
            tools,
            progress,
            transcripts,
            given: 0,
            masking: Rc::default(),
        }
    }

    /// Searches a transcript; in a copy, only the lines that are not known.
    pub(super) fn read_transcript(
        &mut self,
        reader: &mut LineReader,
        mut known: Option<&mut KnownLines<'_>>,
    ) -> io::Result<()> {
        let file = self.room.stores.all.open(&self.source.path)?;
        let bytes = file.stat().bytes;
        let mut file = StoppableReader::new(file, self.progress);
        let prefilter = self.search.pattern.prefilter(self.room.stores.redactor.is_some());
        let read = reader.read_batches(&mut file, |batch, position| {
            let mut each = |line: Line<'_>| {
                if !self.hand.is_refused {
                    self.line(line, known.as_deref_mut());
                }
            };
            match prefilter {
                None => {
                    Lines::from_position(batch, position.offset, position.line).for_each(&mut each);
                }
                Some(prefilter) => candidates(batch, position, prefilter, &mut each),
            }
        })?;
        if read < bytes {
            return Err(io::Error::other("it shrank while being read"));
        }
        Ok(())
    }

    fn line(&mut self, line: Line<'_>, mut known: Option<&mut KnownLines<'_>>) {
        let masking = Rc::clone(&self.masking);
        let masking = masking.get_or_init(|| self.room.redaction.masking_of(&self.source.path));
        let bytes = &*masking.line(line.bytes);
        for entry in parse_line(Line { bytes, ..line }) {
            self.entry(&entry, false, known.as_deref_mut());
            if let Some(repeated) = self.repeated_line(&entry) {
                self.entry(&repeated, true, known.as_deref_mut());
            }
        }
    }

    /// The line of an agent without a file that a transcript repeats.
    fn repeated_line<'e>(&self, entry: &Entry<'e>) -> Option<Entry<'e>> {
        agent_line(entry, |agent| {
            self.transcripts.iter().any(|source| source.agent_id.as_deref() == Some(agent))
        })
    }

    fn entry(
        &mut self,
        entry: &Entry<'_>,
        is_repeated: bool,
        mut known: Option<&mut KnownLines<'_>>,
    ) {
        let record = &entry.record;
        let mut is_new = None;
        if !self.hand.has_enough() {
            self.tools.note(record);
        }
        for piece in transcript::text::of_record(record) {
            if !self.search.pattern.is_match(&piece.text) {
                continue;
            }
            let envelope = &record.envelope;
            let inline = envelope.agent_id.as_ref().filter(|_| envelope.is_sidechain);
            let inline = inline.map(ToString::to_string);
            let own = self.source.agent_id.clone().filter(|_| !is_repeated);
            let found = Match {
                block: role::of_block(record, piece.block),
                text: &piece.text,
                agent_id: own.or(inline),
                time: record.time(),
                line: entry.line,
            };
            if !self.is_wanted(found.block.role, found.time) {
                continue;
            }
            let is_new = *is_new.get_or_insert_with(|| {
                let room = self.room;
                known.as_deref_mut().is_none_or(|known| known.is_new(room, entry))
            });
            if is_new {
                self.count(found, |look, block| {
                    let id = block.result_of.as_deref()?;
                    let path = &look.source.path;
                    look.tools.find(look.room, path, id).map(str::to_owned)
                });
            }
        }
    }

    /// Searches a plain text file.
    pub(super) fn read_text(&mut self, owners: Option<&mut OutputOwners<'_>>) -> io::Result<()> {
        let role = match self.source.kind {
            SourceKind::Plan => Role::Plan,
            _ => Role::ToolResult,
        };
        let time = Some(self.source.modified);
        if self.hand.is_refused || !self.is_wanted(role, time) {
            return Ok(());
        }
        let (text, _) = self.room.stores.all.open(&self.source.path)?.read_beginning()?;
        let text = self.room.redaction.masking_of(&self.source.path).text(text);
        let Some(first) = self.search.pattern.find(&text) else { return Ok(()) };
        let before = &text.as_bytes()[..first.start];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let mut agent_id = self.source.agent_id.clone();
        let mut block = BlockRole::from(role);
        if let Some(owners) = owners.filter(|_| self.needs_tool()) {
            let owner = owners.find(self.room, &self.source.path);
            block.tool = owner.tool.map(Cow::Owned);
            agent_id = agent_id.or(owner.agent_id);
        }
        self.count(Match { block, text: &text, agent_id, time, line }, |_, _| None);
        Ok(())
    }

    fn is_wanted(&self, role: Role, time: Option<Timestamp>) -> bool {
        self.search.wants(role) && self.search.filter.admits_time(time)
    }

    /// Whether hits are delivered with their texts.
    fn needs_text(&self) -> bool {
        self.given < self.search.most && !self.hand.has_enough()
    }

    /// Whether the tool that gave a result matters.
    fn needs_tool(&self) -> bool {
        self.needs_text() || self.search.filter.tool.is_some()
    }

    /// Counts a match. `tool` finds the tool that gave the result, if that
    /// matters.
    fn count(
        &mut self,
        found: Match<'_>,
        tool: impl FnOnce(&mut Self, &BlockRole<'_>) -> Option<String>,
    ) {
        let Match { mut block, text, agent_id, time, line } = found;
        if block.tool.is_none() && self.needs_tool() {
            block.tool = tool(self, &block).map(Cow::Owned);
        }
        let of_tool = matches!(block.role, Role::ToolUse | Role::ToolResult);
        let filter = self.search.filter;
        if of_tool
            && filter.tool.is_some()
            && !block.tool.as_deref().is_some_and(|tool| filter.admits_tool(tool))
        {
            return;
        }
        let hit = self.needs_text().then(|| {
            let excerpt = excerpt::of(self.search.pattern, text, self.search.around);
            Hit {
                agent_id,
                role: block.role,
                tool: block.tool.map(Cow::into_owned),
                time,
                path: self.source.path.clone(),
                source: self.source.kind,
                line,
                text: excerpt.text,
                matches: excerpt.matches,
                is_cut: excerpt.is_cut,
            }
        });
        self.given += usize::from(hit.is_some());
        self.hand.add(hit);
    }
}

/// The lines of a batch that may hold a hit.
pub(super) fn candidates(
    batch: &[u8],
    position: Position,
    prefilter: &Prefilter,
    each: &mut impl FnMut(Line<'_>),
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
