//! `annals doctor`: what is wrong, what is new, and what will be lost.

use crate::context::Context;
use crate::output::Format;
use jiff::Timestamp;
use library::Diagnosis;
use render::json::serialize_moment;
use render::{Column, Style, Table};
use serde::Serialize;

/// Examine every store
///
/// Roots and how they were found, copies, folders that several paths share,
/// damage with file and offset, what this version does not know, stale caches of
/// Claude Code, and what its cleanup will delete and when. Reads every
/// transcript and changes nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show all of each list, not only the beginning
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("doctor")?;
    let diagnosis = context.library.diagnose(context.now, &context.progress("examining"));
    match context.output.format {
        Format::Json => context.output.json(&Document::new(context, &diagnosis)),
        _ => context.output.text(&Report { context, diagnosis: &diagnosis, all: args.all }.text()),
    }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    roots: Vec<RootDocument>,
    counts: Counts,
    retention: RetentionDocument,
    problems: Vec<ProblemDocument>,
    drift: Vec<DriftDocument>,
    copies: Vec<CopiesDocument>,
    collisions: Vec<CollisionDocument>,
    strays: Vec<StrayDocument>,
    caches: Vec<CacheDocument>,
}

#[derive(Serialize)]
struct RootDocument {
    path: String,
    kind: Option<&'static str>,
    found_by: Option<&'static str>,
    sessions: usize,
    error: Option<String>,
}

