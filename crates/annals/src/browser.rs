//! Opens files and addresses in the browser.

use crate::allocator;
use crate::context::Context;
use crate::failure::CliError;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program that opens something with the person's choice of application.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens a file or an address with `$BROWSER`, otherwise with the desktop's program. Does
/// not wait: a browser may run until the person closes it. `target` must not begin with
/// `-`, and errors name `shown`.
pub(crate) fn open(context: &Context, target: &OsStr, shown: &str) -> anyhow::Result<()> {
    // A list of browsers is separated by colons; the first that exists is used.
    let browsers = context.settings.environment.browser.as_deref().unwrap_or_default();
    let mut programs = browsers.split(':').chain([OPENER]).filter_map(|command| {
        let mut words = command.split_whitespace();
        let program = words.next()?;
        let program = match Path::new(program) {
            path if path.is_absolute() => path.is_file().then(|| path.to_owned()),
            _ => context.settings.search_path.find_program(program),
        };
        Some((program?, words))
    });
    let Some((program, words)) = programs.next() else {
        let message = format!("cannot open {shown}: {OPENER} is not on PATH\nhint: set BROWSER");
        return Err(CliError::Misuse(message).into());
    };
    // Without a shell, so that a name cannot run commands.
    let started = allocator::without_settings(&mut Command::new(&program))
        .args(words)
        .arg(target)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.map(drop).map_err(|error| {
        anyhow::Error::new(error).context(format!("cannot open {shown} with {}", program.display()))
    })
}
