//! A compiled search pattern.

use super::prefilter::{self, Prefilter};
use regex::{Regex, RegexBuilder};

/// How to read a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternOptions {
    /// Whether case is ignored.
    pub ignore_case: bool,
    /// Whether it is literal text.
    pub fixed: bool,
    /// Whether only whole words count.
    pub whole_words: bool,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

/// A pattern, ready for searching.
#[derive(Debug)]
pub struct Pattern {
    pub(super) regex: Regex,
    /// What every line with a hit contains, if that is known.
    prefilter: Option<Prefilter>,
    /// Whether that may overlap the placeholder of a secret: then a masked line
    /// may hold a hit without it.
    may_be_masked: bool,
}

impl Pattern {
    /// Compiles a pattern. `^` and `$` match at the ends of lines of the text.
    pub fn new(text: &str, options: PatternOptions) -> Result<Pattern, PatternError> {
        let mut source = if options.fixed { regex::escape(text) } else { text.to_owned() };
        if options.whole_words {
            // An unclosed group would be closed by the text added around it.
            build(&source, options)?;
            source = format!(r"\b{{start-half}}(?:{source})\b{{end-half}}");
        }
        let regex = build(&source, options)?;
        let runs = regex_syntax::ParserBuilder::new()
            .multi_line(true)
            .case_insensitive(options.ignore_case)
            .build()
            .parse(&source)
            .ok()
            .and_then(|hir| prefilter::required(&hir));
        let may_be_masked = runs.as_deref().is_some_and(prefilter::may_be_masked);
        let prefilter = runs.and_then(|runs| Prefilter::new(&runs));
        Ok(Pattern { regex, prefilter, may_be_masked })
    }

    /// Whether bytes of transcripts may hold a hit; false positives are
    /// possible.
    pub(crate) fn may_be_in(&self, bytes: &[u8], is_masking: bool) -> bool {
        self.prefilter(is_masking).is_none_or(|prefilter| prefilter.finds(bytes))
    }

    /// What every line with a hit contains.
    pub(super) fn prefilter(&self, is_masking: bool) -> Option<&Prefilter> {
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
