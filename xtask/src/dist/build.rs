//! Builds the programs of a platform, in the profile `dist` unless another is asked for.
//!
//! On a Mac, and for platforms whose standard library is installed, cargo does everything. For
//! Linux with an old glibc or without any, `zig` links, and the standard library is built from
//! its sources where it is not installed. The parts are those of `check-mac`, pinned by hash.
//! Programs for macOS are built on macOS only: nobody could try others.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, bail};
use xtask::workspace::{Workspace, run_to_success, shown};

use super::contents::PROGRAMS;
use super::target::{CLibrary, GLIBC, Target};
use crate::check_mac::parts::{self, Missing, Rustc};

/// The profile of packages.
pub(crate) const PROFILE: &str = "dist";

/// Builds the programs and returns their folder.
pub(crate) fn build(workspace: &Workspace, target: &Target, profile: &str) -> Result<PathBuf> {
    let missing = |missing: Missing| anyhow!("cannot build for {}: {missing}", target.triple);
    let rustc = Rustc::find(workspace).map_err(missing)?;
    let has_library = rustc.has_standard_library(target.triple);
    if target.is_mac() {
        if !cfg!(target_os = "macos") {
            bail!("programs for macOS are built on macOS: pass them with --programs");
        }
        let mut command = workspace.cargo();
        command.args(plain_arguments("build", profile, target.triple));
        // The oldest system that Rust itself supports.
        command.env("MACOSX_DEPLOYMENT_TARGET", "11.0");
        println!("{}", shown(&command));
        run_to_success(&mut command)?;
        return Ok(folder(workspace, target, profile));
    }
    let parts_folder = workspace.target.join("check-mac");
    let python = parts::install_compiler(&parts_folder).map_err(missing)?;
    let toolchain = if has_library || rustc.has_sources() {
        None
    } else {
        Some(parts::toolchain_with_sources(&parts_folder, &rustc).map_err(missing)?)
    };
    let mut command = Command::new(python.join("cargo-zigbuild"));
    command.current_dir(&workspace.root).args(arguments(target, profile, has_library));
    command.env("CARGO_TARGET_DIR", &workspace.target);
    command.envs(variables(target, has_library));
    for name in ["ZIG_GLOBAL_CACHE_DIR", "CARGO_ZIGBUILD_CACHE_DIR"] {
        command.env(name, parts_folder.join("cache"));
    }
    if let Some(toolchain) = &toolchain {
        command.env("RUSTC", toolchain.join("rustc")).env("CARGO", toolchain.join("cargo"));
        command.env_remove("LD_LIBRARY_PATH");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = toolchain.iter().chain([&python]).cloned();
    let joined = std::env::join_paths(folders.chain(std::env::split_paths(&path)))?;
    command.env("PATH", joined);
    println!("{}", shown(&command));
    run_to_success(&mut command)?;
    Ok(folder(workspace, target, profile))
}

/// Where cargo puts the programs.
fn folder(workspace: &Workspace, target: &Target, profile: &str) -> PathBuf {
    Path::new(&workspace.target).join(target.triple).join(profile)
}

fn plain_arguments(subcommand: &str, profile: &str, triple: &str) -> Vec<String> {
    let mut words = vec![subcommand, "--profile", profile, "--locked", "--target", triple];
    words.extend(PROGRAMS.iter().flat_map(|program| ["--package", program]));
    words.into_iter().map(str::to_owned).collect()
}

/// The arguments of `cargo-zigbuild`. One call builds both programs, so that the crates they
/// share are compiled once.
fn arguments(target: &Target, profile: &str, has_library: bool) -> Vec<String> {
    let triple = match target.c_library {
        CLibrary::Glibc => format!("{}.{}.{}", target.triple, GLIBC.0, GLIBC.1),
        CLibrary::Static | CLibrary::System => target.triple.to_owned(),
    };
    let mut words = plain_arguments("zigbuild", profile, &triple);
    if !has_library {
        words.push("-Zbuild-std=std,panic_abort".to_owned());
    }
    words
}

/// The variables that a build without an installed standard library needs.
fn variables(target: &Target, has_library: bool) -> Vec<(String, &'static str)> {
    if has_library {
        return Vec::new();
    }
    let mut variables = vec![("RUSTC_BOOTSTRAP".to_owned(), "1")];
    if target.c_library == CLibrary::Static {
        // The start files of musl come with an installed library; zig has its own.
        let triple = target.triple.to_uppercase().replace('-', "_");
        variables.push((format!("CARGO_TARGET_{triple}_RUSTFLAGS"), "-C link-self-contained=no"));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(triple: &str, has_library: bool) -> String {
        let target = Target::find(triple).expect("a platform");
        let variables = variables(target, has_library);
        let variables = variables.iter().map(|(name, value)| format!("{name}={value}"));
        variables.chain(arguments(target, PROFILE, has_library)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_glibc_build_names_the_oldest_version() {
        assert_eq!(
            shown("x86_64-unknown-linux-gnu", true),
            "zigbuild --profile dist --locked --target x86_64-unknown-linux-gnu.2.17 --package annals --package annals-lake"
        );
    }

    #[test]
    fn a_static_build_from_sources_takes_the_start_files_of_zig() {
        assert_eq!(
            shown("aarch64-unknown-linux-musl", false),
            "RUSTC_BOOTSTRAP=1 CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUSTFLAGS=-C link-self-contained=no zigbuild --profile dist --locked --target aarch64-unknown-linux-musl --package annals --package annals-lake -Zbuild-std=std,panic_abort"
        );
        assert!(!shown("x86_64-unknown-linux-musl", true).contains("self-contained"));
    }
}
