//! Phrases that do not belong in what people read.
//!
//! STYLE: everything a person or a model reads is plain technical English. This
//! test looks for the phrases that used to make ours hard to read, in the
//! documentation, in help texts and errors, and in comments, module heads and names
//! of the sources and their tests. It knows no grammar: a sentence without these phrases can still be bad,
//! and one that needs a phrase has a row in [`ALLOWED`].

use std::fs;
use std::path::{Path, PathBuf};

/// A phrase, in lower case, and how to write instead. Words are matched whole.
const PHRASES: &[(&str, &str)] = &[
    ("told", "shown, reported, given"),
    ("untold", "omitted"),
    ("veil", "mask"),
    ("veiled", "masked"),
    ("whoever", "name the actor: the caller, a reader, the user"),
    ("so many", "a number: at most N rows"),
    ("goes by", "matches"),
    ("go by", "match"),
    ("is no", "is not a"),
    ("are no", "are not"),
    ("what came of", "the result of"),
    ("stands for itself", "is literal"),
    ("of its own", "own, separate"),
    ("of their own", "own, separate"),
    ("tells of", "records, mentions"),
    ("the one that asks", "the caller, the calling session"),
    ("the one who asks", "the caller, the user"),
    ("nobody can say", "is unknown"),
    ("nobody knows", "is unknown"),
    ("is no reason", "does not"),
];

/// What may stand directly before a phrase and makes it ordinary English.
const FINE_BEFORE: &[(&str, &str)] = &[("is no", "there "), ("are no", "there ")];

/// What may follow a phrase and makes it ordinary English.
const FINE_AFTER: &[(&str, &str)] = &[
    ("is no", " longer"),
    ("is no", " more"),
    ("is no", " slower"),
    ("is no", " larger"),
    ("is no", " later"),
    ("are no", " longer"),
    ("are no", " more"),
];

/// Places that need a phrase: the end of a path, and a part of the line.
const ALLOWED: &[(&str, &str)] = &[
    // Titles and prompts of the made-up store.
    ("", "in a worktree of their own"),
    ("", "in a branch of its own"),
    ("amend/main.rs", "members nobody knows"),
];

/// Folders and files that are not checked: build output, text that is made up to sound
/// like other people, and this file.
const SKIPPED: &[&str] =
    &["target", ".git", "crates/demo/src", "xtask/tests/xtask/plain_english.rs"];

#[test]
fn no_phrase_that_readers_have_to_decode_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let mut files = Vec::new();
    gather(root, root, &mut files);
    assert!(files.len() > 300, "only {} files were found below {}", files.len(), root.display());
    let mut found = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            for (phrase, instead) in phrases_in(line) {
                let is_allowed =
                    ALLOWED.iter().any(|(end, part)| name.ends_with(end) && line.contains(part));
                if !is_allowed {
                    found.push(format!(
                        "{name}:{number}: “{phrase}” (write: {instead}): {}",
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} places:\n{}\n", found.len(), found.join("\n"));
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let last = path.file_name().and_then(|last| last.to_str()).unwrap_or_default();
        if SKIPPED.contains(&name.as_str()) || SKIPPED.contains(&last) {
            continue;
        }
        let kind = entry.file_type().expect("a kind");
        let extension = path.extension().and_then(|extension| extension.to_str());
        if kind.is_dir() {
            gather(root, &path, files);
        } else if kind.is_file() && matches!(extension, Some("rs" | "md" | "toml")) {
            files.push(path);
        }
    }
}

/// The phrases of a line that are not part of a longer word or an ordinary turn
/// of speech. An underscore separates words, so that names are read too.
fn phrases_in(line: &str) -> Vec<(&'static str, &'static str)> {
    let text = line.to_lowercase().replace('_', " ");
    let is_word = |character: char| character.is_alphanumeric();
    let found = |(phrase, _): &&(&'static str, &'static str)| {
        text.match_indices(phrase).any(|(start, _)| {
            let (before, after) = (&text[..start], &text[start + phrase.len()..]);
            let is_fine = |table: &[(&str, &str)], fits: &dyn Fn(&str) -> bool| {
                table.iter().any(|(of, around)| of == phrase && fits(around))
            };
            !before.ends_with(is_word)
                && !after.starts_with(is_word)
                && !is_fine(FINE_BEFORE, &|around| before.ends_with(around))
                && !is_fine(FINE_AFTER, &|around| after.starts_with(around))
        })
    };
    PHRASES.iter().filter(found).copied().collect()
}

#[test]
fn phrases_are_found_as_whole_words_in_text_and_in_names() {
    let phrases = |line| phrases_in(line).into_iter().map(|(phrase, _)| phrase).collect::<Vec<_>>();
    assert_eq!(phrases("what was Told here"), ["told"]);
    assert_eq!(phrases("fn files_told_twice()"), ["told"]);
    assert_eq!(phrases("it is no day, whoever asks"), ["whoever", "is no"]);
    assert_eq!(phrases("there is no index, it is no longer there"), Vec::<&str>::new());
    assert_eq!(phrases("a stolduct of so manyfold"), Vec::<&str>::new());
}
