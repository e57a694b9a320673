//! Checks the rooms inside `library` and its public API by searching its sources.
//!
//! A room knows only those below it; `Library` hands them out and does nothing else; surfaces open
//! sessions through it instead of parsing transcripts; one module lists folders for text files.

use std::path::{Path, PathBuf};

/// The rooms, the lowest first. Those of a row do not know each other.
const LAYERS: &[&[&str]] = &[
    &["lines", "packing", "parallel", "pattern", "time_expression", "window_limit"],
    &["session"],
    &["stores"],
    &["memory"],
    &["redaction"],
    &["catalog"],
    &["sessions"],
    &["facts"],
    &["prompts"],
    &["archive", "files", "health", "search", "usage", "watch"],
];

/// What other crates have and this one passes on.
const FOREIGN: [&str; 2] = ["progress", "random_bytes"];

/// The most methods `Library` may have, private ones too: more belong into a room.
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

/// The code of the rooms: the path of each file in the crate, and its text without comments and
/// tests.
fn rooms() -> Vec<(PathBuf, String)> {
    let folder = crates().join("library/src");
    let relative = |path: PathBuf| path.strip_prefix(&folder).expect("a file in it").to_owned();
    let files = sources(&folder).into_iter().map(|(path, text)| (relative(path), code(&text)));
    let is_tests = |path: &Path| path.with_extension("").iter().any(|part| part == "tests");
    files.filter(|(path, _)| !is_tests(path) && path != Path::new("lib.rs")).collect()
}

fn code(text: &str) -> String {
    let text = text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names of the paths that begin with `crate::`.
fn named_rooms(code: &str) -> Vec<&str> {
    let first =
        |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let mut named = Vec::new();
    for after in code.split("crate::").skip(1) {
        let group = after.strip_prefix('{').and_then(|group| group.split_once('}'));
        let paths = group.map_or(vec![after], |(group, _)| group.split(',').collect());
        named.extend(paths.into_iter().map(str::trim).map(|path| &path[..first(path)]));
    }
    named.retain(|name| !name.is_empty());
    named
}

/// Why a room may not name another; `None` if it may.
fn breach(room: &str, named: &str) -> Option<String> {
    if named == room || FOREIGN.contains(&named) {
        return None;
    }
    let layer = |room| LAYERS.iter().position(|rooms| rooms.contains(&room));
    match (layer(room), layer(named)) {
        (Some(own), Some(other)) if other < own => None,
        (Some(_), Some(_)) => Some(format!("{room} may not know {named}, which is not below it")),
        (Some(_), None) => Some(format!("{room} names {named}, which is not a room")),
        (None, _) => Some(format!("{room} is not in LAYERS")),
    }
}

#[test]
fn a_room_of_the_library_knows_only_the_rooms_below_it() {
    let mut breaches = Vec::new();
    for (path, code) in rooms() {
        let room = path.iter().next().map(Path::new).and_then(Path::file_stem);
        let room = room.and_then(|room| room.to_str()).expect("a room");
        let breaches_here = named_rooms(&code).into_iter().filter_map(|named| breach(room, named));
        breaches.extend(breaches_here.map(|breach| format!("{}: {breach}", path.display())));
    }
    breaches.sort();
    breaches.dedup();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn an_arrow_that_does_not_point_down_is_reported() {
    let code = code(
        "use crate::{usage::Usage, lines};\n// crate::watch\nfn f(_: crate::search::Search) {}\n\
         #[cfg(test)]\nmod tests {\n    use crate::Library;\n}",
    );
    assert_eq!(named_rooms(&code), ["usage", "lines", "search"]);
    assert_eq!(breach("catalog", "lines"), None);
    assert_eq!(breach("catalog", "catalog"), None);
    let upward = "catalog may not know search, which is not below it";
    assert_eq!(breach("catalog", "search").as_deref(), Some(upward));
    assert!(breach("usage", "search").is_some(), "rooms of one row do not know each other");
    assert!(breach("search", "Library").is_some(), "no room knows the whole library");
}

#[test]
fn library_only_hands_out_its_rooms() {
    let text = std::fs::read_to_string(crates().join("library/src/lib.rs")).expect("lib.rs");
    let block = text.split_once("\nimpl Library {\n").expect("its methods").1;
    let block = block.split_once("\n}\n").expect("their end").0;
    let methods = block.lines().filter(|line| {
        line.strip_prefix("    ").is_some_and(|line| !line.starts_with(' ') && line.contains("fn "))
    });
    let methods = methods.count();
    assert!((5..=MOST_METHODS).contains(&methods), "{methods} methods");
    for (path, code) in rooms() {
        assert!(!code.contains("impl Library"), "{}: methods of Library", path.display());
    }
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
fn readers_of_text_take_their_files_from_the_stores() {
    for listing in [".folders(", "folder.list("] {
        let readers = files_naming(listing, "library").into_iter();
        let readers: Vec<String> = readers
            .filter(|file| ["search/", "usage/"].iter().any(|room| file.starts_with(room)))
            .collect();
        assert_eq!(readers, [""; 0], "{listing} belongs into stores/text_files");
    }
}
