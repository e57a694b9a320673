//! Names the build for `annals --version`: the commit, if this is a checkout or a package that
//! was made of one.
//!
//! Git is not started, and nothing is downloaded: the commit is in small files. Debug builds
//! do not name it, because every commit would then compile this crate again.

#![expect(clippy::disallowed_methods, reason = "cargo speaks to build scripts in variables")]

use std::fs;
use std::path::{Path, PathBuf};

/// How many digits of a commit are shown.
const DIGITS: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_debug = std::env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    let build = if is_debug {
        Some("debug build".to_owned())
    } else {
        find_packaged_commit(&folder).or_else(|| find_commit(&folder))
    };
    let build = build.map(|build| format!(" ({build})")).unwrap_or_default();
    println!("cargo::rustc-env=ANNALS_BUILD={version}{build}");
}

/// The commit that cargo notes in a package.
fn find_packaged_commit(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    after.split('"').nth(1).and_then(shortened)
}

/// The commit of the checkout. A copy of this crate inside another repository has none.
fn find_commit(folder: &Path) -> Option<String> {
    let workspace = folder.parent()?.parent()?;
    if !workspace.join("xtask/Cargo.toml").is_file() {
        return None;
    }
    let git = workspace.join(".git");
    // In a worktree, a file names the folder.
    let git = match fs::read_to_string(&git) {
        Ok(text) => workspace.join(text.strip_prefix("gitdir:")?.trim()),
        Err(_) => git,
    };
    let head = read_watched(&git.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else { return shortened(&head) };
    let common = fs::read_to_string(git.join("commondir"));
    let common = common.map_or_else(|_| git.clone(), |text| git.join(text.trim()));
    if let Some(commit) = read_watched(&common.join(name)) {
        return shortened(&commit);
    }
    let packed = read_watched(&common.join("packed-refs"))?;
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, other)| *other == name).and_then(|(commit, _)| shortened(commit))
}

/// The text of a file; the build depends on it.
fn read_watched(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    Some(text)
}

fn shortened(commit: &str) -> Option<String> {
    let commit = commit.trim();
    let is_commit = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| commit[..DIGITS].to_owned())
}
