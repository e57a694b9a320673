//! Searching for a pattern in all text, without an index.
//!
//! The searched text is the decoded text of each block, as `transcript` defines
//! it, and the text of outputs and plans in separate files: everything that
//! `sources` lists. Transcripts are read in batches of whole lines; if the
//! pattern allows it, only lines that can hold a hit are decoded (`prefilter`),
//! and only sessions with such lines are listed (`possible`). If secrets are
//! masked, the masked text is searched, so that no one can guess a secret piece
//! by piece.
//!
//! Hits are delivered session by session as they are found, and never all held
//! in memory.

pub(crate) mod excerpt;
pub(crate) mod file_search;
pub(crate) mod in_order;
pub(crate) mod known;
pub(crate) mod numbered;
pub(crate) mod possible;
pub(crate) mod tools;

pub(crate) use excerpt::ContextLines;

use crate::catalog::filter::Filter;
use crate::catalog::sources::{Source, Sources};
use crate::lines::ReadError;
use crate::pattern::Pattern;
use crate::progress::{NoProgress, Progress, is_stopped};
use crate::search::Search;
use crate::search::grep::file_search::{FileSearch, HitSender};
use crate::search::grep::in_order::{Arrangement, in_order};
use crate::search::grep::known::KnownLines;
use crate::search::grep::tools::OutputOwners;
use crate::session::Session;
use crate::stores::Tier;
use index::SourceKind;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use store::LineReader;
use transcript::Role;

/// What to search for, and how much of it to return.
#[derive(Clone, Debug)]
pub struct GrepOptions<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Only text with these roles; all roles if empty.
    pub roles: &'a [Role],
    /// Its time span and tool apply to each text (the tool to calls and
    /// results); the rest selects sessions, which is up to the caller.
    pub filter: &'a Filter,
    /// How much to include around a match.
    pub around: ContextLines,
    /// How many hits of each file to return with their texts; the others are
    /// only counted.
    pub most: usize,
}

/// A matching text: a block of a transcript, an output, a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The sub-agent that it belongs to.
    pub agent_id: Option<String>,
    /// Its role.
    pub role: Role,
    /// The tool that is called, or that gave the result.
    pub tool: Option<String>,
    /// When it was written; for an output or a plan, when its file was.
    pub time: Option<Timestamp>,
    /// The file.
    pub path: PathBuf,
    /// What the file is.
    pub source: SourceKind,
    /// The line in it, from 1; for an output or a plan, that of the first
    /// match.
    pub line: u64,
    /// The matching lines of its text, with the lines around them.
    pub text: String,
    /// Where in that text the matches are, in bytes.
    pub matches: Vec<(usize, usize)>,
    /// Whether there are more matches than these.
    pub is_cut: bool,
}

/// A portion of hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many there are.
    pub count: usize,
    /// Those that are returned with their texts.
    pub hits: Vec<Hit>,
}

/// Who the hits belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitOwner<'a> {
    /// The session with this index.
    Session(usize),
    /// A plan without a known session.
    Plan(&'a Path),
}

/// What the caller wants after a portion of hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrepDemand {
    /// More hits.
    Hits,
    /// Only the number of further hits.
    Counts,
    /// Nothing more.
    Nothing,
}

/// A unit of work.
struct Unit<'a> {
    of: HitOwner<'a>,
    work: Work<'a>,
}

