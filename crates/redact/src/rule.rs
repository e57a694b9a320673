//! A row of the table: the name of a kind of secret, its keywords, how it is
//! written, what proves it, and test values.
//!
//! The rows are in `rules`; nothing here knows a service.

use std::ops::Range;

use crate::breaks::Pieces;
use crate::check::{entropy, has_checksum, is_mixed, is_placeholder};
use crate::pattern::{Part, Set, begins_parts, match_parts, starts_token, union};
use crate::{Level, assignment};

/// A kind of secret.
///
/// Values in `hits` and `misses` are split with `|` so that no secret scanner
/// mistakes this table for a leak; [`Rule::hits`] joins them again. `¦` stands
/// for a bar.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    name: &'static str,
    pub(crate) level: Level,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) any_case: bool,
    shape: Shape,
    proof: Proof,
    /// What a token must be like that directly follows a letter, a digit or an
    /// underscore; `None` if none may.
    glued: Option<fn(&str) -> bool>,
    hits: &'static [&'static str],
    misses: &'static [&'static str],
}

/// Finds the secret around the keyword at `Range`.
pub(crate) type Matcher = fn(&str, Range<usize>) -> Option<Range<usize>>;

/// Finds all secrets that the keyword at `Range` names.
pub(crate) type Finder = fn(&str, Range<usize>) -> Vec<Range<usize>>;

#[derive(Debug, Clone, Copy)]
enum Shape {
    /// The secret starts with the keyword.
    Token(&'static [Part]),
    /// The keyword is inside: this many bytes of a set before it, parts after
    /// it.
    Inside(Set, usize, usize, &'static [Part]),
    /// The keyword is in a name, and the secret is the value of that name.
    Named(&'static [Part]),
    /// A function that does its own checks.
    Matcher(Matcher),
    /// The same, for a keyword that names several secrets.
    Finder(Finder),
}

#[derive(Debug, Clone, Copy)]
enum Proof {
    /// The form is proof enough.
    Shape,
    /// At least this many tenths of a bit per byte, and not a placeholder.
    Entropy(u8),
    /// The checksum at its end, or otherwise random-looking entropy: a token
    /// with a typo reveals as much as the right one.
    Checksum,
    /// A test of the whole secret.
    Test(fn(&str) -> bool),
}

/// A rule for secrets that start with one of the keywords.
pub(crate) const fn token(
    name: &'static str,
    keywords: &'static [&'static str],
    parts: &'static [Part],
) -> Rule {
    Rule {
        name,
        level: Level::Standard,
        keywords,
        any_case: false,
        shape: Shape::Token(parts),
        proof: Proof::Entropy(30),
        glued: None,
        hits: &[],
        misses: &[],
    }
}

/// A rule for values of names that contain one of the keywords, in any case.
pub(crate) const fn named(
    name: &'static str,
    keywords: &'static [&'static str],
    parts: &'static [Part],
) -> Rule {
    Rule { shape: Shape::Named(parts), any_case: true, ..token(name, keywords, parts) }
}

/// A rule with its own matcher.
pub(crate) const fn matched(
    name: &'static str,
    keywords: &'static [&'static str],
    matcher: Matcher,
) -> Rule {
    Rule { shape: Shape::Matcher(matcher), proof: Proof::Shape, ..token(name, keywords, &[]) }
}

/// A rule whose keyword names several secrets.
pub(crate) const fn several(
    name: &'static str,
    keywords: &'static [&'static str],
    finder: Finder,
) -> Rule {
    Rule { shape: Shape::Finder(finder), proof: Proof::Shape, ..token(name, keywords, &[]) }
}

impl Rule {
    /// The secret has this many bytes before the keyword.
    pub(crate) const fn after(mut self, set: Set, least: usize, most: usize) -> Self {
        if let Shape::Token(parts) = self.shape {
            self.shape = Shape::Inside(set, least, most, parts);
        }
        self
    }

    /// Keywords match in any case.
    pub(crate) const fn any_case(mut self) -> Self {
        self.any_case = true;
        self
    }

    /// Only at the strict level.
    pub(crate) const fn strict(mut self) -> Self {
        self.level = Level::Strict;
        self
    }

