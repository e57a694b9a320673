//! `annals web`: the web app in the browser.

mod bearer_client;
mod configuration;
mod run_file;
pub(crate) mod start;

use crate::cli::{FilterArgs, GlobalArgs};
use crate::context::Context;
use crate::failure::CliError;
use library::apps::App;
use library::sessions::TurnNumber;
use web::Target;

/// Open the web app: sessions, search and usage in the browser
///
/// Serves the web app on 127.0.0.1 until it is stopped (Ctrl-C), and opens it in the browser.
/// If a server with the same version, stores, filters and options runs already, opens that
/// one. Other sites, other users and other programs get no answer from it; secrets are
/// masked. From another machine, use `ssh -L 7717:127.0.0.1:7717`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session to open, and the turn in it
    #[arg(value_name = "SESSION[:TURN]")]
    session: Option<String>,
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// Options of a server.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ServerArgs {
    /// The port [default: 7717, or a free one if that is taken]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Offer no actions: no bookmarks, titles, tags, archive sync or restore
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Show secrets. Not for agents
    #[arg(long)]
    pub(crate) reveal: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    /// Start, and stop at once: checks that everything a server needs is there
    #[arg(long, hide = true)]
    pub(crate) exit_after_start: bool,
    /// Read app.js and app.css from this folder
    #[cfg(debug_assertions)]
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) assets: Option<std::path::PathBuf>,
}

impl ServerArgs {
    /// The folder with the app's script and style, for work on the app.
    fn assets(&self) -> Option<std::path::PathBuf> {
        #[cfg(debug_assertions)]
        return self.assets.clone();
        #[cfg(not(debug_assertions))]
        None
    }
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    let target = target(context, args.session.as_deref())?;
    start::serve(context, global, &args.server, "web", &target, !args.no_open)
}

/// The page of the session that the user named.
fn target(context: &Context, session: Option<&str>) -> anyhow::Result<Target> {
    let Some(name) = session else { return Ok(Target::Home) };
    let (_, id) = App::split_id(name);
    let (name, turn) = match id.rsplit_once(':').zip(name.rsplit_once(':')) {
        Some(((before, turn), (session, _))) if !before.is_empty() => {
            match turn.parse::<TurnNumber>() {
                Ok(turn) => (session, Some(turn.to_string())),
                Err(error) => return Err(CliError::Misuse(format!("{name}: {error}")).into()),
            }
        }
        _ => (name, None),
    };
    let found = context.find(name)?;
    Ok(Target::Session { id: found.session.id, turn })
}

/// The address of a session in the server that runs, if one does.
pub(crate) fn running_address(
    context: &Context,
    session: &str,
    turn: Option<&str>,
) -> Option<String> {
    let home = context.data_home().ok()?;
    let file = run_file::all(home).into_iter().find(run_file::RunFile::may_run)?;
    let turn = turn.map(|turn| format!("#t{turn}")).unwrap_or_default();
    Some(format!("{}s/{session}{turn}", file.address))
}
