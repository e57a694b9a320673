//! Code, outputs and diffs as HTML, in colour.
//!
//! Grammars (see `highlight`) take seconds for a long session, and a page must
//! not. So one pass over the bytes finds comments, texts, numbers and words of
//! the language; what it cannot know, such as where an expression in a text
//! begins, stays as it is. The elements are the shortest there are (`i`, `u`,
//! `em`, `b`), for there are many.
//!
//! Which language is meant by a name on a fence is `highlight`'s to say.

use super::escape::push_text;
use super::lexicon::{Lexicon, lexicon};
use crate::highlight::{DIFF, grammar_name};
use crate::{bytes, untrusted};

/// Bytes of one block that are coloured.
const MOST_BYTES: usize = 64 * 1024;

/// Adds a block of code.
pub(super) fn push_code(page: &mut String, class: &str, code: &str, language: &str) {
    let closing = open(page, class, language);
    push_coloured(page, code.trim_end_matches('\n'), language);
    page.push_str(closing);
}

/// Adds a block whose middle is left out: what is shown of it, and how much is
/// not.
pub(super) fn push_cut(page: &mut String, class: &str, text: &str, language: &str, most: Most) {
    let text = text.trim_end();
    if text.trim_start().is_empty() {
        return;
    }
    let (head, middle, tail) = most.parts(text);
    let closing = open(page, class, language);
    push_coloured(page, head, language);
    if !middle.is_empty() {
        let lines = middle.lines().count();
        let size = bytes(middle.len() as u64);
        *page += &format!("<s>… {lines} lines ({size}) left out …</s>");
    }
    push_coloured(page, tail, language);
    page.push_str(closing);
}

/// Opens a block, and says what closes it.
fn open(page: &mut String, class: &str, language: &str) -> &'static str {
    match class {
        "" => page.push_str("<pre>"),
        _ => *page += &format!("<pre class=\"{class}\">"),
    }
    if grammar_name(language) != Some(DIFF) {
        return "</pre>";
    }
    // Its lines are as wide as the widest of them.
    page.push_str("<code>");
    "</code></pre>"
}

fn push_coloured(page: &mut String, code: &str, language: &str) {
    let grammar = grammar_name(language);
    if grammar == Some(DIFF) {
        return push_diff(page, code);
    }
    // The first newline after the tag would be dropped.
    if code.starts_with('\n') && page.ends_with('>') {
        page.push('\n');
    }
    match grammar.and_then(lexicon) {
        Some(lexicon) if code.len() <= MOST_BYTES => push_tokens(page, code, lexicon),
        _ => push_text(page, code),
    }
}

/// How much of an output is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// Bytes of its beginning.
    pub(super) head: usize,
    /// Bytes of its end.
    pub(super) tail: usize,
    /// Lines of its beginning and end together.
    pub(super) lines: usize,
}

impl Most {
    /// The text in three, the middle empty where everything is shown. Cut at
    /// ends of lines where there are any near.
    fn parts(self, text: &str) -> (&str, &str, &str) {
        let whole = (text, "", "");
        // A line that says so takes room as well.
        let spare = 160;
        let is_long = text.len() > self.head + self.tail + spare;
        if !is_long && (self.lines == usize::MAX || text.lines().nth(self.lines + 2).is_none()) {
            return whole;
        }
        let (first, last) = (self.lines - self.lines / 4, self.lines / 4);
        let head = text.floor_char_boundary(self.head);
        let by_lines = text.match_indices('\n').nth(first.saturating_sub(1)).map(|(at, _)| at + 1);
        let head = match (by_lines, text[..head].rfind('\n')) {
            (Some(at), _) if at <= head => at,
            (_, Some(at)) if at >= head / 2 => at + 1,
            _ => head,
        };
        let rest = &text[head..];
        let tail = rest.ceil_char_boundary(rest.len().saturating_sub(self.tail));
        let by_lines = rest.rmatch_indices('\n').nth(last.saturating_sub(1)).map(|(at, _)| at + 1);
        let tail = match (by_lines, rest[tail..].find('\n')) {
            (Some(at), _) if at >= tail => at,
            (_, Some(at)) if at < self.tail / 2 => tail + at + 1,
            _ => tail,
        };
        let (middle, last) = rest.split_at(tail);
        (&text[..head], middle, last)
    }
}

/// Adds a unified diff. Neighbouring lines of one kind share an element.
fn push_diff(page: &mut String, diff: &str) {
    let kind = |line: &str| match line.as_bytes().first() {
        Some(b'+') => ("<ins>", "</ins>"),
        Some(b'-') => ("<del class=d>", "</del>"),
        Some(b'@') => ("<i>", "</i>"),
        _ => ("", ""),
    };
    let mut open = ("", "");
    for line in diff.split_inclusive('\n') {
        let own = kind(line);
        if own != open {
            page.push_str(open.1);
            page.push_str(own.0);
            open = own;
        }
        push_text(page, line);
    }
    page.push_str(open.1);
}