    /// In tenths of a bit per byte.
    pub(crate) const fn entropy(mut self, tenths: u8) -> Self {
        self.proof = Proof::Entropy(tenths);
        self
    }

    pub(crate) const fn checksum(mut self) -> Self {
        self.proof = Proof::Checksum;
        self
    }

    pub(crate) const fn proven(mut self, test: fn(&str) -> bool) -> Self {
        self.proof = Proof::Test(test);
        self
    }

    /// A token matches anywhere, even in `xghp_…`: no word ends in its prefix,
    /// and the part after it is long and mixed.
    pub(crate) const fn anywhere(self) -> Self {
        self.anywhere_if(is_mixed)
    }

    /// The same, if the part after the prefix passes this test.
    pub(crate) const fn anywhere_if(mut self, test: fn(&str) -> bool) -> Self {
        self.glued = Some(test);
        self
    }

    pub(crate) const fn with(
        mut self,
        hits: &'static [&'static str],
        misses: &'static [&'static str],
    ) -> Self {
        self.hits = hits;
        self.misses = misses;
        self
    }

    /// The kind in the placeholder.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The parts after the keyword of a secret that starts with it.
    pub(crate) fn token_parts(&self) -> Option<&'static [Part]> {
        match self.shape {
            Shape::Token(parts) => Some(parts),
            _ => None,
        }
    }

    /// Whether what is before the lines matters to it. A token and a URL stand within a line.
    pub(crate) fn reads_lines(&self) -> bool {
        !matches!(self.shape, Shape::Token(_) | Shape::Inside(..))
            && !self.keywords.contains(&"://")
    }

    /// Whether the secret needs no context.
    #[cfg(test)]
    pub(crate) fn is_token(&self) -> bool {
        matches!(self.shape, Shape::Token(_) | Shape::Inside(..))
    }

    /// The parts of a secret that are always the same.
    #[cfg(test)]
    pub(crate) fn fixed_parts(&self) -> Vec<&'static str> {
        let parts: &[Part] = match self.shape {
            Shape::Token(parts) | Shape::Inside(.., parts) | Shape::Named(parts) => parts,
            Shape::Matcher(_) | Shape::Finder(_) => &[],
        };
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(*text),
            Part::Run(..) => None,
        });
        self.keywords.iter().copied().chain(texts).collect()
    }

    /// Texts that contain one secret of this kind, and the secret.
    pub fn hits(&self) -> impl Iterator<Item = (String, String)> {
        self.hits.iter().map(|hit| {
            let whole = hit.replace('|', "").replace('¦', "|");
            let secret = match (whole.find('«'), whole.find('»')) {
                (Some(start), Some(end)) => whole[start + '«'.len_utf8()..end].to_owned(),
                _ => whole.clone(),
            };
            (whole.replace(['«', '»'], ""), secret)
        })
    }

    /// Similar texts without a secret.
    pub fn misses(&self) -> impl Iterator<Item = String> {
        self.misses.iter().map(|miss| miss.replace('|', "").replace('¦', "|"))
    }

    /// All secrets that the keyword names, if a keyword of this rule may name several.
    pub(crate) fn find_several(&self, text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
        match self.shape {
            Shape::Finder(finder) => finder(text, keyword),
            _ => Vec::new(),
        }
    }

    /// The secret around the keyword. `boundary` is the end of an earlier
    /// match: a token may start right there.
    pub(crate) fn find(
        &self,
        text: &str,
        keyword: Range<usize>,
        boundary: usize,
    ) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let begins = |at: usize| at == boundary || starts_token(bytes, at);
        let (secret, body) = match self.shape {
            Shape::Token(parts) => {
                let start = keyword.start;
                let is_glued = !begins(start);
                if is_glued && self.glued.is_none() {
                    return None;
                }
                let end = match_parts(bytes, keyword.end, parts);
                if !is_glued
                    && let Some(secret) = self.find_broken(text, keyword.clone(), parts, end)
                {
                    return Some(secret);
                }
                let Some(end) = end else {
                    return if is_glued { None } else { find_truncated(text, keyword, parts) };
                };
                if is_glued && !self.glued?(text.get(keyword.end..end)?) {
                    return None;
                }
                (start..end, keyword.end..end)
            }
            Shape::Inside(set, least, most, parts) => {
                let length = set.run_back(&bytes[..keyword.start], most);
                let start = keyword.start - length;
                if length < least || !begins(start) {
                    return None;
                }
                let end = match_parts(bytes, keyword.end, parts)?;
                (start..end, start..end)
            }
            Shape::Named(parts) => {
                let start = assignment::find_value(text, keyword)?;
                let Some(end) = match_parts(bytes, start, parts) else {
                    return self.find_broken(text, start..start, parts, None);
                };
                (start..end, start..end)
            }
            Shape::Matcher(matcher) => {
                let secret = matcher(text, keyword)?;
                (secret.clone(), secret)
            }
            Shape::Finder(_) => return None,
        };
        self.is_proven(text.get(secret.clone())?, text.get(body)?).then_some(secret)
    }

    /// The token that starts with the keyword and was broken into pieces.
    /// `end` is where it ends if its first piece already is a token: then the
    /// others must look like more of it.
    fn find_broken(
        &self,
        text: &str,
        keyword: Range<usize>,
        parts: &[Part],
        end: Option<usize>,
    ) -> Option<Range<usize>> {
        let body = keyword.end - keyword.start;
        let at = end.unwrap_or(keyword.end);
        // Nearly all tokens are followed by something else.
        let pieces = Pieces::gather(text, keyword.start, at, union(parts))?;
        let matched = match_parts(pieces.text.as_bytes(), body, parts)?;
        if end.is_some_and(|end| {
            !is_mixed(pieces.text.get(end - keyword.start..matched).unwrap_or_default())
        }) {
            return None;
        }
        let secret = keyword.start..pieces.source_end(matched);
        let (whole, body) = (pieces.text.get(..matched)?, pieces.text.get(body..matched)?);
        (text.get(secret.clone()).is_some() && self.is_proven(whole, body)).then_some(secret)
    }

    /// Whether a text of this form is a secret. `body` is what follows the keyword.
    pub(crate) fn is_proven(&self, secret: &str, body: &str) -> bool {
        let random = |tenths: u8| {
            entropy(body.as_bytes()) * 10.0 >= f32::from(tenths) && !is_placeholder(body)
        };
        match self.proof {
            Proof::Shape => true,
            Proof::Entropy(tenths) => random(tenths),
            Proof::Checksum => has_checksum(body.as_bytes()) || random(35),
            Proof::Test(test) => test(secret),
        }
    }
}

