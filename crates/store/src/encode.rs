//! How a working directory becomes the name of its project folder.
//!
//! The encoding is lossy: `a_b`, `a-b` and `a.b` share a name. It is therefore
//! only ever applied, never reversed; the working directory recorded in a
//! folder's transcripts says which project the folder belongs to.

/// Longer names are truncated and get a hash.
const LONGEST: usize = 200;

/// The name of the project folder for a working directory.
pub fn folder_name(path: &str) -> String {
    let mut name = dashed(path);
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push('-');
        name.push_str(&hash(path));
    }
    name
}

/// Whether the folder name of this path is truncated. Versions of Claude Code
/// hashed such names differently, so these are matched by prefix and confirmed
/// through a recorded working directory.
pub fn is_long(path: &str) -> bool {
    dashed(path).len() > LONGEST
}

/// The common prefix of all folder names of a long path, whatever hash follows.
pub(crate) fn long_prefix(path: &str) -> String {
    let mut prefix = dashed(path);
    prefix.truncate(LONGEST);
    prefix.push('-');
    prefix
}

/// The untruncated name, as versions before the limit wrote it.
pub(crate) fn dashed(path: &str) -> String {
    let mut name = String::with_capacity(path.len());
    for character in path.chars() {
        if character.is_ascii_alphanumeric() {
            name.push(character);
        } else {
            // Claude Code replaces each UTF-16 unit with a dash.
            name.extend(std::iter::repeat_n('-', character.len_utf16()));
        }
    }
    name
}

/// Whether this is a Windows path, whose folder names are case-insensitive.
pub fn is_windows_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    path.starts_with("\\\\")
        || (bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':')
}

/// Base 36 of |h|, where h is a 32-bit `h · 31 + unit` over the path.
fn hash(path: &str) -> String {
    let mixed = path
        .encode_utf16()
        .fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    let mut rest = mixed.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        let digit = u8::try_from(rest % 36).unwrap_or_default();
        digits.push(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
        rest /= 36;
        if rest == 0 {
            break;
        }
    }
    digits.iter().rev().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_known_paths() {
        let table = [
            ("/home/u/my_project", "-home-u-my-project"),
            (r"C:\Users\me\p", "C--Users-me-p"),
            ("/home/u/😀é", "-home-u----"),
            ("/Users/foo/.config/app", "-Users-foo--config-app"),
            ("/a/B.c d", "-a-B-c-d"),
            ("/", "-"),
            ("", ""),
        ];
        for (path, name) in table {
            assert_eq!(folder_name(path), name, "{path}");
        }
    }

    #[test]
    fn the_hash_has_its_known_value() {
        assert_eq!(hash("hello"), "1n1e4y");
        assert_eq!(hash(""), "0");
    }

    #[test]
    fn long_names_are_truncated_and_hash_the_whole_path() {
        let at_cap = format!("/{}", "a".repeat(199));
        assert_eq!(folder_name(&at_cap).len(), 200);
        assert!(!is_long(&at_cap));
        let long = format!("/{}", "a".repeat(200));
        let name = folder_name(&long);
        assert!(is_long(&long));
        assert!(name.starts_with(&long_prefix(&long)) && name.len() > 201);
        assert_ne!(name, folder_name(&format!("{long}b")), "the hash covers the truncated part");
    }

    #[test]
    fn windows_paths_are_recognized() {
        assert!(
            is_windows_path(r"C:\x") && is_windows_path("c:") && is_windows_path(r"\\server\x")
        );
        assert!(!is_windows_path("/c:/x") && !is_windows_path(""));
    }
}
