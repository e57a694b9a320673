//! `annals lake`: rows of sessions in storage of the team. What is done is `annals-lake`'s;
//! arguments, questions, the configuration file and output are here.

mod automatic;
mod catalog;
mod init;
mod load;
mod push;
mod report;
mod status;
mod take_back;
mod verify;

pub(crate) use automatic::push_if_due;

use crate::context::Context;
use crate::failure::CliError;
use crate::lake_view::LakeScope;
use crate::{lake_settings, lake_view};
use anyhow::Context as _;
use clap::Subcommand;
use document::{LakeFailure, LakeMachine, LakeQuestion, LakeSettings};
use std::path::PathBuf;
use store::real_path;

/// Share usage and sessions with a team
///
/// The rows of shared sessions go to object storage or a folder that the team owns. Nothing
/// leaves this machine before `annals lake init`, then only usage of the folders you name, and
/// text only where you share it, with secrets masked. Needs the program annals-lake beside
/// annals.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    Push(push::Args),
    Status(status::Args),
    Share(push::ShareArgs),
    Unshare(push::UnshareArgs),
    Forget(push::ForgetArgs),
    Expire(take_back::ExpireArgs),
    Leave(take_back::LeaveArgs),
    Verify(verify::Args),
    Report(report::Args),
    Catalog(catalog::Args),
    Load(load::Args),
}

impl Args {
    /// What a command asks of the lake before it runs.
    pub(crate) fn asks(&self) -> Option<(LakeScope, LakeQuestion)> {
        match &self.command {
            Command::Report(args) => Some(args.asks()),
            _ => None,
        }
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let deciding = match &args.command {
        // A report reads the lake, which is refused where that is done.
        Command::Status(_) | Command::Report(_) => None,
        Command::Init(_) => Some("init"),
        Command::Push(_) => Some("push"),
        Command::Share(_) => Some("share"),
        Command::Unshare(_) => Some("unshare"),
        Command::Forget(_) => Some("forget"),
        Command::Expire(_) => Some("expire"),
        Command::Leave(_) => Some("leave"),
        Command::Verify(_) => Some("verify"),
        Command::Catalog(_) => Some("catalog"),
        Command::Load(_) => Some("load"),
    };
    if let Some(name) = deciding {
        refuse_agents(context, name)?;
    }
    match &args.command {
        Command::Init(args) => init::run(context, args),
        Command::Push(args) => push::run(context, args),
        Command::Status(args) => status::run(context, args),
        Command::Share(args) => push::share(context, args),
        Command::Unshare(args) => push::unshare(context, args),
        Command::Forget(args) => push::forget(context, args),
        Command::Expire(args) => take_back::expire(context, args),
        Command::Leave(args) => take_back::leave(context, args),
        Command::Verify(args) => verify::run(context, args),
        Command::Report(args) => report::run(context, args),
        Command::Catalog(args) => catalog::run(context, args),
        Command::Load(args) => load::run(context, args),
    }
}

/// An agent must not decide what leaves the machine.
fn refuse_agents(context: &Context, command: &str) -> Result<(), CliError> {
    if !context.output.is_agent || context.settings.configuration.lake.agents {
        return Ok(());
    }
    Err(CliError::Misuse(format!(
        "annals lake {command} is not for agents\nhint: run it yourself in a terminal, or set \
         lake.agents = true in the configuration"
    )))
}

/// The settings that hold.
fn settings(context: &Context) -> anyhow::Result<LakeSettings> {
    lake_settings::resolve(
        &context.settings.configuration,
        context.settings.environment.managed_configuration.as_deref(),
        context.settings.environment.home.as_deref(),
        context.data_home().ok(),
    )
}

/// A count with its noun.
fn counted(count: u64, noun: &str) -> String {
    render::counted(usize::try_from(count).unwrap_or(usize::MAX), noun)
}

/// No lake is configured.
fn not_configured() -> anyhow::Error {
    let message = "no lake is configured, so nothing leaves this machine\nhint: annals lake init \
                   URL configures one";
    CliError::Misuse(message.to_owned()).into()
}

/// The configuration file. It may be a link, which stays.
fn configuration_path(context: &Context) -> anyhow::Result<PathBuf> {
    let folder = context
        .settings
        .config_home
        .as_ref()
        .context("no folder for configuration: HOME is not set")?;
    Ok(real_path(&folder.join("annals/config.toml")))
}

/// What `annals-lake` needs to know of this machine.
pub(crate) fn machine(context: &Context) -> anyhow::Result<LakeMachine> {
    context.check_roots()?;
    let settings = settings(context)?;
    if settings.owner.is_none() || settings.installation.is_none() {
        return Err(not_configured());
    }
    // Makes the key with which secrets are masked, if there is none yet.
    context.any_redactor()?;
    let utf8 = |path: &std::path::Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            CliError::Misuse(format!("annals lake cannot use the folder {}", path.display()))
        })
    };
    Ok(LakeMachine {
        roots: context
            .library
            .catalog()
            .roots()
            .iter()
            .map(|root| utf8(&root.path))
            .collect::<Result<_, _>>()?,
        data_home: utf8(context.data_home()?)?,
        exclude: context.settings.configuration.exclude.clone(),
    })
}

/// What `annals-lake` says about a request. A setting is named with its file.
fn explained(context: &Context, failure: LakeFailure) -> anyhow::Error {
    lake_view::explained(&context.settings.configuration, failure)
}

/// An answer that does not belong to the request.
fn unexpected() -> anyhow::Error {
    anyhow::anyhow!("annals-lake answers another question")
}
