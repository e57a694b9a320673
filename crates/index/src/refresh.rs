//! Updates the index from the files, one process at a time.
//!
//! Files with unchanged stamps are not opened. A few threads read changed files, newest
//! first, and one thread writes them in batches. If the process is interrupted, the
//! committed batches remain and the next refresh continues after them.

use crate::database::{IndexFolder, Lock, WriteConnection};
use crate::facts::{self, Digest, FactKind, FactMasking, NewFacts};
use crate::failure::IndexError;
use crate::linear_history::LinearHistory;
use crate::linear_turns::note_turns;
use crate::listing::{self, Listing, VisibilityCheck};
use crate::path_bytes::{self, path_of_row};
use crate::prompts::PromptCounter;
use crate::read::{EarlierCall, Reader, Resume};
use crate::rows::{BlockClass, BlockKind, Part};
use crate::sent_texts::SentTexts;
use crate::source::{Source, SourceKind, Stamp};
use crate::text::TextReader;
use crate::write::{Writer, remove};
use redact::Redactor;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use store::{Checkpoint, Files, Position};

/// An ingest of more bytes than this is large.
const LARGE_INGEST: u64 = 16 << 20;

/// Receives the progress of an ingest.
pub trait IngestProgress: Sync {
    /// Reports the number of bytes to read.
    fn start(&self, bytes: u64);

    /// Reports the number of bytes just read.
    fn advance(&self, bytes: u64);

    /// Whether to stop. Everything read until then stays in the index.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// A file that could not be read.
#[derive(Clone, Debug)]
pub struct UnreadFile {
    /// Its path.
    pub path: PathBuf,
    /// Why it could not be read.
    pub reason: String,
}

/// The result of a refresh.
#[derive(Clone, Debug, Default)]
pub struct IngestReport {
    /// The number of files read, from the start or from where the last read stopped.
    pub files: usize,
    /// The number of bytes read.
    pub bytes: u64,
    /// The number of missing files removed from the index.
    pub removed: usize,
    /// Files that could not be read.
    pub unread: Vec<UnreadFile>,
    /// Whether it was cancelled before everything was read.
    pub is_cancelled: bool,
}

impl IngestReport {
    /// Whether everything was read.
    fn is_complete(&self) -> bool {
        self.unread.is_empty() && !self.is_cancelled
    }
}

/// The options of an ingest.
pub struct IngestOptions<'w> {
    /// All files, or only those that changed.
    pub sources: Vec<Source>,
    /// Whether the sources are only the changed files, all of them already indexed, and
    /// no file is missing.
    pub is_part: bool,
    /// Opens the files.
    pub files: Files,
    /// Whether an indexed file that is not among the sources may be removed; other files
    /// belong to other stores.
    pub owns: &'w (dyn Fn(&std::path::Path) -> bool + Sync),
    /// Makes what masks the secrets in a file: the redactor of its session.
    pub redactor_of: &'w (dyn Fn(&Source) -> Arc<Redactor> + Sync),
    /// The files outside of their sessions that are masked with the values in these files: the
    /// plans that they name.
    pub masked_with: &'w (dyn Fn(&[&Source]) -> HashSet<PathBuf> + Sync),
    /// Facts that were derived for these redactors, to be stored: path, origin and what was
    /// packed.
    pub values: &'w (dyn Fn() -> Vec<(PathBuf, Digest, Vec<u8>)> + Sync),
    /// The memory limit in bytes.
    pub memory: usize,
    /// The folders the sources were found in, stored once all sources are read.
    pub listing: Option<Listing>,
    /// Which indexed files are visible to the caller.
    pub shows: &'w VisibilityCheck<'w>,
}

/// A file that is already in the index.
struct KnownFile {
    id: i64,
    stamp: Option<Stamp>,
    is_archive_only: bool,
    kind: String,
    session: Option<String>,
    provisional: bool,
    slug: Option<String>,
    /// Distinguishes the values of its session that were masked.
    masked: Option<[u8; 16]>,
}

impl KnownFile {
    /// Whether it has the kind, session and presence of a source; the content may differ.
    fn is_for(&self, source: &Source) -> bool {
        source.matches_row(&self.kind, self.session.as_deref(), self.is_archive_only)
    }
}

