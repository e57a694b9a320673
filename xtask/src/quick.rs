//! `cargo xtask quick [--base COMMIT]`: checks what a change touches, in minutes.
//!
//! A crate is touched if one of its files differs from the commit (`HEAD`, unless another is
//! named). All crates are linted, which costs only what depends on the change; tests are those of
//! the touched crates and the rules of the repository. Deliberately not here: everything that
//! `cargo xtask test` checks beside that.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::workspace::Workspace;

use crate::test;

/// The package whose tests are the rules of the repository.
const RULES: &str = "xtask";

/// The folders of the crates, below the root, by name.
type Packages = BTreeMap<String, PathBuf>;

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let base = match arguments {
        [] => "HEAD".to_owned(),
        [flag, base] if flag == "--base" => base.to_string_lossy().into_owned(),
        _ => bail!("quick takes no arguments except --base COMMIT"),
    };
    let workspace = Workspace::locate()?;
    let packages = packages(&workspace)?;
    let files = changed_files(&workspace.root, &base)?;
    if files.is_empty() {
        println!("nothing differs from {base}");
        return Ok(());
    }
    let touched = touched(&packages, &files);

    test::step(&workspace, "formatting", &["fmt", "--all", "--check"], &[])
        .context("run `cargo fmt --all`")?;
    test::step(&workspace, "lints", &test::LINTS, &[])?;
    let tested: BTreeSet<&str> = touched.iter().copied().chain([RULES]).collect();
    let closing = test::run_tests(&workspace, &tested.iter().copied().collect::<Vec<_>>(), false)?;
    if files.iter().any(|file| file.starts_with("crates/web/ui")) {
        test::check_bundle(&workspace)?;
    }
    println!("\n== what the change touches is checked; `cargo xtask test` checks everything");
    for line in closing {
        println!("{line}");
    }
    Ok(())
}

fn packages(workspace: &Workspace) -> Result<Packages> {
    let mut command = workspace.cargo();
    command.args(["metadata", "--no-deps", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&output(&mut command)?)
        .context("cannot read what cargo says of the workspace")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut packages = Packages::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().unwrap_or(&manifest);
        let folder = folder.strip_prefix(&workspace.root).unwrap_or(folder).to_owned();
        packages.insert(text(&package["name"]), folder);
    }
    Ok(packages)
}

/// The files that differ from a commit, new ones too, below the root.
fn changed_files(root: &Path, base: &str) -> Result<Vec<PathBuf>> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        output(command.current_dir(root).args(arguments))
    };
    let changed = git(&["diff", "--name-only", "-z", "--no-renames", base, "--"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
    let both = String::from_utf8_lossy(&changed).into_owned() + &String::from_utf8_lossy(&new);
    Ok(both.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

fn output(command: &mut Command) -> Result<Vec<u8>> {
    let shown = xtask::workspace::shown(command);
    let output = command.output().with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} ended with {}:\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// The crates that have one of the files.
fn touched<'a>(packages: &'a Packages, files: &[PathBuf]) -> BTreeSet<&'a str> {
    let has_one = |folder: &Path| files.iter().any(|file| file.starts_with(folder));
    packages.iter().filter(|(_, folder)| has_one(folder)).map(|(name, _)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_touched_by_files_in_its_folder() {
        let folder = |name: &str| (name.to_owned(), Path::new("crates").join(name));
        let packages = Packages::from(["sea", "ship"].map(folder));
        let files = ["README.md", "crates/ship/src/lib.rs", "crates/season.rs"];
        assert_eq!(touched(&packages, &files.map(PathBuf::from)), BTreeSet::from(["ship"]));
        assert!(touched(&packages, &[]).is_empty());
    }
}
