//! `annals serve`: the web app's server, without a browser.

use super::web::{ServerArgs, start};
use crate::cli::GlobalArgs;
use crate::context::Context;
use web::Target;

/// Serve the web app without opening a browser
///
/// Prints an address that works once, within a minute, and serves the web app on 127.0.0.1
/// until it is stopped (Ctrl-C). `annals web` with the same options opens a browser for a
/// server that runs. For scripts, web/PORT.json in annals' data folder has a bearer token.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    start::serve(context, global, &args.server, "serve", &Target::Home, false)
}
