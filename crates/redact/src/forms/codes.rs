//! Codes for people: numbers that open a door, codes that replace an authenticator, and the
//! seed of one.

use std::ops::Range;

use crate::check::is_placeholder;
use crate::pattern::{ALNUM, BASE32, DIGIT};

/// The digits that open something: `the PIN of … is 522530`. The keyword is the name.
pub(crate) fn access_code(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LEADS: &[&str] = &[
        ":", "=", "=>", "：", " is", " ist", " lautet", " est", " es", " è", " é", " to", "は",
        "|", "uses", " son",
    ];
    /// What leads to the name of something whose code it is: `el pin de la caja 5297`
    const OWNERS: &[&str] = &[
        "de ", "del ", "della ", "di ", "do ", "da ", "du ", "der ", "des ", "van ", "för ",
        "для ", "от ",
    ];
    let rest = text.get(keyword.end..)?;
    let head = &rest[..rest.floor_char_boundary(rest.len().min(48))];
    let digits = head.find(|c: char| c.is_ascii_digit())?;
    let clause = head[..digits].trim_end_matches([' ', '"', '\'', '`', '*', '\\']);
    let is_words = clause.chars().all(|c| c.is_alphabetic() || " -_'\":=>|：\\,".contains(c));
    let is_table = clause.is_empty() && head[..digits].starts_with("   ");
    let name = text[keyword.clone()].trim_matches([' ', ':']);
    // In small letters, the pin of a board has a number too.
    let is_direct = clause.is_empty()
        && (name.eq_ignore_ascii_case("puk")
            || !name.is_ascii()
            || ["PIN", "-PIN", "PIN-Code", "ПИН", "ПИН-код", "Pincode"].contains(&name));
    let is_owned = OWNERS.iter().any(|owner| clause.trim_start().starts_with(owner));
    // A row of names and values: `'unlock_pin', '…'`
    let is_row = clause == "," && name.ends_with('\'');
    let is_led = is_row
        || is_owned
        || LEADS.iter().any(|lead| clause.ends_with(lead))
        || is_table
        || is_direct;
    if !is_words || !is_led || clause.contains('\n') {
        return None;
    }
    let start = keyword.end + digits;
    let length = DIGIT.run(&text.as_bytes()[start..], 12);
    let value = &text[start..start + length];
    let next = text.as_bytes().get(start + length);
    // The number goes on: `1,500`
    let goes_on = matches!(next, Some(b',' | b'.'))
        && text[start + length + 1..].starts_with(|c: char| c.is_ascii_digit());
    let is_whole = !goes_on
        && next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"_%/:-".contains(byte));
    (is_whole && (4..=10).contains(&length) && !is_number(value)).then(|| start..start + length)
}

/// `WIFI:T:WPA;S:name;P:password;;`, the text of a picture that connects to a network. The
/// keyword is its start.
pub(crate) fn wifi_code(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let rest =
        text.get(keyword.end..text.floor_char_boundary(text.len().min(keyword.end + 200)))?;
    let line = rest.split('\n').next()?;
    let name = line.find(";P:").map(|at| at + 3).or(line.starts_with("P:").then_some(2))?;
    let value = &line[name..];
    let ends = |(at, c): &(usize, char)| *c == ';' && !value[..*at].ends_with('\\');
    let (length, _) = value.char_indices().find(ends)?;
    let start = keyword.end + name;
    let is_open = value.starts_with(['<', '$', '{']) || is_placeholder(&value[..length]);
    (length >= 5 && !is_open).then(|| start..start + length)
}

/// Years, round numbers, digits in a row.
fn is_number(value: &str) -> bool {
    let steps = || value.as_bytes().windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
    let is_year = value.len() == 4 && (value.starts_with("19") || value.starts_with("20"));
    is_year
        || value.ends_with("000")
        || steps().all(|step| step == 0)
        || steps().all(|step| step == 1)
}

/// The codes below or after a heading such as `recovery codes`. The keyword is the heading.
pub(crate) fn recovery_codes(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const MOST_LINES: usize = 24;
    let Some(rest) = text.get(keyword.end..) else { return Vec::new() };
    let rest = &rest[..rest.floor_char_boundary(rest.len().min(1500))];
    let mut found = Vec::new();
    let mut misses = 0;
    let mut at = keyword.end;
    for line in rest.split_inclusive('\n').take(MOST_LINES) {
        let before = found.len();
        codes_of(line, at, &mut found);
        at += line.len();
        // The heading goes on in its line, and a blank line may follow.
        let is_skipped = before == 0 && at - keyword.end < 200 || line.trim().is_empty();
        misses += usize::from(found.len() == before && !is_skipped);
        if misses > 0 {
            break;
        }
    }
    found
}

fn codes_of(line: &str, start: usize, found: &mut Vec<Range<usize>>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length =
            bytes[at..].iter().take(40).take_while(|b| ALNUM.contains(**b) || **b == b'-').count();
        if length == 0 {
            at += 1;
            continue;
        }
        let mut end = at + length;
        // Two groups of four digits: `2927 1614`
        let is_pair = length == 4
            && DIGIT.run(&bytes[at..], 5) == 4
            && bytes.get(end) == Some(&b' ')
            && DIGIT.run(&bytes[end + 1..], 5) == 4;
        end += if is_pair { 5 } else { 0 };
        if is_pair || is_code(&line[at..end]) {
            found.push(start + at..start + end);
        }
        at = end;
    }
}

