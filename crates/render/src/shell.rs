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

/// The command that resumes a session in its folder. A folder below `home`, or one that
/// begins with `~`, is written with `~`.
pub fn resume_command(session_id: &str, cwd: Option<&str>, home: Option<&str>) -> String {
    let resume = format!("claude --resume {}", shell_quoted(session_id));
    let Some(cwd) = cwd else { return resume };
    let below = home.filter(|home| home.len() > 1).and_then(|home| cwd.strip_prefix(home));
    let below = below.or_else(|| cwd.strip_prefix('~'));
    // A shell expands `~` only outside quotes.
    match below.map(|below| (below, below.strip_prefix('/'))) {
        Some(("", _)) => format!("cd && {resume}"),
        Some((_, Some(rest))) => format!("cd ~/{} && {resume}", shell_quoted(rest)),
        _ => format!("cd {} && {resume}", shell_quoted(cwd)),
    }
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

    #[test]
    fn resume_command_can_be_pasted_into_a_shell() {
        let table = [
            (None, "claude --resume 'a b'"),
            (Some("~"), "cd && claude --resume 'a b'"),
            (Some("~/tide pool"), "cd ~/'tide pool' && claude --resume 'a b'"),
            (Some("/home/$(rm)"), "cd '/home/$(rm)' && claude --resume 'a b'"),
            (Some("/home/ada/tide pool"), "cd ~/'tide pool' && claude --resume 'a b'"),
            (Some("/home/ada"), "cd && claude --resume 'a b'"),
            (Some("/home/ada2"), "cd /home/ada2 && claude --resume 'a b'"),
            (Some("~bob/x"), "cd '~bob/x' && claude --resume 'a b'"),
        ];
        for (cwd, expected) in table {
            assert_eq!(resume_command("a b", cwd, Some("/home/ada")), expected);
        }
    }
}
