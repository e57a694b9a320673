//! What people search by: words, "phrases", -not, OR, and fields.
//!
//! Nothing is a mistake that can be understood: a quote that is not closed runs
//! to the end, and a colon behind what is no field is punctuation. The words are
//! made by the same function as those of the texts, so what is found is what
//! [`Query::matches`] says of a text.

use crate::failure::IndexError;
use crate::words::{WordSink, split};
use std::collections::VecDeque;
use std::ops::Range;

/// More than this nobody means.
const MOST_TERMS: usize = 64;

/// The fields, with what they choose.
pub const FIELDS: [(&str, &str); 14] = [
    ("session", "the session of this id, or one that begins so"),
    ("project", "sessions of a project whose path has this in it"),
    ("branch", "what was said on this git branch; * stands for anything"),
    ("model", "what a model of this name answered"),
    ("tool", "calls of this tool and what it answered; * stands for anything"),
    ("role", "what was said so: user, assistant, thinking, tool_use, tool_result, …"),
    ("agent", "what sub-agents of this type or id said"),
    ("file", "sessions that read or changed a file whose path has this in it"),
    ("title", "sessions whose title has this in it"),
    ("pr", "sessions that made or met the pull request of this number"),
    ("commit", "sessions that made the commit of this hash, or one that begins so"),
    ("since", "not before this day"),
    ("until", "not after this day"),
    ("is", "error, prompt, agent, marked or recall"),
];

/// What `is:` can be.
pub const IS: [&str; 5] = ["error", "prompt", "agent", "marked", "recall"];

/// A field with what it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, of [`FIELDS`].
    pub name: &'static str,
    /// What it is to be.
    pub value: String,
    /// Whether it is not to be that.
    pub is_not: bool,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    /// Words in their order; one may also be an identifier as a whole.
    words: Vec<String>,
    /// Whether the last is only the beginning of one.
    is_prefix: bool,
}

/// Terms of which one is enough.
type Either = Vec<Term>;

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    all: Vec<Either>,
    none: Vec<Term>,
    /// What else must hold.
    pub fields: Vec<Field>,
}

/// A piece of a query as it was typed.
#[derive(Debug)]
struct Typed<'q> {
    text: &'q str,
    is_quoted: bool,
    /// Whether a star stands behind the quote.
    goes_on: bool,
    is_not: bool,
    field: Option<&'static str>,
}

/// Takes the next piece of a query.
fn next_typed<'q>(rest: &mut &'q str) -> Option<Typed<'q>> {
    let is_gap = |character: char| character.is_whitespace() || character.is_control();
    *rest = rest.trim_start_matches(is_gap);
    if rest.is_empty() {
        return None;
    }
    let mut at = *rest;
    // `--flag` is a word, `-word` is one that must not be there.
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
    let mut goes_on = false;
    let (text, is_quoted) = if let Some(inner) = at.strip_prefix('"') {
        let end = inner.find('"').unwrap_or(inner.len());
        *rest = inner.get(end + 1..).unwrap_or_default();
        // `"src ma"*` is a phrase whose last word goes on.
        if let Some(behind) = rest.strip_prefix('*') {
            goes_on = true;
            *rest = behind;
        }
        (&inner[..end], true)
    } else {
        let end = at.find(is_gap).unwrap_or(at.len());
        *rest = &at[end..];
        (&at[..end], false)
    };
    Some(Typed { text, is_quoted, goes_on, is_not, field })
}

#[derive(Default)]
struct Split {
    words: Vec<String>,
    wholes: Vec<(usize, String)>,
    end: usize,
}

impl WordSink for Split {
    fn word(&mut self, place: Range<usize>, word: &str) {
        self.words.push(word.to_owned());
        self.end = place.end;
    }

    fn whole(&mut self, _: Range<usize>, word: &str) {
        self.wholes.push((self.words.len(), word.to_owned()));
    }
}

