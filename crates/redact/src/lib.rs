//! Finds and masks secrets in text and in JSON.
//!
//! One pass finds the keywords of all rules (`keyword_scanner`); the rule then
//! decides how the secret around a keyword is written (`pattern`, `contexts`,
//! `headers`, `commands`, `keys`, `forms`, `assignment`) and whether it is one
//! (`check`). The kinds of secrets are a table (`rules`). A secret is replaced
//! by `[redacted:KIND:HASH]`, the same everywhere.
//!
//! No I/O and no randomness here: the caller provides the hash key. Nor is text
//! truncated here: callers mask whole messages first and truncate afterwards,
//! so that no part of a secret remains whose other part would have revealed it.

mod addresses;
mod assignment;
mod bearer;
mod breaks;
mod calls;
mod check;
mod columns;
mod commands;
mod contexts;
mod dumps;
mod encoded;
mod escapes;
mod folders;
mod forms;
mod hashes;
mod headers;
mod invisible;
mod json;
mod keys;
mod keyword_scanner;
mod labels;
mod letters;
mod line_frames;
mod line_marks;
mod logins;
mod name_values;
mod nearby;
mod pattern;
mod phrases;
mod prose;
mod prose_keys;
mod references;
mod report;
mod rule;
mod rules;
mod signatures;
mod spoken;
mod value_forms;
mod values;
mod view;
mod web_tokens;
mod word_diff;

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use report::Report;
pub use rule::Rule;
pub use rules::rules;
pub use value_forms::may_have_value;
pub use values::{SessionValues, ValueKey};

use escapes::DecodedText;
use keyword_scanner::KeywordScanner;
use name_values::NameValues;

/// How much is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Credentials.
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

/// Finds and masks secrets. Expensive to create, cheap to clone, free to share.
#[derive(Clone)]
pub struct Redactor {
    key: [u8; 32],
    rules: Arc<[&'static Rule]>,
    scanner: Arc<KeywordScanner>,
    /// Rules for what is around an `@`, which is not a keyword.
    address_rules: &'static [Rule],
    level: Level,
    /// Common member names, with their quotes, and whether they contain a keyword.
    names: json::Names<'static>,
    /// The values that were masked elsewhere in the session, if it has any.
    values: Option<Arc<SessionValues>>,
    /// The values in the names of sessions, and whether they are masked.
    name_values: Arc<NameValues>,
    masks_name_values: bool,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is secret.
        formatter.debug_struct("Redactor").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Secrets can be so close together that masking one reveals the next. Each
/// round masks what is left; only adversarial texts need more than a few.
const MOST_ROUNDS: usize = 8;

/// A text with a secret in it that is interrupted, escaped or encoded has at
/// least this length.
const SHORTEST_HIDDEN: usize = 16;

/// How many marks before each other are taken off the lines.
const LEVELS: usize = 2;

/// A secret, and the row of the table that found it.
type Candidate = (Span, u16);

/// What a search for candidates has seen beside them.
#[derive(Default)]
struct Seen {
    /// A keyword of a rule that reads lines.
    keyword: bool,
    /// A keyword that speaks of a password or of a file with several.
    password: bool,
    /// The marks of a word diff.
    word_diff: bool,
}

/// The owner of marks that are not keywords of a rule.
const MARK: u16 = u16::MAX;

/// The kind of secrets that are encoded in base64.
const ENCODED: &str = "encoded-secret";

/// The kinds that placeholders can have, of every level.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    rules().map(Rule::name).chain([ENCODED, values::REPEATED])
}

impl Redactor {
    /// `key` determines the placeholders: without it, they reveal nothing.
    pub fn new(level: Level, key: [u8; 32]) -> Self {
        let rules = rules::rules_of(level);
        let keywords = (0_u16..).zip(&rules).flat_map(|(owner, rule)| {
            rule.keywords.iter().map(move |keyword| (*keyword, rule.any_case, owner))
        });
        let marks = word_diff::MARKS.iter().map(|mark| (*mark, false, MARK));
        let folders = (0_u16..).skip(rules.len()).zip(folders::keywords());
        let folders = folders.map(|(owner, keyword)| (keyword.text.as_str(), false, owner));
        let scanner = KeywordScanner::new(keywords.chain(marks).chain(folders));
        let address_rules = match level {
            Level::Standard => &rules::ADDRESSES[..1],
            Level::Strict => rules::ADDRESSES,
        };
        let names = json::common_names(&scanner);
        let (rules, scanner) = (rules.into(), Arc::new(scanner));
        Self {
            key,
            rules,
            scanner,
            address_rules,
            level,
            names,
            values: None,
            name_values: Arc::default(),
            masks_name_values: true,
        }
    }

