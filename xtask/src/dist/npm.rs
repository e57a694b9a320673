//! The npm packages: one for each platform with its programs, and `annals`, whose launcher
//! starts the one that npm chose.
//!
//! No package has an install script, and none downloads anything: npm leaves out optional
//! dependencies whose `os`, `cpu` or `libc` is another.

use anyhow::Result;
use serde_json::{Value, json};

use super::about::About;
use super::contents::Contents;
use super::formats::{Effort, PackedFile, gzip, tar};
use super::target::{TARGETS, Target};

/// The scope of the packages for platforms.
const SCOPE: &str = "@annals-cli";

const DESCRIPTION: &str = "Archive, search and explain every Claude Code session";

/// The launcher. It is also valid outside a package, for tests of its syntax.
const LAUNCHER: &str = include_str!("launcher.js");

/// The package of a platform, with its file name.
pub(crate) fn pack_platform(contents: &Contents) -> Result<(String, Vec<u8>)> {
    let target = contents.target;
    let mut files = vec![manifest(&platform_manifest(target, &contents.about))?];
    files.extend(contents.in_prefix());
    let name =
        format!("{}-{}-{}.tgz", SCOPE.trim_start_matches('@'), target.npm, contents.about.version);
    Ok((name, pack(&files, contents.effort)?))
}

/// The package that people install, with its file name. `notes` are licences and the README.
pub(crate) fn pack_launcher(
    about: &About,
    targets: &[&Target],
    notes: &[PackedFile],
    effort: Effort,
) -> Result<(String, Vec<u8>)> {
    let launcher = LAUNCHER.replace("@SCOPE@", SCOPE);
    let mut files = vec![
        manifest(&launcher_manifest(about, targets))?,
        PackedFile {
            path: "bin/annals.js".to_owned(),
            content: launcher.into_bytes(),
            is_program: true,
        },
    ];
    files.extend(notes.iter().cloned());
    Ok((format!("annals-{}.tgz", about.version), pack(&files, effort)?))
}

fn platform_manifest(target: &Target, about: &About) -> Value {
    let (os, cpu, libc) = target.npm_limits;
    let mut manifest = json!({
        "name": format!("{SCOPE}/{}", target.npm),
        "version": about.version,
        "description": format!("{DESCRIPTION}: the programs for {}", target.triple),
        "license": "MIT OR Apache-2.0",
        "repository": about.homepage,
        "os": [os],
        "cpu": [cpu],
        "preferUnplugged": true,
    });
    if let Some(libc) = libc {
        manifest["libc"] = json!([libc]);
    }
    manifest
}

fn launcher_manifest(about: &About, targets: &[&Target]) -> Value {
    let dependencies: serde_json::Map<String, Value> = TARGETS
        .iter()
        .filter(|target| targets.contains(target))
        .map(|target| (format!("{SCOPE}/{}", target.npm), json!(about.version)))
        .collect();
    json!({
        "name": "annals",
        "version": about.version,
        "description": DESCRIPTION,
        "keywords": ["claude-code", "sessions", "transcripts", "archive", "search"],
        "license": "MIT OR Apache-2.0",
        "repository": about.homepage,
        "bin": {"annals": "bin/annals.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": dependencies,
    })
}

fn manifest(value: &Value) -> Result<PackedFile> {
    Ok(PackedFile::text("package.json", serde_json::to_string_pretty(value)? + "\n"))
}

/// A package for npm: everything is in a folder of this name.
fn pack(files: &[PackedFile], effort: Effort) -> Result<Vec<u8>> {
    let files: Vec<PackedFile> = files.iter().map(|file| file.below("package")).collect();
    gzip(&tar(&files)?, effort)
}

#[cfg(test)]
mod tests {
    use super::super::about::made_up;
    use super::*;

    #[test]
    fn no_package_runs_anything_when_it_is_installed() {
        let all: Vec<&Target> = TARGETS.iter().collect();
        let mut manifests = vec![launcher_manifest(&made_up(), &all)];
        manifests.extend(TARGETS.iter().map(|target| platform_manifest(target, &made_up())));
        for manifest in &manifests {
            assert!(manifest.get("scripts").is_none(), "{manifest}");
            assert!(manifest.get("dependencies").is_none(), "{manifest}");
        }
        let platforms = manifests[0]["optionalDependencies"].as_object().expect("an object");
        assert_eq!(platforms.len(), TARGETS.len());
        for manifest in &manifests[1..] {
            let name = manifest["name"].as_str().expect("a name");
            assert_eq!(platforms[name], "1.2.3", "{name}");
        }
    }

    #[test]
    fn launcher_asks_for_names_that_packages_have() {
        for target in TARGETS {
            let (os, cpu, libc) = target.npm_limits;
            let end = if libc == Some("musl") { "-musl" } else { "" };
            assert_eq!(target.npm, format!("{os}-{cpu}{end}"));
        }
    }
}