/// The index, opened for writing. The order of the last two fields is that of the end: the
/// connection is closed and the file sealed, then the lock is released.
pub struct Ingest {
    folder: IndexFolder,
    rows: HashMap<PathBuf, KnownFile>,
    connection: WriteConnection,
    _lock: Lock,
}

impl Ingest {
    /// Takes the write lock; `None` if another process has it.
    pub(crate) fn begin(folder: &IndexFolder, memory: usize) -> Result<Option<Ingest>, IndexError> {
        let Some(lock) = folder.lock()? else { return Ok(None) };
        let connection = folder.open_to_write(memory)?;
        let rows = HashMap::new();
        Ok(Some(Ingest { folder: folder.clone(), rows, connection, _lock: lock }))
    }

    /// The positions of changed sources, newest first.
    fn changed(&self, sources: &[Source]) -> Vec<usize> {
        let mut changed: Vec<usize> =
            (0..sources.len()).filter(|number| !self.is_current(&sources[*number])).collect();
        changed.sort_by_key(|number| std::cmp::Reverse(sources[*number].stamp.modified));
        changed
    }

    fn is_current(&self, source: &Source) -> bool {
        let row = self.rows.get(&source.path);
        row.is_some_and(|row| row.stamp == Some(source.stamp) && row.is_for(source))
    }

    /// Adds the unchanged files of sessions of which other files changed and have values that
    /// were not masked before, and their plans; says whether any file has such values.
    fn add_newly_masked(&self, options: &IngestOptions<'_>, changed: &mut Vec<usize>) -> bool {
        let sources = &options.sources;
        let sessions: HashSet<&str> =
            changed.iter().filter_map(|number| sources[*number].session.as_deref()).collect();
        if self.rows.is_empty() {
            return false;
        }
        let new: Vec<&Source> = changed.iter().map(|number| &sources[*number]).collect();
        let linked = (options.masked_with)(&new);
        let is_masked_anew = |source: &Source| {
            let row = self.rows.get(&source.path);
            row.is_some_and(|row| row.masked != (options.redactor_of)(source).values_fingerprint())
        };
        let is_changed: HashSet<usize> = changed.iter().copied().collect();
        let others = (0..sources.len()).filter(|number| {
            let session = sources[*number].session.as_deref();
            let is_of_session = session.is_some_and(|session| sessions.contains(session));
            (is_of_session || linked.contains(&sources[*number].path))
                && !is_changed.contains(number)
                && is_masked_anew(&sources[*number])
        });
        changed.extend(others);
        changed.iter().any(|number| is_masked_anew(&sources[*number]))
    }

    /// Removes what is left of words and names that no row has any more, and the facts of many
    /// files, which may have them too.
    fn purge(&mut self) -> Result<(), IndexError> {
        self.connection.execute_batch(
            "DELETE FROM name WHERE id NOT IN (
               SELECT tool FROM block WHERE tool IS NOT NULL
               UNION SELECT model FROM block WHERE model IS NOT NULL
               UNION SELECT branch FROM block WHERE branch IS NOT NULL
               UNION SELECT path FROM touch
               UNION SELECT agent FROM line_agent
               UNION SELECT agent_type FROM line_agent WHERE agent_type IS NOT NULL);
             INSERT INTO word (word) VALUES ('optimize');",
        )?;
        facts::remove_of_many(&self.connection)?;
        // The log may keep pages as they were.
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Brings the index up to date.
    pub fn run(
        mut self,
        options: &IngestOptions<'_>,
        progress: &dyn IngestProgress,
    ) -> Result<IngestReport, IndexError> {
        self.rows = rows(&self.connection, options)?;
        let mut changed = self.changed(&options.sources);
        let is_masked_anew = self.add_newly_masked(options, &mut changed);
        let bytes = changed.iter().map(|number| options.sources[*number].stamp.bytes).sum();
        let missing = if options.is_part { Vec::new() } else { self.missing(options) };
        let is_new_or_replaced = |number: &usize| {
            let source = &options.sources[*number];
            self.rows.get(&source.path).is_none_or(|row| !row.is_for(source))
        };
        if !missing.is_empty() || changed.iter().any(is_new_or_replaced) {
            // First, so that an interruption cannot leave a wrong listing.
            listing::delete_all(&mut self.connection)?;
        }
        let removed = missing.len();
        self.remove(&missing)?;
        let mut refreshed = IngestReport { removed, ..IngestReport::default() };
        if !changed.is_empty() {
            progress.start(bytes);
            self.prepare(options.memory, bytes)?;
            self.read(options, &changed, progress, &mut refreshed)?;
            self.store_values(options)?;
            if is_masked_anew && !refreshed.is_cancelled {
                self.purge()?;
            }
            self.connection.execute_batch("PRAGMA optimize")?;
        }
        if let Some(listing) = options.listing.as_ref().filter(|_| refreshed.is_complete()) {
            // Without a stored listing the folders are listed again.
            let _ = listing.write(&mut self.connection, &options.sources, options.shows);
        }
        Ok(refreshed)
    }

