//! The first page: all sessions in figures, what will be deleted, what it cost.

use super::marks::mark_list;
use super::{Marks, usage_between};
use crate::{
    BudgetDocument, Document as _, ExpiringSessionDocument, HomeDayDocument, HomeDocument,
    HomeModelDocument, HomeOverviewDocument, RunningSessionDocument, SessionDocument,
    SessionRowDocument,
};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _, Zoned};
use library::Library;
use library::catalog::Filter;
use library::health::ExpiringSession;
use library::lines::ReadError;
use library::progress::Progress;
use library::session::Session;
use library::usage::{Dimension, RecentUsageOptions, Spending, UsageOptions};
use std::collections::{BTreeSet, HashSet};
use usage::{Budget, BudgetUse};

/// How long before its deletion a session counts as expiring.
const EXPIRING: SignedDuration = SignedDuration::from_hours(3 * 24);

/// How many of the latest sessions the document has.
const LATEST: usize = 6;

/// How many rows the lists of the overview have.
const OVERVIEW_ROWS: usize = 10;

/// How many expiring sessions and running processes the overview has.
const OVERVIEW_ALERTS: usize = 20;

/// What the first page is about.
#[derive(Debug)]
pub struct HomeOptions<'o> {
    /// The time.
    pub now: Timestamp,
    /// The zone of days.
    pub zone: &'o TimeZone,
    /// Only these sessions, and what belongs to them.
    pub filter: &'o Filter,
    /// The age beyond which sessions are not archived.
    pub max_age: Option<SignedDuration>,
    /// The budgets.
    pub budget: Budget,
    /// Whether to add what the web app shows besides.
    pub with_overview: bool,
}