impl Term {
    fn of(typed: &Typed<'_>) -> Option<Term> {
        let Typed { text: typed, is_quoted, goes_on, .. } = *typed;
        let mut told = Split::default();
        split(typed, &mut told);
        let has_star = !is_quoted && typed.ends_with('*') && told.end + 1 == typed.len();
        let is_prefix = has_star || (goes_on && told.end == typed.len());
        // An identifier by itself is looked for as a whole, however it is spelled.
        if let [(count, whole)] = told.wholes.as_slice()
            && *count == told.words.len()
            && !is_quoted
            && told.words.concat().starts_with(whole.as_str())
        {
            return Some(Term { words: vec![whole.clone()], is_prefix });
        }
        (!told.words.is_empty()).then_some(Term { words: told.words, is_prefix })
    }

    /// In the language of the full-text table. Words hold letters and digits
    /// alone, so that quotes are enough.
    fn expression(&self) -> String {
        let star = if self.is_prefix { " *" } else { "" };
        let quoted = format!("\"{}\"{star}", self.words.join(" "));
        // Several words stand one behind the other only where words are.
        if self.words.len() > 1 { format!("words : {quoted}") } else { quoted }
    }

    /// Whether a word of a text is the one at this place.
    fn fits(&self, place: usize, word: &str) -> bool {
        let wanted = &self.words[place];
        let is_last = place + 1 == self.words.len();
        if self.is_prefix && is_last { word.starts_with(wanted.as_str()) } else { word == wanted }
    }
}

impl Query {
    /// Reads a query.
    pub fn parse(text: &str) -> Result<Query, IndexError> {
        let mut query = Query::default();
        let mut rest = text;
        let (mut is_or, mut is_not_next) = (false, false);
        let mut terms = 0;
        while let Some(typed) = next_typed(&mut rest) {
            if !typed.is_quoted && typed.field.is_none() && !typed.is_not {
                match typed.text {
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
                let text = format!("a query has at most {MOST_TERMS} words and fields");
                return Err(IndexError::Query(text));
            }
            let is_not = typed.is_not || std::mem::take(&mut is_not_next);
            if is_or && (is_not || typed.field.is_some()) {
                let text = "OR stands between words or phrases: what must not be there and \
                            fields hold for the whole query";
                return Err(IndexError::Query(text.to_owned()));
            }
            if let Some(name) = typed.field {
                query.add_field(name, typed.text, is_not)?;
                continue;
            }
            let Some(term) = Term::of(&typed) else { continue };
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
                "there is no word in the query: letters, digits, or a field such as tool:Bash"
            } else {
                "the query only says what not to find: say what to find as well"
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
            let text = format!("is:{value}: it is one of {}", IS.join(", "));
            return Err(IndexError::Query(text));
        }
        let roles = transcript::Role::ALL.map(transcript::Role::name);
        if name == "role" && !roles.contains(&value) {
            let text = format!("role:{value}: it is one of {}", roles.join(", "));
            return Err(IndexError::Query(text));
        }
        if is_not && matches!(name, "since" | "until") {
            let text = format!("-{name}: say since: or until: instead");
            return Err(IndexError::Query(text));
        }
        if value.is_empty() {
            return Err(IndexError::Query(format!("{name}: what is it to be?")));
        }
        self.fields.push(Field { name, value: value.to_owned(), is_not });
        Ok(())
    }

    /// Takes out a field that must be so, for whoever understands it better; of
    /// several the last.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let mut taken = None;
        self.fields.retain(|field| {
            let is_it = field.name == name && !field.is_not;
            if is_it {
                taken = Some(field.value.clone());
            }
            !is_it
        });
        taken
    }

