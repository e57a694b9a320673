//! Code, outputs and diffs as HTML, in colour.
//!
//! `code` splits the code into parts and chooses the element of each: `i`, `u`, `em` or
//! `b`. Deliberately not here: the syntax of languages.

use super::escape::push_text;
use crate::code::{Class, Language, MAX_BYTES, find_language, for_each_part};
use crate::{bytes, untrusted};

/// Adds a block of code.
pub(super) fn push_code(page: &mut String, class: &str, code: &str, language: &str) {
    let closing = open(page, class, language);
    push_coloured(page, code.trim_end_matches('\n'), language);
    page.push_str(closing);
}

/// Adds a block whose middle is left out if it is too long, and returns whether it is.
pub(super) fn push_cut(
    page: &mut String,
    class: &str,
    text: &str,
    language: &str,
    limit: OutputLimit,
) -> bool {
    let text = text.trim_end();
    if text.trim_start().is_empty() {
        return false;
    }
    let (head, middle, tail) = limit.parts(text);
    let closing = open(page, class, language);
    push_coloured(page, head, language);
    if !middle.is_empty() {
        let lines = middle.lines().count();
        let size = bytes(middle.len() as u64);
        *page += &format!("<s>… {lines} lines ({size}) left out …</s>");
    }
    push_coloured(page, tail, language);
    page.push_str(closing);
    !middle.is_empty()
}

/// Opens a block and returns its closing tags.
fn open(page: &mut String, class: &str, language: &str) -> &'static str {
    match class {
        "" => page.push_str("<pre>"),
        _ => *page += &format!("<pre class=\"{class}\">"),
    }
    if !matches!(find_language(language), Some(Language::Diff)) {
        return "</pre>";
    }
    // `code` makes all lines as wide as the widest.
    page.push_str("<code>");
    "</code></pre>"
}

fn push_coloured(page: &mut String, code: &str, language: &str) {
    let language = find_language(language);
    if let Some(Language::Diff) = language {
        return push_diff(page, code);
    }
    // Browsers drop the first newline after the tag.
    if code.starts_with('\n') && page.ends_with('>') {
        page.push('\n');
    }
    let Some(Language::Code(lexicon)) = language.filter(|_| code.len() <= MAX_BYTES) else {
        return push_text(page, code);
    };
    for_each_part(&untrusted::text(code), lexicon, Class::element, |element, part| {
        if element.is_empty() {
            return push_text(page, part);
        }
        *page += &format!("<{element}>");
        push_text(page, part);
        *page += &format!("</{element}>");
    });
}

/// How much of an output is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputLimit {
    /// Bytes of the beginning.
    pub(super) head: usize,
    /// Bytes of the end.
    pub(super) tail: usize,
    /// Lines of the beginning and the end together.
    pub(super) lines: usize,
}

impl OutputLimit {
    /// The beginning, the middle to leave out, and the end of a text; the middle is empty
    /// if everything is shown. Cuts at line ends where one is near.
    fn parts(self, text: &str) -> (&str, &str, &str) {
        let whole = (text, "", "");
        // The line that marks the omission takes room as well.
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

/// Adds a unified diff. Adjacent lines of the same kind share an element.
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
                "<b>let</b> x: &amp;<b>'a</b> = <em>1</em>; <i>// &lt;n&gt;</i>",
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
    fn middle_is_left_out_at_line_ends() {
        let limit = OutputLimit { head: 19, tail: 10, lines: usize::MAX };
        let text = "0123456789\n".repeat(40);
        let (head, middle, tail) = limit.parts(text.trim_end());
        assert_eq!((head, tail), ("0123456789\n", "0123456789"));
        assert_eq!(head.len() + middle.len() + tail.len(), text.len() - 1);
        assert_eq!(limit.parts("short"), ("short", "", ""));
        let by_lines = OutputLimit { head: 900, tail: 900, lines: 4 };
        let (head, _, tail) = by_lines.parts("a\nb\nc\nd\ne\nf\ng\nh\ni");
        assert_eq!((head, tail), ("a\nb\nc\n", "i"));
    }

    proptest! {
        #[test]
        fn coloured_code_is_complete_and_harmless(
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
            let (first, middle, last) = OutputLimit { head, tail, lines }.parts(&text);
            prop_assert_eq!(format!("{first}{middle}{last}"), text);
        }
    }
}
