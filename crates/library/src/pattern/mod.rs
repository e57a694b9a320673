//! A compiled search pattern.

mod escapes;
mod prefilter;

pub(crate) use prefilter::Prefilter;

use regex::{Regex, RegexBuilder};
use std::ops::Range;

/// How to read a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternOptions {
    /// Whether case is ignored.
    pub ignore_case: bool,
    /// Whether it is literal text.
    pub fixed: bool,
    /// Whether only whole words count.
    pub whole_words: bool,
    /// Whether the lines without a match are wanted.
    pub inverted: bool,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

/// A pattern, ready for searching.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// Whether the lines without a match are wanted.
    is_inverted: bool,
    /// What every line with a hit contains, if that is known.
    prefilter: Option<Prefilter>,
    /// Whether that may overlap the placeholder of a secret: then a masked line
    /// may hold a hit without it.
    may_be_masked: bool,
}

impl Pattern {
    /// Compiles a pattern. `^` and `$` match at the ends of lines of the text.
    pub fn new(text: &str, options: PatternOptions) -> Result<Pattern, PatternError> {
        Pattern::any(&[text], options)
    }

    /// Compiles a pattern that matches where one of these does.
    pub fn any(texts: &[&str], options: PatternOptions) -> Result<Pattern, PatternError> {
        let mut sources = Vec::new();
        for text in texts {
            let source = if options.fixed { regex::escape(text) } else { (*text).to_owned() };
            if options.whole_words || texts.len() > 1 {
                // An unclosed group would be closed by the text added around it.
                build(&source, options)?;
            }
            sources.push(source);
        }
        let mut source = match sources.as_slice() {
            [only] => only.clone(),
            several => several.iter().map(|it| format!("(?:{it})")).collect::<Vec<_>>().join("|"),
        };
        if options.whole_words {
            source = format!(r"\b{{start-half}}(?:{source})\b{{end-half}}");
        }
        let regex = build(&source, options)?;
        let runs = regex_syntax::ParserBuilder::new()
            .multi_line(true)
            .case_insensitive(options.ignore_case)
            .build()
            .parse(&source)
            .ok()
            .filter(|_| !options.inverted)
            .and_then(|hir| prefilter::required(&hir));
        let may_be_masked = runs.as_deref().is_some_and(prefilter::may_be_masked);
        let prefilter = runs.and_then(|runs| Prefilter::new(&runs));
        Ok(Pattern { regex, is_inverted: options.inverted, prefilter, may_be_masked })
    }

    /// Whether the lines without a match are wanted.
    pub fn is_inverted(&self) -> bool {
        self.is_inverted
    }

    /// Whether a text has a hit.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        if self.is_inverted { self.find(text).is_some() } else { self.regex.is_match(text) }
    }

    /// The first hit in a text.
    pub(crate) fn find(&self, text: &str) -> Option<Range<usize>> {
        self.find_all(text).next()
    }

    /// The hits in a text: the matches or, inverted, the lines without one. Empty lines
    /// have nothing to show, so they are not hits.
    pub(crate) fn find_all<'t>(
        &'t self,
        text: &'t str,
    ) -> Box<dyn Iterator<Item = Range<usize>> + 't> {
        if !self.is_inverted {
            return Box::new(self.regex.find_iter(text).map(|found| found.range()));
        }
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(move |line| {
            let range = start..start + line.trim_end_matches(['\n', '\r']).len();
            start += line.len();
            range
        });
        Box::new(lines.filter(|line| !line.is_empty() && !self.regex.is_match(&text[line.clone()])))
    }

    /// Whether bytes of transcripts may hold a hit; false positives are
    /// possible.
    pub(crate) fn may_be_in(&self, bytes: &[u8], is_masking: bool) -> bool {
        self.prefilter(is_masking).is_none_or(|prefilter| prefilter.finds(bytes))
    }

    /// What every line with a hit contains.
    pub(crate) fn prefilter(&self, is_masking: bool) -> Option<&Prefilter> {
        self.prefilter.as_ref().filter(|_| !(is_masking && self.may_be_masked))
    }
}

fn build(source: &str, options: PatternOptions) -> Result<Regex, PatternError> {
    RegexBuilder::new(source)
        .multi_line(true)
        .case_insensitive(options.ignore_case)
        .build()
        .map_err(|error| PatternError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(patterns: &[&str], options: PatternOptions, text: &'t str) -> Vec<&'t str> {
        let pattern = Pattern::any(patterns, options).expect("a pattern");
        assert_eq!(pattern.is_match(text), pattern.find(text).is_some());
        pattern.find_all(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn several_patterns_match_where_one_of_them_does() {
        let options = PatternOptions::default();
        assert_eq!(found(&["tide", "kel?p"], options, "a kep, a tide, a crab"), ["kep", "tide"]);
        let fixed = PatternOptions { fixed: true, ..options };
        assert_eq!(found(&["a.b", "("], fixed, "axb a.b ("), ["a.b", "("]);
        let words = PatternOptions { whole_words: true, ..options };
        assert_eq!(found(&["tide", "sea"], words, "tides sea season"), ["sea"]);
        assert!(Pattern::any(&["ok", "("], options).is_err());
        // Neither half of an unclosed group is accepted.
        assert!(Pattern::any(&["(a", "b)"], options).is_err());
    }

    #[test]
    fn inverted_pattern_finds_the_lines_without_a_match() {
        let options = PatternOptions { inverted: true, ..PatternOptions::default() };
        let text = "one\r\ntwo\n\nthree\n";
        assert_eq!(found(&["t"], options, text), ["one"]);
        assert_eq!(found(&["^one$", "w"], options, text), ["three"]);
        assert!(found(&["."], options, text).is_empty());
    }
}
