//! The values that were masked anywhere in a session, and the one way to a redactor for its
//! texts.
//!
//! A session's texts are its transcript, those of its sub-agents, its outputs in separate
//! files, and the plan files that its lines name. The values of each file are read once per process, from where the last reading
//! stopped, and stored in the index as a fact under the file's stamp; so a question about a
//! large session reads only what was appended to it. A session without values gets the
//! redactor that everything else uses.
//!
//! Deliberately not here: which values count, and what is stored of them
//! (`redact::SessionValues`).

use crate::redaction::Redaction;
use crate::redaction::masking::Masking;
use crate::redaction::plan_names::{PlanName, note_plan_names};
use crate::redaction::value_facts::ValueFacts;
use crate::session::Session;
use crate::stores::Tier;
use crate::stores::text_files::stamp;
use index::Stamp;
use redact::{Level, Redactor, SessionValues, ValueKey};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use store::{
    Checkpoint, Cursor, Files, Folder, LineReader, LineSink, SessionFolder, agent_id_of,
    agent_paths, flat_agent, is_session_id,
};
use transcript::Line;

/// Finds the values that count. Its placeholders are not used.
static FINDER: LazyLock<Arc<Redactor>> =
    LazyLock::new(|| Arc::new(Redactor::new(Level::Standard, [0; 32])));

/// The values of a file, and how far it was read for them.
#[derive(Clone, Debug)]
pub(crate) struct FileValues {
    pub(crate) stamp: Stamp,
    /// Those of its lines, without the start of the file.
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) is_provisional: bool,
    pub(crate) values: SessionValues,
    /// The plans that its lines name.
    pub(crate) plans: BTreeSet<PlanName>,
}

/// Redactors of sessions, with their values: by the base of the session and the fingerprint of the
/// redactor they were made from.
type SessionRedactors = HashMap<(PathBuf, [u8; 32]), (SessionValues, Arc<Redactor>)>;

/// What is known of values, shared by all libraries of a process.
#[derive(Debug, Default)]
pub(crate) struct KnownValues {
    key: OnceLock<ValueKey>,
    /// Stored facts, loaded on first use.
    stored: OnceLock<Option<ValueFacts>>,
    files: Mutex<HashMap<PathBuf, Arc<FileValues>>>,
    redactors: Mutex<SessionRedactors>,
    /// The sessions of flat agents, by folder and its modification time.
    flat: Mutex<HashMap<PathBuf, Arc<FlatFiles>>>,
    /// Files whose values are not stored yet.
    unstored: Mutex<Vec<PathBuf>>,
}

/// The flat agents of a folder: their paths, with the sessions that their lines name.
#[derive(Debug, Default)]
struct FlatFiles {
    paths: Vec<PathBuf>,
    sessions: Vec<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of a session, by any of them.
struct SessionFiles {
    /// The path of its transcript, without the extension.
    base: PathBuf,
    transcripts: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl Redaction {
    /// Masks the texts of the session that a file belongs to: what every reader of sessions
    /// uses. Costs nothing if nothing is masked.
    pub(crate) fn masking_of(&self, file: &Path) -> Masking {
        let redactor = self.stores.redactor.as_ref();
        Masking::new(redactor.map(|redactor| self.session_redactor(redactor, file)))
    }

    /// The same for a session of which perhaps only an agent or an output is left.
    pub(crate) fn masking_of_session(&self, session: &Session) -> Masking {
        let redactor = self.stores.redactor.as_ref();
        Masking::new(redactor.map(|redactor| self.redactor_of(redactor, session)))
    }

    /// The same for a session by its id.
    pub(crate) fn masking_of_id(&self, id: Option<&str>) -> Masking {
        let path = self.stores.redactor.as_ref().and_then(|_| self.transcript_of(id?));
        path.map_or_else(|| self.masking_of_none(), |path| self.masking_of(&path))
    }

    /// Masks a text that is compared with the texts of several sessions.
    pub(crate) fn masking_of_all(&self, sessions: &[&Session]) -> Masking {
        let Some(redactor) = &self.stores.redactor else { return Masking::new(None) };
        let mut values = SessionValues::new(self.value_key());
        for path in sessions.iter().filter_map(|session| session.path.as_ref()) {
            values.merge(&self.values_of(&self.session_files(path)));
        }
        Masking::new(Some(Arc::new(redactor.for_session(&values))))
    }

    /// Notes the names in an answer about the sessions with these transcripts, so that what
    /// writes it masks the values in them.
    pub(crate) fn note_names_of<'p>(
        &self,
        transcripts: impl Iterator<Item = &'p Path>,
        names: &[&str],
    ) {
        let Some(redactor) = &self.stores.redactor else { return };
        for path in transcripts {
            let of_session = self.session_redactor(redactor, path);
            for name in names {
                of_session.note_name(name);
            }
        }
    }