/// The first page, with what a text of it needs besides the document.
#[derive(Debug)]
pub struct HomeAnswer {
    /// The document.
    pub document: HomeDocument,
    /// The sessions that a person started, newest first.
    pub latest: Vec<Session>,
    /// The sessions that Claude Code will delete soon and that are not archived, the
    /// next one first.
    pub at_risk: Vec<ExpiringSession>,
    /// The costs of today and of this week, if the index has them.
    pub costs: Option<[Spending; 2]>,
    /// How much of each budget is used.
    pub budgets: Vec<BudgetUse>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

/// Answers with the first page.
pub fn home(
    library: &Library,
    options: &HomeOptions<'_>,
    marks: &Marks,
    progress: &dyn Progress,
) -> HomeAnswer {
    let mut list = library.catalog().sessions();
    let is_narrow = !options.filter.is_empty();
    if is_narrow {
        list.sessions.retain(|session| options.filter.admits(session));
        list.read_errors.extend(library.prompts().retain_by_content(
            &mut list.sessions,
            options.filter,
            progress,
        ));
    }
    let sessions: Vec<Session> = list.listed().cloned().collect();
    let expiring = library.health().expiring(&sessions, options.now, EXPIRING);
    // The archive is read only if sessions are about to be deleted.
    let not_archived = if expiring.is_empty() {
        None
    } else {
        library.archive().not_archived(options.max_age, options.now).ok()
    };
    let not_archived = not_archived.map(|files| files.sessions);
    let is_at_risk = |expiring: &ExpiringSession| {
        not_archived.as_ref().is_none_or(|ids| ids.contains(&expiring.session.id))
    };
    let at_risk: Vec<ExpiringSession> =
        expiring.iter().filter(|expiring| is_at_risk(expiring)).cloned().collect();
    // What is known of these sessions says too little to filter them.
    let (gone, unread) =
        if is_narrow { Default::default() } else { library.catalog().prompts_only(&list) };
    let mut read_errors = std::mem::take(&mut list.read_errors);
    read_errors.extend(unread);
    let today = options.now.to_zoned(options.zone.clone()).date();
    let changed_on =
        |session: &Session| session.metadata.modified.to_zoned(options.zone.clone()).date();
    let projects: BTreeSet<_> =
        sessions.iter().filter_map(|session| session.project.as_ref()).collect();
    let budgets = budgets(library, options);
    let is_programmatic =
        |session: &&Session| session.metadata.kind == store::SessionKind::Programmatic;
    let programmatic = sessions.iter().filter(is_programmatic).count();
    let latest: Vec<Session> =
        sessions.iter().filter(|session| !is_programmatic(session)).cloned().collect();
    let costs = costs(library, options);
    let latest_document =
        |session: &Session| SessionDocument::new(session, marks.documents(library, &session.id));
    let document = HomeDocument {
        schema: HomeDocument::SCHEMA.into(),
        sessions: sessions.len(),
        projects: projects.len(),
        agents: library.health().count_agents(&list),
        bytes: sessions.iter().map(|session| session.metadata.bytes).sum(),
        changed_today: sessions.iter().filter(|session| changed_on(session) == today).count(),
        programmatic,
        cost_today_usd: costs.map(|[today, _]| today.cost.decimal()),
        cost_week_usd: costs.map(|[_, week]| week.cost.decimal()),
        expiring: expiring.len(),
        expiring_not_archived: at_risk.len(),
        prompts_only: gone.len(),
        archive_only: if is_narrow { 0 } else { library.archive().count_archive_only(&list) },
        roots: library
            .catalog()
            .roots()
            .iter()
            .map(|root| root.path.to_string_lossy().into_owned())
            .collect(),
        latest: latest.iter().take(LATEST).map(latest_document).collect(),
        budgets: budgets.iter().map(BudgetDocument::from).collect(),
        overview: None,
    };
    let mut answer = HomeAnswer { document, latest, at_risk, costs, budgets, read_errors };
    if options.with_overview {
        let not_archived = not_archived.unwrap_or_default();
        drop(list);
        let mut overview = overview(library, marks, &answer.latest, &expiring, &not_archived);
        if !marks.all().is_empty() {
            let filter = Some(options.filter).filter(|_| is_narrow);
            let most = Some(OVERVIEW_ROWS);
            let (newest, unread) = mark_list(library, marks, filter, most, progress);
            let known: HashSet<_> = answer.read_errors.iter().map(|it| it.path.clone()).collect();
            let unread = unread.into_iter().filter(|it| !known.contains(&it.path));
            answer.read_errors.extend(unread);
            overview.marks = newest.marks;
        }
        overview.running = running(library, options, marks, progress);
        let costs = add_costs(library, options, &mut overview, progress);
        // The index alone has no costs of some sessions.
        if let Some([today, week]) = costs.filter(|_| is_narrow) {
            answer.document.cost_today_usd = Some(today);
            answer.document.cost_week_usd = Some(week);
        }
        answer.document.overview = Some(overview);
    }
    answer
}

/// How much of each budget is used, from the index alone: the first page does not
/// read transcripts.
fn budgets(library: &Library, options: &HomeOptions<'_>) -> Vec<BudgetUse> {
    // Budgets are for everything.
    if options.budget.is_empty() || !options.filter.is_empty() {
        return Vec::new();
    }
    let recent = RecentUsageOptions {
        now: options.now,
        zone: options.zone,
        transcript: None,
        session: None,
        resets: &[],
        budget: options.budget,
    };
    library.usage().recent(&recent).budgets
}

/// The beginnings of today and of this week.
fn beginnings(options: &HomeOptions<'_>) -> Option<[Zoned; 2]> {
    let today = options.now.to_zoned(options.zone.clone()).start_of_day().ok()?;
    let since_monday = i64::from(today.weekday().to_monday_zero_offset());
    let week = today.checked_sub(since_monday.days()).ok()?.start_of_day().ok()?;
    Some([today, week])
}

/// The costs of today and of this week, if the index has them.
fn costs(library: &Library, options: &HomeOptions<'_>) -> Option<[Spending; 2]> {
    let moments = beginnings(options)?.map(|beginning| beginning.timestamp());
    if !options.filter.is_empty() {
        return None;
    }
    let spent = library.usage().spent_since(&moments)?;
    Some([*spent.first()?, *spent.get(1)?])
}

/// The sessions that run now.
fn running(
    library: &Library,
    options: &HomeOptions<'_>,
    marks: &Marks,
    progress: &dyn Progress,
) -> Vec<RunningSessionDocument> {
    let (running, _) = library.prompts().running_within(options.filter, progress);
    let alive = running.into_iter().filter(|one| one.process.is_alive()).take(OVERVIEW_ALERTS);
    let marks = |session: &Session| marks.documents(library, &session.id);
    alive.map(|one| RunningSessionDocument::new(&one, marks)).collect()
}

fn overview(
    library: &Library,
    marks: &Marks,
    latest: &[Session],
    expiring: &[ExpiringSession],
    not_archived: &HashSet<String>,
) -> HomeOverviewDocument {
    let expiring = expiring.iter().take(OVERVIEW_ALERTS);
    let expiring = expiring.map(|expiring| {
        let is_archived = !not_archived.contains(&expiring.session.id);
        ExpiringSessionDocument::new(expiring, is_archived)
    });
    let sums = library.usage().session_sums().unwrap_or_default();
    let counts = marks.counts();
    let row = |session: &Session| {
        let marks = counts.get(session.id.as_str()).copied().unwrap_or_default();
        SessionRowDocument::new(session, sums.get(&session.id), marks)
    };
    HomeOverviewDocument {
        expiring: expiring.collect(),
        cost_yesterday_usd: "0".to_owned(),
        cost_last_week_usd: "0".to_owned(),
        cost_last_week_so_far_usd: "0".to_owned(),
        cost_yesterday_so_far_usd: "0".to_owned(),
        running: Vec::new(),
        days: Vec::new(),
        models: Vec::new(),
        latest: latest.iter().take(OVERVIEW_ROWS).map(row).collect(),
        marks: Vec::new(),
    }
}

/// Adds what depends on API calls: days, models, and the periods before. Returns the costs
/// of today and of this week.
fn add_costs(
    library: &Library,
    options: &HomeOptions<'_>,
    overview: &mut HomeOverviewDocument,
    progress: &dyn Progress,
) -> Option<[String; 2]> {
    let [today, week] = beginnings(options)?;
    // Calls are added up by quarters of an hour; a comparison needs no more.
    let quarter = Timestamp::from_second(options.now.as_second().div_euclid(900) * 900);
    let now = quarter.unwrap_or(options.now).to_zoned(options.zone.clone());
    let before = |moment: &Zoned, span: jiff::Span| moment.checked_sub(span).ok();
    let (year, month) = (before(&today, 1.year())?, before(&today, 29.days())?);
    let since = Some(year.timestamp()).max(options.filter.since);
    let filter = Filter { since, ..options.filter.clone() };
    let report_options = UsageOptions::new(vec![Dimension::Day], filter, options.zone.clone());
    let (yesterday, last_week) = (before(&today, 1.day()), before(&week, 7.days()));
    let (so_far, week_so_far) = (before(&now, 1.day()), before(&now, 7.days()));
    let borders = [&yesterday, &last_week, &so_far, &week_so_far].into_iter().flatten();
    let borders: Vec<Timestamp> = borders.chain([&today, &week]).map(Zoned::timestamp).collect();
    let mut source = library.usage().read_for(&report_options, progress);
    if !source.is_divided_at(&borders) {
        source = library.usage().read(report_options.needs_sessions(), progress);
    }
    if report_options.needs_agents() {
        library.usage().name_agents(&mut source, progress);
    }
    let report = library.usage().report(&source, &report_options, progress);
    let first_of_month = month.date().to_string();
    for (key, row) in &report.report.rows {
        let Some(Some(date)) = key.first() else { continue };
        overview.days.push(HomeDayDocument {
            date: date.clone(),
            calls: row.sums.calls,
            tokens: row.sums.counters.total(),
            cost_usd: row.sums.cost.decimal(),
        });
        if *date < first_of_month {
            continue;
        }
        overview.models.extend(row.models.iter().map(|(model, sums)| HomeModelDocument {
            date: date.clone(),
            model: model.clone(),
            output_tokens: sums.counters.output,
            cost_usd: sums.cost.decimal(),
        }));
    }
    let cost = |since: Option<Zoned>, until: Option<Zoned>| {
        let (since, until) = (since?.timestamp(), until?.timestamp());
        Some(usage_between(library, &source, &report_options, since, until).cost.decimal())
    };
    let zero = || "0".to_owned();
    let end = before(&today, -1.day());
    let current = [cost(Some(today.clone()), end.clone())?, cost(Some(week.clone()), end)?];
    overview.cost_yesterday_usd = cost(yesterday.clone(), Some(today)).unwrap_or_else(zero);
    overview.cost_yesterday_so_far_usd = cost(yesterday, so_far).unwrap_or_else(zero);
    overview.cost_last_week_usd = cost(last_week.clone(), Some(week)).unwrap_or_else(zero);
    overview.cost_last_week_so_far_usd = cost(last_week, week_so_far).unwrap_or_else(zero);
    Some(current)
}
