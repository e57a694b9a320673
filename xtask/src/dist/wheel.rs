//! The wheel `annals-cli`, for pip, pipx and uv: the programs as scripts, without Python code.
//! (`annals` on `PyPI` is another project.)

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::about::About;
use super::contents::Contents;
use super::formats::{PackedFile, zip};

/// The wheel with its file name.
pub(crate) fn pack(contents: &Contents) -> Result<(String, Vec<u8>)> {
    let version = &contents.about.version;
    let stem = format!("annals_cli-{version}");
    let mut files = Vec::new();
    for file in contents.in_prefix() {
        // Installers mark scripts as executable, and copy data into the prefix.
        files.push(match file.path.strip_prefix("bin/") {
            Some(name) => {
                PackedFile { path: format!("{stem}.data/scripts/{name}"), ..file.clone() }
            }
            None => file.below(&format!("{stem}.data/data")),
        });
    }
    let information = format!("{stem}.dist-info");
    for note in contents.notes.iter().filter(|note| note.path.starts_with("LICENSE")) {
        files.push(note.below(&format!("{information}/licenses")));
    }
    let readme = contents.notes.iter().find(|note| note.path == "README.md");
    let readme = readme.map(|note| note.content.clone()).unwrap_or_default();
    files.push(PackedFile::text(
        format!("{information}/METADATA"),
        metadata(&contents.about, &readme),
    ));
    let tags = contents.target.wheel;
    files.push(PackedFile::text(format!("{information}/WHEEL"), wheel_file(tags)));
    let record = format!("{information}/RECORD");
    let lines: String = files.iter().map(record_line).collect();
    files.push(PackedFile::text(record.clone(), format!("{lines}{record},,\n")));
    Ok((format!("{stem}-py3-none-{tags}.whl"), zip(&files, contents.effort)?))
}

fn metadata(about: &About, readme: &[u8]) -> Vec<u8> {
    let About { version, homepage, .. } = about;
    let mut text = format!(
        "Metadata-Version: 2.4\n\
         Name: annals-cli\n\
         Version: {version}\n\
         Summary: Archive, search and explain every Claude Code session\n\
         Keywords: claude-code,sessions,transcripts\n\
         License-Expression: MIT OR Apache-2.0\n\
         License-File: LICENSE-MIT\n\
         License-File: LICENSE-APACHE\n\
         Project-URL: Repository, {homepage}\n\
         Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n"
    )
    .into_bytes();
    text.extend_from_slice(readme);
    text
}

fn wheel_file(tags: &str) -> String {
    let mut text = "Wheel-Version: 1.0\nGenerator: annals\nRoot-Is-Purelib: false\n".to_owned();
    for tag in tags.split('.') {
        text += &format!("Tag: py3-none-{tag}\n");
    }
    text
}

fn record_line(file: &PackedFile) -> String {
    let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&file.content));
    format!("{},sha256={digest},{}\n", file.path, file.content.len())
}

#[cfg(test)]
mod tests {
    use super::super::contents::made_up;
    use super::*;

    #[test]
    fn wheel_is_named_after_all_its_tags() {
        let (name, bytes) = pack(&made_up("x86_64-unknown-linux-gnu")).expect("a wheel");
        assert_eq!(
            name,
            "annals_cli-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
        );
        assert!(bytes.starts_with(b"PK\x03\x04"));
        assert_eq!(
            wheel_file("a.b"),
            "Wheel-Version: 1.0\nGenerator: annals\nRoot-Is-Purelib: false\nTag: py3-none-a\nTag: py3-none-b\n"
        );
        let line = record_line(&PackedFile::text("x", "abc"));
        assert_eq!(line, "x,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n");
    }
}
