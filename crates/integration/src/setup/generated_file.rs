//! Files that annals generates in folders of other programs.
//!
//! Each file ends with a line that says so and contains a hash of the text before it.
//! Setup never changes a file that somebody has edited.

use super::step::Step;
use amend::{ObservedFile, ReplaceError, make_folders};
use std::path::{Path, PathBuf};

/// The beginning of the last line, within a comment.
const MARK: &str = "Written by `annals setup`, which replaces it unless it is edited: ";

/// The beginning and end of a comment.
pub(super) struct Comment(pub(super) &'static str, pub(super) &'static str);

/// A file that annals generates.
#[derive(Debug)]
pub(super) struct GeneratedFile {
    pub(super) path: PathBuf,
    text: String,
    mode: u32,
}

impl GeneratedFile {
    pub(super) fn new(path: PathBuf, text: &str, comment: &Comment, mode: u32) -> Self {
        let text = format!("{text}{}{MARK}{}{}\n", comment.0, hash(text), comment.1);
        GeneratedFile { path, text, mode }
    }

    /// Proposes to write or remove it.
    pub(super) fn propose(&self, step: &mut Step, is_removal: bool) {
        step.add_path(&self.path);
        let seen = match ObservedFile::read(&self.path) {
            Ok(seen) => seen,
            Err(error) => return step.refuse(error.to_string()),
        };
        let Some(bytes) = &seen.bytes else {
            if !is_removal {
                step.plan();
                step.add_diff(&self.path, None, Some(&self.text));
            }
            return;
        };
        let there = str::from_utf8(bytes).ok();
        let path = self.path.display();
        match (is_removal, there.filter(|text| is_ours(text))) {
            (false, None) => {
                step.refuse(format!("{path} exists and was not written by annals, or was edited"));
            }
            (false, Some(text)) if text == self.text => {}
            (false, Some(text)) => {
                step.plan();
                step.add_diff(&self.path, Some(text), Some(&self.text));
            }
            (true, Some(text)) => {
                step.plan();
                step.add_diff(&self.path, Some(text), None);
            }
            (true, None) => {
                step.detail =
                    format!("{path} was not written by annals, or was edited: not removed");
            }
        }
    }

    /// Writes it; returns the folders that were created for it.
    pub(super) fn write(&self) -> Result<Vec<PathBuf>, ReplaceError> {
        let made = make_folders(self.path.parent().unwrap_or(Path::new("/")))?;
        let seen = ObservedFile::read(&self.path)?;
        if is_foreign(&seen) {
            return Err(ReplaceError::Changed(self.path.clone()));
        }
        if seen.bytes.as_deref() != Some(self.text.as_bytes()) {
            seen.replace(self.text.as_bytes(), self.mode)?;
        }
        Ok(made)
    }

    /// Removes it, unless it was edited or annals did not write it.
    pub(super) fn remove(&self) -> Result<(), ReplaceError> {
        let seen = ObservedFile::read(&self.path)?;
        if is_foreign(&seen) { Ok(()) } else { seen.remove() }
    }
}

fn is_foreign(seen: &ObservedFile) -> bool {
    let bytes = seen.bytes.as_deref();
    bytes.is_some_and(|bytes| !str::from_utf8(bytes).is_ok_and(is_ours))
}

/// Whether annals wrote the text, and nobody has edited it.
fn is_ours(text: &str) -> bool {
    let Some(body) = text.strip_suffix('\n') else { return false };
    let start = body.rfind('\n').map_or(0, |end| end + 1);
    let (before, last) = text.split_at(start);
    let Some((_, rest)) = last.split_once(MARK) else { return false };
    rest.starts_with(&hash(before))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_ours_until_it_is_edited() {
        for comment in [Comment("<!-- ", " -->"), Comment("# ", "")] {
            let file = GeneratedFile::new(PathBuf::new(), "one\ntwo\n", &comment, 0o644);
            assert!(is_ours(&file.text));
            assert!(is_ours(&GeneratedFile::new(PathBuf::new(), "", &comment, 0o644).text));
            for edited in ["one\r\ntwo\n", "", "one", "one\ntwo\n", "\n"] {
                assert!(!is_ours(edited));
            }
            assert!(!is_ours(&file.text.replace("two", "three")));
            assert!(!is_ours(&(file.text.clone() + "more\n")));
            assert!(!is_ours(file.text.trim_end()));
        }
    }
}
