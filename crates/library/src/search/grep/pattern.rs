//! A pattern as a person writes it, made ready to be looked for.

use super::prefilter::{self, Prefilter};
use regex::{Regex, RegexBuilder};

/// How a pattern is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternOptions {
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether it is text to be found as it stands.
    pub fixed: bool,
    /// Whether only whole words count.
    pub whole_words: bool,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

/// What is looked for.
#[derive(Debug)]
pub struct Pattern {
    pub(super) regex: Regex,
    /// What every line with a hit holds, where that can be said.
    prefilter: Option<Prefilter>,
    /// Whether that may be part of what stands for a secret: then a masked line
    /// may hold a hit without it.
    may_be_masked: bool,
}

impl Pattern {
    /// Reads a pattern. `^` and `$` are the ends of lines of the text.
    pub fn new(text: &str, options: PatternOptions) -> Result<Pattern, PatternError> {
        let mut source = if options.fixed { regex::escape(text) } else { text.to_owned() };
        if options.whole_words {
            // What is not closed would be closed by the words around it.
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

    /// Whether bytes of transcripts may hold a hit; they may be let through
    /// without one.
    pub(crate) fn may_be_in(&self, bytes: &[u8], is_masking: bool) -> bool {
        self.prefilter(is_masking).is_none_or(|prefilter| prefilter.finds(bytes))
    }

    /// What every line with a hit holds.
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
