//! `annals info`: the details of one session.

use crate::cli::GlobalArgs;
use crate::commands::pick::PickArgs;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use document::InfoDocument;
use library::catalog::FoundSession;
use library::prompts::SessionOverview;
use library::session::{Presence, Session};
use library::usage::SessionUsage;
use render::Style;
use std::collections::BTreeMap;
use std::path::Path;
use usage::PicoUsd;

/// Show the details of a session
///
/// Shows prompts, messages by type, duration, models, tokens, cost, tools, sub-agents, files,
/// pull requests, size and location. Reads the whole transcript.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    #[arg(default_value = "@")]
    session: String,
    #[command(flatten)]
    choice: PickArgs,
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.choice.name(context, global, &args.session)?)?;
    let overview = context.library.prompts().overview(&found);
    report_read_errors(&overview.read_errors);
    let agent = found.agent.as_ref().map(|agent| agent.id.as_str());
    let usage = context.library.usage().of_session(&found.session.id, agent);
    match context.output.format {
        Format::Json => {
            let marks = context.mark_documents(&found.session.id);
            context.output.json(&InfoDocument::new(&found, &overview, &usage, marks))
        }
        _ => context.output.text(&text(context, &found, &overview, &usage)),
    }
}

/// Where a cost comes from: prices, or what the session's app reported.
fn cost_origin(session: &Session, usage: &SessionUsage) -> String {
    let app = session.app().title();
    match usage.reported {
        PicoUsd::ZERO => "at API prices".to_owned(),
        reported if reported == usage.cost => format!("as reported by {app}"),
        reported => {
            format!("{} as reported by {app}, the rest at API prices", render::money(reported))
        }
    }
}

/// Where the values of a card begin.
const CARD_INDENT: usize = 11;