    /// Adds what else must hold, if it is given.
    pub fn require(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.fields.push(Field { name, value: value.to_owned(), is_not: false });
        }
    }

    /// Adds what must not be.
    pub fn exclude(&mut self, name: &'static str, value: &str) {
        self.fields.push(Field { name, value: value.to_owned(), is_not: true });
    }

    /// Whether it has words to find, and not fields alone.
    pub fn has_words(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether a field is asked to be so.
    pub fn asks(&self, name: &str, value: &str) -> bool {
        self.fields.iter().any(|field| field.name == name && field.value == value)
    }

    /// What must not be there, in the language of the full-text table.
    pub(crate) fn unwanted_expression(&self) -> Option<String> {
        let terms: Vec<String> = self.none.iter().map(Term::expression).collect();
        (!terms.is_empty()).then(|| terms.join(" OR "))
    }

    /// In the language of the full-text table.
    pub(crate) fn expression(&self) -> String {
        let either = |terms: &Either| {
            let terms: Vec<String> = terms.iter().map(Term::expression).collect();
            if terms.len() == 1 { terms.concat() } else { format!("({})", terms.join(" OR ")) }
        };
        let mut text = self.all.iter().map(either).collect::<Vec<_>>().join(" AND ");
        if self.all.len() > 1 && !self.none.is_empty() {
            text = format!("({text})");
        }
        for term in &self.none {
            text = format!("{text} NOT {}", term.expression());
        }
        text
    }

    /// The single words that are looked for, for whoever proposes others.
    pub fn single_words(&self) -> impl Iterator<Item = &str> {
        let single = |terms: &Either| terms.len() == 1 && terms[0].words.len() == 1;
        let alone = self.all.iter().filter(move |terms| single(terms));
        alone.filter(|terms| !terms[0].is_prefix).map(|terms| terms[0].words[0].as_str())
    }

    /// Where in a text the words stand that are looked for, in order; none
    /// overlaps another. With each the number of what it answers.
    pub fn places(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let terms = self.all.iter().enumerate();
        let terms =
            terms.flat_map(|(number, either)| either.iter().map(move |term| (term, number)));
        let mut places = Spotter::spot(terms.collect(), text);
        places.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
        let mut end = 0;
        places.retain(|(place, _)| {
            let is_own = place.start >= end;
            if is_own {
                end = place.end;
            }
            is_own
        });
        places
    }

    /// Whether a text has what is looked for, fields aside.
    pub fn matches(&self, text: &str) -> bool {
        let wanted = self.all.iter().enumerate();
        let wanted =
            wanted.flat_map(|(number, either)| either.iter().map(move |term| (term, number)));
        let unwanted = self.none.iter().map(|term| (term, usize::MAX));
        let places = Spotter::spot(wanted.chain(unwanted).collect(), text);
        let has = |number| places.iter().any(|(_, found)| *found == number);
        (0..self.all.len()).all(has) && !has(usize::MAX)
    }

    /// How many things must all be there.
    pub fn parts(&self) -> usize {
        self.all.len()
    }
}

/// Finds terms in a text, word by word.
struct Spotter<'q> {
    terms: Vec<(&'q Term, usize)>,
    /// The last words, as many as the longest term has, oldest first.
    recent: VecDeque<(Range<usize>, String)>,
    longest: usize,
    places: Vec<(Range<usize>, usize)>,
}

impl<'q> Spotter<'q> {
    fn spot(terms: Vec<(&'q Term, usize)>, text: &str) -> Vec<(Range<usize>, usize)> {
        let longest = terms.iter().map(|(term, _)| term.words.len()).max().unwrap_or_default();
        let (recent, places) = (VecDeque::new(), Vec::new());
        let mut spotter = Spotter { terms, recent, longest, places };
        split(text, &mut spotter);
        spotter.places
    }
}

impl WordSink for Spotter<'_> {
    fn word(&mut self, place: Range<usize>, word: &str) {
        if self.longest > 1 {
            let is_full = self.recent.len() == self.longest;
            let oldest = if is_full { self.recent.pop_front() } else { None };
            let mut kept = oldest.map(|(_, kept)| kept).unwrap_or_default();
            kept.clear();
            kept.push_str(word);
            self.recent.push_back((place.clone(), kept));
        }
        for (term, number) in &self.terms {
            let last = term.words.len() - 1;
            if !term.fits(last, word) {
                continue;
            }
            if last == 0 {
                self.places.push((place.clone(), *number));
                continue;
            }
            let Some(first) = self.recent.len().checked_sub(term.words.len()) else { continue };
            let before = self.recent.range(first..).take(last).enumerate();
            if before.into_iter().all(|(at, (_, word))| term.fits(at, word)) {
                self.places.push((self.recent[first].0.start..place.end, *number));
            }
        }
    }

