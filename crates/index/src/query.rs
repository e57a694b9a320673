//! Search queries: words, "phrases", -excluded, OR, and fields.
//!
//! The parser is lenient: an unclosed quote runs to the end, and a colon after
//! anything but a field name is punctuation. Queries and texts are split into words
//! by the same function, so the index finds exactly the texts for which
//! [`Query::matches`] is true.

use crate::failure::IndexError;
use crate::word_pages::WordRange;
use crate::words::{WordSink, split};
use std::collections::VecDeque;
use std::ops::Range;

/// The most terms and fields in a query; no person types more.
const MOST_TERMS: usize = 64;

/// The fields with their descriptions.
pub const FIELDS: [(&str, &str); 14] = [
    ("session", "the session with this id or id prefix"),
    ("project", "sessions of projects whose path contains this text"),
    ("branch", "messages written on this git branch; * matches anything"),
    ("model", "answers of models whose name contains this text"),
    ("tool", "calls of this tool and their results; * matches anything"),
    ("role", "text with this role: user, assistant, thinking, tool_use, tool_result, …"),
    ("agent", "messages of sub-agents with this type or id"),
    ("file", "sessions that read or changed a file whose path contains this text"),
    ("title", "sessions whose title contains this text"),
    ("pr", "sessions that created or mention the pull request with this number"),
    ("commit", "sessions that made the commit with this hash or hash prefix"),
    ("since", "on or after this date"),
    ("until", "on or before this date"),
    ("is", "one of error, prompt, agent, marked, recall"),
];

/// The values of `is:`.
pub const IS: [&str; 5] = ["error", "prompt", "agent", "marked", "recall"];

/// A condition on a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name, one of [`FIELDS`].
    pub name: &'static str,
    /// The value to compare with.
    pub value: String,
    /// Whether the condition is negated.
    pub is_not: bool,
}

/// A word or phrase to find.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    /// The words in order; a single one may also be a whole identifier.
    words: Vec<String>,
    /// Whether the last word is only a prefix.
    is_prefix: bool,
}

/// Terms of which at least one must match.
type Alternatives = Vec<Term>;

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    all: Vec<Alternatives>,
    none: Vec<Term>,
    /// Conditions on fields, all of which must hold.
    pub fields: Vec<Field>,
}

/// A piece of a query as typed: a word or phrase with its prefixes.
#[derive(Debug)]
struct Piece<'q> {
    text: &'q str,
    is_quoted: bool,
    /// Whether a star follows the closing quote.
    has_star_after_quote: bool,
    is_not: bool,
    field: Option<&'static str>,
}

/// Parses the next piece of a query.
fn next_piece<'q>(rest: &mut &'q str) -> Option<Piece<'q>> {
    let is_gap = |character: char| character.is_whitespace() || character.is_control();
    *rest = rest.trim_start_matches(is_gap);
    if rest.is_empty() {
        return None;
    }
    let mut at = *rest;
    // `--flag` is a word; `-word` excludes a word.
    let is_not = at.strip_prefix('-').is_some_and(|behind| {
        behind.starts_with(|first: char| first.is_alphanumeric() || first == '"')
    });
    if is_not {
        at = &at[1..];
    }
    let field = FIELDS.iter().map(|(name, _)| *name).find(|name| {
        let behind = at.strip_prefix(name).and_then(|behind| behind.strip_prefix(':'));
        behind.is_some_and(|behind| !behind.is_empty() && !behind.starts_with(is_gap))
    });
    if let Some(name) = field {
        at = &at[name.len() + 1..];
    }
    let mut has_star_after_quote = false;
    let (text, is_quoted) = if let Some(inner) = at.strip_prefix('"') {
        let end = inner.find('"').unwrap_or(inner.len());
        *rest = inner.get(end + 1..).unwrap_or_default();
        // `"src ma"*` is a phrase whose last word goes on.
        if let Some(behind) = rest.strip_prefix('*') {
            has_star_after_quote = true;
            *rest = behind;
        }
        (&inner[..end], true)
    } else {
        let end = at.find(is_gap).unwrap_or(at.len());
        *rest = &at[end..];
        (&at[..end], false)
    };
    Some(Piece { text, is_quoted, has_star_after_quote, is_not, field })
}

