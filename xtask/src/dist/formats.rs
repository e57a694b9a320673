//! The container formats of packages: tar, gzip, ar and zip, written so that the same content
//! always gives the same bytes.
//!
//! `gzip` compresses; everything around the compressed bytes is a few fixed headers. Names,
//! owners and times are the same on every machine.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// A file in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackedFile {
    /// Its path in the package, with `/`.
    pub(crate) path: String,
    /// Its content.
    pub(crate) content: Vec<u8>,
    /// Whether it is a program.
    pub(crate) is_program: bool,
}

impl PackedFile {
    pub(crate) fn text(path: impl Into<String>, content: impl Into<Vec<u8>>) -> PackedFile {
        PackedFile { path: path.into(), content: content.into(), is_program: false }
    }

    /// The same file in a folder.
    pub(crate) fn below(&self, folder: &str) -> PackedFile {
        PackedFile { path: format!("{folder}/{}", self.path), ..self.clone() }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// How much time compression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For packages that people download.
    Most,
    /// For trials.
    Least,
}

/// A tar archive in the `ustar` format, with the folders of its files.
pub(crate) fn tar(files: &[PackedFile]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut folders: Vec<String> = Vec::new();
    for file in files {
        for (at, _) in file.path.match_indices('/') {
            let folder = &file.path[..=at];
            if folder != "./" && !folders.iter().any(|known| known == folder) {
                folders.push(folder.to_owned());
                bytes.extend(tar_header(folder, 0, 0o755, b'5')?);
            }
        }
        bytes.extend(tar_header(&file.path, file.content.len(), file.mode(), b'0')?);
        bytes.extend_from_slice(&file.content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    Ok(bytes)
}

fn tar_header(path: &str, size: usize, mode: u32, kind: u8) -> Result<[u8; 512]> {
    if path.len() > 99 {
        bail!("{path} is too long for a package");
    }
    let mut header = [0_u8; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, path.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    // The checksum counts its own field as spaces.
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    put(265, b"root");
    put(297, b"root");
    let sum: u32 = header.iter().copied().map(u32::from).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// The bytes compressed by `gzip`, without a name and a time.
pub(crate) fn gzip(bytes: &[u8], effort: Effort) -> Result<Vec<u8>> {
    let level = if effort == Effort::Most { "-9n" } else { "-1n" };
    let mut child = Command::new("gzip")
        .args([level, "-c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start gzip; is it installed?")?;
    let mut input = child.stdin.take().context("no pipe to gzip")?;
    // Both ends at once: a pipe holds less than a package.
    let output = std::thread::scope(|scope| {
        let writer = scope.spawn(move || input.write_all(bytes));
        let output = child.wait_with_output();
        writer.join().map_err(|_| std::io::Error::other("the writer panicked"))??;
        output
    })?;
    if !output.status.success() {
        bail!("gzip ended with {}", output.status);
    }
    Ok(output.stdout)
}

/// An ar archive, which a Debian package is.
pub(crate) fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        let mut header = String::new();
        let size = content.len();
        // Time, owner, group and mode.
        let _ = writeln!(header, "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`", 0, 0, 0, 100_644);
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(content);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// A zip archive, which a wheel is.
pub(crate) fn zip(files: &[PackedFile], effort: Effort) -> Result<Vec<u8>> {
    // 1980-01-01, the first day that the format knows.
    const DAY: u16 = (1 << 5) | 1;
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for file in files {
        let squeezed = gzip(&file.content, effort)?;
        // A gzip file is a header of ten bytes, the compressed bytes that zip stores too, their
        // checksum and their length.
        let (Some(body), Some(sum)) = (
            squeezed.get(10..squeezed.len().saturating_sub(8)),
            squeezed.get(squeezed.len().saturating_sub(8)..squeezed.len().saturating_sub(4)),
        ) else {
            bail!("gzip gives a file that is too short");
        };
        let at = u32::try_from(bytes.len()).context("the wheel is too large")?;
        let mut common = Vec::new();
        for number in [20_u16, 0, 8, 0, DAY] {
            common.extend(number.to_le_bytes());
        }
        common.extend_from_slice(sum);
        for size in [body.len(), file.content.len()] {
            common.extend(u32::try_from(size).context("a file is too large")?.to_le_bytes());
        }
        common.extend(u16::try_from(file.path.len()).context("a path is too long")?.to_le_bytes());
        common.extend([0, 0]);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&common);
        bytes.extend_from_slice(file.path.as_bytes());
        bytes.extend_from_slice(body);
        // Made on Unix, whose modes are the upper half of the attributes.
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&common);
        directory.extend([0; 6]);
        directory.extend(((0o100_000 | file.mode()) << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend_from_slice(file.path.as_bytes());
    }
    let count = u16::try_from(files.len()).context("too many files")?;
    let (start, size) = (u32::try_from(bytes.len())?, u32::try_from(directory.len())?);
    bytes.extend(directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn files() -> Vec<PackedFile> {
        vec![
            PackedFile {
                path: "a/bin/program".to_owned(),
                content: b"#!/bin/sh\necho it runs\n".to_vec(),
                is_program: true,
            },
            PackedFile::text("a/share/text", "x".repeat(3000)),
            PackedFile::text("a/empty", ""),
        ]
    }

    fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{program}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn assert_unpacked(folder: &Path) {
        for file in files() {
            let content = fs::read(folder.join(&file.path)).expect("an unpacked file");
            assert_eq!(content, file.content, "{}", file.path);
        }
    }

    #[test]
    fn tar_unpacks_what_was_packed() {
        let folder = tempfile::tempdir().expect("a folder");
        let packed = gzip(&tar(&files()).expect("an archive"), Effort::Least).expect("gzip");
        fs::write(folder.path().join("a.tar.gz"), &packed).expect("a file");
        run(folder.path(), "tar", &["-xzf", "a.tar.gz"]);
        assert_unpacked(folder.path());
        assert_eq!(run(folder.path(), "a/bin/program", &[]), "it runs\n");
        let again = gzip(&tar(&files()).expect("an archive"), Effort::Least).expect("gzip");
        assert!(again == packed, "the same content gives the same bytes");
        assert!(tar(&[PackedFile::text("x".repeat(100), "")]).is_err());
    }

    #[test]
    fn zip_unpacks_what_was_packed() {
        let folder = tempfile::tempdir().expect("a folder");
        let packed = zip(&files(), Effort::Most).expect("an archive");
        fs::write(folder.path().join("a.zip"), packed).expect("a file");
        run(folder.path(), "python3", &["-m", "zipfile", "-t", "a.zip"]);
        run(folder.path(), "python3", &["-m", "zipfile", "-e", "a.zip", "."]);
        assert_unpacked(folder.path());
    }

    #[test]
    fn ar_has_members_at_even_places() {
        let bytes = ar(&[("one", b"abc"), ("two", b"de")]);
        assert_eq!(bytes.len(), 8 + 60 + 3 + 1 + 60 + 2);
        assert!(bytes.starts_with(
            b"!<arch>\none             0           0     0     100644  3         `\nabc\ntwo "
        ));
    }
}
