//! Commands to copy and paste, which sh, bash, zsh and fish read alike.
//!
//! A printed command does not know which shell will get it. What these four read differently is
//! therefore not used, and a text that no line can carry safely gets no command.

use crate::untrusted;
use std::borrow::Cow;

/// A word of a command: unchanged if that is safe, otherwise in single quotes.
///
/// fish reads `\'` and `\\` inside single quotes as escapes and the others do not, so quotes and
/// backslashes stand outside of them, each behind a backslash, which all four read alike. Two
/// quotes never meet: zsh can be set to read `''` inside quotes as a quote.
pub fn shell_quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '/' | '.' | '_' | '-' | ':' | '@' | '=' | '+' | '%')
    };
    // zsh takes `=ls` for the path of a program, and old versions of fish `%1` for a process.
    let begins_plain = !word.is_empty() && !word.starts_with(['=', '%']);
    if begins_plain && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    if word.is_empty() {
        return Cow::Borrowed("''");
    }
    let mut quoted = String::with_capacity(word.len() + 2);
    for part in word.split_inclusive(['\'', '\\']) {
        let text = part.strip_suffix(['\'', '\\']).unwrap_or(part);
        if !text.is_empty() {
            quoted.extend(["'", text, "'"]);
        }
        if let Some(escaped) = part.get(text.len()..).filter(|rest| !rest.is_empty()) {
            quoted.extend(["\\", escaped]);
        }
    }
    Cow::Owned(quoted)
}

/// The command that runs a program in a folder. A folder below `home`, or one that begins with
/// `~/`, is written with `~`; one that is not absolute, such as a path of Windows, is left out.
///
/// `None` if a word or the folder has control, bidi or tag characters or line breaks: a terminal
/// acts on them when they are pasted, and escaped they would name something else.
pub fn command_in_folder(
    words: &[&str],
    folder: Option<&str>,
    home: Option<&str>,
) -> Option<String> {
    if !words.iter().copied().chain(folder).all(untrusted::is_harmless_line) {
        return None;
    }
    let words: Vec<_> = words.iter().map(|word| shell_quoted(word)).collect();
    let command = words.join(" ");
    let Some(folder) = folder else { return Some(command) };
    let below = home.filter(|home| home.len() > 1).and_then(|home| folder.strip_prefix(home));
    let below = below.or_else(|| folder.strip_prefix('~'));
    // A shell expands `~` only outside quotes.
    Some(match below.map(|below| (below, below.strip_prefix('/'))) {
        Some(("" | "/", _)) => format!("cd && {command}"),
        Some((_, Some(rest))) => format!("cd ~/{} && {command}", shell_quoted(rest)),
        _ if folder.starts_with('/') => format!("cd {} && {command}", shell_quoted(folder)),
        _ => command,
    })
}

/// The command that resumes a session of Claude Code in its folder, as [`command_in_folder`]
/// writes it. `None` also if the id would be taken for an option.
pub fn resume_command(session_id: &str, cwd: Option<&str>, home: Option<&str>) -> Option<String> {
    let is_option = session_id.starts_with('-');
    let words = ["claude", "--resume", session_id];
    (!is_option).then(|| command_in_folder(&words, cwd, home)).flatten()
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
            ("'", r"\'"),
            (r"a\b", r"'a'\\'b'"),
            (r"\'; touch x; #", r"\\\''; touch x; #'"),
            ("~", "'~'"),
            ("=ls", "'=ls'"),
            ("a=b", "a=b"),
            ("%1", "'%1'"),
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
            (Some("/home/ada/"), "cd && claude --resume 'a b'"),
            (Some("/home/ada2"), "cd /home/ada2 && claude --resume 'a b'"),
            (Some("~bob/x"), "claude --resume 'a b'"),
            (Some("-"), "claude --resume 'a b'"),
            (Some(r"C:\Users\ada"), "claude --resume 'a b'"),
        ];
        for (cwd, expected) in table {
            let command = resume_command("a b", cwd, Some("/home/ada"));
            assert_eq!(command.as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_a_terminal_would_act_on_gets_no_command() {
        for text in ["a\nb", "a\rb", "a\tb", "a\u{1b}b", "a\u{3}", "a\u{202e}b", "a\u{e0041}b"] {
            assert_eq!(resume_command(text, None, None), None, "{text:?}");
            let folder = format!("/{text}");
            assert_eq!(resume_command("s", Some(&folder), None), None, "{text:?}");
        }
        assert_eq!(resume_command("--dangerous", None, None), None);
    }
}