#[derive(Serialize)]
struct Counts {
    sessions: usize,
    hidden: usize,
    agents: usize,
    files: usize,
    lines: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct RetentionDocument {
    days: Option<u64>,
    source: Option<&'static str>,
    settings: Option<String>,
    problem: Option<String>,
    others: Vec<OtherRetention>,
    advice: &'static str,
    expiring: Vec<ExpiringDocument>,
}

/// The retention of a store beside the first.
#[derive(Serialize)]
struct OtherRetention {
    days: u64,
    source: &'static str,
    settings: String,
    problem: Option<String>,
}

#[derive(Serialize)]
struct ExpiringDocument {
    id: String,
    title: Option<String>,
    path: Option<String>,
    #[serde(serialize_with = "serialize_moment")]
    modified_at: Timestamp,
    #[serde(serialize_with = "serialize_moment")]
    deleted_at: Timestamp,
    settings: String,
}

#[derive(Serialize)]
struct ProblemDocument {
    path: String,
    line: Option<u64>,
    offset: Option<u64>,
    reason: String,
}

#[derive(Serialize)]
struct DriftDocument {
    kind: &'static str,
    name: String,
    count: u64,
    first_version: Option<String>,
    example: String,
}

#[derive(Serialize)]
struct CopiesDocument {
    id: String,
    path: Option<String>,
    copies: Vec<String>,
}

#[derive(Serialize)]
struct CollisionDocument {
    folder: String,
    cwds: Vec<String>,
}

#[derive(Serialize)]
struct StrayDocument {
    path: String,
    reason: &'static str,
}

#[derive(Serialize)]
struct CacheDocument {
    path: String,
    disagrees: String,
}

/// The one setting that decides what is kept.
const ADVICE: &str = "\"cleanupPeriodDays\": 3650";

fn shown(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Document {
    fn new(context: &Context, diagnosis: &Diagnosis) -> Self {
        let list = &diagnosis.list;
        let usable = context.library.roots().iter().map(|root| RootDocument {
            path: shown(&root.path),
            kind: Some(root.kind.name()),
            found_by: Some(root.origin.name()),
            sessions: list.listed().filter(|session| session.root == root.path).count(),
            error: None,
        });
        let unusable = context.library.unusable().iter().map(|error| RootDocument {
            path: shown(&error.path),
            kind: None,
            found_by: None,
            sessions: 0,
            error: Some(error.reason.clone()),
        });
        let retention = diagnosis.retention.first();
        let damage = diagnosis.damage.iter().map(|damage| ProblemDocument {
            path: shown(&damage.path),
            line: Some(damage.line),
            offset: Some(damage.offset),
            reason: damage.reason.to_string(),
        });
        let troubles =
            diagnosis.troubles.iter().chain(&list.troubles).map(|trouble| ProblemDocument {
                path: shown(&trouble.path),
                line: None,
                offset: None,
                reason: trouble.reason.clone(),
            });
        Document {
            schema: "annals/doctor/1",
            roots: usable.chain(unusable).collect(),
            counts: Counts {
                sessions: list.listed().count(),
                hidden: list.sessions.len() - list.listed().count(),
                agents: diagnosis.agents,
                files: diagnosis.files,
                lines: diagnosis.lines,
                bytes: diagnosis.bytes,
            },
            retention: RetentionDocument {
                days: retention.map(|retention| retention.days),
                source: retention.map(|retention| retention.source.name()),
                settings: retention.map(|retention| shown(&retention.settings)),
                problem: retention.and_then(|retention| retention.problem.clone()),
                others: diagnosis
                    .retention
                    .iter()
                    .skip(1)
                    .map(|other| OtherRetention {
                        days: other.days,
                        source: other.source.name(),
                        settings: shown(&other.settings),
                        problem: other.problem.clone(),
                    })
                    .collect(),
                advice: ADVICE,
                expiring: diagnosis
                    .expiring
                    .iter()
                    .map(|expiring| ExpiringDocument {
                        id: expiring.session.id.clone(),
                        title: expiring.session.heading().map(str::to_owned),
                        path: expiring.session.path.as_deref().map(shown),
                        modified_at: expiring.session.facts.modified,
                        deleted_at: expiring.deleted_at,
                        settings: shown(&expiring.settings),
                    })
                    .collect(),
            },
            problems: damage.chain(troubles).collect(),
            drift: diagnosis
                .drift
                .findings()
                .map(|(kind, name, finding)| DriftDocument {
                    kind: kind.name(),
                    name: name.to_owned(),
                    count: finding.count,
                    first_version: finding.first_version.clone(),
                    example: finding.example.clone(),
                })
                .collect(),
            copies: list
                .sessions
                .iter()
                .filter(|session| !session.copies.is_empty())
                .map(|session| CopiesDocument {
                    id: session.id.clone(),
                    path: session.path.as_deref().map(shown),
                    copies: session.copies.iter().map(|path| shown(path)).collect(),
                })
                .collect(),
            collisions: diagnosis
                .collisions
                .iter()
                .map(|collision| CollisionDocument {
                    folder: shown(&collision.folder),
                    cwds: collision.cwds.clone(),
                })
                .collect(),
            strays: list
                .strays
                .iter()
                .map(|stray| StrayDocument { path: shown(&stray.path), reason: stray.reason })
                .collect(),
            caches: caches(diagnosis),
        }
    }
}

/// How the app's caches disagree with what is there.
fn caches(diagnosis: &Diagnosis) -> Vec<CacheDocument> {
    let indexes = diagnosis.indexes.iter().map(|index| CacheDocument {
        path: shown(&index.path),
        disagrees: format!(
            "{} of its sessions are gone, {} are missing from it, {} changed since",
            index.gone, index.missing, index.outdated
        ),
    });
    let stats = diagnosis.stats.iter().map(|stats| {
        let counted =
            stats.claims.total_sessions.map_or_else(|| "?".to_owned(), |count| count.to_string());
        let date = stats.claims.last_computed_date.as_deref().unwrap_or("an unknown day");
        CacheDocument {
            path: shown(&stats.config.join("stats-cache.json")),
            disagrees: format!(
                "it counted {counted} sessions up to {date}; there are {}",
                stats.sessions
            ),
        }
    });
    indexes.chain(stats).collect()
}

/// The report for people.
struct Report<'a> {
    context: &'a Context,
    diagnosis: &'a Diagnosis,
    all: bool,
}

/// How much of a list is shown unasked.
const SOME: usize = 10;

impl Report<'_> {
    fn text(&self) -> String {
        let diagnosis = self.diagnosis;
        let document = Document::new(self.context, diagnosis);
        let mut text = self.heading("Stores");
        for root in &document.roots {
            let line = match (&root.error, root.kind, root.found_by) {
                (Some(error), _, _) => self.paint(Style::Bad, &format!("{}: {error}", root.path)),
                (None, kind, found_by) => format!(
                    "{} ({}, by {}): {} sessions",
                    safe(&root.path),
                    kind.unwrap_or_default(),
                    found_by.unwrap_or_default(),
                    root.sessions
                ),
            };
            text += &format!("  {line}\n");
        }
        let counts = &document.counts;
        text += &format!(
            "  {} sessions, {} hidden, {} sub-agents; {} lines in {} files, {}\n",
            counts.sessions,
            counts.hidden,
            counts.agents,
            counts.lines,
            counts.files,
            render::bytes(counts.bytes)
        );
        text += &self.retention(&document.retention);
        text += &self.list("Damage", &document.problems, "none", |problem| {
            let place =
                problem.offset.map(|offset| format!(" at byte {offset}")).unwrap_or_default();
            let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{}{line}{place}: {}", self.context.short_path(&problem.path), problem.reason)
        });
        text += &self.list("Unknown to this version", &document.drift, "nothing", |drift| {
            let version = drift
                .first_version
                .as_ref()
                .map(|version| format!(", from {version}"))
                .unwrap_or_default();
            format!("{} {} ×{}{version}: {}", drift.kind, drift.name, drift.count, drift.example)
        });
        text += &self.list("Copies", &document.copies, "", |copies| {
            format!("{}: {}", copies.id, copies.copies.join(", "))
        });
        text +=
            &self.list("Folders that several paths share", &document.collisions, "", |collision| {
                format!(
                    "{}: {}",
                    self.context.short_path(&collision.folder),
                    collision.cwds.join(", ")
                )
            });
        text += &self.list("Not sessions", &document.strays, "", |stray| {
            format!("{}: {}", self.context.short_path(&stray.path), stray.reason)
        });
        text += &self.list(
            "Caches of Claude Code (never trusted here)",
            &document.caches,
            "",
            |cache| format!("{}: {}", self.context.short_path(&cache.path), cache.disagrees),
        );
        text
    }

