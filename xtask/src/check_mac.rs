//! `cargo xtask check-mac`: type-checks the workspace and its tests for macOS, from any
//! machine, with warnings as errors.
//!
//! Nothing is linked or run: only a Mac can do that. On a machine that has the standard
//! library for macOS, cargo does everything. Elsewhere the library is checked from its sources
//! too, and a cross compiler compiles the C code of dependencies. Both are downloaded from
//! the machine's own package sources, which are not named here, and are pinned by hash
//! (`parts`). Where a part cannot be had, the task says which and why; as a step of `test` it
//! is then skipped.

pub(crate) mod parts;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, run_to_success, shown};

use parts::Missing;

/// The platform that is checked.
const TARGET: &str = "aarch64-apple-darwin";

/// What is checked: everything, with its tests.
const CHECK: [&str; 6] = ["check", "--workspace", "--tests", "--locked", "--target", TARGET];

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    if let Some(argument) = arguments.first() {
        bail!("check-mac takes no arguments, but was given {}", argument.display());
    }
    match check(&Workspace::locate()?)? {
        Outcome::Passed => Ok(()),
        Outcome::Skipped(missing) => bail!(
            "cannot check for macOS here: {missing}\n\
             hint: `rustup target add {TARGET}` or `rustup component add rust-src` brings the standard library"
        ),
    }
}

/// The result where the code is not at fault.
pub(crate) enum Outcome {
    /// The workspace passed.
    Passed,
    /// A part that this machine needs cannot be had.
    Skipped(Missing),
}

/// Prepares the parts and checks. An error means that the code does not pass.
pub(crate) fn check(workspace: &Workspace) -> Result<Outcome> {
    let folder = workspace.target.join("check-mac");
    let mut command = match prepare(workspace, &folder) {
        Ok(command) => command,
        Err(missing) => return Ok(Outcome::Skipped(missing)),
    };
    let home = EmptyHome::new()?;
    home.hide_real_home(&mut command);
    println!("{}", shown(&command));
    run_to_success(&mut command).context("the workspace does not pass for macOS")?;
    Ok(Outcome::Passed)
}

/// The command that checks, with everything it needs in place.
fn prepare(workspace: &Workspace, folder: &Path) -> Result<Command, Missing> {
    let rustc = parts::Rustc::find(workspace)?;
    // Only Apple's own compiler compiles C for macOS without further parts.
    let is_apple = rustc.host.ends_with("-apple-darwin");
    let python = if is_apple { None } else { Some(parts::install_compiler(folder)?) };
    let has_library = rustc.has_standard_library(TARGET);
    let toolchain = if has_library || rustc.has_sources() {
        None
    } else {
        Some(parts::toolchain_with_sources(folder, &rustc)?)
    };
    let program = python.as_deref().map_or_else(cargo, |python| python.join("cargo-zigbuild"));
    let mut command = Command::new(program);
    command.current_dir(&workspace.root).args(CHECK);
    command.env("CARGO_TARGET_DIR", folder.join("build"));
    // The compilers' caches would be in the home.
    command.env("ZIG_GLOBAL_CACHE_DIR", folder.join("cache"));
    command.env("CARGO_ZIGBUILD_CACHE_DIR", folder.join("cache"));
    if has_library {
        command.env("RUSTFLAGS", "-D warnings");
    } else {
        // `-D warnings` would hold for the standard library as well, which has warnings.
        command.args(["-Zbuild-std=std,panic_abort,test", "-Zwarnings"]);
        command.args(["--config", "build.warnings=\"deny\""]);
        // Nothing is run, so the C code of dependencies need not be optimised.
        command.args(["--config", "profile.dev.package.\"*\".opt-level=0"]);
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    if let Some(toolchain) = &toolchain {
        command.env("RUSTC", toolchain.join("rustc")).env("CARGO", toolchain.join("cargo"));
        // cargo points it at the installed toolchain, whose compiler library would then be
        // loaded, and with it the installed sysroot.
        command.env_remove("LD_LIBRARY_PATH");
    }
    // Every program that is started has to find the same ones.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = toolchain.into_iter().chain(python).chain(std::env::split_paths(&path));
    let joined =
        std::env::join_paths(folders).map_err(|error| Missing::new("a usable PATH", error))?;
    command.env("PATH", joined);
    Ok(command)
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into()
}
