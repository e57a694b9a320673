//! Searching: the index knows where, the files know what.
//!
//! A hit is read back from its line and shown only if it is still the text that
//! was indexed. The index cannot know whether a message is still part of the
//! conversation; that is found here, for the hits that are shown.

use crate::catalog::filter::Filter;
use crate::lines::ReadError;
use crate::parallel::par_map;
use crate::search::Search;
use crate::search::index::excerpt::{self, Excerpt};
use crate::search::index::state::{NearbyMessages, States};
use crate::session::Presence;
use conversation::{MessageState, TurnNumber};
use index::{
    BlockKind, FileSelection, IndexError, IndexedFile, Match, Query, SearchRequest, Searcher,
    SourceKind, TextHash,
};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use transcript::{Line, LineEnd, Role, parse_line};

/// How hits are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The best first.
    #[default]
    Score,
    /// The newest first.
    Time,
}

/// A search, and how much of it to return.
#[derive(Debug)]
pub struct SearchOptions<'w> {
    /// The query.
    pub query: &'w Query,
    /// Further conditions.
    pub filter: &'w Filter,
    /// Sessions with bookmarks.
    pub marked: &'w HashSet<String>,
    /// How hits are ordered.
    pub order: Order,
    /// How many hits to skip.
    pub offset: usize,
    /// The most hits to return.
    pub limit: usize,
    /// How many texts before and after a hit to return.
    pub around: usize,
    /// The time.
    pub now: Timestamp,
}

/// A text near a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearbyMessage {
    /// Its role.
    pub role: Role,
    /// The line, from 1.
    pub line: u64,
    /// Its beginning.
    pub text: String,
}

/// A block that matches.
#[derive(Clone, Debug)]
pub struct FoundHit {
    /// The session.
    pub session_id: Option<String>,
    /// Whether the session's own transcript exists, not only its agents'.
    pub has_transcript: bool,
    /// Its project, under its present name.
    pub project: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The git branch the line was written on, else the session's.
    pub branch: Option<String>,
    /// The session's title.
    pub title: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// Its role.
    pub role: Role,
    /// What it is.
    pub kind: BlockKind,
    /// The tool that was called or gave the result.
    pub tool: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// Whether the message is still part of the conversation; `None` for blocks
    /// that are not messages.
    pub state: Option<MessageState>,
    /// The turn it is in; `None` for blocks outside of the conversation.
    pub turn: Option<TurnNumber>,
    /// Whether its file is on disk.
    pub presence: Presence,
    /// Whose session it is, if it comes from a team's lake.
    pub owner: Option<String>,
    /// Its score.
    pub score: f64,
    /// The text around the matching words.
    pub excerpt: Excerpt,
    /// The file.
    pub path: PathBuf,
    /// What the file is.
    pub source: SourceKind,
    /// The line in it, from 1.
    pub line: u64,
    /// How many duplicates or near duplicates there are.
    pub copies: usize,
    /// The other sessions that have duplicates or near duplicates, by id.
    pub duplicates_in: BTreeSet<String>,
    /// The texts before it, if requested.
    pub before: Vec<NearbyMessage>,
    /// The texts after it.
    pub after: Vec<NearbyMessage>,
}

