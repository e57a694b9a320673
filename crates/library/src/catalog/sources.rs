//! Everything that holds text, session by session.
//!
//! [`text_files`](crate::stores::text_files) decides which files there are;
//! the list of sessions decides which transcript is the session itself and
//! which are copies. The files are not read here, except that finding the owner
//! of a plan means searching transcripts, which happens only on request.

use crate::catalog::Catalog;
use crate::lines::scan::{ReadError, read_lines, scan};
use crate::progress::NoProgress;
use crate::session::Session;
use crate::stores::Tier;
use crate::stores::text_files::{TextFile, TextReader};
use index::SourceKind;
use jiff::Timestamp;
use regex::bytes::{Regex, RegexBuilder};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use transcript::{Line, parse_line};

/// A file that holds text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it is, or was.
    pub path: PathBuf,
    /// What it is.
    pub kind: SourceKind,
    /// The session it belongs to; not known yet for a plan.
    pub session_id: Option<String>,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// When it was last modified.
    pub modified: Timestamp,
}

/// The text files of sessions.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Those of each session, ordered by kind.
    pub sessions: Vec<Vec<Source>>,
    /// All plans, whether or not they belong to these sessions.
    pub plans: Vec<Source>,
}

impl Catalog {
    /// All text files of sessions in a tier, and all plans.
    pub fn sources(&self, sessions: &[&Session], tier: Tier) -> Sources {
        let mut sources = Sources {
            sessions: sessions.iter().map(|session| self.own_sources(session, tier)).collect(),
            plans: self.plan_sources(tier),
        };
        if sessions.is_empty() {
            return sources;
        }
        let numbers: HashMap<&str, usize> =
            sessions.iter().map(|session| session.id.as_str()).zip(0..).collect();
        let is_wanted = |id: &str| numbers.contains_key(id);
        let walk = self.stores.text_files(TextReader::Grep).in_tier(tier).of_sessions(&is_wanted);
        let (found, _) = walk.gather(|file| {
            let kind = file.kind.source_kind();
            match kind {
                SourceKind::Agent | SourceKind::Output => {}
                // The list of sessions decides which transcript is the session's main one, and
                // `plan_sources` lists the plans, whose paths name no session.
                SourceKind::Main | SourceKind::Copy | SourceKind::Foreign | SourceKind::Plan => {
                    return None;
                }
            }
            let number = *numbers.get(file.session.as_deref()?)?;
            let (stat, _) = self.stores.tier_files(tier).find(&file.path)?;
            let TextFile { path, session, agent, .. } = file;
            let source = Source {
                path,
                kind,
                session_id: session,
                agent_id: agent,
                bytes: stat.bytes,
                modified: stat.modified,
            };
            Some((number, source))
        });
        let mut met = HashSet::new();
        for (number, source) in found {
            // Roots may overlap.
            if met.insert((number, source.path.clone())) {
                sources.sessions[number].push(source);
            }
        }
        for (session, sources) in sessions.iter().zip(&mut sources.sessions) {
            sources.sort_by_key(|source| (source.kind, distance(session, source)));
        }
        sources
    }

