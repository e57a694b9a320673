//! Bringing the index up to what the files say, one process at a time.
//!
//! Files whose stamps are unchanged are not opened. What changed is read by a few
//! threads, newest first, and written by one, in batches: whatever ends the
//! process, the batches before are there and the next refresh goes on behind
//! them.

use crate::database::{Lock, Place};
use crate::failure::IndexError;
use crate::linear_history::LinearHistory;
use crate::listing::{self, Listing, Shows};
use crate::read::{Earlier, Reader, Resume};
use crate::rows::{Kind, Part, What};
use crate::source::{Source, SourceKind, Stamp};
use crate::text::TextReader;
use crate::write::{Writer, remove};
use redact::Redactor;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use store::{Checkpoint, Files, Position};

/// More than this is much to read at once.
const MUCH: u64 = 16 << 20;

/// Receives the progress of an ingest.
pub trait IngestProgress: Sync {
    /// How many bytes are to be read.
    fn start(&self, bytes: u64);

    /// How many bytes were just read.
    fn advance(&self, bytes: u64);

    /// Whether to stop. What was read until then stays in the index.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// A file that could not be read.
#[derive(Clone, Debug)]
pub struct Unread {
    /// Where it is.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// What a refresh did.
#[derive(Clone, Debug, Default)]
pub struct Refreshed {
    /// Files that were read, whole or on.
    pub files: usize,
    /// Bytes of them.
    pub bytes: u64,
    /// Files that are gone, with everything of them.
    pub removed: usize,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// Whether it was cancelled before everything was read.
    pub is_cancelled: bool,
}

impl Refreshed {
    /// Whether everything was read.
    fn is_whole(&self) -> bool {
        self.unread.is_empty() && !self.is_cancelled
    }
}

/// What to ingest, and how.
pub struct IngestOptions<'w> {
    /// Every file there is, or those that changed.
    pub sources: Vec<Source>,
    /// Whether they are only those that changed, all known, and nothing is gone.
    pub is_part: bool,
    /// What they are read through.
    pub files: Files,
    /// Whether a file that is not among the sources is gone for good; others are
    /// somebody else's.
    pub owns: &'w (dyn Fn(&std::path::Path) -> bool + Sync),
    /// What knows secrets.
    pub redactor: Arc<Redactor>,
    /// How much memory it may use.
    pub memory: usize,
    /// The folders the sources were found in, to be remembered once all are read.
    pub listing: Option<Listing>,
    /// Which files whoever looks into those folders is shown.
    pub shows: &'w Shows<'w>,
}

/// A file as the index knows it.
struct Row {
    id: i64,
    stamp: Option<Stamp>,
    is_kept: bool,
    kind: String,
    session: Option<String>,
    provisional: bool,
    slug: Option<String>,
}

impl Row {
    /// Whether it is of what a source is, changed or not.
    fn is_about(&self, source: &Source) -> bool {
        source.is_as(&self.kind, self.session.as_deref(), self.is_kept)
    }
}

/// The index, opened for writing.
pub struct Ingest {
    place: Place,
    connection: Connection,
    rows: HashMap<PathBuf, Row>,
    _lock: Lock,
}

impl Ingest {
    /// Takes the right to write; `None` if somebody else has it.
    pub(crate) fn begin(place: &Place, memory: usize) -> Result<Option<Ingest>, IndexError> {
        let Some(lock) = place.lock()? else { return Ok(None) };
        let connection = place.open_to_write(memory)?;
        let rows = HashMap::new();
        Ok(Some(Ingest { place: place.clone(), connection, rows, _lock: lock }))
    }

    /// The places of the sources that changed, newest first, and how many bytes
    /// they have.
    fn changed(&self, sources: &[Source]) -> (Vec<usize>, u64) {
        let mut changed: Vec<usize> =
            (0..sources.len()).filter(|place| !self.is_current(&sources[*place])).collect();
        changed.sort_by_key(|place| std::cmp::Reverse(sources[*place].stamp.modified));
        let bytes = changed.iter().map(|place| sources[*place].stamp.bytes).sum();
        (changed, bytes)
    }

    fn is_current(&self, source: &Source) -> bool {
        let row = self.rows.get(&source.path);
        row.is_some_and(|row| row.stamp == Some(source.stamp) && row.is_about(source))
    }

