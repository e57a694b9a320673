//! The newest prompts, of which only those that are shown are read.
//!
//! Facts of all prompts decide which ones are shown, by the same rules as for prompts
//! with their texts: a digest stands for each text.

use crate::catalog::filter::Filter;
use crate::facts::of_files::{FileFacts, LineFacts};
use crate::lines::ReadError;
use crate::packing::{Packer, Unpacker};
use crate::parallel::par_map;
use crate::progress::Progress;
use crate::prompts::placed::{PlacedPrompt, PromptReader};
use crate::prompts::turns::PromptTurns;
use crate::prompts::{ListedPrompt, Prompt, Prompts, TranscriptPrompts, keep_first_of_each};
use crate::session::Session;
use crate::stores::Tier;
use index::{Digest, FactKind, PromptSource, RecordedPrompt, add_missing};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use store::Files;
use transcript::Line;

/// Which prompts to return, and with what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptPageOptions {
    /// How many at most; all by default.
    pub limit: Option<usize>,
    /// Whether to find the turns that they begin.
    pub turns: bool,
}

/// Some of all prompts, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptPage {
    /// The prompts that are shown.
    pub prompts: Vec<Prompt>,
    /// How many there are.
    pub total: usize,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

impl Prompts {
    /// The newest prompts of all sessions, without those that programs sent. As
    /// far as the index knows the others, only these are read.
    pub fn newest_prompts(
        &self,
        filter: &Filter,
        options: PromptPageOptions,
        progress: &dyn Progress,
    ) -> PromptPage {
        let knows = self.memory.stores_facts();
        let page = knows.then(|| self.known_prompts(filter, options, progress)).flatten();
        page.unwrap_or_else(|| {
            let (mut prompts, read_errors) = self.prompts(filter, progress);
            let total = prompts.len();
            prompts.truncate(options.limit.unwrap_or(usize::MAX));
            if options.turns {
                self.read_prompt_turns(&mut prompts);
            }
            PromptPage { prompts, total, read_errors }
        })
    }
}

/// A prompt without its text.
#[derive(Clone, Debug)]
struct PromptFact {
    session_id: Option<Arc<str>>,
    cwd: Option<Arc<str>>,
    time: Option<Timestamp>,
    branch: Option<Arc<str>>,
    by_program: bool,
    source: PromptSource,
    text: Digest,
    digest: Digest,
    joined: Vec<Digest>,
    origin: Origin,
}

/// Where the text of a prompt is.
#[derive(Clone, Debug)]
enum Origin {
    /// In a transcript: the number of its session, the offset of its record, and that of
    /// the record with its uuid if that is another one.
    Transcript(usize, u64, Option<u64>),
    /// In the history: the prompt itself.
    History(Box<Prompt>),
}

impl RecordedPrompt for PromptFact {
    fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    fn time(&self) -> Option<Timestamp> {
        self.time
    }

    fn source(&self) -> PromptSource {
        self.source
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn joined(&self) -> Cow<'_, [Digest]> {
        Cow::Borrowed(&self.joined)
    }

    fn note_duplicate(&mut self, _: Self) {}
}

impl ListedPrompt for PromptFact {
    fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    fn by_program(&self) -> bool {
        self.by_program
    }

    fn text_digest(&self) -> Digest {
        self.text
    }
}

/// The prompts of a transcript without their texts.
#[derive(Debug, Default)]
struct PromptFacts(Vec<PromptFact>);

const SOURCES: [PromptSource; 3] =
    [PromptSource::Typed, PromptSource::Queued, PromptSource::History];

impl LineFacts for PromptFacts {
    type Lines = TranscriptPrompts;

    fn note(prompts: &mut TranscriptPrompts, line: Line<'_>) {
        prompts.note_line(line);
    }

    fn pack(prompts: TranscriptPrompts, packer: &mut Packer) {
        for PlacedPrompt { prompt, offset, uuid_offset } in prompts.merged() {
            let source = SOURCES.iter().position(|known| *known == prompt.source);
            packer.name(prompt.cwd.as_deref());
            packer.time(prompt.time);
            packer.name(prompt.branch.as_deref());
            packer.number(prompt.by_program.into());
            packer.number(source.unwrap_or_default() as u64);
            packer.digest(Some(prompt.text_digest()));
            packer.digest(Some(prompt.digest()));
            let joined = prompt.joined();
            packer.number(joined.len() as u64);
            for command in &*joined {
                packer.digest(Some(*command));
            }
            packer.number(offset);
            packer.number(uuid_offset.map_or(0, |offset| offset + 1));
        }
    }
}

impl FileFacts for PromptFacts {
    const KIND: FactKind = FactKind::Prompts;

    fn derive(
        files: &Files,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<Packer>, Vec<ReadError>) {
        PromptFacts::derive_from_lines(files, paths, progress)
    }

    fn unpack(bytes: &[u8]) -> Option<PromptFacts> {
        let mut unpacker = Unpacker::new(bytes)?;
        let mut prompts = Vec::new();
        while !unpacker.is_done() {
            prompts.push(PromptFact {
                session_id: None,
                cwd: unpacker.name()?.map(Arc::from),
                time: unpacker.time()?,
                branch: unpacker.name()?.map(Arc::from),
                by_program: unpacker.flag()?,
                source: *SOURCES.get(usize::try_from(unpacker.number()?).ok()?)?,
                text: unpacker.digest()??,
                digest: unpacker.digest()??,
                joined: {
                    let count = unpacker.number()?;
                    (0..count).map(|_| unpacker.digest()?).collect::<Option<_>>()?
                },
                origin: Origin::Transcript(
                    0,
                    unpacker.number()?,
                    unpacker.number()?.checked_sub(1),
                ),
            });
        }
        Some(PromptFacts(prompts))
    }
}

