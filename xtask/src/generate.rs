//! `cargo xtask generate [--check]`: writes the committed files that the binary generates,
//! so that help, manual, completions and JSON documentation cannot drift apart, and the
//! digests of style and script for the Content-Security-Policy of pages.
//!
//! The binary decides the content of the files under `docs/`; this task only knows their
//! names. Files written by hand are never touched.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::empty_home::EmptyHome;
use crate::workspace::{Workspace, shown};

const MAN_FOLDER: &str = "docs/man";
const SCHEMA_FOLDER: &str = "docs/schema";

/// The style and the script of a page, and the file with their digests.
const PAGE_FOLDER: &str = "crates/render/src/html";
const DIGESTS: &str = "digests.rs";

/// What the example `reference` of the crate `document` prints.
#[derive(Deserialize)]
struct Documents {
    /// The text about all documents.
    reference: String,
    /// The schemas, by the names of their files.
    schemas: BTreeMap<String, String>,
}

/// Paths relative to the workspace root, with their whole content.
type Files = BTreeMap<PathBuf, Vec<u8>>;

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let workspace = Workspace::locate()?;
    match arguments {
        [] => write(&workspace),
        [flag] if flag == "--check" => check(&workspace),
        _ => bail!("generate takes no arguments except --check"),
    }
}

/// Fails with a list of the files that differ from the output of the binary.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let files = produce(workspace)?;
    let mut differences = Vec::new();
    for (path, content) in &files {
        match fs::read(workspace.root.join(path)) {
            Ok(present) if present == *content => {}
            Ok(_) => differences.push(format!("  {} differs", path.display())),
            Err(error) => differences.push(format!("  {}: {error}", path.display())),
        }
    }
    for path in leftovers(&workspace.root, &files)? {
        differences.push(format!("  {} is no longer generated", path.display()));
    }
    if !differences.is_empty() {
        bail!(
            "generated files are out of date: run cargo xtask generate\n{}",
            differences.join("\n")
        );
    }
    println!("{} generated files are up to date", files.len());
    Ok(())
}

fn write(workspace: &Workspace) -> Result<()> {
    let files = produce(workspace)?;
    for (path, content) in &files {
        let full = workspace.root.join(path);
        if let Some(folder) = full.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        fs::write(&full, content).with_context(|| format!("cannot write {}", full.display()))?;
    }
    for path in leftovers(&workspace.root, &files)? {
        let full = workspace.root.join(&path);
        fs::remove_file(&full).with_context(|| format!("cannot remove {}", full.display()))?;
        println!("removed {}", path.display());
    }
    println!("wrote {} files", files.len());
    Ok(())
}

/// Builds the binary and runs it for every file.
fn produce(workspace: &Workspace) -> Result<Files> {
    let home = EmptyHome::new()?;
    let programs = workspace.build_programs()?;
    let binary = programs.join("annals");
    let described = ask(&programs.join("examples/reference"), &home, &[])?;
    let documents: Documents =
        serde_json::from_slice(&described).context("cannot read the reference of the documents")?;
    let ask = |arguments: &[&str]| ask(&binary, &home, arguments);
    let man = Path::new(MAN_FOLDER);
    let mut files = Files::new();
    files.insert("docs/cli.md".into(), ask(&["reference"])?);
    files.insert("docs/sql.md".into(), ask(&["reference", "--sql"])?);
    files.insert("docs/json.md".into(), documents.reference.into());
    for (name, schema) in documents.schemas {
        if !name.strip_suffix(".json").is_some_and(is_plain) {
            bail!("the document crate has a schema called {name:?}, which cannot be a file name");
        }
        files.insert(Path::new(SCHEMA_FOLDER).join(name), schema.into());
    }
    files.insert(man.join("annals.1"), ask(&["man"])?);
    for command in command_names(&ask(&["reference", "--commands"])?)? {
        files.insert(man.join(format!("annals-{command}.1")), ask(&["man", &command])?);
    }
    for (shell, name) in [("bash", "annals.bash"), ("zsh", "_annals"), ("fish", "annals.fish")] {
        files.insert(
            Path::new("docs/completions").join(name),
            ask(&["completions", "--static", shell])?,
        );
    }
    files.insert(Path::new(PAGE_FOLDER).join(DIGESTS), page_digests(&workspace.root)?.into());
    Ok(files)
}