    /// Reads the lines of a text file, on disk or in the archive, until `each` returns
    /// false. Nothing in them is masked.
    pub fn each_line(
        &self,
        source: &Source,
        each: impl FnMut(Line<'_>) -> bool,
    ) -> Result<(), ReadError> {
        read_lines(self.stores.tier_files(Tier::DiskAndArchive), &source.path, each)
    }

    /// The session that each plan belongs to: the first whose lines contain its
    /// slug. This reads transcripts, completely if necessary.
    pub fn plan_owners(
        &self,
        plans: &[Source],
        sessions: &[Vec<Source>],
    ) -> (Vec<Option<usize>>, Vec<ReadError>) {
        let slugs = plans.iter().map(Source::slug).filter(|slug| !slug.is_empty());
        let slugs: BTreeSet<&str> = slugs.collect();
        let Some(wanted) = any_of(&slugs) else {
            return (vec![None; plans.len()], Vec::new());
        };
        let transcripts: Vec<(usize, &Source)> = sessions
            .iter()
            .enumerate()
            .flat_map(|(number, sources)| sources.iter().map(move |source| (number, source)))
            .filter(|(_, source)| !matches!(source.kind, SourceKind::Output | SourceKind::Plan))
            .collect();
        let paths: Vec<PathBuf> =
            transcripts.iter().map(|(_, source)| source.path.clone()).collect();
        let (named, read_errors) = scan(
            &self.stores.all,
            &paths,
            &NoProgress,
            |_| HashSet::new(),
            |named: &mut HashSet<String>, line| {
                note_slug(line, &slugs, &wanted, named);
                named.len() < slugs.len()
            },
        );
        let owners = plans.iter().map(|plan| {
            let found = transcripts.iter().zip(&named).find(|((_, source), named)| {
                // An agent's slug matches only the agent's plan.
                let may_own = source.kind != SourceKind::Agent || source.agent_id == plan.agent_id;
                may_own && named.contains(plan.slug())
            });
            found.map(|((number, _), _)| *number)
        });
        (owners.collect(), read_errors)
    }
}

impl Catalog {
    /// The transcripts of a session: its main one and its copies.
    fn own_sources(&self, session: &Session, tier: Tier) -> Vec<Source> {
        let source = |path, kind, bytes, modified| Source {
            path,
            kind,
            session_id: Some(session.id.clone()),
            agent_id: None,
            bytes,
            modified,
        };
        let metadata = &session.metadata;
        let own = session.path.clone().into_iter();
        let own = own.map(|path| source(path, SourceKind::Main, metadata.bytes, metadata.modified));
        let files = self.stores.files_of(session, tier);
        let copies = session.copies.iter().filter_map(|path| {
            let (stat, _) = files.find(path)?;
            Some(source(path.clone(), SourceKind::Copy, stat.bytes, stat.modified))
        });
        own.chain(copies).collect()
    }

    /// The plan files of a tier.
    pub(crate) fn plan_sources(&self, tier: Tier) -> Vec<Source> {
        let plans = self.stores.plan_files(tier).into_iter();
        let plans = plans.map(|(plan, stat)| Source {
            path: plan.path,
            kind: SourceKind::Plan,
            session_id: None,
            agent_id: plan.agent,
            bytes: stat.bytes,
            modified: stat.modified,
        });
        plans.collect()
    }
}

/// How near a file is to its session: in its folder, beside its transcript, or
/// elsewhere. The nearest is read first.
fn distance(session: &Session, source: &Source) -> usize {
    let own = session.session_folder.as_ref();
    if own.is_some_and(|own| source.path.starts_with(own.path())) {
        return 0;
    }
    let folder = session.path.as_deref().and_then(Path::parent);
    if folder.is_some() && source.path.parent() == folder { 1 } else { 2 }
}

impl Source {
    /// The slug at the beginning of a plan's name.
    fn slug(&self) -> &str {
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.split_once("-agent-").map_or(stem, |(slug, _)| slug)
    }
}

/// Finds any of these slugs at the end of a string.
fn any_of(slugs: &BTreeSet<&str>) -> Option<Regex> {
    let choices: Vec<String> = slugs.iter().map(|slug| regex::escape(slug)).collect();
    let source = format!("(?:{})\"", choices.join("|"));
    // Years of plans exceed the default size limit.
    let build = || RegexBuilder::new(&source).size_limit(usize::MAX).build().ok();
    if choices.is_empty() { None } else { build() }
}

/// Records the slug of a line, if it is one of these. Only lines in which
/// `wanted` finds a new one are parsed: a session's slug is on most of its
/// lines.
fn note_slug(line: Line<'_>, slugs: &BTreeSet<&str>, wanted: &Regex, named: &mut HashSet<String>) {
    let is_new = wanted.find_iter(line.bytes).any(|found| {
        let slug = found.as_bytes().strip_suffix(b"\"").unwrap_or_default();
        str::from_utf8(slug).is_ok_and(|slug| !named.contains(slug))
    });
    if !is_new {
        return;
    }
    for entry in parse_line(line) {
        let slug = entry.record.envelope.slug.as_deref().unwrap_or_default();
        let slug = slug.rsplit(['/', '\\']).next().unwrap_or_default();
        if slugs.contains(slug) {
            named.insert(slug.to_owned());
        }
    }
}
