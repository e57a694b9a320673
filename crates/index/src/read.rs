//! Reads a file into rows, from where the last read stopped.
//!
//! A file is read in parts, so that a large one does not fill the memory and an
//! interruption loses little: each part ends where the next can begin. The rows of a
//! line never depend on later lines.

use crate::block_kind::kind_of;
use crate::call_effects::{EntryLine, KnownCall};
use crate::hashed_key::HashedKeys;
use crate::linear_history::LinearHistory;
use crate::prompts::PromptCounter;
use crate::repeated_agents::SpawnCall;
use crate::rows::{Block, BlockClass, BlockKind, GitActionRow, Part, milliseconds};
use crate::source::{Source, SourceKind};
use crate::text::{TextReader, call_hash};
use memchr::memmem::Finder;
use std::collections::HashMap;
use std::io;
use store::{
    AgentMeta, Checkpoint, Cursor, Files, HeadAndTail, LargeLine, LineReader, LineSink,
    MatchingLineReader, SessionFolder, SessionMetadata,
};
use transcript::role::BlockRole;
use transcript::{Block as Content, Body, Entry, Line, Role, parse_line, prompt, role};
use usage::{Fold, UsageLine};

/// The largest part, in bytes of memory; beyond it the next one begins.
const LARGEST_PART: usize = 4 << 20;

/// Blocks without text are numbered from here on, after those with text.
const TEXTLESS: u32 = 1 << 30;

/// Where the last read of a file stopped, and its state there.
#[derive(Debug, Default)]
pub(crate) struct Resume {
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) bytes: Option<u64>,
    pub(crate) provisional: bool,
    /// The offsets of earlier messages with prompts.
    pub(crate) prompts: Vec<u64>,
    /// The records of earlier prompts.
    pub(crate) prompt_records: PromptCounter,
    /// The last timestamp so far.
    pub(crate) time: Option<i64>,
    /// Earlier calls and results, in order.
    pub(crate) calls: Vec<EarlierCall>,
    /// The name of the session's plan.
    pub(crate) slug: Option<String>,
    /// The fold of the file's API calls, if it covers everything up to the last checkpoint.
    pub(crate) used: Option<Vec<u8>>,
    /// The history of the lines up to there, if it is linear.
    pub(crate) history: Option<LinearHistory>,
    /// Whether all rows of the file must be deleted: it was of another kind, or is masked
    /// differently.
    pub(crate) is_to_be_replaced: bool,
}

/// A call that was read earlier, or a result of one.
#[derive(Debug)]
pub(crate) struct EarlierCall {
    pub(crate) offset: u64,
    pub(crate) id: i64,
    /// The tool of a call, and whether it called annals itself; `None` for a result.
    pub(crate) call: Option<(String, bool)>,
}

/// The buffers that one thread reads files with.
pub(crate) struct Reader {
    lines: LineReader,
    hits: MatchingLineReader,
    chunks: HeadAndTail,
    used: Finder<'static>,
    /// The largest part, in bytes of memory.
    part: usize,
}

impl Reader {
    /// A reader for an ingest with this memory limit in bytes.
    pub(crate) fn new(memory: usize) -> Self {
        Reader {
            part: (memory / 64).clamp(1 << 18, LARGEST_PART),
            lines: LineReader::default(),
            hits: MatchingLineReader::default(),
            chunks: HeadAndTail::default(),
            used: Finder::new(usage::NEEDLE),
        }
    }

