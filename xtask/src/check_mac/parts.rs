//! The parts that a check for macOS needs on another platform: the sources of the standard
//! library and a compiler for the C code of dependencies.
//!
//! Both are put into the target folder, whole or not at all, and are used again by the next
//! run. Their versions and hashes are pinned here. The sources of packages are those that the
//! machine is set up with (apt's list of mirrors, pip's index).

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fmt, fs, io};

use sha2::{Digest as _, Sha256};
use xtask::workspace::{Workspace, shown};

/// The version of Rust whose library sources are pinned. They fit no other version.
const RUST: &str = "1.95.0";
/// The Debian package with these sources, its place below a mirror, and its SHA-256.
const SOURCES: &str = "rust-src_1.95.0+dfsg1-2~bpo13+1_all.deb";
const SOURCES_FOLDER: &str = "pool/main/r/rustc";
const SOURCES_HASH: &str = "7b76db5b880a77f9e52975d2baa6209d2f76d2c9c2789515c3088cb960e2c83b";

/// The compiler and cargo's way to it, for Linux on x86-64 and ARM.
const COMPILER: &str = "\
ziglang==0.17.0 \
 --hash=sha256:97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b \
 --hash=sha256:d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3
cargo-zigbuild==0.24.0 \
 --hash=sha256:484412e39e4c6039474535ce97ee75a22bab22d58233056f8ec8a8f9034bb957 \
 --hash=sha256:6942e4320f7b05d8fb29e0a8ce5670bcbb3d254275100b85b5b7c86552f9a744
";

/// A part that cannot be had here, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing(String);

impl Missing {
    pub(crate) fn new(part: &str, reason: impl Display) -> Self {
        Self(format!("{part} is missing ({reason})"))
    }
}

impl Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The compiler that cargo uses in this workspace.
pub(crate) struct Rustc {
    sysroot: PathBuf,
    version: String,
    /// The platform it runs on.
    pub(crate) host: String,
}

impl Rustc {
    pub(crate) fn find(workspace: &Workspace) -> Result<Self, Missing> {
        let ask = |arguments: &[&str]| {
            let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            output(Command::new(program).current_dir(&workspace.root).args(arguments))
                .map_err(|reason| Missing::new("rustc", reason))
        };
        let about = ask(&["-vV"])?;
        let field = |name: &str| {
            let value = about.lines().find_map(|line| line.strip_prefix(name));
            value.map(|value| value.trim().to_owned()).unwrap_or_default()
        };
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?.trim());
        Ok(Self { sysroot, version: field("release:"), host: field("host:") })
    }

    /// Whether the compiled standard library for this platform is installed.
    pub(crate) fn has_standard_library(&self, target: &str) -> bool {
        let folder = self.sysroot.join("lib/rustlib").join(target).join("lib");
        fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
    }

    /// Whether the sources of the standard library are installed.
    pub(crate) fn has_sources(&self) -> bool {
        self.sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").is_file()
    }
}

/// A copy of the toolchain, by hard links, that has the library sources: cargo looks for them
/// inside the toolchain only, and the installed one is not changed. Returns the folder of its
/// programs.
pub(crate) fn toolchain_with_sources(folder: &Path, rustc: &Rustc) -> Result<PathBuf, Missing> {
    let missing = |reason: &dyn Display| Missing::new("the standard library for macOS", reason);
    if rustc.version != RUST {
        let reason = format!("its sources are pinned for Rust {RUST}, this is {}", rustc.version);
        return Err(missing(&reason));
    }
    let toolchain = folder.join(format!("rust-{RUST}"));
    let programs = toolchain.join("bin");
    if toolchain.is_dir() {
        return Ok(programs);
    }
    build_whole(&toolchain, |unfinished| {
        let package = unfinished.join(SOURCES);
        download_sources(&package)?;
        let unpacked = unfinished.join("package");
        output(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&unpacked))?;
        let library = unpacked.join(format!("usr/src/rustc-{RUST}/library"));
        let place = unfinished.join("lib/rustlib/src/rust");
        let cannot = |error: io::Error| format!("cannot copy the toolchain: {error}");
        for part in ["bin", "lib"] {
            link_tree(&rustc.sysroot.join(part), &unfinished.join(part)).map_err(cannot)?;
        }
        fs::create_dir_all(&place).map_err(cannot)?;
        fs::rename(library, place.join("library")).map_err(cannot)?;
        fs::remove_dir_all(unpacked).and_then(|()| fs::remove_file(package)).map_err(cannot)
    })
    .map_err(|reason| missing(&reason))?;
    Ok(programs)
}

/// Installs the C compiler and returns the folder of its programs.
pub(crate) fn install_compiler(folder: &Path) -> Result<PathBuf, Missing> {
    // A virtual environment knows its own path, so it is not built elsewhere and renamed; a
    // file that is written last says that it is whole.
    let python = folder.join("python");
    let whole = python.join("installed.txt");
    if fs::read_to_string(&whole).is_ok_and(|text| text == COMPILER) {
        return Ok(python.join("bin"));
    }
    let install = || -> Result<(), String> {
        let cannot = |error: io::Error| format!("cannot write {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, COMPILER).map_err(cannot)?;
        output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&python))?;
        let mut pip = Command::new(python.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
        pip.args(["--timeout", "30", "--retries", "2"]);
        pip.args(["--only-binary", ":all:", "--require-hashes", "--requirement"]);
        output(pip.arg(&requirements))?;
        fs::write(&whole, COMPILER).map_err(cannot)
    };
    install().map_err(|reason| Missing::new("a C compiler for macOS", reason))?;
    Ok(python.join("bin"))
}