    /// How much it masks.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Distinguishes it from redactors that mask differently: with another key,
    /// level, table of kinds or values of a session. It does not reveal the key.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut names = format!("{:?} {}", self.level, env!("CARGO_PKG_VERSION"));
        for rule in self.rules.iter() {
            names += &format!(" {} {:?}", rule.name(), rule.keywords);
        }
        let mut bytes = names.into_bytes();
        bytes.extend(self.values_fingerprint().unwrap_or_default());
        *blake3::keyed_hash(&self.key, &bytes).as_bytes()
    }

    /// The secrets of a text, in order and without overlaps. Where several
    /// kinds overlap, the widest names their union. A secret that is
    /// interrupted by terminal colours or zero-width characters is found too.
    pub fn find(&self, text: &str) -> Vec<Span> {
        self.find_noting(text, &mut |_| {})
    }

    /// The same. `note` gets each secret as it was found, without what interrupts, escapes or
    /// encodes it.
    fn find_noting(&self, text: &str, note: &mut dyn FnMut(&str)) -> Vec<Span> {
        let note = RefCell::new(note);
        let noted = |text: &str, found: Vec<Candidate>| {
            for (span, _) in &found {
                (note.borrow_mut())(&text[span.start..span.end]);
            }
            found
        };
        let search = |text: &str| noted(text, self.find_candidates(text));
        let mut seen = Seen::default();
        let mut candidates = noted(text, self.find_candidates_and_marks(text, &mut seen));
        if seen.keyword {
            find_in_lines(text, seen.password, LEVELS, &search, &mut candidates);
        }
        if text.len() < SHORTEST_HIDDEN && self.values.is_none() {
            return merge(candidates);
        }
        let is_plain = invisible::is_plain(text);
        if let Some(visible) = (!is_plain).then(|| invisible::visible(text)).flatten() {
            let mut found = search(&visible.text);
            find_in_lines(&visible.text, seen.password, LEVELS, &search, &mut found);
            extend(&mut candidates, found, |range| visible.source_range(range));
        }
        for decoded in DecodedText::parts(text, is_plain) {
            let found = search(&decoded.text);
            extend(&mut candidates, found, |range| decoded.source_range(range));
        }
        for side in seen.word_diff.then(|| word_diff::sides(text)).into_iter().flatten() {
            let found = search(&side.text);
            extend(&mut candidates, found, |range| side.source_range(range));
        }
        let has_secret = |inner: &str| !search(inner).is_empty();
        candidates.extend(encoded::find(text, has_secret).into_iter().map(|place| {
            (note.borrow_mut())(&text[place.clone()]);
            (Span { start: place.start, end: place.end, rule: ENCODED }, u16::MAX)
        }));
        merge(candidates)
    }

    fn find_candidates(&self, text: &str) -> Vec<Candidate> {
        self.find_candidates_and_marks(text, &mut Seen::default())
    }