    /// Brings the index up to date.
    pub fn run(
        mut self,
        options: &IngestOptions<'_>,
        progress: &dyn IngestProgress,
    ) -> Result<Refreshed, IndexError> {
        self.rows = rows(&self.connection, options)?;
        let (changed, bytes) = self.changed(&options.sources);
        let gone = if options.is_part { Vec::new() } else { self.gone(options) };
        let is_other = |place: &usize| {
            let source = &options.sources[*place];
            self.rows.get(&source.path).is_none_or(|row| !row.is_about(source))
        };
        if !gone.is_empty() || changed.iter().any(is_other) {
            // First: whatever ends this, nothing is remembered that is not so.
            listing::forget(&mut self.connection)?;
        }
        let removed = gone.len();
        self.remove(&gone)?;
        let mut refreshed = Refreshed { removed, ..Refreshed::default() };
        if !changed.is_empty() {
            progress.start(bytes);
            self.prepare(options.memory, bytes)?;
            self.read(options, &changed, progress, &mut refreshed)?;
            self.connection.execute_batch("PRAGMA optimize")?;
        }
        if let Some(listing) = options.listing.as_ref().filter(|_| refreshed.is_whole()) {
            // What cannot be remembered is looked for again.
            let _ = listing.write(&mut self.connection, &options.sources, options.shows);
        }
        Ok(refreshed)
    }

    /// Remembers the folders that sources were found in, if the index has these as
    /// they are, and no others in them.
    pub fn remember(
        mut self,
        listing: &Listing,
        sources: &[Source],
        shows: &Shows<'_>,
    ) -> Result<(), IndexError> {
        listing.write(&mut self.connection, sources, shows)
    }

    /// The files that are gone.
    fn gone(&self, options: &IngestOptions<'_>) -> Vec<i64> {
        let there: std::collections::HashSet<&std::path::Path> =
            options.sources.iter().map(|source| source.path.as_path()).collect();
        let rows = self.rows.iter();
        let gone = rows.filter(|(path, _)| !there.contains(path.as_path()) && (options.owns)(path));
        gone.map(|(_, row)| row.id).collect()
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

    /// Makes room in memory for much, so that the words of a batch are sorted in
    /// one go.
    fn prepare(&self, memory: usize, bytes: u64) -> Result<(), IndexError> {
        let hash = (memory / 4).min(usize::try_from(bytes).unwrap_or(usize::MAX)).max(1 << 20);
        let hash = i64::try_from(hash).unwrap_or(i64::MAX);
        // What is much is written in few large pieces, which are left as they are;
        // many small ones are merged a little at a time, never all at once: somebody
        // waits.
        let merging = if bytes > MUCH { 0 } else { 4 };
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
        refreshed: &mut Refreshed,
    ) -> Result<(), IndexError> {
        let (place_of_index, rows) = (self.place.clone(), std::mem::take(&mut self.rows));
        let texts = TextReader::new(options.redactor.clone(), options.files.clone());
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
        let threads = threads.min(changed.len());
        let next = AtomicUsize::new(0);
        let ended = AtomicBool::new(false);
        let (send, receive) = sync_channel::<Result<Part, Unread>>(2 * threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let send = send.clone();
                let (next, ended, texts) = (&next, &ended, &texts);
                let (place_of_index, rows) = (&place_of_index, &rows);
                scope.spawn(move || {
                    let mut reader = Reader::new(options.memory);
                    let mut known = None;
                    while !ended.load(Ordering::Relaxed) && !progress.is_cancelled() {
                        let Some(place) = changed.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            return;
                        };
                        let source = &options.sources[*place];
                        let row = rows.get(&source.path);
                        let read = resumed(place_of_index, &mut known, row, source)
                            .map_err(|error| error.to_string())
                            .and_then(|resume| {
                                let send = |part| {
                                    !ended.load(Ordering::Relaxed)
                                        && !progress.is_cancelled()
                                        && send.send(Ok(part)).is_ok()
                                };
                                reader
                                    .read(&options.files, *place, source, resume, texts, send)
                                    .map_err(|error| error.to_string())
                            });
                        if let Err(reason) = read {
                            let _ = send.send(Err(Unread { path: source.path.clone(), reason }));
                        }
                    }
                });
            }
            drop(send);
            let written = self.write_all(options, &receive, progress, refreshed);
            refreshed.is_cancelled =
                progress.is_cancelled() && refreshed.files + refreshed.unread.len() < changed.len();
            ended.store(true, Ordering::Relaxed);
            // Whoever waits to send learns that nobody listens.
            drop(receive);
            written
        })
    }

    fn write_all(
        &mut self,
        options: &IngestOptions<'_>,
        receive: &Receiver<Result<Part, Unread>>,
        progress: &dyn IngestProgress,
        refreshed: &mut Refreshed,
    ) -> Result<(), IndexError> {
        // The first batches are small: what is newest can be found at once.
        let most = options.memory / 6;
        let mut target = (2 << 20).min(most);
        let mut writer = Writer::new(&options.sources);
        let mut batch: Vec<Part> = Vec::new();
        let mut held = 0;
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
                    // What is taken back may stand in this very batch.
                    let is_again = batch.iter().any(|known| known.source == part.source);
                    if part.retract.is_some() && is_again {
                        flush(&mut batch, &mut self.connection)?;
                        held = 0;
                    }
                    held += part.memory();
                    batch.push(part);
                }
                Err(unread) => refreshed.unread.push(unread),
            }
            if held >= target {
                flush(&mut batch, &mut self.connection)?;
                held = 0;
                target = (target * 3).min(most);
            }
        }
        flush(&mut batch, &mut self.connection)
    }
}

