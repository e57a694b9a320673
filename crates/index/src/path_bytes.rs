//! The form in which the index stores paths: the same on every platform, and lossless.
//!
//! A path that is text is stored as that text in UTF-8. Each byte of a name that is not text,
//! which Linux allows, is stored as a NUL character and two hexadecimal digits. No file system
//! allows NUL in a name, so the two cannot be confused. Separators stay as they are: the form
//! of a path's last name is the last name of its form.
//!
//! Deliberately not here: how a platform keeps names that are not text (`platform.rs`).

use crate::platform;
use rusqlite::Row;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Introduces an escaped byte.
const ESCAPE: u8 = 0;

/// The stored form of a path, or of one name of it.
pub(crate) fn of(path: &(impl AsRef<OsStr> + ?Sized)) -> Cow<'_, [u8]> {
    let path = path.as_ref();
    match path.to_str() {
        Some(text) if is_plain(text.as_bytes()) => Cow::Borrowed(text.as_bytes()),
        _ => Cow::Owned(escape(platform::bytes_of(path))),
    }
}

/// The path that is stored in this form. Any bytes give a path: damage to the index is
/// noticed elsewhere.
fn to_path(stored: &[u8]) -> Cow<'_, Path> {
    match str::from_utf8(stored) {
        Ok(text) if is_plain(stored) => Cow::Borrowed(Path::new(text)),
        _ => Cow::Owned(PathBuf::from(platform::name_of(unescape(stored)))),
    }
}

/// The path in a column.
pub(crate) fn path_of_row<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<Cow<'r, Path>> {
    Ok(to_path(row.get_ref(column)?.as_blob()?))
}

/// The name that is stored in this form.
pub(crate) fn to_name(stored: &[u8]) -> Cow<'_, OsStr> {
    match to_path(stored) {
        Cow::Borrowed(path) => Cow::Borrowed(path.as_os_str()),
        Cow::Owned(path) => Cow::Owned(path.into_os_string()),
    }
}

/// The last name of a path.
pub(crate) fn file_name<'p>(path: &Cow<'p, Path>) -> Cow<'p, OsStr> {
    match path {
        Cow::Borrowed(path) => Cow::Borrowed(path.file_name().unwrap_or_default()),
        Cow::Owned(path) => Cow::Owned(path.file_name().unwrap_or_default().to_owned()),
    }
}

fn is_plain(text: &[u8]) -> bool {
    memchr::memchr(ESCAPE, text).is_none()
}

fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len() + 8);
    let push = |escaped: &mut Vec<u8>, byte: u8| escaped.extend(format!("\0{byte:02x}").bytes());
    for chunk in bytes.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            if byte == ESCAPE { push(&mut escaped, byte) } else { escaped.push(byte) }
        }
        for byte in chunk.invalid() {
            push(&mut escaped, *byte);
        }
    }
    escaped
}

fn unescape(mut stored: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(stored.len());
    while let Some((first, rest)) = stored.split_first() {
        stored = rest;
        let digits = rest.first_chunk::<2>().filter(|_| *first == ESCAPE);
        let escaped = digits.and_then(|digits| {
            let text = str::from_utf8(digits).ok()?;
            u8::from_str_radix(text, 16).ok()
        });
        bytes.push(escaped.unwrap_or(*first));
        if escaped.is_some() {
            stored = &stored[2..];
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(bytes: &[u8]) -> PathBuf {
        PathBuf::from(platform::name_of(bytes.to_vec()))
    }

    #[test]
    fn text_is_stored_as_it_is() {
        for text in ["", "/home/ada/märz/a.jsonl", "C:\\Users\\ada", "/a\\x00", "%ff"] {
            assert_eq!(of(text), Cow::Borrowed(text.as_bytes()));
            assert!(matches!(to_path(text.as_bytes()), Cow::Borrowed(it) if it == Path::new(text)));
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_stored_as_digits() {
        let table: [(&[u8], &str); 4] = [
            (b"/a/\xff.jsonl", "/a/\0ff.jsonl"),
            (b"/\xc3/\xa4", "/\0c3/\0a4"),
            // A surrogate, as Windows allows it.
            (b"C:\\\xed\xa0\x80", "C:\\\0ed\0a0\080"),
            (b"/a\x00b", "/a\x0000b"),
        ];
        for (bytes, expected) in table {
            let path = path(bytes);
            assert_eq!(of(&path), expected.as_bytes(), "{path:?}");
            assert_eq!(to_path(expected.as_bytes()), path);
        }
    }

    #[test]
    fn damaged_form_gives_a_path() {
        for stored in [&b"/a\x00"[..], b"/a\x00f", b"/a\x00zz", b"/\xff", b"\x00+1"] {
            let _ = to_path(stored);
        }
    }

    /// Names that are text, almost text, and anything.
    fn names() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            "[a-z0-9./\\\\ äλ🦀]{0,6}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..6),
            Just(b"\x00ff".to_vec()),
            Just(b"\xed\xa0\x80".to_vec()),
        ];
        prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn any_path_survives(bytes in names()) {
            let path = path(&bytes);
            let stored = of(&path);
            prop_assert!(str::from_utf8(&stored).is_ok());
            prop_assert_eq!(to_path(&stored), path.as_path());
        }

        #[test]
        fn last_name_of_a_form_is_the_form_of_the_last_name(bytes in names()) {
            let path = path(&bytes);
            let stored = of(&path);
            let form = path_of_form(&stored);
            let name = path.file_name().map(|name| of(name).into_owned());
            prop_assert_eq!(form.file_name().map(of_form), name);
            let cow = to_path(&stored);
            prop_assert_eq!(&*file_name(&cow), path.file_name().unwrap_or_default());
        }
    }

    /// A form as if it were a path, without its meaning.
    fn path_of_form(stored: &[u8]) -> &Path {
        Path::new(str::from_utf8(stored).expect("a form is text"))
    }

    fn of_form(name: &OsStr) -> Vec<u8> {
        name.to_str().expect("a form is text").as_bytes().to_vec()
    }
}