#[derive(Default)]
struct Split {
    words: Vec<String>,
    wholes: Vec<(usize, String)>,
    end: usize,
}

impl WordSink for Split {
    fn word(&mut self, range: Range<usize>, word: &str) {
        self.words.push(word.to_owned());
        self.end = range.end;
    }

    fn whole(&mut self, _: Range<usize>, word: &str) {
        self.wholes.push((self.words.len(), word.to_owned()));
    }
}

impl Term {
    fn of(piece: &Piece<'_>) -> Option<Term> {
        let Piece { text: typed, is_quoted, has_star_after_quote, .. } = *piece;
        let mut parts = Split::default();
        split(typed, &mut parts);
        let has_star = !is_quoted && typed.ends_with('*') && parts.end + 1 == typed.len();
        let is_prefix = has_star || (has_star_after_quote && parts.end == typed.len());
        // A lone identifier matches as a whole: fooBar, foo_bar and foobar are the same.
        if let [(count, whole)] = parts.wholes.as_slice()
            && *count == parts.words.len()
            && !is_quoted
            && parts.words.concat().starts_with(whole.as_str())
        {
            return Some(Term { words: vec![whole.clone()], is_prefix });
        }
        (!parts.words.is_empty()).then_some(Term { words: parts.words, is_prefix })
    }

    /// As an FTS5 expression. Words consist of letters and digits only, so quoting them
    /// is enough.
    fn expression(&self) -> String {
        let star = if self.is_prefix { " *" } else { "" };
        let quoted = format!("\"{}\"{star}", self.words.join(" "));
        // Phrases match only in the column of words, which is in text order.
        if self.words.len() > 1 { format!("words : {quoted}") } else { quoted }
    }

    /// Whether a word of a text matches the term's word with this number.
    fn fits(&self, number: usize, word: &str) -> bool {
        let own = &self.words[number];
        let is_last = number + 1 == self.words.len();
        if self.is_prefix && is_last { word.starts_with(own.as_str()) } else { word == own }
    }
}

impl Query {
    /// Words that every matching text has, each as one of its words or as an identifier
    /// without underscores and case. Engines that know words can leave out other texts.
    pub fn required_words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for alternatives in &self.all {
            let [term] = &alternatives[..] else { continue };
            let whole = term.words.len() - usize::from(term.is_prefix).min(term.words.len());
            words.extend(term.words[..whole].iter().cloned());
        }
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Parses a query.
    pub fn parse(text: &str) -> Result<Query, IndexError> {
        let mut query = Query::default();
        let mut rest = text;
        let (mut is_or, mut is_not_next) = (false, false);
        let mut terms = 0;
        while let Some(piece) = next_piece(&mut rest) {
            if !piece.is_quoted && piece.field.is_none() && !piece.is_not {
                match piece.text {
                    "OR" | "|" => {
                        is_or = !query.all.is_empty();
                        continue;
                    }
                    "AND" | "&&" => continue,
                    "NOT" => {
                        is_not_next = true;
                        continue;
                    }
                    _ => {}
                }
            }
            terms += 1;
            if terms > MOST_TERMS {
                let text =
                    format!("the query has more than {MOST_TERMS} words and fields: use fewer");
                return Err(IndexError::Query(text));
            }
            let is_not = piece.is_not || std::mem::take(&mut is_not_next);
            if is_or && (is_not || piece.field.is_some()) {
                let text = "OR combines words and phrases only: exclusions (-word) and fields \
                            apply to the whole query";
                return Err(IndexError::Query(text.to_owned()));
            }
            if let Some(name) = piece.field {
                query.add_field(name, piece.text, is_not)?;
                continue;
            }
            let Some(term) = Term::of(&piece) else { continue };
            if is_not {
                query.none.push(term);
            } else if std::mem::take(&mut is_or)
                && let Some(last) = query.all.last_mut()
            {
                last.push(term);
            } else {
                query.all.push(vec![term]);
            }
        }
        if query.all.is_empty() && query.fields.iter().all(|field| field.is_not) {
            let text = if query.none.is_empty() && query.fields.is_empty() {
                "the query contains nothing to search for: give a word or a field such as tool:Bash"
            } else {
                "the query contains only exclusions: add a word or field to search for"
            };
            return Err(IndexError::Query(text.to_owned()));
        }
        Ok(query)
    }

