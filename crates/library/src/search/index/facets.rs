//! What the hits of a search have in common: counts by project, role, tool and so
//! on, and which sessions have hits.
//!
//! Both come from the index alone: no hit is read back from its file, so that a
//! surface can ask with every key that a person types. Texts are counted, each once,
//! however many blocks repeat it.

use crate::progress::Progress;
use crate::search::Search;
use crate::search::index::IndexOptions;
use crate::search::index::freshness::Indexed;
use crate::search::index::search::{SearchOptions, plain_state};
use conversation::MessageState;
use index::{BlockKind, IndexError, IndexedFile, Match, Searcher};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The most texts that are counted: the newest.
const MOST_COUNTED: usize = 10_000;

/// The most texts whose sessions are looked for.
const MOST_FOR_SESSIONS: usize = 50_000;

/// What the hits of a search have in common: numbers of texts by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchFacets {
    /// How many blocks match.
    pub total: usize,
    /// Whether there may be more: only the newest texts are counted.
    pub is_cut: bool,
    /// How many texts were counted.
    pub counted: usize,
    /// How many sessions they are in.
    pub sessions: usize,
    /// By project, under its present name.
    pub projects: BTreeMap<String, usize>,
    /// By role.
    pub roles: BTreeMap<&'static str, usize>,
    /// By kind of text.
    pub kinds: BTreeMap<&'static str, usize>,
    /// By the tool that was called or gave the result.
    pub tools: BTreeMap<String, usize>,
    /// By the model that answered.
    pub models: BTreeMap<String, usize>,
    /// By the state of the message, where the index knows it.
    pub states: BTreeMap<&'static str, usize>,
    /// By the values of `is:` that a query can ask for.
    pub is: BTreeMap<&'static str, usize>,
    /// By day.
    pub days: BTreeMap<Date, usize>,
}

/// The sessions that have hits.
#[derive(Clone, Debug, Default)]
pub struct SessionsWithHits {
    /// Their ids.
    pub ids: HashSet<String>,
    /// Whether there may be more.
    pub is_cut: bool,
}

impl Search {
    /// Counts the hits of a search. `offset`, `limit`, `around` and the order of the
    /// options do not matter.
    pub fn facets(
        &self,
        index: IndexOptions,
        options: &SearchOptions<'_>,
        zone: &TimeZone,
        progress: &dyn Progress,
    ) -> Result<Indexed<SearchFacets>, IndexError> {
        self.with_sound_index(index, progress, &mut |searcher, freshness| {
            let facets = match searcher {
                Some(searcher) => self.facets_of(searcher, options, zone)?,
                None => SearchFacets::default(),
            };
            Ok(Indexed::new(facets, freshness.clone()))
        })
    }

    /// The sessions that have hits.
    pub fn sessions_with_hits(
        &self,
        index: IndexOptions,
        options: &SearchOptions<'_>,
        progress: &dyn Progress,
    ) -> Result<Indexed<SessionsWithHits>, IndexError> {
        self.with_sound_index(index, progress, &mut |searcher, freshness| {
            let indexed = |found| Ok(Indexed::new(found, freshness.clone()));
            let Some(searcher) = searcher else { return indexed(SessionsWithHits::default()) };
            let (found, _) = self.ask_question(searcher, options, MOST_FOR_SESSIONS)?;
            let mut ids = HashSet::new();
            let mut files = FilesOfMatches::new(searcher);
            for matched in &found.matches {
                for file in matched.copy_files.iter().chain([&matched.file]) {
                    if let Some(id) = files.file(*file)?.and_then(|file| file.session.clone()) {
                        ids.insert(id);
                    }
                }
            }
            indexed(SessionsWithHits { ids, is_cut: found.is_cut })
        })
    }
}

impl Search {
    fn facets_of(
        &self,
        searcher: &Searcher,
        options: &SearchOptions<'_>,
        zone: &TimeZone,
    ) -> Result<SearchFacets, IndexError> {
        let (found, _) = self.ask_question(searcher, options, MOST_COUNTED)?;
        let mut facets = SearchFacets {
            total: found.total,
            is_cut: found.is_cut,
            counted: found.matches.len(),
            ..SearchFacets::default()
        };
        let mut files = FilesOfMatches::new(searcher);
        let mut sessions = HashSet::new();
        for matched in &found.matches {
            let Some(file) = files.file(matched.file)? else { continue };
            if let Some(project) = files.project(self, &file)? {
                *facets.projects.entry(project).or_default() += 1;
            }
            if let Some(session) = &file.session {
                sessions.insert(session.clone());
            }
            *facets.roles.entry(matched.class.role.name()).or_default() += 1;
            *facets.kinds.entry(matched.class.kind.name()).or_default() += 1;
            let is_marked = file.session.as_ref().is_some_and(|id| options.marked.contains(id));
            let class = &matched.class;
            let values = [
                ("error", class.is_error),
                ("prompt", class.kind == BlockKind::Prompt),
                ("agent", class.is_agent),
                ("marked", is_marked),
                ("recall", class.kind == BlockKind::Recall),
            ];
            for (value, _) in values.into_iter().filter(|(_, holds)| *holds) {
                *facets.is.entry(value).or_default() += 1;
            }
            if let Some(tool) = &matched.tool {
                *facets.tools.entry(tool.clone()).or_default() += 1;
            }
            if let Some(model) = searcher.model(matched)? {
                *facets.models.entry(model).or_default() += 1;
            }
            if let Some(state) = known_state(&file, matched) {
                *facets.states.entry(state.name()).or_default() += 1;
            }
            let time = matched.time.and_then(|time| Timestamp::from_millisecond(time).ok());
            if let Some(time) = time {
                *facets.days.entry(time.to_zoned(zone.clone()).date()).or_default() += 1;
            }
        }
        facets.sessions = sessions.len();
        Ok(facets)
    }
}

/// The state of a message in a file without branches; that of others is known only
/// after reading them.
fn known_state(file: &IndexedFile, matched: &Match) -> Option<MessageState> {
    file.is_plain.then(|| plain_state(file, matched.offset))
}

/// The files of matches, each looked up once.
struct FilesOfMatches<'s> {
    searcher: &'s Searcher,
    files: HashMap<i64, Option<Arc<IndexedFile>>>,
    projects: HashMap<String, Option<String>>,
}

impl<'s> FilesOfMatches<'s> {
    fn new(searcher: &'s Searcher) -> Self {
        FilesOfMatches { searcher, files: HashMap::new(), projects: HashMap::new() }
    }

    fn file(&mut self, id: i64) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        if let Some(known) = self.files.get(&id) {
            return Ok(known.clone());
        }
        let file = self.searcher.file(id)?;
        self.files.insert(id, file.clone());
        Ok(file)
    }

    /// The project of a file: that of its session.
    fn project(
        &mut self,
        search: &Search,
        file: &Arc<IndexedFile>,
    ) -> Result<Option<String>, IndexError> {
        let resolved = |file: &IndexedFile| {
            let cwd = file.project.as_ref().or(file.cwd.as_ref());
            cwd.map(|cwd| search.stores.resolve_alias(cwd))
        };
        let Some(session) = &file.session else { return Ok(resolved(file)) };
        if let Some(known) = self.projects.get(session) {
            return Ok(known.clone());
        }
        let main = self.searcher.main_transcript(session)?;
        let project = resolved(main.as_ref().unwrap_or(file));
        self.projects.insert(session.clone(), project.clone());
        Ok(project)
    }
}