    /// The same, and what else is in the text.
    fn find_candidates_and_marks(&self, text: &str, seen: &mut Seen) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut boundary = usize::MAX;
        self.scanner.scan(text.as_bytes(), |owners, at, length| {
            let keyword = at..at + length;
            seen.password = seen.password || speaks_of_password(&text[keyword.clone()]);
            for &owner in owners {
                if owner == MARK {
                    seen.word_diff = true;
                    continue;
                }
                let Some(rule) = self.rules.get(usize::from(owner)) else {
                    let folder = &folders::keywords()[usize::from(owner) - self.rules.len()];
                    if let Some((secret, rule)) = folders::find(text, folder, at) {
                        push(text, &mut candidates, rule, owner, secret, &mut boundary);
                    }
                    continue;
                };
                seen.keyword |= rule.reads_lines();
                if let Some(secret) = rule.find(text, keyword.clone(), boundary) {
                    push(text, &mut candidates, rule, owner, secret, &mut boundary);
                }
                for secret in rule.find_several(text, keyword.clone()) {
                    push(text, &mut candidates, rule, owner, secret, &mut boundary);
                }
            }
        });
        if let Some(secret) = forms::array_start(text).and_then(|at| forms::key_array(text, at)) {
            push(text, &mut candidates, &rules::KEY_ARRAY, u16::MAX, secret, &mut boundary);
        }
        for at in memchr::memchr_iter(b'@', text.as_bytes()) {
            for rule in self.address_rules {
                if let Some(secret) = rule.find(text, at..at + 1, usize::MAX) {
                    push(text, &mut candidates, rule, u16::MAX, secret, &mut boundary);
                }
            }
        }
        let in_names = self.masks_name_values.then(|| self.name_values.get()).flatten();
        let values = self.values.iter().chain(&in_names);
        for place in values.flat_map(|values| values.find(text)) {
            if !is_in_placeholder(text, place.start) {
                let span = Span { start: place.start, end: place.end, rule: values::REPEATED };
                candidates.push((span, u16::MAX));
            }
        }
        candidates
    }

    /// The text with placeholders for its secrets. Masking again changes
    /// nothing.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.mask_counting(text, &mut Report::default())
    }

    /// The same, and counts the masked secrets.
    pub fn mask_counting<'a>(&self, text: &'a str, report: &mut Report) -> Cow<'a, str> {
        self.mask_noting(text, report, &mut |_| {})
    }

    fn mask_noting<'a>(
        &self,
        text: &'a str,
        report: &mut Report,
        note: &mut dyn FnMut(&str),
    ) -> Cow<'a, str> {
        let mut masked = Cow::Borrowed(text);
        for _ in 0..MOST_ROUNDS {
            let spans = self.find_noting(&masked, note);
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

    /// Masks inside the strings of JSON, one text or several in sequence:
    /// values, and member names as well, which may be paths or tokens. Numbers,
    /// structure and every byte that is not part of a secret stay, and so does
    /// a name that only describes its value. Escapes are decoded for the
    /// search. Text that is not JSON is masked as plain text.
    pub fn mask_json<'a>(&self, json: &'a str) -> Cow<'a, str> {
        self.mask_json_counting(json, &mut Report::default())
    }

    /// The same, and counts the masked secrets.
    pub fn mask_json_counting<'a>(&self, json: &'a str, report: &mut Report) -> Cow<'a, str> {
        json::mask(self, json, report)
    }

    fn push_placeholder(&self, to: &mut String, rule: &str, secret: &str) {
        let hash = blake3::keyed_hash(&self.key, invisible::strip(secret).as_bytes());
        let [first, second, ..] = hash.as_bytes();
        to.push_str(&format!("[redacted:{rule}:{first:02x}{second:02x}]"));
    }

    /// Whether the text contains a keyword of any rule.
    fn has_keyword(&self, text: &str) -> bool {
        self.scanner.has_keyword(text.as_bytes())
    }
}

/// Whether a keyword is a word for a password, or of a file with several secrets.
fn speaks_of_password(keyword: &str) -> bool {
    const FILES: [&str; 9] = [
        "COPY ",
        "copy ",
        "machine ",
        "mnemonic",
        "seed phrase",
        ":5432:",
        ":*:",
        "requirepass",
        "kind: Secret",
    ];
    // Nearly all other keywords have no such letter.
    if !keyword.bytes().any(|byte| byte | 0x20 == b'p') && !keyword.ends_with(['c', ':', ' ', 't'])
    {
        return false;
    }
    let has = |word: &[u8]| {
        keyword.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
    };
    has(b"passw") || has(b"passp") || has(b"pwd") || FILES.contains(&keyword)
}