    /// Stores the folders that sources were found in, if the indexed files in them are
    /// exactly these sources, unchanged.
    pub fn remember(
        mut self,
        listing: &Listing,
        sources: &[Source],
        shows: &VisibilityCheck<'_>,
    ) -> Result<(), IndexError> {
        listing.write(&mut self.connection, sources, shows)
    }

    /// Stores the values that were found while redactors were made.
    fn store_values(&mut self, options: &IngestOptions<'_>) -> Result<(), IndexError> {
        let values = (options.values)();
        let new = values.iter().map(|(path, origin, packed)| NewFacts {
            path,
            origin: *origin,
            packed: packed.clone(),
        });
        let new = [(FactKind::Values, new.collect())];
        Ok(facts::write_in(&mut self.connection, FactMasking::None, &new)?)
    }

    /// The ids of indexed files that no longer exist.
    fn missing(&self, options: &IngestOptions<'_>) -> Vec<i64> {
        let present: HashSet<&std::path::Path> =
            options.sources.iter().map(|source| source.path.as_path()).collect();
        let rows = self.rows.iter();
        let missing =
            rows.filter(|(path, _)| !present.contains(path.as_path()) && (options.owns)(path));
        missing.map(|(_, row)| row.id).collect()
    }

    /// Removes the rows of files.
    fn remove(&mut self, files: &[i64]) -> Result<(), IndexError> {
        for files in files.chunks(16) {
            let transaction = self
                .connection
                .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            for file in files {
                remove(&transaction, *file)?;
            }
            transaction.commit()?;
        }
        Ok(())
    }

    /// Sets the memory for full-text indexing, so that the words of a batch are sorted in
    /// one pass.
    fn prepare(&self, memory: usize, bytes: u64) -> Result<(), IndexError> {
        let hash = (memory / 4).min(usize::try_from(bytes).unwrap_or(usize::MAX)).max(1 << 20);
        let hash = i64::try_from(hash).unwrap_or(i64::MAX);
        // A large ingest writes few large segments, which are not merged. Many small ones
        // are merged a little at a time and never all at once, because a user waits.
        let merging = if bytes > LARGE_INGEST { 0 } else { 4 };
        for (name, value) in [("hashsize", hash), ("automerge", merging), ("crisismerge", 1999)] {
            self.connection
                .execute("INSERT INTO word (word, rank) VALUES (?, ?)", params![name, value])?;
        }
        Ok(())
    }

