//! The names of archived files.
//!
//! A manifest may come from anybody: a name in it is a path below a root, made
//! of plain components, or it is rejected. Nothing else in this crate turns
//! text into a path.
//!
//! A name is written as text in one spelling: control characters, `%` and bytes
//! that are not UTF-8 as `%` and two hex digits, everything else unchanged.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

/// No system allows longer paths.
const LONGEST: usize = 4096;
const LONGEST_COMPONENT: usize = 255;

/// A relative path of plain components.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The name of a path below a root.
    pub fn of(path: &Path) -> Option<Name> {
        let mut text = String::with_capacity(path.as_os_str().len());
        for component in path.components() {
            let Component::Normal(component) = component else { return None };
            if !text.is_empty() {
                text.push('/');
            }
            escape(component.as_bytes(), &mut text);
        }
        Name::parse(&text)
    }

    /// Parses a name from a manifest, if it is valid.
    pub fn parse(text: &str) -> Option<Name> {
        // Nearly all names need no escaping, and every command reads all of
        // them.
        if is_plain(text.as_bytes()) {
            let fits =
                |part: &str| !matches!(part, "" | "." | "..") && part.len() <= LONGEST_COMPONENT;
            let is_name = text.len() < LONGEST && text.split('/').all(fits);
            return is_name.then(|| Name(text.to_owned()));
        }
        let mut bytes = 0;
        let mut again = String::with_capacity(text.len());
        for component in text.split('/') {
            let component = unescape(component)?;
            let is_component = !matches!(component.as_slice(), b"" | b"." | b"..")
                && !component.contains(&0)
                && !component.contains(&b'/')
                && component.len() <= LONGEST_COMPONENT;
            if !is_component {
                return None;
            }
            bytes += component.len() + 1;
            if !again.is_empty() {
                again.push('/');
            }
            escape(&component, &mut again);
        }
        // Each path has exactly one name.
        (again == text && bytes <= LONGEST).then(|| Name(text.to_owned()))
    }

    /// The name of an entry in the folder with this name.
    pub(crate) fn below(&self, part: &OsStr) -> Option<Name> {
        let bytes = part.as_bytes();
        let mut text = String::with_capacity(self.0.len() + bytes.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        escape(bytes, &mut text);
        let fits = bytes.len() <= LONGEST_COMPONENT && text.len() < LONGEST;
        if fits && is_plain(bytes) { Some(Name(text)) } else { Name::parse(&text) }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its components, escaped.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The relative path it represents.
    pub fn to_path(&self) -> PathBuf {
        let components = self.components().map(|text| unescape(text).unwrap_or_default());
        components.map(|bytes| PathBuf::from(OsStr::from_bytes(&bytes))).collect()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether no byte needs escaping.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'%')
}

fn escape(bytes: &[u8], text: &mut String) {
    if let Ok(plain) = std::str::from_utf8(bytes)
        && is_plain(bytes)
    {
        text.push_str(plain);
        return;
    }
    let hex = |byte: u8, text: &mut String| text.push_str(&format!("%{byte:02x}"));
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() || character == '%' {
                let mut buffer = [0; 4];
                for byte in character.encode_utf8(&mut buffer).bytes() {
                    hex(byte, text);
                }
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            hex(*byte, text);
        }
    }
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    #[test]
    fn names_that_lead_out_of_the_root_are_rejected() {
        let refused = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../x",
            "a/../b",
            "a//b",
            "a/",
            "./a",
            "a/.",
            "%2e%2e/x",
            "a%2fb",
            "a%00b",
            "a\0b",
            "a\nb",
            "%",
            "%2",
            "%zz",
            "%41",
            "%C3%A9",
            "+%+1",
        ];
        for text in refused {
            assert_eq!(Name::parse(text), None, "{text:?}");
        }
        assert_eq!(Name::parse(&"x/".repeat(3000)), None);
        assert_eq!(Name::parse(&"x".repeat(256)), None);
    }

    #[test]
    fn ordinary_names_are_not_escaped() {
        for text in ["history.jsonl", "projects/-home-u/é.jsonl", "a b/c", "C:\\x", "100%25"] {
            assert_eq!(Name::parse(text).map(|name| name.to_string()).as_deref(), Some(text));
        }
    }

    proptest! {
        #[test]
        fn any_path_of_plain_components_round_trips(
            parts in prop::collection::vec(prop::collection::vec(1u8.., 1..20), 1..5)
        ) {
            let parts: Vec<Vec<u8>> = parts
                .into_iter()
                .map(|part| part.into_iter().map(|byte| if byte == b'/' { b'_' } else { byte }).collect())
                .filter(|part: &Vec<u8>| part != b"." && part != b"..")
                .collect();
            prop_assume!(!parts.is_empty());
            let path: PathBuf = parts.into_iter().map(OsString::from_vec).collect();
            let name = Name::of(&path).expect("a name");
            prop_assert_eq!(name.to_path(), path);
            prop_assert_eq!(Name::parse(name.as_str()), Some(name));
        }
    }
}
