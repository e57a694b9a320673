//! All rows of one session above level `usage`, from one reading of its transcripts.
//!
//! Lines are masked and lose their images as they are read, and everything is derived from
//! what is left.

use crate::names::{Month, SessionId, Table};
use crate::rows::{
    BlockRow, CommitRow, LineRow, PullRequestRow, Rows, SessionRow, ToolCallRow, TouchRow,
};
use crate::segment::{Entry, Piece};
use crate::shared::binary_content::without_binary_content;
use crate::shared::claims::{Claims, KnownClaim, first_bytes};
use crate::shared::names::{NameMasking, relative};
use crate::shared::records::{Months, RecordRows, RowSource};
use jiff::Timestamp;
use library::lines::ReadError;
use library::search::DistinctWords;
use library::session::Session;
use library::sessions::{
    CallDetails, LineBlocks, SessionDetails, SessionTranscripts, TranscriptReader,
};
use redact::{Redactor, Report};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use transcript::{Line, LineEnd, parse_line, without_large_line_marks};

/// Makes the rows of a session.
#[derive(Debug)]
pub(crate) struct SessionRows<'a> {
    pub(crate) session: &'a Session,
    pub(crate) id: &'a SessionId,
    pub(crate) project: &'a str,
    /// The folder of the project, masked.
    pub(crate) folder: &'a str,
    pub(crate) has_text: bool,
    /// Masks the values of the session too.
    pub(crate) redactor: &'a Redactor,
    pub(crate) names: &'a NameMasking,
    pub(crate) rules: u32,
    /// The secrets that were masked.
    pub(crate) masked: &'a RefCell<Report>,
}

/// What the lake has of each table.
pub(crate) type HasByTable<'e> = BTreeMap<Table, Vec<&'e Entry>>;

/// What [`SessionRows::missing`] found.
#[derive(Debug, Default)]
pub(crate) struct MissingRows {
    pub(crate) pieces: Vec<(Table, Month, Piece<Rows>)>,
    /// What each table has now.
    pub(crate) known: Vec<KnownClaim>,
    /// The claims of tables that have rows of older rules in the lake.
    pub(crate) outdated: HashMap<(Table, String), Claims>,
}

/// What the lines of a transcript are known by.
#[derive(Clone, Debug, Default)]
struct LineIds {
    uuid: Option<String>,
    time: Option<Timestamp>,
}

/// The rows of the blocks of one transcript, each with the number of its line from 0.
#[derive(Default)]
struct TextOfSource {
    ids: BTreeMap<u64, LineIds>,
    blocks: Vec<(u64, BlockRow)>,
}

/// Whether a line counts: it is whole, or the last one and a whole object.
fn is_whole(line: Line<'_>) -> bool {
    line.end != LineEnd::EndOfInput
        || parse_line(line).next().is_some_and(|entry| entry.problems.is_empty())
}