    fn read(
        &mut self,
        options: &IngestOptions<'_>,
        changed: &[usize],
        progress: &dyn IngestProgress,
        refreshed: &mut IngestReport,
    ) -> Result<(), IndexError> {
        let (folder, rows) = (self.folder.clone(), std::mem::take(&mut self.rows));
        let texts_sent = Arc::new(SentTexts::default());
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
        let threads = threads.min(changed.len());
        let next = AtomicUsize::new(0);
        let ended = AtomicBool::new(false);
        let (send, receive) = sync_channel::<Result<Part, UnreadFile>>(2 * threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let send = send.clone();
                let (next, ended, texts_sent) = (&next, &ended, &texts_sent);
                let (folder, rows) = (&folder, &rows);
                scope.spawn(move || {
                    let mut reader = Reader::new(options.memory);
                    let mut known = None;
                    while !ended.load(Ordering::Relaxed) && !progress.is_cancelled() {
                        let Some(number) = changed.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            return;
                        };
                        let source = &options.sources[*number];
                        let row = rows.get(&source.path);
                        let redactor = (options.redactor_of)(source);
                        let masked = redactor.values_fingerprint();
                        let texts =
                            &TextReader::new(redactor, options.files.clone(), texts_sent.clone());
                        let read = resume_state(folder, &mut known, row, source, masked)
                            .map_err(|error| error.to_string())
                            .and_then(|resume| {
                                let send = |mut part: Part| {
                                    part.masked = masked;
                                    note_turns(&options.files, source, &mut part);
                                    let is_new = part.retract.is_none();
                                    let hashes: Vec<_> =
                                        part.texts.iter().map(|text| text.hash).collect();
                                    let is_sent = !ended.load(Ordering::Relaxed)
                                        && !progress.is_cancelled()
                                        && send.send(Ok(part)).is_ok();
                                    if is_sent && is_new {
                                        texts_sent.add(&hashes);
                                    }
                                    is_sent
                                };
                                reader
                                    .read(&options.files, *number, source, resume, texts, send)
                                    .map_err(|error| error.to_string())
                            });
                        if let Err(reason) = read {
                            let _ =
                                send.send(Err(UnreadFile { path: source.path.clone(), reason }));
                        }
                    }
                });
            }
            drop(send);
            let written = self.write_all(options, &texts_sent, &receive, progress, refreshed);
            refreshed.is_cancelled =
                progress.is_cancelled() && refreshed.files + refreshed.unread.len() < changed.len();
            ended.store(true, Ordering::Relaxed);
            // Unblocks threads that wait to send.
            drop(receive);
            written
        })
    }

    fn write_all(
        &mut self,
        options: &IngestOptions<'_>,
        sent: &SentTexts,
        receive: &Receiver<Result<Part, UnreadFile>>,
        progress: &dyn IngestProgress,
        refreshed: &mut IngestReport,
    ) -> Result<(), IndexError> {
        // The first batches are small, so that the newest text can be found quickly.
        let most = options.memory / 6;
        let mut target = (2 << 20).min(most);
        let mut writer = Writer::new(&options.sources, sent);
        let mut batch: Vec<Part> = Vec::new();
        let mut pending = 0;
        let mut flush = |batch: &mut Vec<Part>, connection: &mut Connection| {
            if !batch.is_empty() {
                writer.write(connection, batch)?;
                batch.clear();
            }
            Ok::<(), IndexError>(())
        };
        for read in receive {
            match read {
                Ok(part) => {
                    progress.advance(part.bytes);
                    refreshed.bytes += part.bytes;
                    refreshed.files += usize::from(part.stamp.is_some());
                    // The rows to delete may be in this batch.
                    let is_in_batch = batch.iter().any(|known| known.source == part.source);
                    if part.retract.is_some() && is_in_batch {
                        flush(&mut batch, &mut self.connection)?;
                        pending = 0;
                    }
                    pending += part.memory();
                    batch.push(part);
                }
                Err(unread) => refreshed.unread.push(unread),
            }
            if pending >= target {
                flush(&mut batch, &mut self.connection)?;
                pending = 0;
                target = (target * 3).min(most);
            }
        }
        flush(&mut batch, &mut self.connection)
    }
}

/// The files of the index, or only those among the sources.
fn rows(
    connection: &Connection,
    options: &IngestOptions<'_>,
) -> Result<HashMap<PathBuf, KnownFile>, IndexError> {
    const COLUMNS: &str = "path, id, bytes, modified, inode, device, changed, is_kept, kind,
        session, provisional, slug, masked";
    let known = |row: &rusqlite::Row<'_>| {
        let path = path_of_row(row, 0)?.into_owned();
        let known = KnownFile {
            id: row.get(1)?,
            stamp: Stamp::of_row(row, 2)?,
            is_archive_only: row.get(7)?,
            kind: row.get(8)?,
            session: row.get(9)?,
            provisional: row.get(10)?,
            slug: row.get(11)?,
            masked: row.get(12)?,
        };
        Ok((path, known))
    };
    if !options.is_part {
        let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM file"))?;
        let rows = statement.query_map([], known)?;
        return Ok(rows.collect::<Result<_, _>>()?);
    }
    let mut rows = HashMap::new();
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM file WHERE path = ?"))?;
    for source in &options.sources {
        let path = path_bytes::of(&source.path);
        rows.extend(statement.query_row([path], known).optional()?);
    }
    Ok(rows)
}

