//! Text without what programs put before its lines: the numbers of `cat -n`,
//! `nl`, `sed =`, `grep -n`, editors and agents, names of files, times of logs,
//! and the marks of diffs and quotations. Rules that look at whole lines, or from
//! one line to the next, then see the lines of the file. Line ends that are
//! written out, as in JSON within a string, are line ends here.
//!
//! Only used to find positions. A mark that is none does no harm: the whole text
//! is searched as well.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use crate::pattern::{ANY_HEX, DIGIT, URL64};
use crate::view::View;

/// The longest name of a file before a line.
const LONGEST_NAME: usize = 160;
/// How many unchanged lines around a change are looked at.
const CONTEXT: usize = 12;

/// The parts of a text whose lines are marked, without the marks; none, as is
/// mostly the case. `has_files` says whether a word is in the text that speaks of a password:
/// only then are the marks of programs looked at, which are in every log.
pub(crate) fn views(text: &str, has_files: bool) -> Vec<View> {
    let mut views = Vec::new();
    numbered(text, has_files, &mut views);
    compared(text, &mut views);
    written_out(text, &mut views);
    views
}

/// The lines from `start` on, without their ends.
pub(crate) fn lines(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = Some(start);
    std::iter::from_fn(move || {
        let start = at?;
        let end = memchr(b'\n', &bytes[start..]).map(|length| start + length);
        at = end.map(|end| end + 1).filter(|next| *next < bytes.len());
        Some(start..end.unwrap_or(bytes.len()))
    })
}

/// Appends a line from `from` on, with its end.
fn push_line(view: &mut View, text: &str, from: usize, end: usize) {
    if let Some(piece) = text.get(from..text.len().min(end + 1)) {
        view.push(piece, from);
    }
}

/// Adds a view of every block of lines with numbers or names.
fn numbered(text: &str, has_files: bool, views: &mut Vec<View>) {
    let mut view = View::default();
    let mut last = None;
    let mut is_after_number = false;
    for line in lines(text, 0) {
        let bytes = &text.as_bytes()[line.clone()];
        if is_after_number {
            // The line whose number was printed above it.
            is_after_number = false;
            push_line(&mut view, text, line.start, line.end);
            continue;
        }
        let found = prefix(bytes, has_files).filter(|found| {
            let Some(number) = found.number.filter(|_| found.is_weak) else { return true };
            last == number.checked_sub(1)
                || is_followed(text, has_files, line.end, number, found.is_alone)
        });
        if let Some(found) = found {
            last = found.number;
            if found.is_alone {
                is_after_number = true;
            } else {
                push_line(&mut view, text, line.start + found.length, line.end);
            }
        } else {
            last = None;
            if !view.text.is_empty() {
                views.push(std::mem::take(&mut view));
            }
        }
    }
    if !view.text.is_empty() {
        views.push(view);
    }
}

/// Whether the next line has the next number, or the one after it if the number
/// is alone on its line.
fn is_followed(text: &str, has_files: bool, end: usize, number: usize, is_alone: bool) -> bool {
    let skipped = 1 + usize::from(is_alone);
    let next = lines(text, end).nth(skipped).map(|line| &text.as_bytes()[line]);
    next.and_then(|line| prefix(line, has_files))
        .is_some_and(|next| next.number == Some(number + 1))
}

/// What is before a line.
struct Prefix {
    length: usize,
    number: Option<usize>,
    /// It counts only if the next line or the one before has the next number.
    is_weak: bool,
    /// The number is the whole line.
    is_alone: bool,
}

fn prefix(line: &[u8], has_files: bool) -> Option<Prefix> {
    let blanks = line.iter().take(12).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match line.get(blanks)? {
        b'0'..=b'9' => time_prefix(line)
            .or_else(|| log_prefix(line).filter(|_| has_files))
            .or_else(|| number_prefix(line, blanks))
            .or_else(|| blame_prefix(line)),
        b'L' | b'l' if blanks == 0 => word_prefix(line).or_else(|| name_prefix(line)),
        b'.' | b'/' | b'_' | b'a'..=b'z' | b'A'..=b'Z' if blanks == 0 => blame_prefix(line)
            .or_else(|| name_prefix(line))
            .or_else(|| if has_files { program_prefix(line) } else { None }),
        b'^' if blanks == 0 => blame_prefix(line),
        b'[' if blanks == 0 && has_files => bracket_prefix(line),
        b'#' if blanks == 0 && has_files => counted_prefix(line),
        _ => None,
    }
}