fn download_sources(package: &Path) -> Result<(), String> {
    let mirror = apt_lists()
        .iter()
        .find_map(|list| find_mirror(list))
        .ok_or("no mirror of Debian packages is set up here")?;
    let mut curl = Command::new("curl");
    curl.args(["--fail", "--silent", "--show-error", "--location", "--retry", "2"]);
    curl.args(["--connect-timeout", "20", "--max-time", "300", "--output"]).arg(package);
    curl.arg(format!("{}/{SOURCES_FOLDER}/{SOURCES}", mirror.trim_end_matches('/')));
    output(&mut curl).map_err(|error| format!("cannot download {SOURCES}: {error}"))?;
    let bytes = fs::read(package).map_err(|error| format!("cannot read {SOURCES}: {error}"))?;
    verify(&bytes, SOURCES_HASH).map_err(|found| {
        format!("{SOURCES} was downloaded but is not the pinned file: its SHA-256 is {found}")
    })
}

/// The texts of apt's lists of package sources.
fn apt_lists() -> Vec<String> {
    let folder = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.path()).collect();
    paths.sort();
    paths.insert(0, PathBuf::from("/etc/apt/sources.list"));
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// The first mirror of a list, in apt's old form (`deb URI suite…`) or its new one
/// (`URIs: URI…`). Mirrors of security updates alone do not have the package.
fn find_mirror(list: &str) -> Option<String> {
    let of_line = |line: &str| {
        let rest = match line.strip_prefix("URIs:") {
            Some(rest) => rest,
            None => line.strip_prefix("deb ")?.trim_start(),
        };
        // The old form may have options in brackets before the address.
        let rest = match rest.strip_prefix('[') {
            Some(options) => options.split_once(']')?.1,
            None => rest,
        };
        let address = rest.split_whitespace().next()?;
        (address.contains("://") && !address.contains("security")).then(|| address.to_owned())
    };
    list.lines().find_map(of_line)
}

/// The hash that was found, if it is another.
fn verify(bytes: &[u8], expected: &str) -> Result<(), String> {
    let found = Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    if found == expected { Ok(()) } else { Err(found) }
}

/// Builds a folder under another name and gives it its own when it is complete.
fn build_whole(
    folder: &Path,
    build: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<(), String> {
    let mut unfinished = folder.to_owned().into_os_string();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let cannot = |error: io::Error| format!("cannot write {}: {error}", unfinished.display());
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(cannot)?;
    }
    fs::create_dir_all(&unfinished).map_err(cannot)?;
    build(&unfinished)?;
    fs::rename(&unfinished, folder).map_err(cannot)
}

/// Copies a folder by hard links, or file by file on another file system. Library sources that
/// may be there are left out.
fn link_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() && !old.ends_with("rustlib/src") {
            link_tree(&old, &new)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&old)?, &new)?;
        } else if kind.is_file() && fs::hard_link(&old, &new).is_err() {
            fs::copy(&old, &new)?;
        }
    }
    Ok(())
}

/// The output of a command that must succeed, or the last line it complained with.
fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot start {program}: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.trim_end().lines().last().unwrap_or("no message").to_owned();
        return Err(format!("{} failed: {last}", shown(command)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_sources_are_those_of_the_pinned_toolchain() {
        let pinned = include_str!("../../../rust-toolchain.toml");
        assert!(pinned.contains(&format!("channel = \"{RUST}\"")), "{pinned}");
        assert!(SOURCES.starts_with(&format!("rust-src_{RUST}+")), "{SOURCES}");
    }

    #[test]
    fn a_mirror_is_found_in_both_forms_of_apt_lists() {
        let new = "Types: deb\n# note\nURIs: http://mirror.example/debian\nSuites: stable\n";
        let old = "# deb http://no.example/x y\ndeb [signed-by=/a b=c] https://mirror.example/debian stable main\n";
        let late = "deb http://mirror.example/debian-security s m\ndeb http://mirror.example/debian/ s m\n";
        assert_eq!(find_mirror(new).as_deref(), Some("http://mirror.example/debian"));
        assert_eq!(find_mirror(old).as_deref(), Some("https://mirror.example/debian"));
        assert_eq!(find_mirror(late).as_deref(), Some("http://mirror.example/debian/"));
        assert_eq!(find_mirror("deb cdrom: x\ndeb-src http://mirror.example/debian s m\n"), None);
    }

    #[test]
    fn a_file_with_another_hash_is_refused() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(verify(b"", empty), Ok(()));
        let found = verify(b"x", empty).expect_err("another hash");
        assert_eq!((found.len(), found == empty), (64, false));
    }

    #[test]
    fn an_interrupted_part_is_built_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = folder.path().join("rust-1.95.0");
        build_whole(&part, |_| Err("no network".to_owned())).expect_err("it failed");
        assert!(!part.exists());
        build_whole(&part, |place| fs::write(place.join("file"), "x").map_err(|e| e.to_string()))
            .expect("built");
        assert_eq!(fs::read(part.join("file")).expect("file"), b"x");
    }

    #[test]
    fn a_missing_program_is_named() {
        let reason = output(&mut Command::new("annals-no-such-program")).expect_err("missing");
        let missing = Missing::new("a C compiler for macOS", reason).to_string();
        assert!(
            missing.starts_with("a C compiler for macOS is missing (cannot start"),
            "{missing}"
        );
        assert!(missing.contains("annals-no-such-program"), "{missing}");
    }
}
