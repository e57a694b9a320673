//! Whether a program stays where it is.
//!
//! Claude Code starts what settings name for months. A program in a cache, a build folder or a
//! temporary folder is gone tomorrow, and a launcher written in JavaScript takes longer to start
//! than a status line may take in all.

use super::SetupOptions;
use super::error::SetupError;
use super::part::SetupPart;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use store::real_path;

/// Folders whose content the system deletes.
const TEMPORARY: [&str; 6] =
    ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/private/var/folders"];

/// Refuses to install a program that will vanish. One that the user names with `--command` is
/// only noted, and so is one that nothing is written about yet.
pub(super) fn check(
    options: &SetupOptions,
    program: &str,
    may_change: bool,
) -> Result<Option<String>, SetupError> {
    // The retention of transcripts names no program.
    if options.only == [SetupPart::Cleanup] && !options.with_timer {
        return Ok(None);
    }
    let Some(objection) = find_objection(Path::new(program)) else { return Ok(None) };
    let sentence = format!("{program} {objection}");
    if may_change && options.command.is_none() {
        return Err(SetupError::VanishingProgram(sentence));
    }
    Ok(Some(sentence))
}

/// Why a program should not be named in settings, as the end of a sentence that begins with its
/// path; `None` if it will stay and starts at once.
pub(super) fn find_objection(program: &Path) -> Option<String> {
    let real = real_path(program);
    let temporary = TEMPORARY.iter().find(|folder| real.starts_with(folder));
    if let Some(kind) = find_cache(&real).or_else(|| find_cache(program)) {
        return Some(format!("is in {kind}, which is deleted at any time"));
    }
    if let Some(folder) = find_build_folder(&real) {
        return Some(format!(
            "is in the build folder {}, which every build changes",
            folder.display()
        ));
    }
    if let Some(folder) = temporary {
        return Some(format!("is in the temporary folder {folder}"));
    }
    let interpreter = find_interpreter(&real)?;
    Some(format!("is a script for {interpreter}, which starts too slowly for hooks"))
}

/// The cache of a package runner in which a path lies, by the names of its folders.
fn find_cache(path: &Path) -> Option<&'static str> {
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let follows = |first: &str, then: &dyn Fn(&str) -> bool| {
        names.windows(2).any(|pair| pair[0] == first && then(&pair[1]))
    };
    let is_uv = |name: &str| {
        ["archive-v", "environments-v", "builds-v"].iter().any(|start| name.starts_with(start))
    };
    if names.iter().any(|name| name == "_npx") {
        Some("the cache of npx")
    } else if names.iter().any(|name| name.starts_with("bunx-")) {
        Some("the cache of bunx")
    } else if follows("pnpm", &|name| name.starts_with("dlx")) {
        Some("the cache of pnpm dlx")
    } else if follows("uv", &is_uv) {
        Some("the cache of uvx")
    } else if follows("pipx", &|name| name == ".cache") || follows(".cache", &|name| name == "pipx")
    {
        Some("the cache of pipx run")
    } else {
        None
    }
}

/// The build folder of cargo above a program: it contains a tag that cargo writes.
fn find_build_folder(program: &Path) -> Option<PathBuf> {
    let folders = program.ancestors().skip(2).take(3);
    let mut builds = folders.filter(|folder| {
        folder.join("CACHEDIR.TAG").is_file() && folder.join(".rustc_info.json").is_file()
    });
    builds.next().map(Path::to_owned)
}

/// The slow interpreter of a script, by its first line.
fn find_interpreter(program: &Path) -> Option<&'static str> {
    let mut start = Vec::new();
    std::fs::File::open(program).ok()?.take(256).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_ascii_whitespace().filter_map(|word| word.rsplit('/').next());
    words.find_map(|word| {
        let known = ["node", "bun", "deno", "python", "python3"];
        known.into_iter().find(|name| *name == word)
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the programs they judge")]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn programs_in_caches_and_temporary_folders_are_objected_to() {
        let table = [
            ("/home/a/.npm/_npx/1f/node_modules/@annals/linux-x64/bin/annals", Some("npx")),
            ("/home/a/.cache/uv/archive-v0/x1/bin/annals", Some("uvx")),
            ("/home/a/.cache/uv/environments-v2/x/bin/annals", Some("uvx")),
            ("/Users/a/Library/Caches/pnpm/dlx-4/5/node_modules/x/annals", Some("pnpm dlx")),
            ("/home/a/.local/pipx/.cache/3/bin/annals", Some("pipx run")),
            ("/tmp/bunx-1000-annals@latest/node_modules/.bin/annals", Some("bunx")),
            ("/tmp/x/annals", Some("the temporary folder /tmp")),
            ("/private/var/folders/zz/T/annals", Some("temporary folder")),
            // Places that stay.
            ("/usr/local/bin/annals", None),
            ("/home/a/.cargo/bin/annals", None),
            ("/home/a/.local/share/uv/tools/annals-cli/bin/annals", None),
            ("/home/a/.local/pipx/venvs/annals-cli/bin/annals", None),
            ("/opt/homebrew/Cellar/annals/0.2.0/bin/annals", None),
            ("/usr/lib/node_modules/annals/node_modules/@annals/linux-x64/bin/annals", None),
            ("/home/a/target/release/annals", None),
            ("/tmpfiles/annals", None),
        ];
        for (path, expected) in table {
            let found = find_objection(Path::new(path));
            assert_eq!(found.is_some(), expected.is_some(), "{path}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{path}");
        }
    }

    #[test]
    fn the_build_folder_of_cargo_is_known_by_its_tags() {
        let sandbox = tempfile::tempdir().expect("a folder");
        let target = sandbox.path().join("target");
        fs::create_dir_all(target.join("x86_64-unknown-linux-musl/release")).expect("folders");
        let program = target.join("x86_64-unknown-linux-musl/release/annals");
        assert_eq!(find_build_folder(&program), None);
        for tag in ["CACHEDIR.TAG", ".rustc_info.json"] {
            fs::write(target.join(tag), "").expect("a file");
        }
        assert_eq!(find_build_folder(&program), Some(target.clone()));
        assert_eq!(find_build_folder(&target.join("debug/annals")), Some(target.clone()));
        assert_eq!(find_build_folder(&sandbox.path().join("bin/annals")), None);
    }

    #[test]
    fn a_launcher_is_distinguished_from_a_wrapper() {
        let sandbox = tempfile::tempdir().expect("a folder");
        let path = sandbox.path().join("annals");
        let table: [(&[u8], _); 7] = [
            (b"#!/usr/bin/env node\nrequire('x')", Some("node")),
            (b"#!/usr/bin/env -S node --no-warnings\n", Some("node")),
            (b"#!/opt/venv/bin/python3\n", Some("python3")),
            (b"#!/bin/sh\nexec annals \"$@\"\n", None),
            (b"#! /nix/store/x-bash/bin/bash -e\n", None),
            (b"\x7fELF\x02", None),
            (b"", None),
        ];
        for (content, expected) in table {
            fs::write(&path, content).expect("a file");
            assert_eq!(find_interpreter(&path), expected, "{content:?}");
        }
    }
}