/// The resume state of a file; opens the connection if needed.
fn resume_state(
    folder: &IndexFolder,
    connection: &mut Option<Connection>,
    row: Option<&KnownFile>,
    source: &Source,
    masked: Option<[u8; 16]>,
) -> Result<Resume, IndexError> {
    let Some(row) = row else { return Ok(Resume::default()) };
    if row.masked != masked {
        // Earlier texts have values that were not masked when they were read.
        return Ok(Resume { is_to_be_replaced: true, ..Resume::default() });
    }
    if connection.is_none() {
        *connection = folder.open_to_read()?;
    }
    match connection {
        Some(connection) => read_resume(connection, row, source),
        None => Ok(Resume::default()),
    }
}

/// Reads the resume state of a known file.
fn read_resume(
    connection: &Connection,
    row: &KnownFile,
    source: &Source,
) -> Result<Resume, IndexError> {
    if SourceKind::of_name(&row.kind) != Some(source.kind) {
        return Ok(Resume { is_to_be_replaced: true, ..Resume::default() });
    }
    let checkpoints = connection
        .prepare_cached("SELECT offset, line, hash FROM checkpoint WHERE file = ? ORDER BY offset")?
        .query_map([row.id], |row| {
            let hash: [u8; 32] = row.get(2)?;
            let position = Position {
                offset: row.get::<_, i64>(0)?.cast_unsigned(),
                line: row.get::<_, i64>(1)?.cast_unsigned(),
            };
            Ok(Checkpoint { position, hash: blake3::Hash::from_bytes(hash) })
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let blocks = connection
        .prepare_cached(
            "SELECT block.offset, what, time, call, name.text FROM block
             LEFT JOIN name ON name.id = tool WHERE file = ? ORDER BY block.offset, number",
        )?
        .query_map([row.id], |row| {
            let class = BlockClass::of(row.get(1)?);
            let (time, call): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
            let tool: Option<String> = row.get(4)?;
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), class, time, call, tool))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let used = connection
        .prepare_cached("SELECT fold FROM used WHERE file = ?")?
        .query_row([row.id], |row| row.get(0))
        .optional()?;
    let history = connection
        .prepare_cached("SELECT shape, seen FROM file WHERE id = ?")?
        .query_row([row.id], |row| {
            let (history, seen): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(0)?, row.get(1)?);
            Ok(history.zip(seen).and_then(|(history, seen)| LinearHistory::unpack(&history, &seen)))
        })?;
    let prompt_records = connection
        .prepare_cached("SELECT prompt_records FROM file WHERE id = ?")?
        .query_row([row.id], |row| row.get::<_, Option<Vec<u8>>>(0))?
        .and_then(|packed| PromptCounter::unpack(&packed))
        .unwrap_or_default();
    let mut resume = Resume {
        checkpoints,
        history,
        prompt_records,
        bytes: row.stamp.map(|stamp| stamp.bytes),
        provisional: row.provisional,
        slug: row.slug.clone(),
        used: Option::<Vec<u8>>::filter(used, |_| row.stamp.is_some()),
        ..Resume::default()
    };
    for (offset, class, time, call, tool) in blocks {
        resume.time = time.or(resume.time);
        if class.role == transcript::Role::User
            && class.kind == BlockKind::Prompt
            && resume.prompts.last() != Some(&offset)
        {
            resume.prompts.push(offset);
        }
        if let Some(id) = call {
            let is_call = class.role == transcript::Role::ToolUse;
            let call = is_call.then(|| (tool.unwrap_or_default(), class.kind == BlockKind::Recall));
            resume.calls.push(EarlierCall { offset, id, call });
        }
    }
    Ok(resume)
}
