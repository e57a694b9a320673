//! Texts that stand for what is not text of a person or a model.

use transcript::prompt::trim;

/// A notice in a tag that names its kind, unless it has that tag already.
pub(crate) fn notice_text(kind: &str, text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let tag: String =
        kind.chars().take(100).map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    let tag = if tag.is_empty() { "notice" } else { &tag };
    let has_tag = trim(text).strip_prefix('<').and_then(|rest| rest.strip_prefix(tag));
    if has_tag.is_some_and(|rest| rest.starts_with('>')) {
        return text.to_owned();
    }
    format!("<{tag}>\n{text}\n</{tag}>")
}

/// What is shown of a file that is not text.
pub(crate) fn attachment_title(kind: &str, bytes: u64) -> String {
    let kind = if kind.is_empty() { "attachment" } else { kind };
    match bytes {
        0 => kind.to_owned(),
        1 => format!("{kind}, 1 byte"),
        bytes => format!("{kind}, {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_has_one_tag() {
        let cases = [
            (("info", "x"), "<info>\nx\n</info>"),
            (("", "x"), "<notice>\nx\n</notice>"),
            (("a b<", "x"), "<a-b->\nx\n</a-b->"),
            (("context", "<context>x</context>"), "<context>x</context>"),
            (("context", "<contexts>x"), "<context>\n<contexts>x\n</context>"),
        ];
        for ((kind, text), expected) in cases {
            assert_eq!(notice_text(kind, text), expected);
        }
    }
}