/// Codes that stand in two columns or more rows below a heading that speaks of a second factor.
/// The keyword is in the heading.
pub(crate) fn paired_codes(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const LEAST: usize = 4;
    let is_heading = |rest: &str| rest.split('\n').next().is_some_and(|line| line.len() < 90);
    let Some(rest) = text.get(keyword.end..).filter(|rest| is_heading(rest)) else {
        return Vec::new();
    };
    let rest = &rest[..rest.floor_char_boundary(rest.len().min(900))];
    let (mut found, mut count) = (Vec::new(), 0);
    let mut at = keyword.end;
    for line in rest.split_inclusive('\n').take(16) {
        let mut codes = Vec::new();
        let mut place = at;
        let is_row = line.split([' ', '\t', '\n', '\r']).all(|word| {
            let start = place;
            place += word.len() + 1;
            let is_paired = word.len() >= 9 && word.contains('-') && is_code(word);
            codes.extend(is_paired.then(|| start..start + word.len()));
            let is_masked = crate::has_placeholder(word);
            count += usize::from(is_paired || is_masked);
            is_paired || is_masked || word.is_empty() || matches!(word, "-" | "*" | "[ ]" | "x")
        });
        at += line.len();
        if is_row {
            found.extend(codes);
        }
    }
    if count >= LEAST { found } else { Vec::new() }
}

/// `5de5a-89852`, `agk8r-lkhrb-07wfw`, `8f3e2a9c`
fn is_code(code: &str) -> bool {
    let groups: Vec<&str> = code.split('-').collect();
    let has_digit = code.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = code.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_one_case = code.to_ascii_lowercase() == code || code.to_ascii_uppercase() == code;
    let width = groups[0].len();
    let is_even = groups.iter().all(|group| group.len() == width && (3..=8).contains(&width));
    let is_date = groups.len() == 3 && !has_letter;
    has_digit
        && is_one_case
        && !is_date
        && !is_placeholder(code)
        && if groups.len() > 1 {
            is_even && code.len() >= 8
        } else {
            (8..=20).contains(&width) && (has_letter || width == 8)
        }
}

/// `tw4u 6cc4 g2sc 6mxa …`: groups of base32 after a word for a key. The keyword is that word.
pub(crate) fn authenticator_seed(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 100;
    let bytes = text.as_bytes();
    let limit = bytes.len().min(keyword.end + FARTHEST);
    // Names in code are judged by their values (`otp-seed`).
    let has_blank = text[keyword.clone()].contains(' ');
    let is_seed = text[keyword.clone()].contains("seed");
    let mut at = keyword.end;
    while at < limit {
        let (mut end, mut next) = (at, at);
        let (mut groups, mut digits, mut beyond) = (0, 0, 0);
        let is_start = !bytes[..at].last().is_some_and(u8::is_ascii_alphanumeric);
        // Another word may follow.
        let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        while is_start
            && let Some(group) = bytes.get(next..next + 4).filter(|group| is_base32(group))
            && ends(next + 4)
        {
            groups += 1;
            digits += usize::from(group.iter().any(u8::is_ascii_digit));
            // Other groups of four are numbers, in decimal and in hex digits.
            beyond +=
                group.iter().filter(|b| b.is_ascii_alphabetic() && !b.is_ascii_hexdigit()).count();
            end = next + 4;
            next = end + usize::from(matches!(bytes.get(end), Some(b' ' | b'-')));
        }
        if groups >= 4 && digits * 3 >= groups && beyond >= groups {
            return Some(at..end);
        }
        let whole = BASE32.run(&bytes[at..], 65);
        let numbers = bytes[at..at + whole].iter().filter(|byte| byte.is_ascii_digit()).count();
        if has_blank
            && is_start
            && ends(at + whole)
            && whole >= 16
            && (numbers >= 2 || (is_seed && numbers == 1))
        {
            return Some(at..at + whole);
        }
        at += 1;
    }
    None
}

fn is_base32(group: &[u8]) -> bool {
    group.iter().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(byte))
        || group.iter().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte))
}

/// `3PJGE-K2GSZ-TUQXG-YNTGC`: groups that unlock a product. The keyword is a word for them.
pub(crate) fn product_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(keyword.end + 40);
    let from = (keyword.end..limit).find(|at| {
        let before = bytes[..*at].last();
        bytes[*at].is_ascii_alphanumeric()
            && !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            && bytes.get(at + 5) == Some(&b'-')
    })?;
    let length = bytes[from..]
        .iter()
        .take(60)
        .take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b'-')
        .count();
    let value = text.get(from..from + length)?;
    let groups: Vec<&str> = value.split('-').collect();
    let is_key = groups.len() >= 4 && groups.iter().all(|group| group.len() == 5);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (is_key && digits >= 2 && !is_placeholder(value)).then(|| from..from + length)
}
