//! `annals` without a command: an overview of the stores.

use crate::commands::ls;
use crate::commands::session_document::session_document;
use crate::commands::usage::budget;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use document::{BudgetDocument, Document as _, HomeDocument};
use jiff::{SignedDuration, ToSpan as _};
use library::{ExpiringSession, RecentUsageOptions, Session, Spending};
use render::Style;
use usage::BudgetUse;

/// How many of the latest sessions are shown if that is not for a terminal.
const LATEST: usize = 6;

pub(crate) fn run(context: &Context) -> anyhow::Result<()> {
    context.no_rows("(home)")?;
    let list = context.library.catalog().sessions();
    report_read_errors(&list.read_errors);
    let sessions: Vec<Session> = list.listed().cloned().collect();
    let expiring = context.library.health().expiring(
        &sessions,
        context.now,
        SignedDuration::from_hours(3 * 24),
    );
    // The archive is read only if sessions are about to be deleted.
    let mut at_risk: Vec<&ExpiringSession> = expiring.iter().collect();
    if !at_risk.is_empty()
        && let Ok(not_archived) =
            context.library.archive().not_archived(context.max_age(None)?, context.now)
    {
        at_risk.retain(|expiring| not_archived.sessions.contains(&expiring.session.id));
    }
    let (gone, unread) = context.library.catalog().prompts_only(&list);
    report_read_errors(&unread);
    let today = context.now.to_zoned(context.zone.clone()).date();
    let projects: std::collections::BTreeSet<_> =
        sessions.iter().filter_map(|session| session.project.as_ref()).collect();
    let budgets = budgets(context);
    let is_programmatic =
        |session: &&Session| session.metadata.kind == store::SessionKind::Programmatic;
    let programmatic = sessions.iter().filter(is_programmatic).count();
    let latest: Vec<Session> =
        sessions.iter().filter(|session| !is_programmatic(session)).cloned().collect();
    let costs = costs(context);
    let decimal = |spent: Spending| spent.cost.decimal();
    let document = HomeDocument {
        schema: HomeDocument::SCHEMA.into(),
        sessions: sessions.len(),
        projects: projects.len(),
        agents: context.library.health().count_agents(&list),
        bytes: sessions.iter().map(|session| session.metadata.bytes).sum(),
        changed_today: sessions
            .iter()
            .filter(|session| {
                session.metadata.modified.to_zoned(context.zone.clone()).date() == today
            })
            .count(),
        programmatic,
        cost_today_usd: costs.map(|[today, _]| decimal(today)),
        cost_week_usd: costs.map(|[_, week]| decimal(week)),
        expiring: expiring.len(),
        expiring_not_archived: at_risk.len(),
        prompts_only: gone.len(),
        archive_only: context.library.archive().count_archive_only(&list),
        roots: context
            .library
            .roots()
            .iter()
            .map(|root| root.path.to_string_lossy().into_owned())
            .collect(),
        latest: latest.iter().take(LATEST).map(|it| session_document(it, context)).collect(),
        budgets: budgets.iter().map(BudgetDocument::from).collect(),
    };
    if context.output.format == Format::Json {
        context.output.json(&document)
    } else {
        let text =
            text(context, &document, &latest, &at_risk, costs) + &budget_line(context, &budgets);
        context.output.text(&text)
    }
}