/// Words that match nothing, each with similar words.
pub(super) type SimilarWords = Vec<(String, Vec<String>)>;

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchAnswer {
    /// The hits of this page.
    pub hits: Vec<FoundHit>,
    /// How many blocks match.
    pub total: usize,
    /// Whether there may be more than that.
    pub is_cut: bool,
    /// The offset of the next page, if there is one.
    pub next: Option<usize>,
    /// Suggestions for words that match nothing: (a word, similar words).
    pub near: SimilarWords,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

/// How many are read back at a time and ranked by their texts: always the same
/// number, so that pages are consistent.
const CHUNK: usize = 32;

/// A match with its text.
struct ReadHit {
    found: Match,
    uuid: Option<String>,
    /// Whether it is part of a conversation.
    is_message: bool,
    /// Whether the message is still part of the conversation.
    state: Option<MessageState>,
    branch: Option<String>,
    agent_id: Option<String>,
    excerpt: Excerpt,
    fingerprint: u64,
    score: f64,
}

impl Search {
    /// Queries the index.
    pub(super) fn ask_index(
        &self,
        searcher: &Searcher,
        options: &SearchOptions<'_>,
    ) -> Result<SearchAnswer, IndexError> {
        let most =
            index::MOST_TEXTS.max(options.offset.saturating_add(options.limit).saturating_add(1));
        let (found, near) = self.ask_question(searcher, options, most)?;
        let mut answer =
            SearchAnswer { total: found.total, is_cut: found.is_cut, ..SearchAnswer::default() };
        let mut matches = found.matches;
        if options.order == Order::Time {
            matches.sort_by_key(|found| std::cmp::Reverse(found.time));
        }
        let mut states = States::default();
        let hits = self.read_hits(searcher, options, matches, &mut states, &mut answer)?;
        self.build_hits(searcher, options, hits, &mut states, &mut answer)?;
        answer.near = near;
        Ok(answer)
    }

    /// Asks the index for matches, at most as many as given, and for similar words
    /// if there are none.
    pub(super) fn ask_question(
        &self,
        searcher: &Searcher,
        options: &SearchOptions<'_>,
        most: usize,
    ) -> Result<(index::SearchResult, SimilarWords), IndexError> {
        let snapshot = self
            .memory
            .file_snapshot(searcher)?
            .filter(|snapshot| snapshot.is_all)
            .filter(|_| options.filter.project.is_none() && options.filter.session.is_none());
        let mains = if snapshot.is_none() { searcher.main_transcripts()? } else { HashMap::new() };
        let shows = self.memory.shows_indexed();
        let fits = |file: &IndexedFile| {
            shows(&file.path, file.session.as_deref(), file.is_archive_only)
                && self.admits_file(options.filter, file, &mains)
        };
        let admits =
            snapshot.as_deref().map_or(FileSelection::Fitting(&fits), FileSelection::Snapshot);
        let mut query = options.query.clone();
        let Filter { branch, model, agent, tool, .. } = options.filter;
        for (name, value) in
            [("branch", branch), ("model", model), ("agent", agent), ("tool", tool)]
        {
            query.require(name, value.as_deref());
        }
        let request = SearchRequest {
            query: &query,
            since: options.filter.since.map(Timestamp::as_millisecond),
            until: options.filter.until.map(Timestamp::as_millisecond),
            admits,
            marked: options.marked,
            now: options.now.as_millisecond(),
            most,
        };
        let found = searcher.search(&request)?;
        let mut near = Vec::new();
        if found.total == 0 {
            for word in options.query.single_words() {
                let similar = searcher.near_words(word, 3, admits)?;
                if !similar.is_empty() {
                    near.push((word.to_owned(), similar));
                }
            }
        }
        Ok((found, near))
    }

    fn admits_file(
        &self,
        filter: &Filter,
        file: &IndexedFile,
        mains: &HashMap<&str, &IndexedFile>,
    ) -> bool {
        let main = file.session.as_deref().and_then(|id| mains.get(id)).copied().unwrap_or(file);
        let cwd = main.cwd.as_deref();
        // A plan without a known session may belong to an excluded one.
        let is_nobodys = file.session.is_none() && !self.stores.options.exclude.is_empty();
        if self.stores.is_excluded(&main.path, cwd) || is_nobodys {
            return false;
        }
        if !filter.admits_id(file.session.as_deref()) {
            return false;
        }
        let Some(scope) = &filter.project else { return true };
        let today = cwd.map(|cwd| self.stores.resolve_alias(cwd));
        let key = self.stores.project_key(&main.path);
        let others = [main.project.as_deref(), today.as_deref(), key];
        scope.holds_one_of(cwd, &others)
    }

    /// Reads matches back: as many as are shown, and some more to choose from.
    fn read_hits(
        &self,
        searcher: &Searcher,
        options: &SearchOptions<'_>,
        matches: Vec<Match>,
        states: &mut States,
        answer: &mut SearchAnswer,
    ) -> Result<Vec<ReadHit>, IndexError> {
        let end = options.offset.saturating_add(options.limit);
        let mut matches = matches.into_iter().peekable();
        let mut hits: Vec<ReadHit> = Vec::new();
        let mut places: HashMap<u64, usize> = HashMap::new();
        // Duplicates and changed texts leave room for others.
        while hits.len() <= end && matches.peek().is_some() {
            let mut wanted = Vec::new();
            for found in matches.by_ref().take(CHUNK) {
                if let (Some(file), Some(hash)) =
                    (searcher.file(found.file)?, searcher.hash(found.text)?)
                {
                    wanted.push((found, file, hash));
                }
            }
            let read = par_map(wanted, |(found, file, hash)| {
                self.read_hit(options.query, found, &file, hash)
            });
            let mut read: Vec<ReadHit> = read.into_iter().flatten().collect();
            self.find_states(searcher, states, &mut read)?;
            if options.order == Order::Score {
                read.sort_by(|one, two| two.score.total_cmp(&one.score));
            }
            for hit in read {
                if let Some(place) = places.get(&hit.fingerprint) {
                    let known = &mut hits[*place].found;
                    known.copies += 1 + hit.found.copies;
                    known.copy_files.push(hit.found.file);
                    known.copy_files.extend(hit.found.copy_files);
                } else {
                    places.insert(hit.fingerprint, hits.len());
                    hits.push(hit);
                }
            }
        }
        if hits.len() > end {
            answer.next = Some(end);
        }
        hits.truncate(end);
        Ok(hits.split_off(options.offset.min(hits.len())))
    }

    /// Finds whether the messages are still part of the conversation. Abandoned
    /// ones are still worth finding, but not first.
    fn find_states(
        &self,
        searcher: &Searcher,
        states: &mut States,
        read: &mut [ReadHit],
    ) -> Result<(), IndexError> {
        let mut unknown = HashSet::new();
        for hit in read.iter().filter(|hit| hit.uuid.is_some()) {
            if let Some(file) = searcher.file(hit.found.file)?.filter(|file| !file.is_plain)
                && !states.has_stored(searcher, hit.found.file)?
            {
                unknown.insert((file.path.clone(), file.kind == SourceKind::Agent));
            }
        }
        states.learn(self, unknown);
        for hit in read {
            let Some(file) = searcher.file(hit.found.file)? else { continue };
            let is_aside = hit.found.class.is_agent && file.kind != SourceKind::Agent;
            hit.state = hit.uuid.as_deref().and_then(|uuid| {
                if file.is_plain {
                    (hit.is_message && !is_aside).then(|| plain_state(&file, hit.found.offset))
                } else {
                    states.state(hit.found.file, &file.path, uuid)
                }
            });
            if matches!(hit.state, Some(MessageState::Abandoned | MessageState::Orphaned)) {
                hit.score /= 2.0;
            }
        }
        Ok(())
    }

    /// Reads one match back; `None` if it no longer exists.
    fn read_hit(
        &self,
        query: &Query,
        found: Match,
        file: &IndexedFile,
        hash: TextHash,
    ) -> Option<ReadHit> {
        let mut hit = ReadHit {
            score: found.score,
            found,
            uuid: None,
            is_message: false,
            state: None,
            branch: None,
            agent_id: file.agent.clone(),
            excerpt: Excerpt::default(),
            fingerprint: 0,
        };
        let text = match file.kind {
            SourceKind::Output | SourceKind::Plan => {
                let (text, _) = self.stores.all.open(&file.path).ok()?.read_beginning().ok()?;
                if !hash.is_of(&text) {
                    return None;
                }
                self.redaction.masking_of(&file.path).text(text)
            }
            SourceKind::Main | SourceKind::Agent | SourceKind::Copy | SourceKind::Foreign => {
                let bytes = index::read_line(&self.stores.all, &file.path, hit.found.offset)?;
                let text = hit.piece(&bytes)?;
                if !hash.is_of(&text) {
                    return None;
                }
                if self.stores.redactor.is_some() {
                    hit.piece(&self.redaction.masking_of(&file.path).line(&bytes))?
                } else {
                    text
                }
            }
        };
        let places = query.match_ranges(&text);
        hit.excerpt = excerpt::of(&text, &places);
        hit.fingerprint = excerpt::fingerprint(&hit.excerpt.text);
        hit.score *= excerpt::worth(&text, &places, query.parts());
        Some(hit)
    }

    /// The turns of hits. The index knows those of most transcripts; the other
    /// transcripts are read, as for the states.
    fn find_turns(
        &self,
        searcher: &Searcher,
        states: &mut States,
        hits: &[ReadHit],
    ) -> Result<Vec<Option<TurnNumber>>, IndexError> {
        let mut turns = vec![None; hits.len()];
        let mut unknown = Vec::new();
        for (position, hit) in hits.iter().enumerate().filter(|(_, hit)| hit.uuid.is_some()) {
            let Some(file) = searcher.file(hit.found.file)? else { continue };
            // A copy is not what a person opens.
            if !matches!(file.kind, SourceKind::Main | SourceKind::Agent | SourceKind::Foreign) {
                continue;
            }
            let is_agent = file.kind == SourceKind::Agent;
            if file.is_plain && hit.is_message && (is_agent || !hit.found.class.is_agent) {
                let turn = searcher.turn_at(hit.found.file, hit.found.offset)?;
                turns[position] = turn.map(TurnNumber::Main);
            }
            if turns[position].is_none() && states.has_stored(searcher, hit.found.file)? {
                turns[position] = states.turn(hit.found.file, &file.path, hit.found.line);
            } else if turns[position].is_none() {
                unknown.push((position, file.path.clone(), is_agent));
            }
        }
        let files = unknown.iter().map(|(_, path, is_agent)| (path.clone(), *is_agent));
        states.learn(self, files.collect());
        for (position, path, _) in unknown {
            let found = &hits[position].found;
            turns[position] = states.turn(found.file, &path, found.line);
        }
        Ok(turns)
    }

    /// Builds the hits.
    fn build_hits(
        &self,
        searcher: &Searcher,
        options: &SearchOptions<'_>,
        read: Vec<ReadHit>,
        states: &mut States,
        answer: &mut SearchAnswer,
    ) -> Result<(), IndexError> {
        let turns = self.find_turns(searcher, states, &read)?;
        let mut files = HashSet::new();
        for hit in &read {
            files.extend(searcher.file(hit.found.file)?.map(|file| file.path.clone()));
        }
        let nearby = NearbyMessages::read(self, files, options.around);
        for (hit, turn) in read.into_iter().zip(turns) {
            let Some(file) = searcher.file(hit.found.file)? else { continue };
            let main = match &file.session {
                Some(session) => searcher.main_transcript(session)?,
                None => None,
            };
            let main = main.as_ref().unwrap_or(&file);
            let mut duplicates_in = BTreeSet::new();
            for copy in &hit.found.copy_files {
                duplicates_in.extend(searcher.file(*copy)?.and_then(|copy| copy.session.clone()));
            }
            if let Some(own) = &file.session {
                duplicates_in.remove(own);
            }
            let (before, after) = nearby.around(&file.path, hit.found.line);
            let cwd = main.cwd.clone();
            answer.hits.push(FoundHit {
                session_id: file.session.clone(),
                has_transcript: matches!(main.kind, SourceKind::Main | SourceKind::Foreign),
                project: self.stores.project_key(&file.path).map(str::to_owned).or_else(|| {
                    main.project.as_ref().or(cwd.as_ref()).map(|cwd| self.stores.resolve_alias(cwd))
                }),
                cwd,
                branch: hit.branch.or_else(|| main.branch.clone()),
                title: main
                    .title
                    .clone()
                    .map(|title| self.redaction.masking_of(&main.path).text(title)),
                agent_id: hit.agent_id,
                role: hit.found.class.role,
                kind: hit.found.class.kind,
                tool: hit.found.tool,
                time: hit.found.time.and_then(|time| Timestamp::from_millisecond(time).ok()),
                state: hit.state,
                turn,
                presence: self.stores.presence(&file.path, file.is_archive_only),
                owner: self.stores.owner_of(&file.path).map(str::to_owned),
                score: hit.score,
                excerpt: hit.excerpt,
                path: self
                    .stores
                    .apps()
                    .file(&file.path)
                    .map_or_else(|| file.path.clone(), |of| of.path),
                source: file.kind,
                line: hit.found.line,
                copies: hit.found.copies,
                duplicates_in,
                uuid: hit.uuid,
                before,
                after,
            });
        }
        Ok(())
    }
}

impl ReadHit {
    /// The text of its block in a line; also notes what else the line says.
    fn piece(&mut self, bytes: &[u8]) -> Option<String> {
        let line = Line { number: 1, offset: 0, bytes, end: LineEnd::EndOfInput };
        let entry = parse_line(line).next()?;
        let entry = if self.found.class.is_repeated { entry.agent_line()? } else { entry };
        let pieces = transcript::text::of_record(&entry.record);
        let text = pieces.get(self.found.number)?.text.clone().into_owned();
        let envelope = &entry.record.envelope;
        self.is_message = entry.record.kind.is_chain_member();
        self.uuid = envelope.uuid.as_ref().map(ToString::to_string);
        self.branch = envelope.git_branch.as_ref().map(ToString::to_string);
        if envelope.is_sidechain && (self.found.class.is_repeated || self.agent_id.is_none()) {
            self.agent_id = envelope.agent_id.as_ref().map(ToString::to_string);
        }
        Some(text)
    }
}

/// The state of a message in a transcript without branches.
pub(super) fn plain_state(file: &IndexedFile, offset: u64) -> MessageState {
    match file.compacted {
        Some(compacted) if offset < compacted => MessageState::Compacted,
        _ => MessageState::Live,
    }
}
