//! `cargo xtask apps`: compares annals' readers of other coding agents with the programs
//! themselves.
//!
//! The pinned programs are downloaded below the target folder (`programs`) and asked through
//! the scripts next to the workspace (`scripts`): about the stored corpora, and about sessions
//! that they write here, with a model on loopback whose ledger says what every call used
//! (`model`). All of it happens on copies and in made-up homes. What cannot be had is skipped
//! and named, and the task succeeds, so that it can run anywhere.
//!
//! Deliberately not here: how annals shows sessions. The readers' entries are compared.

mod app_server;
mod codex;
mod copilot;
mod findings;
mod gemini;
mod grow;
mod model;
mod opencode;
mod pi;
mod programs;
mod runner;
mod scripts;
mod vocabulary;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use xtask::workspace::Workspace;

use findings::Findings;
use programs::Programs;
use scripts::Scripts;

/// Sessions of the other agents, next to the workspace.
const CORPUS: &str = "../shared/corpus";

/// The scripts that ask the programs, next to the workspace.
const SCRIPTS: &str = "../shared/tools/agents";

/// A comparison with one program.
type Comparison = fn(&Bench<'_>, &mut Findings) -> Result<()>;

/// The comparisons, in the order in which they run.
const COMPARISONS: [(&str, Comparison); 5] = [
    ("codex", codex::compare),
    ("opencode", opencode::compare),
    ("copilot", copilot::compare),
    ("gemini", gemini::compare),
    ("pi", pi::compare),
];

/// What the comparisons work with.
struct Bench<'a> {
    scripts: &'a Scripts,
    programs: &'a Programs,
    /// The stored corpora, unless only generated sessions are asked for.
    corpus: Option<PathBuf>,
    /// A folder for what the comparisons write, emptied at the start and kept afterwards, so
    /// that differences can be examined.
    work: PathBuf,
}

impl Bench<'_> {
    /// A corpus, or `None` with a note if it is not there.
    fn corpus(&self, name: &str) -> Option<PathBuf> {
        let folder = self.corpus.as_ref()?.join(name);
        if folder.is_dir() {
            return Some(folder);
        }
        println!("skipped: the corpus {name}, because {} is missing", folder.display());
        None
    }

    /// An empty folder for one purpose.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse_options(arguments)?;
    let workspace = Workspace::locate()?;
    if let Some(home) = &options.grow {
        let corpus = workspace.root.join(CORPUS).join("codex");
        return grow::grow(&corpus, home, options.megabytes * 1_000_000);
    }
    let scripts = match Scripts::locate(&workspace.root.join(SCRIPTS)) {
        Ok(scripts) => scripts,
        Err(missing) => {
            println!("skipped: everything, because {missing}");
            return Ok(());
        }
    };
    let folder = workspace.target.join("apps");
    let programs = Programs::new(folder.clone());
    let bench = Bench {
        scripts: &scripts,
        programs: &programs,
        corpus: (!options.is_generated_only).then(|| workspace.root.join(CORPUS)),
        work: folder.join("work"),
    };
    fs::create_dir_all(&bench.work)
        .with_context(|| format!("cannot create {}", bench.work.display()))?;
    let mut findings = Findings::default();
    for (name, compare) in COMPARISONS {
        if options.only.as_deref().is_none_or(|only| only == name) {
            compare(&bench, &mut findings)
                .with_context(|| format!("the comparison with {name} could not be made"))?;
        }
    }
    match findings.differences() {
        0 => Ok(()),
        count => bail!("annals and the programs differ in {count} places, printed above"),
    }
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// The one app to compare.
    only: Option<String>,
    /// Leave the stored corpora out.
    is_generated_only: bool,
    /// Grow a home of Codex here, instead of comparing.
    grow: Option<PathBuf>,
    /// Its size.
    megabytes: u64,
}

fn parse_options(arguments: &[OsString]) -> Result<Options> {
    let names = COMPARISONS.map(|(name, _)| name);
    let mut options = Options { only: None, is_generated_only: false, grow: None, megabytes: 500 };
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        match &*flag.to_string_lossy() {
            "--generated" => options.is_generated_only = true,
            "--only" => {
                let name = rest.next().context("--only needs a value")?.to_string_lossy();
                if !names.contains(&&*name) {
                    bail!("unknown app {name}: apps compares {}", names.join(", "));
                }
                options.only = Some(name.into_owned());
            }
            "--grow" => options.grow = Some(rest.next().context("--grow needs a folder")?.into()),
            "--megabytes" => {
                let value = rest.next().context("--megabytes needs a number")?.to_string_lossy();
                options.megabytes =
                    value.parse().with_context(|| format!("{value} is not a whole number"))?;
            }
            flag => bail!(
                "unknown option {flag}: apps takes --only, --generated, --grow and --megabytes"
            ),
        }
    }
    Ok(options)
}

/// The files below a folder, with their paths from there, in order.
fn files_below(root: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(name) = path.strip_prefix(root)?.to_str() {
                files.push((name.to_owned(), path));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Copies a folder with everything in it.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for (name, path) in files_below(from)? {
        let copy = to.join(name);
        if let Some(parent) = copy.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::copy(&path, &copy).with_context(|| format!("cannot copy {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_app_can_be_asked_for() {
        let parsed =
            |words: &[&str]| parse_options(&words.iter().map(OsString::from).collect::<Vec<_>>());
        let options = parsed(&["--only", "gemini", "--generated"]).expect("options");
        assert_eq!(options.only.as_deref(), Some("gemini"));
        assert!(options.is_generated_only);
        for wrong in [&["--only"][..], &["--only", "goose"], &["gemini"]] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }
}