/// What programs print before the lines of others.
fn program_prefix(line: &[u8]) -> Option<Prefix> {
    let is_remote = line.starts_with(b"remote: ");
    service_prefix(line)
        .or_else(|| syslog_prefix(line))
        .or_else(|| is_remote.then(|| strong(b"remote: ".len(), None)))
}

/// `[12] `, `[INFO] `, `[pod/web/app] `
fn bracket_prefix(line: &[u8]) -> Option<Prefix> {
    let close = memchr(b']', &line[..line.len().min(80)])?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.: ,+#".contains(byte);
    let is_label = close > 1 && line[1..close].iter().all(is_part);
    // A section of a file ends its line.
    (is_label && line.get(close + 1) == Some(&b' ')).then(|| strong(close + 2, None))
}

/// `#12: `
fn counted_prefix(line: &[u8]) -> Option<Prefix> {
    let digits = DIGIT.run(&line[1..], 6);
    let is_counted = digits > 0 && matches!(line.get(1 + digits), Some(b':' | b' '));
    is_counted.then(|| strong((digits + 3).min(line.len()), None))
}

/// `web-1  | `, `app_db_1 | `: the service whose line it is.
fn service_prefix(line: &[u8]) -> Option<Prefix> {
    let head = &line[..line.len().min(60)];
    let name = URL64.run(head, 40);
    let rest = head.get(name..)?;
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let is_service = name > 1 && head[..name].iter().any(|byte| b"-_".contains(byte));
    (is_service && blanks > 0 && rest[blanks..].starts_with(b"| "))
        .then(|| strong(name + blanks + 2, None))
}

/// `Nov 19 14:00:01 host app[12]: `
fn syslog_prefix(line: &[u8]) -> Option<Prefix> {
    let head = &line[..line.len().min(100)];
    let is_time = matches!(
        head.get(3..16),
        Some([b' ', b' ' | b'0'..=b'3', b'0'..=b'9', b' ', _, _, b':', _, _, b':', _, _, b' '])
    );
    let colon = is_time.then(|| memmem::find(&head[16..], b": ")).flatten()?;
    let blanks = memchr_iter(b' ', &head[16..16 + colon]).count();
    (blanks <= 1).then(|| strong(16 + colon + 2, None))
}

const fn strong(length: usize, number: Option<usize>) -> Prefix {
    Prefix { length, number, is_weak: false, is_alone: false }
}

/// `  12→`, `12\t`, `12:`, `12 | `, `12. `.
fn number_prefix(line: &[u8], blanks: usize) -> Option<Prefix> {
    let digits = DIGIT.run(&line[blanks..], 8);
    if digits > 7 {
        return None;
    }
    let number = str::from_utf8(&line[blanks..blanks + digits]).ok()?.parse().ok();
    let end = blanks + digits;
    let rest = &line[end..];
    let gap = rest.iter().take(3).take_while(|byte| **byte == b' ').count();
    let after = &rest[gap..];
    if let Some(bar) = ["→", "│", "┃"].iter().find(|bar| after.starts_with(bar.as_bytes())) {
        return Some(strong(end + gap + bar.len(), number));
    }
    let weak = |length| Prefix { length, number, is_weak: true, is_alone: false };
    match rest {
        [b'\t' | b':', ..] => Some(strong(end + 1, number)),
        [b'-', ..] if blanks == 0 => Some(weak(end + 1)),
        [b'.' | b')', b' ', ..] => Some(weak(end + 2)),
        [] | [b'\r'] => Some(Prefix { length: line.len(), number, is_weak: true, is_alone: true }),
        _ if after.starts_with(b"|") => Some(strong(end + gap + 1, number)),
        [b' ', ..] => Some(weak(end + 1)),
        _ => None,
    }
}

/// `2026-01-02 03:04:05,678 INFO `
fn log_prefix(line: &[u8]) -> Option<Prefix> {
    const LEVELS: [&[u8]; 6] = [b"INFO ", b"DEBUG ", b"WARN ", b"ERROR ", b"TRACE ", b"WARNING "];
    let head = &line[..line.len().min(40)];
    if !matches!(
        head,
        [b'2', b'0', _, _, b'-', _, _, b'-', _, _, b' ', _, _, b':', _, _, b':', _, _, ..]
    ) {
        return None;
    }
    let length = 19 + head[19..].iter().take_while(|byte| b".,0123456789Z".contains(byte)).count();
    let rest = line.get(length..)?.strip_prefix(b" ")?;
    let level = LEVELS.iter().find(|level| rest.starts_with(level)).map_or(0, |level| level.len());
    Some(strong(length + 1 + level, None))
}

