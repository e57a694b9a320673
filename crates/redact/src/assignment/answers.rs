//! Values in the line below their name: what an interpreter or a shell answers, and dumps that
//! write a name and its value on two lines.

use super::delimit::{find_closing, find_quote, skip_blanks};
use super::{Assignment, Certainty, Quoting};

/// How long the line of the name may be before it.
const FARTHEST: usize = 160;

/// What an interpreter writes before the line that a person types.
const PROMPTS: &[&str] = &[
    ">>> ", "> ", "In [", "irb", "pry", "iex", "[", "php > ", "julia> ", "scala> ", "ghci> ",
    "jshell> ", "node> ",
];

/// Commands that print the value of a variable.
const ECHOES: &[&str] = &["echo ", "printenv ", "print ", "Write-Output ", "Write-Host "];

/// `>>> app.secret_key` and `'…'` below it, `user.api_token` and `=> "…"`, `["password"]=>` and
/// `string(32) "…"`. The name ends at `name_end`.
pub(super) fn find_answer(text: &str, keyword: usize, name_end: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let is_closing = |byte: &&u8| b"\"'])} \t\r".contains(*byte);
    let mut at = name_end + bytes[name_end..].iter().take(8).take_while(is_closing).count();
    let has_arrow = bytes[at..].starts_with(b"=>");
    if has_arrow {
        at += 2 + bytes[at + 2..].iter().take(8).take_while(is_closing).count();
    }
    if bytes.get(at) != Some(&b'\n') {
        return None;
    }
    at += 1;
    let indent = skip_blanks(bytes, &mut at);
    let lead = skip_lead(text, at);
    at += lead;
    let floor = keyword.saturating_sub(FARTHEST);
    let line = memchr::memrchr(b'\n', &bytes[floor..keyword]).map_or(floor, |end| floor + end + 1);
    let typed = text.get(text.ceil_char_boundary(line)..keyword)?;
    let before = at;
    let Some(quote) = find_quote(bytes, &mut at) else {
        let is_echoed = ECHOES.iter().any(|echo| typed.contains(echo)) && indent == 0;
        return if is_echoed && lead == 0 { find_line(text, before) } else { None };
    };
    let is_answer = (has_arrow && indent > 0)
        || lead > 0
        || PROMPTS.iter().any(|prompt| typed.trim_start().starts_with(prompt));
    let end = find_closing(bytes, at, quote, at - before - 1)?;
    let after = bytes.get(end..)?.iter().find(|byte| !b"\\\"'`,; ".contains(byte));
    let ends = matches!(after, None | Some(b'\n' | b'\r'));
    (is_answer && ends && end > at).then(|| Assignment::whole(at..end))
}

/// The length of what an interpreter writes before a value.
fn skip_lead(text: &str, at: usize) -> usize {
    const LEADS: &[(&str, &str)] = &[
        ("=> ", ""),
        ("string(", ") "),
        ("str(", ") "),
        ("Out[", "]: "),
        ("res", " = "),
        ("$", " = "),
        ("#=> ", ""),
        ("# => ", ""),
        ("val it : string = ", ""),
        ("[1] ", ""),
    ];
    let rest = &text[at..text.floor_char_boundary(text.len().min(at + 40))];
    let length = |(open, close): &(&str, &str)| {
        let inner = rest.strip_prefix(open)?;
        let end = inner.find(close)?;
        let is_number = close.is_empty() || inner[..end].starts_with(|c: char| c.is_ascii_digit());
        is_number.then_some(open.len() + end + close.len())
    };
    LEADS.iter().find_map(length).unwrap_or(0)
}

/// The whole line from `at` on, if it is one word.
fn find_line(text: &str, at: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let length = bytes[at..].iter().take(200).take_while(|byte| byte.is_ascii_graphic()).count();
    let is_line = matches!(bytes.get(at + length), None | Some(b'\n' | b'\r'));
    let assignment = Assignment {
        quoting: Quoting::Bare,
        certainty: Certainty::Line,
        ..Assignment::whole(at..at + length)
    };
    (is_line && length >= 8).then_some(assignment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_below_their_names() {
        for (text, value) in [
            (">>> app.secret_key\n'a1b2'\n>>> ", Some("a1b2")),
            ("irb(main):003> u.secret_key\n=> \"a1b2\"\n", Some("a1b2")),
            ("[\"secret_key\"]=>\n  string(4) \"a1b2\"\n", Some("a1b2")),
            ("In [3]: secret_key\nOut[3]: 'a1b2'", Some("a1b2")),
            ("$ echo $secret_key\na1b2c3d4\n$ ", Some("a1b2c3d4")),
            ("the secret_key\n'a1b2'\n", None),
            ("the secret_key\na1b2c3d4\n", None),
            (">>> secret_key\n'a1b2' is it\n", None),
            ("$ echo $secret_key\nno such variable\n", None),
        ] {
            let at = text.find("secret_key").expect("the name");
            let found = find_answer(text, at, at + "secret_key".len());
            assert_eq!(found.map(|found| &text[found.value]), value, "{text}");
        }
    }
}