    /// The transcript with a session's id.
    fn transcript_of(&self, id: &str) -> Option<PathBuf> {
        self.stores.tier_roots(Tier::DiskAndArchive).into_iter().find_map(|(root, files)| {
            let mut folders = root.session_places(&files, id).folders.into_iter();
            folders.find_map(|folder| folder.find_session(&files, id)).map(|file| file.path)
        })
    }

    /// Masks texts that belong to no session.
    pub(crate) fn masking_of_none(&self) -> Masking {
        Masking::new(self.stores.redactor.clone())
    }

    /// A redactor for the texts of a session, of which perhaps only an agent or an output is left.
    pub(crate) fn redactor_of(&self, redactor: &Arc<Redactor>, session: &Session) -> Arc<Redactor> {
        match (&session.path, &session.session_folder) {
            (Some(path), _) => self.session_redactor(redactor, path),
            (None, Some(folder)) => {
                self.session_redactor(redactor, &folder.path().with_extension("jsonl"))
            }
            (None, None) => Arc::clone(redactor),
        }
    }

    /// A redactor for the texts of the session that a file belongs to. Callers that made
    /// the redactor themselves use it for their own lines.
    pub(crate) fn session_redactor(&self, redactor: &Arc<Redactor>, file: &Path) -> Arc<Redactor> {
        let files = self.session_files(file);
        let values = self.values_of(&files);
        self.redactor_with(redactor, files.base, values, file)
    }

    /// A redactor with these values of a session, made once.
    fn redactor_with(
        &self,
        redactor: &Arc<Redactor>,
        base: PathBuf,
        values: SessionValues,
        file: &Path,
    ) -> Arc<Redactor> {
        if values.is_empty() {
            return Arc::clone(redactor);
        }
        let key = (base, redactor.fingerprint());
        if let Some((known, made)) = lock(&self.known_values.redactors).get(&key)
            && *known == values
        {
            return Arc::clone(made);
        }
        let made = Arc::new(redactor.for_session(&values));
        made.note_name(&file.to_string_lossy());
        lock(&self.known_values.redactors).insert(key, (values, Arc::clone(&made)));
        made
    }

    /// The values of all files of a session.
    fn values_of(&self, files: &SessionFiles) -> SessionValues {
        let mut values = SessionValues::new(self.value_key());
        let mut plans = BTreeSet::new();
        for path in files.transcripts.iter().chain(&files.outputs) {
            let is_transcript = path.extension().is_some_and(|extension| extension == "jsonl");
            let of_file = self.file_values(path, is_transcript && !files.outputs.contains(path));
            values.merge(&of_file.values);
            plans.extend(&of_file.plans);
        }
        for path in self.plans_of(&plans) {
            values.merge(&self.file_values(path, false).values);
        }
        self.store_many_values();
        values
    }

    /// The same for a caller that cannot wait; `None` if more of the session's files is to be
    /// read for that than this.
    pub(crate) fn redactor_within(
        &self,
        redactor: &Arc<Redactor>,
        file: &Path,
        most_bytes: u64,
    ) -> Option<Arc<Redactor>> {
        let SessionFiles { transcripts, outputs, .. } = self.session_files(file);
        let unread: u64 = transcripts.iter().chain(&outputs).map(|path| self.unread(path)).sum();
        (unread <= most_bytes).then(|| self.session_redactor(redactor, file))
    }