    fn retention(&self, retention: &RetentionDocument) -> String {
        let Some(days) = retention.days else { return String::new() };
        let mut text = self.heading("Cleanup");
        let source = retention.source.unwrap_or_default();
        text += &self.rule(days, source, None, retention.problem.as_deref());
        for other in &retention.others {
            text += &self.rule(
                other.days,
                other.source,
                Some(&other.settings),
                other.problem.as_deref(),
            );
        }
        if retention.expiring.is_empty() {
            return text
                + &format!("  {}\n", self.paint(Style::Good, "Nothing is deleted within a week."));
        }
        let mut settings: Vec<String> = retention
            .expiring
            .iter()
            .map(|expiring| self.context.short_path(&expiring.settings))
            .collect();
        settings.sort();
        settings.dedup();
        let warning = format!("{} sessions are deleted within a week.", retention.expiring.len());
        text += &format!(
            "  {} To keep them, put {ADVICE} into {}.\n",
            self.paint(Style::Warning, &warning),
            safe(&settings.join(" and "))
        );
        let mut table = Table::new(vec![
            Column::new("  SESSION").style(Style::Id),
            Column::new("DELETED").style(Style::Warning),
            Column::new("TITLE").shrinks_to(16),
        ]);
        let most = if self.all { usize::MAX } else { SOME };
        for expiring in retention.expiring.iter().take(most) {
            table.row([
                format!("\u{a0}\u{a0}{}", expiring.id.get(..8).unwrap_or(&expiring.id)),
                render::time::until(expiring.deleted_at, self.context.now),
                expiring.title.clone().unwrap_or_default(),
            ]);
        }
        text += &table.render(self.context.output.width(), self.context.output.paint);
        text + &self.more(retention.expiring.len())
    }

    /// How long one store keeps its transcripts; which, if it is not the first.
    fn rule(
        &self,
        days: u64,
        source: &str,
        settings: Option<&str>,
        problem: Option<&str>,
    ) -> String {
        let source = if source == "settings" { "as its settings say" } else { "its default" };
        let store = settings.map(|path| format!(" of {}", safe(&self.context.short_path(path))));
        let mut text = format!(
            "  Claude Code deletes transcripts {days} days after their last change ({source}{}), without a word.\n",
            store.unwrap_or_default()
        );
        if let Some(problem) = problem {
            text += &format!("  {}\n", self.paint(Style::Bad, problem));
        }
        text
    }

    fn list<T>(
        &self,
        heading: &str,
        items: &[T],
        none: &str,
        line: impl Fn(&T) -> String,
    ) -> String {
        if items.is_empty() {
            return if none.is_empty() {
                String::new()
            } else {
                self.heading(heading) + &format!("  {none}\n")
            };
        }
        let mut text = self.heading(&format!("{heading} ({})", items.len()));
        let most = if self.all { usize::MAX } else { SOME };
        for item in items.iter().take(most) {
            text += &format!("  {}\n", safe(&line(item)));
        }
        text + &self.more(items.len())
    }

    fn more(&self, count: usize) -> String {
        if self.all || count <= SOME {
            return String::new();
        }
        let note = format!("  and {} more; --all shows them", count - SOME);
        self.paint(Style::Dim, &note) + "\n"
    }

    fn heading(&self, text: &str) -> String {
        format!("{}\n", self.paint(Style::Heading, text))
    }

    fn paint(&self, style: Style, text: &str) -> String {
        self.context.output.paint.paint(style, &render::untrusted::text(text))
    }
}

fn safe(text: &str) -> String {
    render::untrusted::line(text).into_owned()
}