fn text(
    context: &Context,
    found: &FoundSession,
    overview: &SessionOverview,
    usage: &SessionUsage,
) -> String {
    let session = &found.session;
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = String::new();
    let heading = session.heading().map_or_else(|| "(untitled)".to_owned(), safe);
    let heading = paint.paint(Style::Heading, &heading);
    text += &format!("{}\n", context.output.hanging(&heading, 0));
    text += &format!("{}\n\n", paint.paint(Style::Id, &safe(&session.id)));
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let card = format!("{}  {value}\n", paint.paint(Style::Dim, &format!("{name:<9}")));
            text += &context.output.hanging(&card, CARD_INDENT);
        }
    };
    if let Some(agent) = &found.agent {
        line("agent", safe(&agent.id));
    }
    let facts = &session.metadata;
    line(
        "project",
        session.project.as_deref().map(|path| safe(&context.short_path(path))).unwrap_or_default(),
    );
    if facts.cwd != session.project {
        line(
            "folder",
            facts.cwd.as_deref().map(|path| safe(&context.short_path(path))).unwrap_or_default(),
        );
    }
    line("branch", safe(&overview.branches.join(", ")));
    if let (Some(first), Some(last)) = (overview.first, overview.last) {
        let zone = &context.settings.zone;
        let span = render::time::span(last.duration_since(first));
        let (from, to) = (render::time::moment(first, zone), render::time::moment(last, zone));
        line("time", format!("{from} – {to} ({span}, {})", render::time::zone_name(zone)));
    }
    line("version", safe(&overview.versions.join(", ")));
    line("tag", facts.tag.as_deref().map(safe).unwrap_or_default());
    let counted = |counts: &BTreeMap<String, u64>, most: usize| {
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
        let more = counts.len().saturating_sub(most);
        let mut shown: Vec<_> = counts
            .iter()
            .take(most)
            .map(|(name, count)| format!("{} {count}", safe(name)))
            .collect();
        if more > 0 {
            shown.push(format!("and {more} more"));
        }
        shown.join(", ")
    };
    let answers = render::counted(count(overview.answers), "message");
    let more = match overview.history_prompts {
        0 => String::new(),
        more => format!("; {} only in the prompt history", count(more)),
    };
    line("prompts", format!("{}, answered by {answers}{more}", overview.prompts));
    line("records", counted(&overview.records, 8));
    line("models", counted(&overview.models, 6));
    line("tokens", tokens(&usage.tokens));
    if usage.tokens.total() > 0 {
        let more = if usage.is_partial { " and more: a model has no known price" } else { "" };
        let cost = render::money(usage.cost);
        line("cost", format!("{cost}{more} ({})", cost_origin(session, usage)));
    }
    line("tools", counted(&overview.tools, 8));
    if overview.agents > 0 {
        // Agents that are written into the transcript have no files.
        let bytes = match overview.agent_bytes {
            0 => String::new(),
            bytes => format!(" ({})", render::bytes(bytes)),
        };
        line("agents", format!("{}{bytes}", overview.agents));
    }
    if overview.compactions > 0 {
        line("compacted", render::counted(count(overview.compactions), "time"));
    }
    let changed = overview.files.values().filter(|touch| touch.changes > 0).count();
    if !overview.files.is_empty() {
        line("files", format!("{changed} changed, {} touched", overview.files.len()));
    }
    for (path, _) in overview.files.iter().filter(|(_, touch)| touch.changes > 0).take(8) {
        line("", safe(&context.short_path(path)));
    }
    for commit in &overview.commits {
        let subject = commit.subject.as_deref().unwrap_or_default();
        line("commit", safe(&format!("{} {subject}", commit.hash)));
    }
    for pull_request in &overview.pull_requests {
        line("pr", pull_request.url.as_deref().map(safe).unwrap_or_default());
    }
    if overview.tool_results.0 > 0 {
        line(
            "results",
            format!(
                "{} in separate files ({})",
                render::counted(overview.tool_results.0, "tool result"),
                render::bytes(overview.tool_results.1)
            ),
        );
    }
    for plan in &overview.plans {
        line("plan", safe(&context.short_path(&plan.to_string_lossy())));
    }
    if overview.backups.0 > 0 {
        line(
            "backups",
            format!(
                "{} ({})",
                render::counted(overview.backups.0, "file backup"),
                render::bytes(overview.backups.1)
            ),
        );
    }
    if let Some(next) = &facts.continued_in {
        line("continued", format!("in {}", safe(next)));
    }
    let size = match session.presence {
        Presence::Disk | Presence::Lake => {
            format!("{} in {} lines", render::bytes(facts.bytes), overview.lines)
        }
        Presence::Archive | Presence::Unknown => format!(
            "{} in {} lines; {}, in the archive",
            render::bytes(facts.bytes),
            overview.lines,
            if session.presence == Presence::Unknown {
                "unknown whether it is on disk"
            } else {
                "deleted from disk"
            }
        ),
        Presence::PromptsOnly => "prompts only: the transcript has been deleted".to_owned(),
    };
    line("size", size);
    if overview.problems > 0 {
        line(
            "damage",
            paint.paint(
                Style::Warning,
                &format!(
                    "{} (annals doctor shows {})",
                    render::counted(count(overview.problems), "problem"),
                    if overview.problems == 1 { "it" } else { "them" },
                ),
            ),
        );
    }
    if overview.large_lines > 0 {
        let lines = render::counted(count(overview.large_lines), "line");
        line("too large", paint.paint(Style::Warning, &format!("{lines} left out")));
    }
    let of_app = found.path().and_then(|path| context.library.catalog().apps().file(path));
    let path = of_app.map(|file| file.path).or_else(|| found.path().map(Path::to_owned));
    line("file", path.map(|path| safe(&path.to_string_lossy())).unwrap_or_default());
    for copy in &session.copies {
        line("copy", safe(&copy.to_string_lossy()));
    }
    text
}

/// `1.2M in, 3.4k out, 5.6M read from the cache, 78k written to it`.
fn tokens(tokens: &usage::Counters) -> String {
    let written = tokens.write_5m.saturating_add(tokens.write_1h);
    let parts = [
        (tokens.input, "in"),
        (tokens.output, "out"),
        (tokens.read, "read from the cache"),
        (written, "written to it"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts
        .map(|(count, what)| format!("{} {what}", render::count(count)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A number that the reader of a text counts.
fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
