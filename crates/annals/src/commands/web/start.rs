//! Starts a server, or finds one that runs already.

use super::bearer_client::request_code;
use super::run_file::{Registered, RunFile, Served};
use super::{ServerArgs, configuration, run_file};
use crate::browser;
use crate::cli::{FilterArgs, GlobalArgs, Redact};
use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Output;
use anyhow::Context as _;
use library::catalog::Filter;
use rustix::process::geteuid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use web::{BasePath, Server, Settings, Stopper, Target};

/// Serves the app, or opens one that is served already.
pub(crate) fn serve(
    context: &Context,
    global: &GlobalArgs,
    args: &ServerArgs,
    command: &str,
    target: &Target,
    opens: bool,
) -> anyhow::Result<()> {
    check(context, global, args, command)?;
    // Before anything is written.
    let filter = context.filter(&args.filters)?;
    let opens = opens && !context.output.is_agent && !args.exit_after_start;
    let home = data_home(context)?;
    let base = match &home {
        Some(home) => run_file::base_path(home)?,
        None => BasePath::random().context("cannot get random numbers from the system")?,
    };
    let filters = given_filters(context, &args.filters);
    let what = served(context, global, args, &filters);
    if command == "web"
        && let Some(home) = &home
        && open_running(context, home, &base, &what, args, target, opens)?
    {
        return Ok(());
    }
    let server = Server::bind(settings(context, global, args, base, filter, filters)?)
        .with_context(|| {
            let port = args.port.map_or_else(|| "a port".to_owned(), |port| format!("port {port}"));
            format!("cannot listen at {port} of 127.0.0.1")
        })?;
    stop_on_signals(server.stopper()).context("cannot handle signals")?;
    let file = RunFile {
        pid: std::process::id(),
        port: server.port(),
        address: server.address(),
        token: server.bearer().expose().to_owned(),
        serves: what,
    };
    // Lives as long as the server.
    let _registered = home.as_deref().map(|home| Registered::new(home, &file)).transpose()?;
    if args.exit_after_start {
        return Ok(());
    }
    let one_time = || server.one_time_address(target).context("cannot get random numbers");
    let is_open = opens && is_opened(context, &one_time()?, &server.address());
    let address = if is_open { server.address() } else { one_time()? };
    announce(&address, is_open, true)?;
    server.run().context("the server failed")
}

/// Opens the server that runs already with the same settings. `false` if there is none.
fn open_running(
    context: &Context,
    home: &Path,
    base: &BasePath,
    serves: &Served,
    args: &ServerArgs,
    target: &Target,
    opens: bool,
) -> anyhow::Result<bool> {
    let running = run_file::all(home)
        .into_iter()
        .filter(|file| file.serves == *serves && args.port.is_none_or(|port| port == file.port));
    for file in running {
        let Some(code) = request_code(&file, base) else { continue };
        let address = web::entry_address(file.port, base, &code, target);
        let is_open = opens && is_opened(context, &address, &file.address);
        announce(if is_open { &file.address } else { &address }, is_open, false)?;
        return Ok(true);
    }
    Ok(false)
}

/// Prints where the app is.
fn announce(address: &str, is_open: bool, is_ours: bool) -> anyhow::Result<()> {
    let how = if is_open {
        "It is open in your browser."
    } else {
        "Open this address within a minute; it works once. `annals web` opens another."
    };
    let stop =
        if is_ours { " Ctrl-C stops the server." } else { " The server was running already." };
    // Not masked: a one-time address looks like a secret, and is one.
    Output::unpaged_unmasked(&format!("{address}\n{how}{stop}\n"))
}

/// Opens the browser; if that fails, the person opens the printed address.
fn is_opened(context: &Context, address: &str, shown: &str) -> bool {
    match browser::open(context, address.as_ref(), shown) {
        Ok(()) => true,
        Err(error) => {
            notice(&format!("annals: {error:#}"));
            false
        }
    }
}

