//! `cargo xtask dist`: the packages of a release, with checksums, bills of materials, an install
//! script and a Homebrew formula.
//!
//! Each kind of package is a module that turns the same contents into one file. The programs
//! are built here, or come from the machines that built them (`--programs`). Nothing is
//! uploaded.

mod about;
mod build;
mod contents;
mod deb;
mod elf;
mod formats;
mod install_script;
mod npm;
mod sbom;
mod tarball;
mod target;
mod trial;
mod wheel;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use xtask::workspace::Workspace;

use crate::interface::Interface;
use about::About;
use contents::{Contents, InterfaceFiles, sha256};
use formats::Effort;
use install_script::ReleasedArchive;
use target::{CLibrary, GLIBC, TARGETS, Target};

pub(crate) use trial::check;

/// What to make.
#[derive(Debug, Default)]
struct Options {
    targets: Vec<&'static Target>,
    /// A folder with the programs, or with a folder of programs for each platform.
    programs: Option<PathBuf>,
    out: Option<PathBuf>,
    /// Where the files of this release will be downloaded from.
    base_url: Option<String>,
    /// The address of the project, if not that of `Cargo.toml`.
    homepage: Option<String>,
    /// The profile to build in, if not `dist`.
    profile: Option<String>,
    is_trial: bool,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse(arguments)?;
    let workspace = Workspace::locate()?;
    if options.is_trial {
        let programs = options.programs.context("--trial needs --programs DIR")?;
        for line in trial::check(&workspace, &programs)? {
            println!("{line}");
        }
        return Ok(());
    }
    let out = options.out.clone().unwrap_or_else(|| workspace.target.join("packages"));
    let about = About::read(&workspace, options.homepage.as_deref())?;
    let release = Release { workspace: &workspace, out: &out, about, effort: Effort::Most };
    let chosen = programs(&workspace, &options)?;
    for (target, folder) in &chosen {
        check_c_library(target, folder)?;
    }
    let files = release.make(&chosen, options.base_url.as_deref())?;
    for file in files {
        println!("{}", out.join(file).display());
    }
    Ok(())
}

fn parse(arguments: &[OsString]) -> Result<Options> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value =
            || words.next().with_context(|| format!("{} needs a value", word.display()));
        let text = |value: &OsString| {
            value
                .to_str()
                .map(str::to_owned)
                .with_context(|| format!("{} is not text", value.display()))
        };
        match word.to_str() {
            Some("--target") => options.targets.push(Target::find(&text(value()?)?)?),
            Some("--programs") => options.programs = Some(value()?.into()),
            Some("--out") => options.out = Some(value()?.into()),
            Some("--base-url") => options.base_url = Some(text(value()?)?),
            Some("--homepage") => options.homepage = Some(text(value()?)?),
            Some("--profile") => options.profile = Some(text(value()?)?),
            Some("--trial") => options.is_trial = true,
            _ => bail!("dist does not know {}", word.display()),
        }
    }
    for address in options.base_url.iter().chain(&options.homepage) {
        install_script::check_address(address)?;
    }
    Ok(options)
}

/// The platforms to package, each with the folder of its programs.
fn programs(workspace: &Workspace, options: &Options) -> Result<Vec<(&'static Target, PathBuf)>> {
    let Some(folder) = &options.programs else {
        let targets = if options.targets.is_empty() {
            vec![Target::host()?]
        } else {
            options.targets.clone()
        };
        let profile = options.profile.as_deref().unwrap_or(build::PROFILE);
        let build =
            |target: &'static Target| Ok((target, build::build(workspace, target, profile)?));
        return targets.into_iter().map(build).collect();
    };
    let is_wanted =
        |target: &&Target| options.targets.is_empty() || options.targets.contains(target);
    let found: Vec<(&Target, PathBuf)> = TARGETS
        .iter()
        .filter(is_wanted)
        .map(|target| (target, folder.join(target.triple)))
        .filter(|(_, folder)| folder.is_dir())
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    match options.targets.as_slice() {
        [] => Ok(vec![(Target::host()?, folder.clone())]),
        [one] => Ok(vec![(*one, folder.clone())]),
        _ => bail!("{} has no folder for each platform", folder.display()),
    }
}