enum Work<'a> {
    /// A main or agent transcript, among those of its session.
    Transcript { source: &'a Source, transcripts: &'a [Source] },
    /// The copies of a session, of which only lines that are not in `main`
    /// count.
    Copies { main: Option<&'a Path>, transcripts: &'a [Source], copies: &'a [Source] },
    /// The outputs of a session, which its transcripts name.
    Outputs { transcripts: &'a [Source], outputs: &'a [Source] },
    /// A plan that is known to match.
    Plan(&'a Source),
}

impl<'a> Work<'a> {
    fn sources(&self) -> &'a [Source] {
        match self {
            Work::Transcript { source, .. } | Work::Plan(source) => std::slice::from_ref(source),
            Work::Copies { copies, .. } => copies,
            Work::Outputs { outputs, .. } => outputs,
        }
    }

    /// The transcripts of its session.
    fn transcripts(&self) -> &'a [Source] {
        match self {
            Work::Transcript { transcripts, .. }
            | Work::Copies { transcripts, .. }
            | Work::Outputs { transcripts, .. } => transcripts,
            Work::Plan(_) => &[],
        }
    }

    fn bytes(&self) -> u64 {
        self.sources().iter().map(|source| source.bytes).sum()
    }
}

/// How many bytes of hits may be buffered out of order.
const MOST_HELD: usize = 16 * 1024 * 1024;

impl Search {
    /// Searches all text files of sessions, and plans without a session. Hits
    /// are passed to `each` in the order of the sessions, those of one session
    /// in one or more portions; `each` returns what it wants next. Files left
    /// out because of the deadline or cancellation are counted by `progress`.
    pub fn grep(
        &self,
        sessions: &[&Session],
        search: &GrepOptions<'_>,
        progress: &dyn Progress,
        mut each: impl FnMut(HitOwner<'_>, Hits) -> GrepDemand,
    ) -> Vec<ReadError> {
        let mut sources = self.catalog.sources(sessions, Tier::DiskAndArchive);
        let mut read_errors = Vec::new();
        let owners = self.matching_plans(&mut sources, search, &mut read_errors);
        let units = units(&sources, &owners, search);
        progress.start(units.iter().map(|unit| unit.work.bytes()).sum());
        let mut order: Vec<usize> = (0..units.len()).collect();
        if search.most == 0 {
            // Counts have size 0, so the largest files can go first and no
            // thread is left with one at the end.
            order.sort_by_key(|number| std::cmp::Reverse(units[*number].work.bytes()));
        }
        let threads = rayon::current_num_threads();
        let arrangement = Arrangement { order, threads, most: MOST_HELD };
        let has_enough = AtomicBool::new(search.most == 0);
        let unread = Mutex::new(Vec::new());
        in_order(
            &arrangement,
            LineReader::default,
            |reader, number, put| {
                let unit = &units[number];
                let hand = HitSender::new(&has_enough, put);
                let failed = self.look_into(&unit.work, search, reader, progress, hand);
                if let Ok(mut unread) = unread.lock() {
                    unread.extend(failed.into_iter().map(|read_error| (number, read_error)));
                }
                progress.advance(unit.work.bytes());
            },
            |number, hits| {
                let wanted = each(units[number].of, hits);
                has_enough.fetch_or(wanted != GrepDemand::Hits, Ordering::Relaxed);
                wanted != GrepDemand::Nothing
            },
        );
        progress.finish();
        let mut unread = unread.into_inner().unwrap_or_default();
        unread.sort_by_key(|(number, _)| *number);
        read_errors.extend(unread.into_iter().map(|(_, read_error)| read_error));
        read_errors
    }
}

impl Search {
    fn look_into(
        &self,
        work: &Work<'_>,
        search: &GrepOptions<'_>,
        reader: &mut LineReader,
        progress: &dyn Progress,
        mut hand: HitSender<'_>,
    ) -> Vec<ReadError> {
        let mut read_errors = Vec::new();
        let mut known = match work {
            Work::Copies { main, .. } => Some(KnownLines::new(*main)),
            _ => None,
        };
        let mut owners = match work {
            Work::Outputs { transcripts, .. } => Some(OutputOwners::new(transcripts)),
            _ => None,
        };
        for source in work.sources() {
            if progress.is_late() {
                progress.leave_out();
                continue;
            }
            let transcripts = work.transcripts();
            let mut look = FileSearch::new(self, search, source, transcripts, &mut hand, progress);
            let read = match source.kind {
                SourceKind::Main | SourceKind::Agent | SourceKind::Copy | SourceKind::Foreign => {
                    look.read_transcript(reader, known.as_mut())
                }
                SourceKind::Output | SourceKind::Plan => look.read_text(owners.as_mut()),
            };
            match read {
                Err(error) if is_stopped(&error) => progress.leave_out(),
                Err(error) => read_errors.push(ReadError::new(&source.path, &error)),
                Ok(()) => {}
            }
        }
        hand.finish();
        read_errors
    }

