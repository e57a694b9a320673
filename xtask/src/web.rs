//! `cargo xtask web [--check | --browser]`: builds the web application into
//! `crates/web/ui/dist`, compares it, or tries it in a browser.
//!
//! The bundle is committed, so that building annals needs no Node.js. Beside it is the digest
//! of everything it was built from: a bundle that no longer fits its sources fails
//! `cargo xtask test` on every machine, and where Node.js is available the bundle is built
//! again and compared byte by byte.
//!
//! Deliberately not here: how sources are bundled (`build.mjs`) and how types are made from
//! schemas (`schema.mjs`).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use xtask::empty_home::EmptyHome;
use xtask::web_parts::{UI, find_browser, missing, node};
use xtask::workspace::{Workspace, run_to_success};

const DIST: &str = "crates/web/ui/dist";
const TYPES: &str = "crates/web/ui/src/schema.ts";
/// The file with the digest of the sources.
const BUILT_FROM: &str = "BUILT_FROM";

/// What the bundle is built from: files, and folders with everything below them.
const SOURCES: [&str; 9] = [
    "crates/render/src/html/conversation.css",
    "crates/web/ui/build.mjs",
    "crates/web/ui/bundle.mjs",
    "crates/web/ui/markup.mjs",
    "crates/web/ui/package-lock.json",
    "crates/web/ui/package.json",
    "crates/web/ui/schema.mjs",
    "crates/web/ui/src",
    "docs/schema",
];

/// Whether something that needs Node.js could be done.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was done.
    Done,
    /// It was not, for this reason.
    Skipped(String),
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let workspace = Workspace::locate()?;
    let needed = |outcome| match outcome {
        Outcome::Done => Ok(()),
        Outcome::Skipped(reason) => bail!("{reason}"),
    };
    match arguments {
        [] => needed(build(&workspace)?),
        [flag] if flag == "--check" => {
            check_digest(&workspace.root)?;
            needed(check_bytes(&workspace)?)
        }
        [flag] if flag == "--browser" => needed(test_in_browser(&workspace)?),
        _ => bail!("web takes no arguments except --check or --browser"),
    }
}

/// Fails if the bundle was built from other sources. Needs no Node.js.
pub(crate) fn check_digest(root: &Path) -> Result<()> {
    let path = root.join(DIST).join(BUILT_FROM);
    let recorded = fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}: run cargo xtask web", path.display()))?;
    if recorded.trim() != sources_digest(root)? {
        bail!("{DIST} was built from other sources: run cargo xtask web");
    }
    Ok(())
}

/// Builds the bundle and the types again, elsewhere, and compares them with the committed
/// ones.
pub(crate) fn check_bytes(workspace: &Workspace) -> Result<Outcome> {
    if let Some(reason) = missing(workspace)? {
        return Ok(Outcome::Skipped(reason));
    }
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let ui = workspace.root.join(UI);
    let types = folder.path().join("schema.ts");
    run_to_success(node(&ui).arg("schema.mjs").arg(&types))?;
    run_to_success(node(&ui).arg("build.mjs").arg(folder.path()))?;
    let is_same_type = fs::read(&types).ok() == fs::read(workspace.root.join(TYPES)).ok();
    fs::remove_file(&types).context("the types are missing")?;
    let difference = differing_file(folder.path(), &workspace.root.join(DIST))?;
    let stale = difference.map(|name| Path::new(DIST).join(name));
    if let Some(stale) = stale.or_else(|| (!is_same_type).then(|| TYPES.into())) {
        bail!("{} is out of date: run cargo xtask web", stale.display());
    }
    Ok(Outcome::Done)
}

/// The first file that is in only one of the two bundles, or different.
fn differing_file(fresh: &Path, committed: &Path) -> Result<Option<String>> {
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    collect(fresh, Path::new(""), &mut ours)?;
    collect(committed, Path::new(""), &mut theirs)?;
    theirs.remove(BUILT_FROM);
    let mut names = ours.keys().chain(theirs.keys());
    Ok(names.find(|name| ours.get(*name) != theirs.get(*name)).cloned())
}

/// Checks the types of the application and runs its unit tests.
pub(crate) fn test(workspace: &Workspace) -> Result<Outcome> {
    if let Some(reason) = missing(workspace)? {
        return Ok(Outcome::Skipped(reason));
    }
    let ui = workspace.root.join(UI);
    run_to_success(node(&ui).arg("node_modules/typescript/bin/tsc"))?;
    run_to_success(node(&ui).arg("test/unit.mjs"))?;
    Ok(Outcome::Done)
}

