//! What a program of annals prints about its own command line: reference, manual pages and
//! completions.
//!
//! Deliberately not here: which of it is committed (`generate`) and what packages hold (`dist`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;
use xtask::workspace::shown;

/// Shells, with the names of their files of completions.
const SHELLS: [(&str, &str); 3] =
    [("bash", "annals.bash"), ("fish", "annals.fish"), ("zsh", "_annals")];

/// A file's name and content.
pub(crate) type NamedText = (String, Vec<u8>);

/// A program that is asked in an empty home.
#[derive(Debug)]
pub(crate) struct Interface {
    program: PathBuf,
    home: EmptyHome,
}

impl Interface {
    pub(crate) fn of(program: &Path) -> Result<Self> {
        Ok(Self { program: program.to_owned(), home: EmptyHome::new()? })
    }

    /// What the program prints for these arguments.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        self.home.clear_environment(&mut command);
        let output =
            command.output().with_context(|| format!("cannot start {}", self.program.display()))?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            bail!("{} ended with {}:\n{error}", shown(&command), output.status);
        }
        if output.stdout.is_empty() {
            bail!("{} printed nothing", shown(&command));
        }
        Ok(output.stdout)
    }

    /// A manual page for the program and for each of its commands.
    pub(crate) fn manual(&self) -> Result<Vec<NamedText>> {
        let commands = self.ask(&["reference", "--commands"])?;
        let mut pages = vec![("annals.1".to_owned(), self.ask(&["man"])?)];
        for command in command_names(&commands)? {
            pages.push((format!("annals-{command}.1"), self.ask(&["man", &command])?));
        }
        pages.sort();
        Ok(pages)
    }

    /// The completions for every shell.
    pub(crate) fn completions(&self) -> Result<Vec<NamedText>> {
        let of_shell = |(shell, name): (&str, &str)| {
            Ok((name.to_owned(), self.ask(&["completions", "--static", shell])?))
        };
        SHELLS.into_iter().map(of_shell).collect()
    }
}

fn command_names(listing: &[u8]) -> Result<Vec<String>> {
    let listing = str::from_utf8(listing).context("the listing of commands is not UTF-8")?;
    let names: Vec<String> = listing.lines().map(str::to_owned).collect();
    for name in &names {
        if !is_plain(name) {
            bail!("annals reference --commands lists {name:?}, which is not a command name");
        }
    }
    Ok(names)
}

/// Whether a name can be a file's: anything else is refused.
pub(crate) fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_leave_the_folder_are_refused() {
        assert_eq!(command_names(b"ls\narchive-ls\n").expect("names"), ["ls", "archive-ls"]);
        for listing in ["../ls", "ls x", "", "LS"] {
            let listing = format!("show\n{listing}\n");
            assert!(command_names(listing.as_bytes()).is_err(), "{listing:?}");
        }
    }
}