/// `2026-01-02T03:04:05.678Z `
fn time_prefix(line: &[u8]) -> Option<Prefix> {
    let is_time = matches!(
        line,
        [
            b'2',
            b'0',
            _,
            _,
            b'-',
            _,
            _,
            b'-',
            _,
            _,
            b'T',
            _,
            _,
            b':',
            _,
            _,
            b':',
            _,
            _,
            b'.' | b'Z',
            ..
        ]
    );
    let blank = is_time.then(|| memchr(b' ', &line[..line.len().min(40)])).flatten()?;
    line[..blank].ends_with(b"Z").then(|| strong(blank + 1, None))
}

/// `L12: `, `line 12: `
fn word_prefix(line: &[u8]) -> Option<Prefix> {
    let word = ["Line ", "line ", "L"].iter().find(|word| line.starts_with(word.as_bytes()))?;
    let digits = DIGIT.run(&line[word.len()..], 7);
    let end = word.len() + digits;
    (digits > 0 && matches!(line.get(end), Some(b':' | b'\t' | b'|')))
        .then(|| strong(end + 1, None))
}

/// `src/x.rs:12:`, `src/x.rs-12-`, `src/x.rs:`, as `grep` prints them.
fn name_prefix(line: &[u8]) -> Option<Prefix> {
    let head = &line[..line.len().min(LONGEST_NAME)];
    let ends = |byte: &u8| !matches!(byte, b'!' | b'#' | b'%' | b'&' | b'*'..=b'+' | b'-'..=b':' | b'?'..=b'Z' | b'\\' | b'^'..=b'_' | b'a'..=b'z' | b'|' | b'~');
    let head = &head[..head.iter().position(ends).unwrap_or(head.len())];
    let is_file =
        |name: &[u8]| !name.ends_with(b".") && name.iter().any(|byte| matches!(byte, b'/' | b'.'));
    // `file-12-`, a line around a match.
    let context = memchr_iter(b'-', head).find_map(|dash| {
        let digits = DIGIT.run(&head[dash + 1..], 7);
        let end = dash + 1 + digits;
        (digits > 0 && head.get(end) == Some(&b'-') && is_file(&head[..dash])).then_some(end + 1)
    });
    let colon = memchr(b':', head).filter(|colon| is_file(&head[..*colon]));
    let Some(colon) = colon else { return context.map(|length| strong(length, None)) };
    if let Some(length) = context.filter(|length| *length < colon) {
        return Some(strong(length, None));
    }
    let digits = DIGIT.run(&head[colon + 1..], 7);
    let end = colon + 1 + digits;
    if digits > 0 && matches!(head.get(end), Some(b':' | b'-')) {
        // The column may follow.
        let column = DIGIT.run(&head[end + 1..], 4);
        let has_column = column > 0 && head.get(end + 1 + column) == Some(&b':');
        return Some(strong(if has_column { end + 2 + column } else { end + 1 }, None));
    }
    (head.get(colon + 1) != Some(&b'/')).then(|| strong(colon + 1, None))
}

/// `9f8e7d6c (Ann 2026-01-02 03:04:05 +0200 12) `
fn blame_prefix(line: &[u8]) -> Option<Prefix> {
    let start = usize::from(line.first() == Some(&b'^'));
    let commit = line[start..].iter().take(41).take_while(|b| ANY_HEX.contains(**b)).count();
    if commit < 7 || line.get(start + commit) != Some(&b' ') {
        return None;
    }
    let head = &line[..line.len().min(LONGEST_NAME)];
    let close = memmem::find(head, b") ")?;
    let is_numbered = head[..close].last().is_some_and(u8::is_ascii_digit);
    (is_numbered && memchr(b'(', &head[..close]).is_some()).then(|| strong(close + 2, None))
}

/// What the mark of a line in a diff says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Added(usize),
    Removed(usize),
    Kept(usize),
}