/// The source of the constants that a page's Content-Security-Policy is made of.
/// Digests are computed here, so that the binary needs no SHA-256.
fn page_digests(root: &Path) -> Result<String> {
    let source = |names: &[&str]| -> Result<String> {
        let mut digest = Sha256::new();
        for name in names {
            let path = root.join(PAGE_FOLDER).join(name);
            let text = fs::read(&path);
            digest.update(text.with_context(|| format!("cannot read {}", path.display()))?);
        }
        Ok(format!("sha256-{}", STANDARD.encode(digest.finalize())))
    };
    let (style, script) = (source(&["conversation.css", "page.css"])?, source(&["page.js"])?);
    Ok(format!(
        "//! The digests by which the Content-Security-Policy of a page names its style and\n\
         //! its script. `cargo xtask generate` writes this file.\n\
         \n\
         /// The digest of `conversation.css` and `page.css`.\n\
         pub(super) const STYLE_SOURCE: &str = \"{style}\";\n\
         /// The digest of `page.js`.\n\
         pub(super) const SCRIPT_SOURCE: &str = \"{script}\";\n"
    ))
}

fn ask(binary: &Path, home: &EmptyHome, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new(binary);
    command.args(arguments);
    home.clear_environment(&mut command);
    let output = command.output().with_context(|| format!("cannot start {}", binary.display()))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("{} ended with {}:\n{error}", shown(&command), output.status);
    }
    if output.stdout.is_empty() {
        bail!("{} printed nothing, so there is nothing to generate from", shown(&command));
    }
    Ok(output.stdout)
}

fn command_names(listing: &[u8]) -> Result<Vec<String>> {
    let names = lines_of(listing)?;
    for name in &names {
        if !is_plain(name) {
            bail!("annals reference --commands lists {name:?}, which is not a command name");
        }
    }
    Ok(names)
}

fn lines_of(listing: &[u8]) -> Result<Vec<String>> {
    let listing = str::from_utf8(listing).context("a listing of annals reference is not UTF-8")?;
    Ok(listing.lines().map(str::to_owned).collect())
}

/// The names become file names, so anything else is refused.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(plain)
}

/// Manual pages of commands and schemas of documents that no longer exist.
fn leftovers(root: &Path, files: &Files) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for (folder, ending) in [(MAN_FOLDER, "1"), (SCHEMA_FOLDER, "json")] {
        let full = root.join(folder);
        if !full.exists() {
            continue;
        }
        let listing =
            fs::read_dir(&full).with_context(|| format!("cannot list {}", full.display()))?;
        for entry in listing {
            let path = Path::new(folder).join(entry?.file_name());
            let is_ours = path.extension().is_some_and(|extension| extension == ending);
            if is_ours && !files.contains_key(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_digests_have_the_form_of_a_content_security_policy() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join(PAGE_FOLDER);
        fs::create_dir_all(&pages).unwrap();
        fs::write(pages.join("conversation.css"), "ab").unwrap();
        fs::write(pages.join("page.css"), "c").unwrap();
        fs::write(pages.join("page.js"), "").unwrap();
        let text = page_digests(folder.path()).unwrap();
        // The examples of the SHA-256 standard.
        assert!(text.contains("\"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\""), "{text}");
        assert!(text.contains("\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\""), "{text}");
    }

    #[test]
    fn command_names_cannot_escape_the_folder() {
        assert_eq!(command_names(b"ls\nwhere\n").expect("plain names"), ["ls", "where"]);
        for listing in ["../x\n", "a b\n", "\n", "-\u{e9}\n"] {
            assert!(command_names(listing.as_bytes()).is_err(), "{listing:?}");
        }
    }

    #[test]
    fn manual_page_without_a_command_is_left_over() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let man = root.path().join(MAN_FOLDER);
        fs::create_dir_all(&man).expect("created");
        for name in ["annals-ls.1", "annals-old.1", "README.md"] {
            fs::write(man.join(name), "x").expect("written");
        }
        let files = Files::from([(Path::new(MAN_FOLDER).join("annals-ls.1"), Vec::new())]);
        let found = leftovers(root.path(), &files).expect("listed");
        assert_eq!(found, [Path::new(MAN_FOLDER).join("annals-old.1")]);
    }
}