    fn add_field(
        &mut self,
        name: &'static str,
        value: &str,
        is_not: bool,
    ) -> Result<(), IndexError> {
        let value = value.trim();
        if name == "is" && !IS.contains(&value) {
            let text = format!("invalid value in is:{value}: use one of {}", IS.join(", "));
            return Err(IndexError::Query(text));
        }
        let roles = transcript::Role::ALL.map(transcript::Role::name);
        if name == "role" && !roles.contains(&value) {
            let text = format!("invalid value in role:{value}: use one of {}", roles.join(", "));
            return Err(IndexError::Query(text));
        }
        if is_not && matches!(name, "since" | "until") {
            let text =
                format!("-{name}: cannot be negated: use since: or until: without the minus");
            return Err(IndexError::Query(text));
        }
        if value.is_empty() {
            return Err(IndexError::Query(format!("{name}: needs a value")));
        }
        self.fields.push(Field { name, value: value.to_owned(), is_not });
        Ok(())
    }

    /// Removes all conditions that require a field, for a caller that handles them
    /// itself, and returns the value of the last.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let mut taken = None;
        self.fields.retain(|field| {
            let is_required = field.name == name && !field.is_not;
            if is_required {
                taken = Some(field.value.clone());
            }
            !is_required
        });
        taken
    }

    /// Requires a field to have a value, if one is given.
    pub fn require(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.fields.push(Field { name, value: value.to_owned(), is_not: false });
        }
    }

    /// Excludes a value of a field.
    pub fn exclude(&mut self, name: &'static str, value: &str) {
        self.fields.push(Field { name, value: value.to_owned(), is_not: true });
    }

    /// Whether it has words to find, not only fields.
    pub fn has_words(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether there is a condition on this field and value.
    pub fn has_condition(&self, name: &str, value: &str) -> bool {
        self.fields.iter().any(|field| field.name == name && field.value == value)
    }

    /// The excluded terms as an FTS5 expression.
    pub(crate) fn excluded_expression(&self) -> Option<String> {
        let terms: Vec<String> = self.none.iter().map(Term::expression).collect();
        (!terms.is_empty()).then(|| terms.join(" OR "))
    }

    /// The query without its fields as an FTS5 expression.
    pub(crate) fn expression(&self) -> String {
        let alternatives = |terms: &Alternatives| {
            let terms: Vec<String> = terms.iter().map(Term::expression).collect();
            if terms.len() == 1 { terms.concat() } else { format!("({})", terms.join(" OR ")) }
        };
        let mut text = self.all.iter().map(alternatives).collect::<Vec<_>>().join(" AND ");
        if self.all.len() > 1 && !self.none.is_empty() {
            text = format!("({text})");
        }
        for term in &self.none {
            text = format!("{text} NOT {}", term.expression());
        }
        text
    }

    /// All its words, those to find and the excluded ones.
    pub(crate) fn word_ranges(&self) -> Vec<WordRange> {
        let terms = self.all.iter().flatten().chain(&self.none);
        let words = terms.flat_map(|term| {
            let (last, before) =
                term.words.split_last().map_or((None, &[][..]), |(last, before)| {
                    let last = if term.is_prefix {
                        WordRange::prefix(last)
                    } else {
                        WordRange::word(last)
                    };
                    (Some(last), before)
                });
            before.iter().map(|word| WordRange::word(word)).chain(last)
        });
        words.collect()
    }

    /// The single words to find, for which a caller may suggest others.
    pub fn single_words(&self) -> impl Iterator<Item = &str> {
        let single = |terms: &Alternatives| terms.len() == 1 && terms[0].words.len() == 1;
        let alone = self.all.iter().filter(move |terms| single(terms));
        alone.filter(|terms| !terms[0].is_prefix).map(|terms| terms[0].words[0].as_str())
    }

    /// The ranges of a text that match, in order and without overlaps, each with the
    /// number of the query part it matches.
    pub fn match_ranges(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let terms = self.all.iter().enumerate();
        let terms =
            terms.flat_map(|(number, either)| either.iter().map(move |term| (term, number)));
        let mut ranges = TermFinder::find(terms.collect(), text);
        ranges.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        ranges.retain(|(range, _)| {
            let is_separate = range.start >= end;
            if is_separate {
                end = range.end;
            }
            is_separate
        });
        ranges
    }

    /// Whether a text matches, ignoring fields.
    pub fn matches(&self, text: &str) -> bool {
        let required = self.all.iter().enumerate();
        let required =
            required.flat_map(|(number, either)| either.iter().map(move |term| (term, number)));
        let excluded = self.none.iter().map(|term| (term, usize::MAX));
        let ranges = TermFinder::find(required.chain(excluded).collect(), text);
        let has = |number| ranges.iter().any(|(_, found)| *found == number);
        (0..self.all.len()).all(has) && !has(usize::MAX)
    }

    /// The number of parts that must all match.
    pub fn parts(&self) -> usize {
        self.all.len()
    }
}

