//! What usage rests on: one call, limits that were reached, hours of the week, Claude
//! Code's own figures, and what is installed and was not used.

use crate::sessions::shown;
use crate::{
    Document as _, LimitDocument, LimitsDocument, UnusedDocument, UnusedItemDocument,
    UsageCallDocument, UsageCallsDocument, UsageComparisonDocument, UsageHourDocument,
    UsageHoursDocument, UsageSessionCostDocument, UsageStatsCacheDocument,
};
use jiff::civil::Date;
use library::Library;
use library::catalog::Filter;
use library::lines::ReadError;
use library::progress::{NoProgress, Progress};
use library::usage::{Dimension, UsageOptions, UsageReport, UsageSource};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use store::{Files, InstalledItem};
use usage::{Fold, PicoUsd, Pricer, Sums};

/// How the calls with an id were counted and priced, and what could not be read. Without
/// such a call the document is empty.
pub fn usage_calls(
    library: &Library,
    id: &str,
    options: &UsageOptions,
    progress: &dyn Progress,
) -> (UsageCallsDocument, Vec<ReadError>) {
    let (lines, read_errors) = library.usage().lines(id, progress);
    let mut fold = Fold::default();
    for (number, found) in (0..).zip(&lines) {
        fold.note(number, &found.line);
    }
    let calls = fold.finish();
    let mut pricer = Pricer::new(&options.prices, options.mode);
    let documents = calls.calls.iter().map(|own| {
        let cost = pricer.cost(own, &calls.names);
        let parts = pricer.parts(own, &cost);
        UsageCallDocument::new(own, &calls, &lines, &cost, parts)
    });
    (UsageCallsDocument::new(documents.collect()), read_errors)
}

/// The limits that were reached in the span of a filter. Limits belong to an account: the
/// other conditions of a filter do not apply, but with a project no transcript is named.
pub fn usage_limits(library: &Library, filter: &Filter, progress: &dyn Progress) -> LimitsDocument {
    let mut limits = limits_of(&library.usage().read(false, progress), filter);
    if filter.project.is_some() {
        for limit in &mut limits {
            limit.path = None;
        }
    }
    LimitsDocument::new(limits)
}

/// The limits that were reached in the span of a filter.
pub fn limits_of(source: &UsageSource, filter: &Filter) -> Vec<LimitDocument> {
    let mut limits = LimitDocument::of(source);
    limits.retain(|limit| filter.admits_time(limit.timestamp.map(|moment| moment.0)));
    limits
}

/// Calls by weekday and hour in the zone of the options.
pub fn usage_hours(
    library: &Library,
    options: &UsageOptions,
    progress: &dyn Progress,
) -> UsageHoursDocument {
    let report = report_by(library, options, vec![Dimension::Hour], progress);
    let mut cells: BTreeMap<(u8, u8), Sums> = BTreeMap::new();
    for (key, row) in &report.report.rows {
        if let Some(place) = key.first().and_then(Option::as_deref).and_then(hour_of_week) {
            cells.entry(place).or_default().add(&row.sums);
        }
    }
    let cells = cells.into_iter().map(|((weekday, hour), sums)| UsageHourDocument {
        weekday,
        hour,
        calls: sums.calls,
        total_tokens: sums.counters.total(),
        cost_usd: sums.cost.decimal(),
    });
    UsageHoursDocument {
        schema: UsageHoursDocument::SCHEMA.into(),
        timezone: render::time::zone_name(&options.zone),
        sessions: report.by_session.len(),
        cells: cells.collect(),
    }
}

/// The weekday (0 is Monday) and hour of an hour such as `2026-01-02 03:00+01:00`.
fn hour_of_week(hour: &str) -> Option<(u8, u8)> {
    let day: Date = hour.get(..10)?.parse().ok()?;
    let weekday = u8::try_from(day.weekday().to_monday_zero_offset()).ok()?;
    Some((weekday, hour.get(11..13)?.parse().ok().filter(|hour| *hour < 24)?))
}

/// The most projects whose own agents and skills are looked for.
const MOST_PROJECTS: usize = 500;

/// Finds the agents, or the skills, in a folder.
type Installed = fn(&Files, &Path) -> Vec<InstalledItem>;

/// The installed agents and skills that no call of the report's filter used: those of the
/// user, of projects that have sessions, and of plugins, whose names begin with the plugin's.
pub fn unused(
    library: &Library,
    options: &UsageOptions,
    progress: &dyn Progress,
) -> UnusedDocument {
    let mut source = library.usage().read(true, progress);
    library.usage().name_agents(&mut source, progress);
    let projects: BTreeSet<&str> = source
        .sessions
        .values()
        .filter(|session| options.filter.admits(session))
        .filter_map(|session| session.project.as_deref())
        .take(MOST_PROJECTS)
        .collect();
    let list = |by: Dimension, installed: Installed| {
        let of = |options: &UsageOptions, by: Vec<Dimension>| {
            let options = UsageOptions { by, ..options.clone() };
            library.usage().report(&source, &options, progress)
        };
        let used = of(options, vec![by]);
        let mut always = options.clone();
        always.filter.since = None;
        always.filter.until = None;
        let last = last_days(&of(&always, vec![by, Dimension::Day]));
        let is_used = |item: &InstalledItem| {
            used.report.rows.keys().any(|key| key.first() == Some(&Some(item.name.clone())))
        };
        let items = installed_items(library, &projects, installed).into_iter();
        let unused = items.filter(|item| !is_used(item)).map(|item| UnusedItemDocument {
            last_used_on: last.get(&item.name).cloned(),
            path: shown(&item.path),
            name: item.name,
        });
        unused.collect()
    };
    UnusedDocument {
        schema: UnusedDocument::SCHEMA.into(),
        agents: list(Dimension::Agent, store::installed_agents),
        skills: list(Dimension::Skill, store::installed_skills),
    }
}