/// Adds what is found in the lines of the text without the marks before them.
/// Marks can be before marks: a diff is read with line numbers.
fn find_in_lines(
    text: &str,
    has_files: bool,
    levels: usize,
    search: &dyn Fn(&str) -> Vec<Candidate>,
    candidates: &mut Vec<Candidate>,
) {
    if has_files {
        for view in line_frames::framed_views(text) {
            extend(candidates, search(&view.text), |range| view.source_range(range));
        }
    }
    for view in line_marks::views(text, has_files) {
        let mut found = search(&view.text);
        if levels > 1 {
            find_in_lines(&view.text, false, levels - 1, search, &mut found);
        }
        extend(candidates, found, |range| view.source_range(range));
    }
}

/// Adds candidates of a view of the text at their places in the text.
fn extend(
    candidates: &mut Vec<Candidate>,
    found: Vec<Candidate>,
    place: impl Fn(Range<usize>) -> Range<usize>,
) {
    candidates.extend(found.into_iter().map(|(span, owner)| {
        let Range { start, end } = place(span.start..span.end);
        (Span { start, end, rule: span.rule }, owner)
    }));
}

fn push(
    text: &str,
    candidates: &mut Vec<Candidate>,
    rule: &Rule,
    owner: u16,
    secret: Range<usize>,
    boundary: &mut usize,
) {
    if secret.is_empty()
        || has_placeholder(&text[secret.clone()])
        || check::is_encoded_placeholder(&text[secret.clone()])
        || is_in_placeholder(text, secret.start)
    {
        return;
    }
    *boundary = secret.end;
    candidates.push((Span { start: secret.start, end: secret.end, rule: rule.name() }, owner));
}

/// Merges overlapping candidates into one, named by the widest, then by the
/// earliest row of the table.
fn merge(mut candidates: Vec<Candidate>) -> Vec<Span> {
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

const PLACEHOLDER: &[u8] = b"[redacted:";

/// The end of the `[redacted:KIND:HASH]` that begins here, if there is a whole one: text can
/// say the first word of it without being masked.
fn placeholder_end(text: &[u8], open: usize) -> Option<usize> {
    let rest = &text[open + PLACEHOLDER.len()..];
    let name =
        rest.iter().take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')).count();
    let is_whole = matches!(&rest[name..], [b':', a, b, c, d, b']', ..]
        if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()));
    is_whole.then_some(open + PLACEHOLDER.len() + name + ":1234]".len())
}

/// Masked text without the hashes of its placeholders. Each installation hashes with a key of
/// its own, so two of them mask the same text differently; this is what both have.
pub fn without_hashes(masked: &str) -> Cow<'_, str> {
    let bytes = masked.as_bytes();
    let mut kept = String::new();
    let mut done = 0;
    for open in memchr::memmem::find_iter(bytes, PLACEHOLDER) {
        if let Some(end) = placeholder_end(bytes, open) {
            kept.push_str(&masked[done..end - "1234]".len()]);
            done = end - "]".len();
        }
    }
    if done == 0 {
        return Cow::Borrowed(masked);
    }
    kept.push_str(&masked[done..]);
    Cow::Owned(kept)
}

/// Whether the text contains `[redacted:KIND:HASH]`: masked text is not masked
/// again.
fn has_placeholder(text: &str) -> bool {
    let text = text.as_bytes();
    memchr::memmem::find_iter(text, PLACEHOLDER).any(|open| placeholder_end(text, open).is_some())
}

/// Whether the position is inside `[redacted:KIND:HASH]`.
fn is_in_placeholder(text: &str, at: usize) -> bool {
    const LONGEST: usize = 60;
    let text = text.as_bytes();
    let from = at.saturating_sub(LONGEST);
    memchr::memmem::rfind(&text[from..at], PLACEHOLDER)
        .and_then(|open| placeholder_end(text, from + open))
        .is_some_and(|end| at < end)
}

#[cfg(test)]
mod surroundings_tests;
#[cfg(test)]
mod tests;
