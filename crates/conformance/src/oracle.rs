//! `cargo xtask oracle`: compares what annals and the official TypeScript Agent SDK list and
//! read in the same stores, and the titles and tags that both write.
//!
//! The SDK is a reference for development only: it is downloaded into the target folder
//! and run, never copied into the repository. If it is not available, the task prints
//! SKIPPED and succeeds, so that it can be part of `test`. Intended differences are
//! described in `docs/listing.md` and do not occur in the generated stores.

mod cases;
mod compare;
mod graphs;
mod half_surrogates;
mod line;
mod made_up;
mod messages;
mod naming;
mod random;
mod reader;
mod restored;
mod store;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use xtask::workspace::Workspace;

use reader::{Availability, Readers};
use store::Store;

/// Real transcripts, if they are checked out next to the workspace.
const CORPUS: &str = "../shared/corpus/claude";

/// The default number of random stores.
const MADE_UP: u64 = 20;

#[derive(Debug, PartialEq, Eq)]
struct Options {
    stores: Vec<PathBuf>,
    made_up: Option<u64>,
    seed: u64,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse_options(arguments)?;
    compare_stores(&Workspace::locate()?, &options)
}

/// Writes stores with odd conversations: the named cases, and random graphs.
pub(crate) fn write_conversations(folder: &Path, random: u64) -> Result<()> {
    cases::conversations().write(&folder.join("conversations"))?;
    for seed in 1..=random {
        graphs::make(seed).write(&folder.join(format!("graphs-{seed}")))?;
    }
    Ok(())
}

fn compare_stores(workspace: &Workspace, options: &Options) -> Result<()> {
    let readers = match Readers::prepare(workspace)? {
        Availability::Ready(readers) => readers,
        Availability::Missing(reason) => {
            println!("SKIPPED: {reason}");
            return Ok(());
        }
    };
    let mut differences = 0;
    for store in &stores(workspace, options)? {
        differences += compare_store(&readers, store, &BTreeMap::new(), Compared::Everything)?;
    }
    // Stores are not removed, so that differences can be examined.
    let made = readers.folder().join("stores");
    for store in &stores(workspace, options)? {
        let comparison = restored::compare(&readers, store, &made.join("restored"))
            .with_context(|| format!("cannot archive and restore {}", store.display()))?;
        let title = format!("{}, archived and restored", store.display());
        differences += report(&title, "conversations", &comparison);
        differences += compare_names(&readers, store, &made.join("named"))?;
    }
    if options.stores.is_empty() || options.made_up.is_some() {
        let count = options.made_up.unwrap_or(MADE_UP);
        let mut compare = |name: String, store: &Store, compared| -> Result<()> {
            let root = made.join(name);
            store.write(&root)?;
            differences += compare_store(&readers, &root, &store.names(), compared)?;
            Ok(())
        };
        compare("cases".to_owned(), &cases::make(), Compared::Everything)?;
        compare("conversations".to_owned(), &cases::conversations(), Compared::Messages)?;
        for seed in (options.seed..).take(usize::try_from(count)?) {
            compare(format!("seed-{seed}"), &made_up::make(seed), Compared::Everything)?;
            compare(format!("graphs-{seed}"), &graphs::make(seed), Compared::Messages)?;
        }
        differences += compare_names(&readers, &made.join("cases"), &made.join("named-cases"))?;
    }
    if differences > 0 {
        bail!(
            "annals and the official reader differ in {differences} places: fix annals, or \
             describe an intended difference in docs/listing.md and leave it out of the stores"
        );
    }
    Ok(())
}

/// Has both tools give titles and tags to copies of a store's sessions, and compares the
/// results and the lists of both readers.
fn compare_names(readers: &Readers, store: &Path, folder: &Path) -> Result<usize> {
    let comparison = naming::compare(readers, store, folder)
        .with_context(|| format!("cannot name copies of {}", store.display()))?;
    let title = format!("{}, named by both", store.display());
    let differences = report(&title, "sessions", &comparison);
    let annals = folder.join("annals");
    Ok(differences + compare_store(readers, &annals, &BTreeMap::new(), Compared::Everything)?)
}

/// The existing stores to compare.
fn stores(workspace: &Workspace, options: &Options) -> Result<Vec<PathBuf>> {
    let corpus = workspace.root.join(CORPUS);
    let stores = match &options.stores[..] {
        [] if corpus.is_dir() => vec![corpus],
        given => given.to_vec(),
    };
    let absolute = |store: &PathBuf| {
        fs::canonicalize(store)
            .with_context(|| format!("cannot open the store {}", store.display()))
    };
    stores.iter().map(absolute).collect()
}

/// Which parts of a store are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    Everything,
    /// Only messages: some lines are known to give different lists.
    Messages,
}

fn compare_store(
    readers: &Readers,
    root: &Path,
    names: &BTreeMap<String, String>,
    compared: Compared,
) -> Result<usize> {
    let official = readers.official(root)?;
    let mut comparisons = Vec::new();
    if compared == Compared::Everything {
        let comparison = compare::compare(&readers.annals(root)?, &official.sessions, names)
            .with_context(|| format!("cannot compare the lists of {}", root.display()))?;
        comparisons.push(("sessions", comparison));
    }
    let comparison = messages::compare(root, &official.details, names)
        .with_context(|| format!("cannot compare the messages of {}", root.display()))?;
    comparisons.push(("conversations", comparison));
    let mut differences = 0;
    for (subject, comparison) in comparisons {
        differences += report(&root.display().to_string(), subject, &comparison);
    }
    Ok(differences)
}

/// Prints the differences, and returns their number.
fn report(title: &str, subject: &str, comparison: &compare::Comparison) -> usize {
    for difference in &comparison.differences {
        println!("{difference}");
    }
    let (count, found) = (comparison.count, comparison.differences.len());
    println!("{title}: {count} {subject}, {found} differences");
    found
}

fn parse_options(arguments: &[OsString]) -> Result<Options> {
    let mut options = Options { stores: Vec::new(), made_up: None, seed: 1 };
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let flag = flag.to_string_lossy();
        let mut value = || rest.next().with_context(|| format!("{flag} needs a value"));
        let number = |value: &OsString| -> Result<u64> {
            let text = value.to_string_lossy();
            text.parse().with_context(|| format!("{flag} needs a whole number, not {text}"))
        };
        match &*flag {
            "--store" => options.stores.push(value()?.into()),
            "--made-up" => options.made_up = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            _ => bail!("unknown option {flag}: oracle takes --store, --made-up and --seed"),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Options> {
        parse_options(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn stores_add_up_and_numbers_are_checked() {
        let options = parsed(&["--store", "a", "--seed", "9", "--store", "b"]).expect("options");
        let stores = vec![PathBuf::from("a"), PathBuf::from("b")];
        assert_eq!(options, Options { stores, made_up: None, seed: 9 });
        for wrong in [&["--seed"][..], &["--made-up", "x"], &["--nothing"]] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }
}