/// The files of the index, or those that are wished for.
fn rows(
    connection: &Connection,
    options: &IngestOptions<'_>,
) -> Result<HashMap<PathBuf, Row>, IndexError> {
    const COLUMNS: &str = "path, id, bytes, modified, inode, device, changed, is_kept, kind,
        session, provisional, slug";
    let known = |row: &rusqlite::Row<'_>| {
        let path = PathBuf::from(OsStr::from_bytes(row.get_ref(0)?.as_blob()?));
        let known = Row {
            id: row.get(1)?,
            stamp: Stamp::of_row(row, 2)?,
            is_kept: row.get(7)?,
            kind: row.get(8)?,
            session: row.get(9)?,
            provisional: row.get(10)?,
            slug: row.get(11)?,
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
        let path = source.path.as_os_str().as_bytes();
        rows.extend(statement.query_row([path], known).optional()?);
    }
    Ok(rows)
}

/// What is known of a file, through a connection that is opened when it is needed.
fn resumed(
    place: &Place,
    connection: &mut Option<Connection>,
    row: Option<&Row>,
    source: &Source,
) -> Result<Resume, IndexError> {
    let Some(row) = row else { return Ok(Resume::default()) };
    if connection.is_none() {
        *connection = place.open_to_read()?;
    }
    match connection {
        Some(connection) => resume(connection, row, source),
        None => Ok(Resume::default()),
    }
}

/// What is known of a file that is read on.
fn resume(connection: &Connection, row: &Row, source: &Source) -> Result<Resume, IndexError> {
    if SourceKind::of_name(&row.kind) != Some(source.kind) {
        return Ok(Resume { is_other: true, ..Resume::default() });
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
            let what = What::of(row.get(1)?);
            let (time, call): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
            let tool: Option<String> = row.get(4)?;
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), what, time, call, tool))
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
    let mut resume = Resume {
        checkpoints,
        history,
        bytes: row.stamp.map(|stamp| stamp.bytes),
        provisional: row.provisional,
        slug: row.slug.clone(),
        used: Option::<Vec<u8>>::filter(used, |_| row.stamp.is_some()),
        ..Resume::default()
    };
    for (offset, what, time, call, tool) in blocks {
        resume.time = time.or(resume.time);
        if what.role == transcript::Role::User
            && what.kind == Kind::Prompt
            && resume.prompts.last() != Some(&offset)
        {
            resume.prompts.push(offset);
        }
        if let Some(id) = call {
            let is_call = what.role == transcript::Role::ToolUse;
            let call = is_call.then(|| (tool.unwrap_or_default(), what.kind == Kind::Recall));
            resume.calls.push(Earlier { offset, id, call });
        }
    }
    Ok(resume)
}
