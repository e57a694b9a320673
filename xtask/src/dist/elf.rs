//! Which version of glibc a program needs, read from the program itself.
//!
//! A program that was built on a new machine may need a glibc that people do not have, and
//! nothing notices before it starts there. The versions are in a section of the ELF file.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};

/// The section with the versions that a program needs of its libraries.
const VERSION_NEEDS: u32 = 0x6fff_fffe;

/// The versions of glibc that a program needs, the newest last; none if it is static.
pub(crate) fn glibc_versions(program: &[u8]) -> Result<BTreeSet<(u32, u32)>> {
    if !program.starts_with(b"\x7fELF\x02\x01") {
        bail!("it is not a 64-bit ELF program");
    }
    let elf = Elf(program);
    let (sections, size, count) = (elf.place(40)?, elf.short(58)?, elf.short(60)?);
    let section = |index: usize| sections + index * size;
    let mut versions = BTreeSet::new();
    for index in 0..count {
        let header = section(index);
        if elf.word(header + 4)? != VERSION_NEEDS {
            continue;
        }
        let mut library = elf.place(header + 24)?;
        let strings = elf.place(section(elf.word(header + 40)? as usize) + 24)?;
        // A damaged file must not lead in circles.
        for _ in 0..=elf.word(header + 44)? {
            let mut version = library + elf.word(library + 8)? as usize;
            for _ in 0..elf.short(library + 2)? {
                let name = elf.text(strings + elf.word(version + 8)? as usize)?;
                versions.extend(parse_version(name));
                version += elf.word(version + 12)? as usize;
            }
            match elf.word(library + 12)? as usize {
                0 => break,
                next => library += next,
            }
        }
    }
    Ok(versions)
}

/// `GLIBC_2.17` as numbers. `GLIBC_PRIVATE` and others have none.
fn parse_version(name: &str) -> Option<(u32, u32)> {
    let (major, rest) = name.strip_prefix("GLIBC_")?.split_once('.')?;
    Some((major.parse().ok()?, rest.split('.').next()?.parse().ok()?))
}

/// The bytes of a program.
struct Elf<'a>(&'a [u8]);

impl Elf<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = at.checked_add(N).and_then(|end| self.0.get(at..end));
        bytes.and_then(|bytes| bytes.try_into().ok()).context("it is cut off")
    }

    fn short(&self, at: usize) -> Result<usize> {
        Ok(usize::from(u16::from_le_bytes(self.bytes(at)?)))
    }

    fn word(&self, at: usize) -> Result<u32> {
        Ok(u32::from_le_bytes(self.bytes(at)?))
    }

    /// An offset in the file. Sums of offsets and the shorter numbers cannot overflow.
    fn place(&self, at: usize) -> Result<usize> {
        let place = usize::try_from(u64::from_le_bytes(self.bytes(at)?)).ok();
        place.filter(|place| *place < self.0.len()).context("an offset leads out of it")
    }

    fn text(&self, at: usize) -> Result<&str> {
        let rest = self.0.get(at..).context("it is cut off")?;
        let end = rest.iter().position(|byte| *byte == 0).context("a name has no end")?;
        std::str::from_utf8(&rest[..end]).context("a name is not text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed() {
        let table = [
            ("GLIBC_2.17", Some((2, 17))),
            ("GLIBC_2.2.5", Some((2, 2))),
            ("GLIBC_PRIVATE", None),
            ("GCC_3.0", None),
        ];
        for (name, expected) in table {
            assert_eq!(parse_version(name), expected, "{name}");
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn this_program_needs_what_objdump_says() {
        let program = std::env::current_exe().expect("a program");
        let versions = glibc_versions(&std::fs::read(&program).expect("bytes")).expect("an ELF");
        let newest = versions.last().expect("a dynamic program");
        assert!(*newest >= (2, 2), "{versions:?}");
        let Ok(output) = std::process::Command::new("objdump").arg("-p").arg(&program).output()
        else {
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected: BTreeSet<_> =
            text.split_ascii_whitespace().filter_map(parse_version).collect();
        assert_eq!(versions, expected);
    }

    #[test]
    fn damaged_programs_are_errors() {
        assert!(glibc_versions(b"#!/bin/sh").is_err());
        assert!(glibc_versions(b"\x7fELF\x02\x01").is_err());
        let Ok(program) = std::env::current_exe().and_then(std::fs::read) else { return };
        for end in [64, 1000, program.len() / 2] {
            assert!(glibc_versions(&program[..end]).is_err(), "cut off at {end}");
        }
        let mut wrong = program;
        wrong[40..48].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(glibc_versions(&wrong).is_err());
    }
}