impl SessionRows<'_> {
    /// The rows that the lake lacks.
    pub(crate) fn missing(
        &self,
        reader: &mut TranscriptReader<'_>,
        has: &HasByTable<'_>,
    ) -> Result<MissingRows, Vec<ReadError>> {
        let mut lengths: HashMap<PathBuf, Vec<usize>> = HashMap::new();
        let mut report = self.masked.borrow_mut();
        let (transcripts, errors) = reader.read(self.session, |path, line, bytes| {
            if !is_whole(line) {
                return false;
            }
            let length = without_large_line_marks(line.bytes).len();
            match lengths.get_mut(path) {
                Some(lengths) => lengths.push(length),
                None => drop(lengths.insert(path.to_owned(), vec![length])),
            }
            let text = match str::from_utf8(line.bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(line.bytes),
            };
            let text = without_binary_content(&text);
            bytes
                .extend_from_slice(self.redactor.mask_json_counting(&text, &mut report).as_bytes());
            true
        });
        drop(report);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut found = MissingRows::default();
        let mut texts: HashMap<String, TextOfSource> = HashMap::new();
        let covered = self.covered_lines(&transcripts, &lengths, has);
        let mut words = DistinctWords::default();
        let details = transcripts.details(self.has_text, |line| {
            let source = if line.is_repeated { "" } else { line.agent_id.unwrap_or_default() };
            let number = line.entry.line.saturating_sub(1);
            let text = texts.entry(source.to_owned()).or_default();
            if !line.is_repeated {
                text.ids.entry(number).or_insert_with(|| LineIds::of(line));
            }
            if covered.get(source).is_none_or(|covered| number >= *covered) {
                self.add_blocks(line, text, &mut words);
            }
        });
        if self.has_text {
            for file in transcripts.files() {
                let source = file.agent_id.unwrap_or_default();
                let lengths = lengths.get(file.path).map(Vec::as_slice).unwrap_or_default();
                let text = texts.remove(source).unwrap_or_default();
                self.add_text(source, file.bytes, lengths, text, has, &mut found);
            }
        }
        let lines = lengths.values().map(|lengths| lengths.len() as u64).sum();
        self.add_details(details, lines, has, &mut found);
        Ok(found)
    }

    /// How many lines of each transcript the lake has, as lines and as blocks.
    fn covered_lines(
        &self,
        transcripts: &SessionTranscripts,
        lengths: &HashMap<PathBuf, Vec<usize>>,
        has: &HasByTable<'_>,
    ) -> HashMap<String, u64> {
        let (Some(lines), Some(blocks)) = (has.get(&Table::Lines), has.get(&Table::Blocks)) else {
            return HashMap::new();
        };
        if blocks.is_empty() || lines.is_empty() {
            return HashMap::new();
        }
        let mut covered = HashMap::new();
        for file in transcripts.files() {
            let source = self.source(file.agent_id.unwrap_or_default());
            let mut ids = BTreeMap::new();
            for entry in transcript::entries(file.bytes) {
                let uuid = entry.record.envelope.uuid.as_ref().map(ToString::to_string);
                let own = LineIds { uuid, time: None };
                ids.entry(entry.line.saturating_sub(1)).or_insert(own);
            }
            let lengths = lengths.get(file.path).map(Vec::as_slice).unwrap_or_default();
            let claims = claims_of_lines(lengths, &ids);
            let covered_by = |has: &[&Entry]| claims.covered(&source.own(has), self.rules);
            let both = covered_by(lines).min(covered_by(blocks));
            covered.insert(source.name.to_owned(), both);
        }
        covered
    }

    /// A path relative to the project. What is a secret by itself may not be one in a path.
    fn path(&self, path: &str) -> Option<String> {
        relative(path, self.folder).map(|path| self.names.mask(&path))
    }

    fn source<'s>(&'s self, name: &'s str) -> RowSource<'s> {
        RowSource { session: self.id, name, rules: self.rules }
    }

    fn add_blocks(
        &self,
        line: &LineBlocks<'_, '_>,
        text: &mut TextOfSource,
        words: &mut DistinctWords,
    ) {
        let record = &line.entry.record;
        let name = |name: Option<&str>| name.map(str::to_owned);
        let model = record.message().and_then(|message| message.model.as_deref());
        for (place, block) in (0_u64..).zip(&line.blocks) {
            let row = BlockRow {
                session_id: self.id.to_string(),
                app: "claude".to_owned(),
                project: self.project.to_owned(),
                agent_id: name(line.agent_id),
                line: line.entry.line,
                block: place,
                uuid: record.envelope.uuid.as_ref().map(ToString::to_string),
                time: record.time(),
                role: block.role.name().to_owned(),
                kind: block.kind.name().to_owned(),
                tool: block.tool.clone(),
                model: name(model),
                branch: name(record.envelope.git_branch.as_deref()),
                is_error: block.is_error,
                prompt: line.prompts,
                words: words.of(&block.text).to_owned(),
                text: block.text.clone().into_owned(),
                rules: u64::from(self.rules),
            };
            text.blocks.push((line.entry.line.saturating_sub(1), row));
        }
    }

    fn add_text(
        &self,
        name: &str,
        bytes: &[u8],
        lengths: &[usize],
        text: TextOfSource,
        has: &HasByTable<'_>,
        found: &mut MissingRows,
    ) {
        let source = self.source(name);
        let claims = claims_of_lines(lengths, &text.ids);
        let mut next = Months::default();
        let months: Vec<Month> = (0..claims.len())
            .map(|line| next.next(text.ids.get(&line).and_then(|ids| ids.time)))
            .collect();
        if let Some(has) = has.get(&Table::Blocks) {
            let covered = claims.covered(&source.own(has), self.rules);
            let pieces = source.pieces(&claims, covered, months.clone(), text.blocks);
            found.add(Table::Blocks, pieces, claims.known(Table::Blocks, name));
            found.add_outdated(Table::Blocks, name, &claims, &source.own(has), self.rules);
        }
        if let Some(has) = has.get(&Table::Lines) {
            let covered = claims.covered(&source.own(has), self.rules);
            let skipped = usize::try_from(covered).unwrap_or(usize::MAX);
            let lines = (0_u64..).zip(transcript::lines(bytes)).skip(skipped);
            let rows = lines.map(|(number, line)| {
                let ids = text.ids.get(&number).cloned().unwrap_or_default();
                let row = LineRow {
                    session_id: self.id.to_string(),
                    app: "claude".to_owned(),
                    project: self.project.to_owned(),
                    agent_id: Some(name.to_owned()).filter(|name| !name.is_empty()),
                    line: number + 1,
                    uuid: ids.uuid,
                    time: ids.time,
                    text: masked_line(line.bytes),
                    rules: u64::from(self.rules),
                };
                (number, row)
            });
            let pieces = source.pieces(&claims, covered, months, rows);
            found.add(Table::Lines, pieces, claims.known(Table::Lines, name));
            found.add_outdated(Table::Lines, name, &claims, &source.own(has), self.rules);
        }
    }

    fn add_details(
        &self,
        details: SessionDetails,
        lines: u64,
        has: &HasByTable<'_>,
        found: &mut MissingRows,
    ) {
        let row = self.session_row(&details, lines);
        self.add_session(row, has, found);
        let mut requests = Vec::new();
        for linked in details.pull_requests {
            requests.push(PullRequestRow {
                session_id: self.id.to_string(),
                app: "claude".to_owned(),
                project: self.project.to_owned(),
                tool_use_id: linked.tool_use_id,
                number: linked.request.number,
                url: linked.request.url,
                repository: linked.request.repository,
                time: linked.time,
                rules: u64::from(self.rules),
            });
        }
        let requests = RecordRows {
            rows: requests,
            id: |row| row.number.unwrap_or_default().to_le_bytes().to_vec(),
            time: |row| row.time,
        };
        self.add_records(Table::PullRequests, "", requests, has, found);
        let mut by_agent: BTreeMap<String, Vec<CallDetails>> = BTreeMap::new();
        for call in details.calls {
            by_agent.entry(call.agent_id.clone().unwrap_or_default()).or_default().push(call);
        }
        for (agent, calls) in by_agent {
            self.add_calls(&agent, calls, has, found);
        }
    }

    fn session_row(&self, details: &SessionDetails, lines: u64) -> SessionRow {
        let metadata = &self.session.metadata;
        let masked = |name: &Option<String>| name.as_deref().map(|name| self.names.mask(name));
        let text = |text: Option<&str>| {
            let text = text.filter(|_| self.has_text).map(without_binary_content);
            text.map(|text| self.redactor.mask(&text).into_owned())
        };
        let joined = |names: &mut dyn Iterator<Item = &String>| {
            let names: Vec<String> =
                names.map(|name| name.replace(char::is_whitespace, "_")).collect();
            Some(self.names.mask(&names.join(" "))).filter(|names| !names.is_empty())
        };
        let errors = details.calls.iter().filter(|call| call.status.name() == "error").count();
        let skills: std::collections::BTreeSet<&String> =
            details.calls.iter().filter_map(|call| call.skill.as_ref()).collect();
        SessionRow {
            session_id: self.id.to_string(),
            app: "claude".to_owned(),
            project: self.project.to_owned(),
            first_time: details.first,
            last_time: details.last,
            branch: masked(&metadata.branch),
            app_version: masked(&metadata.version),
            entrypoint: masked(&metadata.entrypoint),
            kind: metadata.kind.name().to_owned(),
            prompts: details.prompts,
            turns: details.turns,
            agents: details.agents,
            tool_calls: details.calls.len() as u64,
            errors: errors as u64,
            agent_types: joined(&mut details.agent_types.iter()),
            skills: joined(&mut skills.into_iter()),
            title: text(metadata.title.as_deref()),
            first_prompt: text(metadata.first_prompt.as_deref()),
            lines,
            rules: u64::from(self.rules),
        }
    }

    /// A session grows: the row with the most lines counts, and the others may go.
    fn add_session(&self, row: SessionRow, has: &HasByTable<'_>, found: &mut MissingRows) {
        let Some(has) = has.get(&Table::Sessions) else { return };
        let mut hasher = blake3::Hasher::new();
        let counts = [row.lines, row.prompts, row.turns, row.agents, row.tool_calls, row.errors];
        for count in counts {
            hasher.update(&count.to_le_bytes());
        }
        hasher.update(&[u8::from(self.has_text)]);
        let digest = first_bytes(&hasher.finalize());
        let known = KnownClaim {
            table: Table::Sessions,
            source: String::new(),
            records: row.lines,
            digest,
        };
        let is_covered = known.is_covered(has, self.rules);
        let entry = Entry {
            session: self.id.clone(),
            source: String::new(),
            from: 0,
            to: row.lines,
            digest,
            rules: self.rules,
        };
        let month = Months::default().next(row.first_time);
        let piece = Piece { entry, rows: Rows::Sessions(vec![row]) };
        let pieces = if is_covered { Vec::new() } else { vec![(month, piece)] };
        found.add(Table::Sessions, pieces, known);
    }

    fn add_calls(
        &self,
        agent: &str,
        calls: Vec<CallDetails>,
        has: &HasByTable<'_>,
        found: &mut MissingRows,
    ) {
        let agent_id = Some(agent.to_owned()).filter(|agent| !agent.is_empty());
        let (mut rows, mut touches, mut commits) = (Vec::new(), Vec::new(), Vec::new());
        let (session_id, app) = (self.id.to_string(), "claude".to_owned());
        let project = self.project.to_owned();
        let rules = u64::from(self.rules);
        for (number, call) in (0_u64..).zip(calls) {
            let status = call.status.name();
            if let Some(touch) = &call.touch {
                touches.push(TouchRow {
                    session_id: session_id.clone(),
                    app: app.clone(),
                    project: project.clone(),
                    agent_id: agent_id.clone(),
                    tool_use_id: call.tool_use_id.clone(),
                    number,
                    file: self.path(&touch.path).unwrap_or_else(|| touch.path.clone()),
                    operation: touch.operation.name().to_owned(),
                    added: touch.added,
                    removed: touch.removed,
                    time: call.answered.or(call.time),
                    is_done: status == "ok",
                    rules,
                });
            }
            for (hash, branch, subject) in &call.commits {
                commits.push(CommitRow {
                    session_id: session_id.clone(),
                    app: app.clone(),
                    project: project.clone(),
                    agent_id: agent_id.clone(),
                    tool_use_id: call.tool_use_id.clone(),
                    hash: hash.clone(),
                    branch: branch.clone(),
                    subject: subject.clone().filter(|_| self.has_text),
                    time: call.answered.or(call.time),
                    rules,
                });
            }
            rows.push(ToolCallRow {
                session_id: session_id.clone(),
                app: app.clone(),
                project: project.clone(),
                agent_id: agent_id.clone(),
                agent_type: call.agent_type.map(|name| self.names.mask(&name)),
                tool_use_id: call.tool_use_id,
                number,
                call_id: call.message_id,
                name: call.tool,
                mcp_server: call.mcp_server,
                skill: call.skill,
                plugin: call.plugin,
                model: call.model,
                branch: call.branch,
                folder: call.cwd.and_then(|cwd| self.path(&cwd)),
                prompt: call.prompts,
                time: call.time,
                milliseconds: call.milliseconds,
                is_answered: status != "missing",
                status: status.to_owned(),
                is_error: status == "error",
                rules,
            });
        }
        let id = |row: &ToolCallRow| {
            let mut id = row.tool_use_id.clone().unwrap_or_default().into_bytes();
            id.push(0);
            id.extend_from_slice(row.status.as_bytes());
            id
        };
        let rows = RecordRows { rows, id, time: |row| row.time };
        self.add_records(Table::ToolCalls, agent, rows, has, found);
        let id = |row: &TouchRow| {
            let mut id = row.number.to_le_bytes().to_vec();
            id.push(u8::from(row.is_done));
            id
        };
        let touches = RecordRows { rows: touches, id, time: |row| row.time };
        self.add_records(Table::Touches, agent, touches, has, found);
        let id = |row: &CommitRow| {
            let mut id = row.hash.clone().into_bytes();
            id.push(u8::from(row.subject.is_some()));
            id
        };
        let commits = RecordRows { rows: commits, id, time: |row| row.time };
        self.add_records(Table::Commits, agent, commits, has, found);
    }

    fn add_records<R: crate::rows::TableRow>(
        &self,
        table: Table,
        source: &str,
        rows: RecordRows<R>,
        has: &HasByTable<'_>,
        found: &mut MissingRows,
    ) {
        let Some(has) = has.get(&table).filter(|_| !rows.rows.is_empty()) else { return };
        let row_source = self.source(source);
        let own = row_source.own(has);
        if own.iter().any(|entry| entry.rules < self.rules) {
            found.add_outdated(table, source, &rows.claims(), &own, self.rules);
        }
        let (pieces, known) = rows.missing(row_source, table, has);
        found.add(table, pieces, known);
    }
}

