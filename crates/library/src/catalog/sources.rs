//! Everything of sessions that holds text: the one list of it.
//!
//! Transcripts, those of sub-agents, other files with the same id, outputs of
//! tools that were too large for a line, and plans. Whoever looks into all texts
//! reads these and no others. What a source holds is not read here; only whose a
//! plan is must be looked for in transcripts, and that is done when somebody asks.

use crate::Library;
use crate::catalog::content_filter::FlatAgents;
use crate::catalog::session::Session;
use crate::catalog::tier::Tier;
use crate::open::scan::{Trouble, scan};
use crate::progress::NoProgress;
use index::SourceKind;
use jiff::Timestamp;
use regex::bytes::{Regex, RegexBuilder};
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use store::plan_files;
use transcript::{Line, parse_line};

/// A file that holds text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it is, or was.
    pub path: PathBuf,
    /// What it is.
    pub kind: SourceKind,
    /// The session it belongs to; of a plan nobody knows yet.
    pub session_id: Option<String>,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// When it was last modified.
    pub modified: Timestamp,
}

/// The sources of sessions.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Those of each session, in the order of their kinds.
    pub sessions: Vec<Vec<Source>>,
    /// The plans, of these sessions, of others and of none.
    pub plans: Vec<Source>,
}

impl Library {
    /// Everything of sessions that holds text, within reach, and all plans.
    pub fn sources(&self, sessions: &[&Session], tier: Tier) -> Sources {
        let mut flat = FlatAgents::new();
        let of_session = |session: &&Session| self.sources_of(session, &mut flat, tier);
        Sources {
            sessions: sessions.iter().map(of_session).collect(),
            plans: self.plan_sources(tier),
        }
    }

    fn sources_of(&self, session: &Session, flat: &mut FlatAgents, tier: Tier) -> Vec<Source> {
        let source = |path, kind, bytes, modified| Source {
            path,
            kind,
            session_id: Some(session.id.clone()),
            agent_id: None,
            bytes,
            modified,
        };
        let facts = &session.metadata;
        let mut sources = Vec::new();
        sources.extend(
            session
                .path
                .clone()
                .map(|path| source(path, SourceKind::Main, facts.bytes, facts.modified)),
        );
        sources.extend(self.agent_files_of(session, flat, tier).into_iter().map(|agent| Source {
            agent_id: Some(agent.id),
            ..source(agent.path, SourceKind::Agent, agent.bytes, agent.modified)
        }));
        let files = self.files_of(session, tier);
        sources.extend(session.copies.iter().filter_map(|path| {
            let (stat, _) = files.find(path)?;
            Some(source(path.clone(), SourceKind::Copy, stat.bytes, stat.modified))
        }));
        let outputs = session.session_folder.iter().flat_map(|own| own.tool_result_files(files));
        let outputs = outputs.filter(|(path, _)| !self.is_excluded(path, None));
        sources.extend(
            outputs.map(|(path, stat)| source(path, SourceKind::Output, stat.bytes, stat.modified)),
        );
        sources
    }

    pub(crate) fn plan_sources(&self, tier: Tier) -> Vec<Source> {
        let mut seen = HashSet::new();
        let mut plans = Vec::new();
        for (root, files) in self.places(tier) {
            let Some(config) = root.config() else { continue };
            for file in plan_files(&files, config) {
                if self.is_excluded(&file.path, None) || !seen.insert(file.path.clone()) {
                    continue;
                }
                plans.push(Source {
                    path: file.path,
                    kind: SourceKind::Plan,
                    session_id: None,
                    agent_id: file.agent_id,
                    bytes: file.bytes,
                    modified: file.modified,
                });
            }
        }
        plans
    }

    /// Which session each plan belongs to: the first whose lines have its slug.
    /// Transcripts are read for that, whole if need be.
    pub fn plan_owners(
        &self,
        plans: &[Source],
        sessions: &[Vec<Source>],
    ) -> (Vec<Option<usize>>, Vec<Trouble>) {
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
        let (named, troubles) = scan(
            &self.all,
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
                // An agent has only its own plan.
                let may_own = source.kind != SourceKind::Agent || source.agent_id == plan.agent_id;
                may_own && named.contains(plan.slug())
            });
            found.map(|((number, _), _)| *number)
        });
        (owners.collect(), troubles)
    }
}

impl Source {
    /// The slug that a plan's name begins with.
    fn slug(&self) -> &str {
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.split_once("-agent-").map_or(stem, |(slug, _)| slug)
    }
}

/// Finds any of these slugs at the end of a string.
fn any_of(slugs: &BTreeSet<&str>) -> Option<Regex> {
    let choices: Vec<String> = slugs.iter().map(|slug| regex::escape(slug)).collect();
    let source = format!("(?:{})\"", choices.join("|"));
    // Years of plans are more than what is meant for patterns of people.
    let build = || RegexBuilder::new(&source).size_limit(usize::MAX).build().ok();
    if choices.is_empty() { None } else { build() }
}

/// Notes the slug of a line, if it is one of these. Only lines that `wanted` finds
/// a new one in are read: a session's own slug is on most of its lines.
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
