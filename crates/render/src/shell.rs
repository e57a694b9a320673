//! Commands to copy and paste.

use std::borrow::Cow;

/// A word for a POSIX shell: unchanged if that is safe, otherwise in single quotes.
pub fn shell_quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '/' | '.' | '_' | '-' | ':' | '@' | '=' | '+' | '%')
    };
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_if_needed() {
        let table = [
            ("/home/ada/x", "/home/ada/x"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(rm)", "'$(rm)'"),
            ("it's", r"'it'\''s'"),
            ("~", "'~'"),
        ];
        for (word, expected) in table {
            assert_eq!(shell_quoted(word), expected);
        }
    }
}