    /// How many bytes of a file are to be read for its values.
    fn unread(&self, path: &Path) -> u64 {
        let Some(stamp) = stamp(&self.stores.all, path).map(|stamped| stamped.stamp) else {
            return 0;
        };
        match self.earlier_file_values(path) {
            Some(known) if known.stamp == stamp => 0,
            Some(known) => stamp.bytes.checked_sub(known.stamp.bytes).unwrap_or(stamp.bytes),
            None => stamp.bytes,
        }
    }

    /// Finds secrets in what the index stores of a session, by any of its files.
    pub(crate) fn finder(&self, file: &Path) -> Arc<Redactor> {
        self.session_redactor(&FINDER, file)
    }

    /// The same; `None` if a file has text that was not read for values yet.
    pub(crate) fn known_finder(&self, file: &Path) -> Option<Arc<Redactor>> {
        let files = self.session_files(file);
        let mut values = SessionValues::new(self.value_key());
        let mut plans = BTreeSet::new();
        for path in files.transcripts.iter().chain(&files.outputs) {
            let known = self.known_file_values(path)?;
            values.merge(&known.values);
            plans.extend(&known.plans);
        }
        for path in self.plans_of(&plans) {
            values.merge(&self.known_file_values(path)?.values);
        }
        Some(self.redactor_with(&FINDER, files.base, values, file))
    }

    /// Finds secrets in what the index stores of all sessions, as far as they were read.
    pub(crate) fn finder_of_all(&self) -> Arc<Redactor> {
        let key = self.value_key();
        let mut values = SessionValues::new(key);
        if let Some(stored) = self.known_values.stored.get_or_init(|| self.stored_values()) {
            for of_file in stored.of_all(key) {
                values.merge(&of_file);
            }
        }
        for known in lock(&self.known_values.files).values() {
            values.merge(&known.values);
        }
        Arc::new(FINDER.for_session(&values))
    }

    /// The values of a file, if it has not changed since they were read.
    fn known_file_values(&self, path: &Path) -> Option<Arc<FileValues>> {
        let stamp = stamp(&self.stores.all, path)?.stamp;
        self.earlier_file_values(path).filter(|known| known.stamp == stamp)
    }

    /// The values of a file when it was read last.
    fn earlier_file_values(&self, path: &Path) -> Option<Arc<FileValues>> {
        let known = lock(&self.known_values.files).get(path).cloned();
        known.or_else(|| {
            let stored = self.known_values.stored.get_or_init(|| self.stored_values());
            stored.as_ref()?.find(path, self.value_key()).map(Arc::new)
        })
    }

    /// The key of digests: the index has one, so that what it stores can be read again.
    /// Without an index, one for this process.
    pub(crate) fn value_key(&self) -> ValueKey {
        *self.known_values.key.get_or_init(|| {
            let stored = if self.stores.options.no_index { None } else { self.memory.index().ok() };
            let stored = stored.and_then(|index| index.value_key().ok().flatten());
            let random = || store::random_bytes().unwrap_or_default();
            ValueKey::new(stored.unwrap_or_else(random))
        })
    }

    /// The files of the session that a file belongs to.
    fn session_files(&self, file: &Path) -> SessionFiles {
        if let Some(owners) = self.owners_of_plan(file) {
            return self.plan_session_files(file, owners);
        }
        let files = &self.stores.all;
        let base = self.session_base(file);
        let main = base.with_extension("jsonl");
        let mut transcripts = Vec::new();
        if files.find(&main).is_some() {
            transcripts.push(main);
        }
        let mut outputs = Vec::new();
        if let Some(own) = SessionFolder::find(files, base.clone()) {
            transcripts.extend(agent_paths(files, &own).into_iter().map(|(_, path)| path));
            outputs.extend(own.tool_result_files(files).into_iter().map(|(path, _)| path));
        }
        if let (Some(folder), Some(id)) = (base.parent(), base.file_name()) {
            let flat = self.flat_files(folder);
            let own = flat.paths.iter().zip(&flat.sessions);
            let own = own.filter(|(_, session)| session.as_deref().map(AsRef::as_ref) == Some(id));
            transcripts.extend(own.map(|(path, _)| path.clone()));
        }
        if !transcripts.iter().chain(&outputs).any(|known| known == file) {
            transcripts.push(file.to_owned());
        }
        SessionFiles { base, transcripts, outputs }
    }