/// Checks that programs need no newer C library than their packages promise.
fn check_c_library(target: &Target, folder: &Path) -> Result<()> {
    for program in contents::PROGRAMS {
        let path = folder.join(program);
        let cannot = || format!("cannot check {}", path.display());
        if target.c_library == CLibrary::System {
            continue;
        }
        let bytes = fs::read(&path).with_context(cannot)?;
        let versions = elf::glibc_versions(&bytes).with_context(cannot)?;
        let shown = path.display();
        match (target.c_library, versions.last()) {
            (CLibrary::Static, Some(_)) => bail!("{shown} is not static: it needs glibc"),
            (CLibrary::Glibc, Some((major, minor))) if (*major, *minor) > GLIBC => {
                bail!(
                    "{shown} needs glibc {major}.{minor}, and packages promise {}.{}",
                    GLIBC.0,
                    GLIBC.1
                )
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a program starts on this machine.
fn runs_here(program: &Path) -> bool {
    Interface::of(program).and_then(|interface| interface.ask(&["--version"])).is_ok()
}

/// A release in the making.
#[derive(Debug)]
struct Release<'a> {
    workspace: &'a Workspace,
    out: &'a Path,
    about: About,
    effort: Effort,
}

impl Release<'_> {
    /// A program that runs here, to print manual pages and completions: one of those to package,
    /// or one that is built for this.
    fn program_to_ask(&self, programs: &[(&'static Target, PathBuf)]) -> Result<PathBuf> {
        let candidates = programs.iter().map(|(_, folder)| folder.join("annals"));
        match candidates.into_iter().find(|program| runs_here(program)) {
            Some(program) => Ok(program),
            None => Ok(self.workspace.build_programs()?.join("annals")),
        }
    }

    /// Makes all files and returns their names.
    fn make(
        &self,
        programs: &[(&'static Target, PathBuf)],
        base_url: Option<&str>,
    ) -> Result<Vec<String>> {
        let version = &self.about.version;
        fs::create_dir_all(self.out)
            .with_context(|| format!("cannot create {}", self.out.display()))?;
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let mut archives = Vec::new();
        let mut notes = Vec::new();
        let interface = InterfaceFiles::of(&self.program_to_ask(programs)?)?;
        for (target, folder) in programs {
            let root = &self.workspace.root;
            let (about, effort) = (&self.about, self.effort);
            let contents = Contents::read(root, folder, target, &interface, about, effort)?;
            let (name, archive) = tarball::pack(&contents)?;
            archives.push(ReleasedArchive { triple: target.triple, checksum: sha256(&archive) });
            files.push((name, archive));
            files.extend(deb::pack(&contents)?);
            files.push(npm::pack_platform(&contents)?);
            files.push(wheel::pack(&contents)?);
            let bill = sbom::write(self.workspace, target.triple)?.into_bytes();
            files.push((format!("annals-{version}-{}.cdx.json", target.triple), bill));
            notes = contents.notes;
        }
        let targets: Vec<&Target> = programs.iter().map(|(target, _)| *target).collect();
        files.push(npm::pack_launcher(&self.about, &targets, &notes, self.effort)?);
        if let Some(base_url) = base_url {
            let script = install_script::write(version, base_url, &archives)?;
            files.push(("install.sh".to_owned(), script.into_bytes()));
            let formula = install_script::write_formula(&self.about, base_url, &archives)?;
            files.push(("annals.rb".to_owned(), formula.into_bytes()));
        }
        files.sort();
        let mut sums = String::new();
        for (name, bytes) in &files {
            sums += &format!("{}  {name}\n", sha256(bytes));
        }
        files.push(("SHA256SUMS".to_owned(), sums.into_bytes()));
        for (name, bytes) in &files {
            let path = self.out.join(name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_ascii_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn wrong_arguments_are_named() {
        let table = [
            ("--target", "--target needs a value"),
            ("--target mips", "annals is not packaged for mips"),
            ("--base-url http://x", "is not a plain HTTPS address"),
            ("--fast", "dist does not know --fast"),
        ];
        for (arguments, expected) in table {
            let error = parse(&words(arguments)).unwrap_err().to_string();
            assert!(error.contains(expected), "{arguments}: {error}");
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_program_that_needs_a_new_glibc_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = std::env::current_exe().expect("a program");
        for program in contents::PROGRAMS {
            std::os::unix::fs::symlink(&own, folder.path().join(program)).expect("a link");
        }
        let check = |triple: &str| {
            let target = Target::find(triple).expect("a platform");
            check_c_library(target, folder.path()).map_err(|error| error.to_string())
        };
        let bytes = fs::read(&own).expect("bytes");
        let newest = elf::glibc_versions(&bytes).expect("an ELF").last().copied();
        let result = check("x86_64-unknown-linux-gnu");
        assert_eq!(result.is_err(), newest.is_some_and(|newest| newest > GLIBC), "{result:?}");
        assert!(check("x86_64-unknown-linux-musl").is_err_and(|it| it.contains("is not static")));
    }
}
