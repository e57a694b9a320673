//! Finding and masking secrets in text and in JSON.
//!
//! One pass finds where a keyword of any rule stands (`gate`), the rule says
//! what the secret around it is written like (`pattern`, `places`, `headers`,
//! `commands`, `keys`, `assignment`) and whether it is one (`check`). The kinds are a table
//! (`rules`). A secret is replaced by `[redacted:KIND:HASH]`, the same wherever
//! it stands.
//!
//! No I/O and no randomness here: the key of the hash is the caller's. Nor is
//! text cut here; callers mask whole messages first and cut afterwards, so that
//! no half of a secret is left where its other half would have given it away.

mod assignment;
mod check;
mod commands;
mod contexts;
mod headers;
mod invisible;
mod json;
mod keys;
mod keyword_scanner;
mod pattern;
mod report;
mod rule;
mod rules;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use report::Report;
pub use rule::Rule;
pub use rules::rules;

use invisible::VisibleText;
use keyword_scanner::KeywordScanner;

/// How much is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What would let somebody in.
    Standard,
    /// Also e-mail addresses and the names of home directories.
    Strict,
}

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where it starts, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The name of its kind.
    pub rule: &'static str,
}

/// Finds and masks secrets. Making one is dear, sharing it free.
pub struct Redactor {
    key: [u8; 32],
    rules: Vec<&'static Rule>,
    scanner: KeywordScanner,
    level: Level,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is nobody's business.
        formatter.debug_struct("Redactor").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Secrets can stand so close that masking one shows the next. Each round masks
/// what is left; more than a few only a text made for it needs.
const MOST_ROUNDS: usize = 8;

impl Redactor {
    /// `key` makes the placeholders: who has not got it learns nothing from them.
    pub fn new(level: Level, key: [u8; 32]) -> Self {
        let rules = rules::rules_of(level);
        let keywords = (0_u16..).zip(&rules).flat_map(|(owner, rule)| {
            rule.keywords.iter().map(move |keyword| (*keyword, rule.any_case, owner))
        });
        let scanner = KeywordScanner::new(keywords);
        Self { key, rules, scanner, level }
    }

    /// The secrets of a text, in order, none overlapping another. Where several
    /// kinds overlap, the widest names what they cover together. A secret that
    /// terminal colours or characters of no width interrupt is one all the same.
    pub fn find(&self, text: &str) -> Vec<Span> {
        let mut candidates = self.find_candidates(text);
        if let Some(visible) = VisibleText::of(text) {
            candidates.extend(self.find_candidates(&visible.text).into_iter().map(
                |(span, owner)| {
                    let place = visible.place(span.start..span.end);
                    (Span { start: place.start, end: place.end, rule: span.rule }, owner)
                },
            ));
        }
        merge(candidates)
    }

    fn find_candidates(&self, text: &str) -> Vec<(Span, u16)> {
        let mut candidates: Vec<(Span, u16)> = Vec::new();
        let mut boundary = usize::MAX;
        self.scanner.scan(text.as_bytes(), |owner, at, length| {
            let rule = self.rules[usize::from(owner)];
            if let Some(secret) = rule.find(text, at..at + length, boundary) {
                push(text, &mut candidates, rule, owner, secret, &mut boundary);
            }
        });
        if self.level == Level::Strict {
            for at in memchr::memchr_iter(b'@', text.as_bytes()) {
                if let Some(secret) = rules::EMAIL.find(text, at..at + 1, usize::MAX) {
                    push(text, &mut candidates, &rules::EMAIL, u16::MAX, secret, &mut boundary);
                }
            }
        }
        candidates
    }

    /// The text with placeholders for its secrets. Masking again changes nothing.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.mask_counting(text, &mut Report::default())
    }

    /// The same, and counts what was masked.
    pub fn mask_counting<'a>(&self, text: &'a str, report: &mut Report) -> Cow<'a, str> {
        let mut masked = Cow::Borrowed(text);
        for _ in 0..MOST_ROUNDS {
            let spans = self.find(&masked);
            if spans.is_empty() {
                break;
            }
            let mut next = String::with_capacity(masked.len());
            let mut done = 0;
            for span in spans {
                next.push_str(&masked[done..span.start]);
                self.push_placeholder(&mut next, span.rule, &masked[span.start..span.end]);
                report.count(span.rule);
                done = span.end;
            }
            next.push_str(&masked[done..]);
            masked = Cow::Owned(next);
        }
        masked
    }

    /// Masks inside the strings of JSON, one text or many, one after the other:
    /// values, and the names of members as well, which may be paths or tokens.
    /// Numbers, structure and every byte that is not part of a secret stay, and
    /// so does a name that only says what its value is. Escapes are seen through. What is no JSON is masked as text.
    pub fn mask_json<'a>(&self, json: &'a str) -> Cow<'a, str> {
        self.mask_json_counting(json, &mut Report::default())
    }

    /// The same, and counts what was masked.
    pub fn mask_json_counting<'a>(&self, json: &'a str, report: &mut Report) -> Cow<'a, str> {
        json::mask(self, json, report)
    }

    fn push_placeholder(&self, to: &mut String, rule: &str, secret: &str) {
        let hash = blake3::keyed_hash(&self.key, invisible::strip(secret).as_bytes());
        let [first, second, ..] = hash.as_bytes();
        to.push_str(&format!("[redacted:{rule}:{first:02x}{second:02x}]"));
    }

    /// Whether a keyword of any rule is in the text.
    fn has_keyword(&self, text: &str) -> bool {
        let mut found = false;
        self.scanner.scan(text.as_bytes(), |_, _, _| found = true);
        found
    }
}

fn push(
    text: &str,
    candidates: &mut Vec<(Span, u16)>,
    rule: &Rule,
    owner: u16,
    secret: Range<usize>,
    boundary: &mut usize,
) {
    if secret.is_empty() || has_placeholder(&text[secret.clone()]) {
        return;
    }
    *boundary = secret.end;
    candidates.push((Span { start: secret.start, end: secret.end, rule: rule.name() }, owner));
}

/// Overlapping candidates become one, named by the widest, then by the earliest
/// row of the table.
fn merge(mut candidates: Vec<(Span, u16)>) -> Vec<Span> {
    candidates.sort_by_key(|(span, owner)| (span.start, *owner));
    let mut merged: Vec<(Span, usize, u16)> = Vec::new();
    for (span, owner) in candidates {
        let width = span.end - span.start;
        match merged.last_mut() {
            Some((last, widest, first)) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if width > *widest || (width == *widest && owner < *first) {
                    (last.rule, *widest, *first) = (span.rule, width, owner);
                }
            }
            _ => merged.push((span, width, owner)),
        }
    }
    merged.into_iter().map(|(span, _, _)| span).collect()
}

/// Whether there is `[redacted:KIND:HASH]` in it: what was masked stays as it is.
fn has_placeholder(text: &str) -> bool {
    const OPEN: &[u8] = b"[redacted:";
    memchr::memmem::find_iter(text.as_bytes(), OPEN).any(|at| {
        let rest = &text.as_bytes()[at + OPEN.len()..];
        let name =
            rest.iter().take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')).count();
        matches!(&rest[name..], [b':', a, b, c, d, b']', ..]
            if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()))
    })
}

#[cfg(test)]
mod tests;