fn change(line: &[u8]) -> Option<Change> {
    const HEADINGS: [&[u8]; 5] = [b"@@", b"diff ", b"index ", b"new file", b"deleted file"];
    match line {
        [b'+', ..] => Some(Change::Added(1)),
        [b'-', ..] => Some(Change::Removed(1)),
        [b'>', b' ', ..] => Some(Change::Added(2)),
        [b'<', b' ', ..] => Some(Change::Removed(2)),
        // The lines of a graph of commits.
        [b'|', b' ', b'+', ..] => Some(Change::Added(3)),
        [b'|', b' ', b'-', ..] => Some(Change::Removed(3)),
        [b'|', b' ', b' ', ..] => Some(Change::Kept(3)),
        [b' ', ..] => Some(Change::Kept(1)),
        [] | [b'\\' | b'\r', ..] => Some(Change::Kept(0)),
        [b'@' | b'd' | b'i' | b'n', ..]
            if HEADINGS.iter().any(|heading| line.starts_with(heading)) =>
        {
            Some(Change::Kept(0))
        }
        _ => None,
    }
}

/// Adds a view of both sides of every block of changed lines.
fn compared(text: &str, views: &mut Vec<View>) {
    let bytes = text.as_bytes();
    let is_changed = |at: usize| matches!(bytes.get(at), Some(b'+' | b'-' | b'<' | b'>' | b'|'));
    if !is_changed(0) && !memchr_iter(b'\n', bytes).any(|end| is_changed(end + 1)) {
        return;
    }
    let mut block: Vec<(Change, Range<usize>)> = Vec::new();
    let mut kept = 0;
    for line in lines(text, 0) {
        let found = change(&bytes[line.clone()]);
        let is_kept = matches!(found, Some(Change::Kept(_)));
        kept = if is_kept { kept + 1 } else { 0 };
        if found.is_none() {
            push_sides(text, &block, views);
            block.clear();
        } else if kept > CONTEXT {
            push_sides(text, &block, views);
            block.drain(..block.len().saturating_sub(CONTEXT));
        }
        block.extend(found.map(|found| (found, line)));
    }
    push_sides(text, &block, views);
}

/// Adds the old and the new side of a block; one of them if only lines of one
/// kind are in it.
fn push_sides(text: &str, block: &[(Change, Range<usize>)], views: &mut Vec<View>) {
    let has = |test: fn(Change) -> bool| block.iter().any(|(change, _)| test(*change));
    let is_added = |change| matches!(change, Change::Added(_));
    let is_removed = |change| matches!(change, Change::Removed(_));
    for (is_shown, is_hidden) in
        [(is_added as fn(Change) -> bool, is_removed as fn(Change) -> bool), (is_removed, is_added)]
    {
        if !has(is_shown) || (!has(is_added) && is_list(text, block)) {
            continue;
        }
        let mut side = View::default();
        for (change, line) in block.iter().filter(|(change, _)| !is_hidden(*change)) {
            let (Change::Added(mark) | Change::Removed(mark) | Change::Kept(mark)) = *change;
            push_line(&mut side, text, line.start + mark, line.end);
        }
        views.push(side);
    }
}

/// Whether every removed line is an item of a list: `- x`.
fn is_list(text: &str, block: &[(Change, Range<usize>)]) -> bool {
    block.iter().filter(|(change, _)| *change == Change::Removed(1)).all(|(_, line)| {
        let item = &text.as_bytes()[line.clone()];
        matches!(item, [b'-', b' ', next, ..] if *next != b' ') || item == b"---"
    })
}

/// Adds a view of every line in which several lines are written out, with line
/// ends, tabs and quotes in place of `\n`, `\t` and `\"`.
fn written_out(text: &str, views: &mut Vec<View>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for at in memmem::find_iter(bytes, b"\\n") {
        if at < done {
            continue;
        }
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        let start = memrchr(b'\n', &bytes[done..at]).map_or(done, |before| done + before + 1);
        done = end;
        if memmem::find(&bytes[at + 2..end], b"\\n").is_some() {
            views.push(decode_line(text, start..end));
        }
    }
}

fn decode_line(text: &str, line: Range<usize>) -> View {
    let bytes = &text.as_bytes()[..line.end];
    let ends = string_ends(bytes, line.start);
    let mut view = View::with_capacity(line.len());
    let mut done = line.start;
    while let Some(next) = memchr2(b'\\', b'"', &bytes[done..]) {
        let start = done + next;
        let slashes = slashes(&bytes[start..]);
        let end = start + slashes;
        let plain = match bytes.get(end) {
            _ if ends.contains(&end) => "\n",
            Some(b'n') => "\n",
            Some(b't') => "\t",
            Some(b'"') => "\"",
            _ => {
                view.push(&text[done..end], done);
                done = end;
                continue;
            }
        };
        view.push(&text[done..start], done);
        view.push(plain, start);
        done = end + 1;
    }
    view.push(&text[done..line.end], done);
    view
}