impl PromptFact {
    /// The number of the session whose transcript has it.
    fn place(&self) -> Option<usize> {
        match self.origin {
            Origin::Transcript(place, ..) => Some(place),
            Origin::History(_) => None,
        }
    }

    fn of_history(prompt: Prompt) -> PromptFact {
        PromptFact {
            session_id: prompt.session_id.as_deref().map(Arc::from),
            cwd: prompt.cwd.as_deref().map(Arc::from),
            time: prompt.time,
            branch: prompt.branch.as_deref().map(Arc::from),
            by_program: prompt.by_program,
            source: prompt.source,
            text: prompt.text_digest(),
            digest: prompt.digest(),
            joined: prompt.joined().into_owned(),
            origin: Origin::History(Box::new(prompt)),
        }
    }
}

impl Prompts {
    /// The newest prompts by the facts of all; `None` if a transcript changed
    /// meanwhile.
    fn known_prompts(
        &self,
        filter: &Filter,
        options: PromptPageOptions,
        progress: &dyn Progress,
    ) -> Option<PromptPage> {
        let mut list = self.catalog.list(Tier::DiskAndArchive);
        list.sessions.retain(|session| filter.admits_id(Some(&session.id)));
        let unread = self.retain_by_content(&mut list.sessions, filter, progress);
        let sessions: Vec<&Session> =
            list.sessions.iter().filter(|session| session.path.is_some()).collect();
        let paths: Vec<PathBuf> =
            sessions.iter().filter_map(|session| session.path.clone()).collect();
        let (facts, mut read_errors) = self.facts.file_facts::<PromptFacts>(&paths, progress);
        let mut prompts = Vec::new();
        for (place, (session, PromptFacts(own))) in sessions.iter().zip(facts).enumerate() {
            let id: Arc<str> = Arc::from(session.id.as_str());
            prompts.extend(own.into_iter().map(|prompt| PromptFact {
                session_id: Some(Arc::clone(&id)),
                cwd: prompt.cwd.or_else(|| session.metadata.cwd.as_deref().map(Arc::from)),
                origin: match prompt.origin {
                    Origin::Transcript(_, offset, uuid) => Origin::Transcript(place, offset, uuid),
                    history @ Origin::History(_) => history,
                },
                ..prompt
            }));
        }
        let (history, of_history) = self.history(Tier::DiskAndArchive);
        read_errors.extend(std::mem::take(&mut list.read_errors).into_iter().chain(unread));
        read_errors.extend(of_history);
        let history = Prompts::history_beside(&list, filter, history);
        add_missing(&mut prompts, history.into_iter().map(PromptFact::of_history).collect());
        prompts.retain(|prompt| self.is_prompt_wanted(prompt, filter));
        keep_first_of_each(&mut prompts);
        let total = prompts.len();
        prompts.truncate(options.limit.unwrap_or(usize::MAX));
        let turns = if options.turns {
            let shown: BTreeSet<usize> = prompts.iter().filter_map(PromptFact::place).collect();
            let paths = shown.into_iter().filter_map(|place| sessions[place].path.as_deref());
            self.known_turns(paths, progress)
        } else {
            HashMap::new()
        };
        let prompts = self.with_texts(prompts, &sessions, &turns)?;
        Some(PromptPage { prompts: self.mask_prompts(prompts), total, read_errors })
    }

    /// Prompts with their texts and the turns that are known; `None` if a transcript
    /// changed meanwhile.
    fn with_texts(
        &self,
        prompts: Vec<PromptFact>,
        sessions: &[&Session],
        turns: &HashMap<PathBuf, PromptTurns>,
    ) -> Option<Vec<Prompt>> {
        let mut of_sessions: BTreeMap<usize, Vec<(usize, &PromptFact)>> = BTreeMap::new();
        for (number, prompt) in prompts.iter().enumerate() {
            if let Some(place) = prompt.place() {
                of_sessions.entry(place).or_default().push((number, prompt));
            }
        }
        let read = par_map(of_sessions.into_iter().collect(), |(place, own)| {
            let session = sessions[place];
            let path = session.path.as_deref()?;
            let (mut reader, turns) = (PromptReader::open(self, path)?, turns.get(path));
            let texts = own.into_iter().map(|(number, fact)| {
                let Origin::Transcript(_, offset, uuid_offset) = fact.origin else { return None };
                let mut prompt = reader.read(offset, uuid_offset)?.of_session(session);
                prompt.turn = turns.and_then(|turns| turns.at(uuid_offset.unwrap_or(offset)));
                let is_same = prompt.text_digest() == fact.text && prompt.time == fact.time;
                is_same.then_some((number, prompt))
            });
            texts.collect::<Option<Vec<_>>>()
        });
        let read: Option<Vec<Vec<(usize, Prompt)>>> = read.into_iter().collect();
        let mut read: HashMap<usize, Prompt> = read?.into_iter().flatten().collect();
        let texts = prompts.into_iter().enumerate().map(|(number, fact)| match fact.origin {
            Origin::History(prompt) => Some(*prompt),
            Origin::Transcript(..) => read.remove(&number),
        });
        texts.collect()
    }
}
