//! Builds the programs of a platform, in the profile `dist` unless another is asked for.
//!
//! On a Mac, and for platforms whose standard library is installed, cargo does everything. For
//! Linux with an old glibc or without any, `zig` links, and the standard library is built from
//! its sources where it is not installed. The parts are those of `check-mac`, pinned by hash.
//! Programs for macOS are built on macOS only: nobody could try others.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, bail};

use super::contents::PROGRAMS;
use super::target::{CLibrary, GLIBC, Target};
use crate::check_mac::parts::{self, Missing, Rustc};
use crate::workspace::{Workspace, run_to_success, shown};

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
    for arguments in arguments(target, profile, has_library) {
        let mut command = Command::new(python.join("cargo-zigbuild"));
        command.current_dir(&workspace.root).args(&arguments);
        command.env("CARGO_TARGET_DIR", &workspace.target);
        for name in ["ZIG_GLOBAL_CACHE_DIR", "CARGO_ZIGBUILD_CACHE_DIR"] {
            command.env(name, parts_folder.join("cache"));
        }
        if !has_library {
            command.env("RUSTC_BOOTSTRAP", "1");
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
    }
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

/// The calls of `cargo-zigbuild` that build the programs.
fn arguments(target: &Target, profile: &str, has_library: bool) -> Vec<Vec<String>> {
    let (major, minor) = GLIBC;
    match (target.c_library, has_library) {
        (CLibrary::Glibc, true) => {
            let triple = format!("{}.{major}.{minor}", target.triple);
            vec![plain_arguments("zigbuild", profile, &triple)]
        }
        (CLibrary::Static | CLibrary::System, true) => {
            vec![plain_arguments("zigbuild", profile, target.triple)]
        }
        (CLibrary::Glibc, false) => {
            let triple = format!("{}.{major}.{minor}", target.triple);
            let mut words = plain_arguments("zigbuild", profile, &triple);
            words.push("-Zbuild-std=std,panic_abort".to_owned());
            vec![words]
        }
        // The start files of musl come with an installed library; zig has its own. `rustc`
        // passes options to one program at a time.
        (CLibrary::Static | CLibrary::System, false) => PROGRAMS
            .iter()
            .map(|program| {
                let words = [
                    "rustc",
                    "--profile",
                    profile,
                    "--locked",
                    "--target",
                    target.triple,
                    "-Zbuild-std=std,panic_abort",
                    "--package",
                    program,
                    "--bin",
                    program,
                    "--",
                    "-C",
                    "link-self-contained=no",
                ];
                words.map(str::to_owned).to_vec()
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(triple: &str, has_library: bool) -> Vec<String> {
        let target = Target::find(triple).expect("a platform");
        arguments(target, PROFILE, has_library).into_iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn a_glibc_build_names_the_oldest_version() {
        assert_eq!(
            shown("x86_64-unknown-linux-gnu", true),
            [
                "zigbuild --profile dist --locked --target x86_64-unknown-linux-gnu.2.17 --package annals --package annals-lake"
            ]
        );
    }

    #[test]
    fn a_static_build_from_sources_builds_one_program_at_a_time() {
        assert_eq!(
            shown("aarch64-unknown-linux-musl", false),
            ["annals", "annals-lake"].map(|program| format!(
                "rustc --profile dist --locked --target aarch64-unknown-linux-musl -Zbuild-std=std,panic_abort --package {program} --bin {program} -- -C link-self-contained=no"
            ))
        );
    }
}