    /// Reads the changes of a file and sends them part by part; `send` returns `false` to
    /// stop.
    pub(crate) fn read(
        &mut self,
        files: &Files,
        number: usize,
        source: &Source,
        resume: Resume,
        texts: &TextReader,
        mut send: impl FnMut(Part) -> bool,
    ) -> io::Result<()> {
        if !source.kind.has_lines() {
            return read_text(files, number, source, texts).map(|part| {
                send(part);
            });
        }
        let mut file = files.open(&source.path)?;
        let Resume {
            checkpoints,
            bytes,
            provisional,
            prompts,
            prompt_records,
            time,
            calls,
            slug,
            used,
            history,
            is_to_be_replaced,
        } = resume;
        let was_read = !checkpoints.is_empty();
        let mut cursor = Cursor::from_checkpoints(checkpoints, bytes, provisional);
        let mut used = used.filter(|_| !provisional).and_then(|bytes| Fold::unpack(&bytes, 0));
        if used.is_none() && !was_read {
            used = Some(Fold::default());
        }
        let mut state = FileState {
            texts,
            source,
            part: Part::default(),
            earlier: calls,
            calls: HashMap::default(),
            early_results: HashMap::default(),
            spawns: HashMap::default(),
            prompts,
            prompt_records,
            time: time.unwrap_or(source.stamp.modified / 1_000_000),
            used,
            history: history.or_else(|| (!was_read).then(LinearHistory::default)),
            retracted: is_to_be_replaced.then_some(0),
        };
        let is_agent = source.kind == SourceKind::Agent;
        let mut read_from = cursor.offset();
        loop {
            state.part = Part { source: number, ..Part::default() };
            let before = cursor.offset();
            cursor.read_new_lines_from(
                &mut file,
                &mut self.lines,
                &mut PartSink { state: &mut state, is_agent, needle: &self.used, most: self.part },
            )?;
            let mut part = std::mem::take(&mut state.part);
            part.retract = state.retracted.take();
            // A last line without a newline ends the file, however large the part is.
            let is_last = part.memory() < self.part || cursor.is_provisional();
            if let Some(from) = part.retract.filter(|from| *from > 0)
                && slug.is_some()
                && part.slug.is_none()
            {
                part.slug = self.slug_before(files, source, from)?;
            }
            part.bytes = cursor.offset().saturating_sub(part.retract.unwrap_or(before).min(before));
            part.checkpoints = cursor.checkpoints().skip(1).copied().collect();
            // An incomplete last line may be completed later.
            let is_more = cursor.is_provisional() || cursor.offset() < file.stat().bytes;
            part.provisional = is_last && is_more;
            part.prompts.clone_from(&state.prompt_records);
            part.history.clone_from(&state.history);
            read_from = part.retract.unwrap_or(read_from).min(read_from);
            if is_last {
                part.stamp = Some(source.stamp);
                part.read_from = read_from;
                part.large_lines = large_lines(files, source, read_from);
                let is_torn = part.provisional && !cursor.is_provisional();
                if is_torn {
                    // Conversations are read to the last byte, including a partial line.
                    part.history = None;
                }
                part.used = Some(match &state.used {
                    // API calls of another tool are not Claude Code's usage.
                    _ if source.kind == SourceKind::Foreign => Fold::default().pack(),
                    Some(fold) if !is_torn => texts.fold_without_secrets(fold),
                    _ => texts.fold_without_secrets(&self.fold_of(files, source)?),
                });
                if source.kind == SourceKind::Agent {
                    part.agent_type = AgentMeta::read_for(files, &source.path).agent_type;
                }
                if matches!(source.kind, SourceKind::Main | SourceKind::Foreign) {
                    let own = SessionFolder::find(files, source.path.with_extension(""));
                    let metadata =
                        SessionMetadata::read(files, &source.path, own.as_ref(), &mut self.chunks)?;
                    part.metadata = Some(Box::new(texts.metadata_without_secrets(metadata)));
                }
            }
            if !send(part) || is_last {
                return Ok(());
            }
        }
    }

    /// The fold of all API calls of a file.
    fn fold_of(&mut self, files: &Files, source: &Source) -> io::Result<Fold> {
        let mut fold = Fold::default();
        let mut file = files.open(&source.path)?;
        self.hits.read(&mut file, &self.used, |line| note_used(&mut fold, line))?;
        Ok(fold)
    }

    /// The name of the session's plan by the lines before an offset.
    fn slug_before(
        &mut self,
        files: &Files,
        source: &Source,
        end: u64,
    ) -> io::Result<Option<String>> {
        let mut slug = None;
        let mut file = files.open(&source.path)?;
        self.hits.read(&mut file, &Finder::new(SLUG), |line| {
            for entry in parse_line(line).filter(|entry| entry.offset < end) {
                let own = entry.record.envelope.slug.as_deref();
                slug = own.map(str::to_owned).or(slug.take());
            }
        })?;
        Ok(slug)
    }
}

/// The lines of a file that were too large to be read just now: those of the file itself from an
/// offset on, and all of the files that it shows.
fn large_lines(files: &Files, source: &Source, from: u64) -> Vec<LargeLine> {
    let mut lines = files.large_lines().map(|lines| lines.of(&source.path)).unwrap_or_default();
    lines.retain(|line| line.path != source.path || line.offset >= from);
    lines
}

/// The JSON member that names a session's plan.
const SLUG: &[u8] = b"\"slug\"";