    /// Keeps the plans that match, and finds their sessions. Plans are small
    /// and few; their sessions are searched for only if one matches.
    fn matching_plans(
        &self,
        sources: &mut Sources,
        search: &GrepOptions<'_>,
        read_errors: &mut Vec<ReadError>,
    ) -> Vec<Option<usize>> {
        let counts_only = AtomicBool::new(true);
        sources.plans.retain(|plan| {
            if !search.wants(Role::Plan) {
                return false;
            }
            let mut count = 0;
            let mut put = |hits: Hits, _| {
                count += hits.count;
                true
            };
            let hand = HitSender::new(&counts_only, &mut put);
            let work = Work::Plan(plan);
            let reader = &mut LineReader::default();
            read_errors.extend(self.look_into(&work, search, reader, &NoProgress, hand));
            count > 0
        });
        let (owners, unread) = self.catalog.plan_owners(&sources.plans, &sources.sessions);
        drop(unread); // Read errors are reported when the transcripts are searched.
        // A plan without a known session may belong to an excluded one.
        let may_be_nobodys =
            !search.filter.selects_sessions() && self.stores.options.exclude.is_empty();
        let mut known = owners.iter().map(|owner| owner.is_some() || may_be_nobodys);
        sources.plans.retain(|_| known.next().unwrap_or_default());
        owners.into_iter().filter(|owner| owner.is_some() || may_be_nobodys).collect()
    }
}

impl GrepOptions<'_> {
    /// Whether a role is wanted.
    fn wants(&self, role: Role) -> bool {
        self.roles.is_empty() || self.roles.contains(&role)
    }

    /// Whether anything that transcripts hold is wanted.
    fn wants_transcripts(&self) -> bool {
        self.roles.is_empty() || self.roles.iter().any(|role| *role != Role::Plan)
    }
}

/// The units of work, session by session, and then the plans without a session.
fn units<'a>(
    sources: &'a Sources,
    owners: &[Option<usize>],
    search: &GrepOptions<'_>,
) -> Vec<Unit<'a>> {
    let mut units = Vec::new();
    for (number, of_session) in sources.sessions.iter().enumerate() {
        let mut add = |work| units.push(Unit { of: HitOwner::Session(number), work });
        // They are ordered by kind.
        let copies_from = of_session.partition_point(|source| source.kind < SourceKind::Copy);
        let outputs_from = of_session.partition_point(|source| source.kind < SourceKind::Output);
        let (transcripts, copies) =
            (&of_session[..copies_from], &of_session[copies_from..outputs_from]);
        let outputs = &of_session[outputs_from..];
        if search.wants_transcripts() {
            for source in transcripts {
                add(Work::Transcript { source, transcripts });
            }
            if !copies.is_empty() {
                let main = transcripts.iter().find(|source| source.kind == SourceKind::Main);
                let main = main.map(|source| source.path.as_path());
                add(Work::Copies { main, transcripts, copies });
            }
        }
        if !outputs.is_empty() && search.wants(Role::ToolResult) {
            add(Work::Outputs { transcripts, outputs });
        }
        let own = sources.plans.iter().zip(owners).filter(|(_, owner)| **owner == Some(number));
        own.for_each(|(plan, _)| add(Work::Plan(plan)));
    }
    let nobodys = sources.plans.iter().zip(owners).filter(|(_, owner)| owner.is_none());
    units.extend(
        nobodys.map(|(plan, _)| Unit { of: HitOwner::Plan(&plan.path), work: Work::Plan(plan) }),
    );
    units
}