/// Tries the application in a real browser.
pub(crate) fn test_in_browser(workspace: &Workspace) -> Result<Outcome> {
    if let Some(reason) = missing(workspace)? {
        return Ok(Outcome::Skipped(reason));
    }
    let Some(browser) = find_browser() else {
        return Ok(Outcome::Skipped("chromium is not installed".to_owned()));
    };
    let programs = workspace.build_programs()?;
    let home = EmptyHome::new()?;
    let ui = workspace.root.join(UI);
    let mut tests: Vec<PathBuf> = Vec::new();
    let folder = ui.join("test/browser");
    for entry in fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))? {
        tests.push(entry?.path());
    }
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    tests.sort();
    let mut command = node(&ui);
    command.args(["--test", "--test-concurrency=1"]).args(tests);
    home.hide_real_home(&mut command);
    command.env("ANNALS", programs.join("annals")).env("CHROMIUM", browser);
    run_to_success(&mut command)?;
    Ok(Outcome::Done)
}

fn build(workspace: &Workspace) -> Result<Outcome> {
    if let Some(reason) = missing(workspace)? {
        return Ok(Outcome::Skipped(reason));
    }
    let ui = workspace.root.join(UI);
    run_to_success(node(&ui).arg("schema.mjs"))?;
    run_to_success(node(&ui).arg("node_modules/typescript/bin/tsc"))?;
    run_to_success(node(&ui).arg("build.mjs"))?;
    let dist = workspace.root.join(DIST);
    let digest = sources_digest(&workspace.root)?;
    fs::write(dist.join(BUILT_FROM), format!("{digest}\n"))
        .with_context(|| format!("cannot write to {}", dist.display()))?;
    Ok(Outcome::Done)
}

/// The digest of the names and contents of all sources.
fn sources_digest(root: &Path) -> Result<String> {
    let mut files = BTreeMap::new();
    for source in SOURCES {
        collect(root, Path::new(source), &mut files)?;
    }
    let mut digest = Sha256::new();
    for (path, content) in &files {
        digest.update(path.as_bytes());
        digest.update([0]);
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    }
    Ok(STANDARD.encode(digest.finalize()))
}

fn collect(root: &Path, path: &Path, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    let full = root.join(path);
    if !full.is_dir() {
        let content = fs::read(&full).with_context(|| format!("cannot read {}", full.display()))?;
        files.insert(path.to_string_lossy().into_owned(), content);
        return Ok(());
    }
    let listing = fs::read_dir(&full).with_context(|| format!("cannot list {}", full.display()))?;
    for entry in listing {
        collect(root, &path.join(entry?.file_name()), files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for source in SOURCES {
            let path = root.path().join(source);
            let path = if path.extension().is_some() { path } else { path.join("a.txt") };
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, source).unwrap();
        }
        fs::create_dir_all(root.path().join(DIST)).unwrap();
        let digest = sources_digest(root.path()).unwrap();
        fs::write(root.path().join(DIST).join(BUILT_FROM), digest + "\n").unwrap();
        root
    }

    #[test]
    fn bundle_of_the_present_sources_is_fresh() {
        assert!(check_digest(workspace().path()).is_ok());
    }

    #[test]
    fn every_change_of_a_source_makes_the_bundle_stale() {
        let changes: [(&str, &str); 4] = [
            ("crates/web/ui/src/a.txt", "other"),
            ("crates/web/ui/src/deep/new.ts", "added"),
            ("docs/schema/a.txt", "other"),
            ("crates/render/src/html/conversation.css", "other"),
        ];
        for (path, content) in changes {
            let root = workspace();
            let full = root.path().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, content).unwrap();
            assert!(check_digest(root.path()).is_err(), "{path}");
        }
        let root = workspace();
        fs::remove_file(root.path().join("crates/web/ui/src/a.txt")).unwrap();
        assert!(check_digest(root.path()).is_err(), "removed");
    }

    #[test]
    fn a_missing_a_left_over_and_a_changed_script_are_differences() {
        let (fresh, committed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |folder: &tempfile::TempDir, name: &str, content: &str| {
            fs::write(folder.path().join(name), content).unwrap();
        };
        let difference = || differing_file(fresh.path(), committed.path()).unwrap();
        write(&fresh, "app.js", "1");
        assert_eq!(difference().as_deref(), Some("app.js"));
        write(&committed, "app.js", "1");
        write(&committed, BUILT_FROM, "digest");
        assert_eq!(difference(), None);
        write(&committed, "page-OLD.js", "2");
        assert_eq!(difference().as_deref(), Some("page-OLD.js"));
        write(&fresh, "page-OLD.js", "3");
        assert_eq!(difference().as_deref(), Some("page-OLD.js"));
    }

    #[test]
    fn content_cannot_move_between_files_unnoticed() {
        let root = workspace();
        let (one, two) = (root.path().join("docs/schema/b"), root.path().join("docs/schema/c"));
        fs::write(&one, "xy").unwrap();
        fs::write(&two, "z").unwrap();
        let before = sources_digest(root.path()).unwrap();
        fs::write(&one, "x").unwrap();
        fs::write(&two, "yz").unwrap();
        assert_ne!(sources_digest(root.path()).unwrap(), before);
    }
}