fn note_used(fold: &mut Fold, line: Line<'_>) {
    usage::read_line(line, |read| match read {
        UsageLine::Call(call) => fold.note(0, &call),
        UsageLine::Other => {}
        UsageLine::Damaged(offset) => fold.note_damage(0, offset),
    });
}

/// A tool's output or a plan: one block.
fn read_text(
    files: &Files,
    number: usize,
    source: &Source,
    texts: &TextReader,
) -> io::Result<Part> {
    let (text, _) = files.open(&source.path)?.read_beginning()?;
    let mut part = Part {
        source: number,
        retract: Some(0),
        bytes: source.stamp.bytes,
        stamp: Some(source.stamp),
        ..Part::default()
    };
    let (role, kind) = match source.kind {
        SourceKind::Plan => (Role::Plan, BlockKind::Plan),
        _ => (Role::ToolResult, BlockKind::Output),
    };
    let time = source.stamp.modified / 1_000_000;
    if source.kind == SourceKind::Plan {
        let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
        let slug = stem.split_once("-agent-").map_or(&*stem, |(slug, _)| slug);
        part.slug = Some(slug.to_owned());
    }
    let text = (!text.is_empty()).then(|| part.add_text(&text, time, texts));
    part.blocks.push(Block {
        offset: 0,
        line: 1,
        number: 0,
        block: 0,
        time: Some(time),
        class: BlockClass {
            role,
            kind,
            is_error: false,
            is_agent: source.agent.is_some(),
            is_repeated: false,
        },
        tool: None,
        model: None,
        branch: None,
        call: None,
        prompt: 0,
        text,
    });
    Ok(part)
}

/// The state while a file is being read.
pub(crate) struct FileState<'r> {
    pub(crate) texts: &'r TextReader,
    pub(crate) source: &'r Source,
    pub(crate) part: Part,
    /// Earlier calls, until the first new line shows that they are still valid.
    pub(crate) earlier: Vec<EarlierCall>,
    pub(crate) calls: HashMap<i64, KnownCall, HashedKeys>,
    /// The offsets of results whose calls have not been read yet.
    pub(crate) early_results: HashMap<i64, u64, HashedKeys>,
    /// The calls that start agents.
    pub(crate) spawns: HashMap<i64, SpawnCall, HashedKeys>,
    /// The offsets of messages with prompts.
    pub(crate) prompts: Vec<u64>,
    /// The records of prompts.
    pub(crate) prompt_records: PromptCounter,
    pub(crate) time: i64,
    /// The fold of the API calls up to here, if known.
    pub(crate) used: Option<Fold>,
    /// The history of the lines so far, while it is linear.
    pub(crate) history: Option<LinearHistory>,
    pub(crate) retracted: Option<u64>,
}

struct PartSink<'s, 'r> {
    state: &'s mut FileState<'r>,
    is_agent: bool,
    needle: &'s Finder<'static>,
    /// The largest part, in bytes of memory.
    most: usize,
}

impl LineSink for PartSink<'_, '_> {
    fn line(&mut self, line: Line<'_>) -> bool {
        let state = &mut *self.state;
        if let Some(fold) = &mut state.used
            && self.needle.find(line.bytes).is_some()
        {
            note_used(fold, line);
        }
        for entry in parse_line(line) {
            state.entry(&entry, self.is_agent);
            state.history = state
                .history
                .take()
                .and_then(|mut history| history.note(&entry, self.is_agent).then_some(history));
        }
        state.part.memory() < self.most
    }

    fn retract(&mut self, from: u64) {
        let state = &mut *self.state;
        state.retracted = Some(from);
        state.prompts.retain(|offset| *offset < from);
        state.prompt_records.retract(from);
        state.earlier.retain(|earlier| earlier.offset < from);
        // A fold cannot be undone line by line.
        state.used = (from == 0).then(Fold::default);
        state.history = (from == 0).then(LinearHistory::default);
    }
}