    /// The files of the sessions that name a plan file.
    fn plan_session_files(&self, plan: &Path, owners: &[PathBuf]) -> SessionFiles {
        let (mut transcripts, mut outputs) = (BTreeSet::new(), BTreeSet::new());
        for owner in owners {
            if !transcripts.contains(owner) {
                let own = self.session_files(owner);
                transcripts.extend(own.transcripts);
                outputs.extend(own.outputs);
            }
        }
        outputs.insert(plan.to_owned());
        SessionFiles {
            base: plan.to_owned(),
            transcripts: transcripts.into_iter().collect(),
            outputs: outputs.into_iter().collect(),
        }
    }

    /// The files outside of its session that are masked with the values in a file: the plans
    /// that a transcript names, or the sessions that name a plan.
    pub(crate) fn files_masked_with(&self, file: &Path) -> Vec<PathBuf> {
        if let Some(owners) = self.owners_of_plan(file) {
            let SessionFiles { transcripts, outputs, .. } = self.plan_session_files(file, owners);
            return transcripts.into_iter().chain(outputs).collect();
        }
        let plans = self.plans_of(&self.plan_names_in(file));
        plans.into_iter().map(Path::to_owned).collect()
    }

    /// The plans that the lines of a transcript name; none of another file.
    pub(crate) fn plan_names_in(&self, transcript: &Path) -> BTreeSet<PlanName> {
        if transcript.extension().is_none_or(|extension| extension != "jsonl") {
            return BTreeSet::new();
        }
        self.file_values(transcript, true).plans.clone()
    }

    /// The path of a session's transcript without the extension, by any file of the session.
    fn session_base(&self, file: &Path) -> PathBuf {
        if agent_id_of(file).is_none() && file.extension().is_some_and(|it| it == "jsonl") {
            return file.with_extension("");
        }
        let is_session = |folder: &&Path| {
            folder.file_name().and_then(|name| name.to_str()).is_some_and(is_session_id)
                || self.stores.all.find(&folder.with_extension("jsonl")).is_some()
        };
        // A session has files at most a few folders below its own.
        if let Some(folder) = file.ancestors().skip(1).take(6).find(is_session) {
            return folder.to_owned();
        }
        let folder = file.parent().unwrap_or(file);
        let flat = self.flat_files(folder);
        let own = flat.paths.iter().zip(&flat.sessions).find(|(path, _)| *path == file);
        match own.and_then(|(_, session)| session.as_ref()) {
            Some(session) => folder.join(session),
            None => file.with_extension(""),
        }
    }

    /// The flat agents in a folder. Their first lines are read once for the same names.
    fn flat_files(&self, folder: &Path) -> Arc<FlatFiles> {
        let listed = Folder::new(folder.to_owned()).list(&self.stores.all);
        let mut paths = listed.map(|listing| listing.agents).unwrap_or_default();
        paths.sort();
        if let Some(known) = lock(&self.known_values.flat).get(folder)
            && known.paths == paths
        {
            return Arc::clone(known);
        }
        let session = |path: &PathBuf| flat_agent(&self.stores.all, path)?.session_id;
        let found = FlatFiles { sessions: paths.iter().map(session).collect(), paths };
        let found = Arc::new(found);
        lock(&self.known_values.flat).insert(folder.to_owned(), Arc::clone(&found));
        found
    }