/// Refuses what a server must not do.
fn check(
    context: &Context,
    global: &GlobalArgs,
    args: &ServerArgs,
    command: &str,
) -> anyhow::Result<()> {
    let misuse = |text: String| Err(CliError::Misuse(text).into());
    if global.redact == Some(Redact::Off) {
        return misuse(format!(
            "annals {command} masks secrets\nhint: pass --reveal instead of --redact=off"
        ));
    }
    if args.reveal && context.output.is_agent {
        return misuse("--reveal is not allowed for agents: secrets stay masked".to_owned());
    }
    // Root may read every store; a server of root's would show it to root's browser, and
    // write files of root's into it.
    let owner = |path: &Path| std::fs::metadata(path).ok().map(|metadata| metadata.uid());
    let others = context
        .library
        .catalog()
        .roots()
        .iter()
        .find(|root| geteuid().is_root() && owner(&root.path).is_some_and(|owner| owner != 0));
    if let Some(root) = others {
        return misuse(format!(
            "annals {command} does not run as root on another user's store: {}\nhint: run it as that user",
            root.path.display()
        ));
    }
    Ok(())
}

/// The folder for the files of servers, if they may be written.
fn data_home(context: &Context) -> anyhow::Result<Option<PathBuf>> {
    let Ok(home) = context.data_home() else { return Ok(None) };
    context.check_data_home()?;
    Ok(Some(home.to_owned()))
}

fn settings(
    context: &Context,
    global: &GlobalArgs,
    args: &ServerArgs,
    base: BasePath,
    filter: Filter,
    filters: Vec<(String, String)>,
) -> anyhow::Result<Settings> {
    let home = if context.is_demo() {
        Some(demo::HOME.to_owned())
    } else {
        context.settings.environment.home.as_ref().map(|home| home.to_string_lossy().into_owned())
    };
    Ok(Settings {
        library: context.library.reopened(),
        redactor: context.redactor.clone(),
        filter,
        filters,
        base,
        port: args.port,
        is_read_only: args.read_only,
        is_demo: context.is_demo(),
        home_folder: home,
        zone: context.settings.zone.clone(),
        now: context.settings.now,
        version: env!("CARGO_PKG_VERSION"),
        max_age: context.settings.max_age(None)?,
        budget: context.settings.budget(),
        configuration: configuration::document(context, global),
        user: geteuid().as_raw(),
        assets: args.assets(),
        notify: Box::new(|message| notice(&format!("annals: {message}"))),
    })
}

fn served(
    context: &Context,
    global: &GlobalArgs,
    args: &ServerArgs,
    filters: &[(String, String)],
) -> Served {
    let mut options: Vec<String> = Vec::new();
    options.extend(global.exclude.iter().map(|glob| format!("exclude {glob}")));
    options.extend(global.alias.iter().map(|alias| format!("alias {alias}")));
    options.extend(context.settings.zone.iana_name().map(|zone| format!("timezone {zone}")));
    options.extend(global.redact.map(|how| format!("redact {how:?}")));
    options.extend(global.no_index.then(|| "no-index".to_owned()));
    options.extend(args.assets().map(|folder| format!("assets {}", folder.display())));
    Served {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        roots: context.library.catalog().roots().iter().map(|root| root.path.clone()).collect(),
        filters: filters.to_vec(),
        options,
        demo: context.is_demo(),
        reveal: args.reveal,
        read_only: args.read_only,
    }
}

/// The filters as they were given. `--here` is the folder that it means.
fn given_filters(context: &Context, args: &FilterArgs) -> Vec<(String, String)> {
    let project = args.project.as_ref().or(args.here.then_some(&context.settings.here));
    let project = project.map(|project| project.to_string_lossy().into_owned());
    let given = [
        ("project", project),
        ("exact", args.exact.then(|| "1".to_owned())),
        ("since", args.since.clone()),
        ("until", args.until.clone()),
        ("branch", args.git_branch.clone()),
        ("model", args.model.clone()),
        ("agent", args.agent.clone()),
        ("tool", args.tool.clone()),
    ];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    given.collect()
}

/// Stops the server on the first signal; a second one ends the process at once.
fn stop_on_signals(stopper: Stopper) -> std::io::Result<()> {
    let (mut bell, rope) = UnixStream::pair()?;
    let is_stopping: Arc<AtomicBool> = Arc::default();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_shutdown(signal, 1, Arc::clone(&is_stopping))?;
        flag::register(signal, Arc::clone(&is_stopping))?;
        low_level::pipe::register(signal, rope.try_clone()?)?;
    }
    std::thread::spawn(move || {
        if bell.read(&mut [0]).is_ok_and(|count| count > 0) {
            stopper.stop();
        }
    });
    Ok(())
}