/// Finds terms in a text, word by word.
struct TermFinder<'q> {
    terms: Vec<(&'q Term, usize)>,
    /// As many of the last words as the longest term has, oldest first.
    recent: VecDeque<(Range<usize>, String)>,
    longest: usize,
    ranges: Vec<(Range<usize>, usize)>,
}

impl<'q> TermFinder<'q> {
    fn find(terms: Vec<(&'q Term, usize)>, text: &str) -> Vec<(Range<usize>, usize)> {
        let longest = terms.iter().map(|(term, _)| term.words.len()).max().unwrap_or_default();
        let (recent, ranges) = (VecDeque::new(), Vec::new());
        let mut finder = TermFinder { terms, recent, longest, ranges };
        split(text, &mut finder);
        finder.ranges
    }
}

impl WordSink for TermFinder<'_> {
    fn word(&mut self, range: Range<usize>, word: &str) {
        if self.longest > 1 {
            let is_full = self.recent.len() == self.longest;
            let oldest = if is_full { self.recent.pop_front() } else { None };
            let mut buffer = oldest.map(|(_, buffer)| buffer).unwrap_or_default();
            buffer.clear();
            buffer.push_str(word);
            self.recent.push_back((range.clone(), buffer));
        }
        for (term, number) in &self.terms {
            let last = term.words.len() - 1;
            if !term.fits(last, word) {
                continue;
            }
            if last == 0 {
                self.ranges.push((range.clone(), *number));
                continue;
            }
            let Some(first) = self.recent.len().checked_sub(term.words.len()) else { continue };
            let before = self.recent.range(first..).take(last).enumerate();
            if before.into_iter().all(|(at, (_, word))| term.fits(at, word)) {
                self.ranges.push((self.recent[first].0.start..range.end, *number));
            }
        }
    }

    fn whole(&mut self, range: Range<usize>, word: &str) {
        for (term, number) in &self.terms {
            if term.words.len() == 1 && term.fits(0, word) {
                self.ranges.push((range.clone(), *number));
            }
        }
    }
}

#[cfg(test)]
mod tests;
