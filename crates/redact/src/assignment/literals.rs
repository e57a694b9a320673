//! Strings that are not written between two plain quotes: raw and verbatim
//! strings, text blocks, here documents, and quotes of other languages.
//!
//! Strings between plain quotes are deliberately not here (`delimit`).

use std::ops::Range;

use crate::pattern::WORD;

/// The longest value.
const LONGEST: usize = 400;

/// What opens and what closes a string.
const QUOTES: &[(&str, &str)] = &[
    ("“", "”"),
    ("‘", "’"),
    ("„", "“"),
    ("«", "»"),
    ("「", "」"),
    ("q{", "}"),
    ("qq{", "}"),
    ("q(", ")"),
    ("q[", "]"),
    ("q/", "/"),
    ("q|", "|"),
    ("q!", "!"),
    ("%q(", ")"),
    ("%q{", "}"),
    ("%q[", "]"),
    ("%Q(", ")"),
    ("%w[", "]"),
    ("%w(", ")"),
    ("%(", ")"),
    ("~s(", ")"),
    ("~S(", ")"),
    ("[[", "]]"),
];

/// The string that starts at `at`.
pub(super) fn literal(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    match rest.as_bytes().first()? {
        b'r' | b'b' | b'#' => raw(rest),
        b'R' | b'u' | b'L' => delimited(rest),
        b'"' | b'\'' => block(rest),
        b'<' => here_document(rest),
        _ => None,
    }
    .or_else(|| quoted(rest))
    .map(|value| at + value.start..at + value.end)
}

/// The part of a text in which a value may be.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST.min(text.len()))]
}

/// `r#"…"#` of Rust, `#"…"#` of Swift.
fn raw(rest: &str) -> Option<Range<usize>> {
    let prefix = rest.len() - rest.trim_start_matches(['b', 'r']).len();
    let marks = rest[prefix..].bytes().take(8).take_while(|byte| *byte == b'#').count();
    let open = prefix + marks;
    if prefix > 2 || marks == 0 || rest.as_bytes().get(open) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(marks));
    one_line(rest, open + 1, &close)
}

/// `R"(…)"` of C++.
fn delimited(rest: &str) -> Option<Range<usize>> {
    let prefix = rest.find("R\"").filter(|prefix| *prefix <= 2)? + 2;
    let name = WORD.run(&rest.as_bytes()[prefix..], 16);
    if rest.as_bytes().get(prefix + name) != Some(&b'(') {
        return None;
    }
    let close = format!("){}\"", &rest[prefix..prefix + name]);
    one_line(rest, prefix + name + 1, &close)
}

/// `"""…"""` and `''…''`, on one line or on a separate line.
fn block(rest: &str) -> Option<Range<usize>> {
    let mark = ["\"\"\"", "'''", "''"].into_iter().find(|mark| rest.starts_with(mark))?;
    let inner = &rest[mark.len()..];
    let lead = inner.len() - inner.trim_start_matches([' ', '\t', '\r', '\n', '\\']).len();
    let start = mark.len() + lead;
    let value = head(rest.get(start..)?);
    let length = value.find(mark).or_else(|| value.find('\n'))?;
    let length = value[..length].split('\n').next()?.trim_end().len();
    // Two quotes are an empty string in most languages.
    let is_nothing = mark.len() == 2 && (lead > 0 || !value[length..].starts_with(mark));
    (length > 0 && lead < 80 && !is_nothing).then(|| start..start + length)
}

/// `<<EOT` and the first line after it.
fn here_document(rest: &str) -> Option<Range<usize>> {
    let (mark, body) = head(rest).split_once('\n')?;
    let name = mark.trim_start_matches('<').trim_start_matches(['~', '-']);
    let name = name.trim_matches(['"', '\'', ';', '\r', ' ']);
    let is_name = !name.is_empty() && name.bytes().all(|byte| WORD.contains(byte));
    if !mark.starts_with("<<") || !is_name {
        return None;
    }
    let line = body.split('\n').next()?;
    let start = mark.len() + 1 + (line.len() - line.trim_start().len());
    let length = line.trim().len();
    (length > 0).then(|| start..start + length)
}

fn quoted(rest: &str) -> Option<Range<usize>> {
    let (open, close) = *QUOTES.iter().find(|(open, _)| rest.starts_with(open))?;
    one_line(rest, open.len(), close)
}

/// The value from `start` on that `close` ends on the same line, without the
/// blanks around it.
fn one_line(rest: &str, start: usize, close: &str) -> Option<Range<usize>> {
    let inner = head(rest.get(start..)?);
    let value = &inner[..inner.find(close)?];
    let lead = value.len() - value.trim_start().len();
    let length = value.trim().len();
    (length > 0 && !value.contains('\n')).then(|| start + lead..start + lead + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_many_languages_are_delimited() {
        for text in [
            "r#\"§\"#;",
            "br##\"§\"##",
            "#\"§\"#",
            "R\"(§)\"",
            "u8R\"x(§)x\"",
            "\"\"\"§\"\"\"",
            "\"\"\"\n    §\n    \"\"\"",
            "'''§'''",
            "''§'';",
            "<<EOT\n§\nEOT",
            "<<~'PW'\n  §\nPW",
            "<<<EOT\n§\nEOT;",
            "q/§/;",
            "%w[§]",
            "[[§]]",
            "« § »",
            "「§」",
        ] {
            let value = "aB3\"d!E6";
            let text = text.replace('§', value);
            let found = literal(&text, 0).and_then(|range| text.get(range));
            assert_eq!(found, Some(value), "{text}");
        }
        for text in ["'' ", "'', 'x'", "\"\"", "<< 3", "<EOT", "r\"x\"", "#define", "rest", "[x]"] {
            assert_eq!(literal(text, 0), None, "{text}");
        }
    }
}