fn slashes(bytes: &[u8]) -> usize {
    bytes.iter().take(9).take_while(|byte| **byte == b'\\').count()
}

/// The quotes around the lines that are written out: they begin the first line and
/// end the last one. Quotes within the lines have more backslashes.
fn string_ends(bytes: &[u8], from: usize) -> [usize; 2] {
    let deep =
        |at: usize| bytes[from..at].iter().rev().take(9).take_while(|byte| **byte == b'\\').count();
    let first = memmem::find(&bytes[from..], b"\\n").map_or(from, |at| from + at + 1);
    let last = memmem::rfind(&bytes[from..], b"\\n").map_or(from, |at| from + at + 1);
    let mut before = memchr_iter(b'"', &bytes[from..first]).rev().map(|at| from + at);
    let mut after = memchr_iter(b'"', &bytes[last..]).map(|at| last + at);
    let open = before.find(|quote| deep(*quote) < deep(first)).unwrap_or(usize::MAX);
    let close = after.find(|quote| deep(*quote) < deep(last)).unwrap_or(usize::MAX);
    [open, close]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        views(text, true).into_iter().map(|view| view.text).collect()
    }

    #[test]
    fn numbers_and_names_before_lines_are_taken_off() {
        let lines = ["one", "  two", "three"];
        let marked = |mark: fn(usize, &str) -> String| {
            (1..).zip(lines).map(|(number, line)| mark(number, line)).collect::<Vec<_>>().join("\n")
        };
        let forms: [fn(usize, &str) -> String; 17] = [
            |number, line| format!("{number:6}→{line}"),
            |number, line| format!("{number:6}\t{line}"),
            |number, line| format!("{number}\t{line}"),
            |number, line| format!("{number}:{line}"),
            |number, line| format!("{number}-{line}"),
            |number, line| format!("{number}. {line}"),
            |number, line| format!("{number:4} {line}"),
            |number, line| format!("{number:4} │{line}"),
            |number, line| format!("{number:4} |{line}"),
            |number, line| format!("{number}\n{line}"),
            |number, line| format!("L{number}:{line}"),
            |number, line| format!(".netrc:{number}:{line}"),
            |number, line| format!("a/b.c:{number}:7:{line}"),
            |number, line| format!("a/b.c-{number}-{line}"),
            |_, line| format!("a/b.c:{line}"),
            |number, line| format!("2026-01-02T03:04:05.{number}Z {line}"),
            |number, line| format!("9f8e7d6c (Ann Lee 2026-01-02 03:04:05 +0200 {number}) {line}"),
        ];
        for form in forms {
            let text = marked(form);
            assert_eq!(texts(&text), [lines.join("\n")], "{text}");
            let inner = format!("Before:\n{text}\nand after");
            assert_eq!(texts(&inner), [lines.join("\n") + "\n"], "{inner}");
        }
        for text in ["one\ntwo", "7\nx", "3 of them", "8. of May\n3 more", "https://a.b/c", "a: b"]
        {
            assert_eq!(texts(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn both_sides_of_a_diff_are_views() {
        let text = "@@ -1,2 +1,2 @@\n a\n-old é\n+new\n b\nend";
        assert_eq!(texts(text), ["@@ -1,2 +1,2 @@\na\nnew\nb\n", "@@ -1,2 +1,2 @@\na\nold é\nb\n"]);
        let view = &views(text, true)[1];
        let at = view.text.find("old").unwrap();
        assert_eq!(&text[view.source_range(at..at + "old é".len())], "old é");
        assert_eq!(texts("> a\n> b"), ["a\nb"]);
        assert_eq!(texts("3c3\n< a\n---\n> b"), ["b", "a\n--\n"]);
        assert_eq!(texts("- a\n- b"), [""; 0]);
        let far = format!("+a\n{}+b\n", " x\n".repeat(40));
        assert_eq!(texts(&far).len(), 2);
    }

    #[test]
    fn lines_that_are_written_out_are_lines() {
        let text = r#"say {"a":"x\\n\\ty\\nC:\\dir"} é"#;
        let view = &views(text, true)[0];
        assert_eq!(view.text, "say {\"a\":\nx\n\ty\nC:\\\\dir\n} é");
        assert_eq!(texts(r"printf 'a\n'"), [""; 0]);
    }
}