    fn whole(&mut self, place: Range<usize>, word: &str) {
        for (term, number) in &self.terms {
            if term.words.len() == 1 && term.fits(0, word) {
                self.places.push((place.clone(), *number));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str) -> String {
        Query::parse(text).map_or_else(|error| error.to_string(), |query| query.expression())
    }

    #[test]
    fn what_is_typed_becomes_an_expression() {
        let table = [
            ("word", r#""word""#),
            ("Two words", r#""two" AND "words""#),
            ("\"a phrase\"", r#"words : "a phrase""#),
            ("\"never closed", r#"words : "never closed""#),
            ("this -that", r#""this" NOT "that""#),
            ("a b -c -\"d e\"", r#"("a" AND "b") NOT "c" NOT words : "d e""#),
            ("a OR b c", r#"("a" OR "b") AND "c""#),
            ("OR a", r#""a""#),
            ("NOT a b", r#""b" NOT "a""#),
            ("foo*", r#""foo" *"#),
            ("fooBa*", r#""fooba" *"#),
            ("fooBar foo_bar", r#""foobar" AND "foobar""#),
            ("src/main.rs:42", r#"words : "src main rs 42""#),
            ("src/ma*", r#"words : "src ma" *"#),
            ("\"src ma\"* x", r#"words : "src ma" * AND "x""#),
            ("\"src ma \"*", r#"words : "src ma""#),
            ("--no-index", r#"words : "no index""#),
            ("--flag", r#""flag""#),
            ("E0502", r#""e0502""#),
            ("東京", r#"words : "東 京""#),
            ("🚀", r#""🚀""#),
            ("x\u{0}y", r#""x" AND "y""#),
            ("word:thing", r#"words : "word thing""#),
            ("a) OR (b NEAR/2 {c} ^d", r#"("a" OR "b") AND words : "near 2" AND "c" AND "d""#),
            ("don't", r#"words : "don t""#),
        ];
        for (text, expected) in table {
            assert_eq!(expression(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        for text in
            ["", "   ", "…", "-", "\"\"", "\u{0}", "-word", "-is:error", "is:odd", "role:boss"]
        {
            assert!(Query::parse(text).is_err(), "{text:?}");
        }
        assert!(Query::parse(&"word ".repeat(2000)).is_err());
        assert!(Query::parse(&"x".repeat(10_000)).is_ok());
        assert!(Query::parse("is:error").is_ok());
    }

    #[test]
    fn fields_are_told_from_words() {
        let query =
            Query::parse("fix tool:Bash -role:thinking project:\"my app\" file:").expect("one");
        let fields: Vec<_> = query
            .fields
            .iter()
            .map(|field| (field.name, field.value.as_str(), field.is_not))
            .collect();
        assert_eq!(
            fields,
            [("tool", "Bash", false), ("role", "thinking", true), ("project", "my app", false)]
        );
        assert_eq!(query.expression(), r#""fix" AND "file""#);
    }

    #[test]
    fn a_text_matches_by_its_words() {
        let text = "In src/main.rs:42 the fooBar of HashMap fails with E0502";
        let table = [
            ("foobar", true),
            ("foo_bar", true),
            ("foo", true),
            ("main.rs", true),
            ("\"of hash map\"", true),
            ("hashm*", true),
            ("e0502 fails", true),
            ("fails -e0502", false),
            ("nothing OR fails", true),
            ("rs:4", false),
            ("ooBar", false),
        ];
        for (query, expected) in table {
            assert_eq!(Query::parse(query).expect("one").matches(text), expected, "{query}");
        }
        let places = Query::parse("foobar hash").expect("one").places(text);
        let told: Vec<&str> = places.iter().map(|(place, _)| &text[place.clone()]).collect();
        assert_eq!(told, ["fooBar", "Hash"]);
    }
}