fn text(
    context: &Context,
    document: &HomeDocument,
    sessions: &[Session],
    expiring: &[&ExpiringSession],
    costs: Option<[Spending; 2]>,
) -> String {
    let paint = context.output.paint;
    if document.sessions == 0 {
        let roots = document.roots.join(", ");
        let roots = render::untrusted::line(&roots).into_owned();
        if document.archive_only > 0 {
            return format!(
                "No sessions in {roots}.\n\n{}",
                archived_note(context, document.archive_only)
            );
        }
        return format!("No sessions in {roots}.\nhint: try the demo store with `annals --demo`\n");
    }
    let mut text = format!(
        "{} in {}, {}, {}; {} changed today\n",
        paint.paint(Style::Heading, &render::counted(document.sessions, "session")),
        render::counted(document.projects, "project"),
        render::counted(document.agents, "sub-agent"),
        render::bytes(document.bytes),
        document.changed_today,
    );
    text = context.output.hanging(&text, 2);
    if let Some([today, week]) = costs {
        let money = |spent: Spending| {
            render::money(spent.cost) + if spent.is_partial { " or more" } else { "" }
        };
        let line = format!("{} today, {} this week (at API prices)\n", money(today), money(week));
        text += &context.output.hanging(&line, 2);
    }
    text.push('\n');
    let notes = notes(context, document, expiring);
    let around = text.lines().count() + notes.lines().count();
    let rows = context.output.rows_beside(around).unwrap_or(LATEST);
    let latest = &sessions[..sessions.len().min(rows)];
    text += &ls::table(context, latest, None).render(context.output.width(), paint);
    text + &notes
}

/// The costs of today and of this week, if the index has them.
fn costs(context: &Context) -> Option<[Spending; 2]> {
    let today = context.now.to_zoned(context.zone.clone()).start_of_day().ok()?;
    let since_monday = i64::from(today.weekday().to_monday_zero_offset());
    let week = today.checked_sub(since_monday.days()).ok()?.start_of_day().ok()?;
    let moments = [today.timestamp(), week.timestamp()];
    let spent = context.library.usage().spent_since(&moments)?;
    Some([*spent.first()?, *spent.get(1)?])
}

/// The lines below the sessions.
fn notes(context: &Context, document: &HomeDocument, expiring: &[&ExpiringSession]) -> String {
    let paint = context.output.paint;
    let mut text = String::new();
    if document.programmatic > 0 {
        let sessions = render::counted(document.programmatic, "session");
        let note = format!("{sessions} started by programs: annals ls shows them");
        let note = paint.paint(Style::Dim, &note);
        text += &format!("\n{}\n", context.output.hanging(&note, 2));
    }
    if let Some(first) = expiring.first() {
        let when = render::time::until(first.deleted_at, context.now);
        let warning = format!(
            "Claude Code will delete {} within 3 days (next: {when})",
            render::counted(expiring.len(), "session")
        );
        let warning = format!(
            "\n{}\nhint: `annals archive sync` backs them up, `annals doctor` lists them\n",
            paint.paint(Style::Warning, &warning)
        );
        text += &context.output.hanging(&warning, 2);
    }
    if document.archive_only > 0 {
        text += &format!("\n{}", archived_note(context, document.archive_only));
    }
    if document.prompts_only > 0 {
        let deleted = render::counted(document.prompts_only, "session");
        let note = format!("{deleted} known by prompts only: annals ls --deleted");
        let note = paint.paint(Style::Dim, &note);
        text += &format!("\n{}\n", context.output.hanging(&note, 2));
    }
    text
}

/// How much of each budget is used, from the index alone: the home page does not read
/// transcripts.
fn budgets(context: &Context) -> Vec<BudgetUse> {
    if context.budget.is_empty() {
        return Vec::new();
    }
    let options = RecentUsageOptions {
        now: context.now,
        zone: &context.zone,
        transcript: None,
        session: None,
        resets: &[],
        budget: context.budget,
    };
    context.library.usage().recent(&options).budgets
}

fn budget_line(context: &Context, budgets: &[BudgetUse]) -> String {
    let (style, line) = match budgets {
        [] if context.budget.is_empty() => return String::new(),
        [] => (Style::Dim, "Budget: no index yet, see annals usage --check".to_owned()),
        budgets => budget::line(budgets),
    };
    let width = context.output.width().unwrap_or(usize::MAX);
    let lines = render::wrapped(&line, width).into_iter();
    let lines = lines.map(|line| context.output.paint.paint(style, &line) + "\n");
    format!("\n{}", lines.collect::<String>())
}

fn archived_note(context: &Context, count: usize) -> String {
    let sessions = render::counted(count, "session");
    let note =
        format!("{sessions} deleted by Claude Code, still in the archive: annals ls --deleted");
    let note = context.output.paint.paint(Style::Dim, &note);
    context.output.hanging(&note, 2) + "\n"
}