/// Everything that is installed: for the user, in projects, by plugins.
fn installed_items(
    library: &Library,
    projects: &BTreeSet<&str>,
    installed: Installed,
) -> Vec<InstalledItem> {
    let files = Files::disk();
    let mut items = Vec::new();
    let configs: Vec<&Path> =
        library.catalog().roots().iter().filter_map(store::Root::config).collect();
    for config in &configs {
        items.extend(installed(&files, config));
        for (plugin, folder) in store::installed_plugins(&files, config) {
            let own = installed(&files, &folder).into_iter();
            items.extend(own.map(|item| InstalledItem {
                name: format!("{plugin}:{}", item.name),
                path: item.path,
            }));
        }
    }
    for project in projects {
        let folder = Path::new(project).join(".claude");
        // The configuration folder of a person who works in their home.
        if !configs.contains(&folder.as_path()) {
            items.extend(installed(&files, &folder));
        }
    }
    items
}

/// The last day of each name in a report by name and day.
fn last_days(report: &UsageReport) -> HashMap<String, String> {
    let mut last: HashMap<String, String> = HashMap::new();
    for key in report.report.rows.keys() {
        if let [Some(name), Some(day)] = key.as_slice() {
            let known = last.entry(name.clone()).or_default();
            if *known < *day {
                known.clone_from(day);
            }
        }
    }
    last
}

fn report_by(
    library: &Library,
    options: &UsageOptions,
    by: Vec<Dimension>,
    progress: &dyn Progress,
) -> UsageReport {
    let options = UsageOptions { by, ..options.clone() };
    let mut source = library.usage().read_for(&options, progress);
    if options.needs_agents() {
        library.usage().name_agents(&mut source, &NoProgress);
    }
    library.usage().report(&source, &options, progress)
}

/// The figures of annals beside those of Claude Code.
#[derive(Clone, Debug, Default)]
pub struct UsageComparison {
    /// The sessions whose cost Claude Code logged, by id.
    pub sessions: Vec<SessionCost>,
    /// What Claude Code's `stats-cache.json` claims.
    pub stats_cache: Vec<UsageStatsCacheDocument>,
}

/// The cost of a session, as Claude Code logged it and as annals calculates it.
#[derive(Clone, Debug)]
pub struct SessionCost {
    /// The session.
    pub session_id: String,
    /// What Claude Code logged.
    pub logged: PicoUsd,
    /// What annals counts.
    pub counted: PicoUsd,
    /// The difference.
    pub difference: PicoUsd,
}

/// Compares a report with what Claude Code recorded. The source must have sessions.
pub fn usage_comparison(
    library: &Library,
    source: &UsageSource,
    report: &UsageReport,
) -> UsageComparison {
    let logged = library.usage().logged_costs(source, &NoProgress);
    let mut sessions: Vec<SessionCost> = logged
        .into_iter()
        .map(|(session_id, logged)| {
            let counted = report.by_session.get(&session_id).copied().unwrap_or_default();
            SessionCost { session_id, logged, counted, difference: counted.minus(logged) }
        })
        .collect();
    sessions.sort_by(|one, two| one.session_id.cmp(&two.session_id));
    let mut stats_cache = Vec::new();
    for root in library.catalog().roots() {
        let Some(stats) = root.config().and_then(store::read_stats_cache) else { continue };
        for (model, claimed_tokens) in stats.models {
            let counted = report.report.total.models.get(&model);
            stats_cache.push(UsageStatsCacheDocument {
                root: root.path.to_string_lossy().into_owned(),
                last_computed_date: stats.last_computed_date.clone(),
                counted_tokens: counted.map_or(0, |sums| sums.counters.total()),
                claimed_tokens,
                model,
            });
        }
    }
    UsageComparison { sessions, stats_cache }
}

impl UsageComparison {
    /// As a document.
    pub fn document(self) -> UsageComparisonDocument {
        let sessions = self.sessions.into_iter().map(|session| UsageSessionCostDocument {
            session_id: session.session_id,
            logged_usd: session.logged.decimal(),
            counted_usd: session.counted.decimal(),
            difference_usd: session.difference.decimal(),
        });
        UsageComparisonDocument { sessions: sessions.collect(), stats_cache: self.stats_cache }
    }
}
