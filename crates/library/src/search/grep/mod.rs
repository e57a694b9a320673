//! Looking for a pattern in everything that was said, without an index.
//!
//! What is searched is the decoded text of each block, as `transcript` defines
//! it, and the text of outputs and plans in files of their own: everything that
//! `sources` lists. Transcripts are read in batches of whole lines; where the
//! pattern allows it, only lines that can hold a hit are decoded at all
//! (`prefilter`), and only sessions with such lines are listed (`possible`). Where
//! secrets are masked, the masked text is searched, so that nobody can ask for a
//! secret piece by piece.
//!
//! Hits are handed over session by session as they are found, and never all held.

mod escapes;
mod excerpt;
mod in_order;
mod known;
mod look;
mod numbered;
mod pattern;
mod possible;
mod prefilter;
mod tools;

pub use pattern::{Pattern, PatternError, PatternOptions};

use crate::catalog::filter::Filter;
use crate::catalog::session::Session;
use crate::catalog::sources::{Source, Sources};
use crate::catalog::tier::Tier;
use crate::open::scan::ReadError;
use crate::progress::Progress;
use crate::{Library, Search};
use in_order::{Arrangement, in_order};
use index::SourceKind;
use jiff::Timestamp;
use known::Known;
use look::{Hand, Look};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use store::LineReader;
use tools::Makers;
use transcript::Role;

/// What to look for, and how much of it to hand back.
#[derive(Clone, Debug)]
pub struct GrepOptions<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Only what was said in these roles; in all if there are none.
    pub roles: &'a [Role],
    /// Only what was said in its span of time, and of calls and answers only those
    /// of its tool; the rest of it chooses sessions, which is for the caller.
    pub filter: &'a Filter,
    /// How many lines before and after a matching one belong to a hit.
    pub context: usize,
    /// How many hits of each file are wanted with their texts; the others are
    /// only counted.
    pub most: usize,
}

/// A text that matches: a block of a transcript, an output, a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The sub-agent that it belongs to.
    pub agent_id: Option<String>,
    /// Who said it, or what it is.
    pub role: Role,
    /// The tool that is called, or that answers.
    pub tool: Option<String>,
    /// When it was written; of an output or a plan, when its file was.
    pub time: Option<Timestamp>,
    /// The file.
    pub path: PathBuf,
    /// The line in it, from 1; of an output or a plan, that of the first match.
    pub line: u64,
    /// The matching lines of its text, with those around them.
    pub text: String,
    /// Where in that text the matches are, in bytes.
    pub matches: Vec<(usize, usize)>,
    /// Whether there are more matches than these.
    pub is_cut: bool,
}

/// Some hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many there are.
    pub count: usize,
    /// Those of them that are wanted with their texts.
    pub hits: Vec<Hit>,
}

/// Whose hits they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitsOf<'a> {
    /// The session of this number.
    Session(usize),
    /// A plan that no session is known to have made.
    Plan(&'a Path),
}

/// What is wanted after some hits were handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitsWanted {
    /// More of them.
    Hits,
    /// Only how many more there are.
    Counts,
    /// Nothing more.
    Nothing,
}

/// Something to look into at one go.
struct Unit<'a> {
    of: HitsOf<'a>,
    work: Work<'a>,
}

enum Work<'a> {
    /// A transcript that stands for itself.
    Transcript(&'a Source),
    /// The copies of a session, of which only what is not in `main` counts.
    Copies { main: Option<&'a Path>, copies: &'a [Source] },
    /// The outputs of a session, which its transcripts name.
    Outputs { transcripts: &'a [Source], outputs: &'a [Source] },
    /// A plan that is known to match.
    Plan(&'a Source),
}

impl<'a> Work<'a> {
    fn sources(&self) -> &'a [Source] {
        match self {
            Work::Transcript(source) | Work::Plan(source) => std::slice::from_ref(source),
            Work::Copies { copies, .. } => copies,
            Work::Outputs { outputs, .. } => outputs,
        }
    }

    fn bytes(&self) -> u64 {
        self.sources().iter().map(|source| source.bytes).sum()
    }
}

/// How much of hits may be held that are not next in turn, in bytes.
const MOST_HELD: usize = 16 * 1024 * 1024;

