//! Commands as people typed them, instead of the tags that Claude Code records.
//!
//! For excerpts of recorded text, which may begin or end anywhere: a tag that is not
//! whole stays as it is.

use std::borrow::Cow;

/// Tags with what stands for them. The content of the first is dropped: it repeats the
/// name of the command.
const MESSAGE: [&str; 2] = ["<command-message>", "</command-message>"];
const TAGS: [(&str, &str); 13] = [
    ("<command-name>", ""),
    ("</command-name>", " "),
    ("<command-args>", ""),
    ("</command-args>", ""),
    ("<bash-input>", "! "),
    ("</bash-input>", ""),
    ("<bash-stdout>", ""),
    ("</bash-stdout>", ""),
    ("<bash-stderr>", ""),
    ("</bash-stderr>", ""),
    ("<local-command-stdout>", ""),
    ("</local-command-stdout>", ""),
    ("<local-command-stderr>", ""),
];

/// The text with command tags shown as commands: `/changelog arguments`.
pub fn shown_commands(text: &str) -> Cow<'_, str> {
    if !text.contains("command-") && !text.contains("bash-") {
        return Cow::Borrowed(text);
    }
    let mut shown = text.to_owned();
    let [open, close] = MESSAGE;
    while let Some(start) = shown.find(open)
        && let Some(length) = shown[start..].find(close)
    {
        let end = start + length + close.len();
        let spaces = shown[end..].len() - shown[end..].trim_start().len();
        shown.replace_range(start..end + spaces, "");
    }
    for (tag, text) in TAGS {
        if shown.contains(tag) {
            shown = shown.replace(tag, text);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_tags_are_shown_as_commands() {
        let table = [
            ("plain <b>text</b>", "plain <b>text</b>"),
            ("<command-name>/changelog</command-name>", "/changelog "),
            (
                "<command-message>changelog</command-message>\n<command-name>/changelog</command-name><command-args>2.1</command-args>",
                "/changelog 2.1",
            ),
            ("<bash-input>ls -la</bash-input>", "! ls -la"),
            ("<local-command-stdout>Set model</local-command-stdout>", "Set model"),
            ("…mand-name>/clear", "…mand-name>/clear"),
        ];
        for (text, expected) in table {
            assert_eq!(shown_commands(text), expected, "{text}");
        }
    }
}
