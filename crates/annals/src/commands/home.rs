//! `annals` without a command: an overview of the stores.

use crate::commands::ls;
use crate::commands::session_document::session_document;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use document::{Document as _, HomeDocument};
use jiff::SignedDuration;
use library::{Expiring, Session};
use render::Style;

/// How many of the latest sessions are shown.
const LATEST: usize = 6;

pub(crate) fn run(context: &Context) -> anyhow::Result<()> {
    context.no_rows("(home)")?;
    let list = context.library.catalog().sessions();
    report_read_errors(&list.troubles);
    let sessions: Vec<Session> = list.listed().cloned().collect();
    let expiring = context.library.health().expiring(
        &sessions,
        context.now,
        SignedDuration::from_hours(3 * 24),
    );
    // The archive is read only if sessions are about to be deleted.
    let mut at_risk: Vec<&Expiring> = expiring.iter().collect();
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
    let document = HomeDocument {
        schema: HomeDocument::SCHEMA.into(),
        sessions: sessions.len(),
        projects: projects.len(),
        agents: sessions.iter().map(|session| session.agents).sum(),
        bytes: sessions.iter().map(|session| session.metadata.bytes).sum(),
        changed_today: sessions
            .iter()
            .filter(|session| {
                session.metadata.modified.to_zoned(context.zone.clone()).date() == today
            })
            .count(),
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
        latest: sessions.iter().take(LATEST).map(|it| session_document(it, context)).collect(),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&text(context, &document, &sessions, &at_risk)),
    }
}

fn text(
    context: &Context,
    document: &HomeDocument,
    sessions: &[Session],
    expiring: &[&Expiring],
) -> String {
    let paint = context.output.paint;
    if sessions.is_empty() {
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
        "{} in {}, {}, {}; {} changed today\n\n",
        paint.paint(Style::Heading, &render::counted(document.sessions, "session")),
        render::counted(document.projects, "project"),
        render::counted(document.agents, "sub-agent"),
        render::bytes(document.bytes),
        document.changed_today,
    );
    let latest = &sessions[..sessions.len().min(LATEST)];
    text += &ls::table(context, latest, &ls::Sums::new()).render(context.output.width(), paint);
    if let Some(first) = expiring.first() {
        let when = render::time::until(first.deleted_at, context.now);
        let warning = format!(
            "Claude Code will delete {} within 3 days (next: {when})",
            render::counted(expiring.len(), "session")
        );
        text += &format!(
            "\n{}\nhint: `annals archive sync` backs them up, `annals doctor` lists them\n",
            paint.paint(Style::Warning, &warning)
        );
    }
    if document.archive_only > 0 {
        text += &format!("\n{}", archived_note(context, document.archive_only));
    }
    if document.prompts_only > 0 {
        let deleted = render::counted(document.prompts_only, "session");
        let note = format!("{deleted} known by prompts only: annals ls --deleted");
        text += &format!("\n{}\n", paint.paint(Style::Dim, &note));
    }
    text
}

fn archived_note(context: &Context, count: usize) -> String {
    let sessions = render::counted(count, "session");
    let note =
        format!("{sessions} deleted by Claude Code, still in the archive: annals ls --deleted");
    context.output.paint.paint(Style::Dim, &note) + "\n"
}
