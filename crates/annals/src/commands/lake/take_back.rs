//! `annals lake expire`, `leave` and `forget --owner`: rows that go without a push of the
//! machine that sent them.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use crate::{configuration, lake_program, lake_section, whole_file};
use clap::ValueEnum;
use document::{
    LakeAction, LakeAnswer, LakeLevel, LakeReceiptDocument, LakeTakeBackDocument, LakeTakenBack,
};
use render::Style;
use std::io::{self, IsTerminal as _, Write as _};

/// Delete rows of old months from the lake
///
/// Rows of months before MONTH (in UTC) are deleted from the storage, and no push sends them
/// again, from any machine of yours. Rows without a time count as the oldest. Sums by day are
/// made from single calls and go with them. For another owner or for everyone, the storage
/// must let you delete below their prefixes.
#[derive(Debug, clap::Args)]
pub(crate) struct ExpireArgs {
    /// Delete what is older than this month: YYYY-MM
    #[arg(long, value_name = "MONTH")]
    before: String,
    /// The lowest level that goes: usage deletes everything, text only text
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = ExpiringLevel::Usage)]
    level: ExpiringLevel,
    /// Of another owner
    #[arg(long, value_name = "NAME", conflicts_with = "everyone")]
    owner: Option<String>,
    /// Of everyone in the lake
    #[arg(long)]
    everyone: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

/// The lowest level that expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExpiringLevel {
    /// Everything
    Usage,
    /// Metadata and text
    Metadata,
    /// Text
    Text,
}

/// Delete everything of yours from the lake, and the configuration
///
/// Deletes every row of yours from the storage, for all your machines: their next push sends
/// nothing. Deletes what this machine has read from the lake, and the section `[lake]` of the
/// configuration. Your sessions on this machine stay as they are. `annals lake init` joins
/// again; sessions that were in the lake before are never sent again.
#[derive(Debug, clap::Args)]
pub(crate) struct LeaveArgs {
    /// Wait until every engine has acknowledged that it is gone
    #[arg(long)]
    wait: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

pub(crate) fn expire(context: &Context, args: &ExpireArgs) -> anyhow::Result<()> {
    let before = month(&args.before)?;
    let level = match args.level {
        ExpiringLevel::Usage => LakeLevel::Usage,
        ExpiringLevel::Metadata => LakeLevel::Metadata,
        ExpiringLevel::Text => LakeLevel::Text,
    };
    let settings = super::settings(context)?;
    let owner = args.owner.clone().or_else(|| settings.owner.clone());
    let whose = match (args.everyone, &owner) {
        (true, _) => "everyone".to_owned(),
        (false, Some(owner)) => owner.clone(),
        (false, None) => return Err(super::not_configured()),
    };
    let what = match level {
        LakeLevel::Usage => "every row",
        LakeLevel::Metadata => "every row of metadata and text",
        LakeLevel::Text => "every row of text",
    };
    let question = format!(
        "This deletes {what} of months before {} from the lake, of {whose}. It cannot be undone.",
        args.before
    );
    confirm(&question, args.yes)?;
    let what = LakeTakenBack::Expired { level, before };
    take_back(context, LakeAction::TakeBack { owner: owner.filter(|_| !args.everyone), what })
}

/// Forgets everything of an owner, or of a project.
pub(crate) fn forget(
    context: &Context,
    owner: Option<&str>,
    project: Option<&str>,
    is_confirmed: bool,
) -> anyhow::Result<()> {
    let question = match (owner, project) {
        (Some(owner), Some(project)) => {
            format!("This deletes every row of project {project} of {owner} from the lake")
        }
        (Some(owner), None) => format!(
            "This deletes every row of {owner} from the lake, and the machines of {owner} send \
             nothing until annals lake init is run there"
        ),
        (None, _) => format!(
            "This deletes every row of project {} from the lake, of everyone",
            project.unwrap_or_default()
        ),
    };
    confirm(&format!("{question}. It cannot be undone."), is_confirmed)?;
    let what = match project {
        Some(key) => LakeTakenBack::Project(key.to_owned()),
        None => LakeTakenBack::Everything,
    };
    take_back(context, LakeAction::TakeBack { owner: owner.map(str::to_owned), what })
}

pub(crate) fn leave(context: &Context, args: &LeaveArgs) -> anyhow::Result<()> {
    let settings = super::settings(context)?;
    let (Some(url), Some(owner)) = (&settings.url, &settings.owner) else {
        return Err(super::not_configured());
    };
    let question = format!(
        "This deletes every row of {owner} from {url}, for all machines of {owner}, and the \
         section [lake] of the configuration. It cannot be undone."
    );
    confirm(&question, args.yes)?;
    // Before anything is deleted: the section must be one that can be removed.
    let path = super::configuration_path(context)?;
    let text = configuration::read_file(&path)?;
    let without = lake_section::remove(&text).map_err(|reason| {
        CliError::Misuse(format!(
            "cannot edit {}: {reason}\nhint: write [lake] as a separate section",
            path.display()
        ))
    })?;
    let action = LakeAction::Leave { machine: super::machine(context)?, waits: args.wait };
    let mut document = ask(context, action)?;
    whole_file::write(&path, without.as_bytes(), true)?;
    document.configuration = Some(path.display().to_string());
    show(context, &document)
}

fn take_back(context: &Context, action: LakeAction) -> anyhow::Result<()> {
    let document = ask(context, action)?;
    show(context, &document)?;
    let has_failed = document.owners.iter().any(|owner| owner.problem.is_some());
    if has_failed { Err(CliError::Failed.into()) } else { Ok(()) }
}

fn ask(context: &Context, action: LakeAction) -> anyhow::Result<LakeTakeBackDocument> {
    let settings = super::settings(context)?;
    match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::TakeBack(document)) => Ok(document),
        Ok(_) => Err(super::unexpected()),
        Err(failure) => Err(super::explained(context, failure)),
    }
}

