//! Checks the public API of `library` by searching its sources.
//!
//! `Library` hands out handles and does little else; surfaces open sessions through
//! it instead of parsing transcripts; one module lists folders for text files.

use std::path::{Path, PathBuf};

/// The most public methods `Library` itself may have: more belong on a handle.
const MOST_METHODS: usize = 15;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// The Rust files below a folder, with their texts.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "no sources below {}", folder.display());
    found
}

/// The public functions in the `impl Library` blocks of a source file.
fn public_methods(text: &str) -> Vec<&str> {
    let mut is_inside = false;
    let mut methods = Vec::new();
    for line in text.lines() {
        match line {
            "impl Library {" => is_inside = true,
            "}" => is_inside = false,
            _ => {}
        }
        let name = line.strip_prefix("    pub fn ").filter(|_| is_inside);
        methods.extend(name.and_then(|name| name.split(['(', '<']).next()));
    }
    methods
}

#[test]
fn library_itself_has_few_public_methods() {
    let sources = sources(&crates().join("library/src"));
    let methods: Vec<&str> = sources.iter().flat_map(|(_, text)| public_methods(text)).collect();
    assert!(methods.contains(&"open_session"), "the blocks are found: {methods:?}");
    assert!(methods.len() <= MOST_METHODS, "{} methods: {methods:?}", methods.len());
}

/// The files of a crate's sources that name something.
fn files_naming(name: &str, room: &str) -> Vec<String> {
    let folder = crates().join(room).join("src");
    let files = sources(&folder).into_iter().filter(|(_, text)| text.contains(name));
    let relative =
        |path: PathBuf| path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
    let mut files: Vec<String> = files.map(|(path, _)| relative(path)).collect();
    files.sort();
    files
}

#[test]
fn surfaces_open_sessions_instead_of_parsing_transcripts() {
    for room in ["annals", "mcp", "integration"] {
        assert_eq!(files_naming("Conversation::read", room), [""; 0], "{room}");
    }
}

#[test]
fn readers_of_text_take_their_files_from_the_catalog() {
    for listing in [".folders(", "folder.list("] {
        let readers = files_naming(listing, "library").into_iter();
        let readers: Vec<String> = readers
            .filter(|file| ["search/", "usage/"].iter().any(|room| file.starts_with(room)))
            .collect();
        assert_eq!(readers, [""; 0], "{listing} belongs into catalog/text_files");
    }
}
