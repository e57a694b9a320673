//! `annals` without a command: an overview of the stores.

use crate::commands::ls;
use crate::commands::usage::budget;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use document::answers::HomeOptions;
use document::{HomeDocument, answers};
use library::health::ExpiringSession;
use library::progress::NoProgress;
use library::session::Session;
use library::usage::Spending;
use render::Style;
use usage::BudgetUse;

/// How many of the latest sessions are shown if that is not for a terminal.
const LATEST: usize = 6;

pub(crate) fn run(context: &Context) -> anyhow::Result<()> {
    let max_age = context.settings.max_age(None);
    let options = HomeOptions {
        now: context.settings.now,
        zone: &context.settings.zone,
        filter: &library::catalog::Filter::default(),
        max_age: max_age.as_ref().ok().copied().flatten(),
        budget: context.settings.budget(),
        with_overview: false,
    };
    let answer = answers::home(&context.library, &options, context.marks(), &NoProgress);
    report_read_errors(&answer.read_errors);
    let document = &answer.document;
    if document.expiring > 0 {
        max_age?;
    }
    if context.output.format == Format::Json {
        context.output.json(document)
    } else {
        let text = text(context, document, &answer.latest, &answer.at_risk, answer.costs)
            + &budget_line(context, &answer.budgets)
            + &tui_line(context);
        context.output.text(&text)
    }
}

fn text(
    context: &Context,
    document: &HomeDocument,
    sessions: &[Session],
    expiring: &[ExpiringSession],
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
    let around = text.lines().count() + notes.lines().count() + tui_line(context).lines().count();
    let rows = context.output.rows_beside(around).unwrap_or(LATEST);
    let latest = &sessions[..sessions.len().min(rows)];
    text += &ls::table(context, latest, None).render(context.output.width(), paint);
    text + &notes
}

/// The last line on a terminal: where to browse.
fn tui_line(context: &Context) -> String {
    if !context.output.is_terminal || context.output.is_agent {
        return String::new();
    }
    let note = "Browse, search and resume: annals tui";
    format!("\n{}\n", context.output.paint.paint(Style::Dim, note))
}

/// The lines below the sessions.
fn notes(context: &Context, document: &HomeDocument, expiring: &[ExpiringSession]) -> String {
    let paint = context.output.paint;
    let mut text = String::new();
    if document.programmatic > 0 {
        let sessions = render::counted(document.programmatic, "session");
        let note = format!("{sessions} started by programs: annals ls shows them");
        let note = paint.paint(Style::Dim, &note);
        text += &format!("\n{}\n", context.output.hanging(&note, 2));
    }
    if let Some(first) = expiring.first() {
        let when = render::time::until(first.deleted_at, context.settings.now);
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

fn budget_line(context: &Context, budgets: &[BudgetUse]) -> String {
    let (style, line) = match budgets {
        [] if context.settings.budget().is_empty() => return String::new(),
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