fn show(context: &Context, document: &LakeTakeBackDocument) -> anyhow::Result<()> {
    match context.output.format {
        Format::Json => context.output.json(document),
        _ => context.output.text(&context.output.hanging(&text(context, document), 2)),
    }
}

fn text(context: &Context, document: &LakeTakeBackDocument) -> String {
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = String::new();
    if document.owners.is_empty() {
        text += &format!("Nobody has anything in {}.\n", safe(&document.url));
    }
    for owner in &document.owners {
        let name = safe(&owner.owner);
        if let Some(problem) = &owner.problem {
            text += &format!("{name}: not taken back: {}\n", safe(problem));
            continue;
        }
        text += &format!("{name}: {} deleted. ", super::counted(owner.deleted, "object"));
        match &owner.receipt {
            Some(receipt) => text += &gone(context, receipt),
            None => text += "Whether it is gone everywhere could not be read.\n",
        }
    }
    if let Some(path) = &document.configuration {
        text += &format!("Removed [lake] from {path}. Nothing leaves this machine any more.\n");
    }
    text
}

/// Whether what was taken back is gone.
pub(super) fn gone(context: &Context, receipt: &LakeReceiptDocument) -> String {
    let paint = context.output.paint;
    if receipt.is_gone_everywhere {
        return paint.paint(Style::Good, "Gone everywhere.") + "\n";
    }
    let mut text = paint.paint(Style::Warning, "Not gone everywhere yet:") + "\n";
    for missing in &receipt.missing {
        text += &format!("- {}\n", render::untrusted::line(missing));
    }
    text
}

/// `YYYY-MM` as the lake writes months.
fn month(text: &str) -> Result<String, CliError> {
    let invalid = || {
        CliError::Misuse(format!(
            "invalid month \"{}\": use YYYY-MM",
            render::untrusted::line(text)
        ))
    };
    let (year, month) = text.split_once('-').ok_or_else(invalid)?;
    let is_number =
        |text: &str, length| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    let is_month =
        matches!(month.parse(), Ok(1..=12_u8)) && matches!(year.parse(), Ok(1970..=9999_u16));
    if is_number(year, 4) && is_number(month, 2) && is_month {
        Ok(format!("{year}{month}"))
    } else {
        Err(invalid())
    }
}

fn confirm(question: &str, is_confirmed: bool) -> anyhow::Result<()> {
    if is_confirmed {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        return Err(CliError::Misuse("not a terminal: pass --yes to confirm".to_owned()).into());
    }
    notice(question);
    let mut error = io::stderr();
    let _ = write!(error, "Continue? [y/N] ").and_then(|()| error.flush());
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        return Ok(());
    }
    notice("Nothing was deleted.");
    Err(CliError::Silent.into())
}