impl FileState<'_> {
    fn entry(&mut self, entry: &Entry<'_>, is_agent: bool) {
        self.prompt_records.note(&entry.record, entry.offset);
        self.take_earlier_calls();
        if let Some(slug) = &entry.record.envelope.slug
            && self.part.slug.as_deref() != Some(slug)
        {
            self.part.slug = Some(slug.to_string());
        }
        match entry.agent_line() {
            Some(line) => {
                self.add_line_agent(entry, &line);
                self.record(&line, true, true);
            }
            None => self.record(entry, is_agent, false),
        }
    }

    /// Adds the rows of a record, or of the agent's line that it repeats.
    fn record(&mut self, entry: &Entry<'_>, is_agent: bool, is_repeated: bool) {
        let record = &entry.record;
        let time = milliseconds(record.time());
        self.time = time.unwrap_or(self.time);
        let is_typed = prompt::typed_prompt(record).is_some();
        if is_typed {
            self.prompts.push(entry.offset);
        }
        let envelope = &record.envelope;
        let base = Block {
            offset: entry.offset,
            line: entry.line,
            number: 0,
            block: 0,
            time,
            class: BlockClass {
                role: Role::System,
                kind: BlockKind::Note,
                is_error: false,
                is_agent: is_agent || envelope.is_sidechain,
                is_repeated,
            },
            tool: None,
            model: None,
            branch: envelope
                .git_branch
                .as_deref()
                .map(|branch| self.part.names.add(branch, self.texts)),
            call: None,
            prompt: self.prompts.len() as u64,
            text: None,
        };
        let first = self.part.blocks.len();
        let masked = self.texts.masked_texts(entry);
        for (number, piece) in (0_u32..).zip(transcript::text::of_record(record)) {
            let BlockRole { role, tool, .. } = role::of_block(record, piece.block);
            let mut block = base.clone();
            block.number = number;
            block.block = piece.block;
            block.class.role = role;
            block.class.kind = kind_of(record, role, is_typed, &piece.text);
            block.tool = tool.map(|tool| self.part.names.add(&tool, self.texts));
            let hidden = match masked.get(number as usize) {
                Some(masked) => Some(self.texts.without_masked(masked)),
                None => self.texts.call_without_secrets(record, &piece),
            };
            block.text = Some(match hidden {
                Some(open) => self.part.add_masked(&piece.text, &open, self.time),
                None => self.part.add_text(&piece.text, self.time, self.texts),
            });
            self.part.blocks.push(block);
        }
        let is_prompt =
            |block: &Block| block.class.role == Role::User && block.class.kind == BlockKind::Prompt;
        if is_typed && !self.part.blocks[first..].iter().any(is_prompt) {
            // For example an image.
            let class = BlockClass { role: Role::User, kind: BlockKind::Prompt, ..base.class };
            self.part.blocks.push(Block { number: TEXTLESS, class, ..base.clone() });
        }
        if let Some(message) = record.message() {
            self.message(entry, base.clone(), first, message);
        }
        if let Body::PrLink { number, url, .. } = &record.body {
            self.part.git_actions.push(GitActionRow {
                offset: entry.offset,
                number: 0,
                kind: "pull_request",
                name: number.map(|number| number.0.to_string()),
                url: url.as_deref().map(|url| self.texts.line_without_secrets(url)),
                branch: None,
                subject: None,
                time,
                prompt: base.prompt,
            });
        }
    }

    /// Adds the calls and results among the blocks of a message.
    fn message(
        &mut self,
        entry: &Entry<'_>,
        mut base: Block,
        first: usize,
        message: &transcript::Message<'_>,
    ) {
        let model = message.model.as_deref().map(|model| self.part.names.add(model, self.texts));
        base.model = model;
        let base = &base;
        for block in &mut self.part.blocks[first..] {
            block.model = model;
        }
        let mut line = EntryLine::new(entry);
        for (number, content) in message.blocks().iter().enumerate() {
            match content {
                Content::ToolUse(call) | Content::ServerToolUse(call) => {
                    self.call(&mut line, base, first, number, call);
                }
                Content::ToolResult(result) | Content::ServerToolResult { result, .. } => {
                    let id = result.tool_use_id.as_ref().map(|id| call_hash(id.as_str()));
                    self.answer(&mut line, base, first, number, id, result.is_error);
                }
                _ => {}
            }
        }
        if model.is_some() && self.part.blocks.len() == first {
            // The model answered, but without text.
            self.part.blocks.push(Block { number: TEXTLESS, ..base.clone() });
        }
    }

    /// The row of a block of this entry; created for a block without text.
    pub(crate) fn row(
        &mut self,
        base: &Block,
        first: usize,
        number: usize,
        role: Role,
    ) -> &mut Block {
        let known = self.part.blocks[first..]
            .iter()
            .position(|row| row.block == number && row.class.role == role);
        let position = known.map_or(self.part.blocks.len(), |known| first + known);
        if known.is_none() {
            let mut block = base.clone();
            block.block = number;
            block.number = TEXTLESS.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
            block.class.role = role;
            self.part.blocks.push(block);
        }
        &mut self.part.blocks[position]
    }
}