impl LineIds {
    fn of(line: &LineBlocks<'_, '_>) -> LineIds {
        let record = &line.entry.record;
        let uuid = record.envelope.uuid.as_ref().map(ToString::to_string);
        LineIds { uuid, time: record.time() }
    }
}

/// The text of a masked line. It was text before, and is checked faster than it is mended.
fn masked_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&without_large_line_marks(bytes)).into_owned()
}

/// Lines without an id are known by their place and size.
fn claims_of_lines(lengths: &[usize], ids: &BTreeMap<u64, LineIds>) -> Claims {
    let mut claims = Claims::default();
    for (number, length) in (0_u64..).zip(lengths) {
        match ids.get(&number).and_then(|ids| ids.uuid.as_ref()) {
            Some(uuid) => claims.add(uuid.as_bytes()),
            None => claims.add(&length.to_le_bytes()),
        }
    }
    claims
}

impl MissingRows {
    fn add(&mut self, table: Table, pieces: Vec<(Month, Piece<Rows>)>, known: KnownClaim) {
        self.pieces.extend(pieces.into_iter().map(|(month, piece)| (table, month, piece)));
        self.known.push(known);
    }

    fn add_outdated(
        &mut self,
        table: Table,
        source: &str,
        claims: &Claims,
        has: &[&Entry],
        rules: u32,
    ) {
        if has.iter().any(|entry| entry.rules < rules) {
            self.outdated.insert((table, source.to_owned()), claims.clone());
        }
    }
}
