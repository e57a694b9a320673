//! What differs between two folders of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// How many files are shown with their differences, unless another number is named.
pub(super) const SHOWN: usize = 8;

/// The most lines of a difference that are shown.
const LINES: usize = 30;

/// How a text differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Changed,
    OnlyBefore,
    OnlyNow,
}

/// Prints what differs, and fails if anything does.
pub(super) fn report(base: &Path, now: &Path, only: Option<&str>, shown: usize) -> Result<()> {
    let (compared, differences) = compare(base, now, only)?;
    let mut surfaces: BTreeMap<String, usize> = BTreeMap::new();
    for (path, _) in &differences {
        let surface: PathBuf = path.components().take(2).collect();
        *surfaces.entry(surface.display().to_string()).or_default() += 1;
    }
    for (path, difference) in differences.iter().take(shown) {
        match difference {
            Difference::OnlyBefore => println!("\nno longer there: {}", path.display()),
            Difference::OnlyNow => println!("\nnew: {}", path.display()),
            Difference::Changed => {
                println!("\nchanged: {}", path.display());
                print_difference(&base.join(path), &now.join(path))?;
            }
        }
    }
    println!("\n{compared} texts compared, {} differ", differences.len());
    for (surface, count) in &surfaces {
        println!("  {surface}: {count}");
    }
    if differences.is_empty() {
        return Ok(());
    }
    bail!("texts differ; all of them: diff -r {} {}", base.display(), now.display())
}

/// How many texts were compared, and those that differ.
fn compare(
    base: &Path,
    now: &Path,
    only: Option<&str>,
) -> Result<(usize, Vec<(PathBuf, Difference)>)> {
    let is_asked = |path: &PathBuf| only.is_none_or(|only| path.to_string_lossy().contains(only));
    let names = |folder: &Path| -> Result<BTreeSet<PathBuf>> {
        let mut found = BTreeSet::new();
        collect(folder, Path::new(""), &mut found)?;
        found.remove(Path::new(super::texts::COMPLETE));
        Ok(found.into_iter().filter(is_asked).collect())
    };
    let (before, after) = (names(base)?, names(now)?);
    let mut differences = Vec::new();
    for path in before.union(&after) {
        let difference = match (before.contains(path), after.contains(path)) {
            (true, false) => Difference::OnlyBefore,
            (false, _) => Difference::OnlyNow,
            (true, true) if fs::read(base.join(path))? == fs::read(now.join(path))? => continue,
            (true, true) => Difference::Changed,
        };
        differences.push((path.clone(), difference));
    }
    Ok((before.union(&after).count(), differences))
}

fn collect(root: &Path, below: &Path, found: &mut BTreeSet<PathBuf>) -> Result<()> {
    let folder = root.join(below);
    for entry in
        fs::read_dir(&folder).with_context(|| format!("no texts in {}", folder.display()))?
    {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

fn print_difference(before: &Path, now: &Path) -> Result<()> {
    let mut command = Command::new("diff");
    command.args(["--unified=1", "--text"]).arg(before).arg(now);
    let output = command.output().context("cannot start diff")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The first two lines name the files.
    for line in text.lines().skip(2).take(LINES) {
        println!("  {}", line.chars().take(200).collect::<String>());
    }
    let left = text.lines().count().saturating_sub(LINES + 2);
    if left > 0 {
        println!("  … {left} more lines");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_new_and_missing_texts_are_differences() {
        let folder = tempfile::tempdir().unwrap();
        let (base, now) = (folder.path().join("base"), folder.path().join("now"));
        for (root, name, text) in [
            (&base, "demo/cli/a.txt", "1"),
            (&now, "demo/cli/a.txt", "1"),
            (&base, "demo/cli/b.txt", "1"),
            (&now, "demo/cli/b.txt", "2"),
            (&base, "demo/mcp/c.txt", "1"),
            (&now, "demo/web/d.txt", "1"),
            (&base, "complete", ""),
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let (compared, differences) = compare(&base, &now, None).unwrap();
        assert_eq!(compared, 4);
        let found: Vec<Difference> = differences.iter().map(|(_, found)| *found).collect();
        assert_eq!(found, [Difference::Changed, Difference::OnlyBefore, Difference::OnlyNow]);
        assert_eq!(compare(&base, &now, Some("cli/a")).unwrap(), (1, Vec::new()));
    }
}
