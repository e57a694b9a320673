//! Every crate that is shipped can be packaged and used without this workspace.
//!
//! `cargo xtask test` packages the crates as well. These tests check what packaging does not
//! notice: missing metadata that is only a warning, and includes of files outside the
//! package.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use xtask::conformance::NOT_SHIPPED;

/// The crates that are shipped: all members but the tasks.
fn shipped_crates() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages.iter().filter(|package| !NOT_SHIPPED.contains(&name(package))).cloned().collect()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a package name")
}

/// Every reason why a package would be refused or incomplete, as a sentence.
fn find_gaps(package: &Value) -> Vec<String> {
    let name = name(package);
    let mut gaps = Vec::new();
    for field in ["description", "license"] {
        if package[field].as_str().is_none_or(str::is_empty) {
            gaps.push(format!("{name} has no {field}"));
        }
    }
    if package["keywords"].as_array().is_none_or(Vec::is_empty) {
        gaps.push(format!("{name} has no keywords"));
    }
    if package["publish"].is_array() {
        gaps.push(format!(
            "{name} has `publish = false`: cargo then cannot package the crates that depend on it"
        ));
    }
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        if dependency["path"].is_string() && dependency["req"] == "*" {
            let other = &dependency["name"];
            gaps.push(format!("{name} depends on {other} by path without a version"));
        }
    }
    gaps
}

#[test]
fn every_shipped_crate_has_the_metadata_of_a_package() {
    let packages = shipped_crates();
    assert!(packages.len() >= 12, "only {} crates found", packages.len());
    let gaps: Vec<String> = packages.iter().flat_map(find_gaps).collect();
    assert!(gaps.is_empty(), "\n{}\n", gaps.join("\n"));
}

#[test]
fn a_gap_in_the_metadata_is_named() {
    let package = json!({
        "name": "annals-x",
        "description": "",
        "license": "MIT",
        "keywords": [],
        "publish": [],
        "dependencies": [
            {"name": "annals-y", "path": "/w/crates/y", "req": "*"},
            {"name": "annals-z", "path": "/w/crates/z", "req": "^0.1.0"},
            {"name": "serde", "req": "^1"},
        ],
    });
    assert_eq!(
        find_gaps(&package),
        [
            "annals-x has no description",
            "annals-x has no keywords",
            "annals-x has `publish = false`: cargo then cannot package the crates that depend on it",
            "annals-x depends on \"annals-y\" by path without a version",
        ]
    );
}

#[test]
fn no_shipped_crate_includes_a_file_outside_its_folder() {
    let mut outside = Vec::new();
    for package in shipped_crates() {
        let manifest = package["manifest_path"].as_str().expect("a manifest path");
        let root = Path::new(manifest).parent().expect("a folder").to_owned();
        for source in rust_files(&root) {
            let text = fs::read_to_string(&source).expect("a source file");
            let folder = source.parent().expect("a folder");
            let found = included_paths(&text).filter(|path| !is_inside(&root, folder, path));
            outside.extend(found.map(|path| format!("{} includes {path}", source.display())));
        }
    }
    assert!(outside.is_empty(), "\n{}\n", outside.join("\n"));
}

/// The paths in `include!("…")`, `include_str!("…")` and `include_bytes!("…")`.
fn included_paths(text: &str) -> impl Iterator<Item = &str> {
    ["include!(\"", "include_str!(\"", "include_bytes!(\""].into_iter().flat_map(move |start| {
        text.match_indices(start)
            .filter_map(move |(at, _)| text[at + start.len()..].split('"').next())
    })
}

/// Whether `path`, relative to `folder`, is below `root`. Decided by the names alone: a link
/// inside the crate is packaged as the file it points to.
fn is_inside(root: &Path, folder: &Path, path: &str) -> bool {
    let mut place = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::ParentDir => {
                place.pop();
            }
            Component::CurDir => {}
            other => place.push(other),
        }
    }
    place.starts_with(root)
}

fn rust_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn an_include_that_leaves_the_crate_is_found() {
    let text =
        "include_str!(\"../../docs/x.md\") include_bytes!(\"page.css\") include!(\"/etc/x\")";
    let root = Path::new("/w/crates/x");
    let outside: Vec<_> =
        included_paths(text).filter(|path| !is_inside(root, &root.join("src"), path)).collect();
    assert_eq!(outside, ["/etc/x", "../../docs/x.md"]);
}
