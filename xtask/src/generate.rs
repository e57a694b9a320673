//! `cargo xtask generate [--check]`: writes the committed files that the binary generates,
//! so that help, reference and JSON documentation cannot drift apart, and the digests of style
//! and script for the Content-Security-Policy of pages.
//!
//! The binary decides the content of the files under `docs/`; this task only knows their
//! names. Files written by hand are never touched. Manual pages and completions are made with
//! the packages (`dist`).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use xtask::workspace::Workspace;

use crate::interface::{Interface, is_plain};

const SCHEMA_FOLDER: &str = "docs/schema";

/// The style and the script of a page, and the file with their digests.
const PAGE_FOLDER: &str = "crates/render/src/html";
const DIGESTS: &str = "digests.rs";

/// What the example `reference` of the crate `document` prints.
struct Documents {
    /// The text about all documents.
    reference: String,
    /// The schemas, by the names of their files.
    schemas: BTreeMap<String, String>,
}

impl Documents {
    fn parse(text: &[u8]) -> Option<Self> {
        let described: Map<String, Value> = serde_json::from_slice(text).ok()?;
        let reference = described.get("reference")?.as_str()?.to_owned();
        let schemas = described.get("schemas")?.as_object()?.iter();
        let schemas = schemas.map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())));
        Some(Self { reference, schemas: schemas.collect::<Option<_>>()? })
    }
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
    let programs = workspace.build_programs()?;
    let described = Interface::of(&programs.join("examples/reference"))?.ask(&[])?;
    let documents =
        Documents::parse(&described).context("cannot read the reference of the documents")?;
    let interface = Interface::of(&programs.join("annals"))?;
    let mut files = Files::new();
    files.insert("docs/cli.md".into(), interface.ask(&["reference"])?);
    files.insert("docs/sql.md".into(), interface.ask(&["reference", "--sql"])?);
    files.insert("docs/json.md".into(), documents.reference.into());
    for (name, schema) in documents.schemas {
        if !name.strip_suffix(".json").is_some_and(is_plain) {
            bail!("the document crate has a schema called {name:?}, which cannot be a file name");
        }
        files.insert(Path::new(SCHEMA_FOLDER).join(name), schema.into());
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

/// Schemas of documents that no longer exist.
fn leftovers(root: &Path, files: &Files) -> Result<Vec<PathBuf>> {
    let full = root.join(SCHEMA_FOLDER);
    if !full.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let listing = fs::read_dir(&full).with_context(|| format!("cannot list {}", full.display()))?;
    for entry in listing {
        let path = Path::new(SCHEMA_FOLDER).join(entry?.file_name());
        let is_ours = path.extension().is_some_and(|ending| ending == "json");
        if is_ours && !files.contains_key(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_without_schemas_are_refused() {
        let whole = br##"{"reference": "# JSON", "schemas": {"ls.json": "{}"}}"##;
        let documents = Documents::parse(whole).expect("documents");
        assert_eq!(documents.reference, "# JSON");
        assert_eq!(documents.schemas["ls.json"], "{}");
        for text in [&br##"{"reference": "# JSON"}"##[..], br#"{"schemas": {}}"#, b"[]"] {
            assert!(Documents::parse(text).is_none());
        }
        let number = br##"{"reference": "# JSON", "schemas": {"ls.json": 1}}"##;
        assert!(Documents::parse(number).is_none());
    }

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
    fn schema_without_a_document_is_left_over() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let schemas = root.path().join(SCHEMA_FOLDER);
        fs::create_dir_all(&schemas).expect("created");
        for name in ["usage.json", "old.json", "README.md"] {
            fs::write(schemas.join(name), "x").expect("written");
        }
        let files = Files::from([(Path::new(SCHEMA_FOLDER).join("usage.json"), Vec::new())]);
        let found = leftovers(root.path(), &files).expect("listed");
        assert_eq!(found, [Path::new(SCHEMA_FOLDER).join("old.json")]);
    }
}