impl Search<'_> {
    /// Looks into everything of sessions, and into the plans of none. Hits are
    /// handed to `each` in the order of the sessions, those of one session in one
    /// or more portions; `each` says what is wanted further. Files that are left out for
    /// lack of time, or because the call is cancelled, are counted by `progress`.
    pub fn grep(
        self,
        sessions: &[&Session],
        search: &GrepOptions<'_>,
        progress: &dyn Progress,
        mut each: impl FnMut(HitsOf<'_>, Hits) -> HitsWanted,
    ) -> Vec<ReadError> {
        let mut sources = self.library.catalog().sources(sessions, Tier::DiskAndArchive);
        let mut troubles = Vec::new();
        let owners = self.library.matching_plans(&mut sources, search, &mut troubles);
        let units = units(&sources, &owners, search);
        progress.start(units.iter().map(|unit| unit.work.bytes()).sum());
        let mut order: Vec<usize> = (0..units.len()).collect();
        if search.most == 0 {
            // Counts weigh nothing, so that no thread need be left with a large file
            // at the end.
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
                if progress.is_late() {
                    progress.leave_out();
                    return;
                }
                let hand = Hand::new(&has_enough, put);
                let failed = self.library.look_into(&unit.work, search, reader, hand);
                if let Ok(mut unread) = unread.lock() {
                    unread.extend(failed.into_iter().map(|trouble| (number, trouble)));
                }
                progress.advance(unit.work.bytes());
            },
            |number, hits| {
                let wanted = each(units[number].of, hits);
                has_enough.fetch_or(wanted != HitsWanted::Hits, Ordering::Relaxed);
                wanted != HitsWanted::Nothing
            },
        );
        progress.finish();
        let mut unread = unread.into_inner().unwrap_or_default();
        unread.sort_by_key(|(number, _)| *number);
        troubles.extend(unread.into_iter().map(|(_, trouble)| trouble));
        troubles
    }
}

impl Library {
    fn look_into(
        &self,
        work: &Work<'_>,
        search: &GrepOptions<'_>,
        reader: &mut LineReader,
        mut hand: Hand<'_>,
    ) -> Vec<ReadError> {
        let mut troubles = Vec::new();
        let mut known = match work {
            Work::Copies { main, .. } => Some(Known::new(*main)),
            _ => None,
        };
        let mut makers = match work {
            Work::Outputs { transcripts, .. } => Some(Makers::new(transcripts)),
            _ => None,
        };
        for source in work.sources() {
            let mut look = Look::new(self, search, source, &mut hand);
            let read = match source.kind {
                SourceKind::Main | SourceKind::Agent | SourceKind::Copy | SourceKind::Foreign => {
                    look.read_transcript(reader, known.as_mut())
                }
                SourceKind::Output | SourceKind::Plan => look.read_text(makers.as_mut()),
            };
            if let Err(error) = read {
                troubles.push(ReadError::new(&source.path, &error));
            }
        }
        hand.finish();
        troubles
    }

    /// Keeps the plans that match, and says whose they are. They are small and
    /// few; whose they are is looked for only if there is one.
    fn matching_plans(
        &self,
        sources: &mut Sources,
        search: &GrepOptions<'_>,
        troubles: &mut Vec<ReadError>,
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
            let hand = Hand::new(&counts_only, &mut put);
            let work = Work::Plan(plan);
            troubles.extend(self.look_into(&work, search, &mut LineReader::default(), hand));
            count > 0
        });
        let (owners, unread) = self.catalog().plan_owners(&sources.plans, &sources.sessions);
        drop(unread); // The transcripts are read again, and what cannot be read is said then.
        // A plan of nobody may be that of somebody who is not to be seen.
        let may_be_nobodys = !search.filter.chooses_sessions() && self.options.exclude.is_empty();
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

/// What there is to look into, session by session, and then the plans of none.
fn units<'a>(
    sources: &'a Sources,
    owners: &[Option<usize>],
    search: &GrepOptions<'_>,
) -> Vec<Unit<'a>> {
    let mut units = Vec::new();
    for (number, of_session) in sources.sessions.iter().enumerate() {
        let mut add = |work| units.push(Unit { of: HitsOf::Session(number), work });
        // They are in the order of their kinds.
        let copies_from = of_session.partition_point(|source| source.kind < SourceKind::Copy);
        let outputs_from = of_session.partition_point(|source| source.kind < SourceKind::Output);
        let (transcripts, copies) =
            (&of_session[..copies_from], &of_session[copies_from..outputs_from]);
        let outputs = &of_session[outputs_from..];
        if search.wants_transcripts() {
            for source in transcripts {
                add(Work::Transcript(source));
            }
            if !copies.is_empty() {
                let main = transcripts.iter().find(|source| source.kind == SourceKind::Main);
                let main = main.map(|source| source.path.as_path());
                add(Work::Copies { main, copies });
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
        nobodys.map(|(plan, _)| Unit { of: HitsOf::Plan(&plan.path), work: Work::Plan(plan) }),
    );
    units
}
