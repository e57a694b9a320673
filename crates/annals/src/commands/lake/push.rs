//! `annals lake push`, and the decisions about single sessions that are pushed at once.

use crate::context::Context;
use crate::lake_program;
use crate::output::Format;
use document::{LakeAction, LakeAnswer, LakePushDocument};
use render::{Column, Style, Table};

/// Send what is new and shared, and take back what is not
///
/// Sends usage of the folders that `annals lake init` named, and more only where a rule or
/// `annals lake share` says so. Text is masked, and images stay here. A push can be
/// interrupted at any time and repeated.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Send nothing, and list exactly what would leave, for whom
    #[arg(long)]
    dry_run: bool,
    /// Print the rows themselves; with --dry-run
    #[arg(long, requires = "dry_run")]
    show: bool,
    /// Keep running and push every 15 minutes; failures are tried again in silence
    #[arg(long, conflicts_with_all = ["dry_run", "show"])]
    watch: bool,
}

/// Share the text of a session
///
/// Its lines leave this machine, with secrets masked and without images, for the people you
/// name. Its agents are part of it. Holds for later lines too, until `annals lake unshare`.
#[derive(Debug, clap::Args)]
pub(crate) struct ShareArgs {
    /// The session: its id, the beginning of it, or @ for the latest here
    session: String,
    /// Who may read it: team:NAME, org or private
    #[arg(long, value_name = "AUDIENCE")]
    with: String,
}

/// Stop sharing a session: its text is for you alone
#[derive(Debug, clap::Args)]
pub(crate) struct UnshareArgs {
    /// The session: its id, the beginning of it, or @ for the latest here
    session: String,
}

/// Remove a session from the lake for ever
///
/// Every row of it is deleted from the storage, usage included, and no push sends it again,
/// from any machine of yours. The session on this machine stays as it is. Administrators use
/// --owner and --project without the machines of the people concerned, whose next push
/// obeys: who may do that is who the storage lets delete below the owners' prefixes.
/// `annals lake status` says when it is gone everywhere.
#[derive(Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// The session: its id, the beginning of it, or @ for the latest here
    #[arg(required_unless_present_any = ["owner", "project"], conflicts_with_all = ["owner", "project"])]
    session: Option<String>,
    /// Everything of this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Every session of this project, by its key; of everyone, or of --owner alone
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// With --owner or --project: do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    if args.watch {
        return super::automatic::watch(context);
    }
    let action = LakeAction::Push {
        machine: super::machine(context)?,
        is_dry_run: args.dry_run,
        with_rows: args.show,
    };
    finish(context, action)
}

pub(crate) fn share(context: &Context, args: &ShareArgs) -> anyhow::Result<()> {
    decide(context, &args.session, Some(args.with.clone()), false)
}

pub(crate) fn unshare(context: &Context, args: &UnshareArgs) -> anyhow::Result<()> {
    decide(context, &args.session, Some("private".to_owned()), true)
}

pub(crate) fn forget(context: &Context, args: &ForgetArgs) -> anyhow::Result<()> {
    if let Some(session) = &args.session {
        return decide(context, session, None, false);
    }
    let (owner, project) = (args.owner.as_deref(), args.project.as_deref());
    super::take_back::forget(context, owner, project, args.yes)
}

fn decide(
    context: &Context,
    name: &str,
    audience: Option<String>,
    only_if_shared: bool,
) -> anyhow::Result<()> {
    // A session that is gone from this machine may still be in the lake.
    let session = match context.find(name) {
        Ok(found) => found.session.id,
        Err(_) if is_whole_id(name) => name.to_owned(),
        Err(error) => return Err(error),
    };
    let machine = super::machine(context)?;
    finish(context, LakeAction::Decide { machine, session, audience, only_if_shared })
}

fn is_whole_id(name: &str) -> bool {
    name.len() == 36 && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn finish(context: &Context, action: LakeAction) -> anyhow::Result<()> {
    let settings = super::settings(context)?;
    let document = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Push(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(super::explained(context, failure)),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&text(context, &document)),
    }
}

fn text(context: &Context, document: &LakePushDocument) -> String {
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = String::new();
    for row in &document.rows {
        text += &safe(&row.to_string());
        text.push('\n');
    }
    if document.has_left {
        text += "Everything of yours was removed from this lake, by you on another machine or by an \
                 administrator, so nothing is sent. annals lake init joins again.\n";
    }
    if document.has_old_rules {
        text += "A newer annals has pushed for this home, so nothing was added. Upgrade annals.\n";
    }
    let sessions = match document.sessions {
        0 => "No session here is in a folder that the lake takes.".to_owned(),
        1 => "1 session here is shared.".to_owned(),
        count => format!("{count} sessions here are shared."),
    };
    if document.leaves.is_empty() {
        let verb = if document.is_dry_run { "would be sent" } else { "was sent" };
        text += &format!("Nothing new {verb} to {}. {sessions}\n", safe(&document.url));
    } else {
        let mut table = Table::new(vec![
            Column::new("WHAT"),
            Column::new("LEVEL").style(Style::Dim).drop_order(2),
            Column::new("SESSIONS").right().drop_order(1),
            Column::new("ROWS").right(),
            Column::new("SIZE").right(),
            Column::new("FOR").style(Style::Accent),
            Column::new("WHO CAN READ IT").shrinks_to(16),
        ]);
        for row in &document.leaves {
            table.row([
                row.table.to_string(),
                row.level.name().to_owned(),
                if row.sessions == 0 { String::new() } else { row.sessions.to_string() },
                row.rows.to_string(),
                render::bytes(row.bytes),
                row.audience.clone(),
                row.readers.clone(),
            ]);
        }
        text += &table.render(context.output.width(), context.output.paint);
        let verb = if document.is_dry_run { "would be sent" } else { "sent" };
        text += &format!(
            "{} {verb} to {}. {sessions}\n",
            render::bytes(document.bytes),
            safe(&document.url)
        );
    }
    if document.deleted > 0 {
        let verb = if document.is_dry_run { "would be deleted" } else { "deleted" };
        text += &format!("{} objects that nothing names any more {verb}.\n", document.deleted);
    }
    if !document.masked.is_empty() {
        let kinds: Vec<String> =
            document.masked.iter().map(|one| format!("{} {}", one.rule, one.count)).collect();
        text += &format!("Masked in the new lines: {}\n", kinds.join(", "));
    }
    for unread in &document.unread {
        text += &format!("not sent: {}\n", safe(unread));
    }
    text
}