/// Prefixes that are also words, so that a few characters after them prove
/// nothing.
const WORDS: &[&str] = &["key-", "secret_", "pul-", "ico-"];

/// Many keys have this after the prefix, and documentation shows it.
const VERSIONS: &[&str] = &["api03", "api01", "oat01", "ort01", "admin01", "sid01", "sid02"];

/// Whether the part after a prefix starts with a key version.
pub(crate) fn is_versioned(body: &str) -> bool {
    let (version, rest) = body.split_once('-').unwrap_or_default();
    VERSIONS.contains(&version) && is_mixed(rest)
}

const LONGEST_CUT: usize = 512;

/// The start of a token that is truncated at the end of the text: only an
/// ellipsis follows.
fn find_truncated(text: &str, keyword: Range<usize>, parts: &[Part]) -> Option<Range<usize>> {
    let rest = &text[keyword.end..];
    // Check the distance to the end first: a text may have many keywords.
    if rest.len() > LONGEST_CUT {
        return None;
    }
    let kept = rest.trim_end_matches([' ', '\n', '\r', '"', '\'', '`', ')']);
    let kept = kept.strip_suffix('…').or_else(|| kept.strip_suffix("..."))?;
    let body = kept.trim_end_matches('.');
    let prefix = &text[keyword.clone()];
    let digit = body.bytes().any(|byte| byte.is_ascii_digit());
    let upper = body.bytes().any(|byte| byte.is_ascii_uppercase());
    let distinct = if prefix.len() >= 4 {
        body.len() >= 4 && (digit || upper) && !WORDS.contains(&prefix)
    } else {
        body.len() >= 8 && digit && upper && prefix.ends_with(['_', '-'])
    };
    let good = distinct
        && begins_parts(body.as_bytes(), parts)
        && !VERSIONS.contains(&body.trim_end_matches('-'))
        && !is_placeholder(body);
    good.then(|| keyword.start..keyword.end + body.len())
}