fn push_tokens(page: &mut String, code: &str, lexicon: &Lexicon) {
    let code = untrusted::text(code);
    let code: &str = &code;
    let all = code.as_bytes();
    let (mut at, mut plain) = (0, 0);
    while let Some(byte) = all.get(at) {
        let (end, sign) = match byte {
            // Between the number of a line and the line.
            _ if all[at..].starts_with(ARROW) => (at + ARROW.len(), ""),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => {
                let end = at + all[at..].iter().take_while(|byte| is_word(**byte)).count();
                let is_own = lexicon.words.binary_search(&&code[at..end]).is_ok();
                (end, if is_own { "b" } else { "" })
            }
            b'0'..=b'9' => {
                let is_number = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'.';
                let end = at + all[at..].iter().take_while(is_number).count();
                (end, if all[end..].starts_with(ARROW) { "" } else { "em" })
            }
            quote if lexicon.quotes.contains(quote) => (end_of_text(all, at), "u"),
            byte if byte.is_ascii_punctuation() => match comment(code, at, lexicon) {
                Some(end) => (end, "i"),
                None => (at + 1, ""),
            },
            _ => (at + 1, ""),
        };
        if !sign.is_empty() {
            push_text(page, &code[plain..at]);
            *page += &format!("<{sign}>");
            push_text(page, &code[at..end]);
            *page += &format!("</{sign}>");
            plain = end;
        }
        at = end;
    }
    push_text(page, &code[plain..]);
}

/// What stands between the number of a line and the line where a file is read.
const ARROW: &[u8] = "→".as_bytes();

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where a text ends: after its quote, or with its line if it never does.
fn end_of_text(all: &[u8], start: usize) -> usize {
    let quote = all[start];
    let mut at = start + 1;
    while let Some(byte) = all.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if quote != b'`' => return at,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    all.len()
}

/// Where a comment that begins here ends.
fn comment(code: &str, at: usize, lexicon: &Lexicon) -> Option<usize> {
    // What is escaped may be any character's first byte.
    let rest = code.get(at..)?;
    let begins = |sign: &&str| {
        let is_alone = at == 0 || code.as_bytes()[at - 1].is_ascii_whitespace();
        rest.starts_with(*sign) && (*sign != "#" || is_alone)
    };
    if lexicon.line.iter().any(begins) {
        return Some(at + rest.find('\n').unwrap_or(rest.len()));
    }
    let (begin, end) = lexicon.block?;
    if !rest.starts_with(begin) {
        return None;
    }
    let within = &rest[begin.len()..];
    let length = within.find(end).map_or(rest.len(), |at| begin.len() + at + end.len());
    Some(at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coloured(code: &str, language: &str) -> String {
        let mut page = String::new();
        push_coloured(&mut page, code, language);
        page
    }

    #[test]
    fn parts_of_code_have_their_elements() {
        let table = [
            (
                "rust",
                "let x: &'a = 1; // <n>",
                "<b>let</b> x: &amp;'a = <em>1</em>; <i>// &lt;n&gt;</i>",
            ),
            ("py", "def f(): 'a\\'b' # c", "<b>def</b> f(): <u>'a\\'b'</u> <i># c</i>"),
            ("bash", "echo $# \"a", "<b>echo</b> $# <u>\"a</u>"),
            ("js", "/* a */ `b\nc`", "<i>/* a */</i> <u>`b\nc`</u>"),
            ("html", "<!-- a --><b c=\"d\">", "<i>&lt;!-- a --&gt;</i>&lt;b c=<u>\"d\"</u>&gt;"),
            ("rust", "   1→let é1", "   1→<b>let</b> é1"),
            ("klingon", "let <", "let &lt;"),
            (
                "diff",
                "@@ -1 +1 @@\n-a\n-b\n+<c>\n d",
                "<i>@@ -1 +1 @@\n</i><del class=d>-a\n-b\n</del><ins>+&lt;c&gt;\n</ins> d",
            ),
        ];
        for (language, code, expected) in table {
            assert_eq!(coloured(code, language), expected);
        }
    }

    #[test]
    fn the_middle_is_left_out_at_ends_of_lines() {
        let most = Most { head: 19, tail: 10, lines: usize::MAX };
        let text = "0123456789\n".repeat(40);
        let (head, middle, tail) = most.parts(text.trim_end());
        assert_eq!((head, tail), ("0123456789\n", "0123456789"));
        assert_eq!(head.len() + middle.len() + tail.len(), text.len() - 1);
        assert_eq!(most.parts("short"), ("short", "", ""));
        let by_lines = Most { head: 900, tail: 900, lines: 4 };
        let (head, _, tail) = by_lines.parts("a\nb\nc\nd\ne\nf\ng\nh\ni");
        assert_eq!((head, tail), ("a\nb\nc\n", "i"));
    }

    proptest! {
        #[test]
        fn code_comes_out_whole_and_harmless(
            code in prop_oneof![any::<String>(), "([a<${}()'\"`#/*;=\\\\ \n\u{1b}é]|<!--|let|//){0,40}"],
            language in prop_oneof!["rust", "js", "bash", "py", "sql", "html", "json"],
        ) {
            let mut page = coloured(&code, &language);
            for sign in ["b", "i", "u", "em"] {
                page = page.replace(&format!("<{sign}>"), "").replace(&format!("</{sign}>"), "");
            }
            let mut plain = String::new();
            push_text(&mut plain, &code);
            prop_assert_eq!(page, plain);
        }

        #[test]
        fn nothing_is_lost_around_the_middle(
            text in "[aé\n]{0,400}", head in 0usize..90, tail in 0usize..90, lines in 0usize..9,
        ) {
            let (first, middle, last) = Most { head, tail, lines }.parts(&text);
            prop_assert_eq!(format!("{first}{middle}{last}"), text);
        }
    }
}
