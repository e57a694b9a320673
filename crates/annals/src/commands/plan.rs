//! `annals plan`: the plans of a session.

use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::output::Format;
use document::{PlanDocument, PlansDocument};
use library::sessions::{Plan, PlanOrigin};
use render::{Column, Style, Table};

/// Show the plan of a session
///
/// Shows the latest plan: proposed or approved in the session or by a sub-agent,
/// carried over into it, or stored by Claude Code in a file. --versions lists all
/// versions.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or a sub-agent
    #[arg(default_value = "@")]
    session: String,
    /// List all versions
    #[arg(long, conflicts_with = "number")]
    versions: bool,
    /// Show this version instead of the latest
    #[arg(long, value_name = "N")]
    number: Option<usize>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.session)?;
    let list = context.library.sessions().plans(&found);
    report_read_errors(&list.read_errors);
    let total = list.plans.len();
    if total == 0 {
        return Err(CliError::NotFound(format!("session {} has no plan", found.session.id)).into());
    }
    let mut plans: Vec<(usize, &Plan)> = list.numbered().collect();
    if let Some(wanted) = args.number {
        plans.retain(|(number, _)| *number == wanted);
        if plans.is_empty() {
            let message = format!("no plan version {wanted}: the latest is {total}");
            return Err(CliError::NotFound(message).into());
        }
    }
    if context.output.format == Format::Text && !args.versions {
        let Some((number, plan)) = plans.last() else { return Ok(()) };
        return context.output.text(&whole(context, plan, *number, total));
    }
    context.output.rows(
        plans.iter().map(|(number, plan)| PlanDocument::new(*number, plan)).collect(),
        |plans| PlansDocument::new(&found, context.mark_documents(&found.session.id), plans),
        || table(context, &plans),
    )
}

/// One complete version, below a line that describes it.
fn whole(context: &Context, plan: &Plan, number: usize, total: usize) -> String {
    let paint = context.output.paint;
    let mut header = vec![match total {
        1 => "plan".to_owned(),
        _ => format!("plan, version {number} of {total}"),
    }];
    header.push(plan.status.name().to_owned());
    header.push(worded(plan.origin).to_owned());
    if let Some(time) = plan.timestamp {
        let zone = render::time::zone_name(&context.settings.zone);
        header.push(format!("{} ({zone})", render::time::moment(time, &context.settings.zone)));
    }
    header.extend(plan.agent_id.as_ref().map(|agent| format!("agent {agent}")));
    header.extend(plan.path.as_ref().map(|path| context.short_path(path)));
    let header = render::untrusted::line(&header.join(" · ")).into_owned();
    let mut text = paint.paint(Style::Dim, &header) + "\n";
    if plan.is_guess() {
        let note =
            "A guess: the session names no plan; this is the newest plan file from that time.";
        text += &(paint.paint(Style::Warning, note) + "\n");
    }
    let plan = render::markdown(plan.text.trim(), context.output.width(), paint);
    text + "\n" + plan.trim_end() + "\n"
}

fn table(context: &Context, plans: &[(usize, &Plan)]) -> String {
    let mut table = Table::new(vec![
        Column::new("NO").right(),
        Column::new("WHEN"),
        Column::new("STATUS"),
        Column::new("SOURCE").drop_order(3),
        Column::new("AGENT").style(Style::Id).shrinks_to(8).drop_order(2),
        Column::new("LINE").right().style(Style::Dim).drop_order(4),
        Column::new("BYTES").right().drop_order(1),
        Column::new("BEGINS").shrinks_to(16).wide(),
    ]);
    for (number, plan) in plans {
        let begins = plan.text.trim().lines().next().unwrap_or_default();
        table.row([
            number.to_string(),
            plan.timestamp
                .map(|time| render::time::ago(time, context.settings.now, &context.settings.zone))
                .unwrap_or_default(),
            plan.status.name().to_owned(),
            worded(plan.origin).to_owned(),
            plan.agent_id.clone().unwrap_or_default(),
            plan.line.map(|line| line.to_string()).unwrap_or_default(),
            render::bytes(plan.text.len() as u64),
            begins.trim_start_matches('#').trim().to_owned(),
        ]);
    }
    table.render(context.output.width(), context.output.paint)
}

/// Where a plan was found, in words.
fn worded(origin: PlanOrigin) -> &'static str {
    use conversation::plans::PlanSource;
    match origin {
        PlanOrigin::Transcript(PlanSource::ExitPlanMode) => "proposed",
        PlanOrigin::Transcript(PlanSource::PlanContent) => "attached",
        PlanOrigin::Transcript(PlanSource::FileWrite) => "written",
        PlanOrigin::File => "file",
        PlanOrigin::NewestFile => "newest file (guess)",
    }
}
