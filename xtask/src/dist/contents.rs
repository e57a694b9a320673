//! What every package holds: both programs, manual pages, completions, licences and notes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::about::About;
use super::formats::{Effort, PackedFile};
use super::target::Target;
use crate::interface::{Interface, NamedText};

/// The programs of a package. `annals` starts `annals-lake`, which it looks for beside itself.
pub(crate) const PROGRAMS: [&str; 2] = ["annals", "annals-lake"];

/// The programs of one platform, and everything beside them.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) target: &'static Target,
    pub(crate) about: About,
    pub(crate) effort: Effort,
    /// The programs by name.
    pub(crate) programs: Vec<PackedFile>,
    /// The manual pages by name.
    pub(crate) manual: Vec<PackedFile>,
    /// The completions by name.
    pub(crate) completions: Vec<PackedFile>,
    /// Licences, the README and the changelog.
    pub(crate) notes: Vec<PackedFile>,
}

impl Contents {
    /// Reads the programs of a platform from a folder, and the notes from the repository.
    pub(crate) fn read(
        root: &Path,
        programs: &Path,
        target: &'static Target,
        interface: &InterfaceFiles,
        about: &About,
        effort: Effort,
    ) -> Result<Contents> {
        let read = |path: PathBuf| {
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let program = |name: &str| -> Result<PackedFile> {
            let content = read(programs.join(name))?;
            Ok(PackedFile { path: name.to_owned(), content, is_program: true })
        };
        let note = |name: &str| Ok(PackedFile::text(name, read(root.join(name))?));
        Ok(Contents {
            target,
            about: about.clone(),
            effort,
            programs: PROGRAMS.into_iter().map(program).collect::<Result<_>>()?,
            manual: interface.manual.clone(),
            completions: interface.completions.clone(),
            notes: ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"]
                .into_iter()
                .map(note)
                .collect::<Result<_>>()?,
        })
    }

    /// The files in the folders of a Unix prefix.
    pub(crate) fn in_prefix(&self) -> Vec<PackedFile> {
        let mut files: Vec<PackedFile> =
            self.programs.iter().map(|program| program.below("bin")).collect();
        files.extend(self.manual.iter().map(|page| page.below("share/man/man1")));
        files.extend(self.completions.iter().map(|file| PackedFile {
            path: format!("share/{}", completion_path(&file.path)),
            ..file.clone()
        }));
        files.extend(self.notes.iter().map(|note| note.below("share/doc/annals")));
        files
    }
}

/// Where a shell looks for a completion, below `share`.
fn completion_path(name: &str) -> &'static str {
    match name {
        "_annals" => "zsh/site-functions/_annals",
        "annals.fish" => "fish/vendor_completions.d/annals.fish",
        _ => "bash-completion/completions/annals",
    }
}

/// What a program prints about its command line, for all platforms.
#[derive(Debug)]
pub(crate) struct InterfaceFiles {
    manual: Vec<PackedFile>,
    completions: Vec<PackedFile>,
}

impl InterfaceFiles {
    pub(crate) fn of(program: &Path) -> Result<Self> {
        let interface = Interface::of(program)?;
        let packed = |texts: Vec<NamedText>| {
            texts.into_iter().map(|(name, text)| PackedFile::text(name, text)).collect()
        };
        Ok(Self {
            manual: packed(interface.manual()?),
            completions: packed(interface.completions()?),
        })
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
pub(crate) fn made_up(triple: &str) -> Contents {
    let program = |name: &str| PackedFile {
        path: name.to_owned(),
        content: format!("#!/bin/sh\necho {name} 1.2.3\n").into_bytes(),
        is_program: true,
    };
    Contents {
        target: Target::find(triple).expect("a platform"),
        about: super::about::made_up(),
        effort: Effort::Least,
        programs: PROGRAMS.map(program).to_vec(),
        manual: vec![PackedFile::text("annals.1", ".TH annals 1\n")],
        completions: ["_annals", "annals.bash", "annals.fish"]
            .map(|name| PackedFile::text(name, "x"))
            .to_vec(),
        notes: vec![PackedFile::text("LICENSE-MIT", "free"), PackedFile::text("README.md", "read")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_has_everything_where_programs_look_for_it() {
        let paths: Vec<String> = made_up("x86_64-unknown-linux-gnu")
            .in_prefix()
            .into_iter()
            .map(|file| file.path)
            .collect();
        assert_eq!(
            paths,
            [
                "bin/annals",
                "bin/annals-lake",
                "share/man/man1/annals.1",
                "share/zsh/site-functions/_annals",
                "share/bash-completion/completions/annals",
                "share/fish/vendor_completions.d/annals.fish",
                "share/doc/annals/LICENSE-MIT",
                "share/doc/annals/README.md",
            ]
        );
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