    /// The values of a file as it is now.
    fn file_values(&self, path: &Path, is_transcript: bool) -> Arc<FileValues> {
        let nothing = || {
            let values = SessionValues::new(self.value_key());
            let stamp = Stamp::default();
            let plans = BTreeSet::new();
            FileValues { stamp, checkpoints: Vec::new(), is_provisional: false, values, plans }
        };
        let Some(stamped) = stamp(&self.stores.all, path) else { return Arc::new(nothing()) };
        let known = match self.earlier_file_values(path) {
            Some(known) if known.stamp == stamped.stamp => known,
            known => {
                // What another app wrote is made anew each time; only files grow.
                let before = known.filter(|_| is_transcript && !self.stores.is_of_app(path));
                let before = before.map_or_else(nothing, |known| FileValues::clone(&known));
                let read = FileValues { stamp: stamped.stamp, ..before };
                // What cannot be read is not shown either.
                let read =
                    read.read_on(&self.stores.all, path, is_transcript).unwrap_or_else(|_| {
                        let stamp = Stamp::default();
                        FileValues { stamp, ..nothing() }
                    });
                if read.stamp != Stamp::default() {
                    lock(&self.known_values.unstored).push(path.to_owned());
                }
                Arc::new(read)
            }
        };
        lock(&self.known_values.files).insert(path.to_owned(), Arc::clone(&known));
        known
    }

    /// How many files have values that are not stored yet, and their size.
    pub(crate) fn unstored_values(&self) -> (usize, u64) {
        let paths = lock(&self.known_values.unstored);
        let files = lock(&self.known_values.files);
        let bytes = paths.iter().filter_map(|path| Some(files.get(path)?.stamp.bytes));
        (paths.len(), bytes.sum())
    }

    /// The files whose values are not stored yet, with their values.
    pub(crate) fn take_unstored_values(&self) -> Vec<(PathBuf, Arc<FileValues>)> {
        let paths = std::mem::take(&mut *lock(&self.known_values.unstored));
        let files = lock(&self.known_values.files);
        paths
            .into_iter()
            .filter_map(|path| files.get(&path).cloned().map(|of| (path, of)))
            .collect()
    }
}

impl FileValues {
    /// Reads what is new in the file.
    fn read_on(mut self, files: &Files, path: &Path, is_transcript: bool) -> io::Result<Self> {
        let mut file = files.open(path)?;
        if !is_transcript {
            let (text, _) = file.read_beginning()?;
            FINDER.note_values(&text, &mut self.values);
            return Ok(self);
        }
        let bytes = self.checkpoints.last().map(|end| end.position.offset);
        let checkpoints = std::mem::take(&mut self.checkpoints);
        let mut cursor = Cursor::from_checkpoints(checkpoints, bytes, self.is_provisional);
        let end = cursor.offset();
        let mut sink = NotingSink::new(&mut self.values, &mut self.plans, end);
        cursor.read_new_lines_from(&mut file, &mut LineReader::default(), &mut sink)?;
        if sink.is_rolled_back {
            // Values of lines that are gone are not values of the session.
            self.values.clear();
            self.plans.clear();
            cursor = Cursor::default();
            let mut file = files.open(path)?;
            let mut sink = NotingSink::new(&mut self.values, &mut self.plans, 0);
            cursor.read_new_lines_from(&mut file, &mut LineReader::default(), &mut sink)?;
        }
        self.checkpoints = cursor.checkpoints().skip(1).copied().collect();
        self.is_provisional = cursor.is_provisional();
        Ok(self)
    }
}

/// Notes the values of lines.
struct NotingSink<'v> {
    values: &'v mut SessionValues,
    plans: &'v mut BTreeSet<PlanName>,
    /// Up to where the file was read before.
    end: u64,
    is_rolled_back: bool,
}

impl<'v> NotingSink<'v> {
    fn new(values: &'v mut SessionValues, plans: &'v mut BTreeSet<PlanName>, end: u64) -> Self {
        NotingSink { values, plans, end, is_rolled_back: false }
    }
}

impl LineSink for NotingSink<'_> {
    fn line(&mut self, line: Line<'_>) -> bool {
        let text = str::from_utf8(line.bytes)
            .map_or_else(|_| String::from_utf8_lossy(line.bytes), Cow::Borrowed);
        FINDER.note_json_values(&text, self.values);
        note_plan_names(line.bytes, self.plans);
        !self.is_rolled_back
    }

    fn retract(&mut self, from: u64) {
        self.is_rolled_back |= from < self.end;
    }
}
