//! The texts of a program: a file for each answer, without what differs from run to run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use anyhow::{Context as _, Result};

use super::stores::{GoldenStore, Program};

/// The file that says that all texts are there.
pub(super) const COMPLETE: &str = "complete";

/// The longest name of a file; the rest of longer ones is a number.
const LONGEST_NAME: usize = 150;

/// Members of documents that tell how long something took, or which process answered.
const VARYING_NUMBERS: &[&str] = &["\"took_ms\":", "\"process_id\":"];
const VARYING_TEXTS: &[&str] = &["\"process\":"];

/// A folder of texts.
pub(super) struct Texts {
    folder: PathBuf,
    only: Option<String>,
}

impl Texts {
    /// Begins with an empty folder.
    pub(super) fn begin(folder: &Path, only: Option<&str>) -> Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        fs::create_dir_all(folder)?;
        Ok(Self { folder: folder.to_owned(), only: only.map(str::to_owned) })
    }

    pub(super) fn of_store(&self, store: &GoldenStore, program: &Program<'_>) -> StoreTexts<'_> {
        let known = [(&*store.folder, "STORE"), (program.home(), "HOME")];
        let replaced = known.map(|(path, name)| (path.to_string_lossy().into_owned(), name));
        StoreTexts { texts: self, store: store.name.clone(), replaced: replaced.into() }
    }

    pub(super) fn complete(&self) -> Result<()> {
        fs::write(self.folder.join(COMPLETE), "").context("cannot finish the texts")
    }
}

/// The texts about one store.
pub(super) struct StoreTexts<'t> {
    texts: &'t Texts,
    store: String,
    /// Paths and the names that stand for them.
    replaced: Vec<(String, &'static str)>,
}

impl StoreTexts<'_> {
    /// The file of an answer, unless it is not asked for.
    pub(super) fn path(&self, surface: &str, name: &str) -> Option<PathBuf> {
        let path = Path::new(&self.store).join(surface).join(file_name(name));
        let is_asked = |only: &String| path.to_string_lossy().contains(only.as_str());
        let is_asked = self.texts.only.as_ref().is_none_or(is_asked);
        is_asked.then(|| self.texts.folder.join(path))
    }

    /// Writes an answer.
    pub(super) fn write(&self, path: &Path, text: &str) -> Result<()> {
        let folder = path.parent().context("a folder")?;
        fs::create_dir_all(folder)?;
        let mut text = text.to_owned();
        for (known, name) in &self.replaced {
            text = text.replace(known, name);
        }
        fs::write(path, without_varying(&text))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes what a call of the program printed, and how it ended.
    pub(super) fn write_output(&self, path: &Path, output: &Output) -> Result<()> {
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.stderr.is_empty() {
            text += &format!("\n--- errors\n{}", String::from_utf8_lossy(&output.stderr));
        }
        if !output.status.success() {
            text += &format!("\n--- {}\n", output.status);
        }
        self.write(path, &text)
    }
}

/// The arguments or address as a file name.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.@".contains(c) { c } else { '+' };
    let mut plain: String = name.chars().map(plain).collect();
    if plain.len() > LONGEST_NAME {
        let number = name
            .bytes()
            .fold(0_u64, |number, byte| number.wrapping_mul(31).wrapping_add(u64::from(byte)));
        plain.truncate(LONGEST_NAME);
        plain += &format!("-{number:x}");
    }
    plain + ".txt"
}

/// The text without figures of the run itself.
fn without_varying(text: &str) -> String {
    let mut text = text.to_owned();
    for member in VARYING_NUMBERS {
        text = replace_after(&text, member, |c| c.is_ascii_digit() || c == ' ');
    }
    for member in VARYING_TEXTS {
        text = replace_after(&text, member, |c| c != ',' && c != '\n' && c != '}');
    }
    text
}

/// Replaces what follows each `member` by `…`, as far as `is_value` holds.
pub(super) fn replace_after(text: &str, member: &str, is_value: impl Fn(char) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(member) {
        let (before, after) = rest.split_at(at + member.len());
        result.push_str(before);
        result.push('…');
        rest = after.trim_start_matches(&is_value);
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_different() {
        assert_eq!(file_name("ls --json"), "ls+--json.txt");
        let long = |last: &str| file_name(&format!("{}{last}", "x".repeat(200)));
        assert!(long("a").len() < 200);
        assert_ne!(long("a"), long("b"));
    }

    #[test]
    fn figures_of_a_run_are_left_out() {
        let text = "{\"took_ms\": 12,\"total\":3,\"process\":\"ab12\",\"hits\":[]}";
        let expected = "{\"took_ms\":…,\"total\":3,\"process\":…,\"hits\":[]}";
        assert_eq!(without_varying(text), expected);
    }
}
