//! The Debian package: both programs in `/usr`, without scripts that run at installation.

use anyhow::{Context as _, Result};

use super::about::About;
use super::contents::Contents;
use super::formats::{PackedFile, ar, gzip, tar};
use super::target::GLIBC;

/// The file with its name, if the platform has such packages.
pub(crate) fn pack(contents: &Contents) -> Result<Option<(String, Vec<u8>)>> {
    let Some(architecture) = contents.target.deb else { return Ok(None) };
    let files = files(contents)?;
    let kilobytes: usize = files.iter().map(|file| file.content.len().div_ceil(1024)).sum();
    let control = control(&contents.about, architecture, kilobytes);
    let control = tar(&[PackedFile::text("./control", control)])?;
    let bytes = ar(&[
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &gzip(&control, contents.effort)?),
        ("data.tar.gz", &gzip(&tar(&files)?, contents.effort)?),
    ]);
    Ok(Some((format!("annals_{}_{architecture}.deb", contents.about.version), bytes)))
}

/// The files below the root, as Debian's policy places them.
fn files(contents: &Contents) -> Result<Vec<PackedFile>> {
    let mut files = Vec::new();
    for file in contents.in_prefix() {
        let mut file = file.below("./usr");
        if file.path.contains("/man/") {
            file.path += ".gz";
            file.content = gzip(&file.content, contents.effort)?;
        }
        // Debian's own folder for completions that packages bring.
        file.path = file.path.replace("/zsh/site-functions/", "/zsh/vendor-completions/");
        files.push(file);
    }
    let copyright = contents.notes.iter().find(|note| note.path == "LICENSE-MIT");
    let copyright = copyright.context("a licence is missing")?.content.clone();
    files.push(PackedFile::text("./usr/share/doc/annals/copyright", copyright));
    Ok(files)
}

fn control(about: &About, architecture: &str, kilobytes: usize) -> String {
    let About { version, maintainer, homepage } = about;
    let (major, minor) = GLIBC;
    format!(
        "Package: annals\n\
         Version: {version}\n\
         Architecture: {architecture}\n\
         Maintainer: {maintainer}\n\
         Installed-Size: {kilobytes}\n\
         Depends: libc6 (>= {major}.{minor})\n\
         Section: utils\n\
         Homepage: {homepage}\n\
         Priority: optional\n\
         Description: archive, search and explain Claude Code sessions\n \
         annals reads the transcripts that Claude Code writes, backs them up before\n \
         Claude Code deletes them, and answers questions about them.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::about::made_up;
    use super::super::contents;
    use super::*;

    #[test]
    fn control_file_has_the_fields_that_dpkg_requires() {
        let text = control(&made_up(), "amd64", 7);
        for field in ["Package", "Version", "Architecture", "Maintainer", "Homepage", "Description"]
        {
            assert_eq!(text.matches(&format!("{field}: ")).count(), 1, "{field} in {text}");
        }
        // Lines of a description that go on begin with a space.
        assert!(text.ends_with("sessions\n annals reads the transcripts that Claude Code writes, backs them up before\n Claude Code deletes them, and answers questions about them.\n"), "{text}");
    }

    #[test]
    fn only_linux_with_glibc_has_a_debian_package() {
        assert!(pack(&contents::made_up("aarch64-apple-darwin")).expect("no error").is_none());
        let (name, bytes) = pack(&contents::made_up("x86_64-unknown-linux-gnu"))
            .expect("a package")
            .expect("for Linux");
        assert_eq!(name, "annals_1.2.3_amd64.deb");
        assert!(bytes.starts_with(b"!<arch>\ndebian-binary"));
    }
}
